"""The board as a picture (map.svg), and the figures behind what the reports tell (report.html)."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from gm.game.base.drawing import BoardPicture, Point, number
from gm.game.base.hooks import Scene
from gm.game.values import GameData, MapView
from gm.text.languages import Translate
from gm_diplomacy.board import Board, area_of
from gm_diplomacy.state import Diplomacy, Unit

LEGEND = 44.0  # the room below the board
ZOOMED = 130.0  # so much of the board is seen around an area
SEAWARD = 0.3  # so far towards the sea a fleet on one of several coasts stands


class Picture(BoardPicture):
    """Of areas and units."""

    gap, aside, halo, radius = 17.0, 0.0, 7.0, 12.0
    nobody, nobodys = "", "#8d8672"
    area_of = staticmethod(area_of)

    def __init__(self, table: GameData, state: Diplomacy, view: MapView, translate: Translate = str) -> None:
        super().__init__(table, state, view, translate)
        board: Board = self.board
        self._left, self._top, (self.width, high) = 0.0, 0.0, board.size
        if view.zoom is not None:
            names = {each.name.casefold(): code for code, each in board.areas.items()}
            wanted = names.get(view.zoom.strip().casefold(), view.zoom.strip().upper())
            x, y = board.areas[self.centre(wanted, board.areas, (*board.areas, *names), "area")].at
            self._left, self._top, self.width, high = x - ZOOMED, y - ZOOMED, 2 * ZOOMED, 2 * ZOOMED
        self.bottom, self.height = high, high + LEGEND

    @cached_property
    def places(self) -> Mapping[str, Point]:
        """The middle of each area."""
        return {
            code: (x - self._left, y - self._top)
            for code, (x, y) in ((code, each.at) for code, each in self.board.areas.items())
        }

    def spot(self, unit: Unit) -> Point:
        """Where a unit stands: in the middle, or at its coast."""
        x, y = self.places[unit.area]
        if "/" not in unit.place:
            return x, y
        seas = [
            self.places[area_of(each)]
            for each in self.board.fleet_ways[unit.place]
            if self.board.areas[area_of(each)].is_sea
        ]
        far_x, far_y = (sum(each) / len(seas) for each in zip(*seas, strict=True))
        return x + (far_x - x) * SEAWARD, y + (far_y - y) * SEAWARD

    def path(self, rings: tuple[str, ...]) -> str:
        """Rings of the board as the data of a path."""
        found = []
        for ring in rings:
            points = (each.split(",") for each in ring.split())
            words = (f"{number(float(x) - self._left)} {number(float(y) - self._top)}" for x, y in points)
            found.append(f"M{'L'.join(words)}z")
        return "".join(found)

    def fill(self, code: str) -> str:
        """Whose colour an area has: its owner's, if it is a centre."""
        return self.colour(self.state.owners.get(code, ""))

    @property
    def planned(self) -> Iterator[tuple[str, str]]:
        """The ways that an order file plans."""
        for order in self.orders.units.values() if self.orders else ():
            if order.kind in ("move", "retreat"):
                yield order.area, area_of(order.target)


def values(scene: Scene) -> dict[str, Any]:
    """What the template asks for by name."""
    state: Diplomacy = scene.after
    return {"examples": _examples(scene, state) if scene.code else []}


def _examples(scene: Scene, state: Diplomacy) -> list[str]:
    """Lines that would be understood now."""
    board: Board = scene.table.board
    if state.phase == "retreats":
        mine = (each for each in state.dislodged.values() if each.unit.power == scene.code)
        return [f"{each.unit.name} R {each.to[0]}" if each.to else f"{each.unit.name} D" for each in mine]
    if state.phase == "adjustments":
        homes, units = state.free_homes(board, scene.code), state.units_of(scene.code)
        return (
            [f"BUILD A {homes[0]}"]
            if state.change.get(scene.code, 0) > 0 and homes
            else [f"DISBAND {each.name}" for each in units[:1]]
        )
    return [
        f"{each.name} - {board.reached(each)[0]}"
        for each in state.units_of(scene.code)
        if board.reached(each)
    ]
