"""Why an order was carried out, in part or not at all: its outcome, and what that rests on."""

from __future__ import annotations

from collections.abc import Iterator

from gm.core.events import Event
from gm.game.answers import Explanation
from gm.games.medieval.analysis.trial import place_of
from gm.games.medieval.analysis.why.inquiry import TITLES, Followed, Inquiry, phase_of
from gm.games.medieval.events import CommandersChanged, TroopsChanged
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.orders.model import March, Order, Sail
from gm.games.medieval.report.books import clause_of_step
from gm.games.medieval.state import Unit
from gm.games.medieval.state.strength import move_points_left, pace
from gm.games.medieval.steps.movement import march_cost
from gm.games.medieval.steps.turn import Fate, OrderSettled, TreasuryChanged
from gm.text.pages import counted, gold, signed

_OUTCOME = {Fate.DONE: "was carried out", Fate.REDUCED: "was carried out in part", Fate.FAILED: "was not carried out"}
_MOVES = ("needs-move-points", "hold-needs-move-points")
_EARLIER = "earlier-move-failed"


def unit_answer(turn: Inquiry, realm: str, reference: str) -> Iterator[Explanation]:
    """All orders of a unit, and what happened to it. ``reference``: its id."""
    key = f"{realm}/{reference}"
    name = turn.speaker.own_unit(realm, reference)
    unit, left = turn.opened.units.get(key), turn.result.after.units.get(key)
    if unit is not None:
        points = counted(pace(unit, turn.result.rules), "move-point")
        yield Explanation(f"{name} began the turn {_where(unit)}, with {points}.", "P3")
    else:
        yield Explanation(f"{name} was not there when the turn began.")
    orders = [event for event in turn.settled(realm) if turn.unit_of(event) == key]
    yield from (each for event in orders for each in order_answer(turn, event))
    if not orders:
        yield Explanation("It had no orders.")
    events = (each for each in turn.about(key) if not isinstance(each, OrderSettled))
    happened = [each for event in events for each in turn.sentence(event)]
    if happened:
        yield Explanation("What happened to it:")
        yield from happened
    yield Explanation(f"At the end of the turn {name} was {'no more' if left is None else _where(left)}.")


def _where(unit: Unit) -> str:
    return f"aboard {unit.aboard}" if unit.aboard else f"at {unit.place}"


def line_answer(turn: Inquiry, realm: str, line: int) -> Iterator[Explanation]:
    """The orders of one line of a realm's file. Raises ``ValueError`` when none stands there."""
    refused = list(_refused(turn, realm, line))
    yield from refused
    orders = [event for event in turn.settled(realm) if event.line == line]
    if not orders and not refused:
        lines = sorted({event.line for event in turn.settled(realm)})
        near = min(lines, key=lambda each: (abs(each - line), each), default=None)
        hint = f"; the nearest is in line {near}" if near is not None else ""
        raise ValueError(f"no order of {realm} stands in line {line}{hint}")
    for event in orders:
        yield from order_answer(turn, event)


def realm_answer(turn: Inquiry, realm: str) -> Iterator[Explanation]:
    """Every order of a realm that did not go as it was written."""
    yield from _refused(turn, realm)
    orders = turn.settled(realm)
    wrong = [event for event in orders if event.fate is not Fate.DONE]
    yield from (each for event in wrong for each in order_answer(turn, event))
    done = counted(len(orders) - len(wrong), "order")
    yield Explanation(f"{done} of {len(orders)} came out as written.", "O2")


def _refused(turn: Inquiry, realm: str, line: int | None = None) -> Iterator[Explanation]:
    for found in turn.result.refused(realm):
        if line in (None, found.line):
            said = f"Line {found.line} could not be read as an order: {found.message}."
            yield Explanation(said, found.clause or "O7")


def order_answer(turn: Inquiry, event: OrderSettled) -> Iterator[Explanation]:
    """One order: its outcome in a sentence, and below it the events that it rests on."""
    followed = turn.followed(event.audience)
    when = f" in phase {event.phase}" if event.phase else ""
    clause = clause_of_step(event.step)
    head = f"Line {event.line}, “{event.text}”, {_OUTCOME[event.fate]}{when} ({TITLES.get(event.step, event.step)})"
    if event.reason:
        clause, why = turn.speaker.reason(event.reason, event.figures)
        head = f"{head}: {why}"
        if event.reason in _MOVES:
            dear, uses = _dear(turn, followed, event), ", ".join(_uses(turn, followed, event))
            head += f" ({dear})" * bool(dear) + f": {uses}" * bool(uses)
    yield Explanation(f"{head}.", clause)
    if event.fate is not Fate.DONE:
        yield from _causes(turn, event)
        return
    found = followed.orders[place_of(event)]
    if found.moves:
        yield Explanation(f"It took {counted(found.moves, 'move-point')}.", "P4", 1)
    if found.gold:
        yield Explanation(f"It {'cost' if found.gold > 0 else 'brought'} {gold(abs(found.gold))} gold.", "", 1)


