"""The map as a picture: provinces in the colours of their owners, armies, works, capitals, and who went where."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Any

from gm.core.diagnostics import did_you_mean, fold, nearest, shown
from gm.game.base.reading import BaseOrders
from gm.game.values import MapView
from gm.games.conqueror.cells import SEA, Cells, Edge, cells_of
from gm.games.conqueror.events import Conquered, Fought, Moved, Rebelled
from gm.games.conqueror.land import Board
from gm.games.conqueror.order_models import Orders
from gm.games.conqueror.state import NEUTRAL, Province, World
from gm.text.svg import Point, arrow, between, drawing, element, line, number, polygon, text, titled

SCALE = 1.3
EDGE = 34.0
LEGEND_LINE = 30.0
NOBODY_COLOUR = "#a89f8c"
WATER = "#d9e6ee"
PLANNED = "#6b3fa0"
BADGE = 15.0
INK = "#2a2118"


@lru_cache(maxsize=8)
def _cells(board: Board) -> Cells:
    return cells_of(board, SCALE)


def draw(board: Board, state: World, view: MapView, label: str) -> str:
    """The picture. Raises ``ValueError`` for a province to zoom to that is not there."""
    picture = _Picture(board, state, view)
    return drawing(picture.width, picture.height, picture.parts(), f"{board.title}, {label}")


class _Picture:
    def __init__(self, board: Board, state: World, view: MapView) -> None:
        self._board = board
        self._state = state
        self._view = view
        self._cells = _cells(board)
        self._shown = self._provinces()
        points = [point for code in self._shown for edge in self._cells.edges[code] for point in edge[:2]]
        self._left = min(x for x, _ in points) - EDGE
        self._top = min(y for _, y in points) - EDGE
        self.width = max(x for x, _ in points) - self._left + EDGE
        self._rows = list(self._legend_rows())
        self._bottom = max(y for _, y in points) - self._top + EDGE
        self.height = self._bottom + LEGEND_LINE * len(self._rows) + 8

    def parts(self) -> Iterator[str]:
        water = {"x": 8.0, "y": 8.0, "width": self.width - 16, "height": self._bottom - 16, "rx": 12}
        yield element("rect", {**water, "fill": WATER, "stroke": "#b4c6d3"})
        yield from self._crossings()
        for code in self._shown:
            yield self._province(code)
        yield from self._outlines()
        yield from self._barriers()
        yield from self._arrows()
        for code in self._shown:
            yield from self._badge(code)
        yield from self._legend()

    def _provinces(self) -> tuple[str, ...]:
        zoom = self._view.zoom
        if zoom is None:
            return tuple(self._board.land.provinces)
        named = {fold(each.name): code for code, each in self._board.provinces.items()}
        code = named.get(fold(zoom), zoom.strip().upper())
        if code not in self._board.provinces:
            hint = did_you_mean(nearest(zoom, (*self._board.provinces, *named)))
            raise ValueError(f"no province of this map is called {shown(zoom)}" + (f": {hint}" if hint else ""))
        steps = self._board.land.steps_from(code)
        return tuple(each for each in self._board.land.provinces if steps[each] <= 1)

    def _at(self, point: Point) -> Point:
        return point[0] - self._left, point[1] - self._top

    def _middle(self, code: str) -> Point:
        return self._at(self._cells.middles[code])

    def _colour(self, owner: str) -> str:
        return NOBODY_COLOUR if owner == NEUTRAL else self._state.parties[owner].colour

    def _owner(self, owner: str) -> str:
        return "nobody's" if owner == NEUTRAL else f"of {self._state.parties[owner].name}"

    @cached_property
    def _capitals(self) -> frozenset[str]:
        return frozenset(each.capital for each in self._state.parties.values() if each.capital)

    # -- land --------------------------------------------------------------------------------------------------------

    def _province(self, code: str) -> str:
        province = self._state.provinces[code]
        own = province.owner == self._view.party
        corners = [self._at(edge[0]) for edge in self._cells.edges[code]]
        opacity = 0.2 if province.owner == NEUTRAL else 0.72 if own else 0.42
        look = {"fill": self._colour(province.owner), "fill_opacity": opacity}
        return titled(polygon(corners, fill="#f6f1e4") + polygon(corners, **look), self._told(province))

    def _told(self, province: Province) -> str:
        name = self._board.provinces[province.code].name
        return f"{name} ({province.code}), {self._owner(province.owner)}, {province.armies} armies"

    def _outlines(self) -> Iterator[str]:
        """Thin lines between provinces of one owner, thick ones between owners, the coast thicker still."""
        for code in self._shown:
            for edge in self._cells.edges[code]:
                start, end, behind = edge
                # an edge between two shown provinces is drawn once
                if behind in self._shown and behind < code:
                    continue
                yield line(self._at(start), self._at(end), **self._look(code, edge))

    def _look(self, code: str, edge: Edge) -> dict[str, object]:
        behind = edge[2]
        if behind == SEA:
            return {"stroke": "#4d6373", "stroke_width": 2.2, "stroke_linecap": "round"}
        same = self._state.provinces[code].owner == self._state.provinces[behind].owner
        return {"stroke": "#3b3327", "stroke_width": 0.8 if same else 2.0, "stroke_linecap": "round"}

    def _barriers(self) -> Iterator[str]:
        """Where provinces touch and nobody can go."""
        for pair, (start, end) in self._cells.touching.items():
            if pair not in self._cells.borders and pair <= set(self._shown):
                look = {"stroke": "#6d5138", "stroke_width": 6, "stroke_dasharray": "3 3"}
                yield line(self._at(start), self._at(end), **look)

    def _crossings(self) -> Iterator[str]:
        """Borders over water, and between provinces that lie too far apart to touch."""
        for one, other in self._cells.crossings:
            if one in self._shown and other in self._shown:
                look = {"stroke": "#4a6478", "stroke_width": 3.2, "stroke_dasharray": "1 7", "stroke_linecap": "round"}
                yield line(self._middle(one), self._middle(other), **look)

    # -- armies ------------------------------------------------------------------------------------------------------

    def _arrows(self) -> Iterator[str]:
        """Attacks and moves of the turn in the order in which they were executed, and what an order file plans."""
        for event in self._view.events:
            if isinstance(event, Fought):
                yield from self._arrow(event.source, event.target, self._colour(event.owner), not event.taken)
            elif isinstance(event, Moved):
                yield from self._arrow(event.source, event.target, "#5e5140", False)
        sheet = self._view.sheet
        if isinstance(sheet, BaseOrders) and isinstance(sheet.orders, Orders):
            for move in sheet.orders.moves:
                yield from self._arrow(move.source, move.target, PLANNED, True)

    def _arrow(self, source: str, target: str, colour: str, dashed: bool) -> Iterator[str]:
        if source in self._shown and target in self._shown:
            ends = between(self._middle(source), self._middle(target), gap=BADGE + 3, aside=6)
            yield line(*ends, stroke="#ffffff", stroke_width=7.5, stroke_opacity=0.8)
            yield arrow(*ends, colour, width=4.4, dashed=dashed)

    def _badge(self, code: str) -> Iterator[str]:
        x, y = self._middle(code)
        province = self._state.provinces[code]
        if self._view.troops:
            yield from self._armies(province, (x, y - 6))
        if province.fort:
            yield self._works((x + 25, y - 6), province.fort)
        name = self._board.provinces[code].name
        weight = 700 if code in self._capitals else 500
        halo: dict[str, Any] = {"stroke": "#f6f1e4", "stroke_width": 3.5, "style": "paint-order:stroke"}
        yield text((x, y + 24), name, size=13.5, kind="name", fill=INK, font_weight=weight, **halo)

    def _armies(self, province: Province, at: Point) -> Iterator[str]:
        taken = any(
            (isinstance(each, Conquered) and each.province == province.code)
            or (isinstance(each, Rebelled) and each.province == province.code and each.won)
            for each in self._view.events
        )
        colour = self._colour(province.owner)
        look = {"fill": colour, "stroke": "#ffd34d" if taken else "#ffffff", "stroke_width": 3.2 if taken else 2}
        if province.code in self._capitals:
            side = BADGE * 2
            box = {"x": at[0] - BADGE, "y": at[1] - BADGE, "width": side, "height": side, "rx": 4}
            yield element("rect", {**box, **look, "stroke_width": 3.2, "stroke": look["stroke"] if taken else INK})
        else:
            yield element("circle", {"cx": at[0], "cy": at[1], "r": BADGE, **look})
        size = 16 if province.armies < 100 else 12
        words = str(province.armies)
        yield text((at[0], at[1] + 5.5), words, size=size, fill="#ffffff", font_weight=700, kind="units")

    def _works(self, at: Point, level: int) -> str:
        """A tower for each level, with battlements."""
        towers = []
        for tower in range(level):
            x, y = at[0] - 6 + 8.0 * tower, at[1] - 7
            path = f"M{number(x)} {number(y + 14)}v-14h2v3h2v-3h2v14z"
            towers.append(element("path", {"d": path, "fill": "#3b3327", "stroke": "#fbf6ea", "stroke_width": 0.8}))
        return titled("".join(towers), ("", "fort", "keep", "castle")[level])

    # -- legend ------------------------------------------------------------------------------------------------------

    def _legend_rows(self) -> Iterator[list[tuple[str, str]]]:
        """The players with colour, as many in a row as fit."""
        row: list[tuple[str, str]] = []
        used = EDGE
        entries = [
            (each.colour, f"{each.name}: {len(self._state.owned(code))}") for code, each in self._state.parties.items()
        ]
        for colour, words in entries:
            wide = _width(words)
            if row and used + wide > self.width - EDGE:
                yield row
                row, used = [], EDGE
            row.append((colour, words))
            used += wide
        yield row

    def _legend(self) -> Iterator[str]:
        for at, row in enumerate(self._rows):
            x, y = EDGE, self._bottom + 20 + LEGEND_LINE * at
            for colour, words in row:
                yield element("circle", {"cx": x + 8, "cy": y - 5, "r": 8.5, "fill": colour})
                yield text((x + 22, y), words, size=15.5, style="text-anchor:start")
                x += _width(words)


def _width(words: str) -> float:
    return 46 + 9.6 * len(words)
