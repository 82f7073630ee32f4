"""A simple bot with a plan: whole continents first, attacks only from strength, nobody left idle behind the lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import networkx as nx

from gm.game.values import View
from gm.games.conquestination.countries import CountryMap, rank
from gm.games.conquestination.reinforcing import continent_bonus, reinforcements
from gm.games.conquestination.state import Campaign

MARGIN = 2
"""So many units more than the defenders it wants to send."""
KEEP = 2
"""It breaks an attack off when so few are left that only the defender's dice would win."""


def captain_lines(view: View) -> list[str]:
    """What stands below the head of its file."""
    plan = _Plan(view.state, view.table.board.land, view.table.rules, view.realm)
    if view.state.run == 0:
        return ["deploy:", *plan.placings(view.state.parties[view.realm].to_deploy)]
    held = view.state.held(view.realm)
    units = reinforcements(held, plan.land, view.table.rules.reinforcement).units
    return ["reinforce:", *plan.placings(units), "attacks:", *plan.attacks(), "redeploy:", *plan.redeployments()]


@dataclass
class _Plan:
    state: Campaign
    land: CountryMap
    rules: Any
    code: str

    def placings(self, units: int) -> Iterator[str]:
        """All units to the best front; should it be lost by then, to the next best."""
        fronts = sorted(self._fronts(), key=lambda country: (-self._promise(country), _key(country)))
        if not fronts or units <= 0:
            return
        if len(fronts) > 1:
            yield f"  - {{country: {fronts[0]}, units: {units}}}"
        yield f"  - {{country: {fronts[min(1, len(fronts) - 1)]}, units: rest}}"

    def attacks(self) -> Iterator[str]:
        """The best front goes first and goes on as long as it can; then every other one that is strong enough."""
        fronts = self._fronts()
        fronts.sort(key=lambda country: (-self._promise(country), _key(country)))
        number = 0
        for at, source in enumerate(fronts):
            # the first front will have the reinforcements: it is told to try whatever its strength is then
            for target in self._targets(source):
                number += 1
                if at and self._units(source) < self._units(target) + MARGIN + 1:
                    continue
                least = min(self._units(target) + MARGIN + 1, 9_999)
                yield (
                    f"  - {{id: a{number}, from: {source}, to: {target}, with: max, until: {{keep: {KEEP}}}, "
                    f"if: {{min_units: {least}}}}}"
                )
                yield from self._onward(target, f"a{number}", {source})

    def redeployments(self) -> Iterator[str]:
        """The most units that stand where nobody can reach them go a step nearer to the front."""
        fronts = set(self._fronts())
        inner = [
            country for country in self.state.held(self.code) if country not in fronts and self._units(country) > 1
        ]
        for source in sorted(inner, key=lambda country: (-self._units(country), _key(country))):
            step = self._step(source, fronts)
            if step is not None:
                yield f"  - {{from: {source}, to: {step}, units: max}}"

    # -- what it knows -----------------------------------------------------------------------------------------------

    def _fronts(self) -> list[str]:
        return [country for country in self.state.held(self.code) if self._targets(country)]

    def _targets(self, source: str) -> list[str]:
        """The strangers next to a country, the most wanted first."""
        strangers = [each for each in self.land.neighbours[source] if self.state.countries[each].owner != self.code]
        return sorted(strangers, key=lambda each: (-self._worth(each), self._units(each), _key(each)))

    def _units(self, country: str) -> int:
        return self.state.countries[country].units

    def _worth(self, country: str) -> float:
        """What it brings to hold a country: its share of the continent, the more the less of it is missing."""
        continent = self.land.continent(country[0])
        missing = sum(self.state.countries[each].owner != self.code for each in continent)
        return continent_bonus(len(continent), self.rules.reinforcement) / missing + 1 / 3

    def _promise(self, country: str) -> float:
        """How good it is to fight from here."""
        return max(
            (
                self._worth(each) * (1 + self._units(country)) / (1 + self._units(each))
                for each in self._targets(country)
            ),
            default=0.0,
        )

    def _onward(self, country: str, after: str, been: set[str]) -> Iterator[str]:
        """From a country just taken into the next one of its continent."""
        onward = [each for each in self._targets(country) if each not in been and each[0] == country[0]]
        for target in onward[:1]:
            least = min(self._units(target) + MARGIN + 1, 9_999)
            yield (
                f"  - {{from: {country}, to: {target}, with: max, until: {{keep: {KEEP}}}, "
                f"if: {{won: {after}, min_units: {least}}}}}"
            )

    def _step(self, source: str, fronts: set[str]) -> str | None:
        """The own neighbour on the shortest way to a front."""
        own = {source, *self.state.held(self.code)}
        ways = nx.single_source_shortest_path(
            nx.subgraph_view(self.land.graph.open, filter_node=own.__contains__), source
        )
        return next((way[1] for country, way in ways.items() if country in fronts and country != source), None)


def _key(country: str) -> list[int]:
    letter, count = rank(country)
    return [ord(letter), count]
