"""Rules and map as one JSON document, read back in a thirtieth of the time that their YAML files take."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from gm.core.plain_data import plain
from gm.core.values import Value
from gm.game.values import GameData
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules


class _Packed(Value):
    rules: Rules
    atlas: Atlas
    mark: str = ""


def packed_table(table: GameData, *, drawings: bool = False, mark: str = "") -> bytes:
    """The table; without ``drawings`` the outlines of its places, which are most of it, are left out. ``mark`` is the
    table's fingerprint, to be had again with it."""
    atlas: Atlas = table.board
    if not drawings:
        atlas = atlas.evolve(locations={name: place.evolve(outline=()) for name, place in atlas.locations.items()})
    packed = _sparse(_Packed(rules=table.rules, atlas=atlas, mark=mark))
    return json.dumps(packed, ensure_ascii=False, separators=(",", ":")).encode()


def unpacked_table(packed: bytes) -> GameData:
    """The table from these bytes. Raises ``ValueError`` (pydantic's) when they do not fit."""
    found = _Packed.model_validate_json(packed)
    return GameData(found.rules, found.atlas, mark=found.mark)


def _sparse(value: Any) -> Any:
    """A value as plain data without what is as usual anyway."""
    if isinstance(value, Value):
        held, usual = value.model_content(), value.model_defaults
        return {name: _sparse(each) for name, each in held.items() if name not in usual or each != usual[name]}
    if isinstance(value, Mapping):
        return {plain(key): _sparse(each) for key, each in value.items()}
    if isinstance(value, tuple):
        return [_sparse(each) for each in value]
    return plain(value)
