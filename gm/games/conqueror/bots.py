"""The bots of Conqueror!: one for each profile, the steward, and a random one.

The steward plays nearly as the computer player of the rules does (CQ-18).
"""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import starmap

from gm.core.dice import Dice, Stream
from gm.game.bots import BaseBot
from gm.game.values import Bot, View
from gm.games.conqueror import tempers
from gm.games.conqueror.computer import plan_of
from gm.games.conqueror.orders import ALL
from gm.games.conqueror.rehearsal import Rehearsal
from gm.games.conqueror.rules import TAXES
from gm.games.conqueror.state import Move, Orders, Purchase, Work, World

MOVES = 7  # So many moves the random bot tries at most: more than the rules allow, at times


def steward_lines(view: View) -> list[str]:
    """Return the lines of a steward's order file below its head; without a province it orders nothing."""
    world: World = view.state
    if not world.owned(view.realm):
        return ["moves: []"]
    ties = Dice(view.seed)("D5 ties", view.turn)
    rules = world.settings.applied(view.table.rules)
    return lines_of(plan_of(world, view.realm, view.table.board, rules, ties.below, thrifty=True))


def random_lines(view: View) -> list[str]:
    """Return the lines of a random order file below its head; not all of them can be carried out."""
    world: World = view.state
    chance = Dice(view.seed)("chance", view.turn)
    everywhere = list(world.provinces)
    own = [province.code for province in world.owned(view.realm)] or everywhere
    items = list(view.table.rules.items)
    moves = _random_moves(chance, own, everywhere, view.table.board.neighbours)
    works_by_province: dict[str, str] = {}
    for _ in range(chance.below(4)):
        item = chance.choice(items)
        works_by_province[chance.choice([*own, *(move.target for move in moves)])] = item
    purchases: list[Purchase] = []
    for _ in range(chance.below(3)):
        item = chance.choice([name for name in items if name != TAXES])
        purchases.append(Purchase(chance.choice(own), item, 1 + chance.below(2)))
    # mostly None: no order about what reports show
    shows_moves = chance.below(2) == 1 if chance.below(5) == 0 else None
    works = tuple(starmap(Work, works_by_province.items()))
    return lines_of(Orders(tuple(moves), works, tuple(purchases), shows_moves))


def _random_moves(
    chance: Stream, own: Sequence[str], everywhere: Sequence[str], neighbours: Mapping[str, Sequence[str]]
) -> list[Move]:
    """Return random moves, about one in eight of them from a province of anybody."""
    moves: list[Move] = []
    for _ in range(chance.below(MOVES + 1)):
        source = chance.choice(own if chance.below(8) else everywhere)
        target = chance.choice(neighbours[source])
        everything = chance.below(4) == 0
        moves.append(Move(source, target, 0 if everything else 1 + chance.below(4), everything=everything))
    return moves


def lines_of(orders: Orders) -> list[str]:
    """Return orders as lines of a file."""
    moves = ((move, ALL if move.everything else move.armies) for move in orders.moves)
    # no line or one about what reports show
    shows = [] if orders.show_moves is None else [str(orders.show_moves).lower()]
    return [
        "moves:",
        *(f"  - {{from: {move.source}, to: {move.target}, armies: {armies}}}" for move, armies in moves),
        "production:",
        *(f"  {work.province}: {work.item}" for work in orders.production),
        "buy:",
        *(
            f"  - {{province: {purchase.province}, item: {purchase.item}, count: {purchase.count}}}"
            for purchase in orders.buy
        ),
        *(f"report: {{show_internal_moves: {show}}}" for show in shows),
    ]


def temper_lines(name: str, view: View) -> list[str]:
    """Return the lines of the order file of the bot with the profile ``name``, below its head.

    Without a province it orders nothing. Only the sovereign tries out several plans, and only in a game of
    two.
    """
    if not view.state.owned(view.realm):
        return ["moves: []"]
    rehearses = name == "sovereign" and len(view.state.parties) == tempers.DUEL
    return lines_of(Rehearsal(view).orders() if rehearses else tempers.plan_of(name, view))


_STEWARD = (
    "plays as the rules let the computer play a seat, but pays winter first: farms, armies, sure attacks"
)
BOTS: Mapping[str, Bot] = {
    **{
        name: BaseBot(name, temper.about, partial(temper_lines, name))
        for name, temper in tempers.tempers().items()
    },
    "steward": BaseBot("steward", _STEWARD, steward_lines),
    "random": BaseBot("random", "moves, builds and buys by chance", random_lines),
}
