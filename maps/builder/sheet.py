"""The text of map.yaml: realms, provinces, seas, borders and outlines, one line each where it can be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from maps.builder.borders import Outlines, Pair, Special

Row = Mapping[str, str]


def write_map(
    settings: Mapping[str, Any],
    provinces: list[dict[str, str]],
    seas: list[dict[str, str]],
    labels: Mapping[str, tuple[int, int]],
    borders: Mapping[Pair, Special | None],
    outlines: Outlines,
    size: tuple[float, float],
) -> Iterator[str]:
    """The file, in parts."""
    yield f"# {settings['title']}: {settings['made']}\n# The format is explained in maps/README.md.\n\n"
    yield (
        f"schema: 1\nname: {settings['name']}\ntitle: {settings['title']}\nsize: [{size[0]:.0f}, "
        f"{size[1]:.0f}]\n"
    )
    if settings.get("compass"):
        yield f"compass: [{', '.join(str(each) for each in settings['compass'])}]\n"
    if settings.get("aliases"):
        yield "\naliases:\n" + "".join(f"  {name}: {place}\n" for name, place in settings["aliases"].items())
    yield "\nrealms:\n"
    for code, realm in settings["realms"].items():
        yield f"  {code}: {{{', '.join(f'{key}: {_text(value)}' for key, value in realm.items())}}}\n"
    yield "\nprovinces:\n"
    for row in provinces:
        yield f"  {row['name']}: {{{', '.join(_province(row, labels[row['name']]))}}}\n"
    yield "\nseas:\n"
    for row in seas:
        inland = ", inland: yes" if row.get("inland") else ""
        yield f"  {row['name']}: {{label: {list(labels[row['name']])}{inland}}}\n"
    yield "\nborders:\n"
    previous = ""
    for (a, b), special in borders.items():
        if a != previous:
            yield f"  {a}:\n"
            previous = a
        yield f"    - {b}\n" if special is None else f"    - {{{b}: {special.kind}}}  # {special.why}\n"
    yield "\noutlines:\n"
    for name, rings in outlines.items():
        yield f"  {name}:\n"
        for ring in rings:
            yield f"    - {' '.join(f'{x},{y}' for x, y in ring)}\n"


def _province(row: Row, label: tuple[int, int]) -> Iterator[str]:
    yield f"label: {list(label)}"
    yield f"revenue: {row['revenue']}"
    if row["production"]:
        yield f"production: {row['production']}"
    if row["resource"]:
        yield f"city: {{{', '.join(_city(row))}}}"


def _city(row: Row) -> Iterator[str]:
    yield f"name: {row['city'] or row['name']}"
    yield f"resource: {row['resource']}"
    yield f"region: {row['region']}"
    for column in ("also", "without"):
        if row[column]:
            yield f"{column}: [{', '.join(row[column].split('+'))}]"


def _text(value: object) -> str:
    return f'"{value}"' if str(value).startswith("#") else str(value)
