"""What is known of a turn once order files have been read and it has been played: what its reports are made from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.core.codec import event_line
from gm.core.diagnostics import Counted, Diagnostic
from gm.core.events import Event
from gm.core.sealing import Proof
from gm.core.values import Record
from gm.store.formats import JsonObject


class ReadOrders(Counted, Record):
    """One order file, read. ``sheet`` none: it is set aside whole (O7), and it proves no realm. ``standing``: the last
    turn for which it is repeated while nothing newer comes; 0: none."""

    sheet: Any | None
    diagnostics: tuple[Diagnostic, ...] = ()
    realm: str = ""
    key: str = ""
    standing: int = 0


class TurnResult(Record, kw_only=True):
    """A turn that was played, with all that its reports are made from. ``readings``: the order files that stood;
    ``set_aside``: the findings about files that did not; ``keys`` and ``deadline``: of the next orders; ``proof``: of
    the turn's dice (none: a start or a rehearsal); ``tally``: the sums that the game carries on, this turn in."""

    game: str
    before: Any
    after: Any
    events: tuple[Event, ...]
    readings: Mapping[str, ReadOrders] = {}
    keys: Mapping[str, str] = {}
    set_aside: Mapping[str, tuple[Diagnostic, ...]] = {}
    deadline: str = ""
    proof: Proof | None = None
    next_seal: str = ""
    tally: JsonObject = {}  # noqa: RUF012
    languages: Mapping[str, str] = {}
    """In which language each party reads, by code; none: English."""
    programs: tuple[str, ...] = ()
    """The parties whose orders a bot writes."""
    lines: tuple[str, ...] = ()
    """The events as the log has them, a line for each, when its lines have been made (see :meth:`logged`)."""

    @property
    def turn(self) -> int:
        """The number of the turn that was played; 0: the start."""
        return int(self.after.turn)

    @property
    def sheets(self) -> dict[str, Any]:
        """The orders that were carried out, by party."""
        return {code: each.sheet for code, each in self.readings.items() if each.sheet is not None}

    def findings(self, party: str) -> tuple[Diagnostic, ...]:
        """What the reader of the party's order file could not take as it was, and what it remarked."""
        reading = self.readings.get(party)
        return reading.diagnostics if reading is not None else ()

    def refused(self, party: str) -> tuple[Diagnostic, ...]:
        """The orders in the party's file that never came into the turn (O7)."""
        return tuple(each for each in self.findings(party) if each.is_error)

    def logged(self) -> TurnResult:
        """The same with the lines of its log."""
        return self if self.lines else self.evolve(lines=tuple(map(event_line, self.events)))
