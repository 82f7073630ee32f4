"""Armies go aboard (M2, M3) and ashore: with permission they land, on enemy land they fight (M8)."""

import msgspec

from gm.core.values import Record
from gm.games.medieval.events import movement
from gm.games.medieval.orders.model import Board, Load, Unload
from gm.games.medieval.state import Unit, World
from gm.games.medieval.state.strength import ships, storage, total_combat, weight
from gm.games.medieval.steps.movement import why_no_way
from gm.games.medieval.steps.outcomes import Refusal, refuse
from gm.games.medieval.steps.turn import Workspace, step

CERTAIN = 100  # percent: the most that a chance of landing can be (M8)


@step("Armies Prepare To Board Foreign Fleets", "M2", "P7")
def armies_prepare_to_board(work: Workspace) -> None:
    """Let an army name the realm whose fleet may load it this turn; it marches no more.

    Reads: plans, armies. Writes: their progress. Emits: ArmyReadyToBoard, outcomes.
    """
    for unit in work.acting(Board):
        for index, entry in work.at_head(unit, Board):
            refusal = why_not_board(work.world, unit, entry.other)
            work.plans.settle(unit, index, refusal)
            if refusal is None:
                work.set_progress(unit, boards=entry.other, spent=True)
                ready = movement.ArmyReadyToBoard(
                    realm=unit.realm, army=unit.key, host=entry.other, place=unit.place
                )
                work.emit(ready)


def why_not_board(world: World, unit: Unit, host: str) -> Refusal | None:
    """Return why a unit cannot prepare to board (M2); None if it can.

    Only armies can, for the fleets of another realm (``host``) that is no enemy.
    """
    if not unit.is_army:
        return refuse("only-armies-board")
    if host == unit.realm or host not in world.realms:
        return refuse("board-foreign-realm", realm=host)
    return refuse("board-enemy-fleet", realm=host) if world.at_war(unit.realm, host) else None


@step("Fleets Load Armies", "M3", "M8.1", "P7")
def fleets_load_armies(work: Workspace) -> None:
    """Load armies aboard fleets, from where they are docked or over an open coast; no harbour needed.

    Reads: plans, units, rules.movement. Writes: armies (aboard, move-points gone), fleets' progress. Emits:
    ArmyLoaded, outcomes.
    """
    for fleet in work.acting(Load):
        progress_before = work.world.done(fleet)
        has_loaded = False
        for index, entry in work.at_head(fleet, Load):
            refusals = []
            for reference in entry.armies:
                army = work.get(_key(fleet, reference))
                refusal = why_not_load(work, fleet, army) if army else refuse("no-such-army", army=reference)
                if refusal is not None or army is None:
                    refusals.append(refusal)
                    continue
                has_loaded = True
                work.put(army.evolve(aboard=fleet.key, place=fleet.place))
                work.set_progress(army, spent=True)
                work.emit(
                    movement.ArmyLoaded(
                        realm=army.realm, army=army.key, fleet=fleet.key, place=army.place, sea=fleet.place
                    )
                )
            # counts only if there are refusals: then some of the armies are aboard
            reduced = len(refusals) < len(entry.armies)
            work.plans.settle(fleet, index, refusals[0] if refusals else None, reduced=reduced)
        # counted once, however many entries have loaded armies
        if has_loaded and progress_before.unloads:
            work.set_progress(fleet, loads_after_unload=progress_before.loads_after_unload + 1)


def _key(fleet: Unit, reference: str) -> str:
    """Return the key of an army in a fleet's plan: named by its key, or by its id in the fleet's realm."""
    return reference if "/" in reference else f"{fleet.realm}/{reference}"


def why_not_load(work: Workspace, fleet: Unit, army: Unit) -> Refusal | None:
    """Return why a fleet cannot take an army aboard now (M3, M8.1); None if it can."""
    if not fleet.is_fleet:
        return refuse("only-fleets-load")
    if not army.is_army:
        return refuse("no-such-army", army=army.key)
    if work.done(fleet).loads_after_unload:
        return refuse("loaded-after-unloading", army=army.key)
    if not ships(fleet, work.rules):
        return refuse("fleet-without-ships", fleet=fleet.key)
    return _why_not_aboard(work, fleet, army) or _why_no_way_aboard(work, fleet, army)


