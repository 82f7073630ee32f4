"""The pages of battles (B14): fighters and their strength, why it ended so, every round, the aftermath."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cache, cached_property, partial
from itertools import chain
from typing import Any, NamedTuple

from gm.games.medieval.analysis.odds.chances import Chances
from gm.games.medieval.combat.report import BattleReport, BattleUnit
from gm.games.medieval.data.clauses_data import clauses as all_clauses
from gm.games.medieval.data.rules import season_of
from gm.games.medieval.report.battle_chances import foretold
from gm.games.medieval.report.battle_entries import BattleEntry
from gm.games.medieval.report.battle_why import Explainer
from gm.games.medieval.report.battle_wordings import wordings
from gm.games.medieval.report.turn_result import TurnView
from gm.games.medieval.state import INDEPENDENTS
from gm.text.pages import capitalised, fragment, ready_markup, render

ALWAYS_NAMED = ("B5", "B6", "B7", "B8.1", "B9", "B11")
"""The clauses that a battle's part links to whatever happened in it."""
_SUBHEADING = re.compile("<(/?)h4")
"""The tags of headings inside a battle's part; on a realm's page the battle's own heading is above them."""

# the size of a battle's chart and its margins, in units of the drawing
WIDTH = 452
HEIGHT = 190
LEFT = 34
RIGHT = 136
TOP = 12
BOTTOM = 26
LABEL_GAP = 13  # how far apart the labels at the lines' ends must be
LABEL_LETTERS = 17  # how long a label is at most
DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 4")  # of the lines of a realm's units, as SVG has them


class BattlePages:
    """Makes the pages of a turn's battles: each one's part of a realm's page, and its own page.

    Parts are made once for all realms' pages of a language.
    """

    def __init__(self, view: TurnView, chances_of: Callable[[int], Chances | None]) -> None:
        """Prepare for the battles of a turn. ``chances_of`` returns a battle's odds for its number."""
        result = view.result
        formatter = view.formatter
        entries = self.entries = view.battles
        self._result = result
        self._formatter = formatter
        self._chances_of = chances_of
        self._fragment = partial(fragment, language=formatter.language)
        self._teller = view.teller
        self._colours = {code: seat.colour for code, seat in result.atlas.realms.items()}
        # this and ``_why_of`` by the battle's number, as hashing an entry takes long
        self._part_of = cache(lambda number: self._part(entries[number - 1]))
        explainer = Explainer(formatter.with_articles().realm, formatter.unit, formatter.language)
        self._wordings = wordings([entry.report for entry in entries], result.turn)
        self._why_of = cache(
            lambda number: explainer.why(entries[number - 1].report, self._wordings[number - 1])
        )

    def part(self, entry: BattleEntry) -> Any:
        """Return the HTML of the battle in the page of a realm that fought it."""
        return self._part_of(entry.number)

    @cached_property
    def in_brief(self) -> dict[int, str]:
        """The HTML of each battle, by its number, in the pages of realms that did not fight it.

        It shows the sides and the result and, when it is opened, all that is public except the rounds.
        """
        return {entry.number: self._in_brief(entry) for entry in self.entries}

    def _in_brief(self, entry: BattleEntry) -> str:
        """Return the HTML of a battle for :attr:`in_brief`."""
        story = " ".join(self._teller.brief(entry.report))
        return self._fragment(
            "medieval/battle_other.html", {"each": entry, "story": story, **self._values(entry)}
        )

    def html(self, entry: BattleEntry) -> str:
        """Return the page of one battle, with the titles of the clauses that its part links to."""
        season, year = season_of(self._result.turn, self._result.rules)
        translate = self._formatter.translate
        reasons = chain.from_iterable(side.reasons for side in self._why_of(entry.number))
        named_clauses = {reason.clause for reason in reasons} | {*ALWAYS_NAMED}
        values = {
            "record": self._result,
            "entry": entry,
            "season": translate(season),
            "year": year,
            # on a page of its own, the part's headings follow the title directly
            "part": ready_markup(_SUBHEADING.sub(r"<\1h2", str(self._part_of(entry.number)))),
            "clauses": [
                (clause, translate(title))
                for clause, title in all_clauses().items()
                if clause in named_clauses
            ],
        }
        return render("medieval/battle.html", values, self._formatter.language)

    def _values(self, entry: BattleEntry) -> dict[str, Any]:
        """Return the template's values that the long and the short form of a battle have in common."""
        return {
            "report": entry.report,
            "counts": entry.counts,
            "name": self._formatter.unit,
            "formatter": self._formatter,
            "why": self._why_of(entry.number),
        }

    def _part(self, entry: BattleEntry) -> Any:
        """Return the HTML of a battle for the pages of realms that fought it."""
        report = entry.report
        values = self._values(entry)
        values |= {
            "anchor": entry.anchor,
            "short": {unit.unit: self.short(unit) for unit in report.units},
            # the keys of garrisons and of units behind walls: they do not retreat, and no level is shown
            "settled": {unit.unit for unit in report.units if unit.defends or unit.role == "garrison"},
            "chart": chart(report, self.short, self._colours) if report.rounds else None,
            "left": {unit.unit: report.points_left(unit) for unit in report.units},
            "story": " ".join(self._teller.story(report, self._wordings[entry.number - 1])),
            "chances": foretold(self._chances_of(entry.number), values["why"], self._formatter.language),
        }
        return self._fragment("medieval/battle_part.html", values)

    def short(self, unit: BattleUnit) -> str:
        """Return a short name of a unit, for places with little room.

        ``A12 England``; with the realm's code if that is too long: ``Garrison TEU``.
        """
        code, _, unit_id = unit.unit.partition("/")
        unit_words = self._formatter.translate("Garrison") if unit.role == "garrison" else unit_id
        realm = (
            self._formatter.translate("Independents") if code == INDEPENDENTS else self._formatter.realm(code)
        )
        name = f"{unit_words} {capitalised(realm.removeprefix('the '))}"
        return name if len(name) <= LABEL_LETTERS else f"{unit_words} {code}"


