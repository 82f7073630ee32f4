"""Random maps (CN-4): continents grown on a grid of cells, split into countries, joined by sea links. Every draw is a
uniform choice from a list that is sorted by column, then row, so that one seed gives one map."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, product
from string import ascii_uppercase

from networkx.utils import UnionFind

from gm.core.dice import Dice, Stream
from gm.games.conquestination.rules import SEA, Board, Cell, Generator, RandomMap, Rules, beside, borders_of, pair, rank

Areas = dict[str, tuple[Cell, ...]]  # The cells of each country


class NoMapError(ValueError):
    """No map can be made with these settings; the message says which of them stands in the way."""


def random_map(board: Board, wanted: RandomMap, rules: Rules, dice: Dice) -> Board:
    """The board with a map as ``wanted`` in it. Raises ``NoMapError`` (CN-4.12 to CN-4.14)."""
    for why in _obstacles(wanted, rules.generator):
        raise NoMapError(why)
    for attempt in range(1, rules.generator.attempts + 1):
        making = _Attempt(wanted, rules.generator, dice, attempt)
        areas = making.areas()
        links = None if areas is None else making.links(areas)
        if areas is None or links is None:
            continue
        owners = {cell: country for country, cells in areas.items() for cell in cells}
        widest = max(map(len, (*areas, SEA)))
        grid = [[owners.get((column, row), SEA) for column in range(wanted.width)] for row in range(wanted.height)]
        return board.evolve(
            continents=dict(zip(ascii_uppercase[: wanted.continents], rules.continent_names, strict=False)),
            cells=tuple(" ".join(word.ljust(widest) for word in words).rstrip() for words in grid),
            links=tuple("-".join(each) for each in sorted(links, key=lambda ends: [*map(rank, ends)])),
            random=wanted,
        )
    raise NoMapError(
        f"no map came out in {rules.generator.attempts} attempts: a grid larger than {wanted.width} x {wanted.height} "
        "cells gives the continents more room (CN-4.13)"
    )


def _obstacles(wanted: RandomMap, generator: Generator) -> Iterator[str]:
    """Why no map as wanted can be made."""
    continents, countries, most = wanted.continents, wanted.countries, generator.max_land_percent
    if continents > generator.max_continents:
        yield f"there are at most {generator.max_continents} continents, not {continents} (CN-4.14)"
    if continents > countries:
        yield f"{continents} continents need as many countries, and there are {countries} (CN-4.14)"
    land, grid = countries * wanted.cells_per_country, wanted.width * wanted.height
    if land * 100 > grid * most:
        yield f"{land} cells of land are more than {most}% of the grid's {grid} (CN-4.14)"
    if not wanted.links and wanted.sea_gap > 0 and continents > 1:
        crossing = f"{continents} continents need 'links', or a 'sea_gap' of 0 (CN-4.12)"
        yield f"without links nobody could cross the sea: {crossing}"


@dataclass
class _Attempt:
    """One attempt: it finds a map, or a draw finds nothing to choose from and it is thrown away."""

    settings: RandomMap
    generator: Generator
    dice: Dice
    number: int
    land: dict[Cell, str] = field(default_factory=dict)  # The continent of each cell that is taken

    def areas(self) -> Areas | None:
        """CN-4.3: the countries; none where a continent found no room."""
        letters = ascii_uppercase[: self.settings.continents]
        sizes, stream = dict.fromkeys(letters, 1), self._stream("G1")
        for _ in range(self.settings.countries - self.settings.continents):
            sizes[stream.choice(letters)] += 1
        for letter in sorted(sizes, key=lambda each: (-sizes[each], each)):
            if not self._grow_continent(letter, sizes[letter] * self.settings.cells_per_country):
                return None
        return {country: cells for letter, count in sizes.items() for country, cells in self._split(letter, count)}

    def _stream(self, draw: str, *parts: object) -> Stream:
        return self.dice("map", f"attempt {self.number}", draw, *parts)

    def _grow_continent(self, letter: str, size: int) -> bool:
        """CN-4.4 to CN-4.6: whether there was room for it."""
        grid = product(range(self.settings.width), range(self.settings.height))
        edge = {cell for cell in grid if self._is_room(cell, letter)}
        if self.settings.sea_gap == 0 and self.land:
            edge = {cell for cell in edge if any(other in self.land for other in beside(cell))}
        stream = self._stream("G2", letter)
        for grown in range(size):
            if not edge:
                return False
            cell = stream.choice(sorted(edge))
            self.land[cell] = letter
            if not grown:
                edge, stream = {cell}, self._stream("G3", letter)
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
        first = sorted(self._stream("G4", letter).sample(free, count))
        countries = {f"{letter}{number}": [cell] for number, cell in enumerate(first, 1)}
        unassigned = set(free) - set(first)
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

    def links(self, areas: Areas) -> set[tuple[str, str]] | None:
        """CN-4.10, CN-4.11; none where they leave countries that cannot be reached."""
        borders, joined = borders_of(areas), UnionFind(areas)
        abroad = {pair(*each) for each in combinations(areas, 2) if each[0][0] != each[1][0]} - borders
        wanted = abroad if self.settings.links else ()
        possible = sorted(wanted, key=lambda each: (_distance(areas, each), *map(rank, each)))
        for border in borders:
            joined.union(*border)
        links = set()
        for one, other in possible:
            if joined[one] != joined[other]:
                links.add((one, other))
                joined.union(one, other)
        extra = self.settings.extra_links
        pool = [each for each in possible if each not in links][: self.generator.extra_link_pool * extra]
        links.update(self._stream("G6").sample(pool, min(extra, len(pool))))
        return links if len(list(joined.to_sets())) == 1 else None


def _distance(areas: Areas, countries: tuple[str, str]) -> int:
    """The least distance of a cell of the one to a cell of the other, columns and rows added up."""
    one, other = (areas[country] for country in countries)
    return min(abs(a - c) + abs(b - d) for a, b in one for c, d in other)
