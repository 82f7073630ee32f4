"""A forecast of a realm's gold after the turn, found by playing the turn.

It is written line by line for people (H1). Other realms' orders are not foreseen: they give none, and the
turn may differ.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from enum import StrEnum
from itertools import chain

from gm.core.pipeline import Step, Watch
from gm.core.values import DiceRolled, Event, Record, percent_of
from gm.games.medieval.analysis import merging
from gm.games.medieval.analysis.exposure import Exposure, Threats
from gm.games.medieval.analysis.ledger import LATE, REVENUE, ForecastEntry, ForecastLine, Ledger
from gm.games.medieval.data.atlas import Atlas
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.pipeline import play_turn
from gm.games.medieval.state import World
from gm.games.medieval.steps.bookkeeping import turn_opens
from gm.games.medieval.steps.economy import province_revenue
from gm.games.medieval.steps.transfers import same_location_transfers
from gm.games.medieval.steps.turn import Outcome, Turn
from gm.games.medieval.steps.units import new_armies_formed, new_fleets_formed

Watching = Callable[[], Watch]
"""Makes a new watcher for one more turn."""
FORMING = (new_armies_formed, new_fleets_formed, same_location_transfers)
HEADQUARTERS = ("gold sent", "annexation")
GARRISONS = ("troops", "commanders", "construction")
BOUNDLESS = Decimal(10) ** 12
"""More gold than any plan costs, so that the steps carry out all that the rules allow."""
OF_NO_ACCOUNT = ("commanders_hired",)  # steps whose dice decide no order: who is hired, not whether (L5)
TRIALS = ("trial 1", "trial 2", "trial 3")
"""Seeds of trials: never a game's own, so that a trial tells nobody what the dice will say."""


class Warned(StrEnum):
    """The degree of the forecast's warning (H1)."""

    NONE = "none"
    LOW = "low"  # the surplus is below ``warn_below``
    SHORT = "short"  # it is below ``alarm_below``


class Forecast(Record):
    """The gold that headquarters expects, with the worst of chance.

    Gifts of other realms are not counted: gold would raise the figures, and troops would need upkeep.
    """

    treasury: Decimal  # before the turn
    upkeep: Decimal  # expenses are above 0, as in the next two
    hq_expenses: Decimal
    garrison_expenses: Decimal
    surplus: Decimal  # below 0: a shortfall
    unpaid: Decimal  # of a shortfall: the expenses for which there is no gold
    decay: Decimal  # the part of the rest that is lost (L9)
    expected_revenue: Decimal
    # in the treasury after the turn if no other realm takes or pillages anything; equal without chance
    least: Decimal
    most: Decimal
    warning: Warned
    lines: tuple[ForecastLine, ...]  # from the treasury to the surplus
    later: tuple[ForecastLine, ...]  # after the decay: it can be spent in the next turn
    # in the treasury after the turn, if other realms come to the exposed places
    at_worst: Decimal
    at_best: Decimal
    exposed: tuple[str, ...] = ()  # places, in map order


def forecast(world: World, realm: str, sheet: Orders | None, rules: Rules, atlas: Atlas) -> Forecast:
    """Return the forecast for a draft of a realm's orders (H1).

    Raises ``KeyError`` for a code that is no realm's.
    """
    return expected(world, realm, sheet, rules, atlas)[0]


def expected(
    world: World, realm: str, sheet: Orders | None, rules: Rules, atlas: Atlas, beside: Watching | None = None
) -> tuple[Forecast, tuple[ForecastEntry, ...]]:
    """Return the forecast, and everything that it counts, one by one in the order of the turn.

    Expenses for which there is no gold are counted too. ``beside`` makes another watcher of each turn that is
    played with the realm's own gold. Raises ``KeyError`` for a code that is no realm's.
    """
    sheets = {realm: sheet} if sheet else {}

    def ledgers_of(start: World, another_watcher: Watching | None = None) -> list[Ledger]:
        """Return the ledgers of the turn from ``start``.

        If there are orders, and enemies whom own units may meet, also those of a turn without these enemies.
        """
        ledgers = watched(start, (realm,), sheets, rules, atlas, another_watcher)[realm]
        # a few trials miss rare results: the turn is played once more as if these enemies had no troops
        foes = set(chain.from_iterable(ledger.foes for ledger in ledgers)) & start.units.keys()
        if not sheet or not foes:
            return ledgers
        removed_units = [
            start.units[key].with_troops({}).evolve(commanders=(), leader=None) for key in sorted(foes)
        ]
        return [*ledgers, *watched(start.with_units(removed_units), (realm,), sheets, rules, atlas)[realm]]

    own_ledgers = ledgers_of(all_rich(world, but=realm), beside)
    is_short = any(ledger.short for ledger in own_ledgers)
    rich_ledgers = ledgers_of(all_rich(world)) if is_short else own_ledgers
    return summed(Threats(world, rules, atlas), realm, own_ledgers, rich_ledgers)


