"""Loading and boarding: one refusal stops no other, and loading after unloading is counted (M2, M3, M8.1)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gm.core.frozen import FrozenMap
from gm.core.pipeline import Step
from gm.games.medieval.events.movement import ArmyLoaded, ArmyReadyToBoard
from gm.games.medieval.orders.model import Board, Load, Orders, PlanEntry, Written
from gm.games.medieval.steps.loading import armies_prepare_to_board, fleets_load_armies
from gm.games.medieval.steps.storage import fleet_storage_checked
from tests.medieval.testland import Played, make_turn, make_world, unit

HERE = Written(1, 1, "order")
FLEET = unit("ENG/F1", "Channel", {"Carrack": 9})
ARMY = unit("ENG/A1", "Kent", {"Men-at-Arms": 1})


def planned(step: Step, who: str, *entries: PlanEntry, unloads: int = 0) -> Played:
    plan: dict[str, tuple[PlanEntry, ...]] = {who: entries}
    turn = make_turn(make_world(FLEET, ARMY), {"ENG": Orders("ENG", 1, plans=FrozenMap(plan))})
    state = turn.state.with_done({"ENG/F1": turn.state.done("ENG/F1").evolve(unloads=unloads)})
    outcome = step(replace(turn, state=state).at_step(step.name, 1))
    return Played(state, outcome.state, outcome.events)


def reasons(played: Played) -> list[str]:
    return [reason for *_, reason in played.fates("ENG")]


@pytest.mark.clause("M2")
@pytest.mark.parametrize(
    ("host", "reason"), [("ENG", "board-foreign-realm"), ("XYZ", "board-foreign-realm"), ("FRA", "")]
)
def test_an_army_gets_ready_only_for_the_fleet_of_another_realm(host: str, reason: str) -> None:
    played = planned(armies_prepare_to_board, "A1", Board(HERE, host))
    assert reasons(played) == [reason]
    assert [each.host for each in played.only(ArmyReadyToBoard)] == ([] if reason else [host])
    assert played.world.done("ENG/A1").spent == (not reason)


@pytest.mark.clause("M3")
def test_an_army_that_is_not_there_stops_no_other_from_being_loaded() -> None:
    played = planned(fleets_load_armies, "F1", Load(HERE, ("A77", "ENG/G1", "A1")))
    assert [each.army for each in played.only(ArmyLoaded)] == ["ENG/A1"]
    assert [(fate, reason) for _, fate, reason in played.fates("ENG")] == [("reduced", "no-such-army")]
    garrison = planned(fleets_load_armies, "F1", Load(HERE, ("ENG/G1",)))
    assert reasons(garrison) == ["no-such-army"]


@pytest.mark.clause("M8.1")
@pytest.mark.parametrize(("unloads", "army", "after"), [(1, "A1", 1), (1, "A77", 0), (0, "A1", 0)])
def test_only_loading_after_unloading_counts(unloads: int, army: str, after: int) -> None:
    played = planned(fleets_load_armies, "F1", Load(HERE, (army,)), unloads=unloads)
    assert played.world.done("ENG/F1").loads_after_unload == after


@pytest.mark.clause("M7")
def test_what_leaves_a_full_fleet_in_port_has_landed_without_invading() -> None:
    fleet = unit("ENG/F1", "London", {"Trading Cog": 1})
    army = unit("ENG/A1", "London", {"Siege Machine": 50}, aboard="ENG/F1")
    turn = make_turn(make_world(fleet, army)).at_step(fleet_storage_checked.name, 1)
    outcome = fleet_storage_checked(turn)
    ashore = [each for each in outcome.state.units.values() if each.is_army and each.aboard is None]
    assert [each.place for each in ashore] == ["London"]
    done = outcome.state.done(ashore[0])
    assert (done.landed, done.landed_phase, done.spent) == (True, 0, True)
