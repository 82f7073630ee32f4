"""One unit in a battle, with a cache: the effect of hits depends only on its condition and on their number.

Fighting the same battle thousands of times, the code of the turn would compute the same steps over and over.
Here each condition of a unit is a :class:`Node`, and the effect of a number of hits, of the end of a round or
of the battle is computed once, by the functions of :mod:`combat` themselves, and cached. A step in which
these functions asked for dice is done anew each time.
"""

from collections.abc import Callable, Hashable
from decimal import Decimal
from typing import Any, TypeAlias

from gm.core.dice import SamplingStream, successes_table
from gm.games.medieval.analysis.odds.tally import UnitFate, fate_of
from gm.games.medieval.combat.battle import Battle
from gm.games.medieval.combat.contingents import Contingent, wound_chance
from gm.games.medieval.combat.fight import destroy_if_none_left, lose_one, wounded_band
from gm.games.medieval.combat.retreats import leads_itself, wants_to_retreat
from gm.games.medieval.combat.rounds import destroy_if_wiped_out, remove_casualties, rolls, wall_losses

# The distribution of the hits of each band that strikes, in order
Chances: TypeAlias = list[tuple[int, list[float]]]
WOUND = "wound"
DIES = "dies"
LIVES = "lives"
"""Steps at the end of a battle: who is left wounded, and what becomes of the unit when he dies or lives."""


class Node:
    """A unit's condition at one moment, and its cached successors.

    ``bonus``: how many more casualties get the bonus of the barracks that it shares (B8); ``steps``: by step
    the unit after it, and the step's result; ``ended``: the unit after the end of an even and of an odd
    round, as far as that took no dice; ``sheltered``: how many want a place behind the walls; ``lives``: it
    keeps its side in the battle; ``restless``: it would retreat; ``attacks``: its attacks in a round if all
    who can have a place behind the walls.
    """

    __slots__ = (
        "attacks",
        "bonus",
        "count",
        "ended",
        "front",
        "lives",
        "restless",
        "sheltered",
        "state",
        "steps",
    )

    def __init__(self, state: tuple[Any, ...], contingent: Contingent, bonus: int) -> None:
        """Record a unit's condition; nothing is cached yet."""
        self.state = state
        self.bonus = bonus
        self.front = contingent.front_rank
        self.count = contingent.front_count
        self.steps: dict[Hashable, Step] = {}
        self.ended: list[Node | None] = [None, None]
        self.sheltered = 0
        self.lives = self.restless = False
        self.attacks: Chances = []


Step: TypeAlias = tuple[Node, *tuple[Any, ...]]


