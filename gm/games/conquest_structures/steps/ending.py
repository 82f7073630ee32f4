"""Stage 8: victory, defeat, concession (CS-12)."""

from __future__ import annotations

from gm.core.events import Event
from gm.core.pipeline import step
from gm.game.base.events import settled
from gm.games.conquest_structures.board import Board
from gm.games.conquest_structures.events import Conceded, Drawn, Eliminated, Won
from gm.games.conquest_structures.orders import Concede
from gm.games.conquest_structures.rules import Rules
from gm.games.conquest_structures.state import CONCEDED, DEFEATED, NEUTRAL, WINNER, Conquest
from gm.games.conquest_structures.turn import Outcome, Turn


def cities(board: Board, rules: Rules) -> tuple[str, ...]:
    """The structures that count for victory: all cities and home cities (CS-12.1)."""
    return tuple(place for place in board.structures if rules.kind_of(place).victory)


@step("8 Victory, defeat and concession", "CS-12.1", "CS-12.2", "CS-12.3", "CS-12.4", "CS-12.7", "CS-12.8")
def ending(turn: Turn) -> Outcome:
    """Who holds every city wins; who holds nothing is out; who concedes leaves all he has to the neutrals. Then, if the
    settings say so, the only player left has won, and at the last turn the game is counted out.

    Reads: owners, units, concessions. Writes: players, owners, units, winners. Emits: Won, Eliminated, Conceded, Drawn,
    LineSettled.
    """
    state, events = _victory(turn)
    state, more = _defeats(state)
    events += more
    state, more = _concessions(turn, state)
    events += more
    if state.winners is None:
        state, more = _last_ones(turn, state)
        events += more
    return Outcome(state, tuple(events))


def _victory(turn: Turn) -> tuple[Conquest, list[Event]]:
    holders = {turn.state.owners[place] for place in cities(turn.board, turn.rules)}
    if len(holders) == 1 and NEUTRAL not in holders:
        (winner,) = holders
        return _won(turn.state, (winner,)), [Won(owner=winner, how="cities")]
    return turn.state, []


def _won(state: Conquest, winners: tuple[str, ...]) -> Conquest:
    return state.with_parties({code: {"status": WINNER} for code in winners}).evolve(winners=winners)


def _defeats(state: Conquest) -> tuple[Conquest, list[Event]]:
    beaten = [code for code in state.living if not state.owned_by(code)]
    events: list[Event] = [Eliminated(owner=code) for code in beaten]
    return state.with_parties({code: {"status": DEFEATED, "out": True} for code in beaten}), events


def _concessions(turn: Turn, state: Conquest) -> tuple[Conquest, list[Event]]:
    events: list[Event] = []
    for code in turn.state.living:
        line = (
            next((each for each in turn.orders[code].lines if isinstance(each, Concede)), None)
            if (code in turn.orders)
            else None
        )
        if line is None:
            continue
        events.append(settled(code, line.written))
        if state.parties[code].out or state.winners is not None:
            continue
        state = state.with_owners(dict.fromkeys(state.owned_by(code), NEUTRAL))
        state = state.with_units(unit.evolve(owner=NEUTRAL) for unit in state.units_of(code))
        state = state.with_party(code, status=CONCEDED, out=True)
        events.append(Conceded(owner=code))
    return state, events


def _last_ones(turn: Turn, state: Conquest) -> tuple[Conquest, list[Event]]:
    """CS-12.7, CS-12.8."""
    living = state.living
    if not living:
        return state.evolve(winners=()), [Drawn(turn=turn.number)]
    if len(living) == 1 and state.settings.last_player_wins:
        return _won(state, living), [Won(owner=living[0], how="last", clause="CS-12.7")]
    if state.settings.max_turns is not None and turn.number >= state.settings.max_turns:
        counted = {code: standing(state, code, turn.board, turn.rules) for code in living}
        best = max(counted.values())
        winners = tuple(code for code in living if counted[code] == best)
        return _won(state, winners), [Won(owner=code, how="count", clause="CS-12.8") for code in winners]
    return state, []


def standing(state: Conquest, code: str, board: Board, rules: Rules) -> tuple[int, int]:
    """(cities and homes, structures) of a player: by these a game is counted out."""
    owned = state.owned_by(code)
    counting = cities(board, rules)
    return sum(place in counting for place in owned), len(owned)
