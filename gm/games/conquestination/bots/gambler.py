"""A bot that plays by chance, and not always what can be done: for trying a game, and for tests."""

from __future__ import annotations

from gm.core.dice import Dice, Stream
from gm.game.values import View
from gm.games.conquestination.state import Campaign

LINES = 6
_STRENGTHS = ("max", "1", "3", "{leave: 1}", "{leave: 4}")
_UNTILS = ("won", "{keep: 1}", "{rolls: 1}", "{keep: 2, rolls: 3}")


def gambler_lines(view: View) -> list[str]:
    """What stands below the head of its file."""
    state: Campaign = view.state
    chance = Dice(view.seed)("gambler", view.turn)
    countries = list(state.countries)
    own = list(state.held(view.realm)) or countries
    neighbours = view.table.board.land.neighbours

    def of(items: list[str]) -> str:
        return items[chance.below(len(items))]

    def placings() -> list[str]:
        return [f"  - {{country: {of(own)}, units: {1 + chance.below(3)}}}" for _ in range(chance.below(4))]

    if state.run == 0:
        return ["deploy:", *placings(), f"  - {{country: {of(own)}, units: rest}}"]
    lines = ["reinforce:", *placings(), "attacks:"]
    for number in range(chance.below(LINES)):
        source = of(own if chance.below(4) else countries)
        lines.append(_attack(chance, number, source, of(list(neighbours[source]))))
    lines.append("redeploy:")
    for _ in range(chance.below(3)):
        source = of(own)
        lines.append(f"  - {{from: {source}, to: {of(list(neighbours[source]))}, units: {_pick(chance, _STRENGTHS)}}}")
    return lines


def _attack(chance: Stream, number: int, source: str, target: str) -> str:
    conditions = ["", ", if: {min_units: 2}", ", if: {max_defenders: 3}", f", if: {{hold: [{source}]}}"]
    if number:
        conditions += [f", if: {{won: a{number - 1}}}", f", if: {{lost: a{number - 1}}}"]
    condition = _pick(chance, conditions)
    how = f"with: {_pick(chance, _STRENGTHS)}, until: {_pick(chance, _UNTILS)}"
    return f"  - {{id: a{number}, from: {source}, to: {target}, {how}{condition}}}"


def _pick(chance: Stream, items: list[str] | tuple[str, ...]) -> str:
    return items[chance.below(len(items))]
