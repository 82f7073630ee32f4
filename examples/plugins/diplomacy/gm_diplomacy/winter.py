"""The end of the year: centres change hands and are counted, and the powers build and disband accordingly."""

from collections.abc import Iterable
from itertools import islice

from gm_diplomacy import events
from gm_diplomacy.board import Board, area_of
from gm_diplomacy.orders import Order, Orders
from gm_diplomacy.state import Unit
from gm_diplomacy.workspace import Workspace, step

_FAR = 99  # further than any way on the board


@step("Centres", "DP-7.1", "DP-7.2", "DP-7.3", "DP-9.1", "DP-9.2")
def centres(work: Workspace) -> None:
    """After autumn, give centres to the units' powers and count everybody's; in spring, autumn comes.

    Reads: units, owners. Writes: owners, change, season, phase, parties, winners. Emits: CentreTaken,
    Counted, Eliminated, Won, Drawn.
    """
    state = work.state
    if state.phase != "adjustments" or state.asked == "adjustments":
        return
    if state.season == "spring":
        work.state = state.evolve(season="autumn", phase="moves")
        return
    _take_centres(work)
    _count_centres(work)
    _end(work)


def _take_centres(work: Workspace) -> None:
    """Give each centre to the power whose unit is in it."""
    taken: dict[str, str] = {}  # the new owner by centre
    for centre in work.board.centres:
        unit = work.state.units.get(centre)
        former_owner = work.state.owners.get(centre, "")
        if unit is not None and unit.power != former_owner:
            work.tell(events.CentreTaken(power=unit.power, centre=centre, formerly=former_owner))
            taken[centre] = unit.power
    if taken:
        owners = {**work.state.owners, **taken}
        work.state = work.state.evolve(owners=dict(sorted(owners.items())))


def _count_centres(work: Workspace) -> None:
    """Set how many units each power may build or must disband; eliminate who has nothing left."""
    state = work.state
    change = {}
    for power in state.living:
        centre_count = len(state.centres_of(power))
        unit_count = len(state.units_of(power))
        builds_or_disbands = min(centre_count - unit_count, len(state.free_homes(work.board, power)))
        work.tell(
            events.Counted(power=power, centres=centre_count, units=unit_count, change=builds_or_disbands)
        )
        if builds_or_disbands:
            change[power] = builds_or_disbands
        if not centre_count and not unit_count:
            state = state.with_party(power, status="eliminated", out=True)
            work.tell(events.Eliminated(power=power))
    work.state = state.evolve(change=change)


def _end(work: Workspace) -> None:
    """End the game if one power has the centres to win and more than all others, or after the last year."""
    state = work.state
    counts = {power: len(state.centres_of(power)) for power in state.living}
    best = max(counts, key=lambda power: counts[power])
    is_alone = list(counts.values()).count(counts[best]) == 1
    last_year = state.settings.last_year
    if counts[best] >= work.rules.centres and is_alone:
        work.tell(events.Won(power=best, centres=counts[best]))
        work.state = state.with_party(best, status="winner").evolve(winners=(best,), change={})
    elif last_year is not None and state.year >= last_year:
        powers = tuple(counts)
        work.tell(events.Drawn(powers=powers))
        status = "winner" if len(powers) == 1 else "draw"
        changes = {power: {"status": status} for power in powers}
        work.state = state.with_parties(changes).evolve(winners=powers, change={})


@step("Builds", "DP-8.1", "DP-8.2", "DP-8.3", "DP-8.4")
def builds(work: Workspace) -> None:
    """Let powers build and disband as their centres allow. The phase is passed over where nobody does.

    Reads: change, orders. Writes: units, year, season, phase. Emits: Built, Disbanded, LineSettled.
    """
    state = work.state
    if state.phase != "adjustments" or state.winners is not None:
        return
    if state.change and state.asked != "adjustments":
        return  # the next turn is for adjustments
    for power, change in state.change.items():
        orders = work.turn.orders.get(power, Orders())
        if change > 0:
            _build(work, power, change, orders)
        else:
            _disband(work, power, -change, orders)
    work.state = work.state.evolve(change={}, phase="moves", season="spring", year=state.year + 1)


