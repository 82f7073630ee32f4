"""War and peace: which realms a bot fights, makes peace with, and seeks as allies (F1, L15, L17)."""

from collections import Counter
from collections.abc import Collection

from gm.core.dice import Dice
from gm.games.medieval.analysis.dealings import ALLIANCE_OFFERED, CANCELLED, PEACE_OFFERED
from gm.games.medieval.bots.command import Command

PATIENCE = 3  # No bot starts a war before this turn: first it takes what belongs to nobody
WAR_CHANCE = 40
"""Percent: how likely it is in a turn that a war is begun that could be.

It keeps bots from all doing so at once."""

FRIENDS = 2  # With so many allies a bot is content
SERIOUS = 0.2  # A realm with so much of one's own power is an enemy for whom hands must be free
MUSTERED = 3.0  # The power that a realm has at least when it begins a war
DISTRACTED = 0.5  # What part of its other enemies' power a realm has to keep away from us
ASKED_AGAIN = 4  # Turns after which an offer that was made in vain is made again
REVIEW = 4  # Turns: so often two enemies ask whether their war still gains anything


def order_relations(command: Command) -> None:
    """Order offers of peace, wars and offers of alliances.

    The wars count for the rest of the turn's orders.
    """
    enemies = sorted(code for code in command.foes if not command.world.realms[code].defeated)
    near = command.reach
    rivals = rivals_of(command)
    _seek_peace(command, enemies, near, rivals)
    if not _league(command, near, rivals):
        serious = command.survey.power[command.realm] * SERIOUS
        _declare_war(
            command, [code for code in enemies if code in near and command.survey.power[code] >= serious]
        )
    _seek_allies(command, rivals)
    _end_alliances(command)


def rivals_of(command: Command) -> frozenset[str]:
    """Return the realms so near to victory (V1), alone or with their allies, that all should stop them."""
    shares = command.survey.victory_shares
    limit = command.profile.rival_percent
    if not limit:
        return frozenset()
    return frozenset[str]().union(
        *(bloc for bloc, share in shares.items() if share >= limit and command.realm not in bloc)
    )


def _seek_peace(command: Command, enemies: list[str], near: list[str], rivals: frozenset[str]) -> None:
    """Choose the enemies to offer peace to.

    They are those that are too strong or out of reach, those beyond the number that the bot wants to fight at
    once, and, while a rival is near to victory, all but that rival if it can be reached.
    """
    profile = command.profile
    power = command.survey.power
    if not profile.peace_percent or not enemies:
        return
    weakest = min(enemies, key=lambda code: (code not in near, power[code], code))
    for code in enemies:
        if code not in near:
            _offer(command, PEACE_OFFERED, code, "too far away to fight")
        elif code in rivals or command.memory.resents(code):
            continue
        elif power[code] * 100 >= power[command.realm] * profile.peace_percent:
            _offer(command, PEACE_OFFERED, code, "too strong for us")
        elif rivals.intersection(near):
            _offer(command, PEACE_OFFERED, code, "somebody else is near to victory")
        elif len(enemies) > max(1, profile.wars) and code != weakest:
            _offer(command, PEACE_OFFERED, code, "one enemy at a time")


def end_idle_wars(command: Command) -> None:
    """Offer peace to enemies in reach that no unit attacks this turn, if nothing has moved for long."""
    if command.profile.peace_percent:
        for code in command.reach:
            idle = (
                code in command.foes
                and code not in command.attacked
                and not command.world.realms[code].defeated
            )
            declared = code in command.sheet.lists.get("declare_war", {})
            settled = declared or code in rivals_of(command) or command.memory.resents(code)
            if idle and not settled and gains_nothing(command, code):
                _offer(command, PEACE_OFFERED, code, "this war gains nothing")


def _offer(command: Command, what: str, code: str, why: str) -> None:
    """Offer peace or an alliance.

    Not again at once where it was offered in vain and the other has not answered.
    """
    own_offer = command.memory.latest(command.realm, code, what)
    their_offer = command.memory.latest(code, command.realm, what)
    if not own_offer or their_offer >= own_offer or command.view.turn - own_offer >= ASKED_AGAIN:
        command.sheet.headquarters("offer_peace" if what == PEACE_OFFERED else "offer_alliance", code, why)


def gains_nothing(command: Command, code: str) -> bool:
    """Return whether a war has come to a stand.

    It has if neither realm owns what was the other's within the time in which an annexation ends (L7), and no
    land of one next to the other's has suffered (L1). Both sides see the same, and offer peace in the same
    turns.
    """
    world = command.world
    pair = sorted((command.realm, code))
    if (command.view.turn + sum(map(ord, "".join(pair)))) % REVIEW:
        return False
    for land in world.provinces.values():
        if land.owner in pair and land.annexed_to in pair and land.owner != land.annexed_to:
            return False
        if land.owner in pair and land.damage:
            borders = {world.provinces[name].owner for name in command.survey.by_land[land.name]}
            if borders.intersection(pair) - {land.owner}:
                return False
    return True


