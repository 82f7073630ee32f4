"""The state of a game of Diplomacy: units, centres, the season, and what a phase leaves to decide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from gm.core.values import Positive, Value
from gm.game.base.position import GameRules, GameSettings, Party, Position

if TYPE_CHECKING:
    from gm_diplomacy.board import Board

Phase = Literal["moves", "retreats", "adjustments"]
Season = Literal["spring", "autumn"]


class Unit(Value):
    """An army (``A``) or a fleet (``F``) in a place, which of a fleet may be a coast: ``STP/NC``."""

    power: str
    kind: Literal["A", "F"]
    place: str

    @property
    def area(self) -> str:
        return self.place[:3]

    @property
    def name(self) -> str:
        """As orders call it: ``F STP/NC``."""
        return f"{self.kind} {self.place}"


class Dislodged(Value):
    """A unit that must retreat; ``to``: the places where it may go."""

    unit: Unit
    to: tuple[str, ...]


class Rules(GameRules):
    """rules.yaml. ``centres``: how many a power needs to win; ``first_year`` of the game."""

    centres: Positive
    first_year: Positive


class Settings(GameSettings):
    """What is chosen when a game begins. ``last_year``: after it the game ends, drawn by all who are left."""

    in_rules: ClassVar[Mapping[str, str]] = {"centres": "centres"}
    centres: Positive | None = None
    last_year: Positive | None = None


class Diplomacy(Position):
    """The position of a game.

    ``units`` and ``dislodged`` are by area, ``owners`` by centre; ``change``: how many units each power may
    build (more than 0) or must disband (less than 0) in an adjustment. ``phase`` is the one that the next
    turn's orders are for; while a turn is played, ``asked`` keeps the one that its own orders are for.
    """

    parties: Mapping[str, Party]
    settings: Settings
    year: int
    season: Season = "spring"
    phase: Phase = "moves"
    asked: Phase = "moves"
    units: Mapping[str, Unit] = {}
    owners: Mapping[str, str] = {}
    dislodged: Mapping[str, Dislodged] = {}
    change: Mapping[str, int] = {}

    def units_of(self, power: str) -> tuple[Unit, ...]:
        """Return the power's units on the board, without dislodged ones."""
        return tuple(unit for unit in self.units.values() if unit.power == power)

    def dislodged_of(self, power: str) -> tuple[Dislodged, ...]:
        """Return the power's units that must retreat."""
        return tuple(driven for driven in self.dislodged.values() if driven.unit.power == power)

    def ordered_units(self, power: str) -> tuple[Unit, ...]:
        """Return the power's units that take orders in this phase: in retreats, the dislodged ones only."""
        if self.phase == "retreats":
            return tuple(driven.unit for driven in self.dislodged_of(power))
        return self.units_of(power)

    def centres_of(self, power: str) -> tuple[str, ...]:
        """Return the centres that a power owns."""
        return tuple(centre for centre, owner in self.owners.items() if owner == power)

    def with_units(self, units: Iterable[Unit]) -> Diplomacy:
        """Return the position with just these units on the board."""
        by_place = sorted(units, key=attrgetter("place"))
        return self.evolve(units={unit.area: unit for unit in by_place})

    def must_act(self, power: str) -> bool:
        """Return whether a power has anything to order in this phase."""
        if self.phase == "adjustments":
            return bool(self.change.get(power))
        return bool(self.ordered_units(power))

    def free_homes(self, board: Board, power: str) -> tuple[str, ...]:
        """Return the centres in which a power may build: of its home, owned by it and without a unit."""
        homes = (centre for centre in self.centres_of(power) if board.areas[centre].home == power)
        return tuple(centre for centre in homes if centre not in self.units)

    def broken(self, board: Any, rules: Any) -> list[str]:
        """Return what is wrong with the position, a sentence each; empty for a sound one."""
        faults = [
            f"{unit.name} stands where there is no such place"
            for unit in self.units.values()
            if unit.area not in board.areas
        ]
        faults += self._misplaced(board)
        faults += [f"{centre} is no centre" for centre in self.owners if centre not in board.centres]
        return faults

    def _misplaced(self, board: Board) -> Iterator[str]:
        """Yield a sentence for each unit that cannot stand where it does."""
        for area, unit in self.units.items():
            if unit.area != area or unit.power not in self.parties:
                yield f"{unit.name} is not where it is said to be"
            elif unit.kind == "A" and board.areas[area].is_sea:
                yield f"{unit.name} stands in the sea"
            elif unit.kind == "F" and unit.place not in board.fleet_ways:
                yield f"{unit.name} is a fleet where none can be"
