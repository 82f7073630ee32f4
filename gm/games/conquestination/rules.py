"""The rules data, the settings and the map.

Countries are made of cells, grouped into continents, joined by borders and sea links (CN-3.2).
"""

from collections.abc import Collection, Mapping
from decimal import Decimal
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from string import ascii_uppercase
from typing import Annotated, ClassVar, Literal, Self

import networkx as nx
from msgspec import Meta
from pydantic import field_validator, model_validator

from gm.core.map_graph import MapGraph
from gm.core.values import Natural, Positive, Value, check_fields, check_whole, grouped
from gm.core.yaml.pydantic_models import STRUCT
from gm.game.base.position import BaseBoard, GameRules, GameSettings
from gm.games.conquestination.cells import COUNTRY, SEA, Cell, Pair, beside, borders_of, pair, rank

Mode = Literal["round", "single"]
SeatOrder = Literal["joined", "shuffled"]


class Players(Value):
    """The allowed numbers of players."""

    min: Annotated[int, Meta(ge=2)]
    max: int

    @check_whole
    def _ordered(self) -> None:
        if self.max < self.min:
            raise ValueError("'max' is below 'min'")


class Deployment(Value):
    """CN-5.2, CN-5.4: the units in each country at the start, and the total that players place."""

    units_per_country: Positive
    total_per_country: Decimal  # All players' units together, for each country

    @check_fields("total_per_country")
    @staticmethod
    def _for_all(total: Decimal) -> Decimal:
        if total < 1:
            raise ValueError("Input should be greater than or equal to 1")
        return total


class Reinforcement(Value):
    """CN-6.2 to CN-6.4: the units of a turn, by countries and whole continents."""

    countries_per_unit: Positive  # So many countries bring a unit
    min_reinforcement: Natural  # The fewest units of a turn
    continent_divisor: Positive  # So many countries of a whole continent bring a unit
    single_country_continent: Natural  # The units for a continent of one country


class Attack(Value):
    """CN-7.3, CN-7.4: dice, and the units that stay behind."""

    die: Annotated[int, Meta(ge=2)]  # The number of its faces
    max_attack_dice: Positive
    max_defence_dice: Positive
    stay_behind: Positive


class Redeploy(Value):
    """CN-8.1, CN-8.3: the units that stay behind, and whether units may go over sea links."""

    stay_behind: Positive
    links_allow_redeploy: bool


class Defaults(Value):
    """CN-2.5: the settings that hold unless the GM chooses others."""

    mode: Mode
    max_rounds: int | None
    turn_days: Positive
    seat_order: SeatOrder
    fair_start: bool = False  # The rules of older games do not have it


