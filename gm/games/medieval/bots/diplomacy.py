"""War, peace and friendship: with whom a bot wants what this turn (F1, L15, L17)."""

from __future__ import annotations

from gm.core.dice import Dice
from gm.games.medieval.bots.command import Command

PATIENCE = 3  # No bot starts a war before this turn: first it takes what belongs to nobody
WAR_CHANCE = 40
"""Percent: how likely it is in a turn that a war is begun that could be. It keeps bots from all doing so at once."""

FRIENDS = 2  # With so many allies a bot is content


def negotiate(command: Command) -> None:
    """Offers of peace and alliance, and a declaration of war where there is something to gain."""
    _seek_peace(command)
    _declare_war(command)
    _seek_allies(command)


def _seek_peace(command: Command) -> None:
    """With those who are too strong, with those out of reach, and with more than one wants to fight at once."""
    profile, power = command.profile, command.survey.power
    enemies = sorted(code for code in command.foes if not command.world.realms[code].defeated)
    if not profile.peace_percent or not enemies:
        return
    mine = power[command.realm]
    near = command.survey.within_reach(command.realm, overseas=bool(profile.voyage))
    weakest = min(enemies, key=lambda code: (code not in near, power[code], code))
    for code in enemies:
        if power[code] * 100 >= mine * profile.peace_percent:
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
    mine = survey.power[command.realm]
    weak = [
        code
        for code in survey.within_reach(command.realm, overseas=bool(profile.voyage))
        if survey.power[code] * 100 <= mine * profile.war_percent and _can_be_attacked(command, code)
    ]
    if not weak or not Dice(command.view.seed)("war").percent(WAR_CHANCE):
        return
    victim = min(weak, key=lambda code: (survey.power[code] / (1 + _contact(command, code)), code))
    command.declare_war(victim, f"power {survey.power[victim]:.0f} against our {mine:.0f}")


def _can_be_attacked(command: Command, code: str) -> bool:
    """F1 allows it, and no unit of either would be caught in the other's land or aboard the other's ships."""
    world, realm = command.world, command.realm
    if code in command.foes or world.allied(realm, code) or world.realms[code].defeated:
        return False
    for mine, other in ((realm, code), (code, realm)):
        for unit in world.of_realm(mine):
            land = world.provinces.get(unit.place)
            if (land is not None and land.owner == other) or (unit.aboard or "").startswith(f"{other}/"):
                return False
    return True


def _contact(command: Command, code: str) -> int:
    """How many of their provinces border on ours."""
    owner = command.world.provinces
    touched = {near for name in command.lands for near in command.survey.by_land[name] if owner[near].owner == code}
    return len(touched)


def _seek_allies(command: Command) -> None:
    """With neutral neighbours, until one has friends enough; never so many that they would win at once (V1)."""
    if not command.profile.allies:
        return
    world, realm = command.world, command.realm
    friends = [code for code in world.realms if world.allied(realm, code)]
    for code in command.survey.neighbours[realm]:
        if len(friends) >= FRIENDS:
            return
        neutral = code not in command.foes and not world.allied(realm, code)
        if neutral and not world.realms[code].defeated and not _own_too_much(command, (realm, *friends, code)):
            friends.append(code)
            command.sheet.headquarters("offer_alliance", code, "good fences, good friends")


def _own_too_much(command: Command, together: tuple[str, ...]) -> bool:
    """Whether these realms have most of the cities that a shared victory takes: a game that ends so soon is none."""
    owner = command.world.provinces
    cities = [name for name in command.atlas.provinces if command.atlas.city(name) is not None]
    theirs = sum(owner[name].owner in together for name in cities)
    return theirs * 100 * 2 >= len(cities) * command.rules.victory.cities_percent
