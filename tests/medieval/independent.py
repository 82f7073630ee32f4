"""Battles of armies in the open, written from the clauses alone (B4 to B8.1, B10, B11): nothing of gm is
imported, not even its dice. Two realms, no leaders, no fortification, nowhere to retreat to.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import chain
from random import Random
from typing import NamedTuple

Troops = Mapping[str, Sequence[int]]  # how many of a type stand in ranks 1 to 5
BEST = Fraction(99, 100)  # B5: at most
ROUNDS = 200  # B10


class Kind(NamedTuple):
    """A row of table T1."""

    attacks: int
    combat: int  # percent
    hit_points: Fraction
    cost: Fraction


class Army:
    """A unit in battle: by (rank, type) those that stand, and those that are marked as casualties and
    still strike.
    """

    def __init__(self, troops: Troops, kinds: Mapping[str, Kind]) -> None:
        self.kinds = kinds
        self.standing = {
            (rank, name): n for name, ranks in troops.items() for rank, n in enumerate(ranks, 1) if n
        }
        self.marked = dict.fromkeys(self.standing, 0)
        self.damage = Fraction(0)

    def unmarked(self, rank: int | None = None) -> int:
        """How many are not marked, in a rank or in all."""
        return sum(n - self.marked[at] for at, n in self.standing.items() if rank in (None, at[0]))

    def hits(self, chance: Random) -> int:
        """B4, B5: all strike, also those that are marked."""
        return sum(
            chance.random() < min(Fraction(self.kinds[name].combat, 100), BEST)
            for (_, name), n in self.standing.items()
            for _ in range(n * self.kinds[name].attacks)
        )

    def struck(self, rank: int) -> None:
        """B7, B8: a hit in this rank.

        Damage adds up, and the cheapest type falls when it covers its hit points.
        """
        self.damage += 1
        while (at := self.next_to_fall(rank)) is not None and self.damage >= self.kinds[at[1]].hit_points:
            self.marked[at] += 1
            self.damage -= self.kinds[at[1]].hit_points
            rank = min((rank for rank in range(1, 6) if self.unmarked(rank)), default=rank)

    def next_to_fall(self, rank: int) -> tuple[int, str] | None:
        """The troop of a rank that falls next."""
        left = [at for at, n in self.standing.items() if at[0] == rank and self.marked[at] < n]
        return min(left, key=lambda at: self.kinds[at[1]].cost, default=None)

    def buried(self) -> None:
        """B8.1: the marked leave."""
        for at, n in self.marked.items():
            self.standing[at] -= n
            self.marked[at] = 0


def strike(armies: Sequence[Army], hits: int, chance: Random) -> None:
    """B6, B7: hits on friends go to their front-most rank with somebody unmarked.

    When there is none they are lost.
    """
    for _ in range(hits):
        rank = next((rank for rank in range(1, 6) if any(army.unmarked(rank) for army in armies)), None)
        if rank is None:
            return
        weights = [army.unmarked(rank) for army in armies]
        chance.choices(armies, weights)[0].struck(rank)


def fight(
    one: Sequence[Troops], other: Sequence[Troops], kinds: Mapping[str, Kind], seed: int
) -> tuple[int, int]:
    """How many of each side are left."""
    chance = Random(seed)  # noqa: S311 - a simulation
    sides = [[Army(troops, kinds) for troops in side] for side in (one, other)]
    for number in range(1, ROUNDS + 1):
        struck = [sum(unit.hits(chance) for unit in side) for side in sides]
        for side, hits in zip(sides, reversed(struck), strict=True):
            strike(side, hits, chance)
        if number % 2 == 0:
            for unit in chain.from_iterable(sides):
                unit.buried()
            if not all(any(unit.unmarked() for unit in side) for side in sides):
                break
    for unit in chain.from_iterable(sides):
        unit.buried()
        # B11: the one that is left partly damaged
        rank = next((rank for rank in range(1, 6) if unit.unmarked(rank)), None)
        at = None if rank is None else unit.next_to_fall(rank)
        if at is not None and chance.random() < unit.damage / unit.kinds[at[1]].hit_points:
            unit.standing[at] -= 1
    left = [sum(unit.unmarked() for unit in side) for side in sides]
    return left[0], left[1]
