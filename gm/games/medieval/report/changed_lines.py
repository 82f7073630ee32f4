"""A line about a change of a turn for a realm: its subject, its title, and linked pieces."""

from collections.abc import Iterable
from enum import IntEnum

from gm.core.values import Record
from gm.game.base.herald import Piece

Weight = IntEnum(
    "Weight",
    "VICTORY STANDING LANDS_LOST WAR BATTLES_LOST LANDS_WON BATTLES_WON UNITS_LOST UNPAID COMMANDERS_LOST "
    "ALLIANCE_ENDED PEACE ORDERS TREASURY DAMAGE RIGHTS UNITS_FORMED COMMANDERS_WON TROOPS LETTERS "
    "ANNEXED WORKS OTHERS MORE",
)
"""What a line is about, the most important first."""


class Line(Record):
    """One line in the reader's language. A line without pieces is not shown.

    ``tone``: how the change is for the realm: ``good``, ``bad``, ``warn`` or empty.
    """

    weight: Weight
    title: str
    tone: str
    pieces: tuple[Piece, ...]


def line(weight: Weight, title: str, tone: str, pieces: Iterable[Piece]) -> Line:
    """Return a line of these pieces, which may come from a generator."""
    return Line(weight, title, tone, tuple(pieces))


def plain_line(line: Line) -> str:
    """Return a line as text: ``Provinces won: Gotland (from Sweden), Osel``."""
    pieces = (f"{piece.text} ({piece.note})" if piece.note else piece.text for piece in line.pieces)
    return f"{line.title}: {', '.join(pieces)}"
