"""A whole battle, from round 1 to the report: wounds, losses, captures, skills, plans (B4-B14, P7)."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from gm.games.medieval.combat.battle import BORDER, LAND, SEA, Battle, has_ships, write_losses
from gm.games.medieval.combat.contingents import Band, Contingent, ContingentStatus, Role, wound_chance
from gm.games.medieval.combat.muster import counts, names, units_in_battle
from gm.games.medieval.combat.report import BattleReport, BattleRound, CaptureRoll, UnitEnd, WoundedRoll
from gm.games.medieval.combat.retreats import invaders_retreat, mutineers_left, units_retreat, wrecks_settled
from gm.games.medieval.combat.rounds import casualties_leave, fight_rounds
from gm.games.medieval.combat.setup import leaders_learn
from gm.games.medieval.events.battle import BattleFought, FleetFormedByCapture, UnitDestroyed
from gm.games.medieval.orders.model import Hold, March, Sail
from gm.games.medieval.state import Unit, UnitKind, strength
from gm.games.medieval.steps.outcomes import refuse


def fight(battle: Battle) -> None:
    """Fight a battle that is set up.

    The report's event goes out before those of its consequences; in a turn without events there is none.
    """
    field = battle.field
    in_full = battle.field.turn.collect_events
    earlier, field.events = field.events, []
    # where fleets retreated to says who meets there next
    battle.recorded = in_full or battle.kind == SEA
    battle.units = units_in_battle(battle) if in_full else ()
    wounded = fight_it_out(battle)
    losses_written(battle)
    winners = winners_of(battle)
    captures = losses_booked(battle, winners)
    leaders_learn(battle, winners)
    places = [field.unit(contingent.key).place for contingent in battle.contingents]
    if battle.kind == SEA:
        mutineers_left(battle)
        wrecks_settled(battle, frozenset(capture.into for capture in captures if capture.into))
    if battle.kind == LAND:
        field.mark_province(battle.place, battle=True)
    plans_end(battle)
    if not in_full:
        field.events = [*earlier, *field.events]
        return
    report = _report(battle, winners, wounded=wounded, captures=captures, ends=ends(battle, places))
    fought = BattleFought(place=battle.name, battle=battle.kind, winners=winners, report=report)
    field.events = [*earlier, fought, *field.events]


def _report(battle: Battle, winners: tuple[str, ...], **settled: Any) -> BattleReport:
    """Return the report of a battle after its end; ``settled``: the fields that the end has decided."""
    names_of_both = (name for name in BattleReport.__struct_fields__ if hasattr(battle, name))
    shared_fields: dict[str, Any] = {name: getattr(battle, name) for name in names_of_both}
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
    """Return all rounds and the fate of the wounded (B4-B11).

    Of the field, only units that retreat are touched.
    """
    fight_rounds(battle)
    return _after_the_rounds(battle)


def fight_on(battle: Battle) -> tuple[WoundedRoll, ...]:
    """Fight on a battle that is at the end of a round, before any unit retreats (B9)."""
    units_retreat(battle)
    fight_rounds(battle)
    return _after_the_rounds(battle)


def _after_the_rounds(battle: Battle) -> tuple[WoundedRoll, ...]:
    """Remove the casualties of a drawn battle and let its invaders go back; then roll for the wounded.

    Returns these rolls. The report shows the retreats in the last round that was fought (B10, B11).
    """
    if battle.drawn:
        casualties_leave(battle)
        retreats = invaders_retreat(battle)
        if battle.rounds and retreats:
            last = battle.rounds.pop()
            retreats = (*last.retreats, *retreats)
            battle.rounds.append(BattleRound(number=last.number, units=last.units, retreats=retreats))
    return wounded_die(battle)


def losses_written(battle: Battle) -> None:
    """Remove all casualties from the units of the world."""
    for contingent in battle.contingents:
        write_losses(battle.field, contingent)


def wounded_die(battle: Battle) -> tuple[WoundedRoll, ...]:
    """Remove all casualties, and roll for each unit's one troop left partly damaged, on both sides (B11).

    A unit without troops left is destroyed. The world learns of it by :func:`write_losses`.
    """
    rolls = []
    for contingent in battle.contingents:
        contingent.remove_casualties()
        victim = wounded(battle, contingent)
        if not victim:
            continue
        needed = contingent.hit_points(victim)
        dies = battle.dice("wounded").chance(wound_chance(contingent.damage, needed))
        who = victim.commander.name if victim.commander else None
        damage = contingent.damage
        wound = partial(WoundedRoll, unit=contingent.key, troop=victim.troop, commander=who)
        rolls.append(wound(damage=damage, hit_points=needed, dies=dies))
        if dies:
            lose_one(contingent, victim)
    for contingent in battle.contingents:
        strike_off(battle, contingent)
    return tuple(rolls)


def wounded(battle: Battle, contingent: Contingent) -> Band | None:
    """Return the band with a partly damaged troop; of marines that left their space, the front-most (B13).

    None if there is none.
    """
    victim = contingent.next_victim(battle.dice("rank 5"))
    victim = victim or next((band for band in contingent.bands if band.reserve), None)
    return victim if contingent.damage else None


def strike_off(battle: Battle, contingent: Contingent) -> None:
    """Count a unit as destroyed when it has nobody left after the battle: a fleet, when it has no ship."""
    if contingent.role is Role.FLEET:
        lives = contingent.ships() > 0
    else:
        lives = any(band.standing or band.reserve for band in contingent.bands)
    if not lives:
        battle.destroy(contingent)


def lose_one(contingent: Contingent, band: Band) -> None:
    """Let a wounded commander die; if they led the unit, it has no leader now (B12)."""
    if band.standing:
        band.standing -= 1
    else:
        band.reserve -= 1
    band.fell += 1
    contingent.victim = None
    if band.commander and contingent.leader and band.commander.name == contingent.leader.name:
        contingent.leader = None


def winners_of(battle: Battle) -> tuple[str, ...]:
    """Return the realms that hold the field, once no two at war remain (B10).

    At sea these include realms with marines on a living fleet.
    """
    if battle.drawn:
        return ()
    realms = set()
    for contingent in battle.contingents:
        fighting = contingent.role is Role.MARINES and contingent.fights and contingent.standing()
        if battle.lives(battle.by_key[str(contingent.carrier)] if fighting else contingent):
            realms.add(contingent.realm)
    return tuple(sorted(realms))


def losses_booked(battle: Battle, winners: tuple[str, ...]) -> tuple[CaptureRoll, ...]:
    """Enter every casualty into the books: killed, or captured by a winner."""
    records: list[CaptureRoll] = []
    for contingent in battle.contingents:
        fallen = [(band, band.fell) for band in contingent.bands]
        unit = contingent.unit
        for loss in counts([(band, fell) for band, fell in fallen if fell]):
            captures = _captures(battle, contingent, loss.troop, loss.count, winners)
            captured = sum(capture.count for capture in captures)
            records += captures
            battle.field.lose(unit, "killed", {loss.troop: loss.count - captured})
            battle.field.lose(unit, "captured", {loss.troop: captured})
        battle.field.lose(unit, "killed", who=names(fallen))
    return tuple(records)


def _captures(
    battle: Battle, loser: Contingent, troop: str, count: int, winners: tuple[str, ...]
) -> list[CaptureRoll]:
    """Roll which casualties of a type are captured, and by whom (B11)."""
    chance = battle.field.rules.troops[troop].capture_chance
    captors = [realm for realm in winners if realm in battle.enemies[loser.realm]]
    if not chance or not captors:
        return []
    captured = _captured_by(battle, captors, chance, count)
    roll = partial(CaptureRoll, unit=loser.key, troop=troop, chance=chance, rolls=count)
    rolls = []
    for realm, number in captured.items():
        into = _give(battle, realm, troop, number) if number else None
        if into is not None:
            rolls.append(roll(count=number, captor=realm, into=into.key))
    return rolls or [roll(count=0)]


def _captured_by(battle: Battle, captors: Sequence[str], chance: int, count: int) -> dict[str, int]:
    """Return how many of ``count`` casualties each captor takes; several captors draw for each of them.

    A captor's surviving troops and commanders weigh in the draw.
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
    """Add captured troops to the captor's strongest unit, ships to a fleet.

    None when no number is free for one.
    """
    field = battle.field
    rules = battle.field.rules
    ship = rules.troops[troop].ship
    own = [
        field.unit(contingent.key)
        for contingent in battle.contingents
        if contingent.realm == realm and contingent.fights and (contingent.role is Role.FLEET) == ship
    ]
    if ship:
        own += [unit for unit in field.at(battle.place) if unit.realm == realm and has_ships(unit)]
    if own:
        receiver = max(own, key=lambda unit: strength.total_combat(unit, rules, ships_too=ship))
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


