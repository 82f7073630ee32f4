"""A realm's history on its page.

It shows the realm's figures after each turn, the news of the last turns for this realm, and the owners of
lands then. The lands are the same on all pages; gold and news are the realm's own (W8).
"""

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from gm.game.answers import TurnStory
from gm.game.base.course import Standing, charts_html, figure_of
from gm.game.map_changes import ChangeKind, LegendRow, MapChange, changes_data, legend, steps_between
from gm.game.map_record import Step, compared_from, recorded_steps, steps_for_page
from gm.games.medieval.data.rules import season_of
from gm.games.medieval.report.changed import changes
from gm.games.medieval.report.changed_lines import plain_line
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.report.herald import herald
from gm.games.medieval.report.map_geometry import number, on_grid
from gm.games.medieval.report.map_news import map_story, reader_of, thing_words
from gm.games.medieval.report.turn_result import TurnView, turn_view
from gm.games.medieval.standings import figures, owners
from gm.games.medieval.state import INDEPENDENTS, World
from gm.text.pages import ready_markup

SHARED = ("provinces", "cities", "soldiers")
OWN = ("gold",)
LINES = 5  # of each turn: the weightiest for the realm
HEADLINES = 2  # of each turn: the weightiest of the world
LEAST = 2  # there is nothing to look back on before turn 2 is played


class Past:
    """The common part of the history of all pages in a language."""

    def __init__(self, view: TurnView) -> None:
        """Take the turn of the pages in their language."""
        self._view = view
        self._result = view.result
        self._language = view.formatter.language
        self._translate = view.formatter.translate

    @cached_property
    def _worlds(self) -> Sequence[World]:
        """The world after each of the last turns and this one."""
        return [*(world for world, _ in self._result.past), self._result.after]

    @cached_property
    def _earlier(self) -> Sequence[TurnView]:
        """The last turns before this one, the first of them without changes."""
        before = self._worlds[0]
        views = list[TurnView]()
        for world, events in self._result.past:
            turn = self._result.evolve(before=before, after=world, events=events)
            views.append(turn_view(turn, self._language))
            before = world
        return views

    @cached_property
    def _told(self) -> Sequence[tuple[TurnView, tuple[str, ...]]]:
        """Return each earlier turn with its headlines."""
        return [(view, herald(view).headlines[:HEADLINES]) for view in self._earlier[1:]]

    @cached_property
    def _now(self) -> Mapping[str, Mapping[str, float]]:
        return figures(self._result.after, self._result.rules, self._result.atlas)

    def _named(self, turn: int) -> str:
        """Return the name of a turn: its number, season and year."""
        translate = self._translate
        season, year = season_of(turn, self._result.rules)
        if not turn:
            return translate("the start")
        return translate("turn {number}, {season} {year}").format(
            number=turn, season=translate(season), year=year
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
                {"name": self._named(view.result.turn), "lines": [*map(plain_line, lines)], "heads": heads}
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

        A page's script draws them from the steps between them.
        """
        drawn = on_grid(self._result.atlas)
        won = zip(self._worlds, self._last, strict=True)
        return {
            "maps": [(self._named(world.turn), self._won(world, step.changes)) for world, step in won],
            "view": f"0 0 {number(drawn.width)} {number(drawn.height)}",
            "size": drawn.width / 45,
        }

    def _won(self, world: World, changes: Sequence[MapChange]) -> list[tuple[str, str]]:
        """Return in words who won which lands in the turn that left a world."""
        formatter = MedievalFormatter(world, language=self._language)
        won: dict[str, list[str]] = {land.owner: [] for land in world.provinces.values()}
        for change in changes:
            if change.kind is ChangeKind.HANDS:
                won[change.owner or INDEPENDENTS] += change.places
        return [(formatter.realm(code), formatter.listed(places)) for code, places in won.items() if places]

    @cached_property
    def _last(self) -> list[Step]:
        """The changes on the map in each of the last turns; without a record, of the first only battles."""
        result = self._result
        worlds = self._worlds
        states = [worlds[0] if result.past else result.before, *worlds]
        stories = map(map_story, (*self._earlier, self._view))
        between = steps_between([owners(state) for state in states], [TurnStory(), *stories])
        steps = [Step(world.turn - 1, changes) for world, changes in zip(worlds, between, strict=True)]
        first = self._recorded(worlds[0].turn)
        return [first[-1], *steps[1:]] if first else steps

    @cached_property
    def _steps(self) -> list[Step]:
        """The changes on the map since each turn that the page compares with."""
        last = self._last
        if not self._result.turn:
            return []
        older = self._recorded(self._worlds[0].turn)
        return steps_for_page(older[:-1], last) if older else last[len(last) > 1 :]

    def _recorded(self, turn: int) -> list[Step]:
        """Return the recorded changes of the turns up to one before this, as far back as recorded."""
        result = self._result
        words = partial(thing_words, formatter=self._view.formatter)
        return recorded_steps(result.changed, result.turn - 1, turn, words)

    def legend(self, realm: str) -> tuple[LegendRow, ...]:
        """Return the changes of this turn on the map, in a realm's words; empty before the first turn."""
        return legend(self._last[-1].changes, reader_of(self._view, realm)) if self._result.turn else ()

    def steps(self) -> dict[str, Any]:
        """Return the changes on the map up to this turn for a page's script.

        Places are numbered as on the page's map. ``since``: the turns to compare with, the newest first, each
        with the number of steps since; ``middles``: where each realm's code stands after each of the last
        turns.
        """
        atlas = self._result.atlas
        labels = {name: place.label for name, place in atlas.locations.items()}
        compared = self._steps
        # the first of the last turns is drawn, even where no record says what it changed
        steps = compared if len(compared) >= len(self._last) else self._last
        return changes_data(
            [step.changes for step in steps], reader_of(self._view), list(atlas.place_order)
        ) | {
            "since": [(ago, self._named(step.since)) for ago, step in enumerate(reversed(compared), 1)],
            "middles": [
                {code: atlas.place_order[place] for code, place in _middles(world, labels).items()}
                for world in self._worlds
            ],
        }

    @property
    def compared_from(self) -> str:
        """The name of the turn from which on every turn can be compared with; empty for the start."""
        turn = compared_from(self._steps)
        return self._named(turn) if turn else ""


def _cells(figures: Mapping[str, float], turn: int, first: Mapping[str, int]) -> list[str]:
    """Return a row of the table: figures of one turn, each from its ``first`` turn on."""
    return [figure_of(figures[column]) if turn >= start else "" for column, start in first.items()]


def _middles(world: World, labels: Mapping[str, tuple[float, float]]) -> dict[str, str]:
    """Return each realm's own place that is nearest to the middle of all its places."""
    owned: dict[str, list[str]] = {}
    for place, code in owners(world).items():
        owned.setdefault(code, []).append(place)
    return {code: _middle(places, labels) for code, places in owned.items()}


def _middle(names: Sequence[str], labels: Mapping[str, tuple[float, float]]) -> str:
    x = sum(labels[name][0] for name in names) / len(names)
    y = sum(labels[name][1] for name in names) / len(names)
    return min(names, key=lambda name: (labels[name][0] - x) ** 2 + (labels[name][1] - y) ** 2)
