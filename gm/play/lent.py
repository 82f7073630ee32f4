"""What the table of a game (:mod:`gm.play.table`) gets from the commands, and its error for a refusal."""

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
    """An action was refused; ``says``: why. ``stale``: the page shows an older position than the game has."""

    def __init__(self, says: str, *, stale: bool = False) -> None:
        super().__init__(says)
        self.says = says
        self.stale = stale


class Lent(Record):
    """The functions of the commands that a table uses."""

    game: Callable[[], Campaign]  # reads the table's game
    changing: Callable[[], AbstractContextManager[Campaign]]  # locks it, to be changed in a ``with`` block
    carry_out: Callable[..., int]  # makes a change of files, with a line in the journal
    play: Callable[[Campaign, TurnPlan], object]  # plays a turn
    take_back: Callable[[Campaign, bool], object]  # undoes the newest turn; in public or not
    moment: Callable[[Campaign], datetime]  # the time now
    look: Callable[[Path], Campaign]  # reads the game in another folder
    secret: Callable[[], str]  # makes a seat's secret
    ahead: Ahead  # the thoughts of the bots
