"""What every step of Conqueror! shares: the turn's type, and the position as a step works on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from gm.core import pipeline
from gm.core.events import Event
from gm.core.values import FrozenMap
from gm.games.conqueror.books import new_capital
from gm.games.conqueror.events import CapitalMoved
from gm.games.conqueror.influence import shifted
from gm.games.conqueror.land import Board, Land
from gm.games.conqueror.order_models import Orders, planned
from gm.games.conqueror.rules import Rules
from gm.games.conqueror.state import Player, Province, World

Turn: TypeAlias = pipeline.Turn[World, Rules, Board, Orders]
Outcome: TypeAlias = pipeline.Outcome[World]

NO_ORDERS = Orders()


class Course:
    """A step's own copy of provinces and players, and what it tells: :meth:`outcome` is what the step returns."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.state = turn.state
        self.rules: Rules = turn.state.settings.applied(turn.rules)
        self.land: Land = turn.board.land
        self.provinces: dict[str, Province] = dict(turn.state.provinces)
        self.parties: dict[str, Player] = dict(turn.state.parties)
        self.seats = tuple(self.parties)
        self.events: list[Event] = []

    def orders(self, code: str) -> Orders:
        """A player's orders: the computer's, where it plays the seat."""
        plan = self.state.plans.get(code)
        return planned(plan) if plan is not None else self.turn.orders.get(code, NO_ORDERS)

    def living(self) -> Iterator[tuple[str, Player]]:
        """The players who are in the game, in seat order."""
        return ((code, player) for code, player in self.parties.items() if not player.out)

    def owned(self, code: str) -> list[Province]:
        """A player's provinces, in id order."""
        return [province for province in self.provinces.values() if province.owner == code]

    def change(self, code: str, **changes: Any) -> Province:
        """A province with something changed."""
        self.provinces[code] = self.provinces[code].evolve(**changes)
        return self.provinces[code]

    def enrich(self, code: str, gold: int) -> None:
        """Gold for a player; below 0, from him."""
        self.parties[code] = self.parties[code].evolve(gold=self.parties[code].gold + gold)

    def shift(self, province: str, party: str, points: int) -> None:
        """Influence gained or lost (CQ-14)."""
        self.provinces[province] = shifted(self.provinces[province], party, points, self.seats)

    def capital_fell(self, code: str, province: str) -> None:
        """CQ-7.11: if it was the player's capital, it moves at once; without a province left he has none."""
        if code not in self.parties or self.parties[code].capital != province:
            return
        capital = new_capital(self.owned(code), self.rules)
        self.parties[code] = self.parties[code].evolve(capital=capital)
        if capital is not None:
            self.tell(CapitalMoved(party=code, formerly=province, capital=capital))

    def tell(self, *events: Event) -> None:
        """Something happened."""
        self.events += events

    def outcome(self, **changes: Any) -> Outcome:
        """The state as it is now, and the events."""
        state = self.state.evolve(provinces=FrozenMap(self.provinces), parties=FrozenMap(self.parties), **changes)
        return pipeline.Outcome(state, tuple(self.events))
