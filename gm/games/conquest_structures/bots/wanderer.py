"""A bot that orders by chance: to try the game against, and to try the rules with."""

from __future__ import annotations

from gm.core.dice import Dice
from gm.game.values import View
from gm.games.conquest_structures.state import is_immobile


def wanderer_lines(view: View) -> list[str]:
    """Each base builds something or nothing; each unit goes to a neighbour or holds."""
    state, rules, board = view.state, view.table.rules, view.table.board
    dice = Dice(view.seed, "wanderer")
    lines = []
    for place in state.owned_by(view.realm):
        if rules.kind_of(place).builds:
            kind = dice("build", place).choice([*rules.units, ""])
            if kind:
                lines.append(f"Build {1 + dice('count', place).below(2)} {kind}@{place}")
    for unit in state.units_of(view.realm):
        if not is_immobile(unit, rules):
            target = dice("move", unit.id).choice(["", *board.neighbours(unit.place)])
            if target:
                lines.append(f"{unit.id} @ {unit.place} > {target}")
    wishes = [f"  - {unit.id}" for unit in state.units_of(view.realm) if dice("wish", unit.id).below(3) == 0]
    return ["orders:", *(f"  - {line}" for line in lines), *(["supply_priority:", *wishes] if wishes else [])]
