"""Random maps (CN-4): continents grown on a grid of cells, split into countries, joined by sea links.

Every draw is a uniform choice from a list that is sorted by column, then row, so that one seed gives one map.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, combinations, islice, product
from string import ascii_uppercase

from networkx.utils import UnionFind

from gm.core.dice import Dice, Stream
from gm.games.conquestination.cells import (
    SEA,
    Cell,
    Pair,
    beside,
    borders_of,
    open_way,
    owners_of,
    pair,
    rank,
)
from gm.games.conquestination.rules import Board, CountryNames, Generator, RandomMap, Rules

Areas = dict[str, tuple[Cell, ...]]  # The cells of each country


class NoMapError(ValueError):
    """No map can be made with these settings; the message names the one that prevents it."""


def random_map(board: Board, wishes: RandomMap, rules: Rules, dice: Dice) -> Board:
    """Return the board with a map for these ``wishes``. Raises ``NoMapError`` (CN-4.12 to CN-4.14)."""
    wishes = wishes.whole
    for why in _obstacles(wishes, rules.generator):
        raise NoMapError(why)
    for attempt in range(1, rules.generator.attempts + 1):
        making = _Attempt(wishes, rules.generator, dice, attempt)
        areas = making.all_areas()
        links = None if areas is None else making.links(areas)
        if areas is None or links is None:
            continue
        named = wishes.generator > 1 and rules.country_names.first
        return board.evolve(
            continents=dict(zip(ascii_uppercase[: wishes.continents], rules.continent_names, strict=False)),
            cells=tuple(_rows(areas, wishes)),
            links=tuple("-".join(ends) for ends in sorted(links, key=lambda ends: [*map(rank, ends)])),
            names=names_of(areas, rules.country_names, dice) if named else {},
            random=wishes,
        )
    raise NoMapError(
        f"no map came out in {rules.generator.attempts} attempts: a grid larger than {wishes.width} x "
        f"{wishes.height} "
        "cells gives the continents more room (CN-4.13)"
    )


def _rows(areas: Areas, settings: RandomMap) -> Iterator[str]:
    """Yield the rows of a map file: each cell a country's code or the sea, in columns."""
    owners = owners_of(areas)
    widest = max(map(len, (*areas, SEA)))
    for row in range(settings.height):
        words = (owners.get((column, row), SEA) for column in range(settings.width))
        yield " ".join(word.ljust(widest) for word in words).rstrip()


def names_of(areas: Areas, parts: CountryNames, dice: Dice) -> dict[str, str]:
    """Return a name for each country (draw G7), which begins with the letter of its continent."""
    names: dict[str, str] = {}
    if not parts.first:
        return names
    for letter in dict.fromkeys(country[0] for country in areas):
        beginnings = [first for first in parts.first if first[0] == letter]
        possible = sorted({first + last for first, last in product(beginnings, parts.last)})
        countries = [country for country in areas if country[0] == letter]
        names_drawn = dice("map", "G7", letter).sample(possible, min(len(countries), len(possible)))
        for number, country in enumerate(countries):
            names[country] = _numbered(names_drawn, number)
    return names


def _numbered(names: list[str], index: int) -> str:
    """Return a name by index; beyond the last name they repeat with the numbers 2, 3 and so on."""
    repetition, number = divmod(index, len(names))
    return names[number] if not repetition else f"{names[number]} {repetition + 1}"


def _obstacles(settings: RandomMap, generator: Generator) -> Iterator[str]:
    """Yield the reasons why the wanted map cannot be made."""
    continents = settings.continents
    countries = settings.countries
    most = generator.max_land_percent
    if continents > generator.max_continents:
        yield f"there are at most {generator.max_continents} continents, not {continents} (CN-4.14)"
    if continents > countries:
        yield f"{continents} continents need as many countries, and there are {countries} (CN-4.14)"
    land = countries * settings.cells_per_country
    grid = settings.width * settings.height
    if land * 100 > grid * most:
        yield f"{land} cells of land are more than {most}% of the grid's {grid} (CN-4.14)"
    if not settings.links and settings.sea_gap > 0 and continents > 1:
        crossing = f"{continents} continents need 'links', or a 'sea_gap' of 0 (CN-4.12)"
        yield f"without links nobody could cross the sea: {crossing}"


