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
from gm.games.medieval.state import INDEPENDENTS
from gm.store.formats import Format

MAP = Format("map file", 1)
STRAIT = "strait"
BORDER_KINDS = (*(barrier.value for barrier in Barrier), STRAIT)  # of borders that are not plain

Name = Annotated[str, StringConstraints(min_length=1, max_length=40, strip_whitespace=True)]
Count = Annotated[int, Field(ge=0)]
Ring = tuple[Point, ...]


def _adjective(text: str) -> str:
    """Return the text. Raises ``ValueError`` if it cannot stand before a noun as an adjective."""
    if re.fullmatch(r"[^\W\d_]+([ '’-][^\W\d_]+)*", text) and text[0].isupper():
        return text
    raise ValueError(
        f"{shown(text)} cannot stand before a noun: write one or more words, as in 'Venetian' ships"
    )


Adjective = Annotated[Name, AfterValidator(_adjective)]


class SeatEntry(YamlModel):
    """One realm of the map (T6); its fields as in :class:`~gm.games.medieval.data.atlas.RealmSeat`."""

    name: Name
    ruler: Name
    group: str
    capital: str
    colour: Annotated[str, StringConstraints(pattern=r"^#[0-9a-fA-F]{6}$")]
    adjective: Adjective = ""


class CityEntry(YamlModel):
    """One city (T6)."""

    name: Name
    resource: Count  # how many troops it can recruit in a turn
    region: str  # whose list of troop types it recruits
    also: tuple[str, ...] = ()  # troop types besides that list
    without: tuple[str, ...] = ()  # troop types of that list that it cannot recruit


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


def _possible_code(code: str) -> str:
    """Return a realm's code. Raises ``ValueError`` if no file can have this name on Windows."""
    if code in ("AUX", "CON", "NUL", "PRN"):
        raise ValueError("no file can have this name on Windows: give the realm another code")
    return code


Code = Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$"), AfterValidator(_possible_code)]


class MapFile(YamlModel):
    """A map file as it is written."""

    name: Name
    title: Name  # the map's name for people
    size: tuple[Annotated[float, Field(gt=0)], Annotated[float, Field(gt=0)]]  # width, height
    realms: Mapping[Code, SeatEntry]
    provinces: Mapping[Name, ProvinceEntry]
    seas: Mapping[Name, SeaEntry] = {}
    borders: Mapping[str, tuple[str | Mapping[str, str], ...]]  # by place: see ``_neighbours``
    outlines: Mapping[str, tuple[str, ...]] = {}  # by place: its rings, each ``x,y x,y x,y``
    compass: Point | None = None  # where the compass is drawn
    aliases: Mapping[Name, Name] = {}  # places by their other names


def load_atlas(path: Path, rules: Rules) -> Atlas:
    """Return the map of a file; ``rules`` have the recruit lists.

    Raises ``SourceError`` with every finding at its place in the file; ``StoreError`` for the file of a newer
    version.
    """
    data, node = load_data(path)
    map_data = value_at(node, MAP.current(data, str(path)), MapFile)
    findings = [*_names_alike(node), *_seats_that_do_not_fit(map_data, node)]
    # each of these functions adds its findings to the list
    outlines = _outlines(node, map_data, findings)
    borders = _borders(node, map_data, findings)
    locations = _provinces(node, map_data, outlines, rules, findings)
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
    map_data: MapFile,
    outlines: Mapping[str, tuple[Ring, ...]],
    rules: Rules,
    findings: list[Diagnostic],
) -> dict[str, Location]:
    """Return the provinces of a map by name; what is wrong with their cities is added to the findings.

    ``outlines``: the rings around each province, by name.
    """
    realm_of_capital = {realm.capital: code for code, realm in map_data.realms.items()}
    limit = rules.construction.production_area_limit
    provinces: dict[str, Location] = {}
    for name, entry in map_data.provinces.items():
        city = None
        if entry.city:
            city = _city(Entry(node, "provinces", name, "city"), entry.city, rules, findings)
        provinces[name] = Location(
            name=name,
            revenue=entry.revenue,
            city=city,
            production_limit=limit if entry.production is None else entry.production,
            capital_of=realm_of_capital.get(name),
            label=entry.label,
            outline=outlines.get(name, ()),
        )
    return provinces


