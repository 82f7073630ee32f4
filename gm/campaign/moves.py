"""Deadlines that were moved for a player, as the journal tells of them.

Grace: the first times that a player's orders are missing at the deadline, the turn is due later. Extensions:
a player moves the coming deadline by letter, by so much and as often as the game allows.
"""

from collections.abc import Iterable
from datetime import datetime

from gm.campaign.absence import away_realms
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
    """Return the realms for whose orders the deadline of the coming turn was moved; none if it was not."""
    return next((tuple(entry["realms"]) for entry in moves_of_coming_turn(campaign, GRACE)), ())


def _turns_waited(campaign: Campaign, realm: str) -> int:
    """Return how many turns have waited for the missing orders of the player who has a seat now."""
    first = first_turn_seated(campaign, realm)
    return sum(
        realm in entry["realms"] for entry in deadline_moves(campaign, GRACE) if entry["turn"] >= first
    )


def extensions_left(campaign: Campaign, realm: str) -> int:
    """Return how many times the player who has a seat now may still extend a deadline."""
    rule = campaign.calendar.extension_rule
    if rule is None:
        return 0
    first = first_turn_seated(campaign, realm)
    own_moves = [entry for entry in deadline_moves(campaign, EXTENSION) if entry["realm"] == realm]
    return max(0, rule.times - len([entry for entry in own_moves if entry["turn"] >= first]))


def extending_realm(campaign: Campaign) -> str:
    """Return the realm whose player has extended the coming deadline; empty if none has."""
    return next((str(entry["realm"]) for entry in moves_of_coming_turn(campaign, EXTENSION)), "")


def extended_deadline(campaign: Campaign) -> datetime | None:
    """Return the deadline that the coming turn gets if a player extends it.

    None if the game has no extensions, or the next turn would be due by then.
    """
    due = campaign.calendar
    turn = campaign.next_turn
    if due.extension_rule is None:
        return None
    return due.extended_until(turn, due.of_turn(turn) + due.extension_rule.span)


def why_no_extension(campaign: Campaign, realm: str, arrived: datetime, now: datetime) -> str:
    """Return the word for why a player's letter does not extend the deadline; empty if it does.

    ``arrived``: when the letter arrived. A turn is extended once, and not after it has waited for missing
    orders.
    """
    due = campaign.calendar
    extended_to = extended_deadline(campaign)
    seat = campaign.seat(realm)
    moved = [entry for what in (EXTENSION, GRACE) for entry in moves_of_coming_turn(campaign, what)]
    is_late = arrived > campaign.deadline(campaign.next_turn)
    whys = {  # the words of the sentences that answer the letter; the first that holds is given
        "over": campaign.winners is not None,
        "hold": bool(due.hold),
        "none": due.extension_rule is None or due.never,
        "out": seat is None or seat.out,
        "idle": seat is not None and seat.waiting,
        "again": bool(moved),
        "taken": not extensions_left(campaign, realm),
        "passed": campaign.kept is not None or is_late,
        # it came in time, but is read only now
        "unread": extended_to is not None and extended_to <= now,
        "beyond": extended_to is None,
    }
    return next((why for why, holds in whys.items() if holds), "")
