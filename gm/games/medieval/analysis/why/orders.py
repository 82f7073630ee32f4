"""A played turn for questions about it, and why an order was carried out, in part or not at all."""

from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from gm.core.values import Event
from gm.game.answers import Explanation
from gm.games.medieval.analysis.trial import Place, Watched, place_of
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events import CommandersChanged, TroopsChanged
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.orders.model import March, Order, Orders, Sail
from gm.games.medieval.pipeline import STEPS
from gm.games.medieval.report.battle_entries import BattleEntry, battle_entries
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.report.gold_rows import clause_of_step
from gm.games.medieval.report.turn_result import MedievalResult
from gm.games.medieval.state import Unit, World
from gm.games.medieval.state.strength import move_points_left, pace
from gm.games.medieval.steps.movement import march_cost
from gm.games.medieval.steps.outcomes import OrderOutcome, OrderSettled, TreasuryChanged
from gm.games.medieval.steps.turn import Outcome, Turn
from gm.text.pages import counted, gold, signed

_TITLES = {step.name: step.title for step in STEPS}
_OUTCOME = {
    OrderOutcome.DONE: "was carried out",
    OrderOutcome.REDUCED: "was carried out in part",
    OrderOutcome.FAILED: "was not carried out",
}
# reasons of refusals
_MOVES = ("needs-move-points", "hold-needs-move-points")
_EARLIER = "earlier-move-failed"


class Moment(NamedTuple):
    """The phase and step of a turn in which something happened, and the world before that step."""

    phase: int
    step: str
    world_before: World


class Followed(Watched):
    """One realm's orders in a turn that is played once more.

    ``moments``: when each order was settled; ``spent``: by unit key, when the unit lost its other move-points
    (P7).
    """

    def __init__(self, realm: str, sheet: Orders, rules: Rules) -> None:
        super().__init__(realm, sheet, rules)
        self.moments: dict[Place, Moment] = {}
        self.spent: dict[str, Moment] = {}

    def __call__(self, stage: str, turn: Turn, outcome: Outcome) -> None:
        """Record when each order was settled, and when each of the realm's units ran out of move-points."""
        orders_before = set(self.orders)
        super().__call__(stage, turn, outcome)
        moment = Moment(turn.phase, turn.step, turn.state)
        self.moments |= dict.fromkeys(self.orders.keys() - orders_before, moment)
        for unit in outcome.state.of_realm(self._realm):
            if outcome.state.done(unit).spent:
                self.spent.setdefault(unit.key, moment)


class Inquiry:
    """A played turn to which questions are asked. ``opened``: the world that the turn started from."""

    def __init__(self, result: MedievalResult, opened: World) -> None:
        self.result = result
        self.opened = opened
        self.formatter = MedievalFormatter(result.before, result.after)
        self._followed: dict[str, Followed] = {}  # by realm

    @cached_property
    def battles(self) -> tuple[BattleEntry, ...]:
        """The turn's battles, as in the public report."""
        return battle_entries(self.result.public, self.formatter)

    def followed(self, realm: str) -> Followed:
        """Return a realm's orders, followed while the turn is played once more with the same dice."""
        if realm not in self._followed:
            result = self.result
            seed = self.result.proof.seed if self.result.proof else ""
            self._followed[realm] = Followed(realm, result.sheets[realm], result.rules)
            self._followed[realm].play(self.opened, result.sheets, result.atlas, seed)
        return self._followed[realm]

    def settled(self, realm: str) -> list[OrderSettled]:
        """Return the outcomes of a realm's orders, in the order of its file."""
        own_events = (
            event
            for event in self.result.events
            if isinstance(event, OrderSettled) and event.audience == realm
        )
        return sorted(own_events, key=lambda event: (event.line, event.column))

    def unit_of(self, event: OrderSettled) -> str:
        """Return the key of the unit that an order was given to; empty for headquarters."""
        realm = event.audience
        reference, _ = self.followed(realm).given(event)
        if not reference:
            return ""
        unit = self.opened.unit(realm, reference) or self.result.after.unit(realm, reference)
        return unit.key if unit is not None else f"{realm}/{reference}"

    def sentence(self, event: Event) -> Iterator[Explanation]:
        """Yield an event in words, with the clause of its step; nothing for one without a sentence."""
        text = self.formatter.format_event(event)
        if isinstance(event, BattleFought):
            entry = next((entry for entry in self.battles if entry.report is event.report), None)
            text = f"{entry.title}: {entry.sides}. {entry.result}" if text and entry else text
        if text:
            yield Explanation(f"{_phase_of(event)}{text}", clause_of_step(event.step), 1)

    def booked(self, event: TreasuryChanged, balance: str = "") -> Explanation:
        """Return a change of a treasury, with the gold after it; ``balance``: words behind that amount."""
        place_words = f" at {event.place}" if event.place else ""
        change = f"{signed(event.amount)} for {event.what}{place_words}: {gold(event.balance)}{balance}."
        return Explanation(change, clause_of_step(event.step), 1)

    def about(self, name: str, *, until: int | None = None) -> Iterator[Event]:
        """Return the events before the index ``until`` that name a unit (by key) or place, in their order."""
        return (event for event in self.result.events[:until] if _is_about(event, name))


