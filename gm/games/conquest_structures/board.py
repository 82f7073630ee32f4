"""The map of CONQUEST 0.0.2: structures and the links between them (CS-4, CS-18)."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, Self

from pydantic import field_validator, model_validator

from gm.core.map_graph import MapGraph
from gm.core.values import FrozenMap
from gm.game.base.position import BaseBoard

_PLACE = re.compile(r"[A-Z][1-9][0-9]{0,2}\Z")


def place_rank(place: str) -> tuple[str, int]:
    """The order of structures: by letter, then by number (CS-9.14)."""
    return place[0], int(place[1:])


class Board(BaseBoard):
    """map.yaml. ``links`` are pairs, written ``H1-C1 C1-R1``; ``places`` are where a picture shows each structure, in
    hundredths from the left and from the top; ``seats`` which homes so many players get, in seat order."""

    homes: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    places: FrozenMap[str, tuple[float, float]]
    seats: FrozenMap[int, tuple[str, ...]]

    @field_validator("links", mode="before")
    @classmethod
    def _pairs(cls, given: Any) -> Any:
        if not isinstance(given, str):
            return given
        pairs = [tuple(each.split("-")) for each in given.split()]
        for pair in pairs:
            if len(pair) != 2:
                raise ValueError(f"a link is two ids with a hyphen between them, not {'-'.join(pair)!r}")
        return pairs

    @model_validator(mode="after")
    def _sound(self) -> Self:
        for place in (place for link in self.links for place in link):
            if not _PLACE.match(place):
                raise ValueError(f"an id is a letter and a number, not {place!r}")
        for home in self.homes:
            if home not in self.structures:
                raise ValueError(f"the home {home} has no link")
        lacking = [place for place in self.structures if place not in self.places]
        if lacking:
            raise ValueError(f"no place on the picture is given for {', '.join(lacking)}")
        for count, homes in self.seats.items():
            if len(homes) != count or len(set(homes)) != count or set(homes) - set(self.homes):
                raise ValueError(f"seats for {count} must be {count} different homes")
        _ = self.graph
        return self

    @cached_property
    def structures(self) -> tuple[str, ...]:
        """Every structure, in order."""
        return tuple(sorted({place for link in self.links for place in link}, key=place_rank))

    @cached_property
    def graph(self) -> MapGraph:
        """The structures as a graph. Raises ``ValueError`` for a link that leads nowhere or stands there twice."""
        return MapGraph({place: place[0] for place in self.structures}, ((a, b, None) for a, b in self.links))

    def neighbours(self, place: str) -> tuple[str, ...]:
        """The structures that a link leads to (CS-4.7), in order."""
        return self.graph.neighbours(place)

    def linked(self, a: str, b: str) -> bool:
        """Whether a link joins two structures."""
        return self.graph.borders(a, b)
