"""Battles (M6, M11, M12), and provinces that change hands (M13, L12) or are pillaged (M14)."""

from collections.abc import Iterable, Iterator

from gm.core.dice import Dice
from gm.games.medieval.combat.battle import Field
from gm.games.medieval.combat.fight import fight
from gm.games.medieval.combat.retreats import idle_mutineers_lost, put_ashore
from gm.games.medieval.combat.setup import border_battle, is_mutineer, land_battle, sea_battle
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events import movement
from gm.games.medieval.orders.model import Pillage, Transfer
from gm.games.medieval.state import INDEPENDENTS, Unit, UnitKind, World
from gm.games.medieval.state.strength import enemy_troops_at, has_fighters, soldiers, total_combat
from gm.games.medieval.steps.economy import province_revenue
from gm.games.medieval.steps.movement import find_homeless
from gm.games.medieval.steps.outcomes import Refusal, refuse
from gm.games.medieval.steps.transfers import ABSENT, receiver_of, why_not_transfer
from gm.games.medieval.steps.turn import Workspace, step
from gm.games.medieval.steps.units import holds_ships, new_unit, settle_garrison, turn_out


@step("Sea Battles Are Fought", "M6", "M6.1", "B9.3", "B10", "B12", "B13", on=Field)
def sea_battles_fought(field: Field) -> None:
    """Fight where enemy fleets share a sea, sea by sea in map order, until no enemies do.

    A fleet that retreats into another sea with enemies fights again there. After a drawn battle its units do
    not fight among themselves in the same sea again. Armies aboard a fleet that is now an enemy's are put
    ashore if it is docked, and fight in this step if it is at sea.

    Reads: fleets, armies aboard, relations, the map. Writes: units, their progress, commanders' skills,
    plans. Emits: BattleFought, and its consequences (events/battle.py), OrderSettled.
    """
    fleets = field.world.of_kind(UnitKind.FLEET)
    armies = field.world.of_kind(UnitKind.ARMY)
    meeting = field.meeting_places([*fleets, *(army for army in armies if army.aboard is not None)])
    _mutineers_leave(field, meeting)
    order = field.board.place_order
    seas_left = [place for place in meeting if field.board.is_sea(place)]
    drawn_battles: list[tuple[str, frozenset[str]]] = []  # (sea, keys of the units)
    while seas_left:
        sea = seas_left.pop(0)
        battle = sea_battle(field, sea)
        if battle is None or any(
            sea == place and battle.by_key.keys() <= units for place, units in drawn_battles
        ):
            continue
        fight(battle)
        if battle.drawn:
            drawn_battles.append((sea, frozenset(battle.by_key)))
        refuges = {retreat.to for fought in battle.rounds for retreat in fought.retreats if retreat.to}
        seas_to_check = {place for place in (sea, *refuges) if field.board.is_sea(place)}
        seas_left = sorted({*seas_left, *seas_to_check}, key=order.__getitem__)


def _mutineers_leave(field: Field, places: Iterable[str]) -> None:
    """Put ashore the armies that are aboard enemies' fleets in port; at sea, lose those that cannot fight.

    They are mutineers (M6.1). ``places``: where such armies may be.
    """
    for place in places:
        if field.board.is_sea(place):
            idle_mutineers_lost(field, place)
            continue
        for unit in field.at(place):
            if is_mutineer(field, unit):
                put_ashore(field, unit)


@step("Cross-border Battles Are Fought", "M11", on=Field)
def cross_border_battles_fought(field: Field) -> None:
    """Fight the battles of armies at war that crossed one border in opposite directions.

    Borders are taken in map order.

    Reads: armies, where they came from, relations. Writes: units, their progress, commanders' skills, plans.
    Emits: BattleFought, and its consequences (events/battle.py), OrderSettled.
    """
    armies_at: dict[tuple[str, str], list[Unit]] = {}  # by border: who crossed it in this phase
    order = field.board.place_order
    for unit in field.world.of_kind(UnitKind.ARMY):
        progress = field.world.done(unit.key)
        if progress.marched_phase != field.phase or not progress.came_from:
            continue
        if not unit.aboard and not unit.empty:
            a, b = sorted((unit.place, progress.came_from), key=order.__getitem__)
            armies_at.setdefault((a, b), []).append(unit)
    for a, b in sorted(armies_at, key=lambda border: (order[border[0]], order[border[1]])):
        battle = border_battle(field, a, b, armies_at[a, b])
        if battle is not None:
            fight(battle)


@step("Land Battles Are Fought", "M12", "B2", "B3", "P7", on=Field)
def land_battles_fought(field: Field) -> None:
    """Fight where armies or garrisons at war are in one province, provinces in map order.

    Reads: armies, garrisons, relations, who owned the province before. Writes: units, their progress,
    commanders' skills, plans, fortification damage, the provinces' battle marks. Emits: BattleFought, and its
    consequences (events/battle.py), FortificationDamaged, OrderSettled.
    """
    armies = field.world.of_kind(UnitKind.ARMY)
    garrisons = field.world.of_kind(UnitKind.GARRISON)
    for place in field.meeting_places([unit for unit in (*armies, *garrisons) if not unit.empty]):
        if not field.board.is_sea(place):
            battle = land_battle(field, place)
            if battle is not None:
                fight(battle)


