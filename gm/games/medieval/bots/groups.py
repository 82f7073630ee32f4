"""Troops that can be sent somewhere: the armies at a place and what its garrison can spare, as one body.

Those who attack nobody this turn go to towns in danger, to where the next attack starts, or out of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from gm.games.medieval.bots.command import Command, reference
from gm.games.medieval.bots.survey import Force, behind_walls, force_of, summed, troop_force, ways_from
from gm.games.medieval.data.rules import Rules, TroopClass
from gm.games.medieval.state import Commander, Ranks, Unit, UnitKind
from gm.games.medieval.state.strength import pace

RANK = {TroopClass.FOOT: 1, TroopClass.MOUNTED: 2, TroopClass.ARCHER: 4, TroopClass.SIEGE: 5}
"""Where each class stands: who can take blows in front, who strikes from afar behind (B7)."""

FAR = 12  # Marches that are looked ahead
WORTH_A_MARCH = 3  # Soldiers of a quiet garrison who are worth an army of their own
OUTNUMBERED = 2.0  # Against so many times its own power an army in the open does not wait
RETREAT_LEVEL = 3  # Archers who have lost everybody in front of them leave the field (B9)
GOES_FIRST = {TroopClass.SIEGE: 0, TroopClass.MOUNTED: 1, TroopClass.FOOT: 2, TroopClass.ARCHER: 3}
"""Whom a garrison sends away first: archers are best behind walls."""

Shares = Mapping[str, Mapping[str, int]]  # By unit key, how many of each type


@dataclass(slots=True)
class Group:
    """``givers`` are the units, ``troops`` what each may send by type."""

    place: str
    givers: list[Unit]
    troops: dict[str, dict[str, int]] = field(default_factory=dict)

    @property
    def heads(self) -> int:
        """How many soldiers can go."""
        return sum(sum(counts.values()) for counts in self.troops.values())

    def without(self, shares: Shares) -> None:
        """These have gone."""
        for key, counts in shares.items():
            for name, count in counts.items():
                self.troops[key][name] -= count
            self.troops[key] = {name: count for name, count in self.troops[key].items() if count}


def groups_of(command: Command) -> list[Group]:
    """Everybody who is free to go, by place in map order."""
    found: dict[str, Group] = {}
    for unit in (*command.armies, *command.garrisons):
        if command.is_busy(unit):
            continue
        spare = spare_of(command, unit) if unit.is_garrison else soldiers_of(command.holds(unit), command.rules)
        if not spare and not (unit.is_army and unit.commanders):
            continue
        group = found.setdefault(unit.place, Group(unit.place, []))
        group.givers.append(unit)
        group.troops[unit.key] = spare
    order = command.atlas.place_order
    return [found[place] for place in sorted(found, key=order.__getitem__)]


def soldiers_of(unit: Unit, rules: Rules) -> dict[str, int]:
    """A unit's soldiers by type."""
    return {name: sum(ranks) for name, ranks in unit.troops.items() if not rules.troops[name].ship}


def spare_of(command: Command, garrison: Unit) -> dict[str, int]:
    """What a garrison can do without: the rest is as strong as the threat, and never fewer than it has to keep."""
    rules, place = command.rules, garrison.place
    held = command.holds(garrison)
    level = command.world.provinces[place].effective_fortification
    need = command.threat(place)
    keep = command.profile.keep_heads if command.atlas.city(place) or place in command.front else 0
    stays = soldiers_of(held, rules)
    spare: dict[str, int] = {}
    types = sorted(
        stays, key=lambda name: (GOES_FIRST[rules.troops[name].kind], -rules.troops[name].total_combat, name)
    )
    heads = sum(stays.values())
    for name in types:
        while stays[name] and heads > keep:
            stays[name] -= 1
            left = held.with_troops({each: (count, 0, 0, 0, 0) for each, count in stays.items()})
            if need and behind_walls([left], level, rules).power < need:
                stays[name] += 1
                break
            heads -= 1
            spare[name] = spare.get(name, 0) + 1
    return spare


def everybody(group: Group) -> Shares:
    """All that the group can send."""
    return {key: dict(counts) for key, counts in group.troops.items() if counts}


def least(group: Group, rules: Rules, combat: int) -> Shares:
    """As few as have this much total combat; everybody if they have not."""
    shares: dict[str, dict[str, int]] = {}
    have = 0
    for key, name in _cheapest_first(group, rules):
        while have < combat and shares.get(key, {}).get(name, 0) < group.troops[key][name]:
            mine = shares.setdefault(key, {})
            mine[name] = mine.get(name, 0) + 1
            have += rules.troops[name].total_combat
    return shares


def _cheapest_first(group: Group, rules: Rules) -> Iterator[tuple[str, str]]:
    """Garrisons' men before armies', the slow before the fast, siege machines never alone."""
    pairs = [(key, name) for key, counts in group.troops.items() for name in counts]
    kept = (pair for pair in pairs if rules.troops[pair[1]].kind is not TroopClass.SIEGE)
    yield from sorted(kept, key=lambda pair: (pair[0].split("/")[1][0] != "G", rules.troops[pair[1]].cost, pair))


