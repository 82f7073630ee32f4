"""What a step works on: the draft of the world, events, treasuries, and which plans come to which entries (O5, O6)."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cached_property, partial
from typing import TypeVar

from gm.core import pipeline
from gm.core.values import Event, to_cents
from gm.games.medieval.events import CommandersChanged, TroopsChanged
from gm.games.medieval.orders.model import Hold, March, Order, Pillage, Sail, Transfer, UnitOrder
from gm.games.medieval.state import Unit, UnitKind
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.state.strength import move_points_left
from gm.games.medieval.steps.turn import Outcome, Plans, Refusal, TreasuryChanged, Turn, refuse, settled, sheets

OrderT = TypeVar("OrderT", bound=Order)
UnitOrderT = TypeVar("UnitOrderT", bound=UnitOrder)

MOVES = (March, Sail, Hold)  # at most one of these a phase (O5); one that fails takes the others with it (O6)

LASTING = (Transfer, Pillage)  # what may stand behind a waiting transfer (O6)


class Workspace(Draft):
    """A step's working copy of the world, with the turn around it; ``world`` is as the step found it. It stays in the
    step."""

    def __init__(self, turn: Turn) -> None:
        super().__init__(turn.state)
        self.turn, self.world = turn, turn.state
        self.rules, self.board, self.phase, self.dice = turn.rules, turn.board, turn.phase, turn.dice
        self.events: list[Event] = []

    def emit(self, *events: Event) -> None:
        self.events += events

    def outcome(self) -> Outcome:
        """The world after the step, changed in one go, and its events, the fates of plan entries last."""
        world = self.finish()
        if "plans" not in self.__dict__:
            return Outcome(world, tuple(self.events))
        return Outcome(self.plans.world(world), (*self.events, *self.plans.events))

    def settle(self, realm: str, order: Order, refusal: Refusal | None = None, *, reduced: bool = False) -> bool:
        """Report an order's fate, as :func:`settled` has it; whether nothing was refused."""
        self.events.append(settled(realm, order, refusal, reduced=reduced))
        return refusal is None

    def headquarters_orders(self, *kinds: type[OrderT]) -> Iterator[tuple[str, OrderT]]:
        """(realm, order) of these kinds, realms by code, orders as in the file (W12)."""
        every = ((realm, order) for realm, sheet in sheets(self.turn) for order in sheet.headquarters)
        return ((realm, order) for realm, order in every if isinstance(order, kinds))

    def orders_to_units(self, *kinds: type[UnitOrderT]) -> Iterator[tuple[str, UnitOrderT]]:
        """The same of orders to units, whether there are such units or not."""
        every = ((realm, order) for realm, sheet in sheets(self.turn) for order in sheet.units)
        return ((realm, order) for realm, order in every if isinstance(order, kinds))

    def unit_orders(self, *kinds: type[UnitOrderT]) -> Iterator[tuple[Unit, UnitOrderT]]:
        """(own unit as it is now, order) of these kinds in the order of W12; an order to no own unit fails."""
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
        """The units whose plan comes to an entry of these kinds now, in the order of W12. Found before the first of
        them acts: a step deals with entries of the unit that acts and with no other's. Not those that retreated (P7),
        nor armies aboard unless ``aboard``: their entries wait for the landing (M3)."""
        for unit in self.plans.at_head(self.world, *kinds):
            if (aboard or not unit.aboard) and not self.world.done(unit).retreated:
                yield unit

    def at_head(self, unit: Unit, *kinds: type[OrderT]) -> Iterator[tuple[int, OrderT]]:
        """The entries of these kinds at the head of a unit's plan, one after the other (O5)."""
        for index, entry in self.plans.left(unit):
            if not isinstance(entry, kinds):
                return
            yield index, entry

    def moves(self, kind: type[OrderT], *, fleets: bool) -> Iterator[tuple[Unit, int, OrderT]]:
        """(unit, index, entry) of each march or sail whose time has come, after holds before it (O5, O6.1)."""
        for unit in self.acting(kind, Hold):
            for index, entry in self.at_head(unit, kind, Hold):
                done = self.done(unit)
                if done.acted_phase == self.phase:
                    break
                if isinstance(entry, kind):
                    yield unit, index, entry
                    break
                if unit.is_fleet is not fleets:
                    break
                refusal = why_not_hold(self, unit)
                self.plans.settle(unit, index, refusal)
                if refusal is None:
                    used = done.used + hold_cost(self, unit)
                    self.mark(unit, used=used, holds=done.holds + 1, acted_phase=self.phase)

    def give_up_moves(self, unit: Unit) -> None:
        """O6: after a failed march or sail the unit's other march, sail and hold entries are dropped."""
        self.plans.drop(unit, refuse("earlier-move-failed"), *MOVES)

    def made_unit(
        self, realm: str, kind: UnitKind, number: int, place: str, *, aboard: str | None = None, name: str | None = None
    ) -> Unit:
        """A new, empty unit, not yet put in."""
        level = self.rules.units.retreat_level
        return Unit(realm=realm, kind=kind, number=number, place=place, aboard=aboard, name=name, retreat_level=level)

    def balance(self, realm: str) -> Decimal:
        """What the realm's treasury holds now."""
        return self.realm(realm).treasury

    def pay(self, realm: str, amount: Decimal, what: str, place: str = "") -> None:
        """Add exact ``amount`` for ``what`` (as in TreasuryChanged), and report it. Raises ``ValueError`` for a
        treasury below 0."""
        amount = to_cents(amount)
        if not amount:
            return
        balance = self.balance(realm) + amount
        if balance < 0:
            raise ValueError(f"{realm} cannot pay {-amount} for {what}")
        self.put_realm(self.realm(realm).evolve(treasury=balance))
        self.emit(TreasuryChanged(audience=realm, realm=realm, amount=amount, what=what, place=place, balance=balance))

    def why_not_afford(self, realm: str, price: Decimal) -> Refusal | None:
        """L3.1: whether the treasury holds too little for the whole price."""
        has = self.balance(realm)
        return refuse("gold-too-little", needs=price, has=has) if has < price else None

    def gain(self, unit: Unit, cause: str, troops: Mapping[str, int] | None = None, who: Iterable[str] = ()) -> None:
        """Enter troops, then commanders, that came to a unit into the books."""
        self.emit(*book_entries(unit, cause, 1, troops, who))

    def lose(self, unit: Unit, cause: str, troops: Mapping[str, int] | None = None, who: Iterable[str] = ()) -> None:
        """Enter troops, then commanders, that left a unit into the books."""
        self.emit(*book_entries(unit, cause, -1, troops, who))


