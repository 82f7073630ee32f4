"""The commands work on every game of the registry, and tell the same kind of things about it."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from gm.campaign.open import Campaign
from gm.cli.session import open_campaign
from gm.game.values import View
from gm.store.settings import Player
from tests.examples import sweep
from tests.games.conftest import Run
from tests.games.playing import PLAIN

pytestmark = pytest.mark.parametrize("name", sweep(PLAIN, "conquest-structures", "conquest-fields"))
AT = "2026-01-06 12:00"


def order_files(folder: Path, into: Path, *, keys: bool = True) -> list[Path]:
    """What the game's first bot orders, for each player who is to move."""
    campaign: Campaign = open_campaign(folder)
    spec, into = campaign.spec, into
    into.mkdir(exist_ok=True)
    files = []
    for seat in campaign.seats:
        player: Player | None = campaign.folder.players.of(seat.code)
        if player is None or seat.waiting or seat.out:
            continue
        view = View(
            game=campaign.folder.settings.id,
            realm=seat.code,
            turn=campaign.next_turn,
            key=campaign.keys[seat.code],
            seed="commands",
            table=campaign.table,
            state=spec.seen(campaign.table, campaign.state, seat.code),
        )
        data = next(iter(spec.bots.values())).orders(view)
        path = into / f"orders of {seat.code} (final).yaml"
        path.write_bytes(data if keys else re.sub(rb"(?m)^key:.*\n", b"", data))
        files.append(path)
    return files


def play(folder: Path, run: Run, *, turns: int = 1) -> None:
    """Take orders in and play."""
    for _ in range(turns):
        run("receive", *order_files(folder, folder.parent / "mail"), "--at", AT)
        run("turn")


def test_a_week_from_orders_to_reports(name: str, game: Path, run: Run) -> None:
    assert "missing" in run("status", "--at", AT).output
    refused = run("turn", code=1).output
    assert "orders are missing from" in refused
    files = order_files(game, game.parent / "mail")
    assert run("receive", *files, "--at", AT).output.count("accepted") >= len(files)
    status = json.loads(run("status", "--json", "--at", AT).output)
    assert status["complete"]
    assert not status["over"]
    dry = run("turn", "--dry-run").output
    assert "nothing was written" in dry
    run("turn")
    folder = game / "turns" / "turn-01"
    results = {path.name for path in (folder / "results").iterdir()}
    for path in files:
        code = path.name.split()[2]
        assert {f"{code}.yaml", f"{code}.html"} <= results
    assert (folder / "summary.html").is_file()
    assert "Next orders are due" in (folder / "summary.txt").read_text("utf-8")


def test_verify_proves_the_dice_and_replay_gives_the_same_bytes(name: str, game: Path, run: Run) -> None:
    play(game, run, turns=2)
    assert "Proven" in run("verify").output
    assert "2 turns came out the same" in run("verify", "--replay").output
    log = game / "turns" / "turn-02" / "state.json"
    log.write_text(log.read_text("utf-8").replace('"turn": 2', '"turn": 2 '), "utf-8")
    assert "Proven" not in run("verify", "--replay", code=1).output


def test_a_player_verifies_and_checks_with_his_results_alone(name: str, game: Path, run: Run) -> None:
    files = order_files(game, game.parent / "mail")
    code = files[0].name.split()[2]
    run("receive", *files, "--at", AT)
    run("turn")
    results = [game / "turns" / f"turn-0{number}" / "results" / f"{code}.yaml" for number in (0, 1)]
    checked = run("verify", "--results", results[1], "--before", results[0], "--orders", files[0]).output
    assert "Proven" in checked
    template = game / "turns" / "turn-01" / "next" / f"{code}.yaml"
    if template.is_file():
        elsewhere = game.parent / "elsewhere"
        elsewhere.mkdir()
        shutil.copy(template, elsewhere / "mine.yaml")
        assert "no problems found" in run("check", elsewhere / "mine.yaml", "--results", results[1]).output
        schema = json.loads(run("schema", "orders", "--results", results[1]).output)
        assert schema["required"]


def test_a_turn_taken_back_is_played_again_alike(name: str, game: Path, run: Run) -> None:
    play(game, run)
    before = (game / "turns" / "turn-01" / "state.json").read_bytes()
    run("undo", "--unpublished")
    assert not (game / "turns" / "turn-01").exists()
    run("turn")
    assert (game / "turns" / "turn-01" / "state.json").read_bytes() == before


