"""A position, order files for it, and what a turn makes of both."""

import sys
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from gm.core.pipeline import Outcome
from gm.game.base.events import LineSettled
from gm.game.values import GameData
from gm.resources import add_root

if find_spec("gm_diplomacy") is None:  # the package is not installed
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import gm_diplomacy
from gm_diplomacy.events import DrivenOut
from gm_diplomacy.spec import SPEC
from gm_diplomacy.state import Diplomacy, Unit

PACKAGE = Path(str(gm_diplomacy.__file__)).parent
add_root(PACKAGE)
VOID = (
    "to-itself",
    "not-adjacent",
    "no-coast",
    "nobody-there",
    "out-of-reach",
    "it-moves",
    "other-order",
    "no-sea",
)


@pytest.fixture(scope="session")
def table() -> GameData:
    return SPEC.shipped_table("standard", PACKAGE / "maps" / "diplomacy" / "standard")


@pytest.fixture(scope="session")
def start(table: GameData) -> Diplomacy:
    return SPEC.start(table, PACKAGE / "maps" / "diplomacy" / "standard", None)


def placed(state: Diplomacy, units: Mapping[str, Iterable[str]], **changes: Any) -> Diplomacy:
    """The position with just these units, written as orders call them, by power."""
    found = [
        Unit(power=power, kind=text[0], place=text[2:]) for power, texts in units.items() for text in texts
    ]
    return state.with_units(found).evolve(**changes)


def played(
    table: GameData, state: Diplomacy, orders: Mapping[str, Iterable[str]]
) -> tuple[Outcome[Diplomacy], dict[tuple[str, str], str]]:
    """The turn with these lines of orders by power, and what became of each line."""
    sheets, fates = {}, {}
    for power, lines in orders.items():
        head = f"game: g\nturn: {state.quoted}\nplayer: {power.lower()}\nkey: k\norders:\n"
        data = (head + "".join(f"  - {line}\n" for line in lines)).encode()
        reading = SPEC.read_orders(table, state, data, f"{power}.yaml", game="g", realm=power, key="k")
        assert reading.sheet is not None, [each.render() for each in reading.diagnostics]
        sheets[power] = reading.sheet
        refused = {each.line for each in reading.diagnostics if each.is_error}
        fates |= {(power, line): "refused" for number, line in enumerate(lines, 6) if number in refused}
    outcome = SPEC.play(table, state, sheets, "seed")
    driven = {(each.power, each.unit) for each in outcome.events if isinstance(each, DrivenOut)}
    for each in (each for each in outcome.events if isinstance(each, LineSettled)):
        word = "void" if each.reason in VOID else "cut" if each.reason == "cut" else each.fate.value
        gone = any(power == each.audience and each.text.startswith(unit) for power, unit in driven)
        fates.setdefault((str(each.audience), each.text), "dislodged" if gone else word)
    return outcome, fates
