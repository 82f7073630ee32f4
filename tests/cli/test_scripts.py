"""What is typed and what comes of it, as ``scripts.yaml`` tells it; and commands that make no sense."""

import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.cli.conftest import Run, write_orders
from tests.examples import some

SCRIPTS, REFUSALS = (
    YAML(typ="safe").load(Path(__file__).with_name(name)) for name in ("scripts.yaml", "refusals.yaml")
)


def flat(text: str) -> str:
    """The text on one line."""
    return " ".join(text.split())


def texts(patterns: str | Iterable[str]) -> list[str]:
    return [flat(pattern) for pattern in ([patterns] if isinstance(patterns, str) else patterns)]


def take(step: Mapping[str, Any], run: Run) -> None:
    """Do one step, and look at what came of it."""
    if "orders" in step:
        write_orders(Path.cwd(), **step["orders"])
    for name, text in step.get("write", {}).items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
    for name, (before, after) in step.get("replace", {}).items():
        text = Path(name).read_text(encoding="utf-8")
        assert before in text
        Path(name).write_text(text.replace(before, after), encoding="utf-8")
    said = flat(run(*shlex.split(step["gm"]), code=step.get("code", 0)).output)
    assert [text for text in texts(step.get("says", ())) if text not in said] == [], said
    assert [text for text in texts(step.get("lacks", ())) if text in said] == [], said
    for word, present in (("holds", True), ("free_of", False)):
        for name, patterns in step.get(word, {}).items():
            content = flat(Path(name).read_text(encoding="utf-8"))
            assert all((text in content) == present for text in texts(patterns)), (word, name, patterns)
    assert not [name for name in step.get("gone", ()) if Path(name).exists()]


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(
            script,
            id=name,
            marks=[
                *([pytest.mark.clause(*texts(script["clause"]))] if "clause" in script else []),
                *([] if name in some(SCRIPTS) else [pytest.mark.slow]),
            ],
        )
        for name, script in SCRIPTS.items()
    ],
)
def test_what_comes_of_what_is_typed(
    script: Mapping[str, Any], run: Run, request: pytest.FixtureRequest
) -> None:
    if "in" in script:
        request.getfixturevalue(script["in"])
    for step in script["steps"]:
        take(step, run)


def tree(top: Path) -> dict[Path, bytes | None]:
    return {
        path: path.read_bytes() if path.is_file() else None for path in top.rglob("*") if path.name != ".lock"
    }


@pytest.mark.parametrize(
    ("place", "words", "says"),
    [
        pytest.param(
            place, case["words"], case["says"], id=ascii(f"{case['words'][0]}: {case['says']}")[1:-1]
        )
        for place, cases in REFUSALS.items()
        for case in cases
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence_and_changes_nothing(
    place: str, words: list[str], says: str, run: Run, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if place != "nowhere":
        request.getfixturevalue(place)
    before = tree(tmp_path)
    assert says in flat(run(*words, code=2).output)
    assert tree(tmp_path) == before
