"""The board as a picture (map.svg), and the figures behind what the reports tell (report.html)."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from gm.game.base.drawing import BoardPicture, Point, number
from gm.game.base.hooks import Scene
from gm.game.values import GameData, MapView
from gm.text.languages import Translate
from gm_diplomacy.board import Board, area_of
from gm_diplomacy.state import Diplomacy, Dislodged, Unit

LEGEND = 44.0  # the height of the legend below the board
ZOOMED = 130.0  # how much of the board is seen on each side of an area
SEAWARD = 0.3  # where a fleet on one of several coasts stands, on the way from the area's middle to the sea's


class Picture(BoardPicture):
    """The picture of areas and units, in the units of the board's size."""

    gap = 17.0
    aside = 0.0
    halo = 7.0
    radius = 12.0
    nobody = ""
    nobodys = "#8d8672"
    area_of = staticmethod(area_of)

    def __init__(self, table: GameData, state: Diplomacy, view: MapView, translate: Translate = str) -> None:
        super().__init__(table, state, view, translate)
        board: Board = self.board
        self._left = 0.0
        self._top = 0.0
        self.width, self.bottom = board.size
        if view.zoom is not None:
            x, y = board.areas[self._zoomed_area(view.zoom)].at
            self._left = x - ZOOMED
            self._top = y - ZOOMED
            self.width = 2 * ZOOMED
            self.bottom = 2 * ZOOMED
        self.height = self.bottom + LEGEND

    def _zoomed_area(self, text: str) -> str:
        """Return the code of the area that a text gives by name or code.

        Raises ``ValueError``, with the nearest name, if there is none.
        """
        areas = self.board.areas
        codes = {area.name.casefold(): code for code, area in areas.items()}
        code = codes.get(text.strip().casefold(), text.strip().upper())
        return self.centre(code, areas, (*areas, *codes), "area of this map")

    @cached_property
    def places(self) -> Mapping[str, Point]:
        """The middle of each area, by its code."""
        middles = {code: area.at for code, area in self.board.areas.items()}
        return {code: (x - self._left, y - self._top) for code, (x, y) in middles.items()}

    def spot(self, unit: Unit) -> Point:
        """Return where a unit stands: in the middle of its area, or at its coast."""
        x, y = self.places[unit.area]
        if "/" not in unit.place:
            return x, y
        board: Board = self.board
        seas = [
            area_of(place) for place in board.fleet_ways[unit.place] if board.areas[area_of(place)].is_sea
        ]
        sea_x = sum(self.places[sea][0] for sea in seas) / len(seas)
        sea_y = sum(self.places[sea][1] for sea in seas) / len(seas)
        return x + (sea_x - x) * SEAWARD, y + (sea_y - y) * SEAWARD

    def path(self, rings: tuple[str, ...]) -> str:
        """Return rings of the board as the data of an SVG path."""
        return "".join(map(self._ring_path, rings))

    def _ring_path(self, ring: str) -> str:
        """Return one ring as the data of an SVG path."""
        points = []
        for point in ring.split():
            x, y = map(float, point.split(","))
            points.append(f"{number(x - self._left)} {number(y - self._top)}")
        return f"M{'L'.join(points)}z"

    def fill(self, code: str) -> str:
        """Return the colour of an area: that of its owner if it is a centre, else nobody's."""
        return self.colour(self.state.owners.get(code, ""))

    @property
    def planned(self) -> Iterator[tuple[str, str]]:
        """The ways that an order file plans, as (start, end)."""
        if not self.orders:
            return
        for order in self.orders.units.values():
            if order.kind in ("move", "retreat"):
                yield order.area, area_of(order.target)


def values(scene: Scene) -> dict[str, Any]:
    """Return what the template of a report asks for by name; ``examples``: lines that are understood now."""
    return {"examples": _examples(scene) if scene.code else []}


def _examples(scene: Scene) -> list[str]:
    """Return lines of orders that the reader could give now."""
    state: Diplomacy = scene.after
    board: Board = scene.table.board
    if state.phase == "retreats":
        return list(map(_retreat_example, state.dislodged_of(scene.code)))
    units = state.units_of(scene.code)
    if state.phase == "moves":
        return [f"{unit.name} - {board.reached(unit)[0]}" for unit in units if board.reached(unit)]
    homes = state.free_homes(board, scene.code)
    if state.change.get(scene.code, 0) > 0 and homes:
        return [f"BUILD A {homes[0]}"]
    return [f"DISBAND {unit.name}" for unit in units[:1]]


def _retreat_example(driven: Dislodged) -> str:
    """Return a line for a dislodged unit: its first possible retreat, or that it is disbanded."""
    unit = driven.unit
    return f"{unit.name} R {driven.to[0]}" if driven.to else f"{unit.name} D"
