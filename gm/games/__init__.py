"""The games that this program knows, by name. A game is imported when it is asked for, not before."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gm.game.spec import GameSpec

GAMES = {
    "medieval": "gm.games.medieval.spec",
    "conquest-structures": "gm.games.conquest_structures.spec",
    "conquest-fields": "gm.games.conquest_fields.spec",
    "conquestination": "gm.games.conquestination.spec",
    "conqueror": "gm.games.conqueror.spec",
}
"""A game's name and the module whose ``SPEC`` describes it."""


def game_spec(name: str) -> "GameSpec[Any]":
    """The game of this name. Raises ``KeyError`` when there is none."""
    spec: GameSpec[Any] = import_module(GAMES[name]).SPEC
    return spec
