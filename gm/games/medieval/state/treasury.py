"""The treasuries' books: every change of one is written down once, with the balance after it (W10)."""

from __future__ import annotations

from decimal import Decimal

from gm.core.events import Event
from gm.core.values import to_cents
from gm.games.medieval.state import World
from gm.games.medieval.steps.turn import Refusal, TreasuryChanged, refuse


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
