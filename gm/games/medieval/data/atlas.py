"""The map: the constant part of places (W2-W4). Their changing part is in the world's provinces."""

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
    """``resource`` troops a turn from the list ``recruits`` (W4), both fixed for the whole game."""

    name: str
    resource: int
    recruits: tuple[str, ...]


class Location(Value):
    """A province or a sea.

    ``outline`` is one or more closed rings in map units; ``label``: the position of its name. ``inland``: a
    sea that is intentionally cut off from the others, which the map checker would report otherwise.
    """

    name: str
    sea: bool = False
    inland: bool = False
    revenue: Decimal = Decimal(0)
    city: City | None = None
    production_limit: int = 0
    capital_of: str | None = None
    label: Point = (0, 0)
    outline: tuple[tuple[Point, ...], ...] = ()


class Border(Value):
    """Two neighbouring places; ``barrier`` closes the border, ``strait`` marks a march over water (W3)."""

    a: str
    b: str
    barrier: Barrier | None = None
    strait: bool = False


class RealmSeat(Value):
    """A realm on the map.

    ``group`` is west, central, east or muslim (T6); ``adjective`` is that of its ships in English
    (``Venetian``), empty for ``ships of Venice``.
    """

    code: str
    name: str
    ruler: str
    group: str
    capital: str
    colour: str
    adjective: str = ""


class Atlas(Value):
    """The map.

    ``locations`` are in the map file's order, which is the order of all things at places (W12).
    """

    name: str
    title: str
    width: float
    height: float
    realms: Mapping[str, RealmSeat]
    locations: Mapping[str, Location]
    borders: tuple[Border, ...]
    compass: Point | None = None  # Where a compass rose may be drawn, in map units
    aliases: Mapping[str, str] = {}  # other names of places, which a player is told the map's for

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
        """Other names of places for players: the map's aliases, and names of cities."""
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
        """Return the places across open borders, in map order.

        Only seas or only provinces when ``sea`` is given.
        """
        if sea is None:
            return self.graph.open_neighbours(place)
        return self._near_seas[place] if sea else self._near_lands[place]

    @cached_property
    def _near_lands(self) -> dict[str, tuple[str, ...]]:
        return {name: self._near(name, sea=False) for name in self.locations}

    @cached_property
    def _near_seas(self) -> dict[str, tuple[str, ...]]:
        return {name: self._near(name, sea=True) for name in self.locations}

    def _near(self, place: str, *, sea: bool) -> tuple[str, ...]:
        return tuple(other for other in self.graph.open_neighbours(place) if self.locations[other].sea is sea)

    @cached_property
    def by_land(self) -> Mapping[str, tuple[str, ...]]:
        """The provinces over open borders of each province."""
        return {name: self._near_lands[name] for name in self.provinces}

    @cached_property
    def shores(self) -> Mapping[str, tuple[str, ...]]:
        """The provinces on each sea, over open coasts."""
        return {name: self._near_lands[name] for name in self.seas}

    @property
    def by_sea(self) -> Mapping[str, tuple[str, ...]]:
        """The seas around each sea and each province."""
        return self._near_seas

    def around(self, start: str, steps: int) -> Mapping[str, int]:
        """Return the provinces within ``steps`` marches over open borders, with distances, nearest first."""
        return self._within(start, steps, sea=False)

    def seas_around(self, start: str, steps: int) -> Mapping[str, int]:
        """Return the seas within ``steps`` moves of a fleet at sea or in a harbour, with their distance."""
        return self._within(start, steps, sea=True)

    def _within(self, start: str, steps: int, *, sea: bool) -> Mapping[str, int]:
        """Return the places within ``steps``, with their distance; cached."""
        steps_to = self._around.get((start, steps, sea))
        if steps_to is None:
            steps_to = self._around[start, steps, sea] = {start: 0}
            borders = self._near_seas if sea else self._near_lands
            waiting = [start]
            for place in waiting:
                if steps_to[place] < steps:
                    for near in borders[place]:
                        if near not in steps_to:
                            steps_to[near] = steps_to[place] + 1
                            waiting.append(near)
            if sea and not self.is_sea(start):
                del steps_to[start]
        return steps_to

    def coasts(self, seas: Iterable[str]) -> set[str]:
        """Return the provinces on any of these seas, over open coasts."""
        return set(chain.from_iterable(self.shores.get(sea, ()) for sea in seas))

    @cached_property
    def _around(self) -> dict[tuple[str, int, bool], dict[str, int]]:
        return {}

    def has_coast(self, province: str) -> bool:
        """Return whether the province has an open coast on at least one sea."""
        return province in self._on_the_coast

    @cached_property
    def _on_the_coast(self) -> frozenset[str]:
        return frozenset(name for name in self.locations if self.open_neighbours(name, sea=True))
