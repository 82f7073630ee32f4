"""Why an order was carried out, in part or not at all, and what became of a unit."""

from collections.abc import Iterator
from itertools import chain

from gm.core.diagnostics import said, says
from gm.core.values import Event
from gm.game.answers import Explanation
from gm.games.medieval.analysis.trial import place_of
from gm.games.medieval.analysis.why.inquiry import Followed, Inquiry
from gm.games.medieval.events import CommandersChanged, TroopsChanged
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.orders.model import March, Order, Sail
from gm.games.medieval.report.gold_rows import clause_of_step
from gm.games.medieval.state import Unit
from gm.games.medieval.state.strength import move_points_left, pace
from gm.games.medieval.steps.movement import march_cost
from gm.games.medieval.steps.outcomes import OrderOutcome, OrderSettled, TreasuryChanged
from gm.text.pages import gold, signed

# reasons of refusals
_MOVES = ("needs-move-points", "hold-needs-move-points")
_EARLIER = "earlier-move-failed"


def unit_answer(turn: Inquiry, realm: str, reference: str) -> Iterator[Explanation]:
    """Yield where a unit began and ended the turn, its orders, and other events. ``reference``: its id."""
    key = f"{realm}/{reference}"
    name = turn.formatter.own_unit(realm, reference)
    unit = turn.opened.units.get(key)
    unit_after = turn.result.after.units.get(key)
    if unit is not None:
        began = turn.phrase(
            "{name} began the turn aboard {where}, with {points:move-point}."
            if unit.aboard
            else "{name} began the turn at {where}, with {points:move-point}.",
            name=name,
            where=unit.aboard or unit.place,
            points=pace(unit, turn.result.rules),
        )
        yield Explanation(began, "P3")
    else:
        yield Explanation(turn.phrase("{name} was not there when the turn began.", name=name))
    orders = [event for event in turn.settled(realm) if turn.unit_of(event) == key]
    for order in orders:
        yield from _order_answer(turn, order)
    if not orders:
        yield Explanation(turn.phrase("It had no orders."))
    events = (other_event for other_event in turn.about(key) if not isinstance(other_event, OrderSettled))
    happened = list(chain.from_iterable(map(turn.sentence, events)))
    if happened:
        yield Explanation(turn.phrase("What happened to it:"))
        yield from happened
    yield Explanation(_end_of(turn, name, unit_after))


def _end_of(turn: Inquiry, name: str, unit: Unit | None) -> str:
    """Return a sentence about where a unit was at the end of the turn; None: it was no more."""
    if unit is None:
        return turn.phrase("At the end of the turn {name} was no more.", name=name)
    return turn.phrase(
        "At the end of the turn {name} was aboard {where}."
        if unit.aboard
        else "At the end of the turn {name} was at {where}.",
        name=name,
        where=unit.aboard or unit.place,
    )


def line_answer(turn: Inquiry, realm: str, line: int) -> Iterator[Explanation]:
    """Yield what became of the orders in a line, understood or not. Raises ``ValueError`` if it has none."""
    refused = list(_refused_lines(turn, realm, line))
    yield from refused
    orders = [event for event in turn.settled(realm) if event.line == line]
    if not orders and not refused:
        lines = sorted({event.line for event in turn.settled(realm)})
        near = min(lines, key=lambda other: (abs(other - line), other), default=None)
        if near is None:
            raise ValueError(says("no order of {0} stands in line {1}", realm, line))
        nearest_one = "no order of {0} stands in line {1}; the nearest is in line {2}"
        raise ValueError(says(nearest_one, realm, line, near))
    for event in orders:
        yield from _order_answer(turn, event)


def realm_answer(turn: Inquiry, realm: str) -> Iterator[Explanation]:
    """Yield every order of a realm that did not go as it was written, and how many did."""
    yield from _refused_lines(turn, realm)
    orders = turn.settled(realm)
    failed_orders = [event for event in orders if event.fate is not OrderOutcome.DONE]
    for order in failed_orders:
        yield from _order_answer(turn, order)
    done = len(orders) - len(failed_orders)
    as_written = turn.phrase("{done:order} of {orders} came out as written.", done=done, orders=len(orders))
    yield Explanation(as_written, "O2")


def _refused_lines(turn: Inquiry, realm: str, line: int | None = None) -> Iterator[Explanation]:
    """Yield the lines of a realm's file that could not be read as orders, or only that of this number."""
    for finding in turn.result.refused(realm):
        if line in (None, finding.line):
            unread = turn.phrase(
                "Line {line} could not be read as an order: {problem}.",
                line=finding.line,
                problem=said(finding.message, turn.formatter.translate),
            )
            yield Explanation(unread, finding.clause or "O7")


