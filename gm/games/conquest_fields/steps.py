"""A run in the rules' order (CF-10.1): half-moves, their effect, and how a game ends (CF-5, CF-6, CF-9)."""

from typing import Any

from msgspec.structs import asdict

from gm.core.pipeline import Stage, step
from gm.core.values import Event
from gm.game.base.events import OrderOutcome, settled
from gm.games.conquest_fields.bots import STRATEGIES, Choice, chosen_move
from gm.games.conquest_fields.events import Ended, HalfMoved, NoteLeft, RunMissed, StandsIn
from gm.games.conquest_fields.orders import Outcome, Turn
from gm.games.conquest_fields.rules import Board, Kind, Rules
from gm.games.conquest_fields.state import GREEN_SIDE, RED_SIDE, HalfMove, Match, Move, Reason, enemy_of

CLAUSES = {  # The clause behind each reason for the end
    "no fields": "CF-6.2",
    "circled": "CF-6.2",
    "resigned": "CF-6.7",
    "forfeited": "CF-9.2",
    "repeated": "CF-6.5",
    "limit": "CF-6.6",
    "voted": "CF-6.7",
}
_DRAWS = {  # The label of each strategy's draws
    "random": "D1 random move",
    "greedy": "D2 greedy tie",
    "veteran": "D4 equal move",
    "master": "D4 equal move",
}
Changed = tuple[Match, tuple[Event, ...]]  # (game after something happened, events about it)


def moved(match: Match, board: Board, move: Move, by: Kind) -> Changed:
    """Return the game after a legal half-move, which may end it, and its events.

    ``by``: the kind of player that chose it.
    """
    position = match.position(board)
    side = match.to_move
    other = enemy_of(match.to_move)
    half_move = HalfMove(
        number=match.number,
        side=side,
        start=board.names[move.start],
        end=board.names[move.end],
        kind="jump" if move.jumps(board) else "grow",
        conquered=tuple(
            name for field, name in enumerate(board.names) if position.conquers(board, move) >> field & 1
        ),
        by=by,
    )
    rows = position.after(board, move).rows(board, other)
    after = match.evolve(rows=rows, to_move=other, history=(*match.history, half_move)).with_party(
        side, runs_missed=0
    )
    after = after.evolve(seen={**after.seen, after.key: after.times_seen + 1})
    fields: dict[str, Any] = asdict(half_move)
    how = fields.pop("kind")
    fields |= {"red": after.fields(RED_SIDE), "green": after.fields(GREEN_SIDE)}
    ended, end = tested(after, board)
    return ended, (HalfMoved(**fields, how=how, clause="CF-5.2" if how == "grow" else "CF-5.3"), *end)


def tested(match: Match, board: Board) -> Changed:
    """Return the game, ended if the side to move has lost or it is a draw (CF-6.3 to CF-6.6), and events."""
    position = match.position(board)
    if not position.can_move(board):
        return over(match, enemy_of(match.to_move), "circled" if position.own else "no fields")
    repeats = match.settings.draw_repeats
    limit = match.settings.max_half_moves
    if repeats is not None and match.times_seen >= repeats:
        return over(match, None, "repeated")
    if limit is not None and len(match.history) >= limit:
        return over(match, None, "limit")
    return match, ()


def over(match: Match, winner: str | None, reason: Reason) -> Changed:
    """Return the game as it ended, and the event; ``winner`` None: a draw."""
    loser = enemy_of(winner) if winner else None
    if winner:
        statuses = {winner: "winner", enemy_of(winner): "loser"}
    else:
        statuses = dict.fromkeys(match.parties, "draw")
    after = match.with_parties({code: {"status": status} for code, status in statuses.items()})
    after = after.evolve(winners=(winner,) if winner else (), reason=reason)
    return after, (Ended(winner=winner, loser=loser, why=reason, clause=CLAUSES[reason]),)


def opened(match: Match, board: Board) -> Match:
    """Return a new game with its first position counted; it ends at once if that is over (CF-6.3)."""
    after, _ = tested(match.evolve(seen={match.key: 1}), board)
    return after


def played_by(match: Match, strategy: str, board: Board, rules: Rules, choose: Choice) -> Changed:
    """Return the game after the half-move of a strategy, and its events."""
    by: Kind = next(kind for kind in STRATEGIES if kind == strategy)  # the same word, as a type of mypy's
    return moved(match, board, chosen_move(strategy, match, board, rules, choose), by)


