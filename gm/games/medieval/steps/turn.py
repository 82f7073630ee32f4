"""What all medieval steps share: their workspace, which gives them orders and plans and emits events."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cached_property, partial
from typing import TypeAlias, TypeVar

from gm.core import pipeline
from gm.core.values import Event, to_cents
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.model import Hold, March, Order, Orders, PlanEntry, Sail, UnitOrder
from gm.games.medieval.state import TurnProgress, Unit, UnitKind, World, in_order
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.state.world import OpenPlans
from gm.games.medieval.steps.outcomes import (
    OrderOutcome,
    OrderSettled,
    Refusal,
    TreasuryChanged,
    hold_cost,
    refuse,
    unit_changes,
    why_not_hold,
)

Turn: TypeAlias = pipeline.Turn[World, Rules, Atlas, Orders]
Outcome: TypeAlias = pipeline.Outcome[World]


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
        """Return (index, entry) of the entries left, in the plan's order. ``plan``: its unit or its name."""
        name = plan if isinstance(plan, str) else self.name(plan)
        if name not in self._heads:
            return []
        settled_indexes = self._settled.get(name, ())
        return [
            (index, entry) for index, entry in enumerate(self._plans[name]) if index not in settled_indexes
        ]

    def units_at_head(self, world: World, *kinds: type[Order]) -> list[Unit]:
        """Return the units whose first entry not settled is of these kinds, in the order of W12."""
        units = [self._unit(world, name) for name, entry in self._heads.items() if isinstance(entry, kinds)]
        return in_order(unit for unit in units if unit is not None)

    def with_plans(self, world: World) -> Iterator[Unit]:
        """Return the units whose plans have entries left, in the order of the plans."""
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
        """Return ``world`` with a progress that records which entries this step has settled."""
        if not self.events:
            return world
        settled_indexes = dict(self._settled)
        plans = OpenPlans(self._sheets, settled_indexes, self._plans, dict(self._heads))
        return world.evolve(progress=world.progress.evolve(settled=settled_indexes, plans=plans))

    def _open_plans(
        self, progress: TurnProgress
    ) -> tuple[Mapping[str, tuple[PlanEntry, ...]], dict[str, PlanEntry]]:
        """Return (all entries of each plan, the first not settled of each that has one), both by name."""
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
        """Return the unit that carries out the plan of this name (:meth:`name`); None if there is none."""
        unit = world.units.get(name)
        if unit:
            return unit
        realm, _, place = name.partition("/")
        garrisons = (unit for unit in world.at(place) if unit.is_garrison and unit.realm == realm)
        # a garrison with a plan under its own id carries out that one
        return next((unit for unit in garrisons if unit.key not in self._plans), None)


OrderT = TypeVar("OrderT", bound=Order)
UnitOrderT = TypeVar("UnitOrderT", bound=UnitOrder)

MOVES = (March, Sail, Hold)  # at most one of these a phase (O5); one that fails takes the others with it (O6)


