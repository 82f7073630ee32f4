"""``pbem mail``: letters in and letters out."""

import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import click

from gm.cli import hooks, options, postal
from gm.cli.imported_commands import typed
from gm.cli.options import AsJson, At, ExplainedGroup, Game, Games, Reason, argument, gm_command, option
from gm.cli.output import (
    REFUSED,
    Failure,
    Refusal,
    complain,
    echo,
    fields,
    print_json,
    shown_path,
    translated,
)
from gm.cli.post_status import posted_data
from gm.cli.session import carry_out, changing, game_time, moment, note_action, open_campaign
from gm.cli.speech import translate
from gm.cli.visits import (
    Visit,
    clock_of,
    fetch_for,
    print_delivery,
    print_fetched,
    reachable,
    under_heading,
    visits,
)
from gm.core.diagnostics import says
from gm.mail.exchange import claim, mailbox, send_letters
from gm.mail.game_mail import GameMail
from gm.mail.outbox import State
from gm.mail.recovery import note_restored
from gm.mail.rendering import mail_text
from gm.mail.results import publish_results
from gm.mail.sending import SmtpTransport
from gm.mail.settings import FORMAT, Care, MailSettings, mail_commands
from gm.mail.status import undelivered
from gm.store.folder import MAIL_FILE
from gm.store.formats import table_of
from gm.text.words import Said

command = ExplainedGroup("mail", module=__name__)


@gm_command("setup", command)
@click.option("--from", "sender", required=True, type=options.ADDRESS)
@click.option("--name", default="")
@click.option("--gm", "gm_addresses", multiple=True, type=options.ADDRESS)
@click.option("--imap", metavar="HOST[:PORT]")
@click.option("--maildir", type=options.FOLDER)
@click.option("--mbox", type=options.FILE)
@click.option("--files", type=options.FOLDER)
@click.option("--smtp", required=True, metavar="HOST[:PORT]")
@click.option("--security", type=click.Choice(["tls", "starttls", "none"]), default="tls", show_default=True)
@click.option("--user", default="")
@click.option("--password-command", default="", metavar="COMMAND")
@click.option("--password-file", default="", metavar="FILE")
@click.option("--password-env", default="", metavar="NAME")
@click.option("--oauth2-command", default="", metavar="COMMAND")
@click.option("--ca-file", default="", metavar="FILE")
@click.option("--trusted", default="", metavar="NAME")
@click.option("--gate", is_flag=True)
def setup(game_folder: Game, **settings: Any) -> None:
    """Write mail.yaml with an explanation of every setting; edit it as you like."""
    campaign = open_campaign(game_folder)
    path = campaign.folder.path / MAIL_FILE
    if path.exists():
        raise Failure(says("{0} already exists: edit it, or move it away.", shown_path(path)))
    if sum(settings[kind] is not None for kind in ("imap", "maildir", "mbox", "files")) != 1:
        raise click.UsageError(says("Name the mailbox with one of --imap, --maildir, --mbox and --files."))
    if campaign.calendar.never:
        raise Refusal(
            says(
                "This game has no deadlines, which a game by mail needs: 'pbem deadline every 7d' "
                "gives it some."
            )
        )
    people = sum(seat.played for seat in campaign.seats)
    text = mail_text({**settings, "missing_people": Care().may_be_missing(people)})
    with changing(campaign.folder.path) as campaign:
        # read before it is written: this raises an error for settings that make no sense
        mail_settings = table_of(text.encode(), path, FORMAT, MailSettings)
        confirming_files = typed(campaign, *mail_commands(mail_settings))
        carry_out(campaign, "mail setup", {path: text.encode(), **confirming_files})
    echo(
        says(
            "{0} is written. 'pbem mail check' checks that the game can log in to both servers.",
            shown_path(path),
        )
    )


@gm_command("check", command)
def check(game_folder: Game) -> None:
    """Log in to the mailbox and to the sending server, and do nothing else."""
    for line in tried(game_folder):
        echo(line)


