"""Random maps (CN-4): continents grown on a grid of cells, split into countries, joined by sea links.

Every draw is a uniform choice from a list that is sorted by column, then row, so that one seed gives one map.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from string import ascii_uppercase

from networkx.utils import UnionFind

from gm.core.dice import Dice, Stream
from gm.games.conquestination.countries import Cell, CountryMap, Pair, beside, pair, rank
from gm.games.conquestination.rules import Generator, RandomMap


class NoMapError(ValueError):
    """No map can be made with these settings; the message says which of them stands in the way."""


def random_map(
    settings: RandomMap, generator: Generator, dice: Dice, names: Sequence[str], title: str = "Random map"
) -> CountryMap:
    """A map; ``names`` are the continents' by letter. Raises ``NoMapError`` (CN-4.12 to CN-4.14)."""
    _refuse_the_impossible(settings, generator)
    for attempt in range(1, generator.attempts + 1):
        made = _Attempt(settings, generator, dice, attempt).map(names, title)
        if made is not None:
            return made
    raise NoMapError(
        f"no map came out in {generator.attempts} attempts: a grid larger than {settings.width} x {settings.height} "
        "cells gives the continents more room (CN-4.13)"
    )


def _refuse_the_impossible(settings: RandomMap, generator: Generator) -> None:
    if settings.continents > generator.max_continents:
        raise NoMapError(
            f"there are at most {generator.max_continents} continents, not {settings.continents} (CN-4.14)"
        )
    if settings.continents > settings.countries:
        raise NoMapError(
            f"{settings.continents} continents need as many countries, and there are {settings.countries} (CN-4.14)"
        )
    land, grid = settings.countries * settings.cells_per_country, settings.width * settings.height
    if land * 100 > grid * generator.max_land_percent:
        raise NoMapError(
            f"{land} cells of land are more than {generator.max_land_percent}% of the grid's {grid} (CN-4.14)"
        )
    if not settings.links and settings.sea_gap > 0 and settings.continents > 1:
        raise NoMapError(
            f"without links nobody could cross the sea: {settings.continents} continents need 'links', "
            "or a 'sea_gap' of 0 (CN-4.12)"
        )


@dataclass
class _Attempt:
    """One attempt: it finds a map, or a draw finds nothing to choose from and it is thrown away."""

    settings: RandomMap
    generator: Generator
    dice: Dice
    number: int
    land: dict[Cell, str] = field(default_factory=dict)
    """The continent of each cell that is taken."""

    def map(self, names: Sequence[str], title: str) -> CountryMap | None:
        """The map; none when this attempt came to nothing."""
        sizes = self._sizes()
        for letter in sorted(sizes, key=lambda each: (-sizes[each], each)):
            if not self._grow_continent(letter, sizes[letter] * self.settings.cells_per_country):
                return None
        cells = {country: cells for letter, count in sizes.items() for country, cells in self._split(letter, count)}
        continents = dict(zip(sizes, names, strict=False))
        made = CountryMap(title, continents, cells, frozenset(), self.settings.width, self.settings.height)
        linked = CountryMap(title, continents, cells, self._links(made), self.settings.width, self.settings.height)
        return linked if linked.connected else None

    def _stream(self, draw: str, *parts: object) -> Stream:
        return self.dice("map", f"attempt {self.number}", draw, *parts)

    def _sizes(self) -> dict[str, int]:
        """CN-4.3: how many countries each continent gets."""
        letters = ascii_uppercase[: self.settings.continents]
        sizes = dict.fromkeys(letters, 1)
        stream = self._stream("G1")
        for _ in range(self.settings.countries - self.settings.continents):
            sizes[stream.choice(letters)] += 1
        return sizes

    def _grow_continent(self, letter: str, size: int) -> bool:
        """CN-4.4 to CN-4.6: whether there was room for it."""
        grid = [(column, row) for column in range(self.settings.width) for row in range(self.settings.height)]
        starts = [cell for cell in grid if self._is_room(cell, letter)]
        if self.settings.sea_gap == 0 and self.land:
            starts = [cell for cell in starts if any(other in self.land for other in beside(cell))]
        if not starts:
            return False
        start = self._stream("G2", letter).choice(starts)
        self.land[start] = letter
        edge = {cell for cell in beside(start) if self._is_room(cell, letter)}
        stream = self._stream("G3", letter)
        for _ in range(size - 1):
            if not edge:
                return False
            cell = stream.choice(sorted(edge))
            self.land[cell] = letter
            edge.remove(cell)
            edge.update(other for other in beside(cell) if self._is_room(other, letter))
        return True

    def _is_room(self, cell: Cell, letter: str) -> bool:
        """Whether a continent may have a cell: it is free, and no other continent is within the gap."""
        column, row = cell
        if not (0 <= column < self.settings.width and 0 <= row < self.settings.height) or cell in self.land:
            return False
        near = range(-self.settings.sea_gap, self.settings.sea_gap + 1)
        return all(self.land.get((column + right, row + down), letter) == letter for right in near for down in near)

    def _split(self, letter: str, count: int) -> list[tuple[str, tuple[Cell, ...]]]:
        """CN-4.7, CN-4.8: the continent's countries and their cells."""
        free = sorted(cell for cell, continent in self.land.items() if continent == letter)
        seeds = self._stream("G4", letter)
        first = []
        left = list(free)
        for _ in range(count):
            first.append(left.pop(seeds.below(len(left))))
        countries = {f"{letter}{number}": [cell] for number, cell in enumerate(sorted(first), 1)}
        unassigned = set(left)
        stream = self._stream("G5", letter)
        while unassigned:
            country, choice = next(
                (each, choice)
                for each in sorted(countries, key=lambda each: (len(countries[each]), rank(each)))
                if (choice := sorted({other for cell in countries[each] for other in beside(cell)} & unassigned))
            )
            cell = stream.choice(choice)
            countries[country].append(cell)
            unassigned.remove(cell)
        return [(country, tuple(sorted(cells))) for country, cells in countries.items()]

    def _links(self, made: CountryMap) -> frozenset[Pair]:
        """CN-4.10, CN-4.11."""
        if not self.settings.links:
            return frozenset()
        possible = sorted(
            (
                pair(one, other)
                for one, other in combinations(made.countries, 2)
                if one[0] != other[0] and pair(one, other) not in made.borders
            ),
            key=lambda each: (_distance(made, each), rank(each[0]), rank(each[1])),
        )
        joined = UnionFind(made.countries)
        for one, other in made.borders:
            joined.union(one, other)
        links = set()
        for one, other in possible:
            if joined[one] != joined[other]:
                links.add((one, other))
                joined.union(one, other)
        pool_size = self.generator.extra_link_pool * self.settings.extra_links
        pool = [each for each in possible if each not in links][:pool_size]
        stream = self._stream("G6")
        for _ in range(min(self.settings.extra_links, len(pool))):
            links.add(pool.pop(stream.below(len(pool))))
        return frozenset(links)


def _distance(made: CountryMap, countries: Pair) -> int:
    """The least distance of a cell of the one to a cell of the other, columns and rows added up."""
    one, other = (made.cells[country] for country in countries)
    return min(abs(a - c) + abs(b - d) for a, b in one for c, d in other)
