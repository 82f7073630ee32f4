"""Gold sent, spent on upkeep, lost to decay and earned (L2, L3, L9, L11, L13)."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gm.core.values import to_cents
from gm.games.medieval.analysis.forecast import forecast
from gm.games.medieval.orders.model import Orders, Proclamation, Written
from gm.games.medieval.steps.economy import (
    gold_sent,
    pay_in_order,
    proclamations_income,
    province_revenue,
    total_upkeep,
    upkeep_lines,
    within_gold_reach,
)
from tests.medieval.testland import atlas, commander, make_world, read_orders, rules, run_steps, unit

HQ = "headquarters:\n"


def treasury(played, realm: str) -> Decimal:
    return played.world.realms[realm].treasury


def send(world, **orders: str):
    sheets = {realm: f"{HQ}  send_gold: {{{text}}}\n" for realm, text in orders.items()}
    return run_steps(world, [gold_sent], sheets, phase=0)


# -- L2 ----------------------------------------------------------------------------------------------------------------


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


# -- L3 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("L3", "W10")
@given(st.lists(st.tuples(st.sampled_from(list(rules().troops)), st.integers(1, 99)), max_size=9), st.integers(0, 3))
def test_the_sum_of_all_upkeep_is_that_of_its_lines(troops: list[tuple[str, int]], leaders: int):
    units = [unit(f"ENG/A{number}", "Kent", {name: count}) for number, (name, count) in enumerate(troops, 1)]
    units.append(unit("ENG/G1", "London", commanders=[commander(f"Hugh {each}") for each in range(leaders)]))
    lines = upkeep_lines(units, rules())
    assert total_upkeep(units, rules()) == to_cents(sum((line.price for line in lines), Decimal(0)))
    assert pay_in_order(lines, total_upkeep(units, rules())) == (total_upkeep(units, rules()), [])


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


# -- L9, L11, L13 ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("X7", "L11", "T3", "W4")
@pytest.mark.parametrize(("damage", "gold"), [(0, 40), (1, 32), (2, 26), (3, 20)])
def test_damage_lowers_revenue(damage, gold):
    world = make_world(provinces={"Paris": {"damage": damage}})
    assert province_revenue(world.provinces["Paris"], atlas(), rules()) == gold


@pytest.mark.clause("L11")
def test_a_production_area_adds_to_the_base_before_damage():
    world = make_world(provinces={"Paris": {"damage": 1, "production_areas": 3}})
    assert province_revenue(world.provinces["Paris"], atlas(), rules()) == Decimal("36.80")


def proclaim(text: str, *, twice: bool = False, rejected: bool = False):
    order = Proclamation(Written(3, 1, "proclamation"), text)
    sheet = Orders("ENG", 1, headquarters=(order, order) if twice else (order,))
    sheet = replace(sheet, proclamation_rejected=rejected)
    return run_steps(make_world(), [proclamations_income], {"ENG": sheet}, phase=0)


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
