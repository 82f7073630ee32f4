"""Fleets sail (M4), and those without an anchorage flee (M5)."""

from __future__ import annotations

from gm.core.events import Event
from gm.core.pipeline import step
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.movement import FleetFled, FleetHomeless, FleetSailed, FleetScuttled
from gm.games.medieval.orders.model import Hold, Sail
from gm.games.medieval.state import Unit, UnitKind, UnitProgress, World
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.state.strength import ships
from gm.games.medieval.steps.acting import acting, at_head, give_up_moves, hold, why_not_hold, why_not_pay
from gm.games.medieval.steps.forming import set_apart, troops_changed
from gm.games.medieval.steps.turn import Outcome, Plans, Refusal, Turn, refuse


@step("Fleets Set Sail", "M4", "O5", "O6", "O6.1", "P4", "P5")
def fleets_set_sail(turn: Turn) -> Outcome:
    """Each fleet sails one location or holds; armies aboard go with it.

    Reads: plans, fleets, provinces. Writes: places, move-points used. Emits: FleetSailed, outcomes.
    """
    plans, draft = Plans(turn), Draft(turn.state)
    events: list[Event] = []
    for unit in acting(turn, plans, Sail, Hold):
        for index, entry in at_head(plans, unit, Sail, Hold):
            done = draft.done(unit)
            if done.acted_phase == turn.phase or (isinstance(entry, Hold) and not unit.is_fleet):
                break
            if isinstance(entry, Hold):
                refusal = why_not_hold(unit, done, turn.rules)
                plans.settle(unit, index, refusal)
                if refusal is None:
                    hold(draft, unit, turn)
            elif isinstance(entry, Sail):
                refusal = why_not_sail(turn.state, turn.rules, turn.board, unit, done, entry.place)
                plans.settle(unit, index, refusal)
                if refusal is not None:
                    give_up_moves(plans, unit)
                    break
                events.append(_sail(draft, turn, unit, entry.place))
    return Outcome(plans.world(draft.finish()), (*events, *plans.events))


def sail_cost(world: World, rules: Rules, place: str) -> int:
    """P4: what it takes to sail to a place, docking in a province that changed owner this turn included."""
    mark = world.progress.provinces.get(place)
    return rules.movement.dock_changed_owner if mark is not None and mark.changed_owner else rules.movement.sail


def why_not_sail(
    world: World, rules: Rules, board: Atlas, fleet: Unit, done: UnitProgress, place: str
) -> Refusal | None:
    """M4: whether the fleet can sail to ``place`` now, move-points included (P3, P4)."""
    if not fleet.is_fleet:
        return refuse("only-fleets-sail")
    if not ships(fleet, rules):
        return refuse("fleet-without-ships", fleet=fleet.key)
    if not board.graph.borders(fleet.place, place):
        return refuse("no-border", place=fleet.place, other=place)
    if not board.is_sea(fleet.place) and not board.is_sea(place):
        return refuse("fleet-cannot-cross-land", place=fleet.place, other=place)
    if not board.is_open(fleet.place, place):
        return refuse("reefs", place=fleet.place, other=place)
    if not board.is_sea(place):
        if not world.provinces[place].harbour:
            return refuse("no-harbour", place=place)
        if not world.has_permission(fleet.realm, place):
            return refuse("no-permission-to-dock", place=place, realm=world.provinces[place].owner)
    return why_not_pay(fleet, done, rules, sail_cost(world, rules, place))


def _sail(draft: Draft, turn: Turn, fleet: Unit, place: str) -> FleetSailed:
    done = draft.done(fleet)
    draft.move(fleet, place)
    draft.mark(
        fleet,
        used=done.used + sail_cost(turn.state, turn.rules, place),
        acted_phase=turn.phase,
        came_from=fleet.place,
        marched_phase=turn.phase,
        homeless_phase=None,
    )
    cargo = tuple(army.key for army in turn.state.cargo(fleet.key))
    return FleetSailed(realm=fleet.realm, fleet=fleet.key, origin=fleet.place, place=place, cargo=cargo)


