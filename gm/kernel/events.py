"""Typed events: what happened, for whom. Steps emit them; templates put them into words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import Any

from gm.kernel.frozen import FrozenMap
from gm.kernel.model import Value
from gm.kernel.records import Record, keyword_record, values_of

PUBLIC = "public"
GM = "gm"


@keyword_record
class Event(Record):
    """Something that happened. ``audience`` is PUBLIC, GM, or a realm's code: nobody else may read it.

    A subclass adds its figures as fields and is known by its class name, which keys its sentence in the templates.
    The runner fills in ``phase`` (0 outside Movement Events) and ``step``.
    """

    audience: str = PUBLIC
    phase: int = 0
    step: str = ""

    @property
    def kind(self) -> str:
        """The class name, e.g. ``WarDeclared``."""
        return type(self).__name__

    def visible_to(self, realm: str) -> bool:
        """Whether the realm's results may show this event."""
        return self.audience in (PUBLIC, realm)


@keyword_record
class DiceRolled(Event):
    """The draws of one stream (W12): ``label`` names it, ``outcomes`` are 0/1 for chances and indexes for choices.

    ``asked`` says what was asked of each draw (see :data:`gm.kernel.dice.Asked`); logs of earlier versions do not.
    ``private`` is the realm whose own affairs it tells (W8); everybody may see the others once the turn is played.
    """

    label: str
    outcomes: tuple[int, ...]
    asked: tuple[tuple[str, int], ...] = ()
    private: str = ""


@keyword_record
class PhaseLimitReached(Event):
    """The guard on the number of phases ended Movement Events: a sign of a rules bug (M0)."""

    limit: int


@keyword_record
class StrayFilesSetAside(Event):
    """Files came that could be given to no realm: unreadable, or signed with nobody's key (O7)."""

    files: tuple[str, ...]


@keyword_record
class BotFailed(Event):
    """The program that plays a party gave no orders that can be carried out, so the party gives none (N3, O7)."""

    realm: str
    bot: str
    why: str


_AS_IT_IS = frozenset({str, int, bool, float, type(None)})


def plain(value: Any) -> Any:
    """``value`` as JSON data: dataclasses and mappings become objects, decimals become text."""
    kind: Any = type(value)
    if kind in _AS_IT_IS:
        return value
    if kind is tuple or kind is list:
        return [item if type(item) in _AS_IT_IS else plain(item) for item in value]
    if kind is Decimal:
        return str(value)
    if kind is FrozenMap or kind is dict:
        return {
            key if type(key) is str else str(plain(key)): item if type(item) in _AS_IT_IS else plain(item)
            for key, item in value.items()
        }
    names = field_names(kind)
    if names is not None:
        found = dict(zip(names, values_of(kind)(value), strict=True))
        for name, each in found.items():
            if type(each) not in _AS_IT_IS:
                found[name] = plain(each)
        return found
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(item) for key, item in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(plain(item) for item in value)
    if isinstance(value, date):
        return value.isoformat().replace("+00:00", "Z")
    raise TypeError(f"an event holds something that has no plain form: {kind.__name__}")


@cache
def field_names(kind: type) -> tuple[str, ...] | None:
    """The fields of a dataclass or value; none for any other type. Asked for every value of every log."""
    if issubclass(kind, Value):
        return kind.model_names
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else None


def event_record(event: Event) -> dict[str, Any]:
    """The event as one object of the log, its kind first."""
    return {"event": event.kind, **plain(event)}
