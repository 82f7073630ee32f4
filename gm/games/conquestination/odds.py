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

MOST = 400  # Of larger forces nobody reckons the odds to the last unit
FEW = 100  # Of forces up to this the odds follow from those of all smaller ones, which are kept
# How likely an attack ends with so many engaged units and defenders left
Ends = Mapping[tuple[int, int], float]
TO_THE_END = Retreat()


@lru_cache(256)
def losses(attack: int, defence: int, die: int) -> Mapping[tuple[int, int], int]:
    """Return how many of all possible rolls cost (attacker, defender) each number of units: a full count."""
    ways_by_loss = Counter[tuple[int, int]]()
    for one, ways in _throws(attack, die):
        for other, times in _throws(defence, die):
            ways_by_loss[compared(one, other)] += ways * times
    return dict(sorted(ways_by_loss.items()))


def _throws(dice: int, die: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield each throw without regard to order, and the number of its orders."""
    for faces in combinations_with_replacement(range(1, die + 1), dice):
        yield faces, factorial(dice) // prod(map(factorial, Counter(faces).values()))


@lru_cache(4096)
def ends(engaged: int, defenders: int, rules: Attack, until: Retreat = TO_THE_END) -> Ends:
    """Return how an attack may end. Raises ``ValueError`` for forces above ``MOST``."""
    if max(engaged, defenders) > MOST:
        raise ValueError(says("the odds are reckoned for forces of up to {0} units", MOST))
    chances: defaultdict[tuple[int, int], float] = defaultdict(float)
    open_yet = {(engaged, defenders): 1.0}
    rolls = 0
    while open_yet:
        following: defaultdict[tuple[int, int], float] = defaultdict(float)
        for (left, against), chance in open_yet.items():
            if not left or not against or until.holds(left, rolls):
                chances[left, against] += chance
                continue
            dice = min(rules.max_attack_dice, left), min(rules.max_defence_dice, against)
            counts = losses(*dice, rules.die)
            share = chance / sum(counts.values())
            for (lost, killed), count in counts.items():
                following[left - lost, against - killed] += share * count
        open_yet = following
        rolls = rolls + 1
    return dict(sorted(chances.items()))


@lru_cache(65536)
def outlook(
    engaged: int, defenders: int, rules: Attack, until: Retreat = TO_THE_END
) -> tuple[float, float, float]:
    """Return the chance to win, and the average units left: engaged ones if won, else defenders."""
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
    """Return the attacker's chance to win, and the expected units left of the attacker and of the defender.

    The side that does not win counts as 0 units. The attacker breaks off at ``keep`` units.
    """
    if not defenders or engaged <= keep:
        return float(not defenders), 0.0 if defenders else float(engaged), float(defenders)
    dice = min(rules.max_attack_dice, engaged), min(rules.max_defence_dice, defenders)
    counts = losses(*dice, rules.die)
    total = sum(counts.values())
    won = 0.0
    left = 0.0
    stood = 0.0
    for (lost, killed), count in counts.items():
        won_then, left_then, stood_then = _expectation(engaged - lost, defenders - killed, rules, keep)
        share = count / total
        won = won + share * won_then
        left = left + share * left_then
        stood = stood + share * stood_then
    return won, left, stood


@lru_cache(4096)
def least_for(chance: float, defenders: int, rules: Attack, until: Retreat) -> int:
    """Return the fewest engaged units that win with this chance, more than those at which to break off.

    ``FEW`` if that many do not suffice.
    """
    against = min(FEW, defenders)
    least = (until.keep or 0) + 1
    return next((n for n in range(least, FEW) if outlook(n, against, rules, until)[0] >= chance), FEW)
