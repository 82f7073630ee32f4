"""What the GM decides about a game: its settings, who plays which realm, where people are reached, and when orders are
due: weekly at the same local time, but for holidays, extensions and holds (W9). A time that a clock shows twice is
meant the second time, one that it leaps over is the moment just after the leap."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import Any, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from gm.core.diagnostics import invisible, says
from gm.core.orders.keys import make_key, short_key
from gm.core.values import Value, check_fields, check_whole
from gm.store.formats import Format
from gm.text.languages import Translate
from gm.text.words import Said

SETTINGS = Format("game settings file", 1)
PLAYERS = Format("list of players", 1)
PROGRAM = "program:"  # before the command of a bot that is a program of its own
NAME_LIMIT = 200  # characters, the most that a player's name may have
_LENGTH = 254
_LOCAL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}\Z")
_DOMAIN = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?\Z")

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


def clock(moment: datetime, zone: str, say: Translate = str) -> str:
    """A moment in words: ``Friday 2026-01-09 20:00 UTC``."""
    there = fixed(moment, zone)
    return f"{say(f'{there:%A}')} {there:%Y-%m-%d %H:%M} {zone}"


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

    _time = check_fields("time")(staticmethod(lambda text: clock_time(text) and text))
    _zone = check_fields("zone")(staticmethod(lambda text: time_zone(text) and text))

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

    def words(self, turn: int, say: Translate = str) -> str:
        return clock(self.of_turn(turn), self.zone, say)

    def late(self, moment: datetime, turn: int) -> bool:
        """Whether what comes at a moment is late for a turn (O1): not while the game is held."""
        return not self.hold and moment > self.of_turn(turn)

    @classmethod
    def starting(cls, weekday: str, clock: str, zone: str, now: datetime, notice: timedelta) -> Self:
        """A weekly deadline whose first date is the next such weekday that leaves at least ``notice``."""
        earliest = fixed(now + notice, zone)
        day = earliest.date()
        while WEEKDAYS[day.weekday()] != weekday.lower() or local_moment(day, clock_time(clock), zone) < earliest:
            day += timedelta(days=1)
        return cls(weekday=weekday, time=clock, zone=zone, first=day)


def time_left(left: timedelta, say: Translate = str) -> str:
    """How far off a moment is, in the two largest units that count: ``in 2 days 3 hours``, ``passed 4 minutes ago``."""
    passed, left = left < timedelta(0), abs(left)
    counts = (left.days, left.seconds // 3600, left.seconds // 60 % 60)
    units = [*zip(counts, (says("{0:day}"), says("{0:hour}"), says("{0:minute}")), strict=True)]
    first = next((index for index, (count, _) in enumerate(units) if count), 2)
    words = [say(unit).format(Said(count)) for count, unit in units[first : first + 2] if count]
    return say("passed {0} ago" if passed else "in {0}").format(" ".join(words) or say("less than a minute"))


def checked_address(text: str) -> str:
    """An address to compare and to write to, its domain in lower case, by IDNA if need be. Raises ``ValueError``."""
    given = text.strip()
    local, at, domain = given.rpartition("@")
    if len(given) > _LENGTH:
        raise ValueError(f"an e-mail address has at most {_LENGTH} characters; this one begins {given[:40]!r}")
    if "@" in local:
        raise ValueError(f"{given!r} is no e-mail address but several: give each by itself")
    if not at or not local or not domain:
        raise ValueError(f"{given!r} is no e-mail address; write it like anna@example.org")
    if not _LOCAL.match(local):
        raise ValueError(f"{given!r} is no e-mail address: before the @ stand plain letters, without spaces")
    found = domain.lower()
    if not domain.isascii():
        import idna

        try:
            found = idna.encode(domain, uts46=True).decode("ascii").lower()
        except idna.IDNAError as error:
            raise ValueError(f"{given!r} is no e-mail address: {error}") from None
    if not _DOMAIN.match(found) or not all(0 < len(label) <= 63 for label in found.split(".")):
        raise ValueError(f"{given!r} is no e-mail address: what stands after the @ is no name of a server")
    return f"{local}@{found}"


def checked_addresses(texts: Iterable[str]) -> tuple[str, ...]:
    """Several addresses, each once. Raises ``ValueError``."""
    return tuple(dict.fromkeys(checked_address(each) for each in texts))


def checked_name(text: str) -> str:
    """A player's name. Raises ``ValueError`` for one that is too long or holds what cannot be seen."""
    if len(text) > NAME_LIMIT:
        raise ValueError(f"a player's name has at most {NAME_LIMIT} characters, this one {len(text)}")
    if invisible(text):
        raise ValueError("the player's name holds a character that cannot be seen")
    return text


