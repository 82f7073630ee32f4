"""``pbem simulate --league``: bots against each other, rated."""

import json
from importlib import util
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gm.cli.app import gm

BOTS = "local-forces,builder,conqueror,raider"


def league(out: Path, *more: str, code: int = 0) -> Result:
    asked = ["simulate", "--league", "--out", str(out), "--bots", BOTS, "--turns", "6", "--seed", "test", *more]
    result = CliRunner().invoke(gm, asked, prog_name="pbem")
    assert result.exit_code == code, result.output
    return result


def test_bots_are_rated_with_intervals_and_who_wants_nothing_is_the_weakest(tmp_path: Path) -> None:
    said = league(tmp_path / "one", "--games", "8", "--jobs", "1").output
    found = json.loads(league(tmp_path / "one", "--games", "8", "--json").stdout)["league"]
    assert {each["name"] for each in found} == set(BOTS.split(","))
    assert [each["shown"] for each in found] == sorted((each["shown"] for each in found), reverse=True)
    assert found[-1]["name"] == "local-forces"
    for each in found:
        assert each["low"] < each["mu"] < each["high"]
        assert each["games"] == 8
        assert each["won"] == 0  # all were stopped: who led has not won
        assert f"{each['low']:.1f}-{each['high']:.1f}" in said
        assert f"{each['low']:.1f}–{each['high']:.1f}" in (tmp_path / "one" / "report.html").read_text("utf-8")


def test_nothing_is_played_where_nothing_can_be_rated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(util, "find_spec", lambda _: None)
    assert "pbem-gm[league]" in league(tmp_path / "one", code=2).output
    assert not (tmp_path / "one").exists()
