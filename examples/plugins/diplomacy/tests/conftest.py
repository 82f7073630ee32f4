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
    """Return the position with just these units and further changes.

    ``units``: as orders call them, by power.
    """
    on_board = []
    for power, names in units.items():
        on_board += [Unit(power=power, kind=name[0], place=name[2:]) for name in names]
    return state.with_units(on_board).evolve(**changes)


def order_file(state: Diplomacy, power: str, lines: Iterable[str]) -> bytes:
    """Return a power's order file for the coming turn."""
    head = f"game: g\nturn: {state.quoted}\nplayer: {power.lower()}\nkey: k\norders:\n"
    return (head + "".join(f"  - {line}\n" for line in lines)).encode()


def read(table: GameData, state: Diplomacy, power: str, lines: Iterable[str]) -> Any:
    """Return the reading of an order file with these lines."""
    data = order_file(state, power, lines)
    return SPEC.read_orders(table, state, data, f"{power}.yaml", game="g", realm=power, key="k")


def played(
    table: GameData, state: Diplomacy, orders: Mapping[str, Iterable[str]]
) -> tuple[Outcome[Diplomacy], dict[tuple[str, str], str]]:
    """Play a turn with these lines of orders, by power.

    Returns its outcome, and a word for what became of each line, by power and line.
    """
    sheets = {}
    fates = {}
    for power, lines in orders.items():
        reading = read(table, state, power, lines)
        assert reading.sheet is not None, [finding.render() for finding in reading.diagnostics]
        sheets[power] = reading.sheet
        refused = {finding.line for finding in reading.diagnostics if finding.is_error}
        for number, line in enumerate(lines, 6):  # the head has five lines
            if number in refused:
                fates[power, line] = "refused"
    outcome = SPEC.play(table, state, sheets, "seed")
    driven = {(event.power, event.unit) for event in outcome.events if isinstance(event, DrivenOut)}
    for event in outcome.events:
        if isinstance(event, LineSettled):
            fates.setdefault((str(event.audience), event.text), _fate(event, driven))
    return outcome, fates


def _fate(event: LineSettled, driven: set[tuple[str, str]]) -> str:
    """Return a word for what became of a line; ``driven``: (power, unit) of the dislodged units."""
    if any(power == event.audience and event.text.startswith(unit) for power, unit in driven):
        return "dislodged"
    if event.reason in VOID:
        return "void"
    return "cut" if event.reason == "cut" else event.fate.value
