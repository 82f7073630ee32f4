"""Influence: who gains and who pays, and what one culture does to the next (CQ-14, CQ-16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from gm.core.values import FrozenMap
from gm.games.conqueror.land import Land
from gm.games.conqueror.rules import Rules
from gm.games.conqueror.state import NEUTRAL, Province, World


def gained(influence: Mapping[str, int], party: str, points: int, seats: Sequence[str]) -> FrozenMap[str, int]:
    """The influence in a province after ``party`` has gained so many points, at most what the others have.

    The others pay a point each in turn, the local leaders first, then by seat (CQ-14.3, CQ-14.4).
    """
    left = dict(influence)
    payers = [each for each in (NEUTRAL, *seats) if each != party]
    points = min(points, sum(left.get(each, 0) for each in payers))
    while points:
        able = [each for each in payers if left.get(each, 0) > 0]
        # all pay the same as long as all can: whole rounds at once
        rounds = max(1, min(points // len(able), *(left[each] for each in able)))
        for payer in able:
            paid = min(rounds, points)
            left[payer] -= paid
            left[party] = left.get(party, 0) + paid
            points -= paid
    return FrozenMap(left)


def lost(influence: Mapping[str, int], party: str, points: int) -> FrozenMap[str, int]:
    """The influence after ``party`` has lost so many points to the local leaders, at most what it has (CQ-14.5)."""
    paid = min(points, influence.get(party, 0))
    if party == NEUTRAL or paid <= 0:
        return FrozenMap(influence)
    return FrozenMap({**influence, party: influence[party] - paid, NEUTRAL: influence.get(NEUTRAL, 0) + paid})


def shifted(province: Province, party: str, points: int, seats: Sequence[str]) -> Province:
    """The province after ``party`` has gained, or with points below 0 lost, influence in it."""
    if points >= 0:
        return province.evolve(influence=gained(province.influence, party, points, seats))
    return province.evolve(influence=lost(province.influence, party, -points))


def cultural_power(culture: int, control: int, steps: int, rules: Rules) -> int:
    """CQ-16.1: of a province so far from its owner's capital."""
    return culture * control - rules.culture_power.per_step * steps


class Weight(NamedTuple):
    """What counts of a province when cultures meet: its power, population and type (CQ-16.3)."""

    power: int
    population: int
    type: int


def cultural_gain(prestige: int, one: Weight, other: Weight, rules: Rules) -> int:
    """The points that the owner of ``one`` gains in ``other``, before anybody pays (CQ-16.3, CQ-16.4)."""
    power = Fraction(one.power, max(rules.culture_power.floor, other.power))
    # a province without people has nobody to be won, and nobody to win others
    people = Fraction(one.population, max(1, other.population))
    return min(int(prestige * power * people * Fraction(one.type, other.type)), rules.knobs.influence_cap)


class Spread(NamedTuple):
    """One province's influence on another: who gains how much there."""

    source: str
    target: str
    party: str
    points: int


def spreads(world: World, land: Land, rules: Rules) -> list[Spread]:
    """Every gain by culture at the end of a turn, in the order in which they are applied (CQ-16.2 to CQ-16.6)."""
    weights = {code: _weight(province, world, land, rules) for code, province in world.provinces.items()}
    found = [
        Spread(
            code, other, province.owner, cultural_gain(_prestige(world, province.owner), mine, weights[other], rules)
        )
        for code, province in world.provinces.items()
        if (mine := weights[code]).power > rules.culture_power.threshold
        for other in land.neighbours[code]
        if weights[other].power < mine.power
    ]
    return sorted((each for each in found if each.points), key=lambda each: (-each.points, each.source, each.target))


def _weight(province: Province, world: World, land: Land, rules: Rules) -> Weight:
    capital = None if province.owner == NEUTRAL else world.parties[province.owner].capital
    steps = land.steps_from(capital)[province.code] if capital else 0
    kind = getattr(rules.culture_power.type, province.status)
    return Weight(cultural_power(province.culture, province.control, steps, rules), province.population, kind)


def _prestige(world: World, party: str) -> int:
    """CQ-16.5: the local leaders' is 1."""
    return 1 if party == NEUTRAL else world.parties[party].prestige
