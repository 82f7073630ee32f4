"""Questions with yes or no at the terminal, in the language of the commands."""

from typing import Any

import click

from gm.cli.speech import worded
from gm.core.diagnostics import fold, says

_YES = ("y", "yes", "j", "ja")
_NO = ("n", "no", "nein")


def agreed(question: str, *, default: bool | None = None) -> bool:
    """Ask a question until the answer is yes or no; return whether it is yes.

    ``default``: what an empty answer means; None: the question is asked again. Raises ``click.Abort`` if
    nobody answers any more.
    """
    choices = says("y/n")
    if default is not None:
        choices = says("Y/n") if default else says("y/N")
    return bool(
        click.prompt(
            f"{worded(question)} [{worded(choices)}]",
            default="" if default is None else default,
            show_default=False,
            value_proc=_answer,
        )
    )


def agree(question: str) -> None:
    """Ask a question. Raises ``click.Abort`` unless the answer is yes."""
    if not agreed(question, default=False):
        raise click.Abort


def _answer(text: Any) -> bool:
    """Return whether an answer is yes. Raises ``click.UsageError`` for one that is neither yes nor no."""
    if isinstance(text, bool):  # the default, which click hands over as it is
        return text
    word = fold(text.strip())
    if word in _YES:
        return True
    if word in _NO:
        return False
    raise click.UsageError(worded(says("invalid input")))
