"""The battles of a turn as pages link to them, and one page for each, in the form of B14."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from gm.games.medieval.combat.report import BattleReport
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.report.battle_view import BattleView
from gm.games.medieval.report.record import TurnRecord
from gm.games.medieval.report.sentences import Speaker
from gm.games.medieval.seasons import season_of
from gm.games.medieval.state import INDEPENDENTS
from gm.kernel.diagnostics import fold
from gm.kernel.events import Event
from gm.kernel.reports import capitalised, counted, fragment, listed, ready_markup, render
from gm.resources import resource

_NOT_PLAIN = re.compile("[^a-z0-9]+")

KIND_WORDS = {"land": "Land battle", "sea": "Sea battle", "border": "Battle at a border"}


def slug(text: str) -> str:
    """A name as a part of a file name: a-z, 0-9 and hyphens, never empty."""
    return _NOT_PLAIN.sub("-", fold(text)).strip("-")[:40] or "place"


@dataclass(frozen=True, slots=True)
class BattleEntry:
    """A battle as others link to it. ``index`` is its event's place among the turn's, ``file`` its page's name."""

    index: int
    number: int
    file: str
    title: str
    kind: str
    phase: int
    realms: tuple[str, ...]
    sides: str
    result: str
    report: BattleReport

    @property
    def length(self) -> str:
        """How long it took, in words."""
        return counted(len(self.report.rounds), "round") if self.report.rounds else "No round was fought"

    @property
    def page(self) -> str:
        """The page as seen from a realm's page."""
        return f"battles/{self.file}"

    @property
    def anchor(self) -> str:
        """Its section on a realm's page."""
        return f"battle-{self.number:02d}"

    @property
    def data(self) -> str:
        """The same battle for programs."""
        return f"battles/{self.file.removesuffix('.html')}.yaml"


def battle_entries(events: Iterable[Event], speaker: Speaker) -> tuple[BattleEntry, ...]:
    """Every battle of the turn, numbered in the order in which they were fought."""
    fought = [(index, event.report) for index, event in enumerate(events) if isinstance(event, BattleFought)]
    digits = max(2, len(str(len(fought))))
    found = []
    for number, (index, report) in enumerate(fought, 1):
        place = f"{report.place} and {report.other_place}" if report.other_place else report.place
        name = f"{report.place}-{report.other_place}" if report.other_place else report.place
        found.append(
            BattleEntry(
                index=index,
                number=number,
                file=f"{number:0{digits}d}-{slug(name)}.html",
                title=f"Battle between {place}" if report.other_place else f"Battle of {place}",
                kind="Mutiny aboard" if report.mutiny else KIND_WORDS[report.kind],
                phase=report.phase,
                realms=report.realms,
                sides=capitalised(listed([speaker.realm(code) for code in report.realms])),
                result=result_in_words(report, speaker),
                report=report,
            )
        )
    return tuple(found)


def result_in_words(report: BattleReport, speaker: Speaker) -> str:
    """Who won, in a sentence."""
    if report.result == "drawn":
        return "The battle is broken off as drawn."
    if report.result == "nobody" or not report.winners:
        return "Nobody holds the field."
    names = listed([speaker.realm(code) for code in report.winners])
    plural = len(report.winners) > 1 or report.winners == (INDEPENDENTS,)
    return f"{capitalised(names)} {'win' if plural else 'wins'}."


# -- the pages ---------------------------------------------------------------------------------------------------------

_SUBHEADING = re.compile("<(/?)h4")
"""The headings inside a battle's part: on a realm's page they stand below the battle's own."""


class BattlePages:
    """Makes what is told of each battle of one turn: once, for all realms' pages and its own."""

    def __init__(self, record: TurnRecord, speaker: Speaker, entries: tuple[BattleEntry, ...]) -> None:
        self.entries = entries
        self._record = record
        self._folder = resource("templates")
        self._view = BattleView(record, speaker)
        self._parts = {each.number: cache(partial(self._part, each)) for each in entries}

    def part(self, entry: BattleEntry) -> Any:
        """The battle from who fought to what came of it, as a part of a page."""
        return self._parts[entry.number]()

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

    def _part(self, entry: BattleEntry) -> Any:
        return fragment(self._folder, "medieval/battle_part.html", self._view.values(entry.anchor, entry.report))