step = partial(pipeline.step, on=Workspace)  # makes a step of a function that changes a workspace


def book_entries(
    unit: Unit, cause: str, sign: int, troops: Mapping[str, int] | None = None, who: Iterable[str] = ()
) -> Iterator[Event]:
    """The events of troops by type and commanders by name that came to (``sign`` 1) or left (-1) a unit."""
    for troop, count in (troops or {}).items():
        if count:
            yield TroopsChanged(realm=unit.realm, unit=unit.key, troop=troop, count=sign * count, cause=cause)
    for name in who:
        yield CommandersChanged(realm=unit.realm, unit=unit.key, commander=name, count=sign, cause=cause)


def may_wait(plans: Plans, unit: Unit) -> dict[int, bool]:
    """For each entry left, by index: whether only transfers and pillage come after it (O6)."""
    found: dict[int, bool] = {}
    lasting = True
    for index, entry in reversed(plans.left(unit)):
        found[index] = lasting
        lasting = lasting and isinstance(entry, LASTING)
    return found


def why_not_pay(work: Workspace, unit: Unit, cost: int) -> Refusal | None:
    """Whether the unit has the move-points for something (P3-P5); what costs nothing needs none."""
    has = move_points_left(unit, work.done(unit), work.rules)
    return refuse("needs-move-points", needs=cost, has=has) if cost > has else None


def why_not_hold(work: Workspace, unit: Unit) -> Refusal | None:
    """P5: garrisons do not move, so they cannot hold; else the hold must be free or paid for."""
    if unit.is_garrison:
        return refuse("garrison-never-moves")
    has, needs = move_points_left(unit, work.done(unit), work.rules), hold_cost(work, unit)
    return refuse("hold-needs-move-points", needs=needs, has=has) if needs > has else None


def hold_cost(work: Workspace, unit: Unit) -> int:
    """P5: the first holds of a turn are free."""
    costs = work.rules.movement
    return 0 if work.done(unit).holds < costs.free_holds else costs.hold
