"""What can happen in a medieval turn, by part of the turn: the typed events that steps emit, and their families.

``unit``, ``army``, ``fleet`` and the like are unit keys, ``realm`` and the like realm codes, places are names;
``troops`` are counts by type, ``commanders`` names.
"""

from __future__ import annotations

from gm.core.events import Event


class RealmEvent(Event):
    """Something that concerns a realm."""

    realm: str


class DealingEvent(RealmEvent):
    """Something between two realms."""

    other: str


class UnitEvent(RealmEvent):
    """Something that a unit of the realm did or met with."""

    unit: str


class UnitPlaceEvent(UnitEvent):
    """The same, at a place."""

    place: str


class CommanderEvent(UnitEvent):
    """Something that became of a commander in a unit."""

    commander: str


class TroopsChanged(UnitEvent):
    """``count`` troops of a type came to (above 0) or left (below 0) a unit of ``realm``, for ``cause``. Causes are
    short words: ``recruited``, ``disbanded``, ``killed``, ``captured``, ``overboard``, ``scuttled``, ``unpaid``,
    ``given``, ``received``, ``lost``."""

    troop: str
    count: int
    cause: str


class CommandersChanged(CommanderEvent):
    """A commander came to (``count`` 1) or left (-1) a unit of ``realm``, for ``cause`` as in TroopsChanged."""

    count: int
    cause: str
