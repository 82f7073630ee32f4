"""The gallery of broken order files of each game: ``tests/errors/KEY/NAME.yaml``, and what is said of it
(.txt).

Files are read before turn 1 of the game that the conformance tests play, as the orders of its first party.
The word TURN in a file stands for the number to quote.
"""

from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pytest

from gm.core.diagnostics import render_all
from gm.core.orders.cases import AFTER_UNCLEAR
from tests.games.playing import GAME, PLAIN, begun

GALLERY = Path(__file__).resolve().parent.parent / "errors"
FILES = list(chain.from_iterable(sorted((GALLERY / name).glob("*.yaml")) for name in PLAIN))

STARTS = {"conqueror": {"fair_start": "no"}}
"""What is chosen for a game whose files were written for the clauses' own start."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_broken_file_is_told_as_the_gallery_has_it(path: Path, golden: Callable[[Path, str], None]) -> None:
    game = begun(path.parent.name, **STARTS.get(path.parent.name, {}))
    spec = game.spec
    code = game.parties()[0]
    data = path.read_bytes().replace(b"TURN", str(spec.quoted(game.state)).encode())
    reading = spec.read_orders(game.table, game.state, data, path.name, game=GAME, realm=code, key=None)
    lines = [render_all(reading.diagnostics), "", f"taken: {'yes' if reading.sheet is not None else 'no'}"]
    if reading.sheet is not None:
        turn = game.play(game.state, {code: reading}, "gallery")
        lines += [
            f"{line.text}"
            for line in spec.explain(game.table, turn, turn.before, [code])
            if "Line" in line.text
        ]
    golden(path.with_suffix(".txt"), "\n".join(lines) + "\n")
    assert reading.diagnostics or any("failed" in line or "reduced" in line for line in lines)


@pytest.mark.parametrize("name", PLAIN)
def test_every_game_has_a_gallery(name: str) -> None:
    assert len([path for path in FILES if path.parent.name == name]) >= 5


def test_the_error_of_cases_is_in_a_gallery() -> None:
    """item 3: what the core says of cases, which some games have and Medieval has not."""
    example = (GALLERY / "conquest-fields" / "unclear-case.txt").read_text(encoding="utf-8")
    assert f"error[{AFTER_UNCLEAR}]" in example
