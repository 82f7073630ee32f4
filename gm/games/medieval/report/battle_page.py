"""One page for each battle of a turn, in the form of B14."""

from __future__ import annotations

import re
from functools import cache, partial
from typing import Any

from gm.games.medieval.data.rules import season_of
from gm.games.medieval.report.battle_entries import BattleEntry
from gm.games.medieval.report.battle_view import BattleView
from gm.games.medieval.report.sentences import MedievalFormatter
from gm.games.medieval.report.turn_result import MedievalResult
from gm.resources import resource
from gm.text.pages import fragment, ready_markup, render

_SUBHEADING = re.compile("<(/?)h4")
"""The headings inside a battle's part: on a realm's page they stand below the battle's own."""


class BattlePages:
    """Makes what is told of each battle of one turn: once, for all realms' pages and its own."""

    def __init__(self, record: MedievalResult, speaker: MedievalFormatter, entries: tuple[BattleEntry, ...]) -> None:
        self.entries = entries
        self._record = record
        self._folder = resource("templates")
        self._view = BattleView(record, speaker)
        self._parts = {
            (each.number, whole): cache(partial(self._part, each, whole)) for each in entries for whole in (True, False)
        }

    def part(self, entry: BattleEntry, whole: bool = True) -> Any:
        """The battle from who fought to what came of it, as a part of a page; without its rounds unless ``whole``."""
        return self._parts[entry.number, whole]()

    def html(self, entry: BattleEntry) -> str:
        """The page of one battle."""
        season, year = season_of(self._record.turn, self._record.rules)
        values = {
            "record": self._record,
            "entry": entry,
            "season": season,
            "year": year,
            "part": ready_markup(_SUBHEADING.sub(r"<\1h2", str(self.part(entry)))),
            "clauses": self._view.clauses(entry.report),
        }
        return render(self._folder, "medieval/battle.html", values)

    def _part(self, entry: BattleEntry, whole: bool) -> Any:
        values = {**self._view.values(entry.anchor, entry.report), "whole": whole}
        return fragment(self._folder, "medieval/battle_part.html", values)
