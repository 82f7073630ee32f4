"""Attacks over land: who can reach what in which phase, and how the battle there is likely to end (N2, B2-B12)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from gm.core.dice import SPAN, Stream
from gm.core.sampling import Source
from gm.game.values import GameData
from gm.games.medieval.analysis.odds.setup import made_turn
from gm.games.medieval.analysis.odds.trials import NobodyFightsError, Trials
from gm.games.medieval.bots.command import Command
from gm.games.medieval.bots.groups import (
    Group,
    Shares,
    body,
    body_force,
    body_pace,
    everybody,
    gather,
    group_force,
    least,
)
from gm.games.medieval.bots.survey import NOBODY, Force, edge
from gm.games.medieval.combat.setup import land_battle
from gm.games.medieval.state import INDEPENDENTS, Province, Unit, UnitKind, UnitProgress, World, in_order, pair
from gm.games.medieval.steps.turn import Turn

PHASE = 1  # The phase in which planned battles are fought out
CERTAIN_EDGE = 4.0  # A superiority at which nobody needs to reckon
ENOUGH_EDGE = 2.5  # More than this is better used elsewhere
GUARD_COMBAT = 45  # Total combat of those who walk into a province where nobody is
QUESTIONS = 6  # Battles over land that are fought out on paper in a turn, at most


class OddsBook:
    """How planned attacks are likely to end: the turn's own battle, fought ``fights`` times on a field of its own. Each
    question is answered once; the dice come from a label, so that it always has the same answer."""

    def __init__(self, world: World, table: GameData, fights: int) -> None:
        self._world = world
        self._table = table
        self._fights = fights
        self._known: dict[object, float] = {}

    def of_attack(
        self, realm: str, place: str, attackers: Sequence[Unit], defenders: Sequence[Unit], *, landed: bool = False
    ) -> float:
        """The chance of these armies to be the last at a place that ``defenders`` hold, from 0 to 1. Who else is there
        does not count. Without anybody to fight it is 1."""
        armies = tuple(
            (frozenset(unit.troops.items()), unit.commanders, unit.leader, unit.retreat_level) for unit in attackers
        )
        question = (realm, place, landed, armies, tuple(unit.key for unit in defenders))
        if question not in self._known:
            self._known[question] = self._fought(realm, place, attackers, defenders, landed)
        return self._known[question]

    def _fought(
        self, realm: str, place: str, attackers: Sequence[Unit], defenders: Sequence[Unit], landed: bool
    ) -> float:
        near = self._table.board.open_neighbours(place, sea=False)
        came, done = [], {}
        for number, before in enumerate(attackers, 1):
            # a detachment of a garrison that is still to be formed is an army too
            unit = before.evolve(realm=realm, kind=UnitKind.ARMY, number=number, place=place, aboard=None, follow=None)
            came.append(unit)
            done[unit.key] = UnitProgress(
                came_from=before.place if before.place in near and not landed else None,
                marched_phase=PHASE,
                landed=landed,
                landed_phase=PHASE * landed,
            )
        turn = self._turn(realm, place, (*came, *defenders), done)
        try:
            source = _source(f"{realm} at {place} | {len(self._known)}")
            trials = Trials(turn, lambda field: land_battle(field, place), source)
        except NobodyFightsError:
            return 1.0
        tally = trials.run(self._fights)
        return sum(count for result, count in tally.results.items() if realm in result.split("+")) / tally.fights

    def _turn(self, realm: str, place: str, units: Iterable[Unit], done: dict[str, UnitProgress]) -> Turn:
        """A turn in which only these units are anywhere: the realm is at war with all others there. Who is beaten may
        go to the lands next door of those who fight; everybody else's are closed."""
        world, board = self._world, self._table.board
        land = world.provinces[place]
        everybody_here = in_order(units)
        codes = sorted({unit.realm for unit in everybody_here} | {realm, land.owner} - {INDEPENDENTS})
        realms = [code for code in codes if code != INDEPENDENTS]
        wars = frozenset(pair(realm, other) for other in realms if other != realm)
        owners = {name: world.provinces[name].owner for name in board.open_neighbours(place, sea=False)}
        around = {name: code if code in codes else INDEPENDENTS for name, code in owners.items()}
        no_rights: frozenset[str] = frozenset()
        small = World(
            turn=world.turn,
            realms={code: world.realms[code].evolve(passage=no_rights, refuses=no_rights) for code in realms},
            provinces={
                place: land.evolve(permissions=no_rights),
                **{name: Province(name=name, owner=code) for name, code in around.items()},
            },
            units={unit.key: unit for unit in everybody_here},
            wars=wars,
            alliances=frozenset(each for each in world.alliances if set(each) <= set(codes)) - wars,
        )
        return made_turn(small, self._table.rules, board, done)


def _source(label: str) -> Source:
    stream = Stream("what if", label)
    return lambda: stream.draw() / SPAN


