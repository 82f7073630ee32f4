"""Where armies go that attack nobody this turn: to towns in danger, to where the next attack starts, or out of it."""

from __future__ import annotations

from collections.abc import Mapping

from gm.games.medieval.bots.command import Command
from gm.games.medieval.bots.groups import Group, body_pace, everybody, gather, group_force
from gm.games.medieval.bots.survey import ways_from

FAR = 12  # Marches that are looked ahead
WORTH_A_MARCH = 3  # Soldiers of a quiet garrison who are worth an army of their own
OUTNUMBERED = 2.0  # Against so many times its own power an army in the open does not wait


def march_the_rest(command: Command, groups: list[Group], blocked: Mapping[str, float]) -> None:
    """Order every army and quiet garrison that is still free. ``blocked``: targets that need more troops."""
    danger = _in_danger(command)
    starts = _starts(command, blocked)
    for group in groups:
        armies = [unit for unit in group.givers if unit.is_army]
        if not armies and (group.heads < WORTH_A_MARCH or group.place in danger or group.place in starts):
            continue
        if not everybody(group) and not armies:
            continue
        goal = _goal(command, group, danger, starts)
        if goal is None:
            together = _armies_only(group)
            if len(armies) > 1 and len(together) > 1:
                gather(command, group, together, "")  # armies that stand in one place become one
            continue
        way, why = goal
        shares = everybody(group) if group.place not in danger else _armies_only(group)
        if not shares:
            continue
        points = body_pace(command, group, shares)
        lead = gather(command, group, shares, why)
        for place in way[: points // command.rules.movement.march_permitted] if lead else ():
            command.sheet.unit(lead or "").then("march", place, why)
            why = ""


def _armies_only(group: Group) -> dict[str, dict[str, int]]:
    keys = {unit.key for unit in group.givers if unit.is_army}
    return {key: counts for key, counts in everybody(group).items() if key in keys}  # type: ignore[misc]


def _in_danger(command: Command) -> dict[str, float]:
    """The own towns and forts whose defenders are weaker than what could come, with by how much."""
    found = {}
    for unit in command.garrisons:
        threat = command.threat(unit.place)
        have = command.survey.defence(unit.place, [command.holds(unit)]).power
        if threat > have:
            found[unit.place] = threat - have
    return found


def _starts(command: Command, blocked: Mapping[str, float]) -> dict[str, float]:
    """The places from which blocked targets can be attacked, with the worth of the best."""
    found: dict[str, float] = {}
    for target, worth in blocked.items():
        for near in command.survey.by_land[target]:
            if command.may_pass(near):
                found[near] = max(found.get(near, 0.0), worth)
    if found:
        return found
    # nothing is in reach of anybody: go where the enemy, or unowned land, is nearest
    return {name: 0.1 for name in command.front if any(command.is_enemy_land(n) for n in command.survey.by_land[name])}


def _goal(
    command: Command, group: Group, danger: Mapping[str, float], starts: Mapping[str, float]
) -> tuple[tuple[str, ...], str] | None:
    """The way to go and why; none to stay."""
    ways = ways_from(group.place, FAR, command.survey.by_land, command.may_pass)
    mine = group_force(command, group).power
    here = command.world.provinces[group.place].effective_fortification
    if not here and command.threat(group.place) > OUTNUMBERED * max(mine, 0.1):
        walls = [
            place
            for place in ways
            if command.world.provinces[place].owner == command.realm
            and command.world.provinces[place].effective_fortification
        ]
        nearest = min(walls, key=lambda place: (len(ways[place]), place), default=None)
        if nearest is not None and ways[nearest]:
            return ways[nearest], "back behind walls: too many are near"
    best: tuple[float, str, str] | None = None
    for goals, weight, why in ((danger, 2.0, "in danger"), (starts, 6.0, "where the next attack starts")):
        for place, worth in goals.items():
            if place in ways:
                score = weight * min(worth, 3.0) / (1 + len(ways[place]))
                if best is None or (score, place) > best[:2]:
                    best = (score, place, why)
    if best is None or not ways[best[1]]:
        return None
    return ways[best[1]], f"to {best[1]}, {best[2]}"
