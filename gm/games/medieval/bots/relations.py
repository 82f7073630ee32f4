"""War and peace: whom a bot fights, with whom it makes peace, whom it seeks as an ally (F1, L15, L17)."""

from collections import Counter

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


def _seek_peace(command: Command) -> None:
    """With those who are too strong, with those out of reach, and with more than one wants to fight at once."""
    profile, power = command.profile, command.survey.power
    enemies = sorted(code for code in command.foes if not command.world.realms[code].defeated)
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
    weak = [code for code in near if power[code] * 100 <= mine * profile.war_percent and can_attack(command, code)]
    if not weak or not Dice(command.view.seed)("war").percent(WAR_CHANCE):
        return
    # the more of their provinces border on ours, the better
    touched = {near for name in command.lands for near in survey.by_land[name]}
    contact = Counter(command.world.provinces[near].owner for near in touched)
    victim = min(weak, key=lambda code: (power[code] / (1 + contact[code]), code))
    command.declare_war(victim, f"power {power[victim]:.0f} against our {mine:.0f}")


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
    cities = [name for name in command.atlas.provinces if command.atlas.city(name) is not None]
    owned = Counter(world.provinces[name].owner for name in cities)
    friends = [code for code in world.realms if world.allied(realm, code)]
    for code in command.survey.neighbours[realm]:
        theirs = sum(owned[each] for each in {realm, *friends, code})
        too_much = theirs * 100 * 2 >= len(cities) * command.rules.victory.cities_percent
        known = code in command.foes or code in friends or world.realms[code].defeated
        if len(friends) < FRIENDS and not known and not too_much:
            friends.append(code)
            command.sheet.headquarters("offer_alliance", code, "good fences, good friends")
