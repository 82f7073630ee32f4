"""The planning of the bots of Conquestination.

Each weighs the same plans by the same exact odds, with figures of its own (its :class:`Temper`), and a little
chance.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain, islice, pairwise
from typing import NamedTuple

from gm.core.dice import Dice, Stream
from gm.core.values import Record
from gm.core.yaml.models import load_values
from gm.game.values import GameData, View
from gm.games.conquestination.amounts import Strength
from gm.games.conquestination.battle import Retreat
from gm.games.conquestination.cells import rank
from gm.games.conquestination.odds import FEW, least_for, outlook
from gm.games.conquestination.orders import AttackModel, DeployModel, Orders, RedeployModel, ReinforceModel
from gm.games.conquestination.planned import attack_line, placings, planned
from gm.games.conquestination.rules import Board, Rules
from gm.games.conquestination.state import Campaign, continent_bonus, reinforcements
from gm.resources import resource

WIDTH = 8  # ways that are followed further at a time
DEPTH = 9  # countries in a way
MAX_CHAINS = 6  # chains of attacks
LINES = 40  # lines that go on with what is left


class Temper(Record, kw_only=True):
    """A bot's profile.

    ``turns``: how many turns of income a country is worth; ``kill``, ``loss``: the worth of a unit of the
    enemy or of its own; ``dares``: the chance from which it attacks; ``keep``: the number of units at which
    it breaks off; ``fear``: for nearly empty countries beside enemies; ``holds``: the share of reinforcements
    that stay to guard; ``mood``: how much chance sways it.
    """

    about: str
    turns: float
    kill: float
    loss: float
    dares: float
    keep: int
    fear: float
    holds: float
    mood: float


@cache
def tempers() -> Mapping[str, Temper]:
    """Return the profiles that come with the game, by name."""
    return load_values(resource("rules", "conquestination", "tempers.yaml"), Temper)


class Way(NamedTuple):
    """A chain of attacks: its expected gain, its countries, the chance to take all, the units left then."""

    score: float
    countries: tuple[str, ...]
    chance: float
    left: float


class Thought:
    """One player's planning.

    ``owners`` and ``units``: the expected map after each planned attack.
    """

    def __init__(self, table: GameData, state: Campaign, code: str, temper: Temper, chance: Stream) -> None:
        """Start with the present map and empty caches."""
        self.state = state
        self.code = code
        self.temper = temper
        self.chance = chance
        self.board: Board = table.board
        self.rules: Rules = state.settings.applied(table.rules)
        # as the map is now: who is beside a country, what moves bring, the best ways from countries with so
        # many units
        self.strangers: dict[str, list[str]] = {}
        self.gains: dict[tuple[str, str, tuple[str, ...]], float] = {}
        self.bests: dict[tuple[str, float], Way] = {}
        self.worths: dict[str, float] = {}
        self.until = Retreat(temper.keep or None)
        self.owners = {country: holding.owner for country, holding in self.state.countries.items()}
        self.holding = Counter(self.owners.values())
        self.units = {country: float(holding.units) for country, holding in self.state.countries.items()}
        rivals = len(self.state.living) - 1
        self.kill = temper.kill / max(1, rivals)

    def orders(self) -> Orders:
        """Return the orders: deployment in run 0, else reinforcements, attacks and a redeployment."""
        if self.state.run == 0:
            placed = self._deployed(self.state.parties[self.code].to_deploy)
            return Orders.model_construct(deploy=tuple(placings(DeployModel, placed)))
        placed, ways = self._reinforced()
        return Orders.model_construct(
            reinforce=tuple(placings(ReinforceModel, placed)),
            attacks=tuple(self._attacks(ways)),
            redeploy=tuple(self._redeployments()),
        )

    def _reinforced(self) -> tuple[dict[str, int], list[Way]]:
        """Return the new units by country, guards first, and the chains of attacks that they allow."""
        countries = self.state.held(self.code)
        units_left = reinforcements(countries, self.board, self.rules.reinforcement).units
        guards = self._guards(int(units_left * self.temper.holds))
        units_left -= sum(guards.values())
        ways: list[Way] = []
        placed = dict(guards)
        for _ in range(MAX_CHAINS):
            way, needed = self._best_chain(units_left)
            if way is None:
                break
            ways.append(way)
            placed[way.countries[0]] = placed.get(way.countries[0], 0) + needed
            units_left -= needed
            self._expect(way, needed)
        if units_left:
            front = max(
                self._fronts(), key=lambda front: (self._pressure(front), self.units[front]), default=None
            )
            if front:
                placed[front] = placed.get(front, 0) + units_left
        return placed, ways

    # -- what is worth what

    def _fronts(self) -> list[str]:
        """Return the countries beside enemies, in order."""
        return [
            place for place, owner in self.owners.items() if owner == self.code and self._strangers(place)
        ]

    def _strangers(self, country: str) -> list[str]:
        if country not in self.strangers:
            near = self.board.neighbours[country]
            self.strangers[country] = [other for other in near if self.owners[other] != self.code]
        return self.strangers[country]

    def _worth(self, country: str, countries_taken: tuple[str, ...] = ()) -> float:
        """Return the worth of taking a country, after the attacks that are planned already.

        It counts the country's income, its continent and its owner's.
        """
        owner = self.owners[country]
        land = self.board.continent(country[0])
        bonus = continent_bonus(len(land), self.rules.reinforcement)
        lacking = sum([self.owners[place] != self.code and place not in countries_taken for place in land])
        worth = 1 / self.rules.reinforcement.countries_per_unit
        worth += bonus if lacking <= 1 else 0.5 * bonus * (1 - lacking / len(land)) / lacking
        if all(self.owners[place] == owner for place in land) and not any(
            place[0] == country[0] for place in countries_taken
        ):
            worth += bonus * self.kill  # his continent is broken
        if self.holding[owner] <= 1 + len(countries_taken) and (
            self.holding[owner] <= 1 + sum(self.owners[place] == owner for place in countries_taken)
        ):
            worth += 2 * self.kill  # he is out
        return worth * self.temper.turns

    def _pressure(self, country: str) -> float:
        """Return how many more units the enemies beside a country have than the country itself."""
        return sum(self.units[stranger] for stranger in self._strangers(country)) - self.units[country]

    def _exposed(self, country: str, countries_taken: tuple[str, ...]) -> float:
        """Return the expected loss of a country in which one unit stays."""
        near = [
            neighbour
            for neighbour in self.board.neighbours[country]
            if self.owners[neighbour] != self.code and neighbour not in countries_taken
        ]
        strength = sum(self.units[place] - 1 for place in near)
        if strength <= 0:
            return 0.0
        land = self.board.continent(country[0])
        whole = all(self.owners[place] == self.code or place in countries_taken for place in land)
        bonus = continent_bonus(len(land), self.rules.reinforcement) if whole else 0
        share = strength / (strength + 4)
        return (
            self.temper.fear
            * share
            * (bonus + 1 / self.rules.reinforcement.countries_per_unit)
            * self.temper.turns
        )

    # -- chains of attacks

    def _outlook(self, engaged: float, defenders: float) -> tuple[float, float, float]:
        return outlook(min(FEW, int(engaged)), min(FEW, int(defenders + 0.5)), self.rules.attack, self.until)

    def _ways(self, start: str, units: float) -> Iterator[Way]:
        """Yield chains of attacks from a country with ``units`` in it."""
        open_yet = [Way(0.0, (start,), 1.0, units)]
        for _ in range(DEPTH):
            ways = list(chain.from_iterable(map(self._onward, open_yet)))
            yield from ways
            if len(ways) > WIDTH:
                ways.sort(key=lambda way: (-way.score - way.chance * way.left * 0.1, way.countries))
            open_yet = ways[:WIDTH]

    def _onward(self, way: Way) -> Iterator[Way]:
        """Yield a chain's continuations: one more attack that the profile dares."""
        here = way.countries[-1]
        targets = way.countries[1:]
        engaged = way.left - 1
        if engaged <= self.temper.keep:
            return
        for target in self._strangers(here):
            if target in targets:
                continue
            against = max(1.0, self.units[target])
            won, left, stood = self._outlook(engaged, against)
            if won < self.temper.dares:
                continue
            # expected units: after a defeat ``keep`` of the attackers are left, and ``stood`` defenders
            lost = engaged - won * left - (1 - won) * self.temper.keep
            killed = against - (1 - won) * stood
            if (here, target, targets) not in self.gains:
                worth = self._worth(target, targets) - self._exposed(here, (*targets, target))
                self.gains[here, target, targets] = worth
            # all of the attack counts by the chance that the chain gets here; its worth, by that to win, too
            gain = won * self.gains[here, target, targets]
            gain += self.kill * killed - self.temper.loss * lost
            yield Way(way.score + way.chance * gain, (*way.countries, target), way.chance * won, left)

    def _best(self, start: str, units: float) -> Way:
        """Return the chain of attacks with the highest gain from a country, computed once."""
        if (start, units) not in self.bests:
            none = Way(0.0, (start,), 1.0, units)
            best_way = max(self._ways(start, units), key=lambda way: (way.score, way.countries), default=none)
            self.bests[start, units] = best_way
        return self.bests[start, units]

    def _forget(self) -> None:
        """Drop the values that depend on the map, after it has changed."""
        self.strangers.clear()
        self.gains.clear()
        self.bests.clear()
        self.worths.clear()

    def _best_chain(self, units: int) -> tuple[Way | None, int]:
        """Return the chain of attacks with the highest gain, and the fewest new units that it needs."""
        best = None
        chosen = 0.0
        for start in self._fronts():
            way = self._best(start, self.units[start] + units)
            score = way.score * (1 + self.temper.mood * (self.chance.below(201) - 100) / 100)
            if len(way.countries) > 1 and score > chosen:
                best = way
                chosen = score
        if best is None:
            return None, 0
        start = best.countries[0]
        for part in (0, 1, 2, 3):
            fewer = self._best(start, self.units[start] + units * part // 4)
            if fewer.score >= 0.93 * best.score:
                return fewer, units * part // 4
        return best, units

    def _expect(self, way: Way, needed: int) -> None:
        """Set the map to its expected state after a chain of attacks."""
        self._forget()
        self.units[way.countries[0]] += needed
        for here, target in pairwise(way.countries):
            self.units[here] = 1.0
            self.holding[self.owners[target]] -= 1
            self.owners[target] = self.code
        self.units[way.countries[-1]] = max(1.0, way.left)

    # -- what is written

    def _deployed(self, units: int) -> dict[str, int]:
        """Return the units of run 0 by country: most where a chain of attacks may begin, the rest guard."""
        best = max(
            self._fronts(),
            key=lambda front: (self._best(front, self.units[front] + units).score, front),
            default=None,
        )
        guards = self._guards(int(units * self.temper.holds)) if best else {}
        units_left = units - sum(guards.values())
        return {**guards, best: guards.get(best, 0) + units_left} if best and units_left else guards

    def _guards(self, units: int) -> dict[str, int]:
        """Return units for the countries under most pressure, one after the other."""
        placed: dict[str, int] = {}
        for _ in range(units):
            front = max(self._fronts(), key=self._pressure, default=None)
            if front is None:
                break
            placed[front] = placed.get(front, 0) + 1
            self.units[front] += 1
            self._forget()
        return placed

    def _attacks(self, ways: list[Way]) -> Iterator[AttackModel]:
        """Yield the chains of attacks; then attacks of the units left, as far as the profile dares."""
        for way in ways:
            yield from (self._attack(*step) for step in pairwise(way.countries))
        after = [way.countries[-1] for way in ways]
        between = chain.from_iterable(way.countries for way in ways)
        sources = dict.fromkeys((*reversed(after), *between, *self._fronts()))
        yield from (self._attack(*pair) for pair in islice(self._pairs(sources), LINES))

    def _pairs(self, sources: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Yield countries with their enemy neighbours, the most wanted first."""
        for source in sources:
            for target in self._wanted(source):
                yield source, target

    def _wanted(self, country: str) -> list[str]:
        """Return the enemy neighbours of a country, the most wanted first."""
        strangers = self._strangers(country)
        self.worths |= {
            stranger: self._worth(stranger) for stranger in strangers if stranger not in self.worths
        }
        return sorted(
            strangers, key=lambda stranger: (-self.worths[stranger], self.units[stranger], rank(stranger))
        )

    def _attack(self, country: str, target: str) -> AttackModel:
        against = self.state.countries[target].units
        least = least_for(self.temper.dares, against, self.rules.attack, self.until)
        return attack_line(country, target, self.until, least + 1)

    def _redeployments(self) -> Iterator[RedeployModel]:
        """Yield a step nearer to the front for the largest group of units that no enemy can reach."""
        beside = self.board.redeployable(self.rules.redeploy)
        ring = self._fronts()
        step = dict.fromkeys(ring, "")
        idle = list[str]()
        for here in ring:
            nearer = [
                place for place in beside[here] if self.owners[place] == self.code and place not in step
            ]
            step |= dict.fromkeys(nearer, here)
            ring += nearer
            idle += [place for place in nearer if self.units[place] > 1]
        for source in sorted(idle, key=lambda place: (-self.units[place], rank(place))):
            yield planned(RedeployModel, source=source, target=step[source], strength=Strength())


def thought_orders(temper: Temper, view: View) -> Orders:
    """Return the orders of a player with this profile."""
    return Thought(view.table, view.state, view.realm, temper, Dice(view.seed)("temper", view.turn)).orders()
