"""Real processes: killed at any moment, on a full disk, in a folder that may not be written, many at once."""

import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

import pytest

from tests.examples import sweep
from tests.faults.cache import read_tree
from tests.faults.commands import lasting
from tests.faults.conftest import Try
from tests.faults.judging import Trial, clear, judge

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and users of Unix")

GM = [sys.executable, "-m", "gm"]


def start(trial: Trial, **more: object) -> subprocess.Popen[str]:
    """The command in a process of its own, in the game's folder."""
    words = [*GM, *trial.command.words]
    out = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.Popen(words, cwd=trial.top / "minsk", **{**out, **more})  # type: ignore[call-overload,no-any-return]


def fresh_start(trial: Trial) -> None:
    """Things as they are before the command."""
    clear(trial.top)
    shutil.copytree(trial.start, trial.top, dirs_exist_ok=True)


def killed_at_random(trial: Trial, times: int, seed: int) -> None:
    """Kill the process when the first trace of it shows on the disk, and a moment chosen by dice later.

    A moment that comes after the process's end is drawn again, earlier: how long it takes differs from
    machine to machine.
    """
    dice = random.Random(seed)  # noqa: S311 - moments, not secrets
    killed = tried = 0
    span = 0.03
    while killed < times:
        tried += 1
        assert tried <= 20 * times, (
            f"killed only {killed} times in {tried} attempts: no process lived long enough"
        )
        fresh_start(trial)
        process = start(trial)
        before = _names(trial.top)
        patience = time.monotonic() + 60
        while process.poll() is None and _names(trial.top) == before and time.monotonic() < patience:
            time.sleep(0.0005)
        time.sleep(dice.random() * span)
        process.kill()
        output, _ = process.communicate()
        assert "Traceback" not in output
        if process.returncode == -signal.SIGKILL:
            killed += 1
        else:
            span /= 2
        judge(trial, read_tree(trial.top), f"{trial.command.name}, killed for the {killed}th time")


def _names(top: Path) -> list[str]:
    game = top / "minsk"
    paths = chain.from_iterable(folder.iterdir() for folder in (game, game / "turns"))
    return sorted(str(path) for path in paths if path.name != ".lock")


@pytest.mark.parametrize("name", sweep(["turn", "receive"], "receive"))
@pytest.mark.slow
def test_a_process_may_be_killed_at_any_moment(name: str, try_: Try) -> None:
    killed_at_random(try_(name), 2, 6)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["turn", "undo", "amend", "receive", "report"])
def test_processes_may_be_killed_at_many_moments(name: str, try_: Try) -> None:
    killed_at_random(try_(name), 10, 60)


@pytest.mark.parametrize("name", sweep(["turn", "receive"], "turn"))
@pytest.mark.slow
def test_a_file_may_not_grow_and_nothing_is_changed(name: str, try_: Try) -> None:
    trial = try_(name)
    fresh_start(trial)

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    process = start(trial, preexec_fn=limit)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 2, output
    assert "File too large. A file may not become that large here" in " ".join(output.split())
    assert "Traceback" not in output
    assert lasting(read_tree(trial.top)) == lasting(trial.before)
    assert not judge(trial, read_tree(trial.top), "a limit on the size of files", " ".join(output.split()))


CROWDED = """
import errno, os, stat, sys
left = int(sys.argv.pop(1))
write = os.write
def until_full(handle, data):
    global left
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        return write(handle, data)
    if data and not left:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    taken = write(handle, data[:left])
    left -= taken
    return taken
os.write = until_full
from gm.cli import main
main()
"""
"""gm on a disk that takes so many bytes more, the last of them as a part of what it is given, as disks do."""


