"""The map: provinces, borders, homes, and distances between provinces."""

import re
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from itertools import chain
from typing import Any, Self

from pydantic import Field, model_serializer, model_validator

from gm.core.diagnostics import did_you_mean, nearest, says
from gm.core.map_graph import MapGraph
from gm.core.yaml.pydantic_models import YamlModel
from gm.game.base.position import BaseBoard

# The colours of homes; the first eight are told apart by everybody (maps/builder/colours.py)
COLOURS = {
    "white": "#6e8cad",
    "blue": "#2569a8",
    "green": "#387f5c",
    "yellow": "#c29238",
    "black": "#3c4655",
    "red": "#a20a01",
    "orange": "#ba5702",
    "purple": "#62138a",
    "teal": "#0f7b7b",
    "brown": "#7a5230",
}


# The corners of a closed line, at least three: ``10,20 30.5,20 30,40``
RING = re.compile(r"(-?\d+(\.\d+)?,-?\d+(\.\d+)? ){2,}-?\d+(\.\d+)?,-?\d+(\.\d+)?")
LATER = ("fair", "outlines", "wilds")  # Entries that the first maps did not have


class ProvinceFile(YamlModel):
    """A province as play begins (CQ-25.1). ``x`` and ``y`` are where maps draw it."""

    name: str
    population: int = Field(ge=0)
    resources: int = Field(ge=0)
    culture: int = Field(ge=1, le=3)
    armies: int = Field(ge=0)
    fort: int = Field(default=0, ge=0, le=3)
    vassal: bool = False  # Only a map makes vassals (CQ-16.7)
    x: int
    y: int


class StartFile(YamlModel):
    """Changes of a province or a treasury at the start that make all seats about equally good."""

    # None: no change

    population: int | None = Field(default=None, ge=1)
    armies: int | None = Field(default=None, ge=0)
    fort: int | None = Field(default=None, ge=0, le=3)
    gold: int | None = Field(default=None, ge=0)

    def of(self, start: Any, name: str) -> Any:
        """Return the field ``name`` of ``start``, or its replacement if this file has one."""
        replacement = getattr(self, name, None)
        return getattr(start, name) if replacement is None else replacement


class Board(BaseBoard):
    """The content of map.yaml."""

    homes: Mapping[str, str]  # The colour of the player of each home province, in the order of seats
    provinces: Mapping[str, ProvinceFile]  # By code
    borders: tuple[str, ...]  # Pairs of provinces, e.g. ``ALBA-IREL``, several in a line.
    # Changes by province, for games with ``fair_start``; those of a home only if a player begins there
    fair: Mapping[str, StartFile] = {}
    # The rings around each province, ``x,y x,y x,y``, the largest first; empty: shapes.py works them out
    outlines: Mapping[str, tuple[str, ...]] = {}
    wilds: tuple[str, ...] = ()  # Rings around land that nobody can have

    def __hash__(self) -> int:
        # a part of the content is enough for a hash: caches have a board as key
        return hash((self.name, self.borders))

    @model_validator(mode="after")
    def _homes_sound(self) -> Self:
        """Raise ``ValueError`` unless there are at least two homes, with valid codes and different colours.

        A home is the code of a province; the colours are those of ``COLOURS``.
        """
        if len(self.homes) < 2:
            raise ValueError("a map needs two homes")
        colours = list(self.homes.values())
        for home, colour in self.homes.items():
            if home not in self.provinces:
                raise ValueError(f"home {home} is no province of this map")
            if not home.isascii() or not home.isalnum() or home != home.upper():
                raise ValueError(f"home {home} gives its player his code: capital letters and digits only")
            if colour not in COLOURS:
                near = did_you_mean(nearest(colour, COLOURS)) or says("there is {0}", ", ".join(COLOURS))
                raise ValueError(says("{0!r} is no colour of homes; {1}", colour, near))
            if colours.count(colour) > 1:
                raise ValueError(f"two homes are {colour}")
        return self

    @model_validator(mode="after")
    def _outlines_sound(self) -> Self:
        """Raise ``ValueError`` for a malformed outline, and unless all provinces have outlines, or none."""
        for ring in (*chain(*self.outlines.values()), *self.wilds):
            if not RING.fullmatch(ring):
                raise ValueError(f"a ring is written 10,20 30.5,20 30,40, not {ring[:40]!r}")
        if self.outlines and set(self.outlines) != set(self.provinces):
            in_one_only = set(self.outlines) ^ set(self.provinces)
            raise ValueError(
                f"outlines are given for all provinces or for none: {min(in_one_only)} is not in both"
            )
        return self

    @model_serializer(mode="wrap")
    def _serialized(self, handler: Callable[[Self], dict[str, Any]]) -> dict[str, Any]:
        """Return the map as data, without empty entries of ``LATER``: as older games stored their maps."""
        return {name: value for name, value in handler(self).items() if value or name not in LATER}

    @model_validator(mode="after")
    def _in_one_piece(self) -> Self:
        """Raise ``ValueError`` unless each border is between two known provinces and all can be reached."""
        for border in self.pairs:
            for province in border:
                if province not in self.provinces:
                    raise ValueError(f"border {'-'.join(border)}: no province {province}")
            if len(border) != 2 or len(set(border)) != 2:
                raise ValueError(f"a border is written ALBA-IREL, not {'-'.join(border)!r}")
        any_home = next(iter(self.homes))  # what one home cannot reach is cut off from all others, too
        unreachable = set(self.provinces) - set(self.graph.steps_from(any_home))
        if unreachable:
            raise ValueError(f"province {min(unreachable)} cannot be reached")
        return self

    @cached_property
    def pairs(self) -> list[tuple[str, ...]]:
        """The borders, each as a pair of codes."""
        return [tuple(words.split("-")) for words in " ".join(self.borders).split()]

    @cached_property
    def by_id(self) -> Mapping[str, ProvinceFile]:
        """The provinces in id order (CQ-21.2)."""
        return {code: self.provinces[code] for code in sorted(self.provinces)}

    @cached_property
    def graph(self) -> MapGraph:
        """The graph of neighbouring provinces."""
        borders = {(min(pair), max(pair), None) for pair in self.pairs}
        return MapGraph(dict.fromkeys(self.by_id, "province"), borders)

    @property
    def neighbours(self) -> Mapping[str, tuple[str, ...]]:
        """The codes of the provinces next to each, in id order."""
        return self.graph.adjacent

    def beside(self, codes: Collection[str]) -> set[str]:
        """Return the codes of the provinces next to those of ``codes``, without these themselves."""
        return set(chain.from_iterable(self.neighbours[code] for code in codes)).difference(codes)

    @cached_property
    def steps(self) -> Mapping[str, Mapping[str, int]]:
        """The fewest steps between any two provinces, whoever owns the land between (CQ-12.4)."""
        return {code: self.graph.steps_from(code) for code in self.by_id}
