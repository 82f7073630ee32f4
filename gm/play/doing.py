"""What a table does while people wait: a bot thinks, for whom and how much longer, or a turn is played."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from gm.campaign.bot_orders import bots_to_ask
from gm.campaign.open import Campaign
from gm.core.diagnostics import said, says
from gm.game.bots import FindBot
from gm.game.values import Bot
from gm.play.thinking import Ahead
from gm.text.languages import Translate
from gm.text.names import the


class Doing:
    """The present work of a table. Any thread may ask for it at any time."""

    def __init__(self, ahead: Ahead) -> None:
        self._ahead = ahead
        self._words = ""  # what is done now, without the time that is left
        self._translate: Translate | None = None  # for the time that is left, while bots think

    @property
    def words(self) -> str:
        """The work in words; empty without any."""
        translate = self._translate
        time_left = self._ahead.time_left(translate) if translate else ""
        return f"{self._words} {time_left}".strip()

    @contextmanager
    def telling(self, words: str, translate: Translate) -> Iterator[None]:
        """Show a text while the block runs."""
        self._words = str(said(words, translate))
        try:
            yield
        finally:
            self._words = ""

    @contextmanager
    def thinking(self, campaign: Campaign, find: FindBot, translate: Translate) -> Iterator[FindBot]:
        """Yield a function that finds the bots of a turn by name, and shows each while it thinks.

        It must be called for each of the turn's bots, in the order of their seats.
        """
        bot_of_party = bots_to_ask(campaign)
        parties = [the(seat.name) for seat in campaign.seats if seat.code in bot_of_party]
        numbers = count(1)

        def find_and_show(name: str) -> Bot:
            number = next(numbers)
            party = parties[number - 1] if number <= len(parties) else ""  # empty if it is called too often
            self._words = str(
                said(says("{0} thinks for {1}: {2} of {3}.", name, party, number, len(parties)), translate)
            )
            return self._ahead.finding(find)(name)

        self._translate = translate
        try:
            self._ahead.begin(campaign)
            yield find_and_show
        finally:
            self._translate = None
            self._words = ""
