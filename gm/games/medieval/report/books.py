"""A realm's gold for its page: what the turn did to the treasury, what headquarters expects next, and why (H1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cache
from typing import Any

from gm.core.events import Event
from gm.games.medieval.analysis.forecast import GARRISONS, HEADQUARTERS, Forecast, ForecastLine
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.report.views import ProvinceRow, UnitRow
from gm.games.medieval.state import World
from gm.games.medieval.steps.economy import PAY_ORDER, province_revenue, upkeep_lines
from gm.games.medieval.steps.provinces import annexation_price, annexed_counts, why_not_annex
from gm.games.medieval.steps.turn import TreasuryChanged

_PLACES_SHOWN = 4


def books(events: Iterable[Event]) -> list[dict[str, Any]]:
    """The treasury's changes of the turn, a line for each purpose in the order in which they first came: ``places``
    names where, if it was at places, ``clause`` by which."""
    found: dict[str, list[TreasuryChanged]] = {}
    for event in events:
        if isinstance(event, TreasuryChanged):
            found.setdefault(event.what, []).append(event)
    lines = []
    for what, changes in found.items():
        amount = sum((each.amount for each in changes), Decimal(0))
        places = list(dict.fromkeys(each.place for each in changes if each.place))
        where = ", ".join(places) if len(places) <= _PLACES_SHOWN else f"{len(places)} places"
        if amount:
            clause = clause_of_step(changes[0].step)
            lines.append({"what": what, "amount": amount, "places": where, "clause": clause})
    return lines


@cache
def _clauses() -> Mapping[str, str]:
    from gm.games.medieval.pipeline import STAGES

    return {each.name: each.clauses[0] for stage in STAGES for each in stage.steps if each.clauses}


def clause_of_step(step: str) -> str:
    """The clause that a step of the turn carries out first of all; empty for what is no step's."""
    return _clauses().get(step, "")


def other_lines(forecast: Forecast) -> list[ForecastLine]:
    """The lines of the forecast that belong to none of the sums that headquarters are told (H1)."""
    named = ("treasury", "upkeep", *HEADQUARTERS, *GARRISONS)
    return [line for line in forecast.lines if line.what not in named]


def upkeep_rows(units: Iterable[UnitRow], world: World, realm: str, rules: Rules) -> list[dict[str, Any]]:
    """What a realm's units cost a turn (L3): ``commanders``, who are paid before everybody's troops, and ``troops``, in
    the order in which these are paid."""
    amounts: dict[str, list[Decimal]] = {}
    for line in upkeep_lines(world.of_realm(realm), rules):
        amounts.setdefault(line.unit, [Decimal(0), Decimal(0)])[0 if line.commander else 1] += line.price
    own = {unit.key: unit for unit in units}
    # lines begin with all commanders: the order of the troops is that of the units
    ordered = sorted(amounts, key=lambda key: (PAY_ORDER[world.units[key].kind], world.units[key].number))
    return [
        {"unit": own[key], "commanders": commanders, "troops": troops, "both": commanders + troops}
        for key, (commanders, troops) in ((key, amounts[key]) for key in ordered)
    ]


def revenue_rows(provinces: Iterable[ProvinceRow], atlas: Atlas, rules: Rules) -> list[dict[str, Any]]:
    """What a realm's provinces are expected to pay, the best payers first: base and production areas, times the
    percentage at their damage (L11, T3); one that is not annexed to it pays nothing."""
    economy = rules.economy
    rows = [
        {
            "province": each,
            "areas": economy.production_area_revenue * each.areas,
            "percent": economy.revenue_percent[each.damage],
            "paid": each.revenue if each.paying else Decimal(0),
        }
        for each in provinces
    ]
    return sorted(rows, key=lambda row: (-row["paid"], atlas.place_order[row["province"].name]))


def annexable(world: World, realm: str, rules: Rules, atlas: Atlas) -> list[dict[str, Any]]:
    """What the realm may annex (L6) in a world whose turn has opened, by the turn's own check; most revenue first. It
    yields from the turn after. The price is not looked at: gold may come in before it is due."""
    annexed = annexed_counts(world).get(realm, 0)
    rows = [
        {"name": land.name, "price": annexation_price(land.name, atlas), "yields": province_revenue(land, atlas, rules)}
        for land in world.owned_by(realm)
        if why_not_annex(world, realm, land.name, annexed, rules) is None
    ]
    return sorted(rows, key=lambda row: (-row["yields"], atlas.place_order[row["name"]]))
