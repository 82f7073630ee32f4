"""The forecast line by line, for people: what each piece of gold is for, and what is in the treasury after it (H1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal

from gm.core.events import Event
from gm.game.answers import BookLine
from gm.games.medieval.analysis.forecast import Forecast, ForecastEntry
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.final import GoldSent, StructureBuilt, TroopsBuilt
from gm.games.medieval.events.first import TroopsDismissed
from gm.games.medieval.state import World
from gm.text.pages import counted, listed


def forecast_lines(
    found: Forecast, entries: Iterable[ForecastEntry], world: World, realm: str, rules: Rules
) -> tuple[BookLine, ...]:
    """From the treasury now to the treasury after the turn, every change with its source and a running balance."""
    balance = found.treasury
    lines = [BookLine("in the treasury now", None, balance, total=True)]
    for entry in entries:
        for says, amount in _named(entry, world, realm, rules):
            balance += amount
            lines.append(BookLine(says, amount, balance))
    lines.append(BookLine("left over" if balance >= 0 else "short of it", None, balance, total=True))
    balance = max(balance, Decimal(0))
    for says, amount in (
        (f"decay, {rules.economy.decay_percent}% of it", -found.decay),
        (f"revenue of {_lands(world, realm)}", found.expected_revenue),
    ):
        balance += amount
        lines.append(BookLine(says, amount, balance))
    lines.append(BookLine("in the treasury after the turn", None, balance, total=True))
    return tuple(lines)


def _lands(world: World, realm: str) -> str:
    return counted(sum(province.annexed_to == realm for province in world.owned_by(realm)), "province")


def _named(entry: ForecastEntry, world: World, realm: str, rules: Rules) -> Iterator[tuple[str, Decimal]]:
    """(what it is for, gold) of one change; gold sent and its fee are two."""
    if entry.what == "upkeep":
        yield f"upkeep of {_everybody(world, realm)}", entry.amount
        return
    for event in entry.events:
        if isinstance(event, GoldSent):
            other = world.realms[event.other].name if event.other in world.realms else event.other
            yield f"gold to {other}", -event.amount
            yield f"{rules.economy.gold_fee_percent}% fee for sending it", -event.fee
            return
    yield _for_what(entry, rules), entry.amount


def _everybody(world: World, realm: str) -> str:
    """Who is paid: as the realm stands before the turn's orders."""
    units = world.of_realm(realm)
    troops = counted(sum(unit.troop_count for unit in units), "troop")
    commanders = sum(len(unit.commanders) for unit in units)
    return f"{troops}, {counted(commanders, 'commander')}" if commanders else troops


def _for_what(entry: ForecastEntry, rules: Rules) -> str:
    for event in entry.events:
        said = _event_says(event)
        if said:
            return said
    if entry.what == "annexation":
        return f"{entry.place} annexed"
    if entry.what == "commanders":
        hired = int(-entry.amount / rules.commanders.price) if rules.commanders.price else 0
        return f"{counted(hired, 'commander')} at {entry.place}"
    if entry.what == "construction":
        return f"repair of the fortification at {entry.place}"
    return f"{entry.what} at {entry.place}" if entry.place else entry.what


def _event_says(event: Event) -> str:
    if isinstance(event, TroopsBuilt):
        return f"{_troops(event.troops.items())} at {event.place}"
    if isinstance(event, TroopsDismissed):
        return f"salvage of {_troops(event.troops.items())} at {event.place}"
    if isinstance(event, StructureBuilt):
        level = f", level {event.level}" if event.structure == "fortification" else ""
        return f"{event.structure}{level} at {event.province}"
    return ""


def _troops(counts: Iterable[tuple[str, int]]) -> str:
    return listed([f"{count} {troop}" for troop, count in counts])
