"""The map as a picture: countries in the colours of their owners, units, links, and where units went (CN-13.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from textwrap import wrap

from gm.game.base.drawing import PLANNED, BoardPicture
from gm.game.values import GameData, MapView
from gm.games.conquestination.countries import Cell, CountryMap, beside
from gm.games.conquestination.events import Conquered, Fought, Redeployed
from gm.games.conquestination.orders import Attack, Orders, Redeploy
from gm.games.conquestination.state import Campaign
from gm.text.svg import Point, drawing, element, line, number, text, titled

CELL = 46.0
EDGE = 22.0
LEGEND = 34.0
KEY = 20.0
SEA = "#dfeaf2"
_BADGE = 15.0


def draw(table: GameData, state: Campaign, view: MapView, label: str) -> str:
    """The picture. Raises ``ValueError`` for a country to zoom to that is not there."""
    picture = _Picture(table.board.land, state, view)
    return drawing(picture.width, picture.height, picture.parts(), f"{table.board.title}, {label}")


class _Picture(BoardPicture):
    gap = _BADGE + 2
    aside = 7.0
    legend_look = (14.0, 8.5, 40.0, 7.0, 8.0, 20.0)

    def __init__(self, land: CountryMap, state: Campaign, view: MapView) -> None:
        super().__init__(state, view)
        self._land = land
        self._shown = self._countries()
        cells = [cell for country in self._shown for cell in self._land.cells[country]]
        # only as much sea as lies between the lands, and what can be seen around a place
        around = 1 if view.zoom is not None else 0
        self._left = min(column for column, _ in cells) - around
        self._top = min(row for _, row in cells) - around
        self.width = (max(column for column, _ in cells) + 1 + around - self._left) * CELL + 2 * EDGE
        self._keys = self._continents()
        high = (max(row for _, row in cells) + 1 + around - self._top) * CELL + 2 * EDGE
        self._legend_at = high + 18
        self.height = high + LEGEND + KEY * len(self._keys)

    def parts(self) -> Iterator[str]:
        sea = {"x": EDGE / 2, "y": EDGE / 2, "width": self.width - EDGE, "height": self._legend_at - 18 - EDGE}
        yield element("rect", {**sea, "rx": 10, "fill": SEA, "stroke": "#b4c6d3"})
        yield from self._links()
        for country in self._shown:
            yield self._country(country)
        yield from self._outlines()
        yield from self._arrows()
        for country in self._shown:
            yield from self._badge(country)
        players = self.state.parties.items()
        entries = ((player.colour, f"{player.name}: {len(self.state.held(code))}") for code, player in players)
        yield from self.legend(entries, EDGE, self._legend_at)
        for at, names in enumerate(self._keys, 1):
            yield text((EDGE, self._legend_at + KEY * at), names, size=14, kind="soft", style="text-anchor:start")

    def _countries(self) -> tuple[str, ...]:
        if self.view.zoom is None:
            return self._land.countries
        centre = self.centre(self.view.zoom.upper(), self._land.cells, self._land.countries, "country")
        return (centre, *self._land.neighbours[centre])

    def _corner(self, cell: Cell) -> Point:
        return EDGE + (cell[0] - self._left) * CELL, EDGE + (cell[1] - self._top) * CELL

    def _colour(self, owner: str) -> str:
        return str(self.state.parties[owner].colour)

    @cached_property
    def _owners(self) -> Mapping[Cell, str]:
        """The country of each cell that is drawn."""
        return {cell: country for country in self._shown for cell in self._land.cells[country]}

    @cached_property
    def places(self) -> Mapping[str, Point]:
        """Where each country's number stands: in the cell of it that is nearest to its middle."""
        return {country: self._middle(self._land.cells[country]) for country in self._shown}

    def _middle(self, cells: tuple[Cell, ...]) -> Point:
        column = sum(cell[0] for cell in cells) / len(cells)
        row = sum(cell[1] for cell in cells) / len(cells)
        best = min(cells, key=lambda cell: ((cell[0] - column) ** 2 + (cell[1] - row) ** 2, cell))
        x, y = self._corner(best)
        return x + CELL / 2, y + CELL / 2

    def _country(self, country: str) -> str:
        holding = self.state.countries[country]
        squares = "".join(
            f"M{number(x)} {number(y)}h{number(CELL)}v{number(CELL)}h-{number(CELL)}z"
            for x, y in map(self._corner, self._land.cells[country])
        )
        own = holding.owner == self.view.party
        look = {"d": squares, "fill": self._colour(holding.owner), "fill_opacity": 0.62 if own else 0.36}
        name = self.state.parties[holding.owner].name
        told = f"{country} in {self._land.continents.get(country[0], country[0])}, {name}, {holding.units} units"
        return titled(element("path", {"d": squares, "fill": "#f6f1e4"}) + element("path", look), told)

    def _outlines(self) -> Iterator[str]:
        """Thin lines between countries of one owner, thick ones between owners, the coast thicker still."""
        for cell, country in self._owners.items():
            x, y = self._corner(cell)
            corners = {
                (cell[0] - 1, cell[1]): ((x, y), (x, y + CELL)),
                (cell[0], cell[1] - 1): ((x, y), (x + CELL, y)),
                (cell[0], cell[1] + 1): ((x, y + CELL), (x + CELL, y + CELL)),
                (cell[0] + 1, cell[1]): ((x + CELL, y), (x + CELL, y + CELL)),
            }
            for other in beside(cell):
                neighbour = self._owners.get(other)
                if neighbour == country or (neighbour is not None and other < cell):
                    continue
                yield line(*corners[other], stroke="#3b3327", stroke_width=self._thickness(country, neighbour))

    def _thickness(self, country: str, neighbour: str | None) -> float:
        if neighbour is None:
            return 2.6
        same = self.state.countries[country].owner == self.state.countries[neighbour].owner
        return 0.9 if same else 1.9

    def _links(self) -> Iterator[str]:
        for one, other in sorted(self._land.links):
            if one in self.places and other in self.places:
                start, end = self._nearest(one, other)
                yield line(start, end, stroke="#4a6478", stroke_width=3, stroke_dasharray="2 7", stroke_linecap="round")

    def _nearest(self, one: str, other: str) -> tuple[Point, Point]:
        """The middles of the two cells of a link that lie nearest to each other."""
        pairs = ((a, b) for a in self._land.cells[one] for b in self._land.cells[other])
        best = min(pairs, key=lambda pair: (abs(pair[0][0] - pair[1][0]) + abs(pair[0][1] - pair[1][1]), pair))
        (ax, ay), (bx, by) = map(self._corner, best)
        return (ax + CELL / 2, ay + CELL / 2), (bx + CELL / 2, by + CELL / 2)

    def _arrows(self) -> Iterator[str]:
        """Attacks and redeployments of the run, and what an order file plans."""
        for event in self.view.events:
            if isinstance(event, Fought):
                dashed = event.how != "won"
                yield from self.arrow(event.source, event.target, self._colour(event.owner), 3.2, dashed=dashed)
            elif isinstance(event, Redeployed):
                yield from self.arrow(event.source, event.target, "#5e5140", 3.2)
        planned = self.planned(Orders)
        lines: tuple[Attack | Redeploy, ...] = (*planned.attacks, *planned.redeploy) if planned else ()
        for each in lines:
            yield from self.arrow(each.source, each.target, PLANNED, 3.2, dashed=True)

    def _badge(self, country: str) -> Iterator[str]:
        x, y = self.places[country]
        holding = self.state.countries[country]
        taken = any(isinstance(event, Conquered) and event.country == country for event in self.view.events)
        if self.view.troops:
            own = holding.owner == self.view.party
            look = {"stroke": "#ffd34d" if taken else "#2a2118" if own else "#ffffff", "stroke_width": 3 if own else 2}
            yield element("circle", {"cx": x, "cy": y - 7, "r": _BADGE, "fill": self._colour(holding.owner), **look})
            size = 15 if holding.units < 100 else 11
            yield text((x, y - 1.5), str(holding.units), size=size, fill="#ffffff", font_weight=700, kind="units")
        halo = {"stroke": "#f6f1e4", "stroke_width": 2.5, "paint_order": "stroke"}
        yield text((x, y + 20), country, size=13, fill="#2a2118", kind="name", font_weight=700, **halo)

    def _continents(self) -> list[str]:
        """The names of the continents that are drawn, by letter, in lines that fit."""
        letters = sorted({country[0] for country in self._shown})
        names = ", ".join(f"{each} {self._land.continents.get(each, each)}" for each in letters)
        return wrap(names, max(20, int(self.width / 8.5)))
