"""Attacks over land: who can reach what in which phase, and how the battle there is likely to end (N2, B2-B12)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from gm.core.dice import SPAN, Stream
from gm.core.sampling import Source
from gm.game.values import GameData
from gm.games.medieval.analysis.odds.scene import made_turn
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
from gm.games.medieval.combat.battle import Battle, Field
from gm.games.medieval.combat.setup import land_battle
from gm.games.medieval.state import INDEPENDENTS, Province, Realm, Unit, UnitKind, UnitProgress, World, in_order, pair
from gm.games.medieval.steps.turn import Turn

PHASE = 1


class OddsBook:
    """Answers about battles at places of one position, each worked out once.

    ``fights`` is how many times a battle is fought for an answer.
    """

    def __init__(self, world: World, table: GameData, fights: int) -> None:
        self._world = world
        self._table = table
        self._fights = fights
        self._known: dict[object, float] = {}

    def of_attack(
        self, realm: str, place: str, attackers: Sequence[Unit], defenders: Sequence[Unit], *, landed: bool = False
    ) -> float:
        """The chance of these armies to be the last at a place that ``defenders`` hold, from 0 to 1.

        Who else is there does not count. Without anybody to fight it is 1.
        """
        question = (
            realm,
            place,
            landed,
            tuple((unit.troops, unit.commanders, unit.leader, unit.retreat_level) for unit in attackers),
            tuple(unit.key for unit in defenders),
        )
        if question not in self._known:
            self._known[question] = self._fought(realm, place, attackers, defenders, landed)
        return self._known[question]

    def _fought(
        self, realm: str, place: str, attackers: Sequence[Unit], defenders: Sequence[Unit], landed: bool
    ) -> float:
        came = _arrived(realm, place, attackers)
        near = self._table.board.open_neighbours(place, sea=False)
        done = {}
        for unit, before in zip(came, attackers, strict=True):
            origin = before.place if before.place in near and not landed else None
            done[unit.key] = UnitProgress(
                came_from=origin, marched_phase=PHASE, landed=landed, landed_phase=PHASE * landed
            )
        turn = self._turn(realm, place, (*came, *defenders), done)

        def drawn_up(field: Field) -> Battle | None:
            return land_battle(field, place)

        try:
            trials = Trials(turn, drawn_up, _source(place, realm, len(self._known)))
        except NobodyFightsError:
            return 1.0
        tally = trials.run(self._fights)
        wins = sum(count for result, count in tally.results.items() if realm in result.split("+"))
        return wins / tally.fights

    def _turn(self, realm: str, place: str, units: Iterable[Unit], done: dict[str, UnitProgress]) -> Turn:
        """A turn in which only these units are anywhere: the realm is at war with all others there."""
        world = self._world
        land = world.provinces[place]
        everybody = in_order(units)
        codes = sorted({unit.realm for unit in everybody} | {realm, land.owner} - {INDEPENDENTS})
        others = [code for code in codes if code not in (realm, INDEPENDENTS)]
        wars = {pair(realm, other) for other in others}
        small = World(
            turn=world.turn,
            realms={code: _plain(world.realms[code]) for code in codes if code != INDEPENDENTS},
            provinces={place: land.evolve(permissions=frozenset()), **self._lands_around(place, codes)},
            units={unit.key: unit for unit in everybody},
            wars=frozenset(wars),
            alliances=frozenset(each for each in world.alliances if set(each) <= set(codes)) - wars,
        )
        return made_turn(small, self._table.rules, self._table.board, done)

    def _lands_around(self, place: str, codes: Sequence[str]) -> dict[str, Province]:
        """Where who is beaten may go: the lands next door of those who fight; everybody else's are closed."""
        around = self._table.board.open_neighbours(place, sea=False)
        owners = {name: self._world.provinces[name].owner for name in around}
        return {
            name: Province(name=name, owner=code if code in codes else INDEPENDENTS) for name, code in owners.items()
        }


def _plain(realm: Realm) -> Realm:
    return realm.evolve(passage=frozenset(), refuses=frozenset())


def _arrived(realm: str, place: str, attackers: Sequence[Unit]) -> list[Unit]:
    """The attackers as armies at the place: a detachment of a garrison that is still to be formed is one too."""
    return [
        unit.evolve(realm=realm, kind=UnitKind.ARMY, number=number, place=place, aboard=None, follow=None)
        for number, unit in enumerate(attackers, 1)
    ]


def _source(place: str, realm: str, number: int) -> Source:
    stream = Stream("what if", f"{realm} at {place} | {number}")

    def draw() -> float:
        return stream.draw() / SPAN

    return draw


CERTAIN_EDGE = 4.0
"""A superiority at which nobody needs to reckon."""

ENOUGH_EDGE = 2.5
"""More than this is better used elsewhere."""

GUARD_COMBAT = 45
"""Total combat of those who walk into a province where nobody is."""

QUESTIONS = 6
"""Battles that are fought out on paper in a turn, at most."""


