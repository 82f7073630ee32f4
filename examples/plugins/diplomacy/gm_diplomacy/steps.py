"""The phases of a year: moves and retreats in spring and in autumn, builds in winter.

Each is a turn of its own.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any

from gm.core import pipeline
from gm.core.pipeline import Stage
from gm.game.base.events import Fate, settled
from gm_diplomacy import events
from gm_diplomacy.adjudication import Adjudication, Verdict
from gm_diplomacy.board import Board, area_of
from gm_diplomacy.orders import Order, Orders, merged
from gm_diplomacy.state import Diplomacy, Dislodged, Rules, Unit

FAR = 99  # further than any way on the board


class Workspace(pipeline.Workspace[Diplomacy, Rules, Board, Orders]):
    """The position as it is now."""

    def fail(self, power: str, order: Order, reason: str, **figures: object) -> None:
        """An order came to nothing."""
        self.tell(settled(power, order.written, Fate.FAILED, reason, **figures))

    def called(self, area: str) -> str:
        """The unit of an area as orders call it."""
        return self.turn.state.units[area].name


step = partial(pipeline.step, on=Workspace)


@step(
    "Moves",
    "DP-3.1",
    "DP-3.2",
    "DP-3.3",
    "DP-4.1",
    "DP-4.2",
    "DP-4.3",
    "DP-4.4",
    "DP-5.1",
    "DP-5.2",
    "DP-5.3",
    "DP-6.1",
)
def moves(work: Workspace) -> None:
    """Carry out all orders at once.

    Reads: units, orders. Writes: units, dislodged. Emits: Moved, Bounced, NotCarried, Held, Supported,
    Carried, DrivenOut, LineSettled.
    """
    if work.state.asked != "moves":
        return
    units, orders = work.state.units, merged(work.turn.orders)
    verdict = Adjudication(work.board, units, orders).verdict()
    for area, unit in units.items():
        _tell(work, unit, orders.get(area), verdict)
    stay = [
        unit
        for area, unit in units.items()
        if not _goes(orders, verdict, area) and area not in verdict.dislodged
    ]
    went = [
        unit.evolve(place=orders[area].target) for area, unit in units.items() if _goes(orders, verdict, area)
    ]
    work.state = work.state.with_units((*stay, *went))
    closed = {*work.state.units, *verdict.contested}
    driven = {}
    for area, origin in sorted(verdict.dislodged.items()):
        # where the attack came from by land is closed (4.A.5)
        shut = closed if origin in verdict.convoyed else {*closed, origin}
        to = tuple(each for each in work.board.reached(units[area]) if area_of(each) not in shut)
        driven[area] = Dislodged(unit=units[area], to=to)
        work.tell(events.DrivenOut(power=units[area].power, unit=units[area].name, by=origin, to=to))
    work.state = work.state.evolve(dislodged=driven, phase="retreats")


def _goes(orders: Mapping[str, Order], verdict: Verdict, area: str) -> bool:
    order = orders.get(area)
    return order is not None and order.kind == "move" and area in verdict.done


def _tell(work: Workspace, unit: Unit, order: Order | None, verdict: Verdict) -> None:
    """What became of a unit's order, for everybody, and of the line, for its power."""
    area = unit.area
    who: dict[str, Any] = {"power": unit.power, "unit": unit.name}
    if order is None:
        work.tell(events.Held(**who))
        return
    if area in verdict.void:
        reason = verdict.void[area]
        work.tell(events.Held(**who, why=reason))
        work.fail(
            unit.power, order, reason, unit=unit.name, target=order.target or order.other, other=order.other
        )
        return
    done = area in verdict.done
    if order.kind == "move":
        sea = area in verdict.convoyed
        broken = sea and not done and not _afloat(work, verdict, area)
        if done:
            work.tell(events.Moved(**who, to=order.target, by_sea=sea))
        else:
            work.tell((events.NotCarried if broken else events.Bounced)(**who, to=order.target))
            work.fail(unit.power, order, "no-convoy" if broken else "bounced", target=order.target)
    elif order.kind == "support":
        work.tell(events.Supported(**who, other=work.called(order.other), to=order.target, cut=not done))
        if not done:
            work.fail(unit.power, order, "cut", unit=unit.name)
    elif order.kind == "convoy" and done:
        work.tell(events.Carried(**who, other=work.called(order.other), to=order.target))
    elif order.kind == "convoy":
        work.fail(unit.power, order, "sunk", unit=unit.name)
    else:
        work.tell(events.Held(**who))
    if done:
        work.tell(settled(unit.power, order.written))
    elif order.kind == "hold":
        work.fail(unit.power, order, "driven-out", unit=unit.name)


