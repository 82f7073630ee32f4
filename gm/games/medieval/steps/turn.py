"""The common part of all medieval steps: the world's draft, plans (O5, O6), and changes of treasuries."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cached_property, partial
from typing import TypeAlias, TypeVar

from gm.core import pipeline
from gm.core.values import Event, to_cents
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events import CommandersChanged, TroopsChanged
from gm.games.medieval.orders.model import Hold, March, Order, Orders, PlanEntry, Sail, UnitOrder
from gm.games.medieval.state import TurnProgress, Unit, UnitKind, World, in_order
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.state.strength import move_points_left
from gm.games.medieval.state.world import OpenPlans
from gm.games.medieval.steps.outcomes import OrderOutcome, OrderSettled, Refusal, refuse

Turn: TypeAlias = pipeline.Turn[World, Rules, Atlas, Orders]
Outcome: TypeAlias = pipeline.Outcome[World]


class TreasuryChanged(Event):
    """Gold moved, private to the realm: each change of a treasury has exactly one of these."""

    realm: str
    amount: Decimal
    what: str
    """The purpose: a key such as ``upkeep``, ``revenue``, ``gold sent``, ``gold received``, ``decay``."""
    place: str = ""
    balance: Decimal = Decimal(0)  # the treasury after it


def sheets(turn: Turn) -> Iterator[tuple[str, Orders]]:
    """Yield the orders that count, by realm code: without those that a palace coup voided (F0)."""
    for realm in sorted(turn.orders):
        if realm not in turn.state.progress.void and not turn.state.realms[realm].defeated:
            yield realm, turn.orders[realm]


def settled(
    realm: str, order: Order, refusal: Refusal | None = None, *, reduced: bool = False
) -> OrderSettled:
    """Return the outcome of ``order``: done without a refusal, failed with one, or ``reduced`` with one."""
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
    """The plans of a turn as one step reads and settles them: local to the step and its result.

    ``left`` lists a unit's remaining entries; ``settle`` emits an entry's outcome once; ``world`` stores the
    marks in a state. ``events`` are the outcomes so far.
    """

    def __init__(self, turn: Turn) -> None:
        self._settled: dict[str, frozenset[int]] = dict(turn.state.progress.settled)
        self._sheets = tuple(sheets(turn))
        self._plans, self._heads = self._open_plans(turn.state.progress)
        self.events: list[Event] = []

    def name(self, unit: Unit) -> str:
        """Return the plan's name: realm/reference. A garrison's may have its province's name."""
        key = unit.key
        return key if key in self._plans or not unit.is_garrison else f"{unit.realm}/{unit.place}"

    def names(self) -> Iterator[str]:
        """Return every plan that counts and has entries left, realms by code, plans as in the file."""
        return iter(tuple(self._heads))

    def left(self, plan: Unit | str) -> list[tuple[int, PlanEntry]]:
        """Return (index, entry) of the remaining entries, in order; of a unit or of a plan by name."""
        name = plan if isinstance(plan, str) else self.name(plan)
        if name not in self._heads:
            return []
        settled_already = self._settled.get(name, ())
        return [
            (index, entry) for index, entry in enumerate(self._plans[name]) if index not in settled_already
        ]

    def at_head(self, world: World, *kinds: type[Order]) -> list[Unit]:
        """Return the units whose first remaining entry is of these kinds, in the order of W12."""
        units = [self._unit(world, name) for name, entry in self._heads.items() if isinstance(entry, kinds)]
        return in_order(unit for unit in units if unit is not None)

    def with_plans(self, world: World) -> Iterator[Unit]:
        """Return the units with entries left."""
        units = (self._unit(world, name) for name in self._heads)
        return (unit for unit in units if unit is not None)

    def settle(
        self, plan: Unit | str, index: int, refusal: Refusal | None = None, *, reduced: bool = False
    ) -> None:
        """Settle an entry for good and emit its outcome (as :func:`settled`)."""
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
        """Settle all remaining entries as failed, or those of these kinds (O6, P7)."""
        for index, entry in self.left(plan):
            if not kinds or isinstance(entry, kinds):
                self.settle(plan, index, refusal)

    def world(self, world: World) -> World:
        """Return ``world`` with everything that was settled here marked as settled."""
        if not self.events:
            return world  # nothing was
        settled = dict(self._settled)
        plans = OpenPlans(self._sheets, settled, self._plans, dict(self._heads))
        return world.evolve(progress=world.progress.evolve(settled=settled, plans=plans))

    def _open_plans(
        self, progress: TurnProgress
    ) -> tuple[Mapping[str, tuple[PlanEntry, ...]], dict[str, PlanEntry]]:
        """Return the entries of each plan, and the first remaining one; from the cache if it holds."""
        # as the step before knew them, if that holds
        open_plans = progress.plans
        if open_plans and open_plans.settled is progress.settled and open_plans.sheets == self._sheets:
            return open_plans.entries, dict(open_plans.heads)
        plans = {
            f"{realm}/{reference}": plan
            for realm, sheet in self._sheets
            for reference, plan in sheet.plans.items()
        }
        first = {name: self._first_left(name, entries) for name, entries in plans.items()}
        return plans, {name: head for name, head in first.items() if head is not None}

    def _first_left(self, name: str, entries: tuple[PlanEntry, ...]) -> PlanEntry | None:
        dealt_with = self._settled.get(name, frozenset())
        return next((entry for index, entry in enumerate(entries) if index not in dealt_with), None)

    def _unit(self, world: World, name: str) -> Unit | None:
        """Return the unit of a plan, the reverse of :meth:`name`. None if there is none."""
        unit = world.units.get(name)
        if unit:
            return unit
        realm, _, place = name.partition("/")
        garrisons = (unit for unit in world.at(place) if unit.is_garrison and unit.realm == realm)
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
        self.events += events

    def outcome(self) -> Outcome:
        """Return the world with all changes of the step, and its events: outcomes of plan entries last."""
        world = self.finish()
        if "plans" not in self.__dict__:
            return pipeline.Outcome(world, tuple(self.events))
        return pipeline.Outcome(self.plans.world(world), (*self.events, *self.plans.events))

    def settle(
        self, realm: str, order: Order, refusal: Refusal | None = None, *, reduced: bool = False
    ) -> bool:
        """Emit an order's outcome, as :func:`settled` makes it; return whether nothing was refused."""
        self.events.append(settled(realm, order, refusal, reduced=reduced))
        return refusal is None

    def headquarters_orders(self, *kinds: type[OrderT]) -> Iterator[tuple[str, OrderT]]:
        """Return (realm, order) of these kinds, realms by code, orders as in the file (W12)."""
        of = self._sheets_with(kinds)
        return (
            (realm, order) for realm, sheet in of for order in sheet.headquarters if isinstance(order, kinds)
        )

    def orders_to_units(self, *kinds: type[UnitOrderT]) -> Iterator[tuple[str, UnitOrderT]]:
        """Return (realm, order) of orders to units, whether there are such units or not."""
        of = self._sheets_with(kinds)
        return ((realm, order) for realm, sheet in of for order in sheet.units if isinstance(order, kinds))

    def _sheets_with(self, kinds: tuple[type[Order], ...]) -> list[tuple[str, Orders]]:
        """Return the order files that contain an order of these very classes."""
        return [pair for pair in sheets(self.turn) if not pair[1].kinds.isdisjoint(kinds)]

    def unit_orders(self, *kinds: type[UnitOrderT]) -> Iterator[tuple[Unit, UnitOrderT]]:
        """Yield (own present unit, order) of these kinds in W12's order; an unknown unit's order fails."""
        for realm, order in self.orders_to_units(*kinds):
            unit = self.own(realm, order.unit)
            if unit is None:
                self.settle(realm, order, refuse("unit-not-yours", unit=order.unit))
            else:
                yield unit, order

    @cached_property
    def plans(self) -> Plans:
        return Plans(self.turn)

    def acting(self, *kinds: type[Order], aboard: bool = False) -> Iterator[Unit]:
        """Yield the units whose plan comes to an entry of these kinds now, in the order of W12.

        They are found before the first acts: a step deals with entries of the unit that acts alone. Units
        that retreated (P7) are left out, and so are armies aboard unless ``aboard``: their entries wait for
        the landing (M3).
        """
        for unit in self.plans.at_head(self.world, *kinds):
            if (aboard or not unit.aboard) and not self.world.done(unit).retreated:
                yield unit

    def at_head(self, unit: Unit, *kinds: type[OrderT]) -> Iterator[tuple[int, OrderT]]:
        """Yield the entries of these kinds at the head of a unit's plan, one after the other (O5)."""
        for index, entry in self.plans.left(unit):
            if not isinstance(entry, kinds):
                return
            yield index, entry

    def moves(self, kind: type[OrderT], *, fleets: bool) -> Iterator[tuple[Unit, int, OrderT]]:
        """Yield unit, index and entry of each due march or sail, after holds before it (O5, O6.1)."""
        for unit in self.acting(kind, Hold):
            for index, entry in self.at_head(unit, kind, Hold):
                progress = self.done(unit)
                if progress.acted_phase == self.phase:
                    break
                if isinstance(entry, kind):
                    yield unit, index, entry
                    break
                if unit.is_fleet is not fleets:
                    break
                refusal = why_not_hold(self, unit)
                self.plans.settle(unit, index, refusal)
                if refusal is None:
                    used = progress.used + hold_cost(self, unit)
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
        """Return a new, empty unit, not yet stored."""
        level = self.rules.units.retreat_level
        return Unit(
            realm=realm, kind=kind, number=number, place=place, aboard=aboard, name=name, retreat_level=level
        )

    def balance(self, realm: str) -> Decimal:
        """Return the present gold of the realm's treasury."""
        return self.realm(realm).treasury

    def pay(self, realm: str, amount: Decimal, what: str, place: str = "") -> None:
        """Add exact ``amount`` for ``what`` (as in TreasuryChanged), and emit it.

        Raises ``ValueError`` below 0.
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
        """Return the refusal if the treasury holds too little for the whole price (L3.1)."""
        has = self.balance(realm)
        return refuse("gold-too-little", needs=price, has=has) if has < price else None

    def gain(
        self, unit: Unit, cause: str, troops: Mapping[str, int] | None = None, who: Iterable[str] = ()
    ) -> None:
        """Emit the book entries of troops, then commanders, that joined a unit."""
        self.emit(*unit_changes(unit, cause, 1, troops, who))

    def lose(
        self, unit: Unit, cause: str, troops: Mapping[str, int] | None = None, who: Iterable[str] = ()
    ) -> None:
        """Emit the book entries of troops, then commanders, that left a unit."""
        self.emit(*unit_changes(unit, cause, -1, troops, who))


step = partial(pipeline.step, on=Workspace)  # makes a step of a function that changes a workspace


def unit_changes(
    unit: Unit, cause: str, sign: int, troops: Mapping[str, int] | None = None, who: Iterable[str] = ()
) -> Iterator[Event]:
    """Yield the events of troops by type and named commanders that joined (1) or left (-1) a unit."""
    for troop, count in (troops or {}).items():
        if count:
            yield TroopsChanged(realm=unit.realm, unit=unit.key, troop=troop, count=sign * count, cause=cause)
    for name in who:
        yield CommandersChanged(realm=unit.realm, unit=unit.key, commander=name, count=sign, cause=cause)


def why_not_hold(work: Workspace, unit: Unit) -> Refusal | None:
    """Return why a unit cannot hold (P5): it is a garrison, or lacks move-points for a hold with a cost."""
    if unit.is_garrison:
        return refuse("garrison-never-moves")
    has = move_points_left(unit, work.done(unit), work.rules)
    needs = hold_cost(work, unit)
    return refuse("hold-needs-move-points", needs=needs, has=has) if needs > has else None


def hold_cost(work: Workspace, unit: Unit) -> int:
    """Return the move-points of the next hold: the first ones of a turn are free (P5)."""
    costs = work.rules.movement
    return 0 if work.done(unit).holds < costs.free_holds else costs.hold
