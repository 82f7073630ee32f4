"""A bot's memory of the others, and of promises that they broke."""

from collections.abc import Mapping
from functools import cached_property

from gm.core.values import cached_per_context
from gm.game.talk import Talk
from gm.game.values import View
from gm.games.medieval.analysis.dealings import ALLIANCE, CANCELLED, PEACE, WAR
from gm.games.medieval.data.clauses_data import BotProfile

WORD = (PEACE, ALLIANCE, CANCELLED)
"""What binds two realms for a while: a peace, an alliance, also one that was just cancelled."""


class Memory:
    """The last turns as one realm knows them. Turns are numbers; 0: before the turns that it recalls."""

    def __init__(self, view: View, profile: BotProfile) -> None:
        self._realm = view.realm
        self._turn = view.turn
        self._profile = profile
        self._talk = view.talk

    def latest(self, realm: str, other: str, *kinds: str) -> int:
        """Return the last turn with one of these dealings by ``realm`` to ``other``."""
        deals = self._talk.between.get((realm, other), ())
        return max([deal.turn for deal in deals if deal.what in kinds], default=0)

    def between(self, one: str, other: str, *kinds: str) -> int:
        """Return the last turn with one of these dealings between the two."""
        return max(self.latest(one, other, *kinds), self.latest(other, one, *kinds))

    @cached_property
    def broken(self) -> Mapping[str, int]:
        """The realms that began a war against a realm with their promise, and the last such turn.

        This is public.
        """
        wars = _wars_after_words(self._talk, WORD)
        return {realm: turn for realm, turn, since in wars if since <= self._profile.truce}

    def resents(self, code: str) -> bool:
        """Return whether the realm still resents a broken word of another."""
        return self._turn <= self.broken.get(code, -self._profile.grudge) + self._profile.grudge

    def is_bound(self, code: str) -> bool:
        """Return whether the realm lately promised another peace, and that one has kept its promise."""
        word_given = self.between(self._realm, code, *WORD)
        return (
            word_given > 0
            and self._turn - word_given <= self._profile.truce
            and self.broken.get(code, 0) <= word_given
        )


@cached_per_context
def _wars_after_words(talk: Talk, binding: tuple[str, ...]) -> list[tuple[str, int, int]]:
    """Return (who began it, turn, turns since the promise) of each war against a realm with a promise."""
    words: dict[frozenset[str], int] = {}
    breaches = []
    # wars come first in a turn, agreements last: a word of the same turn was given after the war began
    for deal in talk.dealings:
        both = frozenset((deal.realm, deal.other))
        if deal.what in binding:
            words[both] = deal.turn
        elif deal.what == WAR and both in words:
            breaches.append((deal.realm, deal.turn, deal.turn - words[both]))
    return breaches
