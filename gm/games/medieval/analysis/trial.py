"""The expected results of a player's orders if no other realm gave any: played, not guessed (O2, H1).

The turn's own pipeline plays; this only watches it, step by step: each order's outcome and cost, and the
units' places in each phase.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from itertools import chain
from typing import Any, Self, TypeAlias, TypeGuard

from gm.core.codec import to_plain
from gm.core.diagnostics import Diagnostic, says
from gm.core.values import Event
from gm.core.yaml.source import Source
from gm.game.answers import PhasePlan, Preview, TriedOrder, Whereabouts
from gm.games.medieval.analysis.forecast import TRIALS, Forecast, Warned, all_rich, expected, is_open
from gm.games.medieval.analysis.forecast_lines import forecast_lines
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders import model
from gm.games.medieval.orders.model import Order, Orders
from gm.games.medieval.pipeline import FIRST, MOVEMENT, play_turn
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.state import World
from gm.games.medieval.state.strength import move_points_left
from gm.games.medieval.steps.outcomes import OrderOutcome, OrderSettled
from gm.games.medieval.steps.turn import Outcome, TreasuryChanged, Turn
from gm.text.languages import Translate
from gm.text.pages import gold

Place: TypeAlias = tuple[int, int, str]
"""Where an order is written and how: what an order and its outcome have in common."""

_PLANNED = (model.March, model.Sail, model.Hold, model.Unload, model.Board, model.Pillage)
USES_MOVES = (*_PLANNED, model.Build, model.Repair, model.Raze)
"""The orders that cost the unit itself move-points (P4, P5, P7, P8)."""

ORDERED_GOLD = frozenset(
    (
        "gold sent",
        "annexation",
        "troops",
        "commanders",
        "construction",
        "razed",
        "salvage",
        "pillage",
        "proclamation",
    )
)
"""What moves gold by an order of one's own; all else does so by itself."""

# the reason of L15 and L17 that a trial without the others cannot help giving
UNANSWERED = "offer-not-returned"
ALONE = says("tried without the orders of the other realms")


@dataclass(slots=True)
class Settled:
    """An order's outcome in one trial, with its cost (gold below 0: its gain)."""

    event: OrderSettled
    gold: Decimal = Decimal(0)
    moves: int = 0


def place_of(order: Order | OrderSettled) -> Place:
    """Return an order's, or its outcome's, place in the file."""
    written = order if isinstance(order, OrderSettled) else order.written
    return written.line, written.column, written.text


