"""The state of CONQUEST 0.0.2 (CS-3): players, structures with their owners, units."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, Self

from gm.core.diagnostics import says
from gm.core.values import Value
from gm.game.base.position import Party, Position
from gm.games.conquest_structures.rules import Board, Rules, Settings, place_rank

NEUTRAL = "NEUTRAL"  # The owner of structures and units that no player has (CS-3.3, CS-9.18)


class Player(Party):
    """CS-3.2. ``home`` is the city that the player began with (CS-4.5)."""

    home: str


class Unit(Value):
    """CS-3.4, CS-3.5: a unit.

    ``number``: that of its id, ``u1``; ``owner``: a party's code, or ``NEUTRAL``; ``place``: the structure
    that it is in; ``came_from``: the structure from which it last came to its place. The fields after
    ``marks`` count within a turn only. ``left``: the structures that it was bumped out of, or could not
    enter; ``origin``: the structure that it set out from, if it was ordered to move; ``target``: where it
    goes, until it is there.
    """

    number: int
    owner: str
    type: str
    place: str
    came_from: str | None = None
    marks: int = 0
    # These count within a turn only
    built_now: bool = False
    ordered: bool = False  # A line has claimed it
    bumped: bool = False
    unsupplied: bool = False
    left: tuple[str, ...] = ()
    origin: str | None = None
    target: str | None = None

    @property
    def id(self) -> str:
        """The unit's id, ``u7``."""
        return f"u{self.number}"

    @property
    def defends(self) -> bool:
        """Whether it defends: it was not ordered to move, and was not bumped this turn (CS-9.7, CS-9.8)."""
        return self.origin is None and not self.bumped

    def rested(self) -> Self:
        """Return the unit without what counts within a turn only; ``unsupplied`` stays."""
        return self.evolve(built_now=False, ordered=False, bumped=False, left=(), origin=None, target=None)

    def immobile(self, rules: Rules) -> bool:
        """Return whether the unit has enough marks to be immobile (CS-11.1, CS-11.3)."""
        return self.marks >= rules.marks.immobile_at


