"""``gm seat``: who plays what, and the GM's word on it (V2, V3)."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import click

from gm.cli.failures import Failure
from gm.cli.shared import game_option, json_option, note_action, open_campaign, print_json
from gm.kernel.campaign import Campaign
from gm.kernel.store import locked


@click.command(short_help="Show or change the seats.")
@click.argument("realm", required=False)
@click.option("--name", help="The player's name.")
@click.option("--email", help="The player's address.")
@click.option("--new-key", is_flag=True, help="Draw a new secret: the realm's keys so far are void.")
@click.option("--status", help="The player's status, e.g. royalty.")
@click.option("--controller", help="Who gives the orders: player, local forces or nobody.")
@game_option
@json_option
def command(
    realm: str | None,
    name: str | None,
    email: str | None,
    new_key: bool,
    status: str | None,
    controller: str | None,
    game_folder: Path | None,
    as_json: bool,
) -> None:
    """Show the seats of a game, or change one: it counts from the next turn on.

    A realm that had no player gets one by --email (or --name); the secret that makes its keys is drawn then.

    \b
    Examples:
      gm seat                                          show all seats
      gm seat POL --email carla@example.org --new-key  a replacement
      gm seat POL --controller nobody                  its player has left
      gm seat LIT --status royalty
    """
    campaign = open_campaign(game_folder)
    changes = {"name": name, "email": email, "status": status, "controller": controller}
    wanted = {field: value for field, value in changes.items() if value is not None}
    if realm is None:
        if wanted or new_key:
            raise click.UsageError("Say whose seat to change: gm seat REALM ...")
        _show(campaign, as_json)
        return
    code = realm.upper()
    seat = campaign.seat(code)
    if seat is None:
        codes = ", ".join(each.code for each in campaign.seats)
        raise Failure(f"This game has no realm {realm}; it has {codes}.")
    if not wanted and not new_key:
        _show(campaign, as_json, code)
        return
    if "@" not in wanted.get("email", "@"):
        raise click.BadParameter(f"{email!r} is no e-mail address", param_hint="'--email'")
    if not seat.played and controller is None and ("email" in wanted or "name" in wanted):
        wanted["controller"] = "player"
    new_key = new_key or (code not in campaign.keys and wanted.get("controller", "player") == "player")
    if new_key:
        wanted["secret"] = secrets.token_hex(16)
    _check_words(campaign, code, wanted)
    with locked(campaign.folder.path):
        _edit(campaign, code, wanted)
        told = {field: value for field, value in wanted.items() if field in ("status", "controller")}
        note_action(campaign, "seat", realm=code, changed=sorted(wanted), **told)
    shown = [f"{field} {value}" if field != "secret" else "a new secret" for field, value in wanted.items()]
    click.echo(f"{code}: {', '.join(shown)}. It counts from now on.")
    if new_key:
        click.echo("'gm report' puts the new key into the results and the order template of the newest turn.")


def _check_words(campaign: Campaign, code: str, wanted: dict[str, str]) -> None:
    try:
        campaign.spec.with_standings(campaign.snapshot, {code: (wanted.get("status"), wanted.get("controller"))})
    except ValueError as error:
        raise click.UsageError(f"{str(error)[:1].upper()}{str(error)[1:]}.") from None


def _edit(campaign: Campaign, code: str, wanted: dict[str, str]) -> None:
    """Change one entry of players.yaml; the lock is held."""
    from gm.cli.editing import edit_player

    more: dict[str, Any] = {"since": campaign.next_turn} if wanted.keys() & {"status", "controller"} else {}
    edit_player(campaign.folder.path, code, {**wanted, **more}, drop=("key",) if "secret" in wanted else ())


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
                    "email": player.email if player else "",
                    "key": player.key_for(campaign.next_turn) if player else "",
                    "status": seat.status,
                    "controller": "out of the game" if seat.out else seat.controller,
                    "missed_turns": seat.missed,
                }
            )
    if as_json:
        print_json(rows)
        return
    columns = ("realm", "name", "player", "email", "key", "status", "controller")
    widths = [max(len(column), *(len(str(row[column])) for row in rows)) for column in columns]
    click.echo("  ".join(f"{column:<{width}}" for column, width in zip(columns, widths, strict=True)).rstrip())
    for row in rows:
        click.echo("  ".join(f"{row[c]!s:<{w}}" for c, w in zip(columns, widths, strict=True)).rstrip())
