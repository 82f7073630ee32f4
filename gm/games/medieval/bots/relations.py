"""War and peace: whom a bot fights, with whom it makes peace, whom it seeks as an ally (F1, L15, L17)."""

from collections import Counter
from collections.abc import Collection

from gm.core.dice import Dice
from gm.games.medieval.bots.command import Command

PATIENCE = 3  # No bot starts a war before this turn: first it takes what belongs to nobody
WAR_CHANCE = 40
"""Percent: how likely it is in a turn that a war is begun that could be. It keeps bots from all doing so at once."""

FRIENDS = 2  # With so many allies a bot is content


def order_relations(command: Command) -> None:
    """Order offers of peace, wars and offers of alliances. The wars count for the rest of the turn's orders."""
    _seek_peace(command)
    _declare_war(command)
    _seek_allies(command)
    _end_alliances(command)


def _seek_peace(command: Command) -> None:
    """With those who are too strong, with those out of reach, and with more than one wants to fight at once."""
    profile, power = command.profile, command.survey.power
    resents = command.memory.resents
    enemies = sorted(code for code in command.foes if not command.world.realms[code].defeated and not resents(code))
    if not profile.peace_percent or not enemies:
        return
    near = command.survey.within_reach(command.realm, overseas=bool(profile.voyage))
    weakest = min(enemies, key=lambda code: (code not in near, power[code], code))
    for code in enemies:
        if power[code] * 100 >= power[command.realm] * profile.peace_percent:
            command.sheet.headquarters("offer_peace", code, "too strong for us")
        elif code not in near:
            command.sheet.headquarters("offer_peace", code, "too far away to fight")
        elif len(enemies) > max(1, profile.wars) and code != weakest:
            command.sheet.headquarters("offer_peace", code, "one enemy at a time")


def _declare_war(command: Command) -> None:
    """On the weakest neighbour who is weak enough, if one's hands are free."""
    profile, survey = command.profile, command.survey
    enemies = [code for code in command.foes if not command.world.realms[code].defeated]
    if not profile.war_percent or len(enemies) >= profile.wars or command.view.turn < PATIENCE:
        return
    mine, power = survey.power[command.realm], survey.power
    near = survey.within_reach(command.realm, overseas=bool(profile.voyage))
    weak = [code for code in near if power[code] * 100 <= mine * profile.war_percent and _may_begin(command, code)]
    if not weak or not Dice(command.view.seed)("war").percent(WAR_CHANCE):
        return
    # the more of their provinces border on ours, the better
    touched = {near for name in command.lands for near in survey.by_land[name]}
    contact = Counter(command.world.provinces[near].owner for near in touched)
    victim = min(weak, key=lambda code: (power[code] / (1 + contact[code]), code))
    command.declare_war(victim, f"power {power[victim]:.0f} against our {mine:.0f}")


def _may_begin(command: Command, code: str) -> bool:
    """A word that was given is kept, unless it costs much too much; nobody is attacked to whom something is offered."""
    offered = code in command.sheet.lists.get("offer_alliance", {})
    share = command.profile.betray_percent
    betrayed = command.survey.power[code] * 100 <= command.survey.power[command.realm] * share
    return can_attack(command, code) and not offered and (betrayed or not command.memory.is_bound(code))


def can_attack(command: Command, code: str) -> bool:
    """F1 allows it, and no unit of either would be caught in the other's land or aboard the other's ships."""
    world, realm = command.world, command.realm
    if code in command.foes or world.allied(realm, code) or world.realms[code].defeated:
        return False
    for mine, other in ((realm, code), (code, realm)):
        lands = {land.name for land in world.owned_by(other)}
        if any(each.place in lands or (each.aboard or "").startswith(f"{other}/") for each in world.of_realm(mine)):
            return False
    return True


def _seek_allies(command: Command) -> None:
    """With neutral neighbours, until one has friends enough; never so many that they would own most of the cities that
    a shared victory takes (V1): a game that ends so soon is none."""
    if not command.profile.allies:
        return
    world, realm = command.world, command.realm
    friends = [code for code in world.realms if world.allied(realm, code)]
    for code in command.survey.neighbours[realm]:
        too_much = too_great_together(command, {realm, *friends, code}, 2)
        known = code in command.foes or code in friends or world.realms[code].defeated or command.memory.resents(code)
        if len(friends) < FRIENDS and not known and not too_much:
            friends.append(code)
            command.sheet.headquarters("offer_alliance", code, "good fences, good friends")


def _end_alliances(command: Command) -> None:
    """Of who seeks no friends an alliance ends with the enemy that it was made against, once the word has been kept."""
    world, realm = command.world, command.realm
    for code in sorted(code for code in world.realms if world.allied(realm, code)):
        common = any(world.at_war(code, each) for each in command.foes)
        if command.profile.war_percent and not common and not command.memory.is_bound(code):
            command.sheet.headquarters("cancel_alliance", code, "there is no enemy left that we share")


def too_great_together(command: Command, codes: Collection[str], part: int = 1) -> bool:
    """Whether these own one of so many parts of the cities that a shared victory takes (V1)."""
    cities = [name for name in command.atlas.provinces if command.atlas.city(name) is not None]
    theirs = sum(command.world.provinces[name].owner in codes for name in cities)
    return theirs * 100 * part >= len(cities) * command.rules.victory.cities_percent
