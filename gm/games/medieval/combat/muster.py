"""Units become contingents: their bands by rank, who leads them, what lessens or raises their strength (B2-B5, B13)."""

from __future__ import annotations

from collections.abc import Iterable

from gm.games.medieval.combat.battle import Field
from gm.games.medieval.combat.contingents import COMMANDER, REAR, Band, Barracks, Contingent, Role
from gm.games.medieval.data.rules import FortificationLevel, Rules, TroopClass, TroopType
from gm.games.medieval.state import Unit


def muster_ashore(field: Field, unit: Unit, *, landing: bool) -> Contingent:
    """An army or garrison in a land or border battle; ``landing``: whether B5.2 may weaken it."""
    just_landed = landing and field.done(unit.key).landed_phase == field.phase
    bands = [
        _band(troop, rank, count, amphibious=troop.amphibious if just_landed else 0)
        for troop, rank, count in _ranked(unit, field.rules)
        if not troop.ship
    ]
    role = Role.GARRISON if unit.is_garrison else Role.ARMY
    return _contingent(unit, role, bands + _commanders(unit, field.rules))


def muster_fleet(field: Field, unit: Unit) -> Contingent:
    """A fleet: its ships and its commanders."""
    bands = [_band(troop, rank, count) for troop, rank, count in _ranked(unit, field.rules)]
    return _contingent(unit, Role.FLEET, bands + _commanders(unit, field.rules))


def muster_aboard(field: Field, unit: Unit, role: Role) -> Contingent:
    """An army aboard, as marines or mutineers, all of them still in reserve: see :func:`fill_marine_space` (B13)."""
    bands = [
        _band(troop, rank, count, marine=troop.marine)
        for troop, rank, count in _ranked(unit, field.rules)
        if troop.marine is not None
    ] + _commanders(unit, field.rules)
    contingent = _contingent(unit, role, bands)
    contingent.carrier = unit.aboard
    for band in contingent.bands:
        band.reserve, band.standing = band.standing, 0
    contingent.update_front_rank()
    return contingent


def fill_marine_space(aboard: Iterable[Contingent], space: int) -> None:
    """Let the front ranks of those aboard one fleet fight, as far as there is marine space (B13). Equal ranks: in the
    order of W12, a unit's cheapest first. Whoever has no space left stands back again. Mutineers need no space
    (M6.1)."""
    contingents = list(aboard)
    for contingent in contingents:
        for band in contingent.bands:
            band.reserve, band.standing = band.reserve + band.standing, 0
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


def _ranked(unit: Unit, rules: Rules) -> Iterable[tuple[TroopType, int, int]]:
    for name, ranks in unit.troops.items():
        for rank, count in enumerate(ranks, start=1):
            if count:
                yield rules.troops[name], rank, count


def _band(troop: TroopType, rank: int, count: int, *, amphibious: int = 0, marine: int | None = 0) -> Band:
    return Band(
        troop=troop.name,
        rank=rank,
        cost=troop.cost,
        tactics=troop.tactics,
        attacks=troop.attacks,
        combat=troop.combat,
        hit_points=troop.hit_points,
        ship=troop.ship,
        siege_power=troop.siege_power,
        amphibious=amphibious,
        marine=marine or 0,
        standing=count,
    )


def _commanders(unit: Unit, rules: Rules) -> list[Band]:
    figures = rules.commanders
    return [
        Band(
            troop=COMMANDER,
            commander=commander,
            rank=REAR,
            cost=figures.price,
            tactics=None,
            attacks=figures.attacks,
            combat=figures.combat,
            hit_points=figures.hit_points,
            standing=1,
        )
        for commander in unit.commanders
    ]


def _contingent(unit: Unit, role: Role, bands: list[Band]) -> Contingent:
    bands.sort(key=lambda band: (band.rank, band.commander is not None, band.cost, band.troop))
    made = Contingent(unit=unit, role=role, bands=bands, leader=unit.lead_commander)
    made.update_front_rank()
    return made
