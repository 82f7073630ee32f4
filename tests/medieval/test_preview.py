"""The trial behind ``gm check``: each order's fate and cost, the plan by phase, the treasury line by line (O2, H1)."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.game.answers import Preview, TriedOrder, Whereabouts
from gm.games.medieval.analysis.forecast import all_rich
from gm.games.medieval.analysis.trial import ORDERED_GOLD, place_of, preview_orders, try_orders
from gm.games.medieval.pipeline import play_turn
from gm.games.medieval.state import World
from gm.games.medieval.steps.turn import OrderSettled, TreasuryChanged
from tests.examples import examples
from tests.medieval.order_files import as_file
from tests.medieval.order_reading import HEADER, read
from tests.medieval.ordering import sheets
from tests.medieval.positions import CODES, worlds
from tests.medieval.testland import atlas, commander, make_world, rules, unit


def preview(world: World, body: str) -> Preview:
    """England's trial of these orders."""
    text = HEADER + body
    sheet, found = read(text, world=world)
    assert [each.render() for each in found if each.is_error] == []
    assert sheet is not None
    return preview_orders(world, "ENG", sheet, rules(), atlas(), text.encode(), "ENG.yaml")


def world(*more, **changes) -> World:
    """England with London's garrison, A1 in London and a laden fleet's worth of ships in the Channel."""
    return make_world(
        unit("ENG/G1", "London", {"Longbowmen": 10, "Siege Machine": 2}),
        unit("ENG/A1", "London", {"Heavy Cavalry": 4}, commanders=[commander("Sir John")]),
        unit("ENG/F1", "Channel", {"Trading Cog": 6}),
        *more,
        turn=4,
        **changes,
    )


def rich(treasury: int) -> World:
    """Royal England with so much gold and one province that is not annexed."""
    own = {"ENG": {"treasury": Decimal(treasury), "status": "royalty"}}
    return world(realms=own, provinces={"Kent": {"annexed_to": None}})


def order(found: Preview, text: str) -> TriedOrder:
    (only,) = [each for each in found.orders if each.order == text]
    return only


def cost(found: Preview, text: str) -> tuple[Decimal, int]:
    one = order(found, text)
    return one.gold, one.moves


# -- orders ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("O2")
def test_every_order_is_told_once_by_its_place_with_its_fate():
    found = preview(world(), "headquarters: {annex: [Kent, Paris]}\nunits: {A1: {plan: [march: Kent, march: Paris]}}\n")
    assert [(each.order, each.fate, each.reason) for each in found.orders] == [
        ("annex: Kent", "failed", "annexed-already"),
        ("annex: Paris", "failed", "annex-not-owner"),
        ("A1 march: Kent", "done", ""),
        ("A1 march: Paris", "failed", "no-border"),
    ]
    assert [(each.line, each.clause) for each in found.findings] == [
        (each.line, each.clause) for each in found.orders if each.fate == "failed"
    ]


@pytest.mark.clause("P4", "P5", "P7", "P8")
def test_an_order_costs_the_move_points_that_its_unit_uses_up():
    body = "units: {A1: {plan: [hold, hold, march: Kent, pillage]}, F1: {plan: [sail: London, sail: Channel]}}\n"
    found = preview(world(), body)
    assert [each.moves for each in found.orders] == [0, 1, 1, 1, 1, 1]
    # all that is left, and a march into a land at war costs two
    war = preview(world(war=[("ENG", "FRA")]), "units: {A1: {plan: [march: Kent, march: Flanders]}}\n")
    assert cost(war, "A1 march: Flanders") == (0, 2)
    spent = preview(world(), "units: {A1: {build: [fortification], plan: [march: Kent]}}\n")
    assert cost(spent, "A1 build: fortification") == (10, 2)


