"""A round of battle (B4-B8): all strike, the hits find their victims, and every other round the fallen leave."""

from __future__ import annotations

from decimal import Decimal

from gm.games.medieval.combat.battle import SEA, Battle, troop_name
from gm.games.medieval.combat.contingents import Band, Barracks, Contingent, Role
from gm.games.medieval.combat.report import BattleRound, Retreat, TroopDamage, UnitRound
from gm.games.medieval.combat.retreats import units_retreat
from gm.games.medieval.combat.setup import man_the_decks
from gm.games.medieval.combat.summary import counts, names, total_hit_points
from gm.kernel.dice import Stream

HIT = Decimal(1)
"""What one hit does."""


def fight_rounds(battle: Battle) -> None:
    """Round after round until no two units at war remain (B10), or the round limit ends the battle as drawn."""
    limit = battle.field.rules.battle.round_limit
    while battle.goes_on():
        number = len(battle.rounds) + 1
        if number > limit:
            battle.drawn = True
            return
        battle.rounds.append(_round(battle, number))


def _round(battle: Battle, number: int) -> BattleRound:
    engaged = [each for each in battle.fighting() if each.present()]
    taken_before = {each.key: each.taken for each in engaged}
    hits = _strike(battle, engaged)
    _deal_damage(battle, engaged, hits)
    gone: dict[str, list[tuple[Band, int]]] = {}
    remaining: dict[str, Decimal] = {}
    if number % 2 == 0:
        remaining = {each.key: each.damage for each in engaged}
        gone = casualties_leave(battle)
    retreats: tuple[Retreat, ...] = units_retreat(battle)
    return BattleRound(
        number=number,
        units=tuple(
            UnitRound(
                unit=each.key,
                retreat_level=each.unit.retreat_level,
                caused=_caused(hits[each.key]),
                taken=each.taken - taken_before[each.key],
                total_taken=each.taken,
                hit_points=total_hit_points(each),
                casualties=counts(gone.get(each.key, [])),
                fallen_commanders=names(gone.get(each.key, [])),
                remaining=remaining.get(each.key),
            )
            for each in engaged
        ),
        retreats=retreats,
    )


# -- striking (B4, B5) -------------------------------------------------------------------------------------------------

Hits = list[tuple[Band, int, int]]
"""(band, how many struck, hits)."""


def _strike(battle: Battle, engaged: list[Contingent]) -> dict[str, Hits]:
    """Every attack of everybody present, also of the marked, rolled against its chance (B4, B5)."""
    inside = _places_inside(battle, engaged)
    stream = battle.dice("hits")
    present = {each.realm for each in engaged}
    found: dict[str, Hits] = {}
    for contingent in engaged:
        hits: Hits = []
        found[contingent.key] = hits
        if not any(enemy in present for enemy in battle.enemies[contingent.realm]):
            continue
        for band in contingent.bands:
            if band.present:
                hits.append((band, band.present, _hits(band, inside.get(id(band), 0), stream)))
    return found


def _hits(band: Band, inside: int, stream: Stream) -> int:
    chance, hits = stream.chance, 0
    for each, strikers in ((band.chance_inside, inside), (band.chance, band.present - inside)):
        for _ in range(strikers * band.attacks):
            hits += chance(each)
    return hits


def _places_inside(battle: Battle, engaged: list[Contingent]) -> dict[int, int]:
    """How many of each band have a place in the barracks this round, drawn at random (B5.1)."""
    found: dict[int, int] = {}
    shared: list[tuple[Barracks, list[Band]]] = []
    for contingent in engaged:
        if contingent.barracks:
            bands = next((bands for each, bands in shared if each is contingent.barracks), None)
            if bands is None:
                bands = []
                shared.append((contingent.barracks, bands))
            bands += (band for band in contingent.bands if band.sheltered and band.present)
    for barracks, bands in shared:
        waiting = [band.present for band in bands]
        if sum(waiting) <= barracks.room:
            drawn = waiting
        else:
            stream = battle.dice("barracks")
            drawn = [0] * len(bands)
            for _ in range(barracks.room):
                index = stream.weighted(waiting)
                waiting[index] -= 1
                drawn[index] += 1
        found |= {id(band): count for band, count in zip(bands, drawn, strict=True)}
    return found


