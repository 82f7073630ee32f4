"""One realm's orders played without anybody else's: what became of each, what it cost, who is where in each phase.

The turn's own pipeline plays; this only watches it, step by step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias, TypeGuard

from gm.core.events import DiceRolled, Event
from gm.core.values import Record
from gm.game.answers import PhasePlan, Whereabouts
from gm.games.medieval.analysis.forecast import all_rich
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders import model
from gm.games.medieval.orders.model import Order, Orders
from gm.games.medieval.pipeline import FIRST, MOVEMENT, play_turn
from gm.games.medieval.state import World
from gm.games.medieval.state.strength import move_points_left
from gm.games.medieval.steps.turn import Fate, OrderSettled, Outcome, TreasuryChanged, Turn

Place: TypeAlias = tuple[int, int, str]
"""Where an order is written and how: what an order and its outcome have in common."""

_PLANNED = (model.March, model.Sail, model.Hold, model.Unload, model.Board, model.Pillage)
USES_MOVES = (*_PLANNED, model.Build, model.Repair, model.Raze)
"""The orders that cost the unit itself move-points (P4, P5, P7, P8)."""

ORDERED_GOLD = frozenset(
    ("gold sent", "annexation", "troops", "commanders", "construction", "razed", "salvage", "pillage", "proclamation")
)
"""What moves gold by an order of one's own; all else does so by itself."""

OF_NO_ACCOUNT = ("commanders_hired",)  # Steps whose dice decide no order: who is hired, not whether (L5)


@dataclass(slots=True)
class Settled:
    """An order's outcome in one trial, with what it cost (gold below 0: what it brought)."""

    event: OrderSettled
    gold: Decimal = Decimal(0)
    moves: int = 0


class Trial(Record):
    """One turn tried. ``chance``: dice were rolled that another seed may let fall otherwise."""

    orders: Mapping[Place, Settled]
    plan: tuple[PhasePlan, ...]
    chance: bool


def try_orders(world: World, realm: str, sheet: Orders, rules: Rules, atlas: Atlas, seed: str) -> Trial:
    """The turn with this sheet alone. Other realms pay their upkeep, whatever is known of their treasuries."""
    watched = Watched(realm, sheet, rules)
    rich = all_rich(world, but=realm)
    events = play_turn(rich, {realm: sheet}, rules=rules, atlas=atlas, seed=seed, watch=watched).events
    chance = any(isinstance(event, DiceRolled) and event.step not in OF_NO_ACCOUNT for event in events)
    return Trial(watched.orders, tuple(watched.plan()), chance)


def place_of(order: Order | OrderSettled) -> Place:
    """An order's, or its outcome's, place in the file."""
    written = order if isinstance(order, OrderSettled) else order.written
    return written.line, written.column, written.text


class Watched:
    """What one realm's orders did, gathered while the turn is played."""

    def __init__(self, realm: str, sheet: Orders, rules: Rules) -> None:
        self.orders: dict[Place, Settled] = {}
        self._realm = realm
        self._rules = rules
        self._phases: dict[int, World] = {}
        self._units: dict[Place, tuple[str, Order]] = {place_of(order): (order.unit, order) for order in sheet.units}
        for reference, entries in sheet.plans.items():
            self._units |= {place_of(entry): (reference, entry) for entry in entries}

    def __call__(self, stage: str, seen: Turn, outcome: Outcome) -> None:
        """Called after each step of the turn."""
        if stage == FIRST.name or stage == MOVEMENT.name:
            # the last step of a phase is written over those before it
            self._phases[seen.phase] = outcome.state
        here = [Settled(event) for event in outcome.events if self._is_own(event)]
        if here:
            self._count_gold(seen, here, outcome.events)
        for each in here:
            each.moves = self._moves(seen, outcome.state, each.event)
            self.orders[place_of(each.event)] = each

    def _is_own(self, event: Event) -> TypeGuard[OrderSettled]:
        return isinstance(event, OrderSettled) and event.audience == self._realm

    def _count_gold(self, seen: Turn, here: list[Settled], events: Iterable[Event]) -> None:
        """Gold that a step moves belongs to the order that it settled last.

        Pillage is told before its orders are settled (M14), but there is one in a province at most.
        """
        outcomes = iter(here)
        last: Settled | None = None
        for event in events:
            if self._is_own(event):
                last = next(outcomes)
            elif isinstance(event, TreasuryChanged) and event.realm == self._realm and event.what in ORDERED_GOLD:
                cause = self._pillager(seen, here, event.place) if event.what == "pillage" else last
                if cause is not None:
                    cause.gold -= event.amount

    def _pillager(self, seen: Turn, here: list[Settled], place: str) -> Settled | None:
        for each in here:
            reference, order = self._units.get(place_of(each.event), ("", None))
            unit = seen.state.unit(self._realm, reference)
            if (
                isinstance(order, model.Pillage)
                and each.event.fate is Fate.DONE
                and unit is not None
                and unit.place == place
            ):
                return each
        return None

    def _moves(self, seen: Turn, after: World, event: OrderSettled) -> int:
        """How many move-points the order took from the unit that it was given to."""
        reference, order = self._units.get(place_of(event), ("", None))
        unit = seen.state.unit(self._realm, reference)
        if unit is None or event.fate is Fate.FAILED or not isinstance(order, USES_MOVES):
            return 0
        had = move_points_left(unit, seen.state.done(unit), self._rules)
        return max(0, had - move_points_left(unit, after.done(unit), self._rules))

    def plan(self) -> Iterator[PhasePlan]:
        """The realm's armies and fleets, phase by phase; garrisons never move (W5)."""
        for phase, world in sorted(self._phases.items()):
            moving = [unit for unit in world.of_realm(self._realm) if not unit.is_garrison]
            left = {unit.key: move_points_left(unit, world.done(unit), self._rules) for unit in moving}
            yield PhasePlan(
                phase, {unit.key: Whereabouts(unit.place, unit.aboard or "", left[unit.key]) for unit in moving}
            )
