"""The layer sees everything: compared with what the interpreter itself reports, no operation passes it by."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults.cache import Cache, read_tree
from tests.faults.commands import COMMANDS
from tests.faults.conftest import Try
from tests.faults.judging import clear, run
from tests.faults.layer import WRITES, absolute

AUDITED = {
    "os.mkdir": ("mkdir",),
    "os.rmdir": ("rmdir",),
    "os.remove": ("unlink", "remove"),
    "os.rename": ("rename", "replace"),
    "os.truncate": ("ftruncate", "truncate"),
    "os.link": ("link",),
    "os.symlink": ("symlink",),
}
WATCHED: list[tuple[str, list[str]]] = []


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    """Note each event of the interpreter's audit that writes below a watched folder."""
    for top, seen in WATCHED:
        if event == "open":
            path, _, flags = arguments
            if (
                isinstance(flags, int)
                and flags & WRITES
                and isinstance(path, (str, os.PathLike))
                and absolute(path).startswith(top)
            ):
                seen.append("open")
        elif event in AUDITED and (
            isinstance(arguments[0], int) or absolute(str(arguments[0])).startswith(top)
        ):
            seen.append(AUDITED[event][0])
        elif event.startswith(("os.chmod", "os.chown", "os.utime", "shutil.", "tempfile.")) and _below(
            top, arguments
        ):
            seen.append(event)


def _below(top: str, arguments: tuple[object, ...]) -> bool:
    return any(
        absolute(argument).startswith(top)
        for argument in arguments
        if isinstance(argument, (str, os.PathLike))
    )


@contextmanager
def audited(top: Path) -> Iterator[list[str]]:
    """What the interpreter reports of changes below a folder."""
    if not hasattr(audited, "hooked"):
        sys.addaudithook(_hook)  # for good: a hook cannot be taken away
        audited.hooked = True  # type: ignore[attr-defined]
    seen: list[str] = []
    WATCHED.append((str(top), seen))
    try:
        yield seen
    finally:
        WATCHED.clear()


FAST = ("turn", "undo", "amend", "receive", "export", "new")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(command.name, marks=() if command.name in FAST else pytest.mark.slow)
        for command in COMMANDS
    ],
)
def test_no_operation_passes_the_layer_by(name: str, try_: Try) -> None:
    trial = try_(name)
    clear(trial.top)
    with audited(trial.top) as seen:
        layer, _, _ = run(trial)
    own = [op.kind for op in layer.counted if op.kind not in ("write", "fsync")]
    names = {kind: kinds[0] for kinds in AUDITED.values() for kind in kinds}
    # the copying of the game for the trial, which is no part of the command
    copied = seen[: len(seen) - len(own)]
    assert seen[len(copied) :] == [names.get(kind, kind) for kind in own]
    assert "rename" not in copied
    # and no write: the contents that the layer knows of are those on the disk
    cache = Cache(trial.start)
    cache.top = trial.top
    for op in layer.ops:
        cache.do(op)
    assert cache.now() == read_tree(trial.top)
