"""The bots at a table: the one that gives advice, and the turns in which they move alone."""

from __future__ import annotations

from typing import Any

from gm.campaign.new_game import profiles
from gm.campaign.open import Campaign
from gm.game.spec import GameSpec
from gm.game.values import Seat


def adviser_of(spec: GameSpec[Any]) -> str:
    """Return the name of the best bot, which gives advice; empty if there is none."""
    slow = list(spec.thinkers)
    adviser_name = slow[-1] if slow else str(getattr(spec, "adviser", ""))
    return adviser_name or next(iter(profiles(spec)), "")


def people_of(campaign: Campaign) -> list[Seat]:
    """Return the seats that people play, and those in which they lost."""
    codes = {player.realm for player in campaign.folder.players.players if not player.bot}
    return [
        seat for seat in campaign.seats if not seat.bot and (seat.played or (seat.out and seat.code in codes))
    ]


def only_programs_move(campaign: Campaign) -> bool:
    """Return whether people wait for bots that move one after the other."""
    if campaign.winners is not None:
        return False
    people = [seat for seat in people_of(campaign) if not seat.out]
    moving = any(seat.bot and not seat.waiting and not seat.out for seat in campaign.seats)
    return bool(people) and moving and all(seat.waiting for seat in people)
