"""A simple bot with a plan: build, keep the home, feed its units, and go for cities that it can win."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from gm.game.values import View
from gm.games.conquest_structures.state import NEUTRAL, Conquest, Unit, free_popcap, is_immobile, strength

_WORTH = {"home": 9, "city": 7, "base": 4, "refinery": 6}
"""What a structure is worth to it, by kind."""


def marshal_lines(view: View) -> list[str]:
    """Builds, then one line for each group that goes somewhere. The units with most marks get supply first anyway."""
    plan = _Plan(view.state, view.table.rules, view.table.board, view.realm)
    lines = [*plan.builds(), *plan.moves()]
    return ["orders:", *(f"  - {line}" for line in lines)]


@dataclass
class _Plan:
    state: Conquest
    rules: Any
    board: Any
    code: str
    going: dict[str, int] = field(default_factory=dict)
    """The strength that is on its way to each structure."""

    def builds(self) -> Iterator[str]:
        """Units where danger or a goal is nearest: tanks while there is supply for them, else infantry."""
        free = free_popcap(self.state, self.code, self.rules)
        sources = sum(self.rules.kind_of(place).supply for place in self.state.owned_by(self.code))
        needs = sum(self.rules.units[unit.type].supply for unit in self.state.units_of(self.code))
        bases = [place for place in self.state.owned_by(self.code) if self.rules.kind_of(place).builds]
        bases.sort(key=lambda place: (-self._danger(place), self._way(place), place))
        for place in bases:
            while free > 0:
                # a lone tank starves: the first units are infantry
                heavy = free >= self.rules.units["tank"].popcap and sources - needs >= self.rules.units["tank"].supply
                kind = "tank" if heavy and self.state.units_of(self.code) else "infantry"
                if needs + self.rules.units[kind].supply > sources + 1:
                    return
                free -= self.rules.units[kind].popcap
                needs += self.rules.units[kind].supply
                yield f"Build 1 {kind}@{place}"

    def moves(self) -> Iterator[str]:
        """The strongest groups first, each to the best neighbour that it can hold against what stands next to it."""
        groups = [
            (place, [unit for unit in units if unit.owner == self.code and not is_immobile(unit, self.rules)])
            for place, units in self.state.occupied().items()
        ]
        groups.sort(key=lambda group: (-strength(group[1], self.rules), group[0]))
        for place, units in groups:
            if units:
                yield from self._group(place, units)

    def _group(self, place: str, units: list[Unit]) -> Iterator[str]:
        guard = self._guard(place, units)
        free = [unit for unit in units if unit not in guard]
        while free:
            best = max(
                ((self._gain(target, free), target) for target in self.board.neighbours(place)),
                key=lambda pair: (pair[0], pair[1]),
            )
            if best[0] <= 0:
                return
            target = best[1]
            sent = self._enough(target, free)
            self.going[target] = self.going.get(target, 0) + strength(sent, self.rules)
            yield f"{' + '.join(unit.id for unit in sent)} @ {place} > {target}"
            free = [unit for unit in free if unit not in sent]

    def _guard(self, place: str, units: list[Unit]) -> list[Unit]:
        """Who stays because strangers stand next door and the place is worth it."""
        danger = self._danger(place)
        if not danger or not self.rules.kind_of(place).victory:
            return []
        guard: list[Unit] = []
        for unit in sorted(units, key=lambda each: (strength([each], self.rules), each.number)):
            if strength(guard, self.rules) < danger:
                guard.append(unit)
        return guard if strength(guard, self.rules) >= danger else []

    def _danger(self, place: str) -> int:
        """The strength of strangers one step away."""
        return sum(
            strength((u for u in self.state.at(other) if u.owner not in (self.code, NEUTRAL)), self.rules)
            for other in self.board.neighbours(place)
        )

    def _held(self, place: str) -> int:
        return strength((unit for unit in self.state.at(place) if unit.owner != self.code), self.rules)

    def _gain(self, target: str, units: list[Unit]) -> float:
        """What it is worth to go to a neighbour; not above 0: rather stay."""
        mine = strength(units, self.rules) + self.going.get(target, 0)
        if self.state.owners[target] == self.code:
            # forward, to where there is something to take
            return 0.5 / (1 + self._way(target)) if self._way(target) < self._way(units[0].place) else 0
        if mine <= self._held(target) or self.going.get(target, 0) > self._held(target):
            return 0
        return _WORTH[self.rules.kind_name(target)] - 0.5 * self._held(target)

    def _enough(self, target: str, free: list[Unit]) -> list[Unit]:
        """As few as take an undefended place, all against somebody."""
        if self.state.owners[target] == self.code or self._held(target) or self._danger(target):
            return list(free)
        return sorted(free, key=lambda each: (strength([each], self.rules), each.number))[:1]

    def _way(self, place: str) -> int:
        """Steps to the nearest structure that is not its own; a large number when there is none."""
        seen, edge, steps = {place}, [place], 0
        while edge:
            if any(self.state.owners[each] != self.code for each in edge):
                return steps
            edge = [n for each in edge for n in self.board.neighbours(each) if n not in seen]
            edge = list(dict.fromkeys(edge))
            seen |= set(edge)
            steps += 1
        return 99
