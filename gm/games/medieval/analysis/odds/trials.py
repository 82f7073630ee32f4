"""Fighting one battle many times with the code of the turn (B2-B12), and counting what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gm.core.sampling import SamplingDice, SamplingStream, Source
from gm.games.medieval.analysis.odds.camps import TwoCamps, can_be_remembered
from gm.games.medieval.analysis.odds.tally import LOST_AT_SEA, Tally, UnitFate, entries_of, fate_of, result_of
from gm.games.medieval.combat.battle import LAND, SEA, Battle, Field
from gm.games.medieval.combat.contingents import NONE, ContingentStatus
from gm.games.medieval.combat.fight import fight_it_out, losses_booked, losses_written, winners_of
from gm.games.medieval.combat.retreats import mutineers_left, wrecks_settled
from gm.games.medieval.combat.setup import besiege, committed, gathered
from gm.games.medieval.steps.turn import Turn

DrawnUp = Callable[[Field], Battle | None]  # Makes the battle out of a fresh field


class NobodyFightsError(ValueError):
    """No two of those who are there are at war."""


class Trials:
    """One battle, to be fought as often as wanted. Raises ``NobodyFightsError`` when there is none."""

    def __init__(self, turn: Turn, drawn_up: DrawnUp, source: Source) -> None:
        dice = SamplingDice(source)
        self._stream = dice.lots
        self._turn = replace(turn, dice=dice)
        self._repeated: dict[int, RepeatedBattle] = {}
        battle = drawn_up(self._field())
        if battle is None:
            raise NobodyFightsError
        self.battle = battle
        self.entries = entries_of(battle)
        self.tally = Tally(battle.realms)
        self._besieged = gathered(self._field(), battle.place) if battle.kind == LAND and battle.siege else None
        if self._besieged is None:
            self._repeated[0] = RepeatedBattle(battle, self._stream, self._field)

    def run(self, fights: int) -> Tally:
        """Fight so many more times; returns the tally of all fights so far."""
        for _ in range(fights):
            self._after_siege().fight(self.tally)
        return self.tally

    def _field(self) -> Field:
        return Field(self._turn)

    @property
    def memory(self) -> TwoCamps | None:
        """What is remembered of the battle as it was drawn up first."""
        return next(iter(self._repeated.values())).memory

    def _after_siege(self) -> RepeatedBattle:
        """The battle as this fight's siege leaves it (B2, B3)."""
        besieged = self._besieged
        if besieged is None:
            return self._repeated[0]
        besieged.field = self._field()
        besieged.skills.clear()
        besiege(besieged)
        damage = besieged.siege.damage_after if besieged.siege else 0
        self.tally.walls[damage] += 1
        if damage not in self._repeated:
            field = self._field()
            field.put_province(field.province(besieged.place).evolve(fortification_damage=damage))
            battle = gathered(field, besieged.place)
            assert battle is not None  # noqa: S101 - the same units as before
            committed(battle)
            self._repeated[damage] = RepeatedBattle(battle, self._stream, self._field)
        return self._repeated[damage]


class RepeatedBattle:
    """A battle drawn up once. ``memory`` is none when a memory is not possible or was not worth it."""

    def __init__(self, battle: Battle, stream: SamplingStream, field: Callable[[], Field]) -> None:
        battle.recorded = False
        self._battle = battle
        self._new_field = field
        self._starts = [(band, band.standing, band.reserve) for each in battle.contingents for band in each.bands]
        self._cargo = battle.kind == SEA and any(unit.aboard for unit in battle.field.at(battle.place))
        remembered = can_be_remembered(battle) and not self._cargo
        self.memory = TwoCamps(battle, stream) if remembered else None

    def fight(self, tally: Tally) -> None:
        """One fight, and into the tally with it."""
        battle = self._battle
        if battle.field.events:
            battle.field = self._new_field()
        if self.memory and not self.memory.worth_it():
            self.memory = None
        if not self.memory:
            self._reset()
            fight_it_out(battle)
        elif ended := self.memory.fight():
            rounds, fates = ended
            survived = [any(each.outcome == ContingentStatus.FIGHTS.value for each in own) for own in fates]
            winners = [realm for realm, won in zip(battle.realms, survived, strict=True) if won]
            tally.add(rounds, result_of(False, winners), fates)
            return
        self._count(tally)

    def _reset(self) -> None:
        """Put everybody back into his place, alive. What the field knows (who retreated where) is its own."""
        battle = self._battle
        battle.round = 0
        battle.drawn = False
        for band, standing, reserve in self._starts:
            band.standing, band.reserve = standing, reserve
            band.marked = band.fell = band.written = 0
        for contingent in battle.contingents:
            contingent.state = ContingentStatus.FIGHTS
            contingent.damage = contingent.taken = NONE
            contingent.victim = None
            if contingent.barracks:
                contingent.barracks.bonus_left = contingent.barracks.row.barracks
            leader = contingent.unit.lead_commander
            if contingent.leader is not leader:
                contingent.leader = leader
                battle.set_chances(contingent)
            contingent.update_front_rank()

    def _count(self, tally: Tally) -> None:
        """Count a battle that was fought to its end."""
        battle = self._battle
        winners = winners_of(battle)
        sunk = self._sunk(winners) if self._cargo else {}
        fates = []
        for realm in battle.realms:
            own = [fate_of(battle, each) for each in battle.contingents if each.realm == realm]
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
