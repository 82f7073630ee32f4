"""Fighting one battle many times with the code of the turn (B2-B12), and counting what comes of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace

from gm.core.sampling import SamplingDice, SamplingStream, Source
from gm.games.medieval.analysis.odds.camps import Camp, Nodes, can_be_remembered
from gm.games.medieval.analysis.odds.lineup import Lineup
from gm.games.medieval.analysis.odds.recall import Chances, lives_on
from gm.games.medieval.analysis.odds.tally import LOST_AT_SEA, Tally, UnitFate, entries_of, fates_of, result_of
from gm.games.medieval.combat.battle import LAND, SEA, Battle, Field
from gm.games.medieval.combat.fight import (
    fight_it_out,
    fight_on,
    losses_booked,
    losses_written,
    winners_of,
    wounded_die,
)
from gm.games.medieval.combat.rounds import places_inside
from gm.games.medieval.combat.setup import committed, gathered
from gm.games.medieval.combat.siege import besiege
from gm.games.medieval.combat.wrecks import mutineers_left, wrecks_settled
from gm.games.medieval.steps.turn import Turn

DrawnUp = Callable[[Field], Battle | None]
"""Makes the battle out of a fresh field."""

_CHECKED_AFTER = (128, 512, 2048)
_WORTH_IT = 0.5
"""The memory is given up when it has to work out more than this part of all steps."""


class NobodyFightsError(ValueError):
    """No two of those who are there are at war."""


class Trials:
    """One battle, to be fought as often as wanted. Raises ``NobodyFightsError`` when there is none."""

    def __init__(self, turn: Turn, drawn_up: DrawnUp, source: Source) -> None:
        box = SamplingDice(source)
        self._lots = box.lots
        self._turn = replace(turn, dice=box)
        self._grounds: dict[int, Ground] = {}
        battle = drawn_up(self._field())
        if battle is None:
            raise NobodyFightsError
        self.battle = battle
        self.entries = entries_of(battle)
        self.tally = Tally(battle.realms)
        self._besieged = gathered(self._field(), battle.place) if battle.kind == LAND and battle.siege else None
        if self._besieged is None:
            self._grounds[0] = Ground(battle, self._lots, self._field)

    def run(self, fights: int) -> Tally:
        """Fight so many more times; returns the tally of all fights so far."""
        for _ in range(fights):
            self._ground().fight(self.tally)
        return self.tally

    def _field(self) -> Field:
        return Field(self._turn)

    @property
    def ground(self) -> Ground:
        """The battle as it was drawn up first."""
        return next(iter(self._grounds.values()))

    def _ground(self) -> Ground:
        """The battle as this fight's siege leaves it (B2, B3)."""
        besieged = self._besieged
        if besieged is None:
            return self._grounds[0]
        besieged.field = self._field()
        besieged.skills.clear()
        besiege(besieged)
        damage = besieged.siege.damage_after if besieged.siege else 0
        self.tally.walls[damage] += 1
        if damage not in self._grounds:
            field = self._field()
            field.put_province(field.province(besieged.place).evolve(fortification_damage=damage))
            battle = gathered(field, besieged.place)
            assert battle is not None  # noqa: S101 - the same units as before
            committed(battle)
            self._grounds[damage] = Ground(battle, self._lots, self._field)
        return self._grounds[damage]


