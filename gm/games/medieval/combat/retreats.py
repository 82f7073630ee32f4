"""Take units out of a battle: they retreat at the end of a round (B9-B9.3).

Passengers of destroyed fleets are saved or lost (B12), and guests whose host became an enemy (M6.1).
"""

from collections.abc import Mapping

from gm.games.medieval.combat.battle import BORDER, Battle, Field, has_ships, write_losses
from gm.games.medieval.combat.contingents import Contingent, ContingentStatus, Role
from gm.games.medieval.combat.muster import counts, names
from gm.games.medieval.combat.report import Rescue, Retreat, TroopCount
from gm.games.medieval.combat.setup import is_mutineer, mutineers
from gm.games.medieval.events import battle as events
from gm.games.medieval.state import Unit, unit_key
from gm.games.medieval.state.strength import enemy_troops_at, weight
from gm.games.medieval.steps.outcomes import Refusal, refuse
from gm.games.medieval.steps.transfers import cargo_room, surplus


def units_retreat(battle: Battle) -> tuple[Retreat, ...]:
    """Let units retreat that want to and can, in the order of W12 (B9); return their entries in the report.

    Followers come after the units that they follow: in each pass of the loop those whose leader has left.
    """
    if not _may_retreat(battle):
        return ()
    retreats: list[Retreat] = []
    for contingent in battle.contingents:
        if contingent.fights and leads_itself(battle, contingent) and wants_to_retreat(battle, contingent):
            retreats += _retreat(battle, contingent)
    waiting = [
        contingent
        for contingent in battle.contingents
        if contingent.fights and not leads_itself(battle, contingent)
    ]
    while followers := [
        contingent
        for contingent in waiting
        if _followed(battle, contingent).state is ContingentStatus.RETREATED
    ]:
        waiting = [contingent for contingent in waiting if contingent not in followers]
        for contingent in followers:
            if contingent.fights and _somebody_stands(contingent):
                retreats += _retreat(battle, contingent)
    return tuple(retreats)


def _may_retreat(battle: Battle) -> bool:
    """Return whether any unit of the battle wants to retreat or follows another unit.

    It is a loop for speed: this is asked in each round of each battle.
    """
    for contingent in battle.contingents:
        if contingent.fights and (contingent.unit.follow or wants_to_retreat(battle, contingent)):
            return True
    return False


def invaders_retreat(battle: Battle) -> tuple[Retreat, ...]:
    """Let the invaders in a drawn battle retreat if they can (B10); return their entries in the report."""
    leaving = (
        contingent
        for contingent in battle.contingents
        if contingent.fights and contingent.invader and _somebody_stands(contingent)
    )
    return tuple(retreat for contingent in leaving for retreat in _retreat(battle, contingent))


def leads_itself(battle: Battle, contingent: Contingent) -> bool:
    """Return whether a unit follows no unit in this battle: only then its own retreat level counts (B9)."""
    follow = contingent.unit.follow
    return follow is None or unit_key(contingent.realm, follow) not in battle.by_key


def _followed(battle: Battle, contingent: Contingent) -> Contingent:
    """Return the contingent of the unit that this one follows, which must be in the battle."""
    return battle.by_key[unit_key(contingent.realm, str(contingent.unit.follow))]


def wants_to_retreat(battle: Battle, contingent: Contingent) -> bool:
    """Return whether a unit's retreat level makes it retreat (B9).

    It does if nobody unmarked is left in ranks 1 to the level, and there are troops behind to go; these count
    even if all of them are marked, unless the rules say otherwise. Of a fleet only its ships count (B9.3).
    """
    level = contingent.unit.retreat_level
    # ashore every band counts, so the front-most rank with unmarked troops decides, if there is one
    if not contingent.at_sea and contingent.front_rank:
        return contingent.front_rank > level
    counted = [band for band in contingent.bands if band.ship or not contingent.at_sea]
    if any(band.standing and band.rank <= level for band in counted):
        return False
    marked_too = battle.field.rules.battle.marked_retreat
    return any(band.rank > level and (band.standing or (marked_too and band.marked)) for band in counted)


