"""Fights between two realms, as far as possible in steps that are cached from earlier fights.

The dice are asked in the order of a battle fought step by step: with the same numbers each fight ends the
same.
"""

from bisect import bisect_right
from decimal import Decimal

from gm.core.dice import SamplingStream
from gm.games.medieval.analysis.odds.memory import DIES, LIVES, WOUND, Chances, Node, UnitMemory
from gm.games.medieval.analysis.odds.tally import Fates
from gm.games.medieval.combat.battle import Battle
from gm.games.medieval.combat.contingents import FIGHTS, Role
from gm.games.medieval.combat.fight import fight_on, wounded_die
from gm.games.medieval.combat.rounds import places_inside

Nodes = list[Node]  # How the units of a camp stand, in order
_CHECKED_AFTER = (128, 512, 2048)
_WORTH_IT = 0.5  # The memory is given up when it has to work out more than this part of all steps


class Camp:
    """All units of one realm in a battle of two: they share the damage of the enemy's hits by rank (B7)."""

    def __init__(self, battle: Battle, realm: str, stream: SamplingStream) -> None:
        """Read the present units of a realm."""
        self._stream = stream
        self.units = [
            UnitMemory(battle, contingent, stream)
            for contingent in battle.contingents
            if contingent.realm == realm
        ]
        self.start = [memory.read() for memory in self.units]
        barracks = next(
            (memory.contingent.barracks for memory in self.units if memory.contingent.barracks), None
        )
        self._room = barracks.room if barracks else 0
        self._inside = [number for number, memory in enumerate(self.units) if memory.contingent.barracks]

    def load(self, nodes: Nodes) -> None:
        for unit, node in zip(self.units, nodes, strict=True):
            unit.load(node)

    def is_crowded(self, nodes: Nodes) -> bool:
        """Return whether the places behind the walls have to be drawn (B5.1)."""
        return bool(self._inside) and sum(node.sheltered for node in nodes) > self._room

    def take(self, nodes: Nodes, hits: int) -> None:
        """Apply these hits of the enemy, one after the other (B7); hits without a target are lost (B6)."""
        while hits:
            ahead = _front_most(nodes)
            if not ahead:
                return
            if len(ahead) == 1:
                index = ahead[0]
                node, hits, beyond = self.units[index].take(nodes[index], hits)
                self._put(nodes, index, node)
            else:
                hits, beyond = self._share(nodes, ahead, hits)
            while beyond and (ahead := _front_most(nodes)):
                beyond = self._absorb(nodes, ahead, beyond)

    def _share(self, nodes: Nodes, ahead: list[int], hits: int) -> tuple[int, Decimal]:
        """Apply hits to units that share the front-most rank, until a unit falls: each hit draws one."""
        counts = [nodes[index].count for index in ahead]
        draw = self._stream.weighted
        units = self.units
        while True:
            place = draw(counts)
            index = ahead[place]
            before = nodes[index]
            node, _, beyond = before.steps.get(1) or units[index].take(before, 1)
            hits -= 1
            self._put(nodes, index, node)
            if not hits or node.count != counts[place] or node.front != before.front:
                return hits, beyond

    def _absorb(self, nodes: Nodes, ahead: list[int], damage: Decimal) -> Decimal:
        """Apply the rest of a hit that has wiped out its unit to a friend of it; return what is left."""
        index = ahead[
            0 if len(ahead) == 1 else self._stream.weighted([nodes[candidate].count for candidate in ahead])
        ]
        beyond: Decimal
        node, beyond = self.units[index].absorb(nodes[index], damage)
        self._put(nodes, index, node)
        return beyond

    def _put(self, nodes: Nodes, index: int, node: Node) -> None:
        """Store a changed unit.

        Its friends lose the part of the bonus behind the walls that it used up (B8).
        """
        used = node.bonus != nodes[index].bonus
        nodes[index] = node
        if used:
            for other in self._inside:
                if other != index:
                    nodes[other] = self.units[other].rebase(nodes[other], node.bonus)

    def end_round(self, nodes: Nodes, number: int) -> None:
        """Let casualties leave after even rounds (B8.1)."""
        for index in self._inside:
            if nodes[index].state[1]:
                self._put(nodes, index, self.units[index].use_up_walls(nodes[index]))
        for index, unit in enumerate(self.units):
            nodes[index] = nodes[index].ended[number & 1] or unit.end_round(nodes[index], number)

    def ready(self, nodes: Nodes) -> bool:
        """Return whether the wounded units that survive are known without dice."""
        for unit, node in zip(self.units, nodes, strict=True):
            if WOUND not in node.steps and not unit.wound(node):
                return False
        return True

    def fates(self, nodes: Nodes) -> Fates:
        """Return the fates of all units: each wounded one has a die (B11)."""
        fates = []
        for unit, node in zip(self.units, nodes, strict=True):
            numerator, denominator = node.steps[WOUND][1]
            end = DIES if numerator and self._stream.source() * denominator < numerator else LIVES
            fates.append((node.steps.get(end) or unit.fate(node, end))[1])
        return tuple(fates)


def _front_most(nodes: Nodes) -> list[int]:
    """Return the units with unmarked troops in the front-most rank."""
    front = 0
    front_most: list[int] = []
    for index, node in enumerate(nodes):
        if node.front and node.state[0] is FIGHTS:
            if not front_most or node.front < front:
                front = node.front
                front_most = [index]
            elif node.front == front:
                front_most.append(index)
    return front_most


