"""Units become contingents of a battle (B2-B5, B13), and these become entries of its report (B14)."""

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

from gm.core.dice import Chance
from gm.games.medieval.combat.battle import Battle, Field
from gm.games.medieval.combat.contingents import COMMANDER, REAR, Band, Barracks, Contingent, Role, in_percent
from gm.games.medieval.combat.report import BattleUnit, Modifier, TroopCount
from gm.games.medieval.data.rules import FortificationLevel, Rules, TroopClass
from gm.games.medieval.state import Unit, unit_key

_BAND_FIGURES = ("cost", "tactics", "attacks", "combat", "hit_points", "ship", "siege_power")
"""The fields of a band that are its troop type's of the same names."""


def muster(field: Field, unit: Unit, role: Role | None = None, *, landing: bool = False) -> Contingent:
    """Return the contingent of a unit; without a ``role`` it is an army or garrison on land.

    With ``landing``, its troops are weaker if it has landed in this phase (B5.2). Soldiers aboard are all in
    reserve at first (B13).
    """
    rules = field.rules
    role = role or (Role.GARRISON if unit.is_garrison else Role.ARMY)
    aboard = role in (Role.MARINES, Role.MUTINEERS)
    just_landed = landing and field.done(unit.key).landed_phase == field.phase
    commander_figures: dict[str, Any] = {
        name: getattr(rules.commanders, name) for name in ("attacks", "combat", "hit_points")
    }
    commander_figures |= {
        "troop": COMMANDER,
        "rank": REAR,
        "cost": rules.commanders.price,
        "tactics": None,
        "standing": 1,
    }
    bands = [Band(commander=commander, **commander_figures) for commander in unit.commanders]
    for name, ranks in unit.troops.items():
        troop = rules.troops[name]
        # a fleet fights with its ships, armies aboard with troops that can be marines, on land all but ships
        if role is Role.FLEET or (troop.marine is not None if aboard else not troop.ship):
            counts_by_rank = ((rank, count) for rank, count in enumerate(ranks, start=1) if count)
            figures = {name: getattr(troop, name) for name in _BAND_FIGURES}
            figures["amphibious"] = troop.amphibious if just_landed else 0
            figures["marine"] = (troop.marine or 0) if aboard else 0
            bands += (
                Band(troop=name, rank=rank, standing=count, **figures) for rank, count in counts_by_rank
            )
    # in a rank troops before commanders, the cheapest first, as ``next_victim`` needs them (B7, B12)
    bands.sort(key=lambda band: (band.rank, band.commander is not None, band.cost, band.troop))
    contingent = Contingent(unit=unit, role=role, bands=bands, leader=unit.lead_commander)
    if aboard:
        contingent.carrier = unit.aboard
        contingent.stand_back()
    contingent.update_front_rank()
    return contingent


def fill_marine_space(aboard: Iterable[Contingent], space: int) -> None:
    """Let soldiers and commanders aboard one fleet fight, as many as ``space`` allows (B13).

    The front ranks go first, equal ranks in the order of the units (W12), in a unit the cheapest first. The
    others are in reserve. Mutineers all fight and need no space (M6.1).
    """
    contingents = list(aboard)
    for contingent in contingents:
        contingent.stand_back()
    bands = [(contingent, band) for contingent in contingents for band in contingent.bands]
    for contingent, band in sorted(bands, key=lambda pair: pair[1].rank):
        mutinous = contingent.role is Role.MUTINEERS
        fighting = band.reserve if mutinous else max(0, min(band.reserve, space))
        band.standing = fighting
        band.reserve -= fighting
        if not mutinous:
            space -= fighting
    for contingent in contingents:
        contingent.update_front_rank()
        # a victim drawn earlier counts only while no troop stands in front of it
        if contingent.victim and (
            not contingent.victim.standing or contingent.victim.rank > contingent.front_rank
        ):
            contingent.victim = None


def enter_fortification(
    rules: Rules, row: FortificationLevel, contingents: Iterable[Contingent], field: Field
) -> None:
    """Put defenders behind the walls of level ``row`` and set the bonus of each band (B5.1, B8).

    They share barracks; a realm that is at war with somebody in each of the barracks so far has its own.
    """
    all_barracks: list[Barracks] = []
    for contingent in contingents:
        at_war = field.world.at_war
        barracks_of_friends = next(
            (
                barracks
                for barracks in all_barracks
                if not any(at_war(contingent.realm, other) for other in barracks.realms)
            ),
            None,
        )
        if barracks_of_friends is None:
            barracks_of_friends = Barracks(row=row, room=row.barracks, bonus_left=row.barracks)
            all_barracks.append(barracks_of_friends)
        if contingent.realm not in barracks_of_friends.realms:
            barracks_of_friends.realms.append(contingent.realm)
        contingent.defends = True
        contingent.barracks = barracks_of_friends
        for band in contingent.bands:
            # commanders count as foot, siege machines get no bonus (T2)
            kind = TroopClass.FOOT if band.commander else rules.troops[band.troop].kind
            band.sheltered = kind is not TroopClass.SIEGE
            if band.sheltered:
                mounted = kind is TroopClass.MOUNTED
                band.fortification = row.mounted_combat if mounted else row.foot_combat
                band.fortification_hit_points = row.mounted_hit_points if mounted else row.foot_hit_points