def _somebody_stands(contingent: Contingent) -> bool:
    """Return whether a unit has unmarked troops or commanders; at sea, unmarked ships."""
    return any(band.standing for band in contingent.bands if band.ship or not contingent.at_sea)


def _retreat(battle: Battle, contingent: Contingent) -> list[Retreat]:
    """Retreat one unit with all that it carries; return their entries in the report, empty if it stays.

    A unit of which nobody is left standing is destroyed instead.
    """
    to = _refuge(battle, contingent) if battle.can_retreat(contingent) else None
    if to is None:
        return []  # it stays and fights (B9.1)
    if not _somebody_stands(contingent):
        # all who turn to flee are marked: it is out of the battle, destroyed where it stood (B9)
        casualties = contingent.remove_casualties()
        battle.destroy(contingent)
        battle.marines_stand_down(contingent)
        return [
            Retreat(
                unit=contingent.key, to="", casualties=counts(casualties), fallen_commanders=names(casualties)
            )
        ]
    field = battle.field
    retreats = [
        _leave(battle, leaving, to) for leaving in (contingent, *battle.aboard(contingent)) if leaving.fights
    ]
    for unit in field.at(battle.place):
        if unit.aboard == contingent.key:  # it was not in the battle (B9.3)
            field.put(unit.evolve(place=to))
            if not unit.empty:
                field.set_progress(unit.key, retreated=True, spent=True)
    return retreats


def _leave(battle: Battle, contingent: Contingent, to: str) -> Retreat:
    """Take one unit out of the battle to the place ``to``; return its entry in the report.

    Its casualties leave it, and it does no more this turn (B9.2).
    """
    casualties = contingent.remove_casualties()
    contingent.state = ContingentStatus.RETREATED
    field = battle.field
    unit = write_losses(field, contingent)
    where = unit.place
    field.put(unit.evolve(place=to))
    field.set_progress(contingent.key, retreated=True, spent=True)
    if battle.kind == BORDER:
        # its march has failed: where it came from is no way back from a later battle of this turn (M11)
        field.set_progress(contingent.key, came_from=None, marched_phase=0)
        where = battle.name
    field.emit(events.UnitRetreated(realm=contingent.realm, unit=contingent.key, place=where, to=to))
    return Retreat(
        unit=contingent.key, to=to, casualties=counts(casualties), fallen_commanders=names(casualties)
    )


def _refuge(battle: Battle, contingent: Contingent) -> str | None:
    """Return where a unit retreats to; None if it can retreat nowhere (B9.1).

    Of the places that are open it is the one to which the unit that it follows went, else the one that it
    came from, else a drawn one. Safe places go before seas with enemies.
    """
    field = battle.field
    unit = battle.field.unit(contingent.key)
    if battle.kind == BORDER:  # all armies there are on the march: each turns back
        return field.done(unit.key).came_from
    came_from = None if field.done(unit.key).landed else field.done(unit.key).came_from
    followed_to = None
    if not leads_itself(battle, contingent):
        followed_to = field.unit(_followed(battle, contingent).key).place
    for places in _refuges(field, unit):
        if followed_to in places:
            return followed_to
        if came_from in places:
            return came_from
        if places:
            return places[0] if len(places) == 1 else battle.dice("retreat").choice(places)
    return None


