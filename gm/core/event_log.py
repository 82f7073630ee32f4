"""Events back from their records in a turn's log: the same classes with the same values as when they happened."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

from pydantic import TypeAdapter

from gm.core.events import Event
from gm.store.formats import Record

_FIGURE = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?\Z")


class EventClasses:
    """The classes of events of one game: those of ``gm.core.events`` and of the modules that begin with ``homes``.

    Another game's class of the same name is not ours. All modules with events must have been imported before the first
    question is asked.
    """

    def __init__(self, *homes: str) -> None:
        self._homes = ("gm.core.events", *homes)
        self._found: dict[str, type[Event]] | None = None
        self._adapters: dict[str, TypeAdapter[Event]] = {}

    def all(self) -> dict[str, type[Event]]:
        """Every class by name."""
        if self._found is None:
            self._found = {
                found.__name__: found for found in _subclasses(Event) if found.__module__.startswith(self._homes)
            }
        return self._found

    def event(self, record: Record) -> Event:
        """The event of a log record. Raises ``ValueError`` for one that this program does not know."""
        fields = dict(record) if isinstance(record, dict) else {}
        kind = fields.pop("event", None)
        if not isinstance(kind, str) or kind not in self.all():
            raise ValueError(f"this gm knows no event {kind!r}")
        if kind not in self._adapters:
            self._adapters[kind] = TypeAdapter(self.all()[kind])
        event = self._adapters[kind].validate_python(fields)
        figures = getattr(event, "figures", None)
        if isinstance(figures, dict):
            # figures have no types of their own; gold was written as text
            event = replace(event, figures={name: _figure(value) for name, value in figures.items()})  # type: ignore[call-arg]
        return event


def _subclasses(base: type[Event]) -> Iterator[type[Event]]:
    for each in base.__subclasses__():
        # a dataclass with slots is made twice; the one that its module knows by name is the one in use
        if getattr(sys.modules.get(each.__module__), each.__name__, None) is each:
            yield each
        yield from _subclasses(each)


def _figure(value: Any) -> Any:
    if isinstance(value, str) and _FIGURE.match(value):
        return Decimal(value)
    if isinstance(value, list):
        return tuple(_figure(each) for each in value)
    if isinstance(value, dict):
        return {key: _figure(each) for key, each in value.items()}
    return value
