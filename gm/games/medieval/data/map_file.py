"""The map file: a map maker's YAML, read into an :class:`~gm.games.medieval.data.atlas.Atlas` (W2-W4).

The file names every border once and every city's recruiting region; what it says must agree with itself and
with the rules data. ``maps/medieval/minsk/map.yaml`` explains each entry.
"""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from gm.core.diagnostics import Diagnostic, did_you_mean, fold, nearest, shown
from gm.core.yaml import source
from gm.core.yaml.models import load_data, value_at
from gm.core.yaml.pydantic_models import YamlModel
from gm.core.yaml.source import Node, Scalar
from gm.games.medieval.data.atlas import Atlas, Barrier, Border, City, Location, Point, RealmSeat
from gm.games.medieval.data.file_entries import Entry, entries, raise_all, unknown_name
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.data.rules_data import load_rules
from gm.games.medieval.state import INDEPENDENTS
from gm.store.formats import Format

MAP = Format("map file", 1)
STRAIT = "strait"
KINDS = (*(barrier.value for barrier in Barrier), STRAIT)

Name = Annotated[str, StringConstraints(min_length=1, max_length=40, strip_whitespace=True)]
Count = Annotated[int, Field(ge=0)]
Ring = tuple[Point, ...]


def _adjective(text: str) -> str:
    """Return an adjective as written. Raises ``ValueError`` for text that cannot be put before a noun."""
    if re.fullmatch(r"[^\W\d_]+([ '’-][^\W\d_]+)*", text) and text[0].isupper():
        return text
    raise ValueError(
        f"{shown(text)} cannot stand before a noun: write one or more words, as in 'Venetian' ships"
    )


Adjective = Annotated[Name, AfterValidator(_adjective)]


class SeatEntry(YamlModel):
    """One realm of the map (T6)."""

    name: Name
    ruler: Name
    group: str
    capital: str
    colour: Annotated[str, StringConstraints(pattern=r"^#[0-9a-fA-F]{6}$")]
    adjective: Adjective = ""


class CityEntry(YamlModel):
    """One city: additions to its region's recruit list, and exceptions (T6)."""

    name: Name
    resource: Count
    region: str
    also: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


class ProvinceEntry(YamlModel):
    """One province; ``production`` None: as many production areas as the rules allow (L8)."""

    label: Point
    revenue: Annotated[Decimal, Field(ge=0)]
    production: Count | None = None
    city: CityEntry | None = None


class SeaEntry(YamlModel):
    """One sea; ``inland`` when no fleet is meant to reach it from the others."""

    label: Point
    inland: bool = False


def _possible(code: str) -> str:
    if code in ("AUX", "CON", "NUL", "PRN"):
        raise ValueError("no file can have this name on Windows: give the realm another code")
    return code


Code = Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$"), AfterValidator(_possible)]


class MapFile(YamlModel):
    """A map file as it is written."""

    name: Name
    title: Name
    size: tuple[Annotated[float, Field(gt=0)], Annotated[float, Field(gt=0)]]
    realms: Mapping[Code, SeatEntry]
    provinces: Mapping[Name, ProvinceEntry]
    seas: Mapping[Name, SeaEntry] = {}
    borders: Mapping[str, tuple[str | Mapping[str, str], ...]]
    outlines: Mapping[str, tuple[str, ...]] = {}
    compass: Point | None = None
    aliases: Mapping[Name, Name] = {}


def load_atlas(path: Path, rules: Rules | None = None) -> Atlas:
    """Return the map of a file; ``rules`` (by default the shipped ones) supply the recruit lists.

    Raises ``SourceError`` with every finding at its place in the file; ``StoreError`` for the file of a newer
    version.
    """
    data, node = load_data(path)
    map_data = value_at(node, MAP.current(data, str(path)), MapFile)
    rules = rules or load_rules()
    findings = [*_names_alike(node), *_seats_that_do_not_fit(map_data, node)]
    outlines = _outlines(node, findings, map_data)
    borders = _borders(node, findings, map_data)
    locations = {place.name: place for place in _provinces(node, findings, map_data, outlines, rules)}
    for name, sea in map_data.seas.items():
        outline = outlines.get(name, ())
        locations[name] = Location(name=name, sea=True, inland=sea.inland, label=sea.label, outline=outline)
    for alias, place in map_data.aliases.items():
        if place not in locations:
            findings.append(Entry(node, "aliases").unknown(alias, *_UNKNOWN_PLACE, place, locations))
    raise_all(findings)
    return Atlas(
        name=map_data.name,
        title=map_data.title,
        width=map_data.size[0],
        height=map_data.size[1],
        realms={code: RealmSeat(code=code, **dict(realm)) for code, realm in sorted(map_data.realms.items())},
        locations=locations,
        borders=borders,
        compass=map_data.compass,
        aliases=map_data.aliases,
    )


