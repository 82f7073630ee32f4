"""What the commands of the post share: the games that are meant, their locks and mailboxes; how letters are printed.

Several games may be served at once. What goes wrong in one is told under its name and keeps no other waiting.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

import click

from gm.cli.output import FAILED, Failure, as_failure, complain, counted, fields, os_trouble
from gm.cli.session import changing, open_campaign, utc_now
from gm.mail.exchange import UNREACHABLE, fetch_letters, mailbox_mark
from gm.mail.fetching import FetchResult
from gm.mail.game_mail import GameMail
from gm.mail.letter import Kind
from gm.mail.outbox import OutboxEntry
from gm.mail.sending import Delivery
from gm.mail.settings import MAIL_FILE, mail_commands
from gm.store.folder import SETTINGS_FILE, GameFolder
from gm.store.trust import require_confirmed


def found_games(folders: Iterable[Path]) -> list[Path]:
    """The folders of the games that are meant, each once. Raises ``StoreError`` and ``Failure`` where there is none."""
    found: list[Path] = []
    for folder in list(folders) or [Path.cwd()]:
        if (folder / SETTINGS_FILE).exists():
            found.append(folder)
            continue
        # what begins with a dot was not finished
        below = sorted(each.parent for each in folder.glob(f"[!.]*/{SETTINGS_FILE}"))
        if below and not (games := [each for each in below if (each / MAIL_FILE).exists()]):
            raise Failure(f"No game in {folder} has mail settings: 'gm mail setup --game FOLDER' makes them.")
        found += games if below else [GameFolder.find(folder).path]
    return list({each.resolve(): each for each in found}.values())


@dataclass
class Visit:
    """One of the games that a command serves. ``failure``: why it cannot be served; ``code``: its exit code."""

    folder: Path
    alone: bool
    failure: click.ClickException | None = None
    code: int = 0
    fetched: FetchResult | None = None
    mailbox: Failure | None = None
    """Why its mailbox is of no use; the rest of its week goes on."""
    says: list[str] = field(default_factory=list)
    """What is wrong with it, for the GM."""
    stack: ExitStack = field(default_factory=ExitStack)
    post: GameMail = field(init=False)
    """The game's post, while it is open."""

    def attempt(self, do: Callable[[], None]) -> None:
        """Do something for the game; what goes wrong ends the visit."""
        try:
            do()
        except (click.exceptions.Exit, click.Abort, click.UsageError, BrokenPipeError):
            raise
        except Exception as error:
            if isinstance(error, OSError):
                error = Failure(f"{os_trouble(error)} What was done until then stands.")
            self.failure = error if isinstance(error, click.ClickException) else as_failure(error)
            self.code = max(self.code, getattr(self.failure, "exit_code", FAILED))

    def open(self) -> None:
        """Open the game, with its lock held until its ``stack`` is closed."""
        post = GameMail(self.stack.enter_context(changing(self.folder, by_steps=True)))
        # what is wrong with them is said now
        require_confirmed(post.game_folder, *mail_commands(post.settings))
        self.post = post


@contextmanager
def visits(folders: Sequence[Path]) -> Iterator[list[Visit]]:
    """The games of these folders, opened. Every lock is let go of at the end, if not before."""
    games = found_games(folders)
    found = [Visit(each, alone=len(games) == 1) for each in games]
    with ExitStack() as stack:
        for each in found:
            stack.enter_context(each.stack)
            each.attempt(each.open)
        yield found


def fetch_for(found: Sequence[Visit], now: Callable[[Visit], Any], files: tuple[Path, ...] = ()) -> None:
    """Read each mailbox of these games once; ``now``: the time that counts for a game."""
    shared: dict[object, list[Visit]] = {}
    for each in found:
        if each.failure is None:
            mark = None if files else mailbox_mark(each.post.settings, each.folder)
            shared.setdefault(mark, []).append(each)
    closed = any(each.failure is not None for each in found)
    for group in shared.values():
        try:
            fetched = fetch_letters([each.post for each in group], now(group[0]), files, closed=closed)
        except UNREACHABLE as error:
            for each in group:
                each.mailbox = Failure(str(error))
            continue
        for each, one in zip(group, fetched, strict=True):
            each.fetched = one
            if one.failure is not None:
                each.failure, each.code = as_failure(one.failure), FAILED


