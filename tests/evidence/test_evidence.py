"""What ``make evidence`` makes of a map of squares, and of tests."""

import json
from pathlib import Path

import pytest

from tests.evidence.__main__ import counted
from tests.evidence.owners import compared


def square(name: str | None, west: float, south: float, east: float, north: float) -> dict[str, object]:
    ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
    return {"properties": {"NAME": name}, "geometry": {"type": "Polygon", "coordinates": [ring]}}


def test_places_are_found_in_the_polities_of_a_map(tmp_path: Path) -> None:
    norway = square("Norway", 0, 50, 40, 85)
    hole = square("Norway", 10, 59, 12, 61)
    norway["geometry"] = {
        "type": "MultiPolygon",
        "coordinates": [[ring["geometry"]["coordinates"][0]] for ring in (norway, hole)],
    }
    nothing = {"properties": {"NAME": "Nowhere"}, "geometry": None}
    features = [
        norway,
        square("France", 2, 48, 3, 49),
        square("Denmark", 2, 48, 3, 49),
        square(None, -9, 30, 5, 47),
        nothing,
    ]
    path = tmp_path / "map.geojson"
    path.write_text(json.dumps({"features": features}))
    comparison = compared(path)
    assert "of 136 places with an owner, 6 (4%) lie in a polity that we take for their owner's" in comparison
    assert "| NOR | none drawn | Oslo |" in comparison, "it lies in the hole"
    assert "| DEN | Norway | Zealand, Fyn, Jutland, Schleswig, Scania, Halland |" in comparison


@pytest.mark.slow
def test_a_row_counts_what_passed_and_a_row_without_tests_is_no_evidence() -> None:
    here = "tests/evidence/test_evidence.py"
    assert counted({"what": "maps", "tests": [here, "-k", "polities"]}, False) == (("maps", "1 of 1"), True)
    assert counted({"what": "none", "tests": [f"{here}.gone"]}, False) == (
        ("none", "pytest ended with 4"),
        False,
    )
