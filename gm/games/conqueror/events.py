"""The events of Conqueror!.

``clause`` is the rule behind an event. Gold, items and stored labour are private (CQ-22.2): events about them
have their owner as audience.
"""

from gm.core.values import Event


class ComputerPlays(Event, clause="CQ-20.1"):
    """CQ-20.1: from this turn on the computer plays the seat of a player who sends no orders."""

    party: str
    missed: int  # The turns in a row without orders


class Bought(Event, clause="CQ-11.1"):
    """CQ-11: a purchase of ``count`` items for gold; ``left`` is the rest of the treasury."""

    party: str
    province: str
    item: str
    count: int
    price: int
    left: int


class Improved(Event, clause="CQ-9.1"):
    """CQ-9: something public was finished: a farm, works or culture.

    ``work``: the item; ``level``: the new population, or the new level of works or culture.
    """

    owner: str
    province: str
    work: str
    level: int


class Executed(Event):
    """CQ-6.3: the fate of a move, by any player, that was the ``number``th of the turn to be executed."""

    number: int
    owner: str
    source: str
    target: str


class Moved(Executed, clause="CQ-6.4"):
    """CQ-6.4: armies went from one own province to another."""

    armies: int


class Cancelled(Executed, clause="CQ-6.5"):
    """CQ-6.5, CQ-6.6: a move failed when it was its turn; ``why`` is a key of the game's reasons."""

    armies: int
    why: str


class Fought(Executed, clause="CQ-7.1"):
    """CQ-7: an attack, the ``number``th move of the turn to be executed.

    ``owner``: the attacker; ``defender``: the owner of the target, or ``neutral``; ``armies``: the attackers;
    ``defenders``: the armies in the target; ``fort``: the level of its works; ``field``: the losses of
    attacker and defender in the field; ``siege``: their losses in the siege; ``draws``: the duels, ``14/21``
    each: the number drawn, of so many; ``taken``: whether the attacker takes the province.
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
    """CQ-7.9: a province was conquered by ``owner``, whose ``armies`` moved in.

    ``formerly``: the owner before, or ``neutral``.
    """

    province: str
    owner: str
    formerly: str
    armies: int


class CapitalMoved(Event, clause="CQ-7.11"):
    """CQ-7.11: a player's capital, ``formerly``, fell, and another province became the capital."""

    party: str
    formerly: str
    capital: str


class Worked(Event, clause="CQ-9.1"):
    """CQ-9: a province's work of a turn.

    ``labour``: that of this turn; ``made``: how many of the item were finished; ``gold``: the taxes, or the
    labour left over from an item that is made once only; ``stored``: the labour stored for the next one;
    ``needed``: the labour that the next one needs.
    """

    party: str
    province: str
    item: str
    labour: int
    made: int
    gold: int
    stored: int
    needed: int


class NeutralsBuilt(Event, clause="CQ-18.6"):
    """CQ-18.6: armies and farms of provinces without an owner, as (province, how many were made)."""

    armies: tuple[tuple[str, int], ...]
    farms: tuple[tuple[str, int], ...]


class WinterPaid(Event, clause="CQ-12.1"):
    """CQ-12.1: a player's armies were paid for the winter.

    ``due``: the gold that they claimed; ``paid``: what they got; ``left``: the gold left in the treasury.
    """

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
    """CQ-15: a province rebelled.

    ``armies``: the garrison; ``percent``: the chance of a rebellion; ``draw``: the D4, from 1 to 100, that
    was at most ``percent``; ``field`` and ``siege``: the losses of rebels and garrison in the field and in
    the siege; ``draws``: the duels, ``14/21`` each; ``won``: whether the rebels won; ``left``: the rebels
    left.
    """

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
    """CQ-16.3: ``party`` gained influence in ``target`` by the culture of its own province ``source``."""

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
