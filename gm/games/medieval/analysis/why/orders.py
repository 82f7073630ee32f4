"""Why an order was carried out, in part or not at all: its outcome, and what that rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gm.game.answers import Explanation
from gm.games.medieval.analysis.trial import Place, place_of
from gm.games.medieval.analysis.why.case import TITLES, Case, Followed
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.events.ledger import CommandersChanged, TroopsChanged
from gm.games.medieval.orders.model import March, Order, Sail
from gm.games.medieval.report.books import clause_of_step
from gm.games.medieval.state.strength import move_points_left, pace
from gm.games.medieval.steps.movement import march_cost
from gm.games.medieval.steps.turn import Fate, OrderSettled, TreasuryChanged
from gm.text.pages import counted, gold, signed

_OUTCOME = {Fate.DONE: "was carried out", Fate.REDUCED: "was carried out in part", Fate.FAILED: "was not carried out"}
_MOVES = ("needs-move-points", "hold-needs-move-points")
_GOLD = "gold-too-little"
_EARLIER = "earlier-move-failed"
_OFFER = "offer-not-returned"


def unit_answer(case: Case, realm: str, reference: str) -> Iterator[Explanation]:
    """All orders of a unit, and what happened to it. ``reference``: its id."""
    key = f"{realm}/{reference}"
    name = case.speaker.own_unit(realm, reference)
    unit = case.opened.units.get(key)
    if unit is not None:
        where = f"aboard {unit.aboard}" if unit.aboard else f"at {unit.place}"
        points = counted(pace(unit, case.record.rules), "move-point")
        yield Explanation(f"{name} began the turn {where}, with {points}.", "P3")
    else:
        yield Explanation(f"{name} was not there when the turn began.")
    orders = [event for event in _settled(case, realm) if _reference(case, realm, event) == key]
    if not orders:
        yield Explanation("It had no orders.")
    for event in orders:
        yield from order_answer(case, realm, event)
    events = [each for each in case.about(key) if not isinstance(each, OrderSettled)]
    told = [said for each in events if (said := case.told(each, 1)) is not None]
    if told:
        yield Explanation("What happened to it:")
        yield from told
    yield from _end(case, key, name)


def _end(case: Case, key: str, name: str) -> Iterator[Explanation]:
    unit = case.record.after.units.get(key)
    if unit is None:
        yield Explanation(f"At the end of the turn {name} was no more.")
    else:
        where = f"aboard {unit.aboard}" if unit.aboard else f"at {unit.place}"
        yield Explanation(f"At the end of the turn {name} was {where}.")


def line_answer(case: Case, realm: str, line: int) -> Iterator[Explanation]:
    """The orders of one line of a realm's file. Raises ``ValueError`` when none stands there."""
    refused = [each for each in case.record.refused(realm) if each.line == line]
    for found in refused:
        yield Explanation(f"Line {line} could not be read as an order: {found.message}.", found.clause or "O7")
    orders = [event for event in _settled(case, realm) if event.line == line]
    if not orders and not refused:
        lines = sorted({event.line for event in _settled(case, realm)})
        near = min(lines, key=lambda each: (abs(each - line), each), default=None)
        hint = f"; the nearest is in line {near}" if near is not None else ""
        raise ValueError(f"no order of {realm} stands in line {line}{hint}")
    for event in orders:
        yield from order_answer(case, realm, event)


def realm_answer(case: Case, realm: str) -> Iterator[Explanation]:
    """Every order of a realm that did not go as it was written."""
    orders = list(_settled(case, realm))
    wrong = [event for event in orders if event.fate is not Fate.DONE]
    for found in case.record.refused(realm):
        yield Explanation(f"Line {found.line} could not be read as an order: {found.message}.", found.clause or "O7")
    for event in wrong:
        yield from order_answer(case, realm, event)
    done = len(orders) - len(wrong)
    yield Explanation(f"{counted(done, 'order')} of {len(orders)} came out as written.", "O2")