class Offensive:
    """What attacks by land and by sea share. ``wanted`` says what may be attacked, ``prize`` what it is worth."""

    def __init__(
        self, command: Command, groups: list[Group], wanted: Callable[[str], bool], prize: Callable[[str], float]
    ) -> None:
        self._command = command
        self._groups = groups
        self._wanted = wanted
        self._prize = prize
        self._odds = OddsBook(command.world, command.view.table, command.profile.odds_fights)
        self._asked = 0
        self.blocked: dict[str, float] = {}
        """Targets that are worth more troops than there were, with their worth."""

    def _defence(self, place: str) -> Force:
        return self._command.survey.defence(place, self._command.hostile_at(place))

    def _worth(self, place: str) -> float:
        """What an attack is worth: the prize, by who is there."""
        return self._prize(place) / (4.0 + self._defence(place).power)

    def _likely(self, place: str, force: Force, armies: Sequence[Unit], *, landed: bool = False) -> bool:
        """Whether the bot thinks that the armies, of this force, win there."""
        command = self._command
        found = edge(force, self._defence(place))
        if found < command.profile.edge_percent / 100 or found >= CERTAIN_EDGE:
            return found >= CERTAIN_EDGE
        if not self._may_ask():
            return False
        chance = self._odds.of_attack(command.realm, place, armies, command.hostile_at(place), landed=landed)
        return chance * 100 >= command.profile.odds_percent

    def _may_ask(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Approach:
    """How a group comes to a target: the provinces on its way, the target last."""

    group: Group
    path: tuple[str, ...]

    @property
    def arrival(self) -> int:
        """The phase in which it strikes."""
        return len(self.path)


class Attacks(Offensive):
    """The attacks over land of one turn."""

    def order(self) -> None:
        """Order all that are worth it, the best first."""
        found: dict[str, list[Approach]] = {}
        for group in self._groups:
            for place, path in reach(self._command, group).items():
                if self._wanted(place):
                    found.setdefault(place, []).append(Approach(group, path))
        worth, order = {place: self._worth(place) for place in found}, self._command.atlas.place_order
        for place in sorted(found, key=lambda place: (-worth[place], order[place])):
            chosen = self._enough(place, found[place])
            if chosen:
                self._send(place, chosen)
            else:
                self.blocked[place] = worth[place]

    def _enough(self, place: str, approaches: Sequence[Approach]) -> list[tuple[Approach, Shares]]:
        """Who is to go, as few as will do; nobody when all together are too few."""
        command = self._command
        # not those who, as they are now, come so far no more: the fast may have gone
        free = [each for each in approaches if each.group.heads and place in reach(command, each.group)]
        free.sort(key=lambda each: (each.arrival, -group_force(command, each.group).power))
        needed = command.rules.movement.conquest_combat
        if not command.hostile_at(place):
            for each in free:
                shares = least(each.group, command.rules, max(needed, GUARD_COMBAT))
                if body_force(command, shares).combat >= needed:
                    return [(each, shares)]
            return []
        chosen: list[tuple[Approach, Shares]] = []
        total, defence = NOBODY, self._defence(place)
        for each in free:
            # one free hold lets the first wait for those a march behind (P5)
            if chosen and each.arrival > chosen[0][0].arrival + 1:
                break
            chosen.append((each, everybody(each.group)))
            total += group_force(command, each.group)
            if edge(total, defence) >= ENOUGH_EDGE:
                break
        if not chosen or total.combat < needed:
            return []
        armies = [body(command, approach.group, shares) for approach, shares in chosen]
        return chosen if self._likely(place, total, armies) else []

    def _may_ask(self) -> bool:
        self._asked += 1
        return self._asked <= QUESTIONS

    def _send(self, target: str, chosen: Sequence[tuple[Approach, Shares]]) -> None:
        command = self._command
        last = max(approach.arrival for approach, _ in chosen)
        for approach, shares in chosen:
            heads = sum(sum(troops.values()) for troops in shares.values())
            why = f"{heads} against {sum(command.survey.force(each).heads for each in command.hostile_at(target))}"
            lead = gather(command, approach.group, shares, f"to take {target}")
            if lead is None:
                continue
            orders = command.sheet.unit(lead)
            if approach.arrival < last:
                orders.then("hold", None, f"so that all strike {target} in phase {last}")
            for place in approach.path:
                orders.then("march", place, why if place == target else "")


def reach(command: Command, group: Group) -> dict[str, tuple[str, ...]]:
    """The enemy provinces that the whole group can enter this turn, with the way there (P2-P4, M9)."""
    costs = command.rules.movement
    points = body_pace(command, group, everybody(group))
    found: dict[str, tuple[str, ...]] = {}
    ways: dict[str, tuple[str, ...]] = {group.place: ()}
    waiting = [group.place]
    for place in waiting:
        way = ways[place]
        left = points - costs.march_permitted * len(way)
        for near in command.survey.by_land[place]:
            if near in ways or near in found:
                continue
            if command.is_enemy_land(near):
                if left >= costs.march_enemy:
                    found[near] = (*way, near)
            elif left >= costs.march_permitted and command.may_pass(near):
                ways[near] = (*way, near)
                waiting.append(near)
    return found
