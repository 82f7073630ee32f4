"""The map checker: a map that loads may still be unplayable, unfair or badly drawn."""

from pathlib import Path

import pytest

from gm.games.medieval.data.map_check import balance_figures, check_atlas, check_map, lands_to_conquer
from tests.examples import some, sweep
from tests.medieval.mapland import MINSK, broken_copy, minsk, minsk_world
from tests.medieval.order_reading import yaml_cases
from tests.medieval.testland import rules


def test_the_small_map_has_nothing_to_complain_about() -> None:
    assert check_map(MINSK) == []


CASES = yaml_cases("broken-maps")


@pytest.mark.clause("W3", "W4", "W11")
@pytest.mark.parametrize("name", sweep(CASES, *some(CASES)))
def test_what_is_wrong_is_found_at_its_place(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    file = case["file"]
    new = case["new"]
    broken_copy(tmp_path, file, case["old"], new, case.get("map", "minsk"), case.get("without", ""))
    text = (tmp_path / file).read_text(encoding="utf-8")
    changed = text[: text.index(new)].count("\n") + 1
    findings = check_map(tmp_path)
    matching = [finding for finding in findings if finding.code == case["code"]]
    assert matching, [finding.render() for finding in findings]
    assert all(finding.line > 0 and finding.excerpt and finding.file.endswith(file) for finding in matching)
    if "elsewhere" not in case:
        assert any(changed <= finding.line <= changed + new.count("\n") for finding in matching)
    if "suggests" in case:
        assert any(f"'{case['suggests']}'" in finding.suggestion for finding in matching)
    assert any(case.get("says", "") in finding.message for finding in matching)


@pytest.mark.clause("W3")
def test_a_map_in_two_parts_is_found() -> None:
    atlas = minsk()
    two = {"Ingria", "Gulf of Finland"}
    kept = tuple(border for border in atlas.borders if (border.a in two) == (border.b in two))
    findings = check_atlas(atlas.evolve(borders=kept))
    assert "map/apart" in [finding.code for finding in findings]


def test_seas_that_no_fleet_can_reach_are_told() -> None:
    atlas = minsk()
    inland = tuple(
        border
        for border in atlas.borders
        if not ("Hanobukten" in (border.a, border.b) and border.a in atlas.seas and border.b in atlas.seas)
    )
    findings = check_atlas(atlas.evolve(borders=inland))
    assert "map/inland-sea" in [finding.code for finding in findings]


def test_names_that_cover_each_other_are_told() -> None:
    atlas = minsk()
    moved = atlas.locations["Osel"].evolve(label=atlas.locations["Estonia"].label)
    findings = check_atlas(atlas.evolve(locations={**atlas.locations, "Osel": moved}))
    assert {"map/names-overlap", "map/label-outside"} <= {finding.code for finding in findings}


def test_a_homeland_in_pieces_is_found(tmp_path: Path) -> None:
    # Poland has no coast, and so no way to Courland; the Order's own pieces hang together by sea
    copy = broken_copy(tmp_path, "start.yaml", "  Courland: {owner: TEU", "  Courland: {owner: POL")
    (finding,) = [other for other in check_map(copy) if other.code == "start/homeland-apart"]
    assert "POL cannot reach its Courland" in finding.message


def test_an_unreadable_folder_is_a_finding(tmp_path: Path) -> None:
    assert [finding.code for finding in check_map(tmp_path)] == ["map/unreadable"]


@pytest.mark.clause("W11")
def test_the_realms_are_within_fifteen_percent_of_each_other() -> None:
    rows = balance_figures(minsk(), minsk_world(), rules())
    worths = [row["worth"] for row in rows]
    assert max(worths) <= min(worths) * 115 / 100
    assert [row["realm"] for row in rows] == ["LIT", "NOV", "POL", "TEU"]


def test_balance_figures_add_up_by_hand() -> None:
    (novgorod,) = (row for row in balance_figures(minsk(), minsk_world(), rules()) if row["realm"] == "NOV")
    assert (novgorod["provinces"], novgorod["cities"], novgorod["harbours"]) == (3, 2, 1)
    assert (novgorod["revenue"], novgorod["soldiers"], novgorod["ships"]) == (50, 20, 5)
    # 21+12+18+15 in Novgorod, 15+4+12+12 in Ingria, 10+8+6 in Pskov, two commanders
    assert novgorod["build cost"] == 133 + 30


def test_every_realm_has_somebody_to_conquer() -> None:
    for realm in minsk().realms:
        assert len(lands_to_conquer(minsk(), minsk_world(), realm)) >= 4
    assert "Gotland" in lands_to_conquer(minsk(), minsk_world(), "TEU")
    assert "Gotland" not in lands_to_conquer(minsk(), minsk_world(), "POL")