def _caused(hits: Hits) -> tuple[TroopDamage, ...]:
    """The damage by troop type, whatever became of it."""
    totals: dict[str, tuple[int, int]] = {}
    for band, strikers, damage in hits:
        before = totals.get(troop_name(band), (0, 0))
        totals[troop_name(band)] = (before[0] + strikers, before[1] + damage)
    return tuple(TroopDamage(troop=troop, count=count, damage=damage) for troop, (count, damage) in totals.items())


# -- taking damage (B6-B8) ---------------------------------------------------------------------------------------------


def _deal_damage(battle: Battle, engaged: list[Contingent], hits: dict[str, Hits]) -> None:
    """Send each hit to an enemy realm in proportion to its unmarked troops at the start of the round (B6)."""
    unmarked = dict.fromkeys(battle.realms, 0)
    for contingent in engaged:
        unmarked[contingent.realm] += contingent.standing()
    targets = battle.dice("targets")
    scored = dict.fromkeys(battle.realms, 0)
    for contingent in engaged:
        scored[contingent.realm] += sum(damage for _, _, damage in hits[contingent.key])
    for shooter, count in scored.items():
        foes = [realm for realm in battle.enemies[shooter] if unmarked[realm]]
        if not count or not foes:
            continue
        weights = [unmarked[realm] for realm in foes]
        sharing = [battle.friends(shooter, realm) for realm in foes]
        for _ in range(count):
            _one_hit(battle, sharing[targets.weighted(weights) if len(foes) > 1 else 0])
    for contingent in engaged:
        if contingent.barracks and contingent.damage:
            # friends may have used up the room behind the walls: then what a troop has taken may be enough (B8)
            contingent.absorb(Decimal(0), battle.dice("rank 5"))


def _one_hit(battle: Battle, friends: list[Contingent]) -> None:
    """One hit on friends who share damage by rank (B7); what nobody is left to take is lost (B6)."""
    damage = HIT
    while damage and (struck := _front_most(friends, battle)) is not None:
        damage = struck.absorb(damage, battle.dice("rank 5"))


def _front_most(friends: list[Contingent], battle: Battle) -> Contingent | None:
    """The unit with unmarked troops in the front-most rank, drawn in proportion to those when there are several."""
    ranks = [each.front_rank for each in friends if each.front_rank]
    if not ranks:
        return None
    front = min(ranks)
    ahead = [each for each in friends if each.front_rank == front]
    if len(ahead) == 1:
        return ahead[0]
    return ahead[battle.dice("units").weighted([each.front_count for each in ahead])]


# -- casualties leave (B8.1) -------------------------------------------------------------------------------------------


def casualties_leave(battle: Battle) -> dict[str, list[tuple[Band, int]]]:
    """Remove the marked from all units still fighting; returns them by unit. Marines then close up (B13)."""
    gone = {}
    for contingent in battle.contingents:
        if not contingent.fights:
            continue
        led = contingent.leader
        gone[contingent.key] = contingent.bury()
        if contingent.leader is not led:
            battle.set_chances(contingent)
    _strike_from_the_list(battle)
    if battle.kind == SEA and battle.field.rules.battle.marines_replaced:
        man_the_decks(battle)
    return gone


def _strike_from_the_list(battle: Battle) -> None:
    """Units of which nobody is left are destroyed; so is a fleet without ships, whose marines fight no more (B12).

    Marines in reserve may still be called up; in a mutiny soldiers fight on without their ships (M6.1).
    """
    for contingent in battle.contingents:
        if not contingent.fights:
            continue
        if contingent.role is Role.FLEET:
            if not contingent.ships(marked=True):
                battle.destroy(contingent)
                _marines_stand_down(battle, contingent)
        elif not contingent.standing() and not any(band.reserve for band in contingent.bands):
            battle.destroy(contingent)


def _marines_stand_down(battle: Battle, fleet: Contingent) -> None:
    if battle.mutiny:
        return
    for each in battle.aboard(fleet):
        for band in each.bands:
            band.reserve, band.standing = band.reserve + band.standing, 0
        each.look_to_the_front()
