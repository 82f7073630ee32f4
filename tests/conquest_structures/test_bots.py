"""Computer players of CONQUEST 0.0.2: always legal to read, and the marshal beats chance clearly."""

import pytest

from gm.game.base.events import LineSettled
from gm.game.values import NewGameRequest, View
from gm.games.conquest_structures.spec import SPEC
from gm.games.conquest_structures.state import Conquest


def match(red: str, blue: str, seed: str, turns: int = 40) -> Conquest:
    """A game of two bots, up to so many turns; the state at its end."""
    chosen = SPEC.maps()["duel-11"]
    founded = SPEC.founded(NewGameRequest(map=chosen, seed=seed, options={"max_turns": str(turns)}))
    table, state = founded.table, SPEC.start(founded.table, chosen, None)
    while state.winners is None:
        sheets = {}
        for code, bot in (("RED", red), ("BLUE", blue)):
            view = View(
                game="g", realm=code, turn=state.turn + 1, key="k", seed=f"{seed} {code}", table=table, state=state
            )
            data = SPEC.bots[bot].orders(view)
            assert data == SPEC.bots[bot].orders(view)
            reading = SPEC.read_orders(table, state, data, "bot", game="g", realm=code, key="k")
            assert reading.diagnostics == ()
            sheets[code] = reading.sheet
        state = SPEC.play(table, state, sheets, "seed").state
        assert list(SPEC.broken(table, state)) == []
    return state


@pytest.mark.parametrize("seat", ["RED", "BLUE"])
def test_the_marshal_beats_chance(seat: str) -> None:
    bots = ("marshal", "random") if seat == "RED" else ("random", "marshal")
    won = sum(match(*bots, str(number)).winners == (seat,) for number in range(10))
    assert won >= 9


def test_the_marshals_moves_are_hardly_ever_refused() -> None:
    chosen = SPEC.maps()["duel-11"]
    founded = SPEC.founded(NewGameRequest(map=chosen, seed="m"))
    table, state = founded.table, SPEC.start(founded.table, chosen, None)
    fates = []
    for number in range(12):
        sheets = {}
        for code in state.living:
            view = View(game="g", realm=code, turn=number + 1, key="k", seed=code, table=table, state=state)
            data = SPEC.bots["marshal"].orders(view)
            sheets[code] = SPEC.read_orders(table, state, data, "b", game="g", realm=code, key="k").sheet
        outcome = SPEC.play(table, state, sheets, "seed")
        settled = (event for event in outcome.events if isinstance(event, LineSettled))
        # a conflict is no mistake of his
        fates += [str(event.fate) for event in settled if event.reason not in ("bumped-back", "some-bumped")]
        state = outcome.state
        if state.winners is not None:
            break
    assert fates.count("done") >= 0.95 * len(fates) > 10
