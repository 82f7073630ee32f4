"""The headquarters forecast: what a realm's plans cost, found by the turn's own steps (H1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from gm.games.medieval.atlas import Atlas
from gm.games.medieval.orders.model import OrderSheet
from gm.games.medieval.revenue import province_revenue
from gm.games.medieval.rules import Rules
from gm.games.medieval.state import World
from gm.games.medieval.steps.bookkeeping import turn_opens
from gm.games.medieval.steps.construction import construction_happens
from gm.games.medieval.steps.economy import gold_sent, upkeep_paid
from gm.games.medieval.steps.provinces import provinces_annexed
from gm.games.medieval.steps.recruiting import commanders_hired, troops_built
from gm.games.medieval.steps.transfers import same_location_transfers
from gm.games.medieval.steps.units import new_armies_formed, new_fleets_formed, troops_disbanded
from gm.games.medieval.turn import TreasuryChanged, Turn
from gm.games.medieval.upkeep import total_upkeep
from gm.kernel.model import percent_of

STEPS = (
    new_armies_formed,
    new_fleets_formed,
    same_location_transfers,
    troops_disbanded,
    gold_sent,
    upkeep_paid,
    troops_built,
    commanders_hired,
    provinces_annexed,
    construction_happens,
)
"""The steps that spend gold before it decays, and those that change what they spend."""

HEADQUARTERS = ("gold sent", "annexation")
GARRISONS = ("troops", "commanders", "construction")
BOUNDLESS = Decimal(10) ** 12
"""More gold than any plan costs: with it the steps carry out all that the rules allow, whatever the treasury holds."""


class Warned(StrEnum):
    """How bad the forecast is (H1)."""

    NONE = "none"
    LOW = "low"
    SHORT = "short"


@dataclass(frozen=True, slots=True)
class ForecastLine:
    """One kind of income or expense (below 0): ``what`` as in TreasuryChanged."""

    what: str
    amount: Decimal


@dataclass(frozen=True, slots=True)
class Forecast:
    """What headquarters expects. Expenses are given above 0; ``surplus`` below 0 is a shortfall.

    ``lines`` add up from the treasury to the surplus; ``decay`` is the part of the surplus that will be lost (L9);
    ``expected_revenue`` comes at the turn's end and can be spent in the next.
    """

    treasury: Decimal
    upkeep: Decimal
    hq_expenses: Decimal
    garrison_expenses: Decimal
    surplus: Decimal
    decay: Decimal
    expected_revenue: Decimal
    warning: Warned
    lines: tuple[ForecastLine, ...]


def forecast(world: World, realm: str, sheet: OrderSheet | None, rules: Rules, atlas: Atlas) -> Forecast:
    """H1 for a realm and a draft of its orders (none: upkeep and revenue only), in the world as it is now.

    Movement, battles and other realms' orders are not foreseen, so the turn may differ. Raises ``KeyError`` for a code
    that is no realm's.
    """
    treasury = world.realms[realm].treasury
    if sheet is None:
        amounts = {"upkeep": -total_upkeep(world.of_realm(realm), rules)}
    else:
        amounts = _planned(world, realm, sheet, rules, atlas)
    surplus = treasury + sum(amounts.values(), Decimal(0))
    return Forecast(
        treasury=treasury,
        upkeep=_spent(amounts, ("upkeep",)),
        hq_expenses=_spent(amounts, HEADQUARTERS),
        garrison_expenses=_spent(amounts, GARRISONS),
        surplus=surplus,
        decay=percent_of(max(surplus, Decimal(0)), rules.economy.decay_percent),
        expected_revenue=_expected_revenue(world, realm, rules, atlas),
        warning=_warning(surplus, rules),
        lines=(
            ForecastLine("treasury", treasury),
            *(ForecastLine(what, amount) for what, amount in amounts.items() if amount),
        ),
    )


def _planned(world: World, realm: str, sheet: OrderSheet, rules: Rules, atlas: Atlas) -> dict[str, Decimal]:
    """What the steps would take from and give to a treasury without bounds, by what for."""
    rich = world.with_realms(world.realms[realm].evolve(treasury=BOUNDLESS))
    turn = Turn(state=rich, number=world.turn + 1, rules=rules, board=atlas, orders={realm: sheet}, seed="")
    amounts: dict[str, Decimal] = {}
    for each in (turn_opens, *STEPS):
        turn = turn.at_step(each.name, 0)
        outcome = each(turn)
        turn = Turn(
            state=outcome.state, number=turn.number, rules=rules, board=atlas, orders=turn.orders, seed=turn.seed
        )
        for event in outcome.events:
            # gold sent to oneself comes back: that is part of "gold received", and only the fee is spent
            if isinstance(event, TreasuryChanged) and event.realm == realm:
                amounts[event.what] = amounts.get(event.what, Decimal(0)) + event.amount
    return amounts


def _spent(amounts: dict[str, Decimal], kinds: Iterable[str]) -> Decimal:
    return -sum((amounts.get(kind, Decimal(0)) for kind in kinds), Decimal(0))


def _expected_revenue(world: World, realm: str, rules: Rules, atlas: Atlas) -> Decimal:
    """L11: the provinces that the realm owns and that are annexed to it."""
    mine = (province for province in world.owned_by(realm) if province.annexed_to == realm)
    return sum((province_revenue(province, atlas, rules) for province in mine), Decimal(0))


def _warning(surplus: Decimal, rules: Rules) -> Warned:
    if surplus < rules.forecast.alarm_below:
        return Warned.SHORT
    return Warned.LOW if surplus < rules.forecast.warn_below else Warned.NONE