def _afloat(work: Workspace, verdict: Verdict, area: str) -> bool:
    """Whether a convoy held together all the way."""
    orders = merged(work.turn.orders)
    fleets = {each for each, order in orders.items() if order.kind == "convoy" and order.other == area}
    return work.board.sea_way(
        area, orders[area].target, fleets - verdict.dislodged.keys() - verdict.void.keys()
    )


@step("Retreats", "DP-6.2", "DP-6.3")
def retreats(work: Workspace) -> None:
    """Move dislodged units where they say, unless two go to the same area; disband the others.

    The phase is passed over where nobody is dislodged, or nobody can go anywhere.

    Reads: dislodged, orders. Writes: units, dislodged. Emits: Retreated, Disbanded, LineSettled.
    """
    if work.state.asked == "moves" and any(each.to for each in work.state.dislodged.values()):
        return  # next turn
    if work.state.phase != "retreats":
        return
    orders = merged(work.turn.orders) if work.state.asked == "retreats" else {}
    able = (
        orders[area].target
        for area, each in work.state.dislodged.items()
        if area in orders and orders[area].target in each.to
    )
    wanted = Counter(map(area_of, able))
    back = []
    for area, each in work.state.dislodged.items():
        order = orders.get(area)
        who: dict[str, Any] = {"power": each.unit.power, "unit": each.unit.name}
        if order is None or order.kind == "disband":
            work.tell(events.Disbanded(**who, how="ordered" if order else "retreat"))
            if order:
                work.tell(settled(each.unit.power, order.written))
        elif order.target not in each.to:
            work.tell(events.Disbanded(**who, how="retreat"))
            work.fail(each.unit.power, order, "no-retreat", target=order.target, open=each.to)
        elif wanted[area_of(order.target)] > 1:
            work.tell(events.Disbanded(**who, how="clash"))
            work.fail(each.unit.power, order, "clash", target=order.target)
        else:
            work.tell(events.Retreated(**who, to=order.target))
            work.tell(settled(each.unit.power, order.written))
            back.append(each.unit.evolve(place=order.target))
    work.state = work.state.with_units((*work.state.units.values(), *back)).evolve(
        dislodged={}, phase="adjustments"
    )


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
    for centre in work.board.centres:
        unit = state.units.get(centre)
        if unit and state.owners.get(centre) != unit.power:
            work.tell(
                events.CentreTaken(power=unit.power, centre=centre, formerly=state.owners.get(centre, ""))
            )
            state = state.evolve(owners=dict(sorted({**state.owners, centre: unit.power}.items())))
    change = {}
    for power in state.living:
        held, units = len(state.centres_of(power)), len(state.units_of(power))
        change[power] = min(held - units, len(state.free_homes(work.board, power)))
        work.tell(events.Counted(power=power, centres=held, units=units, change=change[power]))
        if not held and not units:
            state = state.with_party(power, status="eliminated", out=True)
            work.tell(events.Eliminated(power=power))
    work.state = state.evolve(change={power: count for power, count in change.items() if count})
    _end(work)


def _end(work: Workspace) -> None:
    counts = {power: len(work.state.centres_of(power)) for power in work.state.living}
    best, last = max(counts, key=lambda power: counts[power]), work.state.settings.last_year
    winners: tuple[str, ...] | None = None
    if counts[best] >= work.rules.centres and list(counts.values()).count(counts[best]) == 1:
        winners = (best,)
        work.tell(events.Won(power=best, centres=counts[best]))
    elif last is not None and work.state.year >= last:
        winners = tuple(counts)
        work.tell(events.Drawn(powers=winners))
    if winners is not None:
        words = {power: {"status": "winner" if len(winners) == 1 else "draw"} for power in winners}
        work.state = work.state.with_parties(words).evolve(winners=winners, change={})


