"""The steward acts for a player who is away, and makes no commitment that the player would have to undo."""

from gm.core.values import Record
from gm.game.bots import STEWARD
from gm.game.values import View
from gm.games.medieval.bots.command import Command
from gm.games.medieval.bots.spending import annex
from gm.games.medieval.data.clauses_data import bot_profiles
from gm.games.medieval.standings import STAND_IN
from gm.games.medieval.state.strength import soldiers
from gm.games.medieval.steps.construction import repair_work

FREE = 1  # so many levels of walls are repaired in a turn of peace without gold (L8)


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
