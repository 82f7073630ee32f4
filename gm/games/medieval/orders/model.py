"""What a player can order, as typed values (O3-O5). Each knows the line it was written on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from decimal import Decimal
from enum import StrEnum
from typing import TypeAlias

from gm.core.records import Record, record
from gm.core.values import FrozenMap


@record
class Written(Record):
    """Where in the file an order stands (1-based) and how it reads there, e.g. ``A12 march: Gloucester``."""

    line: int
    column: int
    text: str


@record
class Order(Record):
    """Anything ordered. ``written`` says where."""

    written: Written


# -- headquarters (O3) -------------------------------------------------------------------------------------------------


@record
class RealmOrder(Order):
    """An order that names another realm by its code."""

    other: str


class DeclareWar(RealmOrder):
    __slots__ = ()


class RefuseGifts(RealmOrder):
    __slots__ = ()


class AcceptGifts(RealmOrder):
    __slots__ = ()


class GrantPassage(RealmOrder):
    __slots__ = ()


class RevokePassage(RealmOrder):
    __slots__ = ()


class SendAmbassador(RealmOrder):
    __slots__ = ()


class OfferPeace(RealmOrder):
    __slots__ = ()


class CancelAlliance(RealmOrder):
    __slots__ = ()


class OfferAlliance(RealmOrder):
    __slots__ = ()


@record
class GrantPermission(Order):
    province: str
    other: str


@record
class RevokePermission(Order):
    province: str
    other: str


@record
class SendGold(Order):
    other: str
    amount: Decimal


@record
class Annex(Order):
    province: str


@record
class GiveProvince(Order):
    province: str
    other: str


@record
class CedeProvince(Order):
    province: str


@record
class Proclamation(Order):
    text: str


@record
class RenameCommander(Order):
    name: str
    new_name: str


# -- units (O4) --------------------------------------------------------------------------------------------------------


class Structure(StrEnum):
    """What can be built and razed (L8, L10)."""

    FORTIFICATION = "fortification"
    HARBOUR = "harbour"
    PRODUCTION_AREA = "production area"


@record
class UnitOrder(Order):
    """An order to one unit: ``unit`` is an id, or a province's name for its garrison (see ``World.unit``)."""

    unit: str


@record
class FormUnit(UnitOrder):
    """Form the army or fleet ``new_id`` (``A12``, ``F3``), named or not."""

    new_id: str
    name: str | None


@record
class Recruit(UnitOrder):
    troop: str
    count: int


@record
class HireCommander(UnitOrder):
    count: int


@record
class Build(UnitOrder):
    structure: Structure


@record
class Repair(UnitOrder):
    """Paid repair of one fortification damage (L8.1)."""


@record
class Raze(UnitOrder):
    structure: Structure


@record
class Rename(UnitOrder):
    name: str | None


@record
class SetRetreatLevel(UnitOrder):
    level: int


@record
class Follow(UnitOrder):
    """Follow an own unit's retreats, by id; none: follow nobody."""

    leader: str | None


@record
class SetDefendFortifications(UnitOrder):
    answer: bool


@record
class SetMarines(UnitOrder):
    answer: bool


@record
class SetLeader(UnitOrder):
    commander: str | None


@record
class SetRanks(UnitOrder):
    """``counts`` maps a rank (1-5) to how many of the type go there; the rest stay where they are (F9)."""

    troop: str
    counts: FrozenMap[int, int]


@record
class Disband(UnitOrder):
    """Disband or salvage ``count`` troops of a type (F10)."""

    troop: str
    count: int


@record
class DisbandCommander(UnitOrder):
    commander: str


# -- the plan (O5) -----------------------------------------------------------------------------------------------------


@record
class Transfer(Order):
    """``receiver`` is a reference as in ``World.unit``; another realm's unit is written ``AQU/A3``."""

    receiver: str
    troops: FrozenMap[str, int]
    commanders: tuple[str, ...]


@record
class Board(Order):
    other: str


@record
class Load(Order):
    """``armies`` are references; another realm's army is written ``AQU/A3``."""

    armies: tuple[str, ...]


@record
class Sail(Order):
    place: str


@record
class Unload(Order):
    """Army reference to the province where it is put ashore, in file order."""

    landings: FrozenMap[str, str]


@record
class March(Order):
    province: str


@record
class Hold(Order):
    pass


@record
class Pillage(Order):
    pass


PlanEntry: TypeAlias = Transfer | Board | Load | Sail | Unload | March | Hold | Pillage


@record
class Orders(Record):
    """One realm's orders for one turn, as far as they were understood.

    ``plans`` maps a unit reference as written (canonical: ``A12``, ``F3``, ``G1`` or a province's name) to its entries.
    ``contact`` is shown to realms that get an ambassador (F7). ``late`` marks a file taken after the deadline (O1).
    """

    realm: str
    turn: int
    key: str = ""
    headquarters: tuple[Order, ...] = ()
    units: tuple[UnitOrder, ...] = ()
    plans: FrozenMap[str, tuple[PlanEntry, ...]] = field(default_factory=FrozenMap)
    contact: str = ""
    late: bool = False
    standing: int = 0
    """The last turn for which the same is ordered again while nothing newer comes; 0: only for this one."""
    proclamation_rejected: bool = False
    """Set by the GM: the proclamation is not suitable and neither read out nor paid (L13)."""

    def all_orders(self) -> Iterator[Order]:
        """Every order once, in file order of its section: headquarters, units, plans."""
        yield from self.headquarters
        yield from self.units
        for entries in self.plans.values():
            yield from entries
