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
from gm.games.medieval.steps.outcomes import OrderOutcome, OrderSettled, TreasuryChanged
from gm.games.medieval.steps.turn import Outcome, Turn
from gm.text.languages import Translate
from gm.text.pages import gold

Place: TypeAlias = tuple[int, int, str]
"""An order's line, column and text: what an order and its outcome have in common."""

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
"""The purposes of changes of gold by an own order; all others happen by themselves."""

# the reason with which every offer fails in a trial, where no other realm gives orders (L15, L17)
UNANSWERED = "offer-not-returned"
ALONE = says("tried without the orders of the other realms")


@dataclass(slots=True)
class Settled:
    """An order's outcome in one trial, with its cost."""

    event: OrderSettled
    gold: Decimal = Decimal(0)  # below 0: what it brings
    moves: int = 0  # move-points


def place_of(order: Order | OrderSettled) -> Place:
    """Return (line, column, text) in the file of an order, or of the order that an outcome is about."""
    written = order if isinstance(order, OrderSettled) else order.written
    return written.line, written.column, written.text


class Watched:
    """The effects of one realm's orders in a turn: it watches the turn's steps while they are played."""

    def __init__(self, realm: str, sheet: Orders, rules: Rules) -> None:
        """Prepare for the orders of a realm."""
        self.orders: dict[Place, Settled] = {}
        self.chance = False  # whether dice were rolled that decide something
        self._realm = realm
        self._rules = rules
        self._phases: dict[int, World] = {}  # the world after each phase, by its number
        # (reference, order) of every order to a unit
        self.units: dict[Place, tuple[str, Any]] = {
            place_of(order): (order.unit, order) for order in sheet.units
        }
        for reference, entries in sheet.plans.items():
            self.units |= {place_of(entry): (reference, entry) for entry in entries}

    def __call__(self, stage: str, turn: Turn, outcome: Outcome) -> None:
        """Record one step's outcomes of the realm's orders and their cost, and the world after each phase.

        ``turn``: as it was before the step; ``outcome``: what the step returned.
        """
        if stage in (FIRST.name, MOVEMENT.name):
            # the world after the last step of a phase remains
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
                points_before = move_points_left(unit, turn.state.done(unit), self._rules)
                points_after = move_points_left(unit, outcome.state.done(unit), self._rules)
                settled.moves = max(0, points_before - points_after)
            self.orders[place_of(settled.event)] = settled

    def given(self, event: OrderSettled) -> tuple[str, Any]:
        """Return (reference, order) of an order to a unit that was settled; ("", None) for headquarters."""
        return self.units.get(place_of(event), ("", None))

    def _is_own(self, event: Event) -> TypeGuard[OrderSettled]:
        """Return whether an event is the outcome of an order of the realm."""
        return isinstance(event, OrderSettled) and event.audience == self._realm

    def _count_gold(self, turn: Turn, settled_orders: list[Settled], events: Iterable[Event]) -> None:
        """Add the gold that a step takes from the treasury to the cost of the order that it settled before.

        ``settled_orders``: the realm's outcomes among the step's ``events``. Gold of pillaging comes before
        its order is settled (M14): it counts for the only order that pillaged the province.
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
        """Return the order that pillaged a place, among those that a step settled; None if none did."""
        carried_out = (settled for settled in settled_orders if settled.event.fate is OrderOutcome.DONE)
        for settled in carried_out:
            reference, order = self.given(settled.event)
            unit = turn.state.unit(self._realm, reference)
            if isinstance(order, model.Pillage) and unit is not None and unit.place == place:
                return settled
        return None

    def play(self, world: World, sheets: Mapping[str, Orders], atlas: Atlas, seed: str) -> Self:
        """Play a turn and watch its events; return this object, which then has each order's outcome.

        It also has in ``chance`` whether dice decided something about orders or gold.
        """
        events = play_turn(world, sheets, rules=self._rules, atlas=atlas, seed=seed, watch=self).events
        self.chance = is_open(events)
        return self

    @property
    def plan(self) -> tuple[PhasePlan, ...]:
        """Where the realm's armies and fleets are after each phase; garrisons never move (W5)."""
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
    """Return the effects of a realm's orders in the turn after ``world``, in which no other realm gives any.

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
    # without the sentences of events, which are not needed here
    formatter = MedievalFormatter(world, sentences={}, translate=translate)
    trials: list[Watched] = []

    def new_trial(sheet: Orders) -> Watched:
        """Return a watcher of the orders in a turn that is about to be played, and keep it."""
        trials.append(Watched(realm, sheet, rules))
        return trials[-1]

    # each turn that the forecast plays with the realm's own gold is a trial of its orders too
    forecast, entries = expected(
        world, realm, sheet, rules, atlas, partial(new_trial, sheet) if sheet else None
    )
    spent = (-forecast.hq_expenses, -forecast.garrison_expenses, -forecast.upkeep)
    sums = tuple(zip((says("headquarters"), says("garrisons"), says("upkeep")), spent, strict=True))
    preview = Preview(
        findings=tuple(_gold_warnings(forecast, rules, source.file)),
        books=forecast_lines(forecast, entries, world, realm, rules, formatter),
        sums=sums,
        figures=to_plain(forecast),
    )
    if sheet is None:
        return preview
    # there is one trial, or several if chance decides something: then as many as there are seeds
    if len(trials) > 1:
        trials += [try_orders(world, realm, sheet, rules, atlas, seed) for seed in TRIALS[len(trials) :]]
    tried = tuple(_tried_orders(trials, sheet, formatter))
    return preview.evolve(
        findings=(*(_finding(order, source) for order, fails in tried if fails), *preview.findings),
        orders=tuple(order for order, _ in tried),
        plan=trials[0].plan,  # one example, where dice decide how units move
        ordered=_ordered_units(realm, sheet, trials[0].plan),
    )


def _tried_orders(
    trials: Sequence[Watched], sheet: Orders, formatter: MedievalFormatter
) -> Iterator[tuple[TriedOrder, bool]]:
    """Yield (order, whether it needs a warning) for every order, in the order of the file.

    An order that fails in some of the trials depends on the dice: it is returned with the failure of one
    trial and the cost of another, in which it was carried out. An offer depends on the others: no other realm
    could return it.
    """
    for place in sorted({place_of(order) for order in sheet.all_orders()}):
        outcomes = [trial.orders[place] for trial in trials]
        carried_out = [settled for settled in outcomes if settled.event.fate is OrderOutcome.DONE]
        failures = [settled for settled in outcomes if settled.event.fate is not OrderOutcome.DONE]
        event = (failures or outcomes)[0].event
        clause, why = formatter.reason(event.reason, event.figures) if event.reason else ("", "")
        is_offer = event.reason == UNANSWERED
        by_chance = len({settled.event.fate for settled in outcomes}) > 1
        hangs_on = says("the dice") if by_chance else ""
        if is_offer:
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
        yield order, not carried_out and not is_offer


def _finding(order: TriedOrder, source: Source) -> Diagnostic:
    """Return the warning, at the order's line, that it would fail or be reduced."""
    would = "{0} would be reduced: {1}" if order.fate == OrderOutcome.REDUCED.value else "{0} would fail: {1}"
    message = says(would, order.order, order.says)
    # line, column, and length: up to the end of the line
    position = (order.line, order.column, len(source.line(order.line).rstrip()) - order.column + 1)
    return source.diagnostic(
        f"trial/{order.reason}", message, *position, severity="warning", suggestion=ALONE, clause=order.clause
    )


