"""Forecast what a realm's gold will be after the turn, by playing it.

It is told line by line for people (H1). Other realms' orders are not foreseen: they stand as they are, and the turn may
differ.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from enum import StrEnum
from itertools import chain

from gm.core.pipeline import Step, Watch
from gm.core.values import DiceRolled, Event, Record, percent_of
from gm.game.answers import BookLine
from gm.games.medieval.analysis import merging
from gm.games.medieval.analysis.exposure import Exposure, Threats
from gm.games.medieval.analysis.ledger import LATE, REVENUE, ForecastEntry, ForecastLine, Ledger
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.final import GoldSent, StructureBuilt, TroopsBuilt
from gm.games.medieval.events.first import TroopsDismissed
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.pipeline import play_turn
from gm.games.medieval.state import World
from gm.games.medieval.steps.bookkeeping import turn_opens
from gm.games.medieval.steps.economy import province_revenue
from gm.games.medieval.steps.transfers import same_location_transfers
from gm.games.medieval.steps.turn import Outcome, Turn
from gm.games.medieval.steps.units import new_armies_formed, new_fleets_formed
from gm.text.pages import gold
from gm.text.words import EventFormatter

Watching = Callable[[], Watch]
"""Makes what watches one more turn."""
FORMING = (new_armies_formed, new_fleets_formed, same_location_transfers)
HEADQUARTERS = ("gold sent", "annexation")
GARRISONS = ("troops", "commanders", "construction")
BOUNDLESS = Decimal(10) ** 12
"""More gold than any plan costs: with it the steps carry out all that the rules allow, whatever the treasury holds."""
OF_NO_ACCOUNT = ("commanders_hired",)  # steps whose dice decide no order: who is hired, not whether (L5)
TRIALS = ("trial 1", "trial 2", "trial 3")
"""Seeds of trials: never a game's own, so that a trial tells nobody what the dice will say."""


class Warned(StrEnum):
    """How bad the forecast is (H1)."""

    NONE = "none"
    LOW = "low"
    SHORT = "short"


class Forecast(Record):
    """What headquarters expects, at the worst that chance can do.

    Expenses are given above 0; ``surplus`` below 0 is a shortfall: then ``unpaid`` is what cannot be spent.
    ``lines`` add up from the treasury to the surplus; ``decay`` is the part of what is left that will be lost
    (L9). ``later`` comes at the turn's end and can be spent in the next, the ``expected_revenue`` with it.
    After the turn ``least`` to ``most`` will be in the treasury if nobody else takes, pillages or gives
    anything; where nothing hangs on chance, they are the same. If others come to the places that are ``exposed``
    to them, it will be ``at_worst`` to ``at_best``. Gifts are in none of these: gold raises them, and troops that
    are given want upkeep.
    """

    treasury: Decimal
    upkeep: Decimal
    hq_expenses: Decimal
    garrison_expenses: Decimal
    surplus: Decimal
    unpaid: Decimal
    decay: Decimal
    expected_revenue: Decimal
    least: Decimal
    most: Decimal
    warning: Warned
    lines: tuple[ForecastLine, ...]
    later: tuple[ForecastLine, ...]
    at_worst: Decimal
    at_best: Decimal
    exposed: tuple[str, ...] = ()


def forecast(world: World, realm: str, sheet: Orders | None, rules: Rules, atlas: Atlas) -> Forecast:
    """H1 for a realm and a draft of its orders. Raises ``KeyError`` for a code that is no realm's."""
    return expected(world, realm, sheet, rules, atlas)[0]


def expected(
    world: World, realm: str, sheet: Orders | None, rules: Rules, atlas: Atlas, beside: Watching | None = None
) -> tuple[Forecast, tuple[ForecastEntry, ...]]:
    """Return the forecast, and everything that it counts, one by one in the order of the turn.

    Counts also what there is no gold for. What ``beside`` makes watches the turns that are played with the realm's
    own gold, too. Raises ``KeyError`` as it does.
    """
    sheets = {realm: sheet} if sheet else {}

    def tried(world: World, beside: Watching | None = None) -> list[Ledger]:
        ledgers = watched(world, (realm,), sheets, rules, atlas, beside)[realm]
        # what few trials do not come to may come all the same: how would it be if nobody stood in the way?
        foes = set(chain.from_iterable(ledger.foes for ledger in ledgers)) & world.units.keys()
        if not sheet or not foes:
            return ledgers
        gone = [world.units[key].with_troops({}).evolve(commanders=(), leader=None) for key in sorted(foes)]
        return [*ledgers, *watched(world.with_units(gone), (realm,), sheets, rules, atlas)[realm]]

    own = tried(all_rich(world, but=realm), beside)
    rich = tried(all_rich(world)) if any(ledger.short for ledger in own) else own
    return summed(Threats(world, rules, atlas), realm, own, rich)


