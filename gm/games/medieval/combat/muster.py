"""Units become contingents, with modifiers of strength (B2-B5, B13), and entries in a report (B14)."""

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
"""What a band has from its troop type."""


def muster(field: Field, unit: Unit, role: Role | None = None, *, landing: bool = False) -> Contingent:
    """Return a unit in battle, on land without a ``role``.

    ``landing``: B5.2 may weaken it. All aboard are in reserve (B13).
    """
    rules = field.rules
    role = role or (Role.GARRISON if unit.is_garrison else Role.ARMY)
    aboard = role in (Role.MARINES, Role.MUTINEERS)
    just_landed = landing and field.done(unit.key).landed_phase == field.phase
    shared: dict[str, Any] = {
        name: getattr(rules.commanders, name) for name in ("attacks", "combat", "hit_points")
    }
    shared |= {
        "troop": COMMANDER,
        "rank": REAR,
        "cost": rules.commanders.price,
        "tactics": None,
        "standing": 1,
    }
    bands = [Band(commander=commander, **shared) for commander in unit.commanders]
    for name, ranks in unit.troops.items():
        troop = rules.troops[name]
        if role is Role.FLEET or (troop.marine is not None if aboard else not troop.ship):
            counts_by_rank = ((rank, count) for rank, count in enumerate(ranks, start=1) if count)
            figures = {name: getattr(troop, name) for name in _BAND_FIGURES}
            figures["amphibious"] = troop.amphibious if just_landed else 0
            figures["marine"] = troop.marine or 0 if aboard else 0
            bands += (
                Band(troop=name, rank=rank, standing=count, **figures) for rank, count in counts_by_rank
            )
    bands.sort(key=lambda band: (band.rank, band.commander is not None, band.cost, band.troop))
    contingent = Contingent(unit=unit, role=role, bands=bands, leader=unit.lead_commander)
    if aboard:
        contingent.carrier = unit.aboard
        contingent.stand_back()
    contingent.update_front_rank()
    return contingent


def fill_marine_space(aboard: Iterable[Contingent], space: int) -> None:
    """Let the front ranks of soldiers aboard one fleet fight, as far as its marine space suffices (B13).

    Equal ranks by W12, a unit's cheapest first. The others are in reserve; mutineers need no space (M6.1).
    """
    contingents = list(aboard)
    for contingent in contingents:
        contingent.stand_back()
    bands = [(contingent, band) for contingent in contingents for band in contingent.bands]
    for contingent, band in sorted(bands, key=lambda pair: pair[1].rank):
        mutinous = contingent.role is Role.MUTINEERS
        room = band.reserve if mutinous else max(0, min(band.reserve, space))
        band.standing, band.reserve = room, band.reserve - room
        if not mutinous:
            space -= room
    for contingent in contingents:
        contingent.update_front_rank()
        if contingent.victim and (
            not contingent.victim.standing or contingent.victim.rank > contingent.front_rank
        ):
            contingent.victim = None


def enter_fortification(
    rules: Rules, row: FortificationLevel, contingents: Iterable[Contingent], field: Field
) -> None:
    """Give defenders room in the barracks (B5.1): realms share the first where nobody is at war with them."""
    all_barracks: list[Barracks] = []
    for contingent in contingents:
        at_war = field.world.at_war
        own_barracks = next(
            (
                barracks
                for barracks in all_barracks
                if not any(at_war(contingent.realm, other) for other in barracks.realms)
            ),
            None,
        )
        if own_barracks is None:
            own_barracks = Barracks(row=row, room=row.barracks, bonus_left=row.barracks)
            all_barracks.append(own_barracks)
        if contingent.realm not in own_barracks.realms:
            own_barracks.realms.append(contingent.realm)
        contingent.defends = True
        contingent.barracks = own_barracks
        for band in contingent.bands:
            # commanders count as foot, siege machines get no bonus (T2)
            kind = TroopClass.FOOT if band.commander else rules.troops[band.troop].kind
            band.sheltered = kind is not TroopClass.SIEGE
            if band.sheltered:
                mounted = kind is TroopClass.MOUNTED
                band.fortification = row.mounted_combat if mounted else row.foot_combat
                band.fortification_hit_points = row.mounted_hit_points if mounted else row.foot_hit_points


def units_in_battle(battle: Battle) -> tuple[BattleUnit, ...]:
    """Return every contingent as it enters the battle."""
    return tuple(_unit(battle, contingent) for contingent in battle.contingents)


def counts(band_counts: list[tuple[Band, int]]) -> tuple[TroopCount, ...]:
    """Return the number of troops by type, in the order given, without commanders."""
    totals: dict[str, int] = {}
    for band, count in band_counts:
        if not band.commander:
            totals[band.troop] = totals.get(band.troop, 0) + count
    return tuple(TroopCount(troop=troop, count=count) for troop, count in totals.items())


def names(band_counts: list[tuple[Band, int]]) -> tuple[str, ...]:
    """Return the names of the commanders among bands."""
    return tuple(band.commander.name for band, count in band_counts if band.commander and count)


def total_hit_points(contingent: Contingent) -> Decimal:
    """Return the hit points of all fighters of a unit, with the bonus for those in the barracks (B8)."""
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
    """Return 100 times the hits that a unit is expected to make in round 1.

    A troop that may stand behind walls counts by its chance of a place there.
    """
    inside = Fraction(0)
    if contingent.barracks:
        sharing = [other for other in battle.contingents if other.barracks is contingent.barracks]
        waiting = sum(band.standing for other in sharing for band in other.bands if band.sheltered)
        inside = min(Fraction(1), Fraction(contingent.barracks.room, waiting)) if waiting else inside
    own = [
        (band.chance, band.chance_inside if band.sheltered else band.chance, band)
        for band in contingent.bands
    ]
    return _percent(
        tuple([(chance, behind, band.standing * band.attacks) for chance, behind, band in own]), inside
    )


@lru_cache(4096)
def _percent(strikes: tuple[tuple[Chance, Chance, int], ...], inside: Fraction) -> Decimal:
    """Return 100 times the expected hits of a unit's strikes.

    ``strikes``: (chance in the open, chance behind walls, number); ``inside``: the part of them behind walls.
    """
    # the same units meet in many battles of which only the odds are wanted; whole numbers add up faster than
    # fractions
    above = 0
    below = 1
    for chance, behind, times in strikes:
        strike = (
            chance.exact + (behind.exact - chance.exact) * inside
            if inside and behind is not chance
            else chance.exact
        )
        above = above * strike.denominator + times * strike.numerator * below
        below = below * strike.denominator
    total = Fraction(above, below)
    return in_percent(total)


def _modifiers(battle: Battle, contingent: Contingent) -> list[Modifier]:
    """Return the modifiers of a unit's strength: walls, leader, landing, marines (B5)."""
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