def hand_over(work: Workspace, province: str, owner: str) -> None:
    """Give a province to ``owner`` in peace (L12): a realm, or the independents when it is ceded.

    Annexation, fortification and harbour stay; special permissions of the old owner end. The troops of the
    old garrison form a new army and fleet of the old owner; this emits only what becomes of them, and the
    caller emits the change of owner.
    """
    garrison = work.garrison(province)
    if garrison is not None:
        turn_out(work, garrison)
    _new_owner(work, province, owner)
    settle_garrison(work, province)


def conquer(work: Workspace, province: str, conqueror: str) -> None:
    """Give a province to its conqueror, with harbour and ships as dice decide (M13.1).

    The caller deals with fleets that cannot stay docked in it any more (M5).
    """
    work.emit(
        movement.ProvinceConquered(realm=conqueror, former=work.province(province).owner, place=province)
    )
    _new_owner(work, province, conqueror)
    work.mark_province(province, conquered=True)
    land = work.province(province)
    percent = work.rules.movement.harbour_destroyed_percent
    if land.harbour and work.turn.dice(province, "harbour destroyed").percent(percent):
        work.put_province(land.evolve(harbour=False))
        work.emit(movement.HarbourDestroyed(place=province))
    old_garrison = work.garrison(province)
    captured: dict[str, int] = {}
    if old_garrison is not None:
        # there are at most ships in it: no soldier is left where a conqueror stands
        captured = _lose_ships(work, old_garrison)
    garrison = settle_garrison(work, province)
    if captured and old_garrison is not None:
        _win_ships(work, old_garrison, conqueror, garrison, captured)


def _new_owner(work: Workspace, province: str, owner: str) -> None:
    """Change a province's owner and end its special permissions.

    If it is annexed to the new owner, its ``turns_away`` are 0 again (L7).
    """
    land = work.province(province)
    turns_away = 0 if land.annexed_to == owner else land.turns_away
    work.put_province(
        land.evolve(owner=owner, permissions=frozenset(), turns_away=turns_away), changed_owner=True
    )


def _lose_ships(work: Workspace, garrison: Unit) -> dict[str, int]:
    """Empty a lost garrison: roll for each ship whether it is captured, and scuttle the others (M13.1).

    Returns the captured ships, by type.
    """
    captured: dict[str, int] = {}
    scuttled: dict[str, int] = {}
    rolls = work.turn.dice(garrison.place, "garrison ships captured")
    for name, count in garrison.counts().items():
        for _ in range(count):
            counts = captured if rolls.percent(work.rules.troops[name].capture_chance) else scuttled
            counts[name] = counts.get(name, 0) + 1
    work.put(garrison.with_troops({}))
    if scuttled:
        work.emit(movement.GarrisonShipsScuttled(realm=garrison.realm, place=garrison.place, troops=scuttled))
    work.lose(garrison, "scuttled", scuttled)
    work.lose(garrison, "captured", captured)
    return captured


def _win_ships(
    work: Workspace, old_garrison: Unit, conqueror: str, garrison: Unit | None, captured: dict[str, int]
) -> None:
    """Put captured ships into the new garrison, or into a fleet if it cannot hold ships (in rank 1, W6).

    ``captured``: by type. They are lost if no number is free for a new fleet and the conqueror has no fleet
    there.
    """
    place = old_garrison.place
    unit = garrison
    if unit is None or not holds_ships(work.province(place), work.board):
        unit = new_unit(work, conqueror, UnitKind.FLEET, place)
    if unit is None:
        return
    for name, count in captured.items():
        unit = unit.add(name, (count, 0, 0, 0, 0))
    work.put(unit)
    work.emit(
        movement.GarrisonShipsCaptured(
            realm=conqueror, former=old_garrison.realm, unit=unit.key, place=place, troops=captured
        )
    )
    work.gain(unit, "captured", captured)


@step("Province Ownership Changes", "M13", "M13.1", "M5", "W5")
def province_ownership_changes(work: Workspace) -> None:
    """Give a province to its largest invader, if strong enough, where no enemy of an invader is left.

    Reads: armies ashore, garrisons, relations, rules.movement. Writes: provinces, garrisons, homeless fleets.
    Emits: ProvinceConquered, ConquestTooWeak, the fate of harbour and ships, FleetHomeless, outcomes.
    """
    world = work.world
    lands = world.provinces
    ashore = (army for army in world.of_kind(UnitKind.ARMY) if not army.aboard)
    places_with_foreign_armies = {unit.place for unit in ashore if unit.realm != lands[unit.place].owner}
    for place in lands:
        if place not in places_with_foreign_armies:
            continue
        forces = invaders(world, work.rules, place)
        if not forces:
            continue
        realm = largest_invader(work.dice, place, forces)
        combat = forces[realm][1]
        needed = work.rules.movement.conquest_combat
        if combat < needed:
            if _is_news(work, realm, place):
                work.emit(movement.ConquestTooWeak(realm=realm, place=place, needs=needed, has=combat))
            continue
        garrison = world.garrison(place)
        if garrison is not None:
            # a plan under the garrison's id ends with it; one under the province's name counts for the next
            # garrison too (O8)
            work.plans.drop(garrison.key, refuse("province-lost", place=place))
        conquer(work, place, realm)
    find_homeless(work, work.phase)


