"""The computer's play of a seat (CQ-18) as an order file."""

from __future__ import annotations

from gm.core.dice import Dice
from gm.game.values import View
from gm.games.conqueror.computer import plan_of
from gm.games.conqueror.state import World


def steward_lines(view: View) -> list[str]:
    """What stands below the head of its file."""
    world: World = view.state
    if not world.owned(view.realm):
        return ["moves: []"]
    ties = Dice(view.seed)("D5 ties", view.turn)
    rules = world.settings.applied(view.table.rules)
    plan = plan_of(world, view.realm, view.table.board.land, rules, ties.below)
    lines = ["moves:"]
    lines += [f"  - {{from: {each.source}, to: {each.target}, armies: {each.armies}}}" for each in plan.moves]
    lines += ["production:", *(f"  {code}: {item}" for code, item in plan.production.items()), "buy:"]
    lines += [f"  - {{province: {each.province}, item: {each.item}, count: {each.count}}}" for each in plan.buy]
    return lines
