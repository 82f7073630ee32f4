"""Values as JSON and back, for archives, logs and caches. Data of another form raise ``ValueError``."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from functools import cache, cached_property
from json.encoder import c_make_encoder  # type: ignore[attr-defined]
from json.encoder import encode_basestring as encode_text
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from gm.core.diagnostics import Message
from gm.core.values import Event

T = TypeVar("T")
_FIGURE = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?\Z")


def plain_text(value: Any) -> str:
    """Return a message as plain text, in English: what is stored has no language.

    Raises ``TypeError`` for anything else that is no data.
    """
    if isinstance(value, Message):
        return str(value)
    raise TypeError(f"a {type(value).__name__} is no data")


def to_plain(value: Any) -> Any:
    """Return ``value`` as JSON data; decimals and times become text.

    A set in it has one item at most: sets have no order.
    """
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=plain_text))


def from_plain(data: Any, kind: type[T]) -> T:
    """Return the value of type ``kind`` that JSON data encodes.

    Raises ``msgspec.ValidationError``, a ``ValueError``, for the first that is wrong.
    """
    return msgspec.convert(data, kind, str_keys=True)


def encode(value: Any) -> bytes:
    """Return ``value`` as compact JSON.

    Equal values give equal bytes: names of mappings and members of sets are sorted.
    """
    return msgspec.json.encode(value, order="deterministic", enc_hook=plain_text)


def json_line(value: Any) -> str:
    """Return a value as JSON on one line, with a space after each comma and colon."""
    return msgspec.json.format(msgspec.json.encode(value, enc_hook=plain_text), indent=0).decode()


def result_line(event: Event, logged: str) -> str:
    """Return an event's line without audience, phase and step.

    ``logged`` is its line in the log: its ``json_line``.
    """
    head, length = _heads(event.kind, event.audience, event.phase, event.step)
    return head + logged[length:]


@cache
def _heads(kind: str, audience: str, phase: int, step: str) -> tuple[str, int]:
    """Return an event's line up to its kind, and its length up to the fields that all events have."""
    whole = json_line({"event": kind, "audience": audience, "phase": phase, "step": step})
    return json_line({"event": kind})[:-1], len(whole) - 1


class EventCodec:
    """Decodes the events of one game.

    Their classes are those of ``gm.core.values``, of the modules ``homes`` and of modules below them,
    imported at the first use.
    """

    def __init__(self, *homes: str) -> None:
        self._homes = tuple(home.rstrip(".") for home in ("gm.core.values", *homes))

    @cached_property
    def classes(self) -> dict[str, type[Event]]:
        """Every event class by name, without base classes."""
        return {
            name: event_class for name, event_class in self._known.items() if not event_class.__subclasses__()
        }

    @cached_property
    def _known(self) -> dict[str, type[Event]]:
        return {
            event_class.__name__: event_class
            for event_class in _derived(Event)
            if self._is_home(event_class.__module__)
        }

    def _is_home(self, module: str) -> bool:
        return any(module == home or module.startswith(f"{home}.") for home in self._homes)

    def event(self, record: Mapping[str, Any]) -> Event:
        """Return the event of a log record.

        Raises ``ValueError`` for a kind that this program does not know.
        """
        kind = record.get("event") if isinstance(record, dict) else None
        if not isinstance(kind, str) or kind not in self._known:
            raise ValueError(f"this pbem knows no event {kind!r}")
        event = from_plain(record, self._known[kind])
        figures = getattr(event, "figures", None)
        # figures have no types of their own; gold was written as text
        return replace(event, figures=_figure(figures)) if isinstance(figures, dict) else event


def _derived(base: type[Event]) -> Iterator[type[Event]]:
    for subclass in base.__subclasses__():
        yield subclass
        yield from _derived(subclass)


def _figure(value: Any) -> Any:
    """Return JSON data with number texts as decimals and lists as tuples."""
    if isinstance(value, str) and _FIGURE.match(value):
        return Decimal(value)
    if isinstance(value, list):
        return tuple(_figure(part) for part in value)
    if isinstance(value, dict):
        return {key: _figure(part) for key, part in value.items()}
    return value


_UNSORTED = (False, False)  # neither sorts keys nor skips those that are no texts


def line_encoder(*, allow_nan: bool) -> Callable[[Any], str]:
    """Return ``JSONEncoder.encode`` without ASCII escapes.

    It is several times as fast for short lines: one C encoder for all.
    """
    usual = json.JSONEncoder().default
    parts = c_make_encoder(None, usual, encode_text, None, ": ", ", ", *_UNSORTED, allow_nan)

    def encode(value: Any) -> str:
        return encode_text(value) if isinstance(value, str) else "".join(parts(value, 0))

    return encode
