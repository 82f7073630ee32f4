"""``gm seat`` and ``gm player``: who plays what, who is away, leaves or takes over (V2, V3)."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from gm.bots.registry import bot_command, bot_named
from gm.campaign.open import Campaign
from gm.campaign.stored_turn import party_reports
from gm.cli.failures import Failure
from gm.cli.options import at_option, bad_parameter, emails_option, game_option, json_option, name_option
from gm.cli.output import counted, print_json, print_table, sentence
from gm.cli.session import carry_out, changing, game_time, known_seat, note_action, open_campaign
from gm.game.values import Seat
from gm.store.folder import turn_name
from gm.store.hand_edited import edited_players
from gm.store.settings import bot_label

NO_BOT = "none"


@click.command(short_help="Show or change the seats.")
@click.argument("realm", required=False)
@name_option("The player's name.")
@emails_option("The player's address; again for each further one.")
@click.option("--new-key", is_flag=True, help="Draw a new secret: the realm's keys so far are void.")
@click.option("--status", help="The player's status, e.g. royalty.")
@click.option("--controller", help="Who gives the orders: player, local forces or nobody.")
@click.option("--bot", help="The program that plays it: a bot's name, module:Class or program:COMMAND; none: no bot.")
@game_option
@json_option
def seat(
    realm: str | None,
    name: str | None,
    emails: tuple[str, ...],
    new_key: bool,
    status: str | None,
    controller: str | None,
    bot: str | None,
    game_folder: Path | None,
    as_json: bool,
) -> None:
    """Show the seats of a game, or change one: it counts from the next turn on.

    A realm that had no player gets one by --email (or --name); the secret that makes its keys is drawn then.

    \b
    Examples:
      gm seat                                          show all seats
      gm seat POL --email carla@example.org --new-key  a replacement
      gm seat POL --email c@home.example --email c@work.example   letters go to both, she may write from either
      gm seat POL --controller 'local forces'          its player has left: it defends itself
      gm seat POL --bot raider                         a bot takes over
      gm seat POL --bot none                           no bot plays it any longer
      gm seat LIT --status royalty
    """
    campaign = open_campaign(game_folder)
    email = _email(emails) if emails else None
    changes = {"name": name, "email": email, "status": status, "controller": controller}
    wanted: dict[str, Any] = {field: value for field, value in changes.items() if value is not None}
    if realm is None:
        if wanted or new_key or bot is not None:
            raise click.UsageError("Say whose seat to change: gm seat REALM ...")
        _show(campaign, campaign.seats, as_json)
        return
    current = known_seat(campaign, realm)
    if not wanted and not new_key and bot is None:
        _show(campaign, [current], as_json)
        return
    code, person = current.code, bool({"name", "email"} & wanted.keys())
    if bot is not None:
        wanted |= _taken_over(campaign, code, bot, person=person)
    if not current.played and "controller" not in wanted and (person or bot is not None):
        wanted["controller"] = "player"
    # who takes over from a program gets keys that it has never seen
    new_key = new_key or bool(current.bot and bot is None and person)
    new_key = new_key or (code not in campaign.keys and wanted.get("controller", "player") == "player")
    if new_key:
        wanted["secret"] = secrets.token_hex(16)
    try:
        campaign.spec.with_standings(campaign.snapshot, {code: (wanted.get("status"), wanted.get("controller"))})
    except ValueError as error:
        raise click.UsageError(sentence(error)) from None
    from gm.cli.archive import typed

    with changing(campaign.folder.path) as campaign:
        journal: dict[str, Any] = {field: wanted[field] for field in ("status", "controller") if field in wanted}
        journal |= {"bot": bot_label(wanted["bot"])} if "bot" in wanted else {}
        files = _edited(campaign, code, wanted) | typed(campaign, bot_command(campaign.spec, wanted.get("bot") or ""))
        carry_out(campaign, "seat", files, realm=code, changed=sorted(wanted), **journal)
    shown = [_change_words(field, value) for field, value in wanted.items() if value or field == "bot"]
    click.echo(f"{code}: {', '.join(shown)}. It counts from now on.")
    if new_key and not wanted.get("bot"):
        click.echo("The new key stands in the results and the order template of the newest turn.")


def _email(addresses: Iterable[str]) -> Any:
    """Addresses as they stand in ``players.yaml``: one as a text, several as a list."""
    found = list(dict.fromkeys(each for each in addresses if each))
    return found if len(found) > 1 else "".join(found)


def _taken_over(campaign: Campaign, code: str, bot: str, *, person: bool) -> dict[str, str]:
    """The entries of a seat that a bot is to play, or no longer. A person's keys and address go with him."""
    if bot == NO_BOT:
        return {"bot": ""}
    if person:
        raise click.UsageError("A seat is played by a person (--name, --email) or by a bot (--bot), not by both.")
    with bad_parameter("--bot"):
        bot_named(campaign.spec, bot)
    player = "controller" if campaign.spec.own_players({code: bot}) else "bot"
    return {player: bot, "name": "", "email": "", "secret": secrets.token_hex(16)}


