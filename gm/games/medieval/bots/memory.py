"""A bot's memory of the dealings of realms, and of promises that were broken."""

from collections.abc import Mapping
from functools import cached_property

from gm.core.values import cached_per_context
from gm.game.talk import Talk
from gm.game.values import View
from gm.games.medieval.analysis.dealings import ALLIANCE, CANCELLED, PEACE, WAR
from gm.games.medieval.data.clauses_data import BotProfile

PROMISES = (PEACE, ALLIANCE, CANCELLED)
"""The dealings that bind two realms for a while: a peace, an alliance, also one that was cancelled."""


class Memory:
    """The dealings of realms in the last turns, as far as one realm knows them."""

    def __init__(self, view: View, profile: BotProfile) -> None:
        self._realm = view.realm
        self._turn = view.turn
        self._profile = profile
        self._talk = view.talk

    def latest(self, realm: str, other: str, *kinds: str) -> int:
        """Return the last turn with a dealing of these kinds by ``realm`` with ``other``; 0 without one."""
        deals = self._talk.between.get((realm, other), ())
        return max([deal.turn for deal in deals if deal.what in kinds], default=0)

    def between(self, one: str, other: str, *kinds: str) -> int:
        """Return the last turn with a dealing of these kinds between two realms, by either; 0 without one."""
        return max(self.latest(one, other, *kinds), self.latest(other, one, *kinds))

    @cached_property
    def broken(self) -> Mapping[str, int]:
        """By the code of each realm that broke a promise: the last turn in which it did so.

        A realm breaks a promise by beginning a war within ``profile.truce`` turns. All realms know of it.
        """
        wars = _wars_after_promises(self._talk, PROMISES)
        return {realm: turn for realm, turn, since in wars if since <= self._profile.truce}

    def resents(self, code: str) -> bool:
        """Return whether another realm broke a promise within the last ``profile.grudge`` turns."""
        # without a broken promise the sum is 0, less than any turn
        return self._turn <= self.broken.get(code, -self._profile.grudge) + self._profile.grudge

    def is_bound(self, code: str) -> bool:
        """Return whether the realm's last promise to another still binds it.

        It does for ``profile.truce`` turns, unless the other has broken a promise since.
        """
        promise_turn = self.between(self._realm, code, *PROMISES)
        return (
            promise_turn > 0
            and self._turn - promise_turn <= self._profile.truce
            and self.broken.get(code, 0) <= promise_turn
        )


@cached_per_context
def _wars_after_promises(talk: Talk, promises: tuple[str, ...]) -> list[tuple[str, int, int]]:
    """Return (who began it, turn, turns since the promise) of each war between realms with a promise.

    ``promises``: the kinds of dealings that are promises.
    """
    promised: dict[frozenset[str], int] = {}  # by two realms: the turn of their last promise
    wars = []
    # wars come first in a turn, agreements last: a promise of the same turn was given after the war began
    for deal in talk.dealings:
        realms = frozenset((deal.realm, deal.other))
        if deal.what in promises:
            promised[realms] = deal.turn
        elif deal.what == WAR and realms in promised:
            wars.append((deal.realm, deal.turn, deal.turn - promised[realms]))
    return wars
