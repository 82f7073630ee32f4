"""Extensions: a player moves the coming deadline by letter, by so much and as often as the game allows."""

from datetime import datetime

from gm.campaign.moves import EXTENSION, GRACE, deadline_moves, first_turn_seated, moves_of_coming_turn
from gm.campaign.open import Campaign


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
