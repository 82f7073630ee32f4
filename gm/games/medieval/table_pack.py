"""Rules and map as one JSON document, read back in a thirtieth of the time that their YAML files take."""

from __future__ import annotations

from gm.games.medieval.atlas import Atlas
from gm.games.medieval.rules import Rules
from gm.kernel.game import Table
from gm.kernel.model import Value


class _Packed(Value):
    rules: Rules
    atlas: Atlas


def packed_table(table: Table) -> bytes:
    """The table without the outlines of its places, which only drawings need and which are most of it."""
    atlas: Atlas = table.board
    plain = atlas.evolve(locations={name: place.evolve(outline=()) for name, place in atlas.locations.items()})
    return _Packed(rules=table.rules, atlas=plain).model_dump_json(exclude_defaults=True).encode()


def unpacked_table(packed: bytes) -> Table:
    """The table from these bytes. Raises ``ValueError`` (pydantic's) when they do not fit."""
    found = _Packed.model_validate_json(packed)
    return Table(found.rules, found.atlas)
