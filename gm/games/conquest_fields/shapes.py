"""Where each field lies on a picture, and its outline, by topology."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import cos, pi, sin, sqrt
from typing import NamedTuple

from gm.games.conquest_fields.board import Board, Cell

Point = tuple[float, float]
SIZE = 30.0
"""Half the width of a square field; the others are about as large."""


class Shape(NamedTuple):
    """A field's middle and its corners."""

    middle: Point
    corners: Sequence[Point]


def shapes(board: Board) -> list[Shape]:
    """The fields of a board in canonical order; the first row's upper edge is about y = 0."""
    made = _SHAPES[board.topology]
    return [made(cell) for cell in board.cells]


def _square(cell: Cell) -> Shape:
    row, column = cell
    x, y = (2 * column + 1) * SIZE, (2 * row + 1) * SIZE
    return Shape((x, y), [(x - SIZE, y - SIZE), (x + SIZE, y - SIZE), (x + SIZE, y + SIZE), (x - SIZE, y + SIZE)])


def _ring(middle: Point, radius: float, turned: float) -> Shape:
    angles = [pi * index / 3 + turned for index in range(6)]
    return Shape(middle, [(middle[0] + radius * cos(angle), middle[1] + radius * sin(angle)) for angle in angles])


def _hex_row(cell: Cell) -> Shape:
    row, column = cell
    radius = SIZE * 1.15
    wide = radius * sqrt(3)
    return _ring((wide * (column + 0.5 + row % 2 / 2), radius * (1 + 1.5 * row)), radius, pi / 6)


def _hex_column(cell: Cell) -> Shape:
    row, column = cell
    radius = SIZE * 1.15
    high = radius * sqrt(3)
    return _ring((radius * (1 + 1.5 * column), high * (row + 0.5 + column % 2 / 2)), radius, 0)


def _triangle(cell: Cell) -> Shape:
    row, column = cell
    side = SIZE * 2.9
    high = side * sqrt(3) / 2
    left, top = column * side / 2, row * high
    if (row + column) % 2 == 0:
        corners = [(left, top + high), (left + side, top + high), (left + side / 2, top)]
        return Shape((left + side / 2, top + high * 0.64), corners)
    corners = [(left, top), (left + side, top), (left + side / 2, top + high)]
    return Shape((left + side / 2, top + high * 0.36), corners)


_SHAPES: dict[str, Callable[[Cell], Shape]] = {
    "squares4": _square,
    "squares8": _square,
    "hex-rows": _hex_row,
    "hex-cols": _hex_column,
    "triangles": _triangle,
}
