"""How likely a battle is to be won, found cheaply for the pages of a turn: beside a place that can be attacked, and of
a battle that was fought, before its dice.

The code of the turn fights it, with dice that follow from the scene. One that is clear on paper is fought only to see
whether it goes as it should, one that is open as often as tells tenths.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache
from hashlib import shake_256
from itertools import count
from math import sqrt
from struct import unpack

from gm.core.values import Record
from gm.games.medieval.analysis.odds.trials import DrawnUp, NobodyFightsError, Trials
from gm.games.medieval.combat.battle import Battle
from gm.games.medieval.combat.contingents import Contingent
from gm.games.medieval.combat.fight import winners_of
from gm.games.medieval.combat.report import BattleUnit
from gm.games.medieval.steps.turn import Turn

CLEAR, LIKELY = 3.0, 2.0
"""So far ahead on paper one fight tells whether a side wins as it should; so far, half of the fights do."""
LEAST = 8  # so many are half of the fights at least
STRATA = 16
"""So many of the first numbers of a fight are spread evenly over the fights, which so tell as much as half as many
again."""
_BLOCK = 64


class Chances(Record):
    """Of so many ``fights`` how many each realm won, alone or with allies, or nobody, and how many heads it lost on
    average of how many that it had. ``clear``: one was so far ahead on paper that one fight was enough."""

    fights: int
    clear: bool
    wins: Mapping[str, int]
    nobody: int
    lost: Mapping[str, float]
    start: Mapping[str, int]

    def share(self, realm: str) -> float:
        """In what part of the fights the realm won."""
        return self.wins[realm] / self.fights

    def sure(self, realm: str) -> bool:
        """Whether it lost next to none."""
        return self.share(realm) > 0.95

    def words(self, realm: str) -> str:
        """How often it would win, as precisely as is known: ``about 7 of 10``."""
        return self._of_ten(self.wins[realm])

    @property
    def without(self) -> str:
        """The same of those that nobody won; empty for next to none."""
        return self._of_ten(self.nobody) if self.nobody * 20 >= self.fights else ""

    def _of_ten(self, count: int) -> str:
        tenths = round(10 * count / self.fights)
        if tenths in (0, 10):
            if self.clear:
                return "more than 9 of 10" if tenths else "less than 1 of 10"
            return "9 or 10 of 10" if tenths else "none or 1 of 10"
        return f"about {tenths} of 10"

    def losses(self, realm: str) -> str:
        """What it costs: ``loses about 3 of 21``."""
        lost = round(self.lost[realm])
        return f"loses about {lost} of {self.start[realm]}" if lost else f"loses next to none of {self.start[realm]}"


def chances_of(turn: Turn, drawn_up: DrawnUp, seed: bytes, most: int) -> Chances | None:
    """The chances of a battle after at ``most`` so many fights; none when nobody fights there."""
    source = SpreadNumbers(seed, most)
    try:
        trials = Trials(turn, drawn_up, source)
    except NobodyFightsError:
        return None
    battle, fights, nobody, enough = trials.battle, 0, 0, False
    (favourite, ahead), realms = lead(battle), battle.realms
    start = {code: sum(each.heads for each in battle.units if each.realm == code) for code in realms}
    won, lost = dict.fromkeys(realms, 0), dict.fromkeys(realms, 0)
    while fights < most and not enough:
        source.begin(fights)
        fought = trials.fought()
        fights += 1
        winners = winners_of(fought)
        nobody += not winners
        for code in winners:
            won[code] += 1
        for each in fought.contingents:
            lost[each.realm] += sum([band.fell for band in each.bands])
        half = ahead >= LIKELY and fights >= max(LEAST, most // 2)
        enough = won.get(favourite) == fights and (ahead >= CLEAR or half)
    return Chances(
        fights, enough and ahead >= CLEAR, won, nobody, {code: heads / fights for code, heads in lost.items()}, start
    )


def numbers(seed: bytes) -> Iterator[float]:
    """Uniform numbers from 0 to 1 that follow from a seed."""
    for block in count():
        digest = shake_256(b"%d %b" % (block, seed)).digest(8 * _BLOCK)
        yield from [(number >> 11) * 2.0**-53 for number in unpack(f">{_BLOCK}Q", digest)]


@cache
def strata(fights: int) -> list[list[int]]:
    """For each of so many fights the parts of 0 to 1 that its first numbers are in: each once over all fights."""
    drawn = numbers(b"strata")
    orders = [sorted(range(fights), key=[next(drawn) for _ in range(fights)].__getitem__) for _ in range(STRATA)]
    return [list(parts) for parts in zip(*orders, strict=True)]


class SpreadNumbers:
    """The numbers of the fights of one scene."""

    def __init__(self, seed: bytes, fights: int) -> None:
        self._drawn, self._fights = numbers(seed), fights
        self._parts: Iterator[int] = iter(())

    def begin(self, fight: int) -> None:
        """The fight with this number begins."""
        self._parts = iter(strata(self._fights)[fight])

    def __call__(self) -> float:
        part = next(self._parts, None)
        return next(self._drawn) if part is None else (part + next(self._drawn)) / self._fights


def lead(battle: Battle) -> tuple[str, float]:
    """Which of two realms is ahead on paper, and how far, in spreads of all the luck of the battle; none of several.

    Two forces that wear each other down end by the square law: hits times hit points decide, and each hit that could as
    well have missed adds to the spread. Of who may leave the field only those count who stand before he does (B9). It
    says where chance has no part, not how likely anything is.
    """
    if len(battle.realms) != 2:
        return "", 0.0
    told = {each.unit: each for each in battle.units}
    sides = []
    for code in battle.realms:
        own = [each for each in battle.contingents if each.realm == code]
        hits = float(sum(told[each.key].total_combat for each in own)) / 100
        sides.append((hits, float(sum(told[each.key].hit_points for each in own)), _staying(battle, own, told)))
    found = []
    for code, (hits, _, staying), (theirs, points, _) in zip(battle.realms, sides, reversed(sides), strict=True):
        spread = 0.8 * (hits * hits * staying + theirs * theirs * points)
        found.append(((hits * staying - theirs * points) / sqrt(spread) if spread else 0.0, code))
    ahead, favourite = max(found)
    return favourite, ahead


def _staying(battle: Battle, own: list[Contingent], told: Mapping[str, BattleUnit]) -> float:
    """The hit points that these lose before they would leave the field."""
    points = Decimal(0)
    for each in own:
        level = each.unit.retreat_level
        if battle.can_retreat(each) and any(band.rank > level for band in each.bands):
            points += sum(band.hit_points * band.standing for band in each.bands if band.rank <= level)
        else:
            points += told[each.key].hit_points
    return float(points)
