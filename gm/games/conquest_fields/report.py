"""The board of Conquest as a picture (map.svg), and the figures of its reports (report.html)."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from math import cos, pi, sin, sqrt
from typing import Any

from gm.game.base.drawing import BoardPicture, Point
from gm.game.base.hooks import Scene
from gm.game.values import GameData, MapView
from gm.games.conquest_fields.events import HalfMoved
from gm.games.conquest_fields.orders import open_ends
from gm.games.conquest_fields.rules import Board, members
from gm.games.conquest_fields.state import RED_SIDE, Match, enemy_of
from gm.text.languages import Translate

SIZE = 30.0  # Half the width of a square field; the others are about as large
EDGE = 14.0  # The free space around the board
LEGEND = 40.0  # The height of the legend below it
NARROWEST = 300.0  # The least width of a picture
DARK = "#2b2b2b"  # Names on light fields
LIGHT = "#ffffff"  # Names on dark fields
RADIUS = SIZE * 1.15  # Of hexagons
Outline = tuple[Point, Sequence[Point]]  # (a field's middle, its corners)


def _square(row: int, column: int) -> Outline:
    """Return (middle, corners) of a square field."""
    x = (2 * column + 1) * SIZE
    y = (2 * row + 1) * SIZE
    return (x, y), [(x - SIZE, y - SIZE), (x + SIZE, y - SIZE), (x + SIZE, y + SIZE), (x - SIZE, y + SIZE)]


def _hexagon(middle: Point, first_angle: float) -> Outline:
    """Return (middle, corners) of a hexagon; ``first_angle``: that of its first corner, in radians."""
    angles = [pi * index / 3 + first_angle for index in range(6)]
    return middle, [(middle[0] + RADIUS * cos(angle), middle[1] + RADIUS * sin(angle)) for angle in angles]


def _triangle(row: int, column: int) -> Outline:
    """Return (middle, corners) of a triangle: every second one in a row points up, the others down."""
    side = SIZE * 2.9  # so that a triangle is about as large as other fields
    height = side * sqrt(3) / 2
    left = column * side / 2
    top = row * height
    # the middle for the name is nearer to the base, where there is more room
    if (row + column) % 2 == 0:
        corners = [(left, top + height), (left + side, top + height), (left + side / 2, top)]
        return (left + side / 2, top + height * 0.64), corners
    corners = [(left, top), (left + side, top), (left + side / 2, top + height)]
    return (left + side / 2, top + height * 0.36), corners


# The function that returns a field's outline by row and column, by topology; the board begins about at 0, 0
OUTLINES: Mapping[str, Callable[[int, int], Outline]] = {
    "squares4": _square,
    "squares8": _square,
    "hex-rows": lambda row, column: _hexagon(
        (RADIUS * sqrt(3) * (column + 0.5 + row % 2 / 2), RADIUS * (1 + 1.5 * row)), pi / 6
    ),
    "hex-cols": lambda row, column: _hexagon(
        (RADIUS * (1 + 1.5 * column), RADIUS * sqrt(3) * (row + 0.5 + column % 2 / 2)), 0
    ),
    "triangles": _triangle,
}


class Picture(BoardPicture):
    """The board as a picture: its fields with their owners."""

    gap = SIZE * 0.5
    size = SIZE
    edge = EDGE
    dark = DARK
    light = LIGHT

    def __init__(self, table: GameData, state: Match, view: MapView, translate: Translate = str) -> None:
        """Compute the visible part of the board and the size of the picture."""
        super().__init__(table, state, view, translate)
        names = self.board.names
        outline = OUTLINES[self.board.topology]
        self._outlines = [outline(*cell) for cell in self.board.cells]
        self._shown: Sequence[int] = range(len(names))
        if view.zoom is not None:
            centre = self.board.by_name[self.centre(view.zoom.lower(), names, names, "field of this board")]
            self._shown = (centre, *members(self.board.near[centre] | self.board.far[centre]))
        corners = chain.from_iterable(self._outlines[field][1] for field in self._shown)
        xs, ys = zip(*corners, strict=True)
        board_width = max(xs) - min(xs) + 2 * EDGE
        self.width = max(board_width, NARROWEST)
        # a small board stands in the middle
        self._left = min(xs) - EDGE - (self.width - board_width) / 2
        self._top = min(ys) - EDGE
        self.height = max(ys) + EDGE + LEGEND - self._top

    @cached_property
    def places(self) -> Mapping[str, Point]:
        """The middle of each field that is shown, by name."""
        middles = {self.board.names[field]: self._outlines[field][0] for field in self._shown}
        return {name: (x - self._left, y - self._top) for name, (x, y) in middles.items()}

    def corners(self, field: int) -> list[Point]:
        """Return the corners of the field of this number."""
        return [(x - self._left, y - self._top) for x, y in self._outlines[field][1]]

    @cached_property
    def fields(self) -> list[dict[str, Any]]:
        """The ``number``, ``name`` and ``kind`` of each field that is shown: hole, red, green, free."""
        position = self.state.position(self.board)
        sides = (position.own, position.enemy)
        red, green = sides if self.state.to_move == RED_SIDE else sides[::-1]
        fields_of_kind = {"hole": self.board.holes, "red": red, "green": green}
        kinds: dict[int, str] = {}
        for kind, fields in fields_of_kind.items():
            kinds |= dict.fromkeys(members(fields), kind)
        names = self.board.names
        return [
            {"number": field, "name": names[field], "kind": kinds.get(field, "free")} for field in self._shown
        ]


def values(scene: Scene) -> dict[str, Any]:
    """Return the values for the template ``report.html`` of the reader's report, by name.

    ``ends``: the items of :func:`open_ends`; ``example``: (start, end) of a move as one may be written.
    """
    match = scene.after
    board = scene.table.board
    ends = list(open_ends(board, match.position(board)))
    examples = [(start, (grow or jump)[0]) for start, grow, jump in ends]
    return {
        "enemy": enemy_of(scene.code),
        "text": board_text(board, match),
        "ends": ends,
        # without a legal move any two fields show how one is written
        "example": examples[0] if examples else ("a1", "a2"),
    }


def board_text(board: Board, match: Match) -> str:
    """Return the board as text, with the names of rows and columns along its edges (CF-12.3)."""
    shifted = board.topology == "hex-rows"
    lines = ["   " + " ".join(f"{number:>2}" for number in range(1, max(map(len, board.rows)) + 1))]
    for row, text in enumerate(match.rows):
        cells = " ".join(f"{sign:>2}" for sign in text)
        lines.append(f"{chr(ord('a') + row)}  {' ' if shifted and row % 2 else ''}{cells}".rstrip())
    return "\n".join(lines) + "\n"


def writer_data(scene: Scene) -> dict[str, object]:
    """Return the data that the script of the writer needs to colour a chosen move.

    These are the open ends of each own field, what each end conquers, and the colours.
    """
    match = scene.after
    board = scene.table.board
    position = match.position(board)
    # by field: the enemy's fields next to it, which a move there conquers
    won = {
        name: _names_of(board, near & position.enemy)
        for name, near in zip(board.names, board.near, strict=True)
    }
    colours = scene.table.rules.colours
    own_letter = scene.code.lower()
    return {
        "turn": match.number,
        "player": own_letter,
        "moves": {start: {"grow": grow, "jump": jump} for start, grow, jump in open_ends(board, position)},
        "conquers": {name: fields for name, fields in won.items() if fields},
        "colours": {name: colours[name] for name in ("can_start", "start", "grow_end", "jump_end")},
        "fields": {"free": colours["free"], "own": colours[own_letter], "dark": DARK, "light": LIGHT},
    }


def _names_of(board: Board, fields: int) -> list[str]:
    """Return the names of a set of fields (``fields``: one bit for each number)."""
    return [board.names[field] for field in members(fields)]


def run_data(scene: Scene) -> dict[str, object]:
    """Return the newest run's half-moves in their order (``moves``), and the ``colours`` of fields.

    The page at a table shows the moves one after another.
    """
    numbers = {event.number for event in scene.result.events if isinstance(event, HalfMoved)}
    colours = scene.table.rules.colours
    moves = [
        {
            "side": move.side.lower(),
            "start": move.start,
            "end": move.end,
            "kind": move.kind,
            "conquered": list(move.conquered),
        }
        for move in scene.after.history
        if move.number in numbers
    ]
    return {"moves": moves, "colours": {name: colours[name] for name in ("red", "green", "free")}}