def _names_alike(node: Node) -> Iterator[Diagnostic]:
    """Yield a finding about each place with another's name, if capitals and accents do not count (O8)."""
    label_of_name: dict[str, str] = {}
    for section in ("provinces", "seas"):
        for key, _ in entries(node, section):
            label = f"{shown(key.text)} in {section}"
            other_label = label_of_name.setdefault(fold(key.text), label)
            if other_label != label:
                message = f"{shown(key.text)} cannot be told from {other_label}"
                yield key.diagnostic("map/duplicate-name", message, clause="O8")


def _seats_that_do_not_fit(map_data: MapFile, node: Node) -> Iterator[Diagnostic]:
    """Yield a finding about each realm with an impossible code or capital.

    A capital must be a province of the map with a city, and of one realm only (W4).
    """
    realm_of_capital: dict[str, str] = {}
    for code, seat in map_data.realms.items():
        entry = Entry(node, "realms", code)
        capital = seat.capital
        if code == INDEPENDENTS:  # the finding is at the entry itself, not at one of its fields
            yield entry.at("", "map/realm-code", f"{INDEPENDENTS} means the independents, who are no realm")
        if capital not in map_data.provinces:
            yield entry.unknown("capital", "map/unknown-capital", "province", capital, map_data.provinces)
        elif map_data.provinces[capital].city is None:
            yield entry.at("capital", "map/capital-without-city", f"{capital} has no city", clause="W4")
        elif capital in realm_of_capital:
            yield entry.at(
                "capital", "map/capital-twice", f"{capital} is the capital of {realm_of_capital[capital]} too"
            )
        realm_of_capital.setdefault(capital, code)


def _city(entry: Entry, city: CityEntry, rules: Rules, findings: list[Diagnostic]) -> City | None:
    """Return a city that recruits the troop types of its region (T6) with the changes of its entry.

    Soldiers come first, then siege machines, then ships. What is wrong is added to the findings. None for a
    region that is not in the rules.
    """
    region = city.region
    unknown = "map/unknown-troop"
    of_region = rules.recruits.get(region)
    if of_region is None:
        findings.append(
            entry.unknown("region", "map/unknown-region", "recruiting region", region, rules.recruits)
        )
        return None
    for troop in city.also:
        if troop not in rules.troops:
            findings.append(entry.unknown("also", unknown, "troop type", troop, rules.troops))
        elif troop in of_region:
            message = f"{shown(troop)} is in the list of region {region} already"
            findings.append(entry.at("also", "map/troop-twice", message))
    for troop in city.without:
        if troop not in of_region:
            findings.append(
                entry.unknown("without", unknown, f"troop type of region {region}", troop, of_region)
            )
    recruits = [
        troop for troop in (*of_region, *city.also) if troop not in city.without and troop in rules.troops
    ]
    recruits.sort(key=lambda troop: (rules.troops[troop].ship, rules.troops[troop].siege_power > 0))
    if not any(rules.troops[troop].siege_power for troop in recruits):
        findings.append(
            entry.at("without", "map/no-siege-machine", "every city recruits siege machines", clause="W4")
        )
    return City(name=city.name, resource=city.resource, recruits=tuple(recruits))


_UNKNOWN_PLACE = ("map/unknown-place", "place")


def _lists_of_places(
    node: Node, section: str, map_data: MapFile, findings: list[Diagnostic]
) -> list[tuple[Scalar, list[Node]]]:
    """Return (name of a place, items of its list) for each entry of a section.

    Unknown places are left out and added to the findings.
    """
    places = (*map_data.provinces, *map_data.seas)
    lists: list[tuple[Scalar, list[Node]]] = []
    for key, value in entries(node, section):
        if key.text in places:
            lists.append((key, value.items if isinstance(value, source.Sequence) else []))
        else:
            findings.append(unknown_name(key, *_UNKNOWN_PLACE, key.text, places))
    return lists


