"""The figures behind what reports of Conquestination tell of the game itself (templates/conquestination/)."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from gm.game.base.hooks import Scene
from gm.games.conquestination.battle import compared
from gm.games.conquestination.rules import Attack, Rules
from gm.games.conquestination.state import Campaign, continent_bonus


def values(scene: Scene) -> dict[str, Any]:
    """What the template asks for by name."""
    state: Campaign = scene.after
    code, board = scene.code, scene.table.board
    rules: Rules = scene.table.rules
    held = state.held(code)
    first = held[0] if held else board.countries[0]
    # an attack that could be made, from where most units stand
    attacks = (
        (-state.countries[source].units, source, target)
        for source in held
        for target in board.neighbours[source]
        if state.countries[target].owner != code
    )
    _, source, target = min(attacks, default=(0, first, next(iter(board.neighbours[first]), first)))

    return {
        "held": held,
        "whole": lambda owner: [board.continents[letter] for letter in board.whole(state.held(owner))],
        "losses": lambda *dice: compared(*(map(int, each.split()) for each in dice)),
        "bonus": lambda letter: continent_bonus(len(board.continent(letter)), rules.reinforcement),
        "first": first,
        "source": source,
        "target": target,
        "odds": lambda: odds(rules.attack),
    }


def odds(rules: Attack) -> Iterator[list[str]]:
    """For each number of dice on both sides how often the defender, each, the attacker loses units."""
    for attack, defence in product(range(1, rules.max_attack_dice + 1), range(1, rules.max_defence_dice + 1)):
        rolls = product(range(1, rules.die + 1), repeat=attack + defence)
        outcomes = [compared(dice[:attack], dice[attack:]) for dice in rolls]
        lost, killed = zip(*outcomes, strict=True)
        counts = lost.count(0), outcomes.count((1, 1)), killed.count(0)
        shares = (f"{100 * count / len(outcomes):.1f}%" if count else "–" for count in counts)
        yield [f"{attack} against {defence}", *shares]
