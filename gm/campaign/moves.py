"""Deadlines that were moved for a player, as the journal tells of them."""

from gm.campaign.open import Campaign
from gm.store.formats import JsonObject
from gm.store.journal import journal_of

GRACE = "grace"
"""The journal's ``what`` of a deadline that moved because orders were missing; its entry has ``realms``."""
EXTENSION = "extension"
"""The journal's ``what`` of a deadline that a player moved; its entry has the player's ``realm``."""


def deadline_moves(campaign: Campaign, what: str) -> list[JsonObject]:
    """Return the journal's entries of deadlines that moved for one reason, oldest first.

    ``what``: the reason, :data:`GRACE` or :data:`EXTENSION`.
    """
    return [entry for entry in journal_of(campaign.folder.path).entries if entry.get("what") == what]


def moves_of_coming_turn(campaign: Campaign, what: str) -> list[JsonObject]:
    """Return those entries of :func:`deadline_moves` that moved the deadline of the coming turn."""
    return [entry for entry in deadline_moves(campaign, what) if entry["turn"] == campaign.next_turn]


def first_turn_seated(campaign: Campaign, realm: str) -> int:
    """Return the first turn of the player who has a seat now: what moved before was for a former player.

    It is 1 for a seat that no player has.
    """
    player = campaign.folder.players.of(realm)
    return player.seated if player else 1
