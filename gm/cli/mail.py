"""``gm mail``: letters in and letters out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gm.cli.failures import REFUSED, Failure
from gm.cli.letters import (
    clock_of,
    delivery_data,
    fetched_data,
    open_post,
    posted_data,
    print_delivery,
    print_fetched,
    reachable,
)
from gm.cli.options import ADDRESS, FILE, FOLDER, at_option, game_option, games_option, json_option
from gm.cli.output import complain, counted, print_json, shown_path
from gm.cli.session import carry_out, changing, game_time, moment, note_action, open_campaign
from gm.cli.visits import Visit, exit_code, fetch_for, speaking, visits

if TYPE_CHECKING:
    from gm.mail.game_mail import GameMail
    from gm.mail.outbox import OutboxEntry


@click.group(short_help="Fetch orders and send results by e-mail.")
def command() -> None:
    """Fetch orders from a mailbox, and send results, receipts and reminders.

    'gm week' does all of this by itself, as far as the clock says.

    \b
    Examples:
      gm mail setup --from gm@example.org --imap imap.example.org --smtp smtp.example.org --user gm@example.org
      gm mail fetch
      gm mail send
      gm mail outbox                show what waits, failed or came back
      gm mail again POL             send that again, to the address that Poland's player has now
    """


@command.command(short_help="Write the mail settings of a game.")
@click.option("--from", "sender", required=True, type=ADDRESS, help="The game's own address.")
@click.option("--name", default="", help="The name that stands beside it.")
@click.option(
    "--gm",
    "gm_addresses",
    multiple=True,
    type=ADDRESS,
    help="Your own address, for notices; again for a second GM. Default: the game's.",
)
@click.option("--imap", metavar="HOST[:PORT]", help="The server on which the game's mailbox is.")
@click.option("--maildir", type=FOLDER, help="Instead: a Maildir.")
@click.option("--mbox", type=FILE, help="Instead: an mbox file.")
@click.option("--files", type=FOLDER, help="Instead: saved mails.")
@click.option("--smtp", required=True, metavar="HOST[:PORT]", help="The server that sends.")
@click.option("--security", type=click.Choice(["tls", "starttls", "none"]), default="tls", show_default=True)
@click.option("--user", default="", help="The name to log in with.")
@click.option("--password-command", default="", metavar="COMMAND", help="Prints the (app) password.")
@click.option("--password-file", default="", metavar="FILE", help="Or: holds it.")
@click.option("--password-env", default="", metavar="NAME", help="Or: the variable of the environment that holds it.")
@click.option("--oauth2-command", default="", metavar="COMMAND", help="Or: prints an OAuth2 access token.")
@click.option("--ca-file", default="", metavar="FILE", help="The certificate to trust, if your server made its own.")
@click.option("--trusted", default="", metavar="NAME", help="How your server signs Authentication-Results.")
@click.option("--gate", is_flag=True, help="Mail a turn only after 'gm week --publish'.")
@game_option
def setup(game_folder: Path | None, **given: Any) -> None:
    """Write mail.yaml, with every setting explained in it; edit it as you like. No password is ever kept in it.

    \b
    Examples:
      gm mail setup --from gm@example.org --imap imap.example.org --smtp smtp.example.org \\
          --user gm@example.org --password-command 'pass show mail/gm'
      gm mail setup --from gm@example.org --maildir ~/Maildir --smtp localhost:25 --security none
    """
    from gm.cli.archive import typed
    from gm.mail.rendering import mail_text
    from gm.mail.settings import FORMAT, MAIL_FILE, MailSettings, mail_commands
    from gm.store.hand_edited import table_of

    campaign = open_campaign(game_folder)
    path = campaign.folder.path / MAIL_FILE
    if path.exists():
        raise Failure(f"{shown_path(path)} is there already: edit it, or move it away.")
    if sum(given[way] is not None for way in ("imap", "maildir", "mbox", "files")) != 1:
        raise click.UsageError("Say where letters come in: one of --imap, --maildir, --mbox and --files.")
    text = mail_text(**given)
    with changing(campaign.folder.path) as campaign:
        # what cannot be read is not written
        written = table_of(text.encode(), path, FORMAT, MailSettings)
        carry_out(campaign, "mail setup", {path: text.encode(), **typed(campaign, *mail_commands(written))})
    click.echo(f"{shown_path(path)} is written. 'gm mail check' tries whether both servers let the game in.")


@command.command(short_help="Try whether both mail servers can be used.")
@game_option
def check(game_folder: Path | None) -> None:
    """Log in to the mailbox and to the sending server, and do nothing else."""
    from gm.mail.exchange import mailbox
    from gm.mail.sending import SmtpTransport
    from gm.mail.source import Leasing

    post = open_post(game_folder)
    with reachable(), mailbox(post) as source:
        waiting = sum(1 for _ in source.waiting())
        leasing = isinstance(source, Leasing)
    click.echo(f"The mailbox is open; {counted(waiting, 'letter')} in it.")
    if not leasing:
        click.echo("It cannot hold word of who reads it: two copies of this game would not notice each other.")
    with reachable():
        SmtpTransport(post.settings, post.game_folder).close()
    click.echo("The sending server lets the game in.")


@command.command(short_help="Read what came in.")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, exists=True))
@at_option
@games_option
@json_option
def fetch(files: tuple[Path, ...], at: str | None, game_folders: tuple[Path, ...], as_json: bool) -> None:
    """Read the mailbox of the game, or FILES: saved mails (.eml) and folders of them.

    Order files with the right key go into the inbox; the answers go into the outbox, from where 'gm mail send' sends
    them. No letter is ever dealt with twice, and none is deleted: those that were dealt with are moved to a folder of
    the mailbox, and those that need your eye to another. A letter that names another game is left where it is, or goes
    to that game when it is one of those that you name with --game.
    """
    with visits(game_folders) as found:
        fetch_for(found, lambda visit: game_time(visit.post.campaign, at), files)
        for visit in found:
            with speaking(visit):
                _print_visit(visit, quiet=as_json)
        if as_json:
            data = {each.folder.name: _fetched_data(each) for each in found}
            print_json(data if len(found) > 1 else _fetched_data(found[0]))
    if code := exit_code(found):
        click.get_current_context().exit(code)


def _print_visit(visit: Visit, *, quiet: bool) -> None:
    """What came in for a game, and what is wrong there."""
    if visit.mailbox is not None:
        visit.failure, visit.code = visit.mailbox, visit.mailbox.exit_code
    if visit.failure is not None:
        visit.failure.show()
    elif visit.fetched is not None:
        if not quiet:
            print_fetched(visit.fetched)
            click.echo(f"{counted(len(visit.post.outbox.open()), 'letter')} to send.")
            if visit.fetched.problem:
                complain(visit.fetched.problem)
        if visit.fetched.troubles or visit.fetched.problem:
            visit.code = REFUSED


def _fetched_data(visit: Visit) -> dict[str, Any]:
    if visit.fetched is None or visit.failure is not None:
        return {"problem": visit.failure.format_message() if visit.failure else ""}
    return fetched_data(visit.fetched)


@command.command(short_help="Send results and whatever else waits.")
@click.option("--only-waiting", is_flag=True, help="Only what is in the outbox: put no results there.")
@click.option("--corrected", is_flag=True, help="Results that are different since they went out go out again.")
@click.option("--why", default="", metavar="REASON", help="With --corrected: everybody who gets one reads it.")
@at_option
@game_option
@json_option
def send(
    only_waiting: bool, corrected: bool, why: str, at: str | None, game_folder: Path | None, as_json: bool
) -> None:
    """Put the newest turn's results into the outbox, once for each player, and send everything in it.

    A letter that was sent is never sent again, whenever and however often this runs. What a server does not take now
    waits for the next run; what it never will shows on 'gm status'. With --corrected, whoever has results of the newest
    turn that are different by now gets them again; the letter says what is different, and why.
    """
    from gm.mail.exchange import send_letters
    from gm.mail.game_mail import GameMail

    with changing(game_folder, by_steps=True) as campaign:
        post, now = GameMail(campaign), game_time(campaign, at)
        if not only_waiting:
            from gm.mail.results import publish_results

            publish_results(post, now, corrected=corrected, why=" ".join(why.split()))
        with reachable():
            delivery = send_letters(post, clock_of(at, now))
    if as_json:
        print_json(delivery_data(delivery))
    else:
        print_delivery(delivery)
    if delivery.problem:
        complain(delivery.problem)
    if delivery.problem or delivery.failed:
        click.get_current_context().exit(REFUSED)


@command.command("take-over", short_help="Make this copy of a game the one that reads its mailbox.")
@click.option("--since", metavar="TIME", help="Take letters again that came from then on. Default: all that are there.")
@at_option
@game_option
def take_over(since: str | None, at: str | None, game_folder: Path | None) -> None:
    """Make this copy of the game the one that reads its mailbox, and have it take again what another copy took.

    Two copies of a game that read one mailbox (one was moved, or restored from a backup, and the other still runs)
    each miss what the other took. Each therefore says in the mailbox that it is at work, and stops when it finds that
    the other was. Stop the other one before you do this. An mbox file and saved mails cannot hold that word: two
    copies that read those do not notice each other.
    """
    from gm.mail.exchange import claim, mailbox
    from gm.mail.game_mail import GameMail
    from gm.mail.recovery import note_restored
    from gm.mail.source import Leasing

    with changing(game_folder, by_steps=True, any_rules=True) as campaign:
        post, zone = GameMail(campaign), campaign.folder.settings.deadline.zone
        now, start = moment(at, zone), moment(since, zone) if since else None
        with reachable(), mailbox(post) as source:
            if not isinstance(source, Leasing):
                raise Failure(
                    f"A mailbox of kind {post.settings.inward.kind.value} cannot hold word of who reads it: see to it "
                    "yourself that one copy of the game does. Nothing is lost in it; every copy reads all of it."
                )
            # before the word in the mailbox: who is killed in between searches once more than he had to
            note_restored(post, start)
            claim(post, source, now, by_force=True)
        note_action(campaign, "mail take-over", turn=campaign.next_turn)
    click.echo("This copy of the game reads its mailbox from now on; 'gm week' takes again what the other one took.")


@command.command(short_help="Show the outbox.")
@click.option("--all", "everything", is_flag=True, help="Also what was sent.")
@game_option
@json_option
def outbox(everything: bool, game_folder: Path | None, as_json: bool) -> None:
    """Show what waits to be sent, what failed and what came back; with --all everything that was ever sent."""
    from gm.mail.outbox import State

    post = open_post(game_folder)
    done = () if everything else (State.SENT, State.EXPIRED, State.DROPPED, State.RECALLED)
    found = [each for each in post.outbox.messages if each.state not in done]
    if as_json:
        print_json([posted_data(each) for each in found])
        return
    for each in found:
        at = each.at.strftime("%Y-%m-%d %H:%M")
        click.echo(
            f"{each.state.value:<8}  {at}  {each.to:<30}  {each.subject.partition('[')[0].strip()}  {each.words}"
        )
    if not found:
        click.echo("Nothing waits and nothing failed.")


@command.command(short_help="Send again what did not reach a player.")
@click.argument("realms", nargs=-1)
@at_option
@game_option
def again(realms: tuple[str, ...], at: str | None, game_folder: Path | None) -> None:
    """Put letters that failed or came back into the outbox again, for the addresses that the players have now.

    REALMS are those whose letters are meant; default: all. Correct an address with 'gm seat REALM --email ADDRESS'.
    """
    from gm.mail.game_mail import GameMail
    from gm.mail.status import undelivered

    codes = {each.upper() for each in realms}
    with changing(game_folder, by_steps=True) as campaign:
        post, now = GameMail(campaign), game_time(campaign, at)
        lost = [each for each in undelivered(post) if not codes or each.realm in codes]
        for each in lost:
            to = _present(post, each)
            if not to:
                raise Failure(f"{each.realm} has no address: give it one with 'gm seat {each.realm} --email ADDRESS'.")
            post.outbox.again(each.id, to, post.domain, now)
            click.echo(f"{to}  {each.subject}")
        if lost:
            readers = sorted({each.realm or "GM" for each in lost})
            note_action(post.campaign, "mail again", turn=post.campaign.next_turn, realms=readers)
    click.echo(f"{counted(len(lost), 'letter')} put into the outbox again: 'gm mail send' or 'gm week' sends them.")


def _present(post: GameMail, lost: OutboxEntry) -> str:
    """Where a letter goes when it is sent again: to the same address, as long as it is one of its reader's; else to the
    first of these."""
    known = post.addresses(lost.realm) if lost.realm else post.settings.gms
    return lost.to if lost.to in known else next(iter(known), "")