def test_why_answers_for_players_lines_and_the_turn(name: str, game: Path, run: Run) -> None:
    files = order_files(game, game.parent / "mail")
    code = files[0].name.split()[2]
    play(game, run)
    questions = run("why").output
    assert "PLAYER" in questions
    assert run("why", "turn").output
    assert run("why", code).output
    assert f"'{code}x'" in run("why", f"{code}x", code=2).output
    idle = game.parent / "idle.yaml"
    text = (game / "turns" / "turn-00" / "next" / f"{code}.yaml").read_text("utf-8")
    idle.write_text(text, "utf-8")
    assert run("why", "--if", idle).output.strip()
    run("why", "nothing-of-the-kind", code=2)


def test_a_correction_is_public_and_can_be_replayed(name: str, game: Path, run: Run) -> None:
    usages = [correction.usage for correction in open_campaign(game).spec.corrections.values()]
    assert usages, "a game lets its GM correct something"
    assert usages[0].split()[0] in run("amend").output
    said = run("amend", "nonsense", "words", "--why", "to see what is said", code=2).output
    assert "What can be corrected" in said


def test_a_gm_can_leave_a_seat_without_a_player(name: str, game: Path, run: Run) -> None:
    codes = [seat.code for seat in open_campaign(game).seats if seat.played]
    run("seat", codes[-1], "--controller", "nobody")
    assert "no player" in run("status", "--at", AT).output
    run("turn", "--missing-ok")
    assert "Proven" in run("verify", "--replay").output
    assert "nobody" in run("seat").output


def test_reports_maps_handbook_and_schema_are_written(name: str, game: Path, run: Run) -> None:
    play(game, run)
    pages = {path: path.read_bytes() for path in (game / "turns" / "turn-01" / "results").glob("*.html")}
    assert pages
    run("report")
    assert {path: path.read_bytes() for path in pages} == pages
    run("map", "show", "--out", "map.svg", "--moves")
    assert (game / "map.svg").read_text("utf-8").startswith("<svg")
    run("handbook", "--out", "book.html")
    assert "Content-Security-Policy" in (game / "book.html").read_text("utf-8")
    assert json.loads(run("schema", "orders").output)["type"] == "object"


def test_a_whole_game_goes_into_one_file_and_out_of_it(name: str, game: Path, run: Run) -> None:
    play(game, run)
    run("export", "--out", game.parent / "game.zip")
    run("import", game.parent / "game.zip", game.parent / "again")
    assert "Proven" in run("verify", "--replay", "--game", game.parent / "again").output


def test_without_keys_a_file_needs_none_and_with_keys_it_does(name: str, game: Path, run: Run) -> None:
    files = order_files(game, game.parent / "mail", keys=False)
    assert f"0 files accepted of {len(files)}" in run("receive", *files, "--at", AT, code=1).output
    settings = game / "game.yaml"
    settings.write_text(settings.read_text("utf-8") + "keys: false\n", "utf-8")
    assert run("receive", *files, "--at", AT).output.count("accepted") >= len(files)
    run("turn")


def test_options_are_listed_and_a_wrong_one_names_the_nearest(name: str, run: Run) -> None:
    listed = run("new", "x", "--game", name, "--set", "help").output
    options: Any = re.findall(r"(?m)^  (\w+)  ", listed)
    assert options
    said = run("new", "x", "--game", name, "--set", f"{options[0]}x=1", code=2).output
    assert "did you mean" in said
    assert "NAME=VALUE" in run("new", "x", "--game", name, "--set", "novalue", code=2).output
    assert not Path("x").exists()


def test_bots_play_a_game_to_its_end_and_then_no_turn_is_played(name: str, run: Run) -> None:
    run("new", "alone", "--game", name, "--bots", "--seed", "end", "--at", "2026-01-05 12:00")
    for _ in range(3):
        run("turn", "--game", "alone", "--no-html")
    assert "Proven" in run("verify", "--replay", "--game", "alone").output


def test_a_game_that_is_over_refuses_turns_and_order_files(name: str, game: Path, run: Run) -> None:
    files = order_files(game, game.parent / "mail")
    state = game / "turns" / "turn-00" / "state.json"
    text = state.read_text("utf-8")
    assert '"winners": null' in text
    code = files[0].name.split()[2]
    state.write_text(text.replace('"winners": null', f'"winners": ["{code}"]'), "utf-8")
    winner = next(seat.name for seat in open_campaign(game).seats if seat.code == code)
    assert f"The game is over; {winner} won." in run("status", "--at", AT).output
    assert "the game is over" in run("turn", code=1).output
    assert "the game is over" in run("receive", files[0], "--at", AT, code=1).output
