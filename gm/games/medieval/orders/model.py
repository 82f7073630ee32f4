"""The orders of a player, as typed values (O3-O5). Each knows its line in the file."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias

from gm.core.values import Record
from gm.game.base.events import Written as Written


class Order(Record):
    """Any order. ``written``: its place in the file."""

    written: Written


class RealmOrder(Order):
    """An order to headquarters (O3) that names another realm by its code."""

    other: str


class DeclareWar(RealmOrder): ...


class RefuseGifts(RealmOrder): ...


class AcceptGifts(RealmOrder): ...


class GrantPassage(RealmOrder): ...


class RevokePassage(RealmOrder): ...


class SendAmbassador(RealmOrder): ...


class OfferPeace(RealmOrder): ...


class CancelAlliance(RealmOrder): ...


class OfferAlliance(RealmOrder): ...


class GrantPermission(Order):
    province: str
    other: str


class RevokePermission(Order):
    province: str
    other: str


class SendGold(Order):
    other: str
    amount: Decimal


class Annex(Order):
    province: str


class GiveProvince(Order):
    province: str
    other: str


class CedeProvince(Order):
    province: str


class Proclamation(Order):
    text: str


class RenameCommander(Order):
    name: str
    new_name: str


class Structure(StrEnum):
    """A structure that can be built and razed (L8, L10)."""

    FORTIFICATION = "fortification"
    HARBOUR = "harbour"
    PRODUCTION_AREA = "production area"


class UnitOrder(Order):
    """An order to one unit (O4): ``unit`` is its id, or a garrison's province (see ``World.unit``)."""

    unit: str


class FormUnit(UnitOrder):
    """Form the army or fleet ``new_id`` (``A12``, ``F3``), with a name or None."""

    new_id: str
    name: str | None


class Recruit(UnitOrder):
    troop: str
    count: int


class HireCommander(UnitOrder):
    count: int


class Build(UnitOrder):
    structure: Structure


class Repair(UnitOrder):
    """Paid repair of one fortification damage (L8.1)."""


class Raze(UnitOrder):
    structure: Structure


class Rename(UnitOrder):
    name: str | None


class SetRetreatLevel(UnitOrder):
    level: int


class Follow(UnitOrder):
    """Retreat with the realm's unit of the id ``leader``; None: with none."""

    leader: str | None


class SetDefendFortifications(UnitOrder):
    answer: bool


class SetMarines(UnitOrder):
    answer: bool


class SetLeader(UnitOrder):
    commander: str | None


class SetRanks(UnitOrder):
    """Set the number of a type's troops in some ranks: ``counts`` by rank, 1-5; others stay (F9)."""

    troop: str
    counts: Mapping[int, int]


class Disband(UnitOrder):
    """Disband or salvage ``count`` troops of a type (F10)."""

    troop: str
    count: int


class DisbandCommander(UnitOrder):
    commander: str


class Transfer(Order):
    """Hand troops and commanders over, in a plan (O5).

    ``receiver`` is a reference as in ``World.unit``; another realm's unit is written ``AQU/A3``.
    """

    receiver: str
    troops: Mapping[str, int]  # numbers by type
    commanders: tuple[str, ...]


class Board(Order):
    other: str


class Load(Order):
    """Load armies. ``armies`` are references; another realm's army is written ``AQU/A3``."""

    armies: tuple[str, ...]


class Sail(Order):
    place: str


class Unload(Order):
    """Land armies: ``landings`` are the provinces by the army's reference, in the order of the file."""

    landings: Mapping[str, str]


class March(Order):
    province: str


class Hold(Order): ...


class Pillage(Order): ...


PlanEntry: TypeAlias = Transfer | Board | Load | Sail | Unload | March | Hold | Pillage


class Orders(Record, dict=True):
    """One realm's orders for one turn, as far as they were understood."""

    realm: str
    turn: int
    headquarters: tuple[Order, ...] = ()
    units: tuple[UnitOrder, ...] = ()
    plans: Mapping[str, tuple[PlanEntry, ...]] = {}  # by the unit's reference (``A12``, ``G1``, ``London``)
    # by the unit's reference: how many entries of a plan come before one that was not understood, after which
    # the unit does not move (O5.1)
    cut: Mapping[str, int] = {}
    contact: str = ""  # shown to realms that get an ambassador (F7)
    late: bool = False  # the file was accepted after the deadline (O1)
    # set by the GM: the proclamation is not suitable and neither read out nor paid (L13)
    proclamation_rejected: bool = False

    @cached_property
    def kinds(self) -> frozenset[type[Order]]:
        """The classes of the orders to headquarters and to units, without those in plans."""
        return frozenset(map(type, (*self.headquarters, *self.units)))

    def all_orders(self) -> Iterator[Order]:
        """Yield every order once: headquarters, units, then plans, each section in the order of the file."""
        yield from self.headquarters
        yield from self.units
        for entries in self.plans.values():
            yield from entries