class Watched:
    """The effects of one realm's orders, gathered while the turn is played.

    ``units``: (reference, order) of every order to a unit, by its place in the file; ``chance``: dice were
    rolled that may fall otherwise.
    """

    def __init__(self, realm: str, sheet: Orders, rules: Rules) -> None:
        """Prepare for the orders of a realm."""
        self.orders: dict[Place, Settled] = {}
        self.chance = False
        self._realm = realm
        self._rules = rules
        self._phases: dict[int, World] = {}
        self.units: dict[Place, tuple[str, Any]] = {
            place_of(order): (order.unit, order) for order in sheet.units
        }
        for reference, entries in sheet.plans.items():
            self.units |= {place_of(entry): (reference, entry) for entry in entries}

    def __call__(self, stage: str, turn: Turn, outcome: Outcome) -> None:
        """Record one step's outcomes of the realm's orders, with their cost."""
        if stage in (FIRST.name, MOVEMENT.name):
            # the last step of a phase is written over those before it
            self._phases[turn.phase] = outcome.state
        own_outcomes = [Settled(event) for event in outcome.events if self._is_own(event)]
        if own_outcomes:
            self._count_gold(turn, own_outcomes, outcome.events)
        for settled in own_outcomes:
            reference, order = self.given(settled.event)
            unit = turn.state.unit(self._realm, reference)
            if (
                unit is not None
                and settled.event.fate is not OrderOutcome.FAILED
                and isinstance(order, USES_MOVES)
            ):
                had = move_points_left(unit, turn.state.done(unit), self._rules)
                settled.moves = max(0, had - move_points_left(unit, outcome.state.done(unit), self._rules))
            self.orders[place_of(settled.event)] = settled

    def given(self, event: OrderSettled) -> tuple[str, Any]:
        """Return (reference, order) of an order to a unit that was settled; neither for headquarters."""
        return self.units.get(place_of(event), ("", None))

    def _is_own(self, event: Event) -> TypeGuard[OrderSettled]:
        return isinstance(event, OrderSettled) and event.audience == self._realm

    def _count_gold(self, turn: Turn, settled_orders: list[Settled], events: Iterable[Event]) -> None:
        """Count gold that a step moves for the order that it settled last.

        Pillage is emitted before its orders are settled (M14), but there is one in a province at most.
        """
        outcomes = iter(settled_orders)
        last: Settled | None = None
        for event in events:
            if self._is_own(event):
                last = next(outcomes)
            elif (
                isinstance(event, TreasuryChanged)
                and event.realm == self._realm
                and event.what in ORDERED_GOLD
            ):
                cause = self._pillager(turn, settled_orders, event.place) if event.what == "pillage" else last
                if cause is not None:
                    cause.gold -= event.amount

    def _pillager(self, turn: Turn, settled_orders: list[Settled], place: str) -> Settled | None:
        """Return the carried out order, among ``settled_orders``, that pillaged a place; None without one."""
        for settled in (
            candidate for candidate in settled_orders if candidate.event.fate is OrderOutcome.DONE
        ):
            reference, order = self.given(settled.event)
            unit = turn.state.unit(self._realm, reference)
            if isinstance(order, model.Pillage) and unit is not None and unit.place == place:
                return settled
        return None

    def play(self, world: World, sheets: Mapping[str, Orders], atlas: Atlas, seed: str) -> Self:
        """Play a turn and watch its events; return this object, which then has each order's outcome."""
        events = play_turn(world, sheets, rules=self._rules, atlas=atlas, seed=seed, watch=self).events
        self.chance = is_open(events)
        return self

    @property
    def plan(self) -> tuple[PhasePlan, ...]:
        """The realm's armies and fleets, phase by phase; garrisons never move (W5)."""
        phases = []
        for phase, world in sorted(self._phases.items()):
            moving = (unit for unit in world.of_realm(self._realm) if not unit.is_garrison)
            points_left = ((unit, move_points_left(unit, world.done(unit), self._rules)) for unit in moving)
            whereabouts = {
                unit.key: Whereabouts(unit.place, unit.aboard or "", points) for unit, points in points_left
            }
            phases.append(PhasePlan(phase, whereabouts))
        return tuple(phases)


def try_orders(world: World, realm: str, sheet: Orders, rules: Rules, atlas: Atlas, seed: str) -> Watched:
    """Return the turn with this sheet alone.

    Other realms pay their upkeep, whatever is known of their treasuries.
    """
    return Watched(realm, sheet, rules).play(all_rich(world, but=realm), {realm: sheet}, atlas, seed)


def preview_orders(
    world: World,
    realm: str,
    sheet: Orders | None,
    rules: Rules,
    atlas: Atlas,
    source: Source,
    translate: Translate = str,
) -> Preview:
    """Return each order's result and cost, the plan by phase, and the realm's books for the turn (H1).

    An order that would fail or be reduced is also a warning at its line. Where dice decide, an order has a
    warning only if it fails in every one of several trials.
    """
    formatter = MedievalFormatter(world, sentences={}, translate=translate)
    tries: list[Watched] = []

    def beside(sheet: Orders) -> Watched:
        tries.append(Watched(realm, sheet, rules))
        return tries[-1]

    books, entries = expected(world, realm, sheet, rules, atlas, partial(beside, sheet) if sheet else None)
    spent = (-books.hq_expenses, -books.garrison_expenses, -books.upkeep)
    sums = tuple(zip((says("headquarters"), says("garrisons"), says("upkeep")), spent, strict=True))
    preview = Preview(
        findings=tuple(_low(books, rules, source.file)),
        books=forecast_lines(books, entries, world, realm, rules, formatter),
        sums=sums,
        figures=to_plain(books),
    )
    if sheet is None:
        return preview
    # one trial; several when chance may decide what becomes of the orders
    if len(tries) > 1:
        tries += [try_orders(world, realm, sheet, rules, atlas, seed) for seed in TRIALS[len(tries) :]]
    tried = tuple(_tried(tries, sheet, formatter))
    return preview.evolve(
        findings=(*(_finding(order, source) for order, fails in tried if fails), *preview.findings),
        orders=tuple(order for order, _ in tried),
        plan=tries[0].plan,
        ordered=_ordered(realm, sheet, tries[0].plan),
    )


