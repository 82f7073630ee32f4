"""Commands that serve several games at once: which games are meant, their locks, and who said what.

What goes wrong in one game is told under its name and keeps no other waiting.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from gm.cli.failures import FAILED, REFUSED, Failure, as_failure, os_trouble
from gm.cli.session import changing

if TYPE_CHECKING:
    from gm.mail.fetching import FetchResult
    from gm.mail.game_mail import GameMail


def found_games(folders: Iterable[Path]) -> list[Path]:
    """The folders of the games that are meant, each once. Raises ``StoreError`` and ``Failure`` where there is none."""
    from gm.mail.settings import MAIL_FILE
    from gm.store.folder import SETTINGS_FILE, GameFolder

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
        """Open the game, with its lock held until :meth:`close`."""
        from gm.mail.game_mail import GameMail
        from gm.mail.settings import mail_commands
        from gm.store.trust import require_confirmed

        post = GameMail(self.stack.enter_context(changing(self.folder, by_steps=True)))
        # what is wrong with them is said now
        require_confirmed(post.game_folder, *mail_commands(post.settings))
        self.post = post

    def close(self) -> None:
        """Let go of the lock."""
        self.stack.close()


@contextmanager
def visits(folders: Sequence[Path]) -> Iterator[list[Visit]]:
    """The games of these folders, opened. Every lock is let go of at the end, or before by :meth:`Visit.close`."""
    games = found_games(folders)
    found = [Visit(each, alone=len(games) == 1) for each in games]
    with ExitStack() as stack:
        for each in found:
            stack.callback(each.close)
            each.attempt(each.open)
        yield found


def fetch_for(found: Sequence[Visit], now: Callable[[Visit], Any], files: tuple[Path, ...] = ()) -> None:
    """Read each mailbox of these games once; ``now``: the time that counts for a game."""
    from gm.mail.exchange import UNREACHABLE, fetch_letters, mailbox_mark

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


def exit_code(found: Sequence[Visit]) -> int:
    """Of a command that served these games: the gravest of theirs."""
    return max((each.code for each in found), default=REFUSED)
