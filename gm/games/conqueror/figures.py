"""The formulas of the rules: labour, battles, influence, winter, score (CQ-7 to CQ-18)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from gm.games.conqueror.land import Board
from gm.games.conqueror.rules import TAXES, Rules
from gm.games.conqueror.state import NEUTRAL, Player, Province, World


def base_labour(province: Province) -> int:
    """CQ-8.1: before control and conquest."""
    return (province.population + province.resources) * province.culture


def labour(province: Province, turn: int, rules: Rules) -> int:
    """What a province works in a turn: 1 is worth one gold (CQ-8.4 to CQ-8.8)."""
    figures = rules.productivity
    bonus = province.control if province.control >= figures.bonus_from_control else 0
    worked = base_labour(province) * Fraction(100 + bonus, 100)
    if just_conquered(province, turn, rules):
        worked /= 2
    if province.owner == NEUTRAL:
        worked /= 2
    return max(figures.minimum, int(worked))


def just_conquered(province: Province, turn: int, rules: Rules) -> bool:
    """CQ-8.6: whether it was conquered this turn or shortly before."""
    conquered = province.conquered_on
    return conquered is not None and turn - conquered < rules.productivity.conquest_halving_turns


class Lacking(NamedTuple):
    """What a province lacks to make something (culture, works), and the level needed; ``nothing``: it has it."""

    what: str
    level: int = 0


def why_not_make(province: Province, item: str, rules: Rules) -> Lacking | None:
    """Why the province cannot work on an item or buy it, none if it can (CQ-9.3, CQ-9.6, CQ-9.7). The item is known."""
    wanted = rules.items[item]
    if wanted.works:
        if province.fort >= wanted.works:
            return Lacking("nothing", province.fort)
        if province.fort < wanted.works - 1:
            return Lacking("works", wanted.works - 1)
    if wanted.gives_culture and province.culture >= wanted.gives_culture:
        return Lacking("nothing", province.culture)
    if province.culture < wanted.culture:
        return Lacking("culture", wanted.culture)
    return None


def rush_price(province: Province, item: str, rules: Rules) -> int:
    """The gold that finishes one now, over and above the labour that is stored for it (CQ-11.2, CQ-11.4)."""
    missing = max(0, rules.items[item].price(province.population) - province.stored.get(item, 0))
    surcharge = rules.rush_surcharge_percent[province.culture]
    return ceil(missing * Fraction(100 + surcharge, 100))


Choose = Callable[[int], int]
"""A uniform choice among so many, counted from 0."""


def with_stored(stored: Mapping[str, int], item: str, labour: int) -> Mapping[str, int]:
    """Stored labour, so much of it for an item; items without any are left out."""
    left = {name: each for name, each in stored.items() if name != item}
    return {**left, item: labour} if labour else left


class Battle(NamedTuple):
    """How a battle ended: the armies left on each side, and both sides' losses in the field and in the siege."""

    attackers: int
    defenders: int
    field: tuple[int, int]
    siege: tuple[int, int]

    @property
    def taken(self) -> bool:
        """Whether the attackers have the province: the defenders are all gone, and somebody is left to move in."""
        return self.defenders == 0 and self.attackers > 0


def in_field_and_siege(armies: int, fort: int, rules: Rules) -> tuple[int, int]:
    """How many defenders stand in the field and how many inside works of this level (CQ-7.5)."""
    inside = min(armies, rules.garrison[fort])
    return armies - inside, inside


def defender_wins(fort: int, rules: Rules, choose: Choose) -> bool:
    """One duel against an army inside works of this level; 0: in the field (CQ-7.4)."""
    own = rules.duel.defender[fort]
    return choose(rules.duel.attacker + own) < own


def fought(attackers: int, armies: int, fort: int, rules: Rules, choose: Choose) -> Battle:
    """A battle of so many attackers against so many defenders behind works of this level (CQ-7.1 to CQ-7.8)."""
    field, inside = in_field_and_siege(armies, fort, rules)
    attackers, field_left, field_losses = _chain(attackers, field, 0, rules, choose)
    inside_left, siege_losses = inside, (0, 0)
    if not field_left:
        attackers, inside_left, siege_losses = _chain(attackers, inside, fort, rules, choose)
    return Battle(attackers, field_left + inside_left, field_losses, siege_losses)


def _chain(attackers: int, defenders: int, fort: int, rules: Rules, choose: Choose) -> tuple[int, int, tuple[int, int]]:
    """Duels until one side is gone: what is left of both, and what both lost."""
    attackers_lost = defenders_lost = 0
    while attackers_lost < attackers and defenders_lost < defenders:
        if defender_wins(fort, rules, choose):
            attackers_lost += 1
        else:
            defenders_lost += 1
    return attackers - attackers_lost, defenders - defenders_lost, (attackers_lost, defenders_lost)


def with_losses(province: Province, losses: int) -> Province:
    """The province after so many of its armies fell: those that have moved fall first (CQ-7.8)."""
    moved = min(province.moved, losses)
    return province.evolve(moved=province.moved - moved, fresh=province.fresh - (losses - moved))


