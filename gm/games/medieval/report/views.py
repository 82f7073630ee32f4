"""Rows for the tables of the pages: what a unit, a province and a realm look like to their readers."""

from __future__ import annotations

from decimal import Decimal

from gm.core.records import Record, record
from gm.games.medieval.data.atlas import Atlas, Border
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.state import INDEPENDENTS, Commander, Province, Ranks, Realm, Unit, World
from gm.games.medieval.state.strength import (
    hit_points,
    marine_space,
    pace,
    soldiers,
    storage,
    total_combat,
    upkeep,
    weight,
)
from gm.games.medieval.steps.economy import province_revenue

KIND_WORDS = {"A": "army", "F": "fleet", "G": "garrison"}


@record
class TroopRow(Record):
    """Troops of one type in a unit; ``ranks`` reads ``rank 1: 4, rank 3: 2``, or ``rank 3`` when all stand in it; it is
    empty when that is rank 1."""

    count: int
    name: str
    ranks: str


@record
class UnitRow(Record):
    """One unit. ``aboard`` is the carrying fleet's id (its key when foreign), ``cargo`` the armies it carries.

    ``load`` is what they weigh together, out of ``storage``; ``marines`` is the room for soldiers who fight at sea.
    """

    key: str
    id: str
    realm: str
    owner: str
    kind: str
    name: str
    place: str
    aboard: str
    cargo: str
    troops: tuple[TroopRow, ...]
    commanders: tuple[Commander, ...]
    leader: str
    soldiers: int
    combat: int
    hit_points: Decimal
    pace: int
    upkeep: Decimal
    weight: int
    storage: int
    load: int
    marines: int
    settings: tuple[str, ...]

    @property
    def empty(self) -> bool:
        return not self.troops and not self.commanders


def unit_row(unit: Unit, world: World, rules: Rules, owner: str) -> UnitRow:
    """One unit as its readers see it."""
    return UnitRow(
        key=unit.key,
        id=unit.id,
        realm=unit.realm,
        owner=owner,
        kind=KIND_WORDS[unit.kind.value],
        name=unit.name or "",
        place=unit.place,
        aboard=_short(unit.aboard, unit.realm) if unit.aboard else "",
        cargo=", ".join(_short(army.key, unit.realm) for army in world.cargo(unit.key)) if unit.is_fleet else "",
        troops=tuple(TroopRow(sum(ranks), name, ranks_in_words(ranks)) for name, ranks in unit.troops.items()),
        commanders=unit.commanders,
        leader=unit.leader or "",
        soldiers=soldiers(unit, rules),
        combat=total_combat(unit, rules, ships_too=True),
        hit_points=hit_points(unit, rules),
        pace=pace(unit, rules),
        upkeep=Decimal(0) if unit.realm == INDEPENDENTS else upkeep((unit,), rules),
        weight=0 if unit.is_fleet else weight(unit, rules),
        storage=storage(unit, rules) if unit.is_fleet else 0,
        load=sum(weight(army, rules) for army in world.cargo(unit.key)) if unit.is_fleet else 0,
        marines=marine_space(unit, rules) if unit.is_fleet else 0,
        settings=tuple(_settings(unit)),
    )


def _short(key: str, realm: str) -> str:
    return key.removeprefix(f"{realm}/")


def ranks_in_words(ranks: Ranks) -> str:
    """Where troops of a type stand; empty when all are in the first rank, as most are."""
    manned = [rank for rank, count in enumerate(ranks, 1) if count]
    if len(manned) < 2:
        return "" if manned in ([], [1]) else f"rank {manned[0]}"
    return ", ".join(f"rank {rank}: {count}" for rank, count in enumerate(ranks, 1) if count)


def _settings(unit: Unit) -> list[str]:
    """What of its standing orders is worth a word."""
    if unit.is_garrison:
        return []
    found = [f"retreats when rank {unit.retreat_level} is broken"] if unit.retreat_level < 5 else []
    if unit.follow:
        found.append(f"follows {unit.follow}")
    if unit.is_army and not unit.defend_fortifications:
        found.append("does not defend fortifications")
    if unit.is_army and not unit.marines:
        found.append("no marines")
    return found


