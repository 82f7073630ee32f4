"""What troops are worth in a fight, in two numbers that can be added up: blows and staying power.

By Lanchester's square law the side with the greater product of the two is likely to win; how great the odds really are,
the battle itself has to tell (:mod:`gm.games.medieval.bots.odds`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from gm.games.medieval.data.rules import Rules, TroopClass, TroopType
from gm.games.medieval.state import Unit

UNSHELTERED = frozenset({TroopClass.SIEGE, TroopClass.TRANSPORT, TroopClass.WARSHIP})


@dataclass(frozen=True, slots=True)
class Force:
    """``blows``: hits that it lands in a round; ``stand``: hit points; ``heads``: soldiers and commanders;
    ``combat``: total combat as the rules count it (X1)."""

    blows: float = 0.0
    stand: float = 0.0
    heads: int = 0
    combat: int = 0

    def __add__(self, other: Force) -> Force:
        return Force(
            self.blows + other.blows, self.stand + other.stand, self.heads + other.heads, self.combat + other.combat
        )

    @property
    def power(self) -> float:
        """One number for how strong it is; twice the troops are twice the power."""
        return sqrt(self.blows * self.stand)


NOBODY = Force()


def edge(ours: Force, theirs: Force) -> float:
    """How much stronger we are by the square law: 1 is an even fight. Against nobody it is without bounds."""
    against = theirs.blows * theirs.stand
    return ours.blows * ours.stand / against if against else float("inf")


def summed(forces: Iterable[Force]) -> Force:
    """All of them together."""
    total = NOBODY
    for each in forces:
        total += each
    return total


def troop_force(row: TroopType, count: int = 1) -> Force:
    """So many soldiers of a type, in the open."""
    share = row.attacks * row.combat / 100
    return Force(share * count, float(row.hit_points) * count, count, row.total_combat * count)


def force_of(unit: Unit, rules: Rules) -> Force:
    """A unit's soldiers and commanders in the open; its ships do not count (M12)."""
    total = NOBODY
    for name, ranks in unit.troops.items():
        row = rules.troops[name]
        if not row.ship:
            total += troop_force(row, sum(ranks))
    led = rules.commanders
    count = len(unit.commanders)
    if count:
        share = led.attacks * led.combat / 100
        total += Force(share * count, float(led.hit_points) * count, count, led.attacks * led.combat * count)
    return total


def fleet_force(fleet: Unit, rules: Rules) -> Force:
    """A fleet's ships in a sea battle."""
    ships = ((rules.troops[name], sum(ranks)) for name, ranks in fleet.troops.items())
    return summed(troop_force(row, count) for row, count in ships if row.ship)


def behind_walls(units: Iterable[Unit], level: int, rules: Rules) -> Force:
    """Defenders of a fortification of this effective level: as many as its barracks hold fight better (B5.1, B8)."""
    found = list(units)
    total = summed(force_of(unit, rules) for unit in found)
    row = rules.fortification(level)
    if row is None:
        return total
    room = row.barracks
    blows = stand = 0.0
    rows = [(rules.troops[name], sum(ranks)) for unit in found for name, ranks in unit.troops.items()]
    for troop, count in sorted(rows, key=lambda each: -each[0].total_combat):
        if troop.kind in UNSHELTERED or room <= 0:
            continue
        inside = min(count, room)
        room -= inside
        mounted = troop.kind is TroopClass.MOUNTED
        percent = row.mounted_combat if mounted else row.foot_combat
        blows += inside * troop.attacks * troop.combat / 100 * percent / 100
        stand += inside * float(row.mounted_hit_points if mounted else row.foot_hit_points)
    return Force(total.blows + blows, total.stand + stand, total.heads, total.combat)


def worth(row: TroopType) -> float:
    """What a soldier is worth in a fight for his price."""
    force = troop_force(row)
    return force.power / float(row.cost) if row.cost else 0.0