def _settled(case: Case, realm: str) -> Iterator[OrderSettled]:
    """The realm's outcomes in the order of its file."""
    found = [each for each in case.record.events if isinstance(each, OrderSettled) and each.audience == realm]
    return iter(sorted(found, key=lambda each: (each.line, each.column)))


def _reference(case: Case, realm: str, event: OrderSettled) -> str:
    """The key of the unit that an order was given to; empty for headquarters."""
    reference, _ = case.followed(realm).units.get(place_of(event), ("", None))
    if not reference:
        return ""
    unit = case.opened.unit(realm, reference) or case.record.after.unit(realm, reference)
    return unit.key if unit is not None else f"{realm}/{reference}"


# -- one order ---------------------------------------------------------------------------------------------------------


def order_answer(case: Case, realm: str, event: OrderSettled) -> Iterator[Explanation]:
    """One order: its outcome in a sentence, and below it the events that it rests on."""
    followed = case.followed(realm)
    place = place_of(event)
    when = f" in phase {event.phase}" if event.phase else ""
    said, clause = _OUTCOME[event.fate], clause_of_step(event.step)
    head = f"Line {event.line}, “{event.text}”, {said}{when} ({TITLES.get(event.step, event.step)})"
    if event.reason:
        clause, why = case.speaker.reason(event.reason, event.figures)
        head = f"{head}: {why}{_because(case, followed, event)}"
    yield Explanation(f"{head}.", clause)
    if event.fate is Fate.DONE:
        yield from _price(followed, place)
    else:
        yield from _causes(case, realm, followed, event)


def _price(followed: Followed, place: Place) -> Iterator[Explanation]:
    found = followed.orders[place]
    if found.moves:
        yield Explanation(f"It took {counted(found.moves, 'move-point')}.", "P4", 1)
    if found.gold:
        yield Explanation(f"It {'cost' if found.gold > 0 else 'brought'} {gold(abs(found.gold))} gold.", "", 1)


def _because(case: Case, followed: Followed, event: OrderSettled) -> str:
    """The short reason behind a lack of move-points: what made the step so dear, and what they had gone for."""
    if event.reason not in _MOVES:
        return ""
    uses = ", ".join(_uses(case, followed, event))
    dear = _dear(case, followed, event)
    return f" ({dear})" * bool(dear) + (f": {uses}" if uses else "")


def _dear(case: Case, followed: Followed, event: OrderSettled) -> str:
    """Why a march costs what it does (P4)."""
    _, order = followed.units.get(place_of(event), ("", None))
    if not isinstance(order, March):
        return "P4" if isinstance(order, Sail) else ""
    world, rules = followed.moments[place_of(event)].seen, case.record.rules
    land, mark = order.province, world.progress.provinces.get(order.province)
    cost = march_cost(world, rules, event.audience, land)
    if mark is not None and mark.changed_owner and cost == rules.movement.march_changed_owner:
        return f"{land} has changed its owner this turn, P4"
    owner = case.speaker.realm(world.provinces[land].owner)
    enemy = world.is_enemy_land(event.audience, land)
    return f"land of the enemy {owner}, P4" if enemy else f"land of {owner}, P4"


def _uses(case: Case, followed: Followed, event: OrderSettled) -> Iterator[str]:
    """What the unit's move-points had gone for before an order."""
    key = _reference(case, event.audience, event)
    told: set[tuple[int, str]] = set()
    for place, found in sorted(followed.orders.items()):
        moment = followed.moments[place]
        before = moment.phase < event.phase
        if found.moves and before and _reference(case, event.audience, found.event) == key:
            yield f"used {found.moves} for {_short(found.event.text, followed.units[place][1])} in phase {moment.phase}"
            told.add((moment.phase, moment.step))
    spent = followed.spent.get(key)
    if spent is not None and spent.phase <= event.phase and (spent.phase, spent.step) not in told:
        unit = spent.seen.units.get(key)
        left = move_points_left(unit, spent.seen.done(key), case.record.rules) if unit is not None else 0
        when = f" in phase {spent.phase}" if spent.phase else ""
        title = TITLES.get(spent.step, spent.step)
        if left:
            yield f"lost the other {left} by “{title}”{when} (P7)"


