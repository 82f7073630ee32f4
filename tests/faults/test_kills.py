"""A kill or a power cut at any operation of any command: the game is before or after it, says which, and goes on."""

from __future__ import annotations

import pytest

from tests.faults.commands import COMMANDS
from tests.faults.conftest import Try
from tests.faults.judging import Trial, judge, remains

FEW = ("turn", "undo", "amend", "import", "receive")


def judged(trial: Trial, step: int = 1) -> set[bool]:
    """Whether the command counted, over all that may be left of it; of a long list, every ``step``-th."""
    found = set()
    left = list(remains(trial))
    for index, (number, tree) in enumerate(left):
        if index % step == 0 or index == len(left) - 1:
            found.add(judge(trial, tree, f"{trial.command.name}, cut {index} at operation {number}"))
    return found


@pytest.mark.parametrize("name", FEW)
def test_a_command_may_be_cut_short_at_any_operation(name: str, try_: Try) -> None:
    found = try_(name)
    assert judged(found, step=4) == {False, True}


@pytest.mark.slow
@pytest.mark.parametrize("name", [each.name for each in COMMANDS])
def test_every_command_may_be_cut_short_at_each_of_its_operations(name: str, try_: Try) -> None:
    found = try_(name)
    # the letters of a new player take long to write, and each trial writes them: the same command without them is there
    assert judged(found, step=5 if name.endswith("by mail") else 1) == {False, True}
