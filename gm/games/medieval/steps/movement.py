"""Armies march (M9) and man walls (M10); fleets sail (M4), and those without an anchorage flee (M5)."""

from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.movement import (
    FleetFled,
    FleetHomeless,
    FleetSailed,
    FleetScuttled,
    UnitMarched,
)
from gm.games.medieval.orders.model import March, Sail, SetDefendFortifications
from gm.games.medieval.state import Unit, UnitKind, World
from gm.games.medieval.state.strength import move_points_left, ships
from gm.games.medieval.steps.outcomes import Refusal, refuse, unless
from gm.games.medieval.steps.turn import Workspace, step
from gm.games.medieval.steps.units import set_apart


def changed_owner(world: World, place: str) -> bool:
    """Return whether a place is a province that changed owner this turn (P4)."""
    progress = world.progress.provinces.get(place)
    return progress is not None and progress.changed_owner


def why_no_way(board: Atlas, place: str, other: str) -> Refusal | None:
    """Return why no open border joins two places (W3): there is none, or mountains, or reefs off a coast.

    None if one does.
    """
    if not board.graph.borders(place, other):
        return refuse("no-border", place=place, other=other)
    is_coast = board.is_sea(place) or board.is_sea(other)
    return unless(board.is_open(place, other), "reefs" if is_coast else "mountains", place=place, other=other)


def _move(work: Workspace, unit: Unit, place: str, cost: int) -> None:
    """Move a unit to a place for ``cost`` move-points, and record it in its progress."""
    used = work.done(unit).used + cost
    phase = work.phase
    work.move(unit, place)
    work.set_progress(
        unit, used=used, acted_phase=phase, came_from=unit.place, marched_phase=phase, homeless_phase=None
    )


@step("Armies March", "M9", "O5", "O6", "O6.1", "P4", "P5")
def armies_march(work: Workspace) -> None:
    """Move each army into a neighbouring province or let it hold, all at once.

    No march changes the provinces that others may enter. Reads: plans, armies, provinces. Writes: places,
    move-points used, origins. Emits: UnitMarched, outcomes.
    """
    marches: list[tuple[UnitMarched, int]] = []  # (event, index of the entry in the army's plan)
    for unit, index, entry in work.moves(March, fleets=False):
        refusal = why_not_march(work, unit, entry.province)
        if refusal is not None:
            work.plans.settle(unit, index, refusal)
            work.give_up_moves(unit)
            continue
        _move(work, unit, entry.province, march_cost(work.world, work.rules, unit.realm, entry.province))
        marches.append(
            (UnitMarched(realm=unit.realm, unit=unit.key, origin=unit.place, place=entry.province), index)
        )
    work.emit(*(march for march, _ in marches))
    realms_crossing: dict[tuple[str, str], set[str]] = {}  # by (origin, destination)
    for march, _ in marches:
        realms_crossing.setdefault((march.origin, march.place), set()).add(march.realm)
    for march, index in marches:
        # the march of an army that meets an enemy at the border is settled after their battle (M11)
        opposite = realms_crossing.get((march.place, march.origin), ())
        if not any(work.world.at_war(march.realm, realm) for realm in opposite):
            work.plans.settle(work.world.units[march.unit], index)


def march_cost(world: World, rules: Rules, realm: str, province: str) -> int:
    """Return the move-points to enter a province, by its owner and this turn's history (P4)."""
    costs = rules.movement
    cost = costs.march_enemy if world.is_enemy_land(realm, province) else costs.march_permitted
    return max(cost, costs.march_changed_owner) if changed_owner(world, province) else cost


def why_not_pay(work: Workspace, unit: Unit, cost: int) -> Refusal | None:
    """Return why a unit cannot pay a cost in move-points (P3-P5); None if it can."""
    has = move_points_left(unit, work.done(unit), work.rules)
    return refuse("needs-move-points", needs=cost, has=has) if cost > has else None


def why_not_march(work: Workspace, unit: Unit, province: str) -> Refusal | None:
    """Return why a unit cannot march into a province now (M9); None if it can.

    It must be an army ashore, not empty, that does not prepare to board; there must be an open border; the
    realm must have permission or be at war with the owner (P1, P2); and there must be move-points (P4).
    """
    world = work.world
    progress = work.done(unit)
    if unit.is_garrison:
        return refuse("garrison-never-moves")
    if not unit.is_army:
        return refuse("only-armies-march")
    if unit.aboard:
        return refuse("aboard-fleet", fleet=unit.aboard)
    if unit.empty:
        return refuse("unit-empty", unit=unit.key)
    if progress.boards is not None:
        return refuse("boarding-army-stays", realm=progress.boards)
    if work.board.is_sea(province):
        return refuse("no-border", place=unit.place, other=province)
    closed = why_no_way(work.board, unit.place, province)
    if closed:
        return closed
    if not (world.has_permission(unit.realm, province) or world.is_enemy_land(unit.realm, province)):
        return refuse("no-permission-to-enter", place=province, realm=world.provinces[province].owner)
    return why_not_pay(work, unit, march_cost(world, work.rules, unit.realm, province))


@step("Defend Fortifications Option Changed", "M10")
def defend_fortifications_changed(work: Workspace) -> None:
    """Put armies behind the walls or in the open, as ordered, in phase 1, before the first battles on land.

    Reads: orders, armies. Writes: armies. Emits: outcomes.
    """
    if work.phase == 1:
        for realm, order in work.orders_to_units(SetDefendFortifications):
            unit = work.own(realm, order.unit)
            if unit is None:
                work.settle(realm, order, refuse("unit-gone", unit=order.unit))
            elif work.settle(realm, order, unless(unit.is_army, "only-armies-choose-walls", unit=unit.key)):
                work.put(unit.evolve(defend_fortifications=order.answer))


