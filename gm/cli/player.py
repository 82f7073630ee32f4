"""``gm player``: the people of a game: who is away, who leaves, who takes over (V3)."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gm.cli.editing import edit_player
from gm.cli.failures import Failure
from gm.cli.shared import at_option, counted, game_option, moment, note_action, open_campaign
from gm.kernel.store import locked, turn_name

if TYPE_CHECKING:
    from gm.kernel.campaign import Campaign
    from gm.kernel.game import Seat


@click.group(short_help="Replace a player, or note that one is away.")
def command() -> None:
    """Replace a player, note that one is away, set the time zone in which one is told of deadlines.

    \b
    Examples:
      gm player replace POL --name Carla --email carla@example.org
      gm player absent LIT --until 8       no reminders, and the week does not wait for him
      gm player back LIT
      gm player zone LIT America/New_York
    """


@command.command()
@click.argument("realm")
@click.option("--name", default="", help="The new player's name.")
@click.option("--email", required=True, help="His address.")
@click.option("--zone", default="", help="His time zone. Default: the game's.")
@at_option
@game_option
def replace(realm: str, name: str, email: str, zone: str, at: str | None, game_folder: Path | None) -> None:
    """Seat a new player: the old one's keys are void, what waits to be sent to him is not sent, and nothing of his goes
    along.

    The reports of the newest turn are written again with the new key. If the game has mail settings, the new player's
    dossier goes into the outbox: the handbook, the position, what the realm went through in the last turns, and the
    template for his first orders.
    """
    from gm.kernel.campaign import turn_reports
    from gm.mail.header import bare_address
    from gm.mail.settings import MAIL_FILE

    if not bare_address(email):
        raise click.BadParameter(f"{email!r} is no e-mail address", param_hint="'--email'")
    changes: dict[str, Any] = {"name": name, "email": email, "secret": secrets.token_hex(16), "controller": "player"}
    if zone:
        changes["zone"] = _zone(zone)
    with _changing(realm, game_folder) as (campaign, seat):
        if seat.out:
            raise Failure(f"{seat.name} is out of the game: there is nothing to play.")
        taken = [each.realm for each in campaign.folder.players.players if each.email.lower() == email.lower()]
        if taken:
            raise Failure(f"{email} plays {', '.join(taken)} already.")
        turn = campaign.next_turn
        stale = ["key", "absent_until", "status", *([] if zone else ["zone"])]
        edit_player(campaign.folder.path, seat.code, {**changes, "since": turn, "seated": turn}, drop=tuple(stale))
        campaign = campaign.reopened()
        # the old player's orders for the coming turn are set aside; the file is kept, under no name of his
        campaign.folder.inbox(turn).withdraw(seat.code)
        campaign.folder.write_reports(campaign.newest_turn, turn_reports(campaign, campaign.newest_turn))
        mails = (campaign.folder.path / MAIL_FILE).is_file()
        if mails:
            _queue_dossier(campaign, seat.code, at)
    who = name or email
    click.echo(f"{seat.code}: {who} plays {seat.name} from turn {campaign.next_turn} on; the old keys are void.")
    if mails:
        click.echo("The dossier is in the outbox: 'gm mail send' or 'gm week' sends it.")
        return
    newest = turn_name(campaign.newest_turn)
    click.echo("Send the new player:")
    click.echo("  handbook.html")
    click.echo(f"  turns/{newest}/results/{seat.code}.html")
    click.echo(f"  turns/{newest}/next/{seat.code}.yaml   with the new key")


def _queue_dossier(campaign: Campaign, realm: str, at: str | None) -> None:
    from gm.mail.dossier import dossier
    from gm.mail.post import Post

    now = moment(at, campaign.folder.settings.deadline.zone)
    post = Post(campaign)
    post.outbox.withdraw(realm, now, "the realm has another player")
    post.queue(dossier(post, realm, now), now)


@command.command()
@click.argument("realm")
@click.option("--until", type=click.IntRange(1), required=True, metavar="TURN", help="The last turn without him.")
@game_option
def absent(realm: str, until: int, game_folder: Path | None) -> None:
    """Note that a player is away up to and including a turn: he is not reminded, and the week does not wait for him.

    Orders that are to be given again each turn while he is away are his to send: a line 'standing: 8' at the top of his
    order file repeats it up to turn 8.
    """
    with _changing(realm, game_folder) as (campaign, seat):
        if until < campaign.next_turn:
            raise Failure(f"Turn {until} is played already; the coming turn is {campaign.next_turn}.")
        edit_player(campaign.folder.path, seat.code, {"absent_until": until})
    turns = until - campaign.next_turn + 1
    click.echo(f"{seat.code} is away for {counted(turns, 'turn')}, up to and including turn {until}.")


@command.command()
@click.argument("realm")
@game_option
def back(realm: str, game_folder: Path | None) -> None:
    """Note that a player is here again."""
    with _changing(realm, game_folder) as (campaign, seat):
        edit_player(campaign.folder.path, seat.code, {}, drop=("absent_until",))
    click.echo(f"{seat.code} is back.")


@command.command()
@click.argument("realm")
@click.argument("zone")
@game_option
def zone(realm: str, zone: str, game_folder: Path | None) -> None:
    """Set the time zone in which a player is told of deadlines, e.g. Europe/Minsk."""
    with _changing(realm, game_folder) as (campaign, seat):
        edit_player(campaign.folder.path, seat.code, {"zone": _zone(zone)})
    click.echo(f"{seat.code} reads deadlines in the time of {zone}.")


def _zone(name: str) -> str:
    from gm.kernel.store.deadlines import time_zone

    try:
        time_zone(name)
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint="'ZONE'") from None
    return name


@contextmanager
def _changing(realm: str, game_folder: Path | None) -> Iterator[tuple[Campaign, Seat]]:
    """The game and a seat of it, with the lock held. Raises ``Failure`` for a realm that the game does not have."""
    folder = open_campaign(game_folder).folder.path
    with locked(folder):
        campaign = open_campaign(folder)  # as it is now that nobody else changes it
        seat = campaign.seat(realm.upper())
        if seat is None:
            codes = ", ".join(each.code for each in campaign.seats)
            raise Failure(f"This game has no realm {realm}; it has {codes}.")
        yield campaign, seat
        doing = click.get_current_context().info_name
        note_action(campaign, f"player {doing}", realm=seat.code, turn=campaign.next_turn)
