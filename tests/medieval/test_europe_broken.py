"""Broken copies of the map of Europe: each fault is found, and told at its place in the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from gm.games.medieval.data.map_check import check_map
from tests.medieval.europeland import EUROPE

CASES = {
    "a barrier seen from one side only": (
        "map.yaml",
        "\n  Kent:\n",
        "\n  Kent:\n    - {London: mountains}\n",
        "map/duplicate-border",
        "London",
    ),
    "a coast without its sea": (
        "map.yaml",
        "\n  Kent:\n    - Strait of Dover\n",
        "\n  Kent: []\n",
        "map/missing-border",
        "a coast is missing",
    ),
    "two places of one name": ("map.yaml", "  Kent: {label", "  LONDON: {label", "map/duplicate-name", "LONDON"),
    "a name that leads nowhere": (
        "map.yaml",
        "\n  Kent:\n    - Strait of Dover\n",
        "\n  Kent:\n    - Straits of Dover\n",
        "map/unknown-place",
        "Straits of Dover",
    ),
    "a label beside its province": ("map.yaml", "  Kent: {label: [", "  Kent: {label: [9", "map/label-outside", "Kent"),
    "a border over somebody else's land": (
        "map.yaml",
        "\n  Kent:\n",
        "\n  Kent:\n    - Tunis\n",
        "map/outlines-apart",
        "share no side",
    ),
    "an outline that is none": (
        "map.yaml",
        "outlines:\n  London:\n    - ",
        "outlines:\n  London:\n    - north ",
        "map/bad-outline",
        "x,y",
    ),
    "reefs on land": (
        "map.yaml",
        "{Piedmont: mountains}",
        "{Piedmont: reefs}",
        "map/barrier-kind",
        "between a province and a sea",
    ),
    "a homeland in two": (
        "start.yaml",
        "  Buda: {owner: HUN",
        "  Iceland: {owner: HUN}\n  Buda: {owner: HUN",
        "start/homeland-apart",
        "HUN cannot reach its Iceland",
    ),
    "a province nobody has heard of": (
        "start.yaml",
        "  Buda: {owner: HUN",
        "  Bude: {owner: HUN",
        "start/unknown-province",
        "Bude",
    ),
    "a realm that is too rich": ("start.yaml", "FRA: {treasury: 50", "FRA: {treasury: 500", "start/unfair", "FRA"),
}


@pytest.mark.clause("W3", "W4")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.replace(" ", "-"))
def test_a_fault_is_told_at_its_place(case: str, tmp_path: Path) -> None:
    file, old, new, code, words = CASES[case]
    for name in ("map.yaml", "start.yaml"):
        text = (EUROPE / name).read_text("utf-8")
        if name == file:
            assert old in text
            if code == "start/homeland-apart":
                text = "\n".join(line for line in text.split("\n") if not line.startswith("  Iceland:"))
            text = text.replace(old, new, 1)
        (tmp_path / name).write_text(text, "utf-8")
    found = [each for each in check_map(tmp_path) if each.code == code]
    assert found, [each.code for each in check_map(tmp_path)]
    assert all(each.file.endswith(file) and each.line > 0 and each.excerpt for each in found)
    assert any(words in each.message for each in found)
