"""A forecast in lines: from the treasury now to the treasury after the turn, every change with its source."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import chain

from gm.core.diagnostics import said
from gm.game.answers import BookLine
from gm.games.medieval.analysis.forecast import Forecast
from gm.games.medieval.analysis.ledger import LATE, REVENUE, ForecastEntry
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.final import GoldSent, StructureBuilt, TroopsBuilt
from gm.games.medieval.events.first import TroopsDismissed
from gm.games.medieval.state import World
from gm.text.names import the
from gm.text.pages import gold
from gm.text.words import EventFormatter


def forecast_lines(
    forecast: Forecast,
    entries: Sequence[ForecastEntry],
    world: World,
    realm: str,
    rules: Rules,
    formatter: EventFormatter,
) -> tuple[BookLine, ...]:
    """Return a line for every change from today's treasury to that after the turn, with the balance after it.

    ``entries``: what the forecast counts. If other realms can reach places of the realm, the last line
    supposes that they come.
    """
    balance = forecast.treasury
    translate = formatter.phrase
    lines = [BookLine(translate("in the treasury now"), None, balance, total=True)]

    def book(changes: Iterable[tuple[str, Decimal]], sum_up: str) -> None:
        """Add a line for each change, (words, gold), and one with the balance then.

        ``sum_up``: the words of the balance; empty for the usual ones.
        """
        nonlocal balance
        for says, amount in changes:
            balance += amount
            lines.append(BookLine(says, amount, balance))
        lines.append(
            BookLine(
                sum_up or translate("left over" if balance >= 0 else "short of it"), None, balance, total=True
            )
        )

    # what comes before the gold decays; the decay and what is ``LATE`` follow below
    before = (entry for entry in entries if entry.what not in LATE and entry.amount)
    book(chain.from_iterable(_changes_of(entry, world, realm, rules, formatter) for entry in before), "")
    if forecast.unpaid:
        book(((translate("what cannot be paid for is not bought"), forecast.unpaid),), translate("left over"))
    province_count = sum(entry.what == REVENUE and bool(entry.amount) for entry in entries)
    words_of = {
        REVENUE: translate("revenue of {count:province}", count=province_count),
        "razed": translate("salvage of what is razed"),
    }
    after = _after_the_turn(forecast, formatter)
    decay = (translate("decay, {percent}% of it", percent=rules.economy.decay_percent), -forecast.decay)
    book(
        (decay, *((words_of.get(line.what) or translate(line.what), line.amount) for line in forecast.later)),
        after,
    )
    if forecast.exposed:
        supposition = translate(
            "without gifts, if others take or pillage what they can reach: between {worst} and "
            "{best}; within reach: {places}",
            worst=gold(forecast.at_worst),
            best=gold(forecast.at_best),
            places=", ".join(forecast.exposed),
        )
        lines.append(BookLine(supposition, None, forecast.at_worst, total=True, supposed=True))
    return tuple(lines)


def _after_the_turn(forecast: Forecast, formatter: EventFormatter) -> str:
    """Return in words the gold in the treasury after the turn, and the conditions of that."""
    translate = formatter.phrase
    least = gold(forecast.least)
    most = gold(forecast.most)
    if forecast.least != forecast.most and forecast.exposed:
        return translate(
            "in the treasury after the turn, without gifts, if nobody takes or pillages your "
            "provinces: between {least} and {most} as chance decides",
            least=least,
            most=most,
        )
    if forecast.least != forecast.most:
        return translate(
            "in the treasury after the turn, without gifts: between {least} and {most}, depending on the "
            "dice",
            least=least,
            most=most,
        )
    if forecast.exposed:
        return translate(
            "in the treasury after the turn, without gifts, if nobody takes or pillages your provinces"
        )
    return translate("in the treasury after the turn, without gifts")


def _changes_of(
    entry: ForecastEntry, world: World, realm: str, rules: Rules, formatter: EventFormatter
) -> Iterator[tuple[str, Decimal]]:
    """Yield the changes of an entry as (purpose in words, gold, below 0 if it is spent).

    Gold sent and its fee are two changes.
    """
    if entry.what == "upkeep":
        # who is paid: as the realm stands before the turn's orders
        units = world.of_realm(realm)
        commanders = sum(len(unit.commanders) for unit in units)
        says = formatter.phrase(
            "upkeep of {troops:troop}, {led:commander}" if commanders else "upkeep of {troops:troop}",
            troops=sum(unit.troop_count for unit in units),
            led=commanders,
        )
        yield says, entry.amount
        return
    sent = next((event for event in entry.events if isinstance(event, GoldSent)), None)
    # gold that a realm sends to itself comes back in an entry "gold received", which has the same event
    if sent is None or entry.what != "gold sent":
        yield _for_what(entry, rules, formatter), entry.amount
        return
    other = world.realms[sent.other].name if sent.other in world.realms else sent.other
    yield formatter.phrase("gold to {realm}", realm=said(the(other), formatter.translate)), -sent.amount
    yield formatter.phrase("{percent}% fee for sending it", percent=rules.economy.gold_fee_percent), -sent.fee


def _for_what(entry: ForecastEntry, rules: Rules, formatter: EventFormatter) -> str:
    """Return the purpose of an entry in words."""
    what = entry.what
    place = entry.place
    translate = formatter.phrase
    for event in entry.events:
        if isinstance(event, (TroopsBuilt, TroopsDismissed)):
            is_dismissed = isinstance(event, TroopsDismissed)
            return formatter.fill_pattern(
                "salvage of {troops} at {place}" if is_dismissed else "{troops} at {place}", event
            )
        if isinstance(event, StructureBuilt):
            walls = event.structure == "fortification"
            return formatter.fill_pattern(
                "{structure}, level {level} at {province}" if walls else "{structure} at {province}", event
            )
    if what == "annexation":
        return translate("{place} annexed", place=place)
    if what == "commanders":
        hired = int(-entry.amount / rules.commanders.price) if rules.commanders.price else 0
        what = translate("{count:commander}", count=hired)
    # what was built is named above, by its event: what is left of construction is repairs
    what = translate("repair of the fortification" if what == "construction" else what)
    return translate("{what} at {place}", what=what, place=place) if place else what
