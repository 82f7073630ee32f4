"""Answers of tables of choices: costs, and refusals in words, each once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from gm.games.medieval.data.clauses_data import load_reasons
from gm.games.medieval.report.sentences import MedievalFormatter
from gm.games.medieval.steps.turn import Refusal
from gm.text.sentences import Said

Answer = int | str | None
"""A cost, or the index of a refusal; none where nobody asks."""
GameData = dict[str, Any]

_FIGURE = re.compile(r"\{(\w+)(:[^}]+)?\}")


class Blank(str):
    """A figure that the reader of a table fills in."""

    __slots__ = ()


def cents(gold: Decimal) -> int:
    """Hundredths of gold."""
    return int(gold * 100)


class Sayings:
    """Refusals in words, each once, by index."""

    def __init__(self, speaker: MedievalFormatter) -> None:
        self._speaker = speaker
        self._found: dict[tuple[str, str], str] = {}

    def __call__(self, refusal: Refusal | None, cost: int = 0, blanks: Mapping[str, str] | None = None) -> Answer:
        """The answer: ``cost`` without a refusal. ``blanks``: values of figures, with the blank for each."""
        if refusal is None:
            return cost
        known = load_reasons()[refusal.reason]

        def put(found: re.Match[str]) -> str:
            value, noun = refusal.figures[found[1]], found[2] or ""
            if blanks and isinstance(value, str) and value in blanks:
                return f"{{{blanks[value]}{noun}}}"
            if isinstance(value, Blank):
                return f"{{{value}{noun}}}"
            return format(Said(self._speaker.words(value, found[1])), noun[1:])

        return self._found.setdefault((known.clause, _FIGURE.sub(put, known.says)), str(len(self._found)))

    def table(self) -> list[tuple[str, str]]:
        """(clause, sentence) by index."""
        return list(self._found)
