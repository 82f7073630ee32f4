"""The handbook's tables, made of the rules data and the map: nothing in them is typed anew (T1-T6, V2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import FortificationLevel, Rules, TroopType
from gm.games.medieval.orders.model import Structure
from gm.games.medieval.steps.construction import Work, razed_gold, repair_work, work_on


@dataclass(frozen=True, slots=True)
class TroopGroup:
    """Types of one table under a heading."""

    title: str
    troops: tuple[TroopType, ...]


@dataclass(frozen=True, slots=True)
class LevelRow:
    """A fortification level: its bonuses (T2), what it takes to build and repair, and what razing it brings (T4)."""

    row: FortificationLevel | None
    level: int
    work: Work
    repair: Decimal
    razed: Decimal


@dataclass(frozen=True, slots=True)
class StructureRow:
    """Another structure with its costs (T4)."""

    name: str
    work: Work
    razed: Decimal


@dataclass(frozen=True, slots=True)
class CityRow:
    """A city of the map and what it recruits, told by the region whose list comes nearest (T6)."""

    province: str
    name: str
    resource: int
    region: str
    also: tuple[str, ...]
    without: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RealmRow:
    """A realm of the map with its seat."""

    code: str
    name: str
    ruler: str
    capital: str
    colour: str


def soldier_groups(rules: Rules) -> tuple[TroopGroup, ...]:
    """Soldiers by recruiting region, in the order of the troop table; what every region has comes last."""
    regions = tuple(rules.recruits)
    groups: dict[str, list[TroopType]] = {region.title(): [] for region in regions}
    everywhere: list[TroopType] = []
    for troop in rules.troops.values():
        if troop.ship:
            continue
        if set(regions) <= set(troop.regions):
            everywhere.append(troop)
        else:
            first = next((region.title() for region in troop.regions), "Elsewhere")
            groups.setdefault(first, []).append(troop)
    found = [*groups.items(), ("Everywhere", everywhere)]
    return tuple(TroopGroup(title, tuple(troops)) for title, troops in found if troops)


def ship_groups(rules: Rules) -> tuple[TroopGroup, ...]:
    """Transports, then warships."""
    ships = [troop for troop in rules.troops.values() if troop.ship]
    kinds = dict.fromkeys(troop.kind for troop in ships)
    return tuple(
        TroopGroup(f"{kind.value}s".capitalize(), tuple(troop for troop in ships if troop.kind is kind))
        for kind in kinds
    )


def other_regions(troop: TroopType, group: str) -> str:
    """The further regions of a type that stands under one of its regions."""
    return ", ".join(region.title() for region in troop.regions if region.title() != group)


def level_rows(rules: Rules) -> tuple[LevelRow, ...]:
    """Every fortification level that can be built."""
    return tuple(
        LevelRow(
            rules.fortifications[level - 1] if level <= len(rules.fortifications) else None,
            level,
            work_on(Structure.FORTIFICATION, level, rules),
            repair_work(level, rules).gold,
            razed_gold(Structure.FORTIFICATION, level, rules),
        )
        for level in range(1, rules.construction.fortification_limit + 1)
    )


def structure_rows(rules: Rules) -> tuple[StructureRow, ...]:
    """The structures that have no levels."""
    return tuple(
        StructureRow(each.value.capitalize(), work_on(each, 1, rules), razed_gold(each, 1, rules))
        for each in Structure
        if each is not Structure.FORTIFICATION
    )


def city_rows(atlas: Atlas, rules: Rules) -> Iterator[CityRow]:
    """Every city in the map's order."""
    lists = {region: set(names) for region, names in rules.recruits.items()}
    for province in atlas.provinces:
        city = atlas.city(province)
        if city is None:
            continue
        own = set(city.recruits)
        region = min(lists, key=lambda name: len(lists[name] ^ own), default="")
        usual = rules.recruits.get(region, ())
        yield CityRow(
            province=province,
            name=city.name,
            resource=city.resource,
            region=region.title(),
            also=tuple(name for name in city.recruits if name not in usual),
            without=tuple(name for name in usual if name not in own),
        )


def realm_rows(atlas: Atlas) -> tuple[RealmRow, ...]:
    """The realms of the map by code."""
    return tuple(
        RealmRow(seat.code, seat.name, seat.ruler, seat.capital, seat.colour)
        for _, seat in sorted(atlas.realms.items())
    )
