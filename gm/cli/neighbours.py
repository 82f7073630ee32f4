"""The games beside a game that share its mailbox, whichever command serves them.

Games in one folder know of each other: cron may serve each of them by a command of its own. A player's
digest, which covers all of them, is written by one run at a time.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import click

from gm.cli.session import open_campaign
from gm.core.diagnostics import SourceError
from gm.mail.digest import digest_readers
from gm.mail.exchange import mailbox_mark
from gm.mail.game_mail import MAIL, GameMail, MailLog
from gm.mail.settings import load_mail_settings
from gm.mail.status import DIGEST, last_read
from gm.store import FolderBusyError, StoreError
from gm.store.disk import locked, make_folder
from gm.store.folder import MAIL_FILE

_UNREADABLE = (StoreError, SourceError, OSError, click.ClickException)


def folders_beside(mails: Sequence[GameMail]) -> list[Path]:
    """Return the folders of the other games beside these that share their mailbox, sorted.

    ``mails``: of games that share one; a folder whose settings cannot be read is left out.
    """
    own_folders = {mail.game_folder.resolve() for mail in mails}
    mark = mailbox_mark(mails[0].settings, mails[0].game_folder)
    folders = []
    for parent in sorted({folder.parent for folder in own_folders}):
        for folder in _games_in(parent):
            with suppress(*_UNREADABLE):
                if folder not in own_folders and mailbox_mark(load_mail_settings(folder), folder) == mark:
                    folders.append(folder)
    return folders


def _games_in(parent: Path) -> list[Path]:
    """Return the folders of games by mail in a folder, without unfinished ones, whose names begin with a dot.

    There are none in a folder that cannot be read.
    """
    with suppress(OSError):
        return sorted(path.parent.resolve() for path in parent.glob(f"[!.]*/{MAIL_FILE}"))
    return []


def games_beside(mails: Sequence[GameMail]) -> list[GameMail]:
    """Return the other games of these games' mailbox, to be read only; none if nobody asked for a digest.

    Games that cannot be read now are left out. Of several copies of a game, that one is returned which has
    read the mailbox last.
    """
    folders = folders_beside(mails)
    if not any(_is_wanted(folder) for folder in (*(mail.game_folder for mail in mails), *folders)):
        return []
    games: dict[str, GameMail] = {}
    for folder in folders:
        with suppress(Exception):  # whatever is wrong with one game, the others are returned
            mail = GameMail(open_campaign(folder, drawings=False, recovering=False))
            _read_all(mail)  # for its errors, which leave the game out
            # of two copies of a game, the one that has read the mailbox last
            games[mail.game] = max(games.get(mail.game, mail), mail, key=_last_read)
    own_games = {mail.game for mail in mails}
    return [mail for game, mail in games.items() if game not in own_games]


def _last_read(mail: GameMail) -> datetime:
    """Return when a game's mailbox was last read; the earliest time there is if it never was."""
    return last_read(mail) or datetime.min.replace(tzinfo=UTC)


def _read_all(mail: GameMail) -> None:
    """Read all that a digest is made from, so that a damaged file is found here."""
    digest_readers([mail])
    _last_read(mail)
    _ = mail.outbox.entries


def _is_wanted(folder: Path) -> bool:
    """Return whether a player of the game in a folder ever asked for a digest, or for none any more."""
    with suppress(*_UNREADABLE):
        return any(MailLog(folder / MAIL).remarks(DIGEST))
    return False


@contextmanager
def digests_held(mails: Sequence[GameMail]) -> Iterator[bool]:
    """Keep other runs from writing digests of these games' mailbox; yield whether that succeeded.

    It locks the first folder, by name, of the mailbox's games that can be written into: the same in all runs.
    """
    with ExitStack() as locks:
        yield _lock_first(locks, [*(mail.game_folder.resolve() for mail in mails), *folders_beside(mails)])


def _lock_first(locks: ExitStack, folders: Sequence[Path]) -> bool:
    """Lock the first folder, by name, that can be written into; return whether it is locked.

    It stays locked until ``locks`` is closed. It is not locked if another run holds it, or if none of the
    folders can be written into.
    """
    for folder in sorted(folders):
        try:
            make_folder(folder / MAIL)
            locks.enter_context(locked(folder / MAIL))
        except FolderBusyError:
            return False
        except OSError:  # the folder cannot be written into
            continue
        return True
    return False
