"""Stages 1 and 2: PopCap and build (CS-7)."""

from __future__ import annotations

from gm.core.events import Event
from gm.core.pipeline import step
from gm.game.base.events import Fate, LineSettled, settled
from gm.games.conquest_structures.events import PopCapCounted, UnitsBuilt
from gm.games.conquest_structures.orders import Build
from gm.games.conquest_structures.rules import Rules
from gm.games.conquest_structures.state import Conquest, Unit, capacity, free_popcap
from gm.games.conquest_structures.turn import Outcome, Turn


@step("1 PopCap", "CS-7.1", "CS-7.2", "CS-7.3")
def popcap(turn: Turn) -> Outcome:
    """Each player's capacity against the cities that he owns and the units that he has, for himself to read.

    Reads: owners, units. Writes: nothing. Emits: PopCapCounted.
    """
    events = []
    for code in turn.state.living:
        allowed, used = capacity(turn.state, code, turn.rules)
        free = free_popcap(turn.state, code, turn.rules)
        events.append(PopCapCounted(audience=code, owner=code, allowed=allowed, used=used, free=free))
    return Outcome(turn.state, tuple(events))


@step("2 Build", "CS-7.4", "CS-7.5", "CS-7.6", "CS-4.4", "CS-4.6", "CS-6.2")
def build(turn: Turn) -> Outcome:
    """Builds are carried out as far as PopCap allows, unit by unit as they are written.

    Reads: owners, units, build lines. Writes: units. Emits: UnitsBuilt, LineSettled.
    """
    state, told, built = turn.state, [], []
    for code in state.living:
        free = free_popcap(turn.state, code, turn.rules)
        for line in turn.orders[code].lines if code in turn.orders else ():
            if not isinstance(line, Build):
                continue
            state, free, numbers, event = _build(state, turn.rules, code, line, free)
            told.append(event)
            if numbers:
                built.append(UnitsBuilt(owner=code, place=line.place, units=tuple(f"u{each}" for each in numbers)))
    events: list[Event] = [*sorted(built, key=lambda each: each.place), *told]
    return Outcome(state, tuple(events))


def _build(
    state: Conquest, rules: Rules, code: str, line: Build, free: int
) -> tuple[Conquest, int, list[int], LineSettled]:
    """(state, what is left free, the new units, the line's outcome)."""
    if not rules.kind_of(line.place).builds:
        return state, free, [], settled(code, line.written, Fate.FAILED, "no-base", place=line.place)
    if state.owners[line.place] != code:
        return state, free, [], settled(code, line.written, Fate.FAILED, "base-not-owned", place=line.place)
    started, needed, wanted = free, 0, 0
    numbers: list[int] = []
    units: list[Unit] = []
    for item in line.items:
        cost = rules.units[item.type].popcap
        wanted += item.count
        needed += item.count * cost
        # a unit that does not fit is passed over, later cheaper ones are still tried (CS-7.5)
        count = min(item.count, free // cost if cost else item.count)
        for _ in range(count):
            numbers.append(state.next_unit + len(units))
            units.append(Unit(number=numbers[-1], owner=code, type=item.type, place=line.place, built_now=True))
        free -= count * cost
    after = state.with_units(units).evolve(next_unit=state.next_unit + len(units)) if units else state
    if len(numbers) == wanted:
        return after, free, numbers, settled(code, line.written)
    fate, reason = (Fate.REDUCED, "popcap-for-some") if numbers else (Fate.FAILED, "no-popcap")
    return (
        after,
        free,
        numbers,
        settled(code, line.written, fate, reason, free=started, needs=needed, built=len(numbers), wanted=wanted),
    )
