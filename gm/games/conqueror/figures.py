"""The formulas of the rules: labour, battles, influence, winter, score (CQ-7 to CQ-18)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any, NamedTuple

from gm.core.values import GM
from gm.games.conqueror.events import CultureSpread
from gm.games.conqueror.land import Board
from gm.games.conqueror.rules import TAXES, Rules
from gm.games.conqueror.state import NEUTRAL, Player, Province, World

Choose = Callable[[int], int]  # Returns one of so many numbers from 0 on, each equally likely


def labour(province: Province, turn: int, rules: Rules) -> int:
    """Return the labour of a province in a turn (CQ-8.1 to CQ-8.8); one unit of it is worth one gold."""
    figures = rules.productivity
    conquered = province.conquered_on
    percent = 100 + (province.control if province.control >= figures.bonus_from_control else 0)
    divisor = 100  # of the percent; a divisor of twice as much halves the labour
    if conquered is not None and turn - conquered < figures.conquest_halving_turns:
        divisor *= 2
    if province.owner == NEUTRAL:
        divisor *= 2
    whole_labour = (province.population + province.resources) * province.culture
    return max(figures.minimum, whole_labour * percent // divisor)


def why_not_make(province: Province, item: str, rules: Rules) -> tuple[str, int]:
    """Return (reason, level): why a province cannot build or buy an item (CQ-9.3, CQ-9.6, CQ-9.7).

    The reason is a key of the game's reasons, empty if it can. The level of works or of culture is the one
    that is there already or that is needed first; 0 if it can.
    """
    item_rule = rules.items[item]
    if item_rule.works:
        if province.fort >= item_rule.works:
            return "there-already", province.fort
        if province.fort < item_rule.works - 1:
            return "lacks-works", item_rule.works - 1
    if item_rule.gives_culture and province.culture >= item_rule.gives_culture:
        return "there-already", province.culture
    if province.culture < item_rule.culture:
        return "lacks-culture", item_rule.culture
    return "", 0


def possible_items(province: Province, rules: Rules) -> list[str]:
    """Return the items that a province can build or buy now, in the order of the rules."""
    items = []
    for item in rules.items:
        reason, _ = why_not_make(province, item, rules)
        if not reason:
            items.append(item)
    return items


def rush_price(province: Province, item: str, rules: Rules) -> int:
    """Return the gold that finishes an item now, for the labour that is not stored (CQ-11.2, CQ-11.4)."""
    missing = max(0, rules.items[item].price(province.population) - province.stored.get(item, 0))
    surcharge = rules.rush_surcharge_percent[province.culture]
    return -(-missing * (100 + surcharge) // 100)  # rounded up


class Battle(NamedTuple):
    """The end of a battle."""

    attackers: int  # The armies left on each side
    defenders: int
    field: tuple[int, int]  # (attacker's losses, defender's) in the field
    siege: tuple[int, int]  # The same in the siege

    @property
    def taken(self) -> bool:
        """Whether the attackers take the province: no defender is left, and an attacker is, to move in."""
        return self.defenders == 0 and self.attackers > 0


def in_field_and_siege(armies: int, fort: int, rules: Rules) -> tuple[int, int]:
    """Return (armies in the field, armies inside) of a defender with works of level ``fort`` (CQ-7.5)."""
    inside = min(armies, rules.garrison[fort])
    return armies - inside, inside


def fought(attackers: int, armies: int, fort: int, rules: Rules, choose: Choose) -> Battle:
    """Return how a battle ends that is fought with the draws of ``choose`` (CQ-7.1 to CQ-7.8).

    It is a series of duels between attackers and ``armies`` behind works of level ``fort``, first in the
    field and then in the siege, until one side is gone.
    """
    losses = []  # (attacker's, defender's) in the field, and then in the siege
    armies_left = armies
    for defenders, wins in _phases(armies, fort, rules):
        lost = 0
        fallen = 0
        while lost < attackers and fallen < defenders:
            attacker_loses = choose(rules.duel.attacker + wins) < wins
            if attacker_loses:
                lost += 1
            else:
                fallen += 1
        attackers -= lost
        armies_left -= fallen
        losses.append((lost, fallen))
    field, siege = losses
    return Battle(attackers, armies_left, field, siege)


def _phases(armies: int, fort: int, rules: Rules) -> Iterator[tuple[int, int]]:
    """Yield (defenders, wins) for the field and for the siege (CQ-7.4).

    ``wins``: how many of the equally likely draws of a duel the defender wins.
    """
    field, inside = in_field_and_siege(armies, fort, rules)
    yield field, rules.duel.defender[0]
    yield inside, rules.duel.defender[fort]


# Makes a probability of two whole numbers, exact or not: 1, 6 is one in six
Number = Callable[[int, int], Any]
# The probability of each end of a battle: (attackers, defenders) left
Chances = Mapping[tuple[int, int], Any]


def chances_of(attackers: int, armies: int, fort: int, rules: Rules, number: Number = Fraction) -> Chances:
    """Return the probability of each end of a battle, by the attackers and the defenders that are left.

    ``armies`` defend behind works of level ``fort``; ``number`` makes a probability of two whole numbers: a
    fraction, or a float where that is exact enough. The loser's last army falls in the last duel, and the
    duels before it can have come in any order.
    """
    chances = {(attackers, armies): number(1, 1)}
    for defenders, wins in _phases(armies, fort, rules):
        # the attacker's probabilities to lose and to win a duel
        lose = number(wins, rules.duel.attacker + wins)
        win = number(rules.duel.attacker, rules.duel.attacker + wins)
        after: dict[tuple[int, int], Any] = {}
        for (attackers_left, armies_left), share in chances.items():
            if not attackers_left or not defenders:  # nothing is fought
                end = attackers_left, armies_left
                after[end] = after.get(end, 0) + share
                continue
            for lost in range(attackers_left):
                orderings = comb(defenders - 1 + lost, lost)
                end = attackers_left - lost, armies_left - defenders
                after[end] = after.get(end, 0) + share * orderings * win**defenders * lose**lost
            for fallen in range(defenders):
                orderings = comb(attackers_left - 1 + fallen, fallen)
                end = 0, armies_left - fallen
                after[end] = after.get(end, 0) + share * orderings * lose**attackers_left * win**fallen
        chances = after
    return chances


def rebellion_percent(province: Province, rules: Rules) -> int:
    """Return the chance that a province rebels, in percent (CQ-15.2)."""
    base = rules.rebellion.base_percent.get(rules.control_word(province.control), 0)
    return min(rules.rebellion.cap_percent, base * rebels(province))


def rebels(province: Province) -> int:
    """Return how many rebels a rising would have (CQ-15.3)."""
    return max(0, province.population - province.armies)


def gained(influence: Mapping[str, int], party: str, points: int, seats: Sequence[str]) -> Mapping[str, int]:
    """Return the influence in a province, by party, after ``party`` has gained ``points``.

    The others lose them, one point each in turn, local leaders first, then in the order of ``seats``
    (CQ-14.3, CQ-14.4). It gains less if they have less.
    """
    after = dict(influence)
    payers = [seat for seat in (NEUTRAL, *seats) if seat != party and after.get(seat)]
    points = min(points, sum(after[payer] for payer in payers))
    while points:
        # as many whole rounds at once as every payer can pay; or a last one, in which only the first pay
        rounds = min(points // len(payers), *(after[payer] for payer in payers)) or 1
        for payer in payers[:points]:
            after[payer] -= rounds
            after[party] = after.get(party, 0) + rounds
            points -= rounds
        payers = [payer for payer in payers if after[payer]]
    return after


def shifted(province: Province, party: str, points: int, seats: Sequence[str]) -> Province:
    """Return the province after ``party`` has gained influence in it, at the others' cost (CQ-14.5).

    With ``points`` below 0 it loses so many to the local leaders, at most what it has.
    """
    if points < 0:
        influence = gained(province.influence, NEUTRAL, -points, (party,))
    else:
        influence = gained(province.influence, party, points, seats)
    return province.evolve(influence=influence)


class Weight(NamedTuple):
    """The weight of a province when cultures meet: its power, population and type (CQ-16.3)."""

    power: int
    population: int
    type: int


def weight_of(province: Province, steps: int, rules: Rules) -> Weight:
    """Return a province's weight when cultures meet, ``steps`` from its owner's capital (CQ-16.1)."""
    power = province.culture * province.control - rules.culture_power.per_step * steps
    return Weight(power, province.population, getattr(rules.culture_power.type, province.status))


def cultural_gain(prestige: int, one: Weight, other: Weight, rules: Rules) -> int:
    """Return the influence that ``one``'s owner, of this rank, can gain in ``other`` (CQ-16.3, CQ-16.4)."""
    power = Fraction(one.power, max(rules.culture_power.floor, other.power))
    # without people in it, a province gains nothing, and as a neighbour it counts as one with 1 of population
    people = Fraction(one.population, max(1, other.population))
    return min(int(prestige * power * people * Fraction(one.type, other.type)), rules.knobs.influence_cap)


