"""Troops on the map: who stands where, how many, and the most valuable of them (W8: everybody sees them)."""

from __future__ import annotations

from collections.abc import Iterable

from gm.core.records import Record, record
from gm.games.medieval.data.rules import Rules, TroopType
from gm.games.medieval.state import INDEPENDENTS, Unit, World

OWN = "own"
FOREIGN = "foreign"


@record
class Marker(Record):
    """One miniature: ``side`` is OWN or FOREIGN seen from a realm, else the code of the realm whose troops they are.

    ``best`` is the most valuable type, none when only commanders are here; ``count`` is the troops (or commanders).
    """

    side: str
    best: TroopType | None
    count: int
    units: tuple[Unit, ...]


def markers_at(world: World, rules: Rules, place: str, realm: str | None) -> tuple[Marker, ...]:
    """The miniatures of a place: own and foreign seen from ``realm``, or one for each realm present; own ones first."""
    sides: dict[str, list[Unit]] = {}
    for unit in world.at(place):
        if not unit.empty:
            side = unit.realm if realm is None else OWN if unit.realm == realm else FOREIGN
            sides.setdefault(side, []).append(unit)
    order = sorted(sides, key=lambda side: (side != OWN, side == INDEPENDENTS, side))
    return tuple(_marker(side, sides[side], rules) for side in order)


def _marker(side: str, units: Iterable[Unit], rules: Rules) -> Marker:
    here = tuple(units)
    types = {name for unit in here for name in unit.troops}
    best = max(
        (rules.troops[name] for name in sorted(types)),
        key=lambda troop: (troop.cost, troop.total_combat, troop.hit_points),
        default=None,
    )
    count = sum(unit.troop_count for unit in here) or sum(len(unit.commanders) for unit in here)
    return Marker(side, best, count, here)
