"""One exchange of letters: read the mailbox that games share, send what is due."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from pathlib import Path

from gm.core.diagnostics import SourceError
from gm.mail.credentials import LoginError
from gm.mail.fetching import FetchResult
from gm.mail.game_mail import GameMail
from gm.mail.local_sources import ChainedSource, FilesSource
from gm.mail.mailbox import claim, open_source
from gm.mail.notices import notify_undelivered
from gm.mail.outbox import State
from gm.mail.reading import fetch_all
from gm.mail.recovery import blocks, end_recovery, recover, restored
from gm.mail.sending import Delivery, UnreachableError, deliver, smtp_connections
from gm.mail.source import MailboxError, Source
from gm.mail.status import Where, note_problem
from gm.store import StoreError

UNREACHABLE = (LoginError, MailboxError, UnreachableError)
"""A mailbox or server that cannot be used now: one sentence about why."""


@contextmanager
def mailbox(post: GameMail, files: tuple[Path, ...] = ()) -> Iterator[Source]:
    """The game's mailbox, or saved mails in its place."""
    if files:
        yield ChainedSource([FilesSource(each) for each in files])
    else:
        with open_source(post.settings, post.game_folder) as source:
            yield source


def fetch_letters(
    posts: Sequence[GameMail], now: datetime, files: tuple[Path, ...] = (), *, closed: bool = False
) -> list[FetchResult]:
    """Read what came in to the mailbox that these games share; what came of it for each. Their locks are held.
    ``closed``: there are others that share it and cannot be opened. Raises one of ``UNREACHABLE``; what was done stays
    done."""
    try:
        with mailbox(posts[0], files) as source:
            fetched = (fetch_all if files else _fetch_own)(posts, source, now, closed=closed)
    except UNREACHABLE as error:
        for post in posts if not files else ():
            note_problem(post, Where.MAILBOX, str(error), now)
        raise
    for post, each in zip(posts, fetched, strict=True):
        if not files and each.failure is None:
            note_problem(post, Where.MAILBOX, each.problem, now)
    return fetched


def _fetch_own(posts: Sequence[GameMail], source: Source, now: datetime, *, closed: bool) -> list[FetchResult]:
    """Read the mailbox itself: after this copy of each game has said that it does, and got back what it had lost."""
    before = [FetchResult() for _ in posts]
    ready = []
    for at, post in enumerate(posts):
        try:
            claim(post, source, now)
            if recover(post, source, now, before[at]):
                ready.append(at)
            note_problem(post, Where.RESTORED, blocks(post.folder, post.campaign.next_turn), now)
        except (OSError, StoreError, SourceError) as error:
            before[at].failure = error
    if ready:
        found = fetch_all([posts[at] for at in ready], source, now, closed=closed or len(ready) < len(posts))
        for at, each in zip(ready, found, strict=True):
            each.letters[:0] = before[at].letters
            before[at] = each
    return before


def send_letters(post: GameMail, clock: Callable[[], datetime], *, claimed: bool = False) -> Delivery:
    """Send what is due, and tell the GM what is lost. The lock is held. ``claimed``: this run has read the mailbox.
    Raises ``LeaseLostError`` when another copy of the game sends its letters."""
    notify_undelivered(post, clock())
    with ExitStack() as stack:
        arrived, again = None, restored(post.folder) is not None
        if not claimed and post.outbox.open():
            _claim(post, clock())
        if post.settings.outward.copy_to and any(
            each.state is State.SENDING or each.doubt or again for each in post.outbox.open()
        ):
            # a run or a server was cut short in the middle of sending, or the outbox is from a backup: the GM's own
            # mailbox knows what went out
            arrived = _copies(post, stack)
        for each in post.outbox.open() if again and arrived else ():
            there = arrived(each.id) if arrived else None
            if there is None:
                return Delivery(waiting=post.outbox.open(), problem="The mailbox cannot tell what went out before.")
            if there:
                post.outbox.mark(each.id, State.SENT, clock(), "it went out before the game was restored")
        if again:
            end_recovery(post)
        connect = stack.enter_context(smtp_connections(post.settings, post.game_folder))
        delivery = deliver(post.outbox, post.settings, connect, clock, arrived)
        if delivery.failed and notify_undelivered(post, clock()):
            delivery += deliver(post.outbox, post.settings, connect, clock, arrived)
    if delivery.problem or delivery.sent or delivery.failed:
        note_problem(post, Where.SENDING, delivery.problem, clock())
    return delivery


def _claim(post: GameMail, now: datetime) -> None:
    """Say in the mailbox that this copy of the game is at work. While that cannot be used, letters go out all the
    same."""
    with suppress(*UNREACHABLE), mailbox(post) as source:
        claim(post, source, now)


def _copies(post: GameMail, stack: ExitStack) -> Callable[[str], bool | None]:
    """Whether the copy of a message is in the GM's own mailbox. While that cannot be read, nobody knows."""
    try:
        source = stack.enter_context(mailbox(post))
    except UNREACHABLE:
        return lambda number: None

    def arrived(number: str) -> bool | None:
        try:
            return source.holds(post.message_id(number))
        except MailboxError:
            return None

    return arrived