def _phase_of(event: Event) -> str:
    """Return the text in front of a sentence about an event: ``Phase 2: ``; empty if it was in no phase."""
    return f"Phase {event.phase}: " if event.phase else ""


def _is_about(event: Event, name: str) -> bool:
    """Return whether an event is about a place or a unit; ``name``: the place's name or the unit's key."""
    if isinstance(event, BattleFought):
        report = event.report
        return name in (report.place, report.other_place) or any(unit.unit == name for unit in report.units)
    values = (getattr(event, field) for field in event.__struct_fields__)
    return any(value == name or (isinstance(value, (tuple, list)) and name in value) for value in values)


def unit_answer(turn: Inquiry, realm: str, reference: str) -> Iterator[Explanation]:
    """Yield where a unit began and ended the turn, its orders, and other events. ``reference``: its id."""
    key = f"{realm}/{reference}"
    name = turn.formatter.own_unit(realm, reference)
    unit = turn.opened.units.get(key)
    unit_after = turn.result.after.units.get(key)
    if unit is not None:
        points = counted(pace(unit, turn.result.rules), "move-point")
        yield Explanation(f"{name} began the turn {_where(unit)}, with {points}.", "P3")
    else:
        yield Explanation(f"{name} was not there when the turn began.")
    orders = [event for event in turn.settled(realm) if turn.unit_of(event) == key]
    for order in orders:
        yield from _order_answer(turn, order)
    if not orders:
        yield Explanation("It had no orders.")
    events = (other_event for other_event in turn.about(key) if not isinstance(other_event, OrderSettled))
    happened = list(chain.from_iterable(map(turn.sentence, events)))
    if happened:
        yield Explanation("What happened to it:")
        yield from happened
    yield Explanation(
        f"At the end of the turn {name} was {'no more' if unit_after is None else _where(unit_after)}."
    )


def _where(unit: Unit) -> str:
    """Return the place of a unit in words."""
    return f"aboard {unit.aboard}" if unit.aboard else f"at {unit.place}"


def line_answer(turn: Inquiry, realm: str, line: int) -> Iterator[Explanation]:
    """Yield what became of the orders in a line, understood or not. Raises ``ValueError`` if it has none."""
    refused = list(_refused_lines(turn, realm, line))
    yield from refused
    orders = [event for event in turn.settled(realm) if event.line == line]
    if not orders and not refused:
        lines = sorted({event.line for event in turn.settled(realm)})
        near = min(lines, key=lambda other: (abs(other - line), other), default=None)
        hint = f"; the nearest is in line {near}" if near is not None else ""
        raise ValueError(f"no order of {realm} stands in line {line}{hint}")
    for event in orders:
        yield from _order_answer(turn, event)


def realm_answer(turn: Inquiry, realm: str) -> Iterator[Explanation]:
    """Yield every order of a realm that did not go as it was written, and how many did."""
    yield from _refused_lines(turn, realm)
    orders = turn.settled(realm)
    failed_orders = [event for event in orders if event.fate is not OrderOutcome.DONE]
    for order in failed_orders:
        yield from _order_answer(turn, order)
    done_words = counted(len(orders) - len(failed_orders), "order")
    yield Explanation(f"{done_words} of {len(orders)} came out as written.", "O2")