@dataclass
class _Attempt:
    """One attempt to make a map; it is dropped when a draw has nothing to choose from."""

    settings: RandomMap
    generator: Generator
    dice: Dice
    number: int
    land: dict[Cell, str] = field(default_factory=dict)  # The continent of each cell that is taken

    def all_areas(self) -> Areas | None:
        """Return the countries; of a symmetric map one player's and the turned ones of the others.

        None if there is no room.
        """
        own = self.areas()
        random_settings = self.settings
        if own is None or not random_settings.symmetry:
            return own
        all_areas = dict(own)
        for times in range(1, random_settings.symmetry):
            all_areas |= {
                random_settings.turned(code, times): self._turned(cells, times) for code, cells in own.items()
            }
        return {code: all_areas[code] for code in sorted(all_areas, key=rank)}

    def _turned(self, cells: tuple[Cell, ...], times: int) -> tuple[Cell, ...]:
        """Return cells turned about the middle of the grid, by a half for two players, else by quarters."""
        right = self.settings.width - 1
        bottom = self.settings.height - 1
        for _ in range(times):
            half = self.settings.symmetry == 2
            cells = tuple(sorted((right - x, bottom - y) if half else (right - y, x) for x, y in cells))
        return cells

    def areas(self) -> Areas | None:
        """Return the countries, of a symmetric map one player's; None if a continent has no room (CN-4.3)."""
        share = self.settings.symmetry or 1
        letters = ascii_uppercase[: self.settings.continents // share]
        sizes = dict.fromkeys(letters, 1)
        stream = self._stream("G1")
        for _ in range((self.settings.countries - self.settings.continents) // share):
            sizes[stream.choice(letters)] += 1
        for letter in sorted(sizes, key=lambda size: (-sizes[size], size)):
            if not self._grow_continent(letter, sizes[letter] * self.settings.cells_per_country):
                return None
        areas: dict[str, tuple[Cell, ...]] = {}
        for letter, count in sizes.items():
            areas.update(self._split(letter, count))
        return areas

    def _stream(self, draw: str, *parts: object) -> Stream:
        return self.dice("map", f"attempt {self.number}", draw, *parts)

    def _grow_continent(self, letter: str, size: int) -> bool:
        """Give a continent its cells; return whether there was room for it (CN-4.4 to CN-4.6)."""
        grid = product(range(self.settings.width), range(self.settings.height))
        edge = {cell for cell in grid if self._is_room(cell, letter)}
        if self.settings.sea_gap == 0 and self.land:
            edge = {cell for cell in edge if not self.land.keys().isdisjoint(beside(cell))}
        stream = self._stream("G2", letter)
        for grown in range(size):
            if not edge:
                return False
            cell = stream.choice(sorted(edge))
            self.land[cell] = letter
            if not grown:
                edge = {cell}
                stream = self._stream("G3", letter)
            edge.remove(cell)
            edge.update(other for other in beside(cell) if self._is_room(other, letter))
        return True

    def _is_room(self, cell: Cell, letter: str) -> bool:
        """Return whether a continent may have a cell: it is free, and no other continent is too near."""
        column, row = cell
        if not (0 <= column < self._right and 0 <= row < self._bottom) or cell in self.land:
            return False
        near = range(-self.settings.sea_gap, self.settings.sea_gap + 1)
        return all(
            self.land.get((column + right, row + down), letter) == letter
            for right, down in product(near, near)
        )

    @cached_property
    def _right(self) -> int:
        return (
            self.settings.width
            if not self.settings.symmetry
            else (self.settings.width - self.settings.sea_gap) // 2
        )

    @cached_property
    def _bottom(self) -> int:
        return self.settings.height if self.settings.symmetry < 3 else self._right

    def _split(self, letter: str, count: int) -> list[tuple[str, tuple[Cell, ...]]]:
        """Return the continent's countries and their cells (CN-4.7, CN-4.8)."""
        free = sorted(cell for cell, continent in self.land.items() if continent == letter)
        first = sorted(self._stream("G4", letter).sample(free, count))
        countries = {f"{letter}{number}": [cell] for number, cell in enumerate(first, 1)}
        unassigned = set(free) - set(first)
        stream = self._stream("G5", letter)
        while unassigned:
            for country in sorted(countries, key=lambda country: (len(countries[country]), rank(country))):
                free_beside = unassigned & set[Cell]().union(*map(beside, countries[country]))
                if free_beside:
                    break
            cell = stream.choice(sorted(free_beside))
            countries[country].append(cell)
            unassigned.remove(cell)
        return [(country, tuple(sorted(cells))) for country, cells in countries.items()]

    def links(self, areas: Areas) -> set[tuple[str, str]] | None:
        """Return the sea links; None if some countries could not be reached (CN-4.10, CN-4.11)."""
        joined = UnionFind(areas)
        borders = borders_of(areas)
        for border in borders:
            joined.union(*border)
        possible = self._possible_links(areas, borders)
        links = self._joining_links(areas, possible, joined)
        links |= self._extra_links(areas, [link for link in possible if link not in links])
        return links if len(list(joined.to_sets())) == 1 else None

    def _possible_links(self, areas: Areas, borders: frozenset[Pair]) -> list[Pair]:
        """Return the pairs of countries of two continents without a common border, the nearest first."""
        if not self.settings.links:
            return []
        abroad = {pair(*ends) for ends in combinations(areas, 2) if ends[0][0] != ends[1][0]} - borders
        return sorted(abroad, key=lambda ends: (_distance(areas, ends), *map(rank, ends)))

    def _joining_links(self, areas: Areas, possible: Iterable[Pair], joined: UnionFind) -> set[Pair]:
        """Return the shortest links that connect all countries; record in ``joined`` what they connect."""
        links = set[Pair]()
        for one, other in possible:
            if joined[one] != joined[other] and self._open(areas, one, other):
                together = self._all_round(one, other)
                links.update(together)
                for ends in together:
                    joined.union(*ends)
        return links

    def _extra_links(self, areas: Areas, spare: Iterable[Pair]) -> set[Pair]:
        """Return links that are drawn from the shortest of the ``spare`` ones (draw G6)."""
        count = -(-self.settings.extra_links // (self.settings.symmetry or 1))
        open_links = (ends for ends in spare if self._open(areas, *ends))
        nearest = islice(open_links, self.generator.extra_link_pool * count)
        pool = list(dict.fromkeys(min(self._all_round(*ends)) for ends in nearest))
        drawn = self._stream("G6").sample(pool, min(count, len(pool)))
        return set(chain.from_iterable(self._all_round(*ends) for ends in drawn))

    def _all_round(self, one: str, other: str) -> list[Pair]:
        """Return a link and, on a symmetric map, its turned copies for the other players."""
        turned = self.settings.turned
        return [
            pair(turned(one, times), turned(other, times)) if times else (one, other)
            for times in range(self.settings.symmetry or 1)
        ]

    def _open(self, areas: Areas, one: str, other: str) -> bool:
        """Return whether a link and its turned copies pass no third country.

        The first version of the generator did not check this.
        """
        asked = self.settings.generator > 1
        return not asked or all(open_way(areas, *pair) for pair in self._all_round(one, other))


def _distance(areas: Areas, countries: tuple[str, str]) -> int:
    """Return the least distance between cells of the two countries, columns and rows added up."""
    one, other = (areas[country] for country in countries)
    return min(abs(a - c) + abs(b - d) for (a, b), (c, d) in product(one, other))
