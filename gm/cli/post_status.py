"""The part of ``pbem status`` about a game's mail; it leaves out what works."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from gm.cli.output import echo, fields, widest
from gm.cli.speech import translate, worded
from gm.core.diagnostics import says
from gm.store.moments import span
from gm.text.words import Said

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
    """Print the problems and numbers of the game's mail that a GM needs; what works is left out."""
    from gm.mail import status
    from gm.mail.channels import channels_of

    echo()
    echo(says("Post: {0}; {1:letter} to send.", _reading(mail, now), Said(len(mail.outbox.open()))))
    _print_readers(mail)
    channels = channels_of(mail)
    if channels:
        _line(says("Notified besides by mail: {0} ('pbem hooks').", ", ".join(sorted(channels))))
    digested = _realms_with_digest(mail)
    if digested:
        _line(says("A digest instead of reminders: {0}.", ", ".join(digested)))
    written, withheld = status.letters_without_orders(mail)
    if written:
        who = ", ".join(f"{realm} {count}" for realm, count in sorted(written.items()))
        count = Said(sum(written.values()))
        if withheld:
            pattern = "{0:letter} without orders for this turn ({1}); {2} of them only in {3}."
            _line(says(pattern, count, who, withheld, mail.settings.inward.aside))
        else:
            _line(says("{0:letter} without orders for this turn ({1}).", count, who))
    left = status.left_letters(mail)
    if left:
        one = says("{0:letter} in it is for {1}.", Said(len(left)), elsewhere(left))
        many = says("{0:letter} in it are for {1}.", Said(len(left)), elsewhere(left))
        _line(one if len(left) == 1 else many)
    for problem in status.problems(mail):
        _red(says(problem.where), says("{0} (For {1}.)", problem.says, span(now - problem.since)))
    _print_undelivered(mail)


def _realms_with_digest(mail: "GameMail") -> list[str]:
    """Return the codes of a game's realms whose players get a digest.

    A player may have chosen it in another game of the same GM.
    """
    from gm.cli.neighbours import games_beside
    from gm.mail.digest import digest_readers

    seats = [seat for own in digest_readers([mail, *games_beside([mail])]).values() for seat in own]
    return sorted(seat.realm for seat in seats if seat.mail is mail)


def _reading(mail: "GameMail", now: datetime) -> str:
    """Return a message on when the mailbox was last read."""
    from gm.mail import status

    read = status.last_read(mail)
    if not read:
        return says("the mailbox was never read")
    if now - read < timedelta(hours=1):  # its time is recorded to within some minutes only
        return says("the mailbox was read within the last hour")
    return says("the mailbox was read {0} ago", span(now - read))


def _print_readers(mail: "GameMail") -> None:
    """Print the players without an address, and the open seats."""
    from gm.mail import status

    open_seats = {seat.code for seat in mail.campaign.open_seats}
    playing = (seat.code for seat in mail.campaign.seats if seat.played and not seat.out)
    without_address = [code for code in playing if code not in open_seats and not mail.address(code)]
    if without_address:
        _line(says("No letter goes to {0}: 'pbem seat REALM --email ADDRESS'.", ", ".join(without_address)))
    if open_seats:
        people = Said(len(status.waiting(mail)))
        codes = ", ".join(sorted(open_seats))
        _line(says("Open seats: {0}; {1:person waits|people wait} for one.", codes, people))


def _print_undelivered(mail: "GameMail") -> None:
    """Print what went wrong: wrong keys in letters, bounces, letters that could not be delivered."""
    from gm.mail import status

    for realm, number in status.wrong_keys(mail).items():
        if number >= status.WRONG_KEYS_LIMIT:
            pattern = "{0:wrong key} came for {1}; no key of it counts this turn."
        else:
            pattern = "{0:wrong key} came for {1}."
        _red(says("wrong keys"), says(pattern, Said(number), realm))
    for address, number in status.returned_letters(mail).items():
        reports = Said(number)
        if address:
            text = says("{0:server report} without our id: a letter to {1} did not arrive.", reports, address)
        else:
            text = says(
                "{0:server report} without our id: a letter to somebody unknown did not arrive: see {1}.",
                reports,
                mail.settings.inward.aside,
            )
        _red(says("bounced?"), text)
    lost = status.undelivered(mail)
    width = widest(entry.to for entry in lost)
    for entry in lost:
        _red(says(entry.state), f"{entry.to:<{width}}  {entry.subject}: {translate(entry.words)}")
    if lost:
        _line(says("When the addresses are right ('pbem seat REALM --email ADDRESS'): 'pbem mail again'."))


def _red(what: str, text: str) -> None:
    """Print an indented line about a problem: ``what`` it is, in red, and a message."""
    click.echo(f"  {click.style(worded(what), fg='red')}  {worded(text)}")


def _line(text: str) -> None:
    """Print an indented line."""
    click.echo(f"  {worded(text)}")


def posted_data(posted: "OutboxEntry") -> dict[str, Any]:
    """Return a message of the outbox for ``--json``."""
    return fields(posted, "state", "at", "id", "kind", "to", "subject", "realm", "turn", "tries", "words")


def elsewhere(games: Sequence[str]) -> str:
    """Return a message with the other games that letters in the mailbox are for.

    ``games``: the id of the game for each letter, empty if the letter names none.
    """
    game_names = sorted({repr(game) for game in games if game})
    return says("other games ({0})", ", ".join(game_names)) if game_names else says("other games")
