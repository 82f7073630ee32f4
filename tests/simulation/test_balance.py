"""The criterion of balance on games that were made up: it finds who is favoured, and not what chance does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gm.core.dice import Dice
from gm.simulation.findings import Findings
from gm.simulation.summary import LEAST_GAMES, balance_lines, balance_of

CODES = tuple(f"R{number:02}" for number in range(23))
Fate = Callable[[str, Callable[[int], int]], tuple[int, bool]]


def fair(code: str, draw: Callable[[int], int]) -> tuple[int, bool]:
    """Final score and whether it lasts: every realm alike."""
    return 10 + draw(21), draw(100) < 80


def findings(fate: Fate, games: int = LEAST_GAMES, codes: tuple[str, ...] = CODES, seed: str = "s") -> Findings:
    """Made-up games in which each realm's fate is drawn."""
    return Findings(game(number, fate, codes, seed) for number in range(1, games + 1))


def game(number: int, fate: Fate, codes: tuple[str, ...], seed: str) -> dict[str, Any]:
    stream = Dice(seed, "made up")(number)
    ends = {code: fate(code, stream.below) for code in codes}
    best = max(score for score, _ in ends.values())
    return {
        "game": number,
        "seed": "",
        "turns": 1,
        "reason": "unfinished",
        "winners": [code for code, (score, _) in ends.items() if score == best][:1],
        "columns": ["score"],
        "realms": {
            code: {"bot": "any", "out": None if lasts else 1, "figures": [[12], [score]]}
            for code, (score, lasts) in ends.items()
        },
        "rules": {},
        "orders": 0,
        "failed": 0,
        "refused": 0,
        "refusals": [],
    }


def test_a_lottery_has_no_outlier() -> None:
    shuffled = tuple(CODES[place * 7 % len(CODES)] for place in range(len(CODES)))
    for seed in "abcde":
        verdict = balance_of(findings(fair, codes=shuffled, seed=seed))
        assert verdict is not None
        assert verdict.survival.outliers == verdict.growth.outliers == ()
        assert verdict.enough


def test_a_realm_that_dies_too_often_is_an_outlier_in_survival() -> None:
    def fate(code: str, draw: Callable[[int], int]) -> tuple[int, bool]:
        score, lasts = fair(code, draw)
        return score, lasts and not (code == "R05" and draw(100) < 45)

    verdict = balance_of(findings(fate))
    assert verdict is not None
    assert verdict.survival.outliers == ("R05",)
    assert verdict.growth.outliers == ()
    assert verdict.outliers == ("R05",)


def test_a_realm_that_grows_too_well_is_an_outlier_in_growth_and_in_wins() -> None:
    def fate(code: str, draw: Callable[[int], int]) -> tuple[int, bool]:
        score, lasts = fair(code, draw)
        return score + 9 * (code == "R11"), lasts

    verdict = balance_of(findings(fate))
    assert verdict is not None
    assert verdict.growth.outliers == ("R11",)
    assert verdict.favoured == ("R11",)
    assert verdict.survival.outliers == ()


def test_where_nearly_all_last_those_that_died_a_few_times_by_chance_are_no_outliers() -> None:
    deaths = {"R02": [1], "R07": [4, 90], "R20": [33, 150]}
    games = [game(number, lambda _, draw: (10 + draw(21), True), CODES, "s") for number in range(1, LEAST_GAMES + 1)]
    for code, numbers in deaths.items():
        for number in numbers:
            games[number - 1]["realms"][code]["out"] = 1
    verdict = balance_of(Findings(games))
    assert verdict is not None
    assert verdict.survival.realms["R20"].middle == 0.99
    # the middle half has no width here: without a least range, whoever died once would be an outlier
    assert sorted(each.middle for each in verdict.survival.realms.values())[5] == 1
    assert verdict.survival.outliers == ()


def test_few_games_give_no_verdict_and_say_so() -> None:
    verdict = balance_of(findings(fair, games=20))
    assert verdict is not None
    assert not verdict.enough
    assert balance_lines(verdict)[-1] == "These are 20 games; a verdict needs 200."


def test_so_few_realms_that_none_can_be_an_outlier_are_not_judged() -> None:
    assert balance_of(findings(fair, codes=CODES[:3])) is None


def test_the_verdict_names_the_outliers_with_their_figures() -> None:
    def fate(code: str, draw: Callable[[int], int]) -> tuple[int, bool]:
        return 10 + draw(5) + 30 * (code == "R01"), code != "R01"

    verdict = balance_of(findings(fate))
    assert verdict is not None
    lines = balance_lines(verdict)
    assert lines[0].startswith("Survival: outliers are R01 (0%); inside is ")
    assert lines[1].startswith("Growth: outliers are R01 (+30.0); inside is ")
    assert lines[2] == "First at the end: R01 certainly more than 3 times the fair share."