def units_in_battle(battle: Battle) -> tuple[BattleUnit, ...]:
    """Return the report's entry of each contingent as it enters the battle."""
    return tuple(_unit(battle, contingent) for contingent in battle.contingents)


def counts(band_counts: list[tuple[Band, int]]) -> tuple[TroopCount, ...]:
    """Return the troops in (band, number) pairs by type, without commanders, in the order of the pairs."""
    totals: dict[str, int] = {}
    for band, count in band_counts:
        if not band.commander:
            totals[band.troop] = totals.get(band.troop, 0) + count
    return tuple(TroopCount(troop=troop, count=count) for troop, count in totals.items())


def names(band_counts: list[tuple[Band, int]]) -> tuple[str, ...]:
    """Return the names of the commanders in (band, number) pairs, without those whose number is 0."""
    return tuple(band.commander.name for band, count in band_counts if band.commander and count)


def total_hit_points(contingent: Contingent) -> Decimal:
    """Return the hit points with which a unit came to fight: those of its casualties are included.

    Behind walls as many troops as have a place in the barracks count with the bonus (B8).
    """
    room = contingent.barracks.room if contingent.barracks else 0
    total = Decimal(0)
    for band in contingent.bands:
        count = band.standing + band.marked + band.fell
        inside = min(room, count) if band.sheltered else 0
        room -= inside
        total += band.hit_points * count + band.fortification_hit_points * inside
    return total


def _unit(battle: Battle, contingent: Contingent) -> BattleUnit:
    """Return a unit's entry in the report, as it enters the battle."""
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
        total_combat=strikes_in_percent(battle, contingent),
        hit_points=total_hit_points(contingent),
        retreat_level=unit.retreat_level,
        follows=unit_key(unit.realm, unit.follow) if unit.follow else None,
        defends=contingent.defends,
        ranks=tuple(
            sum(band.standing for band in contingent.bands if band.rank == rank)
            for rank in range(1, battle.field.rules.units.ranks + 1)
        ),
    )


def strikes_in_percent(battle: Battle, contingent: Contingent) -> Decimal:
    """Return 100 times the hits that a unit may be expected to make in round 1, with two decimals.

    A troop that may stand behind walls counts by its chance of a place there.
    """
    inside = Fraction(0)
    if contingent.barracks:
        sharing = [other for other in battle.contingents if other.barracks is contingent.barracks]
        waiting = sum(band.standing for other in sharing for band in other.bands if band.sheltered)
        inside = min(Fraction(1), Fraction(contingent.barracks.room, waiting)) if waiting else inside
    strikes = [
        (
            band.chance,
            band.chance_inside if band.sheltered else band.chance,
            band.standing * band.attacks,
        )
        for band in contingent.bands
    ]
    return _expected_percent(tuple(strikes), inside)


@lru_cache(4096)
def _expected_percent(strikes: tuple[tuple[Chance, Chance, int], ...], inside: Fraction) -> Decimal:
    """Return 100 times the expected hits of a unit's strikes.

    ``strikes``: (chance in the open, chance behind walls, number). ``inside``: of strikes with two chances,
    the share that is made from behind walls.
    """
    # cached, since odds fight battles of the same units again and again; the sum is kept as numerator and
    # denominator, which is faster than to add fractions
    numerator = 0
    denominator = 1
    for open_chance, walled_chance, times in strikes:
        strike = open_chance.exact
        if inside and walled_chance is not open_chance:
            strike += (walled_chance.exact - open_chance.exact) * inside
        numerator = numerator * strike.denominator + times * strike.numerator * denominator
        denominator *= strike.denominator
    return in_percent(Fraction(numerator, denominator))


def _modifiers(battle: Battle, contingent: Contingent) -> list[Modifier]:
    """Return the modifiers of a unit's strength that it has: walls, leader, landing, marines (B5)."""
    modifiers = []
    bands = contingent.bands
    leader = contingent.leader
    if contingent.barracks:
        row = contingent.barracks.row
        figures = {"foot": row.foot_combat, "mounted": row.mounted_combat, "barracks": row.barracks}
        modifiers.append(Modifier(kind="fortification", name=row.name, figures=figures))
    if leader:
        ratings = {
            tactic: getattr(leader, tactic)
            for tactic in sorted({band.tactics for band in bands if band.tactics})
        }
        figures = {**ratings, "divisor": battle.tactics_divisor}
        modifiers.append(Modifier(kind="tactics", name=leader.name, figures=figures))
    for kind in ("amphibious", "marine"):
        percents = {band.troop: getattr(band, kind) for band in bands if getattr(band, kind)}
        if percents:
            modifiers.append(Modifier(kind=kind, figures=percents))
    return modifiers
