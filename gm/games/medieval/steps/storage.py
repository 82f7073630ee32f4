"""What has no room aboard any more: to another fleet, ashore, or overboard (M7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.movement import CargoMoved, CargoOverboard, CargoPutAshore, TroopsLeftWithoutUnit
from gm.games.medieval.state import Unit, UnitKind
from gm.games.medieval.state.strength import ships, storage, weight
from gm.games.medieval.steps.loading import mark_landed
from gm.games.medieval.steps.units import set_apart
from gm.games.medieval.steps.workspace import Workspace, step


@step("Fleet Storage Checked", "M7", "M1")
def fleet_storage_checked(work: Workspace) -> None:
    """Fleets that carry more than they can lose the surplus; in port it goes ashore where its realm may be.
    Reads: fleets, armies aboard. Writes: armies. Emits: CargoMoved, CargoPutAshore, CargoOverboard, the ledger."""
    laden = {unit.aboard for unit in work.world.units.values() if unit.aboard}
    for key in work.world.units:
        if key in laden:
            settle_cargo(work, work.unit(key))


def settle_cargo(work: Workspace, fleet: Unit) -> None:
    """Make what is aboard ``fleet`` fit: see M7. Commanders weigh nothing, but do not stay on a fleet without ships."""
    for army, taken in surplus(work.rules, work.cargo(fleet), -cargo_room(work, fleet), fleet.realm):
        if fleet.place in work.world.provinces and work.world.has_permission(army.realm, fleet.place):
            _moved(work, fleet, army, taken)
            continue
        left = dict(taken)
        for other in _own_fleets_there(work, fleet):
            fits = dict(_fitting(work.rules, left, cargo_room(work, other)))
            if fits:
                left = {name: count - fits.get(name, 0) for name, count in left.items() if count > fits.get(name, 0)}
                _moved(work, fleet, work.unit(army.key), fits, other)
        if left:
            overboard = work.unit(army.key)
            for name, count in left.items():
                overboard, _ = overboard.take(name, count)
            work.put(overboard)
            lost = CargoOverboard(realm=army.realm, army=army.key, fleet=fleet.key, place=fleet.place, troops=left)
            work.emit(lost)
            work.lose(army, "overboard", left)
    if not ships(fleet, work.rules):
        _abandon_fleet(work, fleet)


def leave_vanishing_fleet(work: Workspace, fleet: Unit) -> None:
    """Get everybody off a fleet that is about to vanish, as at M7; commanders, whom M7 leaves aboard, are lost with
    it."""
    settle_cargo(work, fleet)
    for army in work.cargo(fleet):
        work.remove(army.key)
        if names := army.commander_names:  # else it was empty already: nobody is lost
            work.emit(TroopsLeftWithoutUnit(realm=army.realm, place=army.place, troops={}, commanders=names))
            work.lose(army, "lost", who=names)


def _abandon_fleet(work: Workspace, fleet: Unit) -> None:
    """Commanders whose troops are gone leave a fleet without ships: ashore in port, at sea for an own fleet there."""
    for army in work.cargo(fleet):
        others = _own_fleets_there(work, fleet)
        if army.empty:
            continue
        if fleet.place in work.world.provinces:
            _moved(work, fleet, army, army.counts())
        elif others:
            _moved(work, fleet, army, army.counts(), others[0])


def surplus(rules: Rules, armies: Iterable[Unit], too_much: int, host: str) -> list[tuple[Unit, dict[str, int]]]:
    """What is too much, army by army: troops foreign to ``host`` first, then own, heaviest first, then cheapest."""
    aboard = [(army, rules.troops[name]) for army in armies for name in army.troops]
    aboard.sort(key=lambda each: (each[0].realm == host, -each[1].weight, each[1].cost, each[1].name, each[0].order))
    found: dict[str, tuple[Unit, dict[str, int]]] = {}
    for army, troop in aboard:
        if too_much > 0 and troop.weight > 0:
            count = min(army.count(troop.name), -(-too_much // troop.weight))
            too_much -= count * troop.weight
            found.setdefault(army.key, (army, {}))[1][troop.name] = count
    return list(found.values())


def cargo_room(work: Workspace, fleet: Unit) -> int:
    """The weight that the fleet could carry besides what is aboard; below 0 when that is too much already."""
    return storage(fleet, work.rules) - sum(weight(army, work.rules) for army in work.cargo(fleet))


def _own_fleets_there(work: Workspace, fleet: Unit) -> list[Unit]:
    return [
        unit
        for unit in work.at(fleet.place)
        if unit.is_fleet and unit.realm == fleet.realm and unit.key != fleet.key and ships(unit, work.rules)
    ]


def _fitting(rules: Rules, troops: dict[str, int], room: int) -> Iterator[tuple[str, int]]:
    for name, count in troops.items():
        heavy = rules.troops[name].weight
        fitting = max(0, min(count, room // heavy))
        if fitting:
            yield name, fitting
            room -= fitting * heavy


def _moved(work: Workspace, fleet: Unit, army: Unit, troops: dict[str, int], to: Unit | None = None) -> None:
    """Troops leave a fleet for another, or go ashore: all of an army as itself, else as a new one unless it is lost."""
    aboard, whole = to.key if to else None, troops == army.counts()
    if whole:
        work.put(army.evolve(aboard=aboard))
        unit: Unit | None = work.unit(army.key)
    else:
        ranks = {name: army.take(name, count)[1] for name, count in troops.items()}
        unit = set_apart(work, army, UnitKind.ARMY, ranks, aboard=aboard)
    if unit is None:
        return
    if to is None:
        mark_landed(work, unit, work.world.is_enemy_land(army.realm, fleet.place))
    what: dict[str, Any] = {"troops": troops, "commanders": army.commander_names if whole else (), "place": fleet.place}
    moved = CargoMoved if to else CargoPutAshore
    work.emit(moved(realm=army.realm, army=army.key, fleet=fleet.key, other=(to or unit).key, **what))