def body(command: Command, group: Group, shares: Shares) -> Unit:
    """The army that these troops make: who stands in which rank as it will be ordered."""
    rules = command.rules
    counts: Counter[str] = Counter()
    for sent in shares.values():
        counts.update(sent)
    troops = {name: ranked(rules, name, count) for name, count in sorted(counts.items())}
    commanders = tuple(who for unit in group.givers if _goes_whole(unit, group, shares) for who in unit.commanders)
    army = Unit(realm=command.realm, kind=UnitKind.ARMY, number=1, place=group.place, troops=troops)
    best = max(commanders, key=lambda who: (merit(who, army), who.name), default=None)
    level = RETREAT_LEVEL if leaves_in_time(army) else rules.units.retreat_level
    return army.evolve(commanders=commanders, leader=best.name if best else None, retreat_level=level)


def ranked(rules: Rules, name: str, count: int) -> Ranks:
    """So many of a type in the rank where they belong."""
    ranks = [0] * rules.units.ranks
    ranks[RANK[rules.troops[name].kind] - 1] = count
    return ranks[0], ranks[1], ranks[2], ranks[3], ranks[4]


def leaves_in_time(army: Unit) -> bool:
    """Whether it makes sense to retreat when the front has fallen: the front is half of the army at least."""
    front = sum(sum(ranks[:RETREAT_LEVEL]) for ranks in army.troops.values())
    return front * 2 >= army.troop_count and front < army.troop_count


def body_pace(command: Command, group: Group, shares: Shares) -> int:
    """The move-points of these troops together (P3)."""
    return pace(body(command, group, shares), command.rules)


def body_force(command: Command, shares: Shares) -> Force:
    """These troops in the open."""
    counts = (pair for troops in shares.values() for pair in troops.items())
    return summed(troop_force(command.rules.troops[name], count) for name, count in counts)


def group_force(command: Command, group: Group) -> Force:
    """All that the group can send, in the open, its armies' commanders included."""
    led = (force_of(unit.evolve(troops={}), command.rules) for unit in group.givers if unit.is_army)
    return summed((body_force(command, everybody(group)), *led))


def gather(command: Command, group: Group, shares: Shares, why: str) -> str | None:
    """Order these troops into one army; its id, or none when no number is free. An army that goes as a whole leads."""
    whole = [unit for unit in group.givers if unit.is_army and _goes_whole(unit, group, shares)]
    others = [unit for unit in group.givers if unit not in whole and shares.get(unit.key)]
    if whole:
        lead = max(whole, key=lambda unit: (command.holds(unit).troop_count, -unit.number)).id
    else:
        formed = command.form(others[0], UnitKind.ARMY, why)
        if formed is None:
            return None
        lead = formed
    for unit in (*whole, *others):
        if unit.id != lead and shares.get(unit.key):
            command.hand_over(unit, lead, shares[unit.key])
        if unit.id != lead and unit in whole:
            command.send_commanders(unit, lead)
    led = any(unit.id == lead and unit.commanders for unit in whole)
    for unit in others:
        # new commanders wait in a city's garrison for somebody to lead
        if unit.is_garrison and unit.commanders and not led:
            command.send_commanders(unit, lead)
    group.without(shares)
    group.givers = [unit for unit in group.givers if unit not in whole]
    command.engage(f"{command.realm}/{lead}", *(unit.key for unit in whole))
    _arrange(command, lead, whole[0] if whole else others[0])
    return lead


def _goes_whole(unit: Unit, group: Group, shares: Shares) -> bool:
    """Whether nobody of an army stays behind."""
    return unit.is_army and dict(shares.get(unit.key, {})) == group.troops.get(unit.key, {})


def _arrange(command: Command, lead: str, maker: Unit) -> None:
    """Ranks and retreat of an army as it stands after its transfers (F7, F9)."""
    army = command.made(lead, maker)
    orders = command.sheet.unit(lead, f"in {army.place}")
    rules = command.rules
    ranked_troops = {name: ranked(rules, name, sum(ranks)) for name, ranks in army.troops.items()}
    for name, ranks in ranked_troops.items():
        if army.troops[name] != ranks:
            rank = RANK[rules.troops[name].kind]
            orders.add("ranks", name, {rank: sum(ranks)}, "who can take blows stands in front")
    level = RETREAT_LEVEL if leaves_in_time(army.with_troops(ranked_troops)) else rules.units.retreat_level
    if level != army.retreat_level:
        orders.order("retreat_level", level)


def appoint_leaders(command: Command) -> None:
    """F7: units that somebody could lead and nobody does."""
    for unit in command.world.of_realm(command.realm):
        if unit.commanders and unit.leader is None:
            best = max(unit.commanders, key=lambda who: (merit(who, unit), who.name))
            command.sheet.unit(reference(unit), f"in {unit.place}").order("leader", best.name, "the best of those here")


def merit(who: Commander, unit: Unit) -> int:
    """What a commander is worth where he is."""
    return who.naval if unit.is_fleet else who.infantry + who.cavalry


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
