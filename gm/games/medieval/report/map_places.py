"""What the map shows at a place, its works and the troops of each side (W8), and the legend that explains it."""

from __future__ import annotations

from collections.abc import Sequence

from gm.core.values import Record
from gm.games.medieval.data.atlas import Atlas, Barrier, Location
from gm.games.medieval.data.rules import Rules, TroopType
from gm.games.medieval.report.map_moves import FLIGHT, MARCH, SAIL, Move
from gm.games.medieval.state import INDEPENDENTS, Province, Unit, World

OWN, FOREIGN = "own", "foreign"


class Marker(Record):
    """The troops of a side: ``side`` is OWN or FOREIGN seen from a realm, else the code of the realm.

    ``best`` is the most valuable type, none when only commanders are here; ``count`` is the troops (or commanders).
    """

    side: str
    best: TroopType | None
    count: int
    units: tuple[Unit, ...]


def markers_at(world: World, rules: Rules, place: str, realm: str | None) -> tuple[Marker, ...]:
    """The troops at a place: own and foreign seen from ``realm``, or by realm; own ones first, independents last."""
    sides: dict[str, list[Unit]] = {}
    for unit in world.at(place):
        if not unit.empty:
            side = unit.realm if realm is None else OWN if unit.realm == realm else FOREIGN
            sides.setdefault(side, []).append(unit)
    found = []
    for side in sorted(sides, key=lambda side: (side != OWN, side == INDEPENDENTS, side)):
        units = sides[side]
        types = [rules.troops[name] for name in sorted({name for unit in units for name in unit.troops})]
        best = max(types, key=lambda each: (each.cost, each.total_combat, each.hit_points), default=None)
        count = sum(unit.troop_count for unit in units) or sum(len(unit.commanders) for unit in units)
        found.append(Marker(side, best, count, tuple(units)))
    return tuple(found)


def works(place: Location, state: Province) -> list[tuple[str, float]]:
    """(symbol, width) of the town, walls and anchor of a province and of the fires in it (X6)."""
    row: list[tuple[str, float]] = []
    if place.city:
        row.append(("capital", 26) if place.capital_of else ("city", 21))
    if state.fortification:
        broken = "b" if state.fortification_damage else ""
        row.append((f"fort{state.effective_fortification}{broken}", 19))
    if state.harbour:
        row.append(("harbour", 19))
    return row + [("damage", 12)] * state.damage


# -- the legend --------------------------------------------------------------------------------------------------------

BARRIERS = {
    Barrier.MOUNTAINS: ("peak", "Mountains: no march"),
    Barrier.REEFS: ("rock", "Reefs: no docking, loading or landing"),
}
_ARROWS = {MARCH: "March", SAIL: "Voyage", FLIGHT: "Flight"}

Entry = tuple[str, str, str]
"""A row of the legend: kind (symbol, realm, side, move), name, words."""


def land_legend(atlas: Atlas) -> list[Entry]:
    """The rows for what stands on the land and between places."""
    barriers = {border.barrier for border in atlas.borders}
    rows = [
        ("symbol", "capital", "Capital"),
        ("symbol", "city", "City"),
        ("symbol", "fort3", "Fortification and its level"),
        ("symbol", "harbour", "Harbour"),
        ("symbol", "damage", "Damage, a fire for each level"),
        *(("symbol", symbol, words) for kind, (symbol, words) in BARRIERS.items() if kind in barriers),
    ]
    if any(border.strait for border in atlas.borders):
        rows.append(("symbol", "strait", "Strait: a march over water"))
    return rows


def picture_legend(atlas: Atlas, world: World, moves: Sequence[Move], *, sides: bool) -> list[Entry]:
    """Realms first, then symbols, then what stands on which base (``sides``), then arrows."""
    owners = [land.owner for land in world.provinces.values()]
    names = {code: realm.name for code, realm in world.realms.items()} | {INDEPENDENTS: "Independents"}
    rows = [("realm", code, f"{names[code]} ({owners.count(code)})") for code in (*atlas.realms, INDEPENDENTS)]
    rows += land_legend(atlas)
    if any(land.annexed_to not in (None, land.owner) for land in world.provinces.values()):
        rows.append(("symbol", "flag", "Annexed by another"))
    if sides:
        rows += [("side", OWN, "Your troops"), ("side", FOREIGN, "Others' troops")]
    kinds = {move.kind for move in moves}
    return rows + [("move", kind, words) for kind, words in _ARROWS.items() if kind in kinds]
