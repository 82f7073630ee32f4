"""Who finished before whom: pairs of realms, ties, games that are one over again."""

from typing import Any

import pytest

pytest.importorskip("openskill")

from gm.simulation.estimates import share_by_game
from gm.simulation.league import league_of
from tests.simulation.test_page import plan

BOTS = {"ANN": "quick", "BEN": "slow", "CEO": "quick", "DAN": "slow"}


def record(number: int, mark: str = "", winners: tuple[str, ...] = (), **scores: int) -> dict[str, Any]:
    realms = {
        code: {"bot": BOTS[code], "out": None, "figures": [[1], [score]]} for code, score in scores.items()
    }
    return {
        "game": number,
        "turns": 1,
        "mark": mark,
        "winners": list(winners),
        "reason": "unfinished",
        "realms": realms,
    }


def test_of_all_pairs_the_share_in_which_one_was_ahead_a_tie_being_half() -> None:
    games = [record(1, ANN=9, BEN=8, CEO=8, DAN=1), record(2, ANN=1, BEN=2, CEO=1, DAN=2)]
    league = league_of(plan(), "Bowl", games)
    # in the first game three of four pairs and a tie, in the second none
    assert league.ahead["quick", "slow"] == share_by_game([(3.5, 4), (0, 4)])
    assert league.ahead["slow", "quick"].middle == pytest.approx(1 - 3.5 / 8)
    assert ("quick", "quick") not in league.ahead
    assert [row["ahead_of"].keys() for row in league.rows] == [
        {"slow" if row["name"] == "quick" else "quick"} for row in league.rows
    ]


def test_a_game_over_again_counts_once_and_a_leader_has_not_won() -> None:
    once = record(1, "same", ANN=9, BEN=8, CEO=7, DAN=1)
    other = record(3, winners=("BEN",), ANN=9, BEN=8, CEO=7, DAN=1)
    league = league_of(plan(), "Bowl", [once, once | {"game": 2}, other])
    assert {bot.name: (bot.games, bot.won) for bot in league.rated} == {"quick": (2, 0), "slow": (2, 1)}
    assert league.ahead["quick", "slow"] == share_by_game([(3, 4), (2, 4)])
