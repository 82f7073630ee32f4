"""Two simulations side by side: intervals against published figures, what counts as changed, page, lines
and data.
"""

from collections.abc import Callable
from itertools import chain
from typing import Any

import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists, tuples

from gm.simulation.comparison import (
    Group,
    Row,
    Side,
    compared,
    comparison_data,
    comparison_lines,
    comparison_page,
    differences,
    forest,
)
from gm.simulation.estimates import Interval, difference, mean_interval, wilson
from gm.simulation.findings import Findings
from gm.simulation.plan import IDENTITY, Plan
from gm.simulation.seating import Seating
from tests.examples import examples
from tests.medieval.reportland import Page
from tests.simulation.test_balance import game

CODES = ("ANN", "BEN", "CEO", "DAN")
EVIL = "</style><script>alert('x')</script>&"
PLAN = Plan(
    game="bowl",
    map="bowl",
    files={"map.yaml": b"a map"},
    realms=CODES,
    seating=Seating(("any",), {}),
    turns=4,
    seed="s",
    version="1.0",
    program="abc",
)


def fate(favourite: str) -> Callable[[str, Callable[[int], int]], tuple[int, bool]]:
    """One realm is far ahead of the others."""
    return lambda code, draw: (10 + draw(5) + 30 * (code == favourite), True)


def side(folder: str, favourite: str, games: int = 20, *, ended: bool = True, **asked: Any) -> Side:
    """Games with a favourite, in each of which a rule was used four times when they ended, else once."""
    records = []
    for number in range(1, games + 1):
        record = game(number, fate(favourite), CODES, folder)
        for code, realm in record["realms"].items():
            realm["name"] = EVIL if folder == "evil" else f"Realm {code}"
        record["reason"] = "victory" if ended else "unfinished"
        record["course"] = [[4 if ended else number % 3, 2, 1, 0]]
        record["rules"] = {"clause": {"M9": 4 if ended else 1, "M2": 0}, "failed order": {"why": 1}}
        records.append(record | ({} if ended else {"winners": [], "leaders": record["winners"]}))
    return Side(folder, {**PLAN.identity, **asked}, Findings(records))


BEFORE = side("old", "ANN", ended=False)
AFTER = side("new", "BEN", turns=9, program="abd")


def groups() -> dict[str, Group]:
    return {group.key: group for group in compared(BEFORE, AFTER)}


@pytest.mark.parametrize(
    ("before", "after", "low", "high"),
    [
        # Newcombe, Statistics in Medicine 17 (1998) 873-890, table II, method 10
        ((48, 80), (56, 70), 0.0524, 0.3339),
        ((3, 10), (9, 10), 0.1705, 0.8090),
        ((2, 7), (6, 7), 0.0582, 0.8062),
        ((0, 29), (5, 56), -0.0381, 0.1926),
        ((0, 10), (10, 10), 0.6075, 1.0000),
    ],
)
def test_the_interval_of_a_difference_is_that_of_the_literature(
    before: tuple[int, int], after: tuple[int, int], low: float, high: float
) -> None:
    interval = difference(wilson(*before), wilson(*after))
    assert interval.low == pytest.approx(low, abs=0.00006)
    assert interval.high == pytest.approx(high, abs=0.00006)


def test_the_interval_of_a_mean_is_students() -> None:
    for count, point in ((5, 2.776), (10, 2.262), (30, 2.045), (1000, 1.962)):
        values = [float(number % 2) for number in range(count)]
        mean = sum(values) / count
        spread = (sum((value - mean) ** 2 for value in values) / (count - 1)) ** 0.5
        interval = mean_interval(values)
        assert (interval.high - interval.middle) / (spread / count**0.5) == pytest.approx(point, rel=0.01)
    with pytest.raises(ValueError, match="fewer than two"):
        mean_interval([1.0])


@given(lists(tuples(integers(0, 40), integers(0, 40)), min_size=2, max_size=2))
@examples(300, 30)
def test_a_difference_the_other_way_round_is_its_opposite(drawn: list[tuple[int, int]]) -> None:
    one, two = (wilson(won, won + lost) for won, lost in drawn)
    there = difference(one, two)
    back = difference(two, one)
    assert -1 <= there.low <= there.middle <= there.high <= 1
    assert (there.low, there.middle, there.high) == pytest.approx((-back.high, -back.middle, -back.low))


