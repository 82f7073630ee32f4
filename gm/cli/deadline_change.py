"""Change a deadline: check the change, write it, and announce it to the players once.

Deadlines move by themselves, too: for missing orders, a player's letter, or the last open seat.
"""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from gm.campaign.moves import (
    EXTENSION,
    GRACE,
    extended_deadline,
    grace_deadline,
    realms_waited_for,
    why_no_extension,
)
from gm.campaign.open import Campaign
from gm.campaign.plan import turn_plan
from gm.cli.output import Failure, Refusal, echo, title_of
from gm.cli.session import carry_out, changing, game_time, post_of
from gm.cli.speech import translate, worded
from gm.core.diagnostics import Translate, joined, said, says
from gm.store.deadlines import DAY, WEEK, Deadline
from gm.store.formats import edited_yaml, flow, yaml_value
from gm.text.names import the
from gm.text.pages import capitalised
from gm.text.words import Said


def change_deadline(
    campaign: Campaign, change: Callable[[Any], None], at: str | None, *, locked: bool = False, **news: Any
) -> Campaign:
    """Change the deadlines in game.yaml, queue a letter about it to each player, print the coming deadline.

    Returns the changed game. ``change``: changes the data of game.yaml in place; ``at``: the time of
    ``--at``, None for now; ``locked``: the caller holds the lock; ``news``: entries of the journal's line,
    from which the letters are made: ``why``, in the GM's words; ``what`` was done, by default the command's
    name.
    """
    with nullcontext(campaign) if locked else changing(campaign.folder.path) as campaign:
        path = campaign.folder.path / "game.yaml"
        data = edited_yaml(path, change)
        # read before it is written: this raises an error for settings that make no sense
        changed = Campaign(campaign.folder.planned(settings=data), campaign.spec)
        turn = changed.next_turn
        calendar = changed.calendar
        if not locked:  # changes that follow from a letter or from missing orders keep the order
            _check_order(changed)
        state = str(said(_state_of(calendar, turn), str))  # in English, for the journal
        yaml_value(news.get("why", ""))  # raises an error for invisible characters
        if "what" not in news:
            news["what"] = click.get_current_context().info_name
        news["was"] = campaign.deadline(turn).isoformat()
        news["letters"] = game_time(campaign, at).isoformat()
        queued = carry_out(campaign, "deadline", {path: data}, turn=turn, state=state, **news)
    state_words = worded(_state_of(calendar, turn, translate))
    echo(says("{0} is {1}.", capitalised(title_of(changed, turn)), state_words))
    if queued:
        echo(
            says(
                "{0:letter} about it in the outbox: 'pbem mail send' or 'pbem week' sends them.", Said(queued)
            )
        )
    return changed


def deadline_entry(data: Any, name: str) -> Any:
    """Return the list or mapping called ``name`` in the settings of the deadline, to be changed in place.

    ``data``: the data of game.yaml. An entry that is missing or null is made first: an empty list for
    ``holidays``, an empty mapping for others.
    """
    deadline = data["deadline"]
    if deadline.get(name) is None:
        deadline[name] = flow([] if name == "holidays" else {})
    return deadline[name]


def _state_of(calendar: Deadline, turn: int, translate: Translate = str) -> str:
    """Return a message on when a turn is due."""
    if calendar.hold:
        return says("on hold: {0}", calendar.hold)
    return says("never due") if calendar.never else says("due {0}", calendar.words(turn, translate))


def _check_order(campaign: Campaign) -> None:
    """Raise ``Failure`` unless each turn to come is due after the one before it."""
    calendar = campaign.calendar
    last = max([campaign.next_turn, *calendar.moved])  # the turns after it follow it in the schedule
    for turn in range(campaign.next_turn, last):
        if calendar.of_turn(turn + 1) > calendar.of_turn(turn):
            continue
        title = title_of(campaign, turn)
        next_title = title_of(campaign, turn + 1)
        problem = says(
            "{0} would be due {1}, and {2} before it, {3}",
            capitalised(title),
            calendar.words(turn, translate),
            next_title,
            calendar.words(turn + 1, translate),
        )
        raise Failure(
            says("{0}. Move that one first: 'pbem deadline move DATE --turn {1}'.", problem, turn + 1)
        )


def resume_play(campaign: Campaign, now: datetime) -> Campaign:
    """End the hold of a game that has not begun; its first deadline is then at least three days away.

    A first deadline that was set for a later day stays. Returns the changed game. The caller holds the lock.
    """
    calendar = campaign.calendar
    pace = calendar.every or calendar.weekday or "7d"  # turns are weekly if nothing is said
    first = Deadline.starting(pace, calendar.time, calendar.zone, now, 3 * DAY).first

    def change(data: Any) -> None:
        """End the hold in the data of game.yaml, and set the first deadline."""
        data["deadline"].update({"hold": yaml_value(""), "first": max(first, calendar.first)})

    return change_deadline(campaign, change, now.isoformat(), locked=True, what="begin")


