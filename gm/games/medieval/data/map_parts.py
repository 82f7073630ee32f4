"""The parts of a map file that need more than a type: names, borders, outlines and recruit lists."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import Protocol

from gm.core.diagnostics import Diagnostic, Severity, did_you_mean, fold, nearest, shown
from gm.core.yaml.source import Mapping, Node, Scalar, Sequence
from gm.games.medieval.data.atlas import Barrier, Border, Point
from gm.games.medieval.data.rules import Rules

STRAIT = "strait"
KINDS = (*(barrier.value for barrier in Barrier), STRAIT)

Ring = tuple[Point, ...]


def entries(node: Node, section: str) -> Iterator[tuple[Scalar, Node]]:
    """The entries of a section of a file; none when it is not there, or is something else."""
    found = node.get(section) if isinstance(node, Mapping) else None
    return iter(found) if isinstance(found, Mapping) else iter(())


def items(node: Node | None) -> Iterator[Node]:
    """The items of a list; none when it is something else."""
    return iter(node) if isinstance(node, Sequence) else iter(())


class Names:
    """One entry of a file, found by its keys from the top; makes findings about what stands in it."""

    def __init__(self, node: Node, *path: str) -> None:
        self._key: Node = node
        self.node: Node = node
        for name in path:
            if isinstance(self.node, Mapping) and name in self.node.entries:
                self._key, self.node = self.node.entries[name]

    def key(self, code: str, message: str, *, severity: Severity = "error") -> Diagnostic:
        """A finding about the entry's own name."""
        return self._key.diagnostic(code, message, severity=severity)

    def unknown_key(self, code: str, what: str, name: str, known: Iterable[str]) -> Diagnostic:
        """A finding about the entry's own name, which should be one of ``known``."""
        return unknown_name(self._key, code, what, name, known)

    def below(self, *path: str) -> Names:
        """The entry under this one."""
        found = Names(self.node, *path)
        if found._key is self.node:
            found._key = self._key
        return found

    def at(self, field: str, code: str, message: str, *, clause: str = "") -> Diagnostic:
        """A finding about one field of the entry; about its name when the field is not written."""
        return self._field(field).diagnostic(code, message, clause=clause)

    def unknown(self, field: str, code: str, what: str, name: str, known: Iterable[str]) -> Diagnostic:
        """A finding about a field, or the item of its list, that should name one of ``known``."""
        found = self._field(field)
        named = (item for item in items(found) if isinstance(item, Scalar) and item.text == name)
        return unknown_name(next(named, found), code, what, name, known)

    def _field(self, field: str) -> Node:
        return (self.node.get(field) if isinstance(self.node, Mapping) else None) or self._key


def unknown_name(node: Node, code: str, what: str, name: str, known: Iterable[str]) -> Diagnostic:
    """A finding about a name that is none of ``known``, with the nearest of them."""
    return node.diagnostic(code, f"no {what} is called {shown(name)}", suggestion=did_you_mean(nearest(name, known)))


def unknown_place(node: Scalar, known: Iterable[str]) -> Diagnostic:
    """A finding about a place that is on no map."""
    return unknown_name(node, "map/unknown-place", "place", node.text, known)


def distinct_names(node: Node) -> Iterator[Diagnostic]:
    """Places whose names are one and the same to a player, who need not mind case and accents (O8)."""
    seen: dict[str, str] = {}
    for section in ("provinces", "seas"):
        for key, _ in entries(node, section):
            mine = f"{shown(key.text)} in {section}"
            other = seen.setdefault(fold(key.text), mine)
            if other != mine:
                message = f"{shown(key.text)} cannot be told from {other}"
                yield key.diagnostic("map/duplicate-name", message, clause="O8")


class CityLike(Protocol):
    """What a recruit list needs to know of a city."""

    @property
    def region(self) -> str: ...
    @property
    def also(self) -> tuple[str, ...]: ...
    @property
    def without(self) -> tuple[str, ...]: ...


