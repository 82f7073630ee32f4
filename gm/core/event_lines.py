"""Events as lines of JSON, as logs and results have them: what ``json`` makes of their plain data, to the letter.

A turn has tens of thousands of events of a few dozen classes. For each class of what they hold it is found out once how
it is written: making plain data of every event and looking through that again takes several times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, fields, is_dataclass
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import Any

from gm.core.events import Event
from gm.core.frozen import FrozenMap
from gm.core.json_text import encode_text, line_encoder
from gm.core.plain_data import ByClass, field_names, plain
from gm.core.records import names_of, values_of

_encode = line_encoder(allow_nan=False)
_COMMON = len(Event.__dataclass_fields__)
"""So many fields come first in all events."""


def event_line(event: Event) -> str:
    """The event's line in the log, without the line end: its kind, then all its fields."""
    kind = type(event)
    return _head(kind.__name__, event.audience, event.phase, event.step) + _own(kind)(event)


def result_line(event: Event, logged: str) -> str:
    """The same without whom it is for, as readers are told of nothing else, and without phase and step, under which
    results files list it. ``logged`` is the event's line in the log: but for its beginning, the two are the same.
    """
    begun, whole = _told_head(type(event).__name__, event.audience, event.phase, event.step)
    return begun + logged[whole:]


def json_line(value: Any) -> str:
    """What an event holds, as JSON on one line."""
    return _WRITERS[type(value)](value)


def _writer(kind: type) -> Callable[[Any], str]:
    if is_dataclass(kind):
        return _compiled(fields(kind), "{{", "}}")
    names = field_names(kind)
    if names:
        pattern, values = _object(names), values_of(kind)
        return lambda held: pattern % tuple([_WRITERS[type(each)](each) for each in values(held)])
    if issubclass(kind, Enum) and issubclass(kind, str):
        return lambda member: encode_text(member._value_)
    return lambda value: _encode(plain(value))


def _items(values: tuple[Any, ...] | list[Any]) -> str:
    return f"[{', '.join([_WRITERS[type(each)](each) for each in values])}]"


def _entries(values: Mapping[Any, Any]) -> str:
    if not all(type(key) is str for key in values):
        return _encode(plain(values))
    return f"{{{', '.join([f'{encode_text(key)}: {_WRITERS[type(each)](each)}' for key, each in values.items()])}}}"


_WRITERS: ByClass[str] = ByClass(
    _writer,
    {
        str: encode_text,
        int: int.__repr__,
        bool: lambda value: "true" if value else "false",
        type(None): lambda _: "null",
        Decimal: lambda value: f'"{value}"',
        tuple: _items,
        list: _items,
        dict: _entries,
        FrozenMap: _entries,
    },
)


def _object(names: tuple[str, ...]) -> str:
    """A pattern of a JSON object with a place for the value of each name."""
    return f"{{{', '.join([f'{encode_text(name)}: %s' for name in names])}}}"


@cache
def _head(kind: str, audience: str, phase: int, step: str) -> str:
    """The line as far as all events have it, which is the same for many of them."""
    return _encode({"event": kind, "audience": audience, "phase": phase, "step": step})[:-1]


@cache
def _told_head(kind: str, audience: str, phase: int, step: str) -> tuple[str, int]:
    """The kind alone, and how long the line is as far as all events have it."""
    return _encode({"event": kind})[:-1], len(_head(kind, audience, phase, step))


def _writer_of_own(kind: type[Event]) -> Callable[[Any], str]:
    """What writes the rest of the line: the fields of the class's own."""
    if names_of(kind)[:_COMMON] != tuple(Event.__dataclass_fields__):
        raise TypeError(f"{kind.__name__} does not begin with what all events have")
    own = fields(kind)[_COMMON:]
    return _compiled(own, ", " if own else "", "}}")


def _compiled(each_of: Sequence[Field[Any]], begin: str, end: str) -> Callable[[Any], str]:
    """What writes these fields of a record: compiled from their names, with texts and numbers, which most of them are,
    written in place. ``begin`` and ``end`` stand around them, as in an f-string."""
    inside = ", ".join([f'"{each.name}": {_in_place(each)}' for each in each_of])
    # made of field names of our own classes alone
    found: Callable[[Any], str] = eval(f"lambda held: f'{begin}{inside}{end}'", {"text": encode_text, "any": json_line})  # noqa: S307
    return found


def _in_place(field: Field[Any]) -> str:
    if field.type == "str":
        return f"{{text(held.{field.name})}}"
    return f"{{held.{field.name}:d}}" if field.type == "int" else f"{{any(held.{field.name})}}"


_own: Callable[[Any], Callable[[Any], str]] = cache(_writer_of_own)
