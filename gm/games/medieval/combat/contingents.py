"""Units in a battle: bands of equal troops by rank, damage taken, odds of their attacks (B2, B4-B8, B11).

Bands and contingents change in place; they live for one battle and never leave it.
"""

from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from math import ceil

import msgspec

from gm.core.dice import Chance, Stream
from gm.games.medieval.data.rules import Battle, FortificationLevel
from gm.games.medieval.state import Commander, Unit

NEVER = Chance(Fraction(0))


@lru_cache(maxsize=4096)
def attack_chance(
    best: int,
    combat: int,
    tactics: int,
    divisor: int,
    fortification: int = 0,
    amphibious: int = 0,
    marine: int = 0,
) -> Chance:
    """Return the chance of one attack to hit (B5), all in percent, ``best`` the most.

    Equal figures give the same object.
    """
    chance = combat * (1 + Fraction(tactics, divisor)) / 100
    for percent in (fortification, amphibious, marine):
        if percent:
            chance *= Fraction(100 + percent, 100)
    return Chance(min(chance, Fraction(best, 100)))


def siege_chance(rules: Battle, siege_power: int, siegecraft: int) -> Fraction:
    """Return the chance of one troop with siege power to damage a fortification (B2)."""
    return siege_power * (1 + Fraction(siegecraft, rules.siegecraft_divisor)) / 100


@lru_cache(4096)
def wound_chance(damage: Decimal, hit_points: Decimal) -> Fraction:
    """Return the chance of a partly damaged troop to die at the end of the battle (B11)."""
    return Fraction(damage) / Fraction(hit_points)


def in_percent(chance: Fraction) -> Decimal:
    """Return a chance as percent with two decimals, for a report."""
    return (Decimal(chance.numerator * 100) / Decimal(chance.denominator)).quantize(Decimal("0.01"))


COMMANDER = "Commander"  # what stands for a commander where reports name troop types
REAR = 5  # the rank in which commanders stand (B12)
NONE = Decimal(0)


class Role(StrEnum):
    """The part of a unit in a battle."""

    ARMY = "army"
    GARRISON = "garrison"
    FLEET = "fleet"
    MARINES = "marines"
    MUTINEERS = "mutineers"


class ContingentStatus(StrEnum):
    """The status of a unit in a battle: still in it, or why not."""

    FIGHTS = "survived"
    RETREATED = "retreated"
    DESTROYED = "destroyed"


# asked many times a round, and in Python 3.11 an enumeration is slow to answer
FIGHTS = ContingentStatus.FIGHTS


class Barracks(msgspec.Struct):
    """The room behind the walls that friends share (B5.1), and the casualties that get its bonus (B8)."""

    row: FortificationLevel
    room: int
    bonus_left: int
    realms: list[str] = []


class Band(msgspec.Struct, kw_only=True):
    """The troops of one type in one rank of a unit, or one commander.

    ``standing`` are unmarked, ``marked`` are casualties that have not left yet (B8.1), ``reserve`` are
    soldiers aboard for whom there is no marine space (B13), ``fell`` have left the battle dead.
    """

    troop: str
    commander: Commander | None = None
    rank: int
    cost: Decimal
    tactics: str | None
    attacks: int
    combat: int
    hit_points: Decimal
    ship: bool = False
    siege_power: int = 0
    amphibious: int = 0
    marine: int = 0
    fortification: int = 0
    fortification_hit_points: Decimal = Decimal(0)
    sheltered: bool = False  # whether it can get the fortification's bonus at all
    standing: int = 0
    marked: int = 0
    reserve: int = 0
    fell: int = 0
    written: int = 0  # how many of ``fell`` the world knows of
    chance: Chance = NEVER
    chance_inside: Chance = NEVER
    inside: int = 0  # how many of those present have a place behind the walls this round (B5.1)

    @property
    def present(self) -> int:
        """The number of troops and commanders that strike in a round: unmarked, and marked in it (B4)."""
        return self.standing + self.marked


