"""Who was aboard fleets that battle destroyed (B12), and guests whose host became an enemy (M6.1)."""

from __future__ import annotations

from collections.abc import Mapping

from gm.games.medieval.combat.battle import Battle, Field, has_ships
from gm.games.medieval.combat.contingents import ContingentStatus, Role
from gm.games.medieval.combat.report import Rescue, TroopCount
from gm.games.medieval.combat.setup import is_mutineer, mutineers
from gm.games.medieval.events.battle import ArmyLostAtSea, ArmyPutAshore, ArmyTakenAboard, CommanderTakenAboard
from gm.games.medieval.state import Unit
from gm.games.medieval.state.strength import weight
from gm.games.medieval.steps.storage import cargo_room, surplus
from gm.games.medieval.steps.turn import Refusal, refuse


def wrecks_settled(battle: Battle, prizes: frozenset[str]) -> None:
    """Commanders and armies of every fleet that has no ship left go to another fleet there, else are lost (B12).
    ``prizes`` are the fleets that received captured ships: a mutineer's armies go aboard his whole, and M7 settles what
    they can carry (M6.1)."""
    for contingent in battle.contingents:
        if contingent.role is not Role.FLEET or contingent.state is not ContingentStatus.DESTROYED:
            continue
        fleet = battle.field.unit(contingent.key)
        if not fleet.troops:
            _commanders_saved(battle, fleet)
            for army in battle.field.cargo(fleet):
                if not army.empty:
                    _army_saved(battle, fleet, army, prizes)


def _commanders_saved(battle: Battle, fleet: Unit) -> None:
    """Commanders of a lost fleet join another own fleet in the place."""
    field = battle.field
    others = _fleets_there(field, fleet, fleet.realm)
    for commander in fleet.commanders:
        fleet, _ = fleet.without_commander(commander.name)
        field.put(fleet)
        to = ""
        if others:
            other = field.unit(others[0].key)
            to = other.key
            field.put(other.evolve(commanders=(*other.commanders, commander)))
            field.emit(CommanderTakenAboard(realm=fleet.realm, commander=commander.name, unit=fleet.key, to=to))
        else:
            field.lose(fleet, "lost", who=[commander.name])
        battle.rescues.append(Rescue(fleet=fleet.key, commander=commander.name, to=to))


def _army_saved(battle: Battle, fleet: Unit, army: Unit, prizes: frozenset[str]) -> None:
    """One army of a lost fleet: ashore in a harbour, else aboard another fleet as far as that has room, else lost."""
    field, enemies = battle.field, battle.field.world.at_war(army.realm, fleet.realm)
    if not field.board.is_sea(fleet.place):
        put_ashore(field, army)
        battle.rescues.append(Rescue(fleet=fleet.key, army=army.key, to=fleet.place))
        return
    hosts = [] if enemies else _fleets_there(field, fleet, fleet.realm)
    if army.realm != fleet.realm:
        hosts += _fleets_there(field, fleet, army.realm)
    prize = next((host for host in hosts if host.key in prizes and host.realm == army.realm), None)
    if prize is not None and enemies:
        _takes_aboard(battle, fleet, army, prize, {})
    elif not hosts:
        lose_army(field, army, refuse("lost-at-sea", place=army.place))
        battle.rescues.append(Rescue(fleet=fleet.key, army=army.key, lost=_counts(army.counts())))
    else:
        room = {host.key: max(0, cargo_room(field, host)) for host in hosts}
        needed = weight(army, field.rules)
        host = next((host for host in hosts if room[host.key] >= needed), None)
        host = host or max(hosts, key=lambda each: room[each.key])
        drowned = surplus(field.rules, [army], needed - room[host.key], host.realm)
        _takes_aboard(battle, fleet, army, host, drowned[0][1] if drowned else {})


def _takes_aboard(battle: Battle, fleet: Unit, army: Unit, host: Unit, drowned: dict[str, int]) -> None:
    field = battle.field
    for troop, count in drowned.items():
        army, _ = army.take(troop, count)
    field.lose(army, "lost", drowned)
    if army.empty:
        field.put(army)
        field.plans.drop(army, refuse("lost-at-sea", place=army.place))
        field.emit(ArmyLostAtSea(realm=army.realm, unit=army.key, place=army.place))
    else:
        field.put(army.evolve(aboard=host.key))
        field.emit(ArmyTakenAboard(realm=army.realm, unit=army.key, fleet=host.key, place=army.place))
    to, saved = "" if army.empty else host.key, _counts(army.counts())
    battle.rescues.append(Rescue(fleet=fleet.key, army=army.key, to=to, saved=saved, lost=_counts(drowned)))


def _counts(troops: Mapping[str, int]) -> tuple[TroopCount, ...]:
    return tuple(TroopCount(troop=troop, count=count) for troop, count in troops.items())


def _fleets_there(field: Field, lost: Unit, realm: str) -> list[Unit]:
    """A realm's fleets with ships in the place of the lost one."""
    return [unit for unit in field.at(lost.place) if unit.realm == realm and has_ships(unit)]


def lose_army(field: Field, army: Unit, why: Refusal) -> None:
    """An army that nothing carries any more: everybody in it is lost, its plan is over."""
    field.lose(army, "lost", army.counts(), army.commander_names)
    field.put(army.evolve(troops={}, commanders=(), leader=None))
    field.mark(army.key, spent=True)
    field.emit(ArmyLostAtSea(realm=army.realm, unit=army.key, place=army.place))
    field.plans.drop(army, why)


def put_ashore(field: Field, army: Unit) -> None:
    """Land an army where its fleet is docked; as after any landing its move-points are used (P7)."""
    fleet = str(army.aboard)
    field.put(army.evolve(aboard=None))
    field.mark(army.key, spent=True, landed=True)
    field.emit(ArmyPutAshore(realm=army.realm, unit=army.key, fleet=fleet, place=army.place))


def idle_mutineers_lost(field: Field, sea: str) -> None:
    """Guests of an enemy's fleet whose realm has nobody in this sea to fight for them are lost without a battle (M6.1).
    The guests of a realm are judged together, with its fleets there: those who cannot fight share the battle's
    outcome."""
    here = field.at(sea)
    fighting = {unit.realm for unit in (*mutineers(field, here), *filter(has_ships, here))}
    for army in here:
        if is_mutineer(field, army) and army.realm not in fighting:
            lose_army(field, army, refuse("lost-as-mutineers", place=sea))


def mutineers_left(battle: Battle) -> None:
    """The guests of a host who has won are lost with all who could not fight, machines and commanders (M6.1)."""
    field = battle.field
    if battle.drawn:
        return
    for contingent in battle.contingents:
        for army in field.cargo(field.unit(contingent.key)) if contingent.role is Role.FLEET else ():
            if is_mutineer(field, army):
                lose_army(field, army, refuse("lost-as-mutineers", place=army.place))
