"""Rows for the tables of a realm's gold (H1): the turn's changes, income, expenses, what can be bought."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cache
from typing import Any

from gm.core.values import grouped, percent_of
from gm.games.medieval.analysis.choices_realm import Choices
from gm.games.medieval.analysis.forecast import GARRISONS, HEADQUARTERS, Forecast
from gm.games.medieval.analysis.ledger import ForecastLine
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.model import Structure
from gm.games.medieval.report.views import ProvinceRow, UnitRow
from gm.games.medieval.state import World
from gm.games.medieval.steps.economy import PAY_ORDER, province_revenue, upkeep_lines
from gm.games.medieval.steps.outcomes import TreasuryChanged
from gm.games.medieval.steps.provinces import annexation_price, annexed_counts, why_not_annex
from gm.text.languages import Translate

_PLACES_SHOWN = 4  # of more places in a row only the number is shown


def books(payments: Iterable[TreasuryChanged], translate: Translate = str) -> list[dict[str, Any]]:
    """Return the rows of a treasury's changes in the turn, one for each purpose that did not come to 0.

    Of a row, ``places`` has the names of the places, or their number if they are many; ``clause`` is the main
    clause of the turn's step in which it was first paid.
    """
    rows = []
    for purpose, same_purpose in grouped(payments, lambda payment: payment.what).items():
        amount = sum((payment.amount for payment in same_purpose), Decimal(0))
        if not amount:
            continue
        names = list(dict.fromkeys(payment.place for payment in same_purpose if payment.place))
        places = ", ".join(names)
        if len(names) > _PLACES_SHOWN:
            places = translate("{count} places").format(count=len(names))
        clause = clause_of_step(same_purpose[0].step)
        rows.append({"what": translate(purpose), "amount": amount, "places": places, "clause": clause})
    return rows


@cache
def _clauses() -> Mapping[str, str]:
    """Return the main clause of each step of the turn that has one, by the step's name."""
    # imported here, as the pipeline imports all steps
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
    """Return the rows of a realm's upkeep in a turn, by unit, in the order in which troops are paid (L3).

    In a row are ``unit``, its row of ``units``, and the gold for its ``commanders``, its ``troops`` and
    ``both``.
    """
    commanders_gold: defaultdict[str, Decimal] = defaultdict(Decimal)  # by the unit's key
    troops_gold: defaultdict[str, Decimal] = defaultdict(Decimal)
    for line in upkeep_lines(world.of_realm(realm), rules):
        amounts = commanders_gold if line.commander else troops_gold
        amounts[line.unit] += line.price
    row_of_unit = {unit.key: unit for unit in units}
    paid_units = sorted(
        commanders_gold.keys() | troops_gold.keys(),
        key=lambda key: (PAY_ORDER[world.units[key].kind], world.units[key].number),
    )
    rows = []
    for key in paid_units:
        commanders = commanders_gold[key]
        troops = troops_gold[key]
        rows.append(
            {
                "unit": row_of_unit[key],
                "commanders": commanders,
                "troops": troops,
                "both": commanders + troops,
            }
        )
    return rows


def revenue_rows(provinces: Iterable[ProvinceRow], atlas: Atlas, rules: Rules) -> list[dict[str, Any]]:
    """Return the rows of the expected revenue of a realm's provinces, the best payers first (L11, T3).

    ``areas``: the gold of production areas; ``percent``: how much of the gold is left with the damage;
    ``paid``: what the realm gets, which is 0 from a province that is not annexed to it.
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
    """Return the rows of the provinces that the realm may annex (L6), those with most revenue first.

    ``world``: opened for the turn. Provinces that the realm cannot pay for are included: gold may come in
    before the price is due. ``yields``: the gold in each turn after that.
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
    """Return the rows of what a realm's units can build in its provinces that pay it, by structure.

    ``choices``: the realm's tables. Each row has the ``land``, the id of one ``unit`` that can build there,
    the ``price``, and what it ``yields`` in gold a turn (L11). Those that yield most come first, then cities,
    and of them those with the lowest walls.
    """
    rows: dict[str, dict[str, dict[str, Any]]] = {}  # by structure and province
    revenue_of = {Structure.PRODUCTION_AREA.value: rules.economy.production_area_revenue}
    paying_lands = {land.name: land for land in lands if land.paying}
    for unit in units:
        table = choices["units"][unit.id].get("build")
        land = paying_lands.get(unit.place)
        if land is None or not isinstance(table, dict):
            continue
        for structure, price in table["of"].items():
            if isinstance(price, int):  # else it is a refusal
                revenue = revenue_of.get(structure, Decimal(0))
                yields = percent_of(revenue, rules.economy.revenue_percent[land.damage])
                row = {"land": land, "unit": unit.id, "price": Decimal(price) / 100, "yields": yields}
                rows.setdefault(structure, {}).setdefault(land.name, row)

    def order(row: Mapping[str, Any]) -> tuple[Decimal, bool, int]:
        """Return the key by which the rows of a structure are sorted: most yield, then cities, low walls."""
        return -row["yields"], not row["land"].city, row["land"].fortification

    return {structure: sorted(rows_of.values(), key=order) for structure, rows_of in rows.items()}
