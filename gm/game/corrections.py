"""Corrections of a position by the game master: those that a game offers, and how one is carried out (V2)."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gm.core.diagnostics import did_you_mean, nearest, shown
from gm.core.values import Event, Record
from gm.game.values import GameData

_NUMBER = re.compile(r"\b\d+\b")

# The state, what was done, its books if there are any
Corrected = tuple[Any, str] | tuple[Any, str, tuple[Event, ...]]
Problems = Callable[[Any], Sequence[str]]  # What is wrong with a state


class UnchangedError(ValueError):
    """A correction changes nothing."""


class Correction(Record):
    """A kind of correction. ``usage``: how it is written, and an example after some blanks."""

    usage: str
    # Gets the words after the first; raises ``ValueError``
    change: Callable[[GameData, Any, Sequence[str]], Corrected]


def corrected(
    kinds: Mapping[str, Correction], table: GameData, state: Any, words: Sequence[str], problems: Problems
) -> tuple[Any, str, tuple[Event, ...]]:
    """Carry out a correction such as ``("gold", "ENG", "+12")``.

    Returns the state after it, its effect in words, and its events. Raises ``ValueError`` for a correction
    that makes no sense, and ``UnchangedError`` for one that changes nothing.
    """
    kind = words[0].lower() if words else ""
    if kind not in kinds:
        hint = did_you_mean(nearest(kind, kinds)) if kind else ""
        hint = hint or f"there is {', '.join(kinds) or 'nothing'}"
        raise ValueError(f"nothing called {shown(kind)} can be corrected; {hint}")
    usage, *example = re.split(r" {2,}", kinds[kind].usage, maxsplit=1)
    if len(words) != len(usage.split()):
        raise ValueError(f"write it like this: {', '.join((usage, *example))}")
    after, says, *books = kinds[kind].change(table, state, list(words[1:]))
    if after == state:
        raise UnchangedError(f"that changes nothing: {says}")
    # what was wrong before is no reason: a state may be above a limit until the turn mends it
    known_problems = {_NUMBER.sub("", problem) for problem in problems(state)}
    new_problems = [problem for problem in problems(after) if _NUMBER.sub("", problem) not in known_problems]
    if new_problems:
        raise ValueError(f"that would leave a position that cannot be: {new_problems[0]}")
    return after, says, books[0] if books else ()
