"""Units become contingents: their bands by rank, who leads them, what lessens or raises their strength (B2-B5, B13)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gm.games.medieval.combat.battle import Field
from gm.games.medieval.combat.contingents import COMMANDER, REAR, Band, Barracks, Contingent, Role
from gm.games.medieval.data.rules import FortificationLevel, Rules, TroopClass, TroopType
from gm.games.medieval.state import Unit

BAND_FIGURES = ("cost", "tactics", "attacks", "combat", "hit_points", "ship", "siege_power")
"""What a band has from its troop type."""


def muster(field: Field, unit: Unit, role: Role | None = None, *, landing: bool = False) -> Contingent:
    """A unit in battle, ashore without a ``role``; ``landing``: whether B5.2 may weaken it. Marines and mutineers are
    still in reserve: see :func:`fill_marine_space` (B13)."""
    rules, role = field.rules, role or (Role.GARRISON if unit.is_garrison else Role.ARMY)
    aboard = role in (Role.MARINES, Role.MUTINEERS)
    just_landed = landing and field.done(unit.key).landed_phase == field.phase
    shared: dict[str, Any] = {name: getattr(rules.commanders, name) for name in ("attacks", "combat", "hit_points")}
    shared |= {"troop": COMMANDER, "rank": REAR, "cost": rules.commanders.price, "tactics": None, "standing": 1}
    bands = [Band(commander=commander, **shared) for commander in unit.commanders]
    for name, ranks in unit.troops.items():
        troop = rules.troops[name]
        if role is Role.FLEET or (troop.marine is not None if aboard else not troop.ship):
            amphibious, marine = troop.amphibious if just_landed else 0, troop.marine if aboard else 0
            found = ((rank, count) for rank, count in enumerate(ranks, start=1) if count)
            bands += (_band(troop, rank, count, amphibious=amphibious, marine=marine or 0) for rank, count in found)
    bands.sort(key=lambda band: (band.rank, band.commander is not None, band.cost, band.troop))
    made = Contingent(unit=unit, role=role, bands=bands, leader=unit.lead_commander)
    if aboard:
        made.carrier = unit.aboard
        made.stand_back()
    made.update_front_rank()
    return made


def fill_marine_space(aboard: Iterable[Contingent], space: int) -> None:
    """Let the front ranks of those aboard one fleet fight, as far as there is marine space (B13). Equal ranks: in the
    order of W12, a unit's cheapest first. Whoever has no space left stands back again. Mutineers need no space
    (M6.1)."""
    contingents = list(aboard)
    for contingent in contingents:
        contingent.stand_back()
    ranked = sorted(
        ((band.rank, index, band) for index, each in enumerate(contingents) for band in each.bands),
        key=lambda found: found[:2],
    )
    for _, index, band in ranked:
        room = band.reserve if contingents[index].role is Role.MUTINEERS else max(0, min(band.reserve, space))
        band.standing, band.reserve = room, band.reserve - room
        if contingents[index].role is not Role.MUTINEERS:
            space -= room
    for contingent in contingents:
        contingent.update_front_rank()
        if contingent.victim and (not contingent.victim.standing or contingent.victim.rank > contingent.front_rank):
            contingent.victim = None


def enter_fortification(rules: Rules, row: FortificationLevel, contingents: Iterable[Contingent], field: Field) -> None:
    """Give defenders their room in the barracks (B5.1): realms share the first in which nobody is at war with them."""
    found: list[Barracks] = []
    for contingent in contingents:
        at_war = field.world.at_war
        mine = next((each for each in found if not any(at_war(contingent.realm, other) for other in each.realms)), None)
        if mine is None:
            mine = Barracks(row=row, room=row.barracks, bonus_left=row.barracks)
            found.append(mine)
        if contingent.realm not in mine.realms:
            mine.realms.append(contingent.realm)
        contingent.defends, contingent.barracks = True, mine
        for band in contingent.bands:
            _shelter(band, rules, row)


def _shelter(band: Band, rules: Rules, row: FortificationLevel) -> None:
    """The table's bonus for one band (T2): commanders count as foot, siege machines get none."""
    kind = TroopClass.FOOT if band.commander else rules.troops[band.troop].kind
    if kind is TroopClass.SIEGE:
        return
    mounted = kind is TroopClass.MOUNTED
    band.sheltered = True
    band.fortification = row.mounted_combat if mounted else row.foot_combat
    band.fortification_hit_points = row.mounted_hit_points if mounted else row.foot_hit_points


def _band(troop: TroopType, rank: int, count: int, *, amphibious: int, marine: int) -> Band:
    figures = {name: getattr(troop, name) for name in BAND_FIGURES}
    return Band(troop=troop.name, rank=rank, standing=count, amphibious=amphibious, marine=marine, **figures)
