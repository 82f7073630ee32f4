"""A camp is all that one realm has in a battle of two: it shares the damage of the enemy's hits by rank (B7).

The dice are asked in the same order as in a battle fought step by step, so with the same numbers each fight ends the
same.
"""

from __future__ import annotations

from decimal import Decimal

from gm.core.sampling import SamplingStream
from gm.games.medieval.analysis.odds.recall import Node, Recall
from gm.games.medieval.analysis.odds.tally import Fates
from gm.games.medieval.combat.battle import Battle
from gm.games.medieval.combat.contingents import ContingentStatus, Role

Nodes = list[Node]
"""How the units of a camp stand, in order."""


class Camp:
    """The units of one realm."""

    def __init__(self, battle: Battle, realm: str, lots: SamplingStream) -> None:
        self._lots = lots
        self.units = [Recall(battle, each, lots) for each in battle.contingents if each.realm == realm]
        self.start = [each.start() for each in self.units]
        barracks = next((each.contingent.barracks for each in self.units if each.contingent.barracks), None)
        self._room = barracks.room if barracks else 0
        self._inside = [number for number, each in enumerate(self.units) if each.contingent.barracks]

    @property
    def worked_out(self) -> int:
        """How many steps had to be worked out so far."""
        return sum(each.worked_out for each in self.units)

    def load(self, nodes: Nodes) -> None:
        """Make the units what the nodes say."""
        for unit, node in zip(self.units, nodes, strict=True):
            unit.load(node)

    def forget_loaded(self) -> None:
        """The units were changed by somebody else."""
        for unit in self.units:
            unit.forget_loaded()

    def is_crowded(self, nodes: Nodes) -> bool:
        """Whether the places behind the walls have to be drawn (B5.1)."""
        return bool(self._inside) and sum(node.sheltered for node in nodes) > self._room

    # -- damage --------------------------------------------------------------------------------------------------------

    def take(self, nodes: Nodes, hits: int) -> None:
        """These hits of the enemy, one after the other (B7); what nobody is left to take is lost (B6)."""
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
        """Hits on units that share the front-most rank, until somebody falls: each draws one of them anew."""
        counts = [nodes[index].count for index in ahead]
        draw, units = self._lots.weighted, self.units
        while True:
            place = draw(counts)
            index = ahead[place]
            before = nodes[index]
            node, _, beyond = before.after.get(1) or units[index].take(before, 1)
            hits -= 1
            self._put(nodes, index, node)
            if not hits or node.count != counts[place] or node.front != before.front:
                return hits, beyond

    def _absorb(self, nodes: Nodes, ahead: list[int], damage: Decimal) -> Decimal:
        """The rest of a hit that has wiped out its unit goes on to a friend of it."""
        index = ahead[0 if len(ahead) == 1 else self._lots.weighted([nodes[each].count for each in ahead])]
        node, beyond = self.units[index].absorb(nodes[index], damage)
        self._put(nodes, index, node)
        return beyond

    def _put(self, nodes: Nodes, index: int, node: Node) -> None:
        """A unit has changed; if it used up some of the bonus behind the walls, its friends have less too (B8)."""
        used = node.bonus != nodes[index].bonus
        nodes[index] = node
        if used:
            for other in self._inside:
                if other != index:
                    nodes[other] = self.units[other].rebase(nodes[other], node.bonus)

    # -- the end of a round and of the battle --------------------------------------------------------------------------

    def end_round(self, nodes: Nodes, number: int) -> None:
        """Casualties leave after even rounds (B8.1)."""
        for index in self._inside:
            if nodes[index].state[1]:
                self._put(nodes, index, self.units[index].tell_walls(nodes[index]))
        for index, unit in enumerate(self.units):
            nodes[index] = nodes[index].ended[number & 1] or unit.end_round(nodes[index], number)

    def ready(self, nodes: Nodes) -> bool:
        """Whether it is known without dice who is left wounded."""
        return all(unit.see_to_the_wounded(node) for unit, node in zip(self.units, nodes, strict=True))

    def fates(self, nodes: Nodes) -> Fates:
        """What becomes of everybody: for each wounded a die (B11)."""
        source = self._lots.source
        found = []
        for unit, node in zip(self.units, nodes, strict=True):
            dies = False
            if node.wound is not None and node.wound[0]:
                numerator, denominator = node.wound
                dies = source() * denominator < numerator
            found.append(node.fates.get(dies) or unit.fate(node, dies))
        return tuple(found)


def _front_most(nodes: Nodes) -> list[int]:
    """The units with unmarked troops in the front-most rank."""
    if len(nodes) == 1:
        return [0] if nodes[0].front and nodes[0].state[0] is ContingentStatus.FIGHTS else []
    front = 0
    found: list[int] = []
    for index, node in enumerate(nodes):
        if node.front and node.state[0] is ContingentStatus.FIGHTS:
            if not found or node.front < front:
                front, found = node.front, [index]
            elif node.front == front:
                found.append(index)
    return found


def can_be_remembered(battle: Battle) -> bool:
    """Whether two realms fight with units that share nothing but their place and walls: no soldiers aboard (B13)."""
    return len(battle.realms) == 2 and all(
        each.role in (Role.ARMY, Role.GARRISON, Role.FLEET)
        and each.carrier is None
        and each.state is ContingentStatus.FIGHTS
        for each in battle.contingents
    )