def standing_forecasts(world: World, realms: Sequence[str], rules: Rules, atlas: Atlas) -> dict[str, Forecast]:
    """H1 for each of these realms without any orders: the turn is played for all of them at once."""
    threats = Threats(world, rules, atlas)
    forecasts = {}
    for realm, own in watched(world, realms, {}, rules, atlas).items():
        in_full = [ledger.in_full() for ledger in own]
        forecasts[realm] = summed(threats, realm, own, in_full)[0]
    return forecasts


def watched(
    world: World,
    realms: Sequence[str],
    sheets: Mapping[str, Orders],
    rules: Rules,
    atlas: Atlas,
    beside: Watching | None = None,
) -> dict[str, list[Ledger]]:
    """Return the ledgers of a turn: one of each realm, or several when chance has a say in the turn."""
    ledgers_of: dict[str, list[Ledger]] = {realm: [] for realm in realms}
    for seed in TRIALS:
        for realm, ledgers in ledgers_of.items():
            ledgers.append(Ledger(realm, world, rules, atlas))
        watching: list[Watch] = [ledgers[-1] for ledgers in ledgers_of.values()]
        if beside:
            watching.append(beside())

        def watch(stage: str, seen: Turn, outcome: Outcome, watching: Sequence[Watch] = watching) -> None:
            for watch_step in watching:
                watch_step(stage, seen, outcome)

        if not is_open(play_turn(world, sheets, rules=rules, atlas=atlas, seed=seed, watch=watch).events):
            break
    return ledgers_of


def is_open(events: Iterable[Event]) -> bool:
    """Return whether dice were rolled that may fall otherwise."""
    return any(isinstance(event, DiceRolled) and event.step not in OF_NO_ACCOUNT for event in events)


def played(
    world: World, realm: str, sheet: Orders, rules: Rules, atlas: Atlas, steps: Iterable[Step]
) -> Iterator[Outcome]:
    """Yield what comes of each of these steps for a realm's orders, from the opening of the turn on."""
    turn = Turn(state=world, number=world.turn + 1, rules=rules, board=atlas, orders={realm: sheet}, seed="")
    for step in (turn_opens, *steps):
        outcome = step(turn.at_step(step.name, 0))
        turn = turn.evolve(state=outcome.state)
        yield outcome


def summed(
    threats: Threats, realm: str, own: Sequence[Ledger], rich: Sequence[Ledger]
) -> tuple[Forecast, tuple[ForecastEntry, ...]]:
    """Return what trials with the ``own`` gold and as if there were enough add up to."""
    rules = threats.rules
    stood_in = set(chain.from_iterable(ledger.stood_in for ledger in (*own, *rich)))
    danger = threats.exposure(realm, stood_in)
    own = merging.without_chance(own)
    rich = merging.without_chance(rich)
    rich_entries = merging.entries_of(rich)
    done = merging.entries_of(own)
    by_chance = len(own) > 1
    # what is not paid for does not pay either, nor tear anything down
    late = merging.entries_of([*own, *rich]) if by_chance else done
    entries = (
        *(entry for entry in rich_entries if entry.what not in LATE),
        *(entry for entry in late if entry.what in LATE),
    )
    treasury = threats.world.realms[realm].treasury
    limits = rules.forecast
    amounts: defaultdict[str, Decimal] = defaultdict(Decimal)
    for entry in entries:
        amounts[entry.what] += entry.amount
    lines = [ForecastLine(what, amount) for what, amount in amounts.items() if amount]
    surplus = sum((amount for what, amount in amounts.items() if what not in LATE), treasury)
    # what is played without chance is paid as it is played
    ends = merging.balances(treasury, entries if by_chance else done, rules)
    low = Warned.LOW if surplus < limits.warn_below else Warned.NONE
    worst, best = in_danger(treasury, own, rich, danger, rules) if danger.places else ends.after
    forecast = Forecast(
        treasury=treasury,
        upkeep=-amounts["upkeep"],
        hq_expenses=-sum((amounts[kind] for kind in HEADQUARTERS), Decimal(0)),
        garrison_expenses=-sum((amounts[kind] for kind in GARRISONS), Decimal(0)),
        surplus=surplus,
        unpaid=ends.left[0] - surplus,
        decay=percent_of(ends.left[0], rules.economy.decay_percent),
        expected_revenue=amounts[REVENUE],
        least=ends.after[0],
        most=ends.after[1],
        warning=Warned.SHORT if surplus < limits.alarm_below else low,
        lines=(ForecastLine("treasury", treasury), *(line for line in lines if line.what not in LATE)),
        later=tuple(line for line in lines if line.what in LATE),
        at_worst=worst,
        at_best=best,
        exposed=tuple(sorted(danger.places, key=threats.atlas.place_order.__getitem__)),
    )
    return forecast, entries


def in_danger(
    treasury: Decimal, own: Sequence[Ledger], rich: Sequence[Ledger], danger: Exposure, rules: Rules
) -> tuple[Decimal, Decimal]:
    """Return the least and the most that can be in the treasury if others come to wherever they could."""
    # several of one kind: what hangs on others is open even where no dice are rolled
    open_own = [ledger.open_to(danger) for ledger in own] * 2
    open_rich = [ledger.open_to(danger) for ledger in rich] * 2
    early = (entry for entry in merging.entries_of(open_rich) if entry.what not in LATE)
    late = (entry for entry in merging.entries_of([*open_own, *open_rich]) if entry.what in LATE)
    return merging.balances(treasury, (*early, *late), rules).after


