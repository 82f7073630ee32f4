"""One unit in a battle, remembered: what hits do to it depends on nothing but how it stands and how many they are.

Fighting the same battle thousands of times, the code of the turn would work out the same steps over and over. Here each
way in which a unit can stand is a :class:`Node`, and what a number of hits, the end of a round or of the battle makes
of it is worked out once, by the functions of :mod:`combat` themselves, and remembered. A step in which these functions
asked for dice is done anew each time.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from gm.core.sampling import SamplingStream
from gm.games.medieval.analysis.odds.tally import UnitFate, fate_of
from gm.games.medieval.combat.battle import Battle
from gm.games.medieval.combat.contingents import NONE, Contingent, ContingentStatus, wound_chance
from gm.games.medieval.combat.fight import lose_one, strike_off, wounded
from gm.games.medieval.combat.retreats import leads_itself, wants_to
from gm.games.medieval.combat.rounds import remove_casualties, rolls, strike_from_the_list, wall_losses

State = tuple[Any, ...]
GameData = tuple[int, list[float]]
Chances = list[GameData]
"""The distribution of the hits of each band that strikes, in order."""


class Node:
    """A unit at one moment. What is none or missing has not been worked out yet."""

    __slots__ = (
        "absorbed",
        "after",
        "attacks",
        "bonus",
        "count",
        "ended",
        "fates",
        "front",
        "lives",
        "rebased",
        "restless",
        "sheltered",
        "state",
        "wound",
    )

    attacks: Chances
    """What it does in a round if all who can have a place behind the walls."""

    def __init__(self, state: State, contingent: Contingent, bonus: int) -> None:
        self.state = state
        self.bonus = bonus
        """How many more casualties get the bonus of the barracks that it shares (B8)."""
        self.front, self.count = contingent.front_rank, contingent.front_count
        self.after: dict[int, tuple[Node, int, Decimal]] = {}
        """By hits: the unit then, the hits left for whoever is front-most then, and what went beyond it."""
        self.absorbed: dict[Decimal, tuple[Node, Decimal]] = {}
        """By damage that is no whole hit: the unit then, and what went beyond it."""
        self.rebased: dict[int, Node] = {}
        """By another bonus: the same unit with it."""
        self.ended: list[Node | None] = [None, None]
        """After an even and after an odd round."""
        self.wound: tuple[int, int] | None = None
        """The chance of its wounded to die, as numerator and denominator; 0 of 1 when nobody is wounded."""
        self.fates: dict[bool, UnitFate] = {}
        """By whether the wounded dies."""
        self.sheltered = 0
        """How many want a place behind the walls."""
        self.lives = False
        self.restless = False
        """It would retreat."""


class Recall:
    """One unit of a battle and every node of it that was reached so far."""

    def __init__(self, battle: Battle, contingent: Contingent, lots: SamplingStream) -> None:
        self._battle = battle
        self._lots = lots
        self.contingent = contingent
        self._nodes: dict[State, Node] = {}
        self._loaded: Node | None = None
        self.worked_out = 0
        """How many steps had to be worked out."""

    def start(self) -> Node:
        """The unit as it now stands."""
        return self._read()

    # -- the unit and its nodes ----------------------------------------------------------------------------------------

    def load(self, node: Node) -> None:
        """Make the unit what the node says."""
        contingent = self.contingent
        if contingent.barracks:
            contingent.barracks.bonus_left = node.bonus
        if self._loaded is node:
            return
        contingent.state, contingent.damage, victim, led, bands, _ = node.state
        contingent.victim = contingent.bands[victim] if victim >= 0 else None
        for band, (upright, marked, fell) in zip(contingent.bands, bands, strict=True):
            band.standing, band.marked, band.fell, band.written = upright, marked, fell, 0
        leader = contingent.unit.lead_commander if led else None
        if contingent.leader is not leader:
            contingent.leader = leader
            self._battle.set_chances(contingent)
        contingent.front_rank, contingent.front_count = node.front, node.count
        self._loaded = node

    def forget_loaded(self) -> None:
        """The unit was changed by somebody else."""
        self._loaded = None

    def _read(self) -> Node:
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
        self._loaded = node
        return node

    def _look_at(self, node: Node) -> None:
        """What a fight asks of every node."""
        battle, unit = self._battle, self.contingent
        node.lives = battle.lives(unit)
        node.restless = (
            unit.fights and leads_itself(battle, unit) and wants_to(battle, unit) and battle.can_retreat(unit)
        )
        if unit.barracks and unit.fights:
            node.sheltered = sum(band.present for band in unit.bands if band.sheltered)
        node.attacks = self.chances({id(band): band.present for band in unit.bands if band.sheltered})

    def chances(self, inside: dict[int, int]) -> Chances:
        """What the unit's bands do in a round, with so many of them behind the walls (B5.1)."""
        if not (self.contingent.fights and self.contingent.present()):
            return []
        return [
            self._lots.table(chance, tries)
            for band in self.contingent.bands
            if band.present
            for chance, tries in rolls(band, band.present, inside)
        ]

    def _work_out(self, node: Node, change: Callable[[], None]) -> tuple[Node, bool]:
        """The node after a change of the unit, and whether it came without dice: then it is always that one."""
        self.load(node)
        self._loaded = None
        self.worked_out += 1
        drawn = self._lots.drawn
        change()
        return self._read(), self._lots.drawn == drawn

    # -- what happens to it --------------------------------------------------------------------------------------------

    def rebase(self, node: Node, bonus: int) -> Node:
        """The same unit after its friends have used up some of the bonus that they share."""
        found = node.rebased.get(bonus)
        if found is None:
            self.load(node)
            barracks = self.contingent.barracks
            assert barracks is not None  # noqa: S101 - only who shares one is rebased
            barracks.bonus_left = bonus
            found = node.rebased[bonus] = self._read()
        return found

    def take(self, node: Node, hits: int) -> tuple[Node, int, Decimal]:
        """As many of these hits as strike its front-most rank (B7); see :attr:`Node.after`."""
        found = node.after.get(hits)
        if found is not None:
            return found
        left, beyond = hits, NONE

        def change() -> None:
            nonlocal left, beyond
            left, beyond = self.contingent.take_hits(hits, self._battle.dice("rank 5"))

        then, always = self._work_out(node, change)
        if always:
            node.after[hits] = (then, left, beyond)
        return then, left, beyond

    def absorb(self, node: Node, damage: Decimal) -> tuple[Node, Decimal]:
        """What is left of a hit that has wiped out a friend."""
        found = node.absorbed.get(damage)
        if found is not None:
            return found
        beyond = NONE

        def change() -> None:
            nonlocal beyond
            beyond = self.contingent.absorb(damage, self._battle.dice("rank 5"))

        then, always = self._work_out(node, change)
        if always:
            node.absorbed[damage] = (then, beyond)
        return then, beyond

    def tell_walls(self, node: Node) -> Node:
        """The unit when friends may have used up the room behind the walls (B8)."""
        return self._work_out(node, lambda: wall_losses(self._battle, [self.contingent]))[0]

    def end_round(self, node: Node, number: int) -> Node:
        """The unit at the end of a round, after which casualties leave if it is an even one (B8.1)."""
        found = node.ended[number & 1]
        if found is not None:
            return found

        def change() -> None:
            if number & 1 == 0 and self.contingent.fights:
                remove_casualties(self._battle, self.contingent)
                strike_from_the_list(self._battle, self.contingent)

        then, always = self._work_out(node, change)
        if always:
            node.ended[number & 1] = then
        return then

    # -- the end of the battle -----------------------------------------------------------------------------------------

    def see_to_the_wounded(self, node: Node) -> bool:
        """Find who is left wounded when the battle ends at this node (B11); false when that needs dice."""
        if node.wound is not None:
            return True
        chance = (0, 1)

        def change() -> None:
            nonlocal chance
            unit = self.contingent
            unit.remove_casualties()
            victim = wounded(self._battle, unit)
            if victim is not None:
                exact = wound_chance(unit.damage, unit.hit_points(victim))
                chance = exact.numerator, exact.denominator

        _, always = self._work_out(node, change)
        if always:
            node.wound = chance
        return always

    def fate(self, node: Node, dies: bool) -> UnitFate:
        """What has become of the unit when its wounded dies or lives."""
        found = node.fates.get(dies)
        if found is None:

            def change() -> None:
                unit = self.contingent
                unit.remove_casualties()
                victim = wounded(self._battle, unit)
                if victim is not None and dies:
                    lose_one(unit, victim)
                strike_off(self._battle, unit)

            self._work_out(node, change)
            found = node.fates[dies] = fate_of(self._battle, self.contingent)
        return found


def lives_on(fate: UnitFate) -> bool:
    """Whether a unit with this fate still holds the field."""
    return fate.outcome == ContingentStatus.FIGHTS.value
