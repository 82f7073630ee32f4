"""What every step of Conquestination shares: the turn's type."""

from __future__ import annotations

from typing import TypeAlias

from gm.core import pipeline
from gm.games.conquestination.countries import Board
from gm.games.conquestination.order_models import Orders
from gm.games.conquestination.rules import Rules
from gm.games.conquestination.state import Campaign

Turn: TypeAlias = pipeline.Turn[Campaign, Rules, Board, Orders]
Outcome: TypeAlias = pipeline.Outcome[Campaign]
