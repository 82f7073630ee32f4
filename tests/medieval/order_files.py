"""Order sheets as the text of order files, and files that went wrong on their way."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from gm.games.medieval.orders import model
from gm.games.medieval.orders.model import Orders, PlanEntry, UnitOrder
from gm.games.medieval.state import World
from tests.medieval.ordering import sheets

_SINGLE = {
    model.DeclareWar: "declare_war",
    model.RefuseGifts: "refuse_gifts",
    model.AcceptGifts: "accept_gifts",
    model.GrantPassage: "grant_passage",
    model.RevokePassage: "revoke_passage",
    model.SendAmbassador: "send_ambassador",
    model.OfferPeace: "offer_peace",
    model.CancelAlliance: "cancel_alliance",
    model.OfferAlliance: "offer_alliance",
}


def as_data(sheet: Orders) -> dict[str, Any]:  # noqa: C901 - one case for each kind of order
    """The sheet in the form of an order file, without its header."""
    central: dict[str, Any] = {}
    for order in sheet.headquarters:
        match order:
            case model.GrantPermission(_, province, other):
                central.setdefault("grant_permission", {}).setdefault(province, []).append(other)
            case model.RevokePermission(_, province, other):
                central.setdefault("revoke_permission", {}).setdefault(province, []).append(other)
            case model.SendGold(_, other, amount):
                central.setdefault("send_gold", {})[other] = str(amount)
            case model.Annex(_, province):
                central.setdefault("annex", []).append(province)
            case model.GiveProvince(_, province, other):
                central.setdefault("give_province", {})[province] = other
            case model.CedeProvince(_, province):
                central.setdefault("cede_province", []).append(province)
            case model.Proclamation(_, text):
                central["proclamation"] = quoted(text)
            case model.RenameCommander(_, name, new_name):
                central.setdefault("rename_commander", {})[quoted(name)] = quoted(new_name)
            case model.RealmOrder(_, other):
                central.setdefault(_SINGLE[type(order)], []).append(other)
    units: dict[str, Any] = {}
    for order in sheet.units:
        _unit_data(units.setdefault(order.unit, {}), order)
    for reference, entries in sheet.plans.items():
        units.setdefault(reference, {})["plan"] = [_entry_data(entry) for entry in entries]
    return {"headquarters": central, "units": units}


def _unit_data(told: dict[str, Any], order: UnitOrder) -> None:  # noqa: C901 - one case for each kind of order
    match order:
        case model.FormUnit(_, _, new_id, name):
            told.setdefault("form", {})[new_id] = quoted(name)
        case model.Recruit(_, _, troop, count):
            told.setdefault("recruit", {})[troop] = count
        case model.HireCommander(_, _, count):
            told["hire_commander"] = count
        case model.Build(_, _, structure):
            told.setdefault("build", []).append(structure.value)
        case model.Repair():
            told["repair"] = "yes"
        case model.Raze(_, _, structure):
            told.setdefault("raze", []).append(structure.value)
        case model.Rename(_, _, name):
            told["name"] = quoted(name)
        case model.SetRetreatLevel(_, _, level):
            told["retreat_level"] = level
        case model.Follow(_, _, leader):
            told["follow"] = leader or "none"
        case model.SetDefendFortifications(_, _, answer):
            told["defend_fortifications"] = "yes" if answer else "no"
        case model.SetMarines(_, _, answer):
            told["marines"] = "yes" if answer else "no"
        case model.SetLeader(_, _, commander):
            told["leader"] = quoted(commander) if commander else "none"
        case model.SetRanks(_, _, troop, counts):
            told.setdefault("ranks", {})[troop] = dict(counts)
        case model.Disband(_, _, troop, count):
            told.setdefault("disband", {})[troop] = count
        case model.DisbandCommander(_, _, commander):
            told.setdefault("disband_commanders", []).append(quoted(commander))


def _entry_data(entry: PlanEntry) -> Any:
    match entry:
        case model.Transfer(_, receiver, found, commanders):
            named = {"commanders": [quoted(name) for name in commanders]} if commanders else {}
            return {"transfer": {"to": receiver, **({"troops": dict(found)} if found else {}), **named}}
        case model.Board(_, other):
            return {"board": other}
        case model.Load(_, armies):
            return {"load": list(armies)}
        case model.Sail(_, place):
            return {"sail": place}
        case model.Unload(_, landings):
            return {"unload": dict(landings)}
        case model.March(_, province):
            return {"march": province}
        case model.Hold():
            return "hold"
        case _:
            return "pillage"


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
    header = [f"orders: 1\ngame: test\nrealm: {sheet.realm}\nturn: {sheet.turn}\nkey: {sheet.key}"]
    sections = {name: section for name, section in as_data(sheet).items() if section}
    return "\n".join([*header, *yaml_lines(sections)]) + "\n"


HARMS = ("lose", "double", "indent", "cut", "tab", "insert", "swap")
"""What can happen to a line of a file on its way."""


def harmed_line(lines: list[str], harm: str, at: int, *, other: int, kept: int, scrap: str) -> None:
    """Let one of ``HARMS`` happen to the line ``at``. ``other`` is the line with which it is swapped, ``kept`` what is
    left of one that is cut, ``scrap`` what is put in."""
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


garbage = st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass"))
"""Anything that might arrive instead of an order file."""