def _order_answer(turn: Inquiry, event: OrderSettled) -> Iterator[Explanation]:
    """Yield the answer about one order: its outcome, and below it the events that it depends on."""
    followed = turn.followed(event.audience)
    clause = clause_of_step(event.step)
    head = _outcome_of(turn, event)
    if event.reason:
        clause, why = turn.formatter.reason(event.reason, event.figures)
        head = f"{head}: {why}"
        if event.reason in _MOVES:
            why_so_much = _cost_explained(turn, followed, event)
            if why_so_much:
                head += f" ({why_so_much})"
            uses = ", ".join(_uses(turn, followed, event))
            if uses:
                head += f": {uses}"
    yield Explanation(f"{head}.", clause)
    if event.fate is not OrderOutcome.DONE:
        yield from _causes(turn, event)
        return
    settled = followed.orders[place_of(event)]
    if settled.moves:
        yield Explanation(turn.phrase("It took {points:move-point}.", points=settled.moves), "P4", 1)
    if settled.gold:
        paid = turn.phrase(
            "It cost {gold} gold." if settled.gold > 0 else "It brought {gold} gold.",
            gold=gold(abs(settled.gold)),
        )
        yield Explanation(paid, "", 1)


def _outcome_of(turn: Inquiry, event: OrderSettled) -> str:
    """Return what became of an order, with its line and its step, and with the phase if there is one."""
    figures = {"line": event.line, "text": event.text, "phase": event.phase, "step": turn.step(event.step)}
    if event.fate is OrderOutcome.DONE:
        return turn.phrase(
            "Line {line}, “{text}”, was carried out in phase {phase} ({step})"
            if event.phase
            else "Line {line}, “{text}”, was carried out ({step})",
            **figures,
        )
    if event.fate is OrderOutcome.REDUCED:
        return turn.phrase(
            "Line {line}, “{text}”, was carried out in part in phase {phase} ({step})"
            if event.phase
            else "Line {line}, “{text}”, was carried out in part ({step})",
            **figures,
        )
    return turn.phrase(
        "Line {line}, “{text}”, was not carried out in phase {phase} ({step})"
        if event.phase
        else "Line {line}, “{text}”, was not carried out ({step})",
        **figures,
    )


def _cost_explained(turn: Inquiry, followed: Followed, event: OrderSettled) -> str:
    """Return why a march costs so many move-points (P4); of a voyage the clause alone, else empty."""
    _, order = followed.given(event)
    if not isinstance(order, March):
        return "P4" if isinstance(order, Sail) else ""
    world = followed.moments[place_of(event)].world_before
    rules = turn.result.rules
    land = order.province
    progress = world.progress.provinces.get(land)
    cost = march_cost(world, rules, event.audience, land)
    if progress is not None and progress.changed_owner and cost == rules.movement.march_changed_owner:
        return turn.phrase("{land} has changed its owner this turn, P4", land=land)
    return turn.phrase(
        "land of the enemy {owner}, P4"
        if world.is_enemy_land(event.audience, land)
        else "land of {owner}, P4",
        owner=turn.formatter.with_articles().realm(world.provinces[land].owner),
    )


def _uses(turn: Inquiry, followed: Followed, event: OrderSettled) -> Iterator[str]:
    """Yield in words the earlier uses of a unit's move-points, and their loss by another step of the turn."""
    key = turn.unit_of(event)
    moments_of_orders: set[tuple[int, str]] = set()  # (phase, step)
    for place, settled in sorted(followed.orders.items()):
        moment = followed.moments[place]
        if settled.moves and moment.phase < event.phase and turn.unit_of(settled.event) == key:
            used = _use_in_words(turn, settled.event.text, followed.given(settled.event)[1])
            yield turn.phrase(
                "used {moves} for {what} in phase {phase}",
                moves=settled.moves,
                what=used,
                phase=moment.phase,
            )
            moments_of_orders.add((moment.phase, moment.step))
    spent = followed.spent.get(key)
    # what the unit's own orders used is told above
    if (
        spent is not None
        and spent.phase <= event.phase
        and (spent.phase, spent.step) not in moments_of_orders
    ):
        unit = spent.world_before.units.get(key)
        points_left = (
            move_points_left(unit, spent.world_before.done(key), turn.result.rules) if unit is not None else 0
        )
        if points_left:
            yield turn.phrase(
                "lost the other {points} by “{step}” in phase {phase} (P7)"
                if spent.phase
                else "lost the other {points} by “{step}” (P7)",
                points=points_left,
                step=turn.step(spent.step),
                phase=spent.phase,
            )


