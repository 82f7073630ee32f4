"""The number of units in a line, and the end of an attack (CN-9.2 to CN-9.5)."""

from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

from gm.core.diagnostics import says
from gm.core.values import Record
from gm.game.base.schema_parts import word_schema
from gm.games.conquestination.battle import Retreat

UNITS_LIMIT = 9_999  # The most units that a line may name
_MOST = f"{UNITS_LIMIT:,}"  # As text for messages
_NUMBER = {"type": "integer", "minimum": 1, "maximum": UNITS_LIMIT}


class Strength(Record):
    """CN-9.2: how many units of a country go: a ``number``, all but ``leave``, or all that may go."""

    number: int | None = None
    leave: int | None = None

    def of(self, units: int, stay_behind: int) -> int:
        """Return how many of a country's ``units`` go; below 1: none can.

        ``stay_behind``: how many the rules keep there.
        """
        most = units - stay_behind
        if self.number is not None:
            return min(self.number, most)
        return min(units - self.leave, most) if self.leave is not None else most


def _is_count(written: object) -> bool:
    # ``true`` is an int in Python, and no count
    return isinstance(written, int) and not isinstance(written, bool) and 1 <= written <= UNITS_LIMIT


def _amount(written: Any) -> Strength:
    """Return the strength that a line has: a number, ``max``, or ``{leave: n}``.

    Raises ``ValueError`` for anything else.
    """
    if isinstance(written, str) and written.casefold() in ("max", "all"):
        return Strength()
    if _is_count(written):
        return Strength(number=written)
    if isinstance(written, dict) and set(written) == {"leave"} and _is_count(written["leave"]):
        return Strength(leave=written["leave"])
    raise ValueError(
        says("expected a whole number from 1 to {0}, max, or {{leave: ...}} with such a number", _MOST)
    )


def _until(written: object) -> Retreat:
    """Return when to break off an attack: ``won``, or ``{keep: n, rolls: n}``.

    Raises ``ValueError`` for anything else.
    """
    if written == "won":
        return Retreat()
    if (
        isinstance(written, dict)
        and written
        and written.keys() <= {"keep", "rolls"}
        and all(map(_is_count, written.values()))
    ):
        return Retreat(**written)
    raise ValueError(
        says("expected won, or {{keep: ..., rolls: ...}} or one of these, with numbers from 1 to {0}", _MOST)
    )


def _numbers_at(*names: str) -> dict[str, Any]:
    """Return the schema of an object with numbers under some of these names."""
    closed = {"minProperties": 1, "additionalProperties": False}
    return {"type": "object", "properties": dict.fromkeys(names, _NUMBER), **closed}


_AMOUNTS = {"anyOf": [_NUMBER, word_schema("max"), word_schema("all"), _numbers_at("leave")]}
Amount = Annotated[Any, BeforeValidator(_amount), WithJsonSchema(_AMOUNTS)]
_ENDINGS = {"anyOf": [{"const": "won"}, _numbers_at("keep", "rolls")]}
Ending = Annotated[Any, BeforeValidator(_until), WithJsonSchema(_ENDINGS)]
