"""A bot's turn: what is asked of each part, in which order. Bots differ in figures, not in skill."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gm.game.values import Bot, View
from gm.games.medieval.bots.attacks import Attacks
from gm.games.medieval.bots.command import BotProfile, Command, tempers
from gm.games.medieval.bots.diplomacy import negotiate
from gm.games.medieval.bots.groups import appoint_leaders, groups_of
from gm.games.medieval.bots.landings import Landings
from gm.games.medieval.bots.marches import march_the_rest
from gm.games.medieval.bots.spending import annex, build, build_ships, by_hit_points, by_power, hire, plunder, recruit
from gm.games.medieval.state import INDEPENDENTS

LOST_LAND = 2.0
"""How much more a province is worth that was ours and is still annexed to us."""


@dataclass(frozen=True)
class TemperedBot:
    """A bot for any realm in any position; ``name`` is its temper's in the rules data."""

    name: str

    @property
    def temper(self) -> BotProfile:
        """Its figures."""
        return tempers()[self.name]

    @property
    def about(self) -> str:
        """How it plays."""
        return self.temper.about

    def orders(self, view: View) -> bytes:
        """Its order file: relations first, then ships, armies and at last the gold."""
        command = Command(view, self.temper)
        if not command.world.realms[view.realm].defeated:
            self._order(command)
        return command.sheet.data()

    def _order(self, command: Command) -> None:
        negotiate(command)
        if command.temper.pillages:
            plunder(command)
        appoint_leaders(command)
        groups = groups_of(command)
        wanted = _anything(command)
        prize = _prize(command)
        if command.temper.voyage:
            Landings(command, groups, wanted, prize).order()
        attacks = Attacks(command, groups, wanted, prize)
        attacks.order()
        march_the_rest(command, groups, attacks.blocked)
        annex(command)
        hire(command)
        if command.temper.builds:
            build(command)
        if command.temper.ships:
            build_ships(command)
        recruit(command, by_power)


@dataclass(frozen=True)
class LocalForces:
    """N1-N3: a realm without a player defends itself, and wants nothing that is not annexed to it."""

    name: str = "local-forces"

    @property
    def about(self) -> str:
        """What they do."""
        return tempers()[self.name].about

    def orders(self, view: View) -> bytes:
        """N3: an ordinary order file, made of nothing but the public position and the realm's own treasury."""
        command = Command(view, tempers()[self.name])
        if not command.world.realms[view.realm].defeated:
            appoint_leaders(command)
            groups = groups_of(command)
            attacks = Attacks(command, groups, _annexed(command), lambda place: command.survey.value[place])
            attacks.order()
            march_the_rest(command, groups, attacks.blocked)
            annex(command)
            recruit(command, by_hit_points)
        return command.sheet.data()


def _anything(command: Command) -> Callable[[str], bool]:
    """Enemies' land, and what belongs to nobody if the bot wants to grow."""

    def wanted(place: str) -> bool:
        land = command.world.provinces[place]
        return land.owner != INDEPENDENTS or command.temper.expands or land.annexed_to == command.realm

    return wanted


def _annexed(command: Command) -> Callable[[str], bool]:
    """N1: provinces annexed to the realm that somebody else owns."""

    def wanted(place: str) -> bool:
        return command.world.provinces[place].annexed_to == command.realm

    return wanted


def _prize(command: Command) -> Callable[[str], float]:
    def prize(place: str) -> float:
        lost = command.world.provinces[place].annexed_to == command.realm
        return command.survey.value[place] * (LOST_LAND if lost else 1.0)

    return prize


BOTS: Mapping[str, Bot] = {
    bot.name: bot for bot in (LocalForces(), TemperedBot("builder"), TemperedBot("conqueror"), TemperedBot("raider"))
}
