"""What every step of Conquest shares: the turn's type."""

from __future__ import annotations

from typing import TypeAlias

from gm.core import pipeline
from gm.games.conquest_fields.board import BoardFile
from gm.games.conquest_fields.orders import Orders
from gm.games.conquest_fields.rules import Rules
from gm.games.conquest_fields.state import Match

Turn: TypeAlias = pipeline.Turn[Match, Rules, BoardFile, Orders]
Outcome: TypeAlias = pipeline.Outcome[Match]
