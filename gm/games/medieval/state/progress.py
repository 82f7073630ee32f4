"""What happened to units and provinces so far this turn. It is empty between turns and never in a snapshot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.core.values import Record, Value
from gm.games.medieval.state.realm import Pair


class OpenPlans(Record):
    """What was found of the plans of these order ``sheets`` (by realm), as far as they are ``settled``: the entries of
    each plan, and the first one left of those that have one."""

    sheets: tuple[tuple[str, Any], ...] = ()
    settled: Mapping[str, frozenset[int]] = {}
    entries: Mapping[str, tuple[Any, ...]] = {}
    heads: Mapping[str, Any] = {}


class UnitProgress(Value):
    """One unit's turn so far."""

    used: int = 0  # move-points used (P6)
    spent: bool = False  # all move-points used (P7)
    holds: int = 0
    acted_phase: int = 0  # the phase in which it last took a march, sail or hold entry: one a phase (O5)
    retreated: bool = False  # retreated from a battle this turn: it does nothing more (B9.2)
    boards: str | None = None  # the realm whose fleet may load it this turn (M2)
    came_from: str | None = None  # the place it was in before its last successful march or sail this turn (B9.1)
    marched_phase: int = 0  # the phase of that march or sail
    landed_phase: int = 0  # the phase in which it was unloaded onto a province that was enemy then (B5.2)
    landed: bool = False  # put ashore from a fleet this turn: it never retreats back to ships (B9.1)
    unloads: int = 0  # a fleet: in how many steps it has unloaded this turn (M8.1)
    loads_after_unload: int = 0  # a fleet: in how many steps it has loaded since its first unload (M8.1)
    homeless_phase: int | None = None
    """A fleet: the phase in which it was found homeless; 0 means before the phases began (M5)."""


class ProvinceProgress(Value):
    """One province's turn so far."""

    owner_at_start: str  # at the start of the turn (L4, L6)
    owner_last_phase: str  # at the end of the previous phase (P7, B2, B3)
    changed_owner: bool = False  # changed owner this turn: 2 to enter until the turn ends (P4)
    conquered: bool = False
    battle: bool = False
    pillaged: bool = False
    annexed: bool = False  # annexed this very turn: revenue from the next (L11)
    fortification_work: bool = False  # a paid fortification work was done (L8.1)


class TurnProgress(Value):
    """The turn so far. ``wars`` and ``alliances`` are those at its start (L15). ``units`` keeps the keys of units that
    are gone, so that nobody takes over their plan with their number."""

    units: Mapping[str, UnitProgress] = {}
    settled: Mapping[str, frozenset[int]] = {}
    """By plan (realm/reference as in the sheet): the indexes of its entries that are dealt with (O5, O6)."""
    provinces: Mapping[str, ProvinceProgress] = {}
    wars: frozenset[Pair] = frozenset()
    alliances: frozenset[Pair] = frozenset()
    skills: frozenset[tuple[str, str, str]] = frozenset()
    """(realm, commander, tactic) gained already: once a turn (B2, B11)."""
    workers: Mapping[str, int] = {}  # soldiers of a unit that have worked this turn (L8)
    awaited: frozenset[tuple[str, int, str]] = frozenset()
    """(realm, which of its orders to units, commander): leaders who were chosen and are still to come (F7)."""
    void: frozenset[str] = frozenset()  # realms whose order file a palace coup made void (F0)
    plans: OpenPlans | None = None  # the plans that are open; none: nobody has looked, or no longer as ``settled`` says
