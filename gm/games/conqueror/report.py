"""The map of Conqueror! as a picture (map.svg), and the figures behind what its reports tell (report.html)."""

from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import pairwise
from math import cos, dist, pi, sin
from statistics import median
from typing import Any

from gm.core.diagnostics import fold
from gm.game.base.drawing import BoardPicture, Point
from gm.game.base.hooks import Scene
from gm.game.values import GameData, MapView
from gm.games.conqueror.figures import labour, outlook, public_score, rush_price, why_not_make
from gm.games.conqueror.land import Board
from gm.games.conqueror.rules import TAXES, Rules
from gm.games.conqueror.state import CULTURES, NEUTRAL, Player, Province, World
from gm.text.languages import Translate
from gm.text.pages import counted

SEA = ""
COAST_CORNERS = 18  # So many corners has the shape that an island far from everything would have
REACH = 0.8  # How far from its middle a province reaches at most, in lengths of a border between two middles
SHORTEST = 4.0  # An edge shorter than this is a corner: nobody sees that the two touch
SCALE = 1.3

Corner = tuple[Point, str]  # A corner, and what lies behind the edge that begins there


class Cells:
    """The shapes of a map's provinces at a scale: all that is nearer to the middle of one than to that of another."""

    def __init__(self, board: Board, scale: float) -> None:
        self.middles = {code: (each.x * scale, each.y * scale) for code, each in board.by_id.items()}
        self.borders = frozenset(map(frozenset, board.pairs))
        self._reach = REACH * median(dist(*(self.middles[code] for code in pair)) for pair in self.borders)
        self.edges = {
            code: [(start, end, behind) for (start, behind), (end, _) in pairwise(self._around(code))]
            for code in self.middles
        }

    def _around(self, code: str) -> list[Corner]:
        """The corners of a province, the first one once more at the end."""
        x, y = own = self.middles[code]
        angles = [2 * pi * at / COAST_CORNERS for at in range(COAST_CORNERS)]
        corners = [((x + self._reach * cos(angle), y + self._reach * sin(angle)), SEA) for angle in angles]
        for other, middle in self.middles.items():
            if other != code and dist(middle, own) < 2 * self._reach:
                corners = list(_cut((*corners, corners[0]), own, middle, other))
        return [*corners, corners[0]]

    @cached_property
    def touching(self) -> Mapping[frozenset[str], tuple[Point, Point]]:
        """The edge between any two provinces whose shapes touch."""
        found: dict[frozenset[str], tuple[Point, Point]] = {}
        for code, edges in self.edges.items():
            for start, end, behind in edges:
                if behind != SEA and dist(start, end) >= SHORTEST:
                    found.setdefault(frozenset((code, behind)), (start, end))
        return found

    @property
    def crossings(self) -> list[list[str]]:
        """Pairs that border on each other though their shapes do not touch."""
        return sorted(sorted(pair) for pair in self.borders if pair not in self.touching)


def _cut(corners: tuple[Corner, ...], own: Point, middle: Point, other: str) -> Iterator[Corner]:
    """The part of a shape that is nearer to its own middle than to another."""
    # above 0 on the own side of the line half way between the two
    ahead = {corner: dist(corner, middle) ** 2 - dist(corner, own) ** 2 for corner, _ in corners}
    for (start, behind), (end, _) in pairwise(corners):
        here, there = ahead[start], ahead[end]
        if here >= 0:
            yield start, behind
        if (here >= 0) != (there >= 0):
            share = here / (here - there)
            crossing = start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
            yield crossing, other if here >= 0 else behind


cells_of = lru_cache(maxsize=8)(Cells)  # The shapes of a board at a scale, worked out once


