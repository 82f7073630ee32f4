"""What happens in Conqueror!. ``clause`` is the rule behind an event.

Gold, items and stored labour are private (CQ-22.2): events that tell of them have their owner as audience.
"""

from __future__ import annotations

from typing import ClassVar

from gm.core.events import Event


class ComputerPlays(Event):
    """CQ-20.1: from this turn on the computer plays the seat of a player who sends no orders."""

    clause: ClassVar[str] = "CQ-20.1"
    party: str
    missed: int


class Bought(Event):
    """CQ-11: so many of an item for so much gold; ``left`` is what the treasury holds then."""

    clause: ClassVar[str] = "CQ-11.1"
    party: str
    province: str
    item: str
    count: int
    price: int
    left: int


class Improved(Event):
    """CQ-9: something that everybody can see was finished: ``work`` is the item, ``level`` what there is now."""

    clause: ClassVar[str] = "CQ-9.1"
    owner: str
    province: str
    work: str
    level: int


class Moved(Event):
    """CQ-6.4: armies went from one own province to another; the ``number``th order of the turn to be executed."""

    clause: ClassVar[str] = "CQ-6.4"
    number: int
    owner: str
    source: str
    target: str
    armies: int


class Cancelled(Event):
    """CQ-6.5, CQ-6.6: an order that came to nothing when it was its turn; ``why`` is a key of the reasons."""

    clause: ClassVar[str] = "CQ-6.5"
    number: int
    owner: str
    source: str
    target: str
    armies: int
    why: str


class Fought(Event):
    """CQ-7: an attack. ``field`` and ``siege`` are losses of attacker and defender; ``draws`` the duels, in order, each
    written ``14/21``: what was drawn of how much."""

    clause: ClassVar[str] = "CQ-7.1"
    number: int
    owner: str
    source: str
    target: str
    defender: str
    armies: int
    defenders: int
    fort: int
    field: tuple[int, int]
    siege: tuple[int, int]
    draws: tuple[str, ...]
    taken: bool


class Conquered(Event):
    """CQ-7.9: a province changed hands, and so many armies moved in."""

    clause: ClassVar[str] = "CQ-7.9"
    province: str
    owner: str
    formerly: str
    armies: int


class CapitalMoved(Event):
    """CQ-7.11: a capital fell."""

    clause: ClassVar[str] = "CQ-7.11"
    party: str
    formerly: str
    capital: str


class Worked(Event):
    """CQ-9: what a province worked on: it ``made`` so many and brought so much ``gold``; so much labour is ``stored``
    of what the next one needs."""

    clause: ClassVar[str] = "CQ-9.1"
    party: str
    province: str
    item: str
    labour: int
    made: int
    gold: int
    stored: int
    needed: int


class NeutralsBuilt(Event):
    """CQ-18.6: what provinces that nobody owns have raised, by province."""

    clause: ClassVar[str] = "CQ-18.6"
    armies: tuple[tuple[str, int], ...]
    farms: tuple[tuple[str, int], ...]


class WinterPaid(Event):
    """CQ-12.1: what the armies of a player wanted, what they got, and what is left."""

    clause: ClassVar[str] = "CQ-12.1"
    party: str
    due: int
    paid: int
    left: int


class Deserted(Event):
    """CQ-12.5: armies that were not paid went home."""

    clause: ClassVar[str] = "CQ-12.5"
    party: str
    province: str
    armies: int


class Rebelled(Event):
    """CQ-15: rebels against the garrison; ``draw`` is the D4 that was at most ``percent``."""

    clause: ClassVar[str] = "CQ-15.3"
    owner: str
    province: str
    rebels: int
    armies: int
    percent: int
    draw: int
    field: tuple[int, int]
    siege: tuple[int, int]
    draws: tuple[str, ...]
    won: bool
    left: int


class CultureSpread(Event):
    """CQ-16.3: points that a party gained in a province by the culture of another."""

    clause: ClassVar[str] = "CQ-16.3"
    party: str
    source: str
    target: str
    points: int


class RankChanged(Event):
    """CQ-17.2: a player's prestige rose or fell."""

    clause: ClassVar[str] = "CQ-17.2"
    party: str
    title: str
    prestige: int
    rose: bool


class Eliminated(Event):
    """CQ-7.11: a player has no province left."""

    clause: ClassVar[str] = "CQ-7.11"
    party: str
