"""A realm's history on its page.

It shows the realm's figures after each turn, the news of the last turns for this realm, and the owners of
lands then. The lands are the same on all pages; gold and news are the realm's own (W8).
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from gm.game.answers import TurnStory
from gm.game.base.course import Standing, charts_html, figure_of
from gm.game.map_changes import LegendRow, MapChange, changes_data, legend, steps_between
from gm.games.medieval.data.rules import season_of
from gm.games.medieval.report.changed import changes
from gm.games.medieval.report.changed_lines import plain_line
from gm.games.medieval.report.herald import herald
from gm.games.medieval.report.map_geometry import number, on_grid
from gm.games.medieval.report.map_news import map_story, reader_of
from gm.games.medieval.report.turn_result import MedievalFormatter, MedievalResult
from gm.games.medieval.report.turn_view import TurnView, turn_view
from gm.games.medieval.standings import figures, owners
from gm.games.medieval.state import World
from gm.text.pages import ready_markup

SHARED = ("provinces", "cities", "soldiers")
OWN = ("gold",)
LINES = 5  # of each turn: the weightiest for the realm
HEADLINES = 2  # of each turn: the weightiest of the world
LEAST = 2  # there is nothing to look back on before turn 2 is played


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
        """Return the name of a turn: its number, season and year."""
        translate = self._translate
        season, year = season_of(world.turn, self._result.rules)
        if not world.turn:
            return translate("the start")
        return translate("turn {number}, {season} {year}").format(
            number=world.turn, season=translate(season), year=year
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
        """Return the maps of the last turns: their names, who won which lands, and the view of all.

        What they show a page's script knows from the steps between them.
        """
        drawn = on_grid(self._result.atlas)
        return {
            "maps": [(self._named(turn.after), self._won(turn)) for turn in self._turns],
            "view": f"0 0 {number(drawn.width)} {number(drawn.height)}",
            "size": drawn.width / 45,
        }

    def _won(self, turn: MedievalResult) -> list[tuple[str, str]]:
        """Return who won lands in a turn, and these lands, in words."""
        formatter = MedievalFormatter(turn.after, language=self._language)
        won: dict[str, list[str]] = {}
        for name, land in turn.after.provinces.items():
            places = won.setdefault(land.owner, [])
            if land.owner != turn.before.provinces[name].owner:
                places.append(name)
        return [(formatter.realm(code), formatter.listed(places)) for code, places in won.items() if places]

    @cached_property
    def _steps(self) -> list[tuple[MapChange, ...]]:
        """The changes on the map in each of the last turns and in this one; in the first, only battles."""
        turns = self._turns
        result = self._result
        first = turns[0].before if result.past else result.before
        states = [first, *(turn.after for turn in turns)]
        views = [*(turn_view(turn, self._language) for turn in turns[:-1]), self._view]
        return steps_between([owners(state) for state in states], [TurnStory(), *map(map_story, views)])

    @property
    def _view(self) -> TurnView:
        return turn_view(self._result, self._language)

    def legend(self, realm: str) -> tuple[LegendRow, ...]:
        """Return the changes of this turn on the map, in a realm's words; empty before the first turn."""
        return legend(self._steps[-1], reader_of(self._view, realm)) if self._result.turn else ()

    def steps(self) -> dict[str, Any]:
        """Return the changes of each of the last turns on the map for a page's script.

        Places are numbered as on the page's map. ``since``: the turns to compare with; ``middles``: where
        each realm's code stands after each turn.
        """
        atlas = self._result.atlas
        places = list(atlas.place_order)
        labels = {name: place.label for name, place in atlas.locations.items()}
        return changes_data(self._steps, reader_of(self._view), places) | {
            "since": list(self._since()),
            "middles": [
                {code: atlas.place_order[place] for code, place in _middles(turn.after, labels).items()}
                for turn in self._turns
            ],
        }

    def _since(self) -> Iterator[tuple[int, str]]:
        """Yield how many turns ago each earlier turn was, and its name, the newest first."""
        for ago, turn in enumerate(reversed(self._turns[:-1]), 1):
            yield ago, self._named(turn.after)


def _cells(figures: Mapping[str, float], turn: int, first: Mapping[str, int]) -> list[str]:
    """Return a row of the table: figures of one turn, each from its ``first`` turn on."""
    return [figure_of(figures[column]) if turn >= start else "" for column, start in first.items()]


def _middles(world: World, labels: Mapping[str, tuple[float, float]]) -> dict[str, str]:
    """Return the own place of each realm that is nearest to the middle of all of them."""
    owned: dict[str, list[str]] = {}
    for place, code in owners(world).items():
        owned.setdefault(code, []).append(place)
    return {code: _middle(places, labels) for code, places in owned.items()}


def _middle(names: Sequence[str], labels: Mapping[str, tuple[float, float]]) -> str:
    x = sum(labels[name][0] for name in names) / len(names)
    y = sum(labels[name][1] for name in names) / len(names)
    return min(names, key=lambda name: (labels[name][0] - x) ** 2 + (labels[name][1] - y) ** 2)
