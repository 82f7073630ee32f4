"""The world as plain data for its snapshot, and back. Equal worlds give equal data, in equal order."""

from __future__ import annotations

from typing import Any

from gm.games.medieval.state import World, in_order
from gm.store.formats import Format, Record

SNAPSHOT = Format("state of a medieval game", 1)


def world_record(world: World) -> Record:
    """The world's data: realms by code, provinces as they come (map order), units in the order of W12.

    The turn's progress is not part of it: it is empty between turns.
    """
    record: dict[str, Any] = world.model_dump(mode="json", exclude={"progress"})
    record["realms"] = dict(sorted(record["realms"].items()))
    units = record["units"]
    for unit in units.values():
        if len(unit["troops"]) > 1:
            unit["troops"] = dict(sorted(unit["troops"].items()))
    record["units"] = {unit.key: units[unit.key] for unit in in_order(world.units.values())}
    record["victory_turns"] = dict(sorted(record["victory_turns"].items()))
    return record


def world_from(record: Record) -> World:
    """The world of a snapshot's data. Raises ``pydantic.ValidationError``, a ``ValueError``."""
    return World.model_validate(record)