def weights_of(world: World, land: Board, rules: Rules) -> dict[str, Weight]:
    """Return the weight of each province when cultures meet, by code."""
    weights = {}
    for code, province in world.provinces.items():
        capital = world.parties[province.owner].capital if province.owner != NEUTRAL else None
        weights[code] = weight_of(province, land.steps[capital][code] if capital else 0, rules)
    return weights


def spreads(world: World, land: Board, rules: Rules) -> list[CultureSpread]:
    """Return the gains of influence by culture, in the order of application (CQ-16.2 to CQ-16.6).

    A province whose power is above the threshold gains in each neighbour of less power. ``points`` are those
    that can be gained (:func:`cultural_gain`).
    """
    weights = weights_of(world, land, rules)
    spread_events = []
    for code, mine in weights.items():
        party = world.provinces[code].owner
        if mine.power <= rules.culture_power.threshold:
            continue
        if party == NEUTRAL:
            audience = GM
            prestige = 1  # the local leaders' (CQ-16.5)
        else:
            audience = party
            prestige = world.parties[party].prestige
        for other in land.neighbours[code]:
            theirs = weights[other]
            points = cultural_gain(prestige, mine, theirs, rules) if theirs.power < mine.power else 0
            if points:
                spread_events.append(
                    CultureSpread(audience=audience, party=party, source=code, target=other, points=points)
                )
    return sorted(spread_events, key=lambda event: (-event.points, event.source, event.target))


