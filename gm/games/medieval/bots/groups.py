"""Troops that can be sent: the armies at a place and its garrison's spare troops, as one body."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from gm.games.medieval.bots.command import Command, reference
from gm.games.medieval.bots.survey import Force, gain_of_walls, in_the_open, summed, ways_from
from gm.games.medieval.data.rules import Rules, TroopClass
from gm.games.medieval.state import Commander, Ranks, Unit, UnitKind
from gm.games.medieval.state.strength import pace
from gm.games.medieval.state.unit import as_ranks

RANK = {TroopClass.FOOT: 1, TroopClass.MOUNTED: 2, TroopClass.ARCHER: 4, TroopClass.SIEGE: 5}
"""The rank of each class: in front those who can take hits, behind those who strike from afar (B7)."""

FAR = 12  # So many marches are looked ahead
WORTH_A_MARCH = 3  # Soldiers of a quiet garrison who are worth an army of their own
OUTNUMBERED = 2.0  # Against so many times its own power an army in the open does not wait
RETREAT_LEVEL = 3  # Archers who have lost everybody in front of them leave the field (B9)
GOES_FIRST = {TroopClass.SIEGE: 0, TroopClass.MOUNTED: 1, TroopClass.FOOT: 2, TroopClass.ARCHER: 3}
"""The order in which a garrison sends away troops: archers last, since they are best behind walls."""

Shares = Mapping[str, Mapping[str, int]]  # Troops that are sent: by unit key, how many of each type


@dataclass(slots=True, eq=False)
class Group:
    """Troops at one place that are free to go."""

    command: Command
    place: str
    givers: list[Unit] = field(default_factory=list)  # the units that the troops belong to
    # by unit key: how many of each type the unit may send
    troops: dict[str, dict[str, int]] = field(default_factory=dict)
    _force: Force | None = None  # see ``force``

    @property
    def everybody(self) -> dict[str, dict[str, int]]:
        """All troops that the group can send: by unit key, how many of each type."""
        return {key: dict(counts) for key, counts in self.troops.items() if counts}

    @property
    def armies(self) -> dict[str, dict[str, int]]:
        """The troops of the group's armies, without a garrison's: by unit key, how many of each type."""
        keys = {unit.key for unit in self.givers if unit.is_army}
        return {key: counts for key, counts in self.everybody.items() if key in keys}

    @property
    def heads(self) -> int:
        """The number of troops that the group can send."""
        return sum(sum(counts.values()) for counts in self.troops.values())

    @property
    def force(self) -> Force:
        """The force of all troops of the group in the open, its armies' commanders included."""
        if self._force is None:
            rules = self.command.rules
            led = (in_the_open((), len(unit.commanders), rules) for unit in self.givers if unit.is_army)
            self._force = summed((shares_force(self.troops, rules), *led))
        return self._force

    def least(self, combat: int) -> Shares:
        """Return as many troops as it takes for this total combat, or all if they have less.

        Garrisons' troops are taken before armies', the cheap types first; siege machines never.
        """
        types = self.command.rules.troops
        pairs: list[tuple[str, str]] = []  # (unit key, troop type)
        for key, counts in self.troops.items():
            pairs += [(key, name) for name in counts if types[name].kind is not TroopClass.SIEGE]
        shares: dict[str, dict[str, int]] = {}
        garrisons = {unit.key for unit in self.givers if unit.is_garrison}
        for key, name in sorted(
            pairs, key=lambda pair: (pair[0] not in garrisons, types[pair[1]].cost, pair)
        ):
            while combat > 0 and shares.get(key, {}).get(name, 0) < self.troops[key][name]:
                share = shares.setdefault(key, {})
                share[name] = share.get(name, 0) + 1
                combat -= types[name].total_combat
        return shares

    def body(self, shares: Shares) -> Unit:
        """Return an army like the one these troops will make, with commanders of armies that go whole."""
        rules = self.command.rules
        counts: Counter[str] = Counter()
        for troops_sent in shares.values():
            counts.update(troops_sent)
        whole_units = (unit for unit in self.givers if self._goes_whole(unit, shares))
        commanders = tuple(chain.from_iterable(unit.commanders for unit in whole_units))
        troops = {name: _ranked(rules, name, count) for name, count in sorted(counts.items())}
        army = Unit(realm=self.command.realm, kind=UnitKind.ARMY, number=1, place=self.place, troops=troops)
        best_commander = max(commanders, key=lambda who: (merit(who, army), who.name), default=None)
        level = _retreat_level(army, rules)
        return army.evolve(
            commanders=commanders, leader=best_commander.name if best_commander else None, retreat_level=level
        )

    def pace(self, shares: Shares) -> int:
        """Return the move-points of these troops together, or of the commanders that go without any (P3)."""
        rules = self.command.rules
        counts = chain.from_iterable(sent.items() for sent in shares.values())
        paces = [rules.troops[name].move_points for name, count in counts if count]
        return min(paces) if paces else pace(self.body(shares), rules)

    def gather(self, shares: Shares, why: str) -> str | None:
        """Order these troops out of the group into one army; return its id, or None if no number is free.

        They join the largest army of the group that goes whole; if none does, they form a new army, for which
        ``why`` is noted as the reason.
        """
        command = self.command
        whole_units = [unit for unit in self.givers if self._goes_whole(unit, shares)]
        other_givers = [unit for unit in self.givers if unit not in whole_units and shares.get(unit.key)]
        lead: str | None
        if whole_units:
            lead = max(whole_units, key=lambda unit: (command.as_ordered(unit).troop_count, -unit.number)).id
        else:
            lead = command.form(other_givers[0], UnitKind.ARMY, why)
        if lead is None:
            return None
        self._join(lead, whole_units, other_givers, shares)
        for key, counts in shares.items():
            counts_left = ((name, count - counts.get(name, 0)) for name, count in self.troops[key].items())
            self.troops[key] = {name: count for name, count in counts_left if count}
        self.givers = [unit for unit in self.givers if unit not in whole_units]
        self._force = None  # it was that of the troops before
        command.busy.update((f"{command.realm}/{lead}", *(unit.key for unit in whole_units)))
        _arrange(command, command.own_unit(lead, (whole_units or other_givers)[0]))
        return lead

    def _join(self, lead: str, whole_units: Sequence[Unit], others: Sequence[Unit], shares: Shares) -> None:
        """Order transfers of these troops to the army with the id ``lead``.

        Commanders of units that go whole go along, and a garrison's if the army has none.
        """
        command = self.command
        for unit in (*whole_units, *others):
            if unit.id != lead and shares.get(unit.key):
                command.hand_over(unit, lead, shares[unit.key])
            if unit.id != lead and unit in whole_units:
                command.send_commanders(unit, lead)
        has_commander = any(unit.id == lead and unit.commanders for unit in whole_units)
        for unit in others:
            # new commanders wait in a city's garrison for somebody to lead
            if unit.is_garrison and unit.commanders and not has_commander:
                command.send_commanders(unit, lead)

    def _goes_whole(self, unit: Unit, shares: Shares) -> bool:
        """Return whether a unit is an army of which all troops are sent."""
        return unit.is_army and dict(shares.get(unit.key, {})) == self.troops.get(unit.key, {})


