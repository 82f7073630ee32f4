"""Phases, marches, pillage, and what the turn remembers of plans and units (M0, M9, M14, M15, O2, O5, O6,
W6.1).
"""

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from gm.core.pipeline import Step, run_stages
from gm.core.values import PhaseLimitReached
from gm.games.medieval.orders.model import Hold, March, Pillage, Unload
from gm.games.medieval.pipeline import MOVEMENT
from gm.games.medieval.state import Unit
from gm.games.medieval.state.strength import pace
from gm.games.medieval.steps.bookkeeping import movement_ends, phase_opens, something_left_to_do
from gm.games.medieval.steps.conquest import provinces_pillaged
from gm.games.medieval.steps.economy import province_revenue
from gm.games.medieval.steps.movement import armies_march, defend_fortifications_changed, why_not_march
from gm.games.medieval.steps.outcomes import Refusal
from gm.games.medieval.steps.transfers import may_wait
from gm.games.medieval.steps.turn import Outcome, Plans, Turn, Workspace
from tests.medieval.marks import retreated
from tests.medieval.movement import move, plans, sheet_of, written
from tests.medieval.testland import (
    atlas,
    commander,
    make_turn,
    make_world,
    rules,
    run_steps,
    unit,
    with_marks,
)

FOOT = {"Men-at-Arms": 3}


@pytest.mark.clause("M0", "M15")
def test_phases_go_on_until_nobody_has_anything_left_and_then_one_extra_runs():
    world = make_world(unit("ENG/A1", "London", {"Heavy Cavalry": 1}))
    for orders, expected in ((plans(A1=["hold", "march: Kent"]), 3), (plans(A1=["hold"]), 2), ("", 2)):
        ran = []
        turn = make_turn(world, {"ENG": orders} if orders else {})
        run_stages((MOVEMENT,), turn, lambda stage, phase, title, ran=ran: ran.append(phase))
        assert max(ran) == expected
    assert MOVEMENT.extra == 1


@pytest.mark.clause("M0")
def test_the_hard_limit_ends_the_phases_and_the_gm_is_told():
    order = [Hold(written(str(line), line)) for line in range(1, 60)]
    world = make_world(unit("ENG/A1", "London"))

    # stands in for a bug: what was dealt with comes up again in every phase
    def forget(turn):
        return Outcome(turn.state.evolve(progress=turn.state.progress.evolve(settled={})))

    stage = MOVEMENT.evolve(steps=(*MOVEMENT.steps, Step("forget", (), forget)))
    turn = make_turn(world, {"ENG": sheet_of("ENG", A1=order)})
    outcome = run_stages((stage,), turn)
    (event,) = [event for event in outcome.events if isinstance(event, PhaseLimitReached)]
    assert (event.limit, event.audience) == (40, "gm")


@pytest.mark.clause("O2", "O5", "P7")
def test_a_plan_ends_with_its_unit():
    world = make_world(unit("ENG/A1", "Kent", FOOT))

    def vanish(turn):
        return Outcome(turn.state.with_units(removed=["ENG/A1"]))

    steps = [Step("vanish", (), vanish), phase_opens, movement_ends]
    played = run_steps(world, steps, {"ENG": plans(A1=["march: London", "pillage"])})
    assert played.fates("ENG") == [
        ("A1 march: London", "failed", "unit-gone"),
        ("A1 pillage", "failed", "unit-gone"),
    ]


@pytest.mark.clause("O2", "O8")
def test_orders_to_a_unit_that_never_was_fail_once():
    played = move(make_world(), {"ENG": sheet_of("ENG", A44=[March(written("x"), "Kent")])})
    assert played.fates("ENG") == [("x", "failed", "no-such-unit")]


@pytest.mark.clause("O6", "O6.1")
def test_a_fleet_holds_before_an_impossible_march_behind_it_fails():
    world = make_world(
        unit("ENG/F1", "London", {"Trading Cog": 2}), unit("ENG/A1", "London", FOOT, aboard="ENG/F1")
    )
    entries = [
        Unload(written("unload", 1), {"A1": "London"}),
        Hold(written("hold", 2)),
        March(written("march", 3), "Kent"),
    ]
    played = move(world, {"ENG": sheet_of("ENG", F1=entries)})
    assert played.fates("ENG") == [
        ("unload", "done", ""),
        ("hold", "done", ""),
        ("march", "failed", "only-armies-march"),
    ]


