"""What ``pbem status`` says of a game's mail; what works is left out."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from gm.cli.output import counted, fields, widest
from gm.store.deadlines import time_left

if TYPE_CHECKING:
    from gm.mail.game_mail import GameMail
    from gm.mail.outbox import OutboxEntry


def post_data(mail: "GameMail") -> dict[str, Any]:
    """Return the state of a game's mail, for ``--json``."""
    from gm.mail import status
    from gm.mail.channels import channels_of

    return {
        "mailbox_read": status.last_read(mail),
        "problems": [fields(problem, "where", "says", "since") for problem in status.problems(mail)],
        "left": status.left_letters(mail),
        "without_orders": status.letters_without_orders(mail)[0],
        "waiting": [posted_data(letter) for letter in mail.outbox.open()],
        "wrong_keys": status.wrong_keys(mail),
        "lost": [posted_data(letter) for letter in status.undelivered(mail)],
        "returned": status.returned_letters(mail),
        "channels": sorted(channels_of(mail)),
    }


def print_post(mail: "GameMail", now: datetime) -> None:
    """Print what a GM has to know of the game's mail; what works is left out."""
    from gm.mail import status
    from gm.mail.channels import channels_of

    click.echo(f"\nPost: {_reading(mail, now)}; {counted(len(mail.outbox.open()), 'letter')} to send.")
    _print_readers(mail)
    channels = channels_of(mail)
    if channels:
        click.echo(f"  Notified besides by mail: {', '.join(sorted(channels))} ('pbem hooks').")
    digested = _digested(mail)
    if digested:
        click.echo(f"  A digest instead of reminders: {', '.join(digested)}.")
    written, withheld = status.letters_without_orders(mail)
    if written:
        who = ", ".join(f"{realm} {count}" for realm, count in sorted(written.items()))
        aside_words = f"; {withheld} of them only in {mail.settings.inward.aside}" if withheld else ""
        click.echo(
            f"  {counted(sum(written.values()), 'letter')} without orders for this turn ({who}){aside_words}."
        )
    left = status.left_letters(mail)
    if left:
        verb = "is" if len(left) == 1 else "are"
        click.echo(f"  {counted(len(left), 'letter')} in it {verb} for {elsewhere(left)}.")
    for problem in status.problems(mail):
        _red(problem.where, f"{problem.says} (For {_since(problem.since, now).removesuffix(' ago')}.)")
    _print_undelivered(mail)


def _digested(mail: "GameMail") -> list[str]:
    """Return the realms of a game whose players get a digest, wherever they chose it."""
    from gm.cli.neighbours import games_beside
    from gm.mail.digest import digest_readers

    seats = [seat for own in digest_readers([mail, *games_beside([mail])]).values() for seat in own]
    return sorted(seat.realm for seat in seats if seat.mail is mail)


def _since(at: datetime, now: datetime) -> str:
    """Return how long ago a time was, in words."""
    return time_left(at - now).removeprefix("passed ")


def _reading(mail: "GameMail", now: datetime) -> str:
    """Return in words when the mailbox was read."""
    from gm.mail import status

    read = status.last_read(mail)
    if not read:
        return "the mailbox was never read"
    if now - read < timedelta(hours=1):  # that it is just now is only noted now and then
        return "the mailbox was read within the last hour"
    return f"the mailbox was read {_since(read, now)}"


def _print_readers(mail: "GameMail") -> None:
    """Print the players without an address, and the open seats."""
    from gm.mail import status

    free = {seat.code for seat in mail.campaign.open_seats}
    playing = (seat.code for seat in mail.campaign.seats if seat.played and not seat.out)
    nowhere = [code for code in playing if code not in free and not mail.address(code)]
    if nowhere:
        click.echo(f"  No letter goes to {', '.join(nowhere)}: 'pbem seat REALM --email ADDRESS'.")
    if free:
        wait = counted(len(status.waiting(mail)), "person waits", "people wait")
        click.echo(f"  Open seats: {', '.join(sorted(free))}; {wait} for one.")


def _print_undelivered(mail: "GameMail") -> None:
    """Print the letters that failed: wrong keys, bounces, letters that were given up."""
    from gm.mail import status

    for realm, number in status.wrong_keys(mail).items():
        closed = "; no key of it counts this turn" if number >= status.WRONG_KEYS_LIMIT else ""
        _red("wrong keys", f"{counted(number, 'wrong key')} came for {realm}{closed}.")
    for address, number in status.returned_letters(mail).items():
        to = f"to {address}" if address else f"to an unknown reader: see {mail.settings.inward.aside}"
        _red("bounced?", f"{counted(number, 'server report')} without our id: a letter {to} did not arrive.")
    lost = status.undelivered(mail)
    width = widest(entry.to for entry in lost)
    for entry in lost:
        _red(entry.state, f"{entry.to:<{width}}  {entry.subject}: {entry.words}")
    if lost:
        click.echo("  When the addresses are right ('pbem seat REALM --email ADDRESS'): 'pbem mail again'.")


def _red(what: str, says: str) -> None:
    click.echo(f"  {click.style(what, fg='red')}  {says}")


def posted_data(posted: "OutboxEntry") -> dict[str, Any]:
    """Return a message of the outbox for ``--json``."""
    return fields(posted, "state", "at", "id", "kind", "to", "subject", "realm", "turn", "tries", "words")


def elsewhere(games: Sequence[str]) -> str:
    """Return the other games that letters in the mailbox are for."""
    game_names = sorted({repr(game) for game in games if game})
    return f"other games ({', '.join(game_names)})" if game_names else "other games"
