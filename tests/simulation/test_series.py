"""A series of games that ends early has the verdict of the whole one."""

from random import Random

from gm.store.formats import JsonObject
from tests.series import Decided, counted, firsts, leads, reaches, seats_are_even, until_decided, winners

SEATS = ("RED", "BLUE")


def won(seat: str, mark: str = "") -> JsonObject:
    """Return the record of a game that the bot of a seat won, or nobody."""
    realms = {code: {"bot": code.lower()} for code in SEATS}
    return {"realms": realms, "winners": [seat] * bool(seat), "leaders": [], "mark": mark}


def test_a_series_ends_when_its_verdict_is_certain_and_the_verdict_is_that_of_all_games() -> None:
    dice = Random("series")  # noqa: S311 - no secret
    ways: tuple[Decided, ...] = (reaches("red", 7), leads("red", "blue"), seats_are_even(firsts))
    ended = set()
    for _ in range(200):
        chance = dice.random()
        games = [won("RED" if dice.random() < chance else "BLUE") for _ in range(12)]
        for at, decided in enumerate(ways):
            played = until_decided(games, 12, decided)
            verdict = decided(games, 0)
            assert decided(played, 12 - len(played)) == verdict
            ended.add((at, verdict, len(played) < 12))
    assert ended >= {(at, True, True) for at in range(3)} | {(at, False, False) for at in range(3)}


def test_a_game_that_repeats_another_and_one_that_nobody_won_prove_nothing() -> None:
    games = [won("RED", "a"), won("RED", "a"), won(""), won("BLUE", "b")]
    played = until_decided(games, 4, lambda _played, _left: False)
    assert counted(played, winners) == {"red": 1, "blue": 1}
    assert not seats_are_even(winners)([], 4)
