"""An error of the disk, a kill or a power cut at any operation: the game is before or after it, and goes
on.
"""

import errno
import os

import pytest

from tests.faults.cache import read_tree
from tests.faults.commands import COMMANDS, lasting, unfinished
from tests.faults.conftest import Try
from tests.faults.judging import Trial, judge, remains, run
from tests.faults.layer import Fault, Op

WORDS = {
    errno.EIO: "Input/output error. The disk may be failing",
    errno.ENOSPC: "No space left on device. The disk is full: make room",
    errno.EROFS: "Read-only file system. The disk is read-only.",
    errno.EACCES: "Permission denied. Check the owner",
}
PUT_OFF = "The next turn tries again."  # what could not be done does not belong to the command
THIRD = 3  # no divisor of the number of errors: each of them is tried at every kind of operation
LONG = 80  # a command of more operations than these writes many files, each in the same way


def failing_at(number: int, code: int) -> Fault:
    """A fault at one operation: an input/output error comes once; a disk stays full, or closed to writing."""

    def fault(op: Op, at: int) -> int:
        struck = (
            at == number if code == errno.EIO else at >= number and (code != errno.ENOSPC or op.takes_room)
        )
        if struck:
            raise OSError(code, os.strerror(code), op.path)
        return -1

    return fault


def errors_at(trial: Trial, every: int) -> list[tuple[int, int]]:
    """(operation, error) to be tried.

    All four at each; inside what is built of many files, one of them at every third.
    """
    errors = []
    for number, op in enumerate(trial.counted):
        alike = len(trial.counted) > LONG and (".building/" in op.path or "/.change/" in op.path)
        if alike and number % THIRD:
            continue
        codes = [list(WORDS)[number % len(WORDS)]] if alike else list(WORDS)
        errors += [(number, code) for code in codes]
    return errors[::every]


def refuse(trial: Trial, every: int = 1) -> None:
    """Try the errors, each from the start."""
    assert trial.counted[0].path.endswith((".lock", ".building")), (
        "nothing is written before the lock is held"
    )
    after = lasting(trial.after)
    for number, code in errors_at(trial, every):
        place = (
            f"{trial.command.name}, {errno.errorcode[code]} at operation {number}: {trial.counted[number]}"[
                :300
            ]
        )
        _, output, ended = run(trial, failing_at(number, code))
        words = " ".join(output.split())
        if ended == trial.code and WORDS[code] not in words:
            left = read_tree(trial.top)
            passing = unfinished(left) if PUT_OFF in words else []
            assert {name: data for name, data in lasting(left).items() if name not in passing} == after, place
        else:
            assert ended == 2, f"{place}: {output}"
            assert WORDS[code] in words, f"{place}: {output}"
        judge(trial, read_tree(trial.top), place, words)


def test_an_error_of_the_disk_is_told_and_changes_nothing_by_half(try_: Try) -> None:
    refuse(try_("turn"), every=17)


@pytest.mark.slow
@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_every_command_survives_an_error_at_each_of_its_operations(name: str, try_: Try) -> None:
    refuse(try_(name))


@pytest.mark.parametrize("name", ["turn", "undo", "amend", "import", "receive"])
def test_a_system_that_takes_little_at_a_time_gets_all_of_it(name: str, try_: Try) -> None:
    trial = try_(name)

    def fault(op: Op, _number: int) -> int:
        return max(1, len(op.data) // 3) if op.kind == "write" else -1

    layer, _, code = run(trial, fault)
    assert code == trial.code
    assert lasting(read_tree(trial.top)) == lasting(trial.after)
    assert len(layer.counted) > len(trial.counted)


def judged(trial: Trial, step: int = 1) -> set[bool]:
    """Whether the command counted, over all that may be left of it; of a long list, every ``step``-th."""
    verdicts = set()
    left = list(remains(trial))
    for index, (number, tree) in enumerate(left):
        if index % step == 0 or index == len(left) - 1:
            verdicts.add(judge(trial, tree, f"{trial.command.name}, cut {index} at operation {number}"))
    return verdicts


@pytest.mark.parametrize("name", ["turn", "receive"])
def test_a_command_may_be_cut_short_at_any_operation(name: str, try_: Try) -> None:
    trial = try_(name)
    assert judged(trial, step=4) == {False, True}


@pytest.mark.slow
@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_every_command_may_be_cut_short_at_each_of_its_operations(name: str, try_: Try) -> None:
    trial = try_(name)
    # the letters of a new player take long to write, and each trial writes them: the same command without
    # them is there
    assert judged(trial, step=5 if name.endswith("by mail") else 1) == {False, True}
