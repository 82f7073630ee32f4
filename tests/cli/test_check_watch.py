"""``pbem check --watch``: again at every save, however an editor saves."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from gm.cli.check import changes
from gm.store.places import stamp
from tests.cli.conftest import Run, write_orders
from tests.waiting import wait_for

GOOD = "headquarters: {send_ambassador: [POL]}\n"
ONE_CHECK = "Waiting for the next save"


class Watcher:
    """A real process that watches, and everything that it has said so far."""

    def __init__(self, *arguments: object) -> None:
        command = [sys.executable, "-m", "gm", "check", *map(str, arguments), "--watch"]
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            # a group of its own: Ctrl-C is for it alone
            start_new_session=True,
            env={**os.environ, "PYTHONUTF8": "1"},
        )
        self.said = ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line

    @property
    def checks(self) -> int:
        """How many checks it has ended."""
        return self.said.count(ONE_CHECK)

    def wait_for(self, checks: int) -> str:
        """What the last of so many checks said."""
        wait_for(lambda: self.checks >= checks or self.process.poll() is not None, f"{checks} checks")
        assert self.checks >= checks, self.said
        return self.said.split(ONE_CHECK)[checks - 1]

    def interrupt(self) -> int:
        """Ctrl-C; the exit code."""
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(30)
        self._reader.join(30)
        return code

    def close(self) -> None:
        """End it, if it has not ended, and everything that it has open."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(30)
        self._reader.join(30)
        if self.process.stdout is not None:
            self.process.stdout.close()


@pytest.fixture
def watched(game: Path) -> Iterator[tuple[Path, Watcher]]:
    path = write_orders(game, "LIT", GOOD)
    results = game.parent / "results.yaml"
    results.write_bytes((game / "turns/turn-00/results/LIT.yaml").read_bytes())
    watcher = Watcher(path, "--results", results)
    yield path, watcher
    watcher.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent in another way there")
@pytest.mark.slow
def test_it_checks_again_at_every_save_and_ends_with_the_last_checks_exit_code(
    watched: tuple[Path, Watcher], game: Path
) -> None:
    """Saving in place, by renaming, or after a removal starts a check, and so do other results."""
    path, watcher = watched
    assert "no problems found" in watcher.wait_for(1)
    text = path.read_text(encoding="utf-8")
    # written in place
    path.write_text(text.replace("POL", "PXL"), encoding="utf-8")
    assert "order/unknown-realm" in watcher.wait_for(2)
    # written beside it and renamed, as many editors do
    beside = path.with_suffix(".tmp")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)
    assert "no problems found" in watcher.wait_for(3)
    # taken away for a moment
    path.rename(path.with_suffix(".bak"))
    path.write_text(text.replace("POL", "NOV"), encoding="utf-8")
    watcher.wait_for(4)
    # the results of another game master's turn: broken now, mended later
    results = game.parent / "results.yaml"
    good = results.read_bytes()
    results.write_bytes(b"nonsense: 1\n")
    assert "not a results file" in watcher.wait_for(5)
    results.write_bytes(good)
    assert "no problems found" in watcher.wait_for(6)
    path.write_text(text.replace("POL", "PXL"), encoding="utf-8")
    watcher.wait_for(7)
    assert watcher.interrupt() == 2
    assert "Traceback" not in watcher.said
    # no terminal, no control characters
    assert "\x1b" not in watcher.said


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent in another way there")
@pytest.mark.slow
def test_ctrl_c_after_a_clean_check_is_a_clean_end(watched: tuple[Path, Watcher]) -> None:
    _, watcher = watched
    watcher.wait_for(1)
    assert watcher.interrupt() == 0
    assert "Aborted" not in watcher.said


def test_watching_is_for_people(game: Path, run: Run) -> None:
    path = write_orders(game, "LIT", GOOD)
    assert "choose one of them" in run("check", path, "--watch", "--json", code=2).output


# -- changes -------------------------------------------------------------------------------------------------


class Clock:
    """A sleep that takes no time and does something to the files instead."""

    def __init__(self, *acts: object) -> None:
        self.acts = list(acts)

    def __call__(self, _seconds: float) -> None:
        if not self.acts:
            raise TimeoutError
        act = self.acts.pop(0)
        if callable(act):
            act()


def counted(paths: list[Path], clock: Clock) -> int:
    """How many times something is to be done until the clock has nothing left to do."""
    count = 0
    try:
        for _ in changes(paths, clock):
            count += 1
    except TimeoutError:
        return count
    raise AssertionError("watching ends by itself")


def test_nothing_happens_while_nothing_changes(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("1", encoding="utf-8")
    assert counted([path], Clock(*[None] * 20)) == 1


def test_a_file_that_is_still_being_written_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("1", encoding="utf-8")

    def more() -> None:
        path.write_text(path.read_text(encoding="utf-8") + "x", encoding="utf-8")

    assert counted([path], Clock(None, None, more, more, more, more, None, None, None, None)) == 2


def test_a_file_that_vanishes_counts_when_it_is_back(tmp_path: Path) -> None:
    path = tmp_path / "x"
    aside = tmp_path / "y"
    path.write_text("1", encoding="utf-8")
    assert counted([path], Clock(None, None, lambda: path.rename(aside), None, None, None)) == 1

    def back() -> None:
        path.write_text("22", encoding="utf-8")

    assert counted([path], Clock(None, back, None, None, None, None)) == 1
    assert counted([path], Clock(None, None, path.unlink, None, back, None, None, None)) == 2


def test_a_missing_file_has_no_stamp(tmp_path: Path) -> None:
    assert stamp(tmp_path / "nowhere") is None
