"""The odds of battles as bots weigh them: computed as floats, and each only once."""

from bisect import bisect_left
from functools import cache
from operator import truediv

from gm.core.values import Record
from gm.games.conqueror.figures import chances_of
from gm.games.conqueror.rules import Rules


class Prospects(Record):
    """The odds of battles under some rules.

    Rules with the same numbers for duels and garrisons share cached results: objects for them are equal.
    """

    rules: Rules

    def __hash__(self) -> int:
        return hash((self.rules.duel, self.rules.garrison))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Prospects) and all(
            getattr(self.rules, name) == getattr(other.rules, name) for name in ("duel", "garrison")
        )

    @cache  # noqa: B019 - there are as many as there are rules
    def of_attack(self, attackers: int, armies: int, fort: int) -> tuple[float, float]:
        """Return (probability that a place is taken, average number of attackers left).

        ``armies`` defend it behind works of level ``fort``.
        """
        ends = chances_of(attackers, armies, fort, self.rules, truediv).items()
        share_taken = sum(share for (_, defenders_left), share in ends if not defenders_left)
        average_left = sum(attackers_left * share for (attackers_left, _), share in ends)
        return share_taken, average_left

    @cache  # noqa: B019
    def wanted(self, armies: int, fort: int, percent: int) -> int:
        """Return the fewest attackers that take a place with a probability of at least ``percent``."""
        if not armies:
            return 1
        enough = 1
        while self._percent(enough, armies, fort) < percent:
            enough *= 2
        # half of that was not enough: the fewest are in between
        return bisect_left(
            range(enough),
            float(percent),
            enough // 2,
            key=lambda attackers: self._percent(attackers, armies, fort),
        )

    def _percent(self, attackers: int, armies: int, fort: int) -> float:
        share_taken, _ = self.of_attack(attackers, armies, fort)
        return share_taken * 100
