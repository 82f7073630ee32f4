"""The parts of a map file that need more than a type: names, borders, outlines and recruit lists."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Protocol

from gm.core.diagnostics import Diagnostic, Severity, did_you_mean, fold, nearest, shown
from gm.core.yaml.source import Mapping, Node, Scalar, Sequence
from gm.core.yaml.source import Mapping as MappingNode
from gm.games.medieval.data.atlas import Barrier, Border, Point
from gm.games.medieval.data.rules import Rules


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
        found = self.node.get(field) if isinstance(self.node, Mapping) else None
        return (found or self._key).diagnostic(code, message, clause=clause)

    def unknown(self, field: str, code: str, what: str, name: str, known: Iterable[str]) -> Diagnostic:
        """A finding about a field that should name one of ``known``."""
        found = self.node.get(field) if isinstance(self.node, Mapping) else None
        return unknown_name(found or self._key, code, what, name, known)


def unknown_name(node: Node, code: str, what: str, name: str, known: Iterable[str]) -> Diagnostic:
    """A finding about a name that is none of ``known``, with the nearest of them."""
    return node.diagnostic(code, f"no {what} is called {shown(name)}", suggestion=did_you_mean(nearest(name, known)))


def distinct_names(node: Node) -> list[Diagnostic]:
    """Places whose names are one and the same to a player, who need not mind case and accents (O8)."""
    findings = []
    seen: dict[str, str] = {}
    for section in ("provinces", "seas"):
        entries = node.get(section) if isinstance(node, Mapping) else None
        for key, _ in entries if isinstance(entries, Mapping) else ():
            other = seen.setdefault(fold(key.text), f"{shown(key.text)} in {section}")
            if other != f"{shown(key.text)} in {section}":
                message = f"{shown(key.text)} cannot be told from {other}"
                findings.append(key.diagnostic("map/duplicate-name", message, clause="O8"))
    return findings


STRAIT = "strait"
KINDS = (*(barrier.value for barrier in Barrier), STRAIT)

Ring = tuple[Point, ...]


class CityLike(Protocol):
    """What a recruit list needs to know of a city."""

    @property
    def region(self) -> str: ...
    @property
    def also(self) -> tuple[str, ...]: ...
    @property
    def without(self) -> tuple[str, ...]: ...


def recruit_list(names: Names, city: CityLike, rules: Rules) -> tuple[tuple[str, ...], list[Diagnostic]]:
    """What a city recruits: its region's list (T6) and its own specials, ships last; always siege machines (W4)."""
    common = rules.recruits.get(city.region)
    if common is None:
        return (), [names.unknown("region", "map/unknown-region", "recruiting region", city.region, rules.recruits)]
    findings = []
    for troop in city.also:
        if troop not in rules.troops:
            findings.append(_entry(names, "also", troop, "map/unknown-troop", "troop type", rules.troops))
        elif troop in common:
            findings.append(
                names.at("also", "map/troop-twice", f"{shown(troop)} is in the list of region {city.region} already")
            )
    for troop in city.without:
        if troop not in common:
            findings.append(
                _entry(names, "without", troop, "map/unknown-troop", f"troop type of region {city.region}", common)
            )
    found = [troop for troop in (*common, *city.also) if troop not in city.without and troop in rules.troops]
    found.sort(key=lambda troop: (rules.troops[troop].ship, rules.troops[troop].siege_power > 0))
    if not any(rules.troops[troop].siege_power for troop in found):
        findings.append(names.at("without", "map/no-siege-machine", "every city recruits siege machines", clause="W4"))
    return tuple(found), findings


def _entry(names: Names, field: str, name: str, code: str, what: str, known: Iterable[str]) -> Diagnostic:
    """A finding about one name in a list of names."""
    listed = names.node.get(field) if isinstance(names.node, MappingNode) else None
    for item in listed if isinstance(listed, Sequence) else ():
        if isinstance(item, Scalar) and item.text == name:
            return unknown_name(item, code, what, name, known)
    return names.unknown(field, code, what, name, known)


