"""What must be true of any turn, told from its world before, its world after and its events: the auditor of
the tests. Every function returns one sentence for each thing that is wrong.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from gm.core.codec import encode, to_plain
from gm.core.pipeline import Outcome
from gm.core.values import CENT, Event, PhaseLimitReached
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.events import CommandersChanged, TroopsChanged
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.pipeline import play_turn
from gm.games.medieval.state import World
from gm.games.medieval.state.invariants import broken_invariants
from gm.games.medieval.steps.outcomes import OrderSettled, TreasuryChanged
from tests.medieval.testland import atlas, rules


def run(world: World, orders: Mapping[str, Orders], seed: str = "any") -> Outcome[World]:
    """The turn."""
    return play_turn(world, orders, rules=rules(), atlas=atlas(), seed=seed)


def as_bytes(outcome: Outcome[World]) -> bytes:
    """State and log as they are written: equal turns give equal bytes."""
    log = [json.dumps(to_plain(event), ensure_ascii=False) for event in outcome.events]
    return "\n".join([encode(outcome.state).decode(), *log]).encode()


def gold_problems(before: World, after: World, events: Sequence[Event]) -> Iterator[str]:
    """Treasuries change only by TreasuryChanged events, which add up to the cent with the right balance
    (W10).
    """
    purse = {code: realm.treasury for code, realm in before.realms.items()}
    for event in events:
        if isinstance(event, TreasuryChanged):
            purse[event.realm] += event.amount
            if (
                event.balance != purse[event.realm]
                or event.balance < 0
                or event.amount != event.amount.quantize(CENT)
            ):
                yield f"{event} leaves {event.realm} with {purse[event.realm]}"
            if event.audience != event.realm:
                yield f"{event} is shown to {event.audience}"
    for code, realm in after.realms.items():
        if realm.treasury != purse[code]:
            yield f"{code} has {realm.treasury}, its events say {purse[code]}"


def troop_problems(before: World, after: World, events: Sequence[Event]) -> Iterator[str]:
    """Troops, ships and commanders enter and leave a realm only by events (W5)."""
    books = census(before)
    for event in events:
        if isinstance(event, TroopsChanged):
            books[event.realm, event.troop] += event.count
        elif isinstance(event, CommandersChanged):
            books[event.realm, "commanders"] += event.count
    counts = census(after)
    for key in sorted({*books, *counts}):
        if books[key] != counts[key]:
            yield f"{key[0]} has {counts[key]} {key[1]}, its events say {books[key]}"


def census(world: World) -> Counter[tuple[str, str]]:
    """How many of each troop type, and commanders, each realm has."""
    counts: Counter[tuple[str, str]] = Counter()
    for unit in world.units.values():
        for name in unit.troops:
            counts[unit.realm, name] += unit.count(name)
        counts[unit.realm, "commanders"] += len(unit.commanders)
    return counts


def order_problems(orders: Mapping[str, Orders], events: Sequence[Event]) -> Iterator[str]:
    """Every order has exactly one outcome (O2)."""
    expected = Counter(
        (realm, order.written.text) for realm, sheet in orders.items() for order in sheet.all_orders()
    )
    outcomes = Counter((event.audience, event.text) for event in events if isinstance(event, OrderSettled))
    for key in sorted({*expected, *outcomes}):
        if expected[key] != outcomes[key]:
            yield f"{key} was given {expected[key]} times and settled {outcomes[key]} times"


def audit(
    world: World, orders: Mapping[str, Orders], outcome: Outcome[World], board: Atlas | None = None
) -> list[str]:
    """Everything that is wrong with a turn. ``board``: the map it was played on, if not the test world's."""
    after = outcome.state
    wrong = [
        *broken_invariants(after, rules(), board or atlas()),
        *gold_problems(world, after, outcome.events),
        *troop_problems(world, after, outcome.events),
        *order_problems(orders, outcome.events),
        *(f"{event}" for event in outcome.events if isinstance(event, PhaseLimitReached)),
    ]
    if after.turn != world.turn + 1:
        wrong.append(f"turn {world.turn} was followed by turn {after.turn}")
    return wrong


def upkeep_owed(world: World, realm: str, events: Sequence[Event]) -> Decimal:
    """A realm's upkeep (L3): of all that it had before the turn but for what it lost in Movement Events."""
    owed = {name: troop.upkeep for name, troop in rules().troops.items()} | {
        "commanders": rules().commanders.upkeep
    }
    books = census(world)
    for event in events:
        if event.phase and isinstance(event, TroopsChanged):
            books[event.realm, event.troop] += event.count
        elif event.phase and isinstance(event, CommandersChanged):
            books[event.realm, "commanders"] += event.count
    return sum((owed[name] * count for (code, name), count in books.items() if code == realm), Decimal(0))
