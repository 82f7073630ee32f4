"""``gm odds``: typed forces, a player's results, a GM's game, pictures, and what is said when that makes no sense."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from gm.games.medieval.spec import MedievalGame
from tests.cli.conftest import Run

FORCES = ("9 Heavy Infantry", "vs", "12 Men-at-Arms")


def figures(run: Run, *arguments: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run("odds", *arguments, "--json").output)
    return found


def test_typed_forces_need_no_game(run: Run) -> None:
    text = run("odds", *FORCES, "--fights", 200).output
    assert "Land battle: Attacker against Defender, fought 200 times." in text
    assert "Heavy Infantry" in text
    assert "Rounds:" in text
    assert run("odds", " ".join(FORCES), "-n", 200).output == text
    assert run("odds", *" ".join(FORCES).split(), "-n", 200).output == text


def test_json_is_for_scripts_and_the_seed_decides(run: Run) -> None:
    first = figures(run, *FORCES, "-n", 300)
    assert first == figures(run, *FORCES, "-n", 300)
    assert (first["fights"], first["seed"]) == (300, "odds")
    other = figures(run, *FORCES, "-n", 300, "--seed", "another")
    assert other["results"] != first["results"]
    assert abs(other["sides"][0]["wins"]["share"] - first["sides"][0]["wins"]["share"]) < 0.2


def test_walls_the_sea_borders_and_landings(run: Run) -> None:
    assert figures(run, *FORCES, "-f", 2, "-n", 20)["fortification"] == 2
    assert figures(run, *FORCES, "--border", "-n", 20)["kind"] == "border"
    assert figures(run, *FORCES, "--landing", "-n", 20)["kind"] == "land"
    assert figures(run, "3 Trading Cog vs 2 Light Dromond", "--sea", "-n", 20)["kind"] == "sea"


def test_every_example_of_the_help_can_be_typed(run: Run) -> None:
    typed = [line.strip() for line in run("odds", "--help").output.splitlines() if line.strip().startswith('gm odds "')]
    assert len(typed) >= 3
    for line in typed:
        arguments = [each.strip('"') for each in re.findall(r'"[^"]*"|\S+', line)][2:]
        assert "fought 10 times" in run("odds", *arguments, "-n", 10).output


def test_the_picture_goes_to_a_file(run: Run, tmp_path: Path) -> None:
    said = run("odds", *FORCES, "-n", 50, "--out", "deep/odds.svg").output
    assert "The picture is in deep/odds.svg." in said
    root = ElementTree.parse(tmp_path / "deep" / "odds.svg").getroot()  # noqa: S314 - our own
    assert root.tag.endswith("svg")


def test_a_map_gives_its_rules(run: Run) -> None:
    assert figures(run, *FORCES, "--map", "europe-1320", "-n", 20)["fights"] == 20


def test_a_player_asks_what_a_march_would_bring(run: Run, game: Path) -> None:
    results = game / "turns" / "turn-00" / "results" / "LIT.yaml"
    run("odds", "--results", results, "--at", "Minsk", code=2)
    found = figures(run, "--results", results, "G1 vs 9 Archers", "-n", 20)
    assert found["sides"][0]["units"][0]["start"] > 0
    assert "exclude each other" in run("odds", "--results", results, "--game", game, "--at", "Minsk", code=2).output


def test_the_gm_asks_about_his_game(run: Run, game: Path) -> None:
    text = " ".join(run("odds", "--at", "Minsk", code=2).output.split())
    assert "In Minsk there is no battle" in text
    assert "leave --map out" in run("odds", "--game", game, "--at", "Minsk", "--map", "minsk", code=2).output


def test_a_game_without_battles_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MedievalGame, "odds", None)
    assert "has no battles to reckon" in run("odds", *FORCES, code=2).output
