"""Why a turn came out so: chains of events with figures, what other orders change, and the sums of luck."""

from collections.abc import Mapping
from decimal import Decimal
from itertools import chain
from typing import Any

import pytest
from msgspec.structs import replace

from gm.core.sealing import Proof
from gm.core.values import DiceRolled
from gm.games.medieval.analysis.tallies import luck_after, luck_rows
from gm.games.medieval.analysis.why.asking import QUESTIONS, diff, explain
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.report.turn_result import MedievalResult
from gm.games.medieval.state import World
from gm.store.folder import own_rolls, read_rolls, rolls_bytes
from gm.text.layout import read_data
from tests.medieval.reportland import ORDERS, busy_world, record_of
from tests.medieval.testland import make_world, unit

PROOF = Proof(turn=1, seal="", secret="", order_files={}, seed="test")
"""The seed that turns of the test world are played with."""


def record(world: World, orders: Mapping[str, str], **more: Any) -> MedievalResult:
    return record_of(world, orders, proof=PROOF, **more)


def answer(result: MedievalResult, question: str) -> list[str]:
    """The sentences of an answer, each with its clause."""
    lines = explain(result, result.before, question.split())
    return [f"{line.text} {line.clause}".strip() for line in lines]


# -- orders --------------------------------------------------------------------------------------------------


def test_a_line_a_realm_and_a_unit_that_was_formed_can_be_asked_for() -> None:
    turn = record(busy_world(), ORDERS)
    lines = sorted({order.written.line for order in turn.sheets["ENG"].all_orders()})
    for line in lines:
        assert answer(turn, f"eng:{line}")[0].startswith(f"Line {line}, “")
    assert "was not there when the turn began." in answer(turn, "ENG A12")[0]
    assert "came out as written. O2" in answer(turn, "ENG")[-1]
    assert answer(turn, "NOR")[-1] == "0 orders of 0 came out as written. O2"


def test_every_unit_place_battle_and_treasury_of_a_busy_turn_has_an_answer() -> None:
    turn = record(busy_world(), ORDERS)
    units = {*turn.before.units, *turn.after.units}
    for key in sorted(units):
        realm, reference = key.split("/")
        if realm in turn.before.realms:
            assert answer(turn, f"{realm} {reference}")
    for place in turn.atlas.locations:
        assert answer(turn, place.lower())
    for realm in turn.before.realms:
        assert answer(turn, f"{realm} gold")[0].endswith("W10")
    fought = [event.report for event in turn.events if isinstance(event, BattleFought)]
    assert fought
    for report in fought:
        lines = answer(turn, f"battle {report.place}")
        assert any("hits to be expected in round 1" in line for line in lines)


def test_the_books_add_up_to_the_treasury() -> None:
    turn = record(busy_world(), ORDERS)
    for code in ("ENG", "FRA"):
        last = [
            line
            for line in explain(turn, turn.before, [code, "gold"])
            if line.text[:1] in "+−" and line.depth
        ]
        assert last[-1].text.rpartition(": ")[2].rstrip(".").replace(",", "") == str(
            turn.after.realms[code].treasury
        ).removesuffix(".00")


@pytest.mark.parametrize(
    "question", ["", "Lundon", "ENG A99", "ENG:4000", "ENX:3", "battle Savoy", "luck now"]
)
def test_a_question_about_nothing_is_an_error_with_a_sentence(question: str) -> None:
    turn = record(busy_world(), ORDERS)
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        answer(turn, question)


def test_every_kind_of_question_is_explained() -> None:
    assert {question.split()[0].split(":")[0] for question in QUESTIONS} == {"LIT", "battle", "Minsk", "luck"}


# -- the same turn with other orders -------------------------------------------------------------------------


def test_the_contrast_of_a_turn_with_itself_is_nothing() -> None:
    turn = record(busy_world(), ORDERS)
    assert [line.text for line in diff(turn, turn)] == ["Nothing: the turn comes out the same."]


