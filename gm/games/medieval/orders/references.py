"""References to units in orders, resolved at once or when the order is carried out (O8)."""

from gm.core.diagnostics import says
from gm.core.values import Record

# one unit of a kind, and several of them, in words
KIND_WORDS = {
    "A": (says("an army"), says("armies")),
    "F": (says("a fleet"), says("fleets")),
    "G": (says("a garrison"), says("garrisons")),
}

UNIT_WORDS = {"A": "Army", "F": "Fleet", "G": "Garrison"}
"""The words that may be written instead of a unit's letter: ``Army 1`` is ``A1``."""


class Reference(Record):
    """A unit that an order names.

    A garrison that is named by its province is found when the order is carried out (O8).
    """

    ref: str  # as ``World.unit`` takes it: an id, or a garrison's province, maybe after a realm's code
    label: str  # for people
    kind: str  # its letter
    now: str  # the id or key of the unit that this is at present: equal for a unit that is named twice
