"""What the board drawings of small games have in common: the places shown, arrows between them, plans, the legend."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, TypeVar

from gm.core.diagnostics import did_you_mean, nearest, shown
from gm.game.base.reading import BaseOrders
from gm.game.values import MapView
from gm.text.svg import Point, arrow, between, element, line, text

O = TypeVar("O")  # noqa: E741
PLANNED = "#6b3fa0"
"""The colour of what an order file plans."""


class BoardPicture:
    """A picture of a state. ``gap`` and ``aside``: how far arrows keep from their ends and the middle line;
    ``legend_look``: size of words, width of a letter, of the rest, the dot's place and radius, where words begin."""

    gap = 0.0
    aside = 0.0
    halo = 0.0
    """The width of a white line under arrows."""
    legend_look = (14.0, 9.0, 40.0, 7.0, 8.0, 20.0)
    legend_more: Mapping[str, str] = {}
    """Attributes of the words of the legend."""

    def __init__(self, state: Any, view: MapView) -> None:
        self.state = state
        self.view = view

    @cached_property
    def places(self) -> Mapping[str, Point]:
        """Where each place stands on the picture."""
        raise NotImplementedError

    def centre(self, code: str, codes: Container[str], names: Iterable[str], what: str, board: str = "map") -> str:
        """The place to zoom to. Raises ``ValueError``, with the nearest name, for one that is not there."""
        zoom = self.view.zoom or ""
        if code not in codes:
            hint = did_you_mean(nearest(zoom, names))
            raise ValueError(f"no {what} of this {board} is called {shown(zoom)}" + (f": {hint}" if hint else ""))
        return code

    def arrow(
        self, source: str, target: str, colour: str, width: float, *, dashed: bool = False, aside: float | None = None
    ) -> Iterator[str]:
        """An arrow between two places, if both are shown."""
        if source in self.places and target in self.places:
            beside = self.aside if aside is None else aside
            ends = between(self.places[source], self.places[target], gap=self.gap, aside=beside)
            if self.halo:
                yield line(*ends, stroke="#ffffff", stroke_width=self.halo, stroke_opacity=0.8)
            yield arrow(*ends, colour, width=width, dashed=dashed)

    def planned(self, orders: type[O]) -> O | None:
        """The orders whose plans are to be shown."""
        sheet = self.view.sheet
        return sheet.orders if isinstance(sheet, BaseOrders) and isinstance(sheet.orders, orders) else None

    def legend_width(self, words: str) -> float:
        """How much of a line an entry of the legend takes."""
        return self.legend_look[2] + self.legend_look[1] * len(words)

    def legend(self, entries: Iterable[tuple[str, str]], x: float, y: float) -> Iterator[str]:
        """A line of colours with words."""
        size, _letter, _rest, dot, radius, start = self.legend_look
        for colour, words in entries:
            yield element("circle", {"cx": x + dot, "cy": y - 5, "r": radius, "fill": colour})
            yield text((x + start, y), words, size=size, **self.legend_more, style="text-anchor:start")
            x += self.legend_width(words)
