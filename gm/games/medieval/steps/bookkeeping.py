"""Steps before, between and after the rulebook's events: they keep the turn's progress and settle plans."""

from gm.games.medieval.orders.model import PlanEntry, Transfer
from gm.games.medieval.state import (
    ProvinceProgress,
    TurnProgress,
    Unit,
    UnitKind,
    UnitProgress,
    World,
    unit_key,
)
from gm.games.medieval.steps.administration import settle_leaders
from gm.games.medieval.steps.movement import find_homeless
from gm.games.medieval.steps.outcomes import Refusal, refuse
from gm.games.medieval.steps.transfers import leave_vanishing_fleet, receiver_of, why_not_transfer
from gm.games.medieval.steps.turn import MOVES, Plans, Workspace, sheets, step
from gm.games.medieval.steps.units import needs_garrison


@step("Turn Opens", "W9")
def turn_opens(work: Workspace) -> None:
    """Start the turn's progress with the present owners and relations; record the commanders' names (L5)."""
    world = work.world
    serving = {commander.name for unit in world.units.values() for commander in unit.commanders}
    if not serving <= world.commander_names:
        work.change(commander_names=world.commander_names | serving)
    owners = {name: land.owner for name, land in world.provinces.items()}
    provinces = {
        name: ProvinceProgress(owner_at_start=code, owner_last_phase=code) for name, code in owners.items()
    }
    units = dict.fromkeys(world.units, UnitProgress())
    progress = TurnProgress(units=units, provinces=provinces, wars=world.wars, alliances=world.alliances)
    work.change(progress=progress)


@step("Phase Opens", "M0", "M5", "O5.1", "P7")
def phase_opens(work: Workspace) -> None:
    """Record each province's owner at the end of the previous phase (P7, B2, B3); end plans of removed units.

    A plan under a province's name waits for the garrison that may yet be won there (O5, O8). Before phase 1
    also end the movement of plans in which an entry was not understood (O5.1), and record the fleets that the
    time since the last turn has made homeless (M5).
    """
    world = work.world
    for province, progress in world.progress.provinces.items():
        if progress.owner_last_phase != world.provinces[province].owner:
            work.mark_province(province, owner_last_phase=world.provinces[province].owner)
    for plan_name in work.plans.names():
        realm, _, reference = plan_name.partition("/")
        if world.unit(realm, reference) is None and reference not in world.provinces:
            existed = plan_name in world.progress.units  # a plan by a unit's id is named like the unit's key
            work.plans.drop(plan_name, refuse("unit-gone" if existed else "no-such-unit", unit=reference))
    if work.phase == 1:
        _cut_plans(work)
        find_homeless(work, phase=0)


def _cut_plans(work: Workspace) -> None:
    """Settle as failed the moves in a plan after an entry that was not understood (O5.1)."""
    for realm, sheet in sheets(work.turn):
        for reference, entries_understood in sheet.cut.items():
            plan_name = f"{realm}/{reference}"
            for index, entry in work.plans.left(plan_name):
                if index >= entries_understood and isinstance(entry, MOVES):
                    work.plans.settle(plan_name, index, refuse("entry-not-understood"))


def something_left_to_do(world: World, plans: Plans) -> bool:
    """Return whether a unit has something left to do in another phase (M0).

    Waiting transfers alone do not count (O6), nor plans of armies aboard, which wait for their fleet, or of
    units that retreated. A homeless fleet has to flee (M5).
    """
    if any(
        progress.homeless_phase is not None and key in world.units
        for key, progress in world.progress.units.items()
    ):
        return True
    moving = (unit for unit in plans.with_plans(world) if not unit.aboard and not world.done(unit).retreated)
    return any(not isinstance(entry, Transfer) for unit in moving for _, entry in plans.left(unit))


@step("Movement Events End", "O2", "O6")
def movement_ends(work: Workspace) -> None:
    """Settle the entries left of every plan as failed, with the obstacle."""
    for plan_name in work.plans.names():
        realm, _, reference = plan_name.partition("/")
        unit = work.world.unit(realm, reference)
        for index, entry in work.plans.left(plan_name):
            why = _why_left(work, unit, entry) if unit is not None else _why_nobody(work, realm, reference)
            work.plans.settle(plan_name, index, why)


def _why_nobody(work: Workspace, realm: str, reference: str) -> Refusal:
    """Return why no unit carries out a plan: its unit is gone, or the realm has no garrison in the province.

    ``reference``: the unit's id, or the garrison's province. A garrison may have been lost, or never have
    been there.
    """
    progress = work.world.progress.provinces.get(reference)
    if progress is None:
        return refuse("unit-gone", unit=reference)
    lost = progress.owner_at_start == realm and needs_garrison(work.world.provinces[reference], work.board)
    return refuse("province-lost" if lost else "no-garrison", place=reference)


def _why_left(work: Workspace, unit: Unit, entry: PlanEntry) -> Refusal:
    """Return why a unit did not come to an entry of its plan."""
    if work.done(unit).retreated:
        return refuse("unit-retreated", unit=unit.key)
    if isinstance(entry, Transfer):
        receiver = receiver_of(work, unit, entry.receiver)
        return why_not_transfer(work.world, unit, receiver, entry.receiver) or refuse("never-reached")
    return refuse("aboard-fleet", fleet=unit.aboard) if unit.aboard else refuse("never-reached")


@step("Turn Closes", "W6.1", "F7")
def turn_closes(work: Workspace) -> None:
    """Remove empty armies and fleets, free their numbers, and clear the turn's progress.

    Armies aboard a fleet that is removed leave it as at M7, or are lost with it. Units whose chosen leader
    has not come have no leader, and units whose followed unit is removed follow none (F7).
    """
    settle_leaders(work, work.events, last=True)
    for fleet in work.world.of_kind(UnitKind.FLEET):
        if fleet.empty:
            leave_vanishing_fleet(work, fleet)
    # not ``work.world``: that is as the step found it, before cargo left its fleets
    world = work.finish()
    removed = {key for key, unit in world.units.items() if unit.empty and not unit.is_garrison}
    for key, unit in world.units.items():
        followed = None if unit.follow is None else world.units.get(unit_key(unit.realm, unit.follow))
        follow = None if followed is None or followed.key in removed else unit.follow
        leader = unit.leader if unit.lead_commander is not None else None
        if key in removed:
            work.remove(key)
        elif follow != unit.follow or leader != unit.leader:
            work.put(unit.evolve(follow=follow, leader=leader))
    work.change(turn=work.turn.number, progress=TurnProgress())