def shares_force(shares: Shares, rules: Rules) -> Force:
    """Return the force of these troops in the open."""
    counts = chain.from_iterable(troops.items() for troops in shares.values())
    return in_the_open([(rules.troops[name], count) for name, count in counts], 0, rules)


def groups_of(command: Command) -> list[Group]:
    """Return a group for each place with troops, or armies' commanders, that are free to go, in map order."""
    groups: dict[str, Group] = {}
    for unit in (*command.armies, *command.garrisons):
        if unit.key in command.busy:
            continue
        unit_now = command.as_ordered(unit)
        counts = unit_now.counts()
        soldiers = {name: count for name, count in counts.items() if name in command.rules.soldiers}
        spare = _spare_of(command, unit_now, soldiers) if unit.is_garrison else soldiers
        if spare or (unit.is_army and unit.commanders):
            group = groups.setdefault(unit.place, Group(command, unit.place))
            group.givers.append(unit)
            group.troops[unit.key] = spare
    return [groups[place] for place in sorted(groups, key=command.atlas.place_order.__getitem__)]


def _spare_of(command: Command, garrison: Unit, soldiers: Mapping[str, int]) -> dict[str, int]:
    """Return how many soldiers of each type a garrison can spare.

    The rest is as strong as the threat, and never fewer than it has to keep. ``soldiers``: how many of each
    type it has.
    """
    rules = command.rules
    place = garrison.place
    walls = rules.fortification(command.world.provinces[place].effective_fortification)
    need = command.threat(place)
    keep = command.profile.keep_heads if command.atlas.city(place) or place in command.front else 0
    stays = dict(soldiers)
    spare: dict[str, int] = {}

    def too_weak(gone: int) -> bool:
        """Return whether the rest would be too weak if ``gone`` more soldiers of the type ``row`` left."""
        troops_left = [
            (rules.troops[name], count - gone * (name == row.name)) for name, count in stays.items()
        ]
        force = in_the_open(troops_left, len(garrison.commanders), rules)
        return (force + gain_of_walls(troops_left, walls) if walls else force).power < need

    rows = map(rules.troops.__getitem__, stays)
    for row in sorted(rows, key=lambda row: (GOES_FIRST[row.kind], -row.total_combat, row.name)):
        most = max(0, min(stays[row.name], sum(stays.values()) - keep))
        # the fewer stay, the weaker they are: the first number that is too many is searched
        spared = bisect_left(range(1, most + 1), True, key=too_weak) if need else most
        if spared:
            spare[row.name] = spared
            stays[row.name] -= spared
    return spare


