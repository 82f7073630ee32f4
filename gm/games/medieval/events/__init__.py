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