def can_be_remembered(battle: Battle) -> bool:
    """Return whether two realms fight with units that share only their place and walls.

    There are no soldiers aboard (B13).
    """
    return len(battle.realms) == 2 and all(
        contingent.role in (Role.ARMY, Role.GARRISON, Role.FLEET)
        and contingent.carrier is None
        and contingent.state is FIGHTS
        for contingent in battle.contingents
    )


class TwoCamps:
    """A battle of two realms, fought from memory."""

    def __init__(self, battle: Battle, stream: SamplingStream) -> None:
        """Prepare for fights of a battle between two realms."""
        self._battle = battle
        self._stream = stream
        self._limit = battle.field.rules.battle.round_limit
        a, b = battle.realms
        self._camps = Camp(battle, a, stream), Camp(battle, b, stream)
        # behind walls that are too small, places have to be drawn
        crowded = any(camp.is_crowded(camp.start) for camp in self._camps)
        self._alone = len(battle.contingents) == 2 and not crowded
        self._fights = self._steps = 0

    @property
    def worked_out(self) -> int:
        """Return the number of steps that had to be computed so far."""
        return sum(unit.worked_out for camp in self._camps for unit in camp.units)

    def worth_it(self) -> bool:
        """Return whether the cache holds enough of the steps; it is asked now and then."""
        return self._fights not in _CHECKED_AFTER or self.worked_out < _WORTH_IT * self._steps

    def fight(self) -> tuple[int, list[Fates]] | None:
        """Return one fight: its rounds, and the fates of both camps.

        None when it was ended in the ordinary way: then the battle has its outcome.
        """
        self._fights += 1
        ours, theirs = self._camps
        if self._alone:
            node, other, number, fought_out = self._duel()
            a = [node]
            b = [other]
        else:
            a = ours.start[:]
            b = theirs.start[:]
            number, fought_out = self._rounds(a, b)
        self._steps += number * (len(a) + len(b)) * 2
        if fought_out and ours.ready(a) and theirs.ready(b):
            return number, [ours.fates(a), theirs.fates(b)]
        for camp, nodes in zip(self._camps, (a, b), strict=True):
            camp.load(nodes)
            for unit in camp.units:
                unit.loaded = None  # it may be changed by others from here on
        self._battle.round = number
        self._battle.drawn = False
        if fought_out:
            wounded_die(self._battle)
        else:
            fight_on(self._battle)
        return None

    def _rounds(self, a: Nodes, b: Nodes) -> tuple[int, bool]:
        """Fight round after round with these nodes.

        Returns their number, and false when a unit would retreat or the fight takes too long.
        """
        ours, theirs = self._camps
        for number in range(1, self._limit + 1):
            hits, back = self._strike(a, b)
            theirs.take(b, hits)
            ours.take(a, back)
            ours.end_round(a, number)
            theirs.end_round(b, number)
            if any(node.restless for node in a) or any(node.restless for node in b):
                return number, False
            if not (any(node.lives for node in a) and any(node.lives for node in b)):
                return number, True
        return self._limit, False

    def _duel(self) -> tuple[Node, Node, int, bool]:
        """Fight round after round with one unit on each side, which shares its damage with no other."""
        (ours, theirs), source = self._camps, self._stream.source
        our = ours.units[0]
        their = theirs.units[0]
        a = ours.start[0]
        b = theirs.start[0]
        number = 0
        while a.lives and b.lives and number < self._limit:
            hits = 0
            for least, cumulated in a.attacks:
                hits += least + bisect_right(cumulated, source())
            back = 0
            for least, cumulated in b.attacks:
                back += least + bisect_right(cumulated, source())
            number += 1
            while hits and b.front:
                b, hits, _ = b.steps.get(hits) or their.take(b, hits)
            while back and a.front:
                a, back, _ = a.steps.get(back) or our.take(a, back)
            a = a.ended[number & 1] or our.end_round(a, number)
            b = b.ended[number & 1] or their.end_round(b, number)
            if a.restless or b.restless:
                return a, b, number, False
        return a, b, number, not (a.lives and b.lives)

    def _strike(self, a: Nodes, b: Nodes) -> list[int]:
        """Return the hits of both camps in a round (B4, B5)."""
        ours, theirs = self._camps
        if ours.is_crowded(a) or theirs.is_crowded(b):
            chances = self._places_drawn(a, b)
        else:
            chances = [[node.attacks for node in nodes] for nodes in (a, b)]
        source = self._stream.source
        scored = []
        for units in chances:
            hits = 0
            for attacks in units:
                for least, cumulated in attacks:
                    hits += least + bisect_right(cumulated, source())
            scored.append(hits)
        return scored

    def _places_drawn(self, a: Nodes, b: Nodes) -> list[list[Chances]]:
        """Return each unit's chance to hit in a round whose places behind the walls are drawn (B5.1)."""
        for camp, nodes in zip(self._camps, (a, b), strict=True):
            camp.load(nodes)
        fighting = [
            contingent
            for contingent in self._battle.contingents
            if contingent.fights and contingent.present()
        ]
        places_inside(self._battle, fighting)
        return [[unit.chances() for unit in camp.units] for camp in self._camps]
