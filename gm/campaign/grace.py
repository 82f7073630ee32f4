"""Grace: the first time that a player's orders are missing at the deadline, the turn is due once more, later."""

from collections.abc import Iterable
from datetime import datetime

from gm.campaign.absence import away_realms
from gm.campaign.open import Campaign
from gm.store.deadlines import fixed, local_moment
from gm.store.formats import JsonObject
from gm.store.journal import journal_of

GRACE = "grace"
"""What the journal calls a deadline that moved since orders were missing; its entry names the ``realms``."""


def realms_waited_for(campaign: Campaign, now: datetime, missing: Iterable[str]) -> tuple[str, ...]:
    """Return the realms for whose missing orders the deadline moves now; none if it cannot."""
    rule = campaign.calendar.grace_rule
    if rule is None or campaign.kept is not None or grace_deadline(campaign, now) is None:
        return ()
    away = away_realms(campaign)
    return tuple(realm for realm in missing if realm not in away and _times_of(campaign, realm) < rule.times)


def grace_deadline(campaign: Campaign, now: datetime) -> datetime | None:
    """Return until when the coming turn waits for missing orders, counted from its deadline or from ``now`` if later.

    None: the game has no grace, this turn had its own already, or the next turn would be due before it.
    """
    due = campaign.calendar
    turn = campaign.next_turn
    if due.grace_rule is None or due.never or due.hold or realms_given_grace(campaign):
        return None
    until = fixed(max(now, due.of_turn(turn)) + due.grace_rule.span, due.zone).replace(second=0, microsecond=0)
    slot = due.free(until.replace(tzinfo=None))
    moment = local_moment(slot, due.zone)
    return moment if moment < due.of_turn(turn + 1) else None


def realms_given_grace(campaign: Campaign) -> tuple[str, ...]:
    """Return the realms for whose orders the coming turn already waits; none if its deadline has not moved for any."""
    entries = (entry for entry in _waits(campaign) if entry["turn"] == campaign.next_turn)
    return next((tuple(entry["realms"]) for entry in entries), ())


def _times_of(campaign: Campaign, realm: str) -> int:
    """Return how many times a turn has waited for the player who has a seat now."""
    player = campaign.folder.players.of(realm)
    first = player.seated if player else 1
    return sum(realm in entry["realms"] for entry in _waits(campaign) if entry["turn"] >= first)


def _waits(campaign: Campaign) -> list[JsonObject]:
    """Return the journal's entries of deadlines that moved since orders were missing."""
    return [entry for entry in journal_of(campaign.folder.path).entries if entry.get("what") == GRACE]
