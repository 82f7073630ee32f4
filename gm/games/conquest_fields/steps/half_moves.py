"""The steps of a run: the half-move of the person whose turn it is, then those of the computer (CF-1.4, CF-10.1)."""

from __future__ import annotations

from gm.core.events import Event
from gm.core.pipeline import step
from gm.game.base.events import Fate, settled
from gm.games.conquest_fields.events import NoteLeft, RunMissed, StandsIn
from gm.games.conquest_fields.moves import enemy_of
from gm.games.conquest_fields.orders import Orders
from gm.games.conquest_fields.playing import moved, over
from gm.games.conquest_fields.rules import Kind
from gm.games.conquest_fields.state import Match
from gm.games.conquest_fields.strategies import STRATEGIES, chosen_move, minimax_depth
from gm.games.conquest_fields.turn import Outcome, Turn

_DRAWS = {"random": "D1 random move", "greedy": "D2 greedy tie", "minimax": ""}


@step("The half-move of a person", "CF-1.4", "CF-5.1", "CF-5.8", "CF-6.7", "CF-9.1", "CF-9.2")
def human_half_move(turn: Turn) -> Outcome:
    """What the person to move has ordered; without an order, what the rule for missing ones says.

    Reads: orders, position. Writes: rows, to_move, history, seen, winners, sides. Emits: HalfMoved, NoteLeft,
    RunMissed, StandsIn, Ended, LineSettled.
    """
    match = _with_languages(turn)
    if match.winners is not None or match.mover.kind != "human":
        return Outcome(match)
    order, side = turn.orders.get(match.to_move), match.to_move
    if order is None:
        return _missing(turn, match)
    notes = (NoteLeft(side=side, text=order.note),) if order.note else ()
    if order.move is None and not order.resigns:
        empty = settled(side, order.written, Fate.FAILED, "no-move")
        return _missing(turn, match, (empty, *notes))
    if order.move is None:
        ended, events = over(match, enemy_of(side), "resigned")
    else:
        ended, events = moved(match, turn.board.board, order.move, "human")
    return Outcome(ended, (*events, settled(side, order.written), *notes))


@step("The half-moves of the computer", "CF-1.4", "CF-1.5", "CF-1.6", "CF-1.7", "CF-7.2", "CF-7.4", "CF-7.6", "CF-10.2")
def computer_half_move(turn: Turn) -> Outcome:
    """One half-move of a computer, if it is its turn.

    Reads: position, settings. Writes: rows, to_move, history, seen, winners. Emits: HalfMoved, Ended.
    """
    match = turn.state
    if not computer_is_to_move(turn):
        return Outcome(match)
    after, events = _played_by(turn, match, match.mover.kind)
    return Outcome(after.evolve(left_in_run=max(-1, match.left_in_run - 1)), events)


@step("The pace of two computers", "CF-1.6", "CF-1.7", "CF-10.2")
def pace(turn: Turn) -> Outcome:
    """How many half-moves computers play in this run: against a person as many as come, among themselves so many.

    Reads: settings. Writes: left_in_run. Emits nothing.
    """
    each = turn.state.settings.half_moves_per_run or 0
    alone = turn.state.sides_played_by_people == 0 and each > 0
    return Outcome(turn.state.evolve(left_in_run=each if alone else -1))


@step("End of the run", "CF-10.1")
def end_of_run(turn: Turn) -> Outcome:
    """What counts within a run only is gone. Reads: nothing. Writes: left_in_run. Emits nothing."""
    return Outcome(turn.state.evolve(left_in_run=0))


def computer_is_to_move(turn: Turn) -> bool:
    """Whether the computer plays on in this run."""
    match = turn.state
    return match.winners is None and match.mover.kind != "human" and match.left_in_run != 0


def _with_languages(turn: Turn) -> Match:
    """The languages that players have asked for in their files (CF-2.8)."""
    asked = {
        code: {"language": order.language}
        for code, order in turn.orders.items()
        if isinstance(order, Orders) and order.language
    }
    return turn.state.with_parties(asked)


def _missing(turn: Turn, match: Match, told: tuple[Event, ...] = ()) -> Outcome:
    """CF-9.1, CF-9.2; ``told``: what there is to say of a file without a move."""
    side, settings = match.to_move, match.settings
    runs, grace = match.mover.runs_missed + 1, settings.grace_runs or 0
    missed = match.with_party(side, runs_missed=runs)
    events: list[Event] = [*told, RunMissed(side=side, runs=runs, grace=grace)]
    if runs <= grace or settings.on_missing == "wait":
        return Outcome(missed, tuple(events))
    if settings.on_missing == "forfeit":
        ended, end = over(missed, enemy_of(side), "forfeited")
        return Outcome(ended, (*events, *end))
    strategy: Kind = next(each for each in STRATEGIES if each == settings.on_missing)
    after, played = _played_by(turn, missed, strategy)
    # the person is still away: the next run that is missed is played for him as well
    after = after.with_party(side, runs_missed=runs)
    return Outcome(after, (*events, StandsIn(side=side, strategy=strategy), *played))


def _played_by(turn: Turn, match: Match, strategy: str) -> tuple[Match, tuple[Event, ...]]:
    board = turn.board.board
    depth = match.settings.minimax_depth or minimax_depth(board, turn.rules)
    stream = turn.dice(f"half-move {match.number}", _DRAWS[strategy]) if _DRAWS[strategy] else None
    move = chosen_move(
        strategy,
        board,
        match.position(board),
        turn.rules,
        depth,
        stream.below if stream is not None else _nothing_drawn,
    )
    by: Kind = next(each for each in STRATEGIES if each == strategy)
    return moved(match, board, move, by)


def _nothing_drawn(choices: int) -> int:
    raise ValueError("minimax draws nothing (CF-7.8)")