@record
class ProvinceRow(Record):
    """One province. ``revenue`` is what it yields at its present damage, whoever gets it.

    ``recruits`` are (type, price) of its city.
    """

    name: str
    realm: str
    owner: str
    annexed_to: str
    annexed: str
    turns_away: int
    base: Decimal
    revenue: Decimal
    damage: int
    city: str
    resource: int
    recruits: tuple[tuple[str, Decimal], ...]
    capital: bool
    fortification: int
    fortification_name: str
    fortification_damage: int
    harbour: bool
    areas: int
    areas_limit: int
    permissions: tuple[str, ...]
    guard: int

    @property
    def paying(self) -> bool:
        """Whether its owner gets the revenue (L11)."""
        return self.annexed_to == self.realm


def province_row(province: Province, world: World, rules: Rules, atlas: Atlas) -> ProvinceRow:
    """One province as its readers see it."""
    place = atlas.locations[province.name]
    base = place.revenue + rules.economy.production_area_revenue * province.production_areas
    garrison = world.garrison(province.name)
    effective = rules.fortification(province.effective_fortification)
    return ProvinceRow(
        name=province.name,
        realm=province.owner,
        owner=realm_name(world, province.owner),
        annexed_to=province.annexed_to or "",
        annexed=realm_name(world, province.annexed_to) if province.annexed_to else "",
        turns_away=province.turns_away,
        base=base,
        revenue=province_revenue(province, atlas, rules),
        damage=province.damage,
        city=place.city.name if place.city else "",
        resource=place.city.resource if place.city else 0,
        recruits=tuple((name, rules.troops[name].cost) for name in place.city.recruits) if place.city else (),
        capital=place.capital_of is not None,
        fortification=province.fortification,
        fortification_name=effective.name if effective else "in ruins" if province.fortification else "",
        fortification_damage=province.fortification_damage,
        harbour=province.harbour,
        areas=province.production_areas,
        areas_limit=place.production_limit,
        permissions=tuple(realm_name(world, code) for code in sorted(province.permissions)),
        guard=garrison.troop_count + len(garrison.commanders) if garrison else 0,
    )


def borders_of(atlas: Atlas, name: str) -> list[tuple[str, str]]:
    """(neighbour, way) of a place; the way is mountains, reefs, strait or nothing special (W3)."""
    ways = {frozenset((each.a, each.b)): way_of(each) for each in atlas.borders}
    return [(other, ways[frozenset((name, other))]) for other in atlas.graph.neighbours(name)]


def way_of(border: Border) -> str:
    """What is special about a border; empty for nothing."""
    return border.barrier.value if border.barrier else "strait" if border.strait else ""


def realm_name(world: World, code: str) -> str:
    """A realm's name; independents have one too."""
    return "Independents" if code == INDEPENDENTS else world.realms[code].name


@record
class RealmRow(Record):
    """One realm as everybody sees it."""

    code: str
    name: str
    ruler: str
    colour: str
    status: str
    controller: str
    defeated: bool
    provinces: int
    annexed: int
    cities: int
    soldiers: int
    ships: int
    combat: int


def realm_row(realm: Realm, world: World, rules: Rules, atlas: Atlas) -> RealmRow:
    """One realm's size and standing."""
    lands = world.owned_by(realm.code)
    units = world.of_realm(realm.code)
    fighting = sum(soldiers(unit, rules) for unit in units)
    seat = atlas.realms.get(realm.code)
    return RealmRow(
        code=realm.code,
        name=realm.name,
        ruler=realm.ruler,
        colour=seat.colour if seat else "#777777",
        status=realm.status.value,
        controller=realm.controller.value,
        defeated=realm.defeated,
        provinces=len(lands),
        annexed=sum(1 for each in world.provinces.values() if each.annexed_to == realm.code),
        cities=sum(1 for each in lands if atlas.city(each.name)),
        soldiers=fighting,
        ships=sum(unit.troop_count for unit in units) - fighting,
        combat=sum(total_combat(unit, rules, ships_too=True) for unit in units),
    )
