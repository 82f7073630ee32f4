"""What can happen in a medieval turn, by part of the turn: the typed events that steps emit, and their families.

They include what the GM decides between and around turns (V2, V3, L13). ``unit``, ``army``, ``fleet`` and the like are
unit keys, ``realm`` and the like realm codes, places are names; ``troops`` are counts by type, ``commanders`` names.
"""

from gm.core.values import Event


class RealmEvent(Event):
    """Something that concerns a realm."""

    realm: str


class DealingEvent(RealmEvent):
    """Something between two realms."""

    other: str


class UnitEvent(RealmEvent):
    """Something that a unit of the realm did or met with."""

    unit: str


def is_garrison(key: str) -> bool:
    """Return whether a unit's key is that of a garrison, whose name says where it is (W5)."""
    return key.partition("/")[2].startswith("G")


class UnitPlaceEvent(UnitEvent):
    """The same, at a place."""

    place: str

    @property
    def of_garrison(self) -> bool:
        """Whether it became of a garrison."""
        return is_garrison(self.unit)


class CommanderEvent(UnitEvent):
    """Something that became of a commander in a unit."""

    commander: str


class TroopsChanged(UnitEvent):
    """``count`` troops of a type came to (above 0) or left (below 0) a unit of ``realm``, for ``cause``.

    Causes are short words: ``recruited``, ``disbanded``, ``killed``, ``captured``, ``overboard``,
    ``scuttled``, ``unpaid``, ``given``, ``received``, ``lost``.
    """

    troop: str
    count: int
    cause: str


class CommandersChanged(CommanderEvent):
    """A commander came to (``count`` 1) or left (-1) a unit of ``realm``, for ``cause`` as in TroopsChanged."""

    count: int
    cause: str


class StatusSet(RealmEvent):
    """The GM gave the realm's player another status (V2)."""

    status: str


class ControllerSet(RealmEvent):
    """The GM decided who gives the realm's orders from now on: a player, local forces, or nobody (V3)."""

    controller: str


class GameDrawn(Event, clause="V1"):
    """By a vote the game is over, and nobody has won."""


class GameConceded(RealmEvent, clause="V1"):
    """By a vote the game is over, and the realm has won."""


class Amended(Event):
    """The GM corrected the position: ``what`` is as it is now, ``why`` his reason."""

    what: str
    why: str


class ProclamationRejected(RealmEvent):
    """The GM took a proclamation out of a realm's orders (L13). For the GM; its sender learns it from his order."""

    text: str
