"""The bots of Conquestination: one for each profile, the general, which tries out all, and a random one."""

from collections.abc import Mapping
from functools import partial

from gm.core.dice import Dice
from gm.game.bots import BaseBot
from gm.game.values import Bot, View
from gm.games.conquestination.planned import file_lines
from gm.games.conquestination.profiles import Temper, tempers
from gm.games.conquestination.rehearsal import Breadth, Rehearsal
from gm.games.conquestination.state import Campaign
from gm.games.conquestination.tempers import thought_orders

LINES = 6  # A random bot plans fewer attacks than this
BREADTH = Breadth(plans=12, positions=96)
_STRENGTHS = ("max", "1", "3", "{leave: 1}", "{leave: 4}")
_UNTILS = ("won", "{keep: 1}", "{rolls: 1}", "{keep: 2, rolls: 3}")


def random_lines(view: View) -> list[str]:
    """Return the lines of a random order file below its head; not all of them can be carried out."""
    state: Campaign = view.state
    chance = Dice(view.seed)("gambler", view.turn)
    countries = list(state.countries)
    own_countries = list(state.held(view.realm)) or countries
    neighbours = view.table.board.neighbours

    def placings() -> list[str]:
        """Return up to three lines that place units in countries."""
        return [
            f"  - {{country: {chance.choice(own_countries)}, units: {1 + chance.below(3)}}}"
            for _ in range(chance.below(4))
        ]

    if state.run == 0:  # the run in which players only place their units
        return ["deploy:", *placings(), f"  - {{country: {chance.choice(own_countries)}, units: rest}}"]
    lines = ["reinforce:", *placings(), "attacks:"]
    for number in range(chance.below(LINES)):
        source = chance.choice(own_countries if chance.below(4) else countries)
        target = chance.choice(neighbours[source])
        conditions = ["", ", if: {min_units: 2}", ", if: {max_defenders: 3}", f", if: {{hold: [{source}]}}"]
        if number:  # there is an attack before this one
            conditions += [f", if: {{won: a{number - 1}}}", f", if: {{lost: a{number - 1}}}"]
        condition = chance.choice(conditions)
        how = f"with: {chance.choice(_STRENGTHS)}, until: {chance.choice(_UNTILS)}"
        lines.append(f"  - {{id: a{number}, from: {source}, to: {target}, {how}{condition}}}")
    lines.append("redeploy:")
    for _ in range(chance.below(3)):
        source = chance.choice(own_countries)
        target = chance.choice(neighbours[source])
        lines.append(f"  - {{from: {source}, to: {target}, units: {chance.choice(_STRENGTHS)}}}")
    return lines


def temper_lines(temper: Temper, view: View) -> list[str]:
    """Return the lines of the order file of a bot with this profile, below its head."""
    return list(file_lines(thought_orders(temper, view)))


def general_lines(view: View) -> list[str]:
    """Return the lines of the general's order file below its head: the best of the plans of all profiles."""
    return list(file_lines(Rehearsal(view, list(tempers().values()), BREADTH).orders()))


_GENERAL = (
    "the strongest: tries out plans of all tempers against what the others may do, with dice as they may fall"
)
BOTS: Mapping[str, Bot] = {
    "general": BaseBot("general", _GENERAL, general_lines),
    **{
        name: BaseBot(name, temper.about, partial(temper_lines, temper)) for name, temper in tempers().items()
    },
    "random": BaseBot("random", "places, attacks and moves by chance", random_lines),
}
