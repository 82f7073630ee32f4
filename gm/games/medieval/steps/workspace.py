"""What a step works on: a draft of the world, events, treasuries, and which plans come to which entries (O5, O6)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import TypeVar

from gm.core.events import Event
from gm.core.values import to_cents
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.model import Hold, March, Order, Pillage, Sail, Transfer
from gm.games.medieval.state import Unit, UnitProgress, World
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.state.strength import move_points_left
from gm.games.medieval.steps.turn import Plans, Refusal, TreasuryChanged, Turn, refuse


class Ledger:
    """The treasuries as one step sees and changes them: local to the step, which takes the result with it.

    Each change appends its TreasuryChanged to ``events``, the step's own list, so that gold and what it was for stay
    together in the log. ``world`` puts the balances into a state, once.
    """

    def __init__(self, world: World, events: list[Event]) -> None:
        self._realms = world.realms
        self._changed: dict[str, Decimal] = {}
        self._events = events

    def balance(self, realm: str) -> Decimal:
        """What the realm has now."""
        return self._changed.get(realm, self._realms[realm].treasury)

    def change(self, realm: str, amount: Decimal, what: str, place: str = "") -> None:
        """Add ``amount`` (below 0: take), already rounded or exact to the cent. Nothing happens for 0.

        ``what`` is the key of TreasuryChanged. Raises ``ValueError`` when a treasury would fall below 0.
        """
        amount = to_cents(amount)
        if not amount:
            return
        balance = self.balance(realm) + amount
        if balance < 0:
            raise ValueError(f"{realm} cannot pay {-amount} for {what}")
        self._changed[realm] = balance
        self._events.append(
            TreasuryChanged(audience=realm, realm=realm, amount=amount, what=what, place=place, balance=balance)
        )

    def why_not_afford(self, realm: str, price: Decimal) -> Refusal | None:
        """L3.1: whether the treasury holds too little for the whole price."""
        has = self.balance(realm)
        return refuse("gold-too-little", needs=price, has=has) if has < price else None

    def world(self, world: World) -> World:
        """``world`` with the balances of this ledger."""
        if not self._changed:
            return world
        return world.with_realms(
            *(world.realms[realm].evolve(treasury=balance) for realm, balance in self._changed.items())
        )


def paid(world: World, realm: str, amount: Decimal, what: str, place: str = "") -> tuple[World, tuple[Event, ...]]:
    """One change of one treasury: the world after it and its event (none for 0). For many changes use a Ledger."""
    events: list[Event] = []
    ledger = Ledger(world, events)
    ledger.change(realm, amount, what, place)
    return ledger.world(world), tuple(events)


EntryT = TypeVar("EntryT", bound=Order)

MOVES = (March, Sail, Hold)
"""At most one of these a phase (O5); one that fails takes the others with it (O6)."""

LASTING = (Transfer, Pillage)
"""What may stand behind a waiting transfer (O6)."""


def acting(turn: Turn, plans: Plans, *kinds: type[Order], aboard: bool = False) -> Iterator[Unit]:
    """The units whose plan comes to an entry of these kinds now, in the order of W12.

    Found before the first of them acts: a step deals with entries of the unit that acts and with no other's.
    Not those that retreated (P7), nor armies aboard unless ``aboard``: their entries wait for the landing (M3).
    """
    done = turn.state.done
    for unit in plans.at_head(turn.state, *kinds):
        if (aboard or not unit.aboard) and not done(unit).retreated:
            yield unit


def at_head(plans: Plans, unit: Unit, *kinds: type[EntryT]) -> Iterator[tuple[int, EntryT]]:
    """The entries of these kinds at the head of a unit's plan, one after the other (O5)."""
    for index, entry in plans.left(unit):
        if not isinstance(entry, kinds):
            return
        yield index, entry


def may_wait(plans: Plans, unit: Unit) -> dict[int, bool]:
    """For each entry left, by index: whether only transfers and pillage come after it (O6)."""
    found: dict[int, bool] = {}
    lasting = True
    for index, entry in reversed(plans.left(unit)):
        found[index] = lasting
        lasting = lasting and isinstance(entry, LASTING)
    return found


def why_not_pay(unit: Unit, done: UnitProgress, rules: Rules, cost: int) -> Refusal | None:
    """Whether the unit has the move-points for something (P3-P5); what costs nothing needs none."""
    has = move_points_left(unit, done, rules)
    return refuse("needs-move-points", needs=cost, has=has) if cost > has else None


def why_not_hold(unit: Unit, done: UnitProgress, rules: Rules) -> Refusal | None:
    """P5: garrisons do not move, so they cannot hold; else the hold must be free or paid for."""
    if unit.is_garrison:
        return refuse("garrison-never-moves")
    has, needs = move_points_left(unit, done, rules), hold_cost(done, rules)
    return refuse("hold-needs-move-points", needs=needs, has=has) if needs > has else None


def hold_cost(done: UnitProgress, rules: Rules) -> int:
    """P5: the first holds of a turn are free."""
    return 0 if done.holds < rules.movement.free_holds else rules.movement.hold


def hold(draft: Draft, unit: Unit, turn: Turn) -> None:
    """P5, O6.1: stay for this phase; fleets do so at M4, armies at M9."""
    done = draft.done(unit)
    used = done.used + hold_cost(done, turn.rules)
    draft.mark(unit, used=used, holds=done.holds + 1, acted_phase=turn.phase)


def give_up_moves(plans: Plans, unit: Unit) -> None:
    """O6: after a failed march or sail the unit's other march, sail and hold entries are dropped."""
    plans.drop(unit, refuse("earlier-move-failed"), *MOVES)
