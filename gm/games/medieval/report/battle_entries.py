"""The battles of a turn as everything else links to them: numbers, titles, file names."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gm.core.diagnostics import fold
from gm.core.events import Event
from gm.core.values import Record
from gm.games.medieval.combat.report import BattleReport
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.report.sentences import MedievalFormatter
from gm.games.medieval.state import INDEPENDENTS
from gm.text.pages import capitalised, counted, listed

_NOT_PLAIN = re.compile("[^a-z0-9]+")

KIND_WORDS = {"land": "Land battle", "sea": "Sea battle", "border": "Battle at a border"}


def slug(text: str) -> str:
    """A name as a part of a file name: a-z, 0-9 and hyphens, never empty."""
    return _NOT_PLAIN.sub("-", fold(text)).strip("-")[:40] or "place"


class BattleEntry(Record):
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


def battle_entries(events: Iterable[Event], speaker: MedievalFormatter) -> tuple[BattleEntry, ...]:
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


def result_in_words(report: BattleReport, speaker: MedievalFormatter) -> str:
    """Who won, in a sentence."""
    if report.result == "drawn":
        return "The battle is broken off as drawn."
    if report.result == "nobody" or not report.winners:
        return "Nobody holds the field."
    names = listed([speaker.realm(code) for code in report.winners])
    plural = len(report.winners) > 1 or report.winners == (INDEPENDENTS,)
    return f"{capitalised(names)} {'win' if plural else 'wins'}."
