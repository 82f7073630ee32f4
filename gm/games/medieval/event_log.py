"""Events back from their records in a turn's log: the same classes with the same values as when they happened."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import Any

from pydantic import TypeAdapter

import gm.games.medieval.events.gm
import gm.games.medieval.pipeline  # noqa: F401 - every event class is known once these two are
from gm.games.medieval.turn import OrderSettled
from gm.kernel.events import Event
from gm.kernel.store.formats import Record

_HOMES = ("gm.kernel.", "gm.games.medieval.")
"""Where this game's events are at home: another game's of the same name are not ours."""

_FIGURE = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?\Z")


@cache
def event_classes() -> dict[str, type[Event]]:
    """Every class of event by name."""
    return {found.__name__: found for found in _subclasses(Event) if found.__module__.startswith(_HOMES)}


def _subclasses(base: type[Event]) -> Iterator[type[Event]]:
    for each in base.__subclasses__():
        # a dataclass with slots is made twice; the one that its module knows by name is the one in use
        if getattr(sys.modules.get(each.__module__), each.__name__, None) is each:
            yield each
        yield from _subclasses(each)


@cache
def _adapter(kind: str) -> TypeAdapter[Event]:
    return TypeAdapter(event_classes()[kind])


def event_from(record: Record) -> Event:
    """The event of a log record. Raises ``ValueError`` for one that this program does not know."""
    fields = dict(record)
    kind = fields.pop("event", None)
    if not isinstance(kind, str) or kind not in event_classes():
        raise ValueError(f"this gm knows no event {kind!r}")
    event = _adapter(kind).validate_python(fields)
    if isinstance(event, OrderSettled):
        # figures have no types of their own; gold was written as text
        event = replace(event, figures={name: _figure(value) for name, value in event.figures.items()})
    return event


def _figure(value: Any) -> Any:
    if isinstance(value, str) and _FIGURE.match(value):
        return Decimal(value)
    if isinstance(value, list):
        return tuple(_figure(each) for each in value)
    if isinstance(value, dict):
        return {key: _figure(each) for key, each in value.items()}
    return value
