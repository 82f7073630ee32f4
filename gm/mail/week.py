"""The week of a game as a plan: the actions that are due now, and the reasons to wait for the GM.

Nothing is changed here. A run always acts in the same order: fetch letters, remind players, play the turn,
publish its results, send letters. What an interrupted run has not done is due again in the next run's plan.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import product

from gm.campaign.absence import away_realms
from gm.campaign.moves import realms_waited_for
from gm.campaign.plan import turn_plan
from gm.core.diagnostics import says
from gm.core.values import Record
from gm.mail.game_mail import READ, GameMail
from gm.mail.purposes import reminder_name
from gm.mail.recovery import blocks
from gm.mail.settings import Care
from gm.mail.status import published_turns, unsubscribed
from gm.store.moments import span


class Situation(Record, kw_only=True):
    """What the plan of a game's week depends on. Realms are named by their codes."""

    now: datetime
    turn: int  # the one that orders are for
    deadline: datetime
    hold: str  # why the game is on hold; empty if it is not
    expected: tuple[str, ...]  # realms that give orders
    missing: tuple[str, ...]  # those of them without orders that can be played
    unreadable: tuple[str, ...] = ()  # those of the missing whose orders cannot be read
    quiet: frozenset[str] = frozenset()  # realms whose players want no reminders
    absent: frozenset[str] = frozenset()  # those of the missing whose players are away
    reads: tuple[datetime, ...] = ()  # the moments at which the whole mailbox was read
    reminded: frozenset[tuple[str, int]] = frozenset()  # reminders in the outbox, as (realm, hours)
    reminders: tuple[int, ...] = ()  # hours before the deadline at which players are reminded
    unpublished: bool = False  # the newest turn's results are not released yet
    kept: bool = False  # the turn was undone and is played with the stored orders: nobody is waited for
    restored: str = ""  # why a game that was restored has not got back its letters
    early: bool = False  # a turn is played as soon as all orders are in
    held: tuple[str, ...] = ()  # realms whose files ask not to play it early, or have errors
    people: Mapping[str, str] = {}  # the address of each realm's player
    over: bool = False  # somebody has won, or nobody can: there is no turn to play any more
    care: Care = Care()  # the limits beyond which the turn waits for the GM
    graced: tuple[str, ...] = ()  # those of the missing for which the deadline moves now

    @property
    def complete(self) -> bool:
        """Whether the turn is played early now.

        No orders are missing, not even of players who are away, and no file holds the turn up.
        """
        return self.early and bool(self.expected) and not self.missing and not self.held


class Guard(StrEnum):
    """The reason why a turn that is due is not played, or not mailed."""

    HOLD = "hold"  # the GM has stopped the game
    OUTAGE = "outage"  # the mailbox was not read for too long before the deadline
    MISSING = "missing"  # the orders of many players are missing
    GATE = "gate"  # the GM wants to see results before they are mailed
    RESTORED = "restored"  # letters that a restored game had accepted are not back
    BROKEN = "broken"  # it cannot be played at all


class Waits(Record):
    """A reason to wait for the GM; ``says``: in a sentence."""

    guard: Guard
    says: str


class Plan(Record):
    """The actions that are due."""

    remind: tuple[tuple[str, int], ...] = ()  # (realm, hours before the deadline) of each reminder
    play: bool = False
    publish: bool = False
    waits: tuple[Waits, ...] = ()  # why the turn is not played, or not published
    grace: tuple[str, ...] = ()  # the realms without orders for which the deadline moves