HORSE = {"Heavy Cavalry": 3}


def marched(world, province, key="ENG/A1", before=()):
    """One march in phase 1, alone: where the army is then, and why it failed if it did."""
    realm, unit_id = key.split("/")
    played = run_steps(world, [*before, armies_march], {realm: plans(**{unit_id: [f"march: {province}"]})})
    return played, played.fate(realm, "march")[1]


@pytest.mark.clause("P3")
def test_move_points_are_the_least_of_the_troops_and_two_for_commanders_alone():
    led = [commander()]
    assert pace(unit("ENG/A1", "Kent", {**FOOT, **HORSE}), rules()) == 2
    assert pace(unit("ENG/A1", "Kent", HORSE, commanders=led), rules()) == 3
    assert (
        pace(unit("ENG/A1", "Kent", commanders=led), rules()) == rules().movement.commanders_move_points == 2
    )
    assert pace(unit("ENG/A1", "Kent"), rules()) == 0


@pytest.mark.clause("W3", "M9")
def test_mountains_block_a_march_and_there_is_none_into_a_sea_or_past_the_border():
    world = make_world(unit("AQU/A1", "Bordeaux", HORSE))
    assert marched(world, "Savoy", "AQU/A1")[1] == "mountains"
    assert marched(world, "Minsk", "AQU/A1")[1] == "no-border"
    refusal = why_not_march(Workspace(make_turn(world)), world.units["AQU/A1"], "Channel")
    assert refusal == Refusal("no-border", {"place": "Bordeaux", "other": "Channel"})


@pytest.mark.clause("M9", "P7")
def test_an_army_that_retreated_this_turn_does_not_march():
    world = make_world(unit("ENG/A1", "London", FOOT))
    played = move(world, {"ENG": plans(A1=["march: Kent"])}, before=[retreated("ENG/A1")])
    assert played.unit("ENG/A1").place == "London"
    assert played.fate("ENG", "march") == ("failed", "unit-retreated")


@pytest.mark.clause("M10", "W5")
def test_garrisons_have_no_choice_about_the_walls():
    from gm.games.medieval.orders.model import Orders, SetDefendFortifications, Written

    order = SetDefendFortifications(Written(1, 1, "G1 defend_fortifications: no"), "G1", False)
    sheet = Orders(realm="ENG", turn=1, units=(order,))
    played = run_steps(make_world(), [defend_fortifications_changed], {"ENG": sheet})
    assert played.fates("ENG") == [("G1 defend_fortifications: no", "failed", "only-armies-choose-walls")]


def turn_with(*units: Unit, orders: str = "", **done: Any) -> Turn:
    turn = make_turn(make_world(*units), {"ENG": orders} if orders else {})
    return replace(turn, state=with_marks(turn.state, {units[0].key: done}), phase=1)


@pytest.mark.clause("O6")
def test_a_transfer_waits_only_if_nothing_but_transfers_and_pillage_comes_after_it() -> None:
    army = unit("ENG/A1", "Kent", {"Longbowmen": 5})
    other = unit("ENG/A2", "Kent", {"Longbowmen": 1})
    give = "transfer: {to: A2, troops: {Longbowmen: 1}}"
    plans = Plans(
        turn_with(army, other, orders=f"units: {{A1: {{plan: [{give}, pillage, march: Flanders, {give}]}}}}")
    )
    assert may_wait(plans, army) == {0: False, 1: False, 2: True, 3: True}


@pytest.mark.clause("M1")
def test_a_commander_who_comes_in_a_later_pass_is_passed_on_after_all_troops_have_gone() -> None:
    world = make_world(
        unit("ENG/A1", "Kent", {"Longbowmen": 2}),
        unit("ENG/A2", "Kent", {"Longbowmen": 1}),
        unit("ENG/A3", "Kent", {"Longbowmen": 1}, commanders=[commander("Sir John")]),
    )
    both = "transfer: {to: A2, troops: {Longbowmen: 1}, commanders: [Sir John]}"
    played = move(world, {"ENG": plans(A1=[both], A3=["transfer: {to: A1, commanders: [Sir John]}"])})
    assert [fate for _, fate, _ in played.fates("ENG")] == ["done", "done"]
    assert played.world.units["ENG/A2"].commander_names == ("Sir John",)


