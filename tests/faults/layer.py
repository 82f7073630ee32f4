"""A layer between the program and the disk: it writes down every operation, and lets a chosen one go
wrong.
"""

from __future__ import annotations

import builtins
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import RLock
from typing import Any

import pytest

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
NAMED = ("mkdir", "rmdir", "unlink", "remove", "rename", "replace", "link", "symlink", "truncate")
"""Calls that change the disk by a file's name."""
BY_HANDLE = ("write", "fsync", "ftruncate", "close")  # calls that go by an open file


@dataclass(frozen=True)
class Op:
    """One operation. ``handle`` tells open files apart; ``target``: the new name."""

    kind: str
    path: str = ""
    target: str = ""
    handle: int = 0
    flags: int = 0
    offset: int = 0
    data: bytes = b""

    @property
    def counts(self) -> bool:
        """Whether it changes the disk, or what of it lasts.

        Opening a file to read or a folder to flush does not.
        """
        return self.kind != "close" and (self.kind != "open" or bool(self.flags & WRITES))

    @property
    def takes_room(self) -> bool:
        """Whether a full disk refuses it."""
        return self.kind in ("write", "mkdir", "rename", "replace", "link") or (
            self.kind == "open" and bool(self.flags & os.O_CREAT)
        )


Fault = Callable[[Op, int], int]
"""Given an operation and its number from 0, raises ``OSError`` or says how much of a write is taken (-1:
all)."""


def whole(_op: Op, _number: int) -> int:
    """Nothing goes wrong."""
    return -1


class Layer:
    """What was done below the folder ``top`` while it was installed."""

    def __init__(self, top: Path, fault: Fault = whole) -> None:
        self.top = str(top)
        self.fault = fault
        self.ops: list[Op] = []
        self._handles: dict[int, tuple[int, str]] = {}
        self._opened = self._counted = 0
        self._one_at_a_time = RLock()  # many files are flushed by several threads

    @property
    def counted(self) -> list[Op]:
        return [op for op in self.ops if op.counts]

    def covers(self, path: Any) -> bool:
        return isinstance(path, (str, os.PathLike)) and absolute(path).startswith(self.top)

    @contextmanager
    def installed(self) -> Iterator[Layer]:
        """Put the layer in place of the calls of `os` and of `open` while the block runs."""
        real = {name: getattr(os, name) for name in (*NAMED, *BY_HANDLE, "open")}
        plain = builtins.open

        def plain_open(file: Any, mode: str = "r", *rest: Any, **more: Any) -> Any:
            assert not (self.covers(file) and set(mode) & set("wax+")), (
                f"{file} is written past gm.store.disk"
            )
            return plain(file, mode, *rest, **more)

        with pytest.MonkeyPatch.context() as patch:
            for name in NAMED:
                patch.setattr(os, name, self._alone(self._by_name(name, real[name])))
            for name in BY_HANDLE:
                patch.setattr(os, name, self._alone(self._by_handle(name, real[name])))
            patch.setattr(os, "open", self._alone(self._opening(real["open"])))
            patch.setattr(builtins, "open", plain_open)
            patch.setattr(io, "open", plain_open)
            yield self

    def _alone(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def alone(*words: Any, **more: Any) -> Any:
            with self._one_at_a_time:
                return call(*words, **more)

        return alone

    def _strike(self, op: Op) -> int:
        """Let the fault have its way with an operation that is about to happen."""
        return self.fault(op, self._counted) if op.counts else -1

    def _did(self, op: Op) -> None:
        self.ops.append(op)
        self._counted += op.counts

    def _by_name(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(path: Any, *rest: Any, **more: Any) -> Any:
            if not self.covers(path):
                return real(path, *rest, **more)
            op = Op(name, absolute(path), absolute(rest[0]) if name in ("rename", "replace", "link") else "")
            self._strike(op)
            result = real(path, *rest, **more)
            self._did(op)
            return result

        return call

    def _opening(self, real: Callable[..., int]) -> Callable[..., int]:
        def call(path: Any, flags: int, *rest: Any, **more: Any) -> int:
            if not self.covers(path):
                return real(path, flags, *rest, **more)
            op = Op("open", absolute(path), handle=self._opened + 1, flags=flags)
            self._strike(op)
            handle = real(path, flags, *rest, **more)
            self._opened += 1
            self._handles[handle] = (self._opened, op.path)
            self._did(op)
            return handle

        return call

    def _by_handle(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        """Return a call of `os` on a handle that counts, may be struck, and is recorded."""

        def call(handle: int, *rest: Any) -> Any:
            if handle not in self._handles:
                return real(handle, *rest)
            serial, path = self._handles[handle]
            if name == "write":
                data = bytes(rest[0])
                op = Op(name, path, handle=serial, offset=os.lseek(handle, 0, os.SEEK_CUR), data=data)
                taken = self._strike(op)
                op = replace(op, data=data if taken < 0 else data[:taken])
                rest = (op.data,)
            else:
                op = Op(name, path, handle=serial, offset=rest[0] if rest else 0)
                self._strike(op)
            result = real(handle, *rest)
            if name == "close":
                del self._handles[handle]
            self._did(op)
            return result

        return call


def absolute(path: Any) -> str:
    """A path from the root, without following links."""
    return os.path.normpath(Path.cwd() / path)


class Killed(BaseException):
    """The plug is pulled."""


@contextmanager
def killed_at(top: Path, strike: int) -> Iterator[Layer]:
    """Pull the plug before an operation, counted from 0, that changes the disk below a folder: no later
    one happens.
    """

    def fault(_op: Op, number: int) -> int:
        if number == strike:
            raise Killed
        return -1

    with suppress(Killed), Layer(top, fault).installed() as layer:
        yield layer