@step("Fleets Set Sail", "M4", "O5", "O6", "O6.1", "P4", "P5")
def fleets_set_sail(work: Workspace) -> None:
    """Move each fleet by one location or let it hold; armies aboard go with it.

    Reads: plans, fleets, provinces. Writes: places, move-points used. Emits: FleetSailed, outcomes.
    """
    for fleet, index, entry in work.moves(Sail, fleets=True):
        refusal = why_not_sail(work, fleet, entry.place)
        work.plans.settle(fleet, index, refusal)
        if refusal is not None:
            work.give_up_moves(fleet)
            continue
        _move(work, fleet, entry.place, sail_cost(work.world, work.rules, entry.place))
        cargo = tuple(army.key for army in work.world.cargo(fleet.key))
        sailed = FleetSailed(
            realm=fleet.realm, fleet=fleet.key, origin=fleet.place, place=entry.place, cargo=cargo
        )
        work.emit(sailed)


def sail_cost(world: World, rules: Rules, place: str) -> int:
    """Return the move-points to sail to a place (P4).

    Docking in a province that changed owner this turn costs more.
    """
    return rules.movement.dock_changed_owner if changed_owner(world, place) else rules.movement.sail


def why_not_sail(work: Workspace, fleet: Unit, place: str) -> Refusal | None:
    """Return why a unit cannot sail to a place now (M4), move-points included (P3, P4); None if it can."""
    world = work.world
    board = work.board
    if not fleet.is_fleet:
        return refuse("only-fleets-sail")
    if not ships(fleet, work.rules):
        return refuse("fleet-without-ships", fleet=fleet.key)
    if board.graph.borders(fleet.place, place) and not board.is_sea(fleet.place) and not board.is_sea(place):
        return refuse("fleet-cannot-cross-land", place=fleet.place, other=place)
    closed = why_no_way(board, fleet.place, place)
    if closed:
        return closed
    if not board.is_sea(place):
        if not world.provinces[place].harbour:
            return refuse("no-harbour", place=place)
        if not world.has_permission(fleet.realm, place):
            return refuse("no-permission-to-dock", place=place, realm=world.provinces[place].owner)
    return why_not_pay(work, fleet, sail_cost(world, work.rules, place))


@step("Homeless Fleets Depart", "M5", "P7")
def homeless_fleets_depart(work: Workspace) -> None:
    """Let fleets that were found homeless before this phase flee to a random connected sea.

    Those without such a sea, or without ships, are scuttled. A fleet that is homeless no more stays. Reads:
    fleets found homeless. Writes: places, units, progress. Emits: FleetFled or FleetScuttled, outcomes.
    """
    for fleet in work.world.of_kind(UnitKind.FLEET):
        found_in_phase = work.world.done(fleet).homeless_phase
        if found_in_phase is None or found_in_phase >= work.phase:
            continue
        if not is_homeless(work.world, work.board, fleet):
            work.set_progress(fleet, homeless_phase=None)
            continue
        work.plans.drop(fleet, refuse("fleet-homeless", place=fleet.place), Sail)
        seas = work.board.open_neighbours(fleet.place, sea=True)
        if seas and ships(fleet, work.rules):
            sea = work.dice(fleet.place, f"{fleet.key} flees").choice(seas)
            work.move(fleet, sea)
            # it cannot retreat to the province that it fled from
            work.set_progress(fleet, spent=True, homeless_phase=None, came_from=None)
            work.emit(FleetFled(realm=fleet.realm, fleet=fleet.key, origin=fleet.place, place=sea))
        else:
            _scuttle(work, fleet)


def is_homeless(world: World, board: Atlas, fleet: Unit) -> bool:
    """Return whether a fleet is docked without a harbour, or in an enemy's province (M5)."""
    if board.is_sea(fleet.place):
        return False
    return not world.provinces[fleet.place].harbour or world.is_enemy_land(fleet.realm, fleet.place)


def find_homeless(work: Workspace, phase: int) -> None:
    """Record and emit which fleets, besides those found before, cannot stay docked where they are (M5).

    ``phase``: that in which they are found, 0 before all phases. If they are found in a phase, their sail
    entries fail.
    """
    world = work.finish()
    for fleet in world.of_kind(UnitKind.FLEET):
        if (
            fleet.empty
            or world.done(fleet).homeless_phase is not None
            or not is_homeless(world, work.board, fleet)
        ):
            continue
        work.set_progress(fleet, homeless_phase=phase)
        work.emit(FleetHomeless(realm=fleet.realm, fleet=fleet.key, place=fleet.place))
        if phase:
            work.plans.drop(fleet, refuse("fleet-homeless", place=fleet.place), Sail)


def _scuttle(work: Workspace, fleet: Unit) -> None:
    """Scuttle the ships of a docked fleet; armies aboard and its commanders go ashore (M5).

    All of them have used up their move-points.
    """
    for army in work.cargo(fleet):
        work.put(army.evolve(aboard=None))
        work.set_progress(army, spent=True)
    counts = fleet.counts()
    if counts:  # else only its commanders were left
        work.emit(FleetScuttled(realm=fleet.realm, fleet=fleet.key, place=fleet.place, troops=counts))
        work.lose(fleet, "scuttled", counts)
    fleet = fleet.with_troops({})
    work.put(fleet)
    # before its commanders form an army: that has then used up its move-points, too
    work.set_progress(fleet, spent=True, homeless_phase=None)
    if fleet.commanders:
        set_apart(work, fleet, UnitKind.ARMY, {}, fleet.commanders)
