"""Deadlines: in the game's rhythm at the same local time, except holidays, extensions and holds (W9).

Days and hours are those of local clocks: every 12 hours stays at eight and eight. A time that a clock shows
twice means the second time, one that it leaps over is the moment just after the leap.
"""

import re
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Self

from gm.core.diagnostics import did_you_mean, nearest, says
from gm.core.values import Natural, Record, Value, check_fields, check_whole
from gm.store.moments import clock, fixed, local_moment, time_zone
from gm.text.languages import Translate

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAYS = {name: number for number, day in enumerate(WEEKDAYS) for name in (day[:3], day)}
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
WEEK = timedelta(days=7)
UNITS = {"d": DAY, "h": HOUR}  # by the letter that people write behind a number
_CLOCK = re.compile(
    r"(?P<bank>\d{1,3}) ?(?P<bank_unit>[dh]) ?\+ ?(?P<increment>\d{1,3}) ?(?P<increment_unit>[dh])\Z"
)
_PACE = re.compile(r"(?P<length>\d{1,3}) ?(?P<unit>[dh])\Z")
_MORE_TIME = re.compile(r"(?:(?P<times>\d) ?x ?)?(?P<length>\d{1,3}) ?(?P<unit>[dh])\Z")
NEVER = "none"  # the pace of a game whose turns are played whenever somebody plays them
_WRITTEN = re.compile(r"\d{4}-\d\d-\d\d( \d\d:\d\d)?\Z")


def clock_time(text: str) -> time:
    """Return a time of day written as 20:00. Raises ``ValueError`` for anything else."""
    try:
        return datetime.strptime(text, "%H:%M").time()  # noqa: DTZ007 - a time of day, the zone comes with the date
    except ValueError:
        raise ValueError(says("{0!r} is not a time of day; write it like 20:00", text)) from None


class Pace(Record):
    """The turn schedule: the step from one deadline to the next."""

    span: timedelta  # from one deadline to the next; with several ``weekdays`` only the step of ``nearest``
    grain: timedelta  # when a turn is played early, the next deadline moves earlier by a multiple of this
    weekdays: frozenset[int] = frozenset()  # the days of deadlines, 0 is Monday; empty: any day

    @classmethod
    def of(cls, text: str) -> Self:
        """Return the pace in a text: ``14d``, ``12h``, ``sunday``, ``mon,thu`` or ``none``.

        Raises ``ValueError`` for any other text.
        """
        if text.strip().lower() == NEVER:
            # no turn is due: deadlines only give the turns a date
            return cls(span=WEEK, grain=DAY)
        match = _PACE.match(text.strip().lower())
        if match:
            grain = UNITS[match["unit"]]
            length = int(match["length"])
            if not length:
                raise ValueError(
                    says("{0!r} is not a valid turn schedule; write it like 1d, 12h or mon,thu", text)
                )
            return cls(length * grain, grain)
        if text.strip()[:1].isdigit():
            raise ValueError(
                says("{0!r} is not a valid turn schedule; write 1d to 999d, 1h to 999h, or mon,thu", text)
            )
        names = [name.strip().lower() for name in text.split(",")]
        wrong = [name for name in names if name not in _DAYS]
        if wrong:
            hint = did_you_mean(nearest(wrong[0], _DAYS)) or says(
                "write days of the week (mon,thu), 14d or 12h"
            )
            raise ValueError(says("{0!r} is not a day of the week; {1}", wrong[0], hint))
        days = frozenset(_DAYS[name] for name in names)
        if len(days) == 1:
            return cls(span=WEEK, grain=WEEK, weekdays=days)
        return cls(span=DAY, grain=DAY, weekdays=days)  # ``later`` goes by the days themselves

    def later(self, slot: datetime) -> datetime:
        """Return the slot that follows a slot, in the same local time."""
        if len(self.weekdays) < 2:
            return slot + self.span
        days = (slot + count * DAY for count in range(1, 8))
        return next(day for day in days if day.weekday() in self.weekdays)

    def nearest(self, slot: datetime, moment: datetime) -> datetime:
        """Return the slot nearest to a moment: ``slot``, or whole spans after it or grains before it."""
        step = self.span if moment > slot else self.grain
        return slot + round((moment - slot) / step) * step


class Clock(Record):
    """The time that players have for their moves."""

    bank: timedelta  # each player's time for the whole game
    increment: timedelta  # the time that each move adds

    @classmethod
    def of(cls, text: str) -> Self:
        """Return the clock in a text: ``14d+1d`` or ``48h+12h``. Raises ``ValueError`` for any other text."""
        match = _CLOCK.match(text.strip().lower())
        if not match or not int(match["bank"]):
            raise ValueError(
                says("{0!r} is not a clock; write bank and increment like 14d+1d or 48h+12h", text)
            )
        bank = int(match["bank"]) * UNITS[match["bank_unit"]]
        return cls(bank, int(match["increment"]) * UNITS[match["increment_unit"]])