def _why_not_aboard(work: Workspace, fleet: Unit, army: Unit) -> Refusal | None:
    """Return why an army cannot be loaded, whatever its place and weight; None if it can."""
    progress = work.done(army)
    if army.aboard:
        return refuse("army-already-aboard", army=army.key, fleet=army.aboard)
    if progress.retreated:
        return refuse("army-retreated", army=army.key)
    if army.empty:
        return refuse("army-empty", army=army.key)
    if work.world.at_war(fleet.realm, army.realm):
        return refuse("army-of-enemy", army=army.key, realm=army.realm)
    prepared = army.realm == fleet.realm or progress.boards == fleet.realm
    return None if prepared else refuse("army-not-prepared", army=army.key)


def _why_no_way_aboard(work: Workspace, fleet: Unit, army: Unit) -> Refusal | None:
    """Return why an army cannot get aboard from its place, or is too heavy; None if neither."""
    if army.place != fleet.place:
        if not work.board.graph.borders(fleet.place, army.place) or not work.board.is_sea(fleet.place):
            return refuse("army-out-of-reach", army=army.key, place=army.place)
        closed = why_no_way(work.board, army.place, fleet.place)
        if closed:
            return closed
    needs = weight(army, work.rules)
    has = storage(fleet, work.rules)
    percent = work.rules.movement.load_weight_percent
    if needs * 100 > has * percent:
        return refuse("army-too-heavy", army=army.key, needs=needs, has=has, percent=percent)
    return None


class _Entry(msgspec.Struct):
    """An unload entry of a plan while it is carried out."""

    fleet: Unit
    index: int  # in the fleet's plan
    armies: int  # how many it names
    refusals: list[Refusal] = []  # why some of them stay aboard


class _Landing(Record):
    """A landing of an army that an entry orders; ``invasion``: whether ``place`` is enemy land."""

    army: Unit
    place: str
    invasion: bool
    entry: _Entry


@step("All Armies Unloaded Onto Provinces", "M8", "M8.1", "P7")
def armies_unloaded(work: Workspace) -> None:
    """Put armies ashore; dice decide about landings on enemy land, by realm or by province (M8).

    Reads: plans, fleets, armies aboard, provinces, rules.movement. Writes: armies' places, move-points of
    both. Emits: LandingSucceeded, LandingFailed, ArmyUnloaded, outcomes.
    """
    entries, landings = _landings(work)
    failed_chances = _roll_for_landings(work, landings)
    fleets_unloaded: dict[str, None] = {}  # their keys, each once
    for landing in landings:
        army = landing.army
        place = landing.place
        chance = failed_chances.get((army.realm, place))
        if chance is not None:
            refusal = refuse("landing-failed", army=army.key, place=place, chance=chance)
            landing.entry.refusals.append(refusal)
            continue
        fleet = landing.entry.fleet.key
        fleets_unloaded[fleet] = None
        work.put(army.evolve(aboard=None, place=place))
        mark_landed(work, army, invasion=landing.invasion)
        work.emit(
            movement.ArmyUnloaded(
                realm=army.realm, army=army.key, fleet=fleet, place=place, invasion=landing.invasion
            )
        )
    for key in fleets_unloaded:
        work.set_progress(key, spent=True, unloads=work.done(key).unloads + 1)
    for entry in entries:
        first_refusal = entry.refusals[0] if entry.refusals else None
        reduced = 0 < len(entry.refusals) < entry.armies
        work.plans.settle(entry.fleet, entry.index, first_refusal, reduced=reduced)


def mark_landed(work: Workspace, army: Unit, *, invasion: bool) -> None:
    """Record that an army has landed: it has no move-points left, and no way back to where it was (P7, B9.1).

    ``invasion``: whether it landed on enemy land.
    """
    phase = work.phase if invasion else 0  # in the phase of an invasion the troops fight worse (B5.2)
    work.set_progress(army, spent=True, landed=True, landed_phase=phase, came_from=None, marched_phase=0)


