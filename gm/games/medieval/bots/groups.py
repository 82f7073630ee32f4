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
"""Where each class stands: who can take blows in front, who strikes from afar behind (B7)."""

FAR = 12  # Marches that are looked ahead
WORTH_A_MARCH = 3  # Soldiers of a quiet garrison who are worth an army of their own
OUTNUMBERED = 2.0  # Against so many times its own power an army in the open does not wait
RETREAT_LEVEL = 3  # Archers who have lost everybody in front of them leave the field (B9)
GOES_FIRST = {TroopClass.SIEGE: 0, TroopClass.MOUNTED: 1, TroopClass.FOOT: 2, TroopClass.ARCHER: 3}
"""Whom a garrison sends away first: archers are best behind walls."""

Shares = Mapping[str, Mapping[str, int]]  # By unit key, how many of each type


@dataclass(slots=True, eq=False)
class Group:
    """Troops at one place. ``givers``: its units, ``troops``: what each may send, by type."""

    command: Command
    place: str
    givers: list[Unit] = field(default_factory=list)
    troops: dict[str, dict[str, int]] = field(default_factory=dict)
    _force: Force | None = None

    @property
    def everybody(self) -> dict[str, dict[str, int]]:
        """All troops that the group can send."""
        return {key: dict(counts) for key, counts in self.troops.items() if counts}

    @property
    def armies(self) -> dict[str, dict[str, int]]:
        """The counts of troops by type, of each army in the group; a garrison's troops are left out."""
        keys = {unit.key for unit in self.givers if unit.is_army}
        return {key: counts for key, counts in self.everybody.items() if key in keys}

    @property
    def heads(self) -> int:
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
        """Return the fewest troops with this combat, or all.

        Garrisons' troops go before armies', the cheap first, no siege machines.
        """
        types = self.command.rules.troops
        pairs: list[tuple[str, str]] = []
        for key, counts in self.troops.items():
            pairs += [(key, name) for name in counts if types[name].kind is not TroopClass.SIEGE]
        shares: dict[str, dict[str, int]] = {}
        for key, name in sorted(
            pairs, key=lambda pair: (pair[0].split("/")[1][0] != "G", types[pair[1]].cost, pair)
        ):
            while combat > 0 and shares.get(key, {}).get(name, 0) < self.troops[key][name]:
                share = shares.setdefault(key, {})
                share[name] = share.get(name, 0) + 1
                combat -= types[name].total_combat
        return shares

    def body(self, shares: Shares) -> Unit:
        """Return the army that these troops make, in the ranks that will be ordered."""
        rules = self.command.rules
        counts: Counter[str] = Counter()
        for troops_sent in shares.values():
            counts.update(troops_sent)
        whole = (unit for unit in self.givers if self._goes_whole(unit, shares))
        commanders = tuple(chain.from_iterable(unit.commanders for unit in whole))
        troops = {name: _ranked(rules, name, count) for name, count in sorted(counts.items())}
        army = Unit(realm=self.command.realm, kind=UnitKind.ARMY, number=1, place=self.place, troops=troops)
        best_commander = max(commanders, key=lambda who: (merit(who, army), who.name), default=None)
        level = _retreat_level(army, rules)
        return army.evolve(
            commanders=commanders, leader=best_commander.name if best_commander else None, retreat_level=level
        )

    def pace(self, shares: Shares) -> int:
        """Return the move-points of these troops together (P3)."""
        rules = self.command.rules
        counts = chain.from_iterable(sent.items() for sent in shares.values())
        paces = [rules.troops[name].move_points for name, count in counts if count]
        return min(paces) if paces else pace(self.body(shares), rules)

    def gather(self, shares: Shares, why: str) -> str | None:
        """Order these troops into one army; return its id, or None if no number is free.

        An army that goes whole leads.
        """
        command = self.command
        whole = [unit for unit in self.givers if self._goes_whole(unit, shares)]
        other_givers = [unit for unit in self.givers if unit not in whole and shares.get(unit.key)]
        if whole:
            lead: str | None = max(whole, key=lambda unit: (command.holds(unit).troop_count, -unit.number)).id
        else:
            lead = command.form(other_givers[0], UnitKind.ARMY, why)
        if lead is None:
            return None
        self._join(lead, whole, other_givers, shares)
        for key, counts in shares.items():
            counts_left = ((name, count - counts.get(name, 0)) for name, count in self.troops[key].items())
            self.troops[key] = {name: count for name, count in counts_left if count}
        self.givers = [unit for unit in self.givers if unit not in whole]
        self._force = None
        command.busy.update((f"{command.realm}/{lead}", *(unit.key for unit in whole)))
        _arrange(command, command.made(lead, (whole or other_givers)[0]))
        return lead

    def _join(self, lead: str, whole: Sequence[Unit], others: Sequence[Unit], shares: Shares) -> None:
        """Order transfers to the army ``lead``: troops, and commanders of units that go whole."""
        command = self.command
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

    def _goes_whole(self, unit: Unit, shares: Shares) -> bool:
        return unit.is_army and dict(shares.get(unit.key, {})) == self.troops.get(unit.key, {})