def tried(game_folder: Path | None) -> Iterator[str]:
    """Log in to a game's mailbox, then to its sending server; yield a message after each.

    Raises ``Failure`` for one that cannot be used now, ``StoreError`` for settings that cannot be read.
    """
    mail = GameMail(open_campaign(game_folder))
    with reachable(), mailbox(mail) as source:
        letter_count = sum(1 for _ in source.waiting())
        leasing = source.leasing
    yield says("The mailbox is open; {0:letter} in it.", Said(letter_count))
    if not leasing:
        yield says(
            "It cannot hold word of who reads it: two copies of this game would not notice each other."
        )
    with reachable():
        SmtpTransport(mail.settings, mail.game_folder).close()
    yield says("The sending server lets the game in.")


@gm_command("fetch", command)
def fetch(
    files: Annotated[tuple[Path, ...], argument(nargs=-1, type=click.Path(path_type=Path, exists=True))],
    at: At,
    game_folders: Games,
    as_json: AsJson,
) -> int:
    """Read the mailbox of the game, or FILES."""
    with visits(game_folders) as served:
        fetch_for(served, lambda visit: game_time(visit.mail.campaign, at), files)
        for visit in served:
            with under_heading(visit), redirect_stdout(sys.stderr if as_json else sys.stdout):
                if visit.failure is None and visit.fetched is not None:
                    visit.attempt(partial(postal.serve, visit, at))
                _print_visit(visit, quiet=as_json)
        if as_json:
            data = {visit.folder.name: _fetched_data(visit) for visit in served}
            print_json({"games": data} if len(served) > 1 else _fetched_data(served[0]))
    for visit in served:
        with under_heading(visit):
            if hasattr(visit, "mail"):  # else the game could not be opened
                hooks.tell_of(visit.folder, at, quiet=True)
    return max((visit.code for visit in served), default=REFUSED)


def _print_visit(visit: Visit, *, quiet: bool) -> None:
    """Print the letters that came for a game, or why it cannot be served; set its exit code.

    ``quiet``: print only the latter.
    """
    if visit.mailbox is not None:  # the failure to read the mailbox
        visit.failure = visit.mailbox
        visit.code = visit.mailbox.exit_code
    if visit.failure is not None:
        translated(visit.failure).show()
    elif visit.fetched is not None:
        if not quiet:
            print_fetched(visit.fetched)
            echo(says("{0:letter} to send.", Said(len(visit.mail.outbox.open()))))
            if visit.fetched.problem:
                complain(visit.fetched.problem)
        if visit.fetched.troubles or visit.fetched.problem:
            visit.code = REFUSED


def _fetched_data(visit: Visit) -> dict[str, Any]:
    """Return what was fetched for a game, for ``--json``; only the problem if it could not be served."""
    fetched = visit.fetched
    if fetched is None or visit.failure is not None:
        return {"problem": visit.failure.format_message() if visit.failure else ""}
    letters = [dict(zip(("from", "subject", "outcome"), letter, strict=True)) for letter in fetched.letters]
    return {"seen": fetched.seen, "letters": letters, **fields(fetched, "troubles", "problem")}


@gm_command("send", command)
def send(
    *, only_waiting: bool, corrected: bool, why: Reason, at: At, game_folder: Game, as_json: AsJson
) -> int:
    """Put the newest turn's results into the outbox, once a player, and send all that is in it."""
    with changing(game_folder, by_steps=True) as campaign:
        mail = GameMail(campaign)
        now = game_time(campaign, at)
        if not only_waiting:
            publish_results(mail, now, corrected=corrected, why=" ".join(why.split()))
            mail = postal.serve_seats(mail, now)  # requests to join wait until the results are out
        with reachable():
            delivery = send_letters(mail, clock_of(at, now))
    if as_json:
        data = {
            name: [posted_data(letter) for letter in getattr(delivery, name)] for name in ("sent", "failed")
        }
        print_json({**data, "waiting": len(delivery.waiting), "problem": delivery.problem})
    else:
        print_delivery(delivery)
    if delivery.problem:
        complain(delivery.problem)
    hooks.tell_of(campaign.folder.path, at, quiet=as_json)
    return REFUSED if delivery.problem or delivery.failed else 0


