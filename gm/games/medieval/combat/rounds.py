"""The rounds of a battle (B4-B8): all strike, the hits are shared out, and in even rounds the dead leave."""

from decimal import Decimal
from itertools import groupby

from gm.core.dice import Chance
from gm.games.medieval.combat.battle import SEA, Battle
from gm.games.medieval.combat.contingents import NO_DAMAGE, Band, Barracks, Contingent, Role
from gm.games.medieval.combat.muster import counts, names, total_hit_points
from gm.games.medieval.combat.report import BattleRound, TroopDamage, UnitRound
from gm.games.medieval.combat.retreats import units_retreat
from gm.games.medieval.combat.setup import man_the_decks

HIT = Decimal(1)  # what one hit does
_PRECISE = Decimal("0.0001")  # to how many digits the hits to be expected are kept

Hits = list[tuple[Band, int, int]]  # of one unit: (band, how many of it struck, hits)
Casualties = list[tuple[Band, int]]  # of one unit: (band, how many died)


def fight_rounds(battle: Battle) -> None:
    """Fight rounds until no two realms at war are left (B10), or the round limit makes the battle drawn."""
    limit = battle.field.rules.battle.round_limit
    goes_on = battle.goes_on()
    while goes_on:
        if battle.round == limit:
            battle.drawn = True
            return
        if fight_round(battle):
            # only who has left for good ends a battle: the marked still stand (B4)
            goes_on = battle.goes_on()


def fight_round(battle: Battle) -> bool:
    """Fight one round (B4-B9). Return whether a unit may have left the battle."""
    battle.round += 1
    engaged = [
        contingent
        for contingent in battle.contingents
        if contingent.fights and (contingent.front_rank or contingent.present())
    ]
    set_places_inside(battle, engaged)
    hits = _strike(battle, engaged)
    taken_before = [contingent.taken for contingent in engaged] if battle.recorded else []
    _deal_damage(battle, engaged, hits)
    # both by key of a unit, after even rounds only; ``remaining``: the damage that has killed nobody yet
    casualties: dict[str, Casualties] = {}
    remaining: dict[str, Decimal] = {}
    if battle.round % 2 == 0:
        remaining = {contingent.key: contingent.damage for contingent in engaged}
        casualties = casualties_leave(battle)
    retreats = units_retreat(battle)
    if battle.recorded:
        units = tuple(
            _unit_round(
                contingent,
                hits[contingent.key],
                contingent.taken - before,
                casualties.get(contingent.key, []),
                remaining.get(contingent.key),
            )
            for contingent, before in zip(engaged, taken_before, strict=True)
        )
        battle.rounds.append(BattleRound(number=battle.round, units=units, retreats=retreats))
    return bool(casualties or retreats)


def _unit_round(
    contingent: Contingent, hits: Hits, taken: Decimal, casualties: Casualties, remaining: Decimal | None
) -> UnitRound:
    """Return a unit's entry in the report of a round.

    ``hits``: those that it scored; ``taken``: the damage done to it in this round; ``remaining``: its damage
    that has killed nobody yet, None after an odd round.
    """
    expected = variance = Decimal(0)
    strikers_of: dict[str, int] = {}  # by troop type
    damage_of: dict[str, int] = {}
    for band, strikers, hits_of_band in hits:
        strikers_of[band.troop] = strikers_of.get(band.troop, 0) + strikers
        damage_of[band.troop] = damage_of.get(band.troop, 0) + hits_of_band  # a hit is 1 damage
        for chance, tries in rolls(band, strikers):
            expected += tries * chance.mean
            variance += tries * chance.variance
    return UnitRound(
        unit=contingent.key,
        retreat_level=contingent.unit.retreat_level,
        caused=tuple(
            TroopDamage(troop=troop, count=strikers_of[troop], damage=damage)
            for troop, damage in damage_of.items()
        ),
        taken=taken,
        total_taken=contingent.taken,
        hit_points=total_hit_points(contingent),
        casualties=counts(casualties),
        fallen_commanders=names(casualties),
        remaining=remaining,
        expected=expected.quantize(_PRECISE),
        variance=variance.quantize(_PRECISE),
    )


