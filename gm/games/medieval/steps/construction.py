"""Building, repairing and razing: costs, workers, what is salvaged (T4, L8, L10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import ROUND_DOWN, Decimal

from gm.core.events import Event
from gm.core.pipeline import step
from gm.core.records import Record, record
from gm.core.values import CENT, to_cents
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.final import FortificationRepaired, StructureBuilt, StructureRazed
from gm.games.medieval.orders.model import Build, Raze, Repair, Structure, UnitOrder
from gm.games.medieval.state import INDEPENDENTS, Province, Unit, World
from gm.games.medieval.state.draft import Draft
from gm.games.medieval.state.strength import enemy_troops_at, soldiers
from gm.games.medieval.steps.forming import needs_garrison, settle_garrison, turn_out_of
from gm.games.medieval.steps.turn import Outcome, Refusal, Turn, refuse, settled, unit_orders
from gm.games.medieval.steps.workspace import Ledger


@record
class Work(Record):
    """``gold`` and ``workers`` that one piece of construction takes."""

    gold: Decimal
    workers: int


def work_on(structure: Structure, level: int, rules: Rules) -> Work:
    """T4: what building takes; ``level`` is the fortification level that is to be reached, else it does not matter."""
    data = rules.construction
    if structure is Structure.HARBOUR:
        return Work(data.harbour_cost, data.harbour_workers)
    if structure is Structure.PRODUCTION_AREA:
        return Work(data.production_area_cost, data.production_area_workers)
    gold = data.fortification_cost_base + data.fortification_cost_level * level
    return Work(gold, data.fortification_workers_level * level)


def repair_work(level: int, rules: Rules) -> Work:
    """L8.1: what it takes to make ``level`` work again: its workers, and a part of its gold."""
    full = work_on(Structure.FORTIFICATION, level, rules)
    return Work(to_cents(full.gold / rules.construction.paid_repair_divisor), full.workers)


def razed_gold(structure: Structure, level: int, rules: Rules) -> Decimal:
    """L10: the share of the build cost that razing brings, rounded down to 1/100."""
    return (work_on(structure, level, rules).gold / rules.economy.salvage_divisor).quantize(CENT, ROUND_DOWN)


@dataclass
class Site:
    """All that a step of construction is changing: units and provinces, gold, and who has worked already."""

    turn: Turn
    draft: Draft
    ledger: Ledger
    events: list[Event]
    workers: dict[str, int] = field(default_factory=dict)

    @classmethod
    def opened(cls, turn: Turn) -> Site:
        """The site as the step finds it."""
        events: list[Event] = []
        workers = dict(turn.state.progress.workers)
        return cls(turn, Draft(turn.state), Ledger(turn.state, events), events, workers)

    def worked(self, unit: Unit, work: Work) -> None:
        """L8: each soldier works once per turn. P8: work takes all move-points."""
        self.workers[unit.key] = self.workers.get(unit.key, 0) + work.workers
        self.draft.mark(unit, spent=True)

    def outcome(self) -> Outcome:
        """The world with everything that was done here."""
        world = self.ledger.world(self.draft.finish())
        progress = world.progress.evolve(workers=self.workers)
        return Outcome(world.evolve(progress=progress), tuple(self.events))


def why_not_work(site: Site, unit: Unit | None, order: UnitOrder) -> Refusal | None:
    """L8, L10: armies and garrisons work, on land, unless they retreated this turn (B9.2)."""
    if unit is None:
        return refuse("unit-not-yours", unit=order.unit)
    if unit.is_fleet:
        return refuse("fleets-do-not-work", unit=unit.id)
    if unit.aboard:
        return refuse("aboard-no-work", unit=unit.id)
    return refuse("retreated-no-work", unit=unit.id) if site.draft.done(unit).retreated else None


def why_not_enough_workers(site: Site, unit: Unit, work: Work) -> Refusal | None:
    """L8: the unit has soldiers enough that have not worked yet this turn."""
    free = max(0, soldiers(unit, site.turn.rules) - site.workers.get(unit.key, 0))
    return refuse("workers-too-few", needs=work.workers, has=free, unit=unit.id) if free < work.workers else None


# -- L8 ----------------------------------------------------------------------------------------------------------------


def why_not_build_at(world: World, land: Province, realm: str) -> Refusal | None:
    """L8: only in a province of one's own that was not conquered this turn."""
    if land.owner != realm:
        return refuse("build-not-owner", province=land.name)
    conquered = world.progress.provinces[land.name].conquered
    return refuse("build-after-conquest", province=land.name) if conquered else None