def is_going_on(turn: Turn) -> bool:
    return something_left_to_do(turn.state, Plans(turn))


@pytest.mark.clause("M0", "M5")
def test_a_homeless_fleet_prolongs_the_phases_without_orders() -> None:
    fleet = unit("ENG/F1", "Kent", {"Trading Cog": 1})
    homeless = turn_with(fleet, homeless_phase=1)
    assert is_going_on(homeless)
    assert not is_going_on(turn_with(fleet))
    sunk = replace(homeless, state=homeless.state.with_units(removed=["ENG/F1"]))
    assert not is_going_on(sunk)


@pytest.mark.clause("M0", "P7")
def test_the_plan_of_a_unit_that_retreated_prolongs_nothing() -> None:
    army = unit("ENG/A1", "Kent", {"Longbowmen": 5})
    orders = "units: {A1: {plan: [march: Flanders]}}"
    assert is_going_on(turn_with(army, orders=orders))
    assert not is_going_on(turn_with(army, orders=orders, retreated=True))


LONER = {"Men-at-Arms": 1}


def pillage(*units, realm="ENG", who="A1", before=(), **more):
    return run_steps(
        make_world(*units, **more), [*before, provinces_pillaged], {realm: plans(**{who: ["pillage"]})}
    )


@pytest.mark.clause("M14", "X7", "T3", "L11")
def test_the_gold_is_the_revenue_at_the_present_damage_with_production_areas():
    lands = {"Paris": {"damage": 2}, "Kent": {"damage": 1, "production_areas": 2}}
    world = make_world(provinces=lands)
    assert province_revenue(world.provinces["Paris"], atlas(), rules()) == 26
    assert province_revenue(world.provinces["Kent"], atlas(), rules()) == Decimal("11.20")
    played = pillage(unit("ENG/A1", "Kent", LONER), provinces=lands)
    assert played.world.realms["ENG"].treasury == Decimal("111.20")


@pytest.mark.clause("M14")
def test_a_fleet_never_pillages_nor_an_army_aboard_nor_one_that_retreated():
    fleet = sheet_of("ENG", F1=[Pillage(written("F1 pillage"))])
    at_sea = make_world(
        unit("ENG/F1", "London", {"Carrack": 3}), unit("ENG/A1", "London", LONER, aboard="ENG/F1")
    )
    assert move(at_sea, {"ENG": fleet}).fates("ENG") == [("F1 pillage", "failed", "fleets-never-pillage")]
    assert move(at_sea, {"ENG": plans(A1=["pillage"])}).fates("ENG")[0][1:] == ("failed", "aboard-fleet")
    fled = move(
        make_world(unit("ENG/A1", "Kent", LONER)),
        {"ENG": plans(A1=["pillage"])},
        before=[retreated("ENG/A1")],
    )
    assert fled.fates("ENG")[0][1:] == ("failed", "unit-retreated")


@pytest.mark.clause("O5", "O8")
def test_what_was_found_of_plans_holds_for_the_same_sheets_and_fates_and_for_ones_own_garrison_once() -> None:
    hold = Hold(written("hold"))
    sheet = sheet_of("ENG", A1=[hold], G1=[hold], London=[Pillage(written("pillage"))])
    turn = make_turn(make_world(unit("ENG/A1", "Kent", FOOT)), {"ENG": sheet})
    state = turn.state
    plans = Plans(turn)
    assert plans.world(state) is state
    assert [unit.key for unit in plans.with_plans(state)] == ["ENG/A1", "ENG/G1"]
    assert not plans.units_at_head(state, March)
    plans.settle("ENG/A1", 0)
    later = replace(turn, state=plans.world(state))
    assert list(plans.names()) == list(Plans(later).names()) == ["ENG/G1", "ENG/London"]
    fresh = later.state.progress.evolve(plans=None)
    assert list(Plans(replace(turn, state=state.evolve(progress=fresh))).names()) == ["ENG/G1", "ENG/London"]
    again = later.state.progress.evolve(settled={})
    assert list(Plans(replace(turn, state=state.evolve(progress=again))).names()) == list(Plans(turn).names())
    assert list(Plans(replace(later, orders={"ENG": sheet_of("ENG", A1=[hold, hold])})).names()) == ["ENG/A1"]
    assert not list(Plans(replace(turn, orders={"FRA": sheet_of("FRA", London=[hold])})).with_plans(state))
