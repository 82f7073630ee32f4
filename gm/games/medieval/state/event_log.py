"""Events back from their records in a turn's log: the classes of this game."""

from __future__ import annotations

import gm.games.medieval.pipeline  # noqa: F401 - every event class is known once it is
from gm.core.codec import EventCodec
from gm.core.events import Event
from gm.store.formats import JsonObject

_CLASSES = EventCodec("gm.games.medieval.")


def event_classes() -> dict[str, type[Event]]:
    """Every class of event by name."""
    return _CLASSES.classes


def event_from(record: JsonObject) -> Event:
    """The event of a log record. Raises ``ValueError`` for one that this program does not know."""
    return _CLASSES.event(record)
