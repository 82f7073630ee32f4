"""How likely a battle is to be won, found cheaply for the pages of a turn: beside a place that can be attacked, and of
a battle that was fought, before its dice.

The code of the turn fights it, with dice that follow from the scene. One that is clear on paper is fought only to see
whether it goes as it should, one that is open as often as tells tenths.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import shake_256
from itertools import count
from math import sqrt
from struct import unpack

from gm.core.values import Record
from gm.games.medieval.analysis.odds.trials import DrawnUp, NobodyFightsError, Trials
from gm.games.medieval.combat.battle import Battle
from gm.games.medieval.combat.fight import winners_of
from gm.games.medieval.steps.turn import Turn

LOOKS = ((1, 3.0), (5, 1.5))
"""After so many fights that one side won all, that is enough if it is so far ahead on paper."""
STRATA = 16
"""So many of the first numbers of a fight are spread evenly over the fights, which so tell as much as half as many
again."""
_BLOCK = 64


class Chances(Record):
    """Of so many ``fights`` how many each realm won, alone or with allies, or nobody, and how many heads it lost on
    average of how many that it had. ``clear``: one was so far ahead on paper that a few fights were enough."""

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
    battle, fights, nobody, clear = trials.battle, 0, 0, False
    ahead, realms = lead(battle), battle.realms
    start = {code: sum(each.heads for each in battle.units if each.realm == code) for code in realms}
    won, lost = dict.fromkeys(realms, 0), dict.fromkeys(realms, 0)
    while fights < most and not clear:
        source.begin(fights)
        fought = trials.fought()
        fights += 1
        winners = winners_of(fought)
        nobody += not winners
        for code in winners:
            won[code] += 1
        for each in fought.contingents:
            lost[each.realm] += sum([band.fell for band in each.bands])
        clear = fights in won.values() and any(fights == so_many and ahead >= far for so_many, far in LOOKS)
    return Chances(fights, clear, won, nobody, {code: heads / fights for code, heads in lost.items()}, start)


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


def lead(battle: Battle) -> float:
    """How far one of two realms is ahead on paper, in spreads of all the luck of the battle; 0 of several realms.

    Two forces that wear each other down end by the square law: hits times hit points decide. Each hit that could as
    well have missed adds to the spread. It knows nothing of ranks and retreats: it says where chance has no part.
    """
    if len(battle.realms) != 2:
        return 0.0
    force, spread = [0.0, 0.0], 0.0
    for side, code in enumerate(battle.realms):
        own = [each for each in battle.units if each.realm == code]
        hits = float(sum(each.total_combat for each in own)) / 100
        points = float(sum(each.hit_points for each in own))
        force[side] = hits * points
        spread += hits * hits * points
    return abs(force[0] - force[1]) / sqrt(spread * 0.8) if spread else 0.0
