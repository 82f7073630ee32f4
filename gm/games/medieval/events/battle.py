"""The events of battles: reports, retreats, losses at sea, mutinies (B, M6, M11, M12)."""

from gm.core.values import Event
from gm.games.medieval.combat.report import BattleReport
from gm.games.medieval.events import CommanderEvent, RealmEvent, UnitEvent, UnitPlaceEvent


class BattleFought(Event):
    """A battle from beginning to end (B14).

    ``place``: at a border it names both provinces, as in ``Kent - Sussex``; ``battle``: the kind, ``land``,
    ``sea`` or ``border``; ``winners``: the codes of the realms that won.
    """

    place: str
    battle: str
    winners: tuple[str, ...]
    report: BattleReport


class FortificationDamaged(Event):
    """Siege engines damaged a fortification, which now counts ``damage`` of its ``level`` (B2)."""

    place: str
    level: int
    damage: int


class UnitRetreated(UnitPlaceEvent):
    """A unit left a battle at ``place`` for the place ``to`` (B9).

    From a battle at a border, ``place`` names both provinces, and ``to`` is where its march began (M11).
    """

    to: str


class UnitDestroyed(UnitPlaceEvent):
    """A unit lost all its troops in a battle."""


class CommanderImproved(CommanderEvent):
    """A leader's rating in a tactic rose to ``value`` (B2, B11).

    ``tactic``: ``infantry``, ``cavalry``, ``siege`` or ``naval``.
    """

    tactic: str
    value: int


class CommanderTakenAboard(RealmEvent):
    """A commander of the destroyed fleet ``unit`` went to another fleet of the realm, ``to`` (B12)."""

    commander: str
    unit: str
    to: str


class ArmyTakenAboard(UnitEvent):
    """An army of a destroyed fleet went to another, ``fleet``, as far as that had room (B12, M6.1)."""

    fleet: str
    place: str


class ArmyPutAshore(UnitEvent):
    """An army left the docked ``fleet`` that became its enemy's (M6.1) or lost its last ship (B12)."""

    fleet: str
    place: str


class ArmyLostAtSea(UnitPlaceEvent):
    """An army at sea was lost: its fleet lost all ships (B12), or the enemy that carried it won (M6.1)."""


class FleetFormedByCapture(UnitPlaceEvent):
    """Captured ships became a new fleet of the captor (B11, M6.1)."""
