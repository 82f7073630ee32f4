"""What the order writer on the board offers: the half-moves of the side that is to move, and why others are none."""

from collections.abc import Mapping

from gm.core.diagnostics import said
from gm.game.base.hooks import Scene
from gm.game.base.writer import Choices, Verb, Way, Why
from gm.games.conquest_fields.orders import obstacles, open_ends
from gm.games.conquest_fields.rules import Board, members
from gm.games.conquest_fields.state import Match, Position

MOVE = "move"
CLAUSE = "CF-9.4"


def choices(scene: Scene) -> Choices | None:
    """Everything that the side to move can order; none where it cannot move."""
    match: Match = scene.after
    board: Board = scene.table.board
    at = match.position(board)
    starts = [start for start, _, _ in open_ends(board, at)]
    if not starts:
        return None
    far = scene.translate("{0} is three or more steps from {1}").format("{end}", "{start}")
    return Choices(
        sections={MOVE: "flat"},
        verbs=(Verb(MOVE, MOVE, MOVE, True, entries=(("from", "start"), ("to", "end"))),),
        own=tuple(starts),
        empty="",
        ways={MOVE: {start: _ends(scene, board, at, board.by_name[start]) for start in starts}},
        beyond={MOVE: Why(far, CLAUSE)},
        words=scene.page.words,
        single=True,
    )


def _ends(scene: Scene, board: Board, at: Position, start: int) -> Mapping[str, Way]:
    """What lies at distance 1 or 2: what the field grows or jumps to, and what that conquers, or what is in the way."""
    found = {}
    for end in members(board.near[start] | board.far[start]):
        why = next((message for holds, _, message in obstacles(board, at, start, end) if holds), "")
        kind = scene.translate("grow" if board.near[start] >> end & 1 else "jump")
        won = ", ".join(board.names[each] for each in members(board.near[end] & at.enemy))
        way = Way(why=Why(said(why, scene.translate), CLAUSE)) if why else Way(kind, won)
        found[board.names[end]] = way
    return found
