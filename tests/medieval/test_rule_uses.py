"""How often a turn used each rule: every word, event, clause and troop type is there, and the counts are
right.
"""

from itertools import chain

import pytest

from gm.game.base.events import EVENTS, FAILED, ORDERS
from gm.games.medieval.analysis.tallies import rule_uses
from gm.games.medieval.orders.grammar import all_words
from gm.games.medieval.spec import SPEC
from tests.medieval.europeland import europe_world, read_europe
from tests.medieval.testland import rules

ORDERED = """
headquarters:
  declare_war: [ARL]
  annex: [Berry]
units:
  Ile de France:
    recruit: {Archers: 2, Men-at-Arms: 1}
  Champagne:
    recruit: {French Knights: 1}
"""


def of_clause(counts: dict[str, dict[str, int]], clause: str) -> int:
    """How often the clause of this id was used."""
    return next(count for name, count in counts["clause"].items() if name.split()[0] == clause)


def uses(ordered: str = ORDERED) -> dict[str, dict[str, int]]:
    table = SPEC.shipped_table("europe-1320")
    sheets = {"FRA": read_europe(europe_world(), "FRA", ordered)}
    outcome = SPEC.play(table, europe_world(), sheets, "test")
    return {kind: dict(names) for kind, names in SPEC.rule_uses(table, sheets, outcome.events).items()}


@pytest.mark.clause("O2", "L4", "L6", "F1")
def test_orders_events_clauses_and_recruits_of_a_turn_are_counted() -> None:
    counts = uses()
    assert {word: count for word, count in counts[ORDERS].items() if count} == {
        "declare_war": 1,
        "annex": 1,
        "recruit": 3,
    }
    assert counts[EVENTS]["WarDeclared"] == 1
    assert counts[EVENTS]["TroopsBuilt"] == 3
    assert of_clause(counts, "F1") == 1
    assert of_clause(counts, "L4") == 3
    built = {troop: count for troop, count in counts["troops recruited"].items() if count}
    assert built == {"Archers": 2, "Men-at-Arms": 1, "French Knights": 1}


@pytest.mark.clause("F9", "L9", "L11")
def test_what_only_changes_a_treasury_or_ranks_is_counted() -> None:
    counts = uses("units:\n  Ile de France:\n    ranks:\n      Archers: {2: 1}\n")
    assert of_clause(counts, "F9") == 1
    assert of_clause(counts, "L9") > 20
    assert of_clause(counts, "L11") > 20
    assert of_clause(counts, "L3") > 20


@pytest.mark.clause("L6", "O2")
def test_a_failed_order_counts_for_its_reason_and_for_the_clause_that_decided() -> None:
    counts = uses()
    # Berry is annexed from the start
    assert sum(counts[FAILED].values()) == 1
    assert of_clause(counts, "L6") == 1


def test_every_rule_is_there_although_nobody_used_it() -> None:
    counts = rule_uses(rules(), {}, [])
    assert set(counts[ORDERS]) == {word.name for word in all_words() if word.order is not None}
    assert set(counts["troops recruited"]) == set(rules().troops)
    assert {"F1", "M9", "M12", "L4", "L20"} <= {name.split()[0] for name in counts["clause"]}
    assert {"UnitMarched", "BattleFought"} <= set(counts[EVENTS])
    # dice and books are no rules
    assert not {"DiceRolled", "OrderSettled", "TreasuryChanged"} & set(counts[EVENTS])
    assert not any(chain.from_iterable(names.values() for names in counts.values()))
