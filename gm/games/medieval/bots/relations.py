"""War and peace: which realms a bot fights, makes peace with, and seeks as allies (F1, L15, L17)."""

from collections import Counter
from collections.abc import Collection

from gm.core.dice import Dice
from gm.games.medieval.analysis.dealings import ALLIANCE_OFFERED, CANCELLED, PEACE_OFFERED
from gm.games.medieval.bots.command import Command

PATIENCE = 3  # No bot starts a war before this turn: first it takes what belongs to nobody
WAR_CHANCE = 40
"""Percent: how likely it is that a bot begins in a turn a war that it could begin.

Otherwise all bots would begin their wars at once."""

FRIENDS = 2  # With so many allies a bot is content
SERIOUS = 0.2  # An enemy with so large a part of one's own power keeps a bot from further wars
MUSTERED = 3.0  # The power that a realm needs at least to begin a war
DISTRACTED = 0.5  # What part of its enemies' power is answered by power that a realm cannot use elsewhere
ASKED_AGAIN = 4  # Turns after which an offer that was made in vain is made again
REVIEW = 4  # Turns: so often two enemies ask whether their war still gains anything


def order_relations(command: Command) -> None:
    """Order offers of peace, declarations of war, and offers and ends of alliances.

    The wars count for the rest of the turn's orders.
    """
    enemies = sorted(code for code in command.foes if not command.world.realms[code].defeated)
    near = command.reach
    rivals = rivals_of(command)
    _seek_peace(command, enemies, near, rivals)
    is_fighting_rivals = _stop_rivals(command, near, rivals)
    if not is_fighting_rivals:
        serious_power = command.survey.power[command.realm] * SERIOUS
        in_reach = (code for code in enemies if code in near)
        strong_enemies = [code for code in in_reach if command.survey.power[code] >= serious_power]
        # they may keep the realm from a further war
        _begin_war(command, strong_enemies=strong_enemies)
    _seek_allies(command, rivals)
    _end_alliances(command)


def rivals_of(command: Command) -> frozenset[str]:
    """Return the codes of realms so near to victory (V1), alone or with allies, that all should stop them.

    Allies to whom the bot's own realm belongs do not count. There are none for a profile without
    ``rival_percent``.
    """
    shares = command.survey.victory_shares
    limit = command.profile.rival_percent
    if not limit:
        return frozenset()
    return frozenset[str]().union(
        *(bloc for bloc, share in shares.items() if share >= limit and command.realm not in bloc)
    )


