"""Who is away, as the list of players says it: nobody waits for them, and no turn counts as missed."""

from gm.campaign.open import Campaign
from gm.store.settings import Player


def last_turn_away(player: Player) -> int:
    """Return the last turn that a player is away; 0 for one who never was."""
    return player.absent_until or 0


def away_realms(campaign: Campaign) -> frozenset[str]:
    """Return the realms whose players are away in the coming turn."""
    players = campaign.folder.players.players
    return frozenset(player.realm for player in players if last_turn_away(player) >= campaign.next_turn)
