"""Countries made of cells on a grid: their order, neighbours, straight ways over the sea between them."""

import re
from collections.abc import Mapping
from itertools import product

SEA = ".."
COUNTRY = re.compile(r"[A-Z][1-9][0-9]*")

Cell = tuple[int, int]  # Column and row, counted from 0: cells sort by column, then row (CN-4.15)
Pair = tuple[str, str]  # Two countries, the lower first


def rank(country: str) -> tuple[str, int]:
    """Return the order of countries: by continent, then by number, so that A2 comes before A10."""
    return country[:1], int(country[1:])


def pair(one: str, other: str) -> Pair:
    """Return two countries as a pair, the lower first."""
    return (one, other) if rank(one) < rank(other) else (other, one)


def beside(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """Return the four cells next to one, also those outside the grid (CN-4.2)."""
    column, row = cell
    return (column - 1, row), (column, row - 1), (column, row + 1), (column + 1, row)


def borders_of(areas: Mapping[str, tuple[Cell, ...]]) -> frozenset[Pair]:
    """Return the pairs of countries with neighbouring cells (CN-4.9)."""
    owners = owners_of(areas)
    borders = set[Pair]()
    for cell, country in owners.items():
        neighbours = {owners.get(other, country) for other in beside(cell)} - {country}
        borders.update(pair(country, neighbour) for neighbour in neighbours)
    return frozenset(borders)


def owners_of(areas: Mapping[str, tuple[Cell, ...]]) -> dict[Cell, str]:
    """Return the country of each cell."""
    owners: dict[Cell, str] = {}
    for country, cells in areas.items():
        owners |= dict.fromkeys(cells, country)
    return owners


def passed(start: Cell, end: Cell) -> set[Cell]:
    """Return the cells that the straight line between the middles of two touches, also at a corner."""
    cells_passed = {start, end}
    for axis in (0, 1):
        low, high = sorted((start, end), key=lambda cell: cell[axis])
        wide = high[axis] - low[axis]
        up = high[1 - axis] - low[1 - axis]
        for edge in range(wide):
            # where the line crosses the edge between two columns (or rows), in units of 1 / (2 * wide)
            at = 2 * wide * low[1 - axis] + (2 * edge + 1) * up + wide
            for across in {at // (2 * wide), -(-at // (2 * wide)) - 1}:
                for along in (low[axis] + edge, low[axis] + edge + 1):
                    cells_passed.add((across, along) if axis else (along, across))
    return cells_passed


def open_way(areas: Mapping[str, tuple[Cell, ...]], one: str, other: str) -> tuple[Cell, Cell] | None:
    """Return the nearest cells of two countries between which a straight line touches no third.

    None if there are none.
    """
    land = set[Cell]().union(*(cells for country, cells in areas.items() if country not in (one, other)))
    return next((ends for ends in nearest_cells(areas, one, other) if land.isdisjoint(passed(*ends))), None)


def nearest_cells(areas: Mapping[str, tuple[Cell, ...]], one: str, other: str) -> list[tuple[Cell, Cell]]:
    """Return the pairs of cells of two countries, the nearest first."""
    pairs = product(areas[one], areas[other])
    return sorted(pairs, key=lambda pair: (abs(pair[0][0] - pair[1][0]) + abs(pair[0][1] - pair[1][1]), pair))
