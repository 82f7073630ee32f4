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

# (fewest hits, cumulated chances of more hits) for each group of attacks of a unit in a round
Chances: TypeAlias = list[tuple[int, list[float]]]
_LABEL = "rank 5"  # of dice: sampling dice are the same whatever it says
WOUND = "wound"
DIES = "dies"
LIVES = "lives"
"""Steps at the end of a battle: the chance of the wounded to die, and the unit's fate if he dies or lives."""


class Node:
    """A unit's condition at one moment, and the cached effects of steps on it."""

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
        self.state = state  # as ``UnitMemory.read`` makes it
        self.bonus = bonus  # how many more casualties get the bonus of the barracks that it shares (B8)
        self.front = contingent.front_rank  # 0 if nobody can be hit
        self.count = contingent.front_count  # troops in that rank that can be hit
        self.steps: dict[Hashable, Step] = {}  # by step, such as a number of hits
        self.ended: list[Node | None] = [None, None]  # after an even and an odd round, if that took no dice
        self.sheltered = 0  # how many can have a place behind the walls
        self.lives = False  # whether it keeps its side in the battle
        self.restless = False  # whether it would retreat
        self.attacks: Chances = []  # of a round in which all who can have a place behind the walls have one


Step: TypeAlias = tuple[Node, *tuple[Any, ...]]  # the unit after a step, and what the step returned


class UnitMemory:
    """One unit of a battle, with a :class:`Node` for each condition that it had in any fight so far."""

    def __init__(self, battle: Battle, contingent: Contingent, stream: SamplingStream) -> None:
        self._battle = battle
        self._stream = stream
        self.contingent = contingent
        self._nodes: dict[tuple[Any, ...], Node] = {}  # by state
        self.loaded: Node | None = None  # the node whose condition the unit has; None if that is not known
        self.worked_out = 0  # how many steps were computed

    def load(self, node: Node) -> None:
        """Put the unit into the condition that a node records."""
        contingent = self.contingent
        if contingent.barracks:
            # first of all: friends, who share it, may have used it since this node was loaded
            contingent.barracks.bonus_left = node.bonus
        if self.loaded is node:
            return
        contingent.state, contingent.damage, victim, led, bands, _ = node.state
        contingent.victim = contingent.bands[victim] if victim >= 0 else None
        for band, (standing, marked, fell) in zip(contingent.bands, bands, strict=True):
            band.standing = standing
            band.marked = marked
            band.fell = fell
            band.written = 0  # cached steps remove no fallen from the field's unit
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
        """Fill in what else a new node holds; the unit is in the node's condition."""
        battle = self._battle
        unit = self.contingent
        node.lives = battle.lives(unit)
        wants = unit.fights and leads_itself(battle, unit) and wants_to_retreat(battle, unit)
        node.restless = wants and battle.can_retreat(unit)
        # as if there were room for all who can have a place behind the walls: else dice decide, in the camps
        for band in unit.bands:
            band.inside = band.present if band.sheltered else 0
        node.sheltered = sum(band.inside for band in unit.bands) if unit.barracks and unit.fights else 0
        node.attacks = self.chances()

    def chances(self) -> Chances:
        """Return the chances to hit of the unit's bands in a round; empty if nobody of it fights.

        How many of each band fight from behind the walls is in ``Band.inside`` (B5.1).
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
        """Return the node that a change of a node's unit leads to, and what ``change`` returned.

        ``change`` is called, with the unit as the node has it, if no step is cached under ``key``; a step
        without dice is cached.
        """
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
        """Return the node after friends have used the walls' bonus, so that ``bonus`` is left of it (B8)."""

        def change() -> None:
            """Set the bonus of the barracks, if the unit has any."""
            if self.contingent.barracks:
                self.contingent.barracks.bonus_left = bonus

        return self._step(node, ("bonus", bonus), change)[0]

    def take(self, node: Node, hits: int) -> Step:
        """Apply to a unit as many of these hits as strike its front-most rank (B7).

        Return (node then, hits left for the next front-most rank, damage that went beyond the unit).
        """
        return self._step(node, hits, lambda: self.contingent.take_hits(hits, self._battle.dice(_LABEL)))

    def absorb(self, node: Node, damage: Decimal) -> Step:
        """Apply the rest of a hit that has wiped out a friend. Return (node then, damage left)."""
        key = ("absorb", damage)
        return self._step(node, key, lambda: (self.contingent.absorb(damage, self._battle.dice(_LABEL)),))

    def use_up_walls(self, node: Node) -> Node:
        """Return the node after the losses that a unit has when its walls' bonus is used up (B8)."""
        return self._step(node, "walls", lambda: wall_losses(self._battle, [self.contingent]))[0]

    def end_round(self, node: Node, number: int) -> Node:
        """Return the node after the round of this number; casualties leave after an even one (B8.1)."""

        def change() -> None:
            """Let casualties leave after an even round."""
            if number & 1 == 0 and self.contingent.fights:
                remove_casualties(self._battle, self.contingent)
                destroy_if_wiped_out(self._battle, self.contingent)

        # the keys of this step are 0 and -1: those above 0 are numbers of hits
        odd = number & 1
        after = self._step(node, -odd, change)[0]
        node.ended[odd] = after if -odd in node.steps else None
        return after

    def wound(self, node: Node) -> bool:
        """Compute the step ``WOUND``, which returns the chance of the wounded to die (B11).

        The chance is (numerator, denominator). Return whether the step is cached: not if dice decide who is
        wounded.
        """

        def change() -> tuple[tuple[int, int]]:
            """Let casualties leave; return the chance of the wounded to die, 0 if nobody is wounded."""
            self.contingent.remove_casualties()
            victim = wounded_band(self._battle, self.contingent)
            if victim is None:
                return ((0, 1),)
            exact = wound_chance(self.contingent.damage, self.contingent.hit_points(victim))
            return ((exact.numerator, exact.denominator),)

        self._step(node, WOUND, change)
        return WOUND in node.steps

    def fate(self, node: Node, end: str) -> Step:
        """End the battle for the unit; return (its node afterwards, its fate).

        ``end``: whether its wounded troop dies (``DIES``) or recovers (``LIVES``).
        """

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
