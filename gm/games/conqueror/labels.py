"""Positions for the names of provinces on the map, so that none hides another."""

from collections.abc import Iterator, Mapping
from itertools import product

from gm.game.base.drawing import Box, Point, meet

Label = tuple[Point, str, str]  # (middle of its base line, words, size of the letters)
NAME = 11.5  # Size of the letters of a name
CODE = 8.5  # Size of the letters of a code
LINE = 11.0  # From a line to the next
WIDE = 0.66  # Width of a wide letter, in parts of its size
NARROW = 0.40  # Width of a narrow one
SLIM = frozenset("fijlrtI .-'")  # The narrow letters
EDGE = 1.5  # Width of the light edge around letters
ABOVE = 0.8  # How far letters reach above their base line, in parts of their size
BELOW = 0.25  # How far they reach below it
RAISED = 6  # How far the middle of a badge is above that of its province


def labels_of(provinces: Mapping[str, tuple[Point, list[str]]], badge: float) -> dict[str, list[Label]]:
    """Return the labels of each province, by code: one for each line of text; none if there is no room.

    ``provinces``: the middle and the lines of the name of each, by code; ``badge``: half the width of the
    badge with the armies, which no label hides.
    """
    boxes_of_province = {
        code: [(x - badge, y - RAISED - badge, x + badge, y - RAISED + badge)]
        for code, ((x, y), _) in provinces.items()
    }
    labels = {}
    for code, (at, names) in provinces.items():
        other_boxes = [box for other, boxes in boxes_of_province.items() if other != code for box in boxes]
        candidates = _candidates(code, at, names, badge)
        labels[code] = next((lines for lines in candidates if _is_free(lines, other_boxes)), [])
        boxes_of_province[code] += [box_of(label) for label in labels[code]]
    return labels


def _candidates(code: str, middle: Point, names: list[str], badge: float) -> Iterator[list[Label]]:
    """Yield the possible labels of a province, from the fullest to the shortest.

    They are name and code, the name, or the code alone; each below, above, right and left of its badge.
    ``names``: the lines of its name; ``badge``: half the width of the badge.
    """
    x, y = middle
    code_lines = [] if " ".join(names).upper() == code else [(code, CODE)]
    lines = [(name, NAME) for name in names]
    for texts in ([*lines, *code_lines], lines, [(code, CODE)]):
        # base lines of the first text, some pixels from the badge
        below = y + 19
        above = y - RAISED - badge - 5 - LINE * (len(texts) - 1)
        aside = max(width_of(words, size) for words, size in texts) / 2 + badge + 3
        for centre, top in ((x, below), (x, above), (x + aside, y - 2), (x - aside, y - 2)):
            yield [
                ((centre, top + LINE * row), words, f"{size:g}") for row, (words, size) in enumerate(texts)
            ]


def width_of(words: str, size: float) -> float:
    """Return the estimated width of a text, in pixels."""
    return size * sum(NARROW if letter in SLIM else WIDE for letter in words) + 2 * EDGE


def box_of(label: Label) -> Box:
    """Return the box that a label covers."""
    (x, y), words, size = label
    half = width_of(words, float(size)) / 2
    return x - half, y - ABOVE * float(size), x + half, y + BELOW * float(size)


def _is_free(labels: list[Label], others: list[Box]) -> bool:
    """Return whether labels overlap none of the other boxes."""
    return not any(meet(own, other) for own, other in product(map(box_of, labels), others))
