"""The events of a medieval game: base classes and the GM's events; the modules have those of parts of a turn.

In all of them ``unit``, ``army``, ``fleet`` and the like are keys of units, ``realm``, ``other``, ``former``,
``owner`` and the like codes of realms, ``place``, ``province`` and the like names of places; ``troops`` are
numbers by troop type, ``commanders`` names.
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
    """Return whether a unit's key is that of a garrison: ``ENG/G3`` (W5)."""
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
    """Troops of a type, ``troop``, joined or left a unit of ``realm``.

    ``count``: how many, above 0 if they joined, below 0 if they left; ``cause``: one of ``recruited``,
    ``disbanded``, ``killed``, ``captured``, ``overboard``, ``scuttled``, ``unpaid``, ``given``, ``received``,
    ``lost`` and ``corrected``.
    """

    troop: str
    count: int
    cause: str


class CommandersChanged(CommanderEvent):
    """A commander joined or left a unit of ``realm``.

    ``count``: 1 if they joined, -1 if they left; ``cause``: one of ``hired``, ``disbanded``, ``dismissed``,
    ``independent``, ``killed``, ``unpaid``, ``given``, ``received`` and ``lost``.
    """

    count: int
    cause: str


class StatusSet(RealmEvent):
    """The GM gave the realm's ruler another status (V2). ``status``: ``commoner`` or ``royalty``."""

    status: str


class ControllerSet(RealmEvent):
    """The GM decided who gives the realm's orders from now on (V3).

    ``controller``: ``player``, ``local forces`` or ``nobody``.
    """

    controller: str


class GameDrawn(Event, clause="V1"):
    """A vote ended the game without a winner."""


class GameConceded(RealmEvent, clause="V1"):
    """By a vote the game is over, and the realm has won."""


class Amended(Event):
    """The GM corrected the position: ``what`` is the change in words, ``why`` the GM's reason."""

    what: str
    why: str


class ProclamationRejected(RealmEvent):
    """The GM rejected a proclamation in a realm's orders (L13). For the GM alone.

    The realm learns it from the order's outcome. ``text``: that of the proclamation.
    """

    text: str