def _strike(battle: Battle, engaged: list[Contingent]) -> dict[str, Hits]:
    """Roll all attacks of a round; return the hits of each unit, by its key.

    All who are present strike, also those marked as fallen, if an enemy of theirs is present (B4, B5).
    """
    successes = battle.dice("hits").successes
    present = {contingent.realm for contingent in engaged}
    hits_of: dict[str, Hits] = {}
    for contingent in engaged:
        hits: Hits = []
        hits_of[contingent.key] = hits
        if present.isdisjoint(battle.enemies[contingent.realm]):
            continue
        for band in contingent.bands:
            strikers = band.standing + band.marked
            if not strikers:
                continue
            if band.inside:
                scored = sum([successes(chance, times) for chance, times in rolls(band, strikers)])
            else:  # the same as ``rolls`` gives without walls, faster
                scored = successes(band.chance, strikers * band.attacks)
            hits.append((band, strikers, scored))
    return hits_of


def rolls(band: Band, strikers: int) -> tuple[tuple[Chance, int], ...]:
    """Return (chance of a roll, number of rolls) of a band in a round.

    The rolls of troops with a place behind the walls, if there are any, come first (B5.1). ``strikers``: how
    many of the band strike.
    """
    sheltered = band.inside
    if not sheltered:
        return ((band.chance, strikers * band.attacks),)
    if sheltered == strikers:
        return ((band.chance_inside, strikers * band.attacks),)
    return (band.chance_inside, sheltered * band.attacks), (
        band.chance,
        (strikers - sheltered) * band.attacks,
    )


def set_places_inside(battle: Battle, engaged: list[Contingent]) -> None:
    """Set how many of each band have a place in the barracks this round, by lot if room is short (B5.1)."""
    if battle.fortification:
        for barracks, bands in _bands_by_barracks(engaged):
            numbers = [band.present for band in bands]
            numbers_outside = [0] * len(bands)
            if sum(numbers) > barracks.room:
                numbers_outside = [*numbers]
                weighted = battle.dice("barracks").weighted
                for _ in range(barracks.room):
                    numbers_outside[weighted(numbers_outside)] -= 1
            for band, number, outside in zip(bands, numbers, numbers_outside, strict=True):
                band.inside = number - outside


def is_crowded(engaged: list[Contingent]) -> bool:
    """Return whether troops outnumber the places behind the walls, so that they are drawn by lot (B5.1)."""
    return any(
        sum(band.present for band in bands) > barracks.room for barracks, bands in _bands_by_barracks(engaged)
    )


def _bands_by_barracks(engaged: list[Contingent]) -> list[tuple[Barracks, list[Band]]]:
    """Return each barracks with the bands that may have places in it."""
    pairs: list[tuple[Barracks, list[Band]]] = []
    for contingent in engaged:
        if contingent.barracks:
            # by identity: other barracks with the same figures would be equal
            bands = next((bands for other, bands in pairs if other is contingent.barracks), None)
            if bands is None:
                bands = []
                pairs.append((contingent.barracks, bands))
            bands += [band for band in contingent.bands if band.sheltered and (band.standing or band.marked)]
    return pairs


def _unmarked_troops(battle: Battle, engaged: list[Contingent]) -> dict[str, int]:
    """Return how many unmarked troops and commanders each realm has in these units, by code (B6)."""
    unmarked = dict.fromkeys(battle.realms, 0)
    for contingent in engaged:
        unmarked[contingent.realm] += contingent.standing()
    return unmarked


def _deal_damage(battle: Battle, engaged: list[Contingent], hits: dict[str, Hits]) -> None:
    """Share each realm's hits out to its enemies by lot, and mark the casualties (B6).

    An enemy's chance to be hit is in proportion to its unmarked troops before any of these hits. Last, troops
    are marked that earlier damage kills now that others have used up the bonus of their walls (B8).
    """
    scored = dict.fromkeys(battle.realms, 0)
    for contingent in engaged:
        for _, _, hits_of_band in hits[contingent.key]:
            scored[contingent.realm] += hits_of_band
    realms_standing = {contingent.realm for contingent in engaged if contingent.front_rank}
    # in a battle of two realms all hits go to the only enemy, and these numbers are not needed
    unmarked = _unmarked_troops(battle, engaged) if len(battle.realms) > 2 else {}
    for shooter, count in scored.items():
        foes = [realm for realm in battle.enemies[shooter] if realm in realms_standing]
        friends_of_foes = [battle.friends(shooter, realm) for realm in foes]
        if len(foes) == 1:
            strike_friends(battle, friends_of_foes[0], count)
        elif foes:
            weights = [unmarked[realm] for realm in foes]
            targets = battle.dice("targets")
            drawn_indexes = [targets.weighted(weights) for _ in range(count)]
            # the hits are dealt in the order in which they were drawn
            for foe_index, equal_draws in groupby(drawn_indexes):
                strike_friends(battle, friends_of_foes[foe_index], sum(1 for _ in equal_draws))
    wall_losses(battle, engaged)