def _dear(turn: Inquiry, followed: Followed, event: OrderSettled) -> str:
    """Why a march costs what it does (P4)."""
    order = followed.given(event)[1]
    if not isinstance(order, March):
        return "P4" if isinstance(order, Sail) else ""
    world, rules = followed.moments[place_of(event)].seen, turn.result.rules
    land, mark = order.province, world.progress.provinces.get(order.province)
    cost = march_cost(world, rules, event.audience, land)
    if mark is not None and mark.changed_owner and cost == rules.movement.march_changed_owner:
        return f"{land} has changed its owner this turn, P4"
    enemy = "the enemy " if world.is_enemy_land(event.audience, land) else ""
    return f"land of {enemy}{turn.speaker.realm(world.provinces[land].owner)}, P4"


def _uses(turn: Inquiry, followed: Followed, event: OrderSettled) -> Iterator[str]:
    """What the unit's move-points had gone for before an order."""
    key = turn.unit_of(event)
    known: set[tuple[int, str]] = set()
    for place, found in sorted(followed.orders.items()):
        moment = followed.moments[place]
        if found.moves and moment.phase < event.phase and turn.unit_of(found.event) == key:
            used = _short(found.event.text, followed.given(found.event)[1])
            yield f"used {found.moves} for {used} in phase {moment.phase}"
            known.add((moment.phase, moment.step))
    spent = followed.spent.get(key)
    if spent is not None and spent.phase <= event.phase and (spent.phase, spent.step) not in known:
        unit = spent.seen.units.get(key)
        left = move_points_left(unit, spent.seen.done(key), turn.result.rules) if unit is not None else 0
        when = f" in phase {spent.phase}" if spent.phase else ""
        if left:
            yield f"lost the other {left} by “{TITLES.get(spent.step, spent.step)}”{when} (P7)"


def _short(text: str, order: Order) -> str:
    if isinstance(order, March):
        return f"the march to {order.province}"
    return f"the voyage to {order.place}" if isinstance(order, Sail) else f"“{text}”"


def _causes(turn: Inquiry, event: OrderSettled) -> Iterator[Explanation]:
    index = next(at for at, each in enumerate(turn.result.events) if each is event)
    if event.reason == "gold-too-little":
        treasury = turn.opened.realms[event.audience].treasury
        yield Explanation(f"The treasury began with {gold(treasury)} gold.", "L3.1", 1)
        for each in turn.result.events[:index]:
            if isinstance(each, TreasuryChanged) and each.realm == event.audience and each.amount:
                yield turn.booked(each, " left")
    elif event.reason == _EARLIER:
        yield from _earlier(turn, event)
    elif event.reason == "offer-not-returned":
        other = str(event.figures.get("other", ""))
        name = turn.speaker.realm(other)
        if other in turn.result.sheets:
            yield Explanation(f"The orders of {name} held no such offer.", "L15", 1)
        else:
            yield Explanation(f"There were no orders of {name}.", "O1", 1)
    elif event.reason not in _MOVES:
        yield from _history(turn, event, index)


def _earlier(turn: Inquiry, event: OrderSettled) -> Iterator[Explanation]:
    """The move that had failed before."""
    key, followed = turn.unit_of(event), turn.followed(event.audience)
    for each in turn.settled(event.audience):
        failed = isinstance(followed.given(each)[1], (March, Sail)) and each.fate is Fate.FAILED
        before = each.reason != _EARLIER and (each.line, each.column) < (event.line, event.column)
        if failed and before and turn.unit_of(each) == key:
            clause, why = turn.speaker.reason(each.reason, each.figures)
            yield Explanation(f"Line {each.line}, “{each.text}”, had failed in phase {each.phase}: {why}.", clause, 1)


def _history(turn: Inquiry, event: OrderSettled, index: int) -> Iterator[Explanation]:
    """What had happened to the unit before, and in the places that the refusal names."""
    texts = [each for each in event.figures.values() if isinstance(each, str)]
    units = [each for each in (turn.unit_of(event), *texts) if "/" in each]
    found: dict[Explanation, None] = {}
    for name in dict.fromkeys((*units, *(each for each in texts if each in turn.result.atlas.locations))):
        for each in turn.about(name, until=index):
            # who merely passed a place decides nothing there: battles and owners do
            tells = hasattr(each, "former") or hasattr(each, "province")
            land = tells and name in (getattr(each, "place", ""), getattr(each, "province", ""))
            if name in units or land or isinstance(each, BattleFought):
                found |= dict.fromkeys(_sentences(turn, each))
    yield from found


def _sentences(turn: Inquiry, event: Event) -> Iterator[Explanation]:
    if isinstance(event, (TroopsChanged, CommandersChanged)):
        what = event.troop if isinstance(event, TroopsChanged) else event.commander
        change = f"{turn.speaker.unit(event.unit)}: {signed(event.count)} {what} ({event.cause})."
        yield Explanation(f"{phase_of(event)}{change}", clause_of_step(event.step), 1)
    elif not isinstance(event, OrderSettled):
        yield from turn.sentence(event)
