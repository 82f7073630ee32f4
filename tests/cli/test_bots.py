"""Seats that programs play: ``pbem new --bots``, ``pbem seat --bot``, and what the other commands make of
them.
"""

import json
import shutil
import sys
from itertools import chain
from pathlib import Path

import pytest

from gm.store.folder import GameFolder
from tests.cli.conftest import Run

STEWARD = Path(__file__).parents[2] / "examples" / "bots" / "steward.py"
BOTS = ("--seed", "test", "--key-secret", "test", "--deadline", "friday 20:00", "--first", "2026-01-09")


@pytest.fixture
def alone(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game of one person against bots, and the current directory inside it."""
    run("new", "solo", "--play", "LIT", "--bots", *BOTS)
    monkeypatch.chdir(tmp_path / "solo")
    return tmp_path / "solo"


@pytest.fixture
def machines(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game of four conquerors, and the current directory inside it."""
    run("new", "four", "--bots", "conqueror", *BOTS)
    monkeypatch.chdir(tmp_path / "four")
    return tmp_path / "four"


def record(game: Path, turn: int) -> dict[str, object]:
    record: dict[str, object] = GameFolder(game).turn_record(turn)
    return record


# -- pbem new ------------------------------------------------------------------------------------------------


def test_one_person_plays_against_bots_of_different_temper(run: Run, tmp_path: Path) -> None:
    said = run("new", "solo", "--play", "lit", "--bots").output
    players = {player.realm: player for player in GameFolder(tmp_path / "solo").players.players}
    assert players["LIT"].bot == ""
    assert sorted(players[code].bot for code in ("NOV", "POL", "TEU")) == ["builder", "conqueror", "raider"]
    assert "1 player, 4 realms" in said
    assert "You play LIT" in said
    assert "pbem turn --game solo" in said
    assert "Send each player" not in said


def test_without_the_option_realms_without_a_player_stand_still_as_before(run: Run, tmp_path: Path) -> None:
    run("new", "few", "--player", "LIT=anna@example.org")
    assert [player.realm for player in GameFolder(tmp_path / "few").players.players] == ["LIT"]


# -- turns ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("N3")
def test_the_turn_waits_for_the_person_and_asks_the_bots(run: Run, alone: Path) -> None:
    assert "orders are missing from LIT" in run("turn", code=1).output
    run("receive", "turns/turn-00/next/LIT.yaml", "--at", "2026-01-05 12:00")
    said = run("turn", "--no-html").output
    assert "Orders by bots:" in said
    orders = sorted(path.stem for path in (alone / "turns" / "turn-01" / "orders").glob("*.yaml"))
    assert orders == ["LIT", "NOV", "POL", "TEU"]
    assert record(alone, 1)["orders"] == orders
    assert set(record(alone, 1)["decisions"]["bots"]) == {"NOV", "POL", "TEU"}  # type: ignore[index]
    proof = record(alone, 1)["proof"]
    assert sorted(proof["order_files"]) == orders  # type: ignore[index]


@pytest.mark.slow
def test_nobody_reads_the_reports_of_bots_so_none_are_written_unless_asked_for(run: Run, alone: Path) -> None:
    """14.B17."""
    before = {path.name for path in (alone / "turns/turn-00").rglob("*") if path.suffix in (".html", ".yaml")}
    assert before == {"LIT.html", "LIT.yaml"}
    run("turn", "--missing-ok")
    turn = alone / "turns/turn-01"
    assert {path.name for path in turn.glob("results/*.*")} == {
        *("LIT.html", "LIT.yaml", "dice.jsonl", "herald.html", "herald.de.html")
    }
    assert {path.name for path in turn.glob("next/*.*")} == {"LIT.yaml", "LIT.schema.json"}
    run("verify", "--replay")
    run("report", "--bot-reports")
    assert {path.stem for path in turn.glob("results/*.html")} == {
        "LIT",
        "NOV",
        "POL",
        "TEU",
        "herald",
        "herald.de",
    }
    run("verify", "--replay")
    run("turn", "--missing-ok", "--no-html", "--bot-reports")
    assert (alone / "turns/turn-02/next/POL.yaml").is_file()


def test_who_takes_over_from_a_bot_finds_his_report_and_template(run: Run, alone: Path) -> None:
    """14.B17."""
    run("seat", "POL", "--email", "ben@example.org")
    assert {path.stem for path in (alone / "turns/turn-00/results").glob("*.html")} == {"LIT", "POL"}
    player = GameFolder(alone).players.of("POL")
    assert player is not None
    assert player.key_for(1) in (alone / "turns/turn-00/next/POL.yaml").read_text()


@pytest.mark.clause("N3")
@pytest.mark.slow
def test_a_turn_of_bots_replays_to_the_same_bytes_and_their_orders_with_it(run: Run, machines: Path) -> None:
    run("turn", "--no-html")
    run("turn", "--no-html")
    data = json.loads(run("verify", "--replay", "--json").output)
    assert data["proven"] is True, data
    compared = list(chain.from_iterable(turn["files"] for turn in data["turns"]))
    assert compared.count("orders/TEU.yaml") == 2


@pytest.mark.slow
@pytest.mark.clause("N3")
def test_a_person_plays_against_the_strategist_and_his_orders_replay(run: Run, tmp_path: Path) -> None:
    away = ("--player", "NOV=ivan@example.org", "--player", "POL=anna@example.org")
    run("new", "wits", "--play", "LIT", *away, "--bots", "strategist", *BOTS)
    assert {player.bot for player in GameFolder(tmp_path / "wits").players.players} == {"", "strategist"}
    run("turn", "--no-html", "--missing-ok", "--game", "wits")
    data = json.loads(run("verify", "--replay", "--json", "--game", "wits").output)
    assert data["proven"] is True, data
    assert "orders/TEU.yaml" in list(chain.from_iterable(turn["files"] for turn in data["turns"]))


@pytest.mark.clause("N3")
def test_a_bots_orders_that_were_changed_are_found_out(run: Run, machines: Path) -> None:
    run("turn", "--no-html")
    folder = GameFolder(machines)
    path = folder.played.folder(1) / "orders" / "TEU.yaml"
    path.write_bytes(path.read_bytes() + b"# a word more\n")
    assert "orders/TEU.yaml was changed" in run("verify", code=1).output


def test_the_same_game_with_the_same_secrets_gives_the_same_orders(run: Run, tmp_path: Path) -> None:
    for name in ("one", "two"):
        run("new", name, "--id", "same", "--bots", *BOTS)
        run("turn", "--no-html", "--game", name)
    folders = [tmp_path / name / "turns" / "turn-01" / "orders" for name in ("one", "two")]
    files = [{path.name: path.read_bytes() for path in sorted(folder.glob("*.yaml"))} for folder in folders]
    assert files[0] == files[1]
    assert len(files[0]) == 4


def test_a_dry_run_asks_the_bots_and_writes_nothing(run: Run, machines: Path) -> None:
    said = run("turn", "--dry-run").output
    assert "Orders by bots: conqueror for LIT, NOV, POL, TEU." in said
    assert not (machines / "turns" / "turn-01").exists()


def test_why_looks_at_what_a_bot_ordered_and_at_what_it_might_have(
    run: Run, machines: Path, tmp_path: Path
) -> None:
    run("turn", "--no-html")
    orders = tmp_path / "TEU.yaml"
    text = (machines / "turns" / "turn-01" / "orders" / "TEU.yaml").read_text()
    orders.write_text(text.split("\nunits:")[0] + "\n")
    assert run("why", "TEU", "--turn", "1", "--if", orders).output


# -- status, check, receive ----------------------------------------------------------------------------------


def test_status_names_the_bots_and_waits_for_none_of_them(run: Run, alone: Path) -> None:
    run("seat", "POL", "--controller", "local forces")
    run("seat", "NOV", "--bot", "conqueror")
    said = run("status", "--at", "2026-01-09 19:00").output
    assert "NOV  Novgorod        bot        conqueror" in said
    assert "POL  Poland          local forces" in said
    assert "Orders in: 0 of 1. Missing: LIT." in said
    data = json.loads(run("status", "--json", "--at", "2026-01-09 19:00").output)
    assert data["missing"] == ["LIT"]
    seats = {seat["realm"]: (seat["orders"], seat["bot"]) for seat in data["realms"]}
    assert seats["NOV"] == ("bot", "conqueror")
    assert seats["POL"] == ("local forces", "local-forces")
    assert seats["LIT"] == ("missing", "")


def test_nobody_can_send_orders_for_a_seat_that_a_bot_plays(run: Run, alone: Path) -> None:
    run("report", "--bot-reports")
    said = run("receive", "turns/turn-00/next/POL.yaml", "--at", "2026-01-05 12:00", code=1).output
    assert "Poland is played by a bot" in said
    assert not (alone / "inbox" / "turn-01" / "POL.yaml").exists()


def test_a_bots_order_file_is_clean_when_it_is_checked(run: Run, machines: Path) -> None:
    run("turn", "--no-html", "--bot-reports")
    folder = GameFolder(machines)
    # the file that the bot is about to give for turn 2, as it lies in turn 2's folder once that is played
    shutil.copytree(machines, machines.parent / "later")
    run("turn", "--no-html", "--game", machines.parent / "later")
    orders = machines.parent / "later" / "turns" / "turn-02" / "orders" / "LIT.yaml"
    run("check", orders, "--results", folder.played.folder(1) / "results" / "LIT.yaml")


# -- pbem seat -----------------------------------------------------------------------------------------------


@pytest.mark.clause("V3")
def test_a_bot_takes_over_from_a_person_whose_keys_and_address_go(run: Run, game: Path) -> None:
    before = GameFolder(game).players.of("LIT")
    said = run("seat", "LIT", "--bot", "raider").output
    assert "LIT: bot raider" in said
    after = GameFolder(game).players.of("LIT")
    assert before is not None
    assert after is not None
    assert (after.bot, after.email, after.name) == ("raider", "", "")
    assert after.secret != before.secret


@pytest.mark.clause("V3")
def test_a_person_takes_over_from_a_bot(run: Run, machines: Path) -> None:
    before = GameFolder(machines).players.of("LIT")
    run("seat", "LIT", "--email", "anna@example.org")
    after = GameFolder(machines).players.of("LIT")
    assert before is not None
    assert after is not None
    assert (after.bot, after.email) == ("", "anna@example.org")
    assert after.secret != before.secret
    assert "orders are missing from LIT" in run("turn", code=1).output
    run("player", "replace", "POL", "--email", "ben@example.org")
    assert GameFolder(machines).players.of("POL").bot == ""  # type: ignore[union-attr]


def test_no_bot_leaves_the_seat_to_whoever_comes(run: Run, machines: Path) -> None:
    run("seat", "LIT", "--bot", "none")
    assert "orders are missing from LIT" in run("turn", code=1).output


# -- programs of others --------------------------------------------------------------------------------------


def test_a_program_plays_a_seat_over_standard_input_and_output(run: Run, machines: Path) -> None:
    run("seat", "TEU", "--bot", f"program:{sys.executable} {STEWARD}")
    said = run("turn", "--no-html").output
    assert f"program:{Path(sys.executable).name} for TEU" in said
    assert "# written by the steward" in (machines / "turns" / "turn-01" / "orders" / "TEU.yaml").read_text()
    run("verify", "--replay")


@pytest.mark.clause("O7", "N3")
def test_a_program_that_fails_stops_no_turn_and_the_gm_is_told(run: Run, machines: Path) -> None:
    run("seat", "TEU", "--bot", "program:no-such-program --with a-secret")
    said = run("turn", "--no-html", "--bot-reports").output
    assert "TEU gives no orders: its bot program:no-such-program failed" in said
    assert "a-secret" not in said
    folder = GameFolder(machines).played.folder(1)
    assert not (folder / "orders" / "TEU.yaml").exists()
    assert "a-secret" not in (folder / "turn.json").read_text()
    assert "gave no orders for the Teutonic Order: " in (folder / "summary.txt").read_text()
    assert "no-such-program" not in (folder / "results" / "LIT.yaml").read_text()
    run("verify", "--replay")


def test_an_answer_that_is_no_order_file_is_kept_for_the_gm(run: Run, machines: Path) -> None:
    run("seat", "TEU", "--bot", f"program:{sys.executable} -c \"print('[')\"")
    assert "its answer cannot be read" in run("turn", "--no-html").output
    folder = GameFolder(machines).played.folder(1)
    assert (folder / "orders" / "rejected" / "TEU-bot.yaml").read_text() == "[\n"
    run("verify", "--replay")


def test_a_bot_that_is_gone_since_stops_no_turn(run: Run, machines: Path) -> None:
    path = machines / "players.yaml"
    path.write_text(path.read_text().replace('bot: "conqueror"', 'bot: "gone:Bot"', 1))
    said = run("turn", "--no-html").output
    assert "LIT gives no orders: its bot gone:Bot failed" in said
