"""Deadlines that moved once for the sake of a player, as the journal tells of them."""

from gm.campaign.open import Campaign
from gm.store.formats import JsonObject
from gm.store.journal import journal_of

GRACE = "grace"
"""What the journal calls a deadline that moved since orders were missing; its entry names the ``realms``."""
EXTENSION = "extension"
"""What the journal calls a deadline that a player moved; its entry names the ``realm``."""


def deadline_moves(campaign: Campaign, what: str) -> list[JsonObject]:
    """Return the journal's entries of deadlines that moved for one reason, oldest first."""
    return [entry for entry in journal_of(campaign.folder.path).entries if entry.get("what") == what]


def moves_of_coming_turn(campaign: Campaign, what: str) -> list[JsonObject]:
    """Return the journal's entries that moved the coming deadline for one reason."""
    return [entry for entry in deadline_moves(campaign, what) if entry["turn"] == campaign.next_turn]


def first_turn_seated(campaign: Campaign, realm: str) -> int:
    """Return the first turn of the player who has a seat now; moves for former players do not count."""
    player = campaign.folder.players.of(realm)
    return player.seated if player else 1
