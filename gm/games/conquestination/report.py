"""The map of Conquestination as a picture (map.svg), and the figures of its reports (report.html)."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain, product
from textwrap import wrap
from typing import Any

from gm.game.base.drawing import BoardPicture, Box, Point, meet
from gm.game.base.hooks import Scene
from gm.game.values import GameData, MapView
from gm.games.conquestination.battle import compared
from gm.games.conquestination.cells import Cell, beside, nearest_cells, open_way, owners_of
from gm.games.conquestination.odds import MOST, losses, outlook
from gm.games.conquestination.rules import Attack, Board, Rules
from gm.games.conquestination.state import Campaign, continent_bonus
from gm.text.languages import Translate

CELL = 46.0  # The side of a cell
EDGE = 22.0  # The free space around the map
LEGEND = 34.0  # The height of the legend with a line of each kind
NAME = 12.0  # The size of a name
MARK = 18.0  # Half the width of a badge or a number
SEAT_LETTER = 8.5  # The width of a letter in a player's entry in the legend
SEAT_REST = 40.0  # The width of the rest of the entry


def name_width(name: str) -> float:
    """Return the approximate width of a country's name on the map, in bold letters with a pale edge."""
    return NAME * sum(_WIDTHS.get(character, 0.85 if character.isupper() else 0.72) for character in name) + 3


# The widths of letters that are wider or narrower than others, in parts of their size
_WIDTHS = {**dict.fromkeys("MWmw", 1.1), **dict.fromkeys("IJfijlrt ", 0.5), **dict.fromkeys("cks", 0.66)}


def _badge_box(x: float, y: float) -> Box:
    """Return the box of a badge with its number; the badge's middle is a little above the position."""
    return x - MARK, y - 23, x + MARK, y + 9


def _code_box(x: float, y: float) -> Box:
    """Return the box of a country's code at a point."""
    return x - 13, y - 11, x + 13, y + 3


def _hides_any(box: Box, others: Iterable[Box]) -> bool:
    """Return whether a label would hide some of the others."""
    return any(meet(box, other) for other in others)


