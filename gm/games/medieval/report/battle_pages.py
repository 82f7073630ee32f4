"""What pages show of one battle (B14): who fought and how strongly, why it ended so, every round, what came of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cache, cached_property
from typing import Any

from gm.core.events import Event
from gm.games.medieval.combat.report import BattleReport, BattleRound, BattleUnit, TroopCount
from gm.games.medieval.data.clauses_data import clauses as all_clauses
from gm.games.medieval.data.rules import season_of
from gm.games.medieval.events.movement import ConquestTooWeak, HarbourDestroyed, ProvinceConquered
from gm.games.medieval.report.battle_chart import chart, points_left
from gm.games.medieval.report.battle_entries import BattleEntry
from gm.games.medieval.report.battle_why import Explainer
from gm.games.medieval.report.sentences import MedievalFormatter
from gm.games.medieval.report.turn_result import MedievalResult
from gm.resources import resource
from gm.text.pages import capitalised, fragment, listed, made_lean, ready_markup, render

AFTERWARDS = (ProvinceConquered, ConquestTooWeak, HarbourDestroyed)
"""What may follow at the place of a battle in the same phase (M13, M13.1)."""
ALWAYS_NAMED = ("B5", "B6", "B7", "B8.1", "B9", "B11")
"""The clauses that a battle's part links to whatever happened in it."""
_SUBHEADING = re.compile("<(/?)h4")
"""The headings inside a battle's part: on a realm's page they stand below the battle's own."""


class BattlePages:
    """Makes the part of each battle of one turn, once for all realms' pages, and its own page."""

    def __init__(self, record: MedievalResult, speaker: MedievalFormatter, entries: tuple[BattleEntry, ...]) -> None:
        self.entries = entries
        self._record, self._speaker = record, speaker
        self._explainer = Explainer(speaker.realm, speaker.unit)
        # by number, since an entry has no cheap hash; a battle's own page takes it as it is, all realms' pages lean
        self._raw = cache(lambda number, whole: self._part(entries[number - 1], whole))
        self._lean = cache(lambda number, whole: ready_markup(made_lean(self._raw(number, whole))))

    def part(self, entry: BattleEntry, whole: bool = True) -> Any:
        """The battle as a lean part of a page, without its rounds unless ``whole``."""
        return self._lean(entry.number, whole)

    def html(self, entry: BattleEntry) -> str:
        """The page of one battle, with the titles of the clauses that its part links to."""
        season, year = season_of(self._record.turn, self._record.rules)
        named = {each.clause for side in self._explainer.why(entry.report) for each in side.reasons} | {*ALWAYS_NAMED}
        values = {
            "record": self._record,
            "entry": entry,
            "season": season,
            "year": year,
            "part": ready_markup(_SUBHEADING.sub(r"<\1h2", str(self._raw(entry.number, True)))),
            "clauses": [(key, title) for key, title in all_clauses().items() if key in named],
        }
        return render(resource("templates"), "medieval/battle.html", values)

    def _part(self, entry: BattleEntry, whole: bool) -> Any:
        report = entry.report
        values = {
            "report": report,
            "name": self._speaker.unit,
            "speaker": self._speaker,
            "sides": [self._side(code, report) for code in report.realms],
            "why": self._explainer.why(report),
        }
        if not whole:
            return fragment(resource("templates"), "medieval/battle_brief.html", values)
        values |= {
            "anchor": entry.anchor,
            "short": {unit.unit: self.short(unit) for unit in report.units},
            "settled": {each.unit for each in report.units if each.defends or each.role == "garrison"},
            "chart": chart(report, self.short, self._colours) if report.rounds else None,
            "left": {unit.unit: points_left(report, unit) for unit in report.units},
            "rounds": [(each, self._round_summary(each, report)) for each in report.rounds],
            "afterwards": self.afterwards(entry),
        }
        return fragment(resource("templates"), "medieval/battle_part.html", values)

    def afterwards(self, entry: BattleEntry) -> list[str]:
        """What followed at its place in the same phase, in sentences."""
        report = entry.report
        places = dict.fromkeys((report.place, report.other_place))
        return [self._speaker.say(each) for place in places for each in self._conquests.get((report.phase, place), ())]

    def short(self, unit: BattleUnit) -> str:
        """What a unit is called where there is little room: ``A12 England``, ``Garrison France``."""
        code, _, unit_id = unit.unit.partition("/")
        realm = capitalised(self._speaker.realm(code).removeprefix("the "))
        return f"{'Garrison' if unit.role == 'garrison' else unit_id} {realm}"

    @cached_property
    def _colours(self) -> Mapping[str, str]:
        return {code: seat.colour for code, seat in self._record.atlas.realms.items()}

    @cached_property
    def _conquests(self) -> Mapping[tuple[int, str], list[Event]]:
        """What followed battles, by phase and place."""
        found: dict[tuple[int, str], list[Event]] = {}
        for event in self._record.events:
            if isinstance(event, AFTERWARDS):
                found.setdefault((event.phase, event.place), []).append(event)
        return found

    def _side(self, code: str, report: BattleReport) -> dict[str, Any]:
        """One realm's part in the battle in figures."""
        own = {unit.unit: unit for unit in report.units if unit.realm == code}
        return {
            "code": code,
            "name": capitalised(self._speaker.realm(code)),
            "won": code in report.winners,
            "troops": sum(_count(unit.troops) + len(unit.commanders) for unit in own.values()),
            "combat": sum((unit.total_combat for unit in own.values()), Decimal(0)),
            "hit_points": sum((unit.hit_points for unit in own.values()), Decimal(0)),
            "lost": sum(_count(end.losses) + len(end.fallen_commanders) for end in report.ends if end.unit in own),
        }

    def _round_summary(self, fought: BattleRound, report: BattleReport) -> str:
        """The round in a line: what each realm took, who fell, who left."""
        realms = {unit.unit: unit.realm for unit in report.units}
        taken: dict[str, Decimal] = {}
        fell: dict[str, int] = {}
        for each in fought.units:
            realm = realms.get(each.unit) or each.unit.partition("/")[0]
            taken[realm] = taken.get(realm, Decimal(0)) + each.taken
            fell[realm] = fell.get(realm, 0) + _count(each.casualties) + len(each.fallen_commanders)
        name = self._speaker.realm
        parts = {
            "damage taken": [f"{name(code)} {self._speaker.words(amount)}" for code, amount in taken.items()],
            "casualties": [f"{name(code)} {count}" for code, count in fell.items() if count],
            "retreat": [self._speaker.unit(each.unit) for each in fought.retreats],
        }
        return "; ".join(
            f"{title}: {listed(words)}" for title, words in parts.items() if words or title == "damage taken"
        )


def _count(troops: Iterable[TroopCount]) -> int:
    return sum(each.count for each in troops)
