"""``gm mail``: letters in and letters out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gm.cli.failures import REFUSED, Failure
from gm.cli.shared import at_option, counted, game_option, json_option, moment, open_campaign, print_json, shown_path

if TYPE_CHECKING:
    from gm.mail.fetching import Fetched
    from gm.mail.post import Post
    from gm.mail.sending import Delivery
    from gm.mail.sources import Source


@click.group(short_help="Fetch orders and send results by e-mail.")
def command() -> None:
    """Fetch orders from a mailbox, and send results, receipts and reminders.

    'gm week' does all of this by itself, as far as the clock says.

    \b
    Examples:
      gm mail setup --from gm@example.org --imap imap.example.org --smtp smtp.example.org --user gm@example.org
      gm mail fetch
      gm mail send
      gm mail outbox
    """


@command.command(short_help="Write the mail settings of a game.")
@click.option("--from", "sender", required=True, metavar="ADDRESS", help="The game's own address.")
@click.option("--name", default="", help="The name that stands beside it.")
@click.option("--gm", "gm_address", metavar="ADDRESS", help="Your own address, for notices. Default: the game's.")
@click.option("--imap", metavar="HOST[:PORT]", help="The server on which the game's mailbox is.")
@click.option("--maildir", type=click.Path(path_type=Path, file_okay=False, exists=True), help="Instead: a Maildir.")
@click.option("--mbox", type=click.Path(path_type=Path, dir_okay=False, exists=True), help="Instead: an mbox file.")
@click.option("--files", type=click.Path(path_type=Path, file_okay=False, exists=True), help="Instead: saved mails.")
@click.option("--smtp", required=True, metavar="HOST[:PORT]", help="The server that sends.")
@click.option("--security", type=click.Choice(["tls", "starttls", "none"]), default="tls", show_default=True)
@click.option("--user", default="", help="The name to log in with.")
@click.option("--password-command", default="", metavar="COMMAND", help="Prints the (app) password.")
@click.option("--oauth2-command", default="", metavar="COMMAND", help="Prints an OAuth2 access token.")
@game_option
def setup(game_folder: Path | None, **given: Any) -> None:
    """Write mail.yaml, with every setting explained in it; edit it as you like. No password is ever kept in it.

    \b
    Examples:
      gm mail setup --from gm@example.org --imap imap.example.org --smtp smtp.example.org \\
          --user gm@example.org --password-command 'pass show mail/gm'
      gm mail setup --from gm@example.org --maildir ~/Maildir --smtp localhost:25 --security none
    """
    from gm.cli.mail_files import mail_text
    from gm.kernel.store import locked
    from gm.kernel.store.disk import write_file
    from gm.mail.settings import MAIL_FILE, load_post_settings

    campaign = open_campaign(game_folder)
    path = campaign.folder.path / MAIL_FILE
    if path.exists():
        raise Failure(f"{shown_path(path)} is there already: edit it, or move it away.")
    if sum(given[way] is not None for way in ("imap", "maildir", "mbox", "files")) != 1:
        raise click.UsageError("Say where letters come in: one of --imap, --maildir, --mbox and --files.")
    with locked(campaign.folder.path):
        write_file(path, mail_text(**given).encode())
    load_post_settings(campaign.folder.path)
    click.echo(f"{shown_path(path)} is written. 'gm mail check' tries whether both servers let the game in.")


@command.command(short_help="Try whether both mail servers can be used.")
@game_option
def check(game_folder: Path | None) -> None:
    """Log in to the mailbox and to the sending server, and do nothing else."""
    from gm.mail.sending import SmtpTransport

    post = open_post(game_folder)
    with mailbox(post, ()) as source, _problems():
        waiting = sum(1 for _ in source.waiting())
    click.echo(f"The mailbox is open; {counted(waiting, 'letter')} in it.")
    with _problems():
        SmtpTransport(post.settings, post.folder).close()
    click.echo("The sending server lets the game in.")


@command.command(short_help="Read what came in.")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, exists=True))
@at_option
@game_option
@json_option
def fetch(files: tuple[Path, ...], at: str | None, game_folder: Path | None, as_json: bool) -> None:
    """Read the mailbox of the game, or FILES: saved mails (.eml) and folders of them.

    Order files with the right key go into the inbox; the answers go into the outbox, from where 'gm mail send' sends
    them. No letter is ever dealt with twice, and none is deleted: those that were dealt with are moved to a folder of
    the mailbox, and those that need your eye to another.
    """
    from gm.kernel.store import locked
    from gm.mail.fetching import fetch as fetch_all

    post = open_post(game_folder)
    now = moment(at, post.campaign.folder.settings.deadline.zone)
    with locked(post.folder), mailbox(post, files) as source, _problems():
        fetched = fetch_all(post, source, now)
    if as_json:
        print_json(_fetched_data(fetched))
        return
    print_fetched(post, fetched)


def print_fetched(post: Post, fetched: Fetched) -> None:
    """What came in, a line a letter."""
    for sender, subject, outcome in fetched.letters:
        click.echo(f"{sender}  {subject.partition('[')[0].strip()!r}: {outcome}")
    new = len(fetched.letters)
    waiting = len(post.outbox.open())
    click.echo(f"{counted(new, 'new letter')} of {fetched.seen} in the mailbox; {counted(waiting, 'letter')} to send.")


@command.command(short_help="Send results and whatever else waits.")
@click.option("--only-waiting", is_flag=True, help="Only what is in the outbox: put no results there.")
@at_option
@game_option
@json_option
def send(only_waiting: bool, at: str | None, game_folder: Path | None, as_json: bool) -> None:
    """Put the newest turn's results into the outbox, once for each player, and send everything in it.

    A letter that was sent is never sent again, whenever and however often this runs. What a server does not take now
    waits for the next run; what it never will shows on 'gm status'.
    """
    from gm.kernel.store import locked

    post = open_post(game_folder)
    with locked(post.folder):
        now = moment(at, post.campaign.folder.settings.deadline.zone)
        if not only_waiting:
            from gm.mail.publishing import publish_results

            publish_results(post, now)
        delivery = send_waiting(post, _clock(at, now))
    if as_json:
        print_json(_delivery_data(delivery))
    else:
        print_delivery(delivery)
    if delivery.problem or delivery.failed:
        click.get_current_context().exit(REFUSED)


def send_waiting(post: Post, clock: Callable[[], datetime]) -> Delivery:
    """Send what is due. The lock is held."""
    from gm.mail.outbox import State
    from gm.mail.sending import deliver, smtp_connections

    with ExitStack() as stack:
        arrived = None
        if post.settings.outward.copy_to and any(each.state is State.SENDING for each in post.outbox.open()):
            # a run was cut short in the middle of sending: the GM's own mailbox knows what went out
            source = stack.enter_context(mailbox(post, ()))

            def arrived(number: str) -> bool:
                return source.holds(post.message_id(number))

        connect = stack.enter_context(smtp_connections(post.settings, post.folder))
        stack.enter_context(_problems())
        return deliver(post.outbox, post.settings, connect, clock, arrived)


def print_delivery(delivery: Delivery) -> None:
    """What was sent, a line a letter."""
    for word, letters in (("sent", delivery.sent), ("FAILED", delivery.failed)):
        for each in letters:
            click.echo(f"{word}  {each.to}  {each.subject.partition('[')[0].strip()}  {each.words}".rstrip())
    click.echo(f"{counted(len(delivery.sent), 'letter')} sent, {len(delivery.waiting)} waiting.")
    if delivery.problem:
        click.echo(click.style(delivery.problem, fg="red"), err=True)


@command.command(short_help="Show the outbox.")
@click.option("--all", "everything", is_flag=True, help="Also what was sent.")
@game_option
@json_option
def outbox(everything: bool, game_folder: Path | None, as_json: bool) -> None:
    """Show what waits to be sent, what failed and what came back; with --all everything that was ever sent."""
    from gm.mail.outbox import State

    post = open_post(game_folder)
    done = () if everything else (State.SENT, State.EXPIRED)
    found = [each for each in post.outbox.messages if each.state not in done]
    if as_json:
        print_json([_posted_data(each) for each in found])
        return
    for each in found:
        at = each.at.strftime("%Y-%m-%d %H:%M")
        click.echo(
            f"{each.state.value:<8}  {at}  {each.to:<30}  {each.subject.partition('[')[0].strip()}  {each.words}"
        )
    if not found:
        click.echo("Nothing waits and nothing failed.")


# -- what the commands share -------------------------------------------------------------------------------------------


def open_post(game_folder: Path | None) -> Post:
    """The post office of a game."""
    from gm.mail.post import Post

    return Post(open_campaign(game_folder))


@contextmanager
def mailbox(post: Post, files: tuple[Path, ...]) -> Iterator[Source]:
    """The game's mailbox, or saved mails in its place."""
    from gm.mail.sources import ChainedSource, FilesSource, open_source

    with ExitStack() as stack:
        stack.enter_context(_problems())
        if files:
            yield ChainedSource([FilesSource(each) for each in files])
        else:
            yield stack.enter_context(open_source(post.settings, post.folder))


