"""Provinces: what can change of them (W4). What cannot is in the atlas."""

from __future__ import annotations

from gm.core.values import NameSet, Value
from gm.games.medieval.state.realm import INDEPENDENTS


class Province(Value):
    """One province. ``owner`` is a realm's code or INDEPENDENTS; ``annexed_to`` a realm's code or none."""

    name: str
    owner: str = INDEPENDENTS
    annexed_to: str | None = None
    turns_away: int = 0
    """Turns that it has been annexed to a realm that does not own it; the turn of loss is 0 (L7)."""
    damage: int = 0
    fortification: int = 0
    fortification_damage: int = 0
    harbour: bool = False
    production_areas: int = 0
    permissions: NameSet = frozenset()
    """Realms with special permission (F4; for independent provinces from the scenario or the GM, P1)."""

    @property
    def effective_fortification(self) -> int:
        """Level minus damage (B5.1, X6)."""
        return self.fortification - self.fortification_damage