def why_not_structure(land: Province, structure: Structure, atlas: Atlas, rules: Rules) -> Refusal | None:
    """L8, W4: whether there is room for one more of the structure."""
    if structure is Structure.FORTIFICATION:
        limit = rules.construction.fortification_limit
        return refuse("fortification-limit", limit=limit) if land.fortification >= limit else None
    if structure is Structure.HARBOUR:
        if land.harbour:
            return refuse("harbour-already", province=land.name)
        suits = atlas.city(land.name) and atlas.has_coast(land.name)
        return None if suits else refuse("harbour-needs-city-coast", province=land.name)
    limit = atlas.locations[land.name].production_limit
    return refuse("production-limit", limit=limit) if land.production_areas >= limit else None


@step("Construction Happens", "L8", "L8.1", "L8.2", "L3.1", "P8")
def construction_happens(turn: Turn) -> Outcome:
    """Fortifications in peace repair themselves; then builders build and repair, each order whole or not at all.

    Reads: the turn's marks. Writes: provinces, garrisons, treasuries, workers.
    Emits: FortificationRepaired, StructureBuilt, TreasuryChanged, OrderSettled.
    """
    site = Site.opened(turn)
    repair_in_peace(site)
    paid_works: set[str] = set()
    orders: Iterator[tuple[str, Build | Repair]] = unit_orders(turn, Build, Repair)
    for realm, order in orders:
        unit = site.draft.own(realm, order.unit)
        refusal = why_not_work(site, unit, order)
        if refusal is not None or unit is None:
            site.events.append(settled(realm, order, refusal))
            continue
        land = site.draft.province(unit.place)
        fortifies = isinstance(order, Repair) or order.structure is Structure.FORTIFICATION
        work = work_of(order, land, turn.rules)
        refusal = why_not_construct(
            site, unit, order, again=fortifies and land.name in paid_works
        ) or site.ledger.why_not_afford(realm, work.gold)
        site.events.append(settled(realm, order, refusal))
        if refusal is not None:
            continue
        site.worked(unit, work)
        if fortifies:
            paid_works.add(land.name)
            site.draft.mark_province(land.name, fortification_work=True)
        if isinstance(order, Build):
            _build(site, unit, land, order.structure)
        else:
            _repair(site, land)
        site.ledger.change(realm, -work.gold, "construction", land.name)
    return site.outcome()


def why_not_construct(site: Site, unit: Unit, order: Build | Repair, *, again: bool = False) -> Refusal | None:
    """L8, L8.1 without the price: the place, the work and who is there. ``again``: its walls were worked on already."""
    land = site.draft.province(unit.place)
    return (
        why_not_build_at(site.turn.state, land, unit.realm)
        or _why_not_ordered(order, land, site.turn)
        or (refuse("fortified-already", province=land.name) if again else None)
        or why_not_enough_workers(site, unit, work_of(order, land, site.turn.rules))
    )


def repair_in_peace(site: Site) -> None:
    """L8: one fortification damage less, free, where no battle and no pillage happened this turn."""
    world = site.turn.state
    for name, land in world.provinces.items():
        mark = world.progress.provinces[name]
        if land.fortification_damage and not mark.battle and not mark.pillaged:
            damage = land.fortification_damage - 1
            site.draft.put_province(land.evolve(fortification_damage=damage))
            site.events.append(FortificationRepaired(province=name, damage=damage, paid=False))


def work_of(order: Build | Repair, land: Province, rules: Rules) -> Work:
    """What a build or a repair of this land takes (T4, L8.1)."""
    if isinstance(order, Repair):
        # the level that the repair brings back, as far as there is one
        return repair_work(min(land.effective_fortification + 1, land.fortification), rules)
    return work_on(order.structure, land.fortification + 1, rules)


def _why_not_ordered(order: Build | Repair, land: Province, turn: Turn) -> Refusal | None:
    if isinstance(order, Repair):
        return None if land.fortification_damage else refuse("nothing-to-repair", province=land.name)
    return why_not_structure(land, order.structure, turn.board, turn.rules)