class UnitMemory:
    """One unit of a battle and every node of it that was reached so far.

    ``worked_out``: how many steps were computed.
    """

    def __init__(self, battle: Battle, contingent: Contingent, stream: SamplingStream) -> None:
        self._battle = battle
        self._stream = stream
        self.contingent = contingent
        self._nodes: dict[tuple[Any, ...], Node] = {}
        self.loaded: Node | None = None
        self.worked_out = 0

    def load(self, node: Node) -> None:
        """Give the unit the condition of the node."""
        contingent = self.contingent
        if contingent.barracks:
            contingent.barracks.bonus_left = node.bonus
        if self.loaded is node:
            return
        contingent.state, contingent.damage, victim, led, bands, _ = node.state
        contingent.victim = contingent.bands[victim] if victim >= 0 else None
        for band, (upright, marked, fell) in zip(contingent.bands, bands, strict=True):
            band.standing = upright
            band.marked = marked
            band.fell = fell
            band.written = 0
        leader = contingent.unit.lead_commander if led else None
        if contingent.leader is not leader:
            contingent.leader = leader
            self._battle.set_chances(contingent)
        contingent.front_rank = node.front
        contingent.front_count = node.count
        self.loaded = node

    def read(self) -> Node:
        """Return the node of the unit's present condition."""
        contingent = self.contingent
        bonus = contingent.barracks.bonus_left if contingent.barracks else 0
        victim = contingent.victim
        state = (
            contingent.state,
            contingent.damage,
            contingent.bands.index(victim) if victim is not None and victim.standing else -1,
            contingent.leader is not None,
            tuple([(band.standing, band.marked, band.fell) for band in contingent.bands]),
            bonus,
        )
        node = self._nodes.get(state)
        if node is None:
            node = self._nodes[state] = Node(state, contingent, bonus)
            self._look_at(node)
        self.loaded = node
        return node

    def _look_at(self, node: Node) -> None:
        """Fill in the facts about a new node, with the unit in its condition."""
        battle = self._battle
        unit = self.contingent
        node.lives = battle.lives(unit)
        wants = unit.fights and leads_itself(battle, unit) and wants_to_retreat(battle, unit)
        node.restless = wants and battle.can_retreat(unit)
        for band in unit.bands:
            band.inside = band.present if band.sheltered else 0
        node.sheltered = sum(band.inside for band in unit.bands) if unit.barracks and unit.fights else 0
        node.attacks = self.chances()

    def chances(self) -> Chances:
        """Return the chances of the unit's bands in a round (B5.1).

        As many troops are behind the walls as have a place there.
        """
        if not (self.contingent.fights and self.contingent.present()):
            return []
        return [
            successes_table(chance, tries)
            for band in self.contingent.bands
            if band.present
            for chance, tries in rolls(band, band.present)
        ]

    def _step(self, node: Node, key: Hashable, change: Callable[[], tuple[Any, ...] | None]) -> Step:
        """Return the node after a change of the unit, and the change's result; cached if it took no dice."""
        step = node.steps.get(key)
        if step is None:
            self.load(node)
            self.loaded = None
            self.worked_out += 1
            drawn = self._stream.drawn
            result = change()
            step = (self.read(), *(result or ()))
            if self._stream.drawn == drawn:
                node.steps[key] = step
        return step

    def rebase(self, node: Node, bonus: int) -> Node:
        """Return the unit after its friends have used up some of the bonus that they share."""

        def change() -> None:
            if self.contingent.barracks:
                self.contingent.barracks.bonus_left = bonus

        return self._step(node, ("bonus", bonus), change)[0]

    def take(self, node: Node, hits: int) -> Step:
        """Apply to a unit as many of these hits as strike its front-most rank (B7).

        Returns the unit then, the hits left for the next front-most rank, and the damage that went beyond it.
        """
        return self._step(node, hits, lambda: self.contingent.take_hits(hits, self._battle.dice("rank 5")))

    def absorb(self, node: Node, damage: Decimal) -> Step:
        """Apply the rest of a hit that has wiped out a friend; return what goes on beyond this unit."""
        key = ("absorb", damage)
        return self._step(node, key, lambda: (self.contingent.absorb(damage, self._battle.dice("rank 5")),))

    def use_up_walls(self, node: Node) -> Node:
        """Return the unit when friends may have used up the room behind the walls (B8)."""
        return self._step(node, "walls", lambda: wall_losses(self._battle, [self.contingent]))[0]

    def end_round(self, node: Node, number: int) -> Node:
        """Return the unit at the end of a round; casualties leave after an even one (B8.1)."""

        def change() -> None:
            if number & 1 == 0 and self.contingent.fights:
                remove_casualties(self._battle, self.contingent)
                destroy_if_wiped_out(self._battle, self.contingent)

        odd = number & 1
        after = self._step(node, -odd, change)[0]
        node.ended[odd] = after if -odd in node.steps else None
        return after

    def wound(self, node: Node) -> bool:
        """Record the chance of each wounded to die (B11), as numerator and denominator: the step ``WOUND``.

        False when dice decide who is wounded.
        """

        def change() -> tuple[tuple[int, int]]:
            self.contingent.remove_casualties()
            victim = wounded_band(self._battle, self.contingent)
            if victim is None:
                return ((0, 1),)
            exact = wound_chance(self.contingent.damage, self.contingent.hit_points(victim))
            return ((exact.numerator, exact.denominator),)

        self._step(node, WOUND, change)
        return WOUND in node.steps

    def fate(self, node: Node, end: str) -> Step:
        """Return the fate of the unit at the end ``DIES`` or ``LIVES``."""

        def change() -> tuple[UnitFate]:
            """End the battle for the unit; return its fate."""
            unit = self.contingent
            unit.remove_casualties()
            victim = wounded_band(self._battle, unit)
            if victim is not None and end == DIES:
                lose_one(unit, victim)
            destroy_if_none_left(self._battle, unit)
            return (fate_of(self._battle, unit),)

        return self._step(node, end, change)
