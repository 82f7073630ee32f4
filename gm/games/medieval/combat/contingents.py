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
    """Return the chance of one attack to hit (B5); equal figures give the same object.

    ``combat`` is in percent; ``tactics``, the leader's rating, raises it by the share that it is of
    ``divisor``. ``fortification``, ``amphibious`` and ``marine`` are bonuses in percent, below 0 for a
    penalty; ``best`` is the highest chance that there is, in percent.
    """
    chance = combat * (1 + Fraction(tactics, divisor)) / 100
    for percent in (fortification, amphibious, marine):
        if percent:
            chance *= Fraction(100 + percent, 100)
    return Chance(min(chance, Fraction(best, 100)))


def siege_chance(rules: Battle, siege_power: int, siegecraft: int) -> Fraction:
    """Return the chance of one troop to damage a fortification (B2), which may come to more than 1.

    ``siege_power`` is in percent; ``siegecraft`` is the leader's rating.
    """
    return siege_power * (1 + Fraction(siegecraft, rules.siegecraft_divisor)) / 100


@lru_cache(4096)
def wound_chance(damage: Decimal, hit_points: Decimal) -> Fraction:
    """Return the chance of a troop with ``damage``, of the ``hit_points`` that kill it, to die (B11)."""
    return Fraction(damage) / Fraction(hit_points)


def in_percent(chance: Fraction) -> Decimal:
    """Return a chance as percent with two decimals, for a report."""
    return (Decimal(chance.numerator * 100) / Decimal(chance.denominator)).quantize(Decimal("0.01"))


COMMANDER = "Commander"  # what stands for a commander where reports name troop types
REAR = 5  # the rank in which commanders stand (B12)
NO_DAMAGE = Decimal(0)


class Role(StrEnum):
    """The part of a unit in a battle."""

    ARMY = "army"
    GARRISON = "garrison"
    FLEET = "fleet"
    MARINES = "marines"  # an army aboard that fights for its fleet (B13)
    MUTINEERS = "mutineers"  # an army aboard an enemy's fleet (M6.1)


class ContingentStatus(StrEnum):
    """The status of a unit in a battle: still in it, or why not."""

    FIGHTS = "survived"
    RETREATED = "retreated"
    DESTROYED = "destroyed"


# asked many times a round, and in Python 3.11 an enumeration is slow to answer
FIGHTS = ContingentStatus.FIGHTS


class Barracks(msgspec.Struct):
    """The places behind the walls that friends share (B5.1)."""

    row: FortificationLevel
    room: int  # how many troops have a place
    bonus_left: int  # how many more casualties have the walls' extra hit points (B8)
    realms: list[str] = []  # codes of those who share it


class Band(msgspec.Struct, kw_only=True):
    """The troops of one type in one rank of a unit, or one commander."""

    troop: str  # the troop type, or ``COMMANDER``
    commander: Commander | None = None
    rank: int
    cost: Decimal  # of one troop, in gold: the cheapest of a rank fall first (B7)
    tactics: str | None  # the leader's rating that helps it; None for siege machines and commanders
    # of one troop; combat and siege power in percent
    attacks: int
    combat: int
    hit_points: Decimal
    ship: bool = False
    siege_power: int = 0
    # bonuses on combat in percent: after a landing (B5.2), as marines (B5.3), behind walls (B5.1)
    amphibious: int = 0
    marine: int = 0
    fortification: int = 0
    fortification_hit_points: Decimal = Decimal(0)  # more for each troop behind walls (B8)
    sheltered: bool = False  # whether it can get the fortification's bonus at all
    # how many are unmarked, casualties that have not left yet (B8.1), without marine space (B13), dead
    standing: int = 0
    marked: int = 0
    reserve: int = 0
    fell: int = 0
    written: int = 0  # how many of ``fell`` have been removed from the world's unit
    # of one attack to hit, in the open and behind walls
    chance: Chance = NEVER
    chance_inside: Chance = NEVER
    inside: int = 0  # how many of those present have a place behind the walls this round (B5.1)

    @property
    def present(self) -> int:
        """The number of troops and commanders that strike: also casualties that have not left yet (B4)."""
        return self.standing + self.marked


