"""Armies go aboard: prepared for a foreign fleet (M2) and taken by a fleet (M3)."""

from __future__ import annotations

from gm.core.events import Event
from gm.core.pipeline import step
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.movement import ArmyLoaded, ArmyReadyToBoard
from gm.games.medieval.orders.model import Board, Load
from gm.games.medieval.state import Unit, UnitProgress, World
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.state.strength import ships, storage, weight
from gm.games.medieval.steps.acting import acting, at_head
from gm.games.medieval.steps.turn import Outcome, Plans, Refusal, Turn, refuse


@step("Armies Prepare To Board Foreign Fleets", "M2", "P7")
def armies_prepare_to_board(turn: Turn) -> Outcome:
    """An army names the realm whose fleet may load it this turn; it marches no more.

    Reads: plans, armies. Writes: their progress. Emits: ArmyReadyToBoard, outcomes.
    """
    plans, draft = Plans(turn), Draft(turn.state)
    events: list[Event] = []
    for unit in acting(turn, plans, Board):
        for index, entry in at_head(plans, unit, Board):
            refusal = why_not_board(turn.state, unit, entry.other)
            plans.settle(unit, index, refusal)
            if refusal is None:
                draft.mark(unit, boards=entry.other, spent=True)
                ready = ArmyReadyToBoard(realm=unit.realm, army=unit.key, host=entry.other, place=unit.place)
                events.append(ready)
    return Outcome(plans.world(draft.finish()), (*events, *plans.events))


def why_not_board(world: World, unit: Unit, host: str) -> Refusal | None:
    """M2: armies only, for a foreign realm that is not an enemy."""
    if not unit.is_army:
        return refuse("only-armies-board")
    if host == unit.realm or host not in world.realms:
        return refuse("board-foreign-realm", realm=host)
    if world.at_war(unit.realm, host):
        return refuse("board-enemy-fleet", realm=host)
    return None


@step("Fleets Load Armies", "M3", "M8.1", "P7")
def fleets_load_armies(turn: Turn) -> Outcome:
    """Fleets take armies aboard, from where they are docked or over an open coast; no harbour needed.

    Reads: plans, units, rules.movement. Writes: armies (aboard, move-points gone), fleets' progress.
    Emits: ArmyLoaded, outcomes.
    """
    plans, draft = Plans(turn), Draft(turn.state)
    events: list[Event] = []
    for fleet in acting(turn, plans, Load):
        before, loaded = turn.state.done(fleet), False
        for index, entry in at_head(plans, fleet, Load):
            refusals = []
            for reference in entry.armies:
                army = _army(draft, fleet, reference)
                if army is None:
                    refusals.append(refuse("no-such-army", army=reference))
                    continue
                done = draft.done(army)
                refusal = why_not_load(turn.state, turn.rules, turn.board, fleet, before, army, done)
                if refusal is None:
                    events.append(_load(draft, fleet, army))
                    loaded = True
                else:
                    refusals.append(refusal)
            plans.settle(fleet, index, refusals[0] if refusals else None, reduced=len(refusals) < len(entry.armies))
        if loaded and before.unloads:
            draft.mark(fleet, loads_after_unload=before.loads_after_unload + 1)
    return Outcome(plans.world(draft.finish()), (*events, *plans.events))


def _army(draft: Draft, fleet: Unit, reference: str) -> Unit | None:
    return draft.get(reference if "/" in reference else f"{fleet.realm}/{reference}")


def why_not_load(
    world: World,
    rules: Rules,
    board: Atlas,
    fleet: Unit,
    fleet_done: UnitProgress,
    army: Unit,
    army_done: UnitProgress,
) -> Refusal | None:
    """M3, M8.1: whether the fleet can take the army aboard now."""
    if not fleet.is_fleet:
        return refuse("only-fleets-load")
    if not army.is_army:
        return refuse("no-such-army", army=army.key)
    if fleet_done.loads_after_unload:
        return refuse("loaded-after-unloading", army=army.key)
    if not ships(fleet, rules):
        return refuse("fleet-without-ships", fleet=fleet.key)
    return _why_not_aboard(world, fleet, army, army_done) or _why_no_way_aboard(rules, board, fleet, army)


def _why_not_aboard(world: World, fleet: Unit, army: Unit, done: UnitProgress) -> Refusal | None:
    if army.aboard:
        return refuse("army-already-aboard", army=army.key, fleet=army.aboard)
    if done.retreated:
        return refuse("army-retreated", army=army.key)
    if army.empty:
        return refuse("army-empty", army=army.key)
    if world.at_war(fleet.realm, army.realm):
        return refuse("army-of-enemy", army=army.key, realm=army.realm)
    if army.realm != fleet.realm and done.boards != fleet.realm:
        return refuse("army-not-prepared", army=army.key)
    return None


def _why_no_way_aboard(rules: Rules, board: Atlas, fleet: Unit, army: Unit) -> Refusal | None:
    if army.place != fleet.place:
        if not board.graph.borders(fleet.place, army.place) or not board.is_sea(fleet.place):
            return refuse("army-out-of-reach", army=army.key, place=army.place)
        if not board.is_open(fleet.place, army.place):
            return refuse("reefs", place=army.place, other=fleet.place)
    needs, has = weight(army, rules), storage(fleet, rules)
    percent = rules.movement.load_weight_percent
    if needs * 100 > has * percent:
        return refuse("army-too-heavy", army=army.key, needs=needs, has=has, percent=percent)
    return None


def _load(draft: Draft, fleet: Unit, army: Unit) -> ArmyLoaded:
    draft.put(army.evolve(aboard=fleet.key, place=fleet.place))
    draft.mark(army, spent=True)
    return ArmyLoaded(realm=army.realm, army=army.key, fleet=fleet.key, place=army.place, sea=fleet.place)
