"""Every published case of the DATC under its number (datc/*.yaml), from order files, played as a game is."""

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from gm_diplomacy.events import Disbanded, Retreated
from gm_diplomacy.state import Diplomacy

from gm.core.yaml.models import load_data
from gm.game.values import GameData
from tests.conftest import placed, played

FILES = sorted((Path(__file__).parent / "datc").glob("*.yaml"))
CASES = {str(case["id"]): case for path in FILES for case in load_data(path)[0]["cases"]}
PUBLISHED = {"A": 12, "B": 14, "C": 7, "D": 34, "E": 15, "F": 24, "G": 18, "H": 16, "I": 7, "J": 11}


def test_every_published_case_is_there() -> None:
    numbers = defaultdict(set)
    for name in CASES:
        numbers[name[2]].add(int(name[4:].split()[0]))
    published = {section: set(range(1, count + 1)) for section, count in PUBLISHED.items()}
    assert numbers == published


def by_line(orders: dict[str, dict[str, str]]) -> dict[tuple[str, str], str]:
    """Return the fates of lines by (power, line)."""
    return {(power, line): fate for power, lines in orders.items() for line, fate in lines.items()}


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "orders" in case])
def test_orders(name: str, table: GameData, start: Diplomacy) -> None:
    case = CASES[name]
    expected = by_line(case["orders"])
    units: dict[str, list[str]] = defaultdict(list)
    for (power, line), fate in expected.items():
        if fate != "refused":
            units[power].append(_unit(line, case))
    outcome, fates = played(table, placed(start, units), case["orders"])
    assert {line: fates.get(line, "done") for line in expected} == expected
    if "retreats" not in case:
        return
    if outcome.state.phase == "retreats":
        _retreat(case, table, outcome.state)
    else:  # nobody can go anywhere: nobody is asked
        assert set(by_line(case["retreats"]).values()) == {"lost"}


def _unit(line: str, case: dict[str, Any]) -> str:
    """Return the unit of a line as it stands; the case may say that the line has its coast wrong."""
    text = " ".join(line.split()[:2])
    return str(case.get("stands", {}).get(text, text))


def _retreat(case: dict[str, Any], table: GameData, state: Diplomacy) -> None:
    driven = {driven.unit.name for driven in state.dislodged.values()}
    outcome, fates = played(table, state, case["retreats"])
    retreated = {event.unit for event in outcome.events if isinstance(event, Retreated)}
    disbanded = {event.unit for event in outcome.events if isinstance(event, Disbanded)}
    assert retreated | disbanded == driven
    for line, expected in by_line(case["retreats"]).items():
        unit = " ".join(line[1].split()[:2])
        fate = "done" if unit in retreated else "lost"
        if fates.get(line) == "refused":
            fate = "refused"
        assert fate == expected, line


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "left" in case])
def test_adjustments(name: str, table: GameData, start: Diplomacy) -> None:
    case = CASES[name]
    owners: dict[str, str] = {}
    for power, centres in case["centres"].items():
        owners |= dict.fromkeys(centres, power)
    before = placed(
        start, case.get("units", {}), owners=owners, season="autumn", phase="retreats", asked="retreats"
    )
    state = played(table, before, {})[0].state
    power = next(iter(case["centres"]))
    lines = case.get("builds", {}).get(power, [])
    if state.phase == "adjustments":
        orders = {power: [line for line, _ in lines]} if lines else {}
        state = played(table, state, orders)[0].state
    assert sorted(unit.name for unit in state.units_of(power)) == sorted(case["left"])
