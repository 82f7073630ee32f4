"""What has no room aboard any more: to another fleet, ashore, or overboard (M7)."""

from __future__ import annotations

from gm.core.events import Event
from gm.core.pipeline import step
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.movement import CargoMoved, CargoOverboard, CargoPutAshore, TroopsLeftWithoutUnit
from gm.games.medieval.state import Ranks, Unit, UnitKind
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.state.strength import ships, storage, weight
from gm.games.medieval.steps.forming import commanders_changed, set_apart, troops_changed
from gm.games.medieval.steps.turn import Outcome, Turn


@step("Fleet Storage Checked", "M7", "M1")
def fleet_storage_checked(turn: Turn) -> Outcome:
    """Fleets that carry more than they can lose the surplus; in port it goes ashore where its realm may be.

    Reads: fleets, armies aboard. Writes: armies. Emits: CargoMoved, CargoPutAshore, CargoOverboard, the ledger.
    """
    draft = Draft(turn.state)
    events: list[Event] = []
    laden = dict.fromkeys(unit.aboard for unit in turn.state.units.values() if unit.aboard)
    for key in turn.state.units:
        if key in laden:
            events += settle_cargo(draft, turn.rules, draft.unit(key), turn.phase)
    return Outcome(draft.finish(), tuple(events))


def settle_cargo(draft: Draft, rules: Rules, fleet: Unit, phase: int) -> tuple[Event, ...]:
    """Make what is aboard ``fleet`` fit: see M7. Commanders weigh nothing, but do not stay on a fleet without ships."""
    events: list[Event] = []
    for army, taken in _surplus(draft, rules, fleet):
        if _may_go_ashore(draft, army, fleet):
            events += _ashore(draft, rules, fleet, army, taken, phase)
            continue
        left = dict(taken)
        for other in _own_fleets_there(draft, rules, fleet):
            fits = _fitting(rules, left, _room(draft, rules, other))
            if fits:
                left = {name: count - fits.get(name, 0) for name, count in left.items()}
                left = {name: count for name, count in left.items() if count}
                events += _over_to(draft, rules, fleet, draft.unit(army.key), fits, other)
        if left:
            events += _overboard(draft, fleet, draft.unit(army.key), left)
    if not ships(fleet, rules):
        events += abandon_fleet(draft, rules, fleet, phase)
    return tuple(events)


def leave_vanishing_fleet(draft: Draft, rules: Rules, fleet: Unit, phase: int) -> tuple[Event, ...]:
    """Get everybody off a fleet without ships that is about to vanish: as at M7, else they are lost with it.

    What M7 leaves aboard are commanders, whom it never throws overboard.
    """
    events = list(settle_cargo(draft, rules, fleet, phase))
    for army in draft.cargo(fleet):
        draft.remove(army.key)
        names = [commander.name for commander in army.commanders]
        if names:  # else it was empty already: nobody is lost
            events.append(TroopsLeftWithoutUnit(realm=army.realm, place=army.place, troops={}, commanders=tuple(names)))
            events += commanders_changed(army, names, "lost", gained=False)
    return tuple(events)


def abandon_fleet(draft: Draft, rules: Rules, fleet: Unit, phase: int) -> tuple[Event, ...]:
    """Commanders whose troops are gone leave a fleet without ships: ashore in port, at sea for an own fleet there."""
    events: list[Event] = []
    docked = fleet.place in draft.start.provinces
    for army in draft.cargo(fleet):
        if army.empty:
            continue
        others = _own_fleets_there(draft, rules, fleet)
        if docked:
            events += _ashore(draft, rules, fleet, army, _all(army), phase)
        elif others:
            events += _over_to(draft, rules, fleet, army, _all(army), others[0])
    return tuple(events)


