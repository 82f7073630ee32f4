"""The common part of the small games' board drawings: visible places, arrows, plans, the legend."""

import re
from collections.abc import Container, Iterable, Mapping
from functools import cached_property
from html import escape
from typing import Any, NamedTuple

from gm.core.diagnostics import did_you_mean, nearest, says, shown
from gm.game.base.reading import BaseOrders
from gm.game.values import GameData, MapView
from gm.text.languages import Translate
from gm.text.pages import ready_markup, render

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # (left, upper, right, lower) end
PLANNED = "#6b3fa0"  # The colour of what an order file plans
_SPACE = re.compile(r">\s+<")


def meet(one: Box, other: Box) -> bool:
    """Return whether the boxes of two labels overlap."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


class Way(NamedTuple):
    """An arrow: the two ends of its line, where its head begins, and the corners of the head."""

    start: Point
    end: Point
    neck: Point
    head: tuple[Point, Point, Point]


class BoardPicture:
    """A picture of a state and, if there are ``orders``, of their plans, drawn by ``templates/KEY/map.svg``.

    All sizes are in the units of the drawing.
    """

    nobody = ""  # the owner, in the state, of what no party owns
    nobodys = ""  # the colour of what no party owns
    gap = 0.0  # how far arrows end before the places
    aside = 0.0  # how far arrows are drawn beside the middle line
    halo = 0.0  # the width of the white line under arrows
    width: float
    height: float

    def __init__(self, table: GameData, state: Any, view: MapView, translate: Translate = str) -> None:
        self.board = table.board
        self.rules = table.rules
        self.state = state
        self.view = view
        self.orders = view.sheet.orders if isinstance(view.sheet, BaseOrders) else None
        self.translate = translate

    def svg(self, key: str, label: str) -> str:
        """Return the picture as SVG. ``key``: the game's; ``label``: the turn in words, for the title.

        Raises ``ValueError`` for an unknown place to zoom to.
        """
        values = {
            "picture": self,
            "state": self.state,
            "view": self.view,
            "board": self.board,
            "_": self.translate,
        }
        title = f"{self.translate(self.board.title)}, {label}"
        # templates write a coordinate as ``c(...)``, and escape the text of a title as ``t(...)``
        own_values = {
            "title": title,
            "c": number,
            "t": lambda words: ready_markup(escape(words)),
            "PLANNED": PLANNED,
        }
        return _SPACE.sub("><", render(f"{key}/map.svg", {**values, **own_values})).strip() + "\n"

    @cached_property
    def places(self) -> Mapping[str, Point]:
        """The position of each place on the picture, by code."""
        raise NotImplementedError

    def centre(self, code: str, codes: Container[str], names: Iterable[str], what: str) -> str:
        """Return ``code``, that of the place to zoom to. Raises ``ValueError`` if it is not in ``codes``.

        The error suggests the nearest of ``names``, those of places; ``what`` is what it calls one, such as
        "province of this map".
        """
        zoom = self.view.zoom or ""
        if code not in codes:
            hint = did_you_mean(nearest(zoom, names))
            unknown = says(f"no {what} is called {{0}}", shown(zoom))
            raise ValueError(says("{0}: {1}", unknown, hint) if hint else unknown)
        return code

    def way(self, source: str, target: str, width: float, aside: float | None = None) -> Way:
        """Return an arrow of a width between two places.

        ``aside``: how far it is beside the middle line; None: as far as the picture has it.
        """
        first = complex(*self.places[source])
        last = complex(*self.places[target])
        length = abs(last - first) or 1
        step = (last - first) / length
        gap = step * min(self.gap, length * 0.4)  # so that something is left of a short arrow
        shift = step * 1j * (self.aside if aside is None else aside)  # times i: at a right angle
        start = first + gap + shift
        end = last - gap + shift
        step = (end - start) / (abs(end - start) or 1)
        head_length = width * 3  # and the head is 1.2 times as wide as it is long
        neck = end - step * head_length
        half_head = step * 1j * (head_length * 0.6)
        corners = (start, end, neck, neck + half_head, neck - half_head)
        tail, tip, middle, left, right = ((corner.real, corner.imag) for corner in corners)
        return Way(tail, tip, middle, (tip, left, right))

    def colour(self, owner: str) -> str:
        """Return the colour of a party, or of what nobody owns."""
        return self.nobodys if owner == self.nobody else str(self.state.parties[owner].colour)


def number(value: float) -> str:
    """Return a coordinate with two decimals at most, the same on every machine."""
    # + 0.0 makes 0 of -0
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
