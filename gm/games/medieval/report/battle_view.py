"""What a page shows of one battle (B14): who fought and how strongly, why it ended so, every round, what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cached_property
from typing import Any

from gm.core.events import Event
from gm.core.records import Record, record
from gm.games.medieval.combat.report import BattleReport, BattleRound, BattleUnit, TroopCount
from gm.games.medieval.data.clauses_data import clauses as all_clauses
from gm.games.medieval.events.movement import ConquestTooWeak, HarbourDestroyed, ProvinceConquered
from gm.games.medieval.report.battle_chart import chart, points_left
from gm.games.medieval.report.battle_why import Explainer
from gm.games.medieval.report.sentences import MedievalFormatter
from gm.games.medieval.report.turn_result import MedievalResult
from gm.text.pages import capitalised, listed

AFTERWARDS = (ProvinceConquered, ConquestTooWeak, HarbourDestroyed)
"""What may follow at the place of a battle in the same phase (M13, M13.1)."""

ALWAYS_NAMED = ("B5", "B6", "B7", "B8.1", "B9", "B11")
"""The clauses that a battle's part links to whatever happened in it."""


@record
class RoundView(Record):
    """A round and its summary."""

    round: BattleRound
    summary: str


class BattleView:
    """Prepares the battles of one turn for the templates."""

    def __init__(self, record: MedievalResult, speaker: MedievalFormatter) -> None:
        self._record = record
        self._speaker = speaker
        self._explainer = Explainer(speaker.realm, speaker.unit)

    def values(self, anchor: str, report: BattleReport) -> dict[str, Any]:
        """What the template of a battle's part asks for; ``anchor`` begins the ids in it."""
        units = {each.unit: each for each in report.units}
        return {
            "anchor": anchor,
            "report": report,
            "names": {key: self._speaker.unit(key) for key in _keys(report)},
            "short": {unit.unit: self.short(unit) for unit in report.units},
            "speaker": self._speaker,
            "settled": {each.unit for each in report.units if each.defends or each.role == "garrison"},
            "sides": [self._side(code, report) for code in report.realms],
            "why": self._explainer.why(report),
            "chart": chart(report, self.short, self._colours) if report.rounds else None,
            "left": {unit.unit: points_left(report, unit) for unit in report.units},
            "rounds": [RoundView(each, self._round_summary(each, units)) for each in report.rounds],
            "afterwards": self._afterwards(report),
        }

    def clauses(self, report: BattleReport) -> list[tuple[str, str]]:
        """The clauses that the battle's part links to, with their titles: for a page without the rules."""
        named = {each.clause for side in self._explainer.why(report) for each in side.reasons if each.clause}
        return [(key, title) for key, title in all_clauses().items() if key in named or key in ALWAYS_NAMED]

    def short(self, unit: BattleUnit) -> str:
        """What a unit is called where there is little room: ``A12 England``, ``Garrison France``."""
        code, _, unit_id = unit.unit.partition("/")
        realm = capitalised(self._speaker.realm(code).removeprefix("the "))
        return f"{'Garrison' if unit.role == 'garrison' else unit_id} {realm}"

    @cached_property
    def _colours(self) -> Mapping[str, str]:
        return {code: seat.colour for code, seat in self._record.atlas.realms.items()}

    def _side(self, code: str, report: BattleReport) -> dict[str, Any]:
        """One realm's part in the battle in figures."""
        own = [unit for unit in report.units if unit.realm == code]
        keys = {unit.unit for unit in own}
        ends = [end for end in report.ends if end.unit in keys]
        return {
            "name": capitalised(self._speaker.realm(code)),
            "won": code in report.winners,
            "troops": sum(_count(unit.troops) + len(unit.commanders) for unit in own),
            "combat": sum((unit.total_combat for unit in own), Decimal(0)),
            "hit_points": sum((unit.hit_points for unit in own), Decimal(0)),
            "lost": sum(_count(end.losses) + len(end.fallen_commanders) for end in ends),
            "units": own,
        }

    def _round_summary(self, fought: BattleRound, units: Mapping[str, BattleUnit]) -> str:
        """The round in a line: what each realm took, who fell, who left."""
        taken: dict[str, Decimal] = {}
        fell: dict[str, int] = {}
        for each in fought.units:
            realm = units[each.unit].realm if each.unit in units else each.unit.partition("/")[0]
            taken[realm] = taken.get(realm, Decimal(0)) + each.taken
            fell[realm] = fell.get(realm, 0) + _count(each.casualties) + len(each.fallen_commanders)
        said = [f"{self._speaker.realm(code)} {self._speaker.words(amount)}" for code, amount in taken.items()]
        parts = [f"damage taken: {listed(said)}"]
        losses = [f"{self._speaker.realm(code)} {count}" for code, count in fell.items() if count]
        if losses:
            parts.append(f"casualties: {listed(losses)}")
        if fought.retreats:
            parts.append(f"retreat: {listed([self._speaker.unit(each.unit) for each in fought.retreats])}")
        return "; ".join(parts)

    def _afterwards(self, report: BattleReport) -> list[str]:
        """What became of the place in the same phase (M13)."""
        places = dict.fromkeys((report.place, report.other_place))
        return [
            self._speaker.say(event)
            for place in places
            if place
            for event in self._conquests.get((report.phase, place), ())
        ]

    @cached_property
    def _conquests(self) -> Mapping[tuple[int, str], list[Event]]:
        """What followed battles, by phase and place: gone through once, not once for each battle."""
        found: dict[tuple[int, str], list[Event]] = {}
        for event in self._record.events:
            if isinstance(event, AFTERWARDS):
                found.setdefault((event.phase, event.place), []).append(event)
        return found


def _count(troops: Iterable[TroopCount]) -> int:
    return sum(each.count for each in troops)


def _keys(report: BattleReport) -> Iterator[str]:
    """Every unit that the report names."""
    for unit in report.units:
        yield unit.unit
        yield from (key for key in (unit.aboard, unit.follows) if key)
    for each in report.captures:
        yield from (each.unit, each.into)
    for saved in report.rescues:
        yield from (saved.fleet, saved.to)
        if saved.army:
            yield saved.army
    for fought in report.rounds:
        yield from (part.unit for part in fought.units)
        yield from (left.unit for left in fought.retreats)
    yield from (rolled.unit for rolled in (report.siege.rolls if report.siege else ()))
    yield from (wounded.unit for wounded in report.wounded)
    yield from (gained.unit for gained in report.skills)
    yield from (end.unit for end in report.ends)
