"""The schemas of what programs read hold for what is written today."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gm.cli.schemas import FILES, file_schema
from gm.games import GAMES, game_spec
from tests.clients.samples import NAMES, data_of, main, samples
from tests.commands import Run
from tests.examples import sweep


@pytest.fixture(scope="module")
def islands(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return the samples of Conquestination."""
    return samples("conquestination", tmp_path_factory.mktemp("samples") / "game")


def problems(schema: dict[str, Any], data: object) -> list[str]:
    return [
        f"{error.json_path}: {error.message[:200]}"
        for error in Draft202012Validator(schema).iter_errors(data)
    ]


@pytest.mark.parametrize("game", sweep(GAMES, "conqueror", "conquest-fields"))
def test_what_is_written_today_fits_the_schemas(game: str, tmp_path: Path) -> None:
    written = samples(game, tmp_path / "game")
    for kind in FILES:
        schema = file_schema(game_spec(game), kind)
        Draft202012Validator.check_schema(schema)
        for data in data_of(NAMES[kind], written[NAMES[kind]]):
            assert problems(schema, data) == [], kind


def test_the_command_writes_a_folder_for_each_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.clients.samples.GAMES", {"conquest-fields": None})
    main(tmp_path)
    assert {path.name for path in (tmp_path / "conquest-fields").iterdir()} == set(NAMES.values())


@pytest.mark.parametrize("kind", FILES)
def test_a_schema_misses_each_entry_and_refuses_another_version(kind: str, islands: dict[str, bytes]) -> None:
    schema = file_schema(game_spec("conquestination"), kind)
    (data, *_) = data_of(NAMES[kind], islands[NAMES[kind]])
    assert isinstance(data, dict)
    version = {"bot": "format", "log": "schema"}.get(kind, kind)
    assert problems(schema, {**data, version: data[version] + 1})
    assert problems(schema, {**data, "something new": 1}) == []  # entries may come
    missed = [
        name for name in data if problems(schema, {entry: data[entry] for entry in data if entry != name})
    ]
    # what not every game has
    assert set(data) - set(missed) <= {"rules", "player", "next_turn", "tally", "board", "history"}
    position = {**data.get("position", {}), "countries": {"A1": {"owner": 1}}}
    assert "position" not in data or problems(schema, {**data, "position": position})


def test_the_commands_print_them(run: Run) -> None:
    run("new", "islands", "--game", "conquestination", "--bots", "--at", "2026-01-05 12:00")
    for kind in FILES:
        schema = json.loads(run("schema", kind, "--game", "islands").output)
        assert schema == json.loads(run("schema", kind, "--game-name", "conquestination").output)
        assert schema["title"] == f"Conquestination: {kind}"
    assert json.loads(run("schema", "log", "--map", "minsk").output)["title"] == "Medieval Diplomacy: log"
