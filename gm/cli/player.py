"""``gm player``: the people of a game: who is away, who leaves, who takes over (V3)."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gm.cli.addresses import as_entry, emails_option
from gm.cli.editing import edited_players
from gm.cli.failures import Failure
from gm.cli.shared import at_option, carry_out, changing, counted, game_option, moment, name_option, note_action
from gm.store.folder import turn_name

if TYPE_CHECKING:
    from gm.campaign.open import Campaign
    from gm.game.spec import Seat


@click.group(short_help="Replace a player, or note that one is away.")
def command() -> None:
    """Replace a player, note that one is away, set the time zone in which one is told of deadlines.

    \b
    Examples:
      gm player replace POL --name Carla --email carla@example.org
      gm player absent LIT --until 8       no reminders, and the week does not wait for him
      gm player back LIT
      gm player zone LIT America/New_York
      gm player reminders LIT on           he is reminded again although he had unsubscribed
    """


@command.command()
@click.argument("realm")
@name_option("The new player's name.", "")
@emails_option("His address; again for each further one.", required=True)
@click.option("--zone", default="", help="His time zone. Default: the game's.")
@at_option
@game_option
def replace(
    realm: str, name: str, emails: tuple[str, ...], zone: str, at: str | None, game_folder: Path | None
) -> None:
    """Seat a new player: the old one's keys are void, what waits to be sent to him is not sent, and nothing of his goes
    along.

    His report of the newest turn is written again with the new key. If the game has mail settings, the new player's
    dossier goes into the outbox: the handbook, the position, what the realm went through in the last turns, and the
    template for his first orders.
    """
    from gm.campaign.open import Campaign
    from gm.campaign.stored_turn import party_reports
    from gm.mail.settings import MAIL_FILE

    if not any(emails):
        raise click.BadParameter("an address is wanted, where he gets his post", param_hint="'--email'")
    changes: dict[str, Any] = {
        "name": name,
        "email": as_entry(emails),
        "secret": secrets.token_hex(16),
        "controller": "player",
    }
    if zone:
        changes["zone"] = _zone(zone)
    with _changing(realm, game_folder) as (campaign, seat):
        if seat.out:
            raise Failure(f"{seat.name} is out of the game: there is nothing to play.")
        wanted = {each.lower() for each in emails}
        players = campaign.folder.players.players
        taken = [each.realm for each in players if wanted & {address.lower() for address in each.addresses}]
        if taken:
            raise Failure(f"{' and '.join(emails)} plays {', '.join(taken)} already.")
        turn = campaign.next_turn
        stale = ["key", "absent_until", "status", "bot", *([] if zone else ["zone"])]
        data = edited_players(
            campaign.folder.path, seat.code, {**changes, "since": turn, "seated": turn}, drop=tuple(stale)
        )
        files: dict[Path, bytes | None] = {campaign.folder.path / "players.yaml": data}
        planned = Campaign(campaign.folder.planned(players=data), campaign.spec)
        # the old player's orders for the coming turn are set aside; the file is kept, under no name of his
        campaign.folder.inbox(turn, files).withdraw(seat.code)
        made = party_reports(planned, planned.newest_turn, seat.code)
        files |= planned.folder.reports_at(planned.newest_turn, made)
        mails = (campaign.folder.path / MAIL_FILE).is_file()
        now = moment(at, campaign.folder.settings.deadline.zone).isoformat()

        def following(entry: Mapping[str, Any]) -> None:
            queue_dossier(planned.reopened(), entry)

        carry_out(campaign, "player replace", files, following=following, realm=seat.code, turn=turn, letters=now)
    who = name or " and ".join(emails)
    click.echo(f"{seat.code}: {who} plays {seat.name} from turn {campaign.next_turn} on; the old keys are void.")
    if mails:
        click.echo("The dossier is in the outbox: 'gm mail send' or 'gm week' sends it.")
        return
    newest = turn_name(campaign.newest_turn)
    click.echo("Send the new player:")
    click.echo("  handbook.html")
    click.echo(f"  turns/{newest}/results/{seat.code}.html")
    click.echo(f"  turns/{newest}/next/{seat.code}.yaml   with the new key")


def queue_dossier(campaign: Campaign, entry: Mapping[str, Any]) -> None:
    """Write to the new player of a seat, and no more to the old one, if the game has a post; ``entry``: the journal's
    line about it. Done a second time, it changes nothing."""
    from gm.mail.dossier import dossier
    from gm.mail.post import Post
    from gm.mail.reminder_preferences import SUBSCRIBED, note_wish
    from gm.mail.settings import MAIL_FILE

    if not (campaign.folder.path / MAIL_FILE).is_file():
        return
    realm, now = str(entry["realm"]), datetime.fromisoformat(str(entry["letters"]))
    post = Post(campaign)
    letter = dossier(post, realm, now)
    if not post.outbox.knows(letter.once):
        post.outbox.withdraw(realm, now, "the realm has another player")
        note_wish(post, realm, SUBSCRIBED, now)  # what the old player wished is nobody's wish any more
    post.queue(letter, now)


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
        _edit(campaign, seat, {"absent_until": until})
    turns = until - campaign.next_turn + 1
    click.echo(f"{seat.code} is away for {counted(turns, 'turn')}, up to and including turn {until}.")


@command.command()
@click.argument("realm")
@game_option
def back(realm: str, game_folder: Path | None) -> None:
    """Note that a player is here again."""
    with _changing(realm, game_folder) as (campaign, seat):
        _edit(campaign, seat, {}, drop=("absent_until",))
    click.echo(f"{seat.code} is back.")


@command.command()
@click.argument("realm")
@click.argument("zone")
@game_option
def zone(realm: str, zone: str, game_folder: Path | None) -> None:
    """Set the time zone in which a player is told of deadlines, e.g. Europe/Minsk."""
    with _changing(realm, game_folder) as (campaign, seat):
        _edit(campaign, seat, {"zone": _zone(zone)})
    click.echo(f"{seat.code} reads deadlines in the time of {zone}.")


@command.command()
@click.argument("realm")
@click.argument("wish", metavar="on|off", type=click.Choice(["on", "off"]))
@at_option
@game_option
def reminders(realm: str, wish: str, at: str | None, game_folder: Path | None) -> None:
    """Remind a player by mail when his orders are missing, or do not.

    He can say so himself: he answers any letter of the game with 'subscribe' or 'unsubscribe' as the first word of the
    subject. The last word counts, whoever said it.
    """
    from gm.mail.post import Post
    from gm.mail.reminder_preferences import SUBSCRIBED, UNSUBSCRIBED, note_wish

    with _changing(realm, game_folder) as (campaign, seat):
        now = moment(at, campaign.folder.settings.deadline.zone)
        changed = note_wish(Post(campaign), seat.code, SUBSCRIBED if wish == "on" else UNSUBSCRIBED, now)
        if changed:
            note_action(campaign, "player reminders", realm=seat.code, turn=campaign.next_turn, wish=wish)
    click.echo(f"{seat.code} is{'' if wish == 'on' else ' not'} reminded{'' if changed else ', as before'}.")


def _zone(name: str) -> str:
    from gm.store.deadlines import time_zone

    try:
        time_zone(name)
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint="'ZONE'") from None
    return name


@contextmanager
def _changing(realm: str, game_folder: Path | None) -> Iterator[tuple[Campaign, Seat]]:
    """The game and a seat of it, with the lock held. Raises ``Failure`` for a realm that the game does not have."""
    with changing(game_folder) as campaign:
        seat = campaign.seat(realm.upper())
        if seat is None:
            codes = ", ".join(each.code for each in campaign.seats)
            raise Failure(f"This game has no realm {realm}; it has {codes}.")
        yield campaign, seat


def _edit(campaign: Campaign, seat: Seat, changes: Mapping[str, Any], drop: tuple[str, ...] = ()) -> None:
    """Change a seat's entry in players.yaml, with a line in the journal. The lock is held."""
    data = edited_players(campaign.folder.path, seat.code, changes, drop)
    campaign.folder.planned(players=data)  # what cannot be read again is not written
    doing = click.get_current_context().info_name
    carry_out(
        campaign,
        f"player {doing}",
        {campaign.folder.path / "players.yaml": data},
        realm=seat.code,
        turn=campaign.next_turn,
    )