@gm_command("take-over", command)
def take_over(
    since: Annotated[str | None, option("--since", metavar="TIME")], at: At, game_folder: Game
) -> None:
    """Make this copy of the game the one that reads its mailbox, and read again what another copy took."""
    with changing(game_folder, by_steps=True, any_rules=True) as campaign:
        mail = GameMail(campaign)
        zone = campaign.folder.settings.deadline.zone
        now = moment(at, zone)
        start = moment(since, zone) if since else None
        with reachable(), mailbox(mail) as source:
            if not source.leasing:
                kind = says(
                    "A mailbox of kind {0} cannot hold word of who reads it", mail.settings.inward.kind
                )
                hint = says("Nothing is lost in it; every copy reads all of it.")
                raise Failure(says("{0}: see to it yourself that one copy of the game does. {1}", kind, hint))
            # recorded first: a run that is killed in between then reads letters again, and misses none
            note_restored(mail, start)
            claim(mail, source, now, by_force=True)
        note_action(campaign, "mail take-over", turn=campaign.next_turn)
    echo(
        says(
            "From now on this copy of the game reads its mailbox; 'pbem week' reads again what "
            "the other copy read."
        )
    )


@gm_command("outbox", command)
def outbox(
    everything: Annotated[bool, option("--all", is_flag=True)], game_folder: Game, as_json: AsJson
) -> None:
    """Show which letters wait, failed or bounced; with --all, every letter that was ever sent."""
    mail = GameMail(open_campaign(game_folder))
    hidden_states = () if everything else (State.SENT, State.EXPIRED, State.DROPPED, State.RECALLED)
    letters = [letter for letter in mail.outbox.messages if letter.state not in hidden_states]
    if as_json:
        print_json({"letters": [posted_data(letter) for letter in letters]})
        return
    for letter in letters:
        subject = letter.subject.partition("[")[0].strip()  # without the mark in brackets at its end
        state = translate(letter.state)
        words = translate(letter.words)
        click.echo(f"{state:<8}  {letter.at:%Y-%m-%d %H:%M}  {letter.to:<30}  {subject}  {words}")
    if not letters:
        echo(says("Nothing waits and nothing failed."))


@gm_command("again", command)
def again(realms: tuple[str, ...], at: At, game_folder: Game) -> None:
    """Put failed or bounced letters into the outbox again, for the addresses that players have now."""
    codes = {realm.upper() for realm in realms}
    with changing(game_folder, by_steps=True) as campaign:
        mail = GameMail(campaign)
        now = game_time(campaign, at)
        lost = [letter for letter in undelivered(mail) if not codes or letter.realm in codes]
        for letter in lost:
            # a letter without a realm is for the GM
            addresses = mail.addresses(letter.realm) if letter.realm else mail.settings.gms
            # an address that is not the reader's any more is replaced by the first one of now
            to = letter.to if letter.to in addresses else next(iter(addresses), "")
            if not to:
                raise Failure(
                    says(
                        "{0} has no address: give it one with 'pbem seat {1} --email ADDRESS'.",
                        letter.realm,
                        letter.realm,
                    )
                )
            mail.outbox.again(letter.id, to, mail.settings.domain, now)
            echo(f"{to}  {letter.subject}")
        if lost:
            readers = sorted({letter.realm or "GM" for letter in lost})
            note_action(campaign, "mail again", turn=campaign.next_turn, realms=readers)
    echo(
        says(
            "{0:letter} put into the outbox again: 'pbem mail send' or 'pbem week' sends them.",
            Said(len(lost)),
        )
    )
