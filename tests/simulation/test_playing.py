"""One simulated game: how it ends, what is counted, and that it depends on its seed alone."""

from typing import Any

import pytest

from gm.simulation.playing import GameBrokeError, GivenUpError, play_game
from tests.simulation.countdown import CODES, TABLE, Bowl, Countdown, Taker, job


def play(
    game: Countdown, *bots: str, turns: int = 4, start: Bowl | None = None, number: int = 1
) -> dict[str, Any]:
    spec: Any = game
    return dict(play_game(spec, TABLE, start or Bowl(), job(*(bots or ("greedy",)), number=number), turns))


@pytest.mark.parametrize(
    ("game", "bots", "more", "outcome"),
    [
        (Countdown(ends={3: ("BEN", "ANN")}), (), {}, (3, "victory", ["ANN", "BEN"], [])),
        # nobody can win any more
        (Countdown(ends={2: ()}), (), {}, (2, "draw", [], [])),
        # at the last turn the highest figure of the first column leads, and nobody has won
        (Countdown(), ("modest", "greedy", "modest"), {"turns": 2}, (2, "unfinished", [], ["BEN"])),
        (Countdown(Taker("silent", b"?")), ("silent",), {"turns": 2}, (2, "unfinished", [], list(CODES))),
        # over at its start
        (Countdown(), (), {"start": Bowl(won=("CEO",))}, (0, "victory", ["CEO"], [])),
    ],
)
def test_how_a_game_ends(
    game: Countdown, bots: tuple[str, ...], more: dict[str, Any], outcome: tuple[Any, ...]
) -> None:
    record = play(game, *bots, **more)
    assert tuple(record[name] for name in ("turns", "reason", "winners", "leaders")) == outcome
    assert {len(realm["figures"]) for realm in record["realms"].values()} == {outcome[0] + 1}


def test_figures_are_kept_from_the_start_on_by_realm_and_turn() -> None:
    record = play(Countdown(), turns=3)
    assert record["columns"] == ["coins", "half"]
    for realm in record["realms"].values():
        assert realm["bot"] == "greedy"
        assert realm["figures"][0] == [1, 0.5]
        assert len(realm["figures"]) == 4
        assert all(half == coins / 2 for coins, half in realm["figures"])


def test_battles_and_owners_are_counted_turn_by_turn() -> None:
    record = play(Countdown(), "modest", "greedy", "modest", turns=3)
    assert [row[0] for row in record["course"]] == [3, 3, 2]
    assert record["course"][0][1:] == [1, 1, 0]


def test_a_realm_that_is_out_gets_no_orders_any_more_and_the_turn_is_noted() -> None:
    game = Countdown()
    record = play(game, turns=4)
    assert {code: realm["out"] for code, realm in record["realms"].items()} == {
        "ANN": None,
        "BEN": None,
        "CEO": 2,
    }
    assert [turn for turn, code in game.asked if code == "CEO"] == [1, 2]
    assert [turn for turn, code in game.asked if code == "ANN"] == [1, 2, 3, 4]


def test_a_realm_whose_turn_it_is_not_is_not_asked() -> None:
    game = Countdown()
    play(game, turns=1, start=Bowl(waiting=("BEN",)))
    assert game.asked == [(1, "ANN"), (1, "CEO")]


def test_what_the_reader_refuses_is_counted_and_shown() -> None:
    record = play(Countdown(Taker("wrong", b"bad"), Taker("mad", b"\xff")), "wrong", "mad", turns=1)
    # one bad order of ANN's, two files set aside
    assert record["refused"] == 3
    assert len(record["refusals"]) == 1
    assert "no coin is called bad" in record["refusals"][0]
    assert "game 1, turn 1, ANN (wrong)" in record["refusals"][0]
    assert play(Countdown(), turns=1)["refused"] == 0


def test_the_rules_of_a_game_that_counts_none_are_its_events() -> None:
    rules = play(Countdown(), turns=3)["rules"]
    assert rules["event"] == {"CoinTaken": 3 + 3 + 2}
    assert rules["order"] == {"lines": 0}


def test_equal_seeds_give_equal_games_and_other_seeds_others() -> None:
    assert play(Countdown(), number=1) == play(Countdown(), number=1)
    first = play(Countdown(), number=1)
    second = play(Countdown(), number=2)
    assert first["realms"] != second["realms"]


def test_games_have_equal_marks_when_all_their_positions_are_equal() -> None:
    """The tiny game's dice are told in no event, as a program's chance is not: only the course shows them."""
    first = play(Countdown(), number=1)
    again = play(Countdown(), number=1)
    other = play(Countdown(), number=2)
    assert first["mark"] == again["mark"]
    assert first["mark"] != other["mark"]
    assert first["mark"] != play(Countdown(), turns=3)["mark"]


def test_every_turn_has_dice_of_its_own_that_no_bot_is_told() -> None:
    game = Countdown()
    play(game, turns=4)
    assert len(set(game.seeds)) == 4
    assert "seed 1" not in game.seeds


def test_an_error_in_a_bot_says_game_turn_realm_and_bot() -> None:
    with pytest.raises(
        GameBrokeError, match="game 7, turn 1: the bot clumsy of ANN: RuntimeError: the bowl is"
    ):
        play(Countdown(Taker("clumsy", b"crash")), "clumsy", number=7)


def test_a_state_that_must_not_be_is_an_error() -> None:
    with pytest.raises(GameBrokeError, match="game 1, after turn 4: the bowl has no bottom"):
        play(Countdown(broken="the bowl has no bottom"))


def test_a_game_can_be_given_up_between_two_turns() -> None:
    spec: Any = Countdown()
    answers = iter([True, True, False])
    with pytest.raises(GivenUpError):
        play_game(spec, TABLE, Bowl(), job("greedy"), 9, lambda: next(answers))
    assert len(spec.seeds) == 2