def _short(text: str, order: Order) -> str:
    if isinstance(order, March):
        return f"the march to {order.province}"
    if isinstance(order, Sail):
        return f"the voyage to {order.place}"
    return f"“{text}”"


# -- what a failure rests on -------------------------------------------------------------------------------------------


def _causes(case: Case, realm: str, followed: Followed, event: OrderSettled) -> Iterator[Explanation]:
    index = next(at for at, each in enumerate(case.record.events) if each is event)
    if event.reason == _GOLD:
        yield from _purse(case, realm, index)
    elif event.reason == _EARLIER:
        yield from _earlier(case, realm, event)
    elif event.reason == _OFFER:
        yield _offer(case, str(event.figures.get("other", "")))
    elif event.reason not in _MOVES:
        yield from _history(case, realm, event, index)


def _purse(case: Case, realm: str, index: int) -> Iterator[Explanation]:
    """What the treasury had gone for."""
    yield Explanation(f"The treasury began with {gold(case.opened.realms[realm].treasury)} gold.", "L3.1", 1)
    for each in case.record.events[:index]:
        if isinstance(each, TreasuryChanged) and each.realm == realm and each.amount:
            at = f" at {each.place}" if each.place else ""
            said = f"{signed(each.amount)} for {each.what}{at}: {gold(each.balance)} left."
            yield Explanation(said, clause_of_step(each.step), 1)


def _earlier(case: Case, realm: str, event: OrderSettled) -> Iterator[Explanation]:
    key = _reference(case, realm, event)
    for each in _settled(case, realm):
        _, order = case.followed(realm).units.get(place_of(each), ("", None))
        failed = isinstance(order, (March, Sail)) and each.fate is Fate.FAILED and each.reason != _EARLIER
        if failed and _reference(case, realm, each) == key and (each.line, each.column) < (event.line, event.column):
            clause, why = case.speaker.reason(each.reason, each.figures)
            yield Explanation(f"Line {each.line}, “{each.text}”, had failed in phase {each.phase}: {why}.", clause, 1)


def _offer(case: Case, other: str) -> Explanation:
    name = case.speaker.realm(other)
    if other not in case.record.sheets:
        return Explanation(f"There were no orders of {name}.", "O1", 1)
    return Explanation(f"The orders of {name} held no such offer.", "L15", 1)


def _history(case: Case, realm: str, event: OrderSettled, index: int) -> Iterator[Explanation]:
    """What had happened to the unit before, and in the places that the refusal names."""
    key = _reference(case, realm, event)
    names = [each for each in event.figures.values() if isinstance(each, str) and each in case.record.atlas.locations]
    units = [each for each in (key, *event.figures.values()) if isinstance(each, str) and "/" in each]
    told: dict[Explanation, None] = {}
    for name in dict.fromkeys((*units, *names)):
        for each in case.about(name, until=index):
            # who merely passed a place decides nothing there: battles and owners do
            if name in units or isinstance(each, BattleFought) or _is_about_land(each, name):
                told |= dict.fromkeys(_sentences(case, each))
    yield from told


def _is_about_land(event: object, place: str) -> bool:
    return any(hasattr(event, former) for former in ("former", "province")) and place in (
        getattr(event, "place", ""),
        getattr(event, "province", ""),
    )


def _sentences(case: Case, event: object) -> Iterable[Explanation]:
    if isinstance(event, OrderSettled):
        return ()
    if isinstance(event, (TroopsChanged, CommandersChanged)):
        what = event.troop if isinstance(event, TroopsChanged) else event.commander
        unit = case.speaker.unit(event.unit)
        when = f"Phase {event.phase}: " if event.phase else ""
        return (
            Explanation(f"{when}{unit}: {signed(event.count)} {what} ({event.cause}).", clause_of_step(event.step), 1),
        )
    said = case.told(event, 1)  # type: ignore[arg-type]
    return (said,) if said is not None else ()
