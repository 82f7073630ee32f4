"""What is known of a turn once order files have been read and it has been played: what its reports are made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from gm.core.diagnostics import Counted, Diagnostic
from gm.core.event_lines import event_line
from gm.core.events import Event
from gm.core.records import Record, changed, keyword_record, record
from gm.core.sealing import Proof
from gm.store.formats import Record as StoredRecord


@record
class Reading(Counted, Record):
    """What came of reading one order file. ``sheet`` none: it is set aside whole (O7), and it proves no realm.

    ``standing`` is the last turn for which the same orders are given again while nothing newer comes; 0: none.
    """

    sheet: Any | None
    diagnostics: tuple[Diagnostic, ...] = ()
    realm: str = ""
    key: str = ""
    standing: int = 0


@keyword_record
class Played(Record):
    """A turn that was played, with all that its reports are made from.

    ``readings`` are the order files that stood, ``set_aside`` the findings about a realm's files that did not, ``keys``
    those for the next orders. ``proof`` is what is published of the turn's dice (none: a start or a rehearsal),
    ``next_seal`` of the next turn's. ``tally`` are the sums that the game carries on from turn to turn, this turn in.
    """

    game: str
    before: Any
    after: Any
    events: tuple[Event, ...]
    readings: Mapping[str, Reading] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)
    set_aside: Mapping[str, tuple[Diagnostic, ...]] = field(default_factory=dict)
    deadline: str = ""
    proof: Proof | None = None
    next_seal: str = ""
    tally: StoredRecord = field(default_factory=dict)
    languages: Mapping[str, str] = field(default_factory=dict)
    """In which language each party reads, by code; none: English."""
    programs: tuple[str, ...] = ()
    """The parties whose orders a bot writes."""
    lines: tuple[str, ...] = ()
    """The events as the log has them, a line for each, when its lines have been made (see :meth:`logged`)."""

    def logged(self) -> Played:
        """The same with the lines of its log."""
        return self if self.lines else changed(self, lines=tuple(map(event_line, self.events)))
