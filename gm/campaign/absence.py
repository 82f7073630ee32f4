"""Players who are away: their orders are not waited for, no turn counts as missed, a bot may act for them.

A player is away up to a turn. One who named no turn is back as soon as orders of their own were played.
"""

from collections.abc import Iterable

from gm.campaign.open import Campaign
from gm.store.inbox import decisions_of
from gm.store.settings import Player

MOST_TURNS_AWAY = 12  # for which a player can be away by letter; their seat is not given up meanwhile


def last_turn_away(campaign: Campaign, player: Player) -> int:
    """Return the last turn for which a player is away, as far as is known now; 0 if they never were."""
    last_turn = player.absent_until or 0
    if player.absent_since is None:
        return last_turn
    # who names no turn is away until the first turn for which they give orders again
    played_turns = range(player.absent_since, min(last_turn, campaign.newest_turn) + 1)
    for turn in played_turns:
        if _has_given_orders(campaign, turn, player.realm):
            return turn - 1
    return last_turn


def away_realms(campaign: Campaign) -> frozenset[str]:
    """Return the realms whose players are away in the coming turn."""
    players = campaign.folder.players.players
    return frozenset(
        player.realm for player in players if last_turn_away(campaign, player) >= campaign.next_turn
    )


def deputies(campaign: Campaign, missing: Iterable[str]) -> dict[str, str]:
    """Return the bot that acts for each player who is away and wants one, by realm.

    ``missing``: the realms without orders for the coming turn.
    """
    away = away_realms(campaign)
    players = (campaign.folder.players.of(realm) for realm in missing if realm in away)
    return {player.realm: player.deputy for player in players if player is not None and player.deputy}


def first_turn_back(campaign: Campaign, realm: str) -> int:
    """Return the first turn whose orders end an absence that begins now.

    It is the coming turn or, if its orders are already in the inbox, the one after it.
    """
    coming = campaign.next_turn
    has_orders = bool(campaign.folder.inbox(coming).current([realm]))
    return coming + 1 if has_orders else coming


def _has_given_orders(campaign: Campaign, turn: int, realm: str) -> bool:
    """Return whether a player's own orders were played in a turn, neither repeated nor a bot's."""
    record = campaign.record(turn)
    decisions = decisions_of(record)
    return (
        realm in record.get("orders", ()) and realm not in decisions.bots and realm not in decisions.repeated
    )
