"""A battle for the odds, drawn up once and fought many times by the turn's code (B2-B12)."""

from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain

from gm.core.dice import SamplingDice, SamplingStream, Source
from gm.core.values import Record
from gm.games.medieval.analysis.odds.camps import TwoCamps, can_be_remembered
from gm.games.medieval.analysis.odds.tally import (
    LOST_AT_SEA,
    Tally,
    UnitFate,
    UnitOdds,
    entries_of,
    fate_of,
    result_of,
)
from gm.games.medieval.combat.battle import BORDER, LAND, SEA, Battle, Field
from gm.games.medieval.combat.contingents import FIGHTS, NO_DAMAGE
from gm.games.medieval.combat.fight import fight_it_out, settle_losses, winners_of, write_all_losses
from gm.games.medieval.combat.retreats import remove_mutineers, settle_wrecks
from gm.games.medieval.combat.setup import (
    assemble_battle,
    besiege,
    border_battle,
    land_battle,
    prepare_first_round,
    sea_battle,
)
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.state import ProvinceProgress, TurnProgress, UnitProgress, World
from gm.games.medieval.steps.turn import Turn

DrawnUp = Callable[[Field], Battle | None]  # makes the battle out of a fresh field; None when nobody fights
PHASE = 1  # of the turn, in which the battle is fought
SURVIVED = FIGHTS.value


class BattleSetup(Record):
    """The turn in which a battle is to be fought, and the place of the battle."""

    turn: Turn
    kind: str  # ``LAND``, ``SEA`` or ``BORDER``
    place: str
    other_place: str = ""  # at a border
    notes: tuple[str, ...] = ()  # sentences about what is supposed

    def battle(self, field: Field) -> Battle | None:
        """Return the battle as the turn sets it up; None when nobody fights."""
        if self.kind == SEA:
            return sea_battle(field, self.place)
        if self.kind == BORDER:
            places = {self.place, self.other_place}
            armies = [unit for unit in field.world.units.values() if unit.is_army]
            crossing = [unit for unit in armies if {unit.place, field.done(unit.key).came_from} == places]
            return border_battle(field, self.place, self.other_place, crossing)
        return land_battle(field, self.place)


def made_turn(world: World, rules: Rules, atlas: Atlas, done: dict[str, UnitProgress]) -> Turn:
    """Return the first phase of a turn that begins with this world.

    ``done``: what units have done in it already, by key.
    """
    owners = ((name, land.owner) for name, land in world.provinces.items())
    provinces = {name: ProvinceProgress(owner_at_start=code, owner_last_phase=code) for name, code in owners}
    progress = TurnProgress(units=done, provinces=provinces, wars=world.wars, alliances=world.alliances)
    state = world.evolve(progress=progress)
    # trials replace the dice: no seed is needed
    return Turn(state=state, number=world.turn + 1, rules=rules, board=atlas, orders={}, seed="", phase=PHASE)


class NobodyFightsError(ValueError):
    """No two realms at the place of a battle are at war."""


class Trials:
    """One battle, to be fought as often as wanted."""

    def __init__(self, turn: Turn, drawn_up: DrawnUp, source: Source) -> None:
        """Set the battle up; ``source``: random numbers. Raises ``NobodyFightsError`` when nobody fights."""
        dice = SamplingDice(source)
        self._stream = dice.lots
        self._field = partial(Field, turn.evolve(dice=dice))
        self._repeated: dict[int, RepeatedBattle] = {}  # by the walls' damage after the siege
        battle = drawn_up(self._field())
        if battle is None:
            raise NobodyFightsError
        self.battle = battle
        self.entries: tuple[UnitOdds, ...] = ()  # the units before the battle; empty before ``run``
        self.tally = Tally(battle.realms)
        # before each fight of a battle with a siege the siege is carried out anew, on this copy
        self._besieged = (
            assemble_battle(self._field(), battle.place) if battle.kind == LAND and battle.siege else None
        )
        damage = battle.siege.damage_after if battle.siege else 0
        self._repeated[damage] = RepeatedBattle(battle, self._stream, self._field)

    def run(self, fights: int) -> Tally:
        """Fight ``fights`` more times; return the tally of all fights so far."""
        self.entries = self.entries or entries_of(self.battle)  # made before the first fight
        for _ in range(fights):
            self._after_siege().fight(self.tally)
        return self.tally

    def fought(self) -> Battle:
        """Return the battle after one more fight, of which the tally counts only the siege's damage.

        It is fought without a cache, which is quicker for a few fights.
        """
        return self._after_siege().fought()

    @property
    def memory(self) -> TwoCamps | None:
        """The cache of the battle as it was set up first; None if it has none."""
        first_set_up = next(iter(self._repeated.values()))
        return first_set_up.memory

    def _after_siege(self) -> "RepeatedBattle":
        """Carry out this fight's siege, if there is one, and return the battle that begins after it (B2, B3).

        The walls' damage after the siege is counted in the tally.
        """
        besieged = self._besieged
        if besieged is None:
            return self._repeated[0]
        besieged.field = self._field()
        besieged.skills.clear()
        besiege(besieged)
        damage = besieged.siege.damage_after if besieged.siege else 0
        self.tally.walls[damage] += 1
        if damage not in self._repeated:
            # the battle is set up as ``land_battle`` does it, without a siege: this one is over
            field = self._field()
            field.put_province(field.province(besieged.place).evolve(fortification_damage=damage))
            battle = assemble_battle(field, besieged.place)
            assert battle is not None  # noqa: S101 - the same units as before
            prepare_first_round(battle)
            self._repeated[damage] = RepeatedBattle(battle, self._stream, self._field)
        return self._repeated[damage]