def plan_of(situation: Situation, *, anyway: bool = False, publish: bool = False) -> Plan:
    """Return the actions that are due in a situation.

    ``anyway``: the GM wants the turn played in spite of the guards; ``publish``: the GM allows the results to
    be mailed, where they wait for that.
    """
    unpublished = situation.unpublished
    if unpublished and situation.care.gate and not publish:
        why = says("the results of turn {0} wait for 'pbem week --publish'", situation.turn - 1)
        return Plan(waits=(Waits(Guard.GATE, why),))
    if situation.over:
        return Plan(publish=unpublished)
    if situation.hold:
        return Plan(
            publish=unpublished, waits=(Waits(Guard.HOLD, says("the game is on hold: {0}", situation.hold)),)
        )
    if situation.now <= situation.deadline and not situation.complete:
        return Plan(remind=_due_reminders(situation), publish=unpublished)
    if situation.graced and not anyway:
        return Plan(publish=unpublished, grace=situation.graced)
    waits = () if anyway or situation.kept else tuple(_guards(situation))
    # the turn before must be out before the next is played: its players have not seen it yet
    return Plan(play=not waits and not unpublished, publish=unpublished, waits=waits)


def _due_reminders(situation: Situation) -> tuple[tuple[str, int], ...]:
    """Return (realm, hours) of each reminder that is due and not in the outbox.

    For each missing player who wants reminders it is the one nearest to the deadline. There are none while
    the turn is to be played with stored orders.
    """
    due = [
        hours for hours in situation.reminders if situation.now >= situation.deadline - timedelta(hours=hours)
    ]
    if situation.kept or not due:  # nobody is waited for if stored orders are played
        return ()
    realms = [realm for realm in situation.missing if realm not in situation.quiet | situation.absent]
    reminders = [(realm, min(due)) for realm in realms]
    return tuple(reminder for reminder in reminders if reminder not in situation.reminded)


def _guards(situation: Situation) -> Iterator[Waits]:
    """Yield the reasons to hold up a due turn: an unread mailbox, a restored game, many missing orders."""
    due = min(situation.now, situation.deadline)  # a turn that is played early is due now
    earlier_reads = [read for read in situation.reads if read <= due]
    limit = timedelta(hours=situation.care.outage_hours)
    if not earlier_reads:
        yield Waits(Guard.OUTAGE, says("the mailbox was never read before the deadline"))
    elif due - max(earlier_reads) > limit:
        silence = span(due - max(earlier_reads))
        yield Waits(Guard.OUTAGE, says("before the deadline the mailbox was not read for {0}", silence))
    if situation.restored:
        yield Waits(Guard.RESTORED, situation.restored)
    missing = [realm for realm in situation.missing if realm not in situation.absent]
    # a person with several realms counts once
    late_people = {situation.people.get(realm, realm) for realm in missing}
    people = {situation.people.get(realm, realm) for realm in situation.expected}
    if len(late_people) > situation.care.may_be_missing(len(people)):
        of_all = says("{0} of {1}", len(late_people), len(people))
        yield Waits(Guard.MISSING, says("orders of {0} are missing: {1}", of_all, ", ".join(missing)))


def situation_of(mail: GameMail, now: datetime) -> Situation:
    """Return the situation of a game from its folder."""
    campaign = mail.campaign
    plan = turn_plan(campaign)
    turn = campaign.next_turn
    deadline = campaign.deadline(turn)
    reminders = mail.settings.reminders
    missing = tuple(seat.code for seat in plan.missing)
    reminder_pairs = product(missing, reminders)
    return Situation(
        now=now,
        turn=turn,
        deadline=deadline,
        hold=campaign.calendar.hold,
        expected=tuple(seat.code for seat in campaign.seats if seat.may_write),
        missing=missing,
        unreadable=tuple(realm for realm in missing if realm in plan.set_aside),
        quiet=unsubscribed(mail),
        absent=frozenset(missing) & away_realms(campaign),
        reads=tuple(datetime.fromisoformat(remark["at"]) for remark in mail.log.remarks(READ)),
        reminded=frozenset(
            reminder
            for reminder in reminder_pairs
            if mail.outbox.knows(reminder_name(turn, *reminder, deadline))
        ),
        reminders=reminders,
        unpublished=campaign.newest_turn not in published_turns(mail),
        kept=campaign.kept is not None,
        early=campaign.calendar.early,
        held=plan.held,
        people={player.realm: player.address for player in campaign.folder.players.players if player.address},
        restored=blocks(mail.folder, turn),
        over=campaign.winners is not None,
        care=mail.settings.care,
        graced=realms_waited_for(campaign, now, missing),
    )