class Contingent(msgspec.Struct, kw_only=True):
    """One unit in the battle.

    ``bands`` are sorted by rank, then cheapest first, commanders last (B7, B12).
    """

    unit: Unit
    role: Role
    bands: list[Band]
    leader: Commander | None
    carrier: str | None = None  # the key of the fleet that it is aboard of
    defends: bool = False
    barracks: Barracks | None = None
    invader: bool = False
    state: ContingentStatus = FIGHTS
    damage: Decimal = Decimal(0)  # taken and not yet turned into a casualty
    taken: Decimal = Decimal(0)  # all that it took in this battle
    victim: Band | None = None  # whom the next damage will kill, once that has been drawn
    front_rank: int = 0
    # the front-most rank with unmarked troops and how many stand there; rank 0 when none is left
    front_count: int = 0
    key: str = ""
    realm: str = ""
    at_sea: bool = False

    def __post_init__(self) -> None:
        self.key, self.realm = self.unit.key, self.unit.realm
        self.at_sea = self.role in (Role.FLEET, Role.MARINES, Role.MUTINEERS)

    @property
    def fights(self) -> bool:
        return self.state is FIGHTS

    def standing(self) -> int:
        """Return unmarked troops and commanders."""
        return sum([band.standing for band in self.bands])

    def present(self) -> int:
        """Return troops and commanders that have not left, marked or not."""
        return sum([band.standing + band.marked for band in self.bands])

    def ships(self) -> int:
        """Return its ships that have not left, marked or not."""
        return sum(band.standing + band.marked for band in self.bands if band.ship)

    def stand_back(self) -> None:
        """Send all to the reserve (B13)."""
        for band in self.bands:
            band.reserve = band.reserve + band.standing
            band.standing = 0

    def update_front_rank(self) -> None:
        """Find the front-most rank again after somebody stood down, fell in or was marked."""
        rank = count = 0
        for band in self.bands:
            if band.standing:
                if rank and band.rank != rank:
                    break
                rank = band.rank
                count += band.standing
        self.front_rank = rank
        self.front_count = count

    def next_victim(self, stream: Stream) -> Band | None:
        """Return the band whose troop falls next (B7): the cheapest of the front-most rank.

        None if nobody is left. In rank 5 the dice decide between troops and commanders.
        """
        if self.victim is None or not self.victim.standing:
            ahead = [band for band in self.bands if band.standing and band.rank == self.front_rank]
            if not ahead:
                return None
            self.victim = ahead[0]
            commanders = [band for band in ahead if band.commander]
            if commanders and len(ahead) > 1:
                troops = sum(band.standing for band in ahead) - len(commanders)
                number = stream.below(troops + len(commanders))
                self.victim = ahead[0] if number < troops else commanders[number - troops]
        return self.victim

    def hit_points(self, band: Band) -> Decimal:
        """Return the damage that kills the next troop of a band: more for the first behind walls (B8)."""
        if self.barracks and self.barracks.bonus_left and band.sheltered:
            return band.hit_points + band.fortification_hit_points
        return band.hit_points

    def shrug_off(self) -> bool:
        """Take one hit if it kills no troop and return true; else return false, with nothing changed."""
        victim = self.victim
        if victim is None or not victim.standing or self.damage + 1 >= self.hit_points(victim):
            return False
        self.damage += 1
        self.taken += 1
        return True

    def take_hits(self, hits: int, stream: Stream) -> tuple[int, Decimal]:
        """Take as many of these hits as strike the rank that is now the unit's front, one after another (B7).

        Returns the hits left for the next front-most rank, and the last one's damage beyond the unit's hit
        points.
        """
        rank = self.front_rank
        hits_left = hits
        while hits_left and self.front_rank == rank and (victim := self.next_victim(stream)) is not None:
            needed = self.hit_points(victim)
            row = self._row_of(victim)
            hits_taken = hits_left
            fallen = int((self.damage + hits_left) // needed)
            if fallen >= row:
                hits_taken = max(1, ceil(row * needed - self.damage))
                fallen = row
            hits_left -= hits_taken
            self.damage += hits_taken
            self.taken += hits_taken
            if fallen:
                self.damage -= fallen * needed
                self._mark(victim, fallen)
            if fallen == row:
                # who falls next, and what that takes, may be another now
                self.victim = None
                self.update_front_rank()
                beyond = self.absorb(NONE, stream)
                if beyond:
                    return hits_left, beyond
        return hits_left, NONE

    def _row_of(self, band: Band) -> int:
        """Return how many of a band's troops fall before another band may be next or the damage changes."""
        if band.rank == REAR or next(other for other in self.bands if other.standing) is not band:
            return 1
        bonus = self.barracks.bonus_left if band.sheltered and self.barracks else 0
        return min(bonus, band.standing) if bonus else band.standing

    def _mark(self, band: Band, fallen: int) -> None:
        """Mark ``fallen`` troops of a band; those behind walls use up the bonus of its barracks (B8)."""
        band.standing -= fallen
        band.marked += fallen
        self.front_count -= fallen
        if band.sheltered and self.barracks and self.barracks.bonus_left:
            self.barracks.bonus_left -= fallen

    def absorb(self, damage: Decimal, stream: Stream) -> Decimal:
        """Take damage, marking casualties; return the damage beyond the unit's hit points (B7, B8)."""
        self.damage += damage
        while (victim := self.next_victim(stream)) is not None:
            needed = self.hit_points(victim)
            if self.damage < needed:
                self.taken += damage
                return NONE
            self.damage -= needed
            self._mark(victim, 1)
            self.victim = None
            self.update_front_rank()
        beyond, self.damage = self.damage, NONE
        self.taken += damage - beyond
        return beyond

    def remove_casualties(self) -> list[tuple[Band, int]]:
        """Let the marked leave the battle (B8.1); return them. A fallen leader leads no more (B12)."""
        removed = []
        for band in self.bands:
            if band.marked:
                removed.append((band, band.marked))
                band.fell += band.marked
                band.marked = 0
                if band.commander and self.leader and band.commander.name == self.leader.name:
                    self.leader = None
        return removed
