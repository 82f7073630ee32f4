"""How fast the odds are: the whole command, and how many are fought in one P without it."""

from __future__ import annotations

import random
import time

from bench.table import Budget, Table
from bench.timing import Timing, empty_p, gm, median
from gm.game.answers import OddsQuestion
from gm.games.medieval.analysis.odds.trials import Trials
from gm.games.medieval.analysis.odds.typed_field import typed_setup
from gm.games.medieval.data.rules import Rules

BATTLES = {
    "20 v 20": "20 Heavy Infantry vs 20 Heavy Infantry",
    "20 v 20 archers": "20 Longbowmen vs 20 Longbowmen",
    "20 v 20 in ranks, led": (
        "9 Heavy Infantry, 10 Archers r2, leader 46 vs 10 Men-at-Arms, 9 Archers r2, leader 20"
    ),
    "20 v 20, two units each": "10 Heavy Infantry; 10 Heavy Infantry vs 10 Heavy Infantry; 10 Heavy Infantry",
    "20 v 20, two allies": "10 Heavy Infantry and 10 Heavy Infantry vs 20 Heavy Infantry",
}
BUDGET = Budget(49, 980, "/P", least=True)
"""Fights in one P that there must be when two fight 20 v 20."""
ALLIED = " and "
"""Stands between allied parties on a side."""


def whole_command(runs: int) -> Timing:
    """Return the timing of ``pbem odds`` with as many fights as it does by itself."""
    return median(lambda: gm("odds", "20 Heavy Infantry", "vs", "20 Heavy Infantry"), runs)


def fights_in_p(forces: str, rules: Rules, fights: int = 3000) -> float:
    """Return how many fights of a battle are fought in one P, by the processor's time.

    ``forces``: both sides as ``pbem odds`` takes them. The first fight counts, too.
    """
    setup = typed_setup(OddsQuestion(forces=forces, fights=fights), rules, None)
    trials = Trials(setup.turn, setup.battle, random.Random("bench").random)  # noqa: S311 - nothing is at stake
    start = time.process_time()
    trials.run(fights)
    seconds = time.process_time() - start
    return fights / seconds * empty_p()


def show_odds(rules: Rules, table: Table) -> None:
    """Print a line for each battle.

    Allied parties on a side fight on a slower way: no budget is set for them.
    """
    for name, forces in BATTLES.items():
        speeds = [fights_in_p(forces, rules) for _ in range(3)]
        budget = None if ALLIED in forces else BUDGET
        table.figures_of(f"odds, {name}", speeds, "/P", budget)
