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
from gm.text.words import Said, turn_in_words

if TYPE_CHECKING:
    from jinja2 import Environment

    from gm.campaign.open import Campaign


def with_stop(error: object) -> str:
    """Return the message of an error with a full stop, in the language of the commands.

    One that ends with a question mark gets none.
    """
    text = worded(error)
    return text if text.endswith("?") else f"{text}."


def sentence(error: object) -> str:
    """Return the message of an error as a sentence: with a capital letter and a full stop."""
    return capitalised(with_stop(error))


def echo(text: str = "", *, err: bool = False) -> None:
    """Print a message in the language of the commands; ``err``: to standard error."""
    click.echo(worded(text), err=err)


def warn(text: str, *, err: bool = False) -> None:
    """Print a message in yellow; ``err``: to standard error."""
    click.secho(worded(text), fg="yellow", err=err)


def complain(text: str) -> None:
    """Print a message in red, to standard error, which cron mails to the GM."""
    click.secho(worded(text), fg="red", err=True)


def translated(failure: click.ClickException) -> click.ClickException:
    """Return the same error, its message translated into the language of the commands."""
    failure.message = worded(failure.message)  # type: ignore[misc]
    return failure


def write_page(path: Path, data: bytes, *, secret: bool = False) -> None:
    """Write a file that is made for people, in a new folder if there is none.

    Others on this machine may read it, unless it is ``secret`` or in a game's folder.
    """
    from gm.store.disk import PRIVATE_FILE, PUBLIC_FILE, make_folder, write_file
    from gm.store.products import is_in_game

    make_folder(path.parent)
    write_file(path, data, mode=PRIVATE_FILE if secret or is_in_game(path) else PUBLIC_FILE)


FINDINGS = 50  # how many findings of a file are printed
FORMAT = 1  # of what ``--json`` prints: it rises when an entry changes its meaning, not when one is added


def print_json(data: Mapping[str, Any]) -> None:
    """Print the object of ``--json``, after the version of its format.

    Records in it become objects; moments, paths and anything else that JSON lacks become text.
    """
    print_document({"format": FORMAT, **data})


def print_document(data: Any) -> None:
    """Print a JSON document, in ASCII if the output has another encoding than UTF."""
    has_all_letters = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    click.echo(json.dumps(data, ensure_ascii=not has_all_letters, indent=2, default=_plain))


def _plain(value: Any) -> Any:
    """Return a value for JSON: a record or mapping as an object, a moment in ISO 8601, others as text."""
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
    """Return the Jinja environment of the commands' texts, with the words of a game (its key), in a language.

    The functions of this module that the templates use are both filters and globals in it.
    """
    from gm.text.pages import environment

    texts = environment(game, language, markup=False).overlay()
    functions = {function.__name__: function for function in (click.style, printable, shown_path, widest)}
    # a message filled in with values, in the language of the commands
    functions["phrase"] = lambda pattern, *values: worded(says(pattern, *values))
    # ``counting``: a number that can have its noun behind a colon in a pattern: ``{0:order}``
    functions |= {"worded": worded, "counting": lambda count: Said(count)}
    texts.filters = {**texts.filters, **functions}
    texts.globals = {**texts.globals, **functions}
    return texts


def fields(value: object, *names: str) -> dict[str, Any]:
    """Return the attributes of an object with these names, by name."""
    return {name: getattr(value, name) for name in names}


def print_diagnostics(diagnostics: Sequence[Diagnostic]) -> None:
    """Print findings, in colour on a terminal."""
    if diagnostics:
        click.echo(render_all(diagnostics, colour=True, limit=FINDINGS, translate=translate))


def widest(texts: Iterable[str]) -> int:
    """Return the width of the widest of these texts, in characters; 0 for none."""
    return max(map(len, texts), default=0)


def print_definitions(texts: Mapping[str, str], *, indent: str = "") -> None:
    """Print names and their descriptions in two columns."""
    width = widest(texts)
    for name, about in texts.items():
        click.echo(f"{indent}{name:{width}}  {about}")


def print_table(rows: Sequence[Sequence[object]], *, left: int = 1) -> None:
    """Print rows in columns; the first row has the heads, and the first ``left`` columns are aligned left."""
    click.echo("\n".join(aligned([list(map(worded, row)) for row in rows], left)))


def shown_path(path: Path) -> str:
    """Return a path, relative to the current directory if it is below that."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def turn_title(turn: int, name: str) -> str:
    """Return the title of a turn, in the language of the commands, from its name for players.

    If that is not the number of its folder, ``turn``, the folder is in the title, too.
    """
    words = turn_in_words(name, translate)
    return words if name == f"turn {turn}" else f"{words} (turns/turn-{turn:02})"


def title_of(campaign: "Campaign", turn: int) -> str:
    """Return the title of the coming turn, or what another turn is called.

    That is its number, or its folder in a game whose turns have other names for players.
    """
    coming_title = turn_title(campaign.next_turn, campaign.spec.coming_name(campaign.state))
    if turn == campaign.next_turn:
        return coming_title
    has_numbered_turns = coming_title == turn_in_words(f"turn {campaign.next_turn}", translate)
    return turn_in_words(f"turn {turn}", translate) if has_numbered_turns else f"turns/turn-{turn:02}"


def outcome_of(campaign: "Campaign") -> str:
    """Return a message on how a finished game ended: who won, or that it is a draw."""
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

    exit_code = 130  # as in shells: 128 and the number of the signal

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
    """A failure whose message has the places in files in it, and is printed without "Error:"."""

    def show(self, file: object = None) -> None:
        click.echo(self.format_message(), err=True)


def as_failure(error: Exception) -> click.ClickException:
    """Return an exception with a message for the user, to be raised in place of an error of a command."""
    if isinstance(error, FolderBusyError):
        return Refusal(message_of(error))
    if isinstance(error, StoreError):
        return Failure(message_of(error))
    if isinstance(error, BrokenGameError):
        return Failure(sentence(error))
    if isinstance(error, SourceError):
        # the colours are dropped again where the message does not go to a terminal
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
    """Return a message for an error of the operating system: the file, what is wrong, and what to do."""
    if error.errno == errno.ENOENT and error.filename and _is_part_of_game(Path(os.fsdecode(error.filename))):
        return says("{0} is missing. Restore it from a backup of the game.", os.fsdecode(error.filename))
    where = f"{error.filename}: " if error.filename else ""
    trouble = f"{where}{error.strerror or error}."
    advice = _ADVICE.get(error.errno or 0)
    return says("{0} {1}", trouble, advice) if advice else trouble


def _is_part_of_game(path: Path) -> bool:
    """Return whether a path is in a game's folder."""
    from gm.store.products import is_in_game

    return is_in_game(path)


def bug(error: BaseException, folder: Path | None = None, doing: str = "") -> Failure:
    """Return the failure for an error of the program itself, or of a game of another package.

    The details are written into a file in ``folder``, or in a new temporary folder if that is None.
    ``doing``: what the program was doing, in words.
    """
    import tempfile

    from gm.store.disk import write_file

    details = (
        f"{PROGRAM} {__version__}{' ' + doing if doing else ''}\n\n"
        f"{''.join(traceback.format_exception(error))}"
    )
    try:
        folder = folder or Path(tempfile.mkdtemp(prefix="gm-crash-"))
        number = 1
        # an error that comes back in every run is written once
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
