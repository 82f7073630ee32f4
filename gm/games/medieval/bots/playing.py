"""A bot's turn: what is asked of each part, in which order. Bots differ in figures, not in skill."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gm.game.values import Bot, View
from gm.games.medieval.bots.attacks import Attacks
from gm.games.medieval.bots.command import Command
from gm.games.medieval.bots.diplomacy import negotiate
from gm.games.medieval.bots.groups import appoint_leaders, groups_of
from gm.games.medieval.bots.landings import Landings
from gm.games.medieval.bots.marches import march_the_rest
from gm.games.medieval.bots.spending import annex, build, build_ships, by_hit_points, by_power, hire, plunder, recruit
from gm.games.medieval.data.clauses_data import BotProfile, bot_profiles
from gm.games.medieval.state import INDEPENDENTS

LOST_LAND = 2.0  # How much more a province is worth that was ours and is still annexed to us


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

    negotiate(command)
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


BOTS: Mapping[str, Bot] = {
    "local-forces": ProfileBot("local-forces", defend),
    **{name: ProfileBot(name, play_to_win) for name in ("builder", "conqueror", "raider")},
}
"""The bots that come with the game, by name."""
