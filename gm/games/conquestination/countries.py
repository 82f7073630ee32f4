"""The map: countries made of cells, grouped into continents, joined by land borders and sea links (CN-3.2)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Self

import networkx as nx
from pydantic import field_validator, model_validator

from gm.core.map_graph import MapGraph
from gm.core.yaml.pydantic_models import STRUCT
from gm.game.base.position import BaseBoard
from gm.games.conquestination.rules import Players, RandomMap

SEA = ".."
_COUNTRY = re.compile(r"[A-Z][1-9][0-9]*")

Cell = tuple[int, int]
"""Column and row, counted from 0: cells sort by column, then row (CN-4.15)."""

Pair = tuple[str, str]
"""Two countries, the lower first."""


def rank(country: str) -> tuple[str, int]:
    """The order of countries: by continent, then by number, so that A2 comes before A10."""
    return country[:1], int(country[1:])


def pair(one: str, other: str) -> Pair:
    """Two countries, the lower first."""
    return (one, other) if rank(one) < rank(other) else (other, one)


def beside(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """The four cells next to one, also those outside the grid (CN-4.2)."""
    column, row = cell
    return (column - 1, row), (column, row - 1), (column, row + 1), (column + 1, row)


class Board(BaseBoard):
    """map.yaml: ``cells`` are rows of words, each a country or ``..`` for sea; ``random`` says with what a map is made
    at random when a game begins, which then takes the place of the cells."""

    players: Annotated[Players, STRUCT] | None = None
    """How many players it is meant for; none: as many as the rules allow."""
    continents: Mapping[str, str] = {}
    """What each continent is called, by its letter."""
    cells: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    """Sea links, e.g. ``A1-C1``."""
    random: Annotated[RandomMap, STRUCT] | None = None

    @cached_property
    def land(self) -> CountryMap:
        """The countries and what is next to what."""
        return CountryMap.of(self)

    @property
    def graph(self) -> MapGraph:
        """Who is next to whom."""
        return self.land.graph

    @field_validator("cells")
    @classmethod
    def _readable(cls, rows: tuple[str, ...]) -> tuple[str, ...]:
        for number, row in enumerate(rows, 1):
            for word in row.split():
                if word != SEA and not _COUNTRY.fullmatch(word):
                    raise ValueError(f"row {number}: a cell is a country such as A1, or {SEA} for sea, not {word!r}")
        if len({len(row.split()) for row in rows}) > 1:
            raise ValueError("all rows of cells must be equally long")
        return rows

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.random is not None and not self.cells:
            return self
        land = CountryMap.of(self)
        if not land.countries:
            raise ValueError("the map has no country")
        for country in land.countries:
            if country[0] not in self.continents:
                raise ValueError(f"continent {country[0]} of {country} has no name under 'continents'")
            if not _in_one_piece(land.cells[country]):
                raise ValueError(f"country {country} is not in one piece")
        for words in self.links:
            one, _, other = words.partition("-")
            if one not in land.cells or other not in land.cells or one == other:
                raise ValueError(f"a link is written A1-B2, between two countries of the map, not {words!r}")
        if not land.connected:
            raise ValueError("some countries can be reached neither by land nor by a link")
        return self


@dataclass(frozen=True, eq=False)
class CountryMap:
    """A map that can be played on. It never changes."""

    title: str
    continents: Mapping[str, str]
    """Names by letter."""
    cells: Mapping[str, tuple[Cell, ...]]
    """The cells of each country, in order; countries in order."""
    links: frozenset[Pair]
    width: int
    height: int
    seats: Players | None = None

    @classmethod
    def of(cls, file: Board) -> Self:
        """The map that a file describes."""
        rows = [row.split() for row in file.cells]
        found: dict[str, list[Cell]] = {}
        for row, words in enumerate(rows):
            for column, word in enumerate(words):
                if word != SEA:
                    found.setdefault(word, []).append((column, row))
        cells = {country: tuple(sorted(found[country])) for country in sorted(found, key=rank)}
        links = frozenset(pair(*words.split("-")) for words in file.links if words.count("-") == 1)
        return cls(file.title, file.continents, cells, links, len(rows[0]) if rows else 0, len(rows), file.players)

    def board(self, name: str) -> Board:
        """The map as a file states it."""
        owners = {cell: country for country, cells in self.cells.items() for cell in cells}
        widest = max(map(len, (*self.cells, SEA)))
        rows = tuple(
            " ".join(owners.get((column, row), SEA).ljust(widest) for column in range(self.width)).rstrip()
            for row in range(self.height)
        )
        links = tuple("-".join(each) for each in sorted(self.links, key=lambda link: (rank(link[0]), rank(link[1]))))
        return Board(
            name=name, title=self.title, players=self.seats, continents=self.continents, cells=rows, links=links
        )

    @cached_property
    def countries(self) -> tuple[str, ...]:
        """Every country, in order."""
        return tuple(self.cells)

    @cached_property
    def borders(self) -> frozenset[Pair]:
        """CN-4.9: the pairs with cells side by side."""
        owners = {cell: country for country, cells in self.cells.items() for cell in cells}
        return frozenset(
            pair(country, owners[other])
            for cell, country in owners.items()
            for other in beside(cell)
            if owners.get(other, country) != country
        )

    @cached_property
    def graph(self) -> MapGraph:
        """The countries, those next to each other by land or by a link joined (CN-7.2); its kinds are continents."""
        return self._joined(self.borders | self.links)

    @property
    def neighbours(self) -> dict[str, tuple[str, ...]]:
        """The countries next to each one by land or by a link, in order (CN-7.2)."""
        return self.graph.adjacent

    @cached_property
    def by_land(self) -> dict[str, tuple[str, ...]]:
        """The countries that each one borders on, in order."""
        return self._joined(self.borders).adjacent

    def _joined(self, pairs: Iterable[Pair]) -> MapGraph:
        known = ((one, other, None) for one, other in pairs if one in self.cells and other in self.cells)
        return MapGraph({country: country[0] for country in self.countries}, known)

    def continent(self, letter: str) -> tuple[str, ...]:
        """Its countries, in order."""
        return tuple(country for country in self.countries if country[0] == letter)

    def whole(self, held: Collection[str]) -> list[str]:
        """The letters of the continents of which all countries are among these."""
        return [letter for letter in self.continents if set(self.continent(letter)) <= set(held)]

    @property
    def connected(self) -> bool:
        """Whether every country can be reached from every other."""
        return len(self.graph.parts(self.countries)) <= 1


def _in_one_piece(cells: tuple[Cell, ...]) -> bool:
    """Whether all cells hang together, side by side (CN-4.2)."""
    grid = nx.Graph((cell, other) for cell in cells for other in beside(cell)).subgraph(cells)
    return bool(nx.is_connected(grid))
