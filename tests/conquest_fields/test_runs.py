"""CF-1 to CF-3, CF-6, CF-9 to CF-11: whole runs."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.game.values import GameData, MapView, NewGameRequest, View
from gm.games.conquest_fields.spec import SPEC
from gm.games.conquest_fields.state import Match
from tests.conquest_fields.boards import NAMES, words
from tests.conquest_fields.matches import GAME, begun, run, small_table, table
from tests.examples import examples

STRATEGIES = ("random", "greedy", "minimax")


@pytest.mark.clause("CF-3.1", "CF-3.3", "CF-3.4", "CF-2.5", "CF-2.6")
def test_the_state_holds_position_sides_history_and_what_was_seen() -> None:
    at = small_table("R..", "...", "..G")
    match = begun(at)
    assert match.settings.draw_repeats == 3
    assert match.settings.max_half_moves == 400
    after = run(at, match, "move: a1-a2").state
    assert after.rows == ("RR.", "...", "..G")
    assert [
        (half_move.number, half_move.start, half_move.end, half_move.kind, half_move.by)
        for half_move in after.history
    ] == [(1, "a1", "a2", "grow", "human")]
    assert sorted(after.seen.values()) == [1, 1]
    assert SPEC.state(SPEC.record(after)) == after


@pytest.mark.clause("CF-6.7", "CF-6.8")
def test_resigning_loses_at_once() -> None:
    at = table()
    match = run(at, begun(at, green="minimax"), "resign: true").state
    assert (match.winners, match.reason, match.history) == (("GREEN",), "resigned", ())
    assert {code: row["score"] for code, row in SPEC.figures(at, match).items()} == {"RED": 0, "GREEN": 1}


@pytest.mark.clause("CF-11.1", "CF-7.2", "CF-7.4", "CF-7.9")
def test_random_and_greedy_draw_by_half_move_and_purpose_and_minimax_does_not() -> None:
    at = table()
    labels = {}
    for strategy in STRATEGIES:
        outcome = run(at, begun(at, green=strategy), "move: a1-b1")
        labels[strategy] = [event.label for event in outcome.events if event.kind == "DiceRolled"]  # type: ignore[attr-defined]
        assert run(at, begun(at, green=strategy), "move: a1-b1") == outcome
    prefix = "turn 1 | phase 1 | computer_half_move | half-move 2"
    assert labels == {
        "random": [f"{prefix} | D1 random move"],
        "greedy": [f"{prefix} | D2 greedy tie"],
        "minimax": [],
    }


@pytest.mark.clause("CF-10.1", "CF-7.9", "CF-12.7")
@examples(50)
@given(
    st.sampled_from(NAMES),
    st.sampled_from(["human", "random", "greedy"]),
    st.sampled_from(["human", "random", "greedy"]),
    st.text("abc", min_size=1, max_size=4),
    st.integers(1, 12),
)
def test_any_game_stays_sound(name: str, red: str, green: str, seed: str, runs: int) -> None:
    at = table(name)
    match = begun(at, seed, red=red, green=green, half_moves_per_run=2)
    for number in range(runs):
        if match.winners is not None:
            break
        sheets: dict[str, Any] = {}
        if match.mover.kind == "human" and number % 4:
            view = View(
                game=GAME, realm=match.to_move, turn=match.turn + 1, key="", seed=seed, table=at, state=match
            )
            data = SPEC.bots["random"].orders(view)
            reading = SPEC.read_orders(at, match, data, "x.yaml", game=GAME, realm=match.to_move, key=None)
            assert reading.diagnostics == ()
            sheets = {match.to_move: reading.sheet}
        outcome = SPEC.play(at, match, sheets, seed)
        assert SPEC.play(at, match, sheets, seed) == outcome
        after = outcome.state
        assert SPEC.broken(at, after) == []
        assert SPEC.state(SPEC.record(after)) == after
        assert SPEC.seen(at, after, "RED") == after
        assert [half_move.number for half_move in after.history] == list(range(1, len(after.history) + 1))
        assert {half_move.side for half_move in after.history[::2]} <= {"RED"}
        match = after


@pytest.mark.clause("CF-1.4")
def test_a_side_given_to_the_computer_answers_in_the_same_run() -> None:
    """14.D30: the game master seats the computer on green in the middle of a game."""
    at = table()
    match = run(at, begun(at), "move: a1-a2").state
    assert match.to_move == "GREEN"
    seated, events = SPEC.with_standings(match, {"GREEN": (None, "greedy")})
    assert [event.kind for event in events] == ["ControllerSet"]
    first = SPEC.play(at, seated, {}, "seed").state
    assert (len(first.history), first.to_move) == (2, "RED")
    second = run(at, first, f"move: {any_move(at, first)}").state
    assert (len(second.history), second.to_move) == (4, "RED")
    assert [half_move.by for half_move in second.history] == ["human", "greedy", "human", "greedy"]
    back, _ = SPEC.with_standings(second, {"GREEN": (None, "player")})
    assert back.parties["GREEN"].kind == "human"


def any_move(at: GameData, match: Match) -> str:
    return words(at.board, next(match.position(at.board).moves(at.board)))


@pytest.mark.clause("CF-1.7")
def test_all_half_moves_of_two_computers_can_be_played_in_one_run() -> None:
    """14.D30: ``half_moves_per_run=all``."""
    chosen = SPEC.maps()["training-2x3"]
    wishes = NewGameRequest(
        map=chosen, options={"red": "minimax", "green": "minimax", "half_moves_per_run": "all"}, seed="s"
    )
    founded = SPEC.founded(wishes)
    start = SPEC.start(founded.table, chosen, None)
    ended = SPEC.play(founded.table, start, {}, "seed").state
    assert ended.winners is not None
    assert len(ended.history) > 1


@pytest.mark.clause("CF-12.1")
def test_the_enemys_last_half_move_is_marked_also_when_it_was_in_an_earlier_run() -> None:
    """14.D30: after one's own half-move the picture still shows what the enemy did before."""
    at = table()
    one = run(at, begun(at), "move: a1-a2").state
    two = run(at, one, f"move: {any_move(at, one)}")
    three = run(at, two.state, f"move: {any_move(at, two.state)}")
    enemys = two.state.history[-1]
    picture = SPEC.draw(at, three.state, MapView(party="RED", events=three.events))
    circles = re.findall(
        r'<circle cx="([\d.]+)" cy="([\d.]+)"[^>]*fill="none"[^>]*stroke-width="3.5"', picture
    )
    before = SPEC.draw(at, two.state, MapView(party="RED", events=two.events))
    assert circles == re.findall(
        r'<circle cx="([\d.]+)" cy="([\d.]+)"[^>]*fill="none"[^>]*stroke-width="3.5"', before
    )
    assert len(circles) == 1
    assert enemys.side == "GREEN"
