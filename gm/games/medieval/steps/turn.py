"""What every medieval step shares: the turn's type, refusals, each order's fate, and whose orders count."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
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
Outcome: TypeAlias = pipeline.Outcome[World]


class Refusal(Record):
    """Why an order cannot be carried out. ``reason`` is a key in rules/medieval/reasons/, which gives the clause and
    the sentence; ``figures`` fill the sentence in ("needs 2 move-points, has 1")."""

    reason: str
    figures: Mapping[str, Any] = {}


def refuse(reason: str, **figures: Any) -> Refusal:
    """A refusal for a reason of rules/medieval/reasons/."""
    return Refusal(reason, figures)


def unless(holds: object, reason: str, **figures: Any) -> Refusal | None:
    """A refusal when a condition does not hold."""
    return None if holds else Refusal(reason, figures)


class Fate(StrEnum):
    """What became of an order (O2)."""

    DONE = "done"
    REDUCED = "reduced"
    FAILED = "failed"


class OrderSettled(Event):
    """One order's outcome, private to its realm. ``reason`` and ``figures`` as in :class:`Refusal`; empty when done."""

    fate: Fate
    line: int
    column: int
    text: str
    reason: str = ""
    figures: Mapping[str, Any] = {}


def settled(realm: str, order: Order, refusal: Refusal | None = None, *, reduced: bool = False) -> OrderSettled:
    """The outcome of ``order``: done without a refusal, failed with one, reduced with one and ``reduced``."""
    fate = Fate.DONE if refusal is None else Fate.REDUCED if reduced else Fate.FAILED
    written: dict[str, Any] = {"line": order.written.line, "column": order.written.column, "text": order.written.text}
    if refusal is not None:
        written |= {"reason": refusal.reason, "figures": refusal.figures}
    return OrderSettled(audience=realm, fate=fate, **written)


class TreasuryChanged(Event):
    """Gold moved, private to the realm: each change of a treasury has exactly one of these."""

    realm: str
    amount: Decimal
    what: str
    """What for: a key such as ``upkeep``, ``revenue``, ``gold sent``, ``gold received``, ``pillage``, ``decay``."""
    place: str = ""
    balance: Decimal = Decimal(0)  # the treasury after it


def sheets(turn: Turn) -> Iterator[tuple[str, Orders]]:
    """The order sheets that count, by realm code: not those that a palace coup made void (F0)."""
    for realm in sorted(turn.orders):
        if realm not in turn.state.progress.void and not turn.state.realms[realm].defeated:
            yield realm, turn.orders[realm]


class Plans:
    """The plans of a turn as one step sees and settles them: local to the step, which takes the result with it.
    ``left`` lists what a unit still has to do; ``settle`` reports an entry's fate once; ``world`` puts the marks into a
    state. ``events`` are the outcomes so far."""

    def __init__(self, turn: Turn) -> None:
        self._settled: dict[str, frozenset[int]] = dict(turn.state.progress.settled)
        self._sheets = tuple(sheets(turn))
        self._plans, self._heads = self._open_plans(turn.state.progress)
        self.events: list[Event] = []

    def name(self, unit: Unit) -> str:
        """The plan's name: realm/reference. A garrison's may stand under its province's name."""
        key = unit.key
        return key if key in self._plans or not unit.is_garrison else f"{unit.realm}/{unit.place}"

    def names(self) -> Iterator[str]:
        """Every plan that counts and has anything left, realms by code, plans as in the file."""
        return iter(tuple(self._heads))

    def left(self, plan: Unit | str) -> list[tuple[int, PlanEntry]]:
        """(index, entry) of what is still to be done, in order; of a unit or of a plan by name."""
        name = plan if isinstance(plan, str) else self.name(plan)
        if name not in self._heads:
            return []
        settled_already = self._settled.get(name, ())
        return [(index, entry) for index, entry in enumerate(self._plans[name]) if index not in settled_already]

    def at_head(self, world: World, *kinds: type[Order]) -> list[Unit]:
        """The units whose first entry left is one of these kinds, by W12. Only open plans are looked at."""
        found = [self._unit(world, name) for name, entry in self._heads.items() if isinstance(entry, kinds)]
        return in_order(unit for unit in found if unit is not None)

    def with_plans(self, world: World) -> Iterator[Unit]:
        """The units that have anything left."""
        return (unit for name in self._heads if (unit := self._unit(world, name)) is not None)

    def settle(self, plan: Unit | str, index: int, refusal: Refusal | None = None, *, reduced: bool = False) -> None:
        """Deal with an entry for good and report its fate (as :func:`settled`)."""
        name = plan if isinstance(plan, str) else self.name(plan)
        entries = self._plans.get(name, ())
        before = self._settled.get(name)
        self._settled[name] = before | {index} if before else frozenset((index,))
        head = self._first_left(name, entries)
        if head is None:
            self._heads.pop(name, None)
        else:
            self._heads[name] = head
        self.events.append(settled(name.partition("/")[0], entries[index], refusal, reduced=reduced))

    def drop(self, plan: Unit | str, refusal: Refusal, *kinds: type[Order]) -> None:
        """Settle as failed all entries left, or those of these kinds (O6, P7)."""
        for index, entry in self.left(plan):
            if not kinds or isinstance(entry, kinds):
                self.settle(plan, index, refusal)

    def world(self, world: World) -> World:
        """``world`` with everything that was settled here marked as settled."""
        if not self.events:
            return world  # nothing was
        settled = dict(self._settled)
        plans = OpenPlans(self._sheets, settled, self._plans, dict(self._heads))
        return world.evolve(progress=world.progress.evolve(settled=settled, plans=plans))

    def _open_plans(self, progress: TurnProgress) -> tuple[Mapping[str, tuple[PlanEntry, ...]], dict[str, PlanEntry]]:
        # as the step before knew them, if that holds
        known = progress.plans
        if known and known.settled is progress.settled and known.sheets == self._sheets:
            return known.entries, dict(known.heads)
        plans = {
            f"{realm}/{reference}": plan for realm, sheet in self._sheets for reference, plan in sheet.plans.items()
        }
        first = {name: self._first_left(name, entries) for name, entries in plans.items()}
        return plans, {name: head for name, head in first.items() if head is not None}

    def _first_left(self, name: str, entries: tuple[PlanEntry, ...]) -> PlanEntry | None:
        dealt_with = self._settled.get(name, frozenset())
        return next((entry for index, entry in enumerate(entries) if index not in dealt_with), None)

    def _unit(self, world: World, name: str) -> Unit | None:
        """The unit whose plan this is, the reverse of :meth:`name`."""
        if found := world.units.get(name):
            return found
        realm, _, place = name.partition("/")
        here = (unit for unit in world.at(place) if unit.is_garrison and unit.realm == realm)
        return next((unit for unit in here if unit.key not in self._plans), None)
