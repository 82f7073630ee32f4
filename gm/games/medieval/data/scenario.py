"""The start file of a map (W11): its entries, and the findings about them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import Annotated

from msgspec import structs
from pydantic import Field, StringConstraints, ValidationError

from gm.core.diagnostics import Diagnostic, fold, shown
from gm.core.values import NameSet
from gm.core.yaml.models import load_data, located, value_at
from gm.core.yaml.pydantic_models import YamlModel, validated
from gm.core.yaml.source import Node
from gm.games.medieval import state
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.file_entries import Entry, raise_all
from gm.games.medieval.data.map_file import Count, Name
from gm.games.medieval.data.rules import Rules, Victory
from gm.games.medieval.state import INDEPENDENTS
from gm.store.formats import Format

START = Format("start file", 1)

Gold = Annotated[Decimal, Field(ge=0, decimal_places=2)]
Rating = Annotated[int, Field(ge=0, le=100)]
Troops = Mapping[str, Count | Mapping[Annotated[int, Field(ge=1, le=5)], Count]]
"""By type: how many, all in rank 1, or how many in each rank (W6)."""


class CommanderEntry(YamlModel):
    """One commander, with the ratings in four tactics (T5)."""

    name: Name
    infantry: Rating = 0
    cavalry: Rating = 0
    siege: Rating = 0
    naval: Rating = 0


class ProvinceStart(YamlModel):
    """One province at the start (W4)."""

    owner: str = INDEPENDENTS
    annexed: bool = True  # to its owner, if that is a realm (W11)
    damage: Count = 0
    fortification: Count = 0
    fortification_damage: Count = 0
    harbour: bool = False
    production_areas: Count = 0
    permissions: NameSet = frozenset()
    garrison: Troops = Field({})
    commanders: tuple[CommanderEntry, ...] = ()  # in the garrison
    leader: str | None = None  # the name of one of them


class RealmStart(YamlModel):
    """One realm at the start (W1, V2)."""

    treasury: Gold
    status: state.Status = state.Status.COMMONER


class UnitStart(YamlModel):
    """An army or fleet at the start, such as the independents' (W7)."""

    place: str
    name: Name | None = None
    aboard: str | None = None  # the id of a fleet of the same realm
    troops: Troops = Field({})
    commanders: tuple[CommanderEntry, ...] = ()
    leader: str | None = None


class Scenario(YamlModel):
    """A start file as it is written."""

    map: str  # the name of the map
    title: Name
    realms: Mapping[str, RealmStart]  # by code
    provinces: Mapping[str, ProvinceStart]  # by name; the others are as ``ProvinceStart()``
    # by realm, or IND for the independents, and id
    units: Mapping[
        str, Mapping[Annotated[str, StringConstraints(pattern=r"^[AF][1-9][0-9]?$")], UnitStart]
    ] = {}
    wars: tuple[tuple[str, str], ...] = ()
    alliances: tuple[tuple[str, str], ...] = ()
    victory: Mapping[str, int | None] = {}  # figures of the goal that replace the rules' (V1)
    year: int | None = None  # replaces the rules' first year (W9)


def scenario_rules(scenario: Scenario, rules: Rules) -> Rules:
    """Return the rules with the goal of the game and the first year of a scenario (V1, W9)."""
    year = rules.start_year if scenario.year is None else scenario.year
    return rules.evolve(victory=rules.victory.evolve(**scenario.victory), start_year=year)


def starts_with_garrison(start: ProvinceStart, atlas: Atlas, province: str) -> bool:
    """Return whether a province has a garrison at the start: with a city or a fortification (W5)."""
    return start.fortification > 0 or atlas.city(province) is not None


def load_scenario(path: Path, atlas: Atlas, rules: Rules) -> Scenario:
    """Return the start position of a file, checked against its map and the rules.

    Raises ``SourceError`` with every finding at its place in the file; ``StoreError`` for the file of a newer
    version.
    """
    data, node = load_data(path)
    scenario = value_at(node, START.current(data, str(path)), Scenario)
    raise_all(list(_StartCheck(scenario, node, atlas, rules).findings()))
    return scenario


