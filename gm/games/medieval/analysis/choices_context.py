"""What all tables of choices ask and answer with: the turn as it opens, costs, and refusals in words, each once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from functools import cached_property
from typing import Any

from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.clauses_data import load_reasons
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.model import Written
from gm.games.medieval.report.sentences import MedievalFormatter
from gm.games.medieval.state import World
from gm.games.medieval.steps.bookkeeping import turn_opens
from gm.games.medieval.steps.construction import Site, repair_in_peace
from gm.games.medieval.steps.turn import Refusal, Turn
from gm.text.sentences import Said

Answer = int | str | None  # A cost, or the index of a refusal; none where nobody asks
Choices = dict[str, Any]
NOWHERE = Written(0, 0, "")

_FIGURE = re.compile(r"\{(\w+)(:[^}]+)?\}")


class Blank(str):
    """A figure that the reader of a table fills in."""

    __slots__ = ()


def cents(gold: Decimal) -> int:
    """Hundredths of gold."""
    return int(gold * 100)


class Answers:
    """Refusals in words, each once, by index; ``pools``: what several orders draw from, with the refusal when it is
    empty."""

    def __init__(self, formatter: MedievalFormatter) -> None:
        self._formatter = formatter
        self._found: dict[tuple[str, str], str] = {}
        self.pools: Choices = {}

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
            return format(Said(self._formatter.words(value, found[1])), noun[1:])

        return self._found.setdefault((known.clause, _FIGURE.sub(put, known.says)), str(len(self._found)))

    def table(self) -> list[tuple[str, str]]:
        """(clause, sentence) by index."""
        return list(self._found)


class ChoiceContext:
    """A turn as it opens, to ask its rules about. ``world``: the one before the turn."""

    def __init__(self, world: World, rules: Rules, atlas: Atlas) -> None:
        begun: Turn = Turn(state=world, number=world.turn + 1, rules=rules, board=atlas, orders={}, seed="")
        self.world: World = turn_opens(begun).state
        self.turn: Turn = replace(begun, state=self.world)
        self.rules, self.atlas = rules, atlas
        self.formatter = MedievalFormatter(world, sentences={})

    @cached_property
    def site(self) -> Site:
        """Where works are asked about: as the turn comes to them if it stays at peace (L8)."""
        site = Site(self.turn)
        repair_in_peace(site)
        return site