def _refused_lines(turn: Inquiry, realm: str, line: int | None = None) -> Iterator[Explanation]:
    """Yield the lines of a realm's file that could not be read as orders, or only that of this number."""
    for finding in turn.result.refused(realm):
        if line in (None, finding.line):
            sentence = f"Line {finding.line} could not be read as an order: {finding.message}."
            yield Explanation(sentence, finding.clause or "O7")


def _order_answer(turn: Inquiry, event: OrderSettled) -> Iterator[Explanation]:
    """Yield the answer about one order: its outcome, and below it the events that it depends on."""
    followed = turn.followed(event.audience)
    when = f" in phase {event.phase}" if event.phase else ""
    clause = clause_of_step(event.step)
    head = (
        f"Line {event.line}, “{event.text}”, {_OUTCOME[event.fate]}{when} "
        f"({_TITLES.get(event.step, event.step)})"
    )
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
        yield Explanation(f"It took {counted(settled.moves, 'move-point')}.", "P4", 1)
    if settled.gold:
        yield Explanation(
            f"It {'cost' if settled.gold > 0 else 'brought'} {gold(abs(settled.gold))} gold.", "", 1
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
        return f"{land} has changed its owner this turn, P4"
    enemy = "the enemy " if world.is_enemy_land(event.audience, land) else ""
    return f"land of {enemy}{turn.formatter.with_articles().realm(world.provinces[land].owner)}, P4"


def _uses(turn: Inquiry, followed: Followed, event: OrderSettled) -> Iterator[str]:
    """Yield in words the earlier uses of a unit's move-points, and their loss by another step of the turn."""
    key = turn.unit_of(event)
    moments_of_orders: set[tuple[int, str]] = set()  # (phase, step)
    for place, settled in sorted(followed.orders.items()):
        moment = followed.moments[place]
        if settled.moves and moment.phase < event.phase and turn.unit_of(settled.event) == key:
            used = _use_in_words(settled.event.text, followed.given(settled.event)[1])
            yield f"used {settled.moves} for {used} in phase {moment.phase}"
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
        when = f" in phase {spent.phase}" if spent.phase else ""
        if points_left:
            yield f"lost the other {points_left} by “{_TITLES.get(spent.step, spent.step)}”{when} (P7)"


def _use_in_words(text: str, order: Order) -> str:
    """Return what move-points were used for; ``text``: the order's in the file."""
    if isinstance(order, March):
        return f"the march to {order.province}"
    return f"the voyage to {order.place}" if isinstance(order, Sail) else f"“{text}”"


def _causes(turn: Inquiry, event: OrderSettled) -> Iterator[Explanation]:
    """Yield what explains why an order failed or was reduced: gold, earlier orders, other offers, events."""
    index = next(index for index, other in enumerate(turn.result.events) if other is event)
    if event.reason == "gold-too-little":
        treasury = turn.opened.realms[event.audience].treasury
        yield Explanation(f"The treasury began with {gold(treasury)} gold.", "L3.1", 1)
        for change in turn.result.events[:index]:
            if isinstance(change, TreasuryChanged) and change.realm == event.audience and change.amount:
                yield turn.booked(change, " left")
    elif event.reason == _EARLIER:
        yield from _earlier_failures(turn, event)
    elif event.reason == "offer-not-returned":
        other_realm = str(event.figures.get("other", ""))
        name = turn.formatter.with_articles().realm(other_realm)
        if other_realm in turn.result.sheets:
            yield Explanation(f"The orders of {name} held no such offer.", "L15", 1)
        else:
            yield Explanation(f"There were no orders of {name}.", "O1", 1)
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
            yield Explanation(
                f"Line {earlier.line}, “{earlier.text}”, had failed in phase {earlier.phase}: {why}.",
                clause,
                1,
            )


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
        change = f"{turn.formatter.unit(event.unit)}: {signed(event.count)} {subject} ({event.cause})."
        yield Explanation(f"{_phase_of(event)}{change}", clause_of_step(event.step), 1)
    elif not isinstance(event, OrderSettled):
        yield from turn.sentence(event)