def _borders(node: Node, map_data: MapFile, findings: list[Diagnostic]) -> tuple[Border, ...]:
    """Return the borders in the order of the file (W3); wrong ones are left out and added to the findings."""
    places = (*map_data.provinces, *map_data.seas)
    borders: dict[frozenset[str], Border] = {}
    for key, items in _lists_of_places(node, "borders", map_data, findings):
        for name, kind in chain.from_iterable(map(_neighbours, items)):
            pair = frozenset((key.text, name.text))
            problem = _why_no_border(key.text, name, kind, map_data)
            if name.text not in places:
                problem = unknown_name(name, *_UNKNOWN_PLACE, name.text, places)
            elif pair in borders:
                message = f"the border between {key.text} and {name.text} stands here already"
                problem = name.diagnostic("map/duplicate-border", message)
            if problem:
                findings.append(problem)
                continue
            is_strait = kind is not None and kind.text == STRAIT
            barrier = Barrier(kind.text) if kind and not is_strait else None
            borders[pair] = Border(a=key.text, b=name.text, barrier=barrier, strait=is_strait)
    return tuple(borders.values())


def _neighbours(item: Node) -> list[tuple[Scalar, Scalar | None]]:
    """Return (name, kind of border) of each neighbour in an item of a list.

    An item is a name, with None for a plain border, or a mapping from names to ``mountains``, ``reefs`` or
    ``strait``.
    """
    if isinstance(item, source.Mapping):
        return [(key, value) for key, value in item if isinstance(value, Scalar)]
    return [(item, None)] if isinstance(item, Scalar) else []


def _why_no_border(a: str, name: Scalar, kind: Scalar | None, map_data: MapFile) -> Diagnostic | None:
    """Return why the place ``a`` cannot have a border of this kind with ``name`` (W3); None if it can."""
    if a == name.text:
        return name.diagnostic("map/own-border", f"{a} cannot border itself")
    if kind is None:
        return None
    if kind.text not in BORDER_KINDS:
        message = f"a border is not {shown(kind.text)} but one of {', '.join(BORDER_KINDS)}, or just a name"
        return kind.diagnostic(
            "map/unknown-barrier", message, suggestion=did_you_mean(nearest(kind.text, BORDER_KINDS))
        )
    # of each kind: what is said of it, and between how many provinces and how many seas it must be
    says, lands, seas = {
        Barrier.REEFS.value: ("reefs close a coast, between a province and a sea", 1, 1),
        Barrier.MOUNTAINS.value: ("mountains close the border of two provinces", 2, 0),
        STRAIT: ("a strait joins the border of two provinces", 2, 0),
    }[kind.text]
    counts = [len({a, name.text}.intersection(places)) for places in (map_data.provinces, map_data.seas)]
    return None if counts == [lands, seas] else kind.diagnostic("map/barrier-kind", says, clause="W3")


def _outlines(node: Node, map_data: MapFile, findings: list[Diagnostic]) -> dict[str, tuple[Ring, ...]]:
    """Return the rings of each place, by name; what is wrong with them is added to the findings."""
    outlines: dict[str, tuple[Ring, ...]] = {}
    message = "an outline is three or more points, written 'x,y x,y x,y'"
    for key, items in _lists_of_places(node, "outlines", map_data, findings):
        rings: list[Ring] = []
        for item in items:
            ring = _ring(item.text) if isinstance(item, Scalar) else None
            if ring is None:
                findings.append(item.diagnostic("map/bad-outline", message))
            else:
                rings.append(ring)
        outlines[key.text] = tuple(rings)
    return outlines


def _ring(text: str) -> Ring | None:
    """Return the points of a text such as ``1,1 4,1 4,3``; None if it is no such text of three or more."""
    pairs = [point.split(",") for point in text.split()]
    try:
        points = tuple((float(x), float(y)) for x, y in pairs)
    except ValueError:
        return None
    return points if len(points) >= 3 else None
