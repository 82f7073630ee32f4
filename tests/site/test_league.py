"""``pbem league``: ratings that follow from the games alone, whatever their order, and by parts for who
came later.
"""

import itertools
import json
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from gm.cli.session import open_campaign
from gm.site.league import ALL_MAPS, Rating, league_files, ratings
from gm.site.result import GameResult, Holder, SeatResult, result_of
from tests.commands import Run
from tests.site.conftest import HOSTILE

GAME = "duel"


def seat(place: int, *holders: tuple[str, int] | str) -> SeatResult:
    """A seat by its place and its holders: a name, or a name with its turns.

    A program's has a ``*`` before it.
    """
    holds = [(holder, 10) if isinstance(holder, str) else holder for holder in holders]
    kept = tuple(
        Holder(name=name.lstrip("*"), bot=name.startswith("*"), turns=turns) for name, turns in holds
    )
    return SeatResult(code=f"S{place}", name=f"Seat {place}", place=place, holders=kept)


def game(day: int, *seats: SeatResult, place: str = "field") -> GameResult:
    about: dict[str, Any] = {
        "id": f"g{day}",
        "title": "Duel",
        "map": place,
        "mark": f"m{day}",
        "drawn": False,
    }
    return GameResult(**about, game=GAME, turns=10, ended=datetime(2026, 1, day, tzinfo=UTC), seats=seats)


def rated(*games: GameResult, place: str = ALL_MAPS) -> dict[str, Rating]:
    return {rating.name: rating for rating in ratings(games)[GAME, place]}


def test_who_wins_gains_and_who_loses_loses_and_both_are_surer() -> None:
    ratings_by_name = rated(game(1, seat(1, "Anna"), seat(2, "Bob"), seat(3, "Cleo")))
    assert ratings_by_name["Anna"].mu > 25 > ratings_by_name["Cleo"].mu
    assert all(rating.sigma < 25 / 3 for rating in ratings_by_name.values())
    assert (ratings_by_name["Anna"].won, ratings_by_name["Bob"].won) == (1, 0)
    assert list(ratings_by_name) == ["Anna", "Bob", "Cleo"]


def test_a_draw_between_equals_moves_nobody_and_nobody_has_won() -> None:
    ratings_by_name = rated(game(1, seat(1, "Anna"), seat(1, "Bob")).evolve(drawn=True))
    assert ratings_by_name["Anna"].mu == ratings_by_name["Bob"].mu == 25
    assert (ratings_by_name["Anna"].games, ratings_by_name["Anna"].won) == (1, 0)


def test_the_order_in_which_games_are_named_does_not_matter_and_that_of_their_ends_does() -> None:
    games = [
        game(1, seat(1, "Anna"), seat(2, "Bob")),
        game(2, seat(1, "Bob"), seat(2, "Cleo"), place="hill"),
        game(3, seat(1, "Cleo"), seat(2, "Anna"), seat(3, "*raider")),
    ]
    files = league_files(games)
    assert all(league_files(games_in_order) == files for games_in_order in itertools.permutations(games))
    assert league_files([*games, games[0]]) == files  # the same game twice is one
    other = [
        result.evolve(ended=datetime(2026, 2, 28 - number, tzinfo=UTC)) for number, result in enumerate(games)
    ]
    assert rated(*other)["Anna"] != rated(*games)["Anna"]


def test_who_held_a_seat_for_a_part_of_the_turns_wins_and_loses_by_that_part() -> None:
    ratings_by_name = rated(game(1, seat(1, "Anna"), seat(2, ("Bob", 8), ("Heir", 2))))
    lost = {name: 25 - ratings_by_name[name].mu for name in ("Bob", "Heir")}
    assert lost["Bob"] == pytest.approx(4 * lost["Heir"], abs=0.01)
    assert ratings_by_name["Bob"].sigma < ratings_by_name["Heir"].sigma < 25 / 3
    whole = rated(game(1, seat(1, "Anna"), seat(2, "Bob")))
    assert whole["Bob"].mu < ratings_by_name["Bob"].mu
    assert whole["Anna"].mu == ratings_by_name["Anna"].mu


def test_each_map_has_ratings_of_its_own_and_all_together_too() -> None:
    games = (game(1, seat(1, "Anna"), seat(2, "Bob")), game(2, seat(1, "Anna"), seat(2, "Bob"), place="hill"))
    assert rated(*games, place="hill")["Anna"].games == 1
    assert rated(*games)["Anna"].games == 2
    assert rated(*games)["Anna"].mu > rated(*games, place="hill")["Anna"].mu


def test_a_program_is_named_as_one_and_is_no_player_of_its_name() -> None:
    games = [game(1, seat(1, "*Anna"), seat(2, "Anna"))]
    assert sorted((rating.name, rating.bot) for rating in ratings(games)[GAME, ALL_MAPS]) == [
        ("Anna", False),
        ("Anna", True),
    ]
    assert b'Anna <span class="tag">program</span>' in league_files(games)["hall-of-fame.html"]


def test_names_are_one_whatever_their_spelling_and_who_has_none_stays_out() -> None:
    games = (game(1, seat(1, "Zoë  Ax"), seat(2, "")), game(2, seat(1, ""), seat(2, "ZOE AX")))
    assert list(rated(*games)) == ["ZOE AX"]
    assert rated(*games)["ZOE AX"].games == 2


@pytest.mark.slow
def test_a_game_tells_who_held_its_seats(games: Path, run: Run) -> None:
    result = result_of(open_campaign(games / "board"))
    assert result.drawn
    assert {seat.place for seat in result.seats} == {1}
    assert {seat.holders for seat in result.seats} == {
        (Holder(name=f"{HOSTILE} {code}", turns=result.turns),) for code in ("RED", "GREEN")
    }


def test_programs_hold_seats_in_the_turns_in_which_they_ordered(games: Path) -> None:
    campaign = open_campaign(games / "reich")
    over = campaign.snapshot.evolve(drawn=True)
    campaign.__dict__.update(winners=("LIT",), snapshot=over)
    seats = {seat.code: seat for seat in result_of(campaign).seats}
    assert seats["LIT"].holders == (Holder(name="Anna", turns=1),)
    holders = chain.from_iterable(party.holders for code, party in seats.items() if code != "LIT")
    assert all(holder.bot for holder in holders)
    assert [seat.place for seat in seats.values()].count(1) == 1


def test_folders_and_archives_are_read_and_what_is_damaged_is_named(
    games: Path, run: Run, tmp_path: Path
) -> None:
    run("export", "--game", games / "board", "--out", games / "whole.zip")
    (games / "damaged.zip").write_bytes((games / "whole.zip").read_bytes()[:-400])
    said = run("league", games, "--out", tmp_path / "hall", code=2).output
    assert "damaged.zip: This is not an archive of a game, or it is damaged" in said
    assert "isles: the game is not over, so it is left out." in said
    data = json.loads((tmp_path / "hall" / "league.json").read_bytes())
    assert data["schema"] == 1
    assert [entry["id"] for entry in data["games"]] == ["board"]
    page = (tmp_path / "hall" / "hall-of-fame.html").read_text()
    assert "&lt;script&gt;alert(1)" in page
    assert "<script" not in page


def test_without_a_game_that_is_over_nothing_is_written(games: Path, run: Run, tmp_path: Path) -> None:
    assert "nobody can be rated" in run("league", games / "isles", "--out", tmp_path / "hall", code=2).output
    assert not (tmp_path / "hall").exists()
