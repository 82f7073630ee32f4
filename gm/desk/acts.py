"""The actions of a game master's week: each button of the desk and its command.

The page names the fields of a command; their values are put into a list of words, never into a shell, so that
each value stays one word.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from pathlib import Path

from gm import PROGRAM
from gm.core.diagnostics import Message, says
from gm.core.values import Record

LONGEST = 20_000  # characters of a field
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d)?", re.ASCII)  # as browsers write it


class NotDoneError(Exception):
    """An action was refused. ``says``: why."""

    def __init__(self, says: Message) -> None:
        super().__init__(says)
        self.says = says


class Act(Record):
    """A command and the fields that it takes.

    ``switches``: each is one of several words, or none; ``spread``: its argument is several words; ``text``:
    the field that the command reads as its standard input; ``asks``: it cannot be undone, and is confirmed
    first.
    """

    words: tuple[str, ...]
    argument: str = ""
    options: tuple[str, ...] = ()
    switches: tuple[tuple[str, ...], ...] = ()
    always: tuple[str, ...] = ()
    spread: bool = False
    text: str = ""
    asks: bool = False


ACTS: Mapping[str, Act] = {
    # -- when orders are due
    "extend": Act(("deadline", "extend"), options=("--until", "--why")),
    "grace": Act(("deadline", "extend"), always=("--grace",)),
    "move": Act(("deadline", "move"), "DAY", ("--why",)),
    "hold": Act(("deadline", "hold"), "WHY"),
    "resume": Act(("deadline", "resume")),
    # -- letters
    "fetch": Act(("mail", "fetch")),
    "send": Act(("mail", "send"), asks=True),
    "again": Act(("mail", "again")),
    "week": Act(("week",), asks=True),
    # -- the turn
    "rehearse": Act(("turn",), always=("--dry-run", "--missing-ok")),
    "pretend": Act(("week",), options=("--pretend-now",)),
    "turn": Act(("turn",), switches=(("--missing-ok",), ("--early",))),
    # -- what went wrong
    "undo": Act(("undo",), "", ("--why", "--reopen"), (("--unpublished", "--published"),), asks=True),
    "amend": Act(("amend",), "CORRECTION", ("--why",), spread=True),
    "unamend": Act(("amend",), always=("--take-back",)),
    # -- people
    "announce": Act(("announce",), "", ("--subject", "--to"), always=("--yes",), text="TEXT", asks=True),
    "replace": Act(("player", "replace"), "REALM", ("--name", "--email"), asks=True),
    "seat": Act(("seat",), "REALM", ("--name", "--email")),
    "absent": Act(("player", "absent"), "REALM", ("--until",), (("--steward",),)),
    "back": Act(("player", "back"), "REALM"),
}
"""Every button of the desk but those for order files, which are dropped on it."""


def usage(act: Act) -> str:
    """Return the command of a button with its fields empty."""
    options = [f"[{option} …]" for option in act.options]
    switches = [f"[{'|'.join(words)}]" for words in act.switches]
    last_argument = "-" if act.text else act.argument
    return " ".join((PROGRAM, *act.words, *act.always, *options, *switches, last_argument)).rstrip()


def words_of(act: Act, folder: Path, typed: Mapping[str, str]) -> list[str]:
    """Return the words of a command.

    Raises ``NotDoneError`` for a value that no field of the page can have.
    """
    if any(len(value) > LONGEST or "\0" in value for value in typed.values()):
        raise NotDoneError(says("This is too long, or it contains invisible characters."))
    filled = {name: _MOMENT.sub(r"\1 \2", value.strip()) for name, value in typed.items() if value.strip()}
    options = [f"{name}={filled[name]}" for name in act.options if name in filled]
    chosen = (filled.get(switch[0], "") for switch in act.switches)
    switches = [word for word, switch in zip(chosen, act.switches, strict=True) if word in switch]
    arguments = _arguments(act, filled.get(act.argument, ""))
    text = ["-"] if act.text else []
    return [*act.words, *act.always, *options, *switches, f"--game={folder}", "--", *arguments, *text]


def _arguments(act: Act, typed: str) -> list[str]:
    """Return the words of an argument; none for an empty one, about which the command complains."""
    if not act.spread:
        return [typed] if typed else []
    try:
        return shlex.split(typed)
    except ValueError:
        raise NotDoneError(says("A quotation mark is not closed.")) from None


def command_line(words: list[str]) -> str:
    """Return a command as people type it."""
    while words[-1:] == ["--"]:
        words = words[:-1]
    return shlex.join([PROGRAM, *words])