def strike_friends(battle: Battle, friends: list[Contingent], hits: int) -> None:
    """Apply hits to friends who share the damage, each hit to their front-most rank (B7).

    Hits for which nobody unmarked is left are lost (B6).
    """
    while hits:
        ahead = front_most(friends)
        if not ahead:
            return
        if len(ahead) > 1:
            weights = [friend.front_count for friend in ahead]
            draw = battle.dice("units").weighted
            index = draw(weights)
            # nobody dies of these hits, so the weights of the next draw are the same
            while hits > 1 and ahead[index].shrug_off():
                hits -= 1
                index = draw(weights)
            hits = strike_one(battle, friends, ahead, index, hits)
        else:
            hits = strike_one(battle, friends, ahead, 0, hits)


def strike_one(
    battle: Battle, friends: list[Contingent], ahead: list[Contingent], index: int, hits: int
) -> int:
    """Strike ``ahead[index]``, one of the units ``ahead`` that stand front-most; return the hits left.

    If it is the only one, it takes all hits on its front rank; of several units it takes one hit, and the
    next hit may be drawn for another. ``friends``: all units that share the damage.
    """
    rank_five = battle.dice("rank 5")  # with commanders in it, victims are drawn by lot
    if len(ahead) == 1:
        hits_left, beyond = ahead[0].take_hits(hits, rank_five)
    else:
        hits_left = hits - 1
        beyond = ahead[index].absorb(HIT, rank_five)
    while beyond and (ahead := front_most(friends)):
        # the rest of a hit that has wiped out its unit goes on to a friend of it
        index = (
            battle.dice("units").weighted([friend.front_count for friend in ahead]) if len(ahead) > 1 else 0
        )
        beyond = ahead[index].absorb(beyond, rank_five)
    return hits_left


def front_most(friends: list[Contingent]) -> list[Contingent]:
    """Return the units with unmarked troops in the front-most rank of all of them; none if all are marked."""
    if len(friends) == 1:
        return friends if friends[0].front_rank else []
    front = min([friend.front_rank for friend in friends if friend.front_rank], default=0)
    return [friend for friend in friends if friend.front_rank == front] if front else []


def wall_losses(battle: Battle, engaged: list[Contingent]) -> None:
    """Mark troops in these units that earlier damage kills now that their barracks' bonus is used up (B8)."""
    for contingent in engaged:
        if contingent.barracks and contingent.damage:
            # without further damage: this only marks whom the damage so far is enough to kill now. Dice draw
            # the victim in rank 5 if commanders stand there
            contingent.absorb(NO_DAMAGE, battle.dice("rank 5"))


def casualties_leave(battle: Battle) -> dict[str, Casualties]:
    """Remove the troops marked as casualties from all units still fighting; return them, by key of the unit.

    Units that have nobody left are destroyed, and marines in reserve may take places that are free (B13).
    """
    casualties = {
        contingent.key: remove_casualties(battle, contingent)
        for contingent in battle.contingents
        if contingent.fights
    }
    for contingent in battle.contingents:
        destroy_if_wiped_out(battle, contingent)
    if battle.kind == SEA and battle.field.rules.battle.marines_replaced:
        man_the_decks(battle)
    return casualties


def remove_casualties(battle: Battle, contingent: Contingent) -> Casualties:
    """Let those of a unit who are marked as fallen leave, and return them.

    If the unit's leader is among them, its chances change (B12).
    """
    leader_before = contingent.leader
    casualties = contingent.remove_casualties()
    if contingent.leader is not leader_before:
        battle.set_chances(contingent)
    return casualties


def destroy_if_wiped_out(battle: Battle, contingent: Contingent) -> None:
    """Mark a unit as destroyed if nobody is left in it, a fleet if it has no ships (B12).

    Marines of a destroyed fleet fight no more, except in a mutiny (M6.1). Soldiers in reserve count as left.
    """
    if not contingent.fights:
        return
    if contingent.role is Role.FLEET:
        if not contingent.ships():
            battle.destroy(contingent)
            battle.marines_stand_down(contingent)
    elif not contingent.standing() and not any(band.reserve for band in contingent.bands):
        battle.destroy(contingent)
