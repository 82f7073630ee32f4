"""How fast the odds are: the whole command, and fights a second without it."""

from __future__ import annotations

import random
import statistics
import time

from bench.table import Budget, Table
from bench.timing import Timing, gm, median
from gm.game.answers import OddsQuestion
from gm.games.medieval.analysis.odds.trials import Trials
from gm.games.medieval.analysis.odds.typed import typed_setup
from gm.games.medieval.data.rules import Rules

BATTLES = {
    "20 v 20": "20 Heavy Infantry vs 20 Heavy Infantry",
    "20 v 20 archers": "20 Longbowmen vs 20 Longbowmen",
    "20 v 20 in ranks, led": "9 Heavy Infantry, 10 Archers r2, leader 46 vs 10 Men-at-Arms, 9 Archers r2, leader 20",
    "20 v 20, two units each": "10 Heavy Infantry; 10 Heavy Infantry vs 10 Heavy Infantry; 10 Heavy Infantry",
    "20 v 20, two allies": "10 Heavy Infantry and 10 Heavy Infantry vs 20 Heavy Infantry",
}
BUDGET = Budget(5_000, 100_000, "/s", least=True)
"""Fights a second and core that there must be when two fight 20 v 20."""


def whole_command(runs: int) -> Timing:
    """``pbem odds`` with as many fights as it does by itself."""
    return median(lambda: gm("odds", "20 Heavy Infantry", "vs", "20 Heavy Infantry"), runs)


def fights_a_second(forces: str, rules: Rules, fights: int = 3000) -> float:
    """Of this battle, from the first fight on, by the time that the processor gave to it."""
    setup = typed_setup(OddsQuestion(forces=forces, fights=fights), rules, None)
    trials = Trials(setup.turn, setup.battle, random.Random("bench").random)  # noqa: S311 - nothing is at stake
    start = time.process_time()
    trials.run(fights)
    return fights / (time.process_time() - start)


def show_odds(rules: Rules, table: Table) -> None:
    """A line for each battle. Allied parties on a side fight on a slower way: no budget is set for them."""
    for name, forces in BATTLES.items():
        speed = statistics.median(fights_a_second(forces, rules) for _ in range(3))
        table.figure(f"odds, {name}", speed, "/s", None if " and " in forces else BUDGET)
