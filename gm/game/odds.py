"""The odds of a battle as a command asks for them and as a game answers: for those games that have battles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, Protocol

from gm.core.records import Record, keyword_record
from gm.core.sampling import Source


@keyword_record
class OddsQuestion(Record):
    """Who is to fight whom, how often.

    Either ``forces``, typed in, the words between them included; or what stands at ``place``, or would stand there
    after ``moves`` of (unit, place), in a state. ``wars`` are pairs of parties that are supposed to be at war;
    ``party`` is who asks: its own units need no code before them. ``fortification``, ``kind`` (land, sea, border) and
    ``landing`` are the ground that typed forces meet on.
    """

    forces: str = ""
    place: str | None = None
    moves: tuple[tuple[str, str], ...] = ()
    wars: tuple[tuple[str, str], ...] = ()
    party: str | None = None
    fortification: int = 0
    kind: str = "land"
    landing: bool = False
    fights: int


@keyword_record
class OddsAnswer(Record):
    """What came of it: ``lines`` for people, ``figures`` for programs, ``picture`` makes an SVG."""

    lines: tuple[str, ...]
    figures: Mapping[str, Any] = field(default_factory=dict)
    picture: Callable[[], str]


class OddsMaker(Protocol):
    """Fights a battle many times. Pure, but for the numbers that it draws from ``source``."""

    def __call__(self, table: Any, state: Any | None, question: OddsQuestion, source: Source) -> OddsAnswer:
        """The odds; ``state`` none: only typed forces can be asked about. Raises ``ValueError`` with a sentence."""