def _use_in_words(turn: Inquiry, text: str, order: Order) -> str:
    """Return in words what an order used move-points for; ``text``: the order as the file has it."""
    if isinstance(order, March):
        return turn.phrase("the march to {place}", place=order.province)
    if isinstance(order, Sail):
        return turn.phrase("the voyage to {place}", place=order.place)
    return turn.phrase("“{text}”", text=text)


def _causes(turn: Inquiry, event: OrderSettled) -> Iterator[Explanation]:
    """Yield what explains why an order failed or was reduced: gold, earlier orders, other offers, events."""
    index = next(index for index, other in enumerate(turn.result.events) if other is event)
    if event.reason == "gold-too-little":
        treasury = turn.opened.realms[event.audience].treasury
        yield Explanation(turn.phrase("The treasury began with {gold} gold.", gold=gold(treasury)), "L3.1", 1)
        for change in turn.result.events[:index]:
            if isinstance(change, TreasuryChanged) and change.realm == event.audience and change.amount:
                yield turn.booked(change, left=True)
    elif event.reason == _EARLIER:
        yield from _earlier_failures(turn, event)
    elif event.reason == "offer-not-returned":
        other_realm = str(event.figures.get("other", ""))
        name = turn.formatter.with_articles().realm(other_realm)
        if other_realm in turn.result.sheets:
            yield Explanation(turn.phrase("The orders of {realm} held no such offer.", realm=name), "L15", 1)
        else:
            yield Explanation(turn.phrase("There were no orders of {realm}.", realm=name), "O1", 1)
    elif event.reason not in _MOVES:  # of those, the answer's first line tells how the points were used
        yield from _history(turn, event, index)


def _earlier_failures(turn: Inquiry, event: OrderSettled) -> Iterator[Explanation]:
    """Yield the earlier moves of an order's unit that failed for a reason of their own, with that reason."""
    key = turn.unit_of(event)
    followed = turn.followed(event.audience)
    for earlier in turn.settled(event.audience):
        _, order = followed.given(earlier)
        has_failed = isinstance(order, (March, Sail)) and earlier.fate is OrderOutcome.FAILED
        comes_before = (earlier.line, earlier.column) < (event.line, event.column)
        if has_failed and comes_before and earlier.reason != _EARLIER and turn.unit_of(earlier) == key:
            clause, why = turn.formatter.reason(earlier.reason, earlier.figures)
            had_failed = turn.phrase(
                "Line {line}, “{text}”, had failed in phase {phase}: {why}.",
                line=earlier.line,
                text=earlier.text,
                phase=earlier.phase,
                why=why,
            )
            yield Explanation(had_failed, clause, 1)


def _history(turn: Inquiry, event: OrderSettled, index: int) -> Iterator[Explanation]:
    """Yield what happened before the event ``index`` to an order's unit, and to what its refusal names."""
    texts = [text for text in event.figures.values() if isinstance(text, str)]
    units = [name for name in (turn.unit_of(event), *texts) if "/" in name]
    explanations: dict[Explanation, None] = {}
    for name in dict.fromkeys((*units, *(text for text in texts if text in turn.result.atlas.locations))):
        for happened in turn.about(name, until=index):
            # of a place only battles and changes of its owner count, not who passed it
            is_about_owner = hasattr(happened, "former") or hasattr(happened, "province")
            places = (getattr(happened, "place", ""), getattr(happened, "province", ""))
            if name in units or (is_about_owner and name in places) or isinstance(happened, BattleFought):
                explanations |= dict.fromkeys(_sentences(turn, happened))
    yield from explanations


def _sentences(turn: Inquiry, event: Event) -> Iterator[Explanation]:
    """Yield the sentences about an event, with clauses; an order's outcome is told elsewhere."""
    if isinstance(event, (TroopsChanged, CommandersChanged)):
        subject = event.troop if isinstance(event, TroopsChanged) else event.commander
        change = turn.phrase(
            "{unit}: {count} {subject} ({cause}).",
            unit=turn.formatter.unit(event.unit),
            count=signed(event.count),
            subject=subject,
            cause=turn.formatter.translate(event.cause),
        )
        yield Explanation(turn.in_phase(event, change), clause_of_step(event.step), 1)
    elif not isinstance(event, OrderSettled):
        yield from turn.sentence(event)
