"""``gm seat``: who plays what, and the GM's word on it (V2, V3)."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import click

from gm.campaign.open import Campaign
from gm.campaign.stored_turn import party_reports
from gm.cli.addresses import as_entry, emails_option
from gm.cli.failures import Failure
from gm.cli.shared import carry_out, changing, game_option, json_option, name_option, open_campaign, print_json
from gm.game.bots import bot_label

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
def command(
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
    email = as_entry(emails) if emails else None
    changes = {"name": name, "email": email, "status": status, "controller": controller}
    wanted: dict[str, Any] = {field: value for field, value in changes.items() if value is not None}
    if realm is None:
        if wanted or new_key or bot is not None:
            raise click.UsageError("Say whose seat to change: gm seat REALM ...")
        _show(campaign, as_json)
        return
    code = realm.upper()
    seat = campaign.seat(code)
    if seat is None:
        codes = ", ".join(each.code for each in campaign.seats)
        raise Failure(f"This game has no realm {realm}; it has {codes}.")
    if not wanted and not new_key and bot is None:
        _show(campaign, as_json, code)
        return
    if bot is not None:
        wanted |= _taken_over(campaign, code, bot, name, email)
    if not seat.played and "controller" not in wanted and (name is not None or email is not None or bot is not None):
        wanted["controller"] = "player"
    # who takes over from a program gets keys that it has never seen
    new_key = new_key or bool(seat.bot and bot is None and {"name", "email"} & wanted.keys())
    new_key = new_key or (code not in campaign.keys and wanted.get("controller", "player") == "player")
    if new_key:
        wanted["secret"] = secrets.token_hex(16)
    _check_words(campaign, code, wanted)
    from gm.bots.registry import bot_command
    from gm.cli.trust import typed

    with changing(campaign.folder.path) as campaign:
        told: dict[str, Any] = {field: wanted[field] for field in ("status", "controller") if field in wanted}
        told |= {"bot": bot_label(wanted["bot"])} if "bot" in wanted else {}
        files = _edited(campaign, code, wanted) | typed(campaign, bot_command(campaign.spec, wanted.get("bot") or ""))
        carry_out(campaign, "seat", files, realm=code, changed=sorted(wanted), **told)
    shown = [_said(field, value) for field, value in wanted.items() if value or field == "bot"]
    click.echo(f"{code}: {', '.join(shown)}. It counts from now on.")
    if new_key and not wanted.get("bot"):
        click.echo("The new key stands in the results and the order template of the newest turn.")


def _taken_over(campaign: Campaign, code: str, bot: str, name: str | None, email: Any) -> dict[str, str]:
    """The entries of a seat that a bot is to play, or no longer. A person's keys and address go with him."""
    from gm.bots.registry import bot_named

    if bot == NO_BOT:
        return {"bot": ""}
    if name is not None or email is not None:
        raise click.UsageError("A seat is played by a person (--name, --email) or by a bot (--bot), not by both.")
    try:
        bot_named(campaign.spec, bot)
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint="'--bot'") from None
    if campaign.spec.own_players({code: bot}):
        return {"controller": bot, "name": "", "email": "", "secret": secrets.token_hex(16)}
    return {"bot": bot, "name": "", "email": "", "secret": secrets.token_hex(16)}


def _said(field: str, value: Any) -> str:
    if field == "secret":
        return "a new secret"
    if isinstance(value, list):
        value = " and ".join(value)
    return f"{field} {value}" if value else f"no {field}"


def _check_words(campaign: Campaign, code: str, wanted: dict[str, Any]) -> None:
    try:
        campaign.spec.with_standings(campaign.snapshot, {code: (wanted.get("status"), wanted.get("controller"))})
    except ValueError as error:
        raise click.UsageError(f"{str(error)[:1].upper()}{str(error)[1:]}.") from None


def _edited(campaign: Campaign, code: str, wanted: dict[str, Any]) -> dict[Path, bytes | None]:
    """players.yaml with one entry changed, as it can be read again, and after a new key the realm's reports with it."""
    from gm.cli.editing import edited_players

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


def _show(campaign: Campaign, as_json: bool, only: str | None = None) -> None:
    players = campaign.folder.players
    rows = []
    for seat in campaign.seats:
        player = players.of(seat.code)
        if only in (None, seat.code):
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
    widths = [
        max(len(head), *(len(str(row[column])) for row in rows)) for head, column in zip(heads, columns, strict=True)
    ]
    click.echo("  ".join(f"{head:<{width}}" for head, width in zip(heads, widths, strict=True)).rstrip())
    for row in rows:
        click.echo("  ".join(f"{row[c]!s:<{w}}" for c, w in zip(columns, widths, strict=True)).rstrip())
