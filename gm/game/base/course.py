"""The course of a game on a party's page: how many lands, and points where it has any, each party had after each of the
last turns, as lines and, for who does not see them, in figures."""

from collections.abc import Mapping
from typing import Any

from gm.core.values import Record
from gm.text.pages import figure, fragment

WIDTH, HEIGHT, LEFT, RIGHT = 420, 190, 34, 126
DASHES = (
    "",
    "7 4",
    "2 4",
    "10 4 2 4",
    "4 2",
    "1 3",
    "12 3",
    "6 2 1 2",
)  # not by colour alone
NEAR = 13  # so far apart stand two names at least

Standing = Mapping[str, Mapping[str, float]]  # a party's figures by code


class Line(Record):
    """A party's line: ``points`` of the drawing, and where its name stands."""

    name: str
    colour: str
    dash: str
    points: str
    last: tuple[float, float]
    label: float
    value: str


class Chart(Record):
    """What is counted, from 0 to ``most``, and the lines of all parties."""

    title: str
    most: str
    lines: tuple[Line, ...]


def course_html(scene: Any) -> str:
    """The course as far as the page's turn; nothing before there is one."""
    result, spec = scene.result, scene.spec
    standings = (*result.course, spec.figures(scene.table, scene.after))
    if len(standings) < 3:
        return ""
    columns = list(dict.fromkeys((next(iter(next(iter(standings[-1].values())))), spec.land)))
    charts = [_chart(scene, standings, each) for each in columns if each == spec.land or _moves(standings, each)]
    names = {code: scene.translate(each.name) for code, each in scene.after.parties.items()}
    last = spec.quoted(scene.after) - 1  # as people count
    begun = scene.translate("the start") if len(standings) > result.turn else str(last - len(standings) + 1)
    numbers = [begun, *(str(last - len(standings) + 1 + at) for at in range(1, len(standings)))]
    rows = [
        (numbers[at], [figure_of(standing[code].get(spec.land, 0)) for code in names])
        for at, standing in enumerate(standings)
    ]
    shown = {"charts": charts, "names": list(names.values()), "rows": rows, "first": begun, "last": last}
    sizes = {"width": WIDTH, "height": HEIGHT, "left": LEFT, "right": WIDTH - RIGHT, "_": scene.translate}
    return fragment("game/course.html", shown | sizes, scene.language)


def _moves(standings: tuple[Standing, ...], column: str) -> bool:
    """Whether a figure is more than what a game ends with."""
    return len({row[column] for standing in standings[:-1] for row in standing.values()}) > 1


def _chart(scene: Any, standings: tuple[Standing, ...], column: str) -> Chart:
    most = max((row.get(column, 0) for standing in standings for row in standing.values()), default=0) or 1
    across = (WIDTH - LEFT - RIGHT) / (len(standings) - 1)

    def height(value: float) -> float:
        return round(HEIGHT - 20 - (HEIGHT - 34) * max(0.0, value) / most, 1)

    lines = list[Line]()
    codes = sorted(standings[-1], key=lambda code: -standings[-1][code].get(column, 0))
    ends = [height(standings[-1][code].get(column, 0)) + 4 for code in codes]
    for at in range(1, len(ends)):
        ends[at] = max(ends[at], ends[at - 1] + NEAR)
    for at in reversed(range(len(ends))):
        ends[at] = min(ends[at], (ends[at + 1] if at + 1 < len(ends) else HEIGHT + NEAR - 4) - NEAR)
    for number, code in enumerate(codes):
        party, values = scene.after.parties[code], [each[code].get(column, 0) for each in standings]
        spots = [(round(LEFT + at * across, 1), height(value)) for at, value in enumerate(values)]
        points = " ".join(f"{x:g},{y:g}" for x, y in spots)
        dash = DASHES[number % len(DASHES)]
        value = figure_of(values[-1])
        lines.append(Line(scene.translate(party.name), party.colour, dash, points, spots[-1], ends[number], value))
    return Chart(scene.translate(column.capitalize()), figure_of(most), tuple(lines))


def figure_of(value: float) -> str:
    """A figure without a fraction if it has none."""
    return figure(int(value)) if value == int(value) else f"{value:,.1f}"
