"""Values as JSON and back, for archives, logs and caches. Unsuitable data raise ``ValueError``."""

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
    """Return a message as English text: what is stored has no language.

    It is called for values that msgspec cannot encode. Raises ``TypeError`` for all but messages.
    """
    if isinstance(value, Message):
        return str(value)
    raise TypeError(f"a {type(value).__name__} is no data")


def to_plain(value: Any) -> Any:
    """Return ``value`` as JSON data: dicts, lists, numbers, texts; decimals and times become text.

    A set in it may have one item at most, since the order of several is not defined.
    """
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=plain_text))


def from_plain(data: Any, kind: type[T]) -> T:
    """Return the value of type ``kind`` that JSON data encodes.

    Raises ``msgspec.ValidationError``, a ``ValueError``, for the first part that does not fit.
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
    """Return an event's line for results files: as in the log, but without audience, phase and step.

    ``logged`` is its line in the log: its ``json_line``.
    """
    beginning, skipped = _beginnings(event.kind, event.audience, event.phase, event.step)
    return beginning + logged[skipped:]


@cache
def _beginnings(kind: str, audience: str, phase: int, step: str) -> tuple[str, int]:
    """Return (beginning of an event's result line, length of the beginning of its log line).

    Both beginnings end before the fields of the event's own class.
    """
    common_fields = json_line({"event": kind, "audience": audience, "phase": phase, "step": step})
    # both without the closing brace
    return json_line({"event": kind})[:-1], len(common_fields) - 1


class EventCodec:
    """Decodes the events of one game.

    Their classes are those of ``gm.core.values``, of the modules ``homes`` and of modules below them, as far
    as these are imported at the first use.
    """

    def __init__(self, *homes: str) -> None:
        self._homes = tuple(home.rstrip(".") for home in ("gm.core.values", *homes))

    @cached_property
    def classes(self) -> dict[str, type[Event]]:
        """The event classes by name, without those from which others derive."""
        return {
            name: event_class for name, event_class in self._known.items() if not event_class.__subclasses__()
        }

    @cached_property
    def _known(self) -> dict[str, type[Event]]:
        """The event classes by name, with those from which others derive."""
        return {
            event_class.__name__: event_class
            for event_class in _derived(Event)
            if self._is_home(event_class.__module__)
        }

    def _is_home(self, module: str) -> bool:
        """Return whether a module is one of the homes or below one."""
        return any(module == home or module.startswith(f"{home}.") for home in self._homes)

    def event(self, record: Mapping[str, Any]) -> Event:
        """Return the event of a log record.

        Raises ``ValueError`` for a kind that this program does not know, and for fields that do not fit it.
        """
        kind = record.get("event") if isinstance(record, dict) else None
        if not isinstance(kind, str) or kind not in self._known:
            raise ValueError(f"this pbem knows no event {kind!r}")
        event = from_plain(record, self._known[kind])
        figures = getattr(event, "figures", None)
        # figures are of the type Any, so decimals, which the log has as text, are still text here
        return replace(event, figures=_figure(figures)) if isinstance(figures, dict) else event


def _derived(base: type[Event]) -> Iterator[type[Event]]:
    """Yield all classes that derive from a class, also at second hand."""
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
    """Return a function like ``JSONEncoder.encode``, but without ASCII escapes.

    It makes the C encoder once for all lines, so that short lines take a fraction of the time. ``allow_nan``:
    NaN and infinities are written; else they raise ``ValueError``.
    """
    refuse_type = json.JSONEncoder().default  # raises ``TypeError`` for what JSON has no form for
    json_pieces = c_make_encoder(None, refuse_type, encode_text, None, ": ", ", ", *_UNSORTED, allow_nan)

    def encode_line(value: Any) -> str:
        return encode_text(value) if isinstance(value, str) else "".join(json_pieces(value, 0))

    return encode_line