def plans_end(battle: Battle) -> None:
    """End the plans of survivors, unless they fought in their own province.

    Retreaters and the destroyed do nothing more (P7, B9.2, M11).
    """
    field = battle.field
    own_land = battle.owner if battle.kind not in (SEA, BORDER) else None
    for contingent in battle.contingents:
        unit = field.unit(contingent.key)
        if battle.kind == BORDER:
            _march_ends(battle, contingent, unit)
        if contingent.state is ContingentStatus.RETREATED:
            field.plans.drop(unit, refuse("retreated-from-battle", place=battle.name))
        elif unit.empty:
            field.emit(UnitDestroyed(realm=unit.realm, unit=unit.key, place=battle.name))
            field.plans.drop(unit, refuse("destroyed-in-battle", place=battle.name))
            field.set_progress(unit.key, spent=True)
        elif unit.realm != own_land:
            field.plans.drop(unit, refuse("fought-a-battle", place=battle.name), March, Sail, Hold)
            field.set_progress(unit.key, spent=True)


def _march_ends(battle: Battle, contingent: Contingent, unit: Unit) -> None:
    """Emit the end of the march to a border (M11).

    Realms that hold the field made the march; the destroyed count as at their start.
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
    """Return each unit's fate; ``places``: where they were when it was settled."""
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
