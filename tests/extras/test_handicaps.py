"""Handicaps that make a medieval map fair: moved by success, written where they belong, proposed by games."""

import shutil
from math import e
from pathlib import Path

import pytest

from gm.core.yaml.models import load_data
from maps.builder import handicaps

HEXLAND = Path("maps/medieval/hexland")
MINSK = Path("maps/medieval/minsk")


def test_who_had_less_than_his_share_gets_more_and_the_sum_stays() -> None:
    games = [{"A": 0.25 * e, "B": 0.25, "C": 0.25 / e, "D": 0.25}] * 3
    assert handicaps.moved({"A": 10.0, "B": 0.0, "C": -10.0, "D": 0.0}, games, 20) == pytest.approx(
        {"A": -10.0, "B": 0.0, "C": 10.0, "D": 0.0}
    )


def test_none_moves_too_far_from_the_mean() -> None:
    games = [{"A": 1.0, "B": 0.0}]
    handicaps_moved = handicaps.moved({"A": 50.0, "B": 50.0}, games, 1000)
    assert handicaps_moved == {"A": 50 - handicaps.APART / 2, "B": 50 + handicaps.APART / 2}


def test_winners_count_half_and_near_scores_the_other() -> None:
    realms = {code: {"figures": [[0], [score]]} for code, score in {"A": 10, "B": 10, "C": 4}.items()}
    shares = handicaps.shares({"realms": realms, "winners": ["A"], "leaders": []})
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["A"] == pytest.approx(shares["B"] + 0.5)
    assert shares["B"] > shares["C"] > 0


def test_without_sources_treasuries_are_written_and_nothing_else_changes(tmp_path: Path) -> None:
    folder = shutil.copytree(MINSK, tmp_path / "minsk")
    begun = handicaps.begun_with(folder)
    assert sorted(begun) == ["LIT", "NOV", "POL", "TEU"]
    handicaps.write(folder, {**begun, "LIT": 81.0})
    before, after = (
        (folder_of_map / "start.yaml").read_text("utf-8").splitlines() for folder_of_map in (MINSK, folder)
    )
    assert [new for old, new in zip(before, after, strict=True) if old != new] == [
        "  LIT: {treasury: 81, status: royalty}"
    ]
    assert handicaps.begun_with(folder) == {**begun, "LIT": 81.0}


@pytest.mark.parametrize("already_written", [True, False])
def test_with_sources_handicaps_are_written_and_the_start_is_built_of_them(
    already_written: bool, tmp_path: Path
) -> None:
    folder = shutil.copytree(HEXLAND, tmp_path / "hexland")
    recipes = folder / "source" / "garrisons.yaml"
    recipes.write_text(handicaps._HANDICAPS.sub("", recipes.read_text("utf-8")), "utf-8")
    if already_written:
        handicaps.write(folder, {"RDM": 2.0, "GRW": -2.0, "YLF": 0.0, "BLW": 0.0})
    expected = {"RDM": 30.0, "GRW": -20.0, "YLF": 0.0, "BLW": -10.0}
    handicaps.write(folder, expected)
    assert load_data(recipes)[0]["handicaps"] == {"RDM": 30, "GRW": -20, "BLW": -10}
    assert handicaps.begun_with(folder) == expected
    assert (folder / "start.yaml").read_text("utf-8") == handicaps.begun_by(folder, expected)


@pytest.mark.slow
def test_real_games_propose_handicaps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shutil.copytree(HEXLAND, tmp_path / "hexland")
    outputs = []
    for jobs in ("1", "2"):
        handicaps.main([str(folder), "--rounds", "2", "--games", "4", "--turns", "6", "--jobs", jobs])
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
    assert "RDM" in outputs[0]
