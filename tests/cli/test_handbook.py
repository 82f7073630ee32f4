"""``gm handbook``: where it is written, with whose figures, and what is said when there is no game."""

from __future__ import annotations

from pathlib import Path

from gm.resources import resource
from tests.cli.conftest import Run


def test_a_new_game_has_its_handbook(game: Path, run: Run) -> None:
    first = (game / "handbook.html").read_bytes()
    assert first.startswith(b"<!DOCTYPE html>")
    (game / "handbook.html").unlink()
    result = run("handbook")
    assert (game / "handbook.html").read_bytes() == first
    assert "The handbook is in handbook.html" in result.output


def test_it_is_found_from_a_folder_inside_and_by_name(game: Path, run: Run, tmp_path: Path) -> None:
    first = (game / "handbook.html").read_bytes()
    run("handbook", "--game", game, "--out", tmp_path / "mail" / "rules.html")
    assert (tmp_path / "mail" / "rules.html").read_bytes() == first


def test_the_gms_own_rules_are_in_it(game: Path, run: Run) -> None:
    ours = resource("rules", "medieval", "numbers.yaml").read_text(encoding="utf-8")
    (game / "rules").mkdir()
    (game / "rules" / "numbers.yaml").write_text(ours.replace("decay_percent: 7 ", "decay_percent: 11 "), "utf-8")
    run("handbook")
    text = (game / "handbook.html").read_text(encoding="utf-8")
    assert "11% of what is then in the treasury" in text
    assert "7% of what is then in the treasury" not in text


def test_without_a_game_it_is_for_a_map(run: Run, tmp_path: Path) -> None:
    run("handbook", "--map", "europe-1320")
    assert "Europe" in (tmp_path / "handbook.html").read_text(encoding="utf-8")


def test_what_is_missing_or_wrong_is_said(run: Run, tmp_path: Path) -> None:
    assert "--map and one of" in run("handbook", code=2).output
    assert "minsk" in run("handbook", code=2).output
    assert "no map is called 'atlantis'" in run("handbook", "--map", "atlantis", code=2).output
    assert "no game is called 'chess'" in run("handbook", "--map", "minsk", "--game-name", "chess", code=2).output
    (tmp_path / "empty").mkdir()
    assert run("handbook", "--game", "empty", code=2).output.startswith("Error: There is no game in")
    assert list(tmp_path.glob("*.html")) == []


def test_a_map_and_a_game_are_one_too_many(game: Path, run: Run) -> None:
    assert "leave --game out" in run("handbook", "--map", "minsk", "--game", game, code=2).output
