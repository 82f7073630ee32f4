"""Forked processes: what happens in one stays there, so that every mutant meets the same untouched tests."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from selectors import EVENT_READ, DefaultSelector
from typing import NamedTuple


class Child(NamedTuple):
    """A process at work, and the pipe by which it answers."""

    process: int
    answers: int


def start(work: Callable[[], bytes]) -> Child:
    """Fork a process that answers with what ``work`` returns; what it prints is dropped."""
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return Child(process, reading)
    status = 1
    try:
        os.close(reading)
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, 1)
        with open(writing, "wb") as pipe:  # noqa: PTH123
            pipe.write(work())
        status = 0
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
    finally:
        # no exit handlers: they belong to the parent
        os._exit(status)


def finished(children: list[Child]) -> list[Child]:
    """Those of the children that have answered or died; waits for the first."""
    with DefaultSelector() as selector:
        for child in children:
            selector.register(child.answers, EVENT_READ, child)
        return [key.data for key, _ in selector.select()]


def answer(child: Child) -> tuple[bytes, int]:
    """(what it answered, its exit code: negative for the signal that ended it)."""
    with open(child.answers, "rb") as pipe:  # noqa: PTH123
        said = pipe.read()
    _, status = os.waitpid(child.process, 0)
    return said, os.waitstatus_to_exitcode(status)


def in_a_child(work: Callable[[], bytes]) -> bytes:
    """What ``work`` returns, without what else it changes. Raises ``ChildProcessError`` if it fails."""
    said, status = answer(start(work))
    if status:
        raise ChildProcessError(f"ended with {status}")
    return said
