"""Merge the gold of several trials of a turn (H1).

The turn's result is between the least and the most of them.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import chain

from gm.core.values import Record, grouped, percent_of, to_cents
from gm.games.medieval.analysis.ledger import (
    LATE,
    PILLAGE,
    RAZED,
    REVENUE,
    SEQUENCE,
    UPKEEP,
    ForecastEntry,
    Ledger,
)
from gm.games.medieval.data.rules import Rules

_ON_THE_WAY = ("gold sent", "gold received")  # what enemies may stop between two garrisons (L2)


def without_chance(ledgers: Sequence[Ledger]) -> Sequence[Ledger]:
    """Return only the first of these ledgers if chance affected no gold in them, else all."""
    all_equal = all(ledger.amounts == ledgers[0].amounts for ledger in ledgers)
    is_by_chance = any(
        ledger.contested or ledger.risked or any(ledger.prizes.values()) or ledger.razing_is_open
        for ledger in ledgers
    )
    return ledgers[:1] if all_equal and not is_by_chance else ledgers


def entries_of(ledgers: Sequence[Ledger]) -> tuple[ForecastEntry, ...]:
    """Return the entries of several trials of a turn, merged, in the order in which the turn books them.

    Each has its amount at the worst and at the best (``best``). A single ledger is that of a turn without
    chance, in which both are the same.
    """
    if len(ledgers) == 1:
        return tuple(entry.evolve(best=entry.amount) for entry in ledgers[0].entries)
    contested = set[str]().union(*(ledger.contested for ledger in ledgers))
    entries = chain.from_iterable(ledger.entries for ledger in ledgers)
    entries_by_key = grouped(entries, lambda entry: entry.key)
    # purposes of which no entry is sure
    doubtful = set(_ON_THE_WAY) if any(ledger.broken for ledger in ledgers) else set()
    if any(ledger.razing_is_open for ledger in ledgers):
        doubtful.add(RAZED)
    merged = [
        _merged(same, len(ledgers), contested, doubtful)
        for same in entries_by_key.values()
        if same[0].what != UPKEEP
    ]
    merged += [_upkeep(ledgers)]
    plundered = chain.from_iterable(ledger.loot.items() for ledger in ledgers)
    # what armies would plunder if they land, at places that no trial plundered
    loot = {place: gold for place, gold in plundered if (PILLAGE, place, ()) not in entries_by_key}
    # the revenue of contested provinces is replaced by entries that are not sure
    merged = [entry for entry in merged if (entry.what, entry.place in contested) != (REVENUE, True)]
    merged += _by_chance(PILLAGE, loot)
    pays = {place: _most_paid(ledgers, place) for place in sorted(contested)}
    merged += _by_chance(REVENUE, {place: gold for place, gold in pays.items() if gold})
    return tuple(sorted(merged, key=lambda entry: SEQUENCE.index(entry.what)))


def _by_chance(what: str, gold_of: Mapping[str, Decimal]) -> list[ForecastEntry]:
    """Return entries for income that may come or not; ``gold_of``: the amounts by place."""
    return [ForecastEntry(what, Decimal(0), place, best=gold, sure=False) for place, gold in gold_of.items()]


def _most_paid(ledgers: Sequence[Ledger], place: str) -> Decimal:
    """Return the highest revenue of a contested province in any of the trials; 0 if it pays in none."""
    return max(ledger.pays.get(place, Decimal(0)) for ledger in ledgers)


def _merged(
    same: Sequence[ForecastEntry], trials: int, contested: set[str], doubtful: set[str]
) -> ForecastEntry:
    """Return the same entry of several trials as one, with the range of its amounts in gold.

    The amount may also be 0 if a trial lacks the entry, or if its place or its kind is uncertain.
    """
    amounts = [entry.amount for entry in same]
    is_uncertain = same[0].place in contested or same[0].what in doubtful
    sure = len(amounts) == trials and len(set(amounts)) == 1 and not is_uncertain
    if len(amounts) < trials or is_uncertain:
        amounts.append(Decimal(0))
    return same[0].evolve(amount=min(amounts), best=max(amounts), sure=sure)


def _upkeep(ledgers: Sequence[Ledger]) -> ForecastEntry:
    """Return the entry of upkeep: the highest of all trials, and at best the lowest.

    At the highest no unit at risk falls, and all that may be captured is; at the lowest all units at risk
    fall.
    """
    risked: dict[str, Decimal] = {}
    prizes: dict[str, Decimal] = {}
    for ledger in ledgers:
        risked |= {key: max(gold, risked.get(key, gold)) for key, gold in ledger.risked.items()}
        prizes |= {place: max(gold, prizes.get(place, gold)) for place, gold in ledger.prizes.items()}
    dearest = max(ledger.steady for ledger in ledgers) + sum(prizes.values(), Decimal(0))
    cheapest = min(ledger.steady for ledger in ledgers) - sum(risked.values(), Decimal(0))
    # at best it is no more than that of any trial
    cheapest = min(cheapest, *(ledger.upkeep for ledger in ledgers))
    return ForecastEntry(UPKEEP, -to_cents(dearest), best=-to_cents(max(cheapest, Decimal(0))))


class Balances(Record):
    """The least and the most gold: what is ``left`` before it decays, and the gold ``after`` the turn."""

    left: tuple[Decimal, Decimal]
    after: tuple[Decimal, Decimal]


def balances(treasury: Decimal, entries: Sequence[ForecastEntry], rules: Rules) -> Balances:
    """Return the balances of a treasury after these entries.

    What cannot be paid is not spent. An expense that is not sure, or perhaps cannot be paid, counts in the
    least, and not in the most; upkeep counts in both.
    """
    low = high = treasury

    def book(*, late: bool) -> tuple[Decimal, Decimal]:
        """Add the entries with a purpose in ``LATE``, or all others; return (least, most) gold after them."""
        nonlocal low, high
        entries_then = (entry for entry in entries if (entry.what in LATE) is late)
        for entry in entries_then:
            # the most: without expenses that perhaps are not made, or cannot be paid from the least gold
            if entry.best >= 0 or entry.what == UPKEEP or (entry.sure and low + entry.best >= 0):
                high = max(high + entry.best, Decimal(0))
            low = max(low + entry.amount, Decimal(0))
        return low, high

    money_left = book(late=False)
    # the gold decays before what is ``LATE``
    low, high = (gold - percent_of(gold, rules.economy.decay_percent) for gold in money_left)
    return Balances(money_left, book(late=True))
