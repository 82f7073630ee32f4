"""What the reports of one turn are made from: everything known once the turn has run, and nothing read from disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from gm.core.diagnostics import Diagnostic
from gm.core.events import Event
from gm.core.records import Record, keyword_record
from gm.core.sealing import Proof
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.state import World


@keyword_record
class TurnRecord(Record):
    """One turn, played. ``before`` is the world it started from, ``after`` the world it made.

    ``sheets`` holds the order sheets that were carried out, ``diagnostics`` what the reader found in each realm's file
    (the errors are its refused orders, O7), ``set_aside`` what was wrong with files that could not be read at all,
    ``keys`` the players' keys for the next turn. ``deadline`` is the next deadline in words. ``proof``,
    ``next_seal``, ``tally`` and ``lines``: see :class:`gm.game.played.Played`.
    """

    game: str
    title: str
    before: World
    after: World
    events: tuple[Event, ...]
    rules: Rules
    atlas: Atlas
    sheets: Mapping[str, Orders] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)
    diagnostics: Mapping[str, tuple[Diagnostic, ...]] = field(default_factory=dict)
    set_aside: Mapping[str, tuple[Diagnostic, ...]] = field(default_factory=dict)
    deadline: str = ""
    proof: Proof | None = None
    next_seal: str = ""
    tally: Mapping[str, Any] = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    """The events as the log has them."""

    @property
    def turn(self) -> int:
        """The number of the turn that was played."""
        return self.after.turn

    def refused(self, realm: str) -> tuple[Diagnostic, ...]:
        """The orders in the realm's file that were refused one by one: they never came into the turn (O7)."""
        return tuple(each for each in self.diagnostics.get(realm, ()) if each.is_error)

    @property
    def players(self) -> tuple[str, ...]:
        """The realms that get results: all of the game, the defeated too, by code."""
        return tuple(sorted(self.after.realms))