def test_what_changed_is_certain_and_what_did_not_is_not() -> None:
    groups_by_key = groups()
    won = {row.code: row for row in groups_by_key["realms_first"].rows}
    assert [row.name for row in groups_by_key["realms_first"].rows] == [f"Realm {code}" for code in CODES]
    assert (won["ANN"].certain, won["BEN"].certain, won["CEO"].certain) == (True, True, False)
    assert won["ANN"].change is not None
    assert won["ANN"].change.middle == -1
    games = {row.code: row for row in groups_by_key["games"].rows}
    assert games["ended"].change == difference(wilson(0, 20), wilson(20, 20))
    # nobody had won before, so that there is nothing to compare
    assert {row.change for row in groups_by_key["realms_won"].rows} == {None}
    uses = {row.code: row for row in groups_by_key["uses_clause"].rows}
    assert uses["M9"].certain
    assert "M2" not in uses
    assert not any(key.startswith("uses_failed") for key in groups_by_key)


def test_equal_games_differ_in_nothing() -> None:
    groups_compared = compared(AFTER, AFTER)
    rows = chain.from_iterable(group.rows for group in groups_compared)
    assert not any(row.certain for row in rows)
    assert differences(AFTER.identity, AFTER.identity) == []


def test_what_was_asked_otherwise_is_told() -> None:
    assert tuple(PLAN.identity) == IDENTITY
    assert differences(BEFORE.identity, AFTER.identity) == [
        "turns: 4 before, 9 after",
        "the program or its rules have changed since",
    ]


def test_one_game_is_too_few() -> None:
    with pytest.raises(ValueError, match="few holds fewer than 2 different games"):
        compared(side("few", "ANN", 1), AFTER)


def test_figures_have_the_digits_that_their_intervals_are_worth() -> None:
    def words(share: bool, before: Interval, after: Interval) -> tuple[str, str]:
        (row,) = forest(Group("k", "t", "w", share, (Row("a", "a", before, after),))).rows
        return row.before, row.change

    assert words(True, wilson(5, 20), wilson(15, 20)) == ("25% (11–47)", "+50 (+19 to +70)")
    assert words(False, Interval(-1, 2, 5), Interval(-30, 2, 40)) == ("2.0 (−1.0 to 5.0)", "+0 (−32 to +38)")
    # a change that is certain does not look like nothing
    sure = words(False, Interval(0.0, 0.0, 0.0), Interval(0.004, 15.0, 30.0))
    assert sure[1] == "+15.000 (+0.004 to +30.000)"


def test_the_page_is_whole_and_fetches_nothing_whatever_the_names() -> None:
    html = comparison_page("Bowl", (BEFORE, AFTER), compared(BEFORE, side("evil", "BEN")))
    parsed = Page(html)
    assert parsed.wrong == []
    assert [link for link in parsed.links if link[:1] != "#"] == []
    assert "script" not in parsed.tags
    assert EVIL not in html
    assert EVIL in parsed.text
    assert "turns: 4 before, 9 after" in parsed.text
    assert html.count('<tr class="certain">') == sum(group.certain for group in compared(BEFORE, AFTER))


def test_lines_and_data_tell_the_same() -> None:
    groups_compared = compared(BEFORE, AFTER)
    lines = comparison_lines((BEFORE, AFTER), groups_compared)
    data = comparison_data((BEFORE, AFTER), groups_compared)
    assert lines[0] == "Before: 20 games in old; after: 20 games in new."
    assert lines[1] == "What differs: turns: 4 before, 9 after; the program or its rules have changed since."
    marked = [line for line in lines[3:-1] if line.endswith("*")]
    keys = {key for key in data if key.startswith(("games", "course", "realms", "bots", "uses"))}
    rows = chain.from_iterable(data[key].values() for key in keys)
    assert len(marked) == sum(row["certain"] for row in rows)
    assert data["realms_first"]["ANN"]["change"][1] == -1.0
    assert data["before"]["simulation"]["turns"] == 4
    assert data["realms_won"]["ANN"]["before"] is None
