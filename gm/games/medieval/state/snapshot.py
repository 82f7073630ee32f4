"""The world as plain data for its snapshot, and back. Equal worlds give equal data, in equal order."""

from __future__ import annotations

import msgspec

from gm.core.codec import encode, from_plain
from gm.games.medieval.state import World, in_order
from gm.store.formats import Format, JsonObject

SNAPSHOT = Format("state of a medieval game", 1)


def world_record(world: World) -> JsonObject:
    """The world's data: provinces in map order, units in the order of W12, other names in their own, no progress."""
    record: JsonObject = msgspec.json.decode(encode(world))
    del record["progress"]
    record["provinces"] = {name: record["provinces"][name] for name in world.provinces}
    record["units"] = {unit.key: record["units"][unit.key] for unit in in_order(world.units.values())}
    return record


def world_from(record: JsonObject) -> World:
    """The world of a snapshot's data. Raises ``ValueError``."""
    return from_plain(record, World)
