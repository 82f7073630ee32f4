"""The events of a medieval turn, by part of the turn, which steps emit, and their families.

They include the GM's decisions between and around turns (V2, V3, L13). ``unit``, ``army``, ``fleet`` and the
like are unit keys, ``realm`` and the like realm codes, places are names; ``troops`` are counts by type,
``commanders`` names.
"""

from gm.core.values import Event


class RealmEvent(Event):
    """An event about a realm."""

    realm: str


class DealingEvent(RealmEvent):
    """An event between two realms."""

    other: str


class UnitEvent(RealmEvent):
    """An event about a unit of the realm."""

    unit: str


def is_garrison(key: str) -> bool:
    """Return whether a unit's key is that of a garrison, which contains its place (W5)."""
    return key.partition("/")[2].startswith("G")


class UnitPlaceEvent(UnitEvent):
    """An event about a unit at a place."""

    place: str

    @property
    def of_garrison(self) -> bool:
        """Whether the event is about a garrison."""
        return is_garrison(self.unit)


class CommanderEvent(UnitEvent):
    """An event about a commander in a unit."""

    commander: str


class TroopsChanged(UnitEvent):
    """``count`` troops of a type joined (above 0) or left (below 0) a unit of ``realm``, for ``cause``.

    Causes are short words: ``recruited``, ``disbanded``, ``killed``, ``captured``, ``overboard``,
    ``scuttled``, ``unpaid``, ``given``, ``received``, ``lost``.
    """

    troop: str
    count: int
    cause: str


class CommandersChanged(CommanderEvent):
    """A commander joined (``count`` 1) or left (-1) a unit of ``realm``, for a ``cause``."""

    count: int
    cause: str


class StatusSet(RealmEvent):
    """The GM gave the realm's player another status (V2)."""

    status: str


class ControllerSet(RealmEvent):
    """The GM decided who gives the realm's orders from now on: a player, local forces, or nobody (V3)."""

    controller: str


class GameDrawn(Event, clause="V1"):
    """A vote ended the game without a winner."""


class GameConceded(RealmEvent, clause="V1"):
    """By a vote the game is over, and the realm has won."""


class Amended(Event):
    """The GM corrected the position: ``what`` is its new value, ``why`` the reason."""

    what: str
    why: str


class ProclamationRejected(RealmEvent):
    """The GM removed a proclamation from a realm's orders (L13).

    For the GM; its sender sees it in the order's outcome.
    """

    text: str
