"""The map of Conquestination as a picture (map.svg), and the figures of its reports (report.html)."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain, product
from textwrap import wrap
from typing import Any

from gm.game.base.drawing import BoardPicture, Point
from gm.game.base.hooks import Scene
from gm.game.values import GameData, MapView
from gm.games.conquestination.battle import compared
from gm.games.conquestination.cells import Cell, beside, nearest_cells, open_way, owners_of
from gm.games.conquestination.odds import MOST, losses, outlook
from gm.games.conquestination.rules import Attack, Board, Rules
from gm.games.conquestination.state import Campaign, continent_bonus
from gm.text.languages import Translate

CELL = 46.0
EDGE = 22.0
LEGEND = 34.0
NAME = 12.0  # size of a name
MARK = 18.0  # half the width of a badge or a number
SEAT_LETTER = 8.5  # width of a letter in a player's entry in the legend
SEAT_REST = 40.0  # width of the rest of the entry
Box = tuple[float, float, float, float]  # Left, upper, right and lower end


def name_width(name: str) -> float:
    """Return the approximate width of a country's name on the map, in bold letters with a pale edge."""
    return NAME * sum(_WIDTHS.get(character, 0.85 if character.isupper() else 0.72) for character in name) + 3


_WIDTHS = {**dict.fromkeys("MWmw", 1.1), **dict.fromkeys("IJfijlrt ", 0.5), **dict.fromkeys("cks", 0.66)}


def _badge_box(x: float, y: float) -> Box:
    """Return the box of a badge with its number, around a country's position."""
    return x - MARK, y - 23, x + MARK, y + 9


def _code_box(x: float, y: float) -> Box:
    """Return the box of a country's code at a point."""
    return x - 13, y - 11, x + 13, y + 3


def _meet(one: Box, other: Box) -> bool:
    """Return whether two labels have some place in common."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _hides_any(box: Box, others: Iterable[Box]) -> bool:
    """Return whether a label would hide others."""
    return any(_meet(box, other) for other in others)


class Picture(BoardPicture):
    """The map as a picture: its countries with their owners, names and units."""

    cell = CELL
    edge = EDGE
    key = 20.0
    badge = 15.0
    gap = badge + 2
    aside = 7.0

    def __init__(self, table: GameData, state: Campaign, view: MapView, translate: Translate = str) -> None:
        """Compute the visible part of the map and the size of the picture."""
        super().__init__(table, state, view, translate)
        self.board: Board = table.board
        self.shown = self.board.countries
        if view.zoom is not None:
            centre = self.centre(view.zoom.upper(), self.board.areas, self.shown, "country")
            self.shown = (centre, *self.board.neighbours[centre])
        cells = list(chain.from_iterable(self.board.areas[country] for country in self.shown))
        # only as much sea as lies between the lands, and what can be seen around a place
        around = 1 if view.zoom is not None else 0
        self._left = min(column for column, _ in cells) - around
        self._top = min(row for _, row in cells) - around
        self.width = (max(column for column, _ in cells) + 1 + around - self._left) * CELL + 2 * EDGE
        letters = sorted({country[0] for country in self.shown})
        names = ", ".join(f"{letter} {self.board.continents.get(letter, letter)}" for letter in letters)
        # Of the continents that are drawn, in lines that fit
        self.keys = wrap(names, max(20, int(self.width / 8.5)))
        high = (max(row for _, row in cells) + 1 + around - self._top) * CELL + 2 * EDGE
        self.legend_at = high + 18
        self.height = high + LEGEND + self.key * (len(self.keys) + len(self.seats) - 1)

    def corner(self, cell: Cell) -> Point:
        """Return the upper left corner of a cell."""
        return EDGE + (cell[0] - self._left) * CELL, EDGE + (cell[1] - self._top) * CELL

    def _centre_of(self, cell: Cell) -> Point:
        x, y = self.corner(cell)
        return x + CELL / 2, y + CELL / 2

    @cached_property
    def places(self) -> Mapping[str, Point]:
        """The position of each country's number: the cell of it that is nearest to its middle."""
        return {country: self._middle(self.board.areas[country]) for country in self.shown}

    @cached_property
    def codes(self) -> Mapping[str, Point]:
        """The positions of countries' codes: below the badge, else beside or above, none hidden."""
        reach = self.badge + MARK
        taken_boxes = {place: [_badge_box(x, y)] for place, (x, y) in self.places.items()}
        points = dict[str, Point]()
        for country, (x, y) in self.places.items():
            other_boxes = list(
                chain.from_iterable(boxes for other, boxes in taken_boxes.items() if other != country)
            )
            possible = [(x, y + 20.5), (x + reach, y - 2), (x - reach, y - 2), (x, y - 25.5)]
            boxes = {point: _code_box(*point) for point in possible}
            visible = [
                point
                for point, (left, top, right, _) in boxes.items()
                if left >= 0 and top >= 0 and right <= self.width
            ]
            free = (point for point in visible if not _hides_any(boxes[point], other_boxes))
            points[country] = next(free, possible[0])
            taken_boxes[country].append(boxes[points[country]])
        return points

    @cached_property
    def named(self) -> Mapping[str, Point]:
        """The positions of countries' names.

        A name is below the number or above the badge, wherever it covers no label but its own and ends within
        the picture. A country without room for it has its number alone.
        """
        badges = {country: (x - MARK, y - 24, x + MARK, y + 23) for country, (x, y) in self.places.items()}
        codes = {country: _code_box(x, y) for country, (x, y) in self.codes.items()}
        names = dict[str, Box]()
        points = dict[str, Point]()
        for country, (x, y) in self.places.items():
            half = name_width(self.board.names.get(country, "")) / 2
            if not MARK / 2 < half < min(x, self.width - x):
                continue
            labels = (*badges.items(), *codes.items(), *names.items())
            other_boxes = [box for other, box in labels if other != country]
            for base in (y + 33, y - 27):
                box = (x - half, base - 11, x + half, base + 4)
                if not any(_meet(box, other) for other in other_boxes):
                    names[country] = box
                    points[country] = (x, base)
                    break
        return points

    @cached_property
    def seats(self) -> list[list[tuple[str, str]]]:
        """The players' colours with their captions, in lines that fit."""
        lines = [list[tuple[str, str]]()]
        room = 0.0
        for code, player in self.state.parties.items():
            text = f"{self.translate(player.name)}: {len(self.state.held(code))}"
            wide = SEAT_REST + SEAT_LETTER * len(text)
            if room < wide:
                room = self.width - 2 * EDGE
                if lines[-1]:
                    lines.append([])
            lines[-1].append((player.colour, text))
            room -= wide
        return lines

    def _middle(self, cells: tuple[Cell, ...]) -> Point:
        column = sum(cell[0] for cell in cells) / len(cells)
        row = sum(cell[1] for cell in cells) / len(cells)
        return self._centre_of(
            min(cells, key=lambda cell: ((cell[0] - column) ** 2 + (cell[1] - row) ** 2, cell))
        )

    @property
    def outlines(self) -> Iterator[tuple[Point, Point, str, str]]:
        """The edges between countries, each once, with the country beyond; empty if that is not shown."""
        owners = owners_of({country: self.board.areas[country] for country in self.shown})
        for cell, country in owners.items():
            x, y = self.corner(cell)
            left = ((x, y), (x, y + CELL))
            upper = ((x, y), (x + CELL, y))
            lower = ((x, y + CELL), (x + CELL, y + CELL))
            right = ((x + CELL, y), (x + CELL, y + CELL))
            for other, ends in zip(beside(cell), (left, upper, lower, right), strict=True):
                beyond = owners.get(other, "")
                if beyond != country and not (beyond and other < cell):
                    yield *ends, country, beyond

    @cached_property
    def edges(self) -> Mapping[str, str]:
        """The edges of each country as a path, for highlighting."""
        strokes: dict[str, list[str]] = {}
        for start, end, *sides in self.outlines:
            for country in filter(None, sides):
                strokes.setdefault(country, []).append(f"M{start[0]:g} {start[1]:g}L{end[0]:g} {end[1]:g}")
        return {country: "".join(parts) for country, parts in strokes.items()}

    @property
    def links(self) -> Iterator[tuple[Point, Point]]:
        """The links as lines between the middles of the nearest two cells of their countries."""
        areas = self.board.areas
        for one, other in sorted(self.board.sea_links):
            if one in self.places and other in self.places:
                a, b = open_way(areas, one, other) or nearest_cells(areas, one, other)[0]
                yield self._centre_of(a), self._centre_of(b)


