"""Moments and times in words, and in the local time of a zone."""

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from gm.core.diagnostics import joined, said, says
from gm.text.languages import Translate
from gm.text.words import Said


def time_zone(name: str) -> tzinfo:
    """Return the time zone of this name. Raises ``ValueError`` when the system knows none."""
    if name.upper() == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(
            says("no time zone is called {0!r}; examples: UTC, Europe/Minsk, America/New_York", name)
        ) from None


def fixed(moment: datetime, zone: str) -> datetime:
    """Return a moment in a zone's local time, with the zone's offset at that moment as a fixed one."""
    local_time = moment.astimezone(time_zone(zone))
    return local_time.astimezone(timezone(local_time.utcoffset() or timedelta(0)))


def local_moment(shown: datetime, zone: str) -> datetime:
    """Return the moment at which clocks in a zone show a time, with a fixed offset.

    Of two such moments it is the later one. The offset is fixed because Python compares datetimes of one zone
    by clock time, which is wrong when clocks change between them.
    """
    moments = (shown.replace(tzinfo=time_zone(zone), fold=fold) for fold in (0, 1))
    return fixed(max(moments, key=datetime.timestamp), zone)


def clock(moment: datetime, zone: str, translate: Translate = str) -> str:
    """Return a moment in words: ``Friday 2026-01-09 20:00 UTC``."""
    local_time = fixed(moment, zone)
    return f"{translate(f'{local_time:%A}')} {local_time:%Y-%m-%d %H:%M} {zone}"


def due_in_words(words: str, translate: Translate) -> str:
    """Return a moment in words (:func:`clock`) with its English day of the week translated.

    A text of one word, or none, is returned as it is.
    """
    day, _, moment = words.partition(" ")
    return f"{translate(day)} {moment}" if moment else words


def time_left(left: timedelta, translate: Translate = str) -> str:
    """Return in words how long it is until a moment, or since it if ``left`` is negative.

    For example ``in 2 days 3 hours``, ``passed 4 minutes ago``.
    """
    has_passed = left < timedelta(0)
    pattern = translate("passed {0} ago" if has_passed else "in {0}")
    return pattern.format(said(span(left), translate))


_UNITS = (says("{0:day}"), says("{0:hour}"), says("{0:minute}"))


def span(time: timedelta) -> str:
    """Return the length of a time as a message, in its two largest units: ``2 days 3 hours``."""
    length = abs(time)
    counts = (length.days, length.seconds // 3600, length.seconds // 60 % 60)
    units = [*zip(counts, _UNITS, strict=True)]
    # the largest unit that there is; minutes if all are 0
    first = next((index for index, (count, _) in enumerate(units) if count), 2)
    words = [says(unit.pattern, Said(count)) for count, unit in units[first : first + 2] if count]
    return joined(words, " ") if words else says("less than a minute")


@cache
def due_moment(words: str) -> str:
    """Return in ISO format the moment that a deadline's words name: ``Sunday 2026-12-27 20:00 UTC``.

    Empty if they name none.
    """
    match = re.fullmatch(r"\w+ (?P<time>\d{4}-\d\d-\d\d \d\d:\d\d) (?P<zone>\S+)", words)
    if match is None:
        return ""
    moment = local_moment(datetime.fromisoformat(match["time"]), match["zone"])
    return moment.isoformat(timespec="minutes")