@step("Builds", "DP-8.1", "DP-8.2", "DP-8.3", "DP-8.4")
def builds(work: Workspace) -> None:
    """Powers build and disband what their centres say. Where nobody does, the phase is passed over.
    Reads: change, orders. Writes: units, year, season, phase. Emits: Built, Disbanded, LineSettled.
    """
    state = work.state
    if state.phase != "adjustments" or state.winners is not None:
        return
    if state.change and state.asked != "adjustments":
        return  # next turn
    for power, count in state.change.items():
        orders = work.turn.orders.get(power, Orders())
        (_build if count > 0 else _disband)(work, power, abs(count), orders)
    work.state = work.state.evolve(change={}, phase="moves", season="spring", year=state.year + 1)


def _build(work: Workspace, power: str, count: int, orders: Orders) -> None:
    for order in orders.units.values():
        work.fail(power, order, "no-disbanding", target=order.area)
    for order in orders.builds:
        why = "" if order.kind == "waive" else _no_build(work, power, order)
        if not count or why:
            work.fail(
                power,
                order,
                why or "enough",
                target=order.target,
                homes=work.state.free_homes(work.board, power),
            )
            continue
        count -= 1
        work.tell(settled(power, order.written))
        if order.kind == "build":
            unit = Unit(power=power, kind="F" if order.unit == "F" else "A", place=order.target)
            work.state = work.state.with_units((*work.state.units.values(), unit))
            work.tell(events.Built(power=power, unit=unit.name))


def _no_build(work: Workspace, power: str, order: Order) -> str:
    area = work.board.areas[order.area]
    if order.area not in work.state.free_homes(work.board, power):
        return "no-home"
    if not order.unit:
        return "no-kind"
    if order.unit == "F":
        return (
            "no-coast" if area.coasts and "/" not in order.target else "inland" if area.kind == "land" else ""
        )
    return ""


def _disband(work: Workspace, power: str, count: int, orders: Orders) -> None:
    for order in orders.builds:
        work.fail(power, order, "no-building", target=order.target)
    for number, order in enumerate(orders.units.values()):
        if number >= count:
            work.fail(power, order, "none-to-go", target=order.area)
            continue
        _remove(work, work.state.units[order.area], "ordered")
        work.tell(settled(power, order.written))
    left = count - min(count, len(orders.units))
    for unit in islice(_by_distance(work, power), left):
        _remove(work, unit, "disorder")


def _remove(work: Workspace, unit: Unit, how: str) -> None:
    work.state = work.state.with_units(each for each in work.state.units.values() if each != unit)
    work.tell(
        events.Disbanded(
            power=unit.power, unit=unit.name, how=how, clause="DP-8.4" if how == "disorder" else "DP-8.3"
        )
    )


def _by_distance(work: Workspace, power: str) -> Iterator[Unit]:
    """A power's units in the order in which they go when nobody says which: the farthest from its homes
    first, then fleets before armies, then by name (4.D.8).
    """
    homes = [code for code, area in work.board.areas.items() if area.home == power]
    ways = {kind: _distances(work.board, homes, fleets=kind == "F") for kind in ("A", "F")}

    def rank(unit: Unit) -> tuple[int, bool, str]:
        far = min((ways[unit.kind].get(place, FAR) for place in (unit.place, unit.area)), default=FAR)
        return -far, unit.kind == "A", work.board.areas[unit.area].name

    yield from sorted(work.state.units_of(power), key=rank)


def _distances(board: Board, homes: Iterable[str], *, fleets: bool) -> dict[str, int]:
    """How far each place is from the nearest of some homes: for fleets as they go, for armies over land
    and sea.
    """
    found = {place: 0 for home in homes for place in (home, *board.coasts(home))}
    waiting = list(found)
    for place in waiting:
        near = board.fleet_ways.get(place, ()) if fleets else board.graph.neighbours(place[:3])
        for other in near:
            if other not in found:
                found[other] = found[place] + 1
                waiting.append(other)
    return found


@step("What comes next", "DP-1.2")
def calendar(work: Workspace) -> None:
    """The next turn's orders are for the phase that is open now.
    Reads: phase. Writes: asked. Emits: nothing.
    """
    work.state = work.state.evolve(asked=work.state.phase)


STAGES = tuple(Stage(each.name, (each,)) for each in (moves, retreats, centres, builds, calendar))
