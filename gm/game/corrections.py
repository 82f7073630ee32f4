"""Corrections of a position by the game master: the kinds that a game offers, and their execution (V2)."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gm.core.diagnostics import did_you_mean, nearest, says, shown
from gm.core.values import Event, Record
from gm.game.values import GameData

_NUMBER = re.compile(r"\b\d+\b")

# (state, effect in words), or (state, effect in words, events that only one party may read)
Corrected = tuple[Any, str] | tuple[Any, str, tuple[Event, ...]]
Problems = Callable[[Any], Sequence[str]]  # Returns what is wrong with a state, a sentence each


class UnchangedError(ValueError):
    """A correction changes nothing."""


class Correction(Record):
    """A kind of correction."""

    usage: str  # How it is written, and an example after two or more blanks
    # Called with (game data, state, words after the first). Raises ``ValueError`` if these make no sense
    change: Callable[[GameData, Any, Sequence[str]], Corrected]


def corrected(
    kinds: Mapping[str, Correction], table: GameData, state: Any, words: Sequence[str], problems: Problems
) -> tuple[Any, str, tuple[Event, ...]]:
    """Return (state, effect in words, events) of a correction such as ``("gold", "ENG", "+12")``.

    The events are those that only one party may read; the caller adds the public one. ``kinds``: the possible
    corrections, by first word. Raises ``ValueError`` for words that make no sense and for a correction that
    would leave a state with new ``problems``, ``UnchangedError`` for one that changes nothing.
    """
    kind = words[0].lower() if words else ""
    if kind not in kinds:
        hint = did_you_mean(nearest(kind, kinds)) if kind else ""
        hint = hint or says("there is {0}", ", ".join(kinds) or "nothing")
        raise ValueError(says("nothing called {0} can be corrected; {1}", shown(kind), hint))
    # two or more blanks are between a usage and its example
    usage, *example = re.split(r" {2,}", kinds[kind].usage, maxsplit=1)
    if len(words) != len(usage.split()):
        raise ValueError(says("write it like this: {0}", ", ".join((usage, *example))))
    after, effect, *further = kinds[kind].change(table, state, list(words[1:]))
    if after == state:
        raise UnchangedError(says("that changes nothing: {0}", effect))
    # a problem that was there before, whatever its figures, is allowed: a state may exceed a limit until the
    # next turn
    known_problems = {_NUMBER.sub("", problem) for problem in problems(state)}
    new_problems = [problem for problem in problems(after) if _NUMBER.sub("", problem) not in known_problems]
    if new_problems:
        raise ValueError(says("that would leave a position that cannot be: {0}", new_problems[0]))
    return after, effect, further[0] if further else ()
