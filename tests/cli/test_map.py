"""``pbem map`` and ``pbem odds``: drawings, checks of maps, and battles reckoned."""

import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from gm.cli.map import PNG_WIDTH
from gm.games.medieval.spec import MedievalGame
from gm.resources import resource
from tests.cli.conftest import Run


def box(picture: str) -> list[float]:
    match = re.search(r'viewBox="([^"]+)"', picture)
    assert match
    return [float(number) for number in match.group(1).split()]


# -- show ----------------------------------------------------------------------------------------------------


def test_a_map_is_drawn_by_its_name_or_folder_without_any_game(run: Run) -> None:
    by_name = run("map", "show", "minsk").output
    assert by_name == run("map", "show", resource("maps", "medieval", "minsk")).output
    assert "Minsk" in by_name
    assert "no map of that name comes with pbem" in run("map", "show", "atlantis", code=2).output


@pytest.mark.parametrize(
    ("name", "places", "borders"),
    [
        ("minsk", 28, 67),
        ("duel-11", 11, 18),
        ("europe859", 44, 77),
        ("four-shores", 13, 17),
        ("squares4-6x6", 36, 60),
    ],
)
def test_a_map_of_any_game_is_given_as_a_graph(
    run: Run, tmp_path: Path, name: str, places: int, borders: int
) -> None:
    """15.2: GraphML, read back by another reader."""
    run("map", "show", name, "--out", tmp_path / "map.graphml")
    graph = nx.read_graphml(tmp_path / "map.graphml")
    assert (len(graph), graph.number_of_edges()) == (places, borders)
    assert all(kind for _, kind in graph.nodes.data("kind"))


def test_zoom_knows_places_by_any_spelling_and_suggests_names(run: Run) -> None:
    whole = run("map", "show", "minsk").output
    near = run("map", "show", "minsk", "--zoom", "kRAKÓW").output
    assert box(near)[2] < box(whole)[2]
    assert "did you mean 'Krakow'" in run("map", "show", "minsk", "--zoom", "Krakau", code=2).output


def test_png_by_the_name_of_the_file(run: Run, tmp_path: Path) -> None:
    run("map", "show", "hexland", "--out", "map.png", "--width", 300)
    data = (tmp_path / "map.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20], "big") == 300
    assert PNG_WIDTH > 300


def test_png_without_its_extra_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert "install pbem-gm[png]" in run("map", "show", "hexland", "--out", "map.png", code=2).output
    assert not (tmp_path / "map.png").exists()


# -- check ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("W11")
@pytest.mark.parametrize(
    ("name", "realms"),
    [("minsk", 4), ("hexland", 4), pytest.param("europe-1320", 23, marks=pytest.mark.slow)],
)
def test_the_shipped_maps_are_clean_and_their_balance_is_printed(name: str, realms: int, run: Run) -> None:
    lines = run("map", "check", name).output.splitlines()
    assert lines[0].split()[:3] == ["realm", "provinces", "cities"]
    assert len(lines) == realms + 3
    assert lines[-1] == f"{name}: no problems found."
    data = json.loads(run("map", "check", name, "--json").output)
    assert len(data["balance"]) == realms
    assert data["balance"][0]["to conquer"] >= 4
    assert data["diagnostics"] == []


def test_a_map_with_errors_has_no_balance(run: Run, tmp_path: Path) -> None:
    assert "no problems found" in run("map", "check", resource("maps", "medieval", "hexland")).output
    for file in ("map.yaml", "start.yaml"):
        text = resource("maps", "medieval", "hexland", file).read_text("utf-8")
        (tmp_path / file).write_text(text.replace("capital: Larkhill", "capital: Lark Hill"), "utf-8")
    output = run("map", "check", tmp_path, code=2).output
    assert "no map of that name comes with pbem" in run("map", "check", "atlantis", code=2).output
    assert "did you mean 'Larkhill'?" in output
    assert "worth" not in output
    assert json.loads(run("map", "check", tmp_path, "--json", code=2).output)["balance"] == []


FORCES = ("9 Heavy Infantry", "vs", "12 Men-at-Arms")


def figures(run: Run, *arguments: object) -> dict[str, Any]:
    figures: dict[str, Any] = json.loads(run("odds", *arguments, "--json").output)
    return figures


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


def test_every_example_of_the_help_can_be_typed(run: Run) -> None:
    typed = [
        line.strip()
        for line in run("odds", "--help").output.splitlines()
        if line.strip().startswith('pbem odds "')
    ]
    assert len(typed) >= 3
    for line in typed:
        arguments = [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', line)][2:]
        assert "fought 10 times" in run("odds", *arguments, "-n", 10).output


def test_the_picture_goes_to_a_file(run: Run, tmp_path: Path) -> None:
    said = run("odds", *FORCES, "-n", 50, "--out", "deep/odds.svg").output
    assert "The picture is in deep/odds.svg." in said
    root = ElementTree.parse(tmp_path / "deep" / "odds.svg").getroot()  # noqa: S314 - our own
    assert root.tag.endswith("svg")


def test_a_player_asks_what_a_march_would_bring(run: Run, game: Path) -> None:
    results = game / "turns" / "turn-00" / "results" / "LIT.yaml"
    run("odds", "--results", results, "--at", "Minsk", code=2)
    chances = figures(run, "--results", results, "G1 vs 9 Archers", "-n", 20)
    assert chances["sides"][0]["units"][0]["start"] > 0
    assert (
        "exclude each other"
        in run("odds", "--results", results, "--game", game, "--at", "Minsk", code=2).output
    )


def test_a_game_without_battles_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MedievalGame, "odds", None)
    assert "has no odds to estimate" in run("odds", *FORCES, code=2).output