@step("Homeless Fleets Depart", "M5", "P7")
def homeless_fleets_depart(turn: Turn) -> Outcome:
    """Fleets found homeless in the phase before, or before the phases began, flee to a random connected sea.

    Reads: fleets found homeless. Writes: places, units, progress. Emits: FleetFled or FleetScuttled, outcomes.
    """
    plans, draft = Plans(turn), Draft(turn.state)
    events: list[Event] = []
    for fleet in turn.state.of_kind(UnitKind.FLEET):
        since = turn.state.done(fleet).homeless_phase
        if since is None or since >= turn.phase:
            continue
        if not homeless(turn.state, turn.board, fleet):
            draft.mark(fleet, homeless_phase=None)
            continue
        plans.drop(fleet, refuse("fleet-homeless", place=fleet.place), Sail)
        seas = turn.board.open_neighbours(fleet.place, sea=True)
        if seas and ships(fleet, turn.rules):
            sea = turn.dice(fleet.place, f"{fleet.key} flees").choice(seas)
            events.append(_flee(draft, fleet, sea))
        else:
            events += _scuttle(draft, turn.rules, fleet)
    return Outcome(plans.world(draft.finish()), (*events, *plans.events))


def homeless(world: World, board: Atlas, fleet: Unit) -> bool:
    """M5: docked where there is no harbour, or in a province of an enemy."""
    if board.is_sea(fleet.place):
        return False
    return not world.provinces[fleet.place].harbour or world.is_enemy_land(fleet.realm, fleet.place)


def find_homeless(world: World, board: Atlas, plans: Plans, phase: int) -> tuple[World, tuple[Event, ...]]:
    """Note the docked fleets that have no anchorage now; ``phase`` 0: before the phases began (M5).

    Those found within a phase lose their sail entries at once; those found before may still sail in phase 1.
    """
    draft = Draft(world)
    events: list[Event] = []
    for fleet in world.of_kind(UnitKind.FLEET):
        if fleet.empty or world.done(fleet).homeless_phase is not None:
            continue
        if homeless(world, board, fleet):
            draft.mark(fleet, homeless_phase=phase)
            events.append(FleetHomeless(realm=fleet.realm, fleet=fleet.key, place=fleet.place))
            if phase:
                plans.drop(fleet, refuse("fleet-homeless", place=fleet.place), Sail)
    return draft.finish(), tuple(events)


def _flee(draft: Draft, fleet: Unit, sea: str) -> FleetFled:
    draft.move(fleet, sea)
    # it came from no place that it could retreat to: where it fled from has no room for it
    draft.mark(fleet, spent=True, homeless_phase=None, came_from=None)
    return FleetFled(realm=fleet.realm, fleet=fleet.key, origin=fleet.place, place=sea)


def _scuttle(draft: Draft, rules: Rules, fleet: Unit) -> tuple[Event, ...]:
    """No sea to flee to, or no ships to do it in: the ships go down, armies aboard and commanders stand ashore (M5)."""
    for army in draft.cargo(fleet):
        draft.put(army.evolve(aboard=None))
        draft.mark(army, spent=True)
    counts = {name: fleet.count(name) for name in fleet.troops}
    events: list[Event] = []
    if counts:
        events.append(FleetScuttled(realm=fleet.realm, fleet=fleet.key, place=fleet.place, troops=counts))
        events += troops_changed(fleet, counts, "scuttled", gained=False)
    fleet = fleet.with_troops({})
    draft.put(fleet)
    draft.mark(fleet, spent=True, homeless_phase=None)
    if fleet.commanders:
        _, lost = set_apart(draft, rules, fleet, UnitKind.ARMY, {}, fleet.commanders)
        events += lost
    return tuple(events)
