"""The marches of armies without an attack this turn: to towns in danger, to starts of attacks, to ports."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from gm.games.medieval.bots.command import SMALL_POWER, SUPERIOR, Command
from gm.games.medieval.bots.groups import FAR, WORTH_A_MARCH, Group, behind_walls_again, march_along
from gm.games.medieval.bots.survey import ways_from

SAVED = 2.0  # How much more a town is worth that an enemy could take than one that is to be taken
TOGETHER = 3.0  # How much better a goal is where the troops suffice, with those who are there already
SPARE_HELP = 0.1  # How far more troops help where there are enough already
LEAST = 3.0  # The power of a handful of men, with whom a landing cannot fail (M8)
MANY = 24  # So many targets, the best ones, are thought about


@dataclass(slots=True)
class Goal:
    """A place that needs troops."""

    place: str
    need: float  # the power of the troops that it needs
    worth: float  # of having them there, to be compared with other goals
    why: str  # the purpose, in words


class Campaign:
    """Plans the marches of a bot's troops for one turn.

    ``wanted``: whether a place is to be taken; ``worth``: what an attack on it is worth.
    """

    def __init__(
        self,
        command: Command,
        groups: list[Group],
        wanted: Callable[[str], bool],
        worth: Callable[[str], float],
    ) -> None:
        """Prepare the marches of ``groups`` of troops; ``wanted`` and ``worth`` are asked about places."""
        self._command = command
        self._groups = groups
        self._wanted = wanted
        self._worth = worth

    def order(self) -> None:
        """Let the groups of armies that are still free march or gather, the strongest first.

        Soldiers of a quiet garrison go with the armies, or alone if there are ``WORTH_A_MARCH`` of them.
        """
        goals = [*self._dangers(), *self._starts(), *self._ports()]
        power_at = {group.place: group.force.power for group in self._groups}
        for group in sorted(self._groups, key=lambda group: (-group.force.power, group.place)):
            armies = [unit for unit in group.givers if unit.is_army]
            endangered = group.place in self._command.danger
            if not armies and (group.heads < WORTH_A_MARCH or endangered):
                continue
            ways = ways_from(group.place, FAR, self._command.survey.by_land, self._command.may_pass)
            way, why = behind_walls_again(self._command, group, ways) or self._best(
                group, goals, ways, power_at
            )
            # a garrison sends nobody while its place is in danger, or if the group stays
            shares = group.armies if endangered or not way else group.everybody
            if not way and len(armies) > 1 and len(shares) > 1:
                group.gather(shares, "")  # armies that stand in one place become one
            elif way and shares:
                march_along(group, shares, way, why)

    def _best(
        self,
        group: Group,
        goals: list[Goal],
        ways: Mapping[str, tuple[str, ...]],
        power_at: dict[str, float],
    ) -> tuple[tuple[str, ...], str]:
        """Return the way to the goal that is worth most for this group, and why; an empty way: it stays.

        ``power_at``: the power of the groups at each place, which is changed: the group goes to its goal.
        """
        power = group.force.power
        power_at[group.place] = power_at.get(group.place, 0.0) - power
        best_value = 0.0
        best_goal = Goal(group.place, 0.0, 0.0, "")  # to stay
        for goal in goals:
            if goal.place in ways:
                # what those who are there already, or on their way, leave to be done
                lacking = goal.need - power_at.get(goal.place, 0.0)
                helps = min(1.0, power / lacking) if lacking > 0 else SPARE_HELP
                factor = TOGETHER if power >= lacking else 1.0
                value = goal.worth * helps * factor / (1 + len(ways[goal.place]))
                if value > best_value:
                    best_value = value
                    best_goal = goal
        power_at[best_goal.place] = power_at.get(best_goal.place, 0.0) + power
        return ways[best_goal.place], f"to {best_goal.place}, {best_goal.why}"

    def _dangers(self) -> Iterator[Goal]:
        """Yield the places of own garrisons that an enemy could take."""
        value = self._command.survey.value
        for place, lacking in self._command.danger.items():
            enemies_near = any(self._command.hostile_at(near) for near in self._command.survey.by_land[place])
            # less urgent while no enemy stands beside it
            worth = value[place] / (SMALL_POWER + lacking) * (SAVED if enemies_near else 0.5)
            yield Goal(place, lacking, worth, "in danger")

    def _starts(self) -> Iterator[Goal]:
        """Yield, as goals, the places from which the ``MANY`` most worthwhile enemy lands can be attacked."""
        command = self._command
        near = command.survey.borders(command.realm)
        targets = [place for place in near if command.is_enemy_land(place) and self._wanted(place)]
        targets.sort(key=self._worth, reverse=True)
        for target in targets[:MANY]:
            need = max(LEAST, SUPERIOR * command.survey.defence_of(target, command.hostile_at(target)).power)
            for place in command.survey.by_land[target]:
                if command.may_pass(place):
                    yield Goal(place, need, self._worth(target), "where the next attack starts")

    def _ports(self) -> Iterator[Goal]:
        """Yield the ports from which armies are to be shipped to the best targets over sea."""
        for target, port, power in self._command.crossings:
            yield Goal(port, max(power, LEAST), self._worth(target), f"to be shipped to {target}")