def invaders(world: World, rules: Rules, place: str) -> dict[str, tuple[int, int]]:
    """Return the realms that could take a province, by code, with (soldiers and commanders, total combat).

    It is empty while a soldier or commander at war with one of them is there, also aboard a docked fleet
    (M13, W13).
    """
    forces: dict[str, tuple[int, int]] = {}
    units = world.at(place)
    realms = {unit.realm for unit in units}
    enemies = {realm for realm in realms if realm != INDEPENDENTS and world.is_enemy_land(realm, place)}
    if not enemies:
        return {}  # for speed: this is the case nearly everywhere
    fighters = [unit for unit in units if has_fighters(unit, rules)]
    for unit in fighters:
        if unit.realm in enemies and not unit.aboard:
            heads, combat = forces.get(unit.realm, (0, 0))
            heads += soldiers(unit, rules) + len(unit.commanders)
            forces[unit.realm] = (heads, combat + total_combat(unit, rules))
    present = {unit.realm for unit in fighters}
    return {} if any(world.hostile(realm, other, place) for realm in forces for other in present) else forces


def largest_invader(dice: Dice, place: str, forces: dict[str, tuple[int, int]]) -> str:
    """Return the invader with most soldiers and commanders (M13).

    Of equals it is the one with most total combat, then one drawn by lot. ``forces``: (soldiers and
    commanders, total combat) of each invader, by code.
    """
    largest = max(forces.values())
    realms = sorted(realm for realm, force in forces.items() if force == largest)
    return realms[0] if len(realms) == 1 else dice(place, "largest invader").choice(realms)


def _is_news(work: Workspace, realm: str, place: str) -> bool:
    """Return whether to report an invader that is too weak: in phase 1, and in those in which armies come."""
    progress_of_units = [work.world.done(unit) for unit in work.world.at(place) if unit.realm == realm]
    return work.phase == 1 or any(
        work.phase in (progress.marched_phase, progress.landed_phase) for progress in progress_of_units
    )


@step("Provinces Are Pillaged", "M14", "P7", "P8", "O6")
def provinces_pillaged(work: Workspace) -> None:
    """Let armies and garrisons seize the revenue of the province where they are, at its present damage.

    Reads: plans, units, provinces, rules.movement. Writes: treasuries, pillage marks, move-points. Emits:
    ProvincePillaged, TreasuryChanged, outcomes.
    """
    world = work.world
    pillaged = {name for name, progress in world.progress.provinces.items() if progress.pillaged}
    # also units with a transfer next: one that has to wait lets the pillaging behind it pass (O6)
    for unit in work.acting(Pillage, Transfer):
        place = unit.place
        for index in _pillage_entries(work, unit):
            refusal = why_not_pillage(world, work.rules, unit, already=place in pillaged)
            work.plans.settle(unit, index, refusal)
            if refusal is None:
                pillaged.add(place)
                land = world.provinces[place]
                work.emit(
                    movement.ProvincePillaged(realm=unit.realm, unit=unit.key, owner=land.owner, place=place)
                )
                work.pay(unit.realm, province_revenue(land, work.board, work.rules), "pillage", place)
                work.set_progress(unit, spent=True)
                work.mark_province(place, pillaged=True)


def _pillage_entries(work: Workspace, unit: Unit) -> Iterator[int]:
    """Yield the indexes of the pillage entries that come next in a unit's plan.

    Transfers before them that have to wait for their receiver do not stop them (O6).
    """
    for index, entry in work.plans.left(unit):
        if isinstance(entry, Pillage):
            yield index
            continue
        if not isinstance(entry, Transfer):
            return
        refusal = why_not_transfer(work.world, unit, receiver_of(work, unit, entry.receiver), entry.receiver)
        if refusal is None or refusal.reason not in ABSENT:
            return


def why_not_pillage(world: World, rules: Rules, unit: Unit, *, already: bool) -> Refusal | None:
    """Return why a unit cannot pillage (M14); None if it can.

    It must be an army ashore or a garrison, and strong enough, without enemies there. ``already``: the
    province was pillaged this turn.
    """
    if unit.is_fleet:
        return refuse("fleets-never-pillage")
    if unit.aboard:
        return refuse("aboard-fleet", fleet=unit.aboard)
    if already:
        return refuse("already-pillaged", place=unit.place)
    needs = rules.movement.pillage_combat
    has = total_combat(unit, rules)
    if has < needs:
        return refuse("too-weak-to-pillage", needs=needs, has=has)
    enemies = enemy_troops_at(world, rules, unit.realm, unit.place)
    return refuse("enemy-troops-prevent-pillage", place=unit.place) if enemies else None
