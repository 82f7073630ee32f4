"""The actions of a game master's week: each button of the desk, but those for order files, and its command.

The page names the fields of a command; their values are put into a list of words, never into a shell. So each
value stays one word, except an argument that is meant to be several (``Act.spread``).
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
    """A button: its command and the fields that it takes."""

    words: tuple[str, ...]  # the command: ``deadline``, ``extend``
    argument: str = ""  # the field that is its argument, if it has one
    options: tuple[str, ...] = ()  # options with a value; each is a field of the same name
    switches: tuple[tuple[str, ...], ...] = ()  # of each the GM chooses one of its words, or none
    always: tuple[str, ...] = ()  # words that the button always gives
    spread: bool = False  # whether the argument is split into several words
    text: str = ""  # the field that the command reads as its standard input, if it has one
    asks: bool = False  # whether it cannot be undone, so that it is to be confirmed first


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
    """Return the words of a button's command, without the program's name.

    ``folder``: the game's; ``typed``: the values of the page's fields by name. Raises ``NotDoneError`` for a
    value that no field of the page can have.
    """
    if any(len(value) > LONGEST or "\0" in value for value in typed.values()):
        raise NotDoneError(says("This is too long, or it contains invisible characters."))
    # browsers write times as ``2026-01-09T20:15``, and commands read ``2026-01-09 20:15``
    values = {name: _MOMENT.sub(r"\1 \2", value.strip()) for name, value in typed.items() if value.strip()}
    options = [f"{name}={values[name]}" for name in act.options if name in values]
    switches = []
    for switch in act.switches:
        word = values.get(switch[0], "")  # the field is called like the first of the switch's words
        if word in switch:
            switches.append(word)
    arguments = _arguments(act, values.get(act.argument, ""))
    standard_input = ["-"] if act.text else []  # this word makes the command read its standard input
    return [
        *act.words,
        *act.always,
        *options,
        *switches,
        f"--game={folder}",
        "--",
        *arguments,
        *standard_input,
    ]


def _arguments(act: Act, typed: str) -> list[str]:
    """Return the command's arguments from the text of a field; none for an empty text.

    The command then says what is missing. If the act has ``spread``, the text is split as in a shell, else it
    is one argument. Raises ``NotDoneError`` for a quotation mark that is not closed.
    """
    if not act.spread:
        return [typed] if typed else []
    try:
        return shlex.split(typed)
    except ValueError:
        raise NotDoneError(says("A quotation mark is not closed.")) from None


def command_line(words: list[str]) -> str:
    """Return a command as people type it, for a terminal."""
    while words[-1:] == ["--"]:  # it is not needed where no argument follows
        words = words[:-1]
    return shlex.join([PROGRAM, *words])