def chart(
    report: BattleReport, name: Callable[[BattleUnit], str], colours: Mapping[str, str]
) -> dict[str, Any]:
    """Return the values for drawing each unit's hit points at the start and after each round.

    ``name`` returns a unit's label, ``colours`` are the realms', by code. In the values, ``lines`` are those
    of :func:`_line` with the name, colour, dashes, outcome and hit points of a unit, ``marks`` (x, round) and
    ``levels`` (y, hit points) along the axes.
    """
    points_left = {unit.unit: report.points_left(unit) for unit in report.units}
    rounds = len(report.rounds)
    # never 0, as the height is divided by it
    top = max((max(points) for points in points_left.values()), default=Decimal(1)) or Decimal(1)
    height = max(HEIGHT, LABEL_GAP * len(points_left) + TOP + BOTTOM)
    bottom = height - BOTTOM
    scale = _Scale(bottom, (WIDTH - LEFT - RIGHT) / max(1, rounds), (bottom - TOP) / float(top))
    curves = {key: scale.curve(points) for key, points in points_left.items()}
    label_heights = _apart({key: curve[-1][1] for key, curve in curves.items()}, bottom)
    outcomes = {end.unit: end.outcome for end in report.ends}
    lines_of_realm = Counter[str]()
    lines = []
    for unit in report.units:
        key = unit.unit
        line = _line(curves[key], label_heights[key]) | {
            "name": _shortened(name(unit)),
            "colour": colours.get(unit.realm, "#7d7264"),
            "dash": DASHES[lines_of_realm[unit.realm] % len(DASHES)],
            "end": outcomes.get(key, ""),
            "curve": points_left[key],
        }
        lines_of_realm[unit.realm] += 1
        lines.append(line)
    step = max(1, -(-rounds // 12))  # at most twelve rounds are marked after the start
    return {
        "lines": lines,
        "marks": [(scale.point(number, Decimal(0))[0], number) for number in range(0, rounds + 1, step)],
        "levels": [(scale.point(0, Decimal(level))[1], level) for level in _levels(top)],
        "height": height,
        "width": WIDTH,
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "bottom": bottom,
    }


class _Scale(NamedTuple):
    """The scale of a chart, in units of the drawing."""

    bottom: float  # the y of 0 hit points
    round_width: float
    point_height: float  # of a hit point

    def point(self, number: int, value: Decimal) -> tuple[float, float]:
        """Return (x, y) of hit points after the round ``number``, or with 0 at the start."""
        x = LEFT + number * self.round_width
        y = self.bottom - float(value) * self.point_height
        return round(x, 1), round(y, 1)

    def curve(self, values: Iterable[Decimal]) -> list[tuple[float, float]]:
        """Return (x, y) of hit points at the start and after each round."""
        return [self.point(number, value) for number, value in enumerate(values)]


def _line(curve: Sequence[tuple[float, float]], label_height: float) -> dict[str, Any]:
    """Return the values for drawing a unit's line: its points, and where its name is.

    ``lead`` is the path of a line to the name; empty if the name is right beside the curve's end.
    """
    x, y = curve[-1]
    label_x = WIDTH - RIGHT + 8
    # the curve ends early, or the label was moved; text stands 4 below its middle
    is_away = x < WIDTH - RIGHT or abs(label_height - 4 - y) > 2
    return {
        "points": " ".join(f"{x:g},{y:g}" for x, y in curve),
        "last": curve[-1],
        "label": (label_x, label_height),
        "lead": f"M{x + 5:g} {y:g}L{label_x - 3} {label_height - 4:g}" if is_away else "",
    }


def _shortened(title: str) -> str:
    """Return a title cut so that it fits beside a curve."""
    return title if len(title) <= LABEL_LETTERS else f"{title[: LABEL_LETTERS - 1]}…"


def _apart(heights: Mapping[str, float], bottom: float) -> dict[str, float]:
    """Return the y of labels that do not overlap, near the ``heights`` of the curves' ends; by unit."""
    y_of_label: dict[str, float] = {}
    # from the top down each label is moved below the one before
    last_y = TOP - LABEL_GAP / 2
    for key, height in sorted(heights.items(), key=lambda item: item[1]):
        last_y = max(height, last_y + LABEL_GAP)
        y_of_label[key] = last_y
    # and from the bottom up above it, where there was no room below
    last_y = bottom + LABEL_GAP
    for key in sorted(y_of_label, key=lambda key: -y_of_label[key]):
        last_y = min(y_of_label[key], last_y - LABEL_GAP)
        y_of_label[key] = last_y
    return {key: round(y + 4, 1) for key, y in y_of_label.items()}  # text stands 4 below its middle


def _levels(top: Decimal) -> list[int]:
    """Return the numbers at an axis, from 0 to ``top`` and at most five: multiples of 1, 2, 5, 10, 20 ..."""
    step = 1
    while top / step > 4:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2  # 1, 2, 5, 10
    return list(range(0, int(top) + 1, step))
