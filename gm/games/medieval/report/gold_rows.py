"""Rows for the tables of a realm's gold (H1): the turn's changes, income, expenses, and what it can buy."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cache
from typing import Any

from gm.core.values import percent_of
from gm.games.medieval.analysis.choices_realm import Choices
from gm.games.medieval.analysis.forecast import GARRISONS, HEADQUARTERS, Forecast
from gm.games.medieval.analysis.ledger import ForecastLine
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.model import Structure
from gm.games.medieval.report.views import ProvinceRow, UnitRow
from gm.games.medieval.state import World
from gm.games.medieval.steps.economy import PAY_ORDER, province_revenue, upkeep_lines
from gm.games.medieval.steps.provinces import annexation_price, annexed_counts, why_not_annex
from gm.games.medieval.steps.turn import TreasuryChanged
from gm.text.languages import Translate

_PLACES_SHOWN = 4


def books(payments: Iterable[TreasuryChanged], translate: Translate = str) -> list[dict[str, Any]]:
    """Return the treasury's changes of the turn, a line for each purpose, in order.

    ``places``: the names of its places, or their number if they are many; ``clause``: that of the rule behind
    it.
    """
    changes_of: dict[str, list[TreasuryChanged]] = {}
    for payment in payments:
        changes_of.setdefault(payment.what, []).append(payment)
    lines = []
    for what, changes in changes_of.items():
        amount = sum((change.amount for change in changes), Decimal(0))
        places = list(dict.fromkeys(change.place for change in changes if change.place))
        many = len(places) > _PLACES_SHOWN
        where = translate("{count} places").format(count=len(places)) if many else ", ".join(places)
        if amount:
            clause = clause_of_step(changes[0].step)
            lines.append({"what": translate(what), "amount": amount, "places": where, "clause": clause})
    return lines


@cache
def _clauses() -> Mapping[str, str]:
    from gm.games.medieval.pipeline import STEPS

    return {step.name: step.clauses[0] for step in STEPS if step.clauses}


def clause_of_step(step: str) -> str:
    """Return the main clause of a step of the turn; empty for other names."""
    return _clauses().get(step, "")


def other_lines(forecast: Forecast) -> list[ForecastLine]:
    """Return the lines of the forecast that are in none of the sums for headquarters (H1)."""
    return [
        line for line in forecast.lines if line.what not in ("treasury", "upkeep", *HEADQUARTERS, *GARRISONS)
    ]


def upkeep_rows(units: Iterable[UnitRow], world: World, realm: str, rules: Rules) -> list[dict[str, Any]]:
    """Return a realm's upkeep in a turn (L3).

    ``commanders``, who are paid first, and ``troops`` in the order of pay.
    """
    amounts: dict[str, list[Decimal]] = {}
    for line in upkeep_lines(world.of_realm(realm), rules):
        amounts.setdefault(line.unit, [Decimal(0), Decimal(0)])[0 if line.commander else 1] += line.price
    own_units = {unit.key: unit for unit in units}
    # lines begin with all commanders: the order of the troops is that of the units
    ordered = sorted(amounts, key=lambda key: (PAY_ORDER[world.units[key].kind], world.units[key].number))
    rows = []
    for key in ordered:
        commanders, troops = amounts[key]
        rows.append(
            {"unit": own_units[key], "commanders": commanders, "troops": troops, "both": commanders + troops}
        )
    return rows


def revenue_rows(provinces: Iterable[ProvinceRow], atlas: Atlas, rules: Rules) -> list[dict[str, Any]]:
    """Return the expected revenue of a realm's provinces, the best payers first.

    Base and production areas, times the percentage at their damage (L11, T3); one that is not annexed to it
    pays nothing.
    """
    economy = rules.economy
    rows = []
    for row in provinces:
        areas = economy.production_area_revenue * row.areas
        percent = economy.revenue_percent[row.damage]
        paid = row.revenue if row.paying else Decimal(0)
        rows.append({"province": row, "areas": areas, "percent": percent, "paid": paid})
    return sorted(rows, key=lambda row: (-row["paid"], atlas.place_order[row["province"].name]))


def annexable(world: World, realm: str, rules: Rules, atlas: Atlas) -> list[dict[str, Any]]:
    """Return the provinces that the realm may annex (L6) in an opened world, by the turn's own check.

    The provinces with most revenue come first. They yield from the turn after. The price is ignored: gold may
    come in before it is due.
    """
    annexed = annexed_counts(world).get(realm, 0)
    rows = [
        {
            "name": land.name,
            "price": annexation_price(land.name, atlas),
            "yields": province_revenue(land, atlas, rules),
        }
        for land in world.owned_by(realm)
        if why_not_annex(world, realm, land.name, annexed, rules) is None
    ]
    return sorted(rows, key=lambda row: (-row["yields"], atlas.place_order[row["name"]]))


def works(
    choices: Choices, units: Iterable[UnitRow], lands: Iterable[ProvinceRow], rules: Rules
) -> dict[str, Any]:
    """Return what own units can build at their places, from the tables of choices, by structure.

    Each has the place, the units, the price, and its yield in a turn (L11); the best payers come first, of
    walls the lowest of cities.
    """
    rows: dict[str, dict[str, dict[str, Any]]] = {}
    paying = {Structure.PRODUCTION_AREA.value: rules.economy.production_area_revenue}
    row_of = {land.name: land for land in lands if land.paying}
    for unit in units:
        table = choices["units"][unit.id].get("build")
        land = row_of.get(unit.place)
        prices = table["of"] if isinstance(table, dict) and land else {}
        for structure, price in prices.items():
            if land and isinstance(price, int):
                gold = paying.get(structure, Decimal(0))
                yields = percent_of(gold, rules.economy.revenue_percent[land.damage])
                row = {"land": land, "unit": unit.id, "price": Decimal(price) / 100, "yields": yields}
                rows.setdefault(structure, {}).setdefault(land.name, row)
    return {
        structure: sorted(
            row_of.values(), key=lambda row: (-row["yields"], not row["land"].city, row["land"].fortification)
        )
        for structure, row_of in rows.items()
    }
