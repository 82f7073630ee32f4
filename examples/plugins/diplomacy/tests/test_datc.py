"""The DATC: every published case under its number (datc/*.yaml), read from order files and played as a
game is.
"""

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
CASES = {str(each["id"]): each for path in FILES for each in load_data(path)[0]["cases"]}
PUBLISHED = {"A": 12, "B": 14, "C": 7, "D": 34, "E": 15, "F": 24, "G": 18, "H": 16, "I": 7, "J": 11}


def test_every_published_case_is_there() -> None:
    numbers = defaultdict(set)
    for name in CASES:
        numbers[name[2]].add(int(name[4:].split()[0]))
    assert {section: sorted(found) for section, found in numbers.items()} == {
        section: list(range(1, count + 1)) for section, count in PUBLISHED.items()
    }


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "orders" in case])
def test_orders(name: str, table: GameData, start: Diplomacy) -> None:
    case = CASES[name]
    lines = {(power, line): fate for power, orders in case["orders"].items() for line, fate in orders.items()}
    units: dict[str, list[str]] = defaultdict(list)
    for (power, line), fate in lines.items():
        if fate != "refused":
            units[power].append(_unit(line, case))
    outcome, fates = played(table, placed(start, units), case["orders"])
    assert {each: fates.get(each, "done") for each in lines} == lines
    if "retreats" in case and outcome.state.phase == "retreats":
        _retreat(case, table, outcome.state)
    elif "retreats" in case:  # nobody can go anywhere: nobody is asked
        assert {fate for orders in case["retreats"].values() for fate in orders.values()} == {"lost"}


def _unit(line: str, case: dict[str, Any]) -> str:
    """The unit of a line as it stands; the case may say that the line has its coast wrong."""
    text = " ".join(line.split()[:2])
    return str(case.get("stands", {}).get(text, text))


def _retreat(case: dict[str, Any], table: GameData, state: Diplomacy) -> None:
    lines = {
        (power, line): fate for power, orders in case["retreats"].items() for line, fate in orders.items()
    }
    driven = {each.unit.name for each in state.dislodged.values()}
    outcome, fates = played(table, state, case["retreats"])
    went = {each.unit for each in outcome.events if isinstance(each, Retreated)}
    gone = {each.unit for each in outcome.events if isinstance(each, Disbanded)}
    assert went | gone == driven
    for each, fate in lines.items():
        unit = " ".join(each[1].split()[:2])
        assert fate == ("refused" if fates.get(each) == "refused" else "done" if unit in went else "lost"), (
            each
        )


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "left" in case])
def test_adjustments(name: str, table: GameData, start: Diplomacy) -> None:
    case = CASES[name]
    owners = {centre: power for power, centres in case["centres"].items() for centre in centres}
    before = placed(
        start, case.get("units", {}), owners=owners, season="autumn", phase="retreats", asked="retreats"
    )
    counted = played(table, before, {})[0].state
    power = next(iter(case["centres"]))
    lines = case.get("builds", {}).get(power, [])
    if counted.phase == "adjustments":
        counted = played(table, counted, {power: [line for line, _ in lines]} if lines else {})[0].state
    assert sorted(each.name for each in counted.units_of(power)) == sorted(case["left"])
