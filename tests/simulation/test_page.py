"""The page with the plots: everything is on it, nothing is fetched, no name can become markup."""

from typing import Any

import pytest

from gm.simulation.estimates import Interval, wilson
from gm.simulation.findings import Findings
from gm.simulation.plan import Plan
from gm.simulation.plots import curve, histogram, round_numbers, short, whiskers
from gm.simulation.report import simulation_page
from gm.simulation.seating import Seating
from tests.medieval.reportland import Page
from tests.simulation.test_balance import CODES, fair, findings, game

EVIL = "</style><script>alert('x')</script>&"


def plan(**changes: Any) -> Plan:
    values: dict[str, Any] = {
        "game": "bowl",
        "map": "bowl",
        "files": {},
        "realms": CODES,
        "seating": Seating(("any",), {}),
        "turns": 1,
        "seed": "s",
        "version": "1",
        "program": "p",
    }
    return Plan(**{**values, **changes})


def page(findings: Findings, names: dict[str, str] | None = None, **changes: Any) -> str:
    findings.names = names or {code: f"Realm {code}" for code in CODES}
    return simulation_page(plan(**changes), "Bowl", {"any": "Takes coins."}, findings)


def test_the_page_is_whole_and_fetches_nothing() -> None:
    html = page(findings(fair, games=30))
    parsed = Page(html)
    assert parsed.wrong == []
    assert [link for link in parsed.links if link[:1] != "#"] == []
    assert "script" not in parsed.tags
    assert "default-src 'none'" in html
    for title in (
        "Wins by realm",
        "Growth by realm",
        "Survival",
        "The world over time",
        "Bots",
        "Realms",
        "rule was used",
    ):
        assert title in html
    for code in CODES:
        assert f"Realm {code}" in html


def test_names_and_seeds_are_text_whatever_is_in_them() -> None:
    html = page(findings(fair, games=8), dict.fromkeys(CODES, EVIL), seed=EVIL, map=EVIL)
    assert EVIL not in html
    assert "script" not in Page(html).tags
    assert EVIL in Page(html).text


def test_outliers_are_marked_and_named() -> None:
    def fate(code: str, draw: Any) -> tuple[int, bool]:
        return 10 + draw(5) + 30 * (code == "R01"), code != "R01"

    html = page(findings(fate))
    text = Page(html).text
    assert html.count('class="tag bad">outlier') == len(CODES)  # who has all wins, and those who have none
    assert "in less than 1% of such simulations" in text
    assert "A verdict on the balance" not in text
    few = page(findings(fate, games=9))
    assert "A verdict on the balance needs 200 games" in Page(few).text
    assert 'class="tag bad">outlier' not in few
    assert "<dt>Outliers" not in few


def test_refused_orders_stand_on_the_page() -> None:
    record = game(1, fair, CODES, "s") | {
        "refused": 2,
        "refusals": ["game 1, turn 3: no <province> is called Zodzna"],
    }
    html = page(Findings([record]))
    assert "no &lt;province&gt; is called Zodzna" in html
    assert "no <province>" not in html


def test_rules_are_listed_by_use_and_those_never_used_apart() -> None:
    record = game(1, fair, CODES, "s") | {
        "rules": {"clause": {"M9": 4, "M2": 0, "L3": 9}, "failed order": {"why": 1}}
    }
    text = Page(page(Findings([record]))).text
    assert "L3 9.0 1 M9 4.0 1" in text
    assert "2 used, 1 never" in text
    assert "Never used M2" in text


def test_without_games_there_is_no_page() -> None:
    with pytest.raises(ValueError, match="no game has been played"):
        page(Findings([]))


# -- geometry ------------------------------------------------------------------------------------------------


def test_a_curve_stays_on_its_sheet_and_shares_a_scale() -> None:
    values = [Interval(turn, turn + 2, turn + 5) for turn in range(31)]
    for small in (False, True):
        drawn = curve(values, top=60, small=small)
        points = [tuple(map(float, point.split(","))) for point in f"{drawn.line} {drawn.band}".split()]
        assert all(drawn.left <= x <= drawn.width and 0 <= y <= drawn.bottom for x, y in points)
        assert drawn.up[-1].text == "60"
        assert (drawn.across[0].text, drawn.across[-1].text) == ("0", "30")


def test_a_curve_of_one_turn_and_of_nothing_can_be_drawn() -> None:
    assert curve([Interval(0, 0, 0)]).turns == 0
    assert curve([Interval(0, 0, 0)] * 2).up[-1].text == "1"


def test_intervals_are_sorted_and_within_the_scale() -> None:
    chart = whiskers({"A": wilson(1, 30), "B": wilson(9, 30)}, {"A": "Ann"}, line=0.5, outliers=["B"])
    assert [(row.code, row.name, row.outlier) for row in chart.rows] == [
        ("B", "B", True),
        ("A", "Ann", False),
    ]
    assert all(0 <= row.low <= row.middle <= row.high <= 100 for row in chart.rows)
    assert chart.line is not None
    assert 0 < chart.line <= 100
    assert chart.rows[0].text == "30% (17–48)"


def test_a_histogram_counts_everything_once() -> None:
    for values in ([5], [1, 1, 2, 9], list(range(100)), [40] * 50 + [7]):
        bars = histogram(values)
        assert sum(bar.count for bar in bars.bars) == len(values)
        assert len(bars.bars) <= 20
        assert all(bar.x >= bars.left and bar.x + bar.width <= bars.width and bar.y >= 0 for bar in bars.bars)


@pytest.mark.parametrize(
    ("top", "about", "marks"),
    [
        (0, 5, [0, 1]),
        (1, 5, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (23, 5, [0, 5, 10, 15, 20, 25]),
        (30, 5, [0, 10, 20, 30]),
        (4567, 5, [0, 1000, 2000, 3000, 4000, 5000]),
    ],
)
def test_axes_have_round_numbers_up_to_the_top(top: float, about: int, marks: list[float]) -> None:
    assert round_numbers(top, about) == marks


def test_large_figures_are_short_on_an_axis() -> None:
    assert [short(value) for value in (0, 2.5, 999, 1000, 12500)] == ["0", "2.5", "999", "1k", "12.5k"]
