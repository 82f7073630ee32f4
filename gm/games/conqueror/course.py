"""The position as a step works on it, and what finished items do to it (CQ-9, CQ-14)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from gm.core import pipeline
from gm.core.events import Event
from gm.game.base.events import settled
from gm.games.conqueror.events import CapitalMoved, Improved
from gm.games.conqueror.figures import Battle, fought, new_capital, shifted
from gm.games.conqueror.land import Board
from gm.games.conqueror.rules import DIPLOMAT, FARMS, RECRUIT, Rules
from gm.games.conqueror.state import NEUTRAL, Move, Orders, Player, Province, Purchase, Work, World

Turn: TypeAlias = pipeline.Turn[World, Rules, Board, Orders]
Outcome: TypeAlias = pipeline.Outcome[World]

NO_ORDERS = Orders()


class Course:
    """A step's own copy of provinces and players, and what it tells: :meth:`outcome` is what the step returns."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.state = turn.state
        self.rules: Rules = turn.state.settings.applied(turn.rules)
        self.land: Board = turn.board
        self.provinces: dict[str, Province] = dict(turn.state.provinces)
        self.parties: dict[str, Player] = dict(turn.state.parties)
        self.seats = tuple(self.parties)
        self.events: list[Event] = []

    def orders(self, code: str) -> Orders:
        """A player's orders: the computer's, where it plays the seat."""
        return self.state.plans.get(code) or self.turn.orders.get(code, NO_ORDERS)

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

    def settle(self, code: str, order: Move | Work | Purchase, *fate: Any, **figures: Any) -> None:
        """What became of a line of a player's; the computer's orders stand in no file."""
        if order.written is not None:
            self.tell(settled(code, order.written, *fate, **figures))

    def battle(self, place: str, attackers: int, armies: int, fort: int) -> tuple[Battle, tuple[str, ...]]:
        """A battle at a place with the dice of D3, and what was drawn: ``14/21``."""
        draws: list[str] = []
        duels = self.turn.dice(place, "D3 duels")

        def choose(faces: int) -> int:
            drawn = duels.below(faces)
            draws.append(f"{drawn + 1}/{faces}")
            return drawn

        return fought(attackers, armies, fort, self.rules, choose), tuple(draws)

    def outcome(self, **changes: Any) -> Outcome:
        """The state as it is now, and the events."""
        state = self.state.evolve(provinces=self.provinces, parties=self.parties, **changes)
        return pipeline.Outcome(state, tuple(self.events))


def finished(course: Course, code: str, item: str, *, target: str = "", rushed: bool = False) -> None:
    """One of an item is there: an army, a diplomat's work, people, walls, culture. ``rushed``: it was bought."""
    province, rules = course.provinces[code], course.rules
    made, owner = rules.items[item], province.owner
    if item == RECRUIT:
        waits = rushed and not rules.knobs.rush_armies_can_move
        course.change(code, **({"moved": province.moved + 1} if waits else {"fresh": province.fresh + 1}))
    elif item == DIPLOMAT:
        course.shift(_served(course, code, target), owner, made.control)
    elif item == FARMS:
        level = course.change(code, population=province.population + 1).population
    elif made.works:
        level = course.change(code, fort=made.works).fort
    else:
        level = course.change(code, culture=made.gives_culture).culture
    if item in (RECRUIT, DIPLOMAT):
        return
    if made.control and owner != NEUTRAL:
        course.shift(code, owner, made.control)
    if owner != NEUTRAL:
        course.tell(Improved(owner=owner, province=code, work=item, level=level))


def _served(course: Course, code: str, target: str) -> str:
    """CQ-9.11: the province that a diplomat works in."""
    near = target in course.land.neighbours[code] and course.rules.knobs.diplomat_range
    return target if near and course.provinces[target].owner == course.provinces[code].owner else code