def recruit_list(names: Names, city: CityLike, rules: Rules, findings: list[Diagnostic]) -> tuple[str, ...]:
    """What a city recruits: its region's list (T6) and its own specials, ships last; always siege machines (W4)."""
    region, unknown = city.region, "map/unknown-troop"
    common = rules.recruits.get(region)
    if common is None:
        findings.append(names.unknown("region", "map/unknown-region", "recruiting region", region, rules.recruits))
        return ()
    for troop in city.also:
        if troop not in rules.troops:
            findings.append(names.unknown("also", unknown, "troop type", troop, rules.troops))
        elif troop in common:
            message = f"{shown(troop)} is in the list of region {region} already"
            findings.append(names.at("also", "map/troop-twice", message))
    for troop in city.without:
        if troop not in common:
            findings.append(names.unknown("without", unknown, f"troop type of region {region}", troop, common))
    found = [troop for troop in (*common, *city.also) if troop not in city.without and troop in rules.troops]
    found.sort(key=lambda troop: (rules.troops[troop].ship, rules.troops[troop].siege_power > 0))
    if not any(rules.troops[troop].siege_power for troop in found):
        findings.append(names.at("without", "map/no-siege-machine", "every city recruits siege machines", clause="W4"))
    return tuple(found)


def read_borders(
    node: Node, findings: list[Diagnostic], *, provinces: Container[str], seas: Container[str]
) -> tuple[Border, ...]:
    """The borders in the order of the file (W3). Those that are wrong are left out and reported."""
    places = [key.text for section in ("provinces", "seas") for key, _ in entries(node, section)]
    borders: dict[frozenset[str], Border] = {}
    for key, neighbours in entries(node, "borders"):
        if key.text not in places:
            findings.append(unknown_place(key, places))
            continue
        for name, special in (found for item in items(neighbours) for found in _neighbours(item)):
            pair = frozenset((key.text, name.text))
            wrong = _misfit(key.text, name, special, provinces, seas)
            if name.text not in places:
                wrong = unknown_place(name, places)
            elif pair in borders:
                message = f"the border between {key.text} and {name.text} stands here already"
                wrong = name.diagnostic("map/duplicate-border", message)
            if wrong:
                findings.append(wrong)
                continue
            kind = special.text if special else None
            barrier = Barrier(kind) if kind and kind != STRAIT else None
            borders[pair] = Border(a=key.text, b=name.text, barrier=barrier, strait=kind == STRAIT)
    return tuple(borders.values())


def _neighbours(item: Node) -> list[tuple[Scalar, Scalar | None]]:
    """(name, what is special) of one item of a list of neighbours: a name, or a mapping from name to that."""
    if isinstance(item, Scalar):
        return [(item, None)]
    return [(key, value) for key, value in item if isinstance(value, Scalar)] if isinstance(item, Mapping) else []


def _misfit(
    a: str, name: Scalar, special: Scalar | None, provinces: Container[str], seas: Container[str]
) -> Diagnostic | None:
    """Why a border cannot be what it is said to be; the clause is W3."""
    b = name.text
    if a == b:
        return name.diagnostic("map/own-border", f"{a} cannot border itself")
    if special is None:
        return None
    kind = special.text
    if kind not in KINDS:
        message = f"a border is not {shown(kind)} but one of {', '.join(KINDS)}, or just a name"
        return special.diagnostic("map/unknown-barrier", message, suggestion=did_you_mean(nearest(kind, KINDS)))
    land = a in provinces and b in provinces
    coast = (a in provinces and b in seas) or (a in seas and b in provinces)
    if coast if kind == Barrier.REEFS else land:
        return None
    message = {
        Barrier.REEFS.value: "reefs close a coast, between a province and a sea",
        Barrier.MOUNTAINS.value: "mountains close the border of two provinces",
        STRAIT: "a strait joins the border of two provinces",
    }[kind]
    return special.diagnostic("map/barrier-kind", message, clause="W3")


def read_outlines(node: Node, findings: list[Diagnostic], places: tuple[str, ...]) -> dict[str, tuple[Ring, ...]]:
    """Each place's rings; unknown places, points that are none, and rings of a line are reported."""
    outlines: dict[str, tuple[Ring, ...]] = {}
    for key, written in entries(node, "outlines"):
        if key.text not in places:
            findings.append(unknown_place(key, places))
            continue
        rings = [(item, _ring(item.text) if isinstance(item, Scalar) else None) for item in items(written)]
        message = "an outline is three or more points, written 'x,y x,y x,y'"
        findings += (item.diagnostic("map/bad-outline", message) for item, ring in rings if ring is None)
        outlines[key.text] = tuple(ring for _, ring in rings if ring is not None)
    return outlines


def _ring(text: str) -> Ring | None:
    """The points of ``x,y x,y ...``; none when it is not that."""
    try:
        points = tuple((float(x), float(y)) for x, y in (point.split(",") for point in text.split()))
    except ValueError:
        return None
    return points if len(points) >= 3 else None