def _refuges(field: Field, unit: Unit) -> list[list[str]]:
    """Return the places open to a retreating unit (W13): a list of safe ones, then one of seas with enemies.

    A unit that has retreated this turn already has no second list, or its flight might never end.
    """
    safe: list[str] = []
    risky: list[str] = []
    # armies flee over land only, fleets to seas and into harbours
    for place in field.board.open_neighbours(unit.place, sea=None if unit.is_fleet else False):
        if field.board.is_sea(place):
            realms_there = (fleet.realm for fleet in field.at(place) if has_ships(fleet))
            enemies = any(field.world.hostile(unit.realm, realm, place) for realm in realms_there)
            (risky if enemies else safe).append(place)
        elif field.world.has_permission(unit.realm, place):
            # a fleet needs a harbour, an army a province without enemy troops
            if unit.is_fleet:
                is_open = field.world.provinces[place].harbour
            else:
                is_open = not enemy_troops_at(field.world, field.rules, unit.realm, place, field.at(place))
            if is_open:
                safe.append(place)
    return [safe] if field.done(unit.key).retreated else [safe, risky]


def settle_wrecks(battle: Battle, prizes: frozenset[str]) -> None:
    """Move commanders and armies of every fleet without ships to another fleet there, or lose them (B12).

    Armies in port go ashore. ``prizes``: the keys of the fleets that received captured ships. Armies of
    mutineers go aboard such a fleet of their realm whole, and M7 settles what it can carry (M6.1).
    """
    for contingent in battle.contingents:
        if contingent.role is not Role.FLEET:
            continue
        fleet = battle.field.unit(contingent.key)
        if not fleet.troops:
            _save_commanders(battle, fleet)
            for army in battle.field.cargo(fleet):
                if not army.empty:
                    _save_army(battle, fleet, army, prizes)


def _save_commanders(battle: Battle, fleet: Unit) -> None:
    """Move the commanders of a lost fleet to another fleet there, or lose them (B12)."""
    field = battle.field
    other_fleets = _fleets_there(field, fleet, fleet.realm)
    for commander in fleet.commanders:
        fleet, _ = fleet.without_commander(commander.name)
        field.put(fleet)
        to = other_fleets[0].key if other_fleets else ""
        if other_fleets:
            other_fleet = field.unit(to)  # with the commanders who went to it in this loop
            field.put(other_fleet.evolve(commanders=(*other_fleet.commanders, commander)))
            field.emit(
                events.CommanderTakenAboard(
                    realm=fleet.realm, commander=commander.name, unit=fleet.key, to=to
                )
            )
        else:
            field.lose(fleet, "lost", who=[commander.name])
        battle.rescues.append(Rescue(fleet=fleet.key, commander=commander.name, to=to))


def _save_army(battle: Battle, fleet: Unit, army: Unit, prizes: frozenset[str]) -> None:
    """Save one army of a lost fleet: ashore in a harbour, else aboard the first fleet with room for it all.

    If there is none, as much as possible goes aboard the fleet with most room, and the rest is lost. The
    fleets are those of the lost fleet's realm and of the army's realm, for mutineers only of the latter.
    Mutineers go whole aboard one that is among the ``prizes``: the keys of the fleets that received captured
    ships.
    """
    field = battle.field
    is_mutinous = battle.field.world.at_war(army.realm, fleet.realm)
    if not field.board.is_sea(fleet.place):
        put_ashore(field, army)
        battle.rescues.append(Rescue(fleet=fleet.key, army=army.key, to=fleet.place))
        return
    hosts = [] if is_mutinous else _fleets_there(field, fleet, fleet.realm)
    if army.realm != fleet.realm:
        hosts += _fleets_there(field, fleet, army.realm)
    prize = next((host for host in hosts if host.key in prizes and host.realm == army.realm), None)
    if prize is not None and is_mutinous:
        _take_aboard(battle, fleet, army, prize, drowned={})
    elif not hosts:
        lose_army(field, army, refuse("lost-at-sea", place=army.place))
        battle.rescues.append(Rescue(fleet=fleet.key, army=army.key, lost=_counts(army.counts())))
    else:
        room = {host.key: max(0, cargo_room(field, host)) for host in hosts}
        needed = weight(army, field.rules)
        host = next((host for host in hosts if room[host.key] >= needed), None)
        host = host or max(hosts, key=lambda candidate: room[candidate.key])
        drowned = surplus(field.rules, [army], too_much=needed - room[host.key], host=host.realm)
        # at most one pair: (the army, its troops that drown)
        _take_aboard(battle, fleet, army, host, drowned=drowned[0][1] if drowned else {})


