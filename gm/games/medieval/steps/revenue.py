"""What a province yields (L11, M14, X7)."""

from __future__ import annotations

from decimal import Decimal

from gm.core.values import percent_of
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.state import Province


def province_revenue(province: Province, atlas: Atlas, rules: Rules) -> Decimal:
    """The province's gold at its present damage, rounded to 1/100: base and production areas (T3, L11)."""
    economy = rules.economy
    whole = atlas.locations[province.name].revenue + economy.production_area_revenue * province.production_areas
    return percent_of(whole, economy.revenue_percent[province.damage])