class Picture(BoardPicture):
    """Of provinces."""

    edge, badge, legend_line, letter, rest = 34.0, 15.0, 30.0, 9.6, 46.0
    nobody, nobodys = NEUTRAL, "#a89f8c"
    gap = badge + 3
    aside = 6.0
    halo = 7.5

    def __init__(self, table: GameData, state: World, view: MapView, translate: Translate = str) -> None:
        super().__init__(table, state, view, translate)
        self.cells = cells_of(self.board, SCALE)
        self.shown: tuple[str, ...] = tuple(self.board.by_id)
        if view.zoom is not None:
            known, named = self.board.provinces, {fold(each.name): code for code, each in self.board.by_id.items()}
            wanted = named.get(fold(view.zoom), view.zoom.strip().upper())
            steps = self.board.steps[self.centre(wanted, known, (*known, *named), "province")]
            self.shown = tuple(each for each in self.shown if steps[each] <= 1)
        xs, ys = zip(*(edge[0] for code in self.shown for edge in self.cells.edges[code]), strict=True)
        self._left, self._top = min(xs) - self.edge, min(ys) - self.edge
        self.width, self.bottom = max(xs) - self._left + self.edge, max(ys) - self._top + self.edge
        self.edges = {
            code: [(self._at(start), self._at(end), behind) for start, end, behind in self.cells.edges[code]]
            for code in self.shown
        }
        self.rows = list(self._legend_rows())
        self.height = self.bottom + self.legend_line * len(self.rows) + 8

    def _at(self, point: Point) -> Point:
        return point[0] - self._left, point[1] - self._top

    @cached_property
    def places(self) -> Mapping[str, Point]:
        """The middle of each province that is shown."""
        return {code: self._at(self.cells.middles[code]) for code in self.shown}

    @property
    def barriers(self) -> Iterator[tuple[Point, Point]]:
        """Edges that nobody can cross."""
        for pair, (start, end) in self.cells.touching.items():
            if pair not in self.cells.borders and pair <= set(self.shown):
                yield self._at(start), self._at(end)

    def _legend_rows(self) -> Iterator[list[tuple[str, str]]]:
        """The players with colour, as many in a row as fit."""
        row: list[tuple[str, str]] = []
        used = self.edge
        for code, player in self.state.parties.items():
            words = f"{player.name}: {len(self.state.owned(code))}"
            wide = self.rest + self.letter * len(words)
            if row and used + wide > self.width - self.edge:
                yield row
                row, used = [], self.edge
            row.append((player.colour, words))
            used += wide
        yield row


def values(scene: Scene) -> dict[str, Any]:
    """What the template asks for by name."""
    state: World = scene.after
    code, land, over = scene.code, scene.table.board, state.winners is not None
    rules: Rules = state.settings.applied(scene.table.rules)
    owned, player = state.owned(code), state.parties[code]
    coming = outlook(state, code, land, rules)
    near = {beside for own in owned for beside in land.neighbours[own.code]}
    strangers = [each for each in state.provinces.values() if each.owner != code]

    def score(player: Player) -> int:
        # while the game goes on without gold, so that nobody's can be worked out
        return player.score if over else public_score(player, rules)

    def able(province: Province) -> list[str]:
        return [item for item in rules.items if not why_not_make(province, item, rules)[0]]

    strongest = max(owned, key=lambda each: (each.fresh, each.code), default=None)
    ends = land.neighbours[strongest.code] if strongest else ()
    scores = {each.code: score(each) for each in state.parties.values()}
    ranked = sorted(state.parties.values(), key=lambda each: -scores[each.code])
    left = counted(max(0, rules.limits.turns - state.turn), "turn")
    return {
        "CULTURES": CULTURES,
        "NEUTRAL": NEUTRAL,
        "rules": rules,
        "owned": owned,
        "coming": coming,
        "expected": player.gold + coming.until_winter,
        "score": score,
        "best": max(scores.values()),
        "ranking": [(each, 1 + sum(more > scores[each.code] for more in scores.values())) for each in ranked],
        "title": lambda who: f"{rules.title_of(who.prestige, who.leader.sex)} {who.leader.name}".strip(),
        "time_left": f"{left}, until {state.settings.until.isoformat()}" if state.settings.until else left,
        "near": near,
        "strangers": sorted(strangers, key=lambda each: (each.code not in near, each.code)),
        "labour": lambda province: labour(province, state.turn + 1, rules),
        "able": able,
        "prices": lambda each: [f"{item} {rush_price(each, item, rules)}" for item in able(each) if item != TAXES],
        "strongest": strongest,
        "target": next((each for each in ends if state.provinces[each].owner != code), next(iter(ends), "")),
    }
