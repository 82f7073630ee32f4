"""A realm's gold for its page: what the turn did to the treasury, what headquarters expects next, and why (H1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cache
from typing import NamedTuple

from gm.core.events import Event
from gm.games.medieval.analysis.forecast import GARRISONS, HEADQUARTERS, Forecast, Warned
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.report.views import ProvinceRow, UnitRow
from gm.games.medieval.state import World
from gm.games.medieval.steps.economy import PAY_ORDER, province_revenue, upkeep_lines
from gm.games.medieval.steps.provinces import annexation_price, annexed_counts, why_not_annex
from gm.games.medieval.steps.turn import TreasuryChanged
from gm.text.pages import gold

_PLACES_SHOWN = 4


class BookLine(NamedTuple):
    """What one purpose did to the treasury; ``places`` names where, if it was at places; ``clause`` says by which."""

    what: str
    amount: Decimal
    places: str
    clause: str


def books(events: Iterable[Event]) -> list[BookLine]:
    """The treasury's changes of the turn, one line for each purpose, in the order in which they first came."""
    found: dict[str, list[TreasuryChanged]] = {}
    for event in payments(events):
        found.setdefault(event.what, []).append(event)
    lines = []
    for what, changes in found.items():
        amount = sum((each.amount for each in changes), Decimal(0))
        places = list(dict.fromkeys(each.place for each in changes if each.place))
        where = ", ".join(places) if len(places) <= _PLACES_SHOWN else f"{len(places)} places"
        if amount:
            lines.append(BookLine(what, amount, where, clause_of_step(changes[0].step)))
    return lines


def payments(events: Iterable[Event]) -> list[TreasuryChanged]:
    """Every single change of the treasury, in order."""
    return [event for event in events if isinstance(event, TreasuryChanged)]


@cache
def _clauses() -> Mapping[str, str]:
    from gm.games.medieval.pipeline import STAGES

    return {each.name: each.clauses[0] for stage in STAGES for each in stage.steps if each.clauses}


def clause_of_step(step: str) -> str:
    """The clause that a step of the turn carries out first of all; empty for what is no step's."""
    return _clauses().get(step, "")


class ForecastRow(NamedTuple):
    """One line of the forecast; ``total`` marks a sum, ``note`` says what counts as such, ``clauses`` why."""

    what: str
    amount: Decimal
    clauses: tuple[str, ...] = ()
    note: str = ""
    total: bool = False


class ForecastView(NamedTuple):
    """The forecast as a table. ``warning`` may be empty; ``alarm`` says that it is a shortfall."""

    rows: tuple[ForecastRow, ...]
    warning: str
    alarm: bool


def forecast_view(forecast: Forecast) -> ForecastView:
    """H1 in rows: treasury and expenses up to the surplus, then what decays and what comes in."""
    named = ("treasury", "upkeep", *HEADQUARTERS, *GARRISONS)
    short = forecast.surplus < 0
    rows = [
        ForecastRow("in the treasury now", forecast.treasury),
        ForecastRow("upkeep", -forecast.upkeep, ("L3",)),
        ForecastRow("headquarters expenses", -forecast.hq_expenses, ("L6", "L2"), "annexing, gold sent"),
        ForecastRow(
            "garrison expenses", -forecast.garrison_expenses, ("L4", "L5", "L8"), "troops, commanders, construction"
        ),
        *(ForecastRow(line.what, line.amount) for line in forecast.lines if line.what not in named),
        ForecastRow(
            "expected shortfall" if short else "expected surplus", forecast.surplus, ("H1",), "to spend", total=True
        ),
        ForecastRow("lost by decay", -forecast.decay, ("L9",), "of what is not spent"),
        ForecastRow("expected revenue", forecast.expected_revenue, ("L11",), "to spend in the turn after"),
        ForecastRow(
            "expected in the treasury",
            max(forecast.surplus, Decimal(0)) - forecast.decay + forecast.expected_revenue,
            note="when the turn is over",
            total=True,
        ),
    ]
    return ForecastView(tuple(rows), _warning(forecast), forecast.warning is Warned.SHORT)


def _warning(forecast: Forecast) -> str:
    if forecast.warning is Warned.SHORT:
        return f"{gold(-forecast.surplus)} gold short: what is not paid for may be lost."
    if forecast.warning is Warned.LOW:
        return f"Only {gold(forecast.surplus)} gold is left over: one surprise and you are short."
    return ""


# -- where the forecast's figures come from ----------------------------------------------------------------------------


class UpkeepRow(NamedTuple):
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


class RevenueRow(NamedTuple):
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


class AnnexRow(NamedTuple):
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
        AnnexRow(land.name, annexation_price(land.name, atlas), province_revenue(land, atlas, rules))
        for land in world.owned_by(realm)
        if why_not_annex(world, realm, land.name, annexed, rules) is None
    ]
    return sorted(rows, key=lambda row: (-row.yields, atlas.place_order[row.name]))
