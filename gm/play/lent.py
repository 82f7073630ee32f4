"""The functions of the commands that a table uses, and the error for an action that it refuses."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path

from gm.campaign.open import Campaign
from gm.campaign.plan import TurnPlan
from gm.core.values import Record
from gm.play.thinking import Ahead


class RefusedError(Exception):
    """An action was refused; the text says why. ``stale``: the page is older than the game."""

    def __init__(self, says: str, *, stale: bool = False) -> None:
        super().__init__(says)
        self.says = says
        self.stale = stale


class Lent(Record):
    """The functions of the commands that the table uses.

    They open and change a game, play and take back turns, and give the clock and processes for thinking.
    """

    game: Callable[[], Campaign]
    changing: Callable[[], AbstractContextManager[Campaign]]
    carry_out: Callable[..., int]
    play: Callable[[Campaign, TurnPlan], object]
    take_back: Callable[[Campaign, bool], object]
    moment: Callable[[Campaign], datetime]
    look: Callable[[Path], Campaign]
    secret: Callable[[], str]
    ahead: Ahead
