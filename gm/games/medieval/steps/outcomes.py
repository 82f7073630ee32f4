"""The outcomes of orders (O2), the refusals that lead to them, and the plans of units (O5, O6)."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, TypeAlias

from gm.core import pipeline
from gm.core.values import Event, Record
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.model import Order, Orders, PlanEntry
from gm.games.medieval.state import TurnProgress, Unit, World, in_order
from gm.games.medieval.state.world import OpenPlans

Turn: TypeAlias = pipeline.Turn[World, Rules, Atlas, Orders]


class Refusal(Record):
    """The reason why an order cannot be carried out.

    ``reason`` is a key in rules/medieval/reasons/, which gives the clause and the sentence; ``figures`` are
    the values of the sentence's fields ("needs 2 move-points, has 1"). A function ``why_not_...`` returns the
    first reason that it finds, or None if it finds none.
    """

    reason: str
    figures: Mapping[str, Any] = {}


def refuse(reason: str, **figures: Any) -> Refusal:
    """Return a refusal for a reason in rules/medieval/reasons/, with the values of its sentence."""
    return Refusal(reason, figures)


def unless(holds: object, reason: str, **figures: Any) -> Refusal | None:
    """Return None if a condition holds (is true as a bool), else a refusal as :func:`refuse` makes it."""
    return None if holds else Refusal(reason, figures)


class OrderOutcome(StrEnum):
    """The outcome of an order (O2)."""

    DONE = "done"
    REDUCED = "reduced"
    FAILED = "failed"


class OrderSettled(Event):
    """One order's outcome, private to its realm."""

    fate: OrderOutcome
    # where the order stands in the realm's file, from 1, and how it is written there
    line: int
    column: int
    text: str
    # as in a Refusal; empty if it was done
    reason: str = ""
    figures: Mapping[str, Any] = {}


def sheets(turn: Turn) -> Iterator[tuple[str, Orders]]:
    """Yield (realm code, orders) of the orders that count, by code.

    The orders of defeated realms do not, nor those that a palace coup made void (F0).
    """
    for realm in sorted(turn.orders):
        if realm not in turn.state.progress.void and not turn.state.realms[realm].defeated:
            yield realm, turn.orders[realm]


def settled(
    realm: str, order: Order, refusal: Refusal | None = None, *, reduced: bool = False
) -> OrderSettled:
    """Return the event of an order's outcome.

    Without a refusal the order was done. With one it failed, or, if ``reduced``, was done in part.
    """
    written = order.written
    done = OrderSettled(
        audience=realm,
        fate=OrderOutcome.DONE,
        line=written.line,
        column=written.column,
        text=written.text,
    )
    if refusal is None:
        return done
    fate = OrderOutcome.REDUCED if reduced else OrderOutcome.FAILED
    return done.evolve(fate=fate, reason=refusal.reason, figures=refusal.figures)


