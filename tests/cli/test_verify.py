"""``pbem verify``: a true game is proven, and every change of a file is found and named."""

import json
import re
import shutil
from itertools import chain
from pathlib import Path

import pytest
from click.testing import CliRunner

import gm.campaign.replay
from gm.cli.app import gm as command
from gm.store.journal import Journal
from tests.cli.conftest import RECRUIT, TALK, Run, all_orders, content, write_orders
from tests.cli.damages import Damage, damages, inflict

RECEIVED = "2026-01-09 19:59"


@pytest.fixture(scope="module")
def played_once(fresh_game: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of three turns: orders set aside, late, rejected, missing; a correction. Not to be changed."""
    folder = tmp_path_factory.mktemp("played") / "minsk"
    shutil.copytree(fresh_game, folder)

    def run(*arguments: object) -> None:
        result = CliRunner().invoke(command, [*map(str, arguments), "--game", str(folder)], prog_name="pbem")
        assert result.exit_code == 0, result.output

    all_orders(folder)
    war = "headquarters: {declare_war: [POL], send_ambassador: [TEU]}\nunits: {Minsk: {form: {A1: ~}, plan: "
    march = "A1: {plan: [{march: Volodymir}, {march: Minsk}]}"
    plan = f"[{{transfer: {{to: A1, troops: {{Archers: 2, Slavic Nobles: 2}}}}}}]}}, {march}}}\n"
    write_orders(folder, "LIT", war + plan)
    write_orders(folder, "POL", "headquarters: {send_gold: {LIT: 5}}\nunits: {A1: {march: nowhere}}\n")
    write_orders(folder, "TEU", TALK, key="wrong-key-11", name="TEU-0.yaml")
    (folder.parent / "mail" / "odd.txt").write_text("hello, is this the right address?\n")
    CliRunner().invoke(
        command,
        ["receive", str(folder.parent / "mail"), "--at", RECEIVED, "--game", str(folder)],
        prog_name="pbem",
    )
    run("amend", "gold", "NOV", "+3", "--why", "a typing error in turn 0")
    run("turn", "--no-html")
    write_orders(folder, "LIT", TALK + RECRUIT, turn=2, name="LIT-2.yaml")
    run("receive", folder.parent / "mail" / "LIT-2.yaml", "--at", "2026-01-17 12:00")
    run("turn", "--no-html", "--missing-ok", "--reject", "LIT:proclamation")
    run("turn", "--no-html", "--missing-ok")
    return folder


@pytest.fixture
def game(played_once: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that game, and the current directory inside it."""
    folder = tmp_path / "minsk"
    shutil.copytree(played_once, folder)
    monkeypatch.chdir(folder)
    return folder


def edit(path: Path, old: str, new: str) -> None:
    """Change a file by hand, once."""
    text = path.read_text(encoding="utf-8")
    assert old in text, path
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def record(game: Path, turn: int) -> dict[str, object]:
    return dict(json.loads((game / f"turns/turn-{turn:02}/turn.json").read_text()))


# -- the whole folder ----------------------------------------------------------------------------------------


@pytest.mark.clause("W12")
def test_a_true_game_is_proven_and_nothing_is_written(game: Path, run: Run) -> None:
    before = content(game)
    assert "Proven" in run("verify").output
    assert "Proven: 3 turns" in run("verify", "--replay").output
    assert "turn 2: the same" in run("verify", "--replay", "--turn", "2").output
    assert content(game) == before


@damages("changed")
@pytest.mark.clause("W12")
def test_every_change_by_hand_is_found(game: Path, run: Run, damage: Damage) -> None:
    says = inflict(game, damage)
    output = " ".join(run("verify", code=1).output.split())
    assert "DIFFERS" in output
    assert says in output


ENGLISH = re.compile(r"(?<!\S)(?:the|of|is|are|were|not|its|that|has)\b")
"""Words that are in no German sentence; in the name of a folder they stand behind other signs."""


@damages("changed")
def test_every_change_is_told_in_the_game_masters_language(game: Path, run: Run, damage: Damage) -> None:
    inflict(game, damage)
    output = run("--language", "de", "verify", code=1).output
    assert "ANDERS" in output
    assert ENGLISH.findall(output) == []


@damages("replayed")
def test_every_difference_is_told_in_the_game_masters_language(game: Path, run: Run, damage: Damage) -> None:
    inflict(game, damage)
    output = run("--language", "de", "verify", "--replay", "--turn", "1", code=1).output
    assert "Zug 1: ANDERS." in output
    assert ", Zeile " in output
    assert ENGLISH.findall(output.partition("in der Datei")[0]) == []


def test_a_true_game_is_proven_in_german(game: Path, run: Run) -> None:
    """Line by line and at the end; what programs read is English."""
    output = run("--language", "de", "verify").output
    assert ENGLISH.findall(output) == []
    for line in (
        "gut     die Regeln und die Karte lassen sich lesen\n",
        "gut     Zug 2: das Geheimnis passt zum Siegel\n",
        "gut     Zug 3: der Startwert folgt aus dem Geheimnis und den Befehlsdateien\n",
        "Geprüft: Züge 0 bis 3; 1 Journal, ",
        "Nicht geprüft: Seiten, Vorlagen und der Posteingang; ",
    ):
        assert line in output
    assert run("--language", "de", "verify", "--json").output == run("verify", "--json").output


def test_an_order_file_that_was_added_or_taken_out_is_found(game: Path, run: Run) -> None:
    orders = game / "turns/turn-02/orders"
    shutil.copy(orders / "LIT.yaml", orders / "POL.yaml")
    assert "orders/POL.yaml did not go into the dice" in run("verify", code=1).output
    (orders / "POL.yaml").unlink()
    (orders / "LIT.yaml").unlink()
    assert "orders/LIT.yaml is missing" in run("verify", code=1).output


def test_a_turn_of_a_version_without_seals_cannot_be_told(game: Path, run: Run) -> None:
    for turn in (1, 2, 3):
        path = game / f"turns/turn-{turn:02}/turn.json"
        kept = {name: value for name, value in record(game, turn).items() if name not in ("files", "results")}
        path.write_text(json.dumps({**kept, "proof": None}))
        for results in path.parent.glob("results/*.yaml"):
            results.write_text(re.sub(r"(?m)^dice: .*$", "dice: null", results.read_text()))
    entries = Journal(game / "journal.jsonl").entries
    (game / "journal.jsonl").unlink()
    journal = Journal(game / "journal.jsonl")
    for entry in entries:
        journal.append({name: value for name, value in entry.items() if name != "record"})
    assert "nothing to check here" in run("verify", code=2).output


def test_the_mail_journals_are_checked_too(game: Path, run: Run) -> None:
    (game / "mail").mkdir()
    journal = Journal(game / "mail/outbox.jsonl")
    journal.append({"to": "Anna"})
    journal.append({"to": "Piotr"})
    assert "mail/outbox.jsonl: 2 lines" in run("verify").output
    edit(game / "mail/outbox.jsonl", "Anna", "Hans")
    assert "the chain of mail/outbox.jsonl" in run("verify", code=1).output


# -- replay --------------------------------------------------------------------------------------------------


@damages("replayed")
def test_replay_names_file_line_and_both_values(game: Path, run: Run, damage: Damage) -> None:
    says = inflict(game, damage)
    output = run("verify", "--replay", "--turn", "1", code=1).output
    assert says in output
    assert "the file says" in output
    assert "the replay gives" in output


def test_replay_finds_changed_orders_by_what_comes_of_them(game: Path, run: Run) -> None:
    edit(game / "turns/turn-01/orders/LIT.yaml", "declare_war: [POL]", "declare_war: [TEU]")
    output = run("verify", "--replay", code=1).output
    assert "turn 1: DIFFERS" in output
    assert "turn 2" not in output


def test_replay_from_the_start_finds_a_position_that_was_changed_between_turns(game: Path, run: Run) -> None:
    edit(game / "turns/turn-02/state.json", '"treasury": "', '"treasury": "1')
    assert "turn 1: the same" in run("verify", "--replay", code=1).output


def test_a_results_file_that_no_turn_gives_is_found(game: Path, run: Run) -> None:
    (game / "turns/turn-01/results/ENG.yaml").write_text("results: 1\n")
    assert "no such file" in run("verify", "--replay", code=1).output


@pytest.mark.slow
def test_replay_does_not_mind_a_new_key_a_moved_deadline_or_an_archive_without_keys(
    game: Path, run: Run, tmp_path: Path
) -> None:
    run("player", "replace", "LIT", "--email", "new@example.org")
    run("deadline", "extend", "--hours", "24")
    assert "Proven" in run("verify", "--replay").output
    run("report", "--turn", "2")
    assert "Proven" in run("verify", "--replay").output
    run("export", "--without-keys", "--out", tmp_path / "game.zip")
    run("import", tmp_path / "game.zip", tmp_path / "elsewhere")
    output = run("verify", "--replay", "--game", tmp_path / "elsewhere").output
    assert "Proven: 3 turns" in output
    assert "not in the folder: results/LIT.yaml" in output
    assert "Proven" in run("verify", "--game", tmp_path / "elsewhere").output


def test_another_program_version_with_the_same_rules_proves_the_turns(
    game: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    # that version knew less: no luck, no rolls of one's own, no word of what was asked of the dice
    for turn in (1, 2, 3):
        folder = game / f"turns/turn-{turn:02}"
        for path in (folder / "results").glob("*.yaml"):
            kept = [
                line for line in path.read_text().splitlines() if not line.startswith(("luck:", "  rolls:"))
            ]
            path.write_text("\n".join(kept) + "\n")
        log = folder / "log.jsonl"
        log.write_text(re.sub(r', "asked": \[.*?\], "private": ""', "", log.read_text()))
        (folder / "results/dice.jsonl").unlink()
    monkeypatch.setattr(gm.campaign.replay, "__version__", "9.9.9")
    output = run("verify", "--replay").output
    assert "Proven: 3 turns" in output
    assert "is compared as data" in output
    edit(game / "turns/turn-01/log.jsonl", '"what": "upkeep"', '"what": "upkeep or so"')
    output = run("verify", "--replay", code=1).output
    assert "what" in output
    assert "«upkeep or so»" in output


def test_other_rules_are_named_and_a_difference_then_proves_nothing(game: Path, run: Run) -> None:
    from gm.resources import resource

    (game / "rules").mkdir()
    numbers = resource("rules", "medieval", "numbers.yaml").read_text(encoding="utf-8")
    (game / "rules/numbers.yaml").write_text(re.sub(r"decay_percent: \d+", "decay_percent: 55", numbers))
    output = run("verify", "--replay", code=2).output
    assert "played with rules that differ" in output
    assert "proves nothing" in output


def test_a_turn_that_was_not_played_cannot_be_played_again(game: Path, run: Run) -> None:
    assert "has not been played" in run("verify", "--replay", "--turn", "9", code=2).output


def test_replay_as_json(game: Path, run: Run) -> None:
    assert json.loads(run("verify", "--replay", "--json").output)["proven"] is True
    edit(game / "turns/turn-02/state.json", '"treasury": "', '"treasury": "1')
    report = json.loads(run("verify", "--replay", "--json", code=1).output)
    assert report["proven"] is False
    assert report["turns"][-1]["turn"] == 2
    assert report["turns"][-1]["difference"]["file"] == "state.json"
    assert json.loads(run("verify", "--json", code=1).output)["proven"] is False


# -- a player ------------------------------------------------------------------------------------------------


def players(game: Path, **other: Path) -> list[object]:
    turns = game / "turns"
    files = {
        "results": turns / "turn-01/results/LIT.yaml",
        "before": turns / "turn-00/results/LIT.yaml",
        "orders": turns / "turn-01/orders/LIT.yaml",
        "rolls": turns / "turn-01/results/dice.jsonl",
        **other,
    }
    return list(chain.from_iterable((f"--{name}", path) for name, path in files.items()))


@pytest.mark.clause("W12")
def test_a_player_checks_his_own_turn_without_the_game(game: Path, run: Run, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    arguments = [shutil.copy(word, home) if isinstance(word, Path) else word for word in players(game)[:2]]
    output = run("verify", *players(game)).output
    assert "Proven: 8 checks of 8" in output
    output = run("verify", *arguments).output
    assert "3 points marked '-' could not be checked" in output


@damages("player")
@pytest.mark.clause("W12")
def test_a_player_finds_what_was_changed(game: Path, run: Run, damage: Damage) -> None:
    assert inflict(game, damage) in run("verify", *players(game), code=1).output


def test_results_that_prove_nothing_and_files_that_are_none_cannot_be_used(game: Path, run: Run) -> None:
    start = game / "turns/turn-00/results/LIT.yaml"
    assert "prove nothing" in run("verify", "--results", start, code=2).output
    assert "--before" in run("verify", "--before", start, code=2).output
    assert run("verify", "--results", game / "game.yaml", code=2).output
    assert run("verify", *players(game, rolls=game / "game.yaml"), code=2).output
    assert "--turn goes with" in run("verify", "--turn", "1", code=2).output
    assert "for players" in run("verify", "--results", start, "--replay", code=2).output


def test_the_same_orders_tried_again_change_nothing_also_where_the_gm_had_rejected_something(
    game: Path, run: Run, tmp_path: Path
) -> None:
    orders = game / "turns/turn-02/orders/LIT.yaml"
    assert "Nothing: the turn comes out the same." in run("why", "--turn", "2", "--if", orders).output
    silent = tmp_path / "LIT.yaml"
    silent.write_text(re.sub(r"(?m)^  proclamation.*\n", "", orders.read_text()))
    output = run("why", "--turn", "2", "--if", silent).output
    assert "proclamation" in output
    assert "is not ordered now" in output
