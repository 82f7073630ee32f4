"""Random maps (CN-4): continents grown on a grid of cells, split into countries, joined by sea links.

Every draw is a uniform choice from a list that is sorted by column, then row, so that one seed gives one map.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, combinations, islice, product
from string import ascii_uppercase

from networkx.utils import UnionFind

from gm.core.diagnostics import says
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


def random_map(board: Board, settings: RandomMap, rules: Rules, dice: Dice) -> Board:
    """Return the board with a map by these settings, of the first attempt that succeeds (CN-4.12 to CN-4.14).

    Raises ``NoMapError`` for settings that cannot be met, or if no attempt succeeds.
    """
    settings = settings.whole
    obstacle = next(_obstacles(settings, rules.generator), None)
    if obstacle:
        raise NoMapError(obstacle)
    for number in range(1, rules.generator.attempts + 1):
        attempt = _Attempt(settings, rules.generator, dice, number)
        areas = attempt.all_areas()
        links = None if areas is None else attempt.links(areas)
        if areas is None or links is None:
            continue
        letters = ascii_uppercase[: settings.continents]
        # the first version of the generator gave no names
        has_names = settings.generator > 1 and rules.country_names.first
        return board.evolve(
            continents=dict(zip(letters, rules.continent_names, strict=False)),
            cells=tuple(_rows(areas, settings)),
            links=tuple("-".join(ends) for ends in sorted(links, key=lambda ends: [*map(rank, ends)])),
            names=names_of(areas, rules.country_names, dice) if has_names else {},
            random=settings,
        )
    pattern = (
        "no map came out in {0} attempts: a grid larger than {1} x {2} cells gives the continents more room "
        "(CN-4.13)"
    )
    raise NoMapError(says(pattern, rules.generator.attempts, settings.width, settings.height))


def _rows(areas: Areas, settings: RandomMap) -> Iterator[str]:
    """Yield the rows of a map file: each cell a country's code or the sea, in columns."""
    owners = owners_of(areas)
    widest = max(map(len, (*areas, SEA)))
    for row in range(settings.height):
        words = (owners.get((column, row), SEA) for column in range(settings.width))
        yield " ".join(word.ljust(widest) for word in words).rstrip()


def names_of(areas: Areas, parts: CountryNames, dice: Dice) -> dict[str, str]:
    """Return a name for each country, by code (draw G7); it begins with the letter of its continent.

    Where countries outnumber names, names come again with a number. Empty if there are no parts to make names
    of.
    """
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
        pattern = "there are at most {0} continents, not {1} (CN-4.14)"
        yield says(pattern, generator.max_continents, continents)
    if continents > countries:
        pattern = "{0} continents need as many countries, and there are {1} (CN-4.14)"
        yield says(pattern, continents, countries)
    land = countries * settings.cells_per_country
    grid = settings.width * settings.height
    if land * 100 > grid * most:
        yield says("{0} cells of land are more than {1}% of the grid's {2} (CN-4.14)", land, most, grid)
    if not settings.links and settings.sea_gap > 0 and continents > 1:
        crossing = says("{0} continents need 'links', or a 'sea_gap' of 0 (CN-4.12)", continents)
        yield says("without links nobody could cross the sea: {0}", crossing)