def _build(work: Workspace, power: str, allowed: int, orders: Orders) -> None:
    """Build the units that a power orders, up to ``allowed``; a build that it waives counts as one."""
    for order in orders.units.values():
        work.fail(power, order, "no-disbanding", target=order.area)
    left = allowed
    for order in orders.builds:
        fault = _fault_of_build(work, power, order)
        if fault or not left:
            homes = work.state.free_homes(work.board, power)
            work.fail(power, order, fault or "enough", target=order.target, homes=homes)
            continue
        left -= 1
        work.carry_out(power, order)
        if order.kind == "build":
            unit = Unit(power=power, kind="F" if order.unit == "F" else "A", place=order.target)
            work.state = work.state.with_units((*work.state.units.values(), unit))
            work.tell(events.Built(power=power, unit=unit.name))


def _fault_of_build(work: Workspace, power: str, order: Order) -> str:
    """Return why a unit cannot be built, as a key of reasons; empty if it can, and for a waived build."""
    if order.kind == "waive":
        return ""
    if order.area not in work.state.free_homes(work.board, power):
        return "no-home"
    if not order.unit:
        return "no-kind"
    area = work.board.areas[order.area]
    if order.unit == "F" and area.coasts and "/" not in order.target:
        return "no-coast"
    return "inland" if order.unit == "F" and area.kind == "land" else ""


def _disband(work: Workspace, power: str, count: int, orders: Orders) -> None:
    """Disband ``count`` units of a power: those that it names, then others by distance (4.D.8)."""
    for order in orders.builds:
        work.fail(power, order, "no-building", target=order.target)
    ordered = list(orders.units.values())
    for order in ordered[:count]:
        _remove(work, work.state.units[order.area], "ordered", "DP-8.3")
        work.carry_out(power, order)
    for order in ordered[count:]:
        work.fail(power, order, "none-to-go", target=order.area)
    for unit in islice(_farthest_first(work, power), max(0, count - len(ordered))):
        _remove(work, unit, "disorder", "DP-8.4")


def _remove(work: Workspace, unit: Unit, how: str, clause: str) -> None:
    """Take a unit off the board; ``how``: as in ``Disbanded``."""
    work.state = work.state.with_units(other for other in work.state.units.values() if other != unit)
    work.tell(events.Disbanded(power=unit.power, unit=unit.name, how=how, clause=clause))


def _farthest_first(work: Workspace, power: str) -> list[Unit]:
    """Return a power's units in the order in which they go if it does not say which.

    First the farthest from its homes, then fleets before armies, then by the name of the area (4.D.8).
    """
    board = work.board
    homes = [code for code, area in board.areas.items() if area.home == power]
    distances = {
        "A": _distances(board, homes, by_sea_only=False),
        "F": _distances(board, homes, by_sea_only=True),
    }

    def rank(unit: Unit) -> tuple[int, bool, str]:
        distance = min(distances[unit.kind].get(place, _FAR) for place in (unit.place, unit.area))
        return -distance, unit.kind == "A", board.areas[unit.area].name

    return sorted(work.state.units_of(power), key=rank)


def _distances(board: Board, homes: Iterable[str], *, by_sea_only: bool) -> dict[str, int]:
    """Return how many steps each place is from the nearest home, by place; out of reach is left out.

    ``by_sea_only``: on the ways of fleets; else from area to area, over land and sea.
    """
    distances: dict[str, int] = {}
    for home in homes:
        distances |= dict.fromkeys((home, *board.coasts(home)), 0)
    waiting = list(distances)
    for place in waiting:  # it grows within the loop
        near = board.fleet_ways.get(place, ()) if by_sea_only else board.graph.neighbours(area_of(place))
        for other in near:
            if other not in distances:
                distances[other] = distances[place] + 1
                waiting.append(other)
    return distances
