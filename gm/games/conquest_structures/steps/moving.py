"""Stages 1 to 3: PopCap, build, and units that are claimed by lines and set out (CS-6 to CS-8)."""

from __future__ import annotations

from collections.abc import Iterable

from gm.core.events import Event
from gm.core.pipeline import step
from gm.game.base.events import Fate, LineSettled, settled
from gm.games.conquest_structures.events import PopCapCounted, SetOut, UnitsBuilt
from gm.games.conquest_structures.orders import Build, Hold, Item, Move, Outcome, Turn, lines_of
from gm.games.conquest_structures.rules import Rules, place_rank
from gm.games.conquest_structures.state import Conquest, Unit, is_immobile


@step("1 PopCap", "CS-7.1", "CS-7.2", "CS-7.3")
def popcap(turn: Turn) -> Outcome:
    """Each player's capacity against the cities that he owns and the units that he has, for himself to read.
    Reads: owners, units. Writes: nothing. Emits: PopCapCounted."""
    events = []
    for code in turn.state.living:
        allowed, used = turn.state.capacity(code, turn.rules)
        free = turn.state.free_popcap(code, turn.rules)
        events.append(PopCapCounted(audience=code, owner=code, allowed=allowed, used=used, free=free))
    return Outcome(turn.state, tuple(events))


@step("2 Build", "CS-7.4", "CS-7.5", "CS-7.6", "CS-4.4", "CS-4.6", "CS-6.2")
def build(turn: Turn) -> Outcome:
    """Builds are carried out as far as PopCap allows, unit by unit as they are written.
    Reads: owners, units, build lines. Writes: units. Emits: UnitsBuilt, LineSettled."""
    state = turn.state
    built: list[UnitsBuilt] = []
    outcomes: list[LineSettled] = []
    for code in state.living:
        free = turn.state.free_popcap(code, turn.rules)
        for line in lines_of(turn, code):
            if not isinstance(line, Build):
                continue
            units, outcome = _build(state, turn.rules, code, line, free)
            outcomes.append(outcome)
            if units:
                free -= sum(turn.rules.units[unit.type].popcap for unit in units)
                state = state.with_units(units).evolve(next_unit=state.next_unit + len(units))
                built.append(UnitsBuilt(owner=code, place=line.place, units=tuple(unit.id for unit in units)))
    events: list[Event] = [*sorted(built, key=lambda each: each.place), *outcomes]
    return Outcome(state, tuple(events))


