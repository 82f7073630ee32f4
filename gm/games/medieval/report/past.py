"""A realm's history on its page.

It shows the realm's figures after each turn, the news of the last turns for this realm, and the owners of
lands then. The lands are the same on all pages; gold and news are the realm's own (W8).
"""

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from gm.core.values import grouped
from gm.game.answers import TurnStory
from gm.game.base.course import Standing, charts_html, figure_of
from gm.game.map_changes import ChangeKind, LegendRow, MapChange, changes_data, legend, steps_between
from gm.game.map_record import Step, compared_from, recorded_steps, steps_for_page
from gm.games.medieval.data.rules import season_of
from gm.games.medieval.report.changed import changes
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.report.herald import herald
from gm.games.medieval.report.map_geometry import number, on_grid
from gm.games.medieval.report.turn_result import (
    TurnView,
    map_story,
    plain_line,
    reader_of,
    thing_words,
    turn_view,
)
from gm.games.medieval.standings import figures, owners
from gm.games.medieval.state import INDEPENDENTS, World
from gm.text.pages import ready_markup

# the columns of figures: those that all realms may know, and the realm's own
SHARED = ("provinces", "cities", "soldiers")
OWN = ("gold",)
LINES = 5  # how many lines about the realm each turn has at most, the most important
HEADLINES = 2  # and how many of the newspaper's headlines
LEAST = 2  # the first turn whose page has a history


