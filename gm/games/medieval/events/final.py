"""What can happen in Final Events (L1-L20)."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from gm.core.events import Event


class DamageIncreased(Event):
    """A province suffered; ``damage`` is what it has now (L1)."""

    province: str
    damage: int


class DamageRepaired(Event):
    """A province in peace recovered; ``damage`` is what it has now (L14)."""

    province: str
    damage: int


class GoldSent(Event):
    """Gold left for another realm (L2). Private to the sender."""

    realm: str
    other: str
    amount: Decimal
    fee: Decimal


class GoldReceived(Event):
    """Gold arrived from another realm (L2). Private to the receiver."""

    realm: str
    other: str
    amount: Decimal


class UpkeepShort(Event):
    """The treasury did not cover all upkeep (L3). Private to the realm. ``unpaid`` counts troops and commanders."""

    realm: str
    needed: Decimal
    paid: Decimal
    unpaid: int


class UnpaidLeft(Event):
    """Troops, counted by type, and commanders left a realm that did not pay them (L3)."""

    realm: str
    troops: Mapping[str, int]
    commanders: tuple[str, ...]


class TroopsBuilt(Event):
    """A city recruited soldiers or built ships; ``troops`` counts them by type (L4)."""

    realm: str
    unit: str
    place: str
    troops: Mapping[str, int]


class CommanderHired(Event):
    """A commander entered a garrison; his four tactics (L5)."""

    realm: str
    unit: str
    commander: str
    infantry: int
    cavalry: int
    siege: int
    naval: int


class ProvinceAnnexed(Event):
    """A realm annexed a province of its own; ``formerly`` is the realm it was annexed to, or empty (L6)."""

    realm: str
    province: str
    formerly: str


class AnnexationEnded(Event):
    """A province is annexed to nobody any more: lost for too long (L7), released (L18), or its realm is no more."""

    realm: str
    province: str
    cause: str
    """``declined``, ``released`` or ``defeated``."""


class FortificationRepaired(Event):
    """One fortification damage is gone (L8 free, L8.1 paid); ``damage`` is what is left."""

    province: str
    damage: int
    paid: bool


class StructureBuilt(Event):
    """A structure was built (L8); ``level`` is the fortification's level or the number of production areas."""

    realm: str
    unit: str
    province: str
    structure: str
    level: int


class StructureRazed(Event):
    """A structure was razed (L10); ``level`` is what is left of it."""

    realm: str
    unit: str
    province: str
    structure: str
    level: int


class ProvinceGiven(Event):
    """A province changed hands as a gift (L12)."""

    realm: str
    other: str
    province: str


class ProvinceCeded(Event):
    """A realm let a province go; it is independent (L12)."""

    realm: str
    province: str


class Proclaimed(Event):
    """A proclamation for all to read (L13)."""

    realm: str
    text: str


class ProclamationFlagged(Event):
    """A proclamation holds words of the filter: the GM may want to reject it (L13). For the GM."""

    realm: str
    words: tuple[str, ...]
    text: str


class PeaceMade(Event):
    """War became neutral; the two in alphabetical order (L15)."""

    realm: str
    other: str


class AllianceCancelled(Event):
    """``realm`` ended its alliance with ``other`` (L16)."""

    realm: str
    other: str


class AllianceFormed(Event):
    """Two neutral realms are allies; in alphabetical order (L17)."""

    realm: str
    other: str


class CommanderLeft(Event):
    """A commander beyond what his ruler's status allows went away (L18)."""

    realm: str
    unit: str
    commander: str


class RealmDefeated(Event):
    """A realm has neither province nor troop and is out (L19)."""

    realm: str


class VictoryNear(Event):
    """These realms hold enough cities, not yet for long enough (V1)."""

    realms: tuple[str, ...]
    cities: int
    total: int
    turns: int
    needed: int


class VictoryWon(Event):
    """The game is won, alone or together (V1)."""

    realms: tuple[str, ...]


class GameScored(Event):
    """The fixed last turn is over (V1): (realm, score), best first."""

    scores: tuple[tuple[str, int], ...]


class PlayerMissing(Event):
    """A player sent nothing on the first turn or for too long: he may need a replacement (V3). For the GM."""

    realm: str
    turns: int


class SeasonEnded(Event):
    """A turn, one season, is over (W9)."""

    season: str
    year: int
    next_season: str
    next_year: int