class Workspace(Draft):
    """A step's working copy of the world, with the turn around it; ``world`` is as the step found it."""

    def __init__(self, turn: Turn) -> None:
        """Begin a step with the world of a turn."""
        super().__init__(turn.state)
        self.turn = turn
        self.world = turn.state
        self.rules = turn.rules
        self.board = turn.board
        self.phase = turn.phase
        self.dice = turn.dice
        self.events: list[Event] = []

    def emit(self, *events: Event) -> None:
        """Add events to those of the step."""
        self.events += events

    def outcome(self) -> Outcome:
        """Return the world with all changes of the step, and its events: outcomes of plan entries last."""
        world = self.finish()
        if "plans" not in self.__dict__:  # the step has not asked for the cached property
            return pipeline.Outcome(world, tuple(self.events))
        return pipeline.Outcome(self.plans.world(world), (*self.events, *self.plans.events))

    def settle(
        self, realm: str, order: Order, refusal: Refusal | None = None, *, reduced: bool = False
    ) -> bool:
        """Emit an order's outcome, as :func:`settled` makes it; return whether nothing was refused."""
        self.events.append(settled(realm, order, refusal, reduced=reduced))
        return refusal is None

    def headquarters_orders(self, *kinds: type[OrderT]) -> Iterator[tuple[str, OrderT]]:
        """Return (realm, order) of these kinds of headquarters' orders, by code, then in file order (W12)."""
        sheets_with_any = self._sheets_with(kinds)
        return (
            (realm, order)
            for realm, sheet in sheets_with_any
            for order in sheet.headquarters
            if isinstance(order, kinds)
        )

    def orders_to_units(self, *kinds: type[UnitOrderT]) -> Iterator[tuple[str, UnitOrderT]]:
        """Return (realm, order) of these orders to units, also to unknown ones, by code and in file order."""
        sheets_with_any = self._sheets_with(kinds)
        return (
            (realm, order)
            for realm, sheet in sheets_with_any
            for order in sheet.units
            if isinstance(order, kinds)
        )

    def _sheets_with(self, kinds: tuple[type[Order], ...]) -> list[tuple[str, Orders]]:
        """Return (realm, orders) of the order files that contain an order of these classes."""
        return [(realm, sheet) for realm, sheet in sheets(self.turn) if not sheet.kinds.isdisjoint(kinds)]

    def unit_orders(self, *kinds: type[UnitOrderT]) -> Iterator[tuple[Unit, UnitOrderT]]:
        """Yield (present unit, order) of these kinds of orders to units, by code, then in file order (W12).

        An order to a unit that the realm does not have fails.
        """
        for realm, order in self.orders_to_units(*kinds):
            unit = self.own(realm, order.unit)
            if unit is None:
                self.settle(realm, order, refuse("unit-not-yours", unit=order.unit))
            else:
                yield unit, order

    @cached_property
    def plans(self) -> Plans:
        """The plans, as this step settles them."""
        return Plans(self.turn)

    def acting(self, *kinds: type[Order], aboard: bool = False) -> Iterator[Unit]:
        """Yield the units whose plan comes to an entry of these kinds now, in the order of W12.

        They are found before the first of them acts, so what one does cannot bring another to its entry.
        Units that retreated (P7) are left out, and, unless ``aboard``, armies aboard: their entries wait for
        the landing (M3).
        """
        for unit in self.plans.units_at_head(self.world, *kinds):
            if (aboard or not unit.aboard) and not self.world.done(unit).retreated:
                yield unit

    def at_head(self, unit: Unit, *kinds: type[OrderT]) -> Iterator[tuple[int, OrderT]]:
        """Yield (index, entry) of the entries left in a unit's plan until one is of another kind (O5)."""
        for index, entry in self.plans.left(unit):
            if not isinstance(entry, kinds):
                return
            yield index, entry

    def moves(self, kind: type[OrderT], *, fleets: bool) -> Iterator[tuple[Unit, int, OrderT]]:
        """Yield (unit, index of the entry, entry) of each march or sail that comes next in a plan (O5, O6.1).

        ``kind`` is March or Sail, for armies or for ``fleets``. Holds that come next are carried out here: a
        unit takes one march, sail or hold in a phase.
        """
        for unit in self.acting(kind, Hold):
            for index, entry in self.at_head(unit, kind, Hold):
                progress = self.done(unit)
                if progress.acted_phase == self.phase:
                    break
                if isinstance(entry, kind):
                    yield unit, index, entry
                    break
                if unit.is_fleet is not fleets:
                    break  # the other step deals with holds of such units
                refusal = why_not_hold(unit, progress, self.rules)
                self.plans.settle(unit, index, refusal)
                if refusal is None:
                    used = progress.used + hold_cost(progress, self.rules)
                    self.set_progress(unit, used=used, holds=progress.holds + 1, acted_phase=self.phase)

    def give_up_moves(self, unit: Unit) -> None:
        """Drop the unit's other march, sail and hold entries after a failed march or sail (O6)."""
        self.plans.drop(unit, refuse("earlier-move-failed"), *MOVES)

    def made_unit(
        self,
        realm: str,
        kind: UnitKind,
        number: int,
        place: str,
        *,
        aboard: str | None = None,
        name: str | None = None,
    ) -> Unit:
        """Return a new, empty unit, which is not stored yet. ``aboard``: the key of its fleet."""
        level = self.rules.units.retreat_level
        return Unit(
            realm=realm, kind=kind, number=number, place=place, aboard=aboard, name=name, retreat_level=level
        )

    def balance(self, realm: str) -> Decimal:
        """Return the present gold in a realm's treasury."""
        return self.realm(realm).treasury

    def pay(self, realm: str, amount: Decimal, what: str, place: str = "") -> None:
        """Add an amount, rounded to 1/100 gold, to a realm's treasury, and emit the change unless it is 0.

        An amount below 0 is taken from the treasury. ``what``: the purpose, such as ``upkeep``; ``place``:
        where, if anywhere (:class:`TreasuryChanged`). Raises ``ValueError`` if too little is there.
        """
        amount = to_cents(amount)
        if not amount:
            return
        balance = self.balance(realm) + amount
        if balance < 0:
            raise ValueError(f"{realm} cannot pay {-amount} for {what}")
        self.put_realm(self.realm(realm).evolve(treasury=balance))
        self.emit(
            TreasuryChanged(
                audience=realm, realm=realm, amount=amount, what=what, place=place, balance=balance
            )
        )

    def why_not_afford(self, realm: str, price: Decimal) -> Refusal | None:
        """Return why a realm cannot pay a price (L3.1); None if it has enough gold."""
        has = self.balance(realm)
        return refuse("gold-too-little", needs=price, has=has) if has < price else None

    def gain(
        self, unit: Unit, cause: str, troops: Mapping[str, int] | None = None, who: Iterable[str] = ()
    ) -> None:
        """Emit that troops, by type, and commanders (``who``) joined a unit; the caller changes the unit."""
        self.emit(*unit_changes(unit, cause, 1, troops, who))

    def lose(
        self, unit: Unit, cause: str, troops: Mapping[str, int] | None = None, who: Iterable[str] = ()
    ) -> None:
        """Emit that troops, by type, and commanders (``who``) left a unit; the caller changes the unit."""
        self.emit(*unit_changes(unit, cause, -1, troops, who))


step = partial(pipeline.step, on=Workspace)  # makes a step of a function that changes a workspace
