"""Spring and autumn: all units move at once, then those that were driven out retreat.

Each has turns of its own; where nobody that was driven out can go anywhere, a turn for moves settles both.
"""

from collections import Counter
from collections.abc import Mapping

from gm_diplomacy import events
from gm_diplomacy.adjudication import Adjudication, Verdict
from gm_diplomacy.board import area_of
from gm_diplomacy.orders import Order, merged
from gm_diplomacy.state import Dislodged, Unit
from gm_diplomacy.workspace import Workspace, step


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
    units = work.state.units
    orders = merged(work.turn.orders)
    verdict = Adjudication(work.board, units, orders).verdict()
    staying = []
    moved = []
    for area, unit in units.items():
        order = orders.get(area)
        _tell_outcome(work, unit, order, verdict)
        if order is not None and order.kind == "move" and area in verdict.done:
            moved.append(unit.evolve(place=order.target))
        elif area not in verdict.dislodged:
            staying.append(unit)
    work.state = work.state.with_units((*staying, *moved))
    work.state = work.state.evolve(dislodged=_drive_out(work, units, verdict), phase="retreats")


def _drive_out(work: Workspace, units: Mapping[str, Unit], verdict: Verdict) -> dict[str, Dislodged]:
    """Return the dislodged units with the places where they may go, by the area that they leave.

    ``units``: all units before the moves, by area; those of ``work`` have moved.
    """
    closed = {*work.state.units, *verdict.contested}
    dislodged = {}
    for area, attacker in sorted(verdict.dislodged.items()):
        unit = units[area]
        # the area that the attacker came from is closed, too, unless it came over sea (4.A.5)
        closed_to_unit = closed if attacker in verdict.convoyed else {*closed, attacker}
        to = tuple(place for place in work.board.reached(unit) if area_of(place) not in closed_to_unit)
        dislodged[area] = Dislodged(unit=unit, to=to)
        work.tell(events.DrivenOut(power=unit.power, unit=unit.name, by=attacker, to=to))
    return dislodged


def _tell_outcome(work: Workspace, unit: Unit, order: Order | None, verdict: Verdict) -> None:
    """Tell everybody what a unit did, and its power what came of the order."""
    area = unit.area
    if order is None:
        work.tell(events.Held(power=unit.power, unit=unit.name))
        return
    if area in verdict.void:
        _tell_void(work, unit, order, verdict.void[area])
        return
    done = area in verdict.done
    if order.kind == "move":
        _tell_move(work, unit, order, verdict)
    elif order.kind == "support":
        _tell_support(work, unit, order, done=done)
    elif order.kind == "convoy":
        _tell_convoy(work, unit, order, done=done)
    else:
        _tell_hold(work, unit, order, done=done)
    if done:
        work.carry_out(unit.power, order)


def _tell_void(work: Workspace, unit: Unit, order: Order, reason: str) -> None:
    """Tell of an order that is none: its unit held."""
    target = order.target or order.other
    work.tell(events.Held(power=unit.power, unit=unit.name, why=reason))
    work.fail(unit.power, order, reason, unit=unit.name, target=target, other=order.other)


def _tell_move(work: Workspace, unit: Unit, order: Order, verdict: Verdict) -> None:
    """Tell of a move: it was made, its convoy was broken, or it bounced."""
    by_sea = unit.area in verdict.convoyed
    if unit.area in verdict.done:
        work.tell(events.Moved(power=unit.power, unit=unit.name, to=order.target, by_sea=by_sea))
    elif by_sea and not _convoy_stands(work, verdict, order):
        work.tell(events.NotCarried(power=unit.power, unit=unit.name, to=order.target))
        work.fail(unit.power, order, "no-convoy", target=order.target)
    else:
        work.tell(events.Bounced(power=unit.power, unit=unit.name, to=order.target))
        work.fail(unit.power, order, "bounced", target=order.target)


