"""The board of Diplomacy: areas, coasts, who can go where, and which ways there are over sea.

An area is named by its code, ``STP``; a place by the code too or, on one of several coasts of an area, by
code and coast, ``STP/NC``.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import cached_property
from typing import Literal, Self

from pydantic import model_validator

from gm.core.map_graph import MapGraph
from gm.core.yaml.pydantic_models import YamlModel
from gm.game.base.position import BaseBoard
from gm_diplomacy.state import Unit

Rings = tuple[str, ...]  # each a list of points, ``12.5,40 13,41``


def area_of(place: str) -> str:
    """Return the code of a place's area: ``STP`` of ``STP/NC``."""
    return place[:3]


class Area(YamlModel):
    """An area of the map, as map.yaml describes it.

    ``armies`` and ``fleets``: where each kind of unit can go from here, places with spaces between them;
    ``coasts``: in place of ``fleets``, where a fleet can go from each of several coasts. ``home``: the power
    that builds here; ``also``: other names and codes; ``at``: where the area's name and units are drawn.
    """

    name: str
    kind: Literal["land", "coast", "sea"]
    centre: bool = False
    home: str = ""
    armies: str = ""
    fleets: str = ""
    coasts: Mapping[str, str] = {}
    also: tuple[str, ...] = ()
    at: tuple[float, float] = (0, 0)

    @property
    def is_sea(self) -> bool:
        return self.kind == "sea"


class Power(YamlModel):
    """A power: its name, its colour, and its units at the start, such as ``A PAR``."""

    name: str
    colour: str
    units: tuple[str, ...]


class Board(BaseBoard):
    """The board of ``map.yaml``.

    ``powers`` and ``areas`` are by code. ``outlines``: those of each area, in the units of ``size``;
    ``wilds``: those of land that nobody can enter.
    """

    size: tuple[float, float] = (1000, 800)
    powers: Mapping[str, Power]
    areas: Mapping[str, Area]
    outlines: Mapping[str, Rings] = {}
    wilds: Rings = ()

    @model_validator(mode="after")
    def _check_ways_back(self) -> Self:
        """Raise ``ValueError`` for a way that leads in one direction only."""
        for place, ends in self.fleet_ways.items():
            for end in ends:
                if place not in self.fleet_ways.get(end, ()):
                    raise ValueError(f"a fleet can go from {place} to {end}, and not back")
        for area, ends in self.army_ways.items():
            for end in ends:
                if area not in self.army_ways.get(end, ()):
                    raise ValueError(f"an army can go from {area} to {end}, and not back")
        return self

    @cached_property
    def army_ways(self) -> Mapping[str, tuple[str, ...]]:
        """The areas that an army can go to by land, by the area where it stands."""
        return {code: tuple(area.armies.split()) for code, area in self.areas.items()}

    @cached_property
    def fleet_ways(self) -> Mapping[str, tuple[str, ...]]:
        """The places that a fleet can go to, by the place where it stands."""
        ways: dict[str, tuple[str, ...]] = {}
        for code, area in self.areas.items():
            for coast, ends in area.coasts.items():
                ways[f"{code}/{coast}"] = tuple(ends.split())
            if area.fleets:
                ways[code] = tuple(area.fleets.split())
        return ways

    @cached_property
    def graph(self) -> MapGraph:
        """The areas, and which border on each other for any kind of unit."""
        borders = {
            frozenset((area_of(place), area_of(end)))
            for place, ends in self.fleet_ways.items()
            for end in ends
        }
        borders |= {frozenset((area, end)) for area, ends in self.army_ways.items() for end in ends}
        edges = []
        for first, second in sorted(sorted(border) for border in borders):
            edges.append((first, second, None))
        return MapGraph({code: area.kind for code, area in self.areas.items()}, edges)

    @cached_property
    def centres(self) -> tuple[str, ...]:
        """The codes of the areas with a supply centre."""
        return tuple(code for code, area in self.areas.items() if area.centre)

    def coasts(self, area: str) -> tuple[str, ...]:
        """Return the places of an area with several coasts; empty for any other area."""
        return tuple(f"{area}/{coast}" for coast in self.areas[area].coasts)

    def is_coastal(self, area: str) -> bool:
        return self.areas[area].kind == "coast"

    def reached(self, unit: Unit) -> tuple[str, ...]:
        """Return the places that a unit can go to without a convoy."""
        if unit.kind == "A":
            return self.army_ways[unit.area]
        return self.fleet_ways.get(unit.place, ())

    def areas_reached(self, unit: Unit) -> frozenset[str]:
        """Return the areas that a unit can go to without a convoy, on whatever coast."""
        return frozenset(map(area_of, self.reached(unit)))

    @cached_property
    def shores(self) -> Mapping[str, frozenset[str]]:
        """The seas at each area's coasts, and those next to each sea, by the area's code."""
        seas_at: dict[str, set[str]] = {code: set() for code in self.areas}
        for place, ends in self.fleet_ways.items():
            seas_at[area_of(place)] |= {end for end in ends if self.areas[area_of(end)].is_sea}
        return {code: frozenset(seas) for code, seas in seas_at.items()}

    def sea_way(self, start: str, end: str, seas: Container[str]) -> bool:
        """Return whether there is a way from one coast to another over these seas only.

        A sea is looked up in ``seas`` only when the search comes to it.
        """
        waiting = [sea for sea in sorted(self.shores[start]) if sea in seas]
        visited: set[str] = set()
        while waiting:
            sea = waiting.pop()
            if sea in self.shores[area_of(end)]:
                return True
            visited.add(sea)
            waiting += [near for near in sorted(self.shores[sea]) if near not in visited and near in seas]
        return False

    def may_carry(self, fleet: str, start: str, end: str) -> bool:
        """Return whether a fleet could be on some way over sea from ``start`` to ``end``.

        ``fleet``: the sea where it is.
        """
        water = next(seas for seas in self.waters if fleet in seas)
        return not (water.isdisjoint(self.shores[start]) or water.isdisjoint(self.shores[area_of(end)]))

    @cached_property
    def waters(self) -> tuple[frozenset[str], ...]:
        """The seas in groups: within a group, ships can go from each to each without touching a coast."""
        seas = [code for code, area in self.areas.items() if area.is_sea]
        return tuple(frozenset(group) for group in self.graph.parts(seas))
