"""How commands print: sentences, JSON, diagnostics, tables; errors for a GM, with advice."""

import errno
import json
import os
import sys
import traceback
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import structs

from gm import PROGRAM, __version__
from gm.cli import speech
from gm.cli.speech import translate, worded
from gm.core.diagnostics import Diagnostic, SourceError, message_of, printable, render_all, says
from gm.core.values import Record
from gm.games import LOADED, BrokenGameError, game_at_fault, package_of
from gm.store import FolderBusyError, StoreError
from gm.text.names import the
from gm.text.pages import aligned, capitalised, listed
from gm.text.pages import counted as counted
from gm.text.words import Said, turn_in_words

if TYPE_CHECKING:
    from jinja2 import Environment

    from gm.campaign.open import Campaign


def with_stop(error: object) -> str:
    """Return the text of an error with a full stop, unless it ends with a question.

    It is in the language of the commands.
    """
    text = worded(error)
    return text if text.endswith("?") else f"{text}."


def sentence(error: object) -> str:
    """Return an error's message with a capital letter."""
    return capitalised(with_stop(error))


def echo(text: str = "", *, err: bool = False) -> None:
    """Print a line in the language of the commands."""
    click.echo(worded(text), err=err)


def warn(text: str, *, err: bool = False) -> None:
    """Print a line in yellow."""
    click.secho(worded(text), fg="yellow", err=err)


def complain(text: str) -> None:
    """Print an error in red, to standard error, which cron reports."""
    click.secho(worded(text), fg="red", err=True)


def translated(failure: click.ClickException) -> click.ClickException:
    """Return an error whose message is in the language of the commands."""
    failure.message = worded(failure.message)  # type: ignore[misc]
    return failure


def write_page(path: Path, data: bytes, *, secret: bool = False) -> None:
    """Write a file for people to take away: whoever may read the folder may read it, unless it is ``secret``.

    Inside a game's folder only the game master may read it, like everything there.
    """
    from gm.store.disk import PRIVATE_FILE, PUBLIC_FILE, make_folder, write_file
    from gm.store.products import is_in_game

    make_folder(path.parent)
    write_file(path, data, mode=PRIVATE_FILE if secret or is_in_game(path) else PUBLIC_FILE)


FINDINGS = 50  # so many findings of a file are printed
FORMAT = 1  # of what ``--json`` prints: it rises when an entry changes its meaning, not when one is added


def print_json(data: Mapping[str, Any]) -> None:
    """Print the object of ``--json``, which begins with its format's version.

    Our values become their fields; moments and paths become text.
    """
    print_document({"format": FORMAT, **data})


def print_document(data: Any) -> None:
    """Print one JSON document of a format of its own, in ASCII if the output's encoding lacks letters."""
    everything = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    click.echo(json.dumps(data, ensure_ascii=not everything, indent=2, default=_plain))


def _plain(value: Any) -> Any:
    """Return a value for JSON: a record as an object, a moment in ISO 8601, anything else as text."""
    if isinstance(value, Record):
        return structs.asdict(value)
    if isinstance(value, Mapping):
        return dict(value)
    return value.isoformat() if isinstance(value, datetime) else str(value)


def print_text(template: str, **values: Any) -> None:
    """Print ``templates/cli/NAME.txt`` filled in with these values."""
    click.echo(text_of(template, **values), nl=False)


def text_of(template: str, **values: Any) -> str:
    """Return a template of ``templates/cli`` filled in, with the colours of a terminal."""
    return _texts(speech.game(), speech.language()).get_template(f"cli/{template}.txt").render(values)


@cache
def _texts(game: str, language: str) -> "Environment":
    """Return the Jinja environment of the commands' texts in a language, with their filters."""
    from gm.text.pages import environment

    texts = environment(game, language, markup=False).overlay()
    names = {function.__name__: function for function in (click.style, printable, shown_path, widest)}
    names["phrase"] = lambda pattern, *values: worded(says(pattern, *values))
    names |= {"worded": worded, "counting": lambda count: Said(count)}
    texts.filters, texts.globals = {**texts.filters, **names}, {**texts.globals, **names}
    return texts


def fields(value: object, *names: str) -> dict[str, Any]:
    """Return the fields of a value with these names, by name."""
    return {name: getattr(value, name) for name in names}


def print_diagnostics(diagnostics: Sequence[Diagnostic]) -> None:
    """Print findings, in colour on a terminal."""
    if diagnostics:
        click.echo(render_all(diagnostics, colour=True, limit=FINDINGS, translate=translate))


def widest(texts: Iterable[str]) -> int:
    """Return the width of the widest of these texts."""
    return max(map(len, texts), default=0)


def print_definitions(texts: Mapping[str, str], *, indent: str = "") -> None:
    """Print names and their descriptions in two columns."""
    width = widest(texts)
    for name, about in texts.items():
        click.echo(f"{indent}{name:{width}}  {about}")


def print_table(rows: Sequence[Sequence[object]], *, left: int = 1) -> None:
    """Print rows in columns, the first row as the heads.

    The first ``left`` columns are aligned to the left.
    """
    click.echo("\n".join(aligned([list(map(worded, row)) for row in rows], left)))


def shown_path(path: Path) -> str:
    """Return a path, relative to the current directory if it is below that."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def turn_title(turn: int, name: str) -> str:
    """Return a turn's name for players and, where its folder has another number, that of the folder too.

    It is in the language of the commands.
    """
    words = turn_in_words(name, translate)
    return words if name == f"turn {turn}" else f"{words} (turns/turn-{turn:02})"


def title_of(campaign: "Campaign", turn: int) -> str:
    """Return the coming turn's title, or another turn's number, with its folder's number if that differs."""
    coming = turn_title(campaign.next_turn, campaign.spec.coming_name(campaign.state))
    if turn == campaign.next_turn:
        return coming
    numbered = turn_in_words(f"turn {campaign.next_turn}", translate)
    return turn_in_words(f"turn {turn}", translate) if coming == numbered else f"turns/turn-{turn:02}"