def _build(site: Site, unit: Unit, land: Province, structure: Structure) -> None:
    if structure is Structure.HARBOUR:
        land, level = land.evolve(harbour=True), 1
    elif structure is Structure.PRODUCTION_AREA:
        land = land.evolve(production_areas=land.production_areas + 1)
        level = land.production_areas
    else:
        land = land.evolve(fortification=land.fortification + 1)
        level = land.fortification
    site.draft.put_province(land)
    settle_garrison(site.draft, site.turn.rules, site.turn.board, land.name)  # the first level makes one (L8.2)
    site.events.append(
        StructureBuilt(realm=unit.realm, unit=unit.key, province=land.name, structure=structure.value, level=level)
    )


def _repair(site: Site, land: Province) -> None:
    damage = land.fortification_damage - 1
    site.draft.put_province(land.evolve(fortification_damage=damage))
    site.events.append(FortificationRepaired(province=land.name, damage=damage, paid=True))


# -- L10 ---------------------------------------------------------------------------------------------------------------


def why_not_raze_at(site: Site, land: Province, realm: str, structure: Structure) -> Refusal | None:
    """L10: an own, enemy or independent province without enemy troops, where the structure stands."""
    world = site.turn.state
    if not (land.owner in (realm, INDEPENDENTS) or world.is_enemy_land(realm, land.name)):
        return refuse("raze-not-allowed", province=land.name)
    # whoever is turned out of a garrison in this step was there before it
    if enemy_troops_at(world, site.turn.rules, realm, land.name):
        return refuse("enemy-troops-here", province=land.name)
    stands = {
        Structure.FORTIFICATION: land.fortification > 0,
        Structure.HARBOUR: land.harbour,
        Structure.PRODUCTION_AREA: land.production_areas > 0,
    }
    return None if stands[structure] else refuse("nothing-to-raze", structure=structure.value, province=land.name)


def why_not_raze(site: Site, unit: Unit, order: Raze) -> Refusal | None:
    """L10: the place, the structure and who is there."""
    land = site.draft.province(unit.place)
    work = work_on(order.structure, land.fortification, site.turn.rules)
    return why_not_raze_at(site, land, unit.realm, order.structure) or why_not_enough_workers(site, unit, work)


@step("Structures Razed", "L10", "L8.2", "P8")
def structures_razed(turn: Turn) -> Outcome:
    """Armies and garrisons tear structures down, one after the other, and salvage a part of their cost.

    Writes: provinces, garrisons, treasuries, workers.
    Emits: StructureRazed, TreasuryChanged, the turning out of garrisons, OrderSettled.
    """
    site = Site.opened(turn)
    for realm, order in unit_orders(turn, Raze):
        unit = site.draft.own(realm, order.unit)
        refusal = why_not_work(site, unit, order)
        if refusal is not None or unit is None:
            site.events.append(settled(realm, order, refusal))
            continue
        land = site.draft.province(unit.place)
        work = work_on(order.structure, land.fortification, turn.rules)
        refusal = why_not_raze(site, unit, order)
        site.events.append(settled(realm, order, refusal))
        if refusal is None:
            site.worked(unit, work)
            gold = razed_gold(order.structure, land.fortification, turn.rules)
            _raze(site, unit, land, order.structure)
            site.ledger.change(realm, gold, "razed", land.name)
    return site.outcome()


def _raze(site: Site, unit: Unit, land: Province, structure: Structure) -> None:
    if structure is Structure.HARBOUR:
        land, level = land.evolve(harbour=False), 0
    elif structure is Structure.PRODUCTION_AREA:
        land = land.evolve(production_areas=land.production_areas - 1)
        level = land.production_areas
    else:
        level = land.fortification - 1
        land = land.evolve(fortification=level, fortification_damage=min(land.fortification_damage, level))
    site.draft.put_province(land)
    site.events.append(
        StructureRazed(realm=unit.realm, unit=unit.key, province=land.name, structure=structure.value, level=level)
    )
    garrison = site.draft.garrison(land.name)
    if garrison is None:
        return
    stays = needs_garrison(land, site.turn.board)
    if not stays or structure is Structure.HARBOUR:
        site.events += turn_out_of(site.draft, site.turn.rules, garrison, soldiers=not stays)
    if not stays:
        settle_garrison(site.draft, site.turn.rules, site.turn.board, land.name)
