"""What all medieval steps share: their workspace, which gives them orders and plans and emits events."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cached_property, partial
from typing import TypeAlias, TypeVar

from gm.core import pipeline
from gm.core.values import Event, to_cents
from gm.games.medieval.events import CommandersChanged, TroopsChanged
from gm.games.medieval.orders.model import Hold, March, Order, Orders, Sail, UnitOrder
from gm.games.medieval.state import Unit, UnitKind, World
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.state.strength import move_points_left
from gm.games.medieval.steps.outcomes import Plans, Refusal, refuse, settled, sheets
from gm.games.medieval.steps.outcomes import Turn as Turn

Outcome: TypeAlias = pipeline.Outcome[World]


class TreasuryChanged(Event):
    """A realm's treasury changed: each change has exactly one such event, private to the realm."""

    realm: str
    amount: Decimal  # below 0 if gold went out
    what: str
    """The purpose: a key such as ``upkeep``, ``revenue``, ``gold sent``, ``gold received``, ``decay``."""
    place: str = ""
    balance: Decimal = Decimal(0)  # the treasury after it


OrderT = TypeVar("OrderT", bound=Order)
UnitOrderT = TypeVar("UnitOrderT", bound=UnitOrder)

MOVES = (March, Sail, Hold)  # at most one of these a phase (O5); one that fails takes the others with it (O6)


class Workspace(Draft):
    """A step's working copy of the world, with the turn around it, and the events so far.

    ``world`` and what it has stay as the step found them.
    """

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
        """Return (realm, order) of the orders of these kinds to units, whether there are such units or not.

        They are in the same order.
        """
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
        """Yield (present unit, order) of the orders of these kinds, in the same order.

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
        for unit in self.plans.at_head(self.world, *kinds):
            if (aboard or not unit.aboard) and not self.world.done(unit).retreated:
                yield unit

    def at_head(self, unit: Unit, *kinds: type[OrderT]) -> Iterator[tuple[int, OrderT]]:
        """Yield (index, entry) of a unit's plan from its first entry left, up to one of another kind (O5)."""
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
        """Return a new, empty unit, which is not stored yet. ``aboard``: the key of its fleet."""
        level = self.rules.units.retreat_level
        return Unit(
            realm=realm, kind=kind, number=number, place=place, aboard=aboard, name=name, retreat_level=level
        )

    def balance(self, realm: str) -> Decimal:
        """Return the present gold in a realm's treasury."""
        return self.realm(realm).treasury

    def pay(self, realm: str, amount: Decimal, what: str, place: str = "") -> None:
        """Add an amount, rounded to 1/100 gold, to a realm's treasury, or take one below 0; emit the change.

        ``what`` and ``place``: as in TreasuryChanged. Raises ``ValueError`` for a treasury below 0.
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
        """Emit that troops, by type, and commanders, by name, joined a unit, which the caller changes."""
        self.emit(*unit_changes(unit, cause, 1, troops, who))

    def lose(
        self, unit: Unit, cause: str, troops: Mapping[str, int] | None = None, who: Iterable[str] = ()
    ) -> None:
        """Emit that troops, by type, and commanders, by name, left a unit, which the caller changes."""
        self.emit(*unit_changes(unit, cause, -1, troops, who))


step = partial(pipeline.step, on=Workspace)  # makes a step of a function that changes a workspace


def unit_changes(
    unit: Unit, cause: str, sign: int, troops: Mapping[str, int] | None = None, who: Iterable[str] = ()
) -> Iterator[Event]:
    """Yield the events of troops, by type, and commanders, by name, that joined or left a unit.

    ``sign``: 1 if they joined, -1 if they left; ``cause``: as in TroopsChanged.
    """
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
    """Return the move-points that a unit's next hold costs: the first ones of a turn are free (P5)."""
    costs = work.rules.movement
    return 0 if work.done(unit).holds < costs.free_holds else costs.hold
