"""Fights between two realms, as far as possible in steps that are cached from earlier fights.

The dice are asked in the order of a battle fought step by step, so with the same numbers the end is the same.
"""

from bisect import bisect_right
from decimal import Decimal

from gm.core.dice import SamplingStream
from gm.games.medieval.analysis.odds.memory import DIES, LIVES, WOUND, Chances, Node, UnitMemory
from gm.games.medieval.analysis.odds.tally import Fates
from gm.games.medieval.combat.battle import Battle
from gm.games.medieval.combat.contingents import FIGHTS, Role
from gm.games.medieval.combat.fight import fight_on, wounded_die
from gm.games.medieval.combat.rounds import set_places_inside

Nodes = list[Node]  # the conditions of a camp's units, in the order of the units
_CHECKED_AFTER = (128, 512, 2048)  # fights after which it is checked whether the cache is worth it
_WORTH_IT = 0.5  # the cache is given up when more than this part of all steps had to be computed


class Camp:
    """All units of one realm in a battle of two: they share the damage of the enemy's hits by rank (B7)."""

    def __init__(self, battle: Battle, realm: str, stream: SamplingStream) -> None:
        """Read the present condition of a realm's units."""
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
        # indices of the units that share the place behind the walls
        self._inside = [number for number, memory in enumerate(self.units) if memory.contingent.barracks]

    def load(self, nodes: Nodes) -> None:
        """Put the camp's units into the conditions ``nodes``, one for each in their order."""
        for unit, node in zip(self.units, nodes, strict=True):
            unit.load(node)

    def is_crowded(self, nodes: Nodes) -> bool:
        """Return whether the places behind the walls have to be drawn (B5.1)."""
        return bool(self._inside) and sum(node.sheltered for node in nodes) > self._room

    def take(self, nodes: Nodes, hits: int) -> None:
        """Apply so many hits of the enemy, one after the other (B7); hits without a target are lost (B6).

        ``nodes`` are replaced by those of the units after the hits.
        """
        while hits:
            front = _front_most(nodes)
            if not front:
                return
            if len(front) == 1:
                index = front[0]
                node, hits, beyond = self.units[index].take(nodes[index], hits)
                self._put(nodes, index, node)
            else:
                hits, beyond = self._share(nodes, front, hits)
            # what the unit that was struck last could not absorb strikes others (B7)
            while beyond and (front := _front_most(nodes)):
                beyond = self._absorb(nodes, front, beyond)

    def _share(self, nodes: Nodes, front: list[int], hits: int) -> tuple[int, Decimal]:
        """Apply hits to units that share the front-most rank: dice decide for each hit which unit it strikes.

        ``front``: the units' indices. Return (hits left, damage beyond the unit that was struck last) when no
        hits are left, or as soon as the number of troops in the rank changes.
        """
        counts = [nodes[index].count for index in front]
        draw = self._stream.weighted
        units = self.units
        while True:
            drawn = draw(counts)
            index = front[drawn]
            before = nodes[index]
            # one hit, from the cache if it is there
            node, _, beyond = before.steps.get(1) or units[index].take(before, 1)
            hits -= 1
            self._put(nodes, index, node)
            # a rank that has changed has other counts, or another rank is the front-most
            if not hits or node.count != counts[drawn] or node.front != before.front:
                return hits, beyond

    def _absorb(self, nodes: Nodes, front: list[int], damage: Decimal) -> Decimal:
        """Apply the rest of a hit that has wiped out its unit to another; return the damage left then.

        ``front``: the indices of the units in the front-most rank.
        """
        index = front[0]
        if len(front) > 1:
            index = front[self._stream.weighted([nodes[candidate].count for candidate in front])]
        beyond: Decimal
        node, beyond = self.units[index].absorb(nodes[index], damage)
        self._put(nodes, index, node)
        return beyond

    def _put(self, nodes: Nodes, index: int, node: Node) -> None:
        """Store the new condition ``node`` of the unit at an index.

        Its friends lose the part of the bonus behind the walls that it used up (B8).
        """
        bonus_changed = node.bonus != nodes[index].bonus
        nodes[index] = node
        if bonus_changed:
            for other in self._inside:
                if other != index:
                    nodes[other] = self.units[other].rebase(nodes[other], node.bonus)

    def end_round(self, nodes: Nodes, number: int) -> None:
        """End the round of this number for all units: casualties leave after even rounds (B8.1)."""
        for index in self._inside:
            if nodes[index].state[1]:  # the unit's damage
                self._put(nodes, index, self.units[index].use_up_walls(nodes[index]))
        is_odd = number & 1
        for index, unit in enumerate(self.units):
            nodes[index] = nodes[index].ended[is_odd] or unit.end_round(nodes[index], number)

    def ready(self, nodes: Nodes) -> bool:
        """Return whether it is known without dice who is left wounded in each unit.

        If so, the step ``WOUND`` of each unit's node is cached afterwards, with the wounded's chance to die.
        """
        for unit, node in zip(self.units, nodes, strict=True):
            if WOUND not in node.steps and not unit.wound(node):
                return False
        return True

    def fates(self, nodes: Nodes) -> Fates:
        """Return the fates of all units; a die is rolled for each that has somebody wounded (B11)."""
        fates = []
        for unit, node in zip(self.units, nodes, strict=True):
            # a step is (the unit's node after it, what it returned)
            numerator, denominator = node.steps[WOUND][1]  # the chance to die
            end = DIES if numerator and self._stream.source() * denominator < numerator else LIVES
            fates.append((node.steps.get(end) or unit.fate(node, end))[1])
        return tuple(fates)


