"""Building, repairing and razing: costs, workers, salvage (T4, L8, L10)."""

from collections.abc import Iterator, Mapping
from decimal import ROUND_DOWN, Decimal
from functools import cached_property

from gm.core.values import CENT, Record, to_cents
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.final import FortificationRepaired, StructureBuilt, StructureRazed
from gm.games.medieval.orders.model import Build, Raze, Repair, Structure
from gm.games.medieval.state import INDEPENDENTS, Province, Unit
from gm.games.medieval.state.strength import enemy_troops_at, soldiers
from gm.games.medieval.steps.outcomes import Refusal, refuse, unless
from gm.games.medieval.steps.turn import Workspace, step
from gm.games.medieval.steps.units import needs_garrison, settle_garrison, turn_out


class Work(Record):
    """What a piece of construction costs: gold, and workers, which are soldiers of a unit."""

    gold: Decimal
    workers: int


def work_on(structure: Structure, level: int, rules: Rules) -> Work:
    """Return the gold and the workers that building a structure takes (T4).

    ``level``: the fortification level to be reached; it does not matter for other structures.
    """
    costs = rules.construction
    if structure is Structure.HARBOUR:
        return Work(costs.harbour_cost, costs.harbour_workers)
    if structure is Structure.PRODUCTION_AREA:
        return Work(costs.production_area_cost, costs.production_area_workers)
    gold = costs.fortification_cost_base + costs.fortification_cost_level * level
    return Work(gold, costs.fortification_workers_level * level)


def repair_work(level: int, rules: Rules) -> Work:
    """Return the cost of repairing a fortification up to ``level`` (L8.1).

    It is the workers of building this level, and a part of its gold.
    """
    full = work_on(Structure.FORTIFICATION, level, rules)
    return Work(to_cents(full.gold / rules.construction.paid_repair_divisor), full.workers)


def work_of(order: Build | Repair, land: Province, rules: Rules) -> Work:
    """Return the cost of an order to build or repair in a province (T4, L8.1)."""
    if isinstance(order, Repair):
        # the level that the repair brings back, as far as there is one
        return repair_work(min(land.effective_fortification + 1, land.fortification), rules)
    return work_on(order.structure, land.fortification + 1, rules)


def razed_gold(structure: Structure, level: int, rules: Rules) -> Decimal:
    """Return the gold that razing brings: a share of the build cost, rounded down to 1/100 (L10).

    ``level``: the level of a fortification before it loses one.
    """
    return (work_on(structure, level, rules).gold / rules.economy.salvage_divisor).quantize(CENT, ROUND_DOWN)


class Site(Workspace):
    """The workspace of a step of construction."""

    @cached_property
    def workers(self) -> Mapping[str, int]:
        """The number of soldiers of each unit that have worked this turn."""
        return self.world.progress.workers

    def use_workers(self, unit: Unit, work: Work) -> None:
        """Record that soldiers worked, once in a turn (L8), and that the unit's move-points are used (P8)."""
        self.workers = {**self.workers, unit.key: self.workers.get(unit.key, 0) + work.workers}
        self.note(workers=self.workers)
        self.set_progress(unit, spent=True)


def why_not_work(site: Site, unit: Unit) -> Refusal | None:
    """Return why a unit cannot work; None if it can (L8, L10, B9.2).

    It must be an army ashore or a garrison, and must not have retreated.
    """
    if unit.is_fleet:
        return refuse("fleets-do-not-work", unit=unit.id)
    if unit.aboard:
        return refuse("aboard-no-work", unit=unit.id)
    return refuse("retreated-no-work", unit=unit.id) if site.done(unit).retreated else None


def why_not_enough_workers(site: Site, unit: Unit, work: Work) -> Refusal | None:
    """Return the refusal if fewer of a unit's soldiers are idle than a work needs (L8); else None.

    Idle are those that have not worked this turn.
    """
    idle = max(0, soldiers(unit, site.rules) - site.workers.get(unit.key, 0))
    return unless(idle >= work.workers, "workers-too-few", needs=work.workers, has=idle, unit=unit.id)


def _with_structure(land: Province, structure: Structure, change: int) -> tuple[Province, int]:
    """Return the province with a structure more (``change`` 1) or less (-1), and its new level or number."""
    match structure:
        case Structure.HARBOUR:
            # a province has one harbour or none
            return land.evolve(harbour=change == 1), int(change == 1)
        case Structure.PRODUCTION_AREA:
            level = land.production_areas + change
            return land.evolve(production_areas=level), level
    level = land.fortification + change
    return land.evolve(fortification=level, fortification_damage=min(land.fortification_damage, level)), level


def why_not_structure(land: Province, structure: Structure, atlas: Atlas, rules: Rules) -> Refusal | None:
    """Return why a province cannot have one more of a structure (L8, W4); None if it can."""
    if structure is Structure.FORTIFICATION:
        limit = rules.construction.fortification_limit
        return unless(land.fortification < limit, "fortification-limit", limit=limit)
    if structure is Structure.HARBOUR:
        suits = atlas.city(land.name) and atlas.has_coast(land.name)
        return unless(not land.harbour, "harbour-already", province=land.name) or unless(
            suits, "harbour-needs-city-coast", province=land.name
        )
    limit = atlas.locations[land.name].production_limit
    return unless(land.production_areas < limit, "production-limit", limit=limit)


