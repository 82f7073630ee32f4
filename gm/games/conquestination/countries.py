"""The map: countries made of cells, grouped into continents, joined by land borders and sea links (CN-3.2)."""

import re
from collections.abc import Collection, Mapping
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

Cell = tuple[int, int]  # Column and row, counted from 0: cells sort by column, then row (CN-4.15)
Pair = tuple[str, str]  # Two countries, the lower first


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


def borders_of(areas: Mapping[str, tuple[Cell, ...]]) -> frozenset[Pair]:
    """CN-4.9: the pairs of countries with cells side by side."""
    owners = {cell: country for country, cells in areas.items() for cell in cells}
    return frozenset(
        pair(country, owners[other])
        for cell, country in owners.items()
        for other in beside(cell)
        if owners.get(other, country) != country
    )


class Board(BaseBoard):
    """map.yaml: ``cells`` are rows of words, each a country or ``..`` for sea; ``random`` says with what a map is made
    at random when a game begins, which then takes the place of the cells."""

    players: Annotated[Players, STRUCT] | None = None
    """How many players it is meant for; none: as many as the rules allow."""
    continents: Mapping[str, str] = {}  # What each continent is called, by its letter
    cells: tuple[str, ...] = ()
    links: tuple[str, ...] = ()  # Sea links, e.g. ``A1-C1``.
    random: Annotated[RandomMap, STRUCT] | None = None

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
        if not self.areas:
            raise ValueError("the map has no country")
        for country, cells in self.areas.items():
            if country[0] not in self.continents:
                raise ValueError(f"continent {country[0]} of {country} has no name under 'continents'")
            grid = nx.Graph((cell, other) for cell in cells for other in beside(cell))
            if not nx.is_connected(grid.subgraph(cells)):
                raise ValueError(f"country {country} is not in one piece")
        for words in self.links:
            one, _, other = words.partition("-")
            if one not in self.areas or other not in self.areas or one == other:
                raise ValueError(f"a link is written A1-B2, between two countries of the map, not {words!r}")
        if len(self.graph.parts(self.areas)) > 1:
            raise ValueError("some countries can be reached neither by land nor by a link")
        return self

    @cached_property
    def areas(self) -> dict[str, tuple[Cell, ...]]:
        """The cells of each country, in order; countries in order."""
        grid = ((at, row.split()) for at, row in enumerate(self.cells))
        found: dict[str, list[Cell]] = {}
        for cell, word in sorted(((column, row), word) for row, words in grid for column, word in enumerate(words)):
            found.setdefault(word, []).append(cell)
        return {country: tuple(found[country]) for country in sorted(found.keys() - {SEA}, key=rank)}

    @cached_property
    def countries(self) -> tuple[str, ...]:
        """Every country, in order."""
        return tuple(self.areas)

    @cached_property
    def sea_links(self) -> frozenset[Pair]:
        """Its links as pairs."""
        return frozenset(pair(*words.split("-")) for words in self.links)

    @cached_property
    def borders(self) -> frozenset[Pair]:
        """CN-4.9."""
        return borders_of(self.areas)

    @cached_property
    def graph(self) -> MapGraph:
        """The countries, those next to each other by land or by a link joined (CN-7.2); its kinds are continents."""
        return self._joined(self.borders | self.sea_links)

    @property
    def neighbours(self) -> dict[str, tuple[str, ...]]:
        """The countries next to each one by land or by a link, in order (CN-7.2)."""
        return self.graph.adjacent

    @cached_property
    def by_land(self) -> dict[str, tuple[str, ...]]:
        """The countries that each one borders on, in order."""
        return self._joined(self.borders).adjacent

    def _joined(self, pairs: frozenset[Pair]) -> MapGraph:
        return MapGraph({country: country[0] for country in self.areas}, ((*each, None) for each in pairs))

    def continent(self, letter: str) -> tuple[str, ...]:
        """Its countries, in order."""
        return tuple(country for country in self.areas if country[0] == letter)

    def whole(self, held: Collection[str]) -> list[str]:
        """The letters of the continents of which all countries are among these."""
        return [letter for letter in self.continents if set(self.continent(letter)) <= set(held)]
