"""The headquarters forecast: what a realm's plans cost, found by the turn's own steps; line by line for people (H1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from enum import StrEnum

from gm.core.events import Event
from gm.core.pipeline import Step
from gm.core.values import Record, percent_of
from gm.game.answers import BookLine
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.final import GoldSent, StructureBuilt, TroopsBuilt
from gm.games.medieval.events.first import TroopsDismissed
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.state import World
from gm.games.medieval.steps.bookkeeping import turn_opens
from gm.games.medieval.steps.construction import construction_happens
from gm.games.medieval.steps.economy import gold_sent, province_revenue, total_upkeep, upkeep_paid
from gm.games.medieval.steps.provinces import provinces_annexed
from gm.games.medieval.steps.recruiting import commanders_hired, troops_built
from gm.games.medieval.steps.transfers import same_location_transfers
from gm.games.medieval.steps.turn import OrderSettled, Outcome, TreasuryChanged, Turn
from gm.games.medieval.steps.units import new_armies_formed, new_fleets_formed, troops_disbanded
from gm.text.pages import counted, listed

FORMING = (new_armies_formed, new_fleets_formed, same_location_transfers)
STEPS = (
    *FORMING,
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


class ForecastLine(Record):
    """One kind of income or expense (below 0): ``what`` as in TreasuryChanged."""

    what: str
    amount: Decimal


class ForecastEntry(ForecastLine):
    """One change of the treasury at a ``place``. ``events`` are the step's about the order behind it, its outcome
    first: who gets the gold, what is built."""

    place: str = ""
    events: tuple[Event, ...] = ()


class Forecast(Record):
    """What headquarters expects. Expenses are given above 0; ``surplus`` below 0 is a shortfall. ``lines`` add up from
    the treasury to the surplus; ``decay`` is the part of the surplus that will be lost (L9); ``expected_revenue`` comes
    at the turn's end and can be spent in the next."""

    treasury: Decimal
    upkeep: Decimal
    hq_expenses: Decimal
    garrison_expenses: Decimal
    surplus: Decimal
    decay: Decimal
    expected_revenue: Decimal
    warning: Warned
    lines: tuple[ForecastLine, ...]


def forecast(world: World, realm: str, sheet: Orders | None, rules: Rules, atlas: Atlas) -> Forecast:
    """H1 for a realm and a draft of its orders (none: upkeep and revenue only). Movement, battles and other realms'
    orders are not foreseen, so the turn may differ. Raises ``KeyError`` for a code that is no realm's."""
    return summed(world, realm, foreseen(world, realm, sheet, rules, atlas), rules, atlas)


def foreseen(world: World, realm: str, sheet: Orders | None, rules: Rules, atlas: Atlas) -> tuple[ForecastEntry, ...]:
    """Everything that the forecast counts, one by one in the order of the turn. Raises ``KeyError`` as it does."""
    if sheet is None:
        upkeep = total_upkeep(world.of_realm(realm), rules)
        return (ForecastEntry("upkeep", -upkeep),) if upkeep else ()
    found = []
    for outcome in played(all_rich(world), realm, sheet, rules, atlas, STEPS):
        behind: list[Event] = []
        for event in outcome.events:
            if isinstance(event, OrderSettled) and event.audience == realm:
                behind.clear()
            behind.append(event)
            # gold sent to oneself comes back: that is part of "gold received", and only the fee is spent
            if isinstance(event, TreasuryChanged) and event.realm == realm:
                found.append(ForecastEntry(event.what, event.amount, event.place, tuple(behind)))
    return tuple(found)


def played(
    world: World, realm: str, sheet: Orders, rules: Rules, atlas: Atlas, steps: Iterable[Step]
) -> Iterator[Outcome]:
    """What comes of each of these steps for a realm's orders, from the opening of the turn on."""
    turn = Turn(state=world, number=world.turn + 1, rules=rules, board=atlas, orders={realm: sheet}, seed="")
    for each in (turn_opens, *steps):
        outcome = each(turn.at_step(each.name, 0))
        turn = replace(turn, state=outcome.state)
        yield outcome


