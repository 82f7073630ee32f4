"""The course of a game on a party's page.

Lines and figures show how many lands, and points where it has any, each party had after each of the last
turns.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from gm.core.values import Record
from gm.text.languages import ENGLISH, Translate
from gm.text.pages import figure, fragment

WIDTH = 420
HEIGHT = 190
LEFT = 34
RIGHT = 126
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
    """A party's line: ``points`` of the drawing, and the place of its name."""

    name: str
    colour: str
    dash: str
    points: str
    last: tuple[int, int]
    label: float
    value: str


class Chart(Record):
    """A figure from 0 to ``most``, and the lines of all parties."""

    title: str
    most: str
    height: int
    lines: tuple[Line, ...]


class Figures(Record):
    """The lines of one chart in figures, a row for each turn."""

    title: str
    rows: tuple[tuple[str, tuple[str, ...]], ...]


def course_html(scene: Any) -> str:
    """Return the charts of the game up to the page's turn; empty before the first turn."""
    result = scene.result
    spec = scene.spec
    standings = (*result.course, spec.figures(scene.table, scene.after))
    if len(standings) < 3:
        return ""
    columns = dict.fromkeys((next(iter(next(iter(standings[-1].values())))), spec.land))
    last = spec.quoted(scene.after) - 1  # as people count
    begun = scene.translate("the start") if len(standings) > result.turn else str(last - len(standings) + 1)
    numbers = [begun, *(str(last - len(standings) + 1 + at) for at in range(1, len(standings)))]
    parties = {
        code: (scene.translate(party.name), party.colour) for code, party in scene.after.parties.items()
    }
    moving_columns = [column for column in columns if column == spec.land or _moves(standings, column)]
    return charts_html(
        standings, parties, moving_columns, numbers, (spec.land,), scene.translate, scene.language
    )


def charts_html(
    standings: Sequence[Standing],
    parties: Mapping[str, tuple[str, str]],
    columns: Sequence[str],
    numbers: Sequence[str],
    in_figures: Sequence[str],
    translate: Translate = str,
    language: str = ENGLISH,
) -> str:
    """Return a chart of each column of figures that parties (code, name, colour) had after each turn.

    The columns in ``in_figures`` are also printed as figures below. ``numbers``: the names of the turns.
    """
    charts = [_chart(standings, parties, column, translate) for column in columns]

    def table(column: str) -> Figures:
        cells = (_cells(standing, parties, column) for standing in standings)
        return Figures(translate(column.capitalize()), tuple(zip(numbers, cells, strict=True)))

    tables = list(map(table, in_figures))
    values = {
        "charts": charts,
        "names": [name for name, _ in parties.values()],
        "tables": tables,
        "_": translate,
    }
    ends = {"first": numbers[0], "last": numbers[-1]}
    sizes = {"width": WIDTH, "left": LEFT, "right": WIDTH - RIGHT}
    return fragment("game/course.html", values | ends | sizes, language)


def _cells(standing: Standing, parties: Iterable[str], column: str) -> tuple[str, ...]:
    """Return a figure of each party after a turn."""
    return tuple(figure_of(standing[code].get(column, 0)) for code in parties)


def _all_rows(standings: Iterable[Standing]) -> Iterator[Mapping[str, float]]:
    """Return the figures of all parties after all turns."""
    return chain.from_iterable(standing.values() for standing in standings)


def _moves(standings: Sequence[Standing], column: str) -> bool:
    """Return whether a figure changes during the game, before its end."""
    return len({row[column] for row in _all_rows(standings[:-1])}) > 1


def _chart(
    standings: Sequence[Standing], parties: Mapping[str, tuple[str, str]], column: str, translate: Translate
) -> Chart:
    """Return the chart of one column: lines in pixels, with names that do not overlap."""
    top = max((row.get(column, 0) for row in _all_rows(standings)), default=0) or 1
    across = (WIDTH - LEFT - RIGHT) / (len(standings) - 1)
    tall = max(HEIGHT, NEAR * len(parties) + 24)

    def height(value: float) -> int:
        """Return the distance from the top at which a value is drawn, in pixels."""
        return round(tall - 20 - (tall - 34) * max(0.0, value) / top)

    newest = standings[-1]
    codes = sorted(newest, key=lambda code: -newest[code].get(column, 0))
    label_heights = _apart([height(newest[code].get(column, 0)) + 4 for code in codes], tall - 4)
    lines = list[Line]()
    for number, code in enumerate(codes):
        values = [standing[code].get(column, 0) for standing in standings]
        spots = [(round(LEFT + index * across), height(value)) for index, value in enumerate(values)]
        lines.append(
            Line(
                *parties[code],
                DASHES[number % len(DASHES)],
                _points(spots),
                spots[-1],
                round(label_heights[number], 1),
                figure_of(values[-1]),
            )
        )
    return Chart(translate(column.capitalize()), figure_of(top), tall, tuple(lines))


def _apart(heights: Sequence[int], lowest: int) -> list[int]:
    """Return heights of names, from the top down, moved apart so that none hides another.

    None is below ``lowest``.
    """
    apart = list(heights)
    for index in range(1, len(apart)):
        apart[index] = max(apart[index], apart[index - 1] + NEAR)
    limit = lowest
    for index in reversed(range(len(apart))):
        apart[index] = min(apart[index], limit)
        limit = apart[index] - NEAR
    return apart


def _points(spots: Iterable[tuple[int, int]]) -> str:
    """Return the points of a line in the form of SVG."""
    return " ".join(f"{x},{y}" for x, y in spots)


def figure_of(value: float) -> str:
    """Return a number without its fraction if that is 0."""
    return figure(int(value)) if value == int(value) else f"{value:,.1f}"