def support(province: Province, steps: int) -> int:
    """Return the winter pay of armies beyond a province's people, ``steps`` from the capital (CQ-12.3)."""
    return max(0, province.armies - province.population) * (steps + 1)


def bill(capital: str, owned: Sequence[Province], land: Board) -> int:
    """Return the winter pay of the armies in the provinces ``owned``, by their distance from ``capital``."""
    return sum(support(province, land.steps[capital][province.code]) for province in owned)


def winter(capital: str, gold: int, owned: Sequence[Province], land: Board) -> tuple[int, dict[str, int]]:
    """Return the gold that is paid for the armies, and how many desert, by province (CQ-12.5, CQ-12.6).

    They desert one at a time until the rest can be paid: from the province with unpaid armies that is
    farthest from the capital, of those from the one that has most.
    """
    steps = land.steps[capital]
    due = bill(capital, owned, land)
    # armies that have to be paid: those for which there are no people
    excess = {province.code: province.armies - province.population for province in owned}
    deserted: dict[str, int] = {}
    while due > gold:
        code = min(
            (place for place in excess if excess[place] > 0),
            key=lambda place: (-steps[place], -excess[place], place),
        )
        deserted[code] = deserted.get(code, 0) + 1
        due -= steps[code] + 1  # what one army costs there, as in ``support``
        excess[code] -= 1
    return due, deserted


def province_score(province: Province, rules: Rules, *, armies: bool = True) -> int:
    """Return the value of a province (CQ-17.3).

    ``armies``: whether they count; not for a bot that weighs whether to attack the province (CQ-18.4).
    """
    points = rules.score
    value = points.population * province.population + points.culture * province.culture
    value += points.resource * province.resources + points.fort * province.fort
    if armies:
        value += points.army * province.armies
    return value


def score(player: Player, owned: Iterable[Province], rules: Rules) -> int:
    """Return a player's score for provinces, capital and gold (CQ-17.3, CQ-17.4); 0 without a province."""
    if not player.alive:
        return 0
    provinces = sum(province_score(province, rules) for province in owned)
    return provinces + rules.score.capital + player.gold // rules.score.gold_per_point


def public_score(player: Player, rules: Rules) -> int:
    """Return the public score: without gold, which is private (CQ-22.2, the ruling at CQ-22.8)."""
    return player.score - player.gold // rules.score.gold_per_point


def new_capital(owned: Iterable[Province], rules: Rules) -> str | None:
    """Return the code of the new capital after the old one fell: the most valuable province left (CQ-7.11).

    None without a province.
    """
    best_first = sorted(owned, key=lambda province: (-province_score(province, rules), province.code))
    return best_first[0].code if best_first else None


class Outlook(NamedTuple):
    """A player's treasury up to the next winter, forecast from present figures (CQ-22.3)."""

    income: dict[str, int]  # Taxes of the next turn, by province
    support: dict[str, int]  # Gold for the armies in winter, by province
    turns: int  # The number of turns from the next to the next winter's, both counted
    a_turn: int  # All taxes of a turn
    until_winter: int  # All taxes of those turns
    bill: int  # All gold for the armies in winter


def outlook(world: World, code: str, land: Board, rules: Rules) -> Outlook:
    """Return a player's forecast before the next turn: only provinces that collect taxes have an income."""
    capital = world.parties[code].capital
    owned = world.owned(code)
    income = {
        province.code: labour(province, world.turn + 1, rules) if province.item == TAXES else 0
        for province in owned
    }
    costs = {
        province.code: support(province, land.steps[capital][province.code]) for province in owned if capital
    }
    a_turn = sum(income.values())
    turns = rules.turns_to_winter(world.turn + 1)
    return Outlook(income, costs, turns, a_turn, a_turn * turns, sum(costs.values()))
