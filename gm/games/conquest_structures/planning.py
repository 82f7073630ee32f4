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

NOWHERE = Written(0, 0, "")  # The place of lines that no file has
FINE = 1000  # Random factors are in steps of one part in so many


class Temper(Record):
    """A bot's profile."""

    worth: Mapping[str, float]  # Of a structure, by kind
    caution: float  # The part of an enemy's strength next door that a guard, or an attack besides, has
    tanks: float  # The probability that it builds a tank if it can
    whim: float  # The part of a value by which chance changes it at most, up or down


class Plan:
    """One party's plan for a turn."""

    def __init__(self, table: GameData, state: Conquest, code: str, temper: Temper, dice: Stream) -> None:
        """Start a plan in which all units that can move are free."""
        self.rules = table.rules
        self.board = table.board
        self.state = state
        self.code = code
        self.temper = temper
        self.dice = dice
        # the units that are neither sent nor on guard, by structure
        self.free = {place: list(units) for place, units in state.mobile(code, self.rules).items()}
        self.sent: dict[tuple[str, str], list[Unit]] = {}  # units by (start, target)
        self.worths = {place: self._swayed(self._worth(place)) for place in self.board.structures}

    def orders(self) -> Orders:
        """Return the builds and moves of the plan; units on guard have no order."""
        builds = tuple(self._builds())
        self._guard()
        self._attack()
        self._advance()
        moves = (_move(place, target, units) for (place, target), units in sorted(self.sent.items()))
        return Orders((*builds, *moves))

    # -- what things are worth -------------------------------------------------------------------------------

    def _swayed(self, value: float) -> float:
        """Return a value changed by chance, as far as the profile allows."""
        part = self.dice.below(2 * FINE + 1) / FINE - 1  # from -1 to 1
        return value * (1 + self.temper.whim * part)

    def _worth(self, place: str) -> float:
        return self.temper.worth[self.rules.kind_name(place)]

    def _strength(self, units: Iterable[Unit]) -> int:
        return sum(self.rules.units[unit.type].strength for unit in units)

    @cached_property
    def _strengths(self) -> Mapping[str, Mapping[str, int]]:
        """The strength of units by structure and party."""
        strengths: dict[str, dict[str, int]] = {place: {} for place in self.board.structures}
        for unit in self.state.units.values():
            strength_of_party = strengths[unit.place]
            strength_of_party[unit.owner] = (
                strength_of_party.get(unit.owner, 0) + self.rules.units[unit.type].strength
            )
        return strengths

    def _defence(self, place: str) -> int:
        """Return the strength of all other parties' units in a structure."""
        return sum(strength for owner, strength in self._strengths[place].items() if owner != self.code)

    def _danger(self, place: str) -> int:
        """Return the greatest strength that a single other player has next to a structure."""
        near: dict[str, int] = {}  # strength by party
        for other in self.board.neighbours(place):
            for owner, strength in self._strengths[other].items():
                if owner not in (self.code, NEUTRAL):
                    near[owner] = near.get(owner, 0) + strength
        return max(near.values(), default=0)

    @cached_property
    def _pull(self) -> Mapping[str, float]:
        """How much each structure attracts idle units, by structure: as much as its best goal does.

        Goals are the structures of others; they attract by their worth and their nearness.
        """
        owners = self.state.owners.items()
        goals = {place: self.worths[place] for place, owner in owners if owner != self.code}
        pulls = {}
        for place in self.board.structures:
            steps = self.board.steps[place]
            pulls[place] = max(
                (worth / (1 + steps[goal]) ** 2 for goal, worth in goals.items() if goal in steps),
                default=0.0,
            )
        return pulls

    # -- who goes where --------------------------------------------------------------------------------------

    def _guard(self) -> None:
        """Keep in each city, home or base as many units as its danger demands, the weakest first."""
        for place in list(self.free):
            kind = self.rules.kind_of(place)
            needed = self._danger(place) * self.temper.caution if kind.victory or kind.builds else 0
            # units that are not free stay anyway
            needed -= self._strength(unit for unit in self.state.at(place) if unit not in self.free[place])
            for unit in self._weakest_first(self.free[place]):
                if needed > 0:
                    self.free[place].remove(unit)
                    needed -= self._strength([unit])

    def _attack(self) -> None:
        """Send units into neighbouring structures, the most valuable first, each time as few as are needed.

        Into a structure of others as many as win; into an own one in danger as many as make it as strong as
        the enemy next door.
        """
        targets = set(chain.from_iterable(map(self.board.neighbours, self.free)))
        for target in sorted(targets, key=lambda target: (-self.worths[target], target)):
            is_own = self.state.owners[target] == self.code
            defence = self._defence(target)
            danger = self._danger(target)
            own_strength = self._strengths[target].get(self.code, 0)
            if is_own and danger <= own_strength:
                continue
            if is_own:
                needed = float(danger - own_strength)
            else:
                one_more = min(1, defence)  # equal strength does not win, except against nobody
                needed = defence + one_more + self.temper.caution * danger
            # at least one unit, also where nobody is
            for place, unit in self._fewest(self._free_beside(target), max(1.0, needed)):
                self._send(place, target, unit)

    def _free_beside(self, target: str) -> list[tuple[str, Unit]]:
        """Return (place, unit) for the free units next to a structure."""
        beside: list[tuple[str, Unit]] = []
        for place in self.board.neighbours(target):
            beside += ((place, unit) for unit in self.free.get(place, ()))
        return beside

    def _fewest(self, beside: list[tuple[str, Unit]], needed: float) -> list[tuple[str, Unit]]:
        """Return the fewest units of ``beside``, each with its place, that have the ``needed`` strength.

        If one unit suffices it is the weakest that does, else they are the strongest. None are returned if
        all together are too weak.
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
        """Send the free units of each place together to the own neighbour with the strongest pull.

        They stay where no neighbour pulls more strongly than the place itself.
        """
        for place, units in list(self.free.items()):
            neighbours = [
                neighbour
                for neighbour in self.board.neighbours(place)
                if self.state.owners[neighbour] == self.code
            ]
            best_neighbour = max(neighbours, key=lambda other: (self._pull[other], other), default=place)
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
        """Yield builds of single units, in the bases in most danger first, then in those that attract most.

        A unit uses up the PopCap that is ``free``, and the supply that is ``spare``.
        """
        _, _, free = self.state.capacity(self.code, self.rules)
        own = self.state.owned_by(self.code)
        units = self.state.units_of(self.code)
        spare = sum(self.rules.kind_of(place).supply for place in own)
        spare -= sum(self.rules.units[unit.type].supply for unit in units)
        bases = self.state.bases(self.code, self.rules)
        for place in sorted(
            bases, key=lambda base: (-self._danger(base), -self._swayed(self._pull[base]), base)
        ):
            while kind := self._type_to_build(free, spare, len(units)):
                free -= self.rules.units[kind].popcap
                spare -= self.rules.units[kind].supply
                yield Build(NOWHERE, (Item(count=1, type=kind),), place)

    def _type_to_build(self, free: int, spare: int, unit_count: int) -> str:
        """Return the type to build next; empty if PopCap or supply does not suffice, or is saved for a tank.

        ``unit_count``: the number of the party's units: without any it builds no tank.
        """
        tank = self.rules.units["tank"]
        infantry = self.rules.units["infantry"]
        wants_tank = self.dice.below(FINE) < self.temper.tanks * FINE
        if unit_count and wants_tank and spare >= tank.supply:
            # if PopCap does not suffice yet, it is saved until it does
            return "tank" if free >= tank.popcap else ""
        # one point of supply may be lacking for infantry
        return "infantry" if free >= infantry.popcap and spare + 1 >= infantry.supply else ""


def _move(place: str, target: str, units: Iterable[Unit]) -> Move:
    """Return the line that sends units from one structure to another."""
    return Move(NOWHERE, tuple(Item(number=unit.number) for unit in units), place, target)


def written(line: Line) -> str:
    """Return a line of a plan as it is written in a file."""
    if isinstance(line, Build):
        return f"Build {' + '.join(f'{item.count} {item.type}' for item in line.items)}@{line.place}"
    assert isinstance(line, Move)  # noqa: S101 - a plan has no others
    return f"{' + '.join(f'u{item.number}' for item in line.items)} @ {line.place} > {line.target}"