def _change_words(field: str, value: Any) -> str:
    if field == "secret":
        return "a new secret"
    if isinstance(value, list):
        value = " and ".join(value)
    return f"{field} {value}" if value else f"no {field}"


def _edited(campaign: Campaign, code: str, wanted: dict[str, Any]) -> dict[Path, bytes | None]:
    """players.yaml with one entry changed, as it can be read again, and after a new key the realm's reports with it."""
    more: dict[str, Any] = {"since": campaign.next_turn} if wanted.keys() & {"status", "controller"} else {}
    drop = [*(["key"] if "secret" in wanted else []), *(["absent_until"] if wanted.get("bot") else [])]
    if wanted.get("bot") == "" or ({"name", "email", "controller"} & wanted.keys() and "bot" not in wanted):
        # a person, the local forces or nobody: whoever comes, the bot goes
        wanted = {field: value for field, value in wanted.items() if field != "bot"}
        drop.append("bot")
    data = edited_players(campaign.folder.path, code, {**wanted, **more}, drop=tuple(drop))
    planned = Campaign(campaign.folder.planned(players=data), campaign.spec)
    files: dict[Path, bytes | None] = {campaign.folder.path / "players.yaml": data}
    if "secret" in wanted and not wanted.get("bot"):
        newest = planned.newest_turn
        files |= planned.folder.reports_at(newest, party_reports(planned, newest, code))
    return files


def _show(campaign: Campaign, seats: Iterable[Seat], as_json: bool) -> None:
    rows = []
    for seat in seats:
        player = campaign.folder.players.of(seat.code)
        rows.append(
            {
                "realm": seat.code,
                "name": seat.name,
                "player": player.name if player else "",
                "email": ", ".join(player.addresses) if player else "",
                "key": campaign.keys.get(seat.code, ""),
                "status": seat.status,
                "controller": "out of the game" if seat.out else seat.controller,
                "bot": bot_label(seat.bot),
                "missed_turns": seat.missed,
            }
        )
    if as_json:
        print_json(rows)
        return
    columns = ("realm", "name", "player", "email", "key", "status", "controller", "bot")
    heads = (campaign.spec.party_word, *columns[1:])
    print_table([heads, *([row[column] for column in columns] for row in rows)], left=len(columns))


# -- players -----------------------------------------------------------------------------------------------------------


@click.group(short_help="Replace a player, or note that one is away.")
def player() -> None:
    """Replace a player, note that one is away, set the time zone in which one is told of deadlines.

    \b
    Examples:
      gm player replace POL --name Carla --email carla@example.org
      gm player absent LIT --until 8       no reminders, and the week does not wait for him
      gm player back LIT
      gm player zone LIT America/New_York
      gm player reminders LIT on           he is reminded again although he had unsubscribed
    """