def _landings(work: Workspace) -> tuple[list[_Entry], list[_Landing]]:
    """Return every unload entry that comes next in a plan, and the landings in them that are possible.

    No rolls are made here. Each entry has the refusals of the other landings that it orders.
    """
    world = work.world
    entries: list[_Entry] = []
    landings: list[_Landing] = []
    for fleet in work.acting(Unload):
        armies_named: set[str] = set()  # keys
        for index, order in work.at_head(fleet, Unload):
            entry = _Entry(fleet, index, len(order.landings))
            entries.append(entry)
            for reference, place in order.landings.items():
                army = world.units.get(_key(fleet, reference))
                refusal = why_not_unload(work, fleet, army, reference, place)
                if refusal is None and army is not None and army.key in armies_named:
                    refusal = refuse("army-unloaded-twice", army=army.key)
                if refusal is None and army is not None:
                    armies_named.add(army.key)
                    landings.append(_Landing(army, place, world.is_enemy_land(army.realm, place), entry))
                elif refusal is not None:
                    entry.refusals.append(refusal)
    return entries, landings


def why_not_unload(
    work: Workspace, fleet: Unit, army: Unit | None, reference: str, place: str
) -> Refusal | None:
    """Return why a fleet cannot put an army ashore in a province (M8, M8.1); None if it can.

    On enemy land it can try, and a roll decides. ``army``: None if there is none of this ``reference``.
    """
    world = work.world
    board = work.board
    if not fleet.is_fleet:
        return refuse("only-fleets-unload")
    if army is None or army.aboard != fleet.key:
        return refuse("army-not-aboard", army=army.key if army else reference, fleet=fleet.key)
    if work.done(fleet).unloads > 1:  # it has unloaded in two phases already
        return refuse("unloaded-enough", fleet=fleet.key)
    if board.is_sea(place):
        return refuse("unload-into-sea", place=place)
    if place != fleet.place:
        if not board.is_sea(fleet.place):
            return refuse("docked-elsewhere", place=place, other=fleet.place)
        closed = why_no_way(board, fleet.place, place)
        if closed:
            return closed
    if world.has_permission(army.realm, place) or world.is_enemy_land(army.realm, place):
        return None
    owner = world.provinces[place].owner
    if army.realm != fleet.realm:
        return refuse("guest-not-permitted", place=place, realm=owner, guest=army.realm)
    return refuse("no-permission-to-enter", place=place, realm=owner)


def _roll_for_landings(work: Workspace, landings: list[_Landing]) -> dict[tuple[str, str], int]:
    """Roll for all landings on enemy land, and emit how they went (M8).

    Return the chance in percent of each that failed, by (realm, place).
    """
    combat: dict[tuple[str, str], int] = {}  # by (realm, place)
    for landing in landings:
        if landing.invasion:
            army = landing.army
            where = (army.realm, landing.place)
            # commanders do not count (M8)
            combat[where] = combat.get(where, 0) + total_combat(army, work.rules, commanders=False)
    if work.rules.movement.landing_counts == "province":
        return _roll_by_province(work, combat)
    return _roll_by_realm(work, combat)


def _roll_by_realm(work: Workspace, combat: dict[tuple[str, str], int]) -> dict[tuple[str, str], int]:
    """Roll once for each realm, with all that it lands on enemy land, and emit how it went at each place.

    Return the chances in percent of failed landings; they and ``combat`` are by (realm, place).
    """
    failed: dict[tuple[str, str], int] = {}
    order = work.board.place_order
    for realm in sorted({realm for realm, _ in combat}):
        combat_of_place = {place: figure for (lander, place), figure in combat.items() if lander == realm}
        places = sorted(combat_of_place, key=order.__getitem__)
        chance = min(sum(combat_of_place.values()), CERTAIN)
        succeeds = work.turn.dice(realm, "lands").percent(chance)
        event = movement.LandingSucceeded if succeeds else movement.LandingFailed
        for place in places:
            other_places = tuple(other for other in places if other != place)
            work.emit(event(realm=realm, place=place, chance=chance, others=other_places))
            if not succeeds:
                failed[realm, place] = chance
    return failed


def _roll_by_province(work: Workspace, combat: dict[tuple[str, str], int]) -> dict[tuple[str, str], int]:
    """Roll for each realm and enemy province, with all that lands there, and emit how it went.

    Return the chances in percent of failed landings; they and ``combat`` are by (realm, place).
    """
    failed: dict[tuple[str, str], int] = {}
    order = work.board.place_order
    for realm, place in sorted(combat, key=lambda where: (order[where[1]], where[0])):
        chance = min(combat[realm, place], CERTAIN)
        succeeds = work.turn.dice(place, f"{realm} lands").percent(chance)
        event = movement.LandingSucceeded if succeeds else movement.LandingFailed
        work.emit(event(realm=realm, place=place, chance=chance))
        if not succeeds:
            failed[realm, place] = chance
    return failed