class Picture(BoardPicture):
    """The map as a picture: its countries with their owners, names and units."""

    cell = CELL
    edge = EDGE
    key = 20.0  # the height of a line of the legend
    badge = 15.0  # the radius of a badge
    gap = badge + 2
    aside = 7.0

    def __init__(self, table: GameData, state: Campaign, view: MapView, translate: Translate = str) -> None:
        """Compute the visible part of the map and the size of the picture."""
        super().__init__(table, state, view, translate)
        self.board: Board = table.board
        self.shown = self.board.countries
        if view.zoom is not None:
            centre = self.centre(view.zoom.upper(), self.board.areas, self.shown, "country of this map")
            self.shown = (centre, *self.board.neighbours[centre])
        cells = list(chain.from_iterable(self.board.areas[country] for country in self.shown))
        # only as much sea as lies between the lands, and what can be seen around a place
        around = 1 if view.zoom is not None else 0
        self._left = min(column for column, _ in cells) - around
        self._top = min(row for _, row in cells) - around
        self.width = (max(column for column, _ in cells) + 1 + around - self._left) * CELL + 2 * EDGE
        letters = sorted({country[0] for country in self.shown})
        names = ", ".join(f"{letter} {self.board.continents.get(letter, letter)}" for letter in letters)
        # the continents that are drawn, in lines that fit: a letter is about 8.5 wide
        self.keys = wrap(names, max(20, int(self.width / 8.5)))
        map_height = (max(row for _, row in cells) + 1 + around - self._top) * CELL + 2 * EDGE
        self.legend_at = map_height + 18
        # ``LEGEND`` has room for one line of continents and one player
        self.height = map_height + LEGEND + self.key * (len(self.keys) + len(self.seats) - 1)

    def corner(self, cell: Cell) -> Point:
        """Return the upper left corner of a cell."""
        return EDGE + (cell[0] - self._left) * CELL, EDGE + (cell[1] - self._top) * CELL

    def _centre_of(self, cell: Cell) -> Point:
        x, y = self.corner(cell)
        return x + CELL / 2, y + CELL / 2

    @cached_property
    def places(self) -> Mapping[str, Point]:
        """The position of each country's number: the middle of its most central cell."""
        return {country: self._middle(self.board.areas[country]) for country in self.shown}

    @cached_property
    def codes(self) -> Mapping[str, Point]:
        """The positions of countries' codes: below the badge, else beside or above, where they hide nothing.

        A code for which there is no such place is below its badge all the same.
        """
        reach = self.badge + MARK
        boxes_of_country = {country: [_badge_box(x, y)] for country, (x, y) in self.places.items()}
        points = dict[str, Point]()
        for country, (x, y) in self.places.items():
            boxes_of_others = (boxes for other, boxes in boxes_of_country.items() if other != country)
            other_boxes = list(chain.from_iterable(boxes_of_others))
            # below the badge, right of it, left of it, above it
            possible = [(x, y + 20.5), (x + reach, y - 2), (x - reach, y - 2), (x, y - 25.5)]
            boxes = {point: _code_box(*point) for point in possible}
            visible = [
                point
                for point, (left, top, right, _) in boxes.items()
                if left >= 0 and top >= 0 and right <= self.width
            ]
            free = (point for point in visible if not _hides_any(boxes[point], other_boxes))
            points[country] = next(free, possible[0])
            boxes_of_country[country].append(boxes[points[country]])
        return points

    @cached_property
    def named(self) -> Mapping[str, Point]:
        """The positions of the countries' names, by country.

        A name is below the number or above the badge, wherever it covers no label but its own and ends within
        the picture. A country without room for it has its number alone.
        """
        badges = {country: (x - MARK, y - 24, x + MARK, y + 23) for country, (x, y) in self.places.items()}
        codes = {country: _code_box(x, y) for country, (x, y) in self.codes.items()}
        names = dict[str, Box]()
        points = dict[str, Point]()
        for country, (x, y) in self.places.items():
            half = name_width(self.board.names.get(country, "")) / 2
            is_named = half > MARK / 2  # a width of nearly nothing: there is no name
            fits_in_picture = half < min(x, self.width - x)
            if not is_named or not fits_in_picture:
                continue
            labels = (*badges.items(), *codes.items(), *names.items())
            other_boxes = [box for other, box in labels if other != country]
            for base in (y + 33, y - 27):  # the base line below the number, and above the badge
                box = (x - half, base - 11, x + half, base + 4)
                if not any(meet(box, other) for other in other_boxes):
                    names[country] = box
                    points[country] = (x, base)
                    break
        return points

    @cached_property
    def seats(self) -> list[list[tuple[str, str]]]:
        """The lines of the legend, each with as many players as fit: (colour, caption) for each of them."""
        lines = [list[tuple[str, str]]()]
        room = 0.0  # the width that is left in the last line
        for code, player in self.state.parties.items():
            text = f"{self.translate(player.name)}: {len(self.state.held(code))}"
            width = SEAT_REST + SEAT_LETTER * len(text)
            if room < width:
                room = self.width - 2 * EDGE
                if lines[-1]:
                    lines.append([])
            lines[-1].append((player.colour, text))
            room -= width
        return lines

    def _middle(self, cells: tuple[Cell, ...]) -> Point:
        """Return the middle of the cell that is nearest to the average of all."""
        mean_column = sum(column for column, _ in cells) / len(cells)
        mean_row = sum(row for _, row in cells) / len(cells)

        def order(cell: Cell) -> tuple[float, Cell]:
            column, row = cell
            return (column - mean_column) ** 2 + (row - mean_row) ** 2, cell

        return self._centre_of(min(cells, key=order))

    @property
    def outlines(self) -> Iterator[tuple[Point, Point, str, str]]:
        """(start, end, country, country beyond) for the edges of countries, each once.

        The country beyond is empty if it is the sea or is not shown.
        """
        owners = owners_of({country: self.board.areas[country] for country in self.shown})
        for cell, country in owners.items():
            x, y = self.corner(cell)
            left = ((x, y), (x, y + CELL))
            upper = ((x, y), (x + CELL, y))
            lower = ((x, y + CELL), (x + CELL, y + CELL))
            right = ((x + CELL, y), (x + CELL, y + CELL))
            # in the order of ``beside``
            for other, ends in zip(beside(cell), (left, upper, lower, right), strict=True):
                beyond = owners.get(other, "")
                is_yielded_already = beyond and other < cell  # with the other country as the first
                if beyond != country and not is_yielded_already:
                    yield *ends, country, beyond

    @cached_property
    def edges(self) -> Mapping[str, str]:
        """The edges of each country as the data of an SVG path, for highlighting."""
        strokes: dict[str, list[str]] = {}
        for start, end, *sides in self.outlines:
            for country in filter(None, sides):
                strokes.setdefault(country, []).append(f"M{start[0]:g} {start[1]:g}L{end[0]:g} {end[1]:g}")
        return {country: "".join(parts) for country, parts in strokes.items()}

    @property
    def links(self) -> Iterator[tuple[Point, Point]]:
        """The sea links between countries on the map, as lines between the middles of two cells.

        These are the nearest two between which a line crosses no third country; if every line does, the
        nearest.
        """
        areas = self.board.areas
        for one, other in sorted(self.board.sea_links):
            if one in self.places and other in self.places:
                a, b = open_way(areas, one, other) or nearest_cells(areas, one, other)[0]
                yield self._centre_of(a), self._centre_of(b)


