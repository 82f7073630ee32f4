"""The table of a game's seats, with their former holders."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import asdict

from gm.campaign.open import Campaign
from gm.cli.output import echo, print_json, print_table
from gm.cli.speech import translate, worded
from gm.core.diagnostics import says
from gm.game.values import Seat
from gm.store.settings import Tenure, bot_label


def show_seats(campaign: Campaign, seats: Sequence[Seat], *, as_json: bool) -> None:
    """Print a table of these seats, and who held them before; ``as_json``: as JSON."""
    rows = [_row(campaign, seat) for seat in seats]
    players = campaign.folder.players.players
    if as_json:
        tenures = {player.realm: list(map(asdict, player.tenure)) for player in players}
        extra_fields = ({"missed_turns": seat.missed, "tenure": tenures.get(seat.code, [])} for seat in seats)
        print_json({"seats": [row | details for row, details in zip(rows, extra_fields, strict=True)]})
        return
    heads = (campaign.spec.party_word, "name", "person", "email", "key", "status", "controller", "bot")
    print_table([tuple(map(translate, heads)), *(tuple(row.values()) for row in rows)], left=len(heads))
    codes = {seat.code for seat in seats}
    for player in players:
        if player.tenure and player.realm in codes:
            echo(says("{0} was played by {1}.", player.realm, ", ".join(map(_holder, player.tenure))))


def _row(campaign: Campaign, seat: Seat) -> dict[str, Any]:
    """Return a seat's values by their names in JSON, in the order of the table's columns.

    Status and controller are messages, which the table translates.
    """
    player = campaign.folder.players.of(seat.code)
    controller = says(seat.controller)
    if player is not None and player.open:
        controller = says("{0}, open", controller)
    if seat.out:
        controller = says("out of the game")
    addresses = player.addresses if player else ()
    return {
        "realm": seat.code,
        "name": seat.name,
        "player": player.name if player else "",
        "email": ", ".join(addresses),
        "key": campaign.keys.get(seat.code, ""),
        "status": says(seat.status),
        "controller": controller,
        "bot": bot_label(seat.bot),
    }


def _holder(tenure: Tenure) -> str:
    """Return in words who held a seat, and in which turns."""
    who = tenure.bot or tenure.name or says("a player")
    return worded(says("{0} (turns {1} to {2})", who, tenure.first, tenure.last))