def values(scene: Scene) -> dict[str, Any]:
    """Return the values of the template, by name."""
    state: Campaign = scene.after
    code = scene.code
    board = scene.table.board
    rules: Rules = scene.table.rules
    countries_of_party = state.held(code)
    first_country = countries_of_party[0] if countries_of_party else board.countries[0]
    # an attack that could be made, from where most units stand
    none = (0, first_country, next(iter(board.neighbours[first_country]), first_country))
    _, source, target = min(_attacks(state, board, countries_of_party), default=none)

    return {
        "held": countries_of_party,
        "whole": lambda owner: [board.continents[letter] for letter in board.whole(state.held(owner))],
        "losses": lambda *dice: compared(*(map(int, numbers.split()) for numbers in dice)),
        "bonus": lambda letter: continent_bonus(len(board.continent(letter)), rules.reinforcement),
        "first": first_country,
        "source": source,
        "target": target,
        "odds": lambda: odds(rules.attack, scene.translate),
        "chance": lambda one, other: (
            f"{outlook(one, other, rules.attack)[0]:.0%}" if max(one, other) <= MOST else ""
        ),
    }


def _attacks(state: Campaign, board: Board, held: Iterable[str]) -> Iterator[tuple[int, str, str]]:
    """Yield the possible attacks from a player's countries; further ones from the same country weigh less."""
    for source in held:
        start = state.countries[source]
        for target in board.neighbours[source]:
            if state.countries[target].owner != start.owner:
                yield -start.units, source, target


def _side(lost: int, killed: int) -> int:
    """Return the column of a roll: units are lost by 0 the defender, 1 both, 2 the attacker alone."""
    if not lost:
        return 0
    return 1 if killed else 2


def odds(rules: Attack, translate: Translate = str) -> Iterator[list[str]]:
    """Yield how often each roll costs the defender, both or the attacker a unit, for each number of dice."""
    for attack, defence in product(range(1, rules.max_attack_dice + 1), range(1, rules.max_defence_dice + 1)):
        outcomes = losses(attack, defence, rules.die)
        counts = [0, 0, 0]
        for (lost, killed), count in outcomes.items():
            counts[_side(lost, killed)] += count
        shares = (f"{100 * count / sum(counts):.1f}%" if count else "–" for count in counts)
        yield [translate("{attack} against {defence}").format(attack=attack, defence=defence), *shares]
