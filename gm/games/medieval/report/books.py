"""A realm's gold for its page: what the turn did to the treasury, and what headquarters expects next (H1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cache

from gm.core.events import Event
from gm.core.records import Record, record
from gm.games.medieval.analysis.forecast import GARRISONS, HEADQUARTERS, Forecast, Warned
from gm.games.medieval.steps.turn import TreasuryChanged
from gm.text.pages import gold

_PLACES_SHOWN = 4


@record
class BookLine(Record):
    """What one purpose did to the treasury; ``places`` names where, if it was at places; ``clause`` says by which."""

    what: str
    amount: Decimal
    places: str
    clause: str


def books(events: Iterable[Event]) -> list[BookLine]:
    """The treasury's changes of the turn, one line for each purpose, in the order in which they first came."""
    amounts: dict[str, Decimal] = {}
    places: dict[str, dict[str, None]] = {}
    clauses: dict[str, str] = {}
    for event in payments(events):
        amounts[event.what] = amounts.get(event.what, Decimal(0)) + event.amount
        clauses.setdefault(event.what, clause_of_step(event.step))
        if event.place:
            places.setdefault(event.what, {})[event.place] = None
    return [
        BookLine(what, amount, _places(places.get(what, {})), clauses[what])
        for what, amount in amounts.items()
        if amount
    ]


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


def _places(names: Mapping[str, None]) -> str:
    shown = list(names)
    return ", ".join(shown) if len(shown) <= _PLACES_SHOWN else f"{len(shown)} places"


@record
class ForecastRow(Record):
    """One line of the forecast; ``total`` marks a sum, ``note`` says what counts as such, ``clauses`` why."""

    what: str
    amount: Decimal
    clauses: tuple[str, ...] = ()
    note: str = ""
    total: bool = False


@record
class ForecastView(Record):
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
