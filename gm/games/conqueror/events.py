"""The events of Conqueror!.

``clause`` is the rule behind an event. Gold, items and stored labour are private (CQ-22.2): events about them
have their owner as audience.
"""

from gm.core.values import Event


class ComputerPlays(Event, clause="CQ-20.1"):
    """CQ-20.1: from this turn on the computer plays the seat of a player who sends no orders."""

    party: str
    missed: int


class Bought(Event, clause="CQ-11.1"):
    """CQ-11: a purchase of ``count`` items for gold; ``left`` is the rest of the treasury."""

    party: str
    province: str
    item: str
    count: int
    price: int
    left: int


class Improved(Event, clause="CQ-9.1"):
    """CQ-9: something public was finished: ``work`` is the item, ``level`` its new level."""

    owner: str
    province: str
    work: str
    level: int


class Executed(Event):
    """CQ-6.3: the ``number``th order of the turn to be executed."""

    number: int
    owner: str
    source: str
    target: str


class Moved(Executed, clause="CQ-6.4"):
    """CQ-6.4: armies went from one own province to another."""

    armies: int


class Cancelled(Executed, clause="CQ-6.5"):
    """CQ-6.5, CQ-6.6: an order failed when it was its turn; ``why`` is a key of the reasons."""

    armies: int
    why: str


class Fought(Executed, clause="CQ-7.1"):
    """CQ-7: an attack.

    ``field``, ``siege``: losses of attacker and defender; ``draws``: the duels, ``14/21`` each.
    """

    defender: str
    armies: int
    defenders: int
    fort: int
    field: tuple[int, int]
    siege: tuple[int, int]
    draws: tuple[str, ...]
    taken: bool


class Conquered(Event, clause="CQ-7.9"):
    """CQ-7.9: a province changed hands, and armies moved in."""

    province: str
    owner: str
    formerly: str
    armies: int


class CapitalMoved(Event, clause="CQ-7.11"):
    """CQ-7.11: a capital fell."""

    party: str
    formerly: str
    capital: str


class Worked(Event, clause="CQ-9.1"):
    """CQ-9: a province's work: the item, what was finished, its gold; ``stored``: labour for the next one."""

    party: str
    province: str
    item: str
    labour: int
    made: int
    gold: int
    stored: int
    needed: int


class NeutralsBuilt(Event, clause="CQ-18.6"):
    """CQ-18.6: armies that unowned provinces raised, by province."""

    armies: tuple[tuple[str, int], ...]
    farms: tuple[tuple[str, int], ...]


class WinterPaid(Event, clause="CQ-12.1"):
    """CQ-12.1: the pay that a player's armies claimed, what they got, and the gold that is left."""

    party: str
    due: int
    paid: int
    left: int


class Deserted(Event, clause="CQ-12.5"):
    """CQ-12.5: armies that were not paid went home."""

    party: str
    province: str
    armies: int


class Rebelled(Event, clause="CQ-15.3"):
    """CQ-15: rebels against the garrison; ``draw`` is the D4 that was at most ``percent``."""

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


class CultureSpread(Event, clause="CQ-16.3"):
    """CQ-16.3: points that a party gained in a province by the culture of another."""

    party: str
    source: str
    target: str
    points: int


class RankChanged(Event, clause="CQ-17.2"):
    """CQ-17.2: a player's prestige rose or fell."""

    party: str
    title: str
    prestige: int
    rose: bool


class Eliminated(Event, clause="CQ-7.11"):
    """CQ-7.11: a player has no province left."""

    party: str
