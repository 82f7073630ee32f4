"""``pbem simulate --league``: bots against each other, rated."""

import json
import sys
from importlib import util
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gm.cli.app import gm

BOTS = "local-forces,builder,conqueror,raider"


BOT = """
import json, sys
asked = json.load(sys.stdin)
print(f"game: {asked['game']}\\nturn: {asked['turn']}")
print(f"player: {asked['realm'].lower()}\\nkey: {asked['key']}")
"""  # it does nothing


def league(out: Path, *more: str, code: int = 0) -> Result:
    asked = [
        "simulate",
        "--league",
        "--out",
        str(out),
        "--bots",
        BOTS,
        "--turns",
        "6",
        "--seed",
        "test",
        *more,
    ]
    result = CliRunner().invoke(gm, asked, prog_name="pbem")
    assert result.exit_code == code, result.output
    return result


@pytest.mark.slow
def test_bots_are_rated_with_intervals_and_who_wants_nothing_is_the_weakest(tmp_path: Path) -> None:
    said = league(tmp_path / "one", "--games", "8", "--jobs", "1").output
    ratings = json.loads(league(tmp_path / "one", "--games", "8", "--json").stdout)["league"]
    assert {rating["name"] for rating in ratings} == set(BOTS.split(","))
    assert [rating["shown"] for rating in ratings] == sorted(
        (rating["shown"] for rating in ratings), reverse=True
    )
    assert ratings[-1]["name"] == "local-forces"
    page = (tmp_path / "one" / "report.html").read_text("utf-8")
    assert "Of all pairs of realms that two bots played in one game" in page
    for rating in ratings:
        assert rating["low"] < rating["mu"] < rating["high"]
        assert rating["games"] == 8
        assert rating["won"] == 0  # all were stopped: who led has not won
        assert f"{rating['low']:.1f}-{rating['high']:.1f}" in said
        assert f"{rating['mu']:.1f} ({rating['low']:.0f}–{rating['high']:.0f})" in page
        others = set(BOTS.split(",")) - {rating["name"]}
        assert set(rating["ahead_of"]) == others
        for other, (low, share, high) in rating["ahead_of"].items():
            assert low <= share <= high
            (against,) = (row["ahead_of"][rating["name"]] for row in ratings if row["name"] == other)
            assert share + against[1] == pytest.approx(1, abs=0.001)
            assert f"{100 * share:.0f}%" in said


@pytest.mark.slow
def test_bots_of_other_modules_and_programs_are_in_the_league_like_any_other(tmp_path: Path) -> None:
    asked = [
        "simulate",
        "--league",
        "--game",
        "conquest-structures",
        "--out",
        str(tmp_path / "one"),
        "--json",
    ]
    module = "tests.simulation.test_every_game:Standstill"
    program = f"program:{sys.executable} {tmp_path / 'bot.py'} -x=1"
    (tmp_path / "bot.py").write_text(BOT)
    asked += ["--bots", f"marshal,{module},{program}", "--games", "6", "--turns", "3", "--jobs", "1"]
    result = CliRunner().invoke(gm, asked)
    assert result.exit_code == 0, result.output
    games_played = {rating["name"]: rating["games"] for rating in json.loads(result.stdout)["league"]}
    # each has a duel with each other from both sides; the two that do nothing play the same game both times
    assert set(games_played) == {"marshal", module, program}
    assert min(games_played.values()) >= 3


def test_nothing_is_played_where_nothing_can_be_rated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(util, "find_spec", lambda _: None)
    assert "pbem-gm[league]" in league(tmp_path / "one", code=2).output
    assert not (tmp_path / "one").exists()
