"""The rolls of a turn as everybody may check them (W12): ``results/dice.jsonl``, one label a line.

    {"label": "turn 2 | phase 1 | ...", "asked": [["3/20", 40], ["6", 2]], "outcomes": [0, 1, ...]}

``asked`` says what the draws were for, in order: a chance as a fraction or the number of choices, and how many draws in
a row. Seed and label give the draws again, and these the outcomes; see :mod:`gm.core.dice`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gm.core.codec import from_plain
from gm.core.dice import rolled_again
from gm.core.events import DiceRolled, Event
from gm.core.values import Positive, Value
from gm.store import BrokenFolderError
from gm.store.formats import Format

ROLLS = Format("list of a turn's rolls", 1)
ROLLS_FILE = "results/dice.jsonl"


class Roll(Value):
    """What was rolled under one label. ``outcomes``: 0 or 1 for a chance, counted from 0 for a choice."""

    label: str
    asked: tuple[tuple[str, Positive], ...]
    outcomes: tuple[int, ...]

    def problem(self, seed: str) -> str:
        draws = sum(times for _, times in self.asked)
        if draws != len(self.outcomes):
            return f"{self.label}: {draws} draws were asked for, and there are {len(self.outcomes)} outcomes"
        try:
            due = rolled_again(seed, self.label, self.asked)
        except (ValueError, ZeroDivisionError):
            return f"{self.label}: it does not say what was asked of the dice"
        if due == self.outcomes:
            return ""
        wrong = next(index for index, outcome in enumerate(due) if outcome != self.outcomes[index])
        return f"{self.label}: draw {wrong + 1} gives {due[wrong]}, not {self.outcomes[wrong]}"


def roll_record(event: DiceRolled) -> dict[str, Any]:
    """A roll as plain data."""
    return {"label": event.label, "asked": [list(each) for each in event.asked], "outcomes": list(event.outcomes)}


def own_rolls(events: Iterable[Event], realm: str) -> list[dict[str, Any]]:
    """The rolls that a realm keeps to itself, which stand in its own results (W8); of nobody: those for everybody.
    Rolls of old logs lack ``asked`` and are left out."""
    rolled = (event for event in events if isinstance(event, DiceRolled) and event.asked)
    return [roll_record(event) for event in rolled if event.private == realm]


def rolls_bytes(game: str, turn: int, events: Iterable[Event]) -> bytes:
    """The file of the turn's rolls, without those that a realm keeps to itself."""
    return ROLLS.encode_lines({"game": game, "turn": turn}, own_rolls(events, ""))


def read_roll(record: Mapping[str, Any], where: str) -> Roll:
    """A roll from its plain data. Raises ``BrokenFolderError``."""
    try:
        return from_plain(record, Roll)
    except ValueError as error:
        raise BrokenFolderError(f"{where} is no list of rolls: {error}.") from None


def read_rolls(data: bytes, file: str) -> tuple[dict[str, Any], tuple[Roll, ...]]:
    """(head, rolls) of such a file. Raises ``BrokenFolderError`` and ``NewerFormatError``."""
    head, records = ROLLS.decode_lines(data, file)
    return head, tuple(read_roll(record, file) for record in records)
