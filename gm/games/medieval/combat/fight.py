"""A whole battle from round 1 to its end: wounds, losses, captures, skills, plans, report (B4-B14, P7)."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from gm.games.medieval.combat.battle import BORDER, LAND, SEA, Battle, has_ships, write_losses
from gm.games.medieval.combat.contingents import Band, Contingent, ContingentStatus, Role, wound_chance
from gm.games.medieval.combat.muster import counts, names, units_in_battle
from gm.games.medieval.combat.report import BattleReport, BattleRound, CaptureRoll, UnitEnd, WoundedRoll
from gm.games.medieval.combat.retreats import invaders_retreat, remove_mutineers, settle_wrecks, units_retreat
from gm.games.medieval.combat.rounds import casualties_leave, fight_rounds
from gm.games.medieval.combat.setup import leaders_learn
from gm.games.medieval.events.battle import BattleFought, FleetFormedByCapture, UnitDestroyed
from gm.games.medieval.orders.model import Hold, March, Sail
from gm.games.medieval.state import Unit, UnitKind, strength
from gm.games.medieval.steps.outcomes import refuse


def fight(battle: Battle) -> None:
    """Fight a battle that is set up.

    Its report is emitted before the events of its consequences; in a turn that collects no events there is
    none.
    """
    field = battle.field
    with_report = battle.field.turn.collect_events
    earlier_events = field.events
    field.events = []
    # at sea the step needs the rounds even without a report: fleets fight again where they retreated to
    battle.recorded = with_report or battle.kind == SEA
    battle.units = units_in_battle(battle) if with_report else ()
    wounded = fight_it_out(battle)
    write_all_losses(battle)
    winners = winners_of(battle)
    captures = settle_losses(battle, winners)
    leaders_learn(battle, winners)
    # in the report units are where the battle left them, before survivors of lost fleets are moved
    places = [field.unit(contingent.key).place for contingent in battle.contingents]
    if battle.kind == SEA:
        remove_mutineers(battle)
        settle_wrecks(battle, frozenset(capture.into for capture in captures if capture.into))
    if battle.kind == LAND:
        field.mark_province(battle.place, battle=True)
    end_plans(battle)
    if not with_report:
        field.events = [*earlier_events, *field.events]
        return
    report = _report(battle, winners, wounded=wounded, captures=captures, ends=ends(battle, places))
    fought = BattleFought(place=battle.name, battle=battle.kind, winners=winners, report=report)
    field.events = [*earlier_events, fought, *field.events]


def _report(battle: Battle, winners: tuple[str, ...], **settled: Any) -> BattleReport:
    """Return the report of a battle; ``settled``: the report's fields ``wounded``, ``captures`` and ``ends``.

    Most other fields are taken from the battle's fields of the same names.
    """
    names_of_both = (name for name in BattleReport.__struct_fields__ if hasattr(battle, name))
    shared_fields: dict[str, Any] = {name: getattr(battle, name) for name in names_of_both}
    # the battle added to these lists; a report does not change
    shared_fields |= {name: tuple(shared_fields[name]) for name in ("rounds", "skills", "rescues")}
    return BattleReport(
        **shared_fields,
        **settled,
        phase=battle.field.phase,
        result=_result_word(battle, winners),
        winners=winners,
        wars=tuple((a, b) for a in battle.realms for b in battle.enemies[a] if a < b),
    )


def _result_word(battle: Battle, winners: tuple[str, ...]) -> str:
    """Return the result as reports have it: ``drawn``, ``won`` or ``nobody``."""
    if battle.drawn:
        return "drawn"
    return "won" if winners else "nobody"


def fight_it_out(battle: Battle) -> tuple[WoundedRoll, ...]:
    """Fight all rounds and roll for the wounded (B4-B11); return these rolls.

    Of the field's units, only those that retreat are changed.
    """
    fight_rounds(battle)
    return _after_the_rounds(battle)


def fight_on(battle: Battle) -> tuple[WoundedRoll, ...]:
    """Fight on from the end of a round, before any unit retreats (B9); return the rolls for the wounded."""
    units_retreat(battle)
    fight_rounds(battle)
    return _after_the_rounds(battle)


def _after_the_rounds(battle: Battle) -> tuple[WoundedRoll, ...]:
    """Remove the casualties of a drawn battle and let its invaders go back; then roll for the wounded.

    Returns these rolls. The report shows the retreats in the last round that was fought (B10, B11).
    """
    if battle.drawn:
        # the limit may be an odd round: those marked as fallen in it have not left yet (B8.1)
        casualties_leave(battle)
        retreats = invaders_retreat(battle)
        if battle.rounds and retreats:  # rounds of trials are not recorded
            last = battle.rounds.pop()
            retreats = (*last.retreats, *retreats)
            battle.rounds.append(BattleRound(number=last.number, units=last.units, retreats=retreats))
    return wounded_die(battle)


def write_all_losses(battle: Battle) -> None:
    """Remove all casualties from the units of the world."""
    for contingent in battle.contingents:
        write_losses(battle.field, contingent)


def wounded_die(battle: Battle) -> tuple[WoundedRoll, ...]:
    """Remove all casualties, and roll for the one troop that each unit has left partly damaged (B11).

    The roll decides whether that troop dies. Returns the rolls. A unit without troops left is destroyed.
    The field's units still have the dead, until :func:`write_losses`.
    """
    rolls = []
    for contingent in battle.contingents:
        contingent.remove_casualties()
        victim = wounded_band(battle, contingent)
        if not victim:
            continue
        needed = contingent.hit_points(victim)
        dies = battle.dice("wounded").chance(wound_chance(contingent.damage, needed))
        who = victim.commander.name if victim.commander else None
        rolls.append(
            WoundedRoll(
                unit=contingent.key,
                troop=victim.troop,
                commander=who,
                damage=contingent.damage,
                hit_points=needed,
                dies=dies,
            )
        )
        if dies:
            lose_one(contingent, victim)
    for contingent in battle.contingents:
        destroy_if_none_left(battle, contingent)
    return tuple(rolls)


def wounded_band(battle: Battle, contingent: Contingent) -> Band | None:
    """Return the band with a unit's partly damaged troop; None if the unit has none.

    If all are in reserve because they lost their marine space, it is the front-most band (B13).
    """
    # the draw of rank 5 is made even if there is no damage: a turn's dice depend on it
    victim = contingent.next_victim(battle.dice("rank 5"))
    victim = victim or next((band for band in contingent.bands if band.reserve), None)
    return victim if contingent.damage else None


def destroy_if_none_left(battle: Battle, contingent: Contingent) -> None:
    """Mark a unit as destroyed if it has nobody left after the battle: a fleet, if it has no ship."""
    if contingent.role is Role.FLEET:
        lives = contingent.ships() > 0
    else:
        lives = any(band.standing or band.reserve for band in contingent.bands)
    if not lives:
        battle.destroy(contingent)


def lose_one(contingent: Contingent, band: Band) -> None:
    """Let a wounded troop or commander of a band die; without its leader the unit is not led (B12)."""
    if band.standing:
        band.standing -= 1
    else:
        band.reserve -= 1
    band.fell += 1
    contingent.victim = None  # it may be this band
    if band.commander and contingent.leader and band.commander.name == contingent.leader.name:
        contingent.leader = None


def winners_of(battle: Battle) -> tuple[str, ...]:
    """Return the codes of the realms that are still in a battle that is over (B10); none if it is drawn.

    At sea these include realms with marines on a fleet that is still in it.
    """
    if battle.drawn:
        return ()
    realms = set()
    for contingent in battle.contingents:
        has_marines = contingent.role is Role.MARINES and contingent.fights and contingent.standing()
        deciding = battle.by_key[str(contingent.carrier)] if has_marines else contingent
        if battle.lives(deciding):
            realms.add(contingent.realm)
    return tuple(sorted(realms))


def settle_losses(battle: Battle, winners: tuple[str, ...]) -> tuple[CaptureRoll, ...]:
    """Emit the loss of each casualty, killed or captured, and give captors their troops; return the rolls."""
    records: list[CaptureRoll] = []
    for contingent in battle.contingents:
        fallen = [(band, band.fell) for band in contingent.bands]
        unit = contingent.unit
        for loss in counts([(band, fell) for band, fell in fallen if fell]):
            captures = _captures(battle, contingent, loss.troop, loss.count, winners)
            captured = sum(capture.count for capture in captures)
            records += captures
            # for 0 troops nothing is emitted
            battle.field.lose(unit, "killed", {loss.troop: loss.count - captured})
            battle.field.lose(unit, "captured", {loss.troop: captured})
        battle.field.lose(unit, "killed", who=names(fallen))
    return tuple(records)


def _captures(
    battle: Battle, loser: Contingent, troop: str, count: int, winners: tuple[str, ...]
) -> list[CaptureRoll]:
    """Roll which of ``count`` casualties of a type are captured, and by whom (B11); give them to the captors.

    Returns a roll for each captor that took any, or one roll with the count 0; none if nobody could take any.
    """
    chance = battle.field.rules.troops[troop].capture_chance
    captors = [realm for realm in winners if realm in battle.enemies[loser.realm]]
    if not chance or not captors:
        return []
    captured = _captured_by(battle, captors, chance, count)
    roll = partial(CaptureRoll, unit=loser.key, troop=troop, chance=chance, rolls=count)
    rolls = []
    for realm, number in captured.items():
        receiver = _give(battle, realm, troop, number) if number else None
        if receiver is not None:
            rolls.append(roll(count=number, captor=realm, into=receiver.key))
    return rolls or [roll(count=0)]


def _captured_by(battle: Battle, captors: Sequence[str], chance: int, count: int) -> dict[str, int]:
    """Return how many of ``count`` casualties each captor takes, by realm code; ``chance`` is in percent.

    If there are several captors, each captured troop is drawn among them, in proportion to their unmarked
    troops and commanders.
    """
    stream = battle.dice("capture")
    weights = []
    for realm in captors:
        fighters = (member for member in battle.contingents if member.realm == realm and member.fights)
        weights.append(sum(contingent.standing() for contingent in fighters))
    captured = dict.fromkeys(captors, 0)
    for _ in range(count):
        if stream.percent(chance):
            index = battle.dice("captor").weighted(weights) if len(captors) > 1 else 0
            captured[captors[index]] += 1
    return captured


def _give(battle: Battle, realm: str, troop: str, count: int) -> Unit | None:
    """Add captured troops, in rank 1, to their captor's strongest unit that can hold them; return that unit.

    Soldiers go to a unit that fights in the battle, ships to a fleet at the battle's place. A captor without
    a fleet gets a new one. None, and nobody gets the troops, for soldiers without such a unit, and for ships
    if no number is free for a new fleet.
    """
    field = battle.field
    rules = battle.field.rules
    ship = rules.troops[troop].ship
    own_units = [
        field.unit(contingent.key)
        for contingent in battle.contingents
        if contingent.realm == realm and contingent.fights and (contingent.role is Role.FLEET) == ship
    ]
    if ship:
        own_units += [unit for unit in field.at(battle.place) if unit.realm == realm and has_ships(unit)]
    if own_units:
        receiver = max(own_units, key=lambda unit: strength.total_combat(unit, rules, ships_too=ship))
    else:
        number = field.free_number(realm, UnitKind.FLEET)
        if not ship or number > rules.units.number_limit:
            return None
        receiver = Unit(realm=realm, kind=UnitKind.FLEET, number=number, place=battle.place)
        field.set_progress(receiver, spent=True)
        field.emit(FleetFormedByCapture(realm=realm, unit=receiver.key, place=battle.place))
    field.put(receiver.add(troop, (count, 0, 0, 0, 0)))
    field.gain(receiver, "captured", {troop: count})
    return receiver


def end_plans(battle: Battle) -> None:
    """End the movement of survivors, in plan and move-points, unless they fought in their own province (P7).

    For units that retreated or were destroyed, end the whole plan (B9.2, M11). Emits UnitDestroyed.
    """
    field = battle.field
    realm_at_home = battle.owner if battle.kind not in (SEA, BORDER) else None
    for contingent in battle.contingents:
        unit = field.unit(contingent.key)
        if battle.kind == BORDER:
            _march_ends(battle, contingent, unit)
        if contingent.state is ContingentStatus.RETREATED:
            # its retreat has used up its move-points
            field.plans.drop(unit, refuse("retreated-from-battle", place=battle.name))
        elif unit.empty:
            field.emit(UnitDestroyed(realm=unit.realm, unit=unit.key, place=battle.name))
            field.plans.drop(unit, refuse("destroyed-in-battle", place=battle.name))
            field.set_progress(unit.key, spent=True)
        elif unit.realm != realm_at_home:
            field.plans.drop(unit, refuse("fought-a-battle", place=battle.name), March, Sail, Hold)
            field.set_progress(unit.key, spent=True)


def _march_ends(battle: Battle, contingent: Contingent, unit: Unit) -> None:
    """Settle the march that led a unit to a border: it failed for one that was driven back (M11).

    A destroyed unit is put back to where it came from.
    """
    plans = battle.field.plans
    came_from = battle.field.done(contingent.key).came_from
    if contingent.state is ContingentStatus.DESTROYED and came_from:
        battle.field.put(unit.evolve(place=came_from))
    index = next((index for index, entry in plans.left(unit) if isinstance(entry, March)), None)
    if index is not None and not unit.empty:
        driven_back = contingent.state is ContingentStatus.RETREATED
        plans.settle(unit, index, refuse("driven-back-at-border", place=battle.name) if driven_back else None)


def ends(battle: Battle, places: Iterable[str]) -> tuple[UnitEnd, ...]:
    """Return each unit's fate, in the order of the battle's contingents; ``places``: where each ended up."""
    empty = {contingent.key for contingent in battle.contingents if battle.field.unit(contingent.key).empty}
    return tuple(
        UnitEnd(
            unit=contingent.key,
            outcome=ContingentStatus.DESTROYED.value if contingent.key in empty else contingent.state.value,
            place=place,
            losses=counts([(band, band.fell) for band in contingent.bands if band.fell]),
            fallen_commanders=names([(band, band.fell) for band in contingent.bands]),
        )
        for contingent, place in zip(battle.contingents, places, strict=True)
    )