def _survives(fates: Iterable[UnitFate]) -> bool:
    """Return whether any of these units survives and stays."""
    return SURVIVED in [fate.outcome for fate in fates]


class RepeatedBattle:
    """A battle that was set up once, and can be fought again and again from its beginning."""

    def __init__(self, battle: Battle, stream: SamplingStream, field: Callable[[], Field]) -> None:
        """Record how the battle begins, to fight it again. ``field``: makes a fresh field."""
        battle.recorded = False  # no report is made of its rounds
        self._battle = battle
        self._new_field = field
        bands = chain.from_iterable(contingent.bands for contingent in battle.contingents)
        self._starts = [(band, band.standing, band.reserve) for band in bands]
        # whether fleets may go down with soldiers that do not fight
        self._cargo = battle.kind == SEA and any(unit.aboard for unit in battle.field.at(battle.place))
        self._stream = stream
        self._memory: TwoCamps | None = None
        self._memory_is_to_be_made = can_be_remembered(battle) and not self._cargo

    @property
    def memory(self) -> TwoCamps | None:
        """The cache, made at its first use. None if the battle can have none, or it was not worth it."""
        if self._memory_is_to_be_made:
            self._memory_is_to_be_made = False
            self._ready()
            self._memory = TwoCamps(self._battle, self._stream)
        return self._memory

    def fought(self) -> Battle:
        """Return the battle after a fight without the cache."""
        self._ready()
        fight_it_out(self._battle)
        return self._battle

    def fight(self, tally: Tally) -> None:
        """Fight once, from the cache as far as it can be used, and count the result in the tally."""
        self._renew_field()
        memory = self.memory
        if memory and not memory.worth_it():
            memory = self._memory = None
        if not memory:
            self.fought()
            self._count(tally)
            return
        ended = memory.fight()
        if ended is None:  # the cache did not suffice: the battle itself was fought to its end
            self._count(tally)
            return
        rounds, fates = ended
        fates_of_realms = zip(self._battle.realms, fates, strict=True)
        winners = [realm for realm, unit_fates in fates_of_realms if _survives(unit_fates)]
        # the cache ends no fight whose rounds are used up: it is never a drawn one
        tally.add(rounds, result_of(drawn=False, winners=winners), fates)

    def _renew_field(self) -> None:
        """Replace a field on which there has been a fight: it records who retreated where."""
        if self._battle.field.events:
            self._battle.field = self._new_field()

    def _ready(self) -> None:
        """Restore the beginning of the battle: all units alive and in their places."""
        self._renew_field()
        battle = self._battle
        battle.round = 0
        battle.drawn = False
        for band, standing, reserve in self._starts:
            band.standing = standing
            band.reserve = reserve
            band.marked = band.fell = band.written = 0
        for contingent in battle.contingents:
            contingent.state = FIGHTS
            contingent.damage = contingent.taken = NO_DAMAGE
            contingent.victim = None
            if contingent.barracks:
                contingent.barracks.bonus_left = contingent.barracks.row.barracks
            leader = contingent.unit.lead_commander
            if contingent.leader is not leader:
                contingent.leader = leader
                battle.set_chances(contingent)
            contingent.update_front_rank()

    def _count(self, tally: Tally) -> None:
        """Count the result of the fight in a tally."""
        battle = self._battle
        winners = winners_of(battle)
        sunk = self._fates_at_sea(winners) if self._cargo else {}
        fates = []
        for realm in battle.realms:
            own = [
                fate_of(battle, contingent) for contingent in battle.contingents if contingent.realm == realm
            ]
            fates.append((*own, *sunk.get(realm, ())))
        tally.add(battle.round, result_of(drawn=battle.drawn, winners=winners), fates)

    def _fates_at_sea(self, winners: tuple[str, ...]) -> dict[str, list[UnitFate]]:
        """Settle the losses of the battle, as a turn does (B12).

        Returns the fates of units that lost somebody aboard a sunk fleet, by the realm's code.
        """
        battle = self._battle
        battle.rescues.clear()  # those of the fight before
        write_all_losses(battle)
        captures = settle_losses(battle, winners)
        remove_mutineers(battle)
        settle_wrecks(battle, frozenset(capture.into for capture in captures if capture.into))
        fates_of: dict[str, list[UnitFate]] = {}
        for rescue in battle.rescues:
            lost = tuple((losses.troop, losses.count) for losses in rescue.lost)
            commanders = (rescue.commander,) if rescue.commander and not rescue.to else ()
            unit = rescue.army or rescue.fleet
            if lost or commanders:
                fate = UnitFate(unit, LOST_AT_SEA, "", lost, commanders)
                fates_of.setdefault(unit.partition("/")[0], []).append(fate)
        return fates_of