@dataclass
class _Attempt:
    """One attempt to make a map; it is dropped when a draw has nothing to choose from."""

    settings: RandomMap
    generator: Generator
    dice: Dice
    number: int
    land: dict[Cell, str] = field(default_factory=dict)  # The letter of the continent of each land cell

    def all_areas(self) -> Areas | None:
        """Return the cells of each country, by code; None if there is no room.

        On a symmetric map the first player's countries are repeated for the others, turned about the middle.
        """
        own = self.areas()
        settings = self.settings
        if own is None or not settings.symmetry:
            return own
        all_areas = dict(own)
        for times in range(1, settings.symmetry):
            all_areas |= {
                settings.turned(code, times): self._turned(cells, times) for code, cells in own.items()
            }
        return {code: all_areas[code] for code in sorted(all_areas, key=rank)}

    def _turned(self, cells: tuple[Cell, ...], times: int) -> tuple[Cell, ...]:
        """Return cells turned ``times`` times about the middle of the grid.

        A turn is a half one for two players, else a quarter.
        """
        right = self.settings.width - 1
        bottom = self.settings.height - 1
        is_half = self.settings.symmetry == 2
        for _ in range(times):
            if is_half:
                cells = tuple(sorted((right - x, bottom - y) for x, y in cells))
            else:
                cells = tuple(sorted((right - y, x) for x, y in cells))
        return cells

    def areas(self) -> Areas | None:
        """Return the cells of each country; of a symmetric map only the first player's (CN-4.3).

        None if a continent has no room.
        """
        sectors = self.settings.symmetry or 1
        letters = ascii_uppercase[: self.settings.continents // sectors]
        country_counts = dict.fromkeys(letters, 1)  # by continent
        stream = self._stream("G1")
        for _ in range((self.settings.countries - self.settings.continents) // sectors):
            country_counts[stream.choice(letters)] += 1
        # the largest continents first, while there is most room
        for letter in sorted(country_counts, key=lambda letter: (-country_counts[letter], letter)):
            if not self._grow_continent(letter, country_counts[letter] * self.settings.cells_per_country):
                return None
        areas: dict[str, tuple[Cell, ...]] = {}
        for letter, count in country_counts.items():
            areas.update(self._split(letter, count))
        return areas

    def _stream(self, draw: str, *parts: object) -> Stream:
        return self.dice("map", f"attempt {self.number}", draw, *parts)

    def _grow_continent(self, letter: str, size: int) -> bool:
        """Give a continent its ``size`` cells; return whether there was room for it (CN-4.4 to CN-4.6)."""
        grid = product(range(self.settings.width), range(self.settings.height))
        candidates = {cell for cell in grid if self._is_room(cell, letter)}
        if self.settings.sea_gap == 0 and self.land:
            # without sea between them, continents touch: a later one begins beside land
            candidates = {cell for cell in candidates if not self.land.keys().isdisjoint(beside(cell))}
        stream = self._stream("G2", letter)
        for grown in range(size):
            if not candidates:
                return False
            cell = stream.choice(sorted(candidates))
            self.land[cell] = letter
            if not grown:
                # from the first cell on, only cells beside the continent
                candidates = {cell}
                stream = self._stream("G3", letter)
            candidates.remove(cell)
            candidates.update(other for other in beside(cell) if self._is_room(other, letter))
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
        """The first column beyond the part of the grid that is drawn: on a symmetric map, the left half."""
        if not self.settings.symmetry:
            return self.settings.width
        return (self.settings.width - self.settings.sea_gap) // 2

    @cached_property
    def _bottom(self) -> int:
        """The first row beyond the part of the grid that is drawn: for three or four players, a quarter."""
        return self.settings.height if self.settings.symmetry < 3 else self._right

    def _split(self, letter: str, count: int) -> list[tuple[str, tuple[Cell, ...]]]:
        """Return (country, its cells) for ``count`` countries of the continent ``letter`` (CN-4.7, CN-4.8).

        The smallest country that can grow gets a cell beside it, until all cells are assigned.
        """
        cells = sorted(cell for cell, continent in self.land.items() if continent == letter)
        first_cells = sorted(self._stream("G4", letter).sample(cells, count))
        countries = {f"{letter}{number}": [cell] for number, cell in enumerate(first_cells, 1)}
        unassigned = set(cells) - set(first_cells)
        stream = self._stream("G5", letter)
        while unassigned:
            for country in sorted(countries, key=lambda country: (len(countries[country]), rank(country))):
                unassigned_beside = unassigned & set[Cell]().union(*map(beside, countries[country]))
                if unassigned_beside:
                    break  # it is the smallest country that can grow
            cell = stream.choice(sorted(unassigned_beside))
            countries[country].append(cell)
            unassigned.remove(cell)
        return [(country, tuple(sorted(cells))) for country, cells in countries.items()]

    def links(self, areas: Areas) -> set[tuple[str, str]] | None:
        """Return the sea links; None if some countries could not be reached (CN-4.10, CN-4.11)."""
        joined = UnionFind(areas)  # sets of countries that are connected
        borders = borders_of(areas)
        for border in borders:
            joined.union(*border)
        possible = self._possible_links(areas, borders)
        links = self._joining_links(areas, possible, joined)
        links |= self._extra_links(areas, [link for link in possible if link not in links])
        return links if len(list(joined.to_sets())) == 1 else None

    def _possible_links(self, areas: Areas, borders: frozenset[Pair]) -> list[Pair]:
        """Return the pairs of countries on two continents that have no common border, the nearest first.

        Empty if the settings ask for no links.
        """
        if not self.settings.links:
            return []
        possible = set[Pair]()
        for one, other in combinations(areas, 2):
            continent = one[0]
            other_continent = other[0]
            if continent != other_continent:
                possible.add(pair(one, other))
        return sorted(possible - borders, key=lambda ends: (_distance(areas, ends), *map(rank, ends)))

    def _joining_links(self, areas: Areas, possible: Iterable[Pair], joined: UnionFind) -> set[Pair]:
        """Return the shortest links that connect all countries; record in ``joined`` what they connect.

        ``possible``: the links to choose from, the shortest first.
        """
        links = set[Pair]()
        for one, other in possible:
            if joined[one] != joined[other] and self._is_open(areas, one, other):
                like_links = self._in_all_sectors(one, other)
                links.update(like_links)
                for ends in like_links:
                    joined.union(*ends)
        return links

    def _extra_links(self, areas: Areas, spare: Iterable[Pair]) -> set[Pair]:
        """Return further links, drawn from the shortest open ones, and their copies in all sectors (draw G6).

        ``spare``: the links that are not made yet, the shortest first.
        """
        count = -(-self.settings.extra_links // (self.settings.symmetry or 1))  # rounded up
        open_links = (ends for ends in spare if self._is_open(areas, *ends))
        nearest = islice(open_links, self.generator.extra_link_pool * count)
        # on a symmetric map the lowest stands for the links that are alike in all sectors
        pool = list(dict.fromkeys(min(self._in_all_sectors(*ends)) for ends in nearest))
        drawn = self._stream("G6").sample(pool, min(count, len(pool)))
        return set(chain.from_iterable(self._in_all_sectors(*ends) for ends in drawn))

    def _in_all_sectors(self, one: str, other: str) -> list[Pair]:
        """Return a link and, on a symmetric map, its turned copies for the other players."""
        turned = self.settings.turned
        return [
            pair(turned(one, times), turned(other, times)) if times else (one, other)
            for times in range(self.settings.symmetry or 1)
        ]

    def _is_open(self, areas: Areas, one: str, other: str) -> bool:
        """Return whether a link and its turned copies pass no third country.

        For the first version of the generator every link is open: it did not check this.
        """
        if self.settings.generator == 1:
            return True
        return all(open_way(areas, *ends) for ends in self._in_all_sectors(one, other))


def _distance(areas: Areas, countries: tuple[str, str]) -> int:
    """Return the least distance between cells of two countries: those of columns and rows add up."""
    cells, other_cells = (areas[country] for country in countries)
    return min(
        abs(column - other_column) + abs(row - other_row)
        for (column, row), (other_column, other_row) in product(cells, other_cells)
    )
