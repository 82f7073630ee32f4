"""Plans of which an entry was not understood (O5.1), and names that stand twice in an order file (O7)."""

from typing import Any

import pytest

from gm.core.codec import to_plain
from gm.core.yaml.source import TWICE_LIMIT
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.steps.outcomes import OrderSettled
from tests.medieval.movement import move
from tests.medieval.order_reading import HEADER, gallery_world, read, texts, yaml_cases

PLANS = yaml_cases("broken-plans")
PHRASES = yaml_cases("order-phrases")


def test_there_are_a_hundred_phrases() -> None:
    """Item 6: 60 of the source and 40 of beginners."""
    assert len({case["write"] for case in PHRASES}) >= 100


@pytest.mark.clause("O8")
@pytest.mark.parametrize("case", PHRASES, ids=lambda case: case["write"])
def test_what_people_write_is_understood_or_answered(case: dict[str, Any]) -> None:
    """Item 6: in the words of the source and of beginners; of an answer the whole first line and the hint."""
    sheet, findings = read(f"{HEADER}{case.get('in', 'units')}: {{{case['write']}}}\n")
    if "says" in case:
        set_aside = "sheet/nothing-understood"  # what is said of the file as a whole
        answer = next(finding for finding in findings if finding.is_error and finding.code != set_aside)
        assert answer.render().splitlines()[0] == case["says"]
        assert answer.suggestion == case.get("hint", "")
        return
    assert not [finding for finding in findings if finding.is_error]
    assert sheet is not None
    assert texts(sheet) == case["means"]


def sheet_with(body: str) -> tuple[Orders, list[str]]:
    """Return what is understood of a file with this body, and what is wrong with it."""
    sheet, findings = read(HEADER + body)
    assert sheet is not None, findings
    return sheet, [f"{finding.line}:{finding.column} {finding.code} {finding.clause}" for finding in findings]


@pytest.mark.clause("O5.1", "O6")
@pytest.mark.parametrize("case", PLANS, ids=str)
def test_movement_ends_at_an_entry_that_is_not_understood(case: dict[str, Any]) -> None:
    """Item 3: what moves after it would be done at another time, and perhaps alone."""
    name = "units: {A1: {plan: %s}, F1: {plan: [hold]}}\n"
    sheet, _ = sheet_with(name % flow(case["plan"]))
    settled = move(gallery_world(), {"ENG": sheet}).only(OrderSettled)
    fates = [
        f"{order.text}: {f'{order.fate} {order.reason}'.strip()}"
        for order in settled
        if order.text.startswith("A1")
    ]
    assert fates == case["comes"]


def flow(value: Any) -> str:
    """Return a plan on one line, as people write it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {flow(child)}" for key, child in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "~" if value is None else str(value)


@pytest.mark.clause("O5.1")
def test_a_fleet_whose_plan_has_an_unknown_word_stays_where_it_is() -> None:
    """Item 3: the fleet does not sail to a sea that it was to reach last."""
    sheet, _ = sheet_with("units: {F1: {plan: [{sial: Lonodn}, {sail: North Sea}]}, A1: {plan: [hold]}}\n")
    played = move(gallery_world(), {"ENG": sheet})
    assert played.unit("ENG/F1").place == "Channel"


TWICE = """units:
  A1:
    plan: [hold]
    plan: [pillage]
    ranks: {Longbowmen: {1: 2, 1: 3}}
  A1:
    plan: [pillage]
  Kent:
    name: The Guard
    name: The Other Guard
  A2:
    plan: [{transfer: {to: A1, to: A13, troops: {Heavy Cavalry: 1}}}, {march: Kent}]
headquarters:
  annex: [Kent]
  send_gold: {AQU: 1, AQU: 2}
headquarters:
  annex: [London]
"""


@pytest.mark.clause("O7")
def test_a_name_that_stands_twice_is_one_bad_order() -> None:
    """Item 4: the second is refused with both places; a value that is one order is refused whole."""
    sheet, wrong = sheet_with(TWICE)
    places = ("9:5", "10:32", "11:3", "15:5", "17:32", "20:23", "21:1")
    assert [complaint for complaint in wrong if "twice" in complaint] == [
        f"{place} sheet/twice O7" for place in places
    ]
    expected = ["annex: Kent", "send_gold: AQU 1", "Kent name: The Guard", "A1 hold", "A2 march: Kent"]
    assert texts(sheet) == expected
    assert to_plain(sheet.cut) == {"A2": 0}


@pytest.mark.clause("O7")
def test_the_head_counts_as_it_is_written_first() -> None:
    """Item 4: a word of the head that stands twice is no reason to set the file aside."""
    sheet, wrong = sheet_with("turn: 6\nkey: another\nunits: {A1: {plan: [hold]}}\n")
    assert (sheet.turn, texts(sheet)) == (5, ["A1 hold"])
    assert wrong == ["6:1 sheet/twice O7", "7:1 sheet/twice O7"]


def test_thousands_of_repetitions_are_not_told_one_by_one() -> None:
    """Item 4: a hostile file is set aside."""
    body = "units: {A1: {plan: [hold]}}\n" + "turn: 5\n" * (TWICE_LIMIT + 1)
    sheet, _ = read(HEADER + body)
    assert sheet is None