class Contingent(msgspec.Struct, kw_only=True):
    """One unit in the battle."""

    unit: Unit  # as it came to the battle
    role: Role
    bands: list[Band]  # by rank; in a rank troops before commanders, then the cheapest first (B7, B12)
    leader: Commander | None
    carrier: str | None = None  # the key of the fleet that it is aboard of
    defends: bool = False  # whether it is behind the walls (B3)
    barracks: Barracks | None = None
    invader: bool = False  # whether it goes back if the battle is drawn (B10)
    state: ContingentStatus = FIGHTS
    damage: Decimal = Decimal(0)  # taken and not yet turned into a casualty
    taken: Decimal = Decimal(0)  # all damage that it took in this battle
    victim: Band | None = None  # whose troop the next damage will kill, once that has been drawn
    # the front-most rank with unmarked troops and how many stand there; rank 0 when none is left
    front_rank: int = 0
    front_count: int = 0
    # of the unit, set here because they are often asked for
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
        """Return the number of troops and commanders that are not marked as fallen."""
        return sum([band.standing for band in self.bands])

    def present(self) -> int:
        """Return the number of troops and commanders that have not left, marked as fallen or not."""
        return sum([band.standing + band.marked for band in self.bands])

    def ships(self) -> int:
        """Return the number of its ships that have not left, whether they are marked as fallen or not."""
        return sum(band.standing + band.marked for band in self.bands if band.ship)

    def stand_back(self) -> None:
        """Send all unmarked soldiers and commanders to the reserve (B13)."""
        for band in self.bands:
            band.reserve = band.reserve + band.standing
            band.standing = 0

    def update_front_rank(self) -> None:
        """Set the front-most rank, and how many stand in it, after troops came, were marked or left."""
        rank = count = 0
        for band in self.bands:  # the front rank first
            if band.standing:
                if rank and band.rank != rank:
                    break
                rank = band.rank
                count += band.standing
        self.front_rank = rank
        self.front_count = count

    def next_victim(self, stream: Stream) -> Band | None:
        """Return the band whose troop falls next (B7); None if nobody is left.

        It is the cheapest of the front-most rank. If commanders stand in that rank, dice draw one of all in
        it; a troop that is drawn stands for the cheapest. The band stays the victim until it has lost one.
        """
        if self.victim is None or not self.victim.standing:
            ahead = [band for band in self.bands if band.standing and band.rank == self.front_rank]
            if not ahead:
                return None
            self.victim = ahead[0]  # bands of a rank are in the order of their cost
            commanders = [band for band in ahead if band.commander]
            if commanders and len(ahead) > 1:
                troops = sum(band.standing for band in ahead) - len(commanders)
                drawn = stream.below(troops + len(commanders))
                self.victim = ahead[0] if drawn < troops else commanders[drawn - troops]
        return self.victim

    def hit_points(self, band: Band) -> Decimal:
        """Return the damage that kills the next troop of a band.

        It is more behind walls, while the barracks have their bonus left (B8).
        """
        if self.barracks and self.barracks.bonus_left and band.sheltered:
            return band.hit_points + band.fortification_hit_points
        return band.hit_points

    def shrug_off(self) -> bool:
        """Take one hit if it kills no troop and return true; else return false, with nothing changed.

        It is false as well while it is open who would be hit next (:meth:`next_victim`).
        """
        victim = self.victim
        if victim is None or not victim.standing or self.damage + 1 >= self.hit_points(victim):
            return False
        self.damage += 1
        self.taken += 1
        return True

    def take_hits(self, hits: int, stream: Stream) -> tuple[int, Decimal]:
        """Take as many of these hits as strike the rank that is now the unit's front, one after another (B7).

        Returns (hits left for the next front-most rank, damage of the last hit beyond the unit's hit points).
        Hits that have killed nobody yet are in ``damage``.
        """
        rank = self.front_rank
        hits_left = hits
        while hits_left and self.front_rank == rank and (victim := self.next_victim(stream)) is not None:
            needed = self.hit_points(victim)
            most_deaths = self._deaths_in_a_row(victim)
            hits_taken = hits_left
            fallen = int((self.damage + hits_left) // needed)
            if fallen >= most_deaths:
                # one at least, also if the damage so far was enough
                hits_taken = max(1, ceil(most_deaths * needed - self.damage))
                fallen = most_deaths
            hits_left -= hits_taken
            self.damage += hits_taken
            self.taken += hits_taken
            if fallen:
                self.damage -= fallen * needed
                self._mark(victim, fallen)
            if fallen == most_deaths:
                # from here another band may be the victim, or the same one has other hit points: the damage
                # so far may be enough for these
                self.victim = None
                self.update_front_rank()
                beyond = self.absorb(NO_DAMAGE, stream)
                if beyond:
                    return hits_left, beyond
        return hits_left, NO_DAMAGE

    def _deaths_in_a_row(self, band: Band) -> int:
        """Return how many of the victim's troops may die one after the other, each of the same hit points.

        After them another band may be the next victim, or the bonus of the barracks is used up (B7, B8).
        """
        # in rank 5 each victim may be drawn; after one that was chosen earlier, the front-most band is next
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
        """Take damage and mark its casualties; return the damage beyond the unit's hit points (B7, B8)."""
        self.damage += damage
        while (victim := self.next_victim(stream)) is not None:
            needed = self.hit_points(victim)
            if self.damage < needed:
                self.taken += damage
                return NO_DAMAGE
            self.damage -= needed
            self._mark(victim, 1)
            self.victim = None
            self.update_front_rank()
        beyond = self.damage
        self.damage = NO_DAMAGE
        self.taken += damage - beyond
        return beyond

    def remove_casualties(self) -> list[tuple[Band, int]]:
        """Let the marked leave the battle (B8.1); return (band, how many left it) of each band with any.

        A fallen leader leads no more (B12).
        """
        removed = []
        for band in self.bands:
            if band.marked:
                removed.append((band, band.marked))
                band.fell += band.marked
                band.marked = 0
                if band.commander and self.leader and band.commander.name == self.leader.name:
                    self.leader = None
        return removed
