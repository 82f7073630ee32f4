"""Countries made of cells on a grid: their order, borders, and straight ways over the sea between them."""

import re
from collections.abc import Mapping
from itertools import product

SEA = ".."  # How a cell without a country is written
COUNTRY = re.compile(r"[A-Z][1-9][0-9]*")

Cell = tuple[int, int]  # Column and row, counted from 0: cells sort by column, then row (CN-4.15)
Pair = tuple[str, str]  # Two countries, the lower first


def rank(country: str) -> tuple[str, int]:
    """Return the sort key of a country: its continent, then its number, so that A2 comes before A10."""
    return country[:1], int(country[1:])


def pair(one: str, other: str) -> Pair:
    """Return two countries as a pair, the lower first."""
    return (one, other) if rank(one) < rank(other) else (other, one)


def beside(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """Return the four cells next to one, also those outside the grid (CN-4.2)."""
    column, row = cell
    return (column - 1, row), (column, row - 1), (column, row + 1), (column + 1, row)


def borders_of(areas: Mapping[str, tuple[Cell, ...]]) -> frozenset[Pair]:
    """Return the pairs of countries with neighbouring cells (CN-4.9); ``areas``: the cells of each."""
    owners = owners_of(areas)
    borders = set[Pair]()
    for cell, country in owners.items():
        neighbours = {owners.get(other, country) for other in beside(cell)} - {country}
        borders.update(pair(country, neighbour) for neighbour in neighbours)
    return frozenset(borders)


def owners_of(areas: Mapping[str, tuple[Cell, ...]]) -> dict[Cell, str]:
    """Return the country of each cell that has one; ``areas``: the cells of each country."""
    owners: dict[Cell, str] = {}
    for country, cells in areas.items():
        owners |= dict.fromkeys(cells, country)
    return owners


def passed(start: Cell, end: Cell) -> set[Cell]:
    """Return the cells that the straight line between the middles of two cells touches.

    Those that it touches only at a corner count, too, and so do the two cells themselves.
    """
    cells_passed = {start, end}
    for axis in (0, 1):
        # from column to column, then, with the axes exchanged, from row to row
        low, high = sorted((start, end), key=lambda cell: cell[axis])
        length = high[axis] - low[axis]
        rise = high[1 - axis] - low[1 - axis]
        for edge in range(length):
            # where the line crosses the edge between two columns (or rows), in units of 1 / (2 * length)
            at = 2 * length * low[1 - axis] + (2 * edge + 1) * rise + length
            # one cell on that edge, or both if the line goes through the corner between them
            for across in {at // (2 * length), -(-at // (2 * length)) - 1}:
                for along in (low[axis] + edge, low[axis] + edge + 1):
                    cells_passed.add((across, along) if axis else (along, across))
    return cells_passed


def open_way(areas: Mapping[str, tuple[Cell, ...]], one: str, other: str) -> tuple[Cell, Cell] | None:
    """Return the nearest cells of two countries between which a straight line touches no third country.

    None if there are none; ``areas``: the cells of each country.
    """
    others = (cells for country, cells in areas.items() if country not in (one, other))
    other_land = set[Cell]().union(*others)
    for ends in nearest_cells(areas, one, other):
        if other_land.isdisjoint(passed(*ends)):
            return ends
    return None


def nearest_cells(areas: Mapping[str, tuple[Cell, ...]], one: str, other: str) -> list[tuple[Cell, Cell]]:
    """Return the pairs of cells of two countries, the nearest first: distances of columns and rows add up."""

    def order(ends: tuple[Cell, Cell]) -> tuple[int, tuple[Cell, Cell]]:
        """Return the sort key of a pair of cells: their distance, then the cells themselves."""
        (column, row), (other_column, other_row) = ends
        return abs(column - other_column) + abs(row - other_row), ends

    return sorted(product(areas[one], areas[other]), key=order)