def _ranked(rules: Rules, name: str, count: int) -> Ranks:
    """Return so many troops of the type ``name`` by rank: all are in the rank of their class."""
    own_rank = RANK[rules.troops[name].kind]
    return as_ranks(count if rank == own_rank else 0 for rank in range(1, 6))


def _retreat_level(army: Unit, rules: Rules) -> int:
    """Return the retreat level for an army (B9).

    It is ``RETREAT_LEVEL`` if at least half of the troops, but not all, stand in the ranks up to it.
    """
    front = sum(sum(ranks[:RETREAT_LEVEL]) for ranks in army.troops.values())
    return RETREAT_LEVEL if front * 2 >= army.troop_count > front else rules.units.retreat_level


def _arrange(command: Command, army: Unit) -> None:
    """Order the ranks and the retreat level of an army, as it is after its transfers (F7, F9)."""
    orders = command.sheet.unit(army.id, f"in {army.place}")
    rules = command.rules
    troops = {name: _ranked(rules, name, count) for name, count in army.counts().items()}
    for name, ranks in troops.items():
        if army.troops[name] != ranks:
            orders.add(
                "ranks",
                name,
                {RANK[rules.troops[name].kind]: sum(ranks)},
                "who can take blows stands in front",
            )
    level = _retreat_level(army.with_troops(troops), rules)
    if level != army.retreat_level:
        orders.order("retreat_level", level)


def appoint_leaders(command: Command) -> None:
    """Appoint the best commander as leader of each unit that has commanders but no leader (F7)."""
    for unit in command.world.of_realm(command.realm):
        if unit.commanders and unit.leader is None:
            best_commander = max(unit.commanders, key=lambda who: (merit(who, unit), who.name))
            command.sheet.unit(reference(unit), f"in {unit.place}").order(
                "leader", best_commander.name, "the best of those here"
            )


def merit(commander: Commander, unit: Unit) -> int:
    """Return a commander's rating for a unit: the naval one in a fleet, else infantry and cavalry (F7)."""
    return commander.naval if unit.is_fleet else commander.infantry + commander.cavalry


