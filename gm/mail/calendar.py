"""A deadline as a calendar entry (RFC 5545), which mail programs offer to put into the player's calendar."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_LENGTH = 73
"""Bytes of a line before it has to be folded."""


def deadline_calendar(game: str, turn: int, name: str, due: datetime, now: datetime) -> bytes:
    """An entry that ends at the deadline and reminds a day before; ``name`` is what people call the turn. The same turn
    replaces its own older entry."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//gm//play by e-mail//EN",
        "METHOD:PUBLISH",
        "BEGIN:VEVENT",
        f"UID:turn-{turn}-{_text(game)}@gm",
        f"SEQUENCE:{int(now.timestamp()) // 60}",
        f"DTSTAMP:{_utc(now)}",
        f"DTSTART:{_utc(due - timedelta(minutes=30))}",
        f"DTEND:{_utc(due)}",
        f"SUMMARY:{_text(f'{game}: orders for {name} are due')}",
        "TRANSP:TRANSPARENT",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        "TRIGGER;RELATED=END:-P1D",
        f"DESCRIPTION:{_text(f'{game}: one day left for {name}')}",
        "END:VALARM",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "".join(f"{_folded(line)}\r\n" for line in lines).encode()


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
