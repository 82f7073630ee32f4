"""The planning of the bots of CONQUEST 0.0.2: guards, attacks, marches and builds.

A profile says how a bot values things and how far chance sways it; the dice are the bot's own, so that games
differ.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain

from gm.core.dice import Stream
from gm.core.values import Record
from gm.game.base.events import Written
from gm.game.values import GameData
from gm.games.conquest_structures.orders import Build, Item, Line, Move, Orders
from gm.games.conquest_structures.state import NEUTRAL, Conquest, Unit

NOWHERE = Written(0, 0, "")
FINE = 1000  # Chance sways by steps of a thousandth


class Temper(Record):
    """A bot's profile.

    ``worth``: that of each kind of structure; ``caution``: the part of the danger next door for which a guard
    stays, and how much more strength than the enemy's it sends in an attack; ``tanks``: how readily it builds
    them; ``whim``: how far chance changes its values.
    """

    worth: Mapping[str, float]
    caution: float
    tanks: float
    whim: float


class Plan:
    """One party's turn. ``free``: its units that can move and are neither sent nor on guard, by structure."""

    def __init__(self, table: GameData, state: Conquest, code: str, temper: Temper, dice: Stream) -> None:
        """Start a plan with all mobile units free."""
        self.rules = table.rules
        self.board = table.board
        self.state = state
        self.code = code
        self.temper = temper
        self.dice = dice
        self.free = {place: list(units) for place, units in state.mobile(code, self.rules).items()}
        self.sent: dict[tuple[str, str], list[Unit]] = {}
        self.whims = {place: self._swayed(self._worth(place)) for place in self.board.structures}

    def orders(self) -> Orders:
        """Return builds, attacks, guards, and a way forward for all others."""
        builds = tuple(self._builds())
        self._guard()
        self._attack()
        self._advance()
        moves = (_move(place, target, units) for (place, target), units in sorted(self.sent.items()))
        return Orders((*builds, *moves))

    # -- what things are worth -------------------------------------------------------------------------------

    def _swayed(self, value: float) -> float:
        return value * (1 + self.temper.whim * (self.dice.below(2 * FINE + 1) / FINE - 1))

    def _worth(self, place: str) -> float:
        return self.temper.worth[self.rules.kind_name(place)]

    def _strength(self, units: Iterable[Unit]) -> int:
        return sum(self.rules.units[unit.type].strength for unit in units)

    @cached_property
    def _standing(self) -> Mapping[str, Mapping[str, int]]:
        """The strength of each party in each structure."""
        strengths: dict[str, dict[str, int]] = {place: {} for place in self.board.structures}
        for unit in self.state.units.values():
            strength_of_party = strengths[unit.place]
            strength_of_party[unit.owner] = (
                strength_of_party.get(unit.owner, 0) + self.rules.units[unit.type].strength
            )
        return strengths

    def _held(self, place: str) -> int:
        """Return the strength of all other parties' units in a structure."""
        return sum(strength for owner, strength in self._standing[place].items() if owner != self.code)

    def _danger(self, place: str, without: str = "") -> int:
        """Return the greatest strength of another party next door."""
        near: dict[str, int] = {}
        for other in self.board.neighbours(place):
            if other != without:
                for owner, strength in self._standing[other].items():
                    if owner not in (self.code, NEUTRAL):
                        near[owner] = near.get(owner, 0) + strength
        return max(near.values(), default=0)

    @cached_property
    def _pull(self) -> Mapping[str, float]:
        """The value of each structure as a target of idle units, by structure; nearby targets count more."""
        goals = {place: self.whims[place] for place, owner in self.state.owners.items() if owner != self.code}
        pulls = {}
        for place in self.board.structures:
            far = self.board.steps[place]
            pulls[place] = max(
                (worth / (1 + far[goal]) ** 2 for goal, worth in goals.items() if goal in far), default=0.0
            )
        return pulls

    # -- who goes where --------------------------------------------------------------------------------------

    def _guard(self) -> None:
        """Reserve as many units in each valuable city or base as its danger demands."""
        for place in list(self.free):
            kind = self.rules.kind_of(place)
            needed = self._danger(place) * self.temper.caution if kind.victory or kind.builds else 0
            needed -= self._strength(unit for unit in self.state.at(place) if unit not in self.free[place])
            for unit in self._weakest_first(self.free[place]):
                if needed > 0:
                    self.free[place].remove(unit)
                    needed -= self._strength([unit])

    def _attack(self) -> None:
        """Attack the most valuable structures first, each with the fewest units that are expected to win.

        An own structure in danger is reinforced in the same way.
        """
        targets = set(chain.from_iterable(map(self.board.neighbours, self.free)))
        for target in sorted(targets, key=lambda target: (-self.whims[target], target)):
            is_own = self.state.owners[target] == self.code
            defence = self._held(target)
            danger = self._danger(target)
            own_strength = self._standing[target].get(self.code, 0)
            if is_own and danger <= own_strength:
                continue
            needed = max(
                1.0,
                danger - own_strength if is_own else defence + min(1, defence) + self.temper.caution * danger,
            )
            for place, unit in self._fewest(self._free_beside(target), needed):
                self._send(place, target, unit)

    def _free_beside(self, target: str) -> list[tuple[str, Unit]]:
        """Return the free units next to a structure, each with its place."""
        beside: list[tuple[str, Unit]] = []
        for place in self.board.neighbours(target):
            beside += ((place, unit) for unit in self.free.get(place, ()))
        return beside

    def _fewest(self, beside: list[tuple[str, Unit]], needed: float) -> list[tuple[str, Unit]]:
        """Return the fewest units with the ``needed`` strength.

        If one unit suffices it is the weakest that does, else the strongest are taken. It is empty if all
        together are too weak.
        """
        ranked = sorted(beside, key=lambda candidate: (self._strength([candidate[1]]), candidate[1].number))
        sufficient = [candidate for candidate in ranked if self._strength([candidate[1]]) >= needed]
        if sufficient:
            return sufficient[:1]
        chosen: list[tuple[str, Unit]] = []
        for candidate in reversed(ranked):
            chosen.append(candidate)
            if self._strength(unit for _, unit in chosen) >= needed:
                return chosen
        return []

    def _advance(self) -> None:
        """Send all other units towards the goals, through own structures; those of a place go together."""
        for place, units in list(self.free.items()):
            neighbours = [
                neighbour
                for neighbour in self.board.neighbours(place)
                if self.state.owners[neighbour] == self.code
            ]
            best_neighbour = max(neighbours, key=lambda way: (self._pull[way], way), default=place)
            if self._pull[best_neighbour] > self._pull[place]:
                for unit in list(units):
                    self._send(place, best_neighbour, unit)

    def _send(self, place: str, target: str, unit: Unit) -> None:
        self.free[place].remove(unit)
        self.sent.setdefault((place, target), []).append(unit)

    def _weakest_first(self, units: Iterable[Unit]) -> list[Unit]:
        return sorted(units, key=lambda unit: (self._strength([unit]), unit.number))

    # -- what is built ---------------------------------------------------------------------------------------

    def _builds(self) -> Iterator[Line]:
        """Yield builds where danger or a goal is nearest: tanks as long as supply lasts, else infantry."""
        _, _, free = self.state.capacity(self.code, self.rules)
        own = self.state.owned_by(self.code)
        units = self.state.units_of(self.code)
        spare = sum(self.rules.kind_of(place).supply for place in own)
        spare -= sum(self.rules.units[unit.type].supply for unit in units)
        bases = self.state.bases(self.code, self.rules)
        for place in sorted(
            bases, key=lambda base: (-self._danger(base), -self._swayed(self._pull[base]), base)
        ):
            while kind := self._kind(free, spare, len(units)):
                free -= self.rules.units[kind].popcap
                spare -= self.rules.units[kind].supply
                yield Build(NOWHERE, (Item(count=1, type=kind),), place)

    def _kind(self, free: int, spare: int, units: int) -> str:
        """Return the type to build next; empty if it would lack supply, or PopCap is saved for a tank."""
        tank = self.rules.units["tank"]
        infantry = self.rules.units["infantry"]
        readily = self.dice.below(FINE) < self.temper.tanks * FINE
        if units and readily and spare >= tank.supply:
            # one that does not fit yet is waited for
            return "tank" if free >= tank.popcap else ""
        return "infantry" if free >= infantry.popcap and spare + 1 >= infantry.supply else ""


def _move(place: str, target: str, units: Iterable[Unit]) -> Move:
    """Return the line by which units go from one structure to another."""
    return Move(NOWHERE, tuple(Item(number=unit.number) for unit in units), place, target)


def written(line: Line) -> str:
    """Return a line of a plan as it is written in a file."""
    if isinstance(line, Build):
        return f"Build {' + '.join(f'{item.count} {item.type}' for item in line.items)}@{line.place}"
    assert isinstance(line, Move)  # noqa: S101 - a plan has no others
    return f"{' + '.join(f'u{item.number}' for item in line.items)} @ {line.place} > {line.target}"
