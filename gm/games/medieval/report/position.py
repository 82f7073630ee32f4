"""The public position of a world as results data, and the public world back from it (W8)."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from operator import attrgetter
from typing import Any

from msgspec import structs

from gm.core.codec import from_plain
from gm.games.medieval.state import Province, Realm, Unit, World
from gm.text.layout import block, entry, section

_TABLES = ("realms", "provinces", "units")
_COMMANDER = ("name", "infantry", "cavalry", "siege", "naval")
_UNIT = ("name", "aboard", "leader", "retreat_level", "follow", "defend_fortifications", "marines")
_PROVINCE = (
    "annexed_to",
    "turns_away",
    "damage",
    "fortification",
    "fortification_damage",
    "harbour",
    "production_areas",
)


def position_data(world: World) -> dict[str, Any]:
    """What everybody may know of a world, as plain data: no treasury is in it (W8).

    What has its usual value is left out. Treasuries, which :func:`public_world` needs too, stand elsewhere.
    """
    return {
        "turn": world.turn,
        "realms": {code: _realm(each) for code, each in world.realms.items()},
        "wars": sorted(world.wars),
        "alliances": sorted(world.alliances),
        "provinces": {name: province_data(each) for name, each in world.provinces.items()},
        "units": {key: unit_data(each) for key, each in world.units.items()},
        "victory_turns": dict(world.victory_turns),
        "winners": list(world.winners),
    }


def position_lines(world: World) -> list[str]:
    """The ``position`` part of the results file: the same for every realm, one realm, province or unit a line."""
    lines = ["position:"]
    for name, value in position_data(world).items():
        if name in _TABLES:
            lines += section(name, block(value, 4), 2, "{}")
        else:
            lines.append(f"  {entry(name, value)}")
    return lines


def _realm(realm: Realm) -> dict[str, Any]:
    return {
        "name": realm.name,
        "ruler": realm.ruler,
        "status": realm.status.value,
        "controller": realm.controller.value,
        "defeated": realm.defeated,
        "refuses": sorted(realm.refuses),
        "passage": sorted(realm.passage),
    }


def province_data(province: Province) -> dict[str, Any]:
    """A province; what has its usual value is left out."""
    found: dict[str, Any] = {"owner": province.owner}
    found |= ((name, value) for name, value in zip(_PROVINCE, _of_province(province), strict=True) if value)
    if province.permissions:
        found["permissions"] = sorted(province.permissions)
    return found


_USUAL = tuple(each.default for each in structs.fields(Unit) if each.name in _UNIT)
_of_unit, _of_province = attrgetter(*_UNIT), attrgetter(*_PROVINCE)


def unit_data(unit: Unit) -> dict[str, Any]:
    """A unit likewise."""
    found: dict[str, Any] = {"place": unit.place}
    values = _of_unit(unit)
    if values != _USUAL:
        found |= ((name, value) for name, value, usual in zip(_UNIT, values, _USUAL, strict=True) if value != usual)
    if unit.troops:
        found["troops"] = {name: list(ranks) for name, ranks in unit.troops.items()}
    if unit.commanders:
        found["commanders"] = [{field: getattr(each, field) for field in _COMMANDER} for each in unit.commanders]
    return found


def public_world(data: Mapping[str, Any]) -> World:
    """The world of a results file, as far as everybody knows it: what `gm check` needs of it.

    ``data`` is the whole file's data. Treasuries that the file does not tell are 0; the reader's own is in it. Raises
    ``ValueError`` or ``KeyError`` when it is no position.
    """
    position = data["position"]
    own = data.get("realm")
    treasury = Decimal(data.get("private", {}).get("treasury", 0))
    if not treasury.is_finite():
        raise ValueError("the treasury is no number")
    world = {
        **{name: position[name] for name in ("turn", "wars", "alliances", "victory_turns", "winners")},
        "realms": {
            code: {**fields, "code": code, "treasury": treasury if code == own else Decimal(0)}
            for code, fields in position["realms"].items()
        },
        "provinces": {name: {**fields, "name": name} for name, fields in position["provinces"].items()},
        "units": {
            key: {**fields, "realm": realm, "kind": unit_id[:1], "number": int(unit_id[1:])}
            for key, fields in position["units"].items()
            for realm, _, unit_id in [key.partition("/")]
        },
    }
    return from_plain(world, World)