@pytest.mark.clause("L2", "L4", "L5", "L6", "L8", "L10", "F10", "L13", "M14")
def test_an_order_costs_or_brings_the_gold_that_it_moves():
    body = """headquarters:
  send_gold: {AQU: 10, LIT: 5.50}
  annex: [Kent]
  proclamation: Peace!
units:
  London:
    recruit: {Longbowmen: 3, Trading Cog: 2}
    hire_commander: 1
    build: [fortification, production area]
    disband: {Siege Machine: 1}
    plan: [pillage]
  A1:
    raze: [fortification]
"""
    found = preview(rich(500), body)
    assert {each.order: each.gold for each in found.orders if each.fate == "done"} == {
        "send_gold: AQU 10": Decimal("11.00"),
        "annex: Kent": Decimal(10),
        "proclamation: 'Peace!'": Decimal(-7),
        "London recruit: 3 Longbowmen": Decimal(15),
        "London recruit: 2 Trading Cog": Decimal(8),
        "London hire_commander: 1": Decimal(15),
        "London build: fortification": Decimal(14),
        "London build: production area": Decimal(8),
        "London disband: 1 Siege Machine": Decimal(-2),
        "London pillage": Decimal(-20),
        "A1 raze: fortification": Decimal("-4.66"),
    }
    # nobody's way leads to Minsk: nothing is spent
    assert cost(found, "send_gold: LIT 5.50") == (0, 0)


@pytest.mark.clause("L3.1")
def test_a_reduced_order_costs_what_it_got():
    short = world(realms={"ENG": {"treasury": Decimal(20)}})
    found = preview(short, "units: {London: {recruit: {Longbowmen: 6}}}\n")
    reduced = order(found, "London recruit: 6 Longbowmen")
    assert (reduced.fate, reduced.gold) == ("reduced", 10)


@pytest.mark.clause("O2")
def test_what_the_dice_decide_is_open_and_warned_of_only_when_it_fails_every_time():
    even = world(unit("FRA/A1", "Kent", {"Heavy Cavalry": 4}), war=[("ENG", "FRA")])
    found = preview(even, "units: {A1: {plan: [march: Kent, pillage]}}\n")
    pillage = order(found, "A1 pillage")
    assert pillage.open
    assert (pillage.fate, pillage.says != "") == ("failed", True)
    assert [each for each in found.findings if "pillage" in each.message] == []
    hopeless = world(unit("FRA/A1", "Kent", {"Heavy Cavalry": 90}), war=[("ENG", "FRA")])
    found = preview(hopeless, "units: {A1: {plan: [march: Kent, pillage]}}\n")
    assert not order(found, "A1 pillage").open
    assert [each.code for each in found.findings if "pillage" in each.message] == ["trial/destroyed-in-battle"]


@pytest.mark.clause("L15", "L17")
def test_an_offer_is_open_until_the_other_has_spoken():
    found = preview(world(war=[("ENG", "FRA")]), "headquarters: {offer_peace: [FRA], offer_alliance: [AQU, FRA]}\n")
    assert [(each.order, each.open, each.reason) for each in found.orders] == [
        ("offer_peace: FRA", True, "offer-not-returned"),
        ("offer_alliance: AQU", True, "offer-not-returned"),
        ("offer_alliance: FRA", False, "alliance-with-enemy"),
    ]
    assert [each.code for each in found.findings] == ["trial/alliance-with-enemy"]


def test_other_realms_pay_their_upkeep_whatever_is_known_of_their_gold():
    # a player's results tell no other treasury: that must not make the others' troops desert in his trial
    poor = world(unit("FRA/A1", "Paris", {"Heavy Cavalry": 30}), realms={"FRA": {"treasury": Decimal(0)}})
    sheet, _ = read(HEADER + "units: {A1: {plan: [march: Kent]}}\n", world=poor)
    assert sheet is not None
    assert not try_orders(poor, "ENG", sheet, rules(), atlas(), "any").chance


@pytest.mark.clause("O2", "W10")
@examples(60, derandomize=True)
@given(st.data())
def test_the_trial_is_the_turn_and_its_costs_add_up(data: st.DataObject):
    drawn = data.draw(worlds())
    realm = data.draw(st.sampled_from(CODES))
    text = as_file(data.draw(sheets(drawn, realm)))
    sheet, _ = read(text, world=drawn, realm=realm, turn=drawn.turn + 1, key=None)
    if sheet is None:
        return
    trial = try_orders(drawn, realm, sheet, rules(), atlas(), "seed")
    rich = all_rich(drawn, but=realm)
    events = play_turn(rich, {realm: sheet}, rules=rules(), atlas=atlas(), seed="seed").events
    told = {place_of(event): event.fate for event in events if isinstance(event, OrderSettled)}
    assert told == {place: each.event.fate for place, each in trial.orders.items()}
    moved = [event for event in events if isinstance(event, TreasuryChanged) and event.realm == realm]
    by_orders = sum((event.amount for event in moved if event.what in ORDERED_GOLD), Decimal(0))
    assert sum((each.gold for each in trial.orders.values()), Decimal(0)) == -by_orders
    phases = [each.phase for each in trial.plan]
    assert phases == list(range(len(phases)))
    assert {event.phase for event in events} <= set(phases)


