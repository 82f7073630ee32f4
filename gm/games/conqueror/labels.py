"""Positions for the names of provinces on the map, so that none hides another."""

from collections.abc import Iterator, Mapping
from itertools import chain, product

from gm.game.base.drawing import Point

Label = tuple[Point, str, str]  # The middle of its base line, the words, their size
Box = tuple[float, float, float, float]  # Left, upper, right and lower end
NAME = 11.5  # size of the letters of a name
CODE = 8.5  # size of the letters of a code
LINE = 11.0  # From a line to the next
WIDE = 0.66  # width of a wide letter, in parts of its size
NARROW = 0.40  # width of a narrow one
SLIM = frozenset("fijlrtI .-'")
EDGE = 1.5  # Of light around letters


def labels_of(provinces: Mapping[str, tuple[Point, list[str]]], badge: float) -> dict[str, list[Label]]:
    """Return the labels of provinces, by code: their positions, with the lines of their names."""
    taken = {
        code: [(x - badge, y - 6 - badge, x + badge, y - 6 + badge)]
        for code, ((x, y), _) in provinces.items()
    }
    labels = {}
    for code, (at, names) in provinces.items():
        other_boxes = list(chain.from_iterable(boxes for other, boxes in taken.items() if other != code))
        labels[code] = next((way for way in _ways(code, at, names, badge) if _free(way, other_boxes)), [])
        taken[code] += [box_of(label) for label in labels[code]]
    return labels


def _ways(code: str, middle: Point, names: list[str], badge: float) -> Iterator[list[Label]]:
    """Yield the possible labels of a province, from the fullest to the shortest."""
    x, y = middle
    own = [] if " ".join(names).upper() == code else [(code, CODE)]
    lines = [(name, NAME) for name in names]
    for texts in ([*lines, *own], lines, [(code, CODE)]):
        below = y + 19
        above = y - 6 - badge - 5 - LINE * (len(texts) - 1)
        wide = max(width_of(words, size) for words, size in texts) / 2 + badge + 3
        for left, top in ((x, below), (x, above), (x + wide, y - 2), (x - wide, y - 2)):
            yield [((left, top + LINE * row), words, f"{size:g}") for row, (words, size) in enumerate(texts)]


def width_of(words: str, size: float) -> float:
    """Return the estimated width of a text, in pixels."""
    return size * sum(NARROW if word in SLIM else WIDE for word in words) + 2 * EDGE


def box_of(label: Label) -> Box:
    """Return the box that a label covers."""
    (x, y), words, size = label
    half = width_of(words, float(size)) / 2
    return x - half, y - 0.8 * float(size), x + half, y + 0.25 * float(size)


def meet(one: Box, other: Box) -> bool:
    """Return whether two boxes overlap."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _free(labels: list[Label], others: list[Box]) -> bool:
    """Return whether labels overlap none of the other boxes."""
    return not any(meet(own, other) for own, other in product(map(box_of, labels), others))
