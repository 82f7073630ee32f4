"""Computer players of CONQUEST 0.0.2: one with a plan, one that orders by chance."""

from collections.abc import Iterable, Iterator, Mapping

from gm.core.dice import Dice
from gm.game.bots import BaseBot
from gm.game.values import Bot, View
from gm.games.conquest_structures.rules import Board, Rules
from gm.games.conquest_structures.state import NEUTRAL, Conquest, Unit, strength

_WORTH = {"home": 9, "city": 7, "base": 4, "refinery": 6}  # What a structure is worth to the marshal, by kind


def marshal_lines(view: View) -> list[str]:
    """Builds, then one line for each group that goes somewhere. The units with most marks get supply first anyway."""
    plan = _Plan(view)
    return ["orders:", *(f"  - {line}" for line in (*plan.builds(), *plan.moves()))]


class _Plan:
    """The marshal's: build, keep the home, feed its units, and go for cities that it can win. ``going``: the strength
    that is on its way to each structure."""

    def __init__(self, view: View) -> None:
        self.state: Conquest = view.state
        self.rules: Rules = view.table.rules
        self.board: Board = view.table.board
        self.code = view.realm
        self.going: dict[str, int] = {}

    def builds(self) -> Iterator[str]:
        """Units where danger or a goal is nearest: tanks while there is supply for them, else infantry."""
        _, _, free = self.state.capacity(self.code, self.rules)
        own, units = self.state.owned_by(self.code), self.state.units_of(self.code)
        sources = sum(self.rules.kind_of(place).supply for place in own)
        needs = sum(self.rules.units[unit.type].supply for unit in units)
        bases = self.state.bases(self.code, self.rules)
        tank = self.rules.units["tank"]
        for place in sorted(bases, key=lambda place: (-self._danger(place), self._way(place), place)):
            while free > 0:
                # a lone tank starves: the first units are infantry
                heavy = free >= tank.popcap and sources - needs >= tank.supply
                kind = "tank" if heavy and units else "infantry"
                if needs + self.rules.units[kind].supply > sources + 1:
                    return
                free -= self.rules.units[kind].popcap
                needs += self.rules.units[kind].supply
                yield f"Build 1 {kind}@{place}"

    def moves(self) -> Iterator[str]:
        """The strongest groups first, each to the best neighbour that it can hold against what stands next to it."""
        groups = self.state.mobile(self.code, self.rules).items()
        for place, units in sorted(groups, key=lambda group: (-self._strength(group[1]), group[0])):
            guard = self._guard(place, units)
            free = [unit for unit in units if unit not in guard]
            while free:
                gain, target = max((self._gain(target, free), target) for target in self.board.neighbours(place))
                if gain <= 0:
                    break
                # as few as take an undefended place, all against somebody
                alone = self.state.owners[target] != self.code and not self._held(target) and not self._danger(target)
                sent = self._weakest_first(free)[:1] if alone else free
                self.going[target] = self.going.get(target, 0) + self._strength(sent)
                yield f"{' + '.join(unit.id for unit in sent)} @ {place} > {target}"
                free = [unit for unit in free if unit not in sent]

    def _strength(self, units: Iterable[Unit]) -> int:
        return strength(units, self.rules)

    def _weakest_first(self, units: Iterable[Unit]) -> list[Unit]:
        return sorted(units, key=lambda each: (self._strength([each]), each.number))

    def _guard(self, place: str, units: Iterable[Unit]) -> list[Unit]:
        """Who stays because strangers stand next door and the place is worth it."""
        danger = self._danger(place)
        guard: list[Unit] = []
        for unit in self._weakest_first(units) if self.rules.kind_of(place).victory else ():
            if self._strength(guard) < danger:
                guard.append(unit)
        return guard if self._strength(guard) >= danger else []

    def _danger(self, place: str) -> int:
        """The strength of strangers one step away."""
        near = (unit for other in self.board.neighbours(place) for unit in self.state.at(other))
        return self._strength(unit for unit in near if unit.owner not in (self.code, NEUTRAL))

    def _held(self, place: str) -> int:
        return self._strength(unit for unit in self.state.at(place) if unit.owner != self.code)

    def _gain(self, target: str, units: list[Unit]) -> float:
        """What it is worth to go to a neighbour; not above 0: rather stay."""
        held, going = self._held(target), self.going.get(target, 0)
        if self.state.owners[target] == self.code:
            # forward, to where there is something to take
            way = self._way(target)
            return 0.5 / (1 + way) if way < self._way(units[0].place) else 0
        if self._strength(units) + going <= held or going > held:
            return 0
        return _WORTH[self.rules.kind_name(target)] - 0.5 * held

    def _way(self, place: str) -> int:
        """Steps to the nearest structure that is not its own; a large number when there is none."""
        steps = self.board.graph.steps_from(place)
        return min((far for other, far in steps.items() if self.state.owners[other] != self.code), default=99)


def random_lines(view: View) -> list[str]:
    """Each base builds something or nothing; each unit goes to a neighbour or holds."""
    state, rules, board = view.state, view.table.rules, view.table.board
    dice = Dice(view.seed, "wanderer")
    lines = []
    for place in state.bases(view.realm, rules):
        if kind := dice("build", place).choice([*rules.units, ""]):
            lines.append(f"  - Build {1 + dice('count', place).below(2)} {kind}@{place}")
    for unit in state.units_of(view.realm):
        ways = () if unit.immobile(rules) else ("", *board.neighbours(unit.place))
        if ways and (target := dice("move", unit.id).choice(ways)):
            lines.append(f"  - {unit.id} @ {unit.place} > {target}")
    wishes = [f"  - {unit.id}" for unit in state.units_of(view.realm) if dice("wish", unit.id).below(3) == 0]
    return ["orders:", *lines, *(["supply_priority:", *wishes] if wishes else [])]


_MARSHAL = "builds what it can, guards its home, takes the nearest city that it can win"
BOTS: Mapping[str, Bot] = {
    "marshal": BaseBot("marshal", _MARSHAL, marshal_lines),
    "random": BaseBot("random", "builds and moves by chance", random_lines),
}
