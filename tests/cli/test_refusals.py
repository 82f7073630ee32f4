"""Commands that make no sense, of ``refusals.yaml``: a sentence that says why, exit code 2, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.cli.conftest import Run

CASES = YAML(typ="safe").load(Path(__file__).with_name("refusals.yaml"))


def tree(top: Path) -> dict[Path, bytes | None]:
    return {path: path.read_bytes() if path.is_file() else None for path in top.rglob("*") if path.name != ".lock"}


@pytest.mark.parametrize(
    ("place", "words", "says"),
    [
        pytest.param(place, case["words"], case["says"], id=ascii(f"{case['words'][0]}: {case['says']}")[1:-1])
        for place, cases in CASES.items()
        for case in cases
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence_and_changes_nothing(
    place: str, words: list[str], says: str, run: Run, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if place != "nowhere":
        request.getfixturevalue(place)
    before = tree(tmp_path)
    assert says in " ".join(run(*words, code=2).output.split())
    assert tree(tmp_path) == before