def _provinces(
    node: Node,
    findings: list[Diagnostic],
    written: MapFile,
    outlines: Mapping[str, tuple[Ring, ...]],
    rules: Rules,
) -> Iterator[Location]:
    """Yield the provinces of a map; what is wrong with their cities is added to the findings."""
    capitals = {realm.capital: code for code, realm in written.realms.items()}
    limit = rules.construction.production_area_limit
    for name, entry in written.provinces.items():
        city = (
            _city(Entry(node, "provinces", name, "city"), entry.city, rules, findings) if entry.city else None
        )
        yield Location(
            name=name,
            revenue=entry.revenue,
            city=city,
            production_limit=limit if entry.production is None else entry.production,
            capital_of=capitals.get(name),
            label=entry.label,
            outline=outlines.get(name, ()),
        )


def _names_alike(node: Node) -> Iterator[Diagnostic]:
    """Yield places whose names are the same to a player, who need not mind case and accents (O8)."""
    label_of_name: dict[str, str] = {}
    for section in ("provinces", "seas"):
        for key, _ in entries(node, section):
            label = f"{shown(key.text)} in {section}"
            other_label = label_of_name.setdefault(fold(key.text), label)
            if other_label != label:
                message = f"{shown(key.text)} cannot be told from {other_label}"
                yield key.diagnostic("map/duplicate-name", message, clause="O8")


def _seats_that_do_not_fit(written: MapFile, node: Node) -> Iterator[Diagnostic]:
    """Yield realms with an impossible code or capital: W4 requires a city of the map, of one realm only."""
    seat_of_place: dict[str, str] = {}
    for code, seat in written.realms.items():
        entry = Entry(node, "realms", code)
        capital = seat.capital
        if code == INDEPENDENTS:
            yield entry.at("", "map/realm-code", f"{INDEPENDENTS} means the independents, who are no realm")
        if capital not in written.provinces:
            yield entry.unknown("capital", "map/unknown-capital", "province", capital, written.provinces)
        elif written.provinces[capital].city is None:
            yield entry.at("capital", "map/capital-without-city", f"{capital} has no city", clause="W4")
        elif capital in seat_of_place:
            yield entry.at(
                "capital", "map/capital-twice", f"{capital} is the capital of {seat_of_place[capital]} too"
            )
        seat_of_place.setdefault(capital, code)


def _city(entry: Entry, city: CityEntry, rules: Rules, findings: list[Diagnostic]) -> City | None:
    """Return the city: it recruits its region's list (T6) and its own specials, and siege machines (W4).

    None, with a finding, for a region that is not in the rules.
    """
    region = city.region
    unknown = "map/unknown-troop"
    common = rules.recruits.get(region)
    if common is None:
        findings.append(
            entry.unknown("region", "map/unknown-region", "recruiting region", region, rules.recruits)
        )
        return None
    for troop in city.also:
        if troop not in rules.troops:
            findings.append(entry.unknown("also", unknown, "troop type", troop, rules.troops))
        elif troop in common:
            message = f"{shown(troop)} is in the list of region {region} already"
            findings.append(entry.at("also", "map/troop-twice", message))
    for troop in city.without:
        if troop not in common:
            findings.append(
                entry.unknown("without", unknown, f"troop type of region {region}", troop, common)
            )
    recruits = [
        troop for troop in (*common, *city.also) if troop not in city.without and troop in rules.troops
    ]
    recruits.sort(key=lambda troop: (rules.troops[troop].ship, rules.troops[troop].siege_power > 0))
    if not any(rules.troops[troop].siege_power for troop in recruits):
        findings.append(
            entry.at("without", "map/no-siege-machine", "every city recruits siege machines", clause="W4")
        )
    return City(name=city.name, resource=city.resource, recruits=tuple(recruits))


