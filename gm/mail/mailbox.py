"""The game's mailbox: opened as its settings say, and claimed by a lease.

Two copies of a game that both read a mailbox would each miss what the other took. So each run that reads it, or sends,
first puts a new token into it and into its own folder. A copy that finds another token there than it left knows that
another copy was at work since, and stops until its GM decides which of the two goes on. The token in the folder goes
into no archive. An mbox file and saved mails can hold no token.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from gm.mail.game_mail import GameMail
from gm.mail.local_sources import FilesSource, MaildirSource, MboxSource
from gm.mail.settings import Inward, Kind, MailSettings, mail_commands
from gm.mail.source import Lease, Leasing, Source
from gm.store import StoreError
from gm.store.disk import make_folder, write_file
from gm.store.trust import require_confirmed

LEASE_FILE = "lease.json"
"""In the folder of the game's mail: the token that this copy left, and the one that it was about to leave."""


class LeaseLostError(StoreError):
    """Another copy of the game reads its mailbox."""


def mailbox_mark(settings: MailSettings, folder: Path) -> tuple[object, ...]:
    """What tells a game's mailbox from others: games with the same one have it read once."""
    inward = settings.inward
    if inward.kind is Kind.IMAP:
        return (inward.kind, inward.host.lower(), inward.port, inward.user, inward.folder)
    return (inward.kind, _path(inward, folder).resolve())


def _path(inward: Inward, folder: Path) -> Path:
    return folder / Path(inward.path).expanduser()


@contextmanager
def open_source(settings: MailSettings, folder: Path) -> Iterator[Source]:
    """The game's mailbox, for as long as the ``with`` lasts. Raises ``MailboxError`` and ``LoginError``, and
    ``UnconfirmedError`` for one that came with an archive."""
    inward = settings.inward
    require_confirmed(folder, *mail_commands(settings))
    path = _path(inward, folder)
    match inward.kind:
        case Kind.IMAP:
            from gm.mail.imap import imap_source

            with imap_source(inward, folder) as source:
                yield source
        case Kind.MAILDIR:
            yield MaildirSource(path, inward)
        case Kind.MBOX:
            yield MboxSource(path)
        case Kind.FILES:
            yield FilesSource(path)


def claim(mail: GameMail, source: Source, now: datetime, *, by_force: bool = False) -> None:
    """Leave a new token in the mailbox; the game's lock is held. ``by_force``: whoever left the one that is there.
    Raises ``LeaseLostError`` when another copy was at work since, and ``MailboxError``."""
    if not isinstance(source, Leasing):
        return
    name = hashlib.sha256(f"lease\n{mail.game}".encode()).hexdigest()[:20]
    path = mail.folder / LEASE_FILE
    found, own = source.leases(name), _own_tokens(path)
    if not by_force and (others := [each for each in found if each.token not in own]):
        raise _lease_lost(mail, others)
    lease = Lease(secrets.token_hex(16), f"{socket.gethostname()}:{mail.game_folder.resolve()}", now.isoformat())
    make_folder(path.parent)
    # a run that is killed from here on has left one of these
    tokens = [each.token for each in found]
    _write(path, [*tokens, lease.token])
    if not source.put_lease(name, tokens, lease):
        _write(path, own)
        raise _lease_lost(mail, source.leases(name))
    _write(path, [lease.token])


def _own_tokens(path: Path) -> list[str]:
    try:
        return [str(each) for each in json.loads(path.read_bytes())["tokens"]]
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return []


def _write(path: Path, tokens: list[str]) -> None:
    write_file(path, json.dumps({"tokens": tokens}).encode())


def _lease_lost(mail: GameMail, found: Sequence[Lease]) -> LeaseLostError:
    who = f"{found[-1].who}, last on {found[-1].at}" if found and found[-1].who else "it does not say which"
    return LeaseLostError(
        f"Another copy of the game {mail.game} reads its mailbox ({who}). Nothing was done. If this copy is to go on, "
        "stop the other one and run 'gm mail take-over' here: this copy then reads again what the other one took."
    )
