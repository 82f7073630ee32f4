"""A bot that plays by chance, and not always what can be done: for trying a game, and for tests."""

from __future__ import annotations

from gm.core.dice import Dice
from gm.game.values import View
from gm.games.conqueror.rules import TAXES, Rules
from gm.games.conqueror.state import World

MOVES = 7
"""More than the rules allow, at times."""


def chance_lines(view: View) -> list[str]:
    """What stands below the head of its file."""
    world: World = view.state
    rules: Rules = view.table.rules
    neighbours = view.table.board.land.neighbours
    chance = Dice(view.seed)("chance", view.turn)
    every = list(world.provinces)
    own = [each.code for each in world.owned(view.realm)] or every
    items = list(rules.items)

    def of(some: list[str]) -> str:
        return some[chance.below(len(some))]

    lines = ["moves:"]
    targets = []
    for _ in range(chance.below(MOVES + 1)):
        source = of(own if chance.below(8) else every)
        target = of(list(neighbours[source]))
        targets.append(target)
        armies = "all" if chance.below(4) == 0 else str(1 + chance.below(4))
        lines.append(f"  - {{from: {source}, to: {target}, armies: {armies}}}")
    lines.append("production:")
    told: dict[str, str] = {}
    for _ in range(chance.below(4)):
        told[of([*own, *targets])] = of(items)
    lines += [f"  {code}: {item}" for code, item in told.items()]
    lines.append("buy:")
    for _ in range(chance.below(3)):
        item = of([name for name in items if name != TAXES])
        lines.append(f"  - {{province: {of(own)}, item: {item}, count: {1 + chance.below(2)}}}")
    if chance.below(5) == 0:
        lines.append(f"report: {{show_internal_moves: {'true' if chance.below(2) else 'false'}}}")
    return lines
