"""How letters that came in and went out are printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gm.cli.failures import Failure
from gm.cli.output import complain, counted
from gm.cli.session import open_campaign, utc_now

if TYPE_CHECKING:
    from gm.mail.fetching import FetchResult
    from gm.mail.game_mail import GameMail
    from gm.mail.outbox import OutboxEntry
    from gm.mail.sending import Delivery


def open_post(game_folder: Path | None) -> GameMail:
    """The post of a game."""
    from gm.mail.game_mail import GameMail

    return GameMail(open_campaign(game_folder))


def clock_of(at: str | None, now: datetime) -> Callable[[], datetime]:
    """The clock; a rehearsal's stands still."""
    return (lambda: now) if at else utc_now


@contextmanager
def reachable() -> Iterator[None]:
    """A mailbox or server that cannot be used now becomes a ``Failure``."""
    from gm.mail.exchange import UNREACHABLE

    try:
        yield
    except UNREACHABLE as error:
        raise Failure(str(error)) from None


def print_fetched(fetched: FetchResult, *, quiet: bool = False) -> None:
    """What came in, a line a letter; copies of our own letters are no news. ``quiet``: nothing when nothing is new."""
    from gm.mail.letter import Kind

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
