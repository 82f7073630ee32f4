"""The schemas of what programs read hold for what is written today and for the samples of every release."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gm import __version__
from gm.cli.schemas import FILES, file_schema
from gm.games import GAMES, game_spec
from tests.clients.samples import NAMES, ROOT, data_of, samples
from tests.commands import Run

RELEASES = sorted(path.name for path in ROOT.iterdir())


def problems(schema: dict[str, Any], data: object) -> list[str]:
    return [f"{error.json_path}: {error.message[:200]}" for error in Draft202012Validator(schema).iter_errors(data)]


@pytest.mark.parametrize("game", GAMES)
def test_what_is_written_today_fits_the_schemas(game: str, tmp_path: Path) -> None:
    written = samples(game, tmp_path / "game")
    for kind in FILES:
        schema = file_schema(game_spec(game), kind)
        Draft202012Validator.check_schema(schema)
        for data in data_of(NAMES[kind], written[NAMES[kind]]):
            assert problems(schema, data) == [], kind


@pytest.mark.parametrize("release", RELEASES)
def test_the_samples_of_each_release_fit_todays_schemas(release: str) -> None:
    for game in sorted(path.name for path in (ROOT / release).iterdir()):
        for kind in FILES:
            schema = file_schema(game_spec(game), kind)
            for data in data_of(NAMES[kind], (ROOT / release / game / NAMES[kind]).read_bytes()):
                assert problems(schema, data) == [], (game, kind)


def test_this_version_has_samples_of_every_game() -> None:
    assert {path.name for path in (ROOT / __version__).iterdir()} == set(GAMES), "python -m tests.clients.samples"


@pytest.mark.parametrize("kind", FILES)
def test_a_schema_misses_each_entry_and_refuses_another_version(kind: str) -> None:
    schema = file_schema(game_spec("conquestination"), kind)
    path = ROOT / __version__ / "conquestination" / NAMES[kind]
    (data, *_) = data_of(path.name, path.read_bytes())
    assert isinstance(data, dict)
    version = {"bot": "format", "log": "schema"}.get(kind, kind)
    assert problems(schema, {**data, version: data[version] + 1})
    assert problems(schema, {**data, "something new": 1}) == []  # entries may come
    missed = [name for name in data if problems(schema, {each: data[each] for each in data if each != name})]
    # what not every game has
    assert set(data) - set(missed) <= {"rules", "player", "next_turn", "tally", "board", "history"}
    position = {**data.get("position", {}), "countries": {"A1": {"owner": 1}}}
    assert "position" not in data or problems(schema, {**data, "position": position})


def test_the_commands_print_them(run: Run) -> None:
    run("new", "islands", "--game", "conquestination", "--bots", "--at", "2026-01-05 12:00")
    for kind in FILES:
        told = json.loads(run("schema", kind, "--game", "islands").output)
        assert told == json.loads(run("schema", kind, "--game-name", "conquestination").output)
        assert told["title"] == f"Conquestination: {kind}"
    assert json.loads(run("schema", "log", "--map", "minsk").output)["title"] == "Medieval Diplomacy: log"