@player.command()
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
    from gm.mail.settings import MAIL_FILE

    if not any(emails):
        raise click.BadParameter("an address is wanted, where he gets his post", param_hint="'--email'")
    changes: dict[str, Any] = {
        "name": name,
        "email": _email(emails),
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
        now = game_time(campaign, at).isoformat()
        carry_out(campaign, "player replace", files, realm=seat.code, turn=turn, letters=now)
    who = name or " and ".join(emails)
    click.echo(f"{seat.code}: {who} plays {seat.name} from turn {campaign.next_turn} on; the old keys are void.")
    if mails:
        click.echo("The dossier is in the outbox: 'gm mail send' or 'gm week' sends it.")
        return
    newest = turn_name(campaign.newest_turn)
    click.echo(
        f"Send the new player:\n  handbook.html\n  turns/{newest}/results/{seat.code}.html\n"
        f"  turns/{newest}/next/{seat.code}.yaml   with the new key"
    )


@player.command()
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


@player.command()
@click.argument("realm")
@game_option
def back(realm: str, game_folder: Path | None) -> None:
    """Note that a player is here again."""
    with _changing(realm, game_folder) as (campaign, seat):
        _edit(campaign, seat, {}, drop=("absent_until",))
    click.echo(f"{seat.code} is back.")


@player.command()
@click.argument("realm")
@click.argument("zone")
@game_option
def zone(realm: str, zone: str, game_folder: Path | None) -> None:
    """Set the time zone in which a player is told of deadlines, e.g. Europe/Minsk."""
    with _changing(realm, game_folder) as (campaign, seat):
        _edit(campaign, seat, {"zone": _zone(zone)})
    click.echo(f"{seat.code} reads deadlines in the time of {zone}.")


@player.command()
@click.argument("realm")
@click.argument("wish", metavar="on|off", type=click.Choice(["on", "off"]))
@at_option
@game_option
def reminders(realm: str, wish: str, at: str | None, game_folder: Path | None) -> None:
    """Remind a player by mail when his orders are missing, or do not.

    He can say so himself: he answers any letter of the game with 'subscribe' or 'unsubscribe' as the first word of the
    subject. The last word counts, whoever said it.
    """
    from gm.mail.game_mail import GameMail
    from gm.mail.status import SUBSCRIBED, UNSUBSCRIBED, note_preference

    with _changing(realm, game_folder) as (campaign, seat):
        now = game_time(campaign, at)
        changed = note_preference(GameMail(campaign), seat.code, SUBSCRIBED if wish == "on" else UNSUBSCRIBED, now)
        if changed:
            note_action(campaign, "player reminders", realm=seat.code, turn=campaign.next_turn, wish=wish)
    click.echo(f"{seat.code} is{'' if wish == 'on' else ' not'} reminded{'' if changed else ', as before'}.")


def _zone(name: str) -> str:
    from gm.store.deadlines import time_zone

    with bad_parameter("ZONE"):
        time_zone(name)
    return name


@contextmanager
def _changing(realm: str, game_folder: Path | None) -> Iterator[tuple[Campaign, Seat]]:
    """The game and a seat of it, with the lock held. Raises ``Failure`` for a realm that the game does not have."""
    with changing(game_folder) as campaign:
        yield campaign, known_seat(campaign, realm)


def _edit(campaign: Campaign, seat: Seat, changes: Mapping[str, Any], drop: tuple[str, ...] = ()) -> None:
    """Change a seat's entry in players.yaml, with a line in the journal. The lock is held."""
    data = edited_players(campaign.folder.path, seat.code, changes, drop)
    campaign.folder.planned(players=data)  # what cannot be read again is not written
    files: dict[Path, bytes | None] = {campaign.folder.path / "players.yaml": data}
    did = f"player {click.get_current_context().info_name}"
    carry_out(campaign, did, files, realm=seat.code, turn=campaign.next_turn)
