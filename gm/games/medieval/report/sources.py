"""Where the forecast's numbers come from: each unit's upkeep, each province's revenue, and what may be annexed."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from gm.core.records import Record, record
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.report.views import ProvinceRow, UnitRow
from gm.games.medieval.state import World
from gm.games.medieval.steps.economy import PAY_ORDER, province_revenue, upkeep_lines
from gm.games.medieval.steps.provinces import annexation_price, annexed_counts, why_not_annex


@record
class UpkeepRow(Record):
    """What one unit costs a turn: its commanders, who are paid before everybody's troops, and its troops (L3)."""

    unit: UnitRow
    commanders: Decimal
    troops: Decimal

    @property
    def both(self) -> Decimal:
        return self.commanders + self.troops


def upkeep_rows(units: Iterable[UnitRow], world: World, realm: str, rules: Rules) -> list[UpkeepRow]:
    """A realm's units that cost anything, in the order in which their troops are paid."""
    amounts: dict[str, list[Decimal]] = {}
    for line in upkeep_lines(world.of_realm(realm), rules):
        amounts.setdefault(line.unit, [Decimal(0), Decimal(0)])[0 if line.commander else 1] += line.price
    own = {unit.key: unit for unit in units}
    # lines begin with all commanders: the order of the troops is that of the units
    ordered = sorted(amounts, key=lambda key: (PAY_ORDER[world.units[key].kind], world.units[key].number))
    return [UpkeepRow(own[key], *amounts[key]) for key in ordered]


@record
class RevenueRow(Record):
    """What one province is expected to pay: base and production areas, times the percentage at its damage (L11, T3)."""

    province: ProvinceRow
    areas: Decimal
    percent: int
    paid: Decimal


def revenue_rows(provinces: Iterable[ProvinceRow], atlas: Atlas, rules: Rules) -> list[RevenueRow]:
    """A realm's provinces, the best payers first; one that is not annexed to it pays nothing."""
    economy = rules.economy
    rows = [
        RevenueRow(
            province=each,
            areas=economy.production_area_revenue * each.areas,
            percent=economy.revenue_percent[each.damage],
            paid=each.revenue if each.paying else Decimal(0),
        )
        for each in provinces
    ]
    return sorted(rows, key=lambda row: (-row.paid, atlas.place_order[row.province.name]))


@record
class AnnexRow(Record):
    """A province that the realm may annex next turn (L6), for ``price``; its revenue comes from the turn after."""

    name: str
    price: Decimal
    yields: Decimal


def annexable(world: World, realm: str, rules: Rules, atlas: Atlas) -> list[AnnexRow]:
    """What the realm may annex in a world whose turn has opened, by the very check of the turn; most revenue first.

    The price is not looked at: gold may come in before it is due.
    """
    annexed = annexed_counts(world).get(realm, 0)
    rows = [
        AnnexRow(
            land.name,
            annexation_price(land.name, atlas),
            province_revenue(land, atlas, rules),
        )
        for land in world.owned_by(realm)
        if why_not_annex(world, realm, land.name, annexed, rules) is None
    ]
    return sorted(rows, key=lambda row: (-row.yields, atlas.place_order[row.name]))