@dataclass(frozen=True, slots=True)
class Approach:
    """How a group comes to a target: the provinces on its way, the target last."""

    group: Group
    path: tuple[str, ...]

    @property
    def arrival(self) -> int:
        """The phase in which it strikes."""
        return len(self.path)


@dataclass(slots=True)
class Attack:
    """A target with all who could come."""

    place: str
    approaches: list[Approach]
    defenders: Sequence[Unit]
    defence: Force
    worth: float


class Attacks:
    """The attacks over land of one turn. ``wanted`` says what may be attacked, ``prize`` what it is worth."""

    def __init__(
        self, command: Command, groups: list[Group], wanted: Callable[[str], bool], prize: Callable[[str], float]
    ) -> None:
        self._command = command
        self._groups = groups
        self._wanted = wanted
        self._prize = prize
        self._odds = OddsBook(command.world, command.view.table, command.temper.odds_fights)
        self._asked = 0
        self.blocked: dict[str, float] = {}
        """Targets that are worth more troops than there were, with their worth."""

    def order(self) -> None:
        """Order all that are worth it, the best first."""
        for attack in self._all():
            chosen = self._enough(attack)
            if chosen:
                self._send(attack, chosen)
            else:
                self.blocked[attack.place] = attack.worth

    def _all(self) -> list[Attack]:
        command = self._command
        found: dict[str, list[Approach]] = {}
        for group in self._groups:
            for place, path in reach(command, group).items():
                if self._wanted(place):
                    found.setdefault(place, []).append(Approach(group, path))
        attacks = []
        for place, approaches in found.items():
            defenders = command.hostile_at(place)
            defence = command.survey.defence(place, defenders)
            worth = self._prize(place) / (4.0 + defence.power)
            attacks.append(Attack(place, approaches, defenders, defence, worth))
        order = command.atlas.place_order
        return sorted(attacks, key=lambda each: (-each.worth, order[each.place]))

    def _enough(self, attack: Attack) -> list[tuple[Approach, Shares]]:
        """Who is to go, as few as will do; nobody when all together are too few."""
        command = self._command
        free = [each for each in attack.approaches if each.group.heads and self._can_still(each)]
        free.sort(key=lambda each: (each.arrival, -group_force(command, each.group).power))
        needed = command.rules.movement.conquest_combat
        if not attack.defenders:
            for each in free:
                shares = least(each.group, command.rules, max(needed, GUARD_COMBAT))
                if body_force(command, shares).combat >= needed:
                    return [(each, shares)]
            return []
        chosen: list[tuple[Approach, Shares]] = []
        total = NOBODY
        for each in free:
            # one free hold lets the first wait for those a march behind (P5)
            if chosen and each.arrival > chosen[0][0].arrival + 1:
                break
            chosen.append((each, everybody(each.group)))
            total += group_force(command, each.group)
            if edge(total, attack.defence) >= ENOUGH_EDGE:
                break
        return chosen if chosen and total.combat >= needed and self._likely(attack, chosen, total) else []

    def _can_still(self, approach: Approach) -> bool:
        """Whether the group, as it is now, still comes so far: the fast may have gone."""
        paths = reach(self._command, approach.group)
        return approach.path[-1] in paths

    def _likely(self, attack: Attack, chosen: Sequence[tuple[Approach, Shares]], total: Force) -> bool:
        command = self._command
        found = edge(total, attack.defence)
        if found < command.temper.edge_percent / 100:
            return False
        if found >= CERTAIN_EDGE:
            return True
        if self._asked >= QUESTIONS:
            return False
        self._asked += 1
        armies = [body(command, approach.group, shares) for approach, shares in chosen]
        chance = self._odds.of_attack(command.realm, attack.place, armies, attack.defenders)
        return chance * 100 >= command.temper.odds_percent

    def _send(self, attack: Attack, chosen: Sequence[tuple[Approach, Shares]]) -> None:
        command = self._command
        last = max(approach.arrival for approach, _ in chosen)
        for approach, shares in chosen:
            heads = sum(sum(troops.values()) for troops in shares.values())
            why = f"{heads} against {sum(command.survey.force(each).heads for each in attack.defenders)}"
            lead = gather(command, approach.group, shares, f"to take {attack.place}")
            if lead is None:
                continue
            orders = command.sheet.unit(lead)
            if approach.arrival < last:
                orders.then("hold", None, f"so that all strike {attack.place} in phase {last}")
            for place in approach.path:
                orders.then("march", place, why if place == attack.place else "")


def reach(command: Command, group: Group) -> dict[str, tuple[str, ...]]:
    """The enemy provinces that the whole group can enter this turn, with the way there (P2-P4, M9)."""
    costs = command.rules.movement
    points = body_pace(command, group, everybody(group))
    found: dict[str, tuple[str, ...]] = {}
    ways: dict[str, tuple[str, ...]] = {group.place: ()}
    edge_places = [group.place]
    while edge_places:
        further = []
        for place in edge_places:
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
                    further.append(near)
        edge_places = further
    return found
