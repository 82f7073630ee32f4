"""A random game as data, to be kept and replayed: a start, and for each turn what the GM did and which files came."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from gm.core.values import Record

Action = tuple[str, ...]
"""What the GM does, in words: see :mod:`tests.fuzz.playing`."""


class Delivery(Record):
    """A file that comes. ``vouched`` is the realm whose player sent it for certain; empty: it needs a key."""

    data: bytes
    vouched: str = ""
    late: bool = False


class TurnScript(Record):
    """One turn: the GM's actions before it, the deliveries in order, and what is checked besides the usual: ``again``,
    it is taken back and played once more; ``pages``, those for people are made too."""

    actions: tuple[Action, ...] = ()
    deliveries: tuple[Delivery, ...] = ()
    again: bool = False
    pages: bool = False


class Script(Record):
    """A whole game. ``start`` is the record of the position that it begins from."""

    ground: str
    seed: str
    start: dict[str, Any]
    played: tuple[str, ...]
    turns: tuple[TurnScript, ...] = ()

    def with_turns(self, *turns: TurnScript) -> Script:
        return msgspec.structs.replace(self, turns=turns)

    def text(self) -> str:
        """The script as JSON; each byte of a file is one letter in it."""
        plain = msgspec.to_builtins(self, builtin_types=(bytes,))
        return json.dumps(plain, default=lambda data: data.decode("latin-1"), ensure_ascii=False, indent=1)


def read_script(path: Path) -> Script:
    """A script from its file."""
    found = json.loads(path.read_text(encoding="utf-8"))
    for each in (each for turn in found["turns"] for each in turn["deliveries"]):
        each["data"] = each["data"].encode("latin-1")
    return msgspec.convert(found, Script, builtin_types=(bytes,))