def _league(command: Command, near: list[str], rivals: frozenset[str]) -> bool:
    """Declare war on a realm near to victory together with its neighbours, if they are strong enough.

    All neighbours see the same. Returns whether there is such a war, now or before.
    """
    within = sorted(rivals.intersection(near))
    for code in within:
        power = command.survey.power
        around = [other for other in command.survey.within_reach(code, overseas=True) if other not in rivals]
        together = command.view.turn >= PATIENCE and sum(power[other] for other in around) >= power[code]
        # no word holds against that
        if together and can_attack(command, code):
            command.declare_war(code, "he is near to victory")
    return any(code in command.foes for code in within)


def _declare_war(command: Command, fought: list[str]) -> None:
    """Declare war on the weakest neighbour that is weak enough, if no strong enemy is in reach.

    An idle realm dares more. ``fought``: the strong enemies in reach.
    """
    profile = command.profile
    survey = command.survey
    idle = not fought and not any(map(command.is_enemy_land, survey.borders(command.realm)))
    percent = max(profile.war_percent, profile.idle_percent * idle)
    if not percent or len(fought) >= max(1, profile.wars) or command.view.turn < PATIENCE:
        return
    free = survey.power[command.realm] - DISTRACTED * sum(survey.power[code] for code in fought)
    weak = [
        code
        for code in command.reach
        if _resistance(command, code) * 100 <= free * percent and _may_begin(command, code)
    ]
    if not weak or free < MUSTERED or not (idle or dares(command.view.seed)):
        return
    # the more of their provinces border on ours, the better
    contact = Counter(command.world.provinces[name].owner for name in survey.borders(command.realm))
    victim = min(weak, key=lambda code: (_resistance(command, code) / (1 + contact[code]), code))
    power = survey.power[victim]
    command.declare_war(victim, f"power {power:.0f} against our {survey.power[command.realm]:.0f}")


def dares(seed: str) -> bool:
    """Return whether to begin a war that is possible: the only thing that a bot draws from its seed."""
    return Dice(seed)("war").percent(WAR_CHANCE)


def _resistance(command: Command, code: str) -> float:
    """Return the power with which a realm would oppose this one: a part of its power is bound by others."""
    survey = command.survey
    world = command.world
    neighbours_power = sum(
        survey.power[other] for other in survey.neighbours[code] if world.at_war(code, other)
    )
    return max(survey.power[code] - DISTRACTED * neighbours_power, survey.power[code] * DISTRACTED)


def _may_begin(command: Command, code: str) -> bool:
    """Return whether a war may begin: no offer is being made to that realm, and no promise forbids it.

    A promise is kept, unless that costs much too much.
    """
    offered = code in command.sheet.lists.get("offer_alliance", {})
    share = command.profile.betray_percent
    betrayed = command.survey.power[code] * 100 <= command.survey.power[command.realm] * share
    return can_attack(command, code) and not offered and (betrayed or not command.memory.is_bound(code))


def can_attack(command: Command, code: str) -> bool:
    """Return whether war is allowed (F1) and would trap no unit of either side.

    A unit is trapped in the other's land or aboard the other's ships.
    """
    world = command.world
    realm = command.realm
    if code in command.foes or world.allied(realm, code) or world.realms[code].defeated:
        return False
    for mine, other in ((realm, code), (code, realm)):
        lands = {land.name for land in world.owned_by(other)}
        if any(
            unit.place in lands or (unit.aboard or "").startswith(f"{other}/")
            for unit in world.of_realm(mine)
        ):
            return False
    return True


def _seek_allies(command: Command, rivals: frozenset[str]) -> None:
    """Offer alliances to neutral neighbours, until the realm has enough friends.

    Together they stay below the share of cities that gives an allied victory at once (V1).
    """
    if not command.profile.allies:
        return
    world = command.world
    realm = command.realm
    friends = [code for code in world.realms if world.allied(realm, code)]
    for code in command.survey.neighbours[realm]:
        is_out = code in command.foes or code in friends or world.realms[code].defeated
        is_out = is_out or code in rivals or command.memory.resents(code)
        if (
            len(friends) < FRIENDS
            and not is_out
            and not too_great_together(command, {realm, *friends, code}, 2)
        ):
            friends.append(code)
            _offer(command, ALLIANCE_OFFERED, code, "good fences, good friends")


def _end_alliances(command: Command) -> None:
    """End alliances whose common enemy is gone, if the profile seeks no friends, after keeping the promise.

    An ally's passage ends with the alliance.
    """
    world = command.world
    realm = command.realm
    for code in sorted(
        code for code, seat in world.realms.items() if world.allied(realm, code) and not seat.defeated
    ):
        common = any(world.at_war(code, foe) for foe in command.foes)
        if command.profile.war_percent and not common and not command.memory.is_bound(code):
            command.sheet.headquarters("cancel_alliance", code, "there is no enemy left that we share")
    for code in sorted(world.realms[realm].passage - command.foes):
        if command.memory.between(realm, code, CANCELLED) and not world.allied(realm, code):
            command.sheet.headquarters("revoke_passage", code, "it was an ally's")


def too_great_together(command: Command, codes: Collection[str], part: int = 1) -> bool:
    """Return whether these realms own one ``part``-th of the cities that a shared victory takes (V1)."""
    cities = command.atlas.cities
    city_count = sum(command.world.provinces[name].owner in codes for name in cities)
    return city_count * 100 * part >= len(cities) * command.rules.victory.cities_percent