def _tried(
    trials: Sequence[Watched], sheet: Orders, formatter: MedievalFormatter
) -> Iterator[tuple[TriedOrder, bool]]:
    """Yield every order by its place in the file, and whether it needs a warning.

    Where the trials differ, the order is open: it has the failure of one trial, and its cost when all went
    well. An offer is open too: no other realm could return it.
    """
    for place in sorted({place_of(order) for order in sheet.all_orders()}):
        outcomes = [trial.orders[place] for trial in trials]
        carried_out = [settled for settled in outcomes if settled.event.fate is OrderOutcome.DONE]
        event = next(
            (settled.event for settled in outcomes if settled.event.fate is not OrderOutcome.DONE),
            outcomes[0].event,
        )
        clause, why = formatter.reason(event.reason, event.figures) if event.reason else ("", "")
        offered = event.reason == UNANSWERED
        by_chance = len({settled.event.fate for settled in outcomes}) > 1
        hangs_on = says("the dice") if by_chance else ""
        if offered:
            hangs_on = says("the others")
        order = TriedOrder(
            line=event.line,
            column=event.column,
            order=event.text,
            fate=event.fate.value,
            hangs_on=hangs_on,
            reason=event.reason,
            figures=to_plain(event.figures),
            clause=clause,
            says=why,
            gold=(carried_out or outcomes)[0].gold,
            moves=(carried_out or outcomes)[0].moves,
        )
        yield order, not carried_out and not offered


def _finding(order: TriedOrder, source: Source) -> Diagnostic:
    would = "{0} would be reduced: {1}" if order.fate == OrderOutcome.REDUCED.value else "{0} would fail: {1}"
    message = says(would, order.order, order.says)
    position = (order.line, order.column, len(source.line(order.line).rstrip()) - order.column + 1)
    return source.diagnostic(
        f"trial/{order.reason}", message, *position, severity="warning", suggestion=ALONE, clause=order.clause
    )


def _ordered(realm: str, sheet: Orders, plan: Sequence[PhasePlan]) -> tuple[str, ...]:
    """Return the armies and fleets with a plan, those that the file forms, and those taken along."""
    ordered_units = {f"{realm}/{reference}" for reference, entries in sheet.plans.items() if entries}
    ordered_units |= {f"{realm}/{order.new_id}" for order in sheet.units if isinstance(order, model.FormUnit)}
    stops: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for key, at in chain.from_iterable(phase.units.items() for phase in plan):
        stops[key].add((at.place, at.aboard))
    return tuple(key for key, places in stops.items() if key in ordered_units or len(places) > 1)


def _low(forecast: Forecast, rules: Rules, file: str) -> Iterator[Diagnostic]:
    """Yield the warning about a shortfall of gold, or about little gold left (H1)."""
    sure = forecast.least == forecast.most
    if forecast.warning is Warned.SHORT:
        cost = "these orders cost {0} gold more than there is"
        message = says(
            cost if sure else "these orders may cost {0} gold more than there is", gold(-forecast.surplus)
        )
        yield Diagnostic("warning", "books/shortfall", message, file, clause="H1")
    elif forecast.warning is Warned.LOW:
        leave = "these orders leave {0} gold, less than {1}"
        pattern = leave if sure else "these orders may leave {0} gold, less than {1}"
        message = says(pattern, gold(forecast.surplus), gold(rules.forecast.warn_below))
        yield Diagnostic("warning", "books/low", message, file, clause="H1")
