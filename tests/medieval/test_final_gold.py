"""Gold sent, spent on upkeep, lost to decay and earned (L2, L3, L9, L11, L13)."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.core.events import GM
from gm.core.values import to_cents
from gm.games.medieval.analysis.forecast import forecast
from gm.games.medieval.events.final import GoldReceived, GoldSent, Proclaimed, ProclamationFlagged, UpkeepShort
from gm.games.medieval.events.ledger import CommandersChanged, TroopsChanged
from gm.games.medieval.orders.model import Orders, Proclamation, SendGold, Written
from gm.games.medieval.state import INDEPENDENTS
from gm.games.medieval.steps.economy import (
    gold_decays,
    gold_sent,
    pay_in_order,
    proclamations_income,
    province_revenue,
    province_revenue_gained,
    total_upkeep,
    upkeep_lines,
    upkeep_paid,
    within_gold_reach,
)
from gm.games.medieval.steps.turn import TreasuryChanged
from tests.medieval.marks import marked
from tests.medieval.testland import atlas, commander, make_world, read_orders, rules, run_steps, unit

HQ = "headquarters:\n"


def treasury(played, realm: str) -> Decimal:
    return played.world.realms[realm].treasury


def send(world, **orders: str):
    sheets = {realm: f"{HQ}  send_gold: {{{text}}}\n" for realm, text in orders.items()}
    return run_steps(world, [gold_sent], sheets, phase=0)


# -- L2 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("L2", "W10")
def test_the_fee_comes_on_top_of_gold_sent():
    played = send(make_world(), ENG="AQU: 12.55")
    # 10% of 12.55 is 1.255, half up
    assert treasury(played, "ENG") == Decimal("86.19")
    assert treasury(played, "AQU") == Decimal("112.55")
    assert [(event.amount, event.fee) for event in played.only(GoldSent)] == [(Decimal("12.55"), Decimal("1.26"))]
    assert [event.audience for event in played.only(GoldReceived)] == ["AQU"]
    assert played.fate("ENG", "send_gold") == ("done", "")


@pytest.mark.clause("L2", "H1")
def test_gold_may_go_to_a_garrison_of_one_s_own_and_only_the_fee_is_lost():
    """14.C25: an order like any other; it comes back too late to be sent on."""
    played = send(make_world(), ENG="ENG: 50, AQU: 50")
    assert played.fates("ENG") == [
        ("send_gold: ENG 50", "done", ""),
        ("send_gold: AQU 50", "failed", "gold-too-little"),
    ]
    assert treasury(played, "ENG") == 95
    sheet = read_orders(make_world(), {"ENG": f"{HQ}  send_gold: {{ENG: 50}}\n"})["ENG"]
    alone, sent = (forecast(make_world(), "ENG", each, rules(), atlas()).surplus for each in (None, sheet))
    assert alone - sent == 5


@pytest.mark.clause("L2", "L3.1")
def test_gold_goes_whole_or_not_at_all_and_a_smaller_sum_is_still_tried():
    played = send(make_world(), ENG="DEN: 95, AQU: 80, NOR: 20")
    assert [reason for *_, reason in played.fates("ENG")] == ["gold-too-little", "", "gold-too-little"]
    assert treasury(played, "ENG") == 12


@pytest.mark.clause("L2")
def test_gold_received_is_not_sent_on_in_the_same_turn():
    world = make_world(realms={"AQU": {"treasury": 0}})
    played = send(world, ENG="AQU: 50", AQU="ENG: 10")
    assert played.fate("AQU", "send_gold") == ("failed", "gold-too-little")
    assert treasury(played, "AQU") == 50


@pytest.mark.clause("L2", "F2")
def test_the_receiver_must_accept_gifts_and_war_is_no_bar():
    refused = send(make_world(realms={"AQU": {"refuses": ["ENG"]}}), ENG="AQU: 5")
    assert refused.fate("ENG", "send_gold") == ("failed", "gifts-refused")
    at_war = send(make_world(war=[("ENG", "AQU")]), ENG="AQU: 5")
    assert treasury(at_war, "AQU") == 105


@pytest.mark.clause("L2")
def test_gold_needs_a_way_of_seven_borders_at_most():
    # London - North Sea/Channel - Alborg Bight - Hanobukten - Baltic - Riga: five; Minsk: six, through Riga
    assert send(make_world(), ENG="TEU: 5").fate("ENG", "send_gold") == ("done", "")
    assert send(make_world(), ENG="LIT: 5").fate("ENG", "send_gold") == ("failed", "gold-no-way")
    through = make_world(realms={"TEU": {"passage": ["ENG"]}})
    assert send(through, ENG="LIT: 5").fate("ENG", "send_gold") == ("done", "")
    short = rules().evolve(economy=rules().economy.evolve(gold_reach=5))
    assert "Riga" in within_gold_reach(through, "ENG", short, atlas())
    assert "Minsk" not in within_gold_reach(through, "ENG", short, atlas())


@pytest.mark.clause("L2", "W13")
def test_enemy_fleets_close_a_sea_and_the_ends_need_no_permission():
    pirates = unit("DEN/F1", "Alborg Bight", {"War Dhow": 1})
    assert send(make_world(pirates), ENG="TEU: 5").fate("ENG", "send_gold") == ("done", "")
    at_war = send(make_world(pirates, war=[("ENG", "DEN")]), ENG="TEU: 5")
    assert at_war.fate("ENG", "send_gold") == ("failed", "gold-no-way")
    empty = make_world(unit("DEN/F1", "Alborg Bight"), war=[("ENG", "DEN")])
    assert send(empty, ENG="TEU: 5").fate("ENG", "send_gold") == ("done", "")


@pytest.mark.clause("L2")
def test_gold_starts_and_ends_at_garrisons():
    nowhere = make_world(owners={"Zeeland": "ENG"})  # Denmark keeps land, but no garrison
    assert send(nowhere, ENG="DEN: 5").fate("ENG", "send_gold") == ("failed", "gold-no-way")
    assert send(nowhere, DEN="ENG: 5").fate("DEN", "send_gold") == ("failed", "gold-no-way")


@pytest.mark.clause("L2")
def test_no_gold_for_the_dead_the_unknown_or_of_nothing():
    written = Written(1, 1, "send_gold")
    orders = tuple(
        SendGold(written, other, Decimal(amount)) for other, amount in (("XXX", "5"), ("DEN", "5"), ("FRA", "0"))
    )
    world = make_world(realms={"DEN": {"defeated": True}})
    played = run_steps(world, [gold_sent], {"ENG": Orders("ENG", 1, headquarters=orders)}, phase=0)
    assert [reason for *_, reason in played.fates("ENG")] == ["other-unknown", "other-is-out", "amount-not-positive"]


# -- L3 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("L3", "W10")
def test_upkeep_of_all_troops_and_commanders_is_paid_also_without_orders():
    world = make_world(
        unit("ENG/G1", "London", {"Longbowmen": 3, "Trading Cog": 1}, commanders=[commander()]),
        unit("ENG/A1", "Kent", {"Heavy Cavalry": 2}),
    )
    played = run_steps(world, [upkeep_paid], phase=0)
    assert treasury(played, "ENG") == Decimal("96.90")  # 0.9 + 0.2 + 1.0 + 1.0
    assert [(c.realm, c.amount) for c in played.only(TreasuryChanged)] == [("ENG", Decimal("-3.10"))]
    assert played.world.units == world.units


@pytest.mark.clause("L3")
def test_a_treasury_that_just_pays_the_upkeep_pays_it_and_nobody_goes_short():
    world = make_world(unit("ENG/A1", "Kent", {"Heavy Cavalry": 2}), realms={"ENG": {"treasury": Decimal("1.00")}})
    played = run_steps(world, [upkeep_paid], phase=0)
    assert treasury(played, "ENG") == 0
    assert [type(each) for each in played.events] == [TreasuryChanged]


@pytest.mark.clause("L3", "W10")
@given(st.lists(st.tuples(st.sampled_from(list(rules().troops)), st.integers(1, 99)), max_size=9), st.integers(0, 3))
def test_the_sum_of_all_upkeep_is_that_of_its_lines(troops: list[tuple[str, int]], leaders: int):
    units = [unit(f"ENG/A{number}", "Kent", {name: count}) for number, (name, count) in enumerate(troops, 1)]
    units.append(unit("ENG/G1", "London", commanders=[commander(f"Hugh {each}") for each in range(leaders)]))
    lines = upkeep_lines(units, rules())
    assert total_upkeep(units, rules()) == to_cents(sum((line.price for line in lines), Decimal(0)))
    assert pay_in_order(lines, total_upkeep(units, rules())) == (total_upkeep(units, rules()), [])


@pytest.mark.clause("L3", "W7")
def test_independents_pay_nothing_and_lose_nobody():
    world = make_world(unit("IND/A1", "Flanders", {"Heavy Cavalry": 50}))
    played = run_steps(world, [upkeep_paid], phase=0)
    assert not played.events
    assert played.unit("IND/A1").count("Heavy Cavalry") == 50


@pytest.mark.clause("L3")
def test_commanders_are_paid_first_then_garrisons_armies_fleets_dearest_troops_first():
    units = [
        unit("ENG/A1", "Kent", {"Archers": 1, "Heavy Cavalry": 1}, commanders=[commander("Hugh")]),
        unit("ENG/A2", "Kent", {"Men-at-Arms": 1}),
        unit("ENG/F1", "Channel", {"Trading Cog": 1}),
        unit("ENG/G1", "London", {"Peasant Rabble": 1}),
    ]
    lines = upkeep_lines(units, rules())
    assert [(line.unit[4:], line.troop or line.commander) for line in lines] == [
        ("A1", "Hugh"),
        ("G1", "Peasant Rabble"),
        ("A1", "Heavy Cavalry"),
        ("A1", "Archers"),
        ("A2", "Men-at-Arms"),
        ("F1", "Trading Cog"),
    ]


@pytest.mark.clause("L3")
def test_the_first_who_cannot_be_paid_in_full_takes_the_rest_and_all_after_go_without():
    units = [unit("ENG/G1", "London", {"Heavy Cavalry": 3, "Peasant Rabble": 2})]  # 3 x 0.5, 2 x 0.2
    paid, unpaid = pay_in_order(upkeep_lines(units, rules()), Decimal("1.20"))
    # two knights in full, the third takes 0.20; the rabble, which 0.20 would have paid, gets nothing
    assert paid == Decimal("1.20")
    assert [(line.troop, line.count) for line in unpaid] == [("Heavy Cavalry", 1), ("Peasant Rabble", 2)]


@pytest.mark.clause("L3", "W12")
def test_about_half_of_the_unpaid_are_lost_and_each_loss_is_in_the_books():
    world = make_world(
        unit("ENG/G1", "London", {"Longbowmen": 400}, commanders=[commander(f"Hugh {n}") for n in range(20)]),
        realms={"ENG": {"treasury": 0}},
    )
    played = run_steps(world, [upkeep_paid], phase=0)
    left = played.unit("ENG/G1")
    # 400 fair coins: fewer than 150 or more than 250 heads is one case in two million
    assert 150 < left.count("Longbowmen") < 250
    assert 0 < len(left.commanders) < 20
    assert sum(e.count for e in played.only(TroopsChanged)) == left.count("Longbowmen") - 400
    assert sum(e.count for e in played.only(CommandersChanged)) == len(left.commanders) - 20
    (short,) = played.only(UpkeepShort)
    assert (short.audience, short.needed, short.paid, short.unpaid) == ("ENG", Decimal("140.00"), 0, 420)


@pytest.mark.clause("L3")
def test_who_is_paid_in_full_is_never_lost():
    world = make_world(
        unit("ENG/G1", "London", {"Longbowmen": 10}),
        unit("ENG/A1", "Kent", {"Archers": 200}),
        realms={"ENG": {"treasury": 3}},
    )
    played = run_steps(world, [upkeep_paid], phase=0)
    assert played.unit("ENG/G1").count("Longbowmen") == 10
    assert played.unit("ENG/A1").count("Archers") < 200
    assert treasury(played, "ENG") == 0


# -- L9, L11, L13 ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("L9", "W10")
def test_seven_percent_decay_rounded_half_up_once():
    played = run_steps(make_world(realms={"ENG": {"treasury": Decimal("33.50")}}), [gold_decays], phase=0)
    assert treasury(played, "ENG") == Decimal("31.15")  # 2.345 becomes 2.35
    assert treasury(played, "FRA") == 93


@pytest.mark.clause("X7", "L11", "T3", "W4")
@pytest.mark.parametrize(("damage", "gold"), [(0, 40), (1, 32), (2, 26), (3, 20)])
def test_damage_lowers_revenue(damage, gold):
    world = make_world(provinces={"Paris": {"damage": damage}})
    assert province_revenue(world.provinces["Paris"], atlas(), rules()) == gold


@pytest.mark.clause("L11")
def test_a_production_area_adds_to_the_base_before_damage():
    world = make_world(provinces={"Paris": {"damage": 1, "production_areas": 3}})
    assert province_revenue(world.provinces["Paris"], atlas(), rules()) == Decimal("36.80")


@pytest.mark.clause("L11")
def test_only_provinces_owned_by_and_annexed_to_the_same_realm_pay():
    world = make_world(provinces={"Kent": {"annexed_to": "FRA"}, "Reims": {"annexed_to": None}})
    played = run_steps(world, [province_revenue_gained], phase=0)
    assert treasury(played, "ENG") == 120
    assert treasury(played, "FRA") == 140
    paid = [(event.realm, event.place) for event in played.only(TreasuryChanged) if event.realm in ("ENG", "FRA")]
    assert paid == [("ENG", "London"), ("FRA", "Paris")]


@pytest.mark.clause("L11", "L6", "M14")
def test_nothing_from_provinces_pillaged_or_annexed_this_turn():
    steps = [marked("London", pillaged=True), marked("Kent", annexed=True), province_revenue_gained]
    assert treasury(run_steps(make_world(), steps, phase=0), "ENG") == 100


def proclaim(text: str, *, twice: bool = False, rejected: bool = False):
    order = Proclamation(Written(3, 1, "proclamation"), text)
    sheet = Orders("ENG", 1, headquarters=(order, order) if twice else (order,))
    sheet = replace(sheet, proclamation_rejected=rejected)
    return run_steps(make_world(), [proclamations_income], {"ENG": sheet}, phase=0)


@pytest.mark.clause("L13")
def test_a_proclamation_earns_seven_gold_and_everybody_hears_it():
    played = proclaim("Peace and good wine.")
    assert treasury(played, "ENG") == 107
    (heard,) = played.only(Proclaimed)
    assert heard.visible_to("FRA")
    assert not played.only(ProclamationFlagged)


@pytest.mark.clause("L13")
def test_one_proclamation_a_turn():
    played = proclaim("Peace.", twice=True)
    assert treasury(played, "ENG") == 107
    assert [reason for *_, reason in played.fates("ENG")] == ["", "proclaimed-already"]


@pytest.mark.clause("L13")
def test_the_word_filter_flags_to_the_game_master_and_decides_nothing():
    played = proclaim("Damn the weather! Damnation is no listed word.")
    assert treasury(played, "ENG") == 107
    (flagged,) = played.only(ProclamationFlagged)
    assert (flagged.audience, flagged.words) == (GM, ("damn",))


@pytest.mark.clause("L13")
@pytest.mark.parametrize(
    ("text", "rejected", "reason"),
    [
        ("Peace.", True, "proclamation-rejected"),
        (" ", False, "proclamation-empty"),
        ("x" * 1001, False, "proclamation-too-long"),
    ],
)
def test_an_unsuitable_proclamation_is_neither_heard_nor_paid(text, rejected, reason):
    played = proclaim(text, rejected=rejected)
    assert [event.kind for event in played.events] == ["OrderSettled"]
    assert played.fate("ENG", "proclamation") == ("failed", reason)


@pytest.mark.clause("L2", "L3", "L9", "L11", "W10")
def test_every_change_of_a_treasury_is_in_the_books_with_the_balance_after_it():
    world = make_world(unit("ENG/A1", "Kent", {"Archers": 7}), realms={"ENG": {"treasury": Decimal("33.33")}})
    orders = {"ENG": HQ + "  send_gold: {AQU: 1.11}\n", "AQU": HQ + "  send_gold: {ENG: 2.22}\n"}
    steps = [gold_sent, upkeep_paid, gold_decays, province_revenue_gained, proclamations_income]
    played = run_steps(world, steps, orders, phase=0)
    balances = {code: realm.treasury for code, realm in world.realms.items()}
    for change in played.only(TreasuryChanged):
        balances[change.realm] += change.amount
        assert change.balance == balances[change.realm]
        assert change.audience == change.realm != INDEPENDENTS
    assert balances == {code: realm.treasury for code, realm in played.world.realms.items()}
