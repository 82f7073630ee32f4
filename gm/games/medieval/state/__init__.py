"""The state of a medieval game: realms, provinces, units, and the progress of this turn."""

from gm.games.medieval.state.realm import (
    INDEPENDENTS,
    Controller,
    Pair,
    Province,
    Realm,
    Relation,
    Status,
    pair,
)
from gm.games.medieval.state.unit import Commander, Ranks, Unit, UnitKind, in_order, unit_key
from gm.games.medieval.state.world import NOTHING_YET, ProvinceProgress, TurnProgress, UnitProgress, World

__all__ = ["INDEPENDENTS", "NOTHING_YET", "Commander", "Controller", "Pair", "Province", "ProvinceProgress"]
__all__ += ["Ranks", "Realm", "Relation", "Status", "TurnProgress", "Unit", "UnitKind"]
__all__ += ["UnitProgress", "World", "in_order", "pair", "unit_key"]
