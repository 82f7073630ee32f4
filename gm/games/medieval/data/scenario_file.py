"""Start files: what one says (W11), and all that can be wrong with it, each finding at its place in the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Annotated

from msgspec import structs
from pydantic import Field, StringConstraints, ValidationError

from gm.core.diagnostics import Diagnostic, SourceError, shown
from gm.core.values import NameSet
from gm.core.yaml.models import load_data, located, value_at
from gm.core.yaml.pydantic_models import YamlModel, validated
from gm.core.yaml.source import Node
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.map_parts import Names
from gm.games.medieval.data.rules import Rules, Victory
from gm.games.medieval.state import INDEPENDENTS, Status
from gm.store.formats import Format

Name = Annotated[str, StringConstraints(min_length=1, max_length=40, strip_whitespace=True)]
Count = Annotated[int, Field(ge=0)]
Gold = Annotated[Decimal, Field(ge=0, decimal_places=2)]
Troops = Mapping[str, Count | Mapping[Annotated[int, Field(ge=1, le=5)], Count]]
"""By type: how many, all in rank 1, or how many in each rank (W6)."""


class CommanderEntry(YamlModel):
    """One commander and his four tactics (T5)."""

    name: Name
    infantry: Annotated[int, Field(ge=0, le=100)] = 0
    cavalry: Annotated[int, Field(ge=0, le=100)] = 0
    siege: Annotated[int, Field(ge=0, le=100)] = 0
    naval: Annotated[int, Field(ge=0, le=100)] = 0


class ProvinceStart(YamlModel):
    """One province at the start (W4). ``annexed`` none: annexed to its owner, if that is a realm (W11)."""

    owner: str = INDEPENDENTS
    annexed: bool = True
    damage: Count = 0
    fortification: Count = 0
    fortification_damage: Count = 0
    harbour: bool = False
    production_areas: Count = 0
    permissions: NameSet = frozenset()
    garrison: Troops = Field({})
    commanders: tuple[CommanderEntry, ...] = ()
    leader: str | None = None


class RealmStart(YamlModel):
    """One realm at the start (W1, V2)."""

    treasury: Gold
    status: Status = Status.COMMONER


class UnitStart(YamlModel):
    """An army or fleet that is there from the start, such as the independents' (W7)."""

    place: str
    name: Name | None = None
    aboard: str | None = None
    troops: Troops = Field({})
    commanders: tuple[CommanderEntry, ...] = ()
    leader: str | None = None


class Scenario(YamlModel):
    """A start file as it is written. What ``victory`` and ``year`` say replaces the rules' (V1, W9).

    ``units`` are by realm (or IND for the independents) and id. Provinces that are not named are independent and bare.
    """

    map: str
    title: Name
    realms: Mapping[str, RealmStart]
    provinces: Mapping[str, ProvinceStart]
    units: Mapping[str, Mapping[Annotated[str, StringConstraints(pattern=r"^[AF][1-9][0-9]?$")], UnitStart]] = {}
    wars: tuple[tuple[str, str], ...] = ()
    alliances: tuple[tuple[str, str], ...] = ()
    victory: Mapping[str, int | None] = {}
    year: int | None = None


def guarded(start: ProvinceStart, atlas: Atlas, province: str) -> bool:
    """Whether the province has a garrison: where there is a city or a fortification (W5)."""
    return start.fortification > 0 or atlas.city(province) is not None


START = Format("start file", 1)


def load_scenario(path: Path, atlas: Atlas, rules: Rules) -> Scenario:
    """The start position of a file, checked against its map and the rules.

    Raises ``SourceError`` with every finding at its place in the file; ``StoreError`` for the file of a newer version.
    """
    data, node = load_data(path)
    scenario = value_at(node, START.current(data, str(path)), Scenario)
    findings = list(_findings(scenario, node, atlas, rules))
    if findings:
        raise SourceError(*sorted(findings, key=lambda found: (found.line, found.column)))
    return scenario