def test_the_contrast_names_fates_owners_units_gold_and_relations() -> None:
    turn = record(busy_world(), ORDERS)
    other = record(
        busy_world(), {**ORDERS, "ENG": "headquarters: {declare_war: [LIT], proclamation: War!}\n"}
    )
    lines = [line.text for line in diff(turn, other)]
    assert {"Orders:", "Units:", "Gold:", "Relations:"} <= set(lines)
    assert any("“declare_war: LIT”: was not ordered; now done" in line for line in lines)
    assert any(line == "England and Lit: was neutral, now war" for line in lines)
    assert any(line.startswith("England: was ") for line in lines)


# -- luck ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("B5", "B14")
def test_luck_is_summed_from_turn_to_turn() -> None:
    turn = record(busy_world(), ORDERS)
    fought = [event.report for event in turn.events if isinstance(event, BattleFought)]
    once = luck_after({}, fought)
    twice = luck_after(once, fought)
    for realm, (battles, made, expected, variance) in once["luck"].items():
        units = chain.from_iterable(report.units for report in fought)
        mine = {unit.unit for unit in units if unit.realm == realm}
        rounds = chain.from_iterable(report.rounds for report in fought)
        every_part = chain.from_iterable(battle_round.units for battle_round in rounds)
        parts = [part for part in every_part if part.unit in mine]
        hits = chain.from_iterable(part.caused for part in parts)
        assert made == sum(hit.damage for hit in hits)
        assert Decimal(expected) == sum((part.expected or Decimal(0) for part in parts), Decimal(0))
        assert Decimal(variance) > 0
        assert twice["luck"][realm] == [
            2 * battles,
            2 * made,
            str(2 * Decimal(expected)),
            str(2 * Decimal(variance)),
        ]
    assert luck_after({"luck": once["luck"]}, []) == once


def test_the_ledger_puts_the_luckiest_first_and_says_how_lucky() -> None:
    formatter = MedievalFormatter(busy_world())
    tally = {
        "luck": {"ENG": [2, 10, "20.00", "16.00"], "FRA": [2, 30, "20.00", "16.00"], "IND": [1, 0, "0", "0"]}
    }
    rows = luck_rows(tally, formatter)
    assert [(row.name, row.more, row.percent, row.words) for row in rows] == [
        ("France", "+10", 50, "very lucky"),
        ("The independents", "0", 0, "as expected"),
        ("England", "−10", -50, "very unlucky"),
    ]
    assert luck_rows({}, formatter) == []


def test_a_log_that_tells_no_expectation_is_left_out() -> None:
    turn = record(busy_world(), ORDERS)
    old = [replace_rounds(event).report for event in turn.events if isinstance(event, BattleFought)]
    assert luck_after({}, old) == {"luck": {}}


def replace_rounds(event: BattleFought) -> BattleFought:
    """The event as an earlier version noted it."""
    rounds = tuple(
        replace(
            battle_round,
            units=tuple(replace(part, expected=None, variance=None) for part in battle_round.units),
        )
        for battle_round in event.report.rounds
    )
    return replace(event, report=replace(event.report, rounds=rounds))


# -- what the dice tell --------------------------------------------------------------------------------------


@pytest.mark.clause("W8", "L3")
def test_the_rolls_for_unpaid_troops_are_in_their_realms_results_alone() -> None:
    from gm.games.medieval.report.files import turn_reports

    world = make_world(
        unit("ENG/G1", "London", {"Heavy Cavalry": 30}),
        unit("FRA/G1", "Paris", {"Heavy Cavalry": 3}),
        realms={"ENG": {"treasury": Decimal(5)}},
    )
    turn = record(world, {})
    (event,) = [event for event in turn.events if isinstance(event, DiceRolled) and "unpaid" in event.label]
    assert event.private == "ENG"
    _, published = read_rolls(rolls_bytes("europe", 1, turn.events), "dice.jsonl")
    assert all("unpaid" not in roll.label for roll in published)
    files = turn_reports(turn, html=False)
    (own,) = read_data(files["results/ENG.yaml"], "ENG.yaml")["private"]["rolls"]
    assert own == own_rolls(turn.events, "ENG")[0]
    for realm in ("FRA", "DEN"):
        assert read_data(files[f"results/{realm}.yaml"], "other")["private"]["rolls"] == []
        assert 'unpaid"' not in files[f"results/{realm}.yaml"].decode().replace('"cause": "unpaid"', "")
