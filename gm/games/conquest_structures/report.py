"""The map of CONQUEST 0.0.2 as a picture (map.svg), and the figures of its reports (report.html)."""

from collections.abc import Mapping
from functools import cached_property
from itertools import chain, product
from math import cos, pi, sin
from typing import Any

from gm.game.base.drawing import BoardPicture, Point
from gm.game.base.hooks import Scene
from gm.games.conquest_structures.events import Bumped
from gm.games.conquest_structures.rules import Board, Rules
from gm.games.conquest_structures.state import NEUTRAL, Conquest, cities

NEUTRAL_COLOUR = "#8d8672"


class Picture(BoardPicture):
    """The map as a picture: its structures, their links, and the units in them."""

    width = 700.0
    height = 800.0
    edge = 56.0  # the margin around the middles of the structures
    radius = 29.0  # of a structure
    gap = radius + 6
    aside = 9.0
    halo = 9.0
    nobody = NEUTRAL
    nobodys = NEUTRAL_COLOUR

    def svg(self, key: str, label: str) -> str:
        """Return the picture as SVG, with the turn's number alone in place of ``label``."""
        return super().svg(key, self.translate("turn {number}").format(number=self.state.turn))

    @cached_property
    def places(self) -> Mapping[str, Point]:
        """The position of each structure that is shown; they are scaled to fill the picture."""
        structures = self.board.structures
        if self.view.zoom is not None:
            centre = self.centre(self.view.zoom.upper(), structures, structures, "structure of this map")
            structures = (centre, *self.board.neighbours(centre))
        xs, ys = zip(*(self.board.places[place] for place in structures), strict=True)
        map_width = (max(xs) - min(xs)) or 1
        map_height = (max(ys) - min(ys)) or 1
        # one edge above the map, and 2.7 below it, where the picture has room for its legend
        across = (self.edge + (x - min(xs)) / map_width * (self.width - 2 * self.edge) for x in xs)
        down = (self.edge + (y - min(ys)) / map_height * (self.height - 3.7 * self.edge) for y in ys)
        return dict(zip(structures, zip(across, down, strict=True), strict=True))

    @cached_property
    def bumps(self) -> list[tuple[str, str, str]]:
        """(from, to, owner) for the ways of units that were bumped out of structures, each once."""
        bumps = (event for event in self.view.events if isinstance(event, Bumped) and not event.on_link)
        return list(dict.fromkeys((bump.place, bump.target, bump.owner) for bump in bumps))

    @staticmethod
    def ring(x: float, y: float, radius: float, corners: int, turn: float = 0) -> list[Point]:
        """Return the corners of a regular polygon; ``turn``: the angle of the first, in radians."""
        angles = [2 * pi * index / corners + turn for index in range(corners)]
        return [(x + radius * cos(angle), y + radius * sin(angle)) for angle in angles]

    def star(self, x: float, y: float) -> list[Point]:
        """Return the corners of a star with eight points, around the point ``x``, ``y``."""
        points = self.ring(x, y, 13, 8)
        notches = self.ring(x, y, 6, 8, pi / 8)
        return list(chain.from_iterable(zip(points, notches, strict=True)))


def values(scene: Scene) -> dict[str, Any]:
    """Return the values for the template ``report.html`` of the reader's report, by name."""
    rules = scene.table.rules
    board = scene.table.board
    possible = possible_lines(rules, board, scene.after, scene.code)
    # examples of how lines are written, of each kind
    builds = [line for line in possible if "Build" in line]
    moves = [line for line in possible if ">" in line]
    return {
        "NEUTRAL": NEUTRAL,
        "NEUTRAL_COLOUR": NEUTRAL_COLOUR,
        "cities": len(cities(board, rules)),
        "examples": [*builds[:2], *moves[:3]],
    }


def possible_lines(rules: Rules, board: Board, state: Conquest, code: str) -> list[str]:
    """Return lines of orders that a player could give now: builds of one unit, then moves of all units."""
    _, _, free = state.capacity(code, rules)
    affordable = [name.capitalize() for name, kind in rules.units.items() if kind.popcap <= free]
    lines = [f"Build 1 {name}@{place}" for place, name in product(state.bases(code, rules), affordable)]
    for place in state.mobile(code, rules):
        lines += [f"{place} > {other}" for other in board.neighbours(place)]
    return lines