class Past:
    """The history on all realms' pages of a turn in a language; what they have in common is made once."""

    def __init__(self, view: TurnView) -> None:
        """Keep the turn that the pages show, and their language."""
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
        """The views of the last turns before this one; that of the first has no changes of owners."""
        before = self._worlds[0]  # of the first turn only the world after it is known
        views = list[TurnView]()
        for world, events in self._result.past:
            turn = self._result.evolve(before=before, after=world, events=events)
            views.append(turn_view(turn, self._language))
            before = world
        return views

    @cached_property
    def _turns_with_headlines(self) -> Sequence[tuple[TurnView, tuple[str, ...]]]:
        """(view, headlines) of each of the last turns before this one, except the first of them."""
        return [(view, herald(view).headlines[:HEADLINES]) for view in self._earlier[1:]]

    @cached_property
    def _now(self) -> Mapping[str, Mapping[str, float]]:
        """The figures of all realms after this turn, by code and column."""
        return figures(self._result.after, self._result.rules, self._result.atlas)

    def _turn_in_words(self, turn: int) -> str:
        """Return the words for a turn: its number, season and year."""
        translate = self._translate
        season, year = season_of(turn, self._result.rules)
        if not turn:
            return translate("the start")
        return translate("turn {number}, {season} {year}").format(
            number=turn, season=translate(season), year=year
        )

    def of(self, realm: str) -> dict[str, Any]:
        """Return the values of a realm's history; empty before turn 2.

        ``turns``: the last turns, the newest first, with lines about the realm and headlines. A former
        player's turns have no lines, as these are private.
        """
        # the turn after which the present player has known the realm
        since = self._result.seated.get(realm, 1) - 1
        if self._result.turn < LEAST:
            return {}
        turns = list[dict[str, Any]]()
        for view, headlines in reversed(self._turns_with_headlines):
            lines = changes(view, realm)[:LINES] if view.result.turn >= since else ()
            name = self._turn_in_words(view.result.turn)
            turns.append({"name": name, "lines": [*map(plain_line, lines)], "heads": headlines})
        return {"turns": turns} | self._course(realm, since)

    def _course(self, realm: str, since: int) -> dict[str, Any]:
        """Return the values of a realm's figures after each turn: charts, and a table.

        Gold is shown from the turn ``since`` on, as earlier it was a former player's.
        """
        result = self._result
        standings = [{realm: figures_of[realm]} for figures_of in (*result.course, self._now)]
        first_turn = result.turn + 1 - len(standings)
        turns = [
            str(turn) if turn else self._translate("the start") for turn in range(first_turn, result.turn + 1)
        ]
        # the row from which on each column is shown
        start_of = dict.fromkeys(SHARED, 0) | dict.fromkeys(OWN, max(0, since - first_turn))
        charts = self._charts(realm, standings, turns, start_of)
        rows = [
            (turn, _cells(standing[realm], index, start_of))
            for index, (turn, standing) in enumerate(zip(turns, standings, strict=True))
        ]
        titles = [self._translate(column.capitalize()) for column in start_of]
        return {"charts": ready_markup(charts), "titles": titles, "rows": rows}

    def _charts(
        self,
        realm: str,
        standings: Sequence[Standing],
        turns: Sequence[str],
        start_of: Mapping[str, int],
    ) -> str:
        """Return the HTML of the charts: one for all columns with the same start, if it has two turns.

        ``standings``: the realm's figures after each turn; ``turns``: these turns in words; ``start_of``: the
        index from which on each column is shown.
        """
        result = self._result
        name_and_colour = (
            self._translate(result.after.realms[realm].name),
            result.atlas.realms[realm].colour,
        )
        charts = ""
        for start in sorted(set(start_of.values())):
            if len(standings) - start > 1:
                columns = [column for column, column_start in start_of.items() if column_start == start]
                charts += charts_html(
                    standings[start:],
                    {realm: name_and_colour},
                    columns,
                    turns[start:],
                    (),
                    self._translate,
                    self._language,
                )
        return charts

    def maps(self) -> dict[str, Any]:
        """Return the values of the maps of the last turns, which a page's script draws.

        ``maps``: (the turn in words, :meth:`_gains`) of each; ``view``, ``size``: the part of the drawing in
        view and its font size.
        """
        drawn = on_grid(self._result.atlas)
        worlds_and_steps = zip(self._worlds, self._last, strict=True)
        return {
            "maps": [
                (self._turn_in_words(world.turn), self._gains(world, step.changes))
                for world, step in worlds_and_steps
            ],
            "view": f"0 0 {number(drawn.width)} {number(drawn.height)}",
            "size": drawn.width / 45,
        }

    def _gains(self, world: World, changes: Sequence[MapChange]) -> list[tuple[str, str]]:
        """Return (realm, its new provinces), in words, for each realm that gained some in a turn.

        ``world``: that after the turn; ``changes``: the turn's changes on the map.
        """
        formatter = MedievalFormatter(world, language=self._language)
        won: dict[str, list[str]] = {land.owner: [] for land in world.provinces.values()}
        for change in changes:
            if change.kind is ChangeKind.HANDS:
                won[change.owner or INDEPENDENTS] += change.places
        return [(formatter.realm(code), formatter.listed(places)) for code, places in won.items() if places]

    @cached_property
    def _last(self) -> list[Step]:
        """The changes on the map in each of the last turns and this one.

        Those of the first are from its record; without one, only its battles and structures are known.
        """
        result = self._result
        worlds = self._worlds
        # of the first of several turns only the world after it is known: it stands for the one before, too
        states = [worlds[0] if result.past else result.before, *worlds]
        stories = map(map_story, (*self._earlier, self._view))
        between = steps_between([owners(state) for state in states], [TurnStory(), *stories])
        steps = [
            Step(world.turn - 1, changes_of_turn)
            for world, changes_of_turn in zip(worlds, between, strict=True)
        ]
        recorded = self._recorded_steps(worlds[0].turn)
        # the newest of these is the step of the first turn
        return [recorded[-1], *steps[1:]] if recorded else steps

    @cached_property
    def _steps(self) -> list[Step]:
        """The changes on the map, step by step; none at turn 0.

        Each step leads from a turn that the page can be compared with to the next such turn.
        """
        last = self._last
        if not self._result.turn:
            return []
        recorded = self._recorded_steps(self._worlds[0].turn)
        if recorded:
            # the newest recorded step is the first of ``last``, too
            return steps_for_page(recorded[:-1], last)
        # without a record the first of several turns cannot be compared
        return last[1:] if len(last) > 1 else last

    def _recorded_steps(self, turn: int) -> list[Step]:
        """Return the changes on the map of each turn up to ``turn``, as far back as records have them."""
        result = self._result
        words = partial(thing_words, formatter=self._view.formatter)
        # the newest record is that of the turn before this one
        return recorded_steps(result.changed, result.turn - 1, turn, words)

    def legend(self, realm: str) -> tuple[LegendRow, ...]:
        """Return the legend of this turn's changes on the map, as a realm reads it; empty before turn 1."""
        return legend(self._last[-1].changes, reader_of(self._view, realm)) if self._result.turn else ()

    def steps(self) -> dict[str, Any]:
        """Return the changes on the map up to this turn as data for a page's script.

        Places are numbered as on the page's map. ``since``: (number of steps since, words) of the turns to
        compare with, the newest first; ``middles``: for each of the last turns, the place at which each
        realm's code is drawn.
        """
        atlas = self._result.atlas
        labels = {name: place.label for name, place in atlas.locations.items()}
        compared = self._steps
        # the first of the last turns is drawn, even where no record says what it changed
        steps = compared if len(compared) >= len(self._last) else self._last
        return changes_data(
            [step.changes for step in steps], reader_of(self._view), list(atlas.place_order)
        ) | {
            "since": [
                (ago, self._turn_in_words(step.since)) for ago, step in enumerate(reversed(compared), 1)
            ],
            "middles": [
                {code: atlas.place_order[place] for code, place in _middles(world, labels).items()}
                for world in self._worlds
            ],
        }

    @property
    def compared_from(self) -> str:
        """The words for the turn from which on each can be compared with this one; empty for the start."""
        turn = compared_from(self._steps)
        return self._turn_in_words(turn) if turn else ""


def _cells(figures_of_turn: Mapping[str, float], index: int, start_of: Mapping[str, int]) -> list[str]:
    """Return the cells of a row of the table; a cell above its column's start is empty.

    ``figures_of_turn``: the row's figures by column; ``index``: the row's, from 0; ``start_of``: the index of
    the first row in which each column is shown.
    """
    return [
        figure_of(figures_of_turn[column]) if index >= start else "" for column, start in start_of.items()
    ]


def _middles(world: World, labels: Mapping[str, tuple[float, float]]) -> dict[str, str]:
    """Return, by code, each realm's own place that is nearest to the middle of all its places.

    ``labels``: the positions of all places.
    """
    owner_of = owners(world)
    owned = grouped(owner_of, owner_of.__getitem__)
    return {code: _middle(places, labels) for code, places in owned.items()}


def _middle(names: Sequence[str], labels: Mapping[str, tuple[float, float]]) -> str:
    """Return the one of these places that is nearest to the middle of them all."""
    x = sum(labels[name][0] for name in names) / len(names)
    y = sum(labels[name][1] for name in names) / len(names)
    return min(names, key=lambda name: (labels[name][0] - x) ** 2 + (labels[name][1] - y) ** 2)
