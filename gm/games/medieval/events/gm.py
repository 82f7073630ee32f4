"""What the GM decides between and around turns (V2, V3, L13)."""

from __future__ import annotations

from gm.core.events import Event
from gm.games.medieval.events import RealmEvent


class StatusSet(RealmEvent):
    """The GM gave the realm's player another status (V2)."""

    status: str


class ControllerSet(RealmEvent):
    """The GM decided who gives the realm's orders from now on: a player, local forces, or nobody (V3)."""

    controller: str


class Amended(Event):
    """The GM corrected the position: ``what`` is as it is now, ``why`` his reason."""

    what: str
    why: str


class ProclamationRejected(RealmEvent):
    """The GM took a proclamation out of a realm's orders (L13). For the GM; its sender learns it from his order."""

    text: str
