"""A realm's gold for its page: what the turn did to the treasury, and what headquarters expects next (H1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from gm.games.medieval.forecast import Forecast, Warned
from gm.games.medieval.turn import TreasuryChanged
from gm.kernel.events import Event
from gm.kernel.reports import gold

_PLACES_SHOWN = 4


@dataclass(frozen=True, slots=True)
class BookLine:
    """What one purpose did to the treasury; ``places`` names where, if it was at places."""

    what: str
    amount: Decimal
    places: str


def books(events: Iterable[Event]) -> list[BookLine]:
    """The treasury's changes of the turn, one line for each purpose, in the order in which they first came."""
    amounts: dict[str, Decimal] = {}
    places: dict[str, dict[str, None]] = {}
    for event in events:
        if isinstance(event, TreasuryChanged):
            amounts[event.what] = amounts.get(event.what, Decimal(0)) + event.amount
            if event.place:
                places.setdefault(event.what, {})[event.place] = None
    return [BookLine(what, amount, _places(places.get(what, {}))) for what, amount in amounts.items()]


def _places(names: Mapping[str, None]) -> str:
    shown = list(names)
    return ", ".join(shown) if len(shown) <= _PLACES_SHOWN else f"{len(shown)} places"


@dataclass(frozen=True, slots=True)
class ForecastRow:
    """One line of the forecast; ``total`` marks a sum."""

    what: str
    amount: Decimal
    total: bool = False


@dataclass(frozen=True, slots=True)
class ForecastView:
    """The forecast as a table. ``warning`` may be empty; ``alarm`` says that it is a shortfall."""

    rows: tuple[ForecastRow, ...]
    warning: str
    alarm: bool


def forecast_view(forecast: Forecast) -> ForecastView:
    """H1 in rows: treasury and expenses up to the surplus, then what decays and what comes in."""
    short = forecast.surplus < 0
    rows = [ForecastRow(_WORDS.get(line.what, line.what), line.amount) for line in forecast.lines]
    rows += [
        ForecastRow("expected shortfall" if short else "expected surplus", forecast.surplus, total=True),
        ForecastRow("lost by decay", -forecast.decay),
        ForecastRow("expected revenue", forecast.expected_revenue),
        ForecastRow(
            "expected in the treasury",
            max(forecast.surplus, Decimal(0)) - forecast.decay + forecast.expected_revenue,
            total=True,
        ),
    ]
    return ForecastView(tuple(rows), _warning(forecast), forecast.warning is Warned.SHORT)


_WORDS = {"treasury": "in the treasury now"}


def _warning(forecast: Forecast) -> str:
    if forecast.warning is Warned.SHORT:
        return f"{gold(-forecast.surplus)} gold short: what is not paid for may be lost."
    if forecast.warning is Warned.LOW:
        return f"Only {gold(forecast.surplus)} gold is left over: one surprise and you are short."
    return ""