def _ordered_units(realm: str, sheet: Orders, plan: Sequence[PhasePlan]) -> tuple[str, ...]:
    """Return the keys of the units in ``plan`` that have a plan of their own, are formed, or are taken along.

    ``plan``: where the realm's armies and fleets are in each phase.
    """
    keys_with_orders = {f"{realm}/{reference}" for reference, entries in sheet.plans.items() if entries}
    keys_with_orders |= {
        f"{realm}/{order.new_id}" for order in sheet.units if isinstance(order, model.FormUnit)
    }
    # by key: the (place, fleet that carries it) where a unit is in any phase
    stops: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for key, whereabouts in chain.from_iterable(phase.units.items() for phase in plan):
        stops[key].add((whereabouts.place, whereabouts.aboard))
    return tuple(key for key, places in stops.items() if key in keys_with_orders or len(places) > 1)


def _gold_warnings(forecast: Forecast, rules: Rules, file: str) -> Iterator[Diagnostic]:
    """Yield the warning about a shortfall of gold, or about little gold left (H1)."""
    is_sure = forecast.least == forecast.most
    if forecast.warning is Warned.SHORT:
        cost = "these orders cost {0} gold more than there is"
        message = says(
            cost if is_sure else "these orders may cost {0} gold more than there is", gold(-forecast.surplus)
        )
        yield Diagnostic("warning", "books/shortfall", message, file, clause="H1")
    elif forecast.warning is Warned.LOW:
        leave = "these orders leave {0} gold, less than {1}"
        pattern = leave if is_sure else "these orders may leave {0} gold, less than {1}"
        message = says(pattern, gold(forecast.surplus), gold(rules.forecast.warn_below))
        yield Diagnostic("warning", "books/low", message, file, clause="H1")
