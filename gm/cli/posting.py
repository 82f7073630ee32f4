"""What the commands about mail share: the mailbox, the sending, and how both are told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gm.cli.failures import Failure
from gm.cli.shared import counted, open_campaign

if TYPE_CHECKING:
    from gm.mail.fetching import Fetched
    from gm.mail.outbox import Posted
    from gm.mail.post import Post
    from gm.mail.sending import Delivery
    from gm.mail.sources import Source


def open_post(game_folder: Path | None) -> Post:
    """The post office of a game."""
    from gm.mail.post import Post

    return Post(open_campaign(game_folder))


def clock_of(at: str | None, now: datetime) -> Callable[[], datetime]:
    """The clock; a rehearsal's stands still."""
    return (lambda: now) if at else (lambda: datetime.now(UTC).replace(microsecond=0))


@contextmanager
def told() -> Iterator[None]:
    """A mailbox or server that cannot be used now is told in one sentence, as a ``Failure``."""
    from gm.mail.login import LoginError
    from gm.mail.sending import UnreachableError
    from gm.mail.sources import MailboxError

    try:
        yield
    except (LoginError, MailboxError, UnreachableError) as error:
        raise Failure(str(error)) from None


# -- letters in --------------------------------------------------------------------------------------------------------


@contextmanager
def mailbox(post: Post, files: tuple[Path, ...] = ()) -> Iterator[Source]:
    """The game's mailbox, or saved mails in its place."""
    from gm.mail.sources import ChainedSource, FilesSource, open_source

    with ExitStack() as stack:
        stack.enter_context(told())
        if files:
            yield ChainedSource([FilesSource(each) for each in files])
        else:
            yield stack.enter_context(open_source(post.settings, post.folder))


def fetch_letters(
    posts: Sequence[Post], now: datetime, files: tuple[Path, ...] = (), *, closed: bool = False
) -> list[Fetched]:
    """Read what came in to the mailbox that these games share; what came of it for each. Their locks are held.

    ``closed``: there are others that share it and cannot be opened. Raises ``Failure``; what was done stays done.
    """
    from gm.mail.problems import Where, note_problem
    from gm.mail.reading import fetch_all

    try:
        with mailbox(posts[0], files) as source:
            if files:
                fetched = fetch_all(posts, source, now, closed=closed)
            else:
                fetched = _fetch_own(posts, source, now, closed=closed)
    except Failure as error:
        for post in posts if not files else ():
            note_problem(post, Where.MAILBOX, error.message, now)
        raise
    for post, each in zip(posts, fetched, strict=True):
        if not files and each.failure is None:
            note_problem(post, Where.MAILBOX, each.problem, now)
    return fetched


def _fetch_own(posts: Sequence[Post], source: Source, now: datetime, *, closed: bool) -> list[Fetched]:
    """Read the mailbox itself: after this copy of each game has said that it does, and got back what it had lost."""
    from gm.core.diagnostics import SourceError
    from gm.mail.fetching import Fetched
    from gm.mail.lease import claim
    from gm.mail.problems import Where, note_problem
    from gm.mail.reading import fetch_all
    from gm.mail.recovery import blocks, recover
    from gm.store import StoreError

    before = [Fetched() for _ in posts]
    ready = []
    for at, post in enumerate(posts):
        try:
            claim(post, source, now)
            if recover(post, source, now, before[at]):
                ready.append(at)
            note_problem(post, Where.RESTORED, blocks(post.mail, post.campaign.next_turn), now)
        except (OSError, StoreError, SourceError) as error:
            before[at].failure = error
    if ready:
        found = fetch_all([posts[at] for at in ready], source, now, closed=closed or len(ready) < len(posts))
        for at, each in zip(ready, found, strict=True):
            each.letters[:0] = before[at].letters
            before[at] = each
    return before


def print_fetched(fetched: Fetched, *, quiet: bool = False) -> None:
    """What came in, a line a letter; copies of our own letters are no news. ``quiet``: nothing when nothing is new."""
    from gm.mail.classify import Kind

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


def complain(says: str) -> None:
    """Something that is wrong, in red, where cron sees it."""
    click.echo(click.style(says, fg="red"), err=True)


# -- letters out -------------------------------------------------------------------------------------------------------


def send_letters(post: Post, clock: Callable[[], datetime], *, claimed: bool = False) -> Delivery:
    """Send what is due, and tell the GM what is lost. The lock is held. ``claimed``: this run has read the mailbox.

    Raises ``LeaseLostError`` when another copy of the game sends its letters.
    """
    from gm.mail.lost import tell_of_lost
    from gm.mail.outbox import State
    from gm.mail.problems import Where, note_problem
    from gm.mail.recovery import end_recovery, restored
    from gm.mail.sending import Delivery, deliver, smtp_connections

    tell_of_lost(post, clock())
    with ExitStack() as stack:
        arrived, again = None, restored(post.mail) is not None
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
        connect = stack.enter_context(smtp_connections(post.settings, post.folder))
        delivery = deliver(post.outbox, post.settings, connect, clock, arrived)
        if delivery.failed and tell_of_lost(post, clock()):
            delivery += deliver(post.outbox, post.settings, connect, clock, arrived)
    if delivery.problem or delivery.sent or delivery.failed:
        note_problem(post, Where.SENDING, delivery.problem, clock())
    return delivery


def _claim(post: Post, now: datetime) -> None:
    """Say in the mailbox that this copy of the game is at work. While that cannot be used, letters go out all the
    same."""
    from gm.mail.lease import claim

    with suppress(Failure), mailbox(post) as source:
        claim(post, source, now)


def _copies(post: Post, stack: ExitStack) -> Callable[[str], bool | None]:
    """Whether the copy of a message is in the GM's own mailbox. While that cannot be read, nobody knows."""
    from gm.mail.sources import MailboxError

    try:
        source = stack.enter_context(mailbox(post))
    except Failure:
        return lambda number: None

    def arrived(number: str) -> bool | None:
        try:
            return source.holds(post.message_id(number))
        except MailboxError:
            return None

    return arrived


def print_delivery(delivery: Delivery, *, quiet: bool = False) -> None:
    """What was sent, a line a letter. ``quiet``: nothing when nothing was."""
    for word, letters in (("sent", delivery.sent), ("FAILED", delivery.failed)):
        for each in letters:
            click.echo(f"{word}  {each.to}  {each.subject}  {each.words}".rstrip())
    if delivery.sent or delivery.failed or not quiet:
        click.echo(f"{counted(len(delivery.sent), 'letter')} sent, {len(delivery.waiting)} waiting.")


# -- for scripts -------------------------------------------------------------------------------------------------------


def fetched_data(fetched: Fetched) -> dict[str, Any]:
    """A round of fetching for ``--json``."""
    letters = [{"from": sender, "subject": subject, "outcome": outcome} for sender, subject, outcome in fetched.letters]
    return {"seen": fetched.seen, "letters": letters, "troubles": fetched.troubles, "problem": fetched.problem}


def posted_data(posted: Posted) -> dict[str, Any]:
    """A message of the outbox for ``--json``."""
    fields = ("id", "kind", "to", "subject", "realm", "turn", "tries", "words")
    return {
        "state": posted.state.value,
        "at": posted.at.isoformat(),
        **{name: getattr(posted, name) for name in fields},
    }


def delivery_data(delivery: Delivery) -> dict[str, Any]:
    """A round of sending for ``--json``."""
    return {
        "sent": [posted_data(each) for each in delivery.sent],
        "failed": [posted_data(each) for each in delivery.failed],
        "waiting": len(delivery.waiting),
        "problem": delivery.problem,
    }
