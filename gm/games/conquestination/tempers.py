"""The planning of the bots of Conquestination.

All weigh plans in the same way, by exact odds, each with the figures of its profile and a little chance.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice, pairwise
from typing import NamedTuple

from gm.core.dice import Dice, Stream
from gm.game.values import GameData, View
from gm.games.conquestination.amounts import Strength
from gm.games.conquestination.battle import Retreat
from gm.games.conquestination.cells import rank
from gm.games.conquestination.odds import FEW, least_for, outlook
from gm.games.conquestination.orders import AttackModel, DeployModel, Orders, RedeployModel, ReinforceModel
from gm.games.conquestination.planned import attack_line, placings, planned
from gm.games.conquestination.profiles import Temper
from gm.games.conquestination.rules import Board, Rules
from gm.games.conquestination.state import Campaign, continent_bonus, reinforcements

WIDTH = 8  # The most chains of attacks that are continued at a time
DEPTH = 9  # The most attacks in a chain
MAX_CHAINS = 6  # The most chains of attacks in a plan
LINES = 40  # The most attacks with units that are left after the chains
NEARLY = 0.93  # The part of the best gain with which fewer new units are content
HALF = 4  # If enemies can send so many units, half of the worth of a nearly empty country is threatened


class Way(NamedTuple):
    """A chain of attacks."""

    score: float  # The expected gain
    countries: tuple[str, ...]  # Where it starts, and its targets in order
    chance: float  # The probability that all targets are taken
    left: float  # The units in the last country then, on average


class Thought:
    """Finds the orders of one player for one turn; attacks planned already change the map that it expects."""

    def __init__(self, table: GameData, state: Campaign, code: str, temper: Temper, dice: Stream) -> None:
        """Start with the present map and empty caches."""
        self.state = state
        self.code = code
        self.temper = temper
        self.dice = dice
        self.board: Board = table.board
        self.rules: Rules = state.settings.applied(table.rules)
        # the expected map after the attacks that are planned already: owner and units of each country, and
        # the number of countries of each player
        self.owners = {country: holding.owner for country, holding in self.state.countries.items()}
        self.units = {country: float(holding.units) for country, holding in self.state.countries.items()}
        self.country_counts = Counter(self.owners.values())
        # caches for this map, which are cleared when it changes (_forget)
        self.strangers: dict[str, list[str]] = {}  # neighbours of a country that are not the player's
        self.gains: dict[tuple[str, str, tuple[str, ...]], float] = {}  # by (start, target, earlier targets)
        self.best_ways: dict[tuple[str, float], Way] = {}  # by (start, units there)
        self.worths: dict[str, float] = {}  # of taking a country
        self.until = Retreat(temper.keep or None)
        rivals = len(self.state.living) - 1
        self.kill_worth = temper.kill / max(1, rivals)

    def orders(self) -> Orders:
        """Return the orders: deployment in run 0, else reinforcements, attacks and a redeployment."""
        if self.state.run == 0:
            placed = self._deployment(self.state.parties[self.code].to_deploy)
            return Orders.model_construct(deploy=tuple(placings(DeployModel, placed)))
        placed, ways = self._reinforcements()
        return Orders.model_construct(
            reinforce=tuple(placings(ReinforceModel, placed)),
            attacks=tuple(self._attacks(ways)),
            redeploy=tuple(self._redeployments()),
        )

    def _reinforcements(self) -> tuple[dict[str, int], list[Way]]:
        """Return (new units by country, chains of attacks); the bot's map then has their expected results."""
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
        if units_left:  # what no chain gets goes where the pressure is highest
            front = max(
                self._fronts(), key=lambda front: (self._pressure(front), self.units[front]), default=None
            )
            if front:
                placed[front] = placed.get(front, 0) + units_left
        return placed, ways

    # -- what is worth what

    def _fronts(self) -> list[str]:
        """Return the player's countries beside enemies, in the order of the position's countries."""
        return [
            place for place, owner in self.owners.items() if owner == self.code and self._strangers(place)
        ]

    def _strangers(self, country: str) -> list[str]:
        """Return the neighbours of a country that are not the player's, cached."""
        if country not in self.strangers:
            near = self.board.neighbours[country]
            self.strangers[country] = [other for other in near if self.owners[other] != self.code]
        return self.strangers[country]

    def _worth(self, country: str, countries_taken: tuple[str, ...] = ()) -> float:
        """Return the worth of taking a country after the chains that are planned, and ``countries_taken``.

        It counts income, a continent that becomes whole or nearer to it, and what the owner loses by it.
        """
        owner = self.owners[country]
        land = self.board.continent(country[0])
        bonus = continent_bonus(len(land), self.rules.reinforcement)
        lacking = sum([self.owners[place] != self.code and place not in countries_taken for place in land])
        worth = 1 / self.rules.reinforcement.countries_per_unit
        # for a whole continent its bonus, for one that is only nearer to being whole part of half its bonus
        worth += bonus if lacking <= 1 else 0.5 * bonus * (1 - lacking / len(land)) / lacking
        if all(self.owners[place] == owner for place in land) and not any(
            place[0] == country[0] for place in countries_taken
        ):
            worth += bonus * self.kill_worth  # the owner no longer has the whole continent
        # the owner has no country left; the first comparison is cheap and spares the sum in most cases
        if self.country_counts[owner] <= 1 + len(countries_taken) and (
            self.country_counts[owner] <= 1 + sum(self.owners[place] == owner for place in countries_taken)
        ):
            worth += 2 * self.kill_worth
        return worth * self.temper.turns

    def _pressure(self, country: str) -> float:
        """Return how many more units the enemies beside a country have than the country itself."""
        return sum(self.units[stranger] for stranger in self._strangers(country)) - self.units[country]

    def _exposure(self, country: str, countries_taken: tuple[str, ...]) -> float:
        """Return how much of its worth a country may lose if one unit alone stays in it.

        It is a share of the country's income over some turns: the larger, the stronger the enemies beside it
        are and the more the profile fears them. ``countries_taken``: those that the chain takes before.
        """
        near = [
            neighbour
            for neighbour in self.board.neighbours[country]
            if self.owners[neighbour] != self.code and neighbour not in countries_taken
        ]
        strength = sum(self.units[place] - 1 for place in near)  # one unit cannot leave its country
        if strength <= 0:
            return 0.0
        land = self.board.continent(country[0])
        is_whole = all(self.owners[place] == self.code or place in countries_taken for place in land)
        bonus = continent_bonus(len(land), self.rules.reinforcement) if is_whole else 0
        income = bonus + 1 / self.rules.reinforcement.countries_per_unit
        share = strength / (strength + HALF)
        return self.temper.fear * share * income * self.temper.turns

    # -- chains of attacks

    def _outlook(self, engaged: float, defenders: float) -> tuple[float, float, float]:
        """Return (probability to win, units left if won, defenders left if not) for expected numbers."""
        # own units are rounded down, the enemy's to the nearest number
        return outlook(min(FEW, int(engaged)), min(FEW, int(defenders + 0.5)), self.rules.attack, self.until)

    def _ways(self, start: str, units: float) -> Iterator[Way]:
        """Yield chains of attacks from a country with ``units`` in it, the shortest first.

        Of each length only the ``WIDTH`` best chains are continued.
        """
        to_continue = [Way(0.0, (start,), 1.0, units)]
        for _ in range(DEPTH):
            ways = list(chain.from_iterable(map(self._onward, to_continue)))
            yield from ways
            if len(ways) > WIDTH:
                # units that are left count a little, since they may win more
                ways.sort(key=lambda way: (-way.score - way.chance * way.left * 0.1, way.countries))
            to_continue = ways[:WIDTH]

    def _onward(self, way: Way) -> Iterator[Way]:
        """Yield the chain ``way`` with one attack more, for each that the profile dares from its end."""
        here = way.countries[-1]
        targets = way.countries[1:]
        engaged = way.left - 1  # one unit has to stay in each country
        if engaged <= self.temper.keep:  # it would break off before the first roll
            return
        for target in self._strangers(here):
            if target in targets:
                continue
            against = max(1.0, self.units[target])
            won, left, stood = self._outlook(engaged, against)
            if won < self.temper.dares:
                continue
            # expected losses: after a defeat ``keep`` of the attackers are left, and ``stood`` defenders
            lost = engaged - won * left - (1 - won) * self.temper.keep
            killed = against - (1 - won) * stood
            if (here, target, targets) not in self.gains:
                worth = self._worth(target, targets) - self._exposure(here, (*targets, target))
                self.gains[here, target, targets] = worth
            # worth counts by the chance to win; it and the losses, by the chance that the chain gets so far
            gain = won * self.gains[here, target, targets]
            gain += self.kill_worth * killed - self.temper.loss * lost
            yield Way(way.score + way.chance * gain, (*way.countries, target), way.chance * won, left)

    def _best(self, start: str, units: float) -> Way:
        """Return the chain of attacks with the highest gain from a country with ``units`` in it, cached.

        It is no attack at all if no chain is dared.
        """
        if (start, units) not in self.best_ways:
            no_attack = Way(0.0, (start,), 1.0, units)
            ways = self._ways(start, units)
            best_way = max(ways, key=lambda way: (way.score, way.countries), default=no_attack)
            self.best_ways[start, units] = best_way
        return self.best_ways[start, units]

    def _forget(self) -> None:
        """Drop the values that depend on the map, after it has changed."""
        self.strangers.clear()
        self.gains.clear()
        self.best_ways.clear()
        self.worths.clear()

    def _best_chain(self, units: int) -> tuple[Way | None, int]:
        """Return (the chain of attacks with the highest gain, how many of ``units`` new ones it needs).

        It needs the fewest quarters of ``units``, or none, that gain nearly as much as all. None: no chain.
        """
        best = None
        best_score = 0.0
        for start in self._fronts():
            way = self._best(start, self.units[start] + units)
            # raised or lowered at random by at most ``mood``
            score = way.score * (1 + self.temper.mood * (self.dice.below(201) - 100) / 100)
            if len(way.countries) > 1 and score > best_score:
                best = way
                best_score = score
        if best is None:
            return None, 0
        start = best.countries[0]
        for quarters in (0, 1, 2, 3):
            fewer_units = units * quarters // 4
            way = self._best(start, self.units[start] + fewer_units)
            if way.score >= NEARLY * best.score:
                return way, fewer_units
        return best, units

    def _expect(self, way: Way, needed: int) -> None:
        """Set the map to its expected state after a chain of attacks; ``needed``: new units at its start."""
        self._forget()
        self.units[way.countries[0]] += needed
        for here, target in pairwise(way.countries):
            self.units[here] = 1.0
            self.country_counts[self.owners[target]] -= 1
            self.owners[target] = self.code
        self.units[way.countries[-1]] = max(1.0, way.left)

    # -- what is written

    def _deployment(self, units: int) -> dict[str, int]:
        """Return the units of run 0 by country: some guard, all others go where the best chain begins."""
        best = max(
            self._fronts(),
            key=lambda front: (self._best(front, self.units[front] + units).score, front),
            default=None,
        )
        guards = self._guards(int(units * self.temper.holds)) if best else {}
        units_left = units - sum(guards.values())
        if best is None or not units_left:
            return guards
        return {**guards, best: guards.get(best, 0) + units_left}

    def _guards(self, units: int) -> dict[str, int]:
        """Place ``units`` one by one, each in the country that is under most pressure at that moment.

        Return how many go where; none if no country is at the front.
        """
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
        """Yield the attacks of the chains, then at most ``LINES`` attacks of units that may be left.

        Each is made only if there are enough units for what the profile dares.
        """
        for way in ways:
            yield from (self._attack(*step) for step in pairwise(way.countries))
        # where units may be left: first at the ends of chains, then in all their countries, then elsewhere
        last_countries = [way.countries[-1] for way in reversed(ways)]
        countries_of_ways = chain.from_iterable(way.countries for way in ways)
        sources = dict.fromkeys((*last_countries, *countries_of_ways, *self._fronts()))
        yield from (self._attack(*pair) for pair in islice(self._pairs(sources), LINES))

    def _pairs(self, sources: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Yield (source, target) for the enemy neighbours of each source, the most wanted first."""
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
        """Return an attack that is made if there are enough units for the odds that the profile wants."""
        against = self.state.countries[target].units
        least = least_for(self.temper.dares, against, self.rules.attack, self.until)
        return attack_line(country, target, self.until, least + 1)  # one unit stays behind

    def _redeployments(self) -> Iterator[RedeployModel]:
        """Yield a step towards the front for units that are beside no enemy, the largest group first."""
        beside = self.board.redeployable(self.rules.redeploy)
        # breadth first from the front: ``reached`` grows by each country's neighbours that are farther back
        reached = self._fronts()
        step_to_front = dict.fromkeys(reached, "")
        idle = list[str]()
        for here in reached:
            farther = [
                place
                for place in beside[here]
                if self.owners[place] == self.code and place not in step_to_front
            ]
            step_to_front |= dict.fromkeys(farther, here)
            reached += farther
            idle += [place for place in farther if self.units[place] > 1]
        for source in sorted(idle, key=lambda place: (-self.units[place], rank(place))):
            yield planned(RedeployModel, source=source, target=step_to_front[source], strength=Strength())


def thought_orders(temper: Temper, view: View) -> Orders:
    """Return the orders that a bot with this profile plans."""
    return Thought(view.table, view.state, view.realm, temper, Dice(view.seed)("temper", view.turn)).orders()
