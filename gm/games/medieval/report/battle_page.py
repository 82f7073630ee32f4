"""One page for each battle, in the form of B14: who fought and how strongly, every round, and what came of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from gm.games.medieval.combat.report import BattleReport, BattleRound, BattleUnit, TroopCount, UnitRound
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.events.movement import ConquestTooWeak, HarbourDestroyed, ProvinceConquered
from gm.games.medieval.report.record import TurnRecord
from gm.games.medieval.report.sentences import Speaker
from gm.games.medieval.seasons import season_of
from gm.games.medieval.state import INDEPENDENTS
from gm.kernel.diagnostics import fold
from gm.kernel.events import Event
from gm.kernel.reports import capitalised, listed, render
from gm.resources import resource

_NOT_PLAIN = re.compile("[^a-z0-9]+")

KIND_WORDS = {"land": "Land battle", "sea": "Sea battle", "border": "Battle at a border"}
AFTERWARDS = (ProvinceConquered, ConquestTooWeak, HarbourDestroyed)
"""What may follow at the place of a battle in the same phase (M13, M13.1)."""


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
    def page(self) -> str:
        """The page as seen from a realm's page."""
        return f"battles/{self.file}"

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


# -- one page ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """One curve of the chart: a realm's hit points left at the start and after each round, as drawn points."""

    name: str
    colour: str
    dash: str
    points: str
    last: tuple[float, float]
    values: tuple[Decimal, ...]


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round and its summary."""

    round: BattleRound
    summary: str


class BattlePages:
    """Makes the battle pages of one turn."""

    def __init__(self, record: TurnRecord, speaker: Speaker) -> None:
        self._record = record
        self._speaker = speaker
        self._folder = resource("templates")

    def html(self, entry: BattleEntry) -> str:
        """The page of one battle."""
        report = entry.report
        season, year = season_of(self._record.turn, self._record.rules)
        units = {each.unit: each for each in report.units}
        values = {
            "record": self._record,
            "entry": entry,
            "season": season,
            "year": year,
            "report": report,
            "names": {key: self._speaker.unit(key) for key in _keys(report)},
            "speaker": self._speaker,
            "settled": {each.unit for each in report.units if each.defends or each.role == "garrison"},
            "sides": [self._side(code, report) for code in report.realms],
            "chart": chart(report, self._names(report), self._colours),
            "rounds": [RoundView(each, self._round_summary(each, units)) for each in report.rounds],
            "afterwards": self._afterwards(report),
        }
        return render(self._folder, "medieval/battle.html", values)

    @cached_property
    def _colours(self) -> Mapping[str, str]:
        return {code: seat.colour for code, seat in self._record.atlas.realms.items()}

    def _names(self, report: BattleReport) -> dict[str, str]:
        return {code: capitalised(self._speaker.realm(code)) for code in report.realms}

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


# -- the chart ---------------------------------------------------------------------------------------------------------

WIDTH, HEIGHT = 420, 190
LEFT, RIGHT, TOP, BOTTOM = 34, 12, 12, 26
DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 4")


@dataclass(frozen=True, slots=True)
class Chart:
    """Hit points left by realm and round, ready to be drawn. ``marks`` are (x, round), ``levels`` (y, hit points)."""

    lines: tuple[Line, ...]
    marks: tuple[tuple[float, int], ...]
    levels: tuple[tuple[float, int], ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


def chart(report: BattleReport, names: Mapping[str, str], colours: Mapping[str, str]) -> Chart:
    """The chart of one battle."""
    values = {code: _standing(report, code) for code in report.realms}
    top = max((max(each) for each in values.values()), default=Decimal(1)) or Decimal(1)
    rounds = len(report.rounds)
    across = (WIDTH - LEFT - RIGHT) / max(1, rounds)
    up = (HEIGHT - TOP - BOTTOM) / float(top)

    def at(number: int, value: Decimal) -> tuple[float, float]:
        return round(LEFT + number * across, 1), round(HEIGHT - BOTTOM - float(value) * up, 1)

    lines = []
    for index, (code, found) in enumerate(values.items()):
        points = [at(number, value) for number, value in enumerate(found)]
        lines.append(
            Line(
                name=names[code],
                colour=colours.get(code, "#5e5140"),
                dash=DASHES[index % len(DASHES)],
                points=" ".join(f"{x},{y}" for x, y in points),
                last=points[-1],
                values=found,
            )
        )
    step = max(1, -(-rounds // 12))
    return Chart(
        lines=tuple(lines),
        marks=tuple((at(number, Decimal(0))[0], number) for number in range(0, rounds + 1, step)),
        levels=tuple((at(0, Decimal(level))[1], level) for level in _levels(top)),
    )


def _levels(top: Decimal) -> list[int]:
    """Three or four round numbers up to ``top`` for the axis."""
    step = 1
    while top / step > 4:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    return list(range(0, int(top) + 1, step))


def _standing(report: BattleReport, code: str) -> tuple[Decimal, ...]:
    """The realm's hit points at the start and after each round; those who left the battle count no longer."""
    start = {unit.unit: unit.hit_points for unit in report.units if unit.realm == code}
    found = [sum(start.values(), Decimal(0))]
    for fought in report.rounds:
        gone = {each.unit for each in fought.retreats}
        there = (each for each in fought.units if each.unit in start and each.unit not in gone)
        found.append(sum((_left(each, start) for each in there), Decimal(0)))
    return tuple(found)


def _left(each: UnitRound, start: Mapping[str, Decimal]) -> Decimal:
    return max(Decimal(0), max(start[each.unit], each.hit_points) - each.total_taken)
