"""When orders are due: weekly at the same local time, but for holidays, extensions and holds (W9). A time that a clock
shows twice is meant the second time, one that it leaps over is the moment just after the leap."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from gm.core.values import Value, check_fields, check_whole
from gm.text.pages import counted

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEK = timedelta(days=7)


def time_zone(name: str) -> tzinfo:
    """The time zone of this name. Raises ``ValueError`` when the system knows none."""
    if name.upper() == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"no time zone is called {name!r}; examples: UTC, Europe/Minsk, America/New_York") from None


def clock_time(text: str) -> time:
    """A time of day written as 20:00. Raises ``ValueError`` for anything else."""
    try:
        return datetime.strptime(text, "%H:%M").time()  # noqa: DTZ007 - a time of day, the zone comes with the date
    except ValueError:
        raise ValueError(f"{text!r} is no time of day; write it like 20:00") from None


def local_moment(day: date, clock: time, zone: str) -> datetime:
    """The moment at which clocks in a zone show this, with a fixed offset: datetimes that share a zone compare as what
    clocks show, which is wrong when clocks change between them."""
    there = time_zone(zone)
    shown = [datetime.combine(day, clock, there).replace(fold=fold) for fold in (0, 1)]
    return fixed(max(shown, key=lambda each: each.astimezone(UTC)).astimezone(UTC), zone)


def fixed(moment: datetime, zone: str) -> datetime:
    """A moment as clocks in a zone show it, with the offset that holds there at that moment."""
    there = moment.astimezone(time_zone(zone))
    return there.astimezone(timezone(there.utcoffset() or timedelta(0)))


def checked_by(check: Callable[[str], object]) -> Callable[[str], str]:
    """A check of a text that stays as it is: ``check`` raises ``ValueError``."""

    def checked(text: str) -> str:
        check(text)
        return text

    return checked


class Holiday(Value):
    """Days without a deadline, the last one included: a turn that would be due then is due in the first week after."""

    first: date
    last: date
    why: str = ""

    @check_whole
    def _forward(self) -> None:
        if self.last < self.first:
            raise ValueError(f"a holiday that begins on {self.first} cannot end on {self.last}")

    def holds(self, day: date) -> bool:
        return self.first <= day <= self.last


class Deadline(Value):
    """When orders are due. ``first``: the date for turn 1; ``moved`` gives single turns another date, which later ones
    follow; ``extended`` gives a single turn another time; ``hold``: why the game stands still, empty: it runs."""

    weekday: str
    time: str
    zone: str
    first: date
    moved: Mapping[int, date] = {}
    extended: Mapping[int, datetime] = {}
    holidays: tuple[Holiday, ...] = ()
    hold: str = ""

    @check_fields("weekday")
    @staticmethod
    def _weekday(text: str) -> str:
        if text.lower() not in WEEKDAYS:
            raise ValueError(f"{text!r} is no day of the week")
        return text.lower()

    _time = check_fields("time")(staticmethod(checked_by(clock_time)))
    _zone = check_fields("zone")(staticmethod(checked_by(time_zone)))

    @check_fields("extended")
    @staticmethod
    def _local(extended: Mapping[int, datetime]) -> Mapping[int, datetime]:
        if any(each.tzinfo is not None for each in extended.values()):
            raise ValueError("an extension is said in the game's time zone, without an offset: 2026-04-12 20:00")
        return extended

    def of_turn(self, turn: int) -> datetime:
        """The moment until which orders for a turn are in time; a hold does not change it."""
        day, due = self.first - WEEK, None
        for number in range(1, turn + 1):
            # an extended turn that a holiday moves takes those after it along: turns stay in their order
            day = self.moved.get(number) or self._after(day + WEEK, due)
            due = self._moment(day)
            if number in self.extended:
                until = self.extended[number]
                due = local_moment(self._after(until.date(), None), until.time(), self.zone)
        return due or self._moment(self._after(self.first, None))

    def _moment(self, day: date) -> datetime:
        return local_moment(day, clock_time(self.time), self.zone)

    def _after(self, day: date, due: datetime | None) -> date:
        """The first day, in weeks from this one, that is in no holiday and on which the deadline is after ``due``."""
        while any(each.holds(day) for each in self.holidays) or (due and self._moment(day) <= due):
            day += WEEK
        return day

    def words(self, turn: int) -> str:
        return f"{self.of_turn(turn):%A %Y-%m-%d %H:%M} {self.zone}"

    def late(self, moment: datetime, turn: int) -> bool:
        """Whether what comes at a moment is late for a turn (O1): not while the game is held."""
        return not self.hold and moment > self.of_turn(turn)

    @classmethod
    def starting(cls, weekday: str, clock: str, zone: str, now: datetime, notice: timedelta) -> Deadline:
        """A weekly deadline whose first date is the next such weekday that leaves at least ``notice``."""
        earliest = fixed(now + notice, zone)
        day = earliest.date()
        while WEEKDAYS[day.weekday()] != weekday.lower() or local_moment(day, clock_time(clock), zone) < earliest:
            day += timedelta(days=1)
        return cls(weekday=weekday, time=clock, zone=zone, first=day)


def time_left(left: timedelta) -> str:
    """How far off a moment is, in the two largest units that count: ``in 2 days 3 hours``, ``passed 4 minutes ago``."""
    passed, left = left < timedelta(0), abs(left)
    units = ((left.days, "day"), (left.seconds // 3600, "hour"), (left.seconds // 60 % 60, "minute"))
    first = next((index for index, (count, _) in enumerate(units) if count), 2)
    words = " ".join(counted(count, word) for count, word in units[first : first + 2] if count) or "less than a minute"
    return f"passed {words} ago" if passed else f"in {words}"
