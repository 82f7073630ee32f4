"""What a start file says (W11), as typed values."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from pydantic import Field, StringConstraints

from gm.core.values import FrozenMap, NameSet, Value
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.state import INDEPENDENTS, Status

Name = Annotated[str, StringConstraints(min_length=1, max_length=40, strip_whitespace=True)]
Count = Annotated[int, Field(ge=0)]
Gold = Annotated[Decimal, Field(ge=0, decimal_places=2)]
Troops = FrozenMap[str, Count | FrozenMap[Annotated[int, Field(ge=1, le=5)], Count]]
"""By type: how many, all in rank 1, or how many in each rank (W6)."""


class CommanderEntry(Value):
    """One commander and his four tactics (T5)."""

    name: Name
    infantry: Annotated[int, Field(ge=0, le=100)] = 0
    cavalry: Annotated[int, Field(ge=0, le=100)] = 0
    siege: Annotated[int, Field(ge=0, le=100)] = 0
    naval: Annotated[int, Field(ge=0, le=100)] = 0


class ProvinceStart(Value):
    """One province at the start (W4). ``annexed`` none: annexed to its owner, if that is a realm (W11)."""

    owner: str = INDEPENDENTS
    annexed: bool = True
    damage: Count = 0
    fortification: Count = 0
    fortification_damage: Count = 0
    harbour: bool = False
    production_areas: Count = 0
    permissions: NameSet = frozenset()
    garrison: Troops = FrozenMap()
    commanders: tuple[CommanderEntry, ...] = ()
    leader: str | None = None


class RealmStart(Value):
    """One realm at the start (W1, V2)."""

    treasury: Gold
    status: Status = Status.COMMONER


class UnitStart(Value):
    """An army or fleet that is there from the start, such as the independents' (W7)."""

    place: str
    name: Name | None = None
    aboard: str | None = None
    troops: Troops = FrozenMap()
    commanders: tuple[CommanderEntry, ...] = ()
    leader: str | None = None


class Scenario(Value):
    """A start file as it is written. What ``victory`` and ``year`` say replaces the rules' (V1, W9).

    ``units`` are by realm (or IND for the independents) and id. Provinces that are not named are independent and bare.
    """

    map: str
    title: Name
    realms: FrozenMap[str, RealmStart]
    provinces: FrozenMap[str, ProvinceStart]
    units: FrozenMap[str, FrozenMap[Annotated[str, StringConstraints(pattern=r"^[AF][1-9][0-9]?$")], UnitStart]] = (
        FrozenMap()
    )
    wars: tuple[tuple[str, str], ...] = ()
    alliances: tuple[tuple[str, str], ...] = ()
    victory: FrozenMap[str, int | None] = FrozenMap()
    year: int | None = None


def guarded(start: ProvinceStart, atlas: Atlas, province: str) -> bool:
    """Whether the province has a garrison: where there is a city or a fortification (W5)."""
    return start.fortification > 0 or atlas.city(province) is not None
