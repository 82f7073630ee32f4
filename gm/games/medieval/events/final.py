"""The events of Final Events (L1-L20)."""

from collections.abc import Mapping
from decimal import Decimal

from gm.core.values import Event
from gm.games.medieval.events import CommanderEvent, DealingEvent, RealmEvent, UnitEvent, UnitPlaceEvent


class DamageIncreased(Event):
    """A province suffered damage; ``damage`` is the new total (L1)."""

    province: str
    damage: int


class DamageRepaired(Event):
    """A province in peace recovered; ``damage`` is the new total (L14)."""

    province: str
    damage: int


class GoldSent(DealingEvent):
    """Gold was sent to another realm (L2). Private to the sender."""

    amount: Decimal
    fee: Decimal


class GoldReceived(DealingEvent):
    """Gold arrived from another realm (L2). Private to the receiver."""

    amount: Decimal


class UpkeepShort(RealmEvent):
    """The treasury did not cover all upkeep (L3). Private to the realm.

    ``unpaid`` counts troops and commanders.
    """

    needed: Decimal
    paid: Decimal
    unpaid: int


class UnpaidLeft(RealmEvent):
    """Troops, counted by type, and commanders left a realm that did not pay them (L3)."""

    troops: Mapping[str, int]
    commanders: tuple[str, ...]


class TroopsBuilt(UnitPlaceEvent):
    """A city recruited soldiers or built ships; ``troops`` counts them by type (L4)."""

    troops: Mapping[str, int]


class CommanderHired(CommanderEvent):
    """A commander joined a garrison, with four tactics (L5)."""

    infantry: int
    cavalry: int
    siege: int
    naval: int


class ProvinceAnnexed(RealmEvent):
    """A realm annexed a province of its own.

    ``formerly``: the realm that it was annexed to, or empty (L6).
    """

    province: str
    formerly: str


class AnnexationEnded(RealmEvent):
    """A province is annexed to no realm any more: lost too long (L7), released (L18), or its realm is out."""

    province: str
    cause: str  # ``declined``, ``released`` or ``defeated``


class FortificationRepaired(Event):
    """One fortification damage was repaired (L8 free, L8.1 paid); ``damage`` is the rest."""

    province: str
    damage: int
    paid: bool


class StructureEvent(UnitEvent):
    """An event about a structure that a unit built or razed."""

    province: str
    structure: str
    level: int


class StructureBuilt(StructureEvent):
    """A structure was built (L8).

    ``level`` is the fortification's level or the number of production areas.
    """


class StructureRazed(StructureEvent):
    """A structure was razed (L10); ``level`` is the rest."""


class ProvinceGiven(DealingEvent):
    """A province changed hands as a gift (L12)."""

    province: str


class ProvinceCeded(RealmEvent):
    """A realm gave up a province, which is independent now (L12)."""

    province: str


class Proclaimed(RealmEvent):
    """A proclamation for all to read (L13)."""

    text: str


class ProclamationFlagged(RealmEvent):
    """A proclamation holds words of the filter: the GM may want to reject it (L13). For the GM."""

    words: tuple[str, ...]
    text: str


class PeaceMade(DealingEvent):
    """War became neutral; the two in alphabetical order (L15)."""


class AllianceCancelled(DealingEvent):
    """``realm`` ended its alliance with ``other`` (L16)."""


class AllianceFormed(DealingEvent):
    """Two neutral realms are allies; in alphabetical order (L17)."""


class CommanderLeft(CommanderEvent):
    """A commander left because the ruler's status allows fewer (L18)."""


class RealmDefeated(RealmEvent):
    """A realm has neither province nor troop and is out (L19)."""


class VictoryNear(Event):
    """These realms hold enough cities for victory, but not yet for long enough (V1)."""

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


class PlayerMissing(RealmEvent):
    """A player sent no orders on the first turn or for too long, and may need a replacement (V3).

    For the GM.
    """

    turns: int


class SeasonEnded(Event):
    """A turn, one season, is over (W9)."""

    season: str
    year: int
    next_season: str
    next_year: int
