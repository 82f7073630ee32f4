"""One exchange of letters: read the mailbox that games share, and send the letters that are due."""

import hashlib
import json
import secrets
import socket
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from pathlib import Path

from gm.core.diagnostics import SourceError, says
from gm.mail.compose import Writer
from gm.mail.fetching import FetchResult
from gm.mail.game_mail import FOR_GM, GameMail
from gm.mail.outbox import State
from gm.mail.reading import fetch_all
from gm.mail.recovery import blocks, end_recovery, recover, restored
from gm.mail.sending import Arrived, Clock, Delivery, Send, SmtpTransport, UnreachableError, deliver
from gm.mail.settings import Inward, LoginError, MailSettings, mail_commands
from gm.mail.source import FilesSource, Lease, MailboxError, MaildirSource, MboxSource, Source
from gm.mail.status import note_problem, undelivered
from gm.store import StoreError
from gm.store.disk import make_folder, write_file
from gm.store.trust import require_confirmed

UNREACHABLE = (LoginError, MailboxError, UnreachableError)  # a mailbox or server that cannot be used now
_AT_ONCE = 40  # undelivered letters that one notice tells of


@contextmanager
def mailbox(mail: GameMail, files: tuple[Path, ...] = ()) -> Iterator[Source]:
    """Yield the game's mailbox for as long as the ``with`` lasts, or saved mails in its place.

    Raises ``MailboxError`` and ``LoginError``, and ``UnconfirmedError`` for one that came with an archive.
    """
    inward = mail.settings.inward
    folder = mail.game_folder
    if files:
        yield FilesSource(*files)
        return
    require_confirmed(folder, *mail_commands(mail.settings))
    if inward.kind == "imap":
        from gm.mail.imap import imap_source

        with imap_source(inward, folder) as source:
            yield source
    elif inward.kind == "maildir":
        yield MaildirSource(_path(inward, folder), inward)
    elif inward.kind == "mbox":
        yield MboxSource(_path(inward, folder))
    else:
        yield FilesSource(_path(inward, folder))


def fetch_letters(
    mails: Sequence[GameMail], now: datetime, files: tuple[Path, ...] = (), *, closed: bool = False
) -> list[FetchResult]:
    """Read new letters from the mailbox that these games share, as :func:`fetch_all` does.

    Raises ``UNREACHABLE``.
    """
    try:
        with mailbox(mails[0], files) as source:
            fetch = fetch_all if files else _fetch_own
            fetched = fetch(mails, source, now, closed=closed)
    except UNREACHABLE as error:
        if not files:
            for mail in mails:
                note_problem(mail, "mailbox", str(error), now)
        raise
    for mail, result in zip(mails, fetched, strict=True):
        if not files and result.failure is None:
            note_problem(mail, "mailbox", result.problem, now)
    return fetched


def _fetch_own(
    mails: Sequence[GameMail], source: Source, now: datetime, *, closed: bool
) -> list[FetchResult]:
    """Read the mailbox for the games that may, after each has claimed it and is recovered."""
    # after this copy of each game has said that it does, and got back what it had lost
    before = [FetchResult() for _ in mails]
    ready = []
    for at, mail in enumerate(mails):
        try:
            claim(mail, source, now)
            if recover(mail, source, now, before[at]):
                ready.append(at)
            note_problem(mail, "restored", blocks(mail.folder, mail.campaign.next_turn), now)
        except (OSError, StoreError, SourceError) as error:
            before[at].failure = error
    if ready:
        results = fetch_all(
            [mails[at] for at in ready], source, now, closed=closed or len(ready) < len(mails)
        )
        for at, result in zip(ready, results, strict=True):
            result.letters[:0] = before[at].letters
            before[at] = result
    return before


def send_letters(mail: GameMail, clock: Clock, *, claimed: bool = False) -> Delivery:
    """Send the letters that are due, and tell the GM about lost ones.

    The lock is held. ``claimed``: this run has read the mailbox. Raises ``LeaseLostError`` when another copy
    of the game sends its letters.
    """
    _tell_lost(mail, clock())
    with ExitStack() as stack:
        arrived = None
        is_restored = restored(mail.folder) is not None
        if not claimed and mail.outbox.open():
            # while the mailbox cannot be used, letters go out all the same
            with suppress(*UNREACHABLE), mailbox(mail) as source:
                claim(mail, source, clock())
        if mail.settings.outward.copy_to and _is_unsure(mail):
            arrived = _copies(mail, stack)
        if is_restored:
            problem = _note_arrived(mail, arrived, clock) if arrived else ""
            if problem:
                return Delivery(waiting=mail.outbox.open(), problem=problem)
            end_recovery(mail, clock())

        def connect() -> Send:
            server = SmtpTransport(mail.settings, mail.game_folder)
            stack.callback(server.close)
            return server.send

        delivery = deliver(mail.outbox, mail.settings.outward, connect, clock, arrived)
        if delivery.failed and _tell_lost(mail, clock()):
            delivery += deliver(mail.outbox, mail.settings.outward, connect, clock, arrived)
    if delivery.problem or delivery.sent or delivery.failed:
        note_problem(mail, "sending", delivery.problem, clock())
    return delivery