def summed(world: World, realm: str, entries: Iterable[ForecastEntry], rules: Rules, atlas: Atlas) -> Forecast:
    """The forecast that these entries add up to."""
    treasury, limits = world.realms[realm].treasury, rules.forecast
    amounts: defaultdict[str, Decimal] = defaultdict(Decimal)
    for entry in entries:
        amounts[entry.what] += entry.amount
    lines = [ForecastLine(what, amount) for what, amount in amounts.items() if amount]
    surplus = sum(amounts.values(), treasury)
    low = Warned.LOW if surplus < limits.warn_below else Warned.NONE
    return Forecast(
        treasury=treasury,
        upkeep=-amounts["upkeep"],
        hq_expenses=-sum((amounts[kind] for kind in HEADQUARTERS), Decimal(0)),
        garrison_expenses=-sum((amounts[kind] for kind in GARRISONS), Decimal(0)),
        surplus=surplus,
        decay=percent_of(max(surplus, Decimal(0)), rules.economy.decay_percent),
        expected_revenue=annexed_revenue(world, realm, rules, atlas),
        warning=Warned.SHORT if surplus < limits.alarm_below else low,
        lines=(ForecastLine("treasury", treasury), *lines),
    )


def all_rich(world: World, *, but: str = "") -> World:
    """The world with treasuries that nobody can empty; the realm ``but`` keeps its own. What other realms have is no
    business of a forecast, and a player does not know it: they pay their upkeep."""
    others = (realm.evolve(treasury=BOUNDLESS) for code, realm in world.realms.items() if code != but)
    return world.with_realms(*others)


def annexed_revenue(world: World, realm: str, rules: Rules, atlas: Atlas) -> Decimal:
    """L11: what the provinces yield in a turn that the realm owns and that are annexed to it."""
    mine = (province for province in world.owned_by(realm) if province.annexed_to == realm)
    return sum((province_revenue(province, atlas, rules) for province in mine), Decimal(0))


def forecast_lines(
    found: Forecast, entries: Iterable[ForecastEntry], world: World, realm: str, rules: Rules
) -> tuple[BookLine, ...]:
    """From the treasury now to the treasury after the turn, every change with its source and a running balance."""
    balance = found.treasury
    lines = [BookLine("in the treasury now", None, balance, total=True)]

    def book(changes: Iterable[tuple[str, Decimal]], sum_up: str) -> None:
        nonlocal balance
        for says, amount in changes:
            balance += amount
            lines.append(BookLine(says, amount, balance))
        lines.append(BookLine(sum_up or ("left over" if balance >= 0 else "short of it"), None, balance, total=True))

    book((each for entry in entries for each in _named(entry, world, realm, rules)), "")
    balance = max(balance, Decimal(0))
    lands = counted(sum(province.annexed_to == realm for province in world.owned_by(realm)), "province")
    decay = (f"decay, {rules.economy.decay_percent}% of it", -found.decay)
    book((decay, (f"revenue of {lands}", found.expected_revenue)), "in the treasury after the turn")
    return tuple(lines)


def _named(entry: ForecastEntry, world: World, realm: str, rules: Rules) -> Iterator[tuple[str, Decimal]]:
    """(what it is for, gold) of one change; gold sent and its fee are two."""
    if entry.what == "upkeep":
        # who is paid: as the realm stands before the turn's orders
        units = world.of_realm(realm)
        troops = counted(sum(unit.troop_count for unit in units), "troop")
        commanders = sum(len(unit.commanders) for unit in units)
        led = f", {counted(commanders, 'commander')}" if commanders else ""
        yield f"upkeep of {troops}{led}", entry.amount
        return
    sent = next((event for event in entry.events if isinstance(event, GoldSent)), None)
    if sent is None or entry.what != "gold sent":  # what comes back of gold sent to oneself is received
        yield _for_what(entry, rules), entry.amount
        return
    other = world.realms[sent.other].name if sent.other in world.realms else sent.other
    yield f"gold to {other}", -sent.amount
    yield f"{rules.economy.gold_fee_percent}% fee for sending it", -sent.fee


def _for_what(entry: ForecastEntry, rules: Rules) -> str:
    what, at = entry.what, f" at {entry.place}" if entry.place else ""
    for event in entry.events:
        if isinstance(event, (TroopsBuilt, TroopsDismissed)):
            troops = listed([f"{count} {troop}" for troop, count in event.troops.items()])
            return f"{'salvage of ' if isinstance(event, TroopsDismissed) else ''}{troops} at {event.place}"
        if isinstance(event, StructureBuilt):
            level = f", level {event.level}" if event.structure == "fortification" else ""
            return f"{event.structure}{level} at {event.province}"
    if what == "annexation":
        return f"{entry.place} annexed"
    if what == "commanders":
        what = counted(int(-entry.amount / rules.commanders.price) if rules.commanders.price else 0, "commander")
    return f"{'repair of the fortification' if what == 'construction' else what}{at}"