_UNKNOWN_PLACE = ("map/unknown-place", "place")


def _of_places(
    node: Node, section: str, written: MapFile, findings: list[Diagnostic]
) -> Iterator[tuple[Scalar, Iterator[Node]]]:
    """Yield the lists of a section by place; unknown places are reported."""
    places = (*written.provinces, *written.seas)
    for key, items in entries(node, section):
        if key.text in places:
            yield key, iter(items) if isinstance(items, source.Sequence) else iter(())
        else:
            findings.append(unknown_name(key, *_UNKNOWN_PLACE, key.text, places))


def _borders(node: Node, findings: list[Diagnostic], written: MapFile) -> tuple[Border, ...]:
    """Return the borders in the order of the file (W3). Wrong ones are left out and reported."""
    places = (*written.provinces, *written.seas)
    borders: dict[frozenset[str], Border] = {}
    for key, neighbours in _of_places(node, "borders", written, findings):
        for name, special in chain.from_iterable(map(_neighbours, neighbours)):
            pair = frozenset((key.text, name.text))
            problem = _misfit(key.text, name, special, written)
            if name.text not in places:
                problem = unknown_name(name, *_UNKNOWN_PLACE, name.text, places)
            elif pair in borders:
                message = f"the border between {key.text} and {name.text} stands here already"
                problem = name.diagnostic("map/duplicate-border", message)
            if problem:
                findings.append(problem)
                continue
            kind = special.text if special else None
            barrier = Barrier(kind) if kind and kind != STRAIT else None
            borders[pair] = Border(a=key.text, b=name.text, barrier=barrier, strait=kind == STRAIT)
    return tuple(borders.values())


def _neighbours(item: Node) -> list[tuple[Scalar, Scalar | None]]:
    """Return (name, special) of an item of a neighbours' list: a name, or a mapping from name to special."""
    if isinstance(item, source.Mapping):
        return [(key, value) for key, value in item if isinstance(value, Scalar)]
    return [(item, None)] if isinstance(item, Scalar) else []


def _misfit(a: str, name: Scalar, special: Scalar | None, written: MapFile) -> Diagnostic | None:
    """Return why a border is impossible as written, by W3; None if it is possible."""
    if a == name.text:
        return name.diagnostic("map/own-border", f"{a} cannot border itself")
    if special is None:
        return None
    kind = special.text
    if kind not in KINDS:
        message = f"a border is not {shown(kind)} but one of {', '.join(KINDS)}, or just a name"
        return special.diagnostic(
            "map/unknown-barrier", message, suggestion=did_you_mean(nearest(kind, KINDS))
        )
    says, lands, seas = {
        Barrier.REEFS.value: ("reefs close a coast, between a province and a sea", 1, 1),
        Barrier.MOUNTAINS.value: ("mountains close the border of two provinces", 2, 0),
        STRAIT: ("a strait joins the border of two provinces", 2, 0),
    }[kind]
    count = [len({a, name.text}.intersection(group)) for group in (written.provinces, written.seas)]
    return None if count == [lands, seas] else special.diagnostic("map/barrier-kind", says, clause="W3")


def _outlines(node: Node, findings: list[Diagnostic], written: MapFile) -> dict[str, tuple[Ring, ...]]:
    """Return each place's rings; report unknown places, texts that are no points, and rings without area."""
    outlines: dict[str, tuple[Ring, ...]] = {}
    message = "an outline is three or more points, written 'x,y x,y x,y'"
    for key, rings in _of_places(node, "outlines", written, findings):
        read = [(item, _ring(item.text) if isinstance(item, Scalar) else None) for item in rings]
        findings += (item.diagnostic("map/bad-outline", message) for item, ring in read if ring is None)
        outlines[key.text] = tuple(ring for _, ring in read if ring is not None)
    return outlines


def _ring(text: str) -> Ring | None:
    """Return the points of ``x,y x,y ...``; None when it is not that."""
    pairs = [point.split(",") for point in text.split()]
    try:
        points = tuple((float(x), float(y)) for x, y in pairs)
    except ValueError:
        return None
    return points if len(points) >= 3 else None
