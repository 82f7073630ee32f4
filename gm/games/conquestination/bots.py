"""Computer players of Conquestination."""

from collections.abc import Mapping
from functools import partial

from gm.core.dice import Dice
from gm.game.bots import BaseBot
from gm.game.values import Bot, View
from gm.games.conquestination.state import Campaign
from gm.games.conquestination.tempers import Temper, thought_lines

LINES = 6
_STRENGTHS = ("max", "1", "3", "{leave: 1}", "{leave: 4}")
_UNTILS = ("won", "{keep: 1}", "{rolls: 1}", "{keep: 2, rolls: 3}")


def random_lines(view: View) -> list[str]:
    """What stands below the head of its file: by chance, and not always what can be done."""
    state: Campaign = view.state
    chance = Dice(view.seed)("gambler", view.turn)
    countries = list(state.countries)
    own = list(state.held(view.realm)) or countries
    neighbours = view.table.board.neighbours

    def placings() -> list[str]:
        return [f"  - {{country: {chance.choice(own)}, units: {1 + chance.below(3)}}}" for _ in range(chance.below(4))]

    if state.run == 0:
        return ["deploy:", *placings(), f"  - {{country: {chance.choice(own)}, units: rest}}"]
    lines = ["reinforce:", *placings(), "attacks:"]
    for number in range(chance.below(LINES)):
        source = chance.choice(own if chance.below(4) else countries)
        target = chance.choice(neighbours[source])
        conditions = ["", ", if: {min_units: 2}", ", if: {max_defenders: 3}", f", if: {{hold: [{source}]}}"]
        if number:
            conditions += [f", if: {{won: a{number - 1}}}", f", if: {{lost: a{number - 1}}}"]
        condition = chance.choice(conditions)
        how = f"with: {chance.choice(_STRENGTHS)}, until: {chance.choice(_UNTILS)}"
        lines.append(f"  - {{id: a{number}, from: {source}, to: {target}, {how}{condition}}}")
    lines.append("redeploy:")
    for _ in range(chance.below(3)):
        source = chance.choice(own)
        target = chance.choice(neighbours[source])
        lines.append(f"  - {{from: {source}, to: {target}, units: {chance.choice(_STRENGTHS)}}}")
    return lines


TEMPERS: Mapping[str, tuple[str, Temper]] = {
    "general": (
        "the strongest: weighs every chain of attacks by its exact odds, and what it leaves open behind it",
        Temper(turns=5.7, kill=1.0, loss=0.55, dares=0.42, keep=0, fear=0.5, mood=0.05),
    ),
    "captain": (
        "wants continents: attacks while it is the stronger, and breaks off when few are left",
        Temper(turns=8.0, kill=0.4, loss=1.0, dares=0.6, keep=2, fear=0.2, mood=0.1),
    ),
    "raider": (
        "reckless: strikes where its mood takes it, at nearly any odds, and cares for no loss and nothing behind it",
        Temper(turns=1.0, kill=0.0, loss=0.0, dares=0.05, keep=0, fear=0.0, holds=0.3, mood=4.0),
    ),
    "warden": (
        "careful: half of its units stand guard, and it attacks only where it is nearly sure to win",
        Temper(turns=5.0, kill=0.5, loss=1.0, dares=0.8, keep=3, fear=1.0, holds=0.5, mood=0.1),
    ),
}
BOTS: Mapping[str, Bot] = {
    **{name: BaseBot(name, about, partial(thought_lines, temper)) for name, (about, temper) in TEMPERS.items()},
    "random": BaseBot("random", "places, attacks and moves by chance", random_lines),
}
