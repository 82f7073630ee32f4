"""Armies, fleets and garrisons, with their troops and commanders (W5, W6)."""

from collections.abc import Container, Iterable, Mapping
from enum import StrEnum
from functools import cached_property
from itertools import chain, count
from operator import add, attrgetter
from typing import Self

from gm.core.values import Value

Ranks = tuple[int, int, int, int, int]  # how many troops of one type stand in ranks 1, 2, 3, 4 and 5

NO_RANKS: Ranks = (0, 0, 0, 0, 0)


def as_ranks(counts: Iterable[int]) -> Ranks:
    """Return five counts as ranks. Raises ``ValueError`` if there are not five."""
    one, two, three, four, five = counts  # unpacked, so that the type has five numbers
    return one, two, three, four, five


class UnitKind(StrEnum):
    """The three kinds of units, in their order in a turn (W12); the value is the letter of the id."""

    ARMY = "A"
    FLEET = "F"
    GARRISON = "G"


KIND_ORDER = {kind: index for index, kind in enumerate(UnitKind)}


class Commander(Value):
    """A commander and the ratings in four tactics, 0-100. The name is unique in the game (L5, F7)."""

    name: str
    infantry: int
    cavalry: int
    siege: int
    naval: int


def unit_key(realm: str, unit_id: str) -> str:
    """Return the key of a unit, which is unique in the game, e.g. ``ENG/A12``."""
    return f"{realm}/{unit_id}"


class Unit(Value):
    """One army, fleet or garrison.

    ``realm``: its realm's code, or ``IND`` for independents; ``place``: that of its fleet if it is an army
    aboard; ``name``: the one that its player gave it; ``aboard``: the key of the fleet that carries it;
    ``troops``: how many stand in ranks 1 to 5, by type, of the types that are there; ``leader``: the name of
    the commander chosen to lead it, who need not be here; ``follow``: the id, in the same realm, of the unit
    whose retreats it follows (F7); ``defend_fortifications``: whether an army fights behind walls where it
    may (B3); ``marines``: whether an army's soldiers fight as marines when it is aboard (B13).
    """

    realm: str
    kind: UnitKind
    number: int
    place: str
    name: str | None = None
    aboard: str | None = None
    troops: Mapping[str, Ranks] = {}
    commanders: tuple[Commander, ...] = ()
    leader: str | None = None
    retreat_level: int = 5
    follow: str | None = None
    defend_fortifications: bool = True
    marines: bool = True

    @cached_property
    def id(self) -> str:
        """Return the id that the unit's player uses, e.g. ``A12``."""
        return f"{self.kind}{self.number}"

    @cached_property
    def key(self) -> str:
        return unit_key(self.realm, self.id)

    @cached_property
    def order(self) -> tuple[str, int, int]:
        """Return the sort key of W12: realm, army-fleet-garrison, number."""
        return (self.realm, KIND_ORDER[self.kind], self.number)

    @property
    def is_army(self) -> bool:
        return self.kind is UnitKind.ARMY

    @property
    def is_fleet(self) -> bool:
        return self.kind is UnitKind.FLEET

    @property
    def is_garrison(self) -> bool:
        return self.kind is UnitKind.GARRISON

    def count(self, troop: str) -> int:
        """Return how many troops of a type it has."""
        return sum(self.troops.get(troop, NO_RANKS))

    def counts(self) -> dict[str, int]:
        """Return how many troops it has, by type."""
        return {name: sum(ranks) for name, ranks in self.troops.items()}

    @property
    def commander_names(self) -> tuple[str, ...]:
        return tuple(commander.name for commander in self.commanders)

    @property
    def troop_count(self) -> int:
        """The number of all troops, soldiers and ships, without commanders."""
        return sum(sum(ranks) for ranks in self.troops.values())

    @property
    def empty(self) -> bool:
        """Whether it has neither troops nor commanders (W6.1)."""
        return not self.troops and not self.commanders

    @property
    def lead_commander(self) -> Commander | None:
        """The commander who leads it, if one was chosen and is here (F7)."""
        return next((c for c in self.commanders if c.name == self.leader), None)

    def with_troops(self, troops: Mapping[str, Ranks]) -> Self:
        """Return the unit with exactly these troops; types with no troop left are dropped."""
        return self.evolve(troops={name: tuple(ranks) for name, ranks in troops.items() if any(ranks)})

    def add(self, troop: str, ranks: Ranks) -> Self:
        """Return the unit with more troops of a type, rank by rank."""
        return self.with_troops(
            {**self.troops, troop: as_ranks(map(add, self.troops.get(troop, NO_RANKS), ranks))}
        )

    def take(self, troop: str, count: int) -> tuple[Self, Ranks]:
        """Return the unit without ``count`` troops of a type, and the ranks of those taken: the rearmost.

        Raises ``ValueError`` if it has fewer.
        """
        have = list(self.troops.get(troop, NO_RANKS))
        taken = [0, 0, 0, 0, 0]
        for rank in reversed(range(5)):
            taken[rank] = min(have[rank], count)
            have[rank] -= taken[rank]
            count -= taken[rank]
        if count:
            raise ValueError(f"{self.key} has {count} too few {troop}")
        return self.with_troops({**self.troops, troop: as_ranks(have)}), as_ranks(taken)

    def without_commander(self, name: str) -> tuple[Self, Commander]:
        """Return the unit without one commander, and the commander.

        Raises ``ValueError`` if the unit has no commander of this name.
        """
        commander = next((c for c in self.commanders if c.name == name), None)
        if commander is None:
            raise ValueError(f"{self.key} has no commander {name}")
        other_commanders = tuple(c for c in self.commanders if c is not commander)
        return self.evolve(
            commanders=other_commanders, leader=None if self.leader == name else self.leader
        ), commander


_order = attrgetter("order")


def in_order(units: Iterable[Unit]) -> list[Unit]:
    """Return the units in the order of W12."""
    return sorted(units, key=_order)


def free_name(name: str, taken: Container[str]) -> str:
    """Return ``name``; if it is among ``taken``, the name with the lowest number from 2 on that is not."""
    numbered_names = (f"{name} {number}" for number in count(2))
    return next(candidate for candidate in chain([name], numbered_names) if candidate not in taken)
