"""The map file: YAML written by a map maker, read into an :class:`~gm.games.medieval.data.atlas.Atlas` (W2-W4).

The file names every border once and every city's recruiting region; what it says must agree with itself and with the
rules data. ``maps/medieval/minsk/map.yaml`` explains each entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Annotated

from pydantic import Field, StringConstraints

from gm.core.diagnostics import Diagnostic, SourceError
from gm.core.yaml.models import load_data, value_at
from gm.core.yaml.pydantic_models import YamlModel
from gm.core.yaml.source import Node
from gm.games.medieval.data.atlas import Atlas, City, Location, Point, RealmSeat
from gm.games.medieval.data.map_parts import Names, distinct_names, read_borders, read_outlines, recruit_list
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.data.rules_data import load_rules
from gm.games.medieval.state import INDEPENDENTS
from gm.store.formats import Format

MAP = Format("map file", 1)

Name = Annotated[str, StringConstraints(min_length=1, max_length=40, strip_whitespace=True)]
Count = Annotated[int, Field(ge=0)]


class SeatEntry(YamlModel):
    """One realm of the map (T6)."""

    name: Name
    ruler: Name
    group: str
    capital: str
    colour: Annotated[str, StringConstraints(pattern=r"^#[0-9a-fA-F]{6}$")]


class CityEntry(YamlModel):
    """One city: its region's recruit list with what the city adds and lacks (T6)."""

    name: Name
    resource: Count
    region: str
    also: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


class ProvinceEntry(YamlModel):
    """One province; ``production`` none: as many production areas as the rules allow (L8)."""

    label: Point
    revenue: Annotated[Decimal, Field(ge=0)]
    production: Annotated[int, Field(ge=0)] | None = None
    city: CityEntry | None = None


class SeaEntry(YamlModel):
    """One sea; ``inland`` when no fleet is meant to reach it from the others."""

    label: Point
    inland: bool = False


class MapFile(YamlModel):
    """A map file as it is written."""

    name: Name
    title: Name
    size: tuple[Annotated[float, Field(gt=0)], Annotated[float, Field(gt=0)]]
    realms: Mapping[Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")], SeatEntry]
    provinces: Mapping[Name, ProvinceEntry]
    seas: Mapping[Name, SeaEntry]
    borders: Mapping[str, tuple[str | Mapping[str, str], ...]]
    outlines: Mapping[str, tuple[str, ...]] = {}
    compass: Point | None = None


def load_atlas(path: Path, rules: Rules | None = None) -> Atlas:
    """The map of a file; ``rules`` (the shipped ones if none are given) supply the recruit lists.

    Raises ``SourceError`` with every finding at its place in the file; ``StoreError`` for the file of a newer version.
    """
    data, node = load_data(path)
    written = value_at(node, MAP.current(data, str(path)), MapFile)
    rules = rules or load_rules()
    findings = [*distinct_names(node), *_seats_that_do_not_fit(written, node)]
    outlines = read_outlines(node, findings, (*written.provinces, *written.seas))
    borders = read_borders(node, findings, provinces=written.provinces, seas=written.seas)
    capitals = {seat.capital: code for code, seat in written.realms.items()}
    limit = rules.construction.production_area_limit
    locations = {}
    for name, entry in written.provinces.items():
        city = None
        if entry.city is not None:
            recruits = recruit_list(Names(node, "provinces", name, "city"), entry.city, rules, findings)
            city = City(name=entry.city.name, resource=entry.city.resource, recruits=recruits)
        locations[name] = Location(
            name=name,
            revenue=entry.revenue,
            city=city,
            production_limit=limit if entry.production is None else entry.production,
            capital_of=capitals.get(name),
            label=entry.label,
            outline=outlines.get(name, ()),
        )
    for name, sea in written.seas.items():
        outline = outlines.get(name, ())
        locations[name] = Location(name=name, sea=True, inland=sea.inland, label=sea.label, outline=outline)
    if findings:
        raise SourceError(*sorted(findings, key=lambda found: (found.line, found.column)))
    return Atlas(
        name=written.name,
        title=written.title,
        width=written.size[0],
        height=written.size[1],
        realms={code: RealmSeat(code=code, **dict(seat)) for code, seat in sorted(written.realms.items())},
        locations=locations,
        borders=borders,
        compass=written.compass,
    )


def _seats_that_do_not_fit(written: MapFile, node: Node) -> Iterator[Diagnostic]:
    """Realms whose code or capital cannot be: W4 wants a capital to be a city of the map, one realm's only."""
    taken: dict[str, str] = {}
    for code, seat in written.realms.items():
        names, capital = Names(node, "realms", code), seat.capital
        if code == INDEPENDENTS:
            yield names.key("map/realm-code", f"{INDEPENDENTS} means the independents, who are no realm")
        province = written.provinces.get(capital)
        if province is None:
            yield names.unknown("capital", "map/unknown-capital", "province", capital, written.provinces)
        elif province.city is None:
            yield names.at("capital", "map/capital-without-city", f"{capital} has no city", clause="W4")
        elif capital in taken:
            yield names.at("capital", "map/capital-twice", f"{capital} is the capital of {taken[capital]} too")
        taken.setdefault(capital, code)
