"""How a game begins (CF-2): who plays which side, and the computer's first half-move where it begins."""

from __future__ import annotations

from gm.core.dice import Dice
from gm.core.values import FrozenMap
from gm.game.base.position import NOBODY, PLAYER
from gm.games.conquest_fields.board import BoardFile
from gm.games.conquest_fields.moves import SIDES
from gm.games.conquest_fields.playing import moved, opened
from gm.games.conquest_fields.rules import Defaults, Rules, Settings
from gm.games.conquest_fields.state import COLOURS, Match, Side
from gm.games.conquest_fields.strategies import chosen_move, minimax_depth


def chosen(settings: Settings, rules: Rules, people: int) -> Settings:
    """The settings with the defaults of the rules put in (CF-2.5). Raises ``ValueError``."""
    seats = sum(settings.kind(side) == "human" for side in SIDES)
    if people > seats:
        computers = [side.lower() for side in SIDES if settings.kind(side) != "human"]
        taken = f"{' and '.join(computers)} {'is' if len(computers) == 1 else 'are'} played by the computer"
        raise ValueError(
            f"{people} players were named, and {taken} (CF-1.2)"
            if computers
            else f"two people can play, and {people} were named (CF-1.1)"
        )
    names = [settings.red_player.casefold(), settings.green_player.casefold()]
    if names[0] and names[0] == names[1]:
        raise ValueError(f"both players are called {settings.red_player!r}")
    defaults = rules.defaults
    missing = {name: getattr(defaults, name) for name in Defaults.model_fields if getattr(settings, name) is None}
    return settings.evolve(**missing)


def opening(file: BoardFile, rules: Rules, settings: Settings, seed: str) -> Match:
    """The position at the start, and what the computer has played of it by then (CF-1.3, CF-1.4, CF-6.3)."""
    board = file.board
    sides = {
        code: Side(
            code=code,
            name=code.title(),
            colour=COLOURS[code],
            kind=settings.kind(code),
            controller=PLAYER if settings.kind(code) == "human" else NOBODY,
        )
        for code in SIDES
    }
    first = next(side for side in SIDES if side.lower() == rules.first)
    match = opened(Match(parties=FrozenMap(sides), settings=settings, rows=board.rows, to_move=first), board)
    if match.winners is None and match.mover.kind != "human" and match.sides_played_by_people:
        stream = Dice(seed, "creation")(f"half-move {match.number}")
        depth = settings.minimax_depth or minimax_depth(board, rules)
        move = chosen_move(match.mover.kind, board, match.position(board), rules, depth, stream.below)
        match, _ = moved(match, board, move, match.mover.kind)
    return match