class _Headed(io.TextIOBase):
    """A stream that says whose words follow before the first of them."""

    def __init__(self, stream: TextIO, said: list[str]) -> None:
        self._stream = stream
        self._said = said

    def write(self, text: str) -> int:
        while text and self._said:
            self._stream.write(f"{self._said.pop()}\n")
        return self._stream.write(text)

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()


@contextmanager
def speaking(visit: Visit) -> Iterator[None]:
    """While several games are served, what is said stands under the name of the game that it is about."""
    if visit.alone:
        yield
        return
    heading = [f"{visit.folder.name}:"]
    with redirect_stdout(_Headed(sys.stdout, heading)), redirect_stderr(_Headed(sys.stderr, heading)):
        yield


# -- letters -----------------------------------------------------------------------------------------------------------


def open_post(game_folder: Path | None) -> GameMail:
    """The post of a game."""
    return GameMail(open_campaign(game_folder))


def clock_of(at: str | None, now: datetime) -> Callable[[], datetime]:
    """The clock; a rehearsal's stands still."""
    return (lambda: now) if at else utc_now


@contextmanager
def reachable() -> Iterator[None]:
    """A mailbox or server that cannot be used now becomes a ``Failure``."""
    try:
        yield
    except UNREACHABLE as error:
        raise Failure(str(error)) from None


def print_fetched(fetched: FetchResult, *, quiet: bool = False) -> None:
    """What came in, a line a letter; copies of our own letters are no news. ``quiet``: nothing when nothing is new."""
    news = [each for each in fetched.letters if each[2] != f"left alone: {Kind.OWN}"]
    for sender, subject, outcome in news:
        click.echo(f"{sender}  {subject!r}: {outcome}")
    if news or not quiet:
        click.echo(f"{counted(len(news), 'new letter')}.")
    if fetched.left and not quiet:
        click.echo(f"{counted(len(fetched.left), 'letter')} left in the mailbox for {elsewhere(fetched.left)}.")
    for each in () if quiet else fetched.troubles:
        complain(each)  # the GM got a letter about it, too


def elsewhere(games: Sequence[str]) -> str:
    """The games elsewhere that letters were left for."""
    named = sorted({repr(each) for each in games if each})
    return f"other games ({', '.join(named)})" if named else "other games"


def print_delivery(delivery: Delivery, *, quiet: bool = False) -> None:
    """What was sent, a line a letter. ``quiet``: nothing when nothing was."""
    for word, letters in (("sent", delivery.sent), ("FAILED", delivery.failed)):
        for each in letters:
            click.echo(f"{word}  {each.to}  {each.subject}  {each.words}".rstrip())
    if delivery.sent or delivery.failed or not quiet:
        click.echo(f"{counted(len(delivery.sent), 'letter')} sent, {len(delivery.waiting)} waiting.")


def fetched_data(fetched: FetchResult) -> dict[str, Any]:
    """A round of fetching for ``--json``."""
    letters = [{"from": sender, "subject": subject, "outcome": outcome} for sender, subject, outcome in fetched.letters]
    return {"seen": fetched.seen, "letters": letters, "troubles": fetched.troubles, "problem": fetched.problem}


def posted_data(posted: OutboxEntry) -> dict[str, Any]:
    """A message of the outbox for ``--json``."""
    about = fields(posted, "id", "kind", "to", "subject", "realm", "turn", "tries", "words")
    return {"state": posted.state.value, "at": posted.at.isoformat(), **about}


def delivery_data(delivery: Delivery) -> dict[str, Any]:
    """A round of sending for ``--json``."""
    return {
        "sent": [posted_data(each) for each in delivery.sent],
        "failed": [posted_data(each) for each in delivery.failed],
        "waiting": len(delivery.waiting),
        "problem": delivery.problem,
    }
