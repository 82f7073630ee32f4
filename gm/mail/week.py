"""The week of a game as a plan: the actions that are due now, and the reasons to wait for the GM.

Pure: it changes nothing.

The order is always the same: fetch, remind, play, publish, send. The next run does what one left undone.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import product

from gm.campaign.absence import away_realms
from gm.campaign.grace import realms_waited_for
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
    """The input of the plan.

    ``turn`` is the one that orders are for; realms are named by code. ``reads``: the moments at which the
    whole mailbox was read; ``reminded``: the reminders that went out, as (realm, hours); ``unpublished``: the
    newest turn's results were not yet released; ``kept``: the turn was taken back and is played with the
    stored orders, so that nobody is missing; ``early``: whether a turn is played as soon as all orders are
    in; ``held``: players who asked to wait; ``people``: the player of each realm; ``graced``: the missing
    realms for which the deadline moves now.
    """

    now: datetime
    turn: int
    deadline: datetime
    hold: str
    expected: tuple[str, ...]
    missing: tuple[str, ...]
    unreadable: tuple[str, ...] = ()
    quiet: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()
    reads: tuple[datetime, ...] = ()
    reminded: frozenset[tuple[str, int]] = frozenset()
    reminders: tuple[int, ...] = ()
    unpublished: bool = False
    kept: bool = False
    restored: str = ""  # why a game that was restored has not got back its letters
    early: bool = False
    held: tuple[str, ...] = ()
    people: Mapping[str, str] = {}
    over: bool = False  # somebody has won, or nobody can: there is no turn to play any more
    care: Care = Care()
    graced: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether the turn is played early now: no orders are missing, not even of players who are away."""
        return self.early and bool(self.expected) and not self.missing and not self.held


class Guard(StrEnum):
    """The reason why a turn that is due is not played, or not mailed."""

    HOLD = "hold"
    OUTAGE = "outage"
    MISSING = "missing"
    GATE = "gate"
    RESTORED = "restored"  # letters that a restored game had taken are not back
    BROKEN = "broken"  # it cannot be played at all


class Waits(Record):
    """A reason to wait for the GM, in a sentence."""

    guard: Guard
    says: str


class Plan(Record):
    """The actions that are due.

    ``remind``: (realm, hours before the deadline) of each reminder; ``grace``: the realms without orders for
    which the deadline moves.
    """

    remind: tuple[tuple[str, int], ...] = ()
    play: bool = False
    publish: bool = False
    waits: tuple[Waits, ...] = ()
    grace: tuple[str, ...] = ()


def plan_of(situation: Situation, *, anyway: bool = False, publish: bool = False) -> Plan:
    """Return the actions that are due in a situation.

    ``anyway``: the GM wants the turn played in spite of the guards; ``publish``: the newest results may go
    out.
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
    """Return (realm, hours) of the latest reminder that is due, for each missing player who wants reminders.

    Each goes out at most once.
    """
    due = [
        hours for hours in situation.reminders if situation.now >= situation.deadline - timedelta(hours=hours)
    ]
    if situation.kept or not due:
        return ()
    realms = [realm for realm in situation.missing if realm not in situation.quiet | situation.absent]
    reminders = [(realm, min(due)) for realm in realms]
    return tuple(reminder for reminder in reminders if reminder not in situation.reminded)


def _guards(situation: Situation) -> Iterator[Waits]:
    """Yield the reasons to hold up a due turn: an unread mailbox, a restored game, many missing orders."""
    until = min(situation.now, situation.deadline)  # played early, it is as if it were due now
    before = [read for read in situation.reads if read <= until]
    limit = timedelta(hours=situation.care.outage_hours)
    if not before:
        yield Waits(Guard.OUTAGE, says("the mailbox was never read before the deadline"))
    elif until - max(before) > limit:
        silence = span(until - max(before))
        yield Waits(Guard.OUTAGE, says("before the deadline the mailbox was not read for {0}", silence))
    if situation.restored:
        yield Waits(Guard.RESTORED, situation.restored)
    missing = [realm for realm in situation.missing if realm not in situation.absent]
    # who plays several realms forgets them together
    late = {situation.people.get(realm, realm) for realm in missing}
    people = {situation.people.get(realm, realm) for realm in situation.expected}
    if len(late) > situation.care.may_be_missing(len(people)):
        of_all = says("{0} of {1}", len(late), len(people))
        yield Waits(Guard.MISSING, says("orders of {0} are missing: {1}", of_all, ", ".join(missing)))


def situation_of(mail: GameMail, now: datetime) -> Situation:
    """Return the situation of a game from its folder."""
    campaign = mail.campaign
    plan = turn_plan(campaign)
    turn = campaign.next_turn
    players = campaign.folder.players.players
    deadline = campaign.deadline(turn)
    reminders = mail.settings.reminders
    missing = tuple(seat.code for seat in plan.missing)
    reminder_pairs = product(missing, reminders)
    return Situation(
        now=now,
        turn=turn,
        deadline=deadline,
        hold=campaign.calendar.hold,
        expected=tuple(
            seat.code for seat in campaign.seats if seat.played and not seat.out and not seat.waiting
        ),
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
        people={player.realm: player.address for player in players if player.address},
        restored=blocks(mail.folder, turn),
        over=campaign.winners is not None,
        care=mail.settings.care,
        graced=realms_waited_for(campaign, now, missing),
    )
