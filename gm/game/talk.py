"""What a bot remembers when it writes its orders.

These are the deeds of parties to each other in the last turns, and the letters that the bot got and wrote.
All comes from logs and letters that the game stores, so that a replay gives the bot the same.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Self

from gm.core.values import Event, Record, grouped


class Dealing(Record):
    """One party's deed to another in a turn.

    ``what``: a word of the game's, like ``war`` or ``peace-offered``; ``place`` and ``amount``: of what was
    given or taken; ``private``: only these two know of it.
    """

    turn: int
    what: str
    realm: str  # The code of the party that acted
    other: str  # The code of the party that it concerned
    place: str = ""
    amount: Decimal = Decimal(0)  # In gold
    private: bool = False


class Recall(Record):
    """The dealings of earlier turns that a game's bots remember."""

    turns: int  # How many turns back
    marks: tuple[str, ...]  # Each log line of a dealing contains one of these texts
    # Called with the number of a turn and its events: returns the dealings among them
    dealings: Callable[[int, Iterable[Event]], tuple[Dealing, ...]]


class TalkLetter(Record):
    """A delivered letter with a known writer. ``to``: its readers; ``alone``: it went to one reader only."""

    turn: int
    author: str  # A code
    to: tuple[str, ...]  # Codes
    text: str
    alone: bool = True


class Talk(Record, dict=True):
    """``dealings`` and ``letters`` of the last turns, oldest first.

    ``readers`` are the people to whom a letter can be written now, each with their language, empty for
    English.
    """

    dealings: tuple[Dealing, ...] = ()
    letters: tuple[TalkLetter, ...] = ()
    readers: Mapping[str, str] = {}  # By code of their party

    @cached_property
    def between(self) -> Mapping[tuple[str, str], Sequence[Dealing]]:
        """The dealings by (party that acted, party concerned)."""
        return grouped(self.dealings, lambda dealing: (dealing.realm, dealing.other))

    def known_to(self, realm: str) -> Self:
        """Return the part of the talk that one party may know (W8)."""
        return self.evolve(
            dealings=tuple(
                dealing
                for dealing in self.dealings
                if not dealing.private or realm in (dealing.realm, dealing.other)
            ),
            letters=tuple(letter for letter in self.letters if realm == letter.author or realm in letter.to),
            readers={code: language for code, language in self.readers.items() if code != realm},
        )
