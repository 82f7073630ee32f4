"""A bot's turn: relations, ships, armies, gold; and the steward, which acts for a player who is away.

Other bots play by the figures of their profiles.
"""

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
from gm.games.medieval.bots.spending import annex, spend
from gm.games.medieval.data.clauses_data import BotProfile, bot_profiles
from gm.games.medieval.standings import STAND_IN
from gm.games.medieval.state import INDEPENDENTS
from gm.games.medieval.state.strength import soldiers, total_combat
from gm.games.medieval.steps.construction import repair_work
from gm.games.medieval.steps.economy import province_revenue

FREE = 1  # so many levels of walls are repaired in a turn of peace without gold (L8)
LOST_LAND = 2.0  # How much more a province is worth that was ours and is still annexed to us
TOO_MANY = 1.5  # Against so many times its own power an army does not hope to keep a province


class Steward(Record):
    """A bot that annexes land, repairs and defends walls, with what is left after upkeep and reserve (N2).

    It declares no war, answers no offer, gives neither land nor gold, hires, recruits and disbands nobody.
    """

    name: str = STEWARD

    @property
    def about(self) -> str:
        return (
            "Acts for a player who is away: annexes, repairs and defends walls; moves no army, answers "
            "nobody."
        )

    def orders(self, view: View) -> bytes:
        """Return the order file: annexations, repairs, and armies behind walls; a defeated realm's has none.

        It is an ordinary file, made of the public position and the realm's own treasury (N3).
        """
        profile = bot_profiles()[STAND_IN].evolve(name=STEWARD)
        command = Command(view, profile)
        if not command.world.realms[view.realm].defeated:
            annex(command)
            _repair(command)
            _man_the_walls(command)
        return command.sheet.data()


def _repair(command: Command) -> None:
    """Pay for the repair of own walls (L8.1) where the garrison can do it, while there is gold.

    The most threatened come first. Contested provinces are left, and so is a single damaged level: in peace
    it is repaired for nothing (L8).
    """
    garrisons = sorted(command.garrisons, key=lambda unit: (-command.threat(unit.place), unit.place))
    for garrison in garrisons:
        land = command.world.provinces[garrison.place]
        if (
            land.owner != command.realm
            or land.fortification_damage <= FREE
            or command.is_contested(land.name)
        ):
            continue
        # the first level to be paid for is that after the free one
        work = repair_work(min(land.effective_fortification + FREE + 1, land.fortification), command.rules)
        if soldiers(garrison, command.rules) >= work.workers and command.spend(work.gold):
            orders = command.sheet.unit(garrison.place, garrison.id)
            orders.order("repair", "yes", f"{work.gold:f} gold for the walls")


def _man_the_walls(command: Command) -> None:
    """Order armies in own land with walls to fight from behind them (M10), where enemies may come."""
    for army in command.armies:
        land = command.world.provinces.get(army.place)
        is_walled = land is not None and land.owner == command.realm and land.effective_fortification > 0
        if is_walled and not army.defend_fortifications and command.threat(army.place) > 0:
            orders = command.sheet.unit(army.id, f"in {army.place}")
            orders.order("defend_fortifications", "yes", "enemies may come")


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