@step("Construction Happens", "L8", "L8.1", "L8.2", "L3.1", "P8", on=Site)
def construction_happens(site: Site) -> None:
    """Repair fortifications in peace; then carry out orders to build and repair, each whole or not at all.

    Reads: the provinces' progress. Writes: provinces, garrisons, treasuries, workers. Emits:
    FortificationRepaired, StructureBuilt, TreasuryChanged, OrderSettled.
    """
    repair_in_peace(site)
    provinces_fortified: set[str] = set()  # with a paid work on a fortification in this step
    orders: Iterator[tuple[Unit, Build | Repair]] = site.unit_orders(Build, Repair)
    for unit, order in orders:
        realm = unit.realm
        refusal = why_not_work(site, unit)
        if refusal:
            site.settle(realm, order, refusal)
            continue
        land = site.province(unit.place)
        fortifies = isinstance(order, Repair) or order.structure is Structure.FORTIFICATION
        work = work_of(order, land, site.rules)
        refusal = why_not_construct(site, unit, order, again=fortifies and land.name in provinces_fortified)
        if not site.settle(realm, order, refusal or site.why_not_afford(realm, work.gold)):
            continue
        site.use_workers(unit, work)
        if fortifies:
            provinces_fortified.add(land.name)
            site.mark_province(land.name, fortification_work=True)
        if isinstance(order, Build):
            built, level = _with_structure(land, order.structure, 1)
            site.put_province(built)
            settle_garrison(site, land.name)  # the first level makes one (L8.2)
            kind = order.structure.value
            site.emit(
                StructureBuilt(realm=realm, unit=unit.key, province=land.name, structure=kind, level=level)
            )
        else:
            _repair(site, land, paid=True)
        site.pay(realm, -work.gold, "construction", land.name)


def why_not_construct(
    site: Site, unit: Unit, order: Build | Repair, *, again: bool = False
) -> Refusal | None:
    """Return why a unit cannot build or repair, apart from the gold (L8, L8.1); None if it can.

    ``again``: its order is the second paid work on the fortification this turn.
    """
    land = site.province(unit.place)
    if isinstance(order, Repair):
        refusal = unless(land.fortification_damage, "nothing-to-repair", province=land.name)
    else:
        refusal = why_not_structure(land, order.structure, site.board, site.rules)
    conquered = site.world.progress.provinces[land.name].conquered
    return (
        unless(land.owner == unit.realm, "build-not-owner", province=land.name)
        or unless(not conquered, "build-after-conquest", province=land.name)
        or refusal
        or unless(not again, "fortified-already", province=land.name)
        or why_not_enough_workers(site, unit, work_of(order, land, site.rules))
    )


def repair_in_peace(site: Site) -> None:
    """Repair one fortification damage, free, in each province without battle or pillage this turn (L8)."""
    for name, land in site.world.provinces.items():
        progress = site.world.progress.provinces[name]
        if land.fortification_damage and not progress.battle and not progress.pillaged:
            _repair(site, land, paid=False)


def _repair(site: Site, land: Province, *, paid: bool) -> None:
    """Repair one fortification damage of a province; ``paid``: by workers, for gold."""
    damage = land.fortification_damage - 1
    site.put_province(land.evolve(fortification_damage=damage))
    site.emit(FortificationRepaired(province=land.name, damage=damage, paid=paid))


def why_not_raze(site: Site, unit: Unit, order: Raze) -> Refusal | None:
    """Return why a unit cannot raze (L10); None if it can.

    It must be in an own, enemy or independent province with the structure and without enemy troops, and have
    enough workers.
    """
    world = site.world
    land = site.province(unit.place)
    realm = unit.realm
    structure = order.structure
    if not (land.owner in (realm, INDEPENDENTS) or world.is_enemy_land(realm, land.name)):
        return refuse("raze-not-allowed", province=land.name)
    # asked of the world as the step found it: troops that this step turns out of a garrison were there then
    if enemy_troops_at(world, site.rules, realm, land.name):
        return refuse("enemy-troops-here", province=land.name)
    has_structure = {
        Structure.FORTIFICATION: land.fortification > 0,
        Structure.HARBOUR: land.harbour,
        Structure.PRODUCTION_AREA: land.production_areas > 0,
    }
    # razing takes as many workers as building did
    work = work_on(structure, land.fortification, site.rules)
    return unless(
        has_structure[structure], "nothing-to-raze", structure=structure.value, province=land.name
    ) or why_not_enough_workers(site, unit, work)


@step("Structures Razed", "L10", "L8.2", "P8", on=Site)
def structures_razed(site: Site) -> None:
    """Let armies and garrisons tear structures down, one by one, and salvage part of their cost."""
    for unit, order in site.unit_orders(Raze):
        refusal = why_not_work(site, unit) or why_not_raze(site, unit, order)
        if site.settle(unit.realm, order, refusal):
            land = site.province(unit.place)
            site.use_workers(unit, work_on(order.structure, land.fortification, site.rules))
            _raze(site, unit, land, order.structure)
            # ``land`` is the province as it was before: the level that was lost counts
            gold = razed_gold(order.structure, land.fortification, site.rules)
            site.pay(unit.realm, gold, "razed", land.name)


def _raze(site: Site, unit: Unit, land: Province, structure: Structure) -> None:
    """Raze one level of a structure (L8.2).

    The province's garrison is turned out if the province is to have none any more; if a harbour is razed, at
    least the garrison's ships are.
    """
    razed, level = _with_structure(land, structure, -1)
    site.put_province(razed)
    kind = structure.value
    site.emit(
        StructureRazed(realm=unit.realm, unit=unit.key, province=land.name, structure=kind, level=level)
    )
    garrison = site.garrison(land.name)
    if garrison is None:
        return
    stays = needs_garrison(razed, site.board)
    if not stays or structure is Structure.HARBOUR:
        turn_out(site, garrison, soldiers=not stays)
    if not stays:
        settle_garrison(site, land.name)  # which removes it, as it is empty now
