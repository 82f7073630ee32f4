"""A random game as data, to be kept and replayed: a start, and for each turn what the GM did and which files came."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

Action = tuple[str, ...]
"""What the GM does, in words: see :mod:`tests.fuzz.playing`."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """A file that comes. ``vouched`` is the realm whose player sent it for certain; empty: it needs a key."""

    data: bytes
    vouched: str = ""
    late: bool = False


@dataclass(frozen=True, slots=True)
class TurnScript:
    """One turn: the GM's actions before it, the deliveries in order, and what is checked besides the usual."""

    actions: tuple[Action, ...] = ()
    deliveries: tuple[Delivery, ...] = ()
    again: bool = False
    """It is taken back and played once more."""
    pages: bool = False
    """The pages for people are made too."""


@dataclass(frozen=True, slots=True)
class Script:
    """A whole game. ``start`` is the record of the position that it begins from."""

    ground: str
    seed: str
    start: dict[str, Any]
    played: tuple[str, ...]
    turns: tuple[TurnScript, ...] = ()

    def with_turns(self, *turns: TurnScript) -> Script:
        return replace(self, turns=turns)

    def text(self) -> str:
        """The script as JSON; files that are text stand there as text."""
        turns = [
            {
                "actions": [list(action) for action in turn.actions],
                "deliveries": [
                    {**_content(each.data), "vouched": each.vouched, "late": each.late} for each in turn.deliveries
                ],
                "again": turn.again,
                "pages": turn.pages,
            }
            for turn in self.turns
        ]
        about = {"ground": self.ground, "seed": self.seed, "played": list(self.played), "start": self.start}
        return json.dumps({**about, "turns": turns}, ensure_ascii=False, indent=1)


def read_script(path: Path) -> Script:
    """A script from its file."""
    found = json.loads(path.read_text(encoding="utf-8"))
    turns = tuple(
        TurnScript(
            actions=tuple(tuple(action) for action in turn["actions"]),
            deliveries=tuple(Delivery(_bytes(each), each["vouched"], each["late"]) for each in turn["deliveries"]),
            again=turn["again"],
            pages=turn["pages"],
        )
        for turn in found["turns"]
    )
    return Script(found["ground"], found["seed"], found["start"], tuple(found["played"]), turns)


def _content(data: bytes) -> dict[str, str]:
    try:
        return {"text": data.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}


def _bytes(record: dict[str, Any]) -> bytes:
    return record["text"].encode() if "text" in record else base64.b64decode(record["base64"])
