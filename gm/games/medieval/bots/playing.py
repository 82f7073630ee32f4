"""A bot's turn: relations, ships, armies, gold. Bots differ in the figures of their profiles only."""

from collections.abc import Mapping

from gm.core.values import Record
from gm.game.bots import STEWARD
from gm.game.values import Bot, View
from gm.games.medieval.bots.attacks import Attacks
from gm.games.medieval.bots.campaign import Campaign
from gm.games.medieval.bots.command import Command
from gm.games.medieval.bots.conversation import Conversation
from gm.games.medieval.bots.groups import appoint_leaders, groups_of, march_the_rest
from gm.games.medieval.bots.landings import Landings
from gm.games.medieval.bots.relations import end_idle_wars, order_relations
from gm.games.medieval.bots.sheet import Sheet
from gm.games.medieval.bots.spending import spend
from gm.games.medieval.bots.steward import Steward
from gm.games.medieval.data.clauses_data import BotProfile, bot_profiles
from gm.games.medieval.standings import STAND_IN
from gm.games.medieval.state import INDEPENDENTS
from gm.games.medieval.state.strength import total_combat
from gm.games.medieval.steps.economy import province_revenue

LOST_LAND = 2.0  # How much more a province is worth that was ours and is still annexed to us
TOO_MANY = 1.5  # Against so many times its own power an army does not hope to keep a province


class ProfileBot(Record):
    """A bot for any realm in any position; ``name`` is its profile's in the rules data."""

    name: str

    @property
    def about(self) -> str:
        """What the bot is like, in a sentence of the rules data."""
        return bot_profiles()[self.name].about

    def orders(self, view: View) -> bytes:
        """Return an order file made only of the public position and the realm's own treasury (N3)."""
        return drafted(view, bot_profiles()[self.name]).data()


def drafted(view: View, profile: BotProfile) -> Sheet:
    """Return the sheet that a bot with this profile orders for the view's realm; empty if it is defeated."""
    command = Command(view, profile)
    if not command.world.realms[view.realm].defeated:
        _play(command, to_win=profile.name != STAND_IN)
    return command.sheet


def _play(command: Command, *, to_win: bool) -> None:
    """Order relations first, then ships, armies and at last spending.

    A bot that does not play to win stands in for a player: it defends the realm, and takes only what is
    annexed to it (N1-N3).
    """
    world = command.world
    profile = command.profile
    value = command.survey.value

    def is_annexed(place: str) -> bool:
        """Return whether a place is annexed to the realm, whoever owns it."""
        return world.provinces[place].annexed_to == command.realm

    def wanted(place: str) -> bool:
        """Return whether to take a place of others.

        Land that is annexed to the realm is always taken. Only a bot that plays to win takes other land: that
        of other realms, and unowned land if its profile expands.
        """
        if is_annexed(place):
            return True
        return to_win and (profile.expands or world.provinces[place].owner != INDEPENDENTS)

    def prize(place: str) -> float:
        """Return the worth of a place; annexed land that was lost has more if the bot plays to win."""
        return value[place] * (LOST_LAND if to_win and is_annexed(place) else 1.0)

    talk = Conversation(command)
    talk.answer()
    order_relations(command)
    if profile.pillages:
        _plunder(command)
    appoint_leaders(command)
    groups = groups_of(command)
    if profile.voyage:
        Landings(command, groups, wanted, prize).order()
    attacks = Attacks(command, groups, wanted, prize)
    attacks.order()
    if to_win:
        Campaign(command, groups, wanted, attacks.worth).order()
    else:
        march_the_rest(command, groups, attacks.blocked)
    end_idle_wars(command)
    talk.tell()
    spend(command, to_win=to_win)


def _plunder(command: Command) -> None:
    """Order armies to pillage land that is not annexed to the realm, and that they cannot hope to keep."""
    plundered: set[str] = set()
    for army in command.armies:
        land = command.world.provinces[army.place]
        if land.annexed_to == command.realm or land.name in plundered or army.key in command.busy:
            continue
        can_pillage = total_combat(army, command.rules) >= command.rules.movement.pillage_combat
        is_hopeless = command.threat(land.name) > TOO_MANY * command.survey.force(army).power
        gold = province_revenue(land, command.atlas, command.rules)
        if can_pillage and is_hopeless and gold > 0:
            plundered.add(land.name)
            command.busy.add(army.key)
            why = f"{gold:f} gold for us, and none for whoever comes"
            command.sheet.unit(army.id, f"in {army.place}").then("pillage", None, why)


BOTS: Mapping[str, Bot] = {
    **{name: ProfileBot(name) for name in (STAND_IN, "builder", "conqueror", "raider")},
    STEWARD: Steward(),
}
"""The bots that come with the game, by name."""