class MoreTime(Record):
    """The extensions of deadlines for a player."""

    span: timedelta  # the length of one extension
    times: int  # how many each player has in a game

    @classmethod
    def of(cls, text: str) -> Self:
        """Return the extensions in a text: ``24h``, once for each player, or ``3x 24h``, three times.

        Raises ``ValueError`` for any other text.
        """
        match = _MORE_TIME.match(text.strip().lower())
        times = int(match["times"] or 1) if match else 0
        length = int(match["length"]) if match else 0
        if match is None or not times or not length:
            raise ValueError(
                says("{0!r} is not an amount of time; write it like 24h, or 2x 24h for twice a player", text)
            )
        return cls(length * UNITS[match["unit"]], times)


def pace_and_time(text: str) -> tuple[str, str]:
    """Return (turn schedule, time of day) from a text like ``mon,thu 19:00`` or ``14d``.

    The time is empty if the text has none. Raises ``ValueError`` for any other text.
    """
    every, _, clock = re.sub(r"\s*,\s*", ",", text.strip().lower()).partition(" ")
    Pace.of(every)
    return every, clock.strip() and f"{clock_time(clock.strip()):%H:%M}"


class Holiday(Value):
    """Days without a deadline, from ``first`` to ``last``: a turn due then is due at the first slot after."""

    first: date
    last: date
    why: str = ""

    @check_whole
    def _forward(self) -> None:
        if self.last < self.first:
            raise ValueError(says("a holiday that begins on {0} cannot end on {1}", self.first, self.last))

    def holds(self, day: date) -> bool:
        return self.first <= day <= self.last


