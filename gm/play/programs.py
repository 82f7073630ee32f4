"""The bots at a table: the one that gives advice, and the turns in which they move alone."""

from __future__ import annotations

from typing import Any

from gm.campaign.new_game import profiles
from gm.campaign.open import Campaign
from gm.game.spec import GameSpec
from gm.game.values import Seat


def adviser_of(spec: GameSpec[Any]) -> str:
    """Return the name of the bot that gives advice; empty if the game has no bot.

    It is the last of the slow ones, else the game's ``adviser``, else the first bot.
    """
    slow = list(spec.thinkers)
    adviser_name = slow[-1] if slow else str(getattr(spec, "adviser", ""))
    return adviser_name or next(iter(profiles(spec)), "")


def people_of(campaign: Campaign) -> list[Seat]:
    """Return the seats that people play, with those whose party is out of the game."""
    codes = {player.realm for player in campaign.folder.players.players if not player.bot}
    return [
        seat for seat in campaign.seats if not seat.bot and (seat.played or (seat.out and seat.code in codes))
    ]


def only_bots_move(campaign: Campaign) -> bool:
    """Return whether a bot has something to order in the next turn, and no person has.

    False if the game is over, or if no person is in it any more.
    """
    if campaign.winners is not None:
        return False
    people = [seat for seat in people_of(campaign) if not seat.out]
    a_bot_moves = any(seat.bot and not seat.waiting and not seat.out for seat in campaign.seats)
    return bool(people) and a_bot_moves and all(seat.waiting for seat in people)