def march_the_rest(command: Command, groups: list[Group], blocked: Mapping[str, float]) -> None:
    """Order all armies that are still free, and spare soldiers of garrisons in quiet places.

    They go where a place is in danger, or where an attack can start (N1). ``blocked``: the worth of targets
    that need more troops, by name.
    """
    danger = command.danger
    starts = _starts(command, blocked)
    for group in groups:
        armies = [unit for unit in group.givers if unit.is_army]
        if not armies and (group.heads < WORTH_A_MARCH or group.place in danger or group.place in starts):
            continue
        goal = _goal(command, group, danger, starts)
        # a garrison stays where its place is in danger, or where nobody goes
        shares = group.armies if goal is None or group.place in danger else group.everybody
        if goal is None:
            if len(armies) > 1 and len(shares) > 1:
                group.gather(shares, "")  # armies that stand in one place become one
        elif shares:
            march_along(group, shares, *goal)


def march_along(group: Group, shares: Shares, way: tuple[str, ...], why: str) -> None:
    """Order the troops ``shares`` of a group along a way through open land, as far as they get this turn.

    ``way``: the provinces that they enter; ``why``: the reason in words, a comment of the first march.
    """
    command = group.command
    points = group.pace(shares)
    lead = group.gather(shares, why)
    if lead:
        for place in way[: points // command.rules.movement.march_permitted]:
            command.sheet.unit(lead).then("march", place, why)
            why = ""


def _starts(command: Command, blocked: Mapping[str, float]) -> dict[str, float]:
    """Return the worth of the places where attacks can start, by name: places that armies may pass.

    ``blocked``: the worth of targets that need more troops, by name; a start is worth as much as the best
    of them beside it. If there is none, all places of the front beside enemy land are, of a small worth.
    """
    starts: dict[str, float] = {}
    for target, worth in blocked.items():
        for near in command.survey.by_land[target]:
            if command.may_pass(near):
                starts[near] = max(starts.get(near, 0.0), worth)
    if starts:
        return starts
    # no target is in reach of anybody
    return {
        name: 0.1 for name in command.front if any(map(command.is_enemy_land, command.survey.by_land[name]))
    }


def behind_walls_again(
    command: Command, group: Group, ways: Mapping[str, tuple[str, ...]]
) -> tuple[tuple[str, ...], str] | None:
    """Return (way, reason in words) back to the nearest own walls for a group in the open that is in danger.

    None if it is in no danger or cannot get to walls. ``ways``: by place; the way to its own place is empty.
    """
    lands = command.world.provinces
    is_exposed = not lands[group.place].effective_fortification
    # a group without power withdraws from all but the smallest threat
    if not is_exposed or command.threat(group.place) <= OUTNUMBERED * max(group.force.power, 0.1):
        return None
    own_places = (place for place in ways if lands[place].owner == command.realm)
    walls = (place for place in own_places if lands[place].effective_fortification)
    nearest = min(walls, key=lambda place: (len(ways[place]), place), default=group.place)
    return (ways[nearest], "back behind walls: too many are near") if ways[nearest] else None


def _goal(
    command: Command, group: Group, danger: Mapping[str, float], starts: Mapping[str, float]
) -> tuple[tuple[str, ...], str] | None:
    """Return (way, reason in words) for a group that goes to a place in danger or a start; None if it stays.

    ``danger``: the power that is lacking, by place; ``starts``: the worth of places where attacks start.
    """
    ways = ways_from(group.place, FAR, command.survey.by_land, command.may_pass)
    back = behind_walls_again(command, group, ways)
    if back:
        return back
    goals: list[tuple[float, str, str]] = []  # (value, place, reason)
    # a worth above 3 counts as 3
    for worth_of, weight, why in ((danger, 2.0, "in danger"), (starts, 6.0, "where the next attack starts")):
        within = ((place, worth) for place, worth in worth_of.items() if place in ways)
        goals += [(weight * min(worth, 3.0) / (1 + len(ways[place])), place, why) for place, worth in within]
    _, best, why = max(goals, key=lambda goal: goal[:2], default=(0.0, group.place, ""))
    return (ways[best], f"to {best}, {why}") if ways[best] else None  # empty for its own place
