"""The map: what does not change about places (W2-W4). What changes is in the world's provinces."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from gm.core.values import Value

if TYPE_CHECKING:
    from gm.core.map_graph import MapGraph

Point = tuple[float, float]


class Barrier(StrEnum):
    """Why a border is closed (W3)."""

    MOUNTAINS = "mountains"
    REEFS = "reefs"


class City(Value):
    """A city (W4)."""

    name: str
    resource: int  # how many troops it can recruit in a turn
    recruits: tuple[str, ...]  # the troop types that it can recruit


class Location(Value):
    """A province or a sea."""

    name: str
    sea: bool = False
    inland: bool = False  # a sea that is meant to be cut off from the others: the map checker accepts it
    revenue: Decimal = Decimal(0)  # in a turn, in gold, without production areas and damage
    city: City | None = None
    production_limit: int = 0  # how many production areas can be built (L8)
    capital_of: str | None = None  # the code of a realm
    label: Point = (0, 0)  # the position of its name, in map units
    outline: tuple[tuple[Point, ...], ...] = ()  # one or more closed rings, in map units


class Border(Value):
    """Two neighbouring places; ``barrier`` closes the border, ``strait`` marks a march over water (W3)."""

    a: str
    b: str
    barrier: Barrier | None = None
    strait: bool = False


class RealmSeat(Value):
    """A realm on the map."""

    code: str
    name: str
    ruler: str  # the ruler's name
    group: str  # ``west``, ``central``, ``east`` or ``muslim`` (T6)
    capital: str  # a province
    colour: str  # on the map: ``#rrggbb``
    adjective: str = ""  # for ``Venetian ships``; empty: they are called ``ships of Venice``


class Atlas(Value):
    """The map."""

    name: str  # by which start files refer to it
    title: str  # for people
    # in map units
    width: float
    height: float
    realms: Mapping[str, RealmSeat]  # by code
    locations: Mapping[str, Location]  # by name, in the map file's order: that of all things at places (W12)
    borders: tuple[Border, ...]
    compass: Point | None = None  # where a compass rose may be drawn, in map units
    aliases: Mapping[str, str] = {}  # by other name of a place, which orders may use: the map's name

    @cached_property
    def graph(self) -> "MapGraph":
        """The graph of places; closed borders are included, marked as such."""
        # a map is read by commands that look at no border, and networkx takes its time to load
        from gm.core.map_graph import MapGraph

        return MapGraph(
            nodes={name: "sea" if place.sea else "land" for name, place in self.locations.items()},
            edges=[(border.a, border.b, border.barrier) for border in self.borders],
        )

    @cached_property
    def place_order(self) -> dict[str, int]:
        """The position of each place in the map file (W12)."""
        return {name: index for index, name in enumerate(self.locations)}

    @cached_property
    def provinces(self) -> tuple[str, ...]:
        return tuple(name for name, place in self.locations.items() if not place.sea)

    @cached_property
    def cities(self) -> tuple[str, ...]:
        """The provinces with a city."""
        return tuple(name for name in self.provinces if self.locations[name].city is not None)

    @cached_property
    def seas(self) -> tuple[str, ...]:
        return tuple(name for name, place in self.locations.items() if place.sea)

    @cached_property
    def other_names(self) -> dict[str, str]:
        """The place of each other name that players may use: of the map's aliases and of cities."""
        cities = {place.city.name: name for name, place in self.locations.items() if place.city}
        return {**cities, **self.aliases}

    def is_sea(self, place: str) -> bool:
        return self.locations[place].sea

    def city(self, place: str) -> City | None:
        return self.locations[place].city

    def is_open(self, a: str, b: str) -> bool:
        """Return whether ``a`` and ``b`` share a border without a barrier (W3)."""
        return self.graph.is_open(a, b)

    def open_neighbours(self, place: str, *, sea: bool | None = None) -> tuple[str, ...]:
        """Return the places across the open borders of a place, in map order.

        ``sea``: True for seas only, False for provinces only, None for both.
        """
        if sea is None:
            return self.graph.open_neighbours(place)
        return self._near_seas[place] if sea else self._near_lands[place]

    @cached_property
    def _near_lands(self) -> dict[str, tuple[str, ...]]:
        """The provinces across open borders of each place, by its name."""
        return {name: self._near(name, sea=False) for name in self.locations}

    @cached_property
    def _near_seas(self) -> dict[str, tuple[str, ...]]:
        """The seas across open borders of each place, by its name."""
        return {name: self._near(name, sea=True) for name in self.locations}

    def _near(self, place: str, *, sea: bool) -> tuple[str, ...]:
        return tuple(other for other in self.graph.open_neighbours(place) if self.locations[other].sea is sea)

    @cached_property
    def by_land(self) -> Mapping[str, tuple[str, ...]]:
        """The provinces across open borders of each province, by its name."""
        return {name: self._near_lands[name] for name in self.provinces}

    @cached_property
    def shores(self) -> Mapping[str, tuple[str, ...]]:
        """The provinces with an open coast on each sea, by the sea."""
        return {name: self._near_lands[name] for name in self.seas}

    @property
    def by_sea(self) -> Mapping[str, tuple[str, ...]]:
        """The seas across open borders of each place, by its name."""
        return self._near_seas

    def around(self, start: str, steps: int) -> Mapping[str, int]:
        """Return how many marches it is from ``start`` to each province that ``steps`` marches reach.

        The nearest come first: ``start`` itself, with 0.
        """
        return self._within(start, steps, sea=False)

    def seas_around(self, start: str, steps: int) -> Mapping[str, int]:
        """Return how many moves a fleet needs from ``start`` to each sea that ``steps`` moves reach.

        The nearest come first: ``start`` itself, with 0, if it is a sea and no province.
        """
        return self._within(start, steps, sea=True)

    def _within(self, start: str, steps: int, *, sea: bool) -> Mapping[str, int]:
        """Return how many steps it is to each place that ``steps`` of them reach, nearest first; cached.

        ``sea``: they lead over seas; else over provinces.
        """
        steps_to = self._steps_from.get((start, steps, sea))
        if steps_to is None:
            steps_to = self._steps_from[start, steps, sea] = {start: 0}
            neighbours = self._near_seas if sea else self._near_lands
            reached = [start]
            for place in reached:  # it grows while it is read, the nearest places first
                if steps_to[place] < steps:
                    for near in neighbours[place]:
                        if near not in steps_to:
                            steps_to[near] = steps_to[place] + 1
                            reached.append(near)
            if sea and not self.is_sea(start):
                del steps_to[start]  # a province is no place at sea
        return steps_to

    def coasts(self, seas: Iterable[str]) -> set[str]:
        """Return the provinces with an open coast on any of these seas."""
        return set(chain.from_iterable(self.shores.get(sea, ()) for sea in seas))

    @cached_property
    def _steps_from(self) -> dict[tuple[str, int, bool], dict[str, int]]:
        """The cache of ``_within``: by its arguments, what it returned."""
        return {}

    def has_coast(self, province: str) -> bool:
        """Return whether the province has an open coast on at least one sea."""
        return province in self._on_the_coast

    @cached_property
    def _on_the_coast(self) -> frozenset[str]:
        return frozenset(name for name in self.locations if self.open_neighbours(name, sea=True))
