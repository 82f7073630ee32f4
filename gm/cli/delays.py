"""Deadlines that move by themselves: for missing orders, for a player's letter, for the last free seat."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from gm.campaign.extension import extended_deadline, why_no_extension
from gm.campaign.grace import grace_deadline, realms_waited_for
from gm.campaign.moves import EXTENSION, GRACE
from gm.campaign.open import Campaign
from gm.campaign.plan import turn_plan
from gm.cli.deadline_change import change_deadline, deadline_entry
from gm.cli.output import Refusal, echo, title_of
from gm.cli.session import changing, game_time, post_of
from gm.cli.speech import translate
from gm.core.diagnostics import joined, says
from gm.store.deadlines import DAY, WEEK, Deadline
from gm.store.formats import plain_scalar
from gm.text.names import the


def resume_play(campaign: Campaign, now: datetime) -> Campaign:
    """Begin a game, with three days at least for its first turn; return the changed game.

    The lock is held.
    """
    due = campaign.calendar
    first = Deadline.starting(due.every or due.weekday or "7d", due.time, due.zone, now, 3 * DAY).first

    def change(data: Any) -> None:
        data["deadline"].update({"hold": plain_scalar(""), "first": max(first, due.first)})

    return change_deadline(campaign, change, now.isoformat(), locked=True, what="begin")


def take_vacation(campaign: Campaign, realm: str, now: datetime, arrived: datetime, letter: str) -> str:
    """Move the coming deadline by a week, for a letter that ``arrived`` then; the lock is held.

    Returns a word for why not; empty if it was moved.
    """
    due = campaign.calendar
    turn = campaign.next_turn
    whys = {
        "over": campaign.winners is not None,
        "hold": bool(due.hold),
        "none": not due.vacations,
        "taken": not campaign.vacations(realm),
        "passed": arrived > due.of_turn(turn),
    }
    why = next((why for why, holds in whys.items() if holds), "")
    if why:
        return why
    later_turns = sorted(number for number in due.moved if number > turn)
    slots = {number: _a_week_on(due, due.slot(due.moved[number])) for number in later_turns}
    slots[turn] = _a_week_on(due, due.slot(due.slot_of(turn)))

    def change(data: Any) -> None:
        deadline_entry(data, "moved").update(slots)
        if turn in due.extended:
            deadline_entry(data, "extended").update({turn: _a_week_on(due, due.extended[turn])})

    change_deadline(
        campaign, change, now.isoformat(), locked=True, what="vacation", realm=realm, letter=letter
    )
    return ""


def take_extension(campaign: Campaign, realm: str, now: datetime, arrived: datetime, letter: str) -> str:
    """Extend the coming deadline, for a letter that ``arrived`` then; the lock is held.

    Returns a word for why not; empty if it was extended.
    """
    why = why_no_extension(campaign, realm, arrived, now)
    until = extended_deadline(campaign)
    if why or until is None:
        return why
    _extend(campaign, until, now, what=EXTENSION, realm=realm, letter=letter)
    return ""


def give_grace(campaign: Campaign, realms: Sequence[str], now: datetime) -> Campaign:
    """Extend the coming deadline because orders of these realms are missing; return the changed game.

    The lock is held.
    """
    until = grace_deadline(campaign, now)
    if until is None:
        return campaign
    return _extend(campaign, until, now, what=GRACE, realms=list(realms))


def _extend(campaign: Campaign, until: datetime, now: datetime, **news: Any) -> Campaign:
    """Give the coming turn alone another deadline, and tell the players ``news`` of it.

    Return the game then.
    """
    entry = {campaign.next_turn: plain_scalar(f"{until:%Y-%m-%d %H:%M}")}

    def change(data: Any) -> None:
        deadline_entry(data, "extended").update(entry)

    return change_deadline(campaign, change, now.isoformat(), locked=True, **news)


def extend_by_grace(game_folder: Path | None, at: str | None) -> None:
    """Extend a deadline that has passed, once, by the game's grace for missing orders."""
    with changing(game_folder) as campaign:
        now = game_time(campaign, at)
        missing = [seat.code for seat in turn_plan(campaign).missing]
        realms = realms_waited_for(campaign, now, missing)
        why_not = _why_no_grace(campaign, now, missing, realms)
        if why_not:
            raise Refusal(says("The deadline stays: {0}.", why_not))
        give_grace(campaign, realms, now)
    if post_of(campaign) is None:
        names = (the(seat.name) for seat in campaign.seats if seat.code in realms)
        echo(
            says(
                "It waits once for the orders of {0}. Tell the players, with the new deadline.",
                joined(names, ", "),
            )
        )


def _why_no_grace(campaign: Campaign, now: datetime, missing: Sequence[str], realms: Sequence[str]) -> str:
    """Return why the deadline is not moved for these realms' missing orders; empty if it is."""
    turn = campaign.next_turn
    if not campaign.calendar.grace:
        return says("this game has no grace ('pbem deadline every --grace 24h' sets one)")
    if not missing:
        return says("no orders are missing")
    if now <= campaign.deadline(turn):
        return says(
            "{0} is due {1}, which has not passed",
            title_of(campaign, turn),
            campaign.due_words(turn, translate),
        )
    if grace_deadline(campaign, now) is None:
        return says("the turn has waited once already, or the next one would be due before")
    return "" if realms else says("the game has waited for {0} before, or they are away", ", ".join(missing))


def _a_week_on(due: Deadline, slot: datetime) -> Any:
    """Return the first slot without a holiday at least a week after this one, as it is written."""
    return plain_scalar(f"{due.free(slot + WEEK):%Y-%m-%d %H:%M}")
