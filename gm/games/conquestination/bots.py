"""Computer players of Conquestination."""

from collections.abc import Iterator, Mapping
from functools import partial

import networkx as nx

from gm.core.dice import Dice
from gm.game.bots import BaseBot
from gm.game.values import Bot, View
from gm.games.conquestination.cells import rank
from gm.games.conquestination.rules import Board, Reinforcement
from gm.games.conquestination.state import Campaign, continent_bonus, reinforcements
from gm.games.conquestination.tempers import Temper, thought_lines

MARGIN = 2  # So many units more than the defenders it wants to send
KEEP = 2  # It breaks an attack off when so few are left that only the defender's dice would win


def captain_lines(view: View) -> list[str]:
    """What stands below the head of its file."""
    plan, state = _Plan(view), view.state
    if state.run == 0:
        return ["deploy:", *plan.placings(state.parties[view.realm].to_deploy)]
    units = reinforcements(state.held(view.realm), plan.board, plan.rules).units
    return ["reinforce:", *plan.placings(units), "attacks:", *plan.attacks(), "redeploy:", *plan.redeployments()]


class _Plan:
    def __init__(self, view: View) -> None:
        self.state: Campaign = view.state
        self.code = view.realm
        self.board: Board = view.table.board
        self.rules: Reinforcement = view.table.rules.reinforcement
        self.held = self.state.held(self.code)
        self.units: dict[str, int] = {country: each.units for country, each in self.state.countries.items()}
        # where strangers are next door, the most promising first
        fronts = {each: self._promise(each) for each in self.held if self._targets(each)}
        self.fronts = sorted(fronts, key=lambda each: (-fronts[each], rank(each)))

    def placings(self, units: int) -> Iterator[str]:
        """All units to the best front; should it be lost by then, to the next best."""
        if self.fronts and units > 0:
            if len(self.fronts) > 1:
                yield f"  - {{country: {self.fronts[0]}, units: {units}}}"
            yield f"  - {{country: {self.fronts[:2][-1]}, units: rest}}"

    def attacks(self) -> Iterator[str]:
        """The best front goes first and goes on as long as it can; then every other one that is strong enough."""
        pairs = [(source, target) for source in self.fronts for target in self._targets(source)]
        for number, (source, target) in enumerate(pairs, 1):
            # the first front will have the reinforcements: it is told to try whatever its strength is then
            if source == self.fronts[0] or self.units[source] > self.units[target] + MARGIN:
                yield self._attack(f"id: a{number}, ", source, target, "")
                # from a country just taken into the next one of its continent
                onward = [each for each in self._targets(target) if each != source and each[0] == target[0]]
                yield from (self._attack("", target, each, f"won: a{number}, ") for each in onward[:1])

    def _attack(self, name: str, source: str, target: str, condition: str) -> str:
        least = min(self.units[target] + MARGIN + 1, 9_999)
        return (
            f"  - {{{name}from: {source}, to: {target}, with: max, until: {{keep: {KEEP}}}, "
            f"if: {{{condition}min_units: {least}}}}}"
        )

    def redeployments(self) -> Iterator[str]:
        """The most units that stand where nobody can reach them go a step nearer to the front."""
        inner = [country for country in self.held if country not in self.fronts and self.units[country] > 1]
        own = nx.subgraph_view(self.board.graph.open, filter_node=self.held.__contains__)
        for source in sorted(inner, key=lambda country: (-self.units[country], rank(country))):
            ways = nx.single_source_shortest_path(own, source).items()
            step = next((way[1] for country, way in ways if country in self.fronts), None)
            if step is not None:
                yield f"  - {{from: {source}, to: {step}, units: max}}"

    def _targets(self, source: str) -> list[str]:
        """The strangers next to a country, the most wanted first."""
        strangers = [each for each in self.board.neighbours[source] if self.state.countries[each].owner != self.code]
        return sorted(strangers, key=lambda each: (-self._worth(each), self.units[each], rank(each)))

    def _worth(self, country: str) -> float:
        """What it brings to hold a country: its share of the continent, the more the less of it is missing."""
        continent = self.board.continent(country[0])
        missing = sum(self.state.countries[each].owner != self.code for each in continent)
        return continent_bonus(len(continent), self.rules) / missing + 1 / 3

    def _promise(self, country: str) -> float:
        """How good it is to fight from here."""
        mine = 1 + self.units[country]
        return max(self._worth(each) * mine / (1 + self.units[each]) for each in self._targets(country))


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
    "raider": (
        "reckless: goes as far as it can reach, cares little for losses and nothing for what it leaves behind",
        Temper(turns=1.0, kill=0.2, loss=0.0, dares=0.2, keep=0, fear=0.0, mood=0.9),
    ),
    "warden": (
        "careful: half of its units stand guard, and it attacks only where it is nearly sure to win",
        Temper(turns=5.0, kill=0.5, loss=1.0, dares=0.8, keep=3, fear=1.0, holds=0.5, mood=0.1),
    ),
}
_CAPTAIN = "gathers its units where a continent can be won, attacks while it is stronger, brings up those behind"
BOTS: Mapping[str, Bot] = {
    **{name: BaseBot(name, about, partial(thought_lines, temper)) for name, (about, temper) in TEMPERS.items()},
    "captain": BaseBot("captain", _CAPTAIN, captain_lines),
    "random": BaseBot("random", "places, attacks and moves by chance", random_lines),
}
