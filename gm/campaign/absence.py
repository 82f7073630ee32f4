"""Players who are away: their orders are not waited for, no turn counts as missed, a bot may act for them.

A player is away up to a turn. One who named none is back as soon as orders of their own were played.
"""

from collections.abc import Iterable

from gm.campaign.open import Campaign
from gm.store.inbox import decisions_of
from gm.store.settings import Player

# so many turns a player who writes may be away at most: his seat is not given up meanwhile
MOST_TURNS_AWAY = 12


def last_turn_away(campaign: Campaign, player: Player) -> int:
    """Return the last turn for which a player is away, as far as is known now; 0 if they never were."""
    last = player.absent_until or 0
    if player.absent_since is None:
        return last
    played = range(player.absent_since, min(last, campaign.newest_turn) + 1)
    back = next((turn for turn in played if _ordered(campaign, turn, player.realm)), last + 1)
    return back - 1


def away_realms(campaign: Campaign) -> frozenset[str]:
    """Return the realms whose players are away in the coming turn."""
    players = campaign.folder.players.players
    return frozenset(
        player.realm for player in players if last_turn_away(campaign, player) >= campaign.next_turn
    )


def deputies(campaign: Campaign, missing: Iterable[str]) -> dict[str, str]:
    """Return the bot that acts for each of the ``missing`` realms whose player is away and wants one."""
    away = away_realms(campaign)
    players = (campaign.folder.players.of(realm) for realm in missing if realm in away)
    return {player.realm: player.deputy for player in players if player is not None and player.deputy}


def first_turn_back(campaign: Campaign, realm: str) -> int:
    """Return the first turn whose orders end an absence that begins now.

    Orders that are already in the inbox do not end it.
    """
    coming = campaign.next_turn
    return coming + bool(campaign.folder.inbox(coming).current([realm]))


def _ordered(campaign: Campaign, turn: int, realm: str) -> bool:
    """Return whether a player's own orders were played in a turn, neither repeated nor a bot's."""
    record = campaign.record(turn)
    decisions = decisions_of(record)
    return (
        realm in record.get("orders", ()) and realm not in decisions.bots and realm not in decisions.repeated
    )
