"""A realm's history on its page.

It shows the realm's figures after each turn, the news of the last turns for this realm, and the owners of
lands then. The lands are the same on all pages; gold and news are the realm's own (W8).
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from gm.core.values import Record
from gm.game.base.course import Standing, charts_html, figure_of
from gm.games.medieval.data.rules import season_of
from gm.games.medieval.report.battle_entries import battle_entries
from gm.games.medieval.report.changed import changes
from gm.games.medieval.report.changed_lines import plain_line
from gm.games.medieval.report.herald import herald
from gm.games.medieval.report.map_geometry import number, on_grid
from gm.games.medieval.report.turn_result import MedievalFormatter, MedievalResult
from gm.games.medieval.report.turn_view import TurnView, turn_view
from gm.games.medieval.standings import figures
from gm.games.medieval.state import World
from gm.text.pages import ready_markup

SHARED = ("provinces", "cities", "soldiers")
OWN = ("gold",)
LINES = 5  # of each turn: the weightiest for the realm
HEADLINES = 2  # of each turn: the weightiest of the world
LEAST = 2  # there is nothing to look back on before turn 2 is played


class Held(Record):
    """The lands after a turn: their owners, as outlines by number.

    ``won``: those that changed hands in it, ``changed``: the new owners' names; ``fought``: places of
    battles, ``names``: codes on the land.
    """

    name: str
    lands: tuple[tuple[str, tuple[int, ...]], ...]
    won: tuple[int, ...]
    fought: tuple[tuple[str, str], ...]
    names: tuple[tuple[str, str, str], ...]
    changed: tuple[tuple[str, str], ...]


class Past:
    """The common part of the history of all pages in a language."""

    def __init__(self, result: MedievalResult, language: str) -> None:
        self._result = result
        self._language = language
        self._translate = MedievalFormatter(language=language).translate

    @cached_property
    def _turns(self) -> Sequence[MedievalResult]:
        """The last turns and this one, the first of them without changes."""
        result = self._result
        states = (*result.past, (result.after, result.events))
        before = (states[0][0], *(state for state, _ in states))
        return [result.evolve(before=a, after=b, events=c) for a, (b, c) in zip(before, states, strict=False)]

    @cached_property
    def _told(self) -> Sequence[tuple[TurnView, tuple[str, ...]]]:
        """Return each earlier turn with its headlines."""
        views = (turn_view(turn, self._language) for turn in self._turns[1:-1])
        return [(view, herald(view).headlines[:HEADLINES]) for view in views]

    @cached_property
    def _now(self) -> Mapping[str, Mapping[str, float]]:
        return figures(self._result.after, self._result.rules, self._result.atlas)

    def _named(self, world: World) -> str:
        season, year = season_of(world.turn, self._result.rules)
        if not world.turn:
            return self._translate("the start")
        return self._translate("turn {number}, {season} {year}").format(
            number=world.turn, season=self._translate(season), year=year
        )

    def of(self, realm: str) -> dict[str, Any]:
        """Return the history of a realm, newest turn first; empty before there is one.

        Private news of a former player are left out.
        """
        result = self._result
        since = self._result.seated.get(realm, 1) - 1
        if result.turn < LEAST:
            return {}
        turns = list[dict[str, Any]]()
        for view, heads in reversed(self._told):
            lines = changes(view, realm)[:LINES] if view.result.turn >= since else ()
            turns.append(
                {"name": self._named(view.result.after), "lines": [*map(plain_line, lines)], "heads": heads}
            )
        return {"turns": turns} | self._course(realm, since)

    def _course(self, realm: str, since: int) -> dict[str, Any]:
        """Return graphs, and the same in figures; gold only since the present player took over."""
        result = self._result
        rows = [{realm: figures[realm]} for figures in (*result.course, self._now)]
        begun = result.turn + 1 - len(rows)
        numbers = [
            str(turn) if turn else self._translate("the start") for turn in range(begun, result.turn + 1)
        ]
        first = dict.fromkeys(SHARED, 0) | dict.fromkeys(OWN, max(0, since - begun))
        charts = self._charts(realm, rows, numbers, first)
        figures = zip(numbers, (row[realm] for row in rows), strict=True)
        table = [(name, _cells(row, turn, first)) for turn, (name, row) in enumerate(figures)]
        titles = [self._translate(column.capitalize()) for column in first]
        return {"charts": ready_markup(charts), "titles": titles, "rows": table}

    def _charts(
        self, realm: str, rows: Sequence[Standing], numbers: Sequence[str], first: Mapping[str, int]
    ) -> str:
        """Return the graphs, one for all columns that begin in the same turn, from two turns on."""
        result = self._result
        about = (self._translate(result.after.realms[realm].name), result.atlas.realms[realm].colour)
        charts = ""
        for start in sorted(set(first.values())):
            if len(rows) - start > 1:
                columns = [column for column, begins in first.items() if begins == start]
                charts += charts_html(
                    rows[start:],
                    {realm: about},
                    columns,
                    numbers[start:],
                    (),
                    self._translate,
                    self._language,
                )
        return charts

    def maps(self) -> dict[str, Any]:
        """Return the lands after each of the last turns."""
        drawn = on_grid(self._result.atlas)
        labels = {name: place.label for name, place in drawn.locations.items()}
        view = f"0 0 {number(drawn.width)} {number(drawn.height)}"
        return {
            "maps": [self._held(turn, labels) for turn in self._turns],
            "view": view,
            "size": drawn.width / 45,
        }

    def _held(self, turn: MedievalResult, labels: Mapping[str, tuple[float, float]]) -> Held:
        """Return the lands after a turn. ``labels``: the positions of places."""
        index = self._result.atlas.place_order
        formatter = MedievalFormatter(turn.after, language=self._language)
        owned: dict[str, list[str]] = {}
        for name, land in turn.after.provinces.items():
            owned.setdefault(land.owner, []).append(name)
        won = {
            name
            for name, land in turn.after.provinces.items()
            if land.owner != turn.before.provinces[name].owner
        }
        fought = (entry.report.place for entry in battle_entries(turn.events, formatter))
        gained = {
            formatter.realm(code): list(filter(won.__contains__, names)) for code, names in owned.items()
        }
        return Held(
            self._named(turn.after),
            tuple((code, tuple(map(index.__getitem__, names))) for code, names in owned.items()),
            tuple(sorted(map(index.__getitem__, won))),
            tuple(_at(labels[place]) for place in dict.fromkeys(fought)),
            tuple(
                _codes({code: names for code, names in owned.items() if code in turn.after.realms}, labels)
            ),
            tuple((name, formatter.listed(places)) for name, places in gained.items() if places),
        )


def _cells(figures: Mapping[str, float], turn: int, first: Mapping[str, int]) -> list[str]:
    """Return a row of the table: figures of one turn, each from its ``first`` turn on."""
    return [figure_of(figures[column]) if turn >= start else "" for column, start in first.items()]


def _codes(
    owned: Mapping[str, Sequence[str]], labels: Mapping[str, tuple[float, float]]
) -> Iterator[tuple[str, str, str]]:
    """Yield each realm's code at its own place that is nearest to the middle of all of them."""
    for code, names in owned.items():
        x = sum(labels[name][0] for name in names) / len(names)
        y = sum(labels[name][1] for name in names) / len(names)
        middle = min(names, key=lambda name: (labels[name][0] - x) ** 2 + (labels[name][1] - y) ** 2)
        yield code, *_at(labels[middle])


def _at(point: tuple[float, float]) -> tuple[str, str]:
    return number(point[0]), number(point[1])
