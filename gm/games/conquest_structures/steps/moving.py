"""Stage 3: units are claimed by lines and set out (CS-6.4 to CS-6.10, CS-8)."""

from __future__ import annotations

from collections.abc import Iterable

from gm.core.events import Event
from gm.core.pipeline import step
from gm.core.values import FrozenMap
from gm.game.base.events import Fate, LineSettled, settled
from gm.games.conquest_structures.board import place_rank
from gm.games.conquest_structures.events import SetOut
from gm.games.conquest_structures.orders import Hold, Item, Move
from gm.games.conquest_structures.state import Unit, is_immobile
from gm.games.conquest_structures.turn import Outcome, Turn


@step("3 Movement", "CS-8.1", "CS-8.2", "CS-8.3", "CS-6.3", "CS-6.4", "CS-6.5", "CS-6.8", "CS-7.7")
def movement(turn: Turn) -> Outcome:
    """Each unit takes the first line that claims it; all moves start at once, and nobody has arrived yet.

    Reads: units, links, hold and move lines. Writes: ordered, origin and target of units, sent. Emits: SetOut and, of
    lines by which nobody sets out, LineSettled; the others are settled when it is known who arrived.
    """
    state = turn.state
    events: list[Event] = []
    for code in state.living:
        claims = _Claims(turn, code)
        for number, line in enumerate(turn.orders[code].lines if code in turn.orders else ()):
            if isinstance(line, Hold | Move):
                told = claims.take(line, number)
                events += [told] if told is not None else []
        state = state.with_units(claims.claimed.values()).evolve(sent=FrozenMap({**state.sent, **claims.sent}))
    return Outcome(state, (*_set_out(state.units.values()), *events))


def _set_out(units: Iterable[Unit]) -> list[SetOut]:
    groups: dict[tuple[str, str, str], list[str]] = {}
    for unit in units:
        if unit.target is not None:
            groups.setdefault((unit.place, unit.target, unit.owner), []).append(unit.id)
    keys = sorted(groups, key=lambda key: (place_rank(key[0]), place_rank(key[1])))
    return [SetOut(owner=key[2], units=tuple(groups[key]), place=key[0], target=key[1]) for key in keys]


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
        refusal = self._why_not(line)
        if refusal is not None:
            return settled(self._code, line.written, Fate.FAILED, refusal[0], **refusal[1])
        free = self._free(line)
        found, lacking = self._chosen(line.items, free) if line.items else (free, 0)
        if not found:
            return settled(self._code, line.written, Fate.FAILED, *self._nobody(line))
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

    def _why_not(self, line: Hold | Move) -> tuple[str, dict[str, object]] | None:
        """Why the line as a whole makes no sense now (CS-14.5, CS-14.6)."""
        if not any(unit.place == line.place for unit in self._own.values()):
            return "no-units-there", {"place": line.place}
        if isinstance(line, Move) and not self._turn.board.linked(line.place, line.target):
            neighbours = self._turn.board.neighbours(line.place)
            return "not-adjacent", {"place": line.place, "target": line.target, "neighbours": neighbours}
        for item in line.items:
            unit = self._own.get(item.number)
            if item.number and (unit is None or unit.place != line.place):
                return "unit-not-there", {"unit": f"u{item.number}", "place": line.place}
        return None

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
            if item.number:
                fitting, wanted = [unit for unit in rest if unit.number == item.number], 1
            else:
                fitting, wanted = [unit for unit in rest if unit.type == item.type][: item.count], item.count
            lacking += wanted - len(fitting)
            found += fitting
            rest = [unit for unit in rest if unit not in fitting]
        return found, lacking

    def _nobody(self, line: Hold | Move) -> tuple[str]:
        """The reason why none of the units there can be claimed."""
        here = [unit for unit in self._own.values() if unit.place == line.place]
        if line.items:
            numbers = {item.number for item in line.items if item.number}
            types = {item.type for item in line.items if item.type}
            here = [unit for unit in here if unit.number in numbers or unit.type in types]
        if not here:
            return ("no-such-units",)
        if all(unit.number in self.claimed for unit in here):
            return ("already-ordered",)
        if all(unit.built_now for unit in here if unit.number not in self.claimed):
            return ("built-this-turn",)
        return ("immobile",)
