"""What it does when an item is finished, by labour or by gold (CQ-9, CQ-14.1)."""

from __future__ import annotations

from collections.abc import Mapping

from gm.core.values import FrozenMap
from gm.games.conqueror.events import Improved
from gm.games.conqueror.rules import DIPLOMAT, FARMS, RECRUIT
from gm.games.conqueror.state import NEUTRAL
from gm.games.conqueror.turn import Course


def without(stored: Mapping[str, int], item: str) -> FrozenMap[str, int]:
    """Stored labour, none of it for an item."""
    return with_stored(stored, item, 0)


def with_stored(stored: Mapping[str, int], item: str, labour: int) -> FrozenMap[str, int]:
    """Stored labour, so much of it for an item; items without any are left out."""
    left = {name: each for name, each in stored.items() if name != item}
    return FrozenMap({**left, item: labour} if labour else left)


def finished(course: Course, code: str, item: str, *, target: str = "", rushed: bool = False) -> None:
    """One of an item is there: an army, a diplomat's work, people, walls, culture. ``rushed``: it was bought."""
    province, rules = course.provinces[code], course.rules
    made, owner = rules.items[item], province.owner
    if item == RECRUIT:
        waits = rushed and not rules.knobs.rush_armies_can_move
        course.change(code, **({"moved": province.moved + 1} if waits else {"fresh": province.fresh + 1}))
    elif item == DIPLOMAT:
        course.shift(_served(course, code, target), owner, made.control)
    elif item == FARMS:
        level = course.change(code, population=province.population + 1).population
    elif made.works:
        level = course.change(code, fort=made.works).fort
    else:
        level = course.change(code, culture=made.gives_culture).culture
    if item in (RECRUIT, DIPLOMAT):
        return
    if made.control and owner != NEUTRAL:
        course.shift(code, owner, made.control)
    if owner != NEUTRAL:
        course.tell(Improved(owner=owner, province=code, work=item, level=level))


def _served(course: Course, code: str, target: str) -> str:
    """CQ-9.11: the province that a diplomat works in."""
    near = target in course.land.neighbours[code] and course.rules.knobs.diplomat_range
    return target if near and course.provinces[target].owner == course.provinces[code].owner else code
