"""Order sheets as the text of order files, and files that went wrong on their way."""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from gm.games.medieval.orders import forms
from gm.games.medieval.orders.grammar import all_words
from gm.games.medieval.orders.model import Order, Orders, UnitOrder
from gm.games.medieval.state import World
from tests.medieval.ordering import sheets

_WORDS = {word.order: word for word in all_words()}


def as_data(sheet: Orders) -> dict[str, Any]:
    """The sheet in the form of an order file, without its header."""
    central: dict[str, Any] = {}
    units: dict[str, Any] = {}
    for order in sheet.headquarters:
        _add(central, order)
    for order in sheet.units:
        _add(units.setdefault(order.unit, {}), order)
    for reference, entries in sheet.plans.items():
        plan = units.setdefault(reference, {})["plan"] = []
        for entry in entries:
            data: dict[str, Any] = {}
            _add(data, entry)
            plan.append(data or _WORDS[type(entry)].name)
    return {"headquarters": central, "units": units}


def _add(section: dict[str, Any], order: Order) -> None:
    """Write one order below its word; an entry of a plan without a value is left out."""
    word = _WORDS[type(order)]
    skipped = ("written", "unit") if isinstance(order, UnitOrder) else ("written",)
    fields = [_scalar(order, name) for name in order.__struct_fields__ if name not in skipped]
    match word.form:
        case forms.REALMS | forms.PROVINCES | forms.STRUCTURES | forms.COMMANDERS:
            section.setdefault(word.name, []).append(fields[0])
        case forms.PERMISSIONS:
            section.setdefault(word.name, {}).setdefault(fields[0], []).append(fields[1])
        case forms.GIFTS | forms.PAYMENTS | forms.RENAMES | forms.FORMED | forms.TROOPS | forms.RANKS:
            section.setdefault(word.name, {})[fields[0]] = fields[1]
        case forms.TRANSFER:
            parts = zip(("to", "troops", "commanders"), fields, strict=True)
            section[word.name] = {name: part for name, part in parts if part}
        case forms.WISH:
            section[word.name] = "yes"
        case forms.NOTHING | forms.HOLDS:
            pass
        case _:
            section[word.name] = fields[0]


def _scalar(order: Order, name: str) -> Any:
    """A field as it is written: free text is quoted."""
    value = getattr(order, name)
    if name in ("text", "name", "new_name", "commander"):
        return quoted(value) if value or name != "commander" else "none"
    if name == "commanders":
        return [quoted(element) for element in value]
    if isinstance(value, bool) or (value is None and name == "leader"):
        return "yes" if value else "no" if value is False else "none"
    if isinstance(value, StrEnum):
        return value.value
    return dict(value) if isinstance(value, Mapping) else list(value) if isinstance(value, tuple) else value


def quoted(name: str | None) -> str:
    """A name as a quoted scalar."""
    return json.dumps(name, ensure_ascii=False) if name else "null"


def yaml_lines(data: Any, indent: int = 0) -> list[str]:
    """Plain data as block YAML; scalars are written as they are."""
    pad = "  " * indent
    if isinstance(data, Mapping):
        lines = []
        for key, value in data.items():
            if isinstance(value, (Mapping, list)) and value:
                lines += [f"{pad}{key}:", *yaml_lines(value, indent + 1)]
            else:
                lines.append(f"{pad}{key}: {'' if isinstance(value, (Mapping, list)) else value}".rstrip())
        return lines
    lines = []
    for item in data:
        if isinstance(item, (Mapping, list)):
            inner = yaml_lines(item, indent + 1)
            lines += [f"{pad}- {inner[0].lstrip()}", *inner[1:]]
        else:
            lines.append(f"{pad}- {item}")
    return lines


def as_file(sheet: Orders) -> str:
    """The text of an order file that says the same."""
    header = [f"orders: 1\ngame: test\nrealm: {sheet.realm}\nturn: {sheet.turn}\nkey: test-key"]
    sections = {name: section for name, section in as_data(sheet).items() if section}
    return "\n".join([*header, *yaml_lines(sections)]) + "\n"


HARMS = ("lose", "double", "indent", "cut", "tab", "insert", "swap")
"""What can happen to a line of a file on its way."""


def harmed_line(lines: list[str], harm: str, at: int, *, other: int, kept: int, scrap: str) -> None:
    """Let one of ``HARMS`` happen to the line ``at``.

    ``other``: the line with which it is swapped; ``kept``: how much of a cut line is left; ``scrap``: what is
    put in.
    """
    if harm == "lose" and len(lines) > 1:
        del lines[at]
    elif harm == "double":
        lines.insert(at, lines[at])
    elif harm == "indent":
        lines[at] = " " + lines[at]
    elif harm == "cut":
        lines[at] = lines[at][:kept]
    elif harm == "tab":
        lines[at] = "\t" + lines[at].lstrip()
    elif harm == "insert":
        lines.insert(at, scrap)
    else:
        lines[at], lines[other] = lines[other], lines[at]


@st.composite
def broken_files(draw: DrawFn, world: World, realm: str) -> bytes:
    """An order file that went through bad hands: lines lost, doubled, cut, indented, or garbage put in."""
    lines = as_file(draw(sheets(world, realm))).split("\n")
    for _ in range(draw(st.integers(0, 4))):
        harm = draw(st.sampled_from(HARMS))
        places = st.integers(0, len(lines) - 1)
        other = draw(places) if harm == "swap" else 0
        kept = draw(st.integers(0, 20)) if harm == "cut" else 0
        scrap = draw(st.text(max_size=20)) if harm == "insert" else ""
        harmed_line(lines, harm, draw(places), other=other, kept=kept, scrap=scrap)
    return "\n".join(lines).encode("utf-8", "surrogatepass")


garbage = st.binary(max_size=300) | st.text(max_size=300).map(
    lambda text: text.encode("utf-8", "surrogatepass")
)
"""Anything that might arrive instead of an order file."""
