"""The text of map.yaml: realms, provinces, seas, borders and outlines, one line each where it can be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from maps.builder.borders import Outlines, Pair, Special

Row = Mapping[str, str]
Rows = Iterable[Row]
"""The lines of a table, by column."""
Point = tuple[int, int]


@dataclass(frozen=True)
class Sheet:
    """What was drawn of a map, in the units of the sheet."""

    labels: Mapping[str, Point]
    """Where the name of each place goes."""
    borders: Mapping[Pair, Special | None]
    """What is special about each border, in the order of the places."""
    outlines: Outlines
    size: tuple[float, float]
    """(width, height)"""


def write_map(settings: Mapping[str, Any], provinces: Rows, seas: Rows, sheet: Sheet) -> Iterator[str]:
    """Yield the file in parts."""
    yield from _head(settings, sheet.size)
    yield "\nrealms:\n"
    for code, realm in settings["realms"].items():
        fields = [f"{key}: {_text(value)}" for key, value in realm.items()]
        yield f"  {code}: {{{', '.join(fields)}}}\n"
    yield "\nprovinces:\n"
    for row in provinces:
        name = row["name"]
        yield f"  {name}: {{{', '.join(_province_fields(row, sheet.labels[name]))}}}\n"
    yield "\nseas:\n"
    for row in seas:
        name = row["name"]
        inland = ", inland: yes" if row.get("inland") else ""
        yield f"  {name}: {{label: {list(sheet.labels[name])}{inland}}}\n"
    yield "\nborders:\n"
    yield from _borders(sheet.borders)
    yield "\noutlines:\n"
    yield from _outlines(sheet.outlines)


def _head(settings: Mapping[str, Any], size: tuple[float, float]) -> Iterator[str]:
    """Yield the lines above the realms."""
    title = settings["title"]
    width, height = size
    yield f"# {title}: {settings['made']}\n# The format is explained in maps/README.md.\n\n"
    yield f"schema: 1\nname: {settings['name']}\ntitle: {title}\nsize: [{width:.0f}, {height:.0f}]\n"
    compass = settings.get("compass")
    if compass:
        yield f"compass: [{', '.join(map(str, compass))}]\n"
    aliases = settings.get("aliases")
    if aliases:
        yield "\naliases:\n"
        yield from (f"  {alias}: {place}\n" for alias, place in aliases.items())


def _borders(borders: Mapping[Pair, Special | None]) -> Iterator[str]:
    """Yield the lines of the borders, each below the first of its two places."""
    heading = ""
    for (first, second), special in borders.items():
        if first != heading:
            yield f"  {first}:\n"
            heading = first
        if special is None:
            yield f"    - {second}\n"
        else:
            yield f"    - {{{second}: {special.kind}}}  # {special.why}\n"


def _outlines(outlines: Outlines) -> Iterator[str]:
    """Yield the lines of the outlines, one a ring."""
    for name, rings in outlines.items():
        yield f"  {name}:\n"
        for ring in rings:
            points = [f"{x},{y}" for x, y in ring]
            yield f"    - {' '.join(points)}\n"


def _province_fields(row: Row, label: Point) -> Iterator[str]:
    """Yield the fields of a province."""
    yield f"label: {list(label)}"
    yield f"revenue: {row['revenue']}"
    if row["production"]:
        yield f"production: {row['production']}"
    if row["resource"]:
        yield f"city: {{{', '.join(_city_fields(row))}}}"


def _city_fields(row: Row) -> Iterator[str]:
    """Yield the fields of a province's city."""
    yield f"name: {row['city'] or row['name']}"
    yield f"resource: {row['resource']}"
    yield f"region: {row['region']}"
    for column in ("also", "without"):
        values = row[column]
        if values:
            yield f"{column}: [{', '.join(values.split('+'))}]"


def _text(value: object) -> str:
    """Return a value as YAML: a colour in quotes, since # begins a comment."""
    text = str(value)
    return f'"{text}"' if text.startswith("#") else text
