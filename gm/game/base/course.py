"""The course of a game on a party's page: charts of each party's figures after each of the last turns.

The figures are the first column of a game's ``figures``, by which it is decided, and how much land a
party has.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from gm.core.values import Record
from gm.text.languages import Translate
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
_ABOVE = 14  # pixels above the greatest value
_BELOW = 20  # pixels below the value 0
NEAR = 13  # so far apart are two names at least, in pixels

Standing = Mapping[str, Mapping[str, float]]  # the figures of all parties after a turn, by code and column


class Line(Record):
    """A party's line in a chart. Coordinates are pixels, from the top left corner."""

    name: str
    colour: str
    dash: str  # of SVG; empty: a continuous line
    points: str  # of SVG
    last: tuple[int, int]  # the last of the points
    label: float  # the height of its name beside the last point
    value: str  # the newest figure


class Chart(Record):
    """A chart of one figure of all parties, from 0 to ``most``."""

    title: str
    most: str
    height: int  # in pixels
    lines: tuple[Line, ...]


class Figures(Record):
    """The figures of a chart, to be shown as rows and columns."""

    title: str
    rows: tuple[tuple[str, tuple[str, ...]], ...]  # (name of the turn, each party's figure)


def course_html(scene: Any) -> str:
    """Return the charts of the game up to the page's turn; empty before the second turn."""
    spec = scene.spec
    standings = (*scene.result.course, spec.figures(scene.table, scene.after))
    if len(standings) < 3:  # at most the start and one turn
        return ""
    deciding_column = next(iter(next(iter(standings[-1].values()))))  # the first: all parties have the same
    columns = dict.fromkeys((deciding_column, spec.land))  # once, if they are the same
    numbers = _turn_names(scene, len(standings))
    parties = {
        code: (scene.translate(party.name), party.colour) for code, party in scene.after.parties.items()
    }
    changing_columns = [column for column in columns if column == spec.land or _changes(standings, column)]
    return charts_html(
        standings,
        parties,
        changing_columns,
        numbers,
        in_figures=(spec.land,),
        translate=scene.translate,
        language=scene.language,
    )


def _turn_names(scene: Any, count: int) -> list[str]:
    """Return the numbers of the last ``count`` turns as text; the start has a name instead."""
    newest = scene.spec.quoted(scene.after) - 1  # files may count otherwise than states
    first = newest - count + 1
    begins_at_start = count > scene.result.turn
    first_name = scene.translate("the start") if begins_at_start else str(first)
    return [first_name, *map(str, range(first + 1, newest + 1))]


def charts_html(
    standings: Sequence[Standing],
    parties: Mapping[str, tuple[str, str]],
    columns: Sequence[str],
    numbers: Sequence[str],
    in_figures: Sequence[str],
    translate: Translate,
    language: str,
) -> str:
    """Return a chart of each of these columns of figures, as HTML.

    ``standings``: one for each turn, two at least; ``parties``: (name, colour) by code; ``numbers``: the
    name of each turn; ``in_figures``: the columns that get a table, too, below the charts.
    """
    charts = [_chart(standings, parties, column, translate) for column in columns]

    def table(column: str) -> Figures:
        """Return a column's figures, with a row for each turn."""
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
    """Return the figure of each party in a column, after a turn."""
    return tuple(figure_of(standing[code].get(column, 0)) for code in parties)


def _all_rows(standings: Iterable[Standing]) -> Iterator[Mapping[str, float]]:
    """Yield each party's figures after each turn, by column."""
    return chain.from_iterable(standing.values() for standing in standings)


def _changes(standings: Sequence[Standing], column: str) -> bool:
    """Return whether the figures of a column are not all the same; those after the newest turn do not count.

    Points that are only counted at the end make no chart.
    """
    return len({row[column] for row in _all_rows(standings[:-1])}) > 1


def _chart(
    standings: Sequence[Standing], parties: Mapping[str, tuple[str, str]], column: str, translate: Translate
) -> Chart:
    """Return the chart of one column; the names beside its lines do not overlap.

    ``parties``: (name, colour) by code.
    """
    most = max((row.get(column, 0) for row in _all_rows(standings)), default=0) or 1
    turn_width = (WIDTH - LEFT - RIGHT) / (len(standings) - 1)
    # high enough for all names beside the lines
    chart_height = max(HEIGHT, NEAR * len(parties) + 24)

    def height(value: float) -> int:
        """Return the distance from the top at which a value is drawn, in pixels."""
        return round(chart_height - _BELOW - (chart_height - _ABOVE - _BELOW) * max(0.0, value) / most)

    newest = standings[-1]
    codes = sorted(newest, key=lambda code: -newest[code].get(column, 0))
    # four pixels lower, so that the middle of a name is beside its point
    label_heights = _apart([height(newest[code].get(column, 0)) + 4 for code in codes], chart_height - 4)
    lines = list[Line]()
    for number, code in enumerate(codes):
        values = [standing[code].get(column, 0) for standing in standings]
        spots = [(round(LEFT + index * turn_width), height(value)) for index, value in enumerate(values)]
        lines.append(
            Line(
                *parties[code],
                dash=DASHES[number % len(DASHES)],
                points=_points(spots),
                last=spots[-1],
                label=round(label_heights[number], 1),
                value=figure_of(values[-1]),
            )
        )
    return Chart(translate(column.capitalize()), figure_of(most), chart_height, tuple(lines))


def _apart(heights: Sequence[int], lowest: int) -> list[int]:
    """Return heights of names, from the top down, moved apart so that none hides another.

    No name is below ``lowest``.
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
    """Return a number as text, with one decimal, or none if its fraction is 0."""
    return figure(int(value)) if value == int(value) else f"{value:,.1f}"
