"""``--help`` and the usage line of a command in the language of the commands.

A command has its texts in English; they are messages of the catalogues. Each paragraph of its help is one
message. In a block of examples or a table, each heading is one, and each text behind a command. click's own
words are messages, too.
"""

import re
import sys
from collections.abc import Callable
from copy import copy
from inspect import cleandoc

import click

Translate = Callable[[str], str]

WHOLE = "\b\n"  # before a paragraph whose lines click leaves as they are
SHOWS_HELP = "Show this message and exit."
_SAID_BEHIND = re.compile(r"(\s*\S.*?\s{3,})(\S.*)")
"""An example or a line of a table: (a command or word, at least three blanks; the text behind them)."""


def paragraphs(about: str) -> str:
    """Return the help of a command with click's mark above each paragraph that is to keep its lines.

    These are the paragraphs with an indented line.
    """
    parts = about.strip().split("\n\n")
    return "\n\n".join(f"{WHOLE}{part}" if "\n  " in f"\n{part}" else part for part in parts)


def localised_help(text: str, translate: Translate) -> str:
    """Return a command's help with its messages translated."""
    return "\n\n".join(_localised(part, translate) for part in cleandoc(text).split("\n\n"))


def _localised(part: str, translate: Translate) -> str:
    """Return a paragraph translated as a whole, or line by line if it is marked with ``WHOLE``."""
    if not part.startswith(WHOLE):
        return translate(" ".join(part.split()))
    lines = part.removeprefix(WHOLE).split("\n")
    return WHOLE + "\n".join(_line(line, translate) for line in lines)


def _line(line: str, translate: Translate) -> str:
    """Return a line of examples or of a table with its message translated: a heading, or the text behind."""
    is_heading = line and not line.startswith(" ")
    if is_heading:
        return translate(line)
    parts = _SAID_BEHIND.fullmatch(line)
    return f"{parts[1]}{translate(parts[2])}" if parts else line


class Helping(click.Command):
    """A command whose help is in the language of the commands.

    ``super(Helping, self._spoken())``: click's own method runs on a translated copy of the command.
    """

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return list(map(as_spoken, super().collect_usage_pieces(ctx)))

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = as_spoken(SHOWS_HELP)
        return option

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super(Helping, self._spoken()).format_help(ctx, formatter)

    def get_short_help_str(self, limit: int = 45) -> str:
        return super(Helping, self._spoken()).get_short_help_str(limit)

    def _spoken(self) -> "Helping":
        """Return a copy of this command with its texts in the language of the commands."""
        spoken = copy(self)
        spoken.help = localised_help(self.help or "", as_spoken)
        spoken.epilog = localised_help(self.epilog or "", as_spoken)
        spoken.short_help = as_spoken(self.short_help or "")
        spoken.params = list(map(_spoken_parameter, self.params))
        return spoken


def _spoken_parameter(parameter: click.Parameter) -> click.Parameter:
    """Return a copy of a parameter with its help in the language of the commands."""
    spoken = copy(parameter)
    if isinstance(spoken, click.Option) and spoken.help:
        spoken.help = as_spoken(spoken.help)
    # click would show the name of the type in English
    if isinstance(spoken.type, click.types.IntParamType) and spoken.metavar is None:
        spoken.metavar = as_spoken(spoken.type.name.upper())
    return spoken


def as_spoken(text: str) -> str:
    """Return an English message in the language of the commands.

    As long as :mod:`gm.cli.speech` is not imported, no language was asked for: the message stays English.
    """
    speech = sys.modules.get("gm.cli.speech")
    return str(speech.translate(text)) if speech else text