class _StartCheck:
    """Finds what is wrong in a start file whose values are of the right types."""

    def __init__(self, scenario: Scenario, node: Node, atlas: Atlas, rules: Rules) -> None:
        self.scenario = scenario
        self.node = node
        self.atlas = atlas
        self.rules = rules

    def findings(self) -> Iterator[Diagnostic]:
        """Yield all findings about the start file."""
        scenario = self.scenario
        node = self.node
        atlas = self.atlas
        top = Entry(node)
        if scenario.map != atlas.name:
            yield top.at("map", "start/other-map", f"this start is for map {scenario.map}, not {atlas.name}")
        try:
            validated({**structs.asdict(self.rules.victory), **scenario.victory}, Victory)
        except ValidationError as error:
            yield from located(Entry(node, "victory").node, error, Victory)
        for code in scenario.realms.keys() - atlas.realms.keys():
            yield Entry(node, "realms", code).unknown("", *_UNKNOWN_REALM, code, atlas.realms)
        for code in sorted(atlas.realms.keys() - scenario.realms.keys()):
            yield top.at(
                "realms", "start/missing-realm", f"realm {code} of the map has no entry", clause="W11"
            )
        yield from self._relations(top)
        yield from self._provinces()
        yield from self._units()
        yield from self._limits()

    def _provinces(self) -> Iterator[Diagnostic]:
        """Yield the findings about the scenario's provinces."""
        atlas = self.atlas
        for name, start in self.scenario.provinces.items():
            entry = Entry(self.node, "provinces", name)
            if name not in atlas.locations or atlas.is_sea(name):
                yield entry.unknown("", "start/unknown-province", "province", name, atlas.provinces)
            else:
                yield from self._province(entry, name, start)

    def _units(self) -> Iterator[Diagnostic]:
        """Yield the findings about the scenario's armies and fleets."""
        realms = self.atlas.realms
        for realm, units in self.scenario.units.items():
            if realm not in (*realms, INDEPENDENTS):
                yield Entry(self.node, "units", realm).unknown("", *_UNKNOWN_REALM, realm, realms)
                continue
            for unit_id, unit in units.items():
                yield from self._unit(Entry(self.node, "units", realm, unit_id), realm, unit_id, unit)

    def _relations(self, top: Entry) -> Iterator[Diagnostic]:
        """Yield the findings about wars and alliances."""
        seen: set[frozenset[str]] = set()
        for field, pairs in (("wars", self.scenario.wars), ("alliances", self.scenario.alliances)):
            for a, b in pairs:
                unknown = [code for code in (a, b) if code not in self.atlas.realms]
                if unknown:
                    yield top.unknown(field, *_UNKNOWN_REALM, unknown[0], self.atlas.realms)
                elif a == b or frozenset((a, b)) in seen:
                    yield top.at(
                        field, "start/relation", f"{a} and {b} cannot stand here (again)", clause="W1"
                    )
                seen.add(frozenset((a, b)))

    def _province(self, entry: Entry, name: str, start: ProvinceStart) -> Iterator[Diagnostic]:
        """Yield the findings about one province."""
        atlas = self.atlas
        rules = self.rules
        if start.owner not in (*atlas.realms, INDEPENDENTS):
            yield entry.unknown("owner", *_UNKNOWN_REALM, start.owner, atlas.realms)
        for realm in sorted(start.permissions - atlas.realms.keys()):
            yield entry.unknown("permissions", *_UNKNOWN_REALM, realm, atlas.realms)
        limits = {
            "damage": rules.economy.damage_limit,
            "fortification": rules.construction.fortification_limit,
            "fortification_damage": start.fortification,
            "production_areas": atlas.locations[name].production_limit,
        }
        for field, limit in limits.items():
            if getattr(start, field) > limit:
                yield entry.at(
                    field, "start/too-much", f"{field} can be {limit} in {name} at most", clause="W4"
                )
        has_city = atlas.city(name) is not None
        if start.harbour and not (has_city and atlas.has_coast(name)):
            message = f"{name} needs a city and an open coast for a harbour"
            yield entry.at("harbour", "start/harbour", message, clause="L8")
        if (start.garrison or start.commanders) and not starts_with_garrison(start, atlas, name):
            message = f"{name} has no garrison: no city, no fortification"
            yield entry.at("garrison", "start/garrison", message, clause="W5")
        yield from self._troops(entry, "garrison", start, soldiers=True, ships=has_city and start.harbour)

    def _troops(
        self, entry: Entry, field: str, start: ProvinceStart | UnitStart, *, soldiers: bool, ships: bool
    ) -> Iterator[Diagnostic]:
        """Yield the findings about troops and leader of a unit or garrison.

        ``field``: the entry's field with the troops; ``soldiers`` and ``ships``: whether it may have them.
        """
        for troop in getattr(start, field):
            row = self.rules.troops.get(troop)
            troop_entry = entry.below(field, troop)
            if row is None:
                yield troop_entry.unknown("", "start/unknown-troop", "troop type", troop, self.rules.troops)
            elif row.ship and not ships:
                message = f"{shown(troop)} cannot be here: ships need a fleet or a harbour town"
                yield troop_entry.at("", "start/no-ships", message)
            elif not row.ship and not soldiers:
                message = f"{shown(troop)} cannot be in a fleet itself, only in an army aboard"
                yield troop_entry.at("", "start/no-soldiers", message)
        commander_names = [commander.name for commander in start.commanders]
        if start.leader is not None and start.leader not in commander_names:
            yield entry.unknown(
                "leader", "start/unknown-commander", "commander here", start.leader, commander_names
            )

    def _unit(self, entry: Entry, realm: str, unit_id: str, unit: UnitStart) -> Iterator[Diagnostic]:
        """Yield the findings about one army or fleet."""
        is_fleet = unit_id.startswith("F")
        atlas = self.atlas
        yield from self._troops(entry, "troops", unit, soldiers=not is_fleet, ships=is_fleet)
        if not unit.commanders and not any(unit.troops.values()):
            yield entry.at("", "start/empty-unit", f"{unit_id} has neither troops nor commanders")
        if unit.place not in atlas.locations:
            yield entry.unknown("place", "start/unknown-place", "place", unit.place, atlas.locations)
            return
        host = self.scenario.units[realm].get(unit.aboard) if unit.aboard else None
        if unit.aboard:
            if is_fleet or host is None or not unit.aboard.startswith("F") or host.place != unit.place:
                message = f"{realm} has no fleet {unit.aboard} at {unit.place}"
                yield entry.at("aboard", "start/aboard", message, clause="W2")
        elif not is_fleet and atlas.is_sea(unit.place):
            yield entry.at(
                "place", "start/place", "an army stands in a province or aboard a fleet", clause="W2"
            )
        harbour = self.scenario.provinces.get(unit.place, ProvinceStart()).harbour
        if is_fleet and not atlas.is_sea(unit.place) and not harbour:
            yield entry.at("place", "start/place", f"{unit.place} has no harbour to dock in", clause="W2")

    def _limits(self) -> Iterator[Diagnostic]:
        """Yield the findings about limits.

        They are a commander's name that is used twice in the game (L5), and more commanders or annexed
        provinces in a realm than its status allows (V2).
        """
        scenario = self.scenario
        realm_of_name: dict[str, str] = {}  # by folded name of a commander
        for code, realm in scenario.realms.items():
            entry = Entry(self.node, "realms", code)
            limits = self.rules.statuses[realm.status]
            lands = [start for start in scenario.provinces.values() if start.owner == code]
            starts: list[ProvinceStart | UnitStart] = [*lands, *scenario.units.get(code, {}).values()]
            commanders = chain.from_iterable(start.commanders for start in starts)
            names = Counter(commander.name for commander in commanders)
            for name in sorted(name for name, count in names.items() if count > 1):
                yield entry.at("", "start/commander-twice", f"{code} has two commanders called {shown(name)}")
            for name in sorted(names):
                other = realm_of_name.setdefault(fold(name), code)
                if other != code:
                    message = f"{code} and {other} both have a commander called {shown(name)}"
                    yield entry.at("", "start/commander-twice", message, clause="L5")
            annexed = sum(start.annexed for start in lands)
            for has, limit, what in (
                (names.total(), limits.commanders, "commanders"),
                (annexed, limits.annexed_provinces, "annexed provinces"),
            ):
                if has > limit:
                    yield entry.at(
                        "", "start/too-many", f"{code} has {has} {what}, {realm.status} may have {limit}"
                    )


_UNKNOWN_REALM = ("start/unknown-realm", "realm")