def _surplus(draft: Draft, rules: Rules, fleet: Unit) -> list[tuple[Unit, dict[str, int]]]:
    """What is too much, army by army: foreign troops first, then own, heaviest first, then cheapest."""
    too_much = sum(weight(army, rules) for army in draft.cargo(fleet)) - storage(fleet, rules)
    if too_much <= 0:
        return []
    aboard = [(army, name) for army in draft.cargo(fleet) for name in army.troops]
    aboard.sort(
        key=lambda each: (
            each[0].realm == fleet.realm,
            -rules.troops[each[1]].weight,
            rules.troops[each[1]].cost,
            each[1],
            each[0].order,
        )
    )
    found: dict[str, tuple[Unit, dict[str, int]]] = {}
    for army, name in aboard:
        heavy = rules.troops[name].weight
        if too_much <= 0:
            break
        if heavy <= 0:
            continue
        count = min(army.count(name), -(-too_much // heavy))
        too_much -= count * heavy
        found.setdefault(army.key, (army, {}))[1][name] = count
    return list(found.values())


def _room(draft: Draft, rules: Rules, fleet: Unit) -> int:
    return storage(fleet, rules) - sum(weight(army, rules) for army in draft.cargo(fleet))


def _own_fleets_there(draft: Draft, rules: Rules, fleet: Unit) -> list[Unit]:
    """The realm's other fleets with ships at the same place."""
    return [
        unit
        for unit in draft.at(fleet.place)
        if unit.is_fleet and unit.realm == fleet.realm and unit.key != fleet.key and ships(unit, rules)
    ]


def _fitting(rules: Rules, troops: dict[str, int], room: int) -> dict[str, int]:
    """As many of the troops as there is room for, in their order."""
    fits: dict[str, int] = {}
    for name, count in troops.items():
        heavy = rules.troops[name].weight
        fitting = max(0, min(count, room // heavy))
        if fitting:
            fits[name] = fitting
            room -= fitting * heavy
    return fits


def _may_go_ashore(draft: Draft, army: Unit, fleet: Unit) -> bool:
    return fleet.place in draft.start.provinces and draft.start.has_permission(army.realm, fleet.place)


def _all(army: Unit) -> dict[str, int]:
    return {name: army.count(name) for name in army.troops}


def _part(
    draft: Draft, rules: Rules, army: Unit, troops: dict[str, int], aboard: str | None
) -> tuple[Unit | None, tuple[Event, ...]]:
    """The troops as a unit of their own: the army itself with its commanders, when it is all of it, else a new one."""
    if troops == _all(army):
        army = army.evolve(aboard=aboard)
        draft.put(army)
        return army, ()
    ranks: dict[str, Ranks] = {name: army.take(name, count)[1] for name, count in troops.items()}
    return set_apart(draft, rules, army, UnitKind.ARMY, ranks, aboard=aboard)


def _commanders_too(army: Unit, troops: dict[str, int]) -> tuple[str, ...]:
    """The commanders who go along, when all of the army's troops go."""
    return tuple(commander.name for commander in army.commanders) if troops == _all(army) else ()


def _ashore(
    draft: Draft, rules: Rules, fleet: Unit, army: Unit, troops: dict[str, int], phase: int
) -> tuple[Event, ...]:
    commanders = _commanders_too(army, troops)
    unit, lost = _part(draft, rules, army, troops, None)
    if unit is None:
        return lost
    # as after any landing: no move-points left, no way back to the ships (P7, B9.1)
    invasion = draft.start.is_enemy_land(army.realm, fleet.place)
    draft.mark(unit, spent=True, landed=True, landed_phase=phase if invasion else 0, came_from=None, marched_phase=0)
    return (
        CargoPutAshore(
            realm=army.realm,
            army=army.key,
            fleet=fleet.key,
            other=unit.key,
            place=fleet.place,
            troops=troops,
            commanders=commanders,
        ),
    )


def _over_to(
    draft: Draft, rules: Rules, fleet: Unit, army: Unit, troops: dict[str, int], other: Unit
) -> tuple[Event, ...]:
    commanders = _commanders_too(army, troops)
    unit, lost = _part(draft, rules, army, troops, other.key)
    if unit is None:
        return lost
    return (
        CargoMoved(
            realm=army.realm,
            army=army.key,
            fleet=fleet.key,
            other=other.key,
            place=fleet.place,
            troops=troops,
            commanders=commanders,
        ),
    )


def _overboard(draft: Draft, fleet: Unit, army: Unit, troops: dict[str, int]) -> tuple[Event, ...]:
    reduced = army
    for name, count in troops.items():
        reduced, _ = reduced.take(name, count)
    draft.put(reduced)
    report = CargoOverboard(realm=army.realm, army=army.key, fleet=fleet.key, place=fleet.place, troops=troops)
    return (report, *troops_changed(army, troops, "overboard", gained=False))
