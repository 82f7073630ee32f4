"""The exact odds of attacks.

Every roll's outcomes are counted, and a battle's follow from them (CN-7.4 to CN-7.8, CN-14.4).
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod

from gm.core.diagnostics import says
from gm.games.conquestination.battle import Retreat, compared
from gm.games.conquestination.rules import Attack

MOST = 400  # The most units on a side for which odds are computed
FEW = 100  # Up to so many units the odds are computed from those of all smaller forces, which are cached
# The probability of each end of an attack: (engaged units left, defenders left)
Ends = Mapping[tuple[int, int], float]
TO_THE_END = Retreat()


@lru_cache(256)
def losses(attack: int, defence: int, die: int) -> Mapping[tuple[int, int], int]:
    """Return how many of all possible rolls have each result: (attacker's losses, defender's losses).

    ``attack``, ``defence``: the numbers of dice; ``die``: the number of their faces.
    """
    rolls_of_losses = Counter[tuple[int, int]]()
    for attack_faces, attack_ways in _throws(attack, die):
        for defence_faces, defence_ways in _throws(defence, die):
            rolls_of_losses[compared(attack_faces, defence_faces)] += attack_ways * defence_ways
    return dict(sorted(rolls_of_losses.items()))


def _throws(dice: int, die: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield (faces from the lowest, in how many ways the dice can show them) for each throw of ``dice`` dice.

    ``die``: the number of faces of each.
    """
    for faces in combinations_with_replacement(range(1, die + 1), dice):
        yield faces, factorial(dice) // prod(map(factorial, Counter(faces).values()))


@lru_cache(4096)
def ends(engaged: int, defenders: int, rules: Attack, until: Retreat = TO_THE_END) -> Ends:
    """Return the probability of each end of an attack: (attackers left, defenders left).

    ``until``: when the attack is broken off. Raises ``ValueError`` for forces above ``MOST``.
    """
    if max(engaged, defenders) > MOST:
        raise ValueError(says("the odds are reckoned for forces of up to {0} units", MOST))
    chances: defaultdict[tuple[int, int], float] = defaultdict(float)
    going_on = {(engaged, defenders): 1.0}  # probabilities of the states in which another roll follows
    rolls = 0
    while going_on:
        following: defaultdict[tuple[int, int], float] = defaultdict(float)
        for (left, against), chance in going_on.items():
            if not left or not against or until.holds(left, rolls):
                chances[left, against] += chance
                continue
            dice = min(rules.max_attack_dice, left), min(rules.max_defence_dice, against)
            counts = losses(*dice, rules.die)
            share = chance / sum(counts.values())
            for (lost, killed), count in counts.items():
                following[left - lost, against - killed] += share * count
        going_on = following
        rolls += 1
    return dict(sorted(chances.items()))


@lru_cache(65536)
def outlook(
    engaged: int, defenders: int, rules: Attack, until: Retreat = TO_THE_END
) -> tuple[float, float, float]:
    """Return (probability to win, engaged units left if it is won, defenders left if not), on average."""
    # for a few units from the odds of smaller forces, which count no rolls
    if until.rolls is None and max(engaged, defenders) <= FEW:
        won, left, stood = _expectation(engaged, defenders, rules, until.keep or 0)
    else:
        chances = ends(engaged, defenders, rules, until)
        won = sum(chance for (_, against), chance in chances.items() if not against)
        left = sum(units * chance for (units, against), chance in chances.items() if not against)
        stood = sum(against * chance for (_, against), chance in chances.items())
    mean_left = left / won if won else 0.0
    mean_stood = stood / (1 - won) if won < 1 else 0.0
    return won, mean_left, mean_stood


@lru_cache(65536)
def _expectation(engaged: int, defenders: int, rules: Attack, keep: int) -> tuple[float, float, float]:
    """Return (probability that the attacker wins, attackers left, defenders left), as expected numbers.

    Attackers count as 0 where they do not win, and defenders where they are beaten. The attacker breaks off
    at ``keep`` units.
    """
    if not defenders:
        return 1.0, float(engaged), 0.0
    if engaged <= keep:
        return 0.0, 0.0, float(defenders)
    dice = min(rules.max_attack_dice, engaged), min(rules.max_defence_dice, defenders)
    counts = losses(*dice, rules.die)
    total = sum(counts.values())
    won = 0.0
    left = 0.0
    stood = 0.0
    for (lost, killed), count in counts.items():
        won_then, left_then, stood_then = _expectation(engaged - lost, defenders - killed, rules, keep)
        share = count / total
        won += share * won_then
        left += share * left_then
        stood += share * stood_then
    return won, left, stood


@lru_cache(4096)
def least_for(chance: float, defenders: int, rules: Attack, until: Retreat) -> int:
    """Return the fewest engaged units that win with a probability of at least ``chance``.

    ``until``: when the attacker breaks off. The result is at most ``FEW``, even if so many do not suffice.
    """
    against = min(FEW, defenders)  # more defenders count as so many
    least = (until.keep or 0) + 1
    for engaged in range(least, FEW):
        won, _, _ = outlook(engaged, against, rules, until)
        if won >= chance:
            return engaged
    return FEW
