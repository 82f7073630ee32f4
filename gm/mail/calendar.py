"""A deadline as a calendar entry (RFC 5545), which mail programs offer to put into the player's calendar."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_LENGTH = 73
"""Bytes of a line before it has to be folded."""


_FIRST_SEQUENCE = 50_000_000
"""Higher than what earlier versions wrote, which was the time in minutes."""


def deadline_calendar(
    game: str,
    turn: int,
    name: str,
    due: datetime,
    now: datetime,
    *,
    organizer: str,
    changes: int = 0,
    cancelled: bool = False,
) -> bytes:
    """An entry that ends at the deadline and reminds a day before; ``name`` is what people call the turn. The same turn
    replaces its own older entry.

    ``changes``: how often the GM has changed a deadline so far, by which programs tell the newer entry; ``cancelled``
    takes the entry back. ``organizer``: the game's address.
    """
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//gm//play by e-mail//EN",
        f"METHOD:{method_of(cancelled=cancelled)}",
        "BEGIN:VEVENT",
        f"UID:turn-{turn}-{_text(game)}@gm",
        f"SEQUENCE:{_FIRST_SEQUENCE + changes}",
        f"DTSTAMP:{_utc(now)}",
        f"ORGANIZER:mailto:{organizer}",
        f"DTSTART:{_utc(due - timedelta(minutes=30))}",
        f"DTEND:{_utc(due)}",
        f"SUMMARY:{_text(f'{game}: orders for {name} are due')}",
        f"STATUS:{'CANCELLED' if cancelled else 'CONFIRMED'}",
        "TRANSP:TRANSPARENT",
    ]
    alarm = [
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        "TRIGGER;RELATED=END:-P1D",
        f"DESCRIPTION:{_text(f'{game}: one day left for {name}')}",
        "END:VALARM",
    ]
    lines += [*([] if cancelled else alarm), "END:VEVENT", "END:VCALENDAR"]
    return "".join(f"{_folded(line)}\r\n" for line in lines).encode()


def method_of(*, cancelled: bool) -> str:
    """What a calendar is to do with an entry (RFC 5546): put it in, in the place of an older one, or take it out."""
    return "CANCEL" if cancelled else "PUBLISH"


def _utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(text: str) -> str:
    for character in "\\;,":
        text = text.replace(character, f"\\{character}")
    return text


def _folded(line: str) -> str:
    """A long line in several, none of which cuts a character."""
    parts, part = [], ""
    for character in line:
        if len((part + character).encode()) > _LENGTH:
            parts.append(part)
            part = ""
        part += character
    return "\r\n ".join([*parts, part])