def standing_forecasts(
    world: World, realms: Sequence[str], rules: Rules, atlas: Atlas, threats: Threats | None = None
) -> dict[str, Forecast]:
    """Return the forecast of each of these realms without orders, by code (H1).

    Each trial of the turn is played for all of them together. ``threats``: those of this world, where the
    caller needs them too.
    """
    threats = threats or Threats(world, rules, atlas)
    forecasts = {}
    for realm, own_ledgers in watched(world, realms, {}, rules, atlas).items():
        rich_ledgers = [ledger.in_full() for ledger in own_ledgers]
        forecasts[realm], _ = summed(threats, realm, own_ledgers, rich_ledgers)
    return forecasts


def watched(
    world: World,
    realms: Sequence[str],
    sheets: Mapping[str, Orders],
    rules: Rules,
    atlas: Atlas,
    beside: Watching | None = None,
) -> dict[str, list[Ledger]]:
    """Return the ledgers of a turn, by realm: a single one, or one for each trial if chance affects the turn.

    ``sheets``: the orders by realm; ``beside`` makes another watcher of each trial.
    """
    ledgers_of: dict[str, list[Ledger]] = {realm: [] for realm in realms}
    for seed in TRIALS:
        for realm, ledgers in ledgers_of.items():
            ledgers.append(Ledger(realm, world, rules, atlas))
        watching: list[Watch] = [ledgers[-1] for ledgers in ledgers_of.values()]
        if beside:
            watching.append(beside())

        # the default binds this trial's watchers: the name ``watching`` has others in the next trial
        def watch(stage: str, turn: Turn, outcome: Outcome, watching: Sequence[Watch] = watching) -> None:
            """Tell every watcher of a step."""
            for watch_step in watching:
                watch_step(stage, turn, outcome)

        outcome = play_turn(world, sheets, rules=rules, atlas=atlas, seed=seed, watch=watch)
        if not is_open(outcome.events):
            break
    return ledgers_of


def is_open(events: Iterable[Event]) -> bool:
    """Return whether dice were rolled that decide something about orders or gold."""
    return any(isinstance(event, DiceRolled) and event.step not in OF_NO_ACCOUNT for event in events)


def outcomes_of_steps(
    world: World, realm: str, sheet: Orders, rules: Rules, atlas: Atlas, steps: Iterable[Step]
) -> Iterator[Outcome]:
    """Yield the outcome of the turn's opening and then of each of these ``steps``, with a realm's orders.

    The steps must be of the first events, which belong to no phase and roll no dice.
    """
    turn = Turn(state=world, number=world.turn + 1, rules=rules, board=atlas, orders={realm: sheet}, seed="")
    for step in (turn_opens, *steps):
        outcome = step(turn.at_step(step.name, 0))
        turn = turn.evolve(state=outcome.state)
        yield outcome


