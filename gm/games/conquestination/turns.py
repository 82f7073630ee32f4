"""The order of turns in a run: all players, one after the other, or the current player alone (CN-1, CN-8)."""

from collections.abc import Iterator

from gm.core.pipeline import step
from gm.game.base.events import LineSettled, OrderOutcome, settled
from gm.games.conquestination import events as happened
from gm.games.conquestination.orders import Outcome, Turn
from gm.games.conquestination.state import Campaign


@step("Seats", "CN-1.3", "CN-1.4", "CN-1.6", "CN-8.4", "CN-8.6")
def seats(turn: Turn) -> Outcome:
    """Queue the players of this run: all who are still in the game, or the current player alone.

    Reads: parties, current. Writes: queue. Emits nothing.
    """
    state = turn.state
    if state.run == 0:
        return Outcome(state)
    return Outcome(state.evolve(queue=state.living if state.current is None else (state.current,)))


@step("Next seat", "CN-8.4", "CN-8.5", "CN-8.6")
def next_seat(turn: Turn) -> Outcome:
    """Give the turn to the next player in the queue; one who was eliminated meanwhile is skipped.

    Reads: queue, parties. Writes: acting, queue, acted. Emits nothing.
    """
    seats_left = _still_to_play(turn.state)
    acted = (*turn.state.acted, *seats_left[:1])
    acting = seats_left[0] if seats_left else None
    return Outcome(turn.state.evolve(acting=acting, queue=seats_left[1:], acted=acted, won_lines={}))


@step("End of the run", "CN-8.4", "CN-8.6", "CN-8.7", "CN-8.8", "CN-8.9")
def end_of_run(turn: Turn) -> Outcome:
    """Set the next player, settle lines of players whose turn never came, and count at the limit of rounds.

    Reads: settings, countries, orders, acted, open. Writes: current, open, kept_open, winners. Emits: Won,
    LineSettled.
    """
    state = turn.state.evolve(acting=None, queue=(), acted=(), won_lines={})
    unplayed = tuple(_unplayed(turn))
    if state.current is not None and state.run > 0:
        if state.open is not None and state.winners is None:
            return Outcome(state.evolve(kept_open=state.kept_open + 1), unplayed)
        state = state.evolve(current=state.after(state.current), open=None)
    limit = state.settings.max_rounds
    if state.winners is not None or limit is None or state.run - state.kept_open < limit:
        return Outcome(state, unplayed)
    # CN-8.9: most countries, then most units, then shared
    counted = {code: (len(state.held(code)), state.units_of(code)) for code in state.living}
    winners = tuple(code for code, count in counted.items() if count == max(counted.values()))
    return Outcome(state.evolve(winners=winners), (*unplayed, happened.Won(owners=winners, how="count")))


def still_to_play(turn: Turn) -> bool:
    """Return whether a player's turn is left in this run."""
    return turn.state.winners is None and bool(_still_to_play(turn.state))


def _unplayed(turn: Turn) -> Iterator[LineSettled]:
    """Yield the lines of players whose turn did not come: the game was won, or they were out by then."""
    reason = "out-by-then" if turn.state.winners is None else "game-won"
    for code, orders in turn.orders.items():
        if turn.state.run > 0 and code not in turn.state.acted:
            yield from (settled(code, written, OrderOutcome.SKIPPED, reason) for written in orders.written)


def _still_to_play(state: Campaign) -> tuple[str, ...]:
    return tuple(code for code in state.queue if not state.parties[code].out)