def _seek_peace(command: Command, enemies: list[str], near: list[str], rivals: frozenset[str]) -> None:
    """Offer peace to enemies that are too strong or out of reach, and those that are too many.

    While a realm in reach is near to victory, all other enemies are too many. It gets no offer itself, and
    neither does an enemy in reach that the bot resents. Codes: of ``enemies``, of realms that are ``near``
    enough to fight, and of ``rivals``, which are near to victory.
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
    """Offer peace to enemies in reach that no unit attacks this turn, if the war gains nothing any more.

    Not to a realm that war is declared on this turn, that is near to victory, or that the bot resents; to
    none if the profile makes no peace.
    """
    if command.profile.peace_percent:
        for code in command.reach:
            is_idle = (
                code in command.foes
                and code not in command.attacked
                and not command.world.realms[code].defeated
            )
            declared = code in command.sheet.lists.get("declare_war", {})
            goes_on = declared or code in rivals_of(command) or command.memory.resents(code)
            if is_idle and not goes_on and gains_nothing(command, code):
                _offer(command, PEACE_OFFERED, code, "this war gains nothing")


def _offer(command: Command, what: str, code: str, why: str) -> None:
    """Offer peace or an alliance to a realm, unless it was offered lately and there was no answer.

    ``what``: ``PEACE_OFFERED`` or ``ALLIANCE_OFFERED``; ``why``: the reason in words.
    """
    own_offer = command.memory.latest(command.realm, code, what)
    their_offer = command.memory.latest(code, command.realm, what)
    if not own_offer or their_offer >= own_offer or command.view.turn - own_offer >= ASKED_AGAIN:
        command.sheet.headquarters("offer_peace" if what == PEACE_OFFERED else "offer_alliance", code, why)


def gains_nothing(command: Command, code: str) -> bool:
    """Return whether the war with a realm gains neither side anything; true once in ``REVIEW`` turns at most.

    It gains nothing if neither realm owns what is annexed to the other (an annexation ends some time after
    the loss, L7), and no land of one next to the other's is damaged (L1). Both sides see the same, and offer
    peace in the same turns.
    """
    world = command.world
    realms = sorted((command.realm, code))
    # each two realms have turns of their own
    if (command.view.turn + sum(map(ord, "".join(realms)))) % REVIEW:
        return False
    for land in world.provinces.values():
        if land.owner in realms and land.annexed_to in realms and land.owner != land.annexed_to:
            return False
        if land.owner in realms and land.damage:
            neighbours = {world.provinces[name].owner for name in command.survey.by_land[land.name]}
            if neighbours.intersection(realms) - {land.owner}:
                return False
    return True


def _stop_rivals(command: Command, near: list[str], rivals: frozenset[str]) -> bool:
    """Declare war on realms near to victory, if those around each are strong enough together.

    The bots around see the same, and declare war in the same turn, ``PATIENCE`` or later. Return whether the
    realm is at war with one of the ``rivals`` that are ``near``.
    """
    rivals_near = sorted(rivals.intersection(near))
    power = command.survey.power
    for code in rivals_near:
        around = [other for other in command.survey.within_reach(code, overseas=True) if other not in rivals]
        suffices = sum(power[other] for other in around) >= power[code]
        # promises do not count against a rival
        if command.view.turn >= PATIENCE and suffices and can_attack(command, code):
            command.declare_war(code, "he is near to victory")
    return any(code in command.foes for code in rivals_near)


def _begin_war(command: Command, *, strong_enemies: list[str]) -> None:
    """Declare war on the realm in reach that is best to fight, if one is weak enough.

    ``strong_enemies``: codes of those in reach; with too many of them there is no further war. A realm that
    has nothing to fight for dares more.
    """
    profile = command.profile
    survey = command.survey
    is_idle = not strong_enemies and not any(map(command.is_enemy_land, survey.borders(command.realm)))
    percent = max(profile.war_percent, profile.idle_percent if is_idle else 0)
    if not percent or len(strong_enemies) >= max(1, profile.wars) or command.view.turn < PATIENCE:
        return
    free_power = survey.power[command.realm] - DISTRACTED * sum(survey.power[code] for code in strong_enemies)
    weak = [
        code
        for code in command.reach
        if _resistance(command, code) * 100 <= free_power * percent and _may_begin(command, code)
    ]
    if not weak or free_power < MUSTERED or not (is_idle or dares(command.view.seed)):
        return
    # the more of a realm's provinces border on ours, the better
    contact = Counter(command.world.provinces[name].owner for name in survey.borders(command.realm))
    victim = min(weak, key=lambda code: (_resistance(command, code) / (1 + contact[code]), code))
    power = survey.power[victim]
    command.declare_war(victim, f"power {power:.0f} against our {survey.power[command.realm]:.0f}")


def dares(seed: str) -> bool:
    """Return whether to begin a war that could be begun: the only thing that a bot draws from its seed."""
    return Dice(seed)("war").percent(WAR_CHANCE)


def _resistance(command: Command, code: str) -> float:
    """Return the power with which a realm would oppose this one: the part that its other wars do not bind.

    It is at least ``DISTRACTED`` of its power.
    """
    survey = command.survey
    world = command.world
    power_of_enemies = sum(
        survey.power[other] for other in survey.neighbours[code] if world.at_war(code, other)
    )
    return max(survey.power[code] - DISTRACTED * power_of_enemies, survey.power[code] * DISTRACTED)


def _may_begin(command: Command, code: str) -> bool:
    """Return whether a war may begin: it is possible, no alliance is offered, and no promise forbids it.

    A promise to a realm that is weak enough (``betray_percent``) is not kept.
    """
    is_offered_alliance = code in command.sheet.lists.get("offer_alliance", {})
    weak_percent = command.profile.betray_percent
    is_weak = command.survey.power[code] * 100 <= command.survey.power[command.realm] * weak_percent
    return (
        can_attack(command, code)
        and not is_offered_alliance
        and (is_weak or not command.memory.is_bound(code))
    )


def can_attack(command: Command, code: str) -> bool:
    """Return whether war on a realm is possible: it is allowed (F1), and would trap no unit of either side.

    A unit is trapped in the other's land or aboard the other's ships. The realm is neither ally nor foe, and
    not defeated.
    """
    world = command.world
    realm = command.realm
    if code in command.foes or world.allied(realm, code) or world.realms[code].defeated:
        return False
    for side, other_side in ((realm, code), (code, realm)):
        lands = {land.name for land in world.owned_by(other_side)}
        if any(
            unit.place in lands or (unit.aboard or "").startswith(f"{other_side}/")
            for unit in world.of_realm(side)
        ):
            return False
    return True


def _seek_allies(command: Command, rivals: frozenset[str]) -> None:
    """Offer alliances to neutral neighbours, if the profile wants any, until allies and offers are enough.

    Together with the realm they own less than half of the cities that a shared victory takes (V1). Realms
    that are near to victory or that the bot resents get none.
    """
    if not command.profile.allies:
        return
    world = command.world
    realm = command.realm
    allies = [code for code in world.realms if world.allied(realm, code)]
    for code in command.survey.neighbours[realm]:
        is_unwanted = code in command.foes or code in allies or world.realms[code].defeated
        is_unwanted = is_unwanted or code in rivals or command.memory.resents(code)
        if (
            len(allies) < FRIENDS
            and not is_unwanted
            and not too_great_together(command, {realm, *allies, code}, part=2)
        ):
            allies.append(code)
            _offer(command, ALLIANCE_OFFERED, code, "good fences, good friends")


def _end_alliances(command: Command) -> None:
    """End alliances without a common enemy when the promise no longer binds, if the profile begins wars.

    The passage of those that were allies ends too.
    """
    world = command.world
    realm = command.realm
    for code in sorted(
        code for code, seat in world.realms.items() if world.allied(realm, code) and not seat.defeated
    ):
        has_common_enemy = any(world.at_war(code, foe) for foe in command.foes)
        if command.profile.war_percent and not has_common_enemy and not command.memory.is_bound(code):
            command.sheet.headquarters("cancel_alliance", code, "there is no enemy left that we share")
    for code in sorted(world.realms[realm].passage - command.foes):
        if command.memory.between(realm, code, CANCELLED) and not world.allied(realm, code):
            command.sheet.headquarters("revoke_passage", code, "it was an ally's")


def too_great_together(command: Command, codes: Collection[str], part: int = 1) -> bool:
    """Return whether these realms together own as many cities as a shared victory takes (V1).

    ``part``: with 2, half as many are enough, and so on.
    """
    cities = command.atlas.cities
    city_count = sum(command.world.provinces[name].owner in codes for name in cities)
    return city_count * 100 * part >= len(cities) * command.rules.victory.cities_percent
