"""The classes of this game's events, for reading records of a turn's log."""

import gm.games.medieval.pipeline  # noqa: F401 - it imports all modules with event classes
from gm.core.codec import EventCodec
from gm.core.values import Event

_CLASSES = EventCodec("gm.games.medieval.")

event_from = _CLASSES.event
"""The event of a log record. Raises ``ValueError`` for one that this program does not know."""


def event_classes() -> dict[str, type[Event]]:
    """Return every class of event by name."""
    return _CLASSES.classes