@contextmanager
def _problems() -> Iterator[None]:
    """A mailbox or server that cannot be used now is told in one sentence."""
    from gm.mail.login import LoginError
    from gm.mail.sending import UnreachableError
    from gm.mail.sources import MailboxError

    try:
        yield
    except (LoginError, MailboxError, UnreachableError) as error:
        raise Failure(str(error)) from None


def _clock(at: str | None, now: datetime) -> Callable[[], datetime]:
    """The clock; a rehearsal's stands still."""
    return (lambda: now) if at else (lambda: datetime.now(UTC).replace(microsecond=0))


def _fetched_data(fetched: Fetched) -> dict[str, Any]:
    letters = [{"from": sender, "subject": subject, "outcome": outcome} for sender, subject, outcome in fetched.letters]
    return {"seen": fetched.seen, "letters": letters}


def _posted_data(posted: Any) -> dict[str, Any]:
    fields = ("kind", "to", "realm", "turn", "tries", "words")
    return {
        "id": posted.id,
        "state": posted.state.value,
        "at": posted.at.isoformat(),
        "subject": posted.subject.partition("[")[0].strip(),
        **{name: getattr(posted, name) for name in fields},
    }


def _delivery_data(delivery: Delivery) -> dict[str, Any]:
    return {
        "sent": [_posted_data(each) for each in delivery.sent],
        "failed": [_posted_data(each) for each in delivery.failed],
        "waiting": len(delivery.waiting),
        "problem": delivery.problem,
    }
