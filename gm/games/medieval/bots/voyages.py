"""The way of a fleet to a landing, and the orders for it (M3, M4, M8)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from gm.games.medieval.bots.groups import Group, Shares
from gm.games.medieval.bots.offensive import Approach
from gm.games.medieval.bots.sheet import UnitSheet
from gm.games.medieval.state import Unit


class Voyage(NamedTuple):
    """A fleet's way to a landing."""

    unit: Unit  # the fleet, or the garrison whose ships form one
    room: int  # the weight of the troops that can board
    spare: int  # the move-points that are left to wait before the landing
    target: str
    seas_before: tuple[str, ...]  # that it sails before it loads the group
    seas_after: tuple[str, ...]  # that it sails then
    group: Group | None = None  # None if armies are aboard already

    @property
    def arrival(self) -> int:
        """The first phase in which it can land: it loads, then sails, then lands (M3, M4, M8)."""
        return len(self.seas_before) + max(1, len(self.seas_after))

    @property
    def sails(self) -> int:
        """The number of seas that it sails."""
        return len(self.seas_before) + len(self.seas_after)

    def holds(self, phase: int) -> int:
        """Return how often it has to hold for a landing in that phase.

        A fleet that does not sail after loading unloads in the phase of its last hold (O6.1).
        """
        loads_in_own_phase = self.group is not None and not self.seas_after
        return phase - self.sails - loads_in_own_phase if phase > self.arrival else 0


Party = tuple[Voyage | Approach, Shares]  # a way, and the troops of its group that go
Taken = Mapping[tuple[str, str], int]  # by unit key and type: how many troops go with other voyages


def is_chosen(unit: Unit, parties: Iterable[Party]) -> bool:
    """Return whether one of these voyages is that of the ``unit``, a fleet or a garrison with ships."""
    return any(unit is way.unit for way, _ in parties if isinstance(way, Voyage))


def take(taken: Counter[tuple[str, str]], shares: Shares) -> None:
    """Add these troops to those that are ``taken``: how many by (unit's key, type)."""
    for key, counts in shares.items():
        taken.update({(key, name): count for name, count in counts.items()})


def order_way(orders: UnitSheet, voyage: Voyage, armies: Sequence[str]) -> None:
    """Order a fleet to sail to its armies, load them, sail to the target's shore, and land them.

    Without a group the armies are aboard already, and are not loaded. ``orders``: those of the fleet;
    ``armies``: the armies' ids.
    """
    for sea in voyage.seas_before:
        orders.then("sail", sea)
    if voyage.group is not None:
        orders.then("load", armies)
    for sea in voyage.seas_after:
        orders.then("sail", sea)
    orders.then("unload", dict.fromkeys(armies, voyage.target), "all at once, by surprise")
