"""Treasuries that make a map fair: found for seats whose worth is known, written into a map, proposed by
real games.
"""

import shutil
from math import exp
from pathlib import Path

import pytest

from gm.core.dice import Dice
from gm.games.conqueror.land import Board
from maps.builder import fair

DUCHIES = Path("maps/conqueror/duchies")


def board(folder: Path) -> Board:
    return Board.model_validate(fair.SPEC.read_board(folder / "map.yaml"))


def test_the_treasuries_found_are_those_at_which_all_win_alike() -> None:
    """Three seats whose chances are known for any gold: 100 add as much as is said here."""
    worth = {"A": 1.0, "B": 0.5, "C": 0.8}
    ahead = {"A": 0.6, "B": 0.0, "C": -0.3}
    chance = Dice("fair")("gold").below
    played = [{code: chance(401) for code in worth} for _ in range(500)]
    shares = []
    for gold in played:
        weights = [exp(ahead[code] + worth[code] * gold[code] / 100) for code in worth]
        shares.append([weight / sum(weights) for weight in weights])
    gold_by_realm = fair.fair_gold(played, shares)
    utilities = [ahead[code] + worth[code] * gold_by_realm[code] / 100 for code in worth]
    assert max(utilities) - min(utilities) < 0.05
    assert sum(gold_by_realm.values()) == pytest.approx(
        sum(sum(gold.values()) for gold in played) / len(played)
    )


def test_near_winners_count_half_and_winners_the_other() -> None:
    realms = {code: {"figures": [[0], [score]]} for code, score in {"B": 400, "A": 400, "C": 0}.items()}
    shares = fair.shares({"realms": realms, "winners": ["A"], "leaders": []})
    assert shares == pytest.approx([0.75, 0.25, 0.0], abs=0.001)


@pytest.mark.parametrize("before", ["fair:\n  BRAY:  {armies: 3}\n  ARDEN: {gold: 40, fort: 1}\n", ""])
def test_treasuries_are_written_into_a_map_and_nothing_else_of_it_changes(
    before: str, tmp_path: Path
) -> None:
    text = fair._FAIR.sub("", (DUCHIES / "map.yaml").read_text("utf-8")) + before
    (tmp_path / "map.yaml").write_text(text)
    old = board(tmp_path)
    (tmp_path / "map.yaml").write_text(fair.written(text, old, {"ARDEN": 32.4, "LORN": -7}))
    new = board(tmp_path)
    assert new.evolve(fair={}) == old.evolve(fair={})
    assert (new.fair["ARDEN"].gold, new.fair["LORN"].gold) == (30, 0)
    if before:
        assert (new.fair["ARDEN"].fort, new.fair["BRAY"].armies) == (1, 3)


@pytest.mark.slow
def test_real_games_propose_treasuries(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "duchies"
    shutil.copytree(DUCHIES, folder)
    outputs = []
    for written in ((), ("--write",)):
        fair.main([str(folder), "--rounds", "2", "--games", "2", "--seed", "s", *written])
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
    last = outputs[0].splitlines()[-1].split("   ")
    assert last == [f"{code} {board(folder).fair[code].gold}" for code in ("ARDEN", "LORN")]
