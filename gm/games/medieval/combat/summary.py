"""Units as a battle report shows them before round 1 (B14)."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from gm.games.medieval.combat.battle import Battle
from gm.games.medieval.combat.contingents import Band, Contingent
from gm.games.medieval.combat.report import BattleUnit, Modifier, TroopCount
from gm.games.medieval.state import unit_key


def units_in_battle(battle: Battle) -> tuple[BattleUnit, ...]:
    """Every contingent as it enters the battle."""
    return tuple(_unit(battle, each) for each in battle.contingents)


def counts(found: list[tuple[Band, int]]) -> tuple[TroopCount, ...]:
    """Troops by type, commanders left out, in the order given."""
    totals: dict[str, int] = {}
    for band, count in found:
        if not band.commander:
            totals[band.troop] = totals.get(band.troop, 0) + count
    return tuple(TroopCount(troop=troop, count=count) for troop, count in totals.items())


def names(found: list[tuple[Band, int]]) -> tuple[str, ...]:
    """The commanders among these."""
    return tuple(band.commander.name for band, count in found if band.commander and count)


def total_hit_points(contingent: Contingent) -> Decimal:
    """All hit points of those who fight in a unit, with the bonus for as many as the barracks hold (B8)."""
    room = contingent.barracks.room if contingent.barracks else 0
    total = Decimal(0)
    for band in contingent.bands:
        count = band.standing + band.marked + band.fell
        inside = min(room, count) if band.sheltered else 0
        room -= inside
        total += band.hit_points * count + band.fortification_hit_points * inside
    return total


def _unit(battle: Battle, contingent: Contingent) -> BattleUnit:
    unit = contingent.unit
    present = [(band, band.standing) for band in contingent.bands if band.standing]
    return BattleUnit(
        unit=unit.key,
        realm=unit.realm,
        role=contingent.role.value,
        name=unit.name,
        troops=counts(present),
        commanders=names(present),
        leader=contingent.leader.name if contingent.leader else None,
        aboard=contingent.carrier or unit.aboard,
        modifiers=tuple(_modifiers(battle, contingent)),
        base_combat=sum(band.attacks * band.combat * band.standing for band in contingent.bands),
        total_combat=_total_combat(battle, contingent),
        hit_points=total_hit_points(contingent),
        retreat_level=unit.retreat_level,
        follows=unit_key(unit.realm, unit.follow) if unit.follow else None,
        defends=contingent.defends,
        ranks=tuple(
            sum(band.standing for band in contingent.bands if band.rank == rank)
            for rank in range(1, battle.field.rules.units.ranks + 1)
        ),
    )


def _total_combat(battle: Battle, contingent: Contingent) -> Decimal:
    """A hundred times the hits to be expected in round 1: behind walls, by each troop's chance of a place inside."""
    inside = Fraction(0)
    if contingent.barracks:
        sharing = [each for each in battle.contingents if each.barracks is contingent.barracks]
        waiting = sum(band.standing for each in sharing for band in each.bands if band.sheltered)
        inside = min(Fraction(1), Fraction(contingent.barracks.room, waiting)) if waiting else inside
    total = Fraction(0)
    for band in contingent.bands:
        chance = band.chance.exact
        if band.sheltered:
            chance += (band.chance_inside.exact - chance) * inside
        total += chance * (band.standing * band.attacks)
    return (Decimal(total.numerator * 100) / Decimal(total.denominator)).quantize(Decimal("0.01"))


def _modifiers(battle: Battle, contingent: Contingent) -> list[Modifier]:
    found = []
    bands, leader = contingent.bands, contingent.leader
    if contingent.barracks:
        row = contingent.barracks.row
        figures = {"foot": row.foot_combat, "mounted": row.mounted_combat, "barracks": row.barracks}
        found.append(Modifier(kind="fortification", name=row.name, figures=figures))
    if leader:
        ratings = {each: getattr(leader, each) for each in sorted({band.tactics for band in bands if band.tactics})}
        figures = {**ratings, "divisor": battle.tactics_divisor}
        found.append(Modifier(kind="tactics", name=leader.name, figures=figures))
    for kind in ("amphibious", "marine"):
        percents = {band.troop: getattr(band, kind) for band in bands if getattr(band, kind)}
        if percents:
            found.append(Modifier(kind=kind, figures=percents))
    return found
