"""What holds in any game, whatever is ordered."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.game.base.events import LineSettled
from gm.game.values import GameData, View
from gm.games.conquestination.spec import SPEC
from gm.games.conquestination.state import Campaign
from tests.conquestination.campaigns import GAME, begun, table
from tests.examples import examples
from tests.games.sound import played_soundly


def sheets_of(state: Campaign, at: GameData, bots: dict[str, str], seed: str) -> dict[str, object]:
    """What the bots of this position order, read like anybody's file."""
    sheets = {}
    for code in state.living:
        if state.current is not None and state.run and code != state.current:
            continue
        view = View(
            game=GAME, realm=code, turn=state.turn + 1, key="", seed=f"{seed} {code}", table=at, state=state
        )
        data = SPEC.bots[bots.get(code, "random")].orders(view)
        reading = SPEC.read_orders(at, state, data, f"{code}.yaml", game=GAME, realm=code, key=None)
        assert reading.sheet is not None, (data, reading.diagnostics)
        if bots.get(code) == "captain":
            assert reading.errors == 0, (data, reading.diagnostics)
        sheets[code] = reading.sheet
    return sheets


def units_in(position: Campaign) -> int:
    """Return how many units stand on the board."""
    return sum(country.units for country in position.countries.values())


def units_won(events: Iterable[Any]) -> int:
    """Return how many more units came than fell."""
    more = 0
    for event in events:
        if event.kind in ("Deployed", "Reinforced"):
            more += sum(event.placed.values())
        elif event.kind == "Fought":
            more -= event.lost + event.killed
    return more


@examples(60)
@given(
    st.sampled_from(["four-shores", "test-5"]),
    st.integers(2, 3),
    st.sampled_from(["round", "single"]),
    st.text("abc", min_size=1, max_size=5),
    st.integers(1, 7),
)
@pytest.mark.clause("CN-3.3", "CN-3.5", "CN-8.8", "CN-6.6")
def test_in_any_game_units_and_countries_add_up(
    name: str, players: int, mode: str, seed: str, runs: int
) -> None:
    at = table(name)
    state = begun(name, seed, players=players, mode=mode)
    bots = {"RED": "captain"}
    for _ in range(runs):
        sheets = sheets_of(state, at, bots, seed)
        outcome = played_soundly(SPEC, at, state, sheets, seed)
        after = outcome.state
        assert units_in(after) == units_in(state) + units_won(outcome.events)
        # every line is settled once
        for code, sheet in sheets.items():
            lines = list(sheet.orders.written)  # type: ignore[attr-defined]
            settled = [
                event for event in outcome.events if isinstance(event, LineSettled) and event.audience == code
            ]
            assert sorted(line.line for line in lines) == sorted(event.line for event in settled)
        if after.winners is not None:
            break
        state = after


@pytest.mark.clause("CN-13.2")
def test_nothing_on_the_board_is_secret() -> None:
    state = begun()
    assert SPEC.seen(table(), state, "RED") == state


@pytest.mark.slow
def test_captains_end_most_games() -> None:
    ended = 0
    for number in range(10):
        at = table("four-shores")
        state = begun("four-shores", str(number), players=3)
        for run in range(60):
            if state.winners is not None:
                ended += 1
                break
            sheets = sheets_of(state, at, dict.fromkeys(state.parties, "captain"), f"{number} {run}")
            state = SPEC.play(at, state, sheets, f"{number} {run}").state
    assert ended >= 8


@pytest.mark.clause("CN-4.1", "CN-12.1", "CN-13.1", "CN-13.4")
def test_a_random_map_is_the_games_own_and_is_drawn() -> None:
    from gm.game.values import MapView
    from gm.games.conquestination.rules import Settings

    at = table("small-random")
    board = SPEC.generated(at.board, Settings(), "seed")  # type: ignore[attr-defined]
    own = GameData(at.rules, board)
    state = SPEC.opening(own, SPEC.chosen(Settings(), board, 3), "seed")  # type: ignore[attr-defined]
    assert SPEC.own_board(own)  # type: ignore[attr-defined]
    assert len(state.countries) == 12
    svg = SPEC.draw(own, state, MapView(party="RED"))
    for country, holding in state.countries.items():
        assert f">{country}<" in svg
        assert f">{holding.units}<" in svg
    with pytest.raises(ValueError, match="no country of this map is called 'Z1'"):
        SPEC.draw(own, state, MapView(zoom="Z1"))
