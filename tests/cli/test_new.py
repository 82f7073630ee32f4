"""``pbem new`` and ``pbem handbook``: a game folder with everything in it; the rulebook with its figures."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from ruamel.yaml import YAML

from gm.cli.app import gm
from gm.resources import resource
from gm.store.folder import GameFolder
from tests.cli.conftest import AT, PLAYERS, Run, content, key_of


def test_a_new_game_holds_settings_players_map_and_the_start(fresh_game: Path) -> None:
    names = set(content(fresh_game))
    assert {
        "game.yaml",
        "players.yaml",
        "map.yaml",
        "turns/turn-00/state.json",
        "turns/turn-00/log.jsonl",
    } <= names
    for realm in PLAYERS:
        assert {f"turns/turn-00/results/{realm}.yaml", f"turns/turn-00/next/{realm}.yaml"} <= names
    settings = GameFolder(fresh_game).settings
    assert (settings.id, settings.game, settings.map, settings.seed) == ("minsk", "medieval", "minsk", "test")
    assert settings.deadline.of_turn(1).isoformat() == "2026-01-09T20:00:00+00:00"
    assert GameFolder(fresh_game).newest_turn() == 0


def test_every_file_of_ours_says_its_version(fresh_game: Path) -> None:
    for name, data in content(fresh_game).items():
        if name.endswith(".schema.json"):  # written for editors: the version is the standard's
            assert json.loads(data)["$schema"].endswith("/draft-07/schema#"), name
        elif name.endswith(".json"):
            assert json.loads(data)["schema"] == 1, name
        elif name.endswith(".jsonl"):
            assert json.loads(data.splitlines()[0])["schema"] == 1, name
        elif "/" not in name and name != "handbook.html":  # that one is for people
            assert b"\nschema: 1\n" in data, name


def test_the_same_secrets_make_the_same_game(run: Run, tmp_path: Path) -> None:
    for name in ("one", "two"):
        run(
            "new",
            name,
            "--id",
            "x",
            "--seed",
            "s",
            "--key-secret",
            "k",
            "--player",
            "LIT=a@example.org",
            "--at",
            AT,
        )
    assert content(tmp_path / "one") == content(tmp_path / "two")


@pytest.mark.slow
def test_without_secrets_no_two_games_have_the_same_keys_and_seed(tmp_path: Path) -> None:
    players = ["--player", "LIT=a@example.org", "--player", "POL=b@example.org"]
    for name in ("one", "two"):  # typed as they stand: the tests' own hand gives new games secrets
        assert CliRunner().invoke(gm, ["new", str(tmp_path / name), *players, "--at", AT]).exit_code == 0
    one = GameFolder(tmp_path / "one")
    two = GameFolder(tmp_path / "two")
    assert one.settings.seed != two.settings.seed
    for turn in (1, 2):
        assert key_of(tmp_path / "one", "LIT", turn) != key_of(tmp_path / "two", "LIT", turn)
    assert one.players.players[0].secret != two.players.players[0].secret


@pytest.mark.clause("V1", "W9")
@pytest.mark.slow
def test_the_scenarios_goal_and_first_year_go_with_the_game(run: Run, tmp_path: Path) -> None:
    from gm.games.medieval.spec import SPEC

    source = SPEC.maps()["minsk"]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/map.yaml").write_bytes((source / "map.yaml").read_bytes())
    start = (source / "start.yaml").read_text(encoding="utf-8")
    (tmp_path / "mine/start.yaml").write_text(
        start + "\nyear: 1405\nvictory: {last_turn: 9}\n", encoding="utf-8"
    )
    run("new", "game", "--map", "mine", "--player", "LIT=a@example.org", "--at", AT)
    rules = SPEC.load_table(tmp_path / "game").rules
    assert (rules.start_year, rules.victory.last_turn) == (1405, 9)
    assert "1405" in run("turn", "--missing-ok", "--game", "game").output


@pytest.mark.slow
@pytest.mark.clause("W11")
def test_seats_are_drawn_by_dice_for_those_who_did_not_choose(run: Run, tmp_path: Path) -> None:
    seats = set()
    for seed in (0, 1, 7):
        run(
            "new",
            f"g{seed}",
            "--seed",
            seed,
            "--player",
            "a@example.org",
            "--player",
            "LIT=b@example.org",
            "--at",
            AT,
        )
        players = GameFolder(tmp_path / f"g{seed}").players.players
        seats.add(next(player.realm for player in players if player.email == "a@example.org"))
        assert next(player.realm for player in players if player.email == "b@example.org") == "LIT"
    assert seats == {"NOV", "POL", "TEU"}


def test_players_come_from_a_file_too(run: Run, tmp_path: Path) -> None:
    (tmp_path / "friends.yaml").write_text(
        "players:\n  - {realm: pol, name: Piotr, email: p@example.org}\n  - {email: x@example.org}\n",
        encoding="utf-8",
    )
    result = run("new", "game", "--players", "friends.yaml", "--player", "LIT=a@example.org", "--at", AT)
    assert "3 players, 4 realms" in result.output
    players = GameFolder(tmp_path / "game").players
    assert {player.realm for player in players.players} >= {"POL", "LIT"}
    assert players.of("POL").name == "Piotr"  # type: ignore[union-attr]


def test_realms_without_a_player_stand_still(run: Run, tmp_path: Path) -> None:
    run("new", "game", "--player", "LIT=a@example.org", "--at", AT)
    state = json.loads((tmp_path / "game/turns/turn-00/state.json").read_text(encoding="utf-8"))
    assert {code: realm["controller"] for code, realm in state["realms"].items()} == {
        "LIT": "player",
        "NOV": "nobody",
        "POL": "nobody",
        "TEU": "nobody",
    }


@pytest.mark.slow
def test_an_empty_folder_may_be_used_and_a_full_one_not(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    run("new", "empty", "--player", "LIT=a@example.org", "--at", AT)
    before = content(tmp_path / "empty")
    result = run("new", "empty", "--player", "LIT=a@example.org", "--at", AT, code=2)
    assert "already exists and is not empty" in result.output
    assert content(tmp_path / "empty") == before


def test_keys_look_like_keys(fresh_game: Path) -> None:
    keys = {key_of(fresh_game, realm) for realm in PLAYERS}
    assert len(keys) == 4
    assert all(len(key.split("-")) == 7 for key in keys)


@pytest.mark.slow
def test_a_game_whose_files_are_handed_over_may_have_short_keys(tmp_path: Path, run: Run) -> None:
    """14.A1: short keys, which can be guessed, are for whoever asks for them."""
    for name, options, words in (("short", ["--short-keys"], 2), ("long", [], 6)):
        game = tmp_path / name
        run("new", game, "--player", "LIT=a@example.org", *options, "--at", AT)
        template = YAML(typ="safe").load((game / "turns/turn-00/next/LIT.yaml").read_text("utf-8"))
        assert len(template["key"].split("-")) == words + 1
        files = game.parent / f"{name}.yaml"
        files.write_text(f"orders: 1\ngame: {name}\nrealm: LIT\nturn: 1\nkey: {template['key']}\n", "utf-8")
        assert "1 file accepted" in run("receive", files, "--at", AT, "--game", game).output


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
    (game / "rules" / "numbers.yaml").write_text(
        ours.replace("decay_percent: 7 ", "decay_percent: 11 "), "utf-8"
    )
    run("handbook")
    text = (game / "handbook.html").read_text(encoding="utf-8")
    assert "11% of what is then in the treasury" in text
    assert "7% of what is then in the treasury" not in text
