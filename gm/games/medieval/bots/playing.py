"""A bot's turn: what is asked of each part, in which order; war and peace. Bots differ in figures, not in skill."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from gm.core.dice import Dice
from gm.game.values import Bot, View
from gm.games.medieval.bots import spending
from gm.games.medieval.bots.attacks import Attacks
from gm.games.medieval.bots.command import Command
from gm.games.medieval.bots.groups import appoint_leaders, groups_of, march_the_rest
from gm.games.medieval.bots.landings import Landings
from gm.games.medieval.data.clauses_data import BotProfile, bot_profiles
from gm.games.medieval.standings import STAND_IN
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
            _play(command, to_win=self.name != STAND_IN)
        return command.sheet.data()


def _play(command: Command, *, to_win: bool) -> None:
    """Relations first, then ships, armies and at last the gold. A bot that does not play to win stands in for a player:
    it defends the realm, and wants nothing that is not annexed to it (N1-N3)."""
    world, profile, value = command.world, command.profile, command.survey.value

    def annexed(place: str) -> bool:
        return world.provinces[place].annexed_to == command.realm

    def wanted(place: str) -> bool:
        """Enemies' land, and what belongs to nobody if the bot wants to grow."""
        grows = profile.expands or world.provinces[place].owner != INDEPENDENTS
        return annexed(place) or (to_win and grows)

    def prize(place: str) -> float:
        return value[place] * (LOST_LAND if to_win and annexed(place) else 1.0)

    _seek_peace(command)
    _declare_war(command)
    _seek_allies(command)
    if profile.pillages:
        spending.plunder(command)
    appoint_leaders(command)
    groups = groups_of(command)
    if profile.voyage:
        Landings(command, groups, wanted, prize).order()
    attacks = Attacks(command, groups, wanted, prize)
    attacks.order()
    march_the_rest(command, groups, attacks.blocked)
    spending.annex(command)
    spending.hire(command)
    if profile.builds:
        spending.build(command)
    if profile.ships:
        spending.build_ships(command)
    spending.recruit(command, spending.by_power if to_win else spending.by_hit_points)


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
    weak = [code for code in near if power[code] * 100 <= mine * profile.war_percent and _can_attack(command, code)]
    if not weak or not Dice(command.view.seed)("war").percent(WAR_CHANCE):
        return
    # the more of their provinces border on ours, the better
    touched = {near for name in command.lands for near in survey.by_land[name]}
    contact = Counter(command.world.provinces[near].owner for near in touched)
    victim = min(weak, key=lambda code: (power[code] / (1 + contact[code]), code))
    command.declare_war(victim, f"power {power[victim]:.0f} against our {mine:.0f}")


def _can_attack(command: Command, code: str) -> bool:
    """F1 allows it, and no unit of either would be caught in the other's land or aboard the other's ships."""
    world, realm = command.world, command.realm
    if code in command.foes or world.allied(realm, code) or world.realms[code].defeated:
        return False
    return not any(
        (unit.place in world.provinces and world.provinces[unit.place].owner == other)
        or (unit.aboard or "").startswith(f"{other}/")
        for mine, other in ((realm, code), (code, realm))
        for unit in world.of_realm(mine)
    )


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


BOTS: Mapping[str, Bot] = {name: ProfileBot(name) for name in (STAND_IN, "builder", "conqueror", "raider")}
"""The bots that come with the game, by name."""
