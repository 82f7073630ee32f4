"""What a bot recalls of the others, and what it holds against them: a word that was given and broken."""

from collections.abc import Mapping
from functools import cached_property

from gm.game.values import View
from gm.games.medieval.analysis.dealings import ALLIANCE, CANCELLED, PEACE, WAR
from gm.games.medieval.data.clauses_data import BotProfile

WORD = (PEACE, ALLIANCE, CANCELLED)
"""What binds two realms for a while: a peace, an alliance, also one that was just cancelled."""


class Memory:
    """The last turns as one realm knows them. Turns are numbers; 0: not within what it recalls."""

    def __init__(self, view: View, profile: BotProfile) -> None:
        self._realm, self._turn, self._profile = view.realm, view.turn, profile
        self._dealings = view.talk.dealings

    def latest(self, realm: str, other: str, *kinds: str) -> int:
        """The last turn in which ``realm`` did one of these to ``other``."""
        done = (each for each in self._dealings if each.realm == realm and each.other == other and each.what in kinds)
        return max((each.turn for each in done), default=0)

    def between(self, one: str, other: str, *kinds: str) -> int:
        """The last turn in which one of the two did one of these to the other."""
        return max(self.latest(one, other, *kinds), self.latest(other, one, *kinds))

    @cached_property
    def broken(self) -> Mapping[str, int]:
        """Who began a war against whoever had his word, and in which turn last: of all realms, since all know of it."""
        words: dict[frozenset[str], int] = {}
        found: dict[str, int] = {}
        # wars come first in a turn, agreements last: a word of the same turn was given after the war began
        for each in self._dealings:
            both = frozenset((each.realm, each.other))
            if each.what in WORD:
                words[both] = each.turn
            elif each.what == WAR and each.turn - words.get(both, -self._profile.truce) <= self._profile.truce:
                found[each.realm] = each.turn
        return found

    def resents(self, code: str) -> bool:
        """Whether it still holds a broken word against a realm."""
        return self._turn <= self.broken.get(code, -self._profile.grudge) + self._profile.grudge

    def is_bound(self, code: str) -> bool:
        """Whether it gave a realm its word not long ago, and that one kept his since."""
        given = self.between(self._realm, code, *WORD)
        return given > 0 and self._turn - given <= self._profile.truce and self.broken.get(code, 0) <= given
