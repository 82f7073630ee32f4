"""One exchange of letters: read the mailbox that games share, and send the letters that are due.

Also the lease of a mailbox, by which two copies of a game notice each other.
"""

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
_AT_ONCE = 40  # undelivered letters that one notice lists


@contextmanager
def mailbox(mail: GameMail, files: tuple[Path, ...] = ()) -> Iterator[Source]:
    """Yield the game's open mailbox, or in its place saved mails (``files``).

    Raises ``MailboxError`` and ``LoginError``, and ``UnconfirmedError`` for settings that came with an
    archive and that the GM has not confirmed.
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
    mails: Sequence[GameMail], now: datetime, files: tuple[Path, ...], *, closed: bool
) -> list[FetchResult]:
    """Read new letters from the mailbox that these games share; return the result for each game.

    The games record what was wrong with the mailbox, or that it works again. ``files``: saved mails to be
    read in its place, without such a record; ``closed``: other games that share the mailbox cannot be opened
    now. Raises the errors of ``UNREACHABLE``.
    """
    try:
        with mailbox(mails[0], files) as source:  # any game's settings lead to the mailbox that they share
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
    """Read the games' own mailbox; return the result for each game.

    Each game claims the mailbox first, and accepts again the letters that it lost if it was restored. A game
    for which either fails, or whose recovery is not finished, is left out of the reading.
    """
    results = [FetchResult() for _ in mails]
    ready = []  # indexes of games
    for index, mail in enumerate(mails):
        try:
            claim(mail, source, now)
            if recover(mail, source, now, results[index]):
                ready.append(index)
            note_problem(mail, "restored", blocks(mail.folder, mail.campaign.next_turn), now)
        except (OSError, StoreError, SourceError) as error:
            results[index].failure = error
    if ready:
        ready_mails = [mails[index] for index in ready]
        read_results = fetch_all(ready_mails, source, now, closed=closed or len(ready) < len(mails))
        for index, result in zip(ready, read_results, strict=True):
            result.letters[:0] = results[index].letters  # those that the recovery accepted again come first
            results[index] = result
    return results


def send_letters(mail: GameMail, clock: Clock, *, claimed: bool = False) -> Delivery:
    """Send the letters that are due, and a notice to the GM about lost ones; return what became of them.

    A restored game whose mailbox gets copies first notes which letters went out before it was restored, and
    sends none if the mailbox cannot tell. The caller holds the game's lock. ``claimed``: this run has claimed
    the mailbox already, by reading it. Raises ``LeaseLostError`` when another copy of the game has claimed it
    since.
    """
    _tell_lost(mail, clock())
    with ExitStack() as stack:
        arrived = None
        is_restored = restored(mail.folder) is not None
        if not claimed and mail.outbox.open():
            # a mailbox that cannot be used now does not stop letters from going out
            with suppress(*UNREACHABLE), mailbox(mail) as source:
                claim(mail, source, clock())
        if mail.settings.outward.copy_to and _is_unsure(mail):
            arrived = _copy_search(mail, stack)
        if is_restored:
            # letters in a backup's outbox may have gone out after the backup was made; only copies can tell
            problem = _note_arrived(mail, arrived, clock) if arrived else ""
            if problem:
                return Delivery(waiting=mail.outbox.open(), problem=problem)
            end_recovery(mail, clock())

        def connect() -> Send:
            """Open a connection that ends with the ``stack``; return its function that sends a message."""
            server = SmtpTransport(mail.settings, mail.game_folder)
            stack.callback(server.close)
            return server.send

        delivery = deliver(mail.outbox, mail.settings.outward, connect, clock, arrived)
        has_new_notice = bool(delivery.failed) and _tell_lost(mail, clock())
        if has_new_notice:  # it goes out at once
            delivery += deliver(mail.outbox, mail.settings.outward, connect, clock, arrived)
    if delivery.problem or delivery.sent or delivery.failed:
        note_problem(mail, "sending", delivery.problem, clock())
    return delivery


def _is_unsure(mail: GameMail) -> bool:
    """Return whether a message may have gone out though the outbox has it as waiting.

    It may if a run or a server was interrupted while sending, or if the outbox is from a backup.
    """
    waiting = mail.outbox.open()
    is_cut_short = any(entry.state is State.SENDING or entry.doubt for entry in waiting)
    return is_cut_short or (bool(waiting) and restored(mail.folder) is not None)


def _note_arrived(mail: GameMail, arrived: Arrived, clock: Clock) -> str:
    """Record which waiting messages of a restored game had gone out before it was restored.

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
    """Queue a notice to the GM about letters that failed or came back and were in no notice yet.

    Return whether there are any. At most ``_AT_ONCE`` are in one notice; the rest wait for the next. Letters
    to the GM are left out: a notice would be lost in the same way.
    """
    # the purpose of a notice has the ids of its letters
    purposes = [entry.once for entry in mail.outbox.messages if entry.once.startswith("gm lost ")]
    known_ids = set(" ".join(purposes).split())
    lost_entries = [entry for entry in undelivered(mail) if entry.kind != FOR_GM]
    new_entries = [entry for entry in lost_entries if entry.id not in known_ids][:_AT_ONCE]
    if new_entries:
        purpose = f"lost {' '.join(entry.id for entry in new_entries)}"
        realms = {entry.realm for entry in new_entries if entry.realm}
        mail.queue(Writer(mail, now).notice(purpose, "lost", lost=new_entries, realms=sorted(realms)), now)
    return bool(new_entries)


