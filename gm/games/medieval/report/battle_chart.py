"""The picture of a battle: the hit points that each unit has left, round after round, as lines to be drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import NamedTuple

from gm.games.medieval.combat.report import BattleReport, BattleUnit, UnitRound

WIDTH, HEIGHT = 430, 190
LEFT, RIGHT, TOP, BOTTOM = 34, 112, 12, 26
LABEL_GAP = 13
"""How far apart the labels at the lines' ends must be."""
LABEL_LETTERS = 17
DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 4")


class Line(NamedTuple):
    """One unit's curve. ``values`` are its hit points at the start and after each round that it was in the battle.

    ``end`` is how it ended: survived, retreated or destroyed; ``label`` is where its name goes, ``lead`` the path of a
    line to there, if it is not right beside the curve's end.
    """

    name: str
    colour: str
    dash: str
    points: str
    last: tuple[float, float]
    label: tuple[float, float]
    lead: str
    end: str
    values: tuple[Decimal, ...]


class Chart(NamedTuple):
    """Hit points left by unit and round, ready to be drawn. ``marks`` are (x, round), ``levels`` (y, hit points)."""

    lines: tuple[Line, ...]
    marks: tuple[tuple[float, int], ...]
    levels: tuple[tuple[float, int], ...]
    height: int
    width: int = WIDTH
    left: int = LEFT
    right: int = WIDTH - RIGHT

    @property
    def bottom(self) -> int:
        return self.height - BOTTOM


def chart(report: BattleReport, name: Callable[[BattleUnit], str], colours: Mapping[str, str]) -> Chart:
    """The chart of one battle; ``name`` is what a unit is called in it, ``colours`` are the realms'."""
    values = {unit.unit: points_left(report, unit) for unit in report.units}
    top = max((max(each) for each in values.values()), default=Decimal(1)) or Decimal(1)
    rounds = len(report.rounds)
    height = max(HEIGHT, LABEL_GAP * len(values) + TOP + BOTTOM)
    across = (WIDTH - LEFT - RIGHT) / max(1, rounds)
    up = (height - TOP - BOTTOM) / float(top)

    def at(number: int, value: Decimal) -> tuple[float, float]:
        return round(LEFT + number * across, 1), round(height - BOTTOM - float(value) * up, 1)

    points = {key: [at(number, value) for number, value in enumerate(found)] for key, found in values.items()}
    heights = _apart({key: found[-1][1] for key, found in points.items()}, height - BOTTOM)
    outcomes = {each.unit: each.outcome for each in report.ends}
    dashes: dict[str, int] = {}
    lines = []
    for unit in report.units:
        key, found = unit.unit, points[unit.unit]
        x, y = found[-1]
        label = (WIDTH - RIGHT + 8, heights[key])
        away = x < WIDTH - RIGHT or abs(label[1] - 4 - y) > 2
        dash = dashes[unit.realm] = dashes.get(unit.realm, -1) + 1
        lines.append(
            Line(
                name=_short(name(unit)),
                colour=colours.get(unit.realm, "#7d7264"),
                dash=DASHES[dash % len(DASHES)],
                points=" ".join(f"{x:g},{y:g}" for x, y in found),
                last=found[-1],
                label=label,
                lead=f"M{x + 5:g} {y:g}L{label[0] - 3} {label[1] - 4:g}" if away else "",
                end=outcomes.get(key, ""),
                values=values[key],
            )
        )
    step = max(1, -(-rounds // 12))
    return Chart(
        lines=tuple(lines),
        marks=tuple((at(number, Decimal(0))[0], number) for number in range(0, rounds + 1, step)),
        levels=tuple((at(0, Decimal(level))[1], level) for level in _levels(top)),
        height=height,
    )


def _short(name: str) -> str:
    return name if len(name) <= LABEL_LETTERS else f"{name[: LABEL_LETTERS - 1]}…"


def _apart(heights: Mapping[str, float], bottom: float) -> dict[str, float]:
    """The heights of the labels: near their lines' ends and never upon each other."""
    found: dict[str, float] = {}
    below = TOP - LABEL_GAP / 2
    for key, height in sorted(heights.items(), key=lambda item: item[1]):
        below = found[key] = max(height, below + LABEL_GAP)
    above = bottom + LABEL_GAP
    for key in sorted(found, key=lambda each: -found[each]):
        above = found[key] = min(found[key], above - LABEL_GAP)
    return {key: round(height + 4, 1) for key, height in found.items()}


def _levels(top: Decimal) -> list[int]:
    """Three or four round numbers up to ``top`` for the axis."""
    step = 1
    while top / step > 4:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    return list(range(0, int(top) + 1, step))


def points_left(report: BattleReport, unit: BattleUnit) -> tuple[Decimal, ...]:
    """A unit's hit points at the start and after each round, until it leaves the battle."""
    found = [unit.hit_points]
    for fought in report.rounds:
        part = next((each for each in fought.units if each.unit == unit.unit), None)
        if part is None:
            break
        found.append(_left(part, unit.hit_points))
    return tuple(found)


def _left(each: UnitRound, start: Decimal) -> Decimal:
    return max(Decimal(0), max(start, each.hit_points) - each.total_taken)