class Plans:
    """The plans of a turn as one step reads and settles them.

    A plan is named ``realm/reference``: by the id of its unit, or by a province for the garrison there.
    ``events`` are the outcomes that this step has settled; :meth:`world` stores them in a world.
    """

    def __init__(self, turn: Turn) -> None:
        """Read the plans as the step before left them."""
        # by name of a plan: the indexes of its settled entries, all entries, the first entry not settled
        self._settled: dict[str, frozenset[int]] = dict(turn.state.progress.settled)
        self._sheets = tuple(sheets(turn))
        self._plans, self._heads = self._open_plans(turn.state.progress)
        self.events: list[Event] = []

    def name(self, unit: Unit) -> str:
        """Return the name of a unit's plan, whether it has one or not.

        A garrison's is by its province, if there is none by its id.
        """
        key = unit.key
        return key if key in self._plans or not unit.is_garrison else f"{unit.realm}/{unit.place}"

    def names(self) -> Iterator[str]:
        """Return the names of all plans with entries left, realms by code, plans as in the file."""
        return iter(tuple(self._heads))  # a copy: whoever reads it settles entries meanwhile

    def left(self, plan: Unit | str) -> list[tuple[int, PlanEntry]]:
        """Return (index, entry) of the entries not settled yet, in order, of a unit or of a plan by name."""
        name = plan if isinstance(plan, str) else self.name(plan)
        if name not in self._heads:
            return []
        settled_indexes = self._settled.get(name, ())
        return [
            (index, entry) for index, entry in enumerate(self._plans[name]) if index not in settled_indexes
        ]

    def at_head(self, world: World, *kinds: type[Order]) -> list[Unit]:
        """Return the units whose first entry not settled is of these kinds, in the order of W12."""
        units = [self._unit(world, name) for name, entry in self._heads.items() if isinstance(entry, kinds)]
        return in_order(unit for unit in units if unit is not None)

    def with_plans(self, world: World) -> Iterator[Unit]:
        """Return the units with entries left."""
        units = (self._unit(world, name) for name in self._heads)
        return (unit for unit in units if unit is not None)

    def settle(
        self, plan: Unit | str, index: int, refusal: Refusal | None = None, *, reduced: bool = False
    ) -> None:
        """Settle an entry for good and add its outcome to the events, as :func:`settled` makes it."""
        name = plan if isinstance(plan, str) else self.name(plan)
        entries = self._plans.get(name, ())
        settled_before = self._settled.get(name)
        self._settled[name] = settled_before | {index} if settled_before else frozenset((index,))
        head = self._first_left(name, entries)
        if head is None:
            self._heads.pop(name, None)
        else:
            self._heads[name] = head
        self.events.append(settled(name.partition("/")[0], entries[index], refusal, reduced=reduced))

    def drop(self, plan: Unit | str, refusal: Refusal, *kinds: type[Order]) -> None:
        """Settle the entries left of a plan as failed, all of them or those of these kinds (O6, P7)."""
        for index, entry in self.left(plan):
            if not kinds or isinstance(entry, kinds):
                self.settle(plan, index, refusal)

    def world(self, world: World) -> World:
        """Return the world with what was settled here recorded in its progress."""
        if not self.events:
            return world
        settled_indexes = dict(self._settled)
        plans = OpenPlans(self._sheets, settled_indexes, self._plans, dict(self._heads))
        return world.evolve(progress=world.progress.evolve(settled=settled_indexes, plans=plans))

    def _open_plans(
        self, progress: TurnProgress
    ) -> tuple[Mapping[str, tuple[PlanEntry, ...]], dict[str, PlanEntry]]:
        """Return all entries of each plan, and its first entry not settled if there is one, by its name."""
        # from the step before, unless orders or settled entries are others now
        open_plans = progress.plans
        if open_plans and open_plans.settled is progress.settled and open_plans.sheets == self._sheets:
            return open_plans.entries, dict(open_plans.heads)
        plans = {
            f"{realm}/{reference}": plan
            for realm, sheet in self._sheets
            for reference, plan in sheet.plans.items()
        }
        heads = {name: self._first_left(name, entries) for name, entries in plans.items()}
        return plans, {name: head for name, head in heads.items() if head is not None}

    def _first_left(self, name: str, entries: tuple[PlanEntry, ...]) -> PlanEntry | None:
        """Return the first entry of a plan that is not settled; None if all are."""
        settled_indexes = self._settled.get(name, frozenset())
        return next((entry for index, entry in enumerate(entries) if index not in settled_indexes), None)

    def _unit(self, world: World, name: str) -> Unit | None:
        """Return the unit that carries out a plan, the reverse of :meth:`name`; None if there is none."""
        unit = world.units.get(name)
        if unit:
            return unit
        realm, _, place = name.partition("/")
        garrisons = (unit for unit in world.at(place) if unit.is_garrison and unit.realm == realm)
        return next((unit for unit in garrisons if unit.key not in self._plans), None)