class RandomMap(Value):
    """CN-2.4: the figures of a random map; sizes are in cells."""

    countries: Annotated[int, Meta(ge=1, le=260)]
    continents: Positive
    width: Annotated[int, Meta(ge=1, le=200)]
    height: Annotated[int, Meta(ge=1, le=200)]
    cells_per_country: Positive
    sea_gap: Annotated[int, Meta(ge=0, le=20)]  # The sea between continents
    links: bool  # Whether there are sea links
    extra_links: Natural  # The number of those that are not needed to reach all countries
    symmetry: Literal[0, 2, 3, 4] = 0  # So many players have the same lands, turned about the middle
    generator: Literal[1, 2] = 1  # The version of the method: a seed always gives the same map

    @property
    def whole(self) -> Self:
        """The same figures with numbers of continents and countries that are multiples of the symmetry.

        For three and four players the grid is a square, so that it can be turned by quarters.
        """
        if not self.symmetry:
            return self
        multiples = {
            name: -(-getattr(self, name) // self.symmetry) * self.symmetry  # rounded up
            for name in ("countries", "continents")
        }
        figures = self.evolve(**multiples)
        if self.symmetry == 2:
            return figures
        side = max(self.width, self.height)
        return figures.evolve(width=side, height=side)

    def turned(self, country: str, times: int = 1) -> str:
        """Return the code of the country at the same position for the player ``times`` seats further on."""
        steps = self.continents // self.symmetry
        letter_index = (ord(country[0]) - ord("A") + times * steps) % self.continents
        return f"{ascii_uppercase[letter_index]}{country[1:]}"


class Generator(Value):
    """CN-4.11, CN-4.13, CN-4.14: the limits of random maps."""

    attempts: Positive
    max_land_percent: Annotated[int, Meta(ge=1, le=100)]
    max_continents: Annotated[int, Meta(ge=1, le=26)]
    extra_link_pool: Positive  # Extra links are drawn from so many times as many, the shortest ones


class CountryNames(Value):
    """The parts that names of countries are put together from; all in a continent begin with its letter."""

    first: tuple[str, ...]
    last: tuple[str, ...]


class Settings(GameSettings):
    """CN-2: the choices when a game begins; None: as the rules or the map have it.

    ``countries`` and the settings after it replace figures of a random map.
    """

    in_rules: ClassVar[Mapping[str, str]] = {
        "mode": "defaults.mode",
        "fair_start": "defaults.fair_start",
        "max_rounds": "defaults.max_rounds",
        "seat_order": "defaults.seat_order",
        "min_reinforcement": "reinforcement.min_reinforcement",
        "links_allow_redeploy": "redeploy.links_allow_redeploy",
    }

    players: Annotated[int, Meta(ge=2)] | None = None
    mode: Mode | None = None
    fair_start: bool | None = None
    max_rounds: Positive | None = None
    min_reinforcement: Annotated[int, Meta(ge=0, le=99)] | None = None
    links_allow_redeploy: bool | None = None
    seat_order: SeatOrder | None = None
    countries: Annotated[int, Meta(ge=1, le=260)] | None = None
    continents: Positive | None = None
    width: Annotated[int, Meta(ge=1, le=200)] | None = None
    height: Annotated[int, Meta(ge=1, le=200)] | None = None
    cells_per_country: Positive | None = None
    sea_gap: Annotated[int, Meta(ge=0, le=20)] | None = None
    links: bool | None = None
    extra_links: Annotated[int, Meta(ge=0, le=99)] | None = None
    symmetry: Literal[0, 2, 3, 4] | None = None
    generator: Literal[1, 2] | None = None

    @property
    def of_map(self) -> dict[str, object]:
        """The chosen figures of a random map, by name."""
        settings = {name: getattr(self, name) for name in RandomMap.__struct_fields__}
        return {name: value for name, value in settings.items() if value is not None}


class Rules(GameRules):
    """The content of ``rules.yaml``: the figures of the rules, each in a section of its own."""

    players: Players
    deployment: Deployment
    reinforcement: Reinforcement
    attack: Attack
    redeploy: Redeploy
    defaults: Defaults
    generator: Generator
    continent_names: Annotated[tuple[str, ...], Meta(min_length=26, max_length=26)]
    """What the continents of a random map are called, by letter."""
    country_names: CountryNames = CountryNames(first=(), last=())
    fair_start: Mapping[str, tuple[int, ...]] = {}
    """By the number of players: how much more or less each seat deploys, in percent (see rulings)."""


class Board(BaseBoard):
    """The content of map.yaml."""

    players: Annotated[Players, STRUCT] | None = None
    """How many players it is meant for; none: as many as the rules allow."""
    continents: Mapping[str, str] = {}  # What each continent is called, by its letter
    names: Mapping[str, str] = {}  # What countries are called; those that are left out by their codes
    cells: tuple[str, ...] = ()  # Rows of words, each a country's code or ``..`` for sea
    links: tuple[str, ...] = ()  # Sea links, e.g. ``A1-C1``.
    fair_start: Mapping[str, tuple[int, ...]] = {}  # In the place of the rules' own for so many players
    # The figures of a map that is generated when a game begins; its cells are stored with it
    random: Annotated[RandomMap, STRUCT] | None = None

    @field_validator("cells")
    @classmethod
    def _readable(cls, rows: tuple[str, ...]) -> tuple[str, ...]:
        """Raise ``ValueError`` for rows with unknown words or of different lengths."""
        for number, row in enumerate(rows, 1):
            for word in row.split():
                if word != SEA and not COUNTRY.fullmatch(word):
                    raise ValueError(
                        f"row {number}: a cell is a country such as A1, or {SEA} for sea, not {word!r}"
                    )
        if len({len(row.split()) for row in rows}) > 1:
            raise ValueError("all rows of cells must be equally long")
        return rows

    @model_validator(mode="after")
    def _whole(self) -> Self:
        """Raise ``ValueError`` unless countries and continents are complete and connected."""
        # the cells of a random map are made when a game begins
        if self.random is not None and not self.cells:
            return self
        if not self.areas:
            raise ValueError("the map has no country")
        for country, cells in self.areas.items():
            if country[0] not in self.continents:
                raise ValueError(f"continent {country[0]} of {country} has no name under 'continents'")
            if not _is_in_one_piece(cells):
                raise ValueError(f"country {country} is not in one piece")
        for words in self.links:
            self._check_link(words)
        if len(self.graph.parts(self.areas)) > 1:
            raise ValueError("some countries can be reached neither by land nor by a link")
        return self

    def _check_link(self, words: str) -> None:
        """Raise ``ValueError`` unless a link joins two different countries of the map."""
        one, _, other = words.partition("-")
        if one not in self.areas or other not in self.areas or one == other:
            raise ValueError(f"a link is written A1-B2, between two countries of the map, not {words!r}")

    @cached_property
    def areas(self) -> dict[str, tuple[Cell, ...]]:
        """The cells of each country, by column and row. Countries are in the order of :func:`rank`."""
        words: dict[Cell, str] = {}
        for row, text in enumerate(self.cells):
            words |= {(column, row): word for column, word in enumerate(text.split())}
        areas = grouped(sorted(words), words.__getitem__)
        return {country: areas[country] for country in sorted(areas.keys() - {SEA}, key=rank)}

    @cached_property
    def countries(self) -> tuple[str, ...]:
        """The codes of all countries, by continent and number (:func:`rank`)."""
        return tuple(self.areas)

    @cached_property
    def sea_links(self) -> frozenset[Pair]:
        """The sea links as pairs of countries."""
        return frozenset(pair(*words.split("-")) for words in self.links)

    @cached_property
    def borders(self) -> frozenset[Pair]:
        """The pairs of countries with a common border (CN-4.9)."""
        return borders_of(self.areas)

    @cached_property
    def graph(self) -> MapGraph:
        """The graph of countries, with edges by land or by a link (CN-7.2).

        A node's kind is its continent.
        """
        return self._graph_of(self.borders | self.sea_links)

    @property
    def neighbours(self) -> dict[str, tuple[str, ...]]:
        """The neighbours of each country by land or by a link, in the order of ``countries`` (CN-7.2)."""
        return self.graph.adjacent

    @cached_property
    def by_land(self) -> dict[str, tuple[str, ...]]:
        """The neighbours of each country by land, in the order of ``countries``."""
        return self._graph_of(self.borders).adjacent

    def redeployable(self, rules: Redeploy) -> dict[str, tuple[str, ...]]:
        """Return the neighbours to which units of each country may be redeployed (CN-8.3)."""
        return self.neighbours if rules.links_allow_redeploy else self.by_land

    def _graph_of(self, pairs: frozenset[Pair]) -> MapGraph:
        """Return the graph of the countries, with continents as kinds, and ``pairs`` without barriers."""
        return MapGraph({country: country[0] for country in self.areas}, ((*pair, None) for pair in pairs))

    def sector(self, country: str) -> int:
        """Return the number, from 0 on, of a country's sector on a symmetric map; 0 on other maps."""
        if self.random is None:
            return 0
        continent_index = ord(country[0]) - ord("A")
        return continent_index * self.random.symmetry // self.random.continents

    def called(self, country: str) -> str:
        """Return a country's code, which orders use, and its name, if it has one: ``A1 Alby``."""
        return f"{country} {self.names.get(country, '')}".strip()

    def continent(self, letter: str) -> tuple[str, ...]:
        """Return the countries of a continent, ordered by number; empty for a letter that has none."""
        return self.lands.get(letter, ())

    @cached_property
    def lands(self) -> dict[str, tuple[str, ...]]:
        """The countries of each continent by its letter, in the order of ``countries``."""
        return {letter: tuple(group) for letter, group in groupby(self.areas, itemgetter(0))}

    def whole(self, held: Collection[str]) -> list[str]:
        """Return the letters of the continents whose countries are all in ``held``."""
        countries = set(held)
        return [letter for letter in self.continents if countries.issuperset(self.continent(letter))]


def _is_in_one_piece(cells: Collection[Cell]) -> bool:
    """Return whether cells are connected."""
    grid = nx.Graph()
    for cell in cells:
        grid.add_edges_from((cell, other) for other in beside(cell))
    connected: bool = nx.is_connected(grid.subgraph(cells))
    return connected