def rebellion_percent(province: Province, rules: Rules) -> int:
    """CQ-15.2: the chance that it rebels, in percent."""
    base = rules.rebellion.base_percent.get(rules.control_word(province.control), 0)
    return min(rules.rebellion.cap_percent, base * rebels(province))


def rebels(province: Province) -> int:
    """CQ-15.3: how many would."""
    return max(0, province.population - province.armies)


def gained(influence: Mapping[str, int], party: str, points: int, seats: Sequence[str]) -> Mapping[str, int]:
    """The influence after a gain: the others pay in turn, local leaders first, then by seat (CQ-14.3, CQ-14.4)."""
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
    return left


def lost(influence: Mapping[str, int], party: str, points: int) -> Mapping[str, int]:
    """The influence after ``party`` has lost so many points to the local leaders, at most what it has (CQ-14.5)."""
    paid = min(points, influence.get(party, 0))
    if party == NEUTRAL or paid <= 0:
        return influence
    return {**influence, party: influence[party] - paid, NEUTRAL: influence.get(NEUTRAL, 0) + paid}


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


def spreads(world: World, land: Board, rules: Rules) -> list[Spread]:
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


def _weight(province: Province, world: World, land: Board, rules: Rules) -> Weight:
    capital = None if province.owner == NEUTRAL else world.parties[province.owner].capital
    steps = land.steps_from(capital)[province.code] if capital else 0
    kind = getattr(rules.culture_power.type, province.status)
    return Weight(cultural_power(province.culture, province.control, steps, rules), province.population, kind)


def _prestige(world: World, party: str) -> int:
    """CQ-16.5: the local leaders' is 1."""
    return 1 if party == NEUTRAL else world.parties[party].prestige


def support(province: Province, steps: int) -> int:
    """What the armies of a province cost in winter, so far from the capital (CQ-12.3)."""
    return max(0, province.armies - province.population) * (steps + 1)


def bill(capital: str, owned: Iterable[Province], land: Board) -> int:
    """What all of a player's armies cost in winter."""
    steps = land.steps_from(capital)
    return sum(support(province, steps[province.code]) for province in owned)


class Winter(NamedTuple):
    """How a winter goes: what is paid, and how many armies desert in which province."""

    paid: int
    deserted: dict[str, int]


def winter(capital: str, gold: int, owned: Iterable[Province], land: Board) -> Winter:
    """CQ-12.5, CQ-12.6: armies leave one at a time, from the farthest excess, until the rest can be paid."""
    steps = land.steps_from(capital)
    excess = {each.code: each.armies - each.population for each in owned if each.armies > each.population}
    due = sum(many * (steps[code] + 1) for code, many in excess.items())
    deserted: dict[str, int] = {}
    while due > gold:
        code = min(excess, key=lambda each: (-steps[each], -excess[each], each))
        deserted[code] = deserted.get(code, 0) + 1
        due -= steps[code] + 1
        excess[code] -= 1
        if not excess[code]:
            del excess[code]
    return Winter(due, deserted)


def province_score(province: Province, rules: Rules, *, armies: bool = True) -> int:
    """What a province is worth (CQ-17.3); without its armies for those who weigh whether to attack it (CQ-18.4)."""
    points = rules.score
    return (
        points.army * (province.armies if armies else 0)
        + points.population * province.population
        + points.culture * province.culture
        + points.resource * province.resources
        + points.fort * province.fort
    )


def score(player: Player, owned: Iterable[Province], rules: Rules) -> int:
    """CQ-17.3, CQ-17.4."""
    if not player.alive:
        return 0
    provinces = sum(province_score(province, rules) for province in owned)
    return provinces + rules.score.capital + player.gold // rules.score.gold_per_point


def public_score(player: Player, rules: Rules) -> int:
    """The score as all may know it: without gold, which is private (CQ-22.2, the ruling at CQ-22.8)."""
    return player.score - player.gold // rules.score.gold_per_point


def new_capital(owned: Iterable[Province], rules: Rules) -> str | None:
    """Where a capital moves to when it falls: to the most valuable of the provinces left (CQ-7.11)."""
    best = min(owned, key=lambda each: (-province_score(each, rules), each.code), default=None)
    return best.code if best else None


class Outlook(NamedTuple):
    """CQ-22.3: ``income`` a turn and ``support`` in winter by province; ``turns`` that close up to and with winter."""

    income: dict[str, int]
    support: dict[str, int]
    turns: int

    @property
    def a_turn(self) -> int:
        """Gold a turn."""
        return sum(self.income.values())

    @property
    def until_winter(self) -> int:
        """Gold until winter."""
        return self.a_turn * self.turns

    @property
    def bill(self) -> int:
        """What winter will cost."""
        return sum(self.support.values())


def outlook(world: World, code: str, land: Board, rules: Rules) -> Outlook:
    """A player's estimates before the next turn, on present figures."""
    coming = world.turn + 1
    capital = world.parties[code].capital
    steps = land.steps_from(capital) if capital else {}
    owned = world.owned(code)
    income = {each.code: labour(each, coming, rules) if each.item == TAXES else 0 for each in owned}
    costs = {each.code: support(each, steps[each.code]) for each in owned if capital}
    return Outlook(income, costs, rules.turns_to_winter(coming))
