"""The choices of the order writer on the board: half-moves of the side to move, and why others are refused.

Further choices are resigning, and the half-move after the next, in answer to the other side.
"""

from collections.abc import Iterator, Mapping

from gm.core.diagnostics import said
from gm.game.base.hooks import Scene
from gm.game.base.writer import Choices, Field, Option, Verb, Way, Why
from gm.games.conquest_fields.orders import obstacles, open_ends
from gm.games.conquest_fields.rules import Board, members
from gm.games.conquest_fields.state import Match, Position, enemy_of

MOVE = "move"
RESIGN = "resign"
THEN = "then"
CLAUSE = "CF-9.4"
_ENDS = (("from", "start"), ("to", "end"))  # The entries of a move, each with what fills it


def choices(scene: Scene) -> Choices | None:
    """Return everything that the side to move can order; None if it cannot move."""
    match: Match = scene.after
    board: Board = scene.table.board
    at = match.position(board)
    starts = [start for start, _, _ in open_ends(board, at)]
    if not starts:
        return None
    _ = scene.translate
    # the page's script fills in both fields
    too_far = Why(_("{0} is three or more steps from {1}").format("{end}", "{start}"), CLAUSE)
    enemy_name = _(match.parties[enemy_of(scene.code)].name)
    case = Field(
        "if",
        _("If {side} moves").format(side=enemy_name),
        (Option("", _("whatever it is")), *_answers(board, at)),
    )
    resign = Verb(RESIGN, _("Give the game up"), RESIGN, start=False, line="true")
    later = Verb(THEN, _("Then"), THEN, way=True, entries=(("if", "if"), (MOVE, _ENDS)), fields=(case,))
    return Choices(
        sections={MOVE: "flat", RESIGN: "flat", THEN: "list"},
        verbs=(
            Verb(MOVE, "", MOVE, way=True, entries=_ENDS),
            resign.evolve(
                sure=_("Press the button again to give the game up: {side} wins then.").format(
                    side=enemy_name
                )
            ),
            later.evolve(mode=THEN),
        ),
        own=tuple(starts),
        empty="",
        ways={
            MOVE: {start: _ends(scene, board, at, board.by_name[start]) for start in starts},
            THEN: dict(half_moves_ahead(board, at)),
        },
        beyond={MOVE: too_far, THEN: too_far},
        words=scene.page.words,
        modes={THEN: _("Order the move after that, too")},
        single=True,
    )


def _answers(board: Board, position: Position) -> Iterator[Option]:
    """Yield the moves that the other side could make if it moved now, as options."""
    for start, end in Position(position.enemy, position.own).moves(board):
        move = f"{board.names[start]}-{board.names[end]}"
        yield Option(move, move)


def half_moves_ahead(board: Board, position: Position) -> Iterator[tuple[str, Mapping[str, Way]]]:
    """Yield (start, its ends), by name, for half-moves that may be possible after the next two.

    Whether such a half-move is legal is decided in its turn.
    """
    starts = position.own  # the fields that could be the player's by then
    kept = position.own  # the player's fields that no jump can free until then
    for move in position.moves(board):
        starts |= 1 << move.end | position.conquers(board, move)
        if move.jumps(board):
            kept &= ~(1 << move.start)
    for start in members(starts):
        ends = members(board.reach[start] & ~board.holes & ~kept)
        yield board.names[start], {board.names[end]: Way() for end in ends}


def _ends(scene: Scene, board: Board, position: Position, start: int) -> Mapping[str, Way]:
    """Return the fields at distance 1 or 2 of ``start``, by name.

    Each says whether it is to grow or to jump and what is conquered there, or why it is not possible.
    """
    way_of_end = {}
    for end in members(board.near[start] | board.far[start]):
        possible_obstacles = obstacles(board, position, start, end)
        why = next((message for is_there, _, message in possible_obstacles if is_there), "")
        is_near = board.near[start] >> end & 1
        kind = scene.translate("grow" if is_near else "jump")
        won = ", ".join(board.names[member] for member in members(board.near[end] & position.enemy))
        way = Way(why=Why(said(why, scene.translate), CLAUSE)) if why else Way(kind, won)
        way_of_end[board.names[end]] = way
    return way_of_end
