"""Visits of several games by the commands for mail, ``pbem week`` and ``pbem mail``.

Several games may be served at once: a failure in one is printed under its name and keeps no other waiting.
"""

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

import click

from gm.cli import clock
from gm.cli.options import folder_or_default
from gm.cli.output import FAILED, Failure, as_failure, complain, echo, os_trouble
from gm.cli.post_status import elsewhere
from gm.cli.session import changing
from gm.cli.speech import translate, worded
from gm.core.diagnostics import message_of, says
from gm.core.values import grouped
from gm.mail.exchange import UNREACHABLE, fetch_letters, mailbox_mark
from gm.mail.fetching import FetchResult
from gm.mail.game_mail import GameMail
from gm.mail.letter import Kind
from gm.mail.sending import Delivery
from gm.mail.settings import mail_commands
from gm.store.folder import MAIL_FILE, SETTINGS_FILE, GameFolder
from gm.store.trust import require_confirmed
from gm.text.words import Said


def found_games(folders: Iterable[Path]) -> list[Path]:
    """Return the folders of games, each once: those among ``folders``, and the games by mail in others.

    Without any folder, it is the game around the current directory. Raises ``StoreError`` for a folder
    without a game, and ``Failure`` for one whose games are all played without mail.
    """
    paths: list[Path] = []
    for folder in list(folders) or [folder_or_default()]:
        if (folder / SETTINGS_FILE).exists():
            paths.append(folder)
            continue
        # a folder whose name begins with a dot is one that was not finished
        below = sorted(path.parent for path in folder.glob(f"[!.]*/{SETTINGS_FILE}"))
        games = [path for path in below if (path / MAIL_FILE).exists()]
        if below and not games:
            raise Failure(
                says("No game in {0} has mail settings: 'pbem mail setup --game FOLDER' makes them.", folder)
            )
        paths += games if below else [GameFolder.find(folder).path]
    return list({path.resolve(): path for path in paths}.values())


@dataclass
class Visit:
    """One of the games that a command serves."""

    folder: Path
    alone: bool  # whether it is the only one
    failure: click.ClickException | None = None  # why it cannot be served, or not to the end
    code: int = 0  # the exit code that this game asks for
    fetched: FetchResult | None = None  # what its mailbox held; None: it was not read
    mailbox: Failure | None = None  # why its mailbox cannot be used; the rest of its week goes on
    says: list[str] = field(default_factory=list)  # problems for the GM, as messages
    stack: ExitStack = field(default_factory=ExitStack)  # holds the game's lock until it is closed
    digested: frozenset[str] = frozenset()  # codes of realms whose players get a digest and no reminders
    mail: GameMail = field(init=False)  # set when the game is opened

    def attempt(self, do: Callable[[], None]) -> None:
        """Run a function for the game; an error becomes the visit's ``failure``.

        Wrong usage, Ctrl-C and a reader of the output who has gone end the whole command.
        """
        try:
            do()
        except (click.exceptions.Exit, click.Abort, click.UsageError, BrokenPipeError):
            raise
        except Exception as error:
            if isinstance(error, OSError):
                error = Failure(says("{0} What was done until then counts.", os_trouble(error)))
            self.failure = error if isinstance(error, click.ClickException) else as_failure(error)
            self.code = max(self.code, self.failure.exit_code)

    def open(self) -> None:
        """Open the game, and hold its lock until ``stack`` is closed.

        Raises ``UnconfirmedError`` if its mail settings have a command that the GM has not confirmed.
        """
        mail = GameMail(self.stack.enter_context(changing(self.folder, by_steps=True)))
        # asked now, not in the middle of the work
        require_confirmed(mail.game_folder, *mail_commands(mail.settings))
        self.mail = mail


@contextmanager
def visits(folders: Sequence[Path]) -> Iterator[list[Visit]]:
    """Yield a visit of each game in these folders, opened; its ``failure`` is set if that was not possible.

    Every lock is released at the end, if not before.
    """
    games = found_games(folders)
    visits_of_games = [Visit(path, alone=len(games) == 1) for path in games]
    with ExitStack() as stack:
        for visit in visits_of_games:
            stack.enter_context(visit.stack)
            visit.attempt(visit.open)
        yield visits_of_games


