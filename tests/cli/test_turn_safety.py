"""Whatever goes wrong while a turn is played: the game is as it was, and the GM is told what to do."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gm.games import GAMES
from gm.games.medieval import pipeline
from gm.games.medieval.spec import MedievalGame
from gm.store import disk
from gm.store.disk import locked
from gm.store.folder import GameFolder
from tests.cli.conftest import Run, content
from tests.examples import sweep
from tests.faults.layer import killed_at

EARLY = "2026-01-09 19:59"


def _broken_step(*_: Any, **__: Any) -> Any:
    raise ZeroDivisionError("a bug in a rule")


def test_a_bug_aborts_before_anything_is_written_and_leaves_a_crash_report(
    ready: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = content(ready)
    monkeypatch.setattr(pipeline, "play_turn", _broken_step)
    result = run("turn", code=2)
    assert "This is an error in pbem itself, not in your game; nothing was changed." in result.output
    assert "crash-1.txt" in result.output
    after = content(ready)
    crash = after.pop("crash-1.txt").decode()
    assert after == before
    assert "ZeroDivisionError: a bug in a rule" in crash
    monkeypatch.undo()
    os.chdir(ready)
    run("turn")


def test_a_state_that_must_not_be_is_never_written(
    ready: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = content(ready)
    monkeypatch.setattr(MedievalGame, "broken", lambda *_: ["two units are called LIT/A1"])
    result = run("turn", code=2)
    after = content(ready)
    assert "two units are called LIT/A1" in after.pop("crash-1.txt").decode()
    assert "nothing was changed" in result.output
    assert after == before


@pytest.mark.parametrize("spoilt", ["state.json", "log.jsonl"])
@pytest.mark.parametrize(
    "spoil", [lambda data: data[:-1], lambda data: data + b" ", lambda data: data[:-3] + b"?" * 3]
)
def test_what_the_disk_gives_back_otherwise_than_it_was_written_never_counts(
    ready: Path, run: Run, monkeypatch: pytest.MonkeyPatch, spoilt: str, spoil: Callable[[bytes], bytes]
) -> None:
    write = disk._write

    def failing(path: Path, pieces: Iterable[bytes], *mode: int) -> None:
        data = b"".join(pieces)
        write(path, [spoil(data) if path.name == spoilt else data], *mode)

    before = content(ready)
    monkeypatch.setattr(disk, "_write", failing)
    result = run("turn", code=2)
    after = content(ready)
    assert f"{spoilt} does not read back as it was written" in after.pop("crash-1.txt").decode()
    assert "nothing was changed" in result.output
    assert after == before


def _strikes() -> Iterator[int]:
    return iter([*range(8), *range(8, 800, 13)])


def test_a_killed_turn_leaves_the_game_old_or_new_and_never_between(ready: Path, run: Run) -> None:
    from gm.cli.app import gm

    before = content(ready)
    run("turn")
    after = content(ready)
    run("undo", "--unpublished")
    shutil.rmtree(ready / "undone")
    for strike in _strikes():
        with killed_at(ready, strike) as layer:
            gm.main(["turn"], standalone_mode=False)
        assert GameFolder(ready).newest_turn() in (0, 1)
        left = {name: data for name, data in content(ready).items() if ".building/" not in name}
        assert left in (before, after)
        # the status looks past what was left, and the next run puts it right
        run("status", "--at", EARLY)
        if left == after:
            run("undo", "--unpublished")
            shutil.rmtree(ready / "undone")
        if len(layer.counted) < strike:
            return
    pytest.fail("the turn has more operations than were tried")


@pytest.mark.parametrize("strike", sweep([0, 3, 12, 20], 3))
@pytest.mark.slow
def test_a_run_that_dies_at_once_leaves_the_game_as_it_was(ready: Path, run: Run, strike: int) -> None:
    before = content(ready)
    script = "import os, sys\nreal, count = os.fsync, 0\ndef fsync(handle):\n    global count\n"
    script += (
        f"    if count == {strike}:\n        os._exit(9)\n    count += 1\n    real(handle)\nos.fsync = "
        "fsync\n"
    )
    script += "sys.argv = ['gm', 'turn']\nfrom gm.cli import main\nmain()\n"
    died = subprocess.run([sys.executable, "-c", script], cwd=ready, capture_output=True, check=False)
    assert died.returncode == 9, died.stderr
    if not (ready / "turns/turn-01").exists():
        assert {name: data for name, data in content(ready).items() if ".building/" not in name} == before
        run("turn")
    assert not list((ready / "turns").glob(".*"))
    run("report")


def test_two_runs_at_once_are_refused(ready: Path, run: Run) -> None:
    with locked(ready):
        for command in (["turn"], ["undo", "--unpublished"], ["report"], ["receive", "../mail"]):
            assert "Another pbem is working on the game" in run(*command, code=1).output


@pytest.mark.parametrize(
    "name", ["game.yaml", "players.yaml", "map.yaml", "scenario.yaml", "turns/turn-00/state.json"]
)
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
    assert "made by a newer pbem" in " ".join(result.output.split())
    assert not (ready / "turns/turn-01").exists()


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("game.yaml", "every: friday", "every: freitag", "game.yaml:8:10: error[data/wrong-value]"),
        ("game.yaml", "late: take", "late: perhaps", "'late' is either take or refuse"),
        (
            "game.yaml",
            "game: medieval",
            "game: chess",
            f"no game is called 'chess'; there is {', '.join(GAMES)}",
        ),
        ("game.yaml", "id:", "id: [", "game.yaml:"),
        ("players.yaml", "realm: NOV", "realm: LIT", "realm LIT appears twice"),
        ("players.yaml", "realm: NOV", "realm: ENG", "this game has no realm ENG"),
        (
            "players.yaml",
            "realm: NOV",
            "status: king, realm: NOV",
            "the status of NOV can be commoner or royalty",
        ),
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


@pytest.mark.parametrize("content", [None, b"{", b'{"schema": 1}'])
def test_without_an_old_turns_record_a_game_plays_on_without_pages(
    played: Path, run: Run, content: bytes | None
) -> None:
    path = played / "turns/turn-00/state.json"
    path.unlink() if content is None else path.write_bytes(content)
    said = " ".join(run("turn", "--missing-ok", code=2).output.split())
    assert "turn-00/state.json is " in said
    assert "'pbem turn --no-html' plays on" in said
    assert not (played / "turns/turn-02").exists()
    run("turn", "--missing-ok", "--no-html")
    assert (played / "turns/turn-02/results/LIT.yaml").is_file()


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
