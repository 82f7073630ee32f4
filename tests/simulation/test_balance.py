"""The statistics against published figures.

Who is favoured in games that were made up, and what is chance.
"""

from collections.abc import Callable
from math import comb
from typing import Any

import pytest

from gm.core.dice import Dice
from gm.simulation.estimates import median_interval, quantile, quartiles, share_by_game, wilson
from gm.simulation.findings import LEAST_GAMES, Findings, balance_of, lot
from gm.simulation.report import balance_lines

CODES = tuple(f"R{number:02}" for number in range(23))
OrderOutcome = Callable[[str, Callable[[int], int]], tuple[int, bool]]


def fair(code: str, draw: Callable[[int], int]) -> tuple[int, bool]:
    """Final score and whether it lasts: every realm alike."""
    return 10 + draw(21), draw(100) < 80


def findings(
    fate: OrderOutcome, games: int = LEAST_GAMES, codes: tuple[str, ...] = CODES, seed: str = "s"
) -> Findings:
    """Made-up games in which each realm's fate is drawn."""
    return Findings(game(number, fate, codes, seed) for number in range(1, games + 1))


def game(number: int, fate: OrderOutcome, codes: tuple[str, ...], seed: str) -> dict[str, Any]:
    """Return a made-up game's record, in which each code's score and survival come of its fate."""
    stream = Dice(seed, "made up")(number)
    ends = {code: fate(code, stream.below) for code in codes}
    best = max(score for score, _ in ends.values())
    return {
        "game": number,
        "seed": "",
        "turns": 1,
        "reason": "unfinished",
        "winners": [code for code, (score, _) in ends.items() if score == best],
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
        assert verdict.outliers == ()
        assert verdict.lot is not None
        assert verdict.lot > 0.01
        assert verdict.enough


def test_who_is_always_behind_is_starved() -> None:
    def fate(code: str, draw: Callable[[int], int]) -> tuple[int, bool]:
        score, lasts = fair(code, draw)
        return score - 13 * (code == "R05"), lasts

    verdict = balance_of(findings(fate, codes=CODES[:8]))
    assert verdict is not None
    assert (verdict.favoured, verdict.starved, verdict.shrinking) == ((), ("R05",), ("R05",))
    assert verdict.by_lot == "less than 1%"


def test_who_grows_too_well_is_favoured() -> None:
    def fate(code: str, draw: Callable[[int], int]) -> tuple[int, bool]:
        score, lasts = fair(code, draw)
        return score + 9 * (code == "R11"), lasts

    verdict = balance_of(findings(fate))
    assert verdict is not None
    assert verdict.favoured == ("R11",)
    assert verdict.shrinking == ()


@pytest.mark.slow
def test_the_chance_of_a_lottery_is_even_whatever_its_wins() -> None:
    """Of 200 lotteries, one in ten is among the least likely tenth: with one winner of a game, and with
    two.
    """
    for winners in (1, 2):
        chances = []
        for seed in range(200):
            stream = Dice("lots", winners)(seed)
            games = [game(number, lambda *_: (20, True), CODES[:6], "s") for number in range(1, 61)]
            for record in games:
                record["winners"] = stream.sample(CODES[:6], winners)
            chances.append(lot(Findings(games).realms.values()))
        assert all(chance is not None for chance in chances)
        assert 8 <= sum(chance is not None and chance < 0.1 for chance in chances) <= 34
        assert 70 <= sum(chance is not None and chance < 0.5 for chance in chances) <= 130


def test_with_two_realms_the_chance_is_that_of_the_normal_distribution() -> None:
    games = [game(number, lambda *_: (20, True), CODES[:2], "s") for number in range(1, 101)]
    for record in games:
        record["winners"] = [CODES[record["game"] > 60]]
    # 60 of 100 is two standard deviations off: 4.55%
    assert lot(Findings(games).realms.values()) == pytest.approx(0.0455, abs=0.003)
    assert lot([]) is None


def test_wins_that_come_together_prove_less() -> None:
    alone = share_by_game([(1, 1), (0, 1)] * 50)
    assert alone == wilson(50, 100)
    together = share_by_game([(2, 2), (0, 2)] * 50)
    assert together == wilson(50, 100)  # 200 tries, which count as 100
    assert share_by_game([(1, 2)] * 50) == wilson(50, 100)  # never more than there are
    assert share_by_game([]) == wilson(0, 0)


def test_few_games_give_no_verdict_and_say_so() -> None:
    verdict = balance_of(findings(fair, games=20))
    assert verdict is not None
    assert not verdict.enough
    assert balance_lines(verdict)[0] == "These are 20 games; a verdict needs 200."


def test_few_games_name_no_outlier_however_certain_it_looks() -> None:
    def fate(code: str, draw: Callable[[int], int]) -> tuple[int, bool]:
        return 10 + draw(5) + 30 * (code == "R01"), True

    verdict = balance_of(findings(fate, games=LEAST_GAMES - 1))
    assert verdict is not None
    assert (verdict.outliers, verdict.by_lot) == ((), "")
    assert not any("certainly" in line or "By lot" in line for line in balance_lines(verdict))


def test_a_bot_whose_realms_win_together_has_the_wider_interval() -> None:
    """One bot plays two of four realms, and both win or neither does: as many games prove it as there are."""
    games = [game(number, lambda *_: (20, True), CODES[:4], "s") for number in range(1, 51)]
    for record in games:
        record["reason"] = "victory"
        record["winners"] = list(CODES[:2] if record["game"] % 2 else CODES[2:4])
        for code in CODES[:2]:
            record["realms"][code]["bot"] = "twins"
    findings = Findings(games)
    assert findings.bots["twins"].winning == wilson(25, 50)
    assert findings.realms["R00"].winning == wilson(25, 50)
    # what is fair for it counts every winner of a shared victory, too
    assert findings.bots["twins"].fair == 50


def test_one_realm_alone_is_not_judged() -> None:
    assert balance_of(findings(fair, codes=CODES[:1])) is None


def test_the_verdict_names_the_outliers_with_their_figures() -> None:
    def fate(code: str, draw: Callable[[int], int]) -> tuple[int, bool]:
        return 15 + draw(5) + 30 * (code == "R01"), code != "R01"

    verdict = balance_of(findings(fate))
    assert verdict is not None
    lines = balance_lines(verdict)
    others = ", ".join(code for code in CODES if code != "R01")
    assert lines == [
        f"First at the end: R01 certainly more than 2.0 times the fair share, {others} certainly less than "
        "0.5 times.",
        "Growth: nobody certainly shrinks on average.",
        "By lot, realms would be first as unequally in less than 1% of such simulations.",
        "200 of 200 games were stopped: in those first is who led.",
    ]


@pytest.mark.parametrize(
    ("successes", "tries", "low", "high"),
    [
        # Newcombe, Statistics in Medicine 17 (1998), table I: the score method without continuity correction
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilsons_interval_is_that_of_the_literature(
    successes: int, tries: int, low: float, high: float
) -> None:
    interval = wilson(successes, tries)
    assert interval.low == pytest.approx(low, abs=0.00005)
    assert interval.high == pytest.approx(high, abs=0.00005)
    assert interval.middle == successes / tries


def test_wilsons_interval_stays_between_nothing_and_all() -> None:
    for tries in range(1, 60):
        for successes in range(tries + 1):
            interval = wilson(successes, tries)
            assert 0 <= interval.low <= interval.middle <= interval.high <= 1
    assert (wilson(0, 9).low, wilson(9, 9).high) == (0.0, 1.0)
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0.0, 1.0)


def test_quantiles_lie_between_the_values_in_proportion() -> None:
    assert quantile([1, 2, 3, 4], 0.5) == 2.5
    assert quantile([1, 2, 3, 4], 0.25) == 1.75
    assert quantile([7], 0.9) == 7
    spread = quartiles([5, 1, 3, 2, 4])
    assert (spread.low, spread.middle, spread.high) == (2, 3, 4)
    with pytest.raises(ValueError, match="no values"):
        quartiles([])


def test_the_medians_interval_is_the_narrowest_that_holds_with_95_percent() -> None:
    for count in (6, 20, 101, 200):
        interval = median_interval([float(value) for value in range(count)])
        skip = int(interval.low)
        assert interval.high == count - 1 - skip
        # so many values below and above: the chance that the median lies outside
        outside = 2 * sum(comb(count, heads) for heads in range(skip + 1)) / 2**count
        wider = 2 * sum(comb(count, heads) for heads in range(skip + 2)) / 2**count
        assert outside <= 0.05 < wider
    assert median_interval([3.0, 1.0, 2.0]).low == 1.0
