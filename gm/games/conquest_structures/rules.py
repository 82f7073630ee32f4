"""The rules data and the settings of CONQUEST 0.0.2, read from rules/conquest-structures/rules.yaml (CS-17)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator

from gm.core.values import FrozenMap, Value


class UnitType(Value):
    """CS-5.1, CS-5.2: a kind of unit."""

    strength: int = Field(ge=0)
    popcap: int = Field(ge=0)
    supply: int = Field(ge=0)


class StructureKind(Value):
    """CS-4.1 to CS-4.7: what a kind of structure gives its owner."""

    letter: str
    popcap: int = Field(ge=0)
    supply: int = Field(ge=0)
    builds: bool
    victory: bool


class Marks(Value):
    """CS-11.1 to CS-11.3: how marks come and go, and from how many on a unit is immobile."""

    immobile_at: int
    cap: int
    per_missed_check: int
    per_passed_check: int


Ordering = Literal["most_marks", "infantry_first", "structure_id", "unit_id"]


class Rules(Value):
    """rules.yaml."""

    version: str
    units: FrozenMap[str, UnitType]
    structures: FrozenMap[str, StructureKind]
    marks: Marks
    supply_default: tuple[Ordering, ...]

    def kind_of(self, place: str) -> StructureKind:
        """The kind of a structure by the letter of its id (CS-4.7). Raises ``KeyError``."""
        return self.structures[self.kind_name(place)]

    def kind_name(self, place: str) -> str:
        """The same by name: city, home, refinery, base."""
        found = next((name for name, kind in self.structures.items() if kind.letter == place[:1]), None)
        if found is None:
            raise KeyError(place)
        return found


class Settings(Value):
    """CS-2: what is chosen when a game begins."""

    players: int | None = Field(None, description="How many play: 2 up to the number of homes of the map")
    homes: str = Field("seats", description="Who gets which home: seats (as the map says) or draw (draw D1)")
    start_units: FrozenMap[str, int] = Field(
        FrozenMap(), description="Units that stand in each home at the start, e.g. {infantry: 1}"
    )
    last_player_wins: bool = Field(True, description="Whether the only player left has won")
    max_turns: int | None = Field(None, description="After so many turns the game is counted out", ge=1)

    @field_validator("homes")
    @classmethod
    def _homes(cls, text: str) -> str:
        if text not in ("seats", "draw"):
            raise ValueError(f"it is seats or draw, not {text!r}")
        return text

    @field_validator("start_units")
    @classmethod
    def _start_units(cls, units: FrozenMap[str, int]) -> FrozenMap[str, int]:
        for name, count in units.items():
            if name not in ("infantry", "tank") or not 0 <= count <= 99:
                raise ValueError("it names infantry and tank, each with a number up to 99")
        return units
