"""The figures behind what reports of CONQUEST 0.0.2 tell of the game itself (templates/conquest-structures/)."""

from typing import Any

from gm.game.base.hooks import Scene
from gm.games.conquest_structures.drawing import NEUTRAL_COLOUR
from gm.games.conquest_structures.rules import Board, Rules
from gm.games.conquest_structures.state import NEUTRAL, Conquest, cities


def values(scene: Scene) -> dict[str, Any]:
    """What the template asks for by name."""
    state, rules, board, code = scene.after, scene.table.rules, scene.table.board, scene.code
    possible = possible_lines(rules, board, state, code)
    builds, moves = ([each for each in possible if sign in each] for sign in ("Build", ">"))
    return {
        "NEUTRAL": NEUTRAL,
        "NEUTRAL_COLOUR": NEUTRAL_COLOUR,
        "cities": len(cities(board, rules)),
        "examples": [*builds[:2], *moves[:3]],
    }


def possible_lines(rules: Rules, board: Board, state: Conquest, code: str) -> list[str]:
    """Lines that would be carried out as things stand, the holding ones apart: builds first, then moves."""
    _, _, free = state.capacity(code, rules)
    affordable = [name.capitalize() for name, kind in rules.units.items() if kind.popcap <= free]
    builds = [f"Build 1 {name}@{place}" for place in state.bases(code, rules) for name in affordable]
    return builds + [f"{place} > {other}" for place in state.mobile(code, rules) for other in board.neighbours(place)]