def summed(
    threats: Threats, realm: str, own: Sequence[Ledger], rich: Sequence[Ledger]
) -> tuple[Forecast, tuple[ForecastEntry, ...]]:
    """Return the forecast of a realm's gold from trials of the turn, and the entries that it counts.

    ``own``: the ledgers of trials with the realm's own gold; ``rich``: those with as much as is needed.
    """
    rules = threats.rules
    stood_in = set(chain.from_iterable(ledger.stood_in for ledger in (*own, *rich)))
    exposure = threats.exposure(realm, stood_in)
    has_enough = own == rich  # then the ledgers are the same
    # if chance changes no gold, one trial stands for all
    own = merging.without_chance(own)
    rich = own if has_enough else merging.without_chance(rich)
    own_entries = merging.entries_of(own)
    by_chance = len(own) > 1
    # with too little gold less is annexed and razed: what comes late is that of the own gold
    late = merging.entries_of([*own, *rich]) if by_chance and not has_enough else own_entries
    entries = _early_and_late(own_entries if has_enough else merging.entries_of(rich), late)
    treasury = threats.world.realms[realm].treasury
    amounts: defaultdict[str, Decimal] = defaultdict(Decimal)
    for entry in entries:
        amounts[entry.what] += entry.amount
    lines = [ForecastLine(what, amount) for what, amount in amounts.items() if amount]
    surplus = sum((amount for what, amount in amounts.items() if what not in LATE), treasury)
    # without chance, what the own gold pays for is known
    ends = merging.balances(treasury, entries if by_chance else own_entries, rules)
    worst, best = in_danger(treasury, own, rich, exposure, rules) if exposure.places else ends.after
    forecast = Forecast(
        treasury=treasury,
        upkeep=-amounts["upkeep"],
        hq_expenses=-sum((amounts[kind] for kind in HEADQUARTERS), Decimal(0)),
        garrison_expenses=-sum((amounts[kind] for kind in GARRISONS), Decimal(0)),
        surplus=surplus,
        unpaid=ends.left[0] - surplus,  # the balance is never below 0: what is not paid is not booked
        decay=percent_of(ends.left[0], rules.economy.decay_percent),
        expected_revenue=amounts[REVENUE],
        least=ends.after[0],
        most=ends.after[1],
        warning=_warning(surplus, rules),
        lines=(ForecastLine("treasury", treasury), *(line for line in lines if line.what not in LATE)),
        later=tuple(line for line in lines if line.what in LATE),
        at_worst=worst,
        at_best=best,
        exposed=tuple(sorted(exposure.places, key=threats.atlas.place_order.__getitem__)),
    )
    return forecast, entries


def _warning(surplus: Decimal, rules: Rules) -> Warned:
    """Return the degree of warning for a surplus of gold (H1)."""
    if surplus < rules.forecast.alarm_below:
        return Warned.SHORT
    return Warned.LOW if surplus < rules.forecast.warn_below else Warned.NONE


def in_danger(
    treasury: Decimal, own: Sequence[Ledger], rich: Sequence[Ledger], exposure: Exposure, rules: Rules
) -> tuple[Decimal, Decimal]:
    """Return (least, most) gold in the treasury after the turn if others come wherever they could.

    ``own`` and ``rich``: ledgers as in :func:`summed`.
    """
    # twice the same ledgers: a single one would be taken for a turn without chance
    open_own = [ledger.open_to(exposure) for ledger in own] * 2
    if rich is own:
        return merging.balances(treasury, merging.entries_of(open_own), rules).after
    open_rich = [ledger.open_to(exposure) for ledger in rich] * 2
    entries = _early_and_late(merging.entries_of(open_rich), merging.entries_of([*open_own, *open_rich]))
    return merging.balances(treasury, entries, rules).after


def _early_and_late(
    early: Iterable[ForecastEntry], late: Iterable[ForecastEntry]
) -> tuple[ForecastEntry, ...]:
    """Return the entries of ``early`` that come before gold decays (L9), and those of ``late`` after it."""
    return (
        *(entry for entry in early if entry.what not in LATE),
        *(entry for entry in late if entry.what in LATE),
    )


def all_rich(world: World, *, but: str = "") -> World:
    """Return the world with inexhaustible treasuries, except that of the realm ``but``.

    A player does not know the treasuries of others: in a forecast these pay their upkeep.
    """
    rich_realms = (realm.evolve(treasury=BOUNDLESS) for code, realm in world.realms.items() if code != but)
    return world.with_realms(*rich_realms)


def annexed_revenue(world: World, realm: str, rules: Rules, atlas: Atlas) -> Decimal:
    """Return the turn's revenue of the provinces that the realm owns and that are annexed to it (L11)."""
    annexed_provinces = (province for province in world.owned_by(realm) if province.annexed_to == realm)
    return sum((province_revenue(province, atlas, rules) for province in annexed_provinces), Decimal(0))
