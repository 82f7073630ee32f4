"""An error of the disk at any operation of any command: a plain sentence, and the game is before or after it."""

from __future__ import annotations

import errno
import os

import pytest

from tests.faults.commands import COMMANDS, lasting, tree_of
from tests.faults.conftest import Try
from tests.faults.judging import Trial, judge, run
from tests.faults.layer import Fault, Op

WORDS = {
    errno.EIO: "Input/output error. The disk may be failing",
    errno.ENOSPC: "No space left on device. The disk is full: make room",
    errno.EROFS: "Read-only file system. The disk can only be read.",
    errno.EACCES: "Permission denied. You may not do that there",
}
LONG = 80
"""A command of more operations than these writes many files, each in the same way."""


def failing_at(number: int, code: int) -> Fault:
    """A fault at one operation: an input/output error comes once; a disk stays full, or closed to writing."""

    def fault(op: Op, at: int) -> int:
        struck = at == number if code == errno.EIO else at >= number and (code != errno.ENOSPC or op.takes_room)
        if struck:
            raise OSError(code, os.strerror(code), op.path)
        return -1

    return fault


def errors_at(trial: Trial, every: int) -> list[tuple[int, int]]:
    """(operation, error) to be tried. All four at each; inside what is built of many files, one of them at each."""
    found = []
    for number, op in enumerate(trial.counted):
        alike = len(trial.counted) > LONG and (".building/" in op.path or "/.change/" in op.path)
        codes = [list(WORDS)[number % len(WORDS)]] if alike else list(WORDS)
        found += [(number, code) for code in codes]
    return found[::every]


def refuse(trial: Trial, every: int = 1) -> None:
    """Try the errors, each from the start."""
    assert trial.counted[0].path.endswith((".lock", ".building")), "nothing is written before the lock is held"
    for number, code in errors_at(trial, every):
        place = f"{trial.command.name}, {errno.errorcode[code]} at operation {number}: {trial.counted[number]}"[:300]
        _, output, ended = run(trial, failing_at(number, code))
        words = " ".join(output.split())
        if ended == trial.code and WORDS[code] not in words:
            assert lasting(tree_of(trial.top)) == lasting(trial.after), place
        else:
            assert ended == 2, f"{place}: {output}"
            assert WORDS[code] in words, f"{place}: {output}"
        judge(trial, tree_of(trial.top), place, words)


@pytest.mark.parametrize(("name", "every"), [("turn", 41), ("undo", 5), ("amend", 17), ("import", 97), ("receive", 61)])
def test_an_error_of_the_disk_is_told_and_changes_nothing_by_half(name: str, every: int, try_: Try) -> None:
    refuse(try_(name), every)


@pytest.mark.slow
@pytest.mark.parametrize("name", [each.name for each in COMMANDS])
def test_every_command_survives_an_error_at_each_of_its_operations(name: str, try_: Try) -> None:
    refuse(try_(name))


@pytest.mark.parametrize("name", ["turn", "undo", "amend", "import", "receive"])
def test_a_system_that_takes_little_at_a_time_gets_all_of_it(name: str, try_: Try) -> None:
    trial = try_(name)

    def fault(op: Op, _number: int) -> int:
        return max(1, len(op.data) // 3) if op.kind == "write" else -1

    layer, _, code = run(trial, fault)
    assert code == trial.code
    assert lasting(tree_of(trial.top)) == lasting(trial.after)
    assert len(layer.counted) > len(trial.counted)
