"""The realms' colours on the map of Europe: everybody tells neighbours apart, red-green blind or not."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import dist

import pytest

from gm.games.medieval.report.map_drawing import INDEPENDENT
from tests.medieval.europeland import europe, europe_world

Colour = tuple[float, float, float]
Matrix = tuple[Colour, Colour, Colour]

SIGHTS: dict[str, Matrix] = {
    "full sight": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
}
"""What is left of linear red, green and blue, after Machado, Oliveira and Fernandes (2009), severity 1."""
XYZ: Matrix = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
WHITE = (0.9505, 1.0, 1.089)
APART = {1: 27.0, 2: 27.0, 3: 22.0, 4: 16.0, 5: 13.0}
"""How far apart in CIE L*a*b* the colours of realms must be whose lands are so many borders apart."""
FAR_APART = 6.0
FROM_PAPER = 34.0


def seen(colour: str, sight: str) -> Colour:
    """A colour in L*a*b* as somebody with this sight sees it."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels]
    left = [min(1.0, max(0.0, each)) for each in _times(SIGHTS[sight], linear)]
    x, y, z = (_curve(each / white) for each, white in zip(_times(XYZ, left), WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _times(matrix: Matrix, vector: list[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def _curve(value: float) -> float:
    return value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116


@cache
def borders_between(a: str, b: str) -> int:
    """How many borders lie between the nearest lands of two realms, by land and sea."""
    goal = {land.name for land in europe_world().owned_by(b)}
    reached = {land.name for land in europe_world().owned_by(a)}
    steps = 0
    while not reached & goal:
        reached |= {other for name in reached for other in europe().open_neighbours(name)}
        steps += 1
    return steps


@pytest.mark.parametrize("sight", SIGHTS)
def test_realms_that_will_meet_have_colours_that_are_told_apart(sight: str) -> None:
    colours = {code: seen(seat.colour, sight) for code, seat in europe().realms.items()}
    alike = [
        (a, b, round(dist(colours[a], colours[b])), borders_between(a, b))
        for a, b in combinations(colours, 2)
        if dist(colours[a], colours[b]) < APART.get(borders_between(a, b), FAR_APART)
    ]
    assert alike == []


@pytest.mark.parametrize("sight", SIGHTS)
def test_no_realm_looks_like_independent_land(sight: str) -> None:
    paper = seen(INDEPENDENT, sight)
    assert [code for code, seat in europe().realms.items() if dist(seen(seat.colour, sight), paper) < FROM_PAPER] == []


def test_black_and_white_are_a_hundred_apart_for_everybody() -> None:
    for sight in SIGHTS:
        assert dist(seen("#000000", sight), seen("#ffffff", sight)) == pytest.approx(100, abs=0.5)
