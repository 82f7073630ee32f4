"""The state of a game of Diplomacy: units, centres, the season, and what a phase leaves to decide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    """A unit that must retreat: where it may go."""

    unit: Unit
    to: tuple[str, ...]


class Rules(GameRules):
    """rules.yaml. ``centres``: so many win; ``first_year`` of the game."""

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
    build (more than 0) or must disband in an adjustment; ``asked``: within a turn, the phase that its orders
    are for.
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
        return tuple(each for each in self.units.values() if each.power == power)

    def centres_of(self, power: str) -> tuple[str, ...]:
        return tuple(centre for centre, owner in self.owners.items() if owner == power)

    def with_units(self, units: Iterable[Unit]) -> Diplomacy:
        """The position with just these units, by area in order."""
        return self.evolve(units={each.area: each for each in sorted(units, key=lambda each: each.place)})

    def must_act(self, power: str) -> bool:
        """Whether a power has anything to order in this phase."""
        if self.phase == "moves":
            return any(each.power == power for each in self.units.values())
        if self.phase == "retreats":
            return any(each.unit.power == power for each in self.dislodged.values())
        return bool(self.change.get(power))

    def free_homes(self, board: Board, power: str) -> tuple[str, ...]:
        """The home centres in which a power may build: its own, owned and empty."""
        held = (centre for centre in self.centres_of(power) if board.areas[centre].home == power)
        return tuple(centre for centre in held if centre not in self.units)

    def broken(self, board: Any, rules: Any) -> list[str]:
        """What must never be true between turns."""
        found = [
            f"{each.name} stands where there is no such place"
            for each in self.units.values()
            if each.area not in board.areas
        ]
        for area, unit in self.units.items():
            if unit.area != area or unit.power not in self.parties:
                found.append(f"{unit.name} is not where it is said to be")
            elif unit.kind == "A" and board.areas[area].is_sea:
                found.append(f"{unit.name} stands in the sea")
            elif unit.kind == "F" and unit.place not in board.fleet_ways:
                found.append(f"{unit.name} is a fleet where none can be")
        found += [f"{centre} is no centre" for centre in self.owners if centre not in board.centres]
        return found