class Deadline(Value):
    """The deadlines of a game (``deadline:`` in ``game.yaml``)."""

    every: str = ""  # the turn schedule, see :meth:`Pace.of`
    weekday: str = ""  # instead of ``every`` in files of earlier versions
    time: str  # of day, 20:00
    zone: str  # the time zone's name
    first: date  # of turn 1
    moved: Mapping[int, str] = {}  # by turn: another date, or date and time, from which later turns count
    extended: Mapping[int, datetime] = {}  # by turn: another local time for this turn alone
    holidays: tuple[Holiday, ...] = ()
    hold: str = ""  # why the game stands still; empty: it runs
    early: bool = False  # whether a turn is played as soon as all orders are in
    vacations: Natural = 0  # weeks that a player may take; each puts the coming turn off for everybody
    clock: str = ""  # where one side moves at a time: the players' time (:mod:`gm.campaign.clock`)
    grace: str = ""  # how much later a turn is due the first times that a player's orders are missing
    extensions: str = ""  # how much later a turn is due when a player asks for it by letter

    # each check returns its text in lower case, an empty one unchanged, or raises ``ValueError``
    _pace = check_fields("every", "weekday")(
        staticmethod(lambda text: text and Pace.of(text) and text.lower())
    )
    _clock = check_fields("clock")(staticmethod(lambda text: text and Clock.of(text) and text.lower()))
    _more = check_fields("grace", "extensions")(
        staticmethod(lambda text: text and MoreTime.of(text) and text.lower())
    )
    _time = check_fields("time")(staticmethod(lambda text: clock_time(text) and text))
    _dates = check_fields("moved")(
        staticmethod(lambda moved: {turn: day_or_slot(moved[turn]) for turn in moved})
    )
    _zone = check_fields("zone")(staticmethod(lambda text: time_zone(text) and text))

    @check_fields("extended")
    @staticmethod
    def _local(extended: Mapping[int, datetime]) -> Mapping[int, datetime]:
        """Return the extensions unchanged. Raises ``ValueError`` for one with an offset from UTC."""
        if any(moment.tzinfo is not None for moment in extended.values()):
            raise ValueError(
                says("give an extension in the game's time zone, without an offset: 2026-04-12 20:00")
            )
        return extended

    @cached_property
    def pace(self) -> Pace:
        return Pace.of(self.every or self.weekday or "7d")

    @cached_property
    def ticks(self) -> Clock | None:
        return Clock.of(self.clock) if self.clock else None

    @cached_property
    def grace_rule(self) -> MoreTime | None:
        return MoreTime.of(self.grace) if self.grace else None

    @cached_property
    def extension_rule(self) -> MoreTime | None:
        return MoreTime.of(self.extensions) if self.extensions else None

    def of_turn(self, turn: int) -> datetime:
        """Return the moment until which orders for a turn are in time; a hold does not change it."""
        return self._due(turn)[1]

    def _due(self, turn: int) -> tuple[datetime, datetime]:
        """Return (a turn's slot in local time, the moment until which its orders are in time)."""
        # the count begins at the last turn that was moved, or else at turn 1
        start = max((first_turn for first_turn in self.moved if 0 < first_turn <= turn), default=1)
        # a moved turn may lie in a holiday because the GM said so
        slot = self.slot(self.moved[start]) if start in self.moved else self.free(self._at(self.first))
        due = self._moment(start, slot)
        for number in range(start + 1, turn + 1):
            later = self.pace.later(slot)
            # ``due``: a turn extended beyond the next slot puts the turns after it off: they stay in order
            slot = self.free(later if self.pace.grain == HOUR else self._at(later), due)
            due = self._moment(number, slot)
        return slot, due

    def _moment(self, turn: int, slot: datetime) -> datetime:
        """Return the moment at which a turn is due: at its slot, unless it was extended."""
        until = self.extended.get(turn)
        return local_moment(slot if until is None else self.free(until), self.zone)

    def _at(self, day: date) -> datetime:
        """Return a day at the game's time of day, without a time zone."""
        return datetime.combine(day, clock_time(self.time))

    def slot(self, text: str) -> datetime:
        """Return the local time in a text: a date with its time, or at the game's time of day."""
        moment = datetime.fromisoformat(text)
        return moment if ":" in text else self._at(moment)

    def free(self, slot: datetime, due: datetime | None = None) -> datetime:
        """Return the first slot, from ``slot`` on, that is in no holiday and, if given, after ``due``."""
        while any(holiday.holds(slot.date()) for holiday in self.holidays) or (
            due and local_moment(slot, self.zone) <= due
        ):
            slot = self.pace.later(slot)
        return slot

    def extended_until(self, turn: int, wanted: datetime) -> datetime | None:
        """Return the deadline that a turn gets if it is extended to a ``wanted`` moment.

        Seconds are dropped; a moment in a holiday becomes the first slot after the holiday. None if the new
        deadline would not be before that of the next turn.
        """
        local_time = fixed(wanted, self.zone).replace(tzinfo=None, second=0, microsecond=0)
        until = local_moment(self.free(local_time), self.zone)
        return until if until < self.of_turn(turn + 1) else None

    def slot_of(self, turn: int, played: datetime | None = None) -> str:
        """Return the slot of a turn as text, from which the next deadline counts.

        If the turn was ``played`` at another moment, it is the slot nearest to that.
        """
        slot = self._due(turn)[0]
        if played is not None:
            slot = self.pace.nearest(slot, fixed(played, self.zone).replace(tzinfo=None))
        return f"{slot:%Y-%m-%d %H:%M}"

    def counted_from(self, turn: int, slot: str) -> Self:
        """Return the deadlines counted anew from a turn, which is due at ``slot`` (date and time as text).

        An extension of this turn is dropped.
        """
        extended = {number: until for number, until in self.extended.items() if number != turn}
        return self.evolve(moved={**self.moved, turn: slot}, extended=extended)

    @property
    def never(self) -> bool:
        """Whether turns have no deadline, as in a game that people play on their own computer.

        The calendar then only gives each turn a date.
        """
        return self.every == NEVER

    def words(self, turn: int, translate: Translate = str) -> str:
        """Return in words when a turn is due; empty for a game without deadlines."""
        return "" if self.never else clock(self.of_turn(turn), self.zone, translate)

    def late(self, moment: datetime, turn: int) -> bool:
        """Return whether orders at a moment are late for a turn (O1); never on hold or without deadlines."""
        return not (self.hold or self.never) and moment > self.of_turn(turn)

    @classmethod
    def starting(cls, every: str, clock: str, zone: str, now: datetime, notice: timedelta) -> Self:
        """Return new deadlines by a turn schedule (``every``), at a time of day, in a time zone.

        The first one is on the schedule's earliest day at which it is at least ``notice`` after ``now``.
        """
        start = cls(every=every, time=clock, zone=zone, first=fixed(now + notice, zone).date())
        days = start.pace.weekdays or range(7)
        while start.first.weekday() not in days or start.of_turn(1) < now + notice:
            start = start.evolve(first=start.first + DAY)
        return start


def day_or_slot(text: str) -> str:
    """Return a text with a date, or a date and time, unchanged. Raises ``ValueError`` for any other text."""
    if not _WRITTEN.match(text):
        raise ValueError(says("{0!r} is not a date; write it like 2026-01-09 or 2026-01-09 20:00", text))
    datetime.fromisoformat(text)
    return text