@contextmanager
def full_disk(disk: Path, trial: Trial, spare: int, *, mounted: bool) -> Iterator[list[str]]:
    """Make a disk that has so many KiB left when a trial begins, and yield the command ``gm`` for it.

    Where no disk can be mounted, which needs root and is not allowed everywhere, the program counts bytes
    itself.
    """
    disk.mkdir()
    size = sum(len(data or b"") + 4096 for data in trial.before.values()) // 1024 + spare
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}k", "none", str(disk)]
    mounted = mounted and subprocess.run(mount, capture_output=True, check=False).returncode == 0
    try:
        shutil.copytree(trial.start, disk, dirs_exist_ok=True)
        yield GM if mounted else [sys.executable, "-c", CROWDED, str(spare * 1024)]
    finally:
        if mounted:
            subprocess.run(["umount", disk], check=True)


@pytest.mark.parametrize("spare", sweep([0, 100, 300], 100))
@pytest.mark.parametrize("mounted", [True, False])
def test_a_full_disk_is_told_and_nothing_is_changed(
    try_: Try, tmp_path: Path, spare: int, mounted: bool
) -> None:
    trial = try_("turn")
    disk = tmp_path / "small"
    with full_disk(disk, trial, spare, mounted=mounted) as command:
        done = subprocess.run(
            [*command, "turn"], cwd=disk / "minsk", capture_output=True, text=True, check=False
        )
        words = " ".join(done.stderr.split())
        assert done.returncode == 2, done.stdout + done.stderr
        assert "No space left on device. The disk is full: make room, then run the command again." in words
        assert "Nothing was changed." in words
        assert "Traceback" not in done.stderr
        assert lasting(read_tree(disk)) == lasting(trial.before)


POWERLESS = """
import ctypes, sys
head = (ctypes.c_uint32 * 2)(0x20080522, 0)
none = (ctypes.c_uint32 * 6)()
if sys.platform == "linux" and ctypes.CDLL(None).capset(head, none):
    sys.exit("the powers of root cannot be given away")
from gm.cli import main
main()
"""
"""gm without what root may do besides: whoever runs the tests, the modes of files count for him as for
everybody."""


@pytest.mark.parametrize(
    "words", sweep(["turn", "undo", "receive ../mail", "report", "seat LIT --new-key"], "turn")
)
@pytest.mark.slow
def test_a_folder_that_may_not_be_written_is_told(try_: Try, words: str) -> None:
    trial = try_("turn")
    fresh_start(trial)
    below = [trial.top, *trial.top.rglob("*")]
    modes = {path: path.stat().st_mode & 0o7777 for path in below}
    for path in below:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        as_guest = [sys.executable, "-c", POWERLESS]
        looked, done = (
            subprocess.run(
                [*as_guest, *said.split()],
                cwd=trial.top / "minsk",
                capture_output=True,
                text=True,
                check=False,
            )
            for said in ("status", words)
        )
    finally:
        for path, mode in modes.items():
            path.chmod(mode)
    assert looked.returncode == 0, looked.stderr
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Permission denied. Check the owner" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert lasting(read_tree(trial.top)) == lasting(trial.before)


@pytest.mark.slow
def test_of_many_at_once_one_plays_the_turn_and_the_others_say_why_not(try_: Try) -> None:
    trial = try_("turn")
    fresh_start(trial)
    runs = [start(trial) for _ in range(4)]
    done = [(process.communicate(timeout=240)[0], process.returncode) for process in runs]
    played = [output for output, code in done if code == 0]
    assert len(played) == 1, done
    for output, code in done:
        if code != 0:
            words = " ".join(output.split())
            busy = "Another pbem is working on the game" in words
            assert code == 1, output
            # it came when the first was done
            assert busy or "Turn 2 is not played: orders are missing" in words
    assert lasting(read_tree(trial.top)) == lasting(trial.after)


@pytest.mark.slow
def test_of_many_that_make_one_game_one_does(try_: Try) -> None:
    trial = try_("new")
    fresh_start(trial)
    runs = [start(trial) for _ in range(3)]
    done = [(process.communicate(timeout=240)[0], process.returncode) for process in runs]
    assert sum(code == 0 for _, code in done) == 1, done
    for output, code in done:
        if code:
            words = " ".join(output.split())
            assert (
                "Another pbem is making game at this moment" in words
                or "already exists and is not empty" in words
            )
            assert "Traceback" not in output
    assert lasting(read_tree(trial.top)) == lasting(trial.after)