def _is_unsure(mail: GameMail) -> bool:
    """Return whether the outbox may not know what went out, so that the GM's mailbox is asked.

    A run or a server was interrupted while sending, or the outbox is from a backup.
    """
    waiting = mail.outbox.open()
    is_cut_short = any(entry.state is State.SENDING or entry.doubt for entry in waiting)
    return is_cut_short or (bool(waiting) and restored(mail.folder) is not None)


def _note_arrived(mail: GameMail, arrived: Arrived, clock: Clock) -> str:
    """Record which messages of a restored game went out before.

    Return why that cannot be known; empty if it can.
    """
    for entry in mail.outbox.open():
        is_there = arrived(entry.id)
        if is_there is None:
            return says("The mailbox does not show what went out before.")
        if is_there:
            mail.outbox.set_state(
                entry.id, State.SENT, clock(), str(says("it went out before the game was restored"))
            )
    return ""


def _tell_lost(mail: GameMail, now: datetime) -> bool:
    """Write to the GM about letters that failed or came back since the last notice.

    Return whether there are any.

    Letters to the GM are left out: a notice would be lost in the same way.
    """
    before = [entry.once for entry in mail.outbox.messages if entry.once.startswith("gm lost ")]
    numbers = set(" ".join(before).split())
    new_entries = [entry for entry in undelivered(mail) if entry.kind != FOR_GM and entry.id not in numbers][
        :_AT_ONCE
    ]
    if new_entries:
        purpose = f"lost {' '.join(entry.id for entry in new_entries)}"
        realms = {entry.realm for entry in new_entries if entry.realm}
        mail.queue(Writer(mail, now).notice(purpose, "lost", lost=new_entries, realms=sorted(realms)), now)
    return bool(new_entries)


def _copies(mail: GameMail, stack: ExitStack) -> Arrived:
    """Return a function that returns whether the GM's mailbox holds the copy of a message."""
    source: Source | None = None
    with suppress(*UNREACHABLE):
        source = stack.enter_context(mailbox(mail))

    def arrived(number: str) -> bool | None:
        with suppress(MailboxError):
            return source.holds(mail.message_id(number)) if source else None
        return None

    return arrived


# Two copies of a game that both read a mailbox would each miss what the other took. So each run first puts a
# new token into it and into its own folder (and into no archive). A copy that finds another token there than
# it left stops until its GM decides which of the two goes on. An mbox file and saved mails can hold no token.

# in the folder of the game's mail: the token of this copy, and one it was about to leave
_LEASE_FILE = "lease.json"


class LeaseLostError(StoreError):
    """Another copy of the game reads its mailbox."""

    def __init__(self, game: str, found: Sequence[Lease]) -> None:
        who = (
            says("{0}, last on {1}", found[-1].who, found[-1].at)
            if found and found[-1].who
            else says("it does not say which")
        )
        super().__init__(
            says(
                "Another copy of the game {0} reads its mailbox ({1}). Nothing was done. If this "
                "copy is to go on, stop the other one and run 'pbem mail take-over' here: this copy "
                "then reads again what the other one read.",
                game,
                who,
            )
        )


def mailbox_mark(settings: MailSettings, folder: Path) -> tuple[object, ...]:
    """Return the identity of a game's mailbox: games with the same identity have it read once."""
    inward = settings.inward
    if inward.kind == "imap":
        return (inward.kind, inward.host.lower(), inward.port, inward.user, inward.folder)
    return (inward.kind, _path(inward, folder).resolve())


def _path(inward: Inward, folder: Path) -> Path:
    return folder / Path(inward.path).expanduser()


def claim(mail: GameMail, source: Source, now: datetime, *, by_force: bool = False) -> None:
    """Leave a new token in the mailbox; the game's lock is held.

    ``by_force``: whatever token is there. Raises ``LeaseLostError`` when another copy was at work since, and
    ``MailboxError``.
    """
    if not source.leasing:
        return
    name = hashlib.sha256(f"lease\n{mail.game}".encode()).hexdigest()[:20]
    path = mail.folder / _LEASE_FILE
    leases = source.leases(name)
    own = []
    with suppress(FileNotFoundError, ValueError, KeyError, TypeError):
        own = [str(token) for token in json.loads(path.read_bytes())["tokens"]]
    other_leases = [rival for rival in leases if rival.token not in own]
    if other_leases and not by_force:
        raise LeaseLostError(mail.game, other_leases)
    lease = Lease(
        secrets.token_hex(16), f"{socket.gethostname()}:{mail.game_folder.resolve()}", now.isoformat()
    )
    make_folder(path.parent)

    def write(*tokens: str) -> None:
        write_file(path, json.dumps({"tokens": tokens}).encode())

    # a run that is killed from here on has left one of these
    tokens = [earlier.token for earlier in leases]
    write(*tokens, lease.token)
    if not source.put_lease(name, tokens, lease):
        write(*own)
        raise LeaseLostError(mail.game, source.leases(name))
    write(lease.token)
