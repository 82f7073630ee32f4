"""The bots of CONQUEST 0.0.2: two with a profile, the marshal, who plans by three, and a random one."""

from collections.abc import Mapping
from functools import partial

from gm.core.dice import Dice
from gm.game.bots import BaseBot
from gm.game.values import Bot, View
from gm.games.conquest_structures.orders import Orders
from gm.games.conquest_structures.planning import Plan, Temper, written
from gm.games.conquest_structures.rehearsal import Breadth, Marshal

RAIDER = Temper(worth={"home": 12, "city": 8, "refinery": 5, "base": 4}, caution=0.0, tanks=0.4, whim=0.5)
WARDEN = Temper(worth={"home": 9, "city": 8, "refinery": 7, "base": 4}, caution=1.0, tanks=0.9, whim=0.3)
BOLD = Temper(worth={"home": 14, "city": 9, "refinery": 6, "base": 3}, caution=0.4, tanks=0.7, whim=0.6)
TEMPERS = (WARDEN, BOLD, RAIDER)
DUEL_BREADTH = Breadth(8, 6)  # Against one other player
BREADTH = Breadth(6, 4)  # Against more


def marshal_lines(view: View) -> list[str]:
    """Return the lines of the marshal's order file below its head."""
    breadth = DUEL_BREADTH if len(view.state.living) <= 2 else BREADTH
    return _lines(Marshal(view, TEMPERS, breadth).orders())


def plain_lines(temper: Temper, view: View) -> list[str]:
    """Return the lines of the order file of a bot with this profile, below its head."""
    return _lines(Plan(view.table, view.state, view.realm, temper, Dice(view.seed)("plan")).orders())


def _lines(orders: Orders) -> list[str]:
    return ["orders:", *(f"  - {written(line)}" for line in orders.lines)]


def random_lines(view: View) -> list[str]:
    """Return the lines of a random order file below its head.

    Each base builds one or two units of a type, or nothing. Each unit that can move goes to a neighbour or
    holds. About a third of the units are supplied first.
    """
    state = view.state
    rules = view.table.rules
    board = view.table.board
    dice = Dice(view.seed, "wanderer")
    lines = []
    for place in state.bases(view.realm, rules):
        kind = dice("build", place).choice([*rules.units, ""])
        if kind:
            lines.append(f"  - Build {1 + dice('count', place).below(2)} {kind}@{place}")
    for unit in state.units_of(view.realm):
        if unit.immobile(rules):
            continue
        target = dice("move", unit.id).choice(("", *board.neighbours(unit.place)))
        if target:
            lines.append(f"  - {unit.id} @ {unit.place} > {target}")
    supplied_first = [
        f"  - {unit.id}" for unit in state.units_of(view.realm) if dice("wish", unit.id).below(3) == 0
    ]
    if supplied_first:
        return ["orders:", *lines, "supply_priority:", *supplied_first]
    return ["orders:", *lines]


_RAIDER = "goes for whatever is weakly held, wherever it is, and leaves little at home"
_WARDEN = "keeps a guard on what is worth it, builds tanks, and takes what it can take without risk"
_MARSHAL = "weighs several plans against what the others may do, and is not found out easily: the strongest"
BOTS: Mapping[str, Bot] = {
    "warden": BaseBot("warden", _WARDEN, partial(plain_lines, WARDEN)),
    "raider": BaseBot("raider", _RAIDER, partial(plain_lines, RAIDER)),
    "marshal": BaseBot("marshal", _MARSHAL, marshal_lines),
    "random": BaseBot("random", "builds and moves by chance", random_lines),
}
