"""The figures behind what the reports of Conquest tell of the game itself (templates/conquest-fields/report.html)."""

from typing import Any

from gm.game.base.hooks import Scene
from gm.games.conquest_fields.board import Board, members
from gm.games.conquest_fields.drawing import DARK, LIGHT
from gm.games.conquest_fields.orders import open_ends
from gm.games.conquest_fields.state import Match, enemy_of


def values(scene: Scene) -> dict[str, Any]:
    """What the template asks for by name."""
    match, board = scene.after, scene.table.board
    ends = list(open_ends(board, match.position(board)))
    return {
        "enemy": enemy_of(scene.code),
        "text": board_text(board, match),
        "ends": ends,
        "example": next(((start, (grow or jump)[0]) for start, grow, jump in ends), ("a1", "a2")),
    }


def board_text(board: Board, match: Match) -> str:
    """The board as text, with the names of rows and columns along its edges (CF-12.3)."""
    shifted = board.topology == "hex-rows"
    lines = ["   " + " ".join(f"{number:>2}" for number in range(1, max(map(len, board.rows)) + 1))]
    for row, text in enumerate(match.rows):
        cells = " ".join(f"{what:>2}" for what in text)
        lines.append(f"{chr(ord('a') + row)}  {' ' if shifted and row % 2 else ''}{cells}".rstrip())
    return "\n".join(lines) + "\n"


def writer_data(scene: Scene) -> dict[str, object]:
    """What the script needs to let a move be clicked: the open ends of each own field, and words in the language."""
    match, board = scene.after, scene.table.board
    at = match.position(board)
    won = {
        name: [board.names[each] for each in members(near & at.enemy)]
        for name, near in zip(board.names, board.near, strict=True)
    }
    colours, own = scene.table.rules.colours, scene.code.lower()
    return {
        "game": scene.result.game,
        "turn": match.number,
        "player": own,
        "key": scene.result.keys.get(scene.code, ""),
        "moves": {start: {"grow": grow, "jump": jump} for start, grow, jump in open_ends(board, at)},
        "conquers": {name: fields for name, fields in won.items() if fields},
        "colours": {name: colours[name] for name in ("can_start", "start", "grow_end", "jump_end")},
        "fields": {"free": colours["free"], "own": colours[own], "dark": DARK, "light": LIGHT},
        "words": scene.page.words,
    }
