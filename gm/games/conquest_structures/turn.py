"""What every step of CONQUEST 0.0.2 shares: the turn's type."""

from __future__ import annotations

from typing import TypeAlias

from gm.core import pipeline
from gm.games.conquest_structures.board import Board
from gm.games.conquest_structures.orders import Orders
from gm.games.conquest_structures.rules import Rules
from gm.games.conquest_structures.state import Conquest

Turn: TypeAlias = pipeline.Turn[Conquest, Rules, Board, Orders]
Outcome: TypeAlias = pipeline.Outcome[Conquest]
