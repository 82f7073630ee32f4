"""Counts over the whole game: each realm's luck (B5, B14), and how often a turn used each rule.

Luck compares expected hits with hits made. Its sums are carried from turn to turn, so that no old log is read
again: ``{"luck": {"ENG": [battles, hits made, "expected", "variance"]}}``. Battles of logs without expected
hits are left out.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import chain
from typing import Any

from gm.core.values import DiceRolled, Event, Record
from gm.game.base.events import CLAUSES, EVENTS, FAILED, ORDERS, Uses, counted_events
from gm.games.medieval.combat.report import BattleReport
from gm.games.medieval.data.clauses_data import clauses, load_reasons
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.final import TroopsBuilt
from gm.games.medieval.orders.grammar import all_words
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.pipeline import STEPS
from gm.games.medieval.report.battle_entries import Luck, luck_of
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.state.event_log import event_classes
from gm.games.medieval.steps.outcomes import OrderOutcome, OrderSettled
from gm.store.formats import JsonObject
from gm.text.pages import capitalised, figure

LUCK = "luck"
RECRUITS = "troops recruited"

_BOOKKEEPING = frozenset({"OrderSettled", "TreasuryChanged", "TroopsChanged", "CommandersChanged"})
"""The kinds of events without a sentence: they record what other events tell."""


class LuckRow(Record):
    """A realm's luck in all its battles."""

    name: str
    battles: int
    luck: Luck
    made: int  # hits
    expected: Decimal  # hits, to one decimal place, as the difference
    difference: Decimal  # made less expected
    more: str  # the difference with its sign
    percent: int  # the difference in percent of the expected hits
    words: str  # how lucky


def luck_after(earlier: JsonObject, fought: Iterable[BattleReport]) -> JsonObject:
    """Return the sums of each realm's luck in battle, as the module describes them, with these battles added.

    ``earlier``: the sums before.
    """
    sums: dict[str, list[Any]] = {
        realm: list(sums_of_realm) for realm, sums_of_realm in earlier.get(LUCK, {}).items()
    }
    for report in fought:
        if not report.rounds:
            continue
        for realm in report.realms:
            luck = luck_of(report, (realm,))
            if luck is not None:
                battles, made, expected, variance = sums.get(realm, (0, 0, "0", "0"))
                expected = Decimal(expected) + luck.expected
                variance = Decimal(variance) + luck.variance
                # as texts the decimals stay exact in the record
                sums[realm] = [battles + 1, made + luck.made, str(expected), str(variance)]
    return {LUCK: dict(sorted(sums.items()))}


def luck_rows(tally: Mapping[str, Any], formatter: MedievalFormatter) -> list[LuckRow]:
    """Return a row for each realm that fought a battle, the luckiest first (``tally``: of ``luck_after``)."""
    rows = []  # (realm's code, row)
    for realm, (battles, made, expected, variance) in tally.get(LUCK, {}).items():
        luck = Luck(made, Decimal(expected), Decimal(variance), formatter.translate)
        name = capitalised(formatter.realm(realm))
        difference = round(luck.difference, 1)
        difference_words = f"{'+' if difference > 0 else ''}{figure(difference)}"
        percent = round(100 * luck.difference / luck.expected) if luck.expected else 0
        words = luck.degree or formatter.translate("as expected")
        hits = round(luck.expected, 1)
        row = LuckRow(name, battles, luck, made, hits, difference, difference_words, percent, words)
        rows.append((realm, row))
    rows.sort(key=lambda entry: (-entry[1].luck.score, entry[0]))
    return [row for _, row in rows]


def rule_uses(rules: Rules, sheets: Mapping[str, Orders], events: Iterable[Event]) -> Uses:
    """Return how often each rule that can be counted was used, also the unused ones, by kind and name.

    Only reasons of failures that occurred are counted. A clause is used when an order failed by it, or
    its step of the turn carried out an order or had another event than a roll of dice. ``sheets``: the orders
    of the turn, by realm.
    """
    events_without_dice = [event for event in events if not isinstance(event, DiceRolled)]
    events_with_sentence = [event for event in events_without_dice if event.kind not in _BOOKKEEPING]
    settled = [event for event in events_without_dice if isinstance(event, OrderSettled)]
    failed = Counter(event.reason for event in settled if event.fate is OrderOutcome.FAILED)
    words = {word.order: word.name for word in all_words() if word.order is not None}
    orders = chain.from_iterable(sheet.all_orders() for sheet in sheets.values())
    ordered = Counter(words[type(order)] for order in orders)
    recruits: Counter[str] = Counter()
    for event in events_with_sentence:
        if isinstance(event, TroopsBuilt):
            recruits.update(event.troops)
    return {
        CLAUSES: _clause_uses(events_without_dice, failed),
        EVENTS: counted_events(
            events_with_sentence, sorted(set(event_classes()) - _BOOKKEEPING - {DiceRolled.__name__})
        ),
        FAILED: dict(failed),
        ORDERS: {word: ordered[word] for word in words.values()},
        RECRUITS: {troop: recruits[troop] for troop in rules.troops},
    }


def _clause_uses(happened: Sequence[Event], failed: Mapping[str, int]) -> dict[str, int]:
    """Return how often each clause that can be counted was used, by its id and title.

    They are the clauses of steps and of reasons for which orders fail, unused ones too. ``failed``: how many
    orders failed, by reason.
    """
    reasons = load_reasons()
    # a step counts for its first clause, which is its own; further ones are rules that it applies
    steps = {step.name: step.clauses[0] for step in STEPS}
    # one thing may have a sentence, an order and entries: of these ways to count, the highest number counts
    used = Counter[str]()
    for events in _ways_to_count(happened):
        used |= Counter(steps[event.step] for event in events if event.step in steps)
    for reason, count in failed.items():
        used[reasons[reason].clause] += count
    countable = {*steps.values(), *(reason.clause for reason in reasons.values())}
    return {f"{clause} {title}": used[clause] for clause, title in clauses().items() if clause in countable}


def _ways_to_count(happened: Sequence[Event]) -> Iterator[list[Event]]:
    """Yield several selections of the turn's events, in each of which the uses of a clause are counted.

    They are the events that have sentences, the orders carried out, and each other kind of bookkeeping. As
    one use may leave an event in several of them, the highest count of a clause is its number of uses.
    Orders that failed are counted elsewhere.
    """
    yield [event for event in happened if event.kind not in _BOOKKEEPING]
    yield [event for event in happened if isinstance(event, OrderSettled) and event.fate is OrderOutcome.DONE]
    for kind in _BOOKKEEPING - {OrderSettled.__name__}:
        yield [event for event in happened if event.kind == kind]
