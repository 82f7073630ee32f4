"""What a bot may recall when it writes its orders.

It holds what parties did to each other in the last turns, and the letters that the bot got and wrote. All of it is made
of logs and letters that the game keeps, so that a replay shows it the same.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Self

from gm.core.values import Event, Record, lazy_property


class Dealing(Record):
    """What one party did to another in a turn.

    ``what``: a word of the game's, like ``war`` or ``peace-offered``; ``place`` and ``amount``: what was
    given or taken; ``private``: only these two know of it.
    """

    turn: int
    what: str
    realm: str
    other: str
    place: str = ""
    amount: Decimal = Decimal(0)
    private: bool = False


class Recall(Record):
    """What the bots of a game recall.

    ``turns``: so many back; ``marks``: one of these stands in each line of a log that tells of a dealing;
    ``dealings``: those among the events of a turn, by its number.
    """

    turns: int
    marks: tuple[str, ...]
    dealings: Callable[[int, Iterable[Event]], tuple[Dealing, ...]]


class TalkLetter(Record):
    """A letter that was delivered with a turn, signed. ``to``: who got it; ``alone``: that it went to one only."""

    turn: int
    author: str
    to: tuple[str, ...]
    text: str
    alone: bool = True


class Talk(Record, dict=True):
    """``dealings`` and ``letters`` of the last turns, oldest first.

    ``readers`` are the people to whom a letter can be written now, each with their language, empty for English.
    """

    dealings: tuple[Dealing, ...] = ()
    letters: tuple[TalkLetter, ...] = ()
    readers: Mapping[str, str] = {}

    @lazy_property
    def between(self) -> Mapping[tuple[str, str], Sequence[Dealing]]:
        """Return the dealings by who did them to whom."""
        dealings: dict[tuple[str, str], list[Dealing]] = {}
        for dealing in self.dealings:
            dealings.setdefault((dealing.realm, dealing.other), []).append(dealing)
        return dealings

    def known_to(self, realm: str) -> Self:
        """As much of it as one party may know (W8)."""
        return self.evolve(
            dealings=tuple(
                dealing for dealing in self.dealings if not dealing.private or realm in (dealing.realm, dealing.other)
            ),
            letters=tuple(letter for letter in self.letters if realm == letter.author or realm in letter.to),
            readers={code: language for code, language in self.readers.items() if code != realm},
        )