def shares_force(shares: Shares, rules: Rules) -> Force:
    """Return the force of these troops in the open."""
    counts = chain.from_iterable(troops.items() for troops in shares.values())
    return in_the_open([(rules.troops[name], count) for name, count in counts], 0, rules)


def groups_of(command: Command) -> list[Group]:
    """Return the troops that are free to go, by place in map order."""
    groups: dict[str, Group] = {}
    for unit in (*command.armies, *command.garrisons):
        if unit.key in command.busy:
            continue
        troops = command.holds(unit)
        soldiers = {name: count for name, count in troops.counts().items() if name in command.rules.soldiers}
        spare = _spare_of(command, troops, soldiers) if unit.is_garrison else soldiers
        if spare or (unit.is_army and unit.commanders):
            group = groups.setdefault(unit.place, Group(command, unit.place))
            group.givers.append(unit)
            group.troops[unit.key] = spare
    return [groups[place] for place in sorted(groups, key=command.atlas.place_order.__getitem__)]


def _spare_of(command: Command, garrison: Unit, stays: dict[str, int]) -> dict[str, int]:
    """Return the troops that a garrison can spare.

    The rest is as strong as the threat, and never fewer than it has to keep.
    """
    rules = command.rules
    place = garrison.place
    walls = rules.fortification(command.world.provinces[place].effective_fortification)
    need = command.threat(place)
    keep = command.profile.keep_heads if command.atlas.city(place) or place in command.front else 0
    spare: dict[str, int] = {}

    def too_weak(gone: int) -> bool:
        troops_left = [
            (rules.troops[name], count - gone * (name == row.name)) for name, count in stays.items()
        ]
        force = in_the_open(troops_left, len(garrison.commanders), rules)
        return (force + gain_of_walls(troops_left, walls) if walls else force).power < need

    rows = map(rules.troops.__getitem__, stays)
    for row in sorted(rows, key=lambda row: (GOES_FIRST[row.kind], -row.total_combat, row.name)):
        most = max(0, min(stays[row.name], sum(stays.values()) - keep))
        goes = bisect_left(range(1, most + 1), True, key=too_weak) if need else most
        if goes:
            spare[row.name] = goes
            stays[row.name] -= goes
    return spare


def _ranked(rules: Rules, name: str, count: int) -> Ranks:
    """Return a troop type's ``count`` of troops, all in the rank of its kind."""
    own_rank = RANK[rules.troops[name].kind]
    return as_ranks(count if rank == own_rank else 0 for rank in range(1, 6))


def _retreat_level(army: Unit, rules: Rules) -> int:
    """Return the highest rank of the front after whose fall a retreat makes sense.

    That is where the front is half of the army at least.
    """
    front = sum(sum(ranks[:RETREAT_LEVEL]) for ranks in army.troops.values())
    return RETREAT_LEVEL if front * 2 >= army.troop_count > front else rules.units.retreat_level


