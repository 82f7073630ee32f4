"""The map as a picture (templates/conquest-structures/map.svg): where each structure stands, and shapes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import cos, pi, sin

from gm.game.base.drawing import BoardPicture, LegendLook, Point
from gm.games.conquest_structures.orders import Move, Orders
from gm.games.conquest_structures.state import NEUTRAL

WIDTH, HEIGHT, EDGE, RADIUS = 960.0, 640.0, 62.0, 27.0
NEUTRAL_COLOUR = "#8d8672"


class Picture(BoardPicture):
    """Of structures and units."""

    gap = RADIUS + 6
    aside = 9.0
    legend_look = LegendLook(size=15.0, dot=0.0, start=14.0, more=' text-anchor="start"')
    width, height, edge, radius = WIDTH, HEIGHT, EDGE, RADIUS
    nobody = NEUTRAL

    def svg(self, key: str, label: str) -> str:
        return super().svg(key, f"turn {self.state.turn}")

    @property
    def entries(self) -> list[tuple[str, str]]:
        """The legend."""
        return [(player.colour, player.name) for player in self.state.parties.values()]

    @property
    def plans(self) -> list[Move]:
        """The moves that an order file plans."""
        planned = self.planned(Orders)
        return [order for order in planned.lines if isinstance(order, Move)] if planned else []

    @cached_property
    def places(self) -> Mapping[str, Point]:
        """Where each structure stands on the picture; all of them fill it."""
        shown = self.board.structures
        if self.view.zoom is not None:
            centre = self.centre(self.view.zoom.upper(), shown, shown, "structure")
            shown = (centre, *self.board.neighbours(centre))
        raw = {place: self.board.places[place] for place in shown}
        left, top = (min(point[axis] for point in raw.values()) for axis in (0, 1))
        wide, high = (max(point[axis] for point in raw.values()) for axis in (0, 1))
        wide, high = (wide - left) or 1, (high - top) or 1
        return {
            place: (EDGE + (x - left) / wide * (WIDTH - 2 * EDGE), EDGE + (y - top) / high * (HEIGHT - 3 * EDGE))
            for place, (x, y) in raw.items()
        }

    def colour(self, owner: str) -> str:
        """A party's."""
        return NEUTRAL_COLOUR if owner == NEUTRAL else str(self.state.parties[owner].colour)

    @staticmethod
    def ring(x: float, y: float, radius: float, corners: int, turn: float = 0) -> list[Point]:
        """Corners on a circle."""
        angles = [2 * pi * index / corners + turn for index in range(corners)]
        return [(x + radius * cos(angle), y + radius * sin(angle)) for angle in angles]

    def star(self, x: float, y: float) -> list[Point]:
        """With eight points."""
        rings = zip(self.ring(x, y, 13, 8), self.ring(x, y, 6, 8, pi / 8), strict=True)
        return [point for ring in rings for point in ring]