def _findings(scenario: Scenario, node: Node, atlas: Atlas, rules: Rules) -> Iterator[Diagnostic]:
    if scenario.map != atlas.name:
        yield Names(node).at("map", "start/other-map", f"this start is for map {scenario.map}, not {atlas.name}")
    yield from _victory(scenario, node, rules)
    yield from _realms(scenario, node, atlas)
    yield from _relations(scenario, node, atlas)
    for name, start in scenario.provinces.items():
        names = Names(node, "provinces", name)
        if name not in atlas.locations or atlas.is_sea(name):
            yield names.unknown_key("start/unknown-province", "province", name, atlas.provinces)
            continue
        yield from _province(names, name, start, atlas, rules)
    for realm, units in scenario.units.items():
        if realm not in (*atlas.realms, INDEPENDENTS):
            yield Names(node, "units", realm).unknown_key("start/unknown-realm", "realm", realm, atlas.realms)
            continue
        for unit_id, unit in units.items():
            yield from _unit(Names(node, "units", realm, unit_id), realm, unit_id, unit, scenario, atlas, rules)
    yield from _limits(scenario, node, atlas, rules)


def _victory(scenario: Scenario, node: Node, rules: Rules) -> Iterator[Diagnostic]:
    try:
        validated({**structs.asdict(rules.victory), **scenario.victory}, Victory)
    except ValidationError as error:
        yield from located(Names(node, "victory").node, error, Victory)


def _realms(scenario: Scenario, node: Node, atlas: Atlas) -> Iterator[Diagnostic]:
    for code in scenario.realms:
        if code not in atlas.realms:
            yield Names(node, "realms", code).unknown_key("start/unknown-realm", "realm", code, atlas.realms)
    for code in atlas.realms:
        if code not in scenario.realms:
            yield Names(node).at("realms", "start/missing-realm", f"realm {code} of the map has no entry", clause="W11")


def _relations(scenario: Scenario, node: Node, atlas: Atlas) -> Iterator[Diagnostic]:
    seen: set[frozenset[str]] = set()
    for field, pairs in (("wars", scenario.wars), ("alliances", scenario.alliances)):
        for both in pairs:
            unknown = [code for code in both if code not in atlas.realms]
            if unknown:
                yield Names(node).unknown(field, "start/unknown-realm", "realm", unknown[0], atlas.realms)
            elif both[0] == both[1] or frozenset(both) in seen:
                yield Names(node).at(
                    field, "start/relation", f"{both[0]} and {both[1]} cannot stand here (again)", clause="W1"
                )
            seen.add(frozenset(both))


def _province(names: Names, name: str, start: ProvinceStart, atlas: Atlas, rules: Rules) -> Iterator[Diagnostic]:
    if start.owner not in (*atlas.realms, INDEPENDENTS):
        yield names.unknown("owner", "start/unknown-realm", "realm", start.owner, atlas.realms)
    for realm in sorted(start.permissions):
        if realm not in atlas.realms:
            yield names.unknown("permissions", "start/unknown-realm", "realm", realm, atlas.realms)
    city = atlas.city(name)
    for field, value, most, clause in (
        ("damage", start.damage, rules.economy.damage_limit, "W4"),
        ("fortification", start.fortification, rules.construction.fortification_limit, "W4"),
        ("fortification_damage", start.fortification_damage, start.fortification, "W4"),
        ("production_areas", start.production_areas, atlas.locations[name].production_limit, "W4"),
    ):
        if value > most:
            yield names.at(field, "start/too-much", f"{field} can be {most} in {name} at most", clause=clause)
    if start.harbour and (city is None or not atlas.has_coast(name)):
        yield names.at("harbour", "start/harbour", f"{name} needs a city and an open coast for a harbour", clause="L8")
    if (start.garrison or start.commanders) and not guarded(start, atlas, name):
        yield names.at("garrison", "start/garrison", f"{name} has no garrison: no city, no fortification", clause="W5")
    ships = city is not None and start.harbour
    yield from _troops(names, "garrison", start.garrison, rules, soldiers=True, ships=ships)
    yield from _leader(names, start.leader, start.commanders)