def outcome_of(campaign: "Campaign") -> str:
    """Return the end of a finished game as a message."""
    names = {seat.code: worded(the(seat.name)) for seat in campaign.seats}
    winners = [names.get(code, code) for code in campaign.winners or ()]
    if not winners:
        return says("the game is over; it is a draw.")
    who = listed(winners, last=translate("and"))
    return says("the game is over; {0} won.", who)


# -- errors --------------------------------------------------------------------------------------------------

REFUSED = 1  # exit code: the command understood and said no, or something needs attention
FAILED = 2  # exit code: wrong usage, or files that cannot be used


class Refusal(click.ClickException):
    """The command refuses; nothing was changed."""

    exit_code = REFUSED


class Failure(click.ClickException):
    """The command cannot work with its input."""

    exit_code = FAILED


class Stopped(click.ClickException):
    """Ctrl-C was pressed."""

    exit_code = 130  # as shells count it

    def show(self, file: object = None) -> None:
        """Print the message on a line of its own, below the ``^C``."""
        click.secho(f"\n{self.format_message()}", fg="yellow", err=True)


class Unanswered(Stopped):
    """A question got no answer."""

    exit_code = REFUSED


def stopped(message: str, cause: BaseException) -> Stopped:
    """Return the exception to raise in place of Ctrl-C, or of a question that got no answer."""
    return Stopped(message) if isinstance(cause, KeyboardInterrupt) else Unanswered(message)


class _LocatedFailure(Failure):
    def show(self, file: object = None) -> None:
        click.echo(self.format_message(), err=True)


def as_failure(error: Exception) -> click.ClickException:
    """Return the exception to raise in place of an error that left a command."""
    if isinstance(error, FolderBusyError):
        return Refusal(message_of(error))
    if isinstance(error, StoreError):
        return Failure(message_of(error))
    if isinstance(error, BrokenGameError):
        return Failure(sentence(error))
    if isinstance(error, SourceError):
        lines = (finding.render(colour=True, translate=translate) for finding in error.diagnostics)
        return _LocatedFailure("\n".join(lines))
    if isinstance(error, OSError):
        return Failure(os_trouble(error))
    return bug(error)


_ADVICE = {
    errno.ENOSPC: says("The disk is full: make room, then run the command again."),
    getattr(errno, "EDQUOT", -1): says(
        "Your share of the disk is full: make room, then run the command again."
    ),
    errno.EFBIG: says("A file may not become that large here: raise the limit, then run the command again."),
    errno.EROFS: says("The disk is read-only."),
    errno.EACCES: says("Check the owner and the permissions."),
    errno.EPERM: says("Check the owner and the permissions."),
    errno.EIO: says("The disk may be failing: back up the game before you go on."),
}


def os_trouble(error: OSError) -> str:
    """Return a message for an error of the operating system: what it is about, and what to do."""
    if error.errno == errno.ENOENT and error.filename and _is_part_of_game(Path(os.fsdecode(error.filename))):
        return says("{0} is missing. Restore it from a backup of the game.", os.fsdecode(error.filename))
    where = f"{error.filename}: " if error.filename else ""
    trouble = f"{where}{error.strerror or error}."
    advice = _ADVICE.get(error.errno or 0)
    return says("{0} {1}", trouble, advice) if advice else trouble


def _is_part_of_game(path: Path) -> bool:
    from gm.store.products import is_in_game

    return is_in_game(path)


def bug(error: BaseException, folder: Path | None = None, doing: str = "") -> Failure:
    """Return the failure for an error of the program itself.

    The details go to a file in ``folder``, or a temporary one.
    """
    import tempfile

    from gm.store.disk import write_file

    details = (
        f"{PROGRAM} "
        f"{__version__}{' ' + doing if doing else ''}\n\n{''.join(traceback.format_exception(error))}"
    )
    try:
        folder = folder or Path(tempfile.mkdtemp(prefix="gm-crash-"))
        number = 1
        # the same error, met again in every run, fills no disk
        path = folder / "crash-1.txt"
        while path.exists() and path.read_text(encoding="utf-8") != details:
            number += 1
            path = folder / f"crash-{number}.txt"
        write_file(path, details.encode("utf-8", "replace"))
    except OSError:
        return Failure(says("This is an error in pbem itself, and nothing was changed:\n{0}", details))
    problem = f"{type(error).__name__}: {error}"
    fault = game_at_fault(error)
    if fault:
        request = says(
            "The details are in {0}: please send that file to the maintainers of that package.", path
        )
        return Failure(
            says(
                "This is an error in {0}, not in pbem; nothing was changed. {1}. {2}", fault, problem, request
            )
        )
    if LOADED:
        loaded = [worded(says("{0!r} of the package {1}", name, package_of(name))) for name in LOADED]
        games = f" {translate('and')} ".join(loaded)
        request = says("The details are in {0}. 'pbem games --check {1}' tries the game.", path, LOADED[0])
        return Failure(
            says(
                "This is an error in the game {0}, or in pbem; nothing was changed. {1}. {2}",
                games,
                problem,
                request,
            )
        )
    request = says("The details are in {0}: please send that file to the maintainers of pbem.", path)
    return Failure(
        says("This is an error in pbem itself, not in your game; nothing was changed. {0}", request)
    )
