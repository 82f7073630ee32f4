"""Half-moves applied to a game, and how it ends (CF-5, CF-6, CF-9.2)."""

from __future__ import annotations

from gm.core.events import Event
from gm.core.values import FrozenMap
from gm.games.conquest_fields.board import Board
from gm.games.conquest_fields.events import Ended, HalfMoved
from gm.games.conquest_fields.moves import GREEN_SIDE, RED_SIDE, Move, enemy_of
from gm.games.conquest_fields.rules import Kind
from gm.games.conquest_fields.state import Match, Reason, half_move, seen_key

CLAUSES = {
    "no fields": "CF-6.2",
    "circled": "CF-6.2",
    "resigned": "CF-6.7",
    "forfeited": "CF-9.2",
    "repeated": "CF-6.5",
    "limit": "CF-6.6",
}


def moved(match: Match, board: Board, move: Move, by: Kind) -> tuple[Match, tuple[Event, ...]]:
    """The game after a legal half-move of the side to move, tested for its end, and what happened."""
    done = half_move(board, match, move, by)
    side, other = match.to_move, enemy_of(match.to_move)
    rows = match.position(board).after(board, move).rows(board, other)
    key = seen_key(rows, other)
    after = match.evolve(
        rows=rows,
        to_move=other,
        history=(*match.history, done),
        seen=match.seen.with_item(key, match.seen.get(key, 0) + 1),
    ).with_party(side, runs_missed=0)
    told = HalfMoved(
        number=done.number,
        side=side,
        start=done.start,
        end=done.end,
        how=done.kind,
        conquered=done.conquered,
        red=after.fields(RED_SIDE),
        green=after.fields(GREEN_SIDE),
        by=by,
        clause="CF-5.2" if done.kind == "grow" else "CF-5.3",
    )
    ended, end = tested(after, board)
    return ended, (told, *end)


def tested(match: Match, board: Board) -> tuple[Match, tuple[Event, ...]]:
    """The end test for the side to move next (CF-6.3 to CF-6.6)."""
    at = match.position(board)
    if not at.can_move(board):
        return over(match, enemy_of(match.to_move), "circled" if at.own else "no fields")
    repeats, limit = match.settings.draw_repeats, match.settings.max_half_moves
    if repeats is not None and match.seen.get(seen_key(match.rows, match.to_move), 0) >= repeats:
        return over(match, None, "repeated")
    if limit is not None and len(match.history) >= limit:
        return over(match, None, "limit")
    return match, ()


def over(match: Match, winner: str | None, reason: Reason) -> tuple[Match, tuple[Event, ...]]:
    """The game, ended. ``winner`` none: a draw."""
    status = {code: "winner" if code == winner else "loser" if winner else "draw" for code in match.parties}
    ended = match.evolve(winners=(winner,) if winner else (), reason=reason)
    loser = enemy_of(winner) if winner else None
    after = ended.with_parties({code: {"status": word} for code, word in status.items()})
    return after, (Ended(winner=winner, loser=loser, why=reason, clause=CLAUSES[reason]),)


def opened(match: Match, board: Board) -> Match:
    """A new game: its position counted, and tested for red (CF-6.3)."""
    counted = match.evolve(seen=FrozenMap({seen_key(match.rows, match.to_move): 1}))
    return tested(counted, board)[0]