def all_rich(world: World, *, but: str = "") -> World:
    """Return the world with treasuries that nobody can empty; the realm ``but`` keeps its own.

    What other realms have is no business of a forecast, and a player does not know it: they pay their upkeep.
    """
    others = (realm.evolve(treasury=BOUNDLESS) for code, realm in world.realms.items() if code != but)
    return world.with_realms(*others)


def annexed_revenue(world: World, realm: str, rules: Rules, atlas: Atlas) -> Decimal:
    """L11: what the provinces yield in a turn that the realm owns and that are annexed to it."""
    mine = (province for province in world.owned_by(realm) if province.annexed_to == realm)
    return sum((province_revenue(province, atlas, rules) for province in mine), Decimal(0))


def forecast_lines(
    found: Forecast, entries: Sequence[ForecastEntry], world: World, realm: str, rules: Rules, formatter: EventFormatter
) -> tuple[BookLine, ...]:
    """From the treasury now to the treasury after the turn, every change with its source and a running balance."""
    balance = found.treasury
    translate = formatter.phrase
    lines = [BookLine(translate("in the treasury now"), None, balance, total=True)]

    def book(changes: Iterable[tuple[str, Decimal]], sum_up: str) -> None:
        nonlocal balance
        for says, amount in changes:
            balance += amount
            lines.append(BookLine(says, amount, balance))
        lines.append(
            BookLine(sum_up or translate("left over" if balance >= 0 else "short of it"), None, balance, total=True)
        )

    before = (entry for entry in entries if entry.what not in LATE and entry.amount)
    book(chain.from_iterable(_named(entry, world, realm, rules, formatter) for entry in before), "")
    if found.unpaid:
        book(((translate("what cannot be paid for is not bought"), found.unpaid),), translate("left over"))
    lands = sum(entry.what == REVENUE and bool(entry.amount) for entry in entries)
    says = {
        REVENUE: translate("revenue of {count:province}", count=lands),
        "razed": translate("salvage of what is razed"),
    }
    after = _after_the_turn(found, formatter)
    decay = (translate("decay, {percent}% of it", percent=rules.economy.decay_percent), -found.decay)
    book((decay, *((says.get(line.what) or translate(line.what), line.amount) for line in found.later)), after)
    if found.exposed:
        others = translate(
            "without gifts, if others take or pillage what they can reach: between {worst} and {best}; within reach: "
            "{places}",
            worst=gold(found.at_worst),
            best=gold(found.at_best),
            places=", ".join(found.exposed),
        )
        lines.append(BookLine(others, None, found.at_worst, total=True, supposed=True))
    return tuple(lines)


def _after_the_turn(found: Forecast, formatter: EventFormatter) -> str:
    """Return what is in the treasury after the turn, and on what that hangs."""
    translate = formatter.phrase
    least = gold(found.least)
    most = gold(found.most)
    if found.least != found.most and found.exposed:
        return translate(
            "in the treasury after the turn, without gifts, if nobody takes or pillages your provinces: between "
            "{least} and {most} as chance decides",
            least=least,
            most=most,
        )
    if found.least != found.most:
        return translate(
            "in the treasury after the turn, without gifts: between {least} and {most}, depending on the dice",
            least=least,
            most=most,
        )
    if found.exposed:
        return translate("in the treasury after the turn, without gifts, if nobody takes or pillages your provinces")
    return translate("in the treasury after the turn, without gifts")


def _named(
    entry: ForecastEntry, world: World, realm: str, rules: Rules, formatter: EventFormatter
) -> Iterator[tuple[str, Decimal]]:
    """Return the changes as (what it is for, gold); gold sent and its fee are two."""
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
    if sent is None or entry.what != "gold sent":  # what comes back of gold sent to oneself is received
        yield _for_what(entry, rules, formatter), entry.amount
        return
    other = world.realms[sent.other].name if sent.other in world.realms else sent.other
    yield formatter.phrase("gold to {realm}", realm=other), -sent.amount
    yield formatter.phrase("{percent}% fee for sending it", percent=rules.economy.gold_fee_percent), -sent.fee


def _for_what(entry: ForecastEntry, rules: Rules, formatter: EventFormatter) -> str:
    """Return what an entry pays for, in words."""
    what = entry.what
    place = entry.place
    translate = formatter.phrase
    for event in entry.events:
        if isinstance(event, (TroopsBuilt, TroopsDismissed)):
            gone = isinstance(event, TroopsDismissed)
            return formatter.fill_pattern("salvage of {troops} at {place}" if gone else "{troops} at {place}", event)
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
    what = translate("repair of the fortification" if what == "construction" else what)
    return translate("{what} at {place}", what=what, place=place) if place else what
