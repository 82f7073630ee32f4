"""What a turn depends on besides the position and the order files: the GM's decisions and what the post knew. They are
archived with the turn, so that it can be replayed years later."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from gm.core.codec import from_plain
from gm.core.sealing import Renewal
from gm.core.values import Value
from gm.store.formats import Format, JsonObject

AMENDMENTS = Format("list of amendments", 1)
WITHDRAWN = Format("record of a turn taken back", 1)


class Withdrawn(Value):
    """A turn that was taken back when its results were known, and is to be played again. ``kept``: its folder under
    ``undone``; ``renewed``: each time that this happened, oldest first."""

    kept: str
    renewed: tuple[Renewal, ...]

    @property
    def last(self) -> Renewal:
        return self.renewed[-1]


class Amendment(Value):
    """One correction of the position by the GM, in the game's own words, with his reason. It is public."""

    words: tuple[str, ...]
    why: str
    at: datetime


class Decisions(Value):
    """All of one turn. ``standings``: each realm's status and controller; ``contacts``: the address that an ambassador
    leaves; ``rejections``: (realm, what) taken out of a sheet; ``repeated``: whose orders stand from which earlier
    turn."""

    standings: Mapping[str, tuple[str | None, str | None]] = {}
    amendments: tuple[Amendment, ...] = ()
    contacts: Mapping[str, str] = {}
    late: tuple[str, ...] = ()
    rejections: tuple[tuple[str, str], ...] = ()
    repeated: Mapping[str, int] = {}
    bots: Mapping[str, str] = {}
    bot_troubles: Mapping[str, str] = {}
    languages: Mapping[str, str] = {}
    """In which language each realm's results were written; none: English."""
    programs: tuple[str, ...] = ()
    """The realms that a bot of the GM's choice plays."""
    day: str = ""
    """The day of the turn's deadline, ``2026-05-01``, for games whose end has a date."""


def decisions_of(record: JsonObject) -> Decisions:
    """What the GM had decided, from the record of a turn."""
    if "decisions" in record:
        return from_plain(record["decisions"], Decisions)
    rejections = tuple((realm, what) for realm, what in record.get("rejected", ()))
    return Decisions(late=tuple(record.get("late", ())), rejections=rejections)
