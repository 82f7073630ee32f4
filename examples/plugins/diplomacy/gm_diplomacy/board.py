"""The board of Diplomacy: areas, coasts, who can go where, and which ways there are over sea."""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import cached_property
from typing import Literal, Self

from pydantic import model_validator

from gm.core.map_graph import MapGraph
from gm.core.yaml.pydantic_models import YamlModel
from gm.game.base.position import BaseBoard
from gm_diplomacy.state import Unit

Rings = tuple[str, ...]  # Each a list of points, ``12.5,40 13,41``


def area_of(place: str) -> str:
    """The area of a place: ``STP`` of ``STP/NC``."""
    return place[:3]


class Area(YamlModel):
    """An area of the map.

    ``armies`` and ``fleets``: where each kind can go from here; ``coasts``: in place of ``fleets``, where a
    fleet on each of several coasts can go. ``also``: other names and codes; ``at``: where it is drawn.
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
    """A power: its name, its colour, and its units at the start, ``A PAR``."""

    name: str
    colour: str
    units: tuple[str, ...]


class Board(BaseBoard):
    """The board of ``map.yaml``.

    ``outlines``: those of each area, in the units of ``size``; ``wilds``: those of land that nobody can
    enter.
    """

    size: tuple[float, float] = (1000, 800)
    powers: Mapping[str, Power]
    areas: Mapping[str, Area]
    outlines: Mapping[str, Rings] = {}
    wilds: Rings = ()

    @model_validator(mode="after")
    def _sound(self) -> Self:
        for place, ways in self.fleet_ways.items():
            for other in ways:
                if place not in self.fleet_ways.get(other, ()):
                    raise ValueError(f"a fleet can go from {place} to {other}, and not back")
        for area, ways in self.army_ways.items():
            for other in ways:
                if other not in self.areas or area not in self.army_ways[other]:
                    raise ValueError(f"an army can go from {area} to {other}, and not back")
        return self

    @cached_property
    def army_ways(self) -> Mapping[str, tuple[str, ...]]:
        """Where an army can go by land, by area."""
        return {code: tuple(area.armies.split()) for code, area in self.areas.items()}

    @cached_property
    def fleet_ways(self) -> Mapping[str, tuple[str, ...]]:
        """Where a fleet can go, by place: seas, coasts, and one of several coasts as ``STP/NC``."""
        found: dict[str, tuple[str, ...]] = {}
        for code, area in self.areas.items():
            found |= {f"{code}/{coast}": tuple(ways.split()) for coast, ways in area.coasts.items()}
            if area.fleets:
                found[code] = tuple(area.fleets.split())
        return found

    @cached_property
    def graph(self) -> MapGraph:
        """The areas and who borders on whom, for whatever kind of unit."""
        pairs = {
            frozenset((area_of(place), area_of(other)))
            for place, ways in self.fleet_ways.items()
            for other in ways
        }
        pairs |= {frozenset((area, other)) for area, ways in self.army_ways.items() for other in ways}
        kinds = {code: area.kind for code, area in self.areas.items()}
        return MapGraph(kinds, ((*sorted(pair), None) for pair in sorted(pairs, key=sorted)))  # type: ignore[misc]

    @cached_property
    def centres(self) -> tuple[str, ...]:
        """The supply centres."""
        return tuple(code for code, area in self.areas.items() if area.centre)

    def coasts(self, area: str) -> tuple[str, ...]:
        """The places of an area with several coasts."""
        return tuple(f"{area}/{coast}" for coast in self.areas[area].coasts)

    def is_coastal(self, area: str) -> bool:
        return self.areas[area].kind == "coast"

    def reached(self, unit: Unit) -> tuple[str, ...]:
        """The places that a unit can go to without a convoy."""
        return (
            self.army_ways[area_of(unit.place)] if unit.kind == "A" else self.fleet_ways.get(unit.place, ())
        )

    @cached_property
    def shores(self) -> Mapping[str, frozenset[str]]:
        """The seas at each area, whatever its coasts, and the seas next to each sea."""
        found: dict[str, set[str]] = {code: set() for code in self.areas}
        for place, ways in self.fleet_ways.items():
            found[area_of(place)] |= {other for other in ways if self.areas[area_of(other)].is_sea}
        return {code: frozenset(seas) for code, seas in found.items()}

    def sea_way(self, start: str, end: str, seas: Container[str]) -> bool:
        """Whether there is a way from coast to coast over some seas only."""
        waiting, seen = [each for each in sorted(self.shores[start]) if each in seas], set[str]()
        while waiting:
            sea = waiting.pop()
            if sea in self.shores[area_of(end)]:
                return True
            seen.add(sea)
            waiting += [each for each in sorted(self.shores[sea]) if each not in seen and each in seas]
        return False

    def may_carry(self, fleet: str, start: str, end: str) -> bool:
        """Whether a fleet in that sea could be on some way from coast to coast."""
        waters = next(part for part in self.waters if fleet in part)
        return not (waters.isdisjoint(self.shores[start]) or waters.isdisjoint(self.shores[area_of(end)]))

    @cached_property
    def waters(self) -> tuple[frozenset[str], ...]:
        """Seas that ships can go between without touching a coast."""
        left, found = {code for code, area in self.areas.items() if area.is_sea}, []
        while left:
            part, waiting = set[str](), [min(left)]
            while waiting:
                sea = waiting.pop()
                part.add(sea)
                waiting += [each for each in self.shores[sea] if each not in part]
            left -= part
            found.append(frozenset(part))
        return tuple(found)
