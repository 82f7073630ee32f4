"""Armies march (M9) and man walls (M10); fleets sail (M4), and those without an anchorage flee (M5)."""

from __future__ import annotations

from collections.abc import Sequence

from gm.core.events import Event
from gm.core.pipeline import step
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.movement import FleetFled, FleetHomeless, FleetSailed, FleetScuttled, UnitMarched
from gm.games.medieval.orders.model import Hold, March, Sail, SetDefendFortifications
from gm.games.medieval.state import Unit, UnitKind, UnitProgress, World
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.state.strength import ships
from gm.games.medieval.steps.forming import set_apart, troops_changed
from gm.games.medieval.steps.turn import Outcome, Plans, Refusal, Turn, refuse, settled, unit_orders
from gm.games.medieval.steps.workspace import acting, at_head, give_up_moves, hold, why_not_hold, why_not_pay


@step("Armies March", "M9", "O5", "O6", "O6.1", "P4", "P5")
def armies_march(turn: Turn) -> Outcome:
    """Each army marches into a neighbouring province or holds; all at once: no march changes what may be entered.

    Reads: plans, armies, provinces. Writes: places, move-points used, where from. Emits: UnitMarched, outcomes.
    """
    plans, draft = Plans(turn), Draft(turn.state)
    marched: list[tuple[UnitMarched, int]] = []
    for unit in acting(turn, plans, March, Hold):
        for index, entry in at_head(plans, unit, March, Hold):
            done = draft.done(unit)
            if done.acted_phase == turn.phase or (isinstance(entry, Hold) and unit.is_fleet):
                break
            if isinstance(entry, Hold):
                refusal = why_not_hold(unit, done, turn.rules)
                plans.settle(unit, index, refusal)
                if refusal is None:
                    hold(draft, unit, turn)
            elif isinstance(entry, March):
                refusal = why_not_march(turn.state, turn.rules, turn.board, unit, done, entry.province)
                if refusal is not None:
                    plans.settle(unit, index, refusal)
                    give_up_moves(plans, unit)
                else:
                    marched.append((_march(draft, turn, unit, entry.province), index))
                break
    _settle_marches(turn, plans, marched)
    return Outcome(plans.world(draft.finish()), (*(march for march, _ in marched), *plans.events))


def _settle_marches(turn: Turn, plans: Plans, marched: Sequence[tuple[UnitMarched, int]]) -> None:
    """Report the marches as done, but for those that meet an enemy at the border: M11 decides how these end."""
    crossing: dict[tuple[str, str], set[str]] = {}
    for march, _ in marched:
        crossing.setdefault((march.origin, march.place), set()).add(march.realm)
    for march, index in marched:
        opposite = crossing.get((march.place, march.origin), ())
        if not any(turn.state.at_war(march.realm, realm) for realm in opposite):
            plans.settle(turn.state.units[march.unit], index)


def march_cost(world: World, rules: Rules, realm: str, province: str) -> int:
    """P4: what it takes to enter a province, as its owner and this turn's history make it."""
    costs = rules.movement
    cost = costs.march_enemy if world.is_enemy_land(realm, province) else costs.march_permitted
    mark = world.progress.provinces.get(province)
    return max(cost, costs.march_changed_owner) if mark is not None and mark.changed_owner else cost


def why_not_march(
    world: World, rules: Rules, board: Atlas, unit: Unit, done: UnitProgress, province: str
) -> Refusal | None:
    """M9: whether the army can march into ``province`` now: border, permission or enemy (P1, P2), move-points (P4)."""
    if unit.is_garrison:
        return refuse("garrison-never-moves")
    if not unit.is_army:
        return refuse("only-armies-march")
    if unit.aboard:
        return refuse("aboard-fleet", fleet=unit.aboard)
    if unit.empty:
        return refuse("unit-empty", unit=unit.key)
    if done.boards is not None:
        return refuse("boarding-army-stays", realm=done.boards)
    if not board.graph.borders(unit.place, province) or board.is_sea(province):
        return refuse("no-border", place=unit.place, other=province)
    if not board.is_open(unit.place, province):
        return refuse("mountains", place=unit.place, other=province)
    if not (world.has_permission(unit.realm, province) or world.is_enemy_land(unit.realm, province)):
        return refuse("no-permission-to-enter", place=province, realm=world.provinces[province].owner)
    return why_not_pay(unit, done, rules, march_cost(world, rules, unit.realm, province))


def _march(draft: Draft, turn: Turn, unit: Unit, province: str) -> UnitMarched:
    done = draft.done(unit)
    draft.move(unit, province)
    draft.mark(
        unit,
        used=done.used + march_cost(turn.state, turn.rules, unit.realm, province),
        acted_phase=turn.phase,
        came_from=unit.place,
        marched_phase=turn.phase,
    )
    return UnitMarched(realm=unit.realm, unit=unit.key, origin=unit.place, place=province)


@step("Defend Fortifications Option Changed", "M10")
def defend_fortifications_changed(turn: Turn) -> Outcome:
    """Armies go behind the walls or come out, as ordered, before the first battles on land; in phase 1 only.

    Reads: orders, armies. Writes: armies. Emits: outcomes.
    """
    if turn.phase != 1:
        return Outcome(turn.state)
    draft = Draft(turn.state)
    events: list[Event] = []
    for realm, order in unit_orders(turn, SetDefendFortifications):
        unit = turn.state.unit(realm, order.unit)
        refusal = why_not_defend(unit, order.unit)
        if refusal is None and unit is not None:
            draft.put(draft.unit(unit.key).evolve(defend_fortifications=order.answer))
        events.append(settled(realm, order, refusal))
    return Outcome(draft.finish(), tuple(events))


def why_not_defend(unit: Unit | None, reference: str) -> Refusal | None:
    """M10: the choice is an army's; garrisons always defend, fleets never."""
    if unit is None:
        return refuse("unit-gone", unit=reference)
    return None if unit.is_army else refuse("only-armies-choose-walls", unit=unit.key)


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