class Conquest(Position):
    """The game (CS-3.1).

    ``owners``: a party's code or ``NEUTRAL`` for every structure; ``units``: by number, in that order;
    ``next_unit``: the number of the next new unit, so that none is used twice (CS-3.4). ``sent`` counts
    within a turn only.
    """

    parties: Mapping[str, Player]
    settings: Settings
    owners: Mapping[str, str]
    units: Mapping[int, Unit] = {}
    next_unit: int = 1
    # The numbers of the units that a line sent out, by its name (``Workspace.lines``)
    sent: Mapping[str, tuple[int, ...]] = {}

    def with_units(self, changed: Iterable[Unit], gone: Iterable[int] = ()) -> Self:
        """Return the state with new or ``changed`` units, and without those of the numbers ``gone``."""
        # new units have the highest numbers and come last, so that the order by number stays
        units = {**self.units, **{unit.number: unit for unit in changed}}
        for number in gone:
            units.pop(number, None)
        return self.evolve(units=units)

    def with_new(self, place: str, types: Sequence[str], **more: Any) -> Self:
        """Return the state with a new unit of each of ``types`` in a structure, for its owner.

        ``more``: other fields of the units.
        """
        owner = self.owners[place]
        numbered = enumerate(types, self.next_unit)
        new_units = (
            Unit(number=number, owner=owner, type=kind, place=place, **more) for number, kind in numbered
        )
        return self.with_units(new_units).evolve(next_unit=self.next_unit + len(types))

    def with_owners(self, changed: Mapping[str, str]) -> Self:
        """Return the state with other owners of some structures; ``changed``: the owners by structure."""
        return self.evolve(owners={**self.owners, **changed}) if changed else self

    def capacity(self, owner: str, rules: Rules) -> tuple[int, int, int]:
        """Return (allowed, used, free) for a player's PopCap (CS-7.1 to CS-7.3).

        The free part can be built with, and is never below 0.
        """
        allowed = sum(rules.kind_of(place).popcap for place in self.owned_by(owner))
        used = sum(rules.units[unit.type].popcap for unit in self.units_of(owner))
        return allowed, used, max(0, allowed - used)

    def bases(self, owner: str, rules: Rules) -> list[str]:
        """Return the structures in which a player may build."""
        return [place for place in self.owned_by(owner) if rules.kind_of(place).builds]

    def mobile(self, owner: str, rules: Rules) -> Mapping[str, tuple[Unit, ...]]:
        """Return a player's units that can move, by structure."""
        mobile_units = [unit for unit in self.by_place if unit.owner == owner and not unit.immobile(rules)]
        return {place: tuple(units) for place, units in groupby(mobile_units, attrgetter("place"))}

    def standing(self, owner: str, board: Board, rules: Rules) -> tuple[int, int]:
        """Return how many (cities and homes, structures) a player has, which decides a scored game."""
        owned = self.owned_by(owner)
        counting = cities(board, rules)
        return sum(place in counting for place in owned), len(owned)

    def broken(self, board: Board, rules: Rules) -> list[str]:
        """Return sentences about what is wrong with a position between turns (CS-3.6); empty if sound."""
        faults = [*self._broken_units(rules)]
        if set(self.owners) != set(board.structures):
            faults.append(says("the structures of the position are not those of the map"))
        faults += self._broken_owners()
        for code, player in self.parties.items():
            if player.out and (self.owned_by(code) or self.units_of(code)):
                faults.append(says("{0} is out of the game and still has something in it", player.name))
        return faults

    def _broken_owners(self) -> Iterator[str]:
        """Yield sentences about structures with a wrong owner or with units of another party."""
        owners_allowed = {*self.parties, NEUTRAL}
        for place, owner in self.owners.items():
            if owner not in owners_allowed:
                yield says("{0} belongs to {1}, who is not there", place, owner)
        for place, units in self.occupied().items():
            owners = sorted({unit.owner for unit in units})
            if place not in self.owners:
                yield says("units stand in {0}, which there is not", place)
            elif owners != [self.owners[place]]:
                yield says(
                    "{0} belongs to {1}, and units of {2} stand there",
                    place,
                    self.owners[place],
                    ", ".join(owners),
                )

    def _broken_units(self, rules: Rules) -> Iterator[str]:
        """Yield sentences about units with impossible values."""
        for unit in self.units.values():
            if unit.number >= self.next_unit:
                yield says("{0} has a number that was not given out yet", unit.id)
            if not 0 <= unit.marks <= rules.marks.cap:
                yield says("{0} has {1} marks", unit.id, unit.marks)
            if unit != unit.rested().evolve(unsupplied=False):
                yield says("{0} still has what counts within a turn only", unit.id)

    def at(self, place: str) -> tuple[Unit, ...]:
        """Return the units in a structure, by number."""
        return tuple(unit for unit in self.units.values() if unit.place == place)

    def units_of(self, owner: str) -> tuple[Unit, ...]:
        """Return a party's units, by number."""
        return tuple(unit for unit in self.units.values() if unit.owner == owner)

    def owned_by(self, owner: str) -> tuple[str, ...]:
        """Return a party's structures, in the order of ``owners``."""
        return tuple(place for place, holder in self.owners.items() if holder == owner)

    @property
    def by_place(self) -> list[Unit]:
        """All units by structure, then by number."""
        return sorted(self.units.values(), key=lambda unit: place_rank(unit.place))

    def occupied(self) -> Mapping[str, tuple[Unit, ...]]:
        """Return the units of each structure that has any, by structure (:func:`place_rank`), then number."""
        return {place: tuple(units) for place, units in groupby(self.by_place, attrgetter("place"))}

    def on_links(self) -> Mapping[tuple[str, str], tuple[Unit, ...]]:
        """Return the units on their way, by (start, destination); those on one link by number.

        Links are in the order of their starts, then of their destinations (:func:`place_rank`).
        """
        moving = [unit for unit in self.units.values() if unit.target]
        moving.sort(key=lambda unit: (place_rank(unit.place), place_rank(str(unit.target))))
        return {link: tuple(units) for link, units in groupby(moving, attrgetter("place", "target"))}


def strength(units: Iterable[Unit], rules: Rules) -> int:
    """Return the sum of the units' strengths; what they were ordered does not matter (CS-9.3)."""
    return sum(rules.units[unit.type].strength for unit in units)


def cities(board: Board, rules: Rules) -> tuple[str, ...]:
    """Return the ids of structures that count for victory: all cities and home cities (CS-12.1)."""
    return tuple(place for place in board.structures if rules.kind_of(place).victory)
