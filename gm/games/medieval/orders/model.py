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
    """Form the army or fleet ``new_id`` (``A12``, ``F3``), named or not."""

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
    """Follow an own unit's retreats, by id; None: follow none."""

    leader: str | None


class SetDefendFortifications(UnitOrder):
    answer: bool


class SetMarines(UnitOrder):
    answer: bool


class SetLeader(UnitOrder):
    commander: str | None


class SetRanks(UnitOrder):
    """Set the ranks of a type's troops: ``counts`` maps a rank (1-5) to a number; others stay (F9)."""

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
    troops: Mapping[str, int]
    commanders: tuple[str, ...]


class Board(Order):
    other: str


class Load(Order):
    """Load armies. ``armies`` are references; another realm's army is written ``AQU/A3``."""

    armies: tuple[str, ...]


class Sail(Order):
    place: str


class Unload(Order):
    """Land armies: an army's reference to the province where it lands, in file order."""

    landings: Mapping[str, str]


class March(Order):
    province: str


class Hold(Order): ...


class Pillage(Order): ...


PlanEntry: TypeAlias = Transfer | Board | Load | Sail | Unload | March | Hold | Pillage


class Orders(Record, dict=True):
    """One realm's orders for one turn, as far as they were understood.

    ``plans`` maps a unit reference as written (canonical: ``A12``, ``F3``, ``G1`` or a province's name) to
    its entries. ``contact`` is shown to realms that get an ambassador (F7). ``late`` marks a file accepted
    after the deadline (O1).
    """

    realm: str
    turn: int
    headquarters: tuple[Order, ...] = ()
    units: tuple[UnitOrder, ...] = ()
    plans: Mapping[str, tuple[PlanEntry, ...]] = {}
    cut: Mapping[str, int] = {}
    """The plans that movement ends in (O5.1): how many entries come before one not understood."""
    contact: str = ""
    late: bool = False
    proclamation_rejected: bool = False
    """Set by the GM: the proclamation is not suitable and neither read out nor paid (L13)."""

    @cached_property
    def kinds(self) -> frozenset[type[Order]]:
        """Return the classes of its orders to headquarters and to units."""
        return frozenset(map(type, (*self.headquarters, *self.units)))

    def all_orders(self) -> Iterator[Order]:
        """Yield every order once, in file order of its section: headquarters, units, plans."""
        yield from self.headquarters
        yield from self.units
        for entries in self.plans.values():
            yield from entries
