"""Attacks over land: the targets of each group, the troops that go, and those that stay to keep land (N2)."""

from collections import defaultdict
from collections.abc import Sequence
from math import sqrt

from gm.games.medieval.bots.groups import Group, Shares, shares_force
from gm.games.medieval.bots.offensive import ENOUGH_EDGE, Approach, Offensive
from gm.games.medieval.bots.survey import NOBODY, Force, edge

GUARD_COMBAT = 45  # Total combat of those who walk into a province where nobody is
KEPT = 1.2  # So many times the power of the enemies next door keeps what is taken
HOPELESS = 5.0  # Nobody goes where it would take so many times their power to keep what they take
SALLY = 0.5  # What part of a garrison comes out to retake what is next to it
QUESTIONS = 6  # Battles over land that are fought out on paper in a turn, at most


class Attacks(Offensive):
    """The attacks over land of one turn.

    ``blocked``: by place, the worth of each target that is not attacked, because too few troops can come or
    the attack is not likely to succeed.
    """

    questions = QUESTIONS

    def order(self) -> None:
        """Order all attacks that are likely to succeed, on the most worthwhile targets first.

        The other wanted targets in reach are put into ``blocked``, with their worth.
        """
        # by start and move-points: the way to each enemy province
        self._reached: dict[tuple[str, int], dict[str, tuple[str, ...]]] = {}
        approaches_to: defaultdict[str, list[Approach]] = defaultdict(list)
        for group in self._groups:
            for place, path in self._reach(group).items():
                if self._wanted(place):
                    approaches_to[place].append(Approach(group, path))
        self.blocked: dict[str, float] = {}
        worth = {place: self.worth(place) for place in approaches_to}
        order = self._command.atlas.place_order
        for place in sorted(approaches_to, key=lambda place: (-worth[place], order[place])):
            chosen = self._enough(place, approaches_to[place])
            if chosen:
                self._send(place, chosen)
            else:
                self.blocked[place] = worth[place]

    def _reach(self, group: Group) -> dict[str, tuple[str, ...]]:
        """Return the way to each enemy province that the whole group can enter this turn (P2-P4, M9)."""
        cache_key = (group.place, group.pace(group.everybody))
        if cache_key not in self._reached:
            self._reached[cache_key] = self._within(*cache_key)
        return self._reached[cache_key]

    def _within(self, start: str, points: int) -> dict[str, tuple[str, ...]]:
        """Return the way to each enemy province within these move-points of a start (P2-P4).

        A way is the provinces that are entered one after the other, the target last.
        """
        command = self._command
        costs = self._command.rules.movement
        ways_to_enemies: dict[str, tuple[str, ...]] = {}
        ways: dict[str, tuple[str, ...]] = {start: ()}  # to where the group may pass
        waiting = [start]
        for place in waiting:
            points_left = points - costs.march_permitted * len(ways[place])
            for near in command.survey.by_land[place]:
                steps = (*ways[place], near)
                if near in ways or near in ways_to_enemies:
                    continue
                if command.is_enemy_land(near):
                    if points_left >= costs.march_enemy:
                        ways_to_enemies[near] = steps
                elif points_left >= costs.march_permitted and command.may_pass(near):
                    ways[near] = steps
                    waiting.append(near)
        return ways_to_enemies

    def _enough(self, place: str, approaches: Sequence[Approach]) -> list[tuple[Approach, Shares]]:
        """Return the approaches to a target that are used, with the troops that go.

        They are as few as clearly win and keep the place; all that can come in time if even these are not
        enough for that. The list is empty if they cannot take it (M13) or are not likely to win
        (:meth:`_likely`).
        """
        command = self._command
        # a group whose fast troops were sent elsewhere may be too slow for the way that it had at first
        free = [
            approach
            for approach in approaches
            if approach.group.heads and place in self._reach(approach.group)
        ]
        free.sort(key=lambda approach: (approach.arrival, -approach.group.force.power))
        needed = command.rules.movement.conquest_combat  # the total combat that takes a place (M13)
        if not command.hostile_at(place):
            return self._occupiers(place, free, needed)
        chosen_shares: list[tuple[Approach, Shares]] = []
        total = NOBODY
        defence = self._defence(place)
        for approach in free:
            # one free hold lets the first wait for those a march behind, and no longer (P5)
            if chosen_shares and approach.arrival > chosen_shares[0][0].arrival + 1:
                break
            chosen_shares.append((approach, approach.group.everybody))
            total += approach.group.force
            if edge(total, defence) >= ENOUGH_EDGE and self._is_kept(place, total, defence):
                break
        if not chosen_shares or total.combat < needed:
            return []
        armies = [approach.group.body(shares) for approach, shares in chosen_shares]
        return chosen_shares if self._likely(place, total, armies) else []

    def _occupiers(self, place: str, free: Sequence[Approach], needed: int) -> list[tuple[Approach, Shares]]:
        """Return the first of these approaches whose troops can take an undefended place and hold it.

        ``needed``: the total combat that takes it (M13). The list is empty if there is no such approach.
        """
        for approach in free:
            guards = self._guards(approach.group, place, needed)
            if shares_force(guards, self._command.rules).combat >= needed:
                return [(approach, guards)]
        return []

    def _guards(self, group: Group, place: str, needed: int) -> Shares:
        """Return the fewest troops of a group that keep an undefended province.

        ``needed``: the total combat that takes it (M13). If more troops are needed than there are, it is the
        whole group, or nobody if even the whole group is hopelessly weak.
        """
        rules = self._command.rules
        needed_strength = KEPT * self._menace(place)
        combat = max(needed, GUARD_COMBAT)
        while (
            shares_force(group.least(combat), rules).power < needed_strength and combat < group.force.combat
        ):
            combat *= 2
        has_hope = shares_force(group.least(combat), rules).power >= needed_strength / HOPELESS
        return group.least(combat) if has_hope else {}

    def _is_kept(self, place: str, ours: Force, theirs: Force) -> bool:
        """Return whether our survivors can hold the province against nearby enemies, by the square law."""
        strength_left = max(0.0, ours.blows * ours.stand - theirs.blows * theirs.stand)
        return sqrt(strength_left) >= KEPT * self._menace(place)

    def _menace(self, place: str) -> float:
        """Return the power of the enemies in neighbouring provinces, who could come in the turn after.

        Armies count whole, garrisons in part (``SALLY``).
        """
        command = self._command
        total = 0.0
        for near in command.survey.by_land[place]:
            for unit in command.survey.fighters(near):
                if unit.realm in command.foes:
                    total += command.survey.force(unit).power * (1.0 if unit.is_army else SALLY)
        return total

    def _send(self, target: str, chosen: Sequence[tuple[Approach, Shares]]) -> None:
        """Order the chosen shares to a target so that all arrive in the phase of the last one."""
        command = self._command
        command.attacked.add(command.world.provinces[target].owner)
        last = max(approach.arrival for approach, _ in chosen)
        for approach, shares in chosen:
            self._march(approach, shares, last)
