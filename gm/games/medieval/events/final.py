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
    """``realm`` sent gold to ``other`` (L2). Private to the sender.

    ``amount``: the gold that arrives, without the ``fee``.
    """

    amount: Decimal
    fee: Decimal


class GoldReceived(DealingEvent):
    """Gold arrived from ``realm`` at ``other`` (L2). Private to the receiver."""

    amount: Decimal


class UpkeepShort(RealmEvent):
    """The treasury did not cover all upkeep (L3). Private to the realm.

    ``needed`` and ``paid`` are in gold; ``unpaid``: how many troops and commanders were not paid in full.
    """

    needed: Decimal
    paid: Decimal
    unpaid: int


class UnpaidLeft(RealmEvent):
    """Troops, counted by type, and commanders, by name, left a realm that did not pay them (L3)."""

    troops: Mapping[str, int]
    commanders: tuple[str, ...]


class TroopsBuilt(UnitPlaceEvent):
    """A garrison recruited soldiers or built ships; ``troops``: how many of each type (L4)."""

    troops: Mapping[str, int]


class CommanderHired(CommanderEvent):
    """A garrison hired a commander with these ratings in the four tactics (L5)."""

    infantry: int
    cavalry: int
    siege: int
    naval: int


class ProvinceAnnexed(RealmEvent):
    """A realm annexed a province that it owns (L6).

    ``formerly``: the realm that it was annexed to before, empty if to none.
    """

    province: str
    formerly: str


class AnnexationEnded(RealmEvent):
    """A province is not annexed to ``realm`` any more, and to no other.

    ``cause``: ``declined`` (not owned by the realm for too long, L7), ``released`` (above its limit, L18) or
    ``defeated`` (the realm is out of the game, L19).
    """

    province: str
    cause: str


class FortificationRepaired(Event):
    """One fortification damage was repaired, free (L8) or ``paid`` (L8.1); ``damage`` is what is left."""

    province: str
    damage: int
    paid: bool


class StructureEvent(UnitEvent):
    """An event about a structure that a unit built or razed."""

    province: str
    structure: str  # a value of ``Structure``
    level: int


class StructureBuilt(StructureEvent):
    """A structure was built (L8).

    ``level``: the fortification's new level, the new number of production areas, or 1 for a harbour.
    """


class StructureRazed(StructureEvent):
    """A structure was razed (L10).

    ``level``: the fortification's level or the number of production areas that is left; 0 for a harbour.
    """


class ProvinceGiven(DealingEvent):
    """``realm`` gave a province to ``other`` (L12)."""

    province: str


class ProvinceCeded(RealmEvent):
    """A realm gave up a province, which is independent now (L12)."""

    province: str


class Proclaimed(RealmEvent):
    """A proclamation for all to read (L13)."""

    text: str


class ProclamationFlagged(RealmEvent):
    """A proclamation has words that the rules point out to the GM, who may want to reject it (L13).

    For the GM alone. ``text``: that of the proclamation.
    """

    words: tuple[str, ...]
    text: str


class PeaceMade(DealingEvent):
    """Two realms at war made peace and are neutral; ``realm`` is the first by code (L15)."""


class AllianceCancelled(DealingEvent):
    """``realm`` ended its alliance with ``other`` (L16)."""


class AllianceFormed(DealingEvent):
    """Two neutral realms became allies; ``realm`` is the first by code (L17)."""


class CommanderLeft(CommanderEvent):
    """A commander left because the ruler's status allows fewer (L18)."""


class RealmDefeated(RealmEvent):
    """A realm has neither province nor troop and is out (L19)."""


class VictoryNear(Event):
    """These realms own enough cities for victory, but not yet for long enough (V1).

    ``cities``: how many they own; ``total``: how many are on the map; ``turns``: for how many turns they have
    owned enough; ``needed``: for how many turns they have to.
    """

    realms: tuple[str, ...]
    cities: int
    total: int
    turns: int
    needed: int


class VictoryWon(Event):
    """The game is won by one realm, or by several together (V1)."""

    realms: tuple[str, ...]


class GameScored(Event):
    """The fixed last turn is over (V1): (realm, score), best first."""

    scores: tuple[tuple[str, int], ...]


class PlayerMissing(RealmEvent):
    """A player sent no orders on the first turn or for too many turns (V3). For the GM alone.

    ``turns``: how many in a row.
    """

    turns: int


class SeasonEnded(Event):
    """A turn, one season, is over (W9)."""

    season: str
    year: int
    next_season: str
    next_year: int
