"""A round of battle (B4-B8): all strike, hits find their victims, every other round the dead leave."""

from decimal import Decimal
from itertools import groupby

from gm.core.dice import Chance
from gm.games.medieval.combat.battle import SEA, Battle
from gm.games.medieval.combat.contingents import Band, Barracks, Contingent, Role
from gm.games.medieval.combat.muster import counts, names, total_hit_points
from gm.games.medieval.combat.report import BattleRound, TroopDamage, UnitRound
from gm.games.medieval.combat.retreats import units_retreat
from gm.games.medieval.combat.setup import man_the_decks

HIT = Decimal(1)  # what one hit does
_PRECISE = Decimal("0.0001")  # to how many digits the hits to be expected are kept

Hits = list[tuple[Band, int, int]]  # (band, how many struck, hits)
Gone = list[tuple[Band, int]]  # (band, how many left it)


def fight_rounds(battle: Battle) -> None:
    """Fight rounds until no two units at war are left (B10), or the round limit ends it as drawn."""
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
    places_inside(battle, engaged)
    hits = _strike(battle, engaged)
    taken_before = [contingent.taken for contingent in engaged] if battle.recorded else []
    _deal_damage(battle, engaged, hits)
    casualties: dict[str, Gone] = {}
    remaining: dict[str, Decimal] = {}
    if battle.round % 2 == 0:
        remaining = {contingent.key: contingent.damage for contingent in engaged}
        casualties = casualties_leave(battle)
    retreats = units_retreat(battle)
    if battle.recorded:
        hits_taken = [
            contingent.taken - before for contingent, before in zip(engaged, taken_before, strict=True)
        ]
        units = tuple(
            _unit_round(
                contingent,
                hits[contingent.key],
                took,
                casualties.get(contingent.key, []),
                remaining.get(contingent.key),
            )
            for contingent, took in zip(engaged, hits_taken, strict=True)
        )
        battle.rounds.append(BattleRound(number=battle.round, units=units, retreats=retreats))
    return bool(casualties or retreats)


def _unit_round(
    contingent: Contingent, hits: Hits, taken: Decimal, gone: Gone, remaining: Decimal | None
) -> UnitRound:
    """Return a unit's entry in the report of a round."""
    expected = variance = Decimal(0)
    caused: dict[str, tuple[int, int]] = {}
    for band, strikers, damage in hits:
        before = caused.get(band.troop, (0, 0))
        caused[band.troop] = (before[0] + strikers, before[1] + damage)
        for chance, tries in rolls(band, strikers):
            expected += tries * chance.mean
            variance += tries * chance.variance
    return UnitRound(
        unit=contingent.key,
        retreat_level=contingent.unit.retreat_level,
        caused=tuple(
            TroopDamage(troop=troop, count=damage[0], damage=damage[1]) for troop, damage in caused.items()
        ),
        taken=taken,
        total_taken=contingent.taken,
        hit_points=total_hit_points(contingent),
        casualties=counts(gone),
        fallen_commanders=names(gone),
        remaining=remaining,
        expected=expected.quantize(_PRECISE),
        variance=variance.quantize(_PRECISE),
    )


def _strike(battle: Battle, engaged: list[Contingent]) -> dict[str, Hits]:
    """Roll all attacks of a round; return the hits of each unit."""
    # everybody who is present strikes, also the marked (B4, B5)
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
            else:  # nearly all of them: what ``rolls`` says without walls
                scored = successes(band.chance, strikers * band.attacks)
            hits.append((band, strikers, scored))
    return hits_of


def rolls(band: Band, strikers: int) -> tuple[tuple[Chance, int], ...]:
    """Return (number, chance) of a band's rolls in a round.

    Troops with a place behind the walls come first (B5.1).
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


def places_inside(battle: Battle, engaged: list[Contingent]) -> None:
    """Give each band its places in the barracks for this round, by lot when there are too few (B5.1)."""
    if battle.fortification:
        for barracks, bands in _sharing(engaged):
            waiting = [0] * len(bands)
            if sum(band.present for band in bands) > barracks.room:
                waiting = [band.present for band in bands]
                weighted = battle.dice("barracks").weighted
                for _ in range(barracks.room):
                    waiting[weighted(waiting)] -= 1
            for band, outside in zip(bands, waiting, strict=True):
                band.inside = band.present - outside


def is_crowded(engaged: list[Contingent]) -> bool:
    """Return whether troops outnumber the places behind the walls, which then are drawn (B5.1)."""
    return any(sum(band.present for band in bands) > barracks.room for barracks, bands in _sharing(engaged))


def _sharing(engaged: list[Contingent]) -> list[tuple[Barracks, list[Band]]]:
    """Return each barracks with the bands that share it."""
    shared: list[tuple[Barracks, list[Band]]] = []
    for contingent in engaged:
        if contingent.barracks:
            bands = next((bands for other, bands in shared if other is contingent.barracks), None)
            if bands is None:
                bands = []
                shared.append((contingent.barracks, bands))
            bands += [band for band in contingent.bands if band.sheltered and (band.standing or band.marked)]
    return shared


def _unmarked_troops(battle: Battle, engaged: list[Contingent]) -> dict[str, int]:
    """Return the number of each realm's troops that still stand in the round (B6)."""
    unmarked = dict.fromkeys(battle.realms, 0)
    for contingent in engaged:
        unmarked[contingent.realm] += contingent.standing()
    return unmarked


