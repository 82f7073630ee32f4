"""Grace: the first times that a player's orders are missing at the deadline, the turn is due later."""

from collections.abc import Iterable
from datetime import datetime

from gm.campaign.absence import away_realms
from gm.campaign.moves import GRACE, deadline_moves, first_turn_seated, moves_of_coming_turn
from gm.campaign.open import Campaign


def realms_waited_for(campaign: Campaign, now: datetime, missing: Iterable[str]) -> tuple[str, ...]:
    """Return those ``missing`` realms for whose orders the deadline moves now; none if it cannot move.

    Realms that are away are not waited for, nor those for which turns have waited often enough. A turn that
    was undone and keeps its orders waits for nobody.
    """
    rule = campaign.calendar.grace_rule
    if rule is None or campaign.kept is not None or grace_deadline(campaign, now) is None:
        return ()
    away = away_realms(campaign)
    return tuple(
        realm for realm in missing if realm not in away and _turns_waited(campaign, realm) < rule.times
    )


def grace_deadline(campaign: Campaign, now: datetime) -> datetime | None:
    """Return until when the turn waits for missing orders, from its deadline or a later ``now``.

    None: the game has no grace, no deadlines now or is on hold, this turn had its grace already, or the next
    turn would be due by then.
    """
    calendar = campaign.calendar
    turn = campaign.next_turn
    rule = calendar.grace_rule
    if rule is None or calendar.never or calendar.hold or realms_given_grace(campaign):
        return None
    return calendar.extended_until(turn, max(now, calendar.of_turn(turn)) + rule.span)


def realms_given_grace(campaign: Campaign) -> tuple[str, ...]:
    """Return the realms for whose orders the coming turn already waits; none if it was not moved for any."""
    return next((tuple(entry["realms"]) for entry in moves_of_coming_turn(campaign, GRACE)), ())


def _turns_waited(campaign: Campaign, realm: str) -> int:
    """Return how many turns have waited for the missing orders of the player who has a seat now."""
    first = first_turn_seated(campaign, realm)
    return sum(
        realm in entry["realms"] for entry in deadline_moves(campaign, GRACE) if entry["turn"] >= first
    )
