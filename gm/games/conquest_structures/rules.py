"""The rules data, the settings and the map of CONQUEST 0.0.2 (CS-2, CS-4, CS-17, CS-18)."""

import re
from collections.abc import Callable, Mapping
from functools import cache, cached_property, lru_cache
from itertools import chain
from typing import Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from gm.core.diagnostics import says
from gm.core.map_graph import MapGraph
from gm.core.values import Natural, Positive, Value, check_fields
from gm.core.yaml.pydantic_models import YamlModel
from gm.game.base.position import BaseBoard, GameRules, GameSettings


class UnitType(Value):
    """CS-5.1, CS-5.2: a kind of unit."""

    strength: Natural
    popcap: Natural  # The PopCap that one takes up (CS-7.2)
    supply: Natural  # The lines of supply that one needs (CS-5.1)


class StructureKind(Value):
    """CS-4.1 to CS-4.7: the benefits of a kind of structure for its owner."""

    letter: str  # The first letter of the ids of such structures
    popcap: Natural
    supply: Natural
    builds: bool  # Whether units can be built there
    victory: bool  # Whether it counts for victory


class Marks(Value):
    """CS-11.1 to CS-11.3: how units gain and lose marks, and the number that makes them immobile."""

    immobile_at: int
    cap: int  # The most marks of a unit
    per_missed_check: int  # The marks that a unit without supply gets in a turn
    per_passed_check: int  # What is added to the marks of a unit with supply, below 0


class Rules(GameRules):
    """The content of ``rules.yaml``: the figures of the rules, by clause."""

    version: str
    units: Mapping[str, UnitType]
    structures: Mapping[str, StructureKind]
    marks: Marks
    supply_default: tuple[Literal["most_marks", "infantry_first", "structure_id", "unit_id"], ...]

    def kind_of(self, place: str) -> StructureKind:
        """Return the kind of a structure by the letter of its id (CS-4.7).

        Raises ``KeyError`` for a letter that belongs to no kind.
        """
        return self.structures[self.kind_name(place)]

    def kind_name(self, place: str) -> str:
        """Return the name of a structure's kind: city, home, refinery, base."""
        return self._name_of_letter[place[:1]]

    @cached_property
    def _name_of_letter(self) -> Mapping[str, str]:
        return {kind.letter: name for name, kind in self.structures.items()}


class Settings(GameSettings):
    """CS-2: the choices when a game begins."""

    players: int | None = None  # None: as many as people are named for the game, or as the map has homes
    homes: str = "seats"  # ``seats``: each seat has its home of the map; ``draw``: homes are drawn
    start_units: Mapping[str, int] = {}  # In each home, by type
    last_player_wins: bool = True
    max_turns: Positive | None = None

    @check_fields("homes")
    @staticmethod
    def _homes(text: str) -> str:
        if text not in ("seats", "draw"):
            raise ValueError(says("it is seats or draw, not {0!r}", text))
        return text

    @check_fields("start_units")
    @staticmethod
    def _start_units(units: Mapping[str, int]) -> Mapping[str, int]:
        for name, count in units.items():
            if name not in ("infantry", "tank") or not 0 <= count <= 99:
                raise ValueError(says("it names infantry and tank, each with a number up to 99"))
        return units


_PLACE = re.compile(r"[A-Z][1-9][0-9]{0,2}\Z")


@cache
def place_rank(place: str) -> tuple[str, int]:
    """Return the sort key of a structure: its letter, then its number (CS-9.14)."""
    return place[0], int(place[1:])


class Wheel(YamlModel):
    """The figures of a map that is generated when a game begins, with a sector for each player.

    Cities, refineries and bases are those in a sector, besides its home.
    """

    players: int = 4  # The default number of players
    cities: int = 1
    refineries: int = 2
    bases: int = 1
    links: int = 9  # The number of links for each sector


class Board(BaseBoard):
    """The content of map.yaml: either structures and links, or the figures of a map that is generated."""

    homes: tuple[str, ...] = ()  # The ids of home cities
    links: tuple[tuple[str, str], ...] = ()  # Pairs of ids, written ``H1-C1 C1-R1``
    # By id: where the structure is on a picture, in hundredths from the left and from the top
    places: Mapping[str, tuple[float, float]] = {}
    seats: Mapping[int, tuple[str, ...]] = {}  # The homes in seat order, by the number of players
    # In the place of all these, which are generated for each game (gm.games.conquest_structures.symmetric)
    wheel: Wheel | None = Field(None, exclude=True)

    @field_validator("links", mode="before")
    @classmethod
    def _pairs(cls, written: Any) -> Any:
        """Return links as pairs, from text such as ``H1-C1 C1-R1``; any other value as it is.

        Raises ``ValueError`` for a word that is no pair.
        """
        if not isinstance(written, str):
            return written
        pairs = [tuple(pair_text.split("-")) for pair_text in written.split()]
        for pair in pairs:
            if len(pair) != 2:
                raise ValueError(f"a link is two ids with a hyphen between them, not {'-'.join(pair)!r}")
        return pairs

    @model_validator(mode="after")
    def _sound(self) -> Self:
        """Raise ``ValueError`` unless the map is complete and its parts fit."""
        if not self.wheel and not (self.homes and self.links and self.places):
            raise ValueError("a map has homes, links and places, or a wheel by which they are made")
        for place in chain.from_iterable(self.links):
            if not _PLACE.match(place):
                raise ValueError(f"an id is a letter and a number, not {place!r}")
        for home in self.homes:
            if home not in self.structures:
                raise ValueError(f"the home {home} has no link")
        lacking = [place for place in self.structures if place not in self.places]
        if lacking:
            raise ValueError(f"no place on the picture is given for {', '.join(lacking)}")
        self._check_seats()
        _ = self.graph  # raises for wrong links
        return self

    def _check_seats(self) -> None:
        """Raise ``ValueError`` unless each number of players has as many different homes."""
        for count, homes in self.seats.items():
            if len(homes) != count or len(set(homes)) != count or set(homes) - set(self.homes):
                raise ValueError(f"seats for {count} must be {count} different homes")

    @cached_property
    def structures(self) -> tuple[str, ...]:
        """The ids of all structures, by letter and number (:func:`place_rank`)."""
        return tuple(sorted(set(chain.from_iterable(self.links)), key=place_rank))

    @cached_property
    def graph(self) -> MapGraph:
        """The structures as a graph. Raises ``ValueError`` for a link that leads nowhere or appears twice."""
        return MapGraph({place: place[0] for place in self.structures}, ((a, b, None) for a, b in self.links))

    @cached_property
    def networks(self) -> Callable[[tuple[str, ...]], tuple[tuple[str, ...], ...]]:
        """The function that returns the connected blocks of some structures (CS-10.4).

        Structures in a block, and blocks by their first structure, are in the order of :func:`place_rank`.
        """

        @lru_cache(4096)
        def blocks(places: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
            return tuple(sorted(map(tuple, self.graph.parts(places)), key=lambda block: place_rank(block[0])))

        return blocks

    def neighbours(self, place: str) -> tuple[str, ...]:
        """Return the structures to which links lead from a place (CS-4.7), in the order of ``structures``."""
        return self.graph.neighbours(place)

    @cached_property
    def steps(self) -> Mapping[str, Mapping[str, int]]:
        """The number of links from each structure, by id, to each that can be reached, the nearest first."""
        return {place: dict(self.graph.steps_from(place)) for place in self.structures}
