"""``gm turn``, ``gm undo``, ``gm report``: a turn is written whole, can be taken back, and keeps its secrets."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gm.games.medieval import pipeline
from gm.games.medieval.spec import MedievalGame
from gm.kernel.store import GameFolder, locked
from tests.cli.conftest import PLAYERS, Run, all_orders, content, key_of, write_orders

EARLY = "2026-01-09 19:59"
TALK = "headquarters:\n  proclamation: Good ale to all.\n  send_ambassador: [POL]\n"
RECRUIT = "units:\n  Minsk:\n    recruit: {Archers: 1}\n    plan:\n      - pillage\n"


@pytest.fixture
def ready(game: Path, run: Run) -> Path:
    """A game with all orders in, some of which do something."""
    all_orders(game)
    write_orders(game, "LIT", TALK + RECRUIT)
    write_orders(game, "POL", "headquarters: {send_gold: {LIT: 5}, declare_war: [TEU]}\n")
    run("receive", game.parent / "mail", "--at", EARLY)
    return game


# -- playing -----------------------------------------------------------------------------------------------------------


def test_a_turn_leaves_state_log_orders_results_templates_and_summary(ready: Path, run: Run) -> None:
    result = run("turn")
    assert "Turn 1 is played. 4 reports for the players:" in result.output
    names = set(content(ready / "turns/turn-01"))
    assert {"state.json", "log.jsonl", "turn.json", "summary.txt", "summary.html"} <= names
    for realm in PLAYERS:
        assert {f"orders/{realm}.yaml", f"results/{realm}.yaml", f"results/{realm}.html", f"next/{realm}.yaml"} <= names
        sent = (ready.parent / "mail" / f"{realm}-1.yaml").read_bytes()
        assert (ready / f"turns/turn-01/orders/{realm}.yaml").read_bytes() == sent
    assert (ready / "turns/turn-01/summary.txt").read_text(encoding="utf-8").strip() in result.output


def test_orders_come_from_the_templates_of_the_turn_before(ready: Path, run: Run) -> None:
    run("turn")
    result = run("receive", ready / "turns/turn-01/next", "--at", EARLY)
    assert "4 files taken of 4" in result.output
    assert "Turn 2 is played" in run("turn").output


@pytest.mark.clause("O1")
def test_a_turn_is_refused_while_orders_are_missing_unless_the_gm_says_so(game: Path, run: Run) -> None:
    write_orders(game, "LIT")
    run("receive", game.parent / "mail", "--at", EARLY)
    before = content(game)
    refused = run("turn", code=1)
    assert "orders are missing from NOV (Novgorod), POL (Poland), TEU (Teutonic Order)" in refused.output
    assert "--missing-ok" in refused.output
    assert content(game) == before
    result = run("turn", "--missing-ok")
    assert "Played without orders from NOV, POL, TEU." in result.output
    state = json.loads((game / "turns/turn-01/state.json").read_text(encoding="utf-8"))
    start = json.loads((game / "turns/turn-00/state.json").read_text(encoding="utf-8"))
    # without orders a realm pays and earns all the same
    assert state["realms"]["TEU"]["treasury"] != start["realms"]["TEU"]["treasury"]


@pytest.mark.clause("V3")
def test_missed_turns_are_flagged_to_the_gm(game: Path, run: Run) -> None:
    for turn in (1, 2, 3):
        for realm in ("LIT", "NOV", "POL") if turn == 1 else ("LIT", "NOV", "POL", "TEU") if turn == 2 else ("LIT",):
            write_orders(game, realm, turn=turn)
        run("receive", *(game.parent / "mail").glob(f"*-{turn}.yaml"), "--at", EARLY)
        result = run("turn", "--missing-ok", code=0)
        if turn == 1:
            # the first turn's silence is enough
            assert "No orders from Teutonic Order" in result.output
            assert "needs a replacement" in run("status", "--at", EARLY).output
        else:
            assert "No orders from" not in result.output
    run("turn", "--missing-ok")
    realms = {each["realm"]: each for each in json.loads(run("status", "--json", "--at", EARLY).output)["realms"]}
    assert [code for code, each in realms.items() if each["replacement_needed"]] == ["NOV", "POL", "TEU"]
    assert realms["NOV"]["missed_turns"] == 2
    # the players themselves do not read it
    assert "replacement" not in (game / "turns/turn-04/results/LIT.yaml").read_text(encoding="utf-8")


@pytest.mark.clause("V3")
def test_a_realm_without_a_player_is_not_waited_for(game: Path, run: Run) -> None:
    write_orders(game, "LIT")
    run("receive", game.parent / "mail", "--at", EARLY)
    for realm in ("NOV", "POL", "TEU"):
        run("seat", realm, "--controller", "nobody")
    result = run("turn")
    assert "The state" not in result.output
    state = json.loads((game / "turns/turn-01/state.json").read_text(encoding="utf-8"))
    assert [realm["controller"] for realm in state["realms"].values()] == ["player", "nobody", "nobody", "nobody"]


@pytest.mark.clause("L13")
def test_the_gm_can_reject_a_proclamation_before_the_turn_or_after(ready: Path, run: Run) -> None:
    run("turn")
    heard = (ready / "turns/turn-01/results/POL.yaml").read_text(encoding="utf-8")
    assert "Good ale to all." in heard
    run("undo")
    result = run("turn", "--reject", "lit:proclamation")
    assert "Rejected: LIT:proclamation." in result.output
    for realm in ("NOV", "POL", "TEU"):
        assert "Good ale" not in (ready / f"turns/turn-01/results/{realm}.yaml").read_text(encoding="utf-8")
    own = (ready / "turns/turn-01/results/LIT.yaml").read_text(encoding="utf-8")
    (line,) = [line for line in own.splitlines() if "proclamation:" in line and '"fate"' in line]
    assert '"fate": "failed"' in line
    assert '"clause": "L13"' in line
    assert '"what": "proclamation"' not in own


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("LIT", "is not of the form REALM:WHAT"),
        ("LIT:alliance", "only proclamation can be rejected"),
        ("TEU:proclamation", "the orders of TEU hold no proclamation"),
        ("ENG:proclamation", "there are no orders of ENG"),
    ],
)
def test_a_rejection_of_nothing_is_refused(ready: Path, run: Run, what: str, words: str) -> None:
    before = content(ready)
    assert words in " ".join(run("turn", "--reject", what, code=2).output.split())
    assert content(ready) == before


def test_a_dry_run_says_what_would_happen_and_writes_nothing(ready: Path, run: Run) -> None:
    before = content(ready)
    dry = run("turn", "--dry-run").output
    assert content(ready) == before
    assert "nothing was written" in dry
    wet = run("turn").output
    assert dry.splitlines()[:8] == wet.splitlines()[:8]


def test_turn_speaks_json(ready: Path, run: Run) -> None:
    data = json.loads(run("turn", "--json").output)
    assert (data["turn"], data["orders"], data["missing"]) == (1, ["LIT", "NOV", "POL", "TEU"], [])
    assert Path(data["written"]) == ready / "turns" / "turn-01"


# -- the same again ----------------------------------------------------------------------------------------------------


def test_undo_keeps_the_turn_and_the_same_orders_give_the_same_bytes_again(ready: Path, run: Run) -> None:
    run("turn")
    first = content(ready / "turns/turn-01")
    result = run("undo")
    assert "undone/turn-01-1" in result.output
    assert not (ready / "turns/turn-01").exists()
    assert content(ready / "undone/turn-01-1") == first
    run("turn")
    assert content(ready / "turns/turn-01") == first
    run("undo")
    assert content(ready / "undone/turn-01-2") == first
    assert "nothing to take back" in run("undo", code=1).output


@pytest.mark.clause("W12")
def test_the_order_in_which_files_arrive_changes_nothing(ready: Path, run: Run, tmp_path: Path) -> None:
    run("turn")
    first = content(ready / "turns/turn-01")
    for seed in range(3):
        run("undo")
        shutil.rmtree(ready / "inbox")
        files = sorted((ready.parent / "mail").iterdir())
        random.Random(seed).shuffle(files)  # noqa: S311
        for path in files:
            run("receive", path, "--at", EARLY)
        run("turn")
        assert content(ready / "turns/turn-01") == first


def test_reports_can_be_written_again_and_are_the_same(ready: Path, run: Run) -> None:
    run("turn")
    run("receive", ready / "turns/turn-01/next", "--at", EARLY)
    run("turn")
    for turn in (0, 1, 2):
        folder = ready / f"turns/turn-{turn:02}"
        before = content(folder)
        for name in ("summary.txt", "summary.html", "results/LIT.yaml", "results/LIT.html", "next/LIT.yaml"):
            (folder / name).unlink(missing_ok=turn == 0)
        run("report", "--turn", turn)
        assert content(folder) == before
    assert "Turn 9 has not been played; the newest is turn 2." in run("report", "--turn", 9, code=2).output


def test_every_event_comes_back_from_the_log_as_it_was(ready: Path, run: Run) -> None:
    from gm.kernel.events import event_record

    run("turn")
    records = GameFolder(ready).log(1)
    assert len(records) > 10
    for record in records:
        assert json.loads(json.dumps(event_record(MedievalGame().event(record)))) == record


# -- secrets -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("W8")
def test_keys_and_addresses_are_nobody_elses(ready: Path, run: Run) -> None:
    run("turn")
    keys = {realm: key_of(ready, realm) for realm in PLAYERS}
    for turn in ("turn-00", "turn-01"):
        folder = ready / "turns" / turn
        for realm in PLAYERS:
            own = [folder / f"results/{realm}.yaml", folder / f"results/{realm}.html", folder / f"next/{realm}.yaml"]
            texts = [path.read_text(encoding="utf-8") for path in own]
            assert keys[realm] in texts[0]
            assert keys[realm] in texts[2]
            for other in PLAYERS:
                if other != realm:
                    assert not any(keys[other] in text for text in texts), (turn, realm, other)
                    told = "@example.org" in PLAYERS[other] and other == "LIT" and realm == "POL" and turn == "turn-01"
                    address = re.search(r"<(.*)>", PLAYERS[other])[1]  # type: ignore[index]
                    # Lithuania's ambassador told Poland, and nobody else, where to write (F7)
                    assert any(address in text for text in texts) is told, (turn, realm, other)
    state = (ready / "turns/turn-01/state.json").read_text(encoding="utf-8")
    assert not any(key in state for key in keys.values())


@pytest.mark.clause("W8")
def test_what_is_private_to_a_realm_is_in_no_other_file(ready: Path, run: Run) -> None:
    run("turn")
    folder = ready / "turns/turn-01/results"
    for realm in PLAYERS:
        text = (folder / f"{realm}.yaml").read_text(encoding="utf-8")
        assert ("Good ale to all.'" in text) is (realm == "LIT"), "the outcome of an order"
        assert ("GoldReceived" in text) is (realm == "LIT")
        assert ("GoldSent" in text) is (realm == "POL")
        assert ("DiceRolled" in text) is False


# -- what goes wrong ---------------------------------------------------------------------------------------------------


def _broken_step(*_: Any, **__: Any) -> Any:
    raise ZeroDivisionError("a bug in a rule")


def test_a_bug_aborts_before_anything_is_written_and_leaves_a_crash_report(
    ready: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = content(ready)
    monkeypatch.setattr(pipeline, "play_turn", _broken_step)
    result = run("turn", code=2)
    assert "This is an error in gm itself, not in your game; nothing was changed." in result.output
    assert "crash-1.txt" in result.output
    after = content(ready)
    crash = after.pop("crash-1.txt").decode()
    assert after == before
    assert "ZeroDivisionError: a bug in a rule" in crash
    monkeypatch.undo()
    os.chdir(ready)
    run("turn")


def test_a_state_that_must_not_be_is_never_written(ready: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    before = content(ready)
    monkeypatch.setattr(MedievalGame, "broken", lambda *_: ["two units are called LIT/A1"])
    result = run("turn", code=2)
    after = content(ready)
    assert "two units are called LIT/A1" in after.pop("crash-1.txt").decode()
    assert "nothing was changed" in result.output
    assert after == before


class Killed(BaseException):
    """The plug is pulled."""


def _kill_at(patch: pytest.MonkeyPatch, strike: int) -> list[str]:
    done: list[str] = []

    def spied(name: str, real: Any) -> Any:
        def call(*args: Any, **more: Any) -> Any:
            if len(done) == strike:
                raise Killed
            done.append(name)
            return real(*args, **more)

        return call

    for owner, name in ((Path, "mkdir"), (Path, "rename"), (os, "fsync")):
        patch.setattr(owner, name, spied(name, getattr(owner, name)))
    return done


def _strikes() -> Iterator[int]:
    return iter([*range(8), *range(8, 200, 7)])


@pytest.mark.slow
def test_a_killed_turn_leaves_the_game_old_or_new_and_never_between(ready: Path, run: Run) -> None:
    from gm.cli.app import gm

    before = content(ready)
    run("turn")
    after = content(ready)
    run("undo")
    shutil.rmtree(ready / "undone")
    for strike in _strikes():
        with pytest.MonkeyPatch.context() as patch:
            done = _kill_at(patch, strike)
            with contextlib.suppress(Killed):
                gm.main(["turn"], standalone_mode=False)
            finished = len(done) < strike
        assert GameFolder(ready).newest_turn() in (0, 1)
        left = {name: data for name, data in content(ready).items() if ".building/" not in name}
        assert left in (before, after)
        # the status looks past what was left, and the next run puts it right
        run("status", "--at", EARLY)
        if left == after:
            run("undo")
            shutil.rmtree(ready / "undone")
        if finished:
            return
    pytest.fail("the turn has more operations than were tried")


def test_two_runs_at_once_are_refused(ready: Path, run: Run) -> None:
    with locked(ready):
        for command in (["turn"], ["undo"], ["report"], ["receive", "../mail"]):
            assert "Another gm is working on the game" in run(*command, code=1).output


@pytest.mark.parametrize("name", ["game.yaml", "players.yaml", "map.yaml", "start.yaml", "turns/turn-00/state.json"])
def test_a_newer_file_is_refused_clearly(ready: Path, run: Run, name: str) -> None:
    path = ready / name
    text = path.read_text(encoding="utf-8")
    newer = (
        text.replace('"schema": 1', '"schema": 9', 1)
        if name.endswith("json")
        else text.replace("schema: 1", "schema: 9", 1)
    )
    assert newer != text
    path.write_text(newer, encoding="utf-8")
    result = run("turn", code=2)
    assert "made by a newer gm" in " ".join(result.output.split())
    assert not (ready / "turns/turn-01").exists()


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("game.yaml", "weekday: friday", "weekday: freitag", "game.yaml:8:12: error[data/wrong-value]"),
        ("game.yaml", "late: take", "late: perhaps", "'late' is either take or refuse"),
        ("game.yaml", "game: medieval", "game: chess", "does not know the game 'chess'; it knows medieval"),
        ("game.yaml", "id:", "id: [", "game.yaml:"),
        ("players.yaml", "realm: NOV", "realm: LIT", "realm LIT stands there twice"),
        ("players.yaml", "realm: NOV", "realm: ENG", "this game has no realm ENG"),
        ("players.yaml", "realm: NOV", "status: king, realm: NOV", "the status of NOV can be commoner or royalty"),
        ("turns/turn-00/state.json", '"turn": 0', '"turn": 4', "is the state after turn 4, not 0"),
        ("turns/turn-00/state.json", '"LIT": {', '"LIT": {"x": 1, ', "state.json is damaged"),
        ("turns/turn-00/state.json", "}", "", "state.json is damaged"),
    ],
)
def test_a_damaged_file_is_named_and_nothing_is_written(
    ready: Path, run: Run, name: str, old: str, new: str, words: str
) -> None:
    path = ready / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    result = run("turn", code=2)
    assert words in " ".join(result.output.split())
    assert not (ready / "turns/turn-01").exists()


@pytest.mark.clause("O7")
def test_a_standing_file_spoilt_by_hand_counts_as_missing_and_is_told(ready: Path, run: Run) -> None:
    (ready / "inbox/turn-01/LIT.yaml").write_text("spoilt: [", encoding="utf-8")
    assert "LIT  Lithuania       unreadable" in run("status", "--at", EARLY).output
    assert "orders are missing from LIT" in run("turn", code=1).output
    run("turn", "--missing-ok")
    assert '"set_aside"' not in run("status", "--at", EARLY).output
    own = (ready / "turns/turn-01/results/LIT.yaml").read_text(encoding="utf-8")
    assert "orders_received: false" in own
    assert "set_aside: []" not in own
    before = content(ready / "turns/turn-01")
    run("report")
    assert content(ready / "turns/turn-01") == before
