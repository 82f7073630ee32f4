"""The map checker: a map that loads may still be unplayable, unfair or badly drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from gm.games.medieval.data.map_check import balance_figures, check_atlas, check_map, prey
from tests.medieval.mapland import MINSK, broken_copy, minsk, minsk_world
from tests.medieval.testland import rules


def codes(folder: Path) -> list[str]:
    return [each.code for each in check_map(folder)]


def test_the_small_map_has_nothing_to_complain_about() -> None:
    assert check_map(MINSK) == []


BROKEN = {
    "missing coast": ("map.yaml", "Hanobukten: [Pomerania]", "Hanobukten: []", "map/missing-border"),
    "missing border": ("map.yaml", "Zodzina: [Minsk, Mazyr]", "Zodzina: [Minsk]", "map/missing-border"),
    "border without a line": ("map.yaml", "Mazyr: [Volodymir,", "Mazyr: [Krakow, Volodymir,", "map/outlines-apart"),
    "label elsewhere": ("map.yaml", "Osel: {label: [", "Osel: {label: [5", "map/label-outside"),
    "label on another name": ("map.yaml", "Mazovia: {label: [3", "Mazovia: {label: [4", "map/label-outside"),
    "an island behind reefs": (
        "map.yaml",
        "[Bay of Danzig, Hanobukten, Gotland,",
        "[Bay of Danzig, Hanobukten, {Gotland: reefs},",
        "map/cut-off",
    ),
    "a capital lost": ("start.yaml", "  Minsk:\n    owner: LIT", "  Minsk:\n    owner: TEU", "start/no-capital"),
    "a rich realm": ("start.yaml", "LIT: {treasury: 50", "LIT: {treasury: 500", "start/unfair"),
    "an unknown map": ("start.yaml", "map: minsk", "map: mensk", "start/other-map"),
    "a duplicate name": ("map.yaml", "  Osel: {label", "  KIEV: {label", "map/duplicate-name"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_wrong_is_found_at_its_place(case: str, tmp_path: Path) -> None:
    file, old, new, code = BROKEN[case]
    findings = check_map(broken_copy(tmp_path, file, old, new))
    found = [each for each in findings if each.code == code]
    assert found, [each.code for each in findings]
    assert all(each.line > 0 and each.file.endswith(file) for each in found)


@pytest.mark.clause("W3")
def test_a_map_in_two_parts_is_found() -> None:
    atlas = minsk()
    two = {"Ingria", "Gulf of Finland"}
    kept = tuple(each for each in atlas.borders if (each.a in two) == (each.b in two))
    findings = check_atlas(atlas.evolve(borders=kept))
    assert "map/apart" in [each.code for each in findings]


def test_seas_that_no_fleet_can_reach_are_told() -> None:
    atlas = minsk()
    inland = tuple(
        each
        for each in atlas.borders
        if not ("Hanobukten" in (each.a, each.b) and each.a in atlas.seas and each.b in atlas.seas)
    )
    findings = check_atlas(atlas.evolve(borders=inland))
    assert "map/inland-sea" in [each.code for each in findings]


def test_names_that_cover_each_other_are_told() -> None:
    atlas = minsk()
    moved = atlas.locations["Osel"].evolve(label=atlas.locations["Estonia"].label)
    findings = check_atlas(atlas.evolve(locations={**atlas.locations, "Osel": moved}))
    assert {"map/names-overlap", "map/label-outside"} <= {each.code for each in findings}


def test_a_homeland_in_pieces_is_found(tmp_path: Path) -> None:
    # Poland has no coast, and so no way to Courland; the Order's own pieces hang together by sea
    copy = broken_copy(tmp_path, "start.yaml", "  Courland: {owner: TEU", "  Courland: {owner: POL")
    (found,) = [each for each in check_map(copy) if each.code == "start/homeland-apart"]
    assert "POL cannot reach its Courland" in found.message


def test_an_unreadable_folder_is_a_finding(tmp_path: Path) -> None:
    assert codes(tmp_path) == ["map/unreadable"]


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
        assert len(prey(minsk(), minsk_world(), realm)) >= 4
    assert "Gotland" in prey(minsk(), minsk_world(), "TEU")
    assert "Gotland" not in prey(minsk(), minsk_world(), "POL")