def by_mailbox(visited: Sequence[Visit], *, together: bool = False) -> list[tuple[Visit, ...]]:
    """Return the visits without a failure, in groups of games that share a mailbox.

    ``together``: all of them are one group.
    """
    served = [visit for visit in visited if visit.failure is None]
    groups = grouped(
        served, lambda visit: None if together else mailbox_mark(visit.mail.settings, visit.folder)
    )
    return list(groups.values())


def fetch_for(visited: Sequence[Visit], now: Callable[[Visit], Any], files: tuple[Path, ...] = ()) -> None:
    """Read each mailbox of these games once, or ``files`` in place of all of them.

    Sets in each visit what was fetched, why its mailbox cannot be read, or why the game failed. ``now``:
    returns what counts as now in a game.
    """
    some_failed = any(visit.failure is not None for visit in visited)
    for group in by_mailbox(visited, together=bool(files)):
        try:
            # a letter that may be for a game that could not be opened stays in the mailbox
            results = fetch_letters([visit.mail for visit in group], now(group[0]), files, closed=some_failed)
        except UNREACHABLE as error:
            for visit in group:
                visit.mailbox = Failure(message_of(error))  # the rest of the game's week goes on
            continue
        for visit, result in zip(group, results, strict=True):
            visit.fetched = result
            if result.failure is not None:
                visit.failure = as_failure(result.failure)
                visit.code = FAILED


@contextmanager
def under_heading(visit: Visit) -> Iterator[None]:
    """Print what is printed inside the block under the name of its game, if several games are served."""
    if visit.alone:
        yield
        return
    heading = [f"{visit.folder.name}:"]  # one list for both streams: the first that prints takes it out
    with (
        redirect_stdout(HeadedStream(sys.stdout, heading)),
        redirect_stderr(HeadedStream(sys.stderr, heading)),
    ):
        yield


# -- letters -------------------------------------------------------------------------------------------------


def clock_of(at: str | None, now: datetime) -> Callable[[], datetime]:
    """Return a function that tells the time; with ``at``, the time of ``--at``, it is always ``now``."""
    return (lambda: now) if at else clock.utc_now


@contextmanager
def reachable() -> Iterator[None]:
    """Raise a ``Failure`` in place of an error of a mailbox or mail server that cannot be used now."""
    try:
        yield
    except UNREACHABLE as error:
        raise Failure(message_of(error)) from None


def print_fetched(fetched: FetchResult, *, quiet: bool = False) -> None:
    """Print a line for each letter that came in, except copies of the program's own letters.

    Then come their number, the letters that are left for other games, and the problems. ``quiet``: print
    neither of the last two, and nothing at all if no letter came in.
    """
    new_letters = 0
    for sender, subject, outcome in fetched.letters:
        if outcome != f"left alone: {Kind.OWN}":
            new_letters += 1
            click.echo(f"{sender}  {subject!r}: {worded(outcome)}")
    if new_letters or not quiet:
        echo(says("{0:new letter}.", Said(new_letters)))
    if fetched.left and not quiet:
        echo(
            says("{0:letter} left in the mailbox for {1}.", Said(len(fetched.left)), elsewhere(fetched.left))
        )
    if not quiet:
        for trouble in fetched.troubles:
            complain(trouble)


def print_delivery(delivery: Delivery, *, quiet: bool = False) -> None:
    """Print a line for each letter that was sent or failed, then how many were sent and how many wait.

    ``quiet``: nothing if none was sent and none failed.
    """
    for word, letters in ((says("sent"), delivery.sent), (says("FAILED"), delivery.failed)):
        for letter in letters:
            click.echo(f"{worded(word)}  {letter.to}  {letter.subject}  {translate(letter.words)}".rstrip())
    if delivery.sent or delivery.failed or not quiet:
        echo(says("{0:letter} sent, {1} waiting.", Said(len(delivery.sent)), len(delivery.waiting)))


class HeadedStream(io.TextIOBase):
    """A stream that passes texts on to another one, and a heading before the first text."""

    def __init__(self, stream: TextIO, heading: list[str]) -> None:
        """Write to ``stream``. ``heading``: one line, or none; it is removed when it is written."""
        self._stream = stream
        self._heading = heading

    def write(self, text: str) -> int:
        """Write a text, and before it the heading if that is still there."""
        while text and self._heading:
            self._stream.write(f"{self._heading.pop()}\n")
        return self._stream.write(text)

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()