def take_vacation(campaign: Campaign, realm: str, now: datetime, arrived: datetime, letter: str) -> str:
    """Move the coming deadline, and later ones that were moved, by a week, as a player's letter asks.

    Returns an empty text, or why it was not moved: ``over``, ``hold``, ``none`` if the game has no vacations,
    ``taken`` if the realm has had all of its own, ``passed`` if the letter came after the deadline.
    ``arrived``: when the letter came; ``letter``: its mark. The caller holds the lock.
    """
    calendar = campaign.calendar
    turn = campaign.next_turn
    whys = {  # whether each of the reasons applies; the first that does is the answer
        "over": campaign.winners is not None,
        "hold": bool(calendar.hold),
        "none": not calendar.vacations,
        "taken": not campaign.vacations(realm),
        "passed": arrived > calendar.of_turn(turn),
    }
    for why, applies in whys.items():
        if applies:
            return why
    # turns that were not moved need no change: they are counted from the last moved one before them
    later_turns = sorted(number for number in calendar.moved if number > turn)
    slots = {number: _a_week_on(calendar, calendar.slot(calendar.moved[number])) for number in later_turns}
    slots[turn] = _a_week_on(calendar, calendar.slot(calendar.slot_of(turn)))

    def change(data: Any) -> None:
        """Move the deadlines in the data of game.yaml; an extension of the coming turn moves, too."""
        deadline_entry(data, "moved").update(slots)
        if turn in calendar.extended:
            deadline_entry(data, "extended").update({turn: _a_week_on(calendar, calendar.extended[turn])})

    change_deadline(
        campaign, change, now.isoformat(), locked=True, what="vacation", realm=realm, letter=letter
    )
    return ""


def take_extension(campaign: Campaign, realm: str, now: datetime, arrived: datetime, letter: str) -> str:
    """Extend the coming deadline, as a player's letter asks.

    Returns a word for why it was not extended; empty if it was. ``arrived``: when the letter did;
    ``letter``: its mark. The caller holds the lock.
    """
    why = why_no_extension(campaign, realm, arrived, now)
    until = extended_deadline(campaign)
    if why or until is None:  # it is None only if there is a ``why``
        return why
    _extend(campaign, until, now, what=EXTENSION, realm=realm, letter=letter)
    return ""


def give_grace(campaign: Campaign, realms: Sequence[str], now: datetime) -> Campaign:
    """Extend the coming deadline because orders of these realms (codes) are missing.

    Returns the changed game; it is the same if the game gives no such time. The caller holds the lock.
    """
    until = grace_deadline(campaign, now)
    if until is None:
        return campaign
    return _extend(campaign, until, now, what=GRACE, realms=list(realms))


def _extend(campaign: Campaign, until: datetime, now: datetime, **news: Any) -> Campaign:
    """Give the coming turn alone another deadline, and tell the players; return the changed game.

    ``until``: the new deadline in the game's time zone; ``news``: entries of the journal's line, from which
    the letters are made, such as ``what`` has moved the deadline.
    """
    entry = {campaign.next_turn: yaml_value(f"{until:%Y-%m-%d %H:%M}")}

    def change(data: Any) -> None:
        """Enter the extension in the data of game.yaml."""
        deadline_entry(data, "extended").update(entry)

    return change_deadline(campaign, change, now.isoformat(), locked=True, **news)


def extend_by_grace(game_folder: Path | None, at: str | None) -> None:
    """Extend a deadline that has passed by the game's grace for missing orders.

    Raises ``Refusal`` if the game has no grace, if no orders are missing, or if it has waited already.
    """
    with changing(game_folder) as campaign:
        now = game_time(campaign, at)
        missing = [seat.code for seat in turn_plan(campaign).missing]
        realms = realms_waited_for(campaign, now, missing)
        why_not = _why_no_grace(campaign, now, missing, realms)
        if why_not:
            raise Refusal(says("The deadline stays: {0}.", why_not))
        give_grace(campaign, realms, now)
    if post_of(campaign) is None:  # with mail, each player gets a letter about it
        names = (the(seat.name) for seat in campaign.seats if seat.code in realms)
        echo(
            says(
                "It waits once for the orders of {0}. Tell the players, with the new deadline.",
                joined(names, ", "),
            )
        )


def _why_no_grace(campaign: Campaign, now: datetime, missing: Sequence[str], realms: Sequence[str]) -> str:
    """Return why the deadline is not moved for missing orders, as a message; empty if it is.

    ``missing``: the codes of realms without orders; ``realms``: those of them that the game would wait for.
    """
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


def _a_week_on(calendar: Deadline, slot: datetime) -> Any:
    """Return the first slot at least a week after this one that is in no holiday, as game.yaml has it."""
    return yaml_value(f"{calendar.free(slot + WEEK):%Y-%m-%d %H:%M}")
