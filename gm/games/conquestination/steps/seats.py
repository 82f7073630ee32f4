"""Whose turn it is, and how a game ends that is not won (CN-1.3, CN-1.4, CN-8.4 to CN-8.9)."""

from __future__ import annotations

from collections.abc import Iterator

from gm.core.pipeline import step
from gm.core.values import FrozenMap
from gm.game.base.events import Fate, LineSettled, settled
from gm.games.conquestination.events import Won
from gm.games.conquestination.state import Campaign
from gm.games.conquestination.turn import Outcome, Turn


@step("Seats", "CN-1.3", "CN-1.4", "CN-1.6", "CN-8.4", "CN-8.6")
def seats(turn: Turn) -> Outcome:
    """Who plays a turn in this run: everybody who is still in the game, or the current player alone.

    Reads: parties, current. Writes: queue. Emits nothing.
    """
    state = turn.state
    if state.run == 0:
        return Outcome(state)
    single = state.current is not None
    return Outcome(state.evolve(queue=(state.current,) if single else state.living))


@step("Next seat", "CN-8.4", "CN-8.5", "CN-8.6")
def next_seat(turn: Turn) -> Outcome:
    """The next of them; who has been eliminated meanwhile is passed over.

    Reads: queue, parties. Writes: acting, queue, acted. Emits nothing.
    """
    left = _still_to_play(turn.state)
    acted = (*turn.state.acted, *left[:1])
    acting = left[0] if left else None
    return Outcome(turn.state.evolve(acting=acting, queue=left[1:], acted=acted, won_lines=FrozenMap()))


@step("End of the run", "CN-8.4", "CN-8.6", "CN-8.7", "CN-8.8", "CN-8.9")
def end_of_run(turn: Turn) -> Outcome:
    """Who is next, what becomes of lines whose player never came to play them, and the count at the limit of rounds.

    Reads: settings, countries, orders, acted. Writes: current, winners. Emits: Won, LineSettled.
    """
    state = turn.state.evolve(acting=None, queue=(), acted=(), won_lines=FrozenMap())
    unplayed = tuple(_unplayed(turn))
    if state.current is not None and state.run > 0:
        state = state.evolve(current=state.after(state.current))
    limit = state.settings.max_rounds
    if state.winners is not None or limit is None or state.run < limit:
        return Outcome(state, unplayed)
    winners = _best(state)
    return Outcome(state.evolve(winners=winners), (*unplayed, Won(owners=winners, how="count")))


def still_to_play(turn: Turn) -> bool:
    """Whether somebody's turn is left in this run."""
    return turn.state.winners is None and bool(_still_to_play(turn.state))


def _unplayed(turn: Turn) -> Iterator[LineSettled]:
    """The lines of players whose turn did not come: the game was won before it, or they were out by then."""
    if turn.state.run == 0:
        return
    reason = "out-by-then" if turn.state.winners is None else "game-won"
    for code, orders in turn.orders.items():
        if code not in turn.state.acted:
            for written in orders.written:
                yield settled(code, written, Fate.SKIPPED, reason)


def _still_to_play(state: Campaign) -> tuple[str, ...]:
    return tuple(code for code in state.queue if not state.parties[code].out)


def _best(state: Campaign) -> tuple[str, ...]:
    """CN-8.9: most countries, then most units, then shared."""
    standing = {code: (len(state.held(code)), state.units_of(code)) for code in state.living}
    return tuple(code for code, each in standing.items() if each == max(standing.values()))