class Settings(Value):
    """``game.yaml``. ``id``: what order files call the game; ``seed`` rules its dice; ``late``: what becomes of a file
    after the deadline, ``take`` (and mark it) or ``refuse`` (O1); ``keys``: whether an order file must prove its sender
    by a key; ``short_keys``: these can be guessed, for files that are handed over from hand to hand; ``renewed``: from
    which turns on the dice follow from another master secret, because the one before was known."""

    id: str
    game: str
    map: str
    seed: str
    deadline: Deadline
    late: str = "take"
    keys: bool = True
    short_keys: bool = False
    renewed: Mapping[int, str] = {}

    @check_fields("late")
    @staticmethod
    def _late(text: str) -> str:
        if text not in ("take", "refuse"):
            raise ValueError(f"'late' is either take or refuse, not {text!r}")
        return text

    def master(self, turn: int) -> str:
        latest = max((first for first in self.renewed if first <= turn), default=None)
        return self.seed if latest is None else self.renewed[latest]


class Entrant(Value):
    """Somebody who wants to play a new game. ``realm``: empty until it is drawn; ``email``: one address, or a list:
    letters go to each, and he may write from any; ``language`` of his reports, e.g. ``de``; empty: English."""

    realm: str = ""
    name: str = ""
    email: Any = ""
    language: str = ""

    _name = check_fields("name")(staticmethod(checked_name))

    @check_fields("email")
    @staticmethod
    def _email(given: Any) -> Any:
        several = [given] if isinstance(given, str) else given
        if not isinstance(several, list | tuple) or not all(isinstance(each, str) for each in several):
            raise ValueError("an address is written like anna@example.org, and several as a list: [one, another]")
        found = checked_addresses(each for each in several if each.strip())
        return found if len(found) > 1 else "".join(found)


class Entrants(Value):
    """A GM's list of them."""

    players: tuple[Entrant, ...]


def bot_label(name: str) -> str:
    """What a turn's record calls a bot: its name; of a program only the command's first word: the rest is the GM's."""
    if not name.startswith(PROGRAM):
        return name
    words = name.removeprefix(PROGRAM).split()
    return PROGRAM + (words[0].replace("\\", "/").rpartition("/")[2] if words else "")


class Player(Entrant):
    """Who plays a realm. ``zone``: in which he is told of deadlines; empty: the game's. ``secret`` makes a key for each
    turn; ``key``, if set, is that of all turns. ``status`` and ``controller`` (none: as the game has it) are put in
    before turn ``since`` alone, or before every turn (V2, V3). ``seated``: the first turn for which he gives orders.
    ``bot``: the program that plays in his place: a bot's name, ``module:Class``, or ``program:COMMAND``.
    ``absent_until``: he is away up to and including this turn: he is not reminded, and nobody waits for him."""

    realm: str
    zone: str = ""
    secret: str = ""
    key: str = ""
    status: str | None = None
    controller: str | None = None
    since: int | None = None
    seated: int = 1
    bot: str = ""
    absent_until: int | None = None

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where he gets his post; the first is the one that others are told."""
        return tuple(filter(None, [self.email] if isinstance(self.email, str) else self.email))

    @property
    def address(self) -> str:
        return next(iter(self.addresses), "")

    _zone = check_fields("zone")(staticmethod(lambda text: text and time_zone(text) and text))

    @check_whole
    def _provable(self) -> None:
        if not self.secret and not self.key:
            raise ValueError(f"realm {self.realm} needs a 'secret', from which each turn's key is made")

    def key_for(self, turn: int, *, short: bool = False) -> str:
        """What the realm's order file for a turn must say; ``short``: as an earlier version announced it."""
        return self.key or (short_key if short else make_key)(self.secret, self.realm, turn)


class Players(Value):
    """``players.yaml``, in the order of the file."""

    players: tuple[Player, ...]

    @check_fields("players")
    @staticmethod
    def _distinct(players: tuple[Player, ...]) -> tuple[Player, ...]:
        for realm, times in Counter(player.realm for player in players).items():
            if times > 1:
                raise ValueError(f"realm {realm} stands there twice")
        if len({player.key or player.secret for player in players}) < len(players):
            raise ValueError("two realms have the same key or secret")
        return players

    def of(self, realm: str) -> Player | None:
        return next((player for player in self.players if player.realm == realm), None)

    def standings(self, turn: int) -> dict[str, tuple[str | None, str | None]]:
        """Each realm's status and controller as the GM wants them before a turn."""
        return {each.realm: (each.status, each.controller) for each in self.players if each.since in (None, turn)}
