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
    """Return the folders of the chosen games, each once.

    Raises ``StoreError`` and ``Failure`` where there is none.
    """
    paths: list[Path] = []
    for folder in list(folders) or [folder_or_default()]:
        if (folder / SETTINGS_FILE).exists():
            paths.append(folder)
            continue
        # what begins with a dot was not finished
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
    """One of the games that a command serves.

    ``failure``: why it cannot be served; ``code``: its exit code; ``mailbox``: why its mailbox cannot be used
    (the rest of its week goes on); ``says``: its problems, for the GM; ``mail``: that of the game, while it
    is open.
    """

    folder: Path
    alone: bool
    failure: click.ClickException | None = None
    code: int = 0
    fetched: FetchResult | None = None
    mailbox: Failure | None = None
    says: list[str] = field(default_factory=list)
    stack: ExitStack = field(default_factory=ExitStack)
    digested: frozenset[str] = frozenset()  # the realms whose players get a digest instead of reminders
    mail: GameMail = field(init=False)

    def attempt(self, do: Callable[[], None]) -> None:
        """Run a function for the game; a failure ends the visit."""
        try:
            do()
        except (click.exceptions.Exit, click.Abort, click.UsageError, BrokenPipeError):
            raise
        except Exception as error:
            if isinstance(error, OSError):
                error = Failure(says("{0} What was done until then counts.", os_trouble(error)))
            self.failure = error if isinstance(error, click.ClickException) else as_failure(error)
            self.code = max(self.code, getattr(self.failure, "exit_code", FAILED))

    def open(self) -> None:
        """Open the game, with its lock held until its ``stack`` is closed."""
        mail = GameMail(self.stack.enter_context(changing(self.folder, by_steps=True)))
        # what is wrong with them is said now
        require_confirmed(mail.game_folder, *mail_commands(mail.settings))
        self.mail = mail


@contextmanager
def visits(folders: Sequence[Path]) -> Iterator[list[Visit]]:
    """Yield the games of these folders, opened. Every lock is released at the end, if not before."""
    games = found_games(folders)
    opened = [Visit(path, alone=len(games) == 1) for path in games]
    with ExitStack() as stack:
        for visit in opened:
            stack.enter_context(visit.stack)
            visit.attempt(visit.open)
        yield opened


def sharing(opened: Sequence[Visit], *, together: bool = False) -> list[list[Visit]]:
    """Return the games that could be opened, in groups that share a mailbox.

    ``together``: all of them in one group.
    """
    groups: dict[object, list[Visit]] = {}
    for visit in opened:
        if visit.failure is None:
            mark = None if together else mailbox_mark(visit.mail.settings, visit.folder)
            groups.setdefault(mark, []).append(visit)
    return list(groups.values())


def fetch_for(opened: Sequence[Visit], now: Callable[[Visit], Any], files: tuple[Path, ...] = ()) -> None:
    """Read each mailbox of these games once; ``now``: returns the time of a game."""
    closed = any(visit.failure is not None for visit in opened)
    for group in sharing(opened, together=bool(files)):
        try:
            fetched = fetch_letters([visit.mail for visit in group], now(group[0]), files, closed=closed)
        except UNREACHABLE as error:
            for visit in group:
                visit.mailbox = Failure(message_of(error))
            continue
        for visit, one in zip(group, fetched, strict=True):
            visit.fetched = one
            if one.failure is not None:
                visit.failure = as_failure(one.failure)
                visit.code = FAILED


@contextmanager
def speaking(visit: Visit) -> Iterator[None]:
    """Print output under the name of its game, while several games are served."""
    if visit.alone:
        yield
        return
    heading = [f"{visit.folder.name}:"]
    with (
        redirect_stdout(HeadedStream(sys.stdout, heading)),
        redirect_stderr(HeadedStream(sys.stderr, heading)),
    ):
        yield


# -- letters -------------------------------------------------------------------------------------------------


def clock_of(at: str | None, now: datetime) -> Callable[[], datetime]:
    """Return the clock as a function; in a rehearsal (``--now``) it stands still."""
    return (lambda: now) if at else clock.utc_now


@contextmanager
def reachable() -> Iterator[None]:
    """Turn the errors of a mailbox or server that cannot be used now into a ``Failure``."""
    try:
        yield
    except UNREACHABLE as error:
        raise Failure(message_of(error)) from None


def print_fetched(fetched: FetchResult, *, quiet: bool = False) -> None:
    """Print a line for each letter that came in, without copies of the program's own.

    ``quiet``: nothing if nothing is new.
    """
    news = [letter for letter in fetched.letters if letter[2] != f"left alone: {Kind.OWN}"]
    for sender, subject, outcome in news:
        click.echo(f"{sender}  {subject!r}: {worded(outcome)}")
    if news or not quiet:
        echo(says("{0:new letter}.", Said(len(news))))
    if fetched.left and not quiet:
        echo(
            says("{0:letter} left in the mailbox for {1}.", Said(len(fetched.left)), elsewhere(fetched.left))
        )
    if not quiet:
        for trouble in fetched.troubles:
            complain(trouble)  # the GM got a letter about it, too


def print_delivery(delivery: Delivery, *, quiet: bool = False) -> None:
    """Print a line for each letter that was sent. ``quiet``: nothing if nothing was."""
    for word, letters in ((says("sent"), delivery.sent), (says("FAILED"), delivery.failed)):
        for letter in letters:
            click.echo(f"{worded(word)}  {letter.to}  {letter.subject}  {translate(letter.words)}".rstrip())
    if delivery.sent or delivery.failed or not quiet:
        echo(says("{0:letter} sent, {1} waiting.", Said(len(delivery.sent)), len(delivery.waiting)))


# -- the week ------------------------------------------------------------------------------------------------


class HeadedStream(io.TextIOBase):
    """A stream that prints the name of what follows before the first text."""

    def __init__(self, stream: TextIO, heading: list[str]) -> None:
        self._stream = stream
        self._heading = heading

    def write(self, text: str) -> int:
        while text and self._heading:
            self._stream.write(f"{self._heading.pop()}\n")
        return self._stream.write(text)

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()