def values(scene: Scene) -> dict[str, Any]:
    """Return the values for the template ``report.html`` of the reader's report, by name."""
    state: Campaign = scene.after
    board = scene.table.board
    rules: Rules = scene.table.rules
    held = state.held(scene.code)
    first_country = held[0] if held else board.countries[0]
    # for the example: an attack that could be made, from where most units are
    neighbours = board.neighbours[first_country]
    any_way = (0, first_country, neighbours[0] if neighbours else first_country)
    _, source, target = min(_attacks(state, board, held), default=any_way)

    def chance(engaged: int, defenders: int) -> str:
        """Return the probability to win as a percentage; empty for forces that are too large."""
        if max(engaged, defenders) > MOST:
            return ""
        won, _, _ = outlook(engaged, defenders, rules.attack)
        return f"{won:.0%}"

    def losses_of(attack: str, defence: str) -> tuple[int, int]:
        """Return (the attacker's losses, the defender's) of two throws, such as ``6 4`` and ``5``."""
        return compared(map(int, attack.split()), map(int, defence.split()))

    def whole(owner: str) -> list[str]:
        """Return the names of the continents that a player holds whole."""
        return [board.continents[letter] for letter in board.whole(state.held(owner))]

    def bonus(letter: str) -> int:
        """Return the units that a continent, named by its letter, brings a turn to whoever holds it whole."""
        return continent_bonus(len(board.continent(letter)), rules.reinforcement)

    def odds_rows() -> Iterator[list[str]]:
        """Return the rows of the handbook's table of rolls; only the handbook asks for them."""
        return odds(rules.attack, scene.translate)

    return {
        "held": held,
        "whole": whole,
        "losses": losses_of,
        "bonus": bonus,
        "first": first_country,
        "source": source,
        "target": target,
        "odds": odds_rows,
        "chance": chance,
    }


def _attacks(state: Campaign, board: Board, held: Iterable[str]) -> Iterator[tuple[int, str, str]]:
    """Yield (-units, source, target) for each attack that is possible from the countries ``held``.

    ``units``: those of the source; with the minus, the least tuple is an attack from the country with most.
    """
    for source in held:
        country = state.countries[source]
        for target in board.neighbours[source]:
            if state.countries[target].owner != country.owner:
                yield -country.units, source, target


def _column(lost: int, killed: int) -> int:
    """Return the column of a roll by the units that the attacker has ``lost`` and ``killed``.

    It is 0 if only the defender loses units, 1 if both do, 2 if only the attacker does.
    """
    if not lost:
        return 0
    return 1 if killed else 2


def odds(rules: Attack, translate: Translate = str) -> Iterator[list[str]]:
    """Yield the rows of a table of rolls, for each number of dice: who loses units, and how often.

    A row has its title, and percentages for the defender, both sides and the attacker.
    """
    for attack, defence in product(range(1, rules.max_attack_dice + 1), range(1, rules.max_defence_dice + 1)):
        outcomes = losses(attack, defence, rules.die)
        counts = [0, 0, 0]
        for (lost, killed), count in outcomes.items():
            counts[_column(lost, killed)] += count
        shares = (f"{100 * count / sum(counts):.1f}%" if count else "–" for count in counts)
        yield [translate("{attack} against {defence}").format(attack=attack, defence=defence), *shares]