def read_borders(
    node: Node, *, provinces: Container[str], seas: Container[str]
) -> tuple[tuple[Border, ...], list[Diagnostic]]:
    """The borders in the order of the file, and what is wrong with them (W3). Wrong ones are left out."""
    written = node.get("borders") if isinstance(node, MappingNode) else None
    places = _place_names(node)
    findings: list[Diagnostic] = []
    borders: dict[frozenset[str], Border] = {}
    for key, neighbours in written if isinstance(written, MappingNode) else ():
        if key.text not in places:
            findings.append(unknown_name(key, "map/unknown-place", "place", key.text, places))
            continue
        for item in neighbours if isinstance(neighbours, Sequence) else ():
            for name, special in _neighbours(item):
                pair = frozenset((key.text, name.text))
                wrong = _misfit(key.text, name, special, provinces, seas)
                if name.text not in places:
                    wrong = unknown_name(name, "map/unknown-place", "place", name.text, places)
                elif pair in borders:
                    wrong = name.diagnostic(
                        "map/duplicate-border", f"the border between {key.text} and {name.text} stands here already"
                    )
                if wrong:
                    findings.append(wrong)
                else:
                    borders[pair] = _border(key.text, name.text, special.text if special else None)
    return tuple(borders.values()), findings


def _place_names(node: Node) -> dict[str, None]:
    names: dict[str, None] = {}
    for section in ("provinces", "seas"):
        entries = node.get(section) if isinstance(node, MappingNode) else None
        if isinstance(entries, MappingNode):
            names |= dict.fromkeys(entries.entries)
    return names


def _neighbours(item: Node) -> list[tuple[Scalar, Scalar | None]]:
    """(name, what is special) of one item of a list of neighbours: a name, or a mapping from name to that."""
    if isinstance(item, Scalar):
        return [(item, None)]
    if isinstance(item, MappingNode):
        return [(key, value) for key, value in item if isinstance(value, Scalar)]
    return []


def _border(a: str, b: str, special: str | None) -> Border:
    barrier = Barrier(special) if special and special != STRAIT else None
    return Border(a=a, b=b, barrier=barrier, strait=special == STRAIT)


def _misfit(
    a: str, name: Scalar, special: Scalar | None, provinces: Container[str], seas: Container[str]
) -> Diagnostic | None:
    """Why a border cannot be what it is said to be; the clause is W3."""
    b = name.text
    if a == b:
        return name.diagnostic("map/own-border", f"{a} cannot border itself")
    if special is None:
        return None
    if special.text not in KINDS:
        return special.diagnostic(
            "map/unknown-barrier",
            f"a border is not {shown(special.text)} but one of {', '.join(KINDS)}, or just a name",
            suggestion=did_you_mean(nearest(special.text, KINDS)),
        )
    land = a in provinces and b in provinces
    coast = (a in provinces and b in seas) or (a in seas and b in provinces)
    if special.text == Barrier.REEFS and not coast:
        return special.diagnostic("map/barrier-kind", "reefs close a coast, between a province and a sea", clause="W3")
    if special.text != Barrier.REEFS and not land:
        what = "mountains close" if special.text == Barrier.MOUNTAINS else "a strait joins"
        return special.diagnostic("map/barrier-kind", f"{what} the border of two provinces", clause="W3")
    return None


def read_outlines(node: Node, places: Iterable[str]) -> tuple[dict[str, tuple[Ring, ...]], list[Diagnostic]]:
    """Each place's rings, and what is wrong with them: unknown places, points that are none, rings of a line."""
    written = node.get("outlines") if isinstance(node, MappingNode) else None
    known = tuple(places)
    outlines: dict[str, tuple[Ring, ...]] = {}
    findings: list[Diagnostic] = []
    for key, rings in written if isinstance(written, MappingNode) else ():
        if key.text not in known:
            findings.append(unknown_name(key, "map/unknown-place", "place", key.text, known))
            continue
        found = []
        for item in rings if isinstance(rings, Sequence) else ():
            ring = _ring(item.text) if isinstance(item, Scalar) else None
            if ring is None:
                findings.append(
                    item.diagnostic("map/bad-outline", "an outline is three or more points, written 'x,y x,y x,y'")
                )
            else:
                found.append(ring)
        outlines[key.text] = tuple(found)
    return outlines, findings


def _ring(text: str) -> Ring | None:
    """The points of ``x,y x,y ...``; none when it is not that."""
    try:
        points = tuple((float(x), float(y)) for x, y in (point.split(",") for point in text.split()))
    except ValueError:
        return None
    return points if len(points) >= 3 else None
