"""What a GM may correct between turns: owners, units, marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gm.game.base.amending import Correction, the_one, whole
from gm.game.values import GameData
from gm.games.conquest_structures.state import NEUTRAL, Conquest, Unit


def _owner(table: GameData, state: Conquest, words: Sequence[str]) -> tuple[Any, str]:
    place, owner = the_one(words[0], state.owners, "structure"), the_one(words[1], (*state.parties, NEUTRAL), "player")
    name = "nobody" if owner == NEUTRAL else state.parties[owner].name
    return state.with_owners({place: owner}), f"{place} belongs to {name}"


def _add(table: GameData, state: Conquest, words: Sequence[str]) -> tuple[Any, str]:
    kind, place = the_one(words[0], table.rules.units, "unit type"), the_one(words[1], state.owners, "structure")
    unit = Unit(number=state.next_unit, owner=state.owners[place], type=kind, place=place)
    after = state.with_units([unit]).evolve(next_unit=state.next_unit + 1)
    return after, f"there is a new {kind}, {unit.id}, in {place}"


def _remove(table: GameData, state: Conquest, words: Sequence[str]) -> tuple[Any, str]:
    unit = _unit(state, words[0])
    return state.with_units((), [unit.number]), f"{unit.type} {unit.id} is gone from {unit.place}"


def _marks(table: GameData, state: Conquest, words: Sequence[str]) -> tuple[Any, str]:
    unit, marks = _unit(state, words[0]), whole(words[1], "number of marks", 0, table.rules.marks.cap)
    return state.with_units([unit.evolve(marks=marks)]), f"{unit.type} {unit.id} in {unit.place} has {marks} marks"


def _unit(state: Conquest, word: str) -> Unit:
    number = the_one(word, [unit.id for unit in state.units.values()], "unit")
    return state.units[int(number[1:])]


CORRECTIONS: Mapping[str, Correction] = {
    "owner": Correction("owner PLACE PLAYER    e.g. owner R1 BLUE, or NEUTRAL", _owner),
    "add": Correction("add TYPE PLACE    e.g. add infantry H1: it belongs to the owner of the place", _add),
    "remove": Correction("remove UNIT    e.g. remove u7", _remove),
    "marks": Correction("marks UNIT NUMBER    e.g. marks u7 0", _marks),
}
"""What can be corrected, and how it is written."""