def _take_aboard(battle: Battle, fleet: Unit, army: Unit, host: Unit, drowned: dict[str, int]) -> None:
    """Move an army from a lost fleet to its new host, without the troops that drown, counted by type.

    An army of which nothing is left is lost instead. What became of it is emitted, and added to the battle's
    rescues.
    """
    field = battle.field
    for troop, count in drowned.items():
        army, _ = army.take(troop, count)
    field.lose(army, "lost", drowned)
    if army.empty:
        field.put(army)
        field.plans.drop(army, refuse("lost-at-sea", place=army.place))
        field.emit(events.ArmyLostAtSea(realm=army.realm, unit=army.key, place=army.place))
    else:
        field.put(army.evolve(aboard=host.key))
        field.emit(events.ArmyTakenAboard(realm=army.realm, unit=army.key, fleet=host.key, place=army.place))
    to = "" if army.empty else host.key
    saved = _counts(army.counts())
    battle.rescues.append(Rescue(fleet=fleet.key, army=army.key, to=to, saved=saved, lost=_counts(drowned)))


def _counts(troops: Mapping[str, int]) -> tuple[TroopCount, ...]:
    """Return the numbers of troops by type as a report has them."""
    return tuple(TroopCount(troop=troop, count=count) for troop, count in troops.items())


def _fleets_there(field: Field, lost: Unit, realm: str) -> list[Unit]:
    """Return a realm's fleets with ships at the place of a lost fleet."""
    return [unit for unit in field.at(lost.place) if unit.realm == realm and has_ships(unit)]


def lose_army(field: Field, army: Unit, why: Refusal) -> None:
    """Lose all of an army that has no carrier any more; its plan fails for the reason ``why``."""
    field.lose(army, "lost", army.counts(), army.commander_names)
    field.put(army.evolve(troops={}, commanders=(), leader=None))
    field.set_progress(army.key, spent=True)
    field.emit(events.ArmyLostAtSea(realm=army.realm, unit=army.key, place=army.place))
    field.plans.drop(army, why)


def put_ashore(field: Field, army: Unit) -> None:
    """Put an army ashore where its fleet is docked; as after any landing its move-points are used (P7)."""
    fleet = str(army.aboard)
    field.put(army.evolve(aboard=None))
    field.set_progress(army.key, spent=True, landed=True)
    field.emit(events.ArmyPutAshore(realm=army.realm, unit=army.key, fleet=fleet, place=army.place))


def idle_mutineers_lost(field: Field, sea: str) -> None:
    """Lose guests of an enemy's fleet without a battle if their realm cannot fight in this sea (M6.1).

    A realm can fight there if it has a fleet with ships, or soldiers aboard an enemy's fleet.
    """
    units_in_sea = field.at(sea)
    fighters = (*mutineers(field, units_in_sea), *filter(has_ships, units_in_sea))
    realms_that_fight = {unit.realm for unit in fighters}
    for army in units_in_sea:
        if is_mutineer(field, army) and army.realm not in realms_that_fight:
            lose_army(field, army, refuse("lost-as-mutineers", place=sea))


def remove_mutineers(battle: Battle) -> None:
    """Lose the enemies' armies that are left aboard a fleet with ships after a battle (M6.1).

    They are lost whole, with machines and commanders. After a drawn battle all stay aboard.
    """
    if battle.drawn:
        return
    field = battle.field
    for contingent in battle.contingents:
        if contingent.role is not Role.FLEET:
            continue
        for army in field.cargo(field.unit(contingent.key)):
            if is_mutineer(field, army):
                lose_army(field, army, refuse("lost-as-mutineers", place=army.place))