@step("The half-move of a person", "CF-1.4", "CF-5.1", "CF-5.8", "CF-6.7", "CF-9.1", "CF-9.2")
def human_half_move(turn: Turn) -> Outcome:
    """Carry out the order of the person to move: a half-move or a resignation.

    Without either, the rule for missing orders is carried out. The languages that players ask for in their
    files are stored, too.

    Reads: orders, position. Writes: rows, to_move, history, seen, winners, sides. Emits: HalfMoved, NoteLeft,
    RunMissed, StandsIn, Ended, LineSettled.
    """
    # CF-2.8: the languages that players have asked for in their files
    languages = {code: {"language": order.language} for code, order in turn.orders.items() if order.language}
    match = turn.state.with_parties(languages)
    if match.winners is not None or match.mover.kind != "human":
        return Outcome(match)
    order = turn.orders.get(match.to_move)
    side = match.to_move
    if order is None:
        return _apply_missing_rule(turn, match)
    notes = (NoteLeft(side=side, text=order.note),) if order.note else ()
    if order.move is not None:
        ended, events = moved(match, turn.board, order.move, "human")
    elif order.resigns:
        ended, events = over(match, enemy_of(side), "resigned")
    else:
        return _apply_missing_rule(
            turn, match, (settled(side, order.written, OrderOutcome.FAILED, "no-move"), *notes)
        )
    return Outcome(ended, (*events, settled(side, order.written), *notes))


@step(
    "The half-moves of the computer",
    "CF-1.4",
    "CF-1.5",
    "CF-1.6",
    "CF-1.7",
    "CF-7.2",
    "CF-7.4",
    "CF-7.6",
    "CF-10.2",
)
def computer_half_move(turn: Turn) -> Outcome:
    """Play one half-move of a computer, if it is its turn.

    Reads: position, settings. Writes: rows, to_move, history, seen, winners. Emits: HalfMoved, Ended.
    """
    match = turn.state
    if not computer_is_to_move(turn):
        return Outcome(match)
    after, events = _played_by(turn, match, match.mover.kind)
    left_in_run = max(-1, match.left_in_run - 1)  # -1 stays: any number
    return Outcome(after.evolve(left_in_run=left_in_run), events)


@step("The speed of two computers", "CF-1.6", "CF-1.7", "CF-10.2")
def pace(turn: Turn) -> Outcome:
    """Set how many half-moves computers may play in this run.

    It is any number against a person, who ends the run by being to move; else as in the settings.

    Reads: settings. Writes: left_in_run. Emits nothing.
    """
    half_moves = turn.state.settings.half_moves_per_run or 0
    plays_alone = turn.state.sides_played_by_people == 0 and half_moves > 0
    return Outcome(turn.state.evolve(left_in_run=half_moves if plays_alone else -1))  # -1: any number


@step("End of the run", "CF-10.1")
def end_of_run(turn: Turn) -> Outcome:
    """Clear the values that count only within a run.

    Reads: nothing. Writes: left_in_run. Emits nothing.
    """
    return Outcome(turn.state.evolve(left_in_run=0))


def computer_is_to_move(turn: Turn) -> bool:
    """Return whether a computer is to move and may still play in this run."""
    match = turn.state
    return match.winners is None and match.mover.kind != "human" and match.left_in_run != 0


def _apply_missing_rule(turn: Turn, match: Match, file_events: tuple[Event, ...] = ()) -> Outcome:
    """Carry out the rule for missing orders (CF-9.1, CF-9.2).

    ``file_events``: those about a file that has no move, if one came.
    """
    side = match.to_move
    settings = match.settings
    runs = match.mover.runs_missed + 1
    grace = settings.grace_runs or 0
    missed = match.with_party(side, runs_missed=runs)
    events: list[Event] = [*file_events, RunMissed(side=side, runs=runs, grace=grace)]
    strategy = settings.on_missing
    if runs <= grace or strategy is None or strategy == "wait":
        return Outcome(missed, tuple(events))
    if strategy == "forfeit":
        ended, end = over(missed, enemy_of(side), "forfeited")
        return Outcome(ended, (*events, *end))
    after, played = _played_by(turn, missed, strategy)
    # a half-move has set the count to 0, but it was not the person's: the next missed run counts on
    after = after.with_party(side, runs_missed=runs)
    return Outcome(after, (*events, StandsIn(side=side, strategy=strategy), *played))


def _played_by(turn: Turn, match: Match, strategy: str) -> Changed:
    """Return the game after the half-move of a strategy with the run's dice, and its events."""
    choose = turn.dice(f"half-move {match.number}", _DRAWS.get(strategy, strategy)).below
    return played_by(match, strategy, turn.board, turn.rules, choose)


STAGES = (
    Stage("person", (human_half_move, pace)),
    Stage("computer", (computer_half_move,), again=computer_is_to_move),
    Stage("end", (end_of_run,)),
)
