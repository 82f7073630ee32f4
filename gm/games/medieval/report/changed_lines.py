"""The lines that tell a realm what changed, and the view of a turn that they are found in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from functools import cached_property
from typing import TypeVar

from gm.core.events import Event
from gm.core.values import Record
from gm.games.medieval.report.battle_entries import BattleEntry
from gm.games.medieval.report.sentences import MedievalFormatter
from gm.games.medieval.report.turn_result import MedievalResult
from gm.text.pages import listed, slug

EventT = TypeVar("EventT", bound=Event)


Weight = IntEnum(
    "Weight",
    "VICTORY STANDING LANDS_LOST WAR BATTLES_LOST LANDS_WON BATTLES_WON UNITS_LOST UNPAID COMMANDERS_LOST "
    "ALLIANCE_ENDED PEACE ORDERS TREASURY DAMAGE RIGHTS UNITS_FORMED COMMANDERS_WON TROOPS LETTERS "
    "ANNEXED WORKS OTHERS MORE",
)
"""What a line is about, the most important first."""


class Piece(Record):
    """One thing in a line: ``text``, linked to the page's ``anchor`` if it has one, and a ``note`` in plain text."""

    text: str
    anchor: str = ""
    note: str = ""


class Line(Record):
    """One line. ``tone`` is ``good``, ``bad``, ``warn`` or empty; a line without pieces is not shown."""

    weight: Weight
    title: str
    tone: str
    pieces: tuple[Piece, ...]


def line(weight: Weight, title: str, tone: str, pieces: Iterable[Piece]) -> Line:
    """A line of these pieces."""
    return Line(weight, title, tone, tuple(pieces))


def plain_line(line: Line) -> str:
    """A line as text: ``Provinces won: Gotland (from Sweden), Osel``."""
    pieces = (f"{piece.text} ({piece.note})" if piece.note else piece.text for piece in line.pieces)
    return f"{line.title}: {', '.join(pieces)}"


class TurnView:
    """One turn as its changes are looked for: before, after, and the events by their class."""

    def __init__(self, result: MedievalResult, speaker: MedievalFormatter, battles: Sequence[BattleEntry]) -> None:
        self.result = result
        self.speaker = speaker
        self.battles = battles

    @cached_property
    def _by_kind(self) -> dict[type[Event], list[Event]]:
        found: dict[type[Event], list[Event]] = {}
        for event in self.result.events:
            found.setdefault(type(event), []).append(event)
        return found

    def seen(self, realm: str, kind: type[EventT]) -> Iterator[EventT]:
        """The events of one class that the realm may see (W8), in order."""
        for event in self._by_kind.get(kind, ()):
            if isinstance(event, kind) and event.visible_to(realm):
                yield event

    def own(self, realm: str, kind: type[EventT]) -> Iterator[EventT]:
        """Those of them that are about the realm."""
        return (event for event in self.seen(realm, kind) if getattr(event, "realm", "") == realm)

    def partners(self, realm: str, kind: type[EventT]) -> Iterator[tuple[str, bool]]:
        """(other realm, whether the event is this realm's doing) of events between it and another one."""
        for event in self.seen(realm, kind):
            one, other = getattr(event, "realm", ""), getattr(event, "other", "")
            if realm in (one, other):
                yield (other, True) if one == realm else (one, False)

    def realm(self, code: str, note: str = "") -> Piece:
        """A realm, linked to the table of realms."""
        return Piece(self.speaker.realm(code), "realms", note)

    def realms(self, reader: str, codes: Iterable[str]) -> str:
        """The names of realms as ``reader`` says them."""
        return listed(["you" if code == reader else self.speaker.realm(code) for code in codes])

    def place(self, name: str, note: str = "") -> Piece:
        """A place, linked to its report."""
        return Piece(name, self.place_anchor(name), note)

    def place_anchor(self, name: str) -> str:
        """The anchor of a place's report; empty for a name that is no place's, such as a border's."""
        return f"place-{slug(name)}" if name in self.result.atlas.locations else ""

    def unit(self, key: str) -> str:
        """A unit as its own player calls it."""
        return self.speaker.own_unit(*key.split("/", 1))
