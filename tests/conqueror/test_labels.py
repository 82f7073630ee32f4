"""Item 37: on no map of Conqueror! does the label of a province hide that of another, or a badge."""

from itertools import combinations, product

import pytest

from gm.game.base.drawing import meet
from gm.game.values import MapView
from gm.games.conqueror.labels import box_of
from gm.games.conqueror.report import Picture
from gm.games.conqueror.spec import SPEC

BARE = 0.2
"""At most this part of the provinces goes without a name."""


@pytest.mark.parametrize("name", sorted(SPEC.maps()))
def test_no_label_hides_another(name: str) -> None:
    """Item 37: and nearly all provinces have a label."""
    table = SPEC.shipped_table(name)
    picture = Picture(table, SPEC.start(table, SPEC.maps()[name], None), MapView())
    boxes = {code: [box_of(label) for label in labels] for code, labels in picture.labels.items()}
    r = picture.badge
    for code, (x, y) in picture.places.items():
        boxes[code].append((x - r, y - 6 - r, x + r, y - 6 + r))
    for one, other in combinations(boxes, 2):
        assert not any(meet(a, b) for a, b in product(boxes[one][:-1], boxes[other])), (one, other)
        assert not any(meet(a, b) for a, b in product(boxes[one], boxes[other][:-1])), (one, other)
    bare = [code for code, labels in picture.labels.items() if not labels]
    assert len(bare) <= BARE * len(picture.places), bare
