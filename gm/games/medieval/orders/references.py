"""References to units in orders, resolved at once or when the order is carried out (O8)."""

from gm.core.diagnostics import says
from gm.core.values import Record

KIND_WORDS = {
    "A": (says("an army"), says("armies")),
    "F": (says("a fleet"), says("fleets")),
    "G": (says("a garrison"), says("garrisons")),
}

UNIT_WORDS = {"A": "Army", "F": "Fleet", "G": "Garrison"}
"""What may stand in the place of a unit's letter: ``Army 1`` is ``A1``."""


class Reference(Record):
    """A named unit: ``ref`` as ``World.unit`` takes it, ``label`` for people, ``kind`` its letter.

    A garrison that was named by its province is found when the order is carried out (O8): ``ref`` is that
    province.
    """

    ref: str
    label: str
    kind: str
    now: str  # the unit that it is as the world is now: what is written twice is told by this