# -- the plan by phase -------------------------------------------------------------------------------------------------


@pytest.mark.clause("M3", "M4", "M8", "P7")
def test_the_plan_tells_where_each_army_and_fleet_is_and_aboard_what():
    body = "units: {F1: {plan: [sail: London, load: [A1], sail: Channel, unload: {A1: Kent}]}}\n"
    found = preview(world(), body)
    assert [phase.phase for phase in found.plan] == [0, 1, 2, 3]
    assert found.plan[0].units == {
        "ENG/A1": Whereabouts("London", "", 3),
        "ENG/F1": Whereabouts("Channel", "", 2),
    }
    assert found.plan[1].units["ENG/F1"] == Whereabouts("London", "", 1)
    assert found.plan[2].units == {
        "ENG/A1": Whereabouts("Kent", "", 0),
        "ENG/F1": Whereabouts("Channel", "", 0),
    }
    loaded = preview(world(), "units: {F1: {plan: [sail: London, load: [A1]]}}\n").plan[-1].units["ENG/A1"]
    assert loaded == Whereabouts("London", "ENG/F1", 0)


@pytest.mark.clause("F5")
def test_the_plan_begins_after_first_events_and_follows_those_who_have_orders():
    body = """units:
  London: {form: {A7: New}, plan: [transfer: {to: A7, troops: {Longbowmen: 4}}]}
  A7: {plan: [march: Kent]}
"""
    found = preview(world(), body)
    assert found.plan[0].units["ENG/A7"] == Whereabouts("London", "", 2)
    assert found.plan[-1].units["ENG/A7"] == Whereabouts("Kent", "", 1)
    assert found.ordered == ("ENG/A7",)
    taken = preview(world(), "units: {F1: {plan: [sail: London, load: [A1], sail: Channel]}}\n")
    assert taken.ordered == ("ENG/A1", "ENG/F1")


# -- the treasury ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("H1")
def test_the_books_name_every_source_and_keep_a_running_balance():
    body = """headquarters: {send_gold: {AQU: 10}, annex: [Kent]}
units:
  London:
    recruit: {Longbowmen: 3}
    hire_commander: 2
    build: [fortification, production area]
    disband: {Siege Machine: 1}
"""
    found = preview(rich(200), body)
    assert [(line.says, line.amount, line.balance) for line in found.books] == [
        ("in the treasury now", None, Decimal(200)),
        ("salvage of 1 Siege Machine at London", Decimal(2), Decimal(202)),
        ("gold to Aqu", Decimal(-10), Decimal(192)),
        ("10% fee for sending it", Decimal(-1), Decimal(191)),
        ("upkeep of 22 troops, 1 commander", Decimal("-7.40"), Decimal("183.60")),
        ("3 Longbowmen at London", Decimal(-15), Decimal("168.60")),
        ("2 commanders at London", Decimal(-30), Decimal("138.60")),
        ("Kent annexed", Decimal(-10), Decimal("128.60")),
        ("fortification, level 3 at London", Decimal(-14), Decimal("114.60")),
        ("production area at London", Decimal(-8), Decimal("106.60")),
        ("left over", None, Decimal("106.60")),
        ("decay, 7% of it", Decimal("-7.46"), Decimal("99.14")),
        ("revenue of 1 province", Decimal(20), Decimal("119.14")),
        ("in the treasury after the turn", None, Decimal("119.14")),
    ]
    assert found.sums == (
        ("headquarters", Decimal(-21)),
        ("garrisons", Decimal(-67)),
        ("upkeep", Decimal("-7.40")),
    )


@pytest.mark.clause("H1")
def test_a_shortfall_is_said_and_eats_no_revenue():
    found = preview(world(realms={"ENG": {"treasury": Decimal(5)}}), "headquarters: {send_gold: {AQU: 100}}\n")
    assert [(line.says, line.balance) for line in found.books[-4:]] == [
        ("short of it", Decimal("-112.60")),
        ("decay, 7% of it", Decimal(0)),
        ("revenue of 2 provinces", Decimal(30)),
        ("in the treasury after the turn", Decimal(30)),
    ]
    assert [each.code for each in found.findings] == ["trial/gold-too-little", "books/shortfall"]