def _troops(
    names: Names, field: str, troops: Mapping[str, object], rules: Rules, *, soldiers: bool, ships: bool
) -> Iterator[Diagnostic]:
    for troop in troops:
        kind = rules.troops.get(troop)
        inside = names.below(field, troop)
        if kind is None:
            yield inside.unknown_key("start/unknown-troop", "troop type", troop, rules.troops)
        elif kind.ship and not ships:
            yield inside.key("start/no-ships", f"{shown(troop)} cannot be here: ships need a fleet or a harbour town")
        elif not kind.ship and not soldiers:
            yield inside.key("start/no-soldiers", f"{shown(troop)} cannot be in a fleet itself, only in an army aboard")


def _leader(names: Names, leader: str | None, commanders: tuple[CommanderEntry, ...]) -> Iterator[Diagnostic]:
    here = [commander.name for commander in commanders]
    if leader is not None and leader not in here:
        yield names.unknown("leader", "start/unknown-commander", "commander here", leader, here)


def _unit(
    names: Names, realm: str, unit_id: str, unit: UnitStart, scenario: Scenario, atlas: Atlas, rules: Rules
) -> Iterator[Diagnostic]:
    fleet = unit_id.startswith("F")
    yield from _troops(names, "troops", unit.troops, rules, soldiers=not fleet, ships=fleet)
    yield from _leader(names, unit.leader, unit.commanders)
    if not unit.commanders and not any(unit.troops.values()):
        yield names.key("start/empty-unit", f"{unit_id} has neither troops nor commanders")
    if unit.place not in atlas.locations:
        yield names.unknown("place", "start/unknown-place", "place", unit.place, atlas.locations)
        return
    host = scenario.units[realm].get(unit.aboard) if unit.aboard else None
    if unit.aboard:
        if fleet or host is None or not unit.aboard.startswith("F") or host.place != unit.place:
            yield names.at("aboard", "start/aboard", f"{realm} has no fleet {unit.aboard} at {unit.place}", clause="W2")
    elif not fleet and atlas.is_sea(unit.place):
        yield names.at("place", "start/place", "an army stands in a province or aboard a fleet", clause="W2")
    start = scenario.provinces.get(unit.place, ProvinceStart())
    if fleet and not atlas.is_sea(unit.place) and not start.harbour:
        yield names.at("place", "start/place", f"{unit.place} has no harbour to dock in", clause="W2")


def _limits(scenario: Scenario, node: Node, atlas: Atlas, rules: Rules) -> Iterator[Diagnostic]:
    """Each commander once in his realm, and not more of them, or of annexed provinces, than the status allows (V2)."""
    for code, realm in scenario.realms.items():
        names = Names(node, "realms", code)
        commanders = list(_commanders_of(code, scenario))
        for name in sorted({name for name in commanders if commanders.count(name) > 1}):
            yield names.key("start/commander-twice", f"{code} has two commanders called {shown(name)}")
        limits = rules.statuses[realm.status]
        if len(commanders) > limits.commanders:
            yield names.key(
                "start/too-many",
                f"{code} has {len(commanders)} commanders, {realm.status} may have {limits.commanders}",
            )
        annexed = sum(start.owner == code and start.annexed for start in scenario.provinces.values())
        if annexed > limits.annexed_provinces:
            yield names.key(
                "start/too-many",
                f"{code} has {annexed} annexed provinces, {realm.status} may have {limits.annexed_provinces}",
            )


def _commanders_of(code: str, scenario: Scenario) -> Iterator[str]:
    for start in scenario.provinces.values():
        if start.owner == code:
            yield from (commander.name for commander in start.commanders)
    for unit in scenario.units.get(code, {}).values():
        yield from (commander.name for commander in unit.commanders)