def _copy_search(mail: GameMail, stack: ExitStack) -> Arrived:
    """Return a function that looks for the copy of a message in the mailbox; ``stack`` closes the mailbox."""
    source: Source | None = None
    with suppress(*UNREACHABLE):
        source = stack.enter_context(mailbox(mail))

    def arrived(entry_id: str) -> bool | None:
        """Return whether the mailbox has the message of an outbox entry; None for an unusable mailbox."""
        with suppress(MailboxError):
            return source.holds(mail.message_id(entry_id)) if source else None
        return None

    return arrived


# Two copies of a game that both read a mailbox would each miss the letters that the other moves. So each run
# first puts a new token into the mailbox (a lease) and into its own folder, but into no archive. A copy that
# finds another token in the mailbox than it left stops, until its GM decides which of the two goes on. An
# mbox file and saved mails can hold no token.

# in the folder of the game's mail: the token of this copy, or those of which one is in the mailbox
_LEASE_FILE = "lease.json"


class LeaseLostError(StoreError):
    """Another copy of the game reads its mailbox."""

    def __init__(self, game: str, other_leases: Sequence[Lease]) -> None:
        who = says("it does not say which")
        if other_leases and other_leases[-1].who:
            newest = other_leases[-1]
            who = says("{0}, last on {1}", newest.who, newest.at)
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
    """Return what identifies a game's mailbox: games with the same value share it."""
    inward = settings.inward
    if inward.kind == "imap":
        return (inward.kind, inward.host.lower(), inward.port, inward.user, inward.folder)
    return (inward.kind, _path(inward, folder).resolve())


def _path(inward: Inward, folder: Path) -> Path:
    return folder / Path(inward.path).expanduser()


def claim(mail: GameMail, source: Source, now: datetime, *, by_force: bool = False) -> None:
    """Leave a new token in the mailbox, in place of those that this copy of the game left there.

    A mailbox that cannot hold one is left alone. The caller holds the game's lock. ``by_force``: in place of
    any token. Raises ``LeaseLostError`` when another copy has left one since, and ``MailboxError``.
    """
    if not source.leasing:
        return
    name = hashlib.sha256(f"lease\n{mail.game}".encode()).hexdigest()[:20]
    path = mail.folder / _LEASE_FILE
    leases = source.leases(name)
    own_tokens = []  # none if the file is missing or damaged
    with suppress(FileNotFoundError, ValueError, KeyError, TypeError):
        own_tokens = [str(token) for token in json.loads(path.read_bytes())["tokens"]]
    other_leases = [lease for lease in leases if lease.token not in own_tokens]
    if other_leases and not by_force:
        raise LeaseLostError(mail.game, other_leases)
    own_place = f"{socket.gethostname()}:{mail.game_folder.resolve()}"
    new_lease = Lease(secrets.token_hex(16), own_place, now.isoformat())
    make_folder(path.parent)

    def write_tokens(*tokens: str) -> None:
        write_file(path, json.dumps({"tokens": tokens}).encode())

    # if the run is killed from here on, one of these is in the mailbox
    replaced = [lease.token for lease in leases]
    write_tokens(*replaced, new_lease.token)
    if not source.put_lease(name, replaced, new_lease):
        write_tokens(*own_tokens)
        raise LeaseLostError(mail.game, source.leases(name))
    write_tokens(new_lease.token)
