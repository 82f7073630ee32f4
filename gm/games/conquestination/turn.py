"""What every step of Conquestination shares: the turn's type."""

from __future__ import annotations

from typing import TypeAlias

from gm.games.conquestination.countries import Board
from gm.games.conquestination.order_models import Orders
from gm.games.conquestination.rules import Rules
from gm.games.conquestination.state import Campaign
from gm.kernel import pipeline

Turn: TypeAlias = pipeline.Turn[Campaign, Rules, Board, Orders]
Outcome: TypeAlias = pipeline.Outcome[Campaign]