def _front_most(nodes: Nodes) -> list[int]:
    """Return the indices of the fighting units that have troops to be hit in the front-most rank of all.

    That is the front-most rank with such troops in any unit. The list is empty if nobody can be hit.
    """
    front_rank = 0
    front_most: list[int] = []
    for index, node in enumerate(nodes):
        if node.front and node.state[0] is FIGHTS:
            if not front_most or node.front < front_rank:
                front_rank = node.front
                front_most = [index]
            elif node.front == front_rank:
                front_most.append(index)
    return front_most


def can_be_remembered(battle: Battle) -> bool:
    """Return whether :class:`TwoCamps` can fight a battle.

    It can if there are two realms, all units fight from the start, and no soldiers fight aboard (B13, M6.1).
    """
    return len(battle.realms) == 2 and all(
        contingent.role in (Role.ARMY, Role.GARRISON, Role.FLEET)
        and contingent.carrier is None
        and contingent.state is FIGHTS
        for contingent in battle.contingents
    )


class TwoCamps:
    """A battle of two realms, fought many times: steps that an earlier fight has computed are cached."""

    def __init__(self, battle: Battle, stream: SamplingStream) -> None:
        """Prepare for fights of a battle between two realms."""
        self._battle = battle
        self._stream = stream
        self._limit = battle.field.rules.battle.round_limit
        our_realm, their_realm = battle.realms
        self._camps = Camp(battle, our_realm, stream), Camp(battle, their_realm, stream)
        # behind walls that are too small, places have to be drawn
        crowded = any(camp.is_crowded(camp.start) for camp in self._camps)
        self._is_duel = len(battle.contingents) == 2 and not crowded  # see ``_duel``, which is faster
        self._fights = self._steps = 0  # so far, also the steps that were cached

    @property
    def worked_out(self) -> int:
        """The number of steps that had to be computed so far."""
        return sum(unit.worked_out for camp in self._camps for unit in camp.units)

    def worth_it(self) -> bool:
        """Return whether the cache is worth its cost: it held enough of all steps so far.

        That is checked only after the numbers of fights in ``_CHECKED_AFTER``; in between the answer is True.
        """
        return self._fights not in _CHECKED_AFTER or self.worked_out < _WORTH_IT * self._steps

    def fight(self) -> tuple[int, list[Fates]] | None:
        """Fight once. Return (number of rounds, fates of both camps).

        None when the fight could not be ended in cached steps: then the battle itself was fought to its end.
        """
        self._fights += 1
        ours, theirs = self._camps
        if self._is_duel:
            our_node, their_node, rounds, fought_out = self._duel()
            our_nodes = [our_node]
            their_nodes = [their_node]
        else:
            our_nodes = ours.start[:]
            their_nodes = theirs.start[:]
            rounds, fought_out = self._rounds(our_nodes, their_nodes)
        # two steps of each unit in a round: the enemy's hits, and its end
        self._steps += rounds * (len(our_nodes) + len(their_nodes)) * 2
        if fought_out and ours.ready(our_nodes) and theirs.ready(their_nodes):
            return rounds, [ours.fates(our_nodes), theirs.fates(their_nodes)]
        for camp, nodes in zip(self._camps, (our_nodes, their_nodes), strict=True):
            camp.load(nodes)
            for unit in camp.units:
                unit.loaded = None  # the battle changes the units without the cache from here on
        self._battle.round = rounds
        self._battle.drawn = False
        if fought_out:
            wounded_die(self._battle)
        else:
            fight_on(self._battle)
        return None

    def _rounds(self, our_nodes: Nodes, their_nodes: Nodes) -> tuple[int, bool]:
        """Fight round after round; the nodes are replaced by those at the end.

        Return (number of rounds, whether the fight is over): it is not when a unit would retreat or the
        rounds are used up.
        """
        ours, theirs = self._camps
        for number in range(1, self._limit + 1):
            hits, hits_back = self._strike(our_nodes, their_nodes)
            theirs.take(their_nodes, hits)
            ours.take(our_nodes, hits_back)
            ours.end_round(our_nodes, number)
            theirs.end_round(their_nodes, number)
            if any(node.restless for node in our_nodes) or any(node.restless for node in their_nodes):
                return number, False
            if not (any(node.lives for node in our_nodes) and any(node.lives for node in their_nodes)):
                return number, True
        return self._limit, False

    def _duel(self) -> tuple[Node, Node, int, bool]:
        """Fight round after round with one unit on each side, which shares its damage with no other.

        Return (our unit then, their unit then, number of rounds, whether the fight is over): it is not when a
        unit would retreat or the rounds are used up.
        """
        ours, theirs = self._camps
        source = self._stream.source
        our_unit = ours.units[0]
        their_unit = theirs.units[0]
        our_node = ours.start[0]
        their_node = theirs.start[0]
        rounds = 0
        while our_node.lives and their_node.lives and rounds < self._limit:
            # one random number tells how many hits a group of attacks scores: see ``successes_table``
            hits = 0
            for least, cumulated in our_node.attacks:
                hits += least + bisect_right(cumulated, source())
            hits_back = 0
            for least, cumulated in their_node.attacks:
                hits_back += least + bisect_right(cumulated, source())
            rounds += 1
            while hits and their_node.front:
                their_node, hits, _ = their_node.steps.get(hits) or their_unit.take(their_node, hits)
            while hits_back and our_node.front:
                our_node, hits_back, _ = our_node.steps.get(hits_back) or our_unit.take(our_node, hits_back)
            our_node = our_node.ended[rounds & 1] or our_unit.end_round(our_node, rounds)
            their_node = their_node.ended[rounds & 1] or their_unit.end_round(their_node, rounds)
            if our_node.restless or their_node.restless:
                return our_node, their_node, rounds, False
        return our_node, their_node, rounds, not (our_node.lives and their_node.lives)

    def _strike(self, our_nodes: Nodes, their_nodes: Nodes) -> list[int]:
        """Return our hits and theirs in a round (B4, B5)."""
        ours, theirs = self._camps
        if ours.is_crowded(our_nodes) or theirs.is_crowded(their_nodes):
            chances = self._places_drawn(our_nodes, their_nodes)
        else:
            chances = [[node.attacks for node in nodes] for nodes in (our_nodes, their_nodes)]
        source = self._stream.source
        hits_of_camps = []
        for units in chances:
            hits = 0
            for attacks in units:
                # one random number tells how many hits a group of attacks scores: see ``successes_table``
                for least, cumulated in attacks:
                    hits += least + bisect_right(cumulated, source())
            hits_of_camps.append(hits)
        return hits_of_camps

    def _places_drawn(self, our_nodes: Nodes, their_nodes: Nodes) -> list[list[Chances]]:
        """Return the chances of our units and of theirs, after dice placed troops behind walls (B5.1)."""
        for camp, nodes in zip(self._camps, (our_nodes, their_nodes), strict=True):
            camp.load(nodes)
        fighting = [
            contingent
            for contingent in self._battle.contingents
            if contingent.fights and contingent.present()
        ]
        set_places_inside(self._battle, fighting)
        return [[unit.chances() for unit in camp.units] for camp in self._camps]