def _arrange(command: Command, army: Unit) -> None:
    """Order ranks and retreat level of an army after its transfers (F7, F9)."""
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
    """Appoint leaders of units that have a commander but no leader (F7)."""
    for unit in command.world.of_realm(command.realm):
        if unit.commanders and unit.leader is None:
            best_commander = max(unit.commanders, key=lambda who: (merit(who, unit), who.name))
            command.sheet.unit(reference(unit), f"in {unit.place}").order(
                "leader", best_commander.name, "the best of those here"
            )


def merit(commander: Commander, unit: Unit) -> int:
    """Return the sum of a commander's ratings that count in this unit (F7)."""
    return commander.naval if unit.is_fleet else commander.infantry + commander.cavalry


def march_the_rest(command: Command, groups: list[Group], blocked: Mapping[str, float]) -> None:
    """Order every army and quiet garrison that is still free, as local forces do.

    They go to the next town in danger, and to lost land (N1). ``blocked``: targets that need more troops.
    """
    danger = command.danger
    starts = _starts(command, blocked)
    for group in groups:
        armies = [unit for unit in group.givers if unit.is_army]
        if not armies and (group.heads < WORTH_A_MARCH or group.place in danger or group.place in starts):
            continue
        goal = _goal(command, group, danger, starts)
        shares = group.armies if goal is None or group.place in danger else group.everybody
        if goal is None:
            if len(armies) > 1 and len(shares) > 1:
                group.gather(shares, "")  # armies that stand in one place become one
        elif shares:
            march_along(group, shares, *goal)


def march_along(group: Group, shares: Shares, way: tuple[str, ...], why: str) -> None:
    """Order these troops along a way through land that is open to them, as far as they get this turn."""
    command = group.command
    points = group.pace(shares)
    lead = group.gather(shares, why)
    if lead:
        for place in way[: points // command.rules.movement.march_permitted]:
            command.sheet.unit(lead).then("march", place, why)
            why = ""


def _starts(command: Command, blocked: Mapping[str, float]) -> dict[str, float]:
    """Return the places from which blocked targets can be attacked, with the worth of the best."""
    starts: dict[str, float] = {}
    for target, worth in blocked.items():
        for near in command.survey.by_land[target]:
            if command.may_pass(near):
                starts[near] = max(starts.get(near, 0.0), worth)
    if starts:
        return starts
    # nothing is in reach of anybody: go where the enemy, or unowned land, is nearest
    return {
        name: 0.1 for name in command.front if any(map(command.is_enemy_land, command.survey.by_land[name]))
    }


def behind_walls_again(
    command: Command, group: Group, ways: Mapping[str, tuple[str, ...]]
) -> tuple[tuple[str, ...], str] | None:
    """Return the way back to the nearest walls for troops in the open that are in danger; else None."""
    lands = command.world.provinces
    exposed = not lands[group.place].effective_fortification
    if not exposed or command.threat(group.place) <= OUTNUMBERED * max(group.force.power, 0.1):
        return None
    own_places = (place for place in ways if lands[place].owner == command.realm)
    walls = (place for place in own_places if lands[place].effective_fortification)
    nearest = min(walls, key=lambda place: (len(ways[place]), place), default=group.place)
    return (ways[nearest], "back behind walls: too many are near") if ways[nearest] else None


def _goal(
    command: Command, group: Group, danger: Mapping[str, float], starts: Mapping[str, float]
) -> tuple[tuple[str, ...], str] | None:
    """Return the way to go, and why; None, or an empty way: they stay."""
    ways = ways_from(group.place, FAR, command.survey.by_land, command.may_pass)
    back = behind_walls_again(command, group, ways)
    if back:
        return back
    goals: list[tuple[float, str, str]] = []
    for worth_of, weight, why in ((danger, 2.0, "in danger"), (starts, 6.0, "where the next attack starts")):
        within = ((place, worth) for place, worth in worth_of.items() if place in ways)
        goals += [(weight * min(worth, 3.0) / (1 + len(ways[place])), place, why) for place, worth in within]
    _, best, why = max(goals, key=lambda goal: goal[:2], default=(0.0, group.place, ""))
    return (ways[best], f"to {best}, {why}") if ways[best] else None