def _tell_support(work: Workspace, unit: Unit, order: Order, *, done: bool) -> None:
    """Tell of a support, which was given or cut."""
    helped = work.name_at_start(order.other)
    work.tell(events.Supported(power=unit.power, unit=unit.name, other=helped, to=order.target, cut=not done))
    if not done:
        work.fail(unit.power, order, "cut", unit=unit.name)


def _tell_convoy(work: Workspace, unit: Unit, order: Order, *, done: bool) -> None:
    """Tell of a convoy; of one that was driven out only its own power hears here."""
    if not done:
        work.fail(unit.power, order, "sunk", unit=unit.name)
        return
    army = work.name_at_start(order.other)
    work.tell(events.Carried(power=unit.power, unit=unit.name, other=army, to=order.target))


def _tell_hold(work: Workspace, unit: Unit, order: Order, *, done: bool) -> None:
    """Tell of a unit that was ordered to hold."""
    work.tell(events.Held(power=unit.power, unit=unit.name))
    if not done:
        work.fail(unit.power, order, "driven-out", unit=unit.name)


def _convoy_stands(work: Workspace, verdict: Verdict, move: Order) -> bool:
    """Return whether the fleets that were to carry a move held together all the way."""
    orders = merged(work.turn.orders)
    fleets = {sea for sea, order in orders.items() if order.kind == "convoy" and order.other == move.area}
    standing = fleets - verdict.dislodged.keys() - verdict.void.keys()
    return work.board.sea_way(move.area, move.target, standing)


@step("Retreats", "DP-6.2", "DP-6.3")
def retreats(work: Workspace) -> None:
    """Move dislodged units where they say, unless two go to the same area; disband the others.

    The phase is passed over where nobody is dislodged, or nobody can go anywhere.

    Reads: dislodged, orders. Writes: units, dislodged. Emits: Retreated, Disbanded, LineSettled.
    """
    dislodged = work.state.dislodged
    if work.state.asked == "moves" and any(driven.to for driven in dislodged.values()):
        return  # the next turn is for retreats
    if work.state.phase != "retreats":
        return
    orders = merged(work.turn.orders) if work.state.asked == "retreats" else {}
    possible = (
        orders[area].target
        for area, driven in dislodged.items()
        if area in orders and orders[area].target in driven.to
    )
    retreats_to = Counter(map(area_of, possible))
    back = []
    for area, driven in dislodged.items():
        unit = driven.unit
        order = orders.get(area)
        fate = _fate_of_retreat(driven, order, retreats_to)
        if order is None or fate:
            work.tell(events.Disbanded(power=unit.power, unit=unit.name, how=fate))
        else:
            work.tell(events.Retreated(power=unit.power, unit=unit.name, to=order.target))
            back.append(unit.evolve(place=order.target))
        if order is not None:
            _settle_retreat(work, driven, order, fate)
    on_board = (*work.state.units.values(), *back)
    work.state = work.state.with_units(on_board).evolve(dislodged={}, phase="adjustments")


def _fate_of_retreat(driven: Dislodged, order: Order | None, retreats_to: Mapping[str, int]) -> str:
    """Return how a dislodged unit is disbanded, as ``Disbanded`` says it; empty if it retreats.

    ``retreats_to``: how many units retreat to an area, by area.
    """
    if order is None:
        return "retreat"
    if order.kind == "disband":
        return "ordered"
    if order.target not in driven.to:
        return "retreat"
    return "clash" if retreats_to[area_of(order.target)] > 1 else ""


def _settle_retreat(work: Workspace, driven: Dislodged, order: Order, fate: str) -> None:
    """Tell a power what came of its order to a dislodged unit."""
    power = driven.unit.power
    if fate == "retreat":
        work.fail(power, order, "no-retreat", target=order.target, open=driven.to)
    elif fate == "clash":
        work.fail(power, order, "clash", target=order.target)
    else:
        work.carry_out(power, order)
