"""A bot's turn: what is asked of each part, in which order; war and peace. Bots differ in figures, not in skill."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gm.core.dice import Dice
from gm.game.values import Bot, View
from gm.games.medieval.bots.attacks import Attacks
from gm.games.medieval.bots.command import Command
from gm.games.medieval.bots.groups import appoint_leaders, groups_of, march_the_rest
from gm.games.medieval.bots.landings import Landings
from gm.games.medieval.bots.spending import annex, build, build_ships, by_hit_points, by_power, hire, plunder, recruit
from gm.games.medieval.data.clauses_data import BotProfile, bot_profiles
from gm.games.medieval.state import INDEPENDENTS

LOST_LAND = 2.0  # How much more a province is worth that was ours and is still annexed to us
PATIENCE = 3  # No bot starts a war before this turn: first it takes what belongs to nobody
WAR_CHANCE = 40
"""Percent: how likely it is in a turn that a war is begun that could be. It keeps bots from all doing so at once."""

FRIENDS = 2  # With so many allies a bot is content


@dataclass(frozen=True)
class ProfileBot:
    """A bot for any realm in any position; ``name`` is its profile's in the rules data."""

    name: str
    plan: Callable[[Command], None]

    @property
    def profile(self) -> BotProfile:
        """Its figures."""
        return bot_profiles()[self.name]

    @property
    def about(self) -> str:
        """How it plays."""
        return self.profile.about

    def orders(self, view: View) -> bytes:
        """N3: an ordinary order file, made of nothing but the public position and the realm's own treasury."""
        command = Command(view, self.profile)
        if not command.world.realms[view.realm].defeated:
            self.plan(command)
        return command.sheet.data()


def play_to_win(command: Command) -> None:
    """Relations first, then ships, armies and at last the gold."""
    world, profile = command.world, command.profile

    def wanted(place: str) -> bool:
        """Enemies' land, and what belongs to nobody if the bot wants to grow."""
        return world.provinces[place].owner != INDEPENDENTS or profile.expands or _annexed(command, place)

    def prize(place: str) -> float:
        return command.survey.value[place] * (LOST_LAND if _annexed(command, place) else 1.0)

    _seek_peace(command)
    _declare_war(command)
    _seek_allies(command)
    if profile.pillages:
        plunder(command)
    appoint_leaders(command)
    groups = groups_of(command)
    if profile.voyage:
        Landings(command, groups, wanted, prize).order()
    attacks = Attacks(command, groups, wanted, prize)
    attacks.order()
    march_the_rest(command, groups, attacks.blocked)
    annex(command)
    hire(command)
    if profile.builds:
        build(command)
    if profile.ships:
        build_ships(command)
    recruit(command, by_power)


def defend(command: Command) -> None:
    """N1-N3: a realm without a player defends itself, and wants nothing that is not annexed to it."""
    appoint_leaders(command)
    groups = groups_of(command)
    attacks = Attacks(command, groups, lambda place: _annexed(command, place), command.survey.value.__getitem__)
    attacks.order()
    march_the_rest(command, groups, attacks.blocked)
    annex(command)
    recruit(command, by_hit_points)


def _annexed(command: Command, place: str) -> bool:
    """Whether the province is annexed to the realm, whoever owns it now."""
    return command.world.provinces[place].annexed_to == command.realm


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
    # the more of their provinces border on ours, the better
    touched = {near for name in command.lands for near in survey.by_land[name]}
    contact = Counter(command.world.provinces[near].owner for near in touched)
    victim = min(weak, key=lambda code: (survey.power[code] / (1 + contact[code]), code))
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


BOTS: Mapping[str, Bot] = {
    "local-forces": ProfileBot("local-forces", defend),
    **{name: ProfileBot(name, play_to_win) for name in ("builder", "conqueror", "raider")},
}
"""The bots that come with the game, by name."""