def _deal_damage(battle: Battle, engaged: list[Contingent], hits: dict[str, Hits]) -> None:
    """Send each hit to an enemy realm in proportion to its unmarked troops at the start of the round (B6)."""
    scored = dict.fromkeys(battle.realms, 0)
    for contingent in engaged:
        for _, _, damage in hits[contingent.key]:
            scored[contingent.realm] += damage
    realms_standing = {contingent.realm for contingent in engaged if contingent.front_rank}
    # of two realms, each has one enemy only: nothing is shared out
    unmarked = _unmarked_troops(battle, engaged) if len(battle.realms) > 2 else {}
    for shooter, count in scored.items():
        foes = [realm for realm in battle.enemies[shooter] if realm in realms_standing]
        sharing = [battle.friends(shooter, realm) for realm in foes]
        if len(foes) == 1:
            strike_friends(battle, sharing[0], count)
        elif foes:
            weights = [unmarked[realm] for realm in foes]
            targets = battle.dice("targets")
            for target, run in groupby([targets.weighted(weights) for _ in range(count)]):
                strike_friends(battle, sharing[target], sum(1 for _ in run))
    wall_losses(battle, engaged)


def strike_friends(battle: Battle, friends: list[Contingent], hits: int) -> None:
    """Apply hits to friends who share damage by rank, one after the other (B7).

    Hits without a target are lost (B6).
    """
    while hits:
        ahead = front_most(friends)
        if not ahead:
            return
        if len(ahead) > 1:
            weights = [friend.front_count for friend in ahead]
            draw = battle.dice("units").weighted
            index = draw(weights)
            while hits > 1 and ahead[index].shrug_off():
                # nobody has fallen: as many troops as before share the rank
                hits -= 1
                index = draw(weights)
            hits = strike_one(battle, friends, ahead, index, hits)
        else:
            hits = strike_one(battle, friends, ahead, 0, hits)


def strike_one(
    battle: Battle, friends: list[Contingent], ahead: list[Contingent], index: int, hits: int
) -> int:
    """Strike the front-most unit, or the one drawn of several, until another may be drawn.

    Return the hits left.
    """
    rank_five = battle.dice("rank 5")
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
    """Return the units with unmarked troops in the front-most rank."""
    if len(friends) == 1:
        return friends if friends[0].front_rank else []
    front = min([friend.front_rank for friend in friends if friend.front_rank], default=0)
    return [friend for friend in friends if friend.front_rank == front] if front else []


def wall_losses(battle: Battle, engaged: list[Contingent]) -> None:
    """Mark troops that die because the room behind the walls is used up: their damage is enough (B8)."""
    for contingent in engaged:
        if contingent.barracks and contingent.damage:
            contingent.absorb(Decimal(0), battle.dice("rank 5"))


def casualties_leave(battle: Battle) -> dict[str, Gone]:
    """Remove the marked from all units still fighting; return them by unit. Marines then close up (B13)."""
    casualties = {
        contingent.key: remove_casualties(battle, contingent)
        for contingent in battle.contingents
        if contingent.fights
    }
    for contingent in battle.contingents:
        strike_from_the_list(battle, contingent)
    if battle.kind == SEA and battle.field.rules.battle.marines_replaced:
        man_the_decks(battle)
    return casualties


def remove_casualties(battle: Battle, contingent: Contingent) -> Gone:
    """Let a unit's marked leave; a leader among them leads no more (B12)."""
    led = contingent.leader
    casualties = contingent.remove_casualties()
    if contingent.leader is not led:
        battle.set_chances(contingent)
    return casualties


def strike_from_the_list(battle: Battle, contingent: Contingent) -> None:
    """Destroy a unit without troops, and a fleet without ships, whose marines fight no more (B12).

    Marines in reserve may still be called up; in a mutiny soldiers fight on without their ships (M6.1).
    """
    if not contingent.fights:
        return
    if contingent.role is Role.FLEET:
        if not contingent.ships():
            battle.destroy(contingent)
            battle.marines_stand_down(contingent)
    elif not contingent.standing() and not any(band.reserve for band in contingent.bands):
        battle.destroy(contingent)