class Ground:
    """A battle drawn up, with what is remembered of it.

    ``camps`` are its two camps; there are none when a memory is not possible or was not worth it.
    """

    def __init__(self, battle: Battle, lots: SamplingStream, field: Callable[[], Field]) -> None:
        self._battle = battle
        self._lots = lots
        self._new_field = field
        self._lineup = Lineup(battle)
        self._fights = self._steps = 0
        self._limit = battle.field.rules.battle.round_limit
        at_sea = battle.kind == SEA
        self._cargo = at_sea and any(unit.aboard for unit in battle.field.at(battle.place))
        self.camps: tuple[()] | tuple[Camp, Camp] = ()
        self._alone = False
        if can_be_remembered(battle) and not self._cargo:
            a, b = battle.realms
            self.camps = Camp(battle, a, lots), Camp(battle, b, lots)
            # behind walls that are too small, places have to be drawn
            self._alone = len(battle.contingents) == 2 and not any(each.is_crowded(each.start) for each in self.camps)

    def fight(self, tally: Tally) -> None:
        """One fight, and into the tally with it."""
        battle = self._battle
        if battle.field.events:
            battle.field = self._new_field()
        self._fights += 1
        if self.camps and self._fights in _CHECKED_AFTER and not self._worth_remembering():
            self.camps = ()
        if self.camps:
            (self._duel if self._alone else self._fight_from_memory)(self.camps, tally)
            return
        self._lineup.reset()
        fight_it_out(battle)
        self._count(tally)

    def _worth_remembering(self) -> bool:
        return sum(each.worked_out for each in self.camps) < _WORTH_IT * self._steps

    def _count(self, tally: Tally) -> None:
        """Count a battle that was fought to its end."""
        battle = self._battle
        winners = winners_of(battle)
        sunk = self._sunk(winners) if self._cargo else {}
        fates = []
        for realm in battle.realms:
            own = fates_of(battle, [each for each in battle.contingents if each.realm == realm])
            fates.append((*own, *sunk.get(realm, ())))
        tally.add(battle.round, result_of(battle.drawn, winners), fates)

    def _sunk(self, winners: tuple[str, ...]) -> dict[str, list[UnitFate]]:
        """Whom fleets take down with them, by realm (B12): the rest of the battle is settled as in a turn."""
        battle = self._battle
        battle.rescues.clear()
        losses_written(battle)
        captures = losses_booked(battle, winners)
        mutineers_left(battle)
        wrecks_settled(battle, frozenset(each.into for each in captures if each.into))
        found: dict[str, list[UnitFate]] = {}
        for each in battle.rescues:
            lost = tuple((one.troop, one.count) for one in each.lost)
            commanders = (each.commander,) if each.commander and not each.to else ()
            unit = each.army or each.fleet
            if lost or commanders:
                fate = UnitFate(unit, LOST_AT_SEA, "", lost, commanders)
                found.setdefault(unit.partition("/")[0], []).append(fate)
        return found

    # -- two camps -----------------------------------------------------------------------------------------------------

    def _fight_from_memory(self, camps: tuple[Camp, Camp], tally: Tally) -> None:
        """A fight of two camps, as far as possible in steps that are known from earlier fights."""
        ours, theirs = camps
        a, b = ours.start[:], theirs.start[:]
        number, goes_on = 0, True
        while goes_on:
            if number == self._limit:
                self._go_on_without(camps, a, b, number, tally)
                return
            hits, back = self._strike(camps, a, b)
            number += 1
            theirs.take(b, hits)
            ours.take(a, back)
            ours.end_round(a, number)
            theirs.end_round(b, number)
            goes_on = any(node.lives for node in a) and any(node.lives for node in b)
            if any(node.restless for node in a) or any(node.restless for node in b):
                self._go_on_without(camps, a, b, number, tally)
                return
        self._end(camps, a, b, number, tally)

    def _duel(self, camps: tuple[Camp, Camp], tally: Tally) -> None:
        """The same for two units alone: there is nobody to share damage with."""
        (ours, theirs), source, limit = camps, self._lots.source, self._limit
        our, their = ours.units[0], theirs.units[0]
        a, b, number = ours.start[0], theirs.start[0], 0
        while a.lives and b.lives and number < limit:
            hits = 0
            for least, cumulated in a.attacks:
                hits += least + bisect_right(cumulated, source())
            back = 0
            for least, cumulated in b.attacks:
                back += least + bisect_right(cumulated, source())
            number += 1
            while hits and b.front:
                b, hits, _ = b.after.get(hits) or their.take(b, hits)
            while back and a.front:
                a, back, _ = a.after.get(back) or our.take(a, back)
            a = a.ended[number & 1] or our.end_round(a, number)
            b = b.ended[number & 1] or their.end_round(b, number)
            if a.restless or b.restless:
                break
        if a.restless or b.restless or (a.lives and b.lives):
            self._go_on_without(camps, [a], [b], number, tally)
        else:
            self._end(camps, [a], [b], number, tally)

    def _strike(self, camps: tuple[Camp, Camp], a: Nodes, b: Nodes) -> tuple[int, int]:
        """The hits of both camps in a round (B4, B5)."""
        source = self._lots.source
        if camps[0].is_crowded(a) or camps[1].is_crowded(b):
            chances = self._places_drawn(camps, a, b)
        else:
            chances = [[node.attacks for node in nodes] for nodes in (a, b)]
        scored = []
        for units in chances:
            hits = 0
            for attacks in units:
                for least, cumulated in attacks:
                    hits += least + bisect_right(cumulated, source())
            scored.append(hits)
        return scored[0], scored[1]

    def _places_drawn(self, camps: tuple[Camp, Camp], a: Nodes, b: Nodes) -> list[list[Chances]]:
        """Who strikes with which chance in a round in which the places behind the walls are drawn (B5.1)."""
        camps[0].load(a)
        camps[1].load(b)
        battle = self._battle
        inside = places_inside(battle, [each for each in battle.contingents if each.fights and each.present()])
        return [[unit.chances(inside) for unit in camp.units] for camp in camps]

    def _go_on_without(self, camps: tuple[Camp, Camp], a: Nodes, b: Nodes, number: int, tally: Tally) -> None:
        """Fight on from the end of a round in the ordinary way: somebody would retreat, or it takes too long."""
        self._resume(camps, a, b, number)
        fight_on(self._battle)
        self._count(tally)

    def _end(self, camps: tuple[Camp, Camp], a: Nodes, b: Nodes, number: int, tally: Tally) -> None:
        """The wounded die or live (B11), and the fight is counted."""
        if not (camps[0].ready(a) and camps[1].ready(b)):
            self._resume(camps, a, b, number)
            wounded_die(self._battle)
            self._count(tally)
            return
        self._steps += number * (len(a) + len(b)) * 2
        fates = [camps[0].fates(a), camps[1].fates(b)]
        winners = [realm for realm, each in zip(self._battle.realms, fates, strict=True) if any(map(lives_on, each))]
        tally.add(number, result_of(False, winners), fates)

    def _resume(self, camps: tuple[Camp, Camp], a: Nodes, b: Nodes, number: int) -> None:
        """Make the battle what the nodes say, for the ordinary way."""
        self._steps += number * (len(a) + len(b)) * 2
        for camp, nodes in zip(camps, (a, b), strict=True):
            camp.load(nodes)
            camp.forget_loaded()
        self._battle.round, self._battle.drawn = number, False
