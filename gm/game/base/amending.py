"""What a GM may correct between turns: each correction changes one thing, keeps the state sound, and is public."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from gm.core.diagnostics import did_you_mean, fold, nearest, shown
from gm.core.events import Event
from gm.core.values import Record
from gm.game.values import GameData

STEP = "orders"  # Decisions of the GM stand in the log under this step

_NUMBER = re.compile(r"\b\d+\b")

Corrected = tuple[Any, str] | tuple[Any, str, tuple[Event, ...]]
"""A state with a correction in it, what was done in words, and the books of it, if the game keeps any."""


class Correction(Record):
    """A kind of correction. ``usage``: how it is written, and an example after some blanks; ``change`` gets (table,
    state, the words after the first) and raises ``ValueError``."""

    usage: str
    change: Callable[[GameData, Any, Sequence[str]], Corrected]


def amended(
    corrections: Mapping[str, Correction],
    broken: Callable[[GameData, Any], Sequence[str]],
    table: GameData,
    state: Any,
    words: Sequence[str],
) -> tuple[Any, str, tuple[Event, ...]]:
    """(state with one correction in it, what was done, its books). Raises ``ValueError`` for one that cannot be."""
    kind = words[0].lower() if words else ""
    if kind not in corrections:
        known = ", ".join(corrections) or "nothing"
        hint = did_you_mean(nearest(kind, corrections)) if kind else ""
        raise ValueError(f"nothing called {shown(kind)} can be corrected; {hint or f'there is {known}'}")
    usage, *example = re.split(r" {2,}", corrections[kind].usage, maxsplit=1)
    if len(words) != len(usage.split()):
        raise ValueError(f"write it like this: {', '.join((usage, *example))}")
    after, says, *books = corrections[kind].change(table, state, list(words[1:]))
    if after == state:
        raise ValueError(f"that changes nothing: {says}")
    # what was wrong before is no reason: a state may be above a limit until the turn mends it
    known_problems = {_NUMBER.sub("", each) for each in broken(table, state)}
    problems = [each for each in broken(table, after) if _NUMBER.sub("", each) not in known_problems]
    if problems:
        raise ValueError(f"that would leave a position that cannot be: {problems[0]}")
    return after, says, books[0] if books else ()


def the_one(word: str, names: Iterable[str], what: str) -> str:
    """The one of ``names`` that a word means, whatever its case and accents. Raises ``ValueError`` with the nearest."""
    known = list(names)
    found = next((name for name in known if fold(name) == fold(word)), None)
    if found is None:
        listed = f"there is {', '.join(known)}" if len(known) < 12 else ""
        hint = did_you_mean(nearest(word, known)) or listed
        raise ValueError(f"no {what} is called {shown(word)}" + (f": {hint}" if hint else ""))
    return found


def whole(word: str, what: str, low: int, high: int) -> int:
    """A whole number. Raises ``ValueError``."""
    text = word.replace("−", "-")
    if not text.lstrip("+-").isascii() or not text.lstrip("+-").isdigit() or not low <= int(text[:12]) <= high:
        raise ValueError(f"{shown(word)} is no {what}: it goes from {low} to {high}")
    return int(text)