def _build(state: Conquest, rules: Rules, code: str, line: Build, free: int) -> tuple[list[Unit], LineSettled]:
    """(the new units, the line's outcome). ``free``: the PopCap that is left."""
    if not rules.kind_of(line.place).builds:
        return [], settled(code, line.written, Fate.FAILED, "no-base", place=line.place)
    if state.owners[line.place] != code:
        return [], settled(code, line.written, Fate.FAILED, "base-not-owned", place=line.place)
    types: list[str] = []
    left = free
    for item in line.items:
        cost = rules.units[item.type].popcap
        # a unit that does not fit is passed over, later cheaper ones are still tried (CS-7.5)
        count = min(item.count, left // cost if cost else item.count)
        types += [item.type] * count
        left -= count * cost
    units = [
        Unit(number=number, owner=code, type=kind, place=line.place, built_now=True)
        for number, kind in enumerate(types, state.next_unit)
    ]
    wanted = sum(item.count for item in line.items)
    if len(units) == wanted:
        return units, settled(code, line.written)
    needs = sum(item.count * rules.units[item.type].popcap for item in line.items)
    fate, reason = (Fate.REDUCED, "popcap-for-some") if units else (Fate.FAILED, "no-popcap")
    figures = {"free": free, "needs": needs, "built": len(units), "wanted": wanted}
    return units, settled(code, line.written, fate, reason, **figures)


@step("3 Movement", "CS-8.1", "CS-8.2", "CS-8.3", "CS-6.3", "CS-6.4", "CS-6.5", "CS-6.8", "CS-7.7")
def movement(turn: Turn) -> Outcome:
    """Each unit takes the first line that claims it; all moves start at once, and nobody has arrived yet.
    Reads: units, links, hold and move lines. Writes: ordered, origin and target of units, sent. Emits: SetOut and, of
    lines by which nobody sets out, LineSettled; the others are settled when it is known who arrived."""
    state = turn.state
    outcomes: list[Event] = []
    for code in state.living:
        claims = _Claims(turn, code)
        for number, line in enumerate(lines_of(turn, code)):
            if isinstance(line, Hold | Move) and (outcome := claims.take(line, number)):
                outcomes.append(outcome)
        state = state.with_units(claims.claimed.values()).evolve(sent={**state.sent, **claims.sent})
    groups: dict[tuple[str, str, str], list[str]] = {}
    for unit in state.units.values():
        if unit.target is not None:
            groups.setdefault((unit.place, unit.target, unit.owner), []).append(unit.id)
    keys = sorted(groups, key=lambda key: (place_rank(key[0]), place_rank(key[1])))
    set_out = [SetOut(owner=key[2], units=tuple(groups[key]), place=key[0], target=key[1]) for key in keys]
    return Outcome(state, (*set_out, *outcomes))


class _Claims:
    """The units of one player as his lines take them, from top to bottom (CS-6.8)."""

    def __init__(self, turn: Turn, code: str) -> None:
        self._turn = turn
        self._code = code
        self._own = {unit.number: unit for unit in turn.state.units_of(code)}
        self.claimed: dict[int, Unit] = {}
        self.sent: dict[str, tuple[int, ...]] = {}

    def take(self, line: Hold | Move, number: int) -> LineSettled | None:
        """Let a line claim what it names; its outcome, none while its units are on their way."""
        reason, figures = self._why_not(line)
        free = self._free(line)
        found, lacking = self._chosen(line.items, free) if line.items else (free, 0)
        if not reason and not found:
            reason = self._why_nobody(line)
        if reason:
            return settled(self._code, line.written, Fate.FAILED, reason, **figures)
        for unit in found:
            heading = {"origin": unit.place, "target": line.target} if isinstance(line, Move) else {}
            self.claimed[unit.number] = unit.evolve(ordered=True, **heading)
        if isinstance(line, Move):
            self.sent[f"{self._code} {number}"] = tuple(unit.number for unit in found)
            return None
        if lacking:
            figures = {"moved": len(found), "wanted": len(found) + lacking}
            return settled(self._code, line.written, Fate.REDUCED, "fewer-units", **figures)
        return settled(self._code, line.written)

    def _why_not(self, line: Hold | Move) -> tuple[str, dict[str, object]]:
        """Why the line as a whole makes no sense now (CS-14.5, CS-14.6): a reason, empty for none, and its figures."""
        if not any(unit.place == line.place for unit in self._own.values()):
            return "no-units-there", {"place": line.place}
        if isinstance(line, Move) and not self._turn.board.graph.borders(line.place, line.target):
            neighbours = self._turn.board.neighbours(line.place)
            return "not-adjacent", {"place": line.place, "target": line.target, "neighbours": neighbours}
        for item in line.items:
            unit = self._own.get(item.number)
            if item.number and (unit is None or unit.place != line.place):
                return "unit-not-there", {"unit": f"u{item.number}", "place": line.place}
        return "", {}

    def _free(self, line: Hold | Move) -> list[Unit]:
        """The units at the line's place that it may claim, the fittest first (CS-6.9)."""
        moves = isinstance(line, Move)
        found = [
            unit
            for unit in self._own.values()
            if unit.place == line.place
            and unit.number not in self.claimed
            and not (moves and (unit.built_now or is_immobile(unit, self._turn.rules)))
        ]
        return sorted(found, key=lambda unit: (unit.marks, unit.number))

    def _chosen(self, items: Iterable[Item], free: list[Unit]) -> tuple[list[Unit], int]:
        """(the units that the items name, how many are lacking) (CS-6.10)."""
        rest, found, lacking = list(free), [], 0
        # who is called by name is taken before a count takes anybody
        for item in sorted(items, key=lambda each: not each.number):
            wanted = 1 if item.number else item.count
            fitting = [unit for unit in rest if item.number in (0, unit.number) and item.type in ("", unit.type)][
                :wanted
            ]
            lacking += wanted - len(fitting)
            found += fitting
            rest = [unit for unit in rest if unit not in fitting]
        return found, lacking

    def _why_nobody(self, line: Hold | Move) -> str:
        """The reason why none of the units there can be claimed."""
        here = [unit for unit in self._own.values() if unit.place == line.place]
        if line.items:
            numbers, types = {item.number for item in line.items}, {item.type for item in line.items}
            here = [unit for unit in here if unit.number in numbers or unit.type in types]
        unclaimed = [unit for unit in here if unit.number not in self.claimed]
        if not here:
            return "no-such-units"
        if not unclaimed:
            return "already-ordered"
        return "built-this-turn" if all(unit.built_now for unit in unclaimed) else "immobile"
