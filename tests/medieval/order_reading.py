"""What the tests of order files share: a world with units of several realms, and one way to read a file in
it.
"""

from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from gm.core.diagnostics import Diagnostic
from gm.core.yaml.source import plain_data, read_yaml
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.orders.read import read_orders
from gm.games.medieval.state import World
from tests.medieval.testland import atlas, commander, make_world, rules, unit

HEADER = "orders: 1\ngame: test\nrealm: ENG\nturn: 5\nkey: brave-otter-71\n"
KEY = "brave-otter-71"


def read_sheet(data: bytes, file: str, **at: Any) -> tuple[Orders | None, list[Diagnostic]]:
    """The orders in a file, none where it is set aside, and the findings."""
    reading = read_orders(data, file, **at)
    return reading.sheet, list(reading.diagnostics)


def yaml_cases(name: str) -> dict[str, Any]:
    """The cases in a file of ``data``."""
    cases: dict[str, Any] = YAML(typ="safe").load(Path(__file__).with_name("data") / f"{name}.yaml")
    return cases


CASES = yaml_cases("order-cases")


def json_data(text: str | bytes) -> Any:
    """The file as an editor sees it: names of keys are text, numbers are numbers."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {str(key): plain(item) for key, item in value.items()}
        if isinstance(value, list):
            return [plain(item) for item in value]
        return float(value) if isinstance(value, Decimal) else value

    return plain(plain_data(read_yaml(text if isinstance(text, bytes) else text.encode(), "x")))


@cache
def gallery_world() -> World:
    """Before turn 5: England with A1, A2, A13, F1 and London's garrison G1.

    A3 is Aquitaine's only, A5 is several's.
    """
    return make_world(
        unit("AQU/A3", "Bordeaux", {"Longbowmen": 5}),
        unit("AQU/A5", "Bordeaux", {"Longbowmen": 5}),
        unit("DEN/A5", "Slavinia", {"Longbowmen": 5}, commanders=[commander("Palle")]),
        unit("ENG/A1", "Kent", {"Longbowmen": 5}, commanders=[commander("Sir John Chandos")]),
        unit("ENG/A2", "London", {"Heavy Cavalry": 2}, commanders=[commander("Sir James")]),
        unit("ENG/A13", "Kent", {"Men-at-Arms": 2, "Longbowmen": 1}),
        unit("ENG/F1", "Channel", {"Trading Cog": 2}),
        turn=4,
    )


def read(
    data: bytes | str,
    file: str = "ENG.yaml",
    *,
    world: World | None = None,
    realm: str | None = "ENG",
    turn: int | None = 5,
    key: str | None = KEY,
    late: bool = False,
) -> tuple[Orders | None, list[Diagnostic]]:
    """Read a file as England's for turn 5, unless told otherwise."""
    return read_sheet(
        data if isinstance(data, bytes) else data.encode(),
        file,
        world=world or gallery_world(),
        rules=rules(),
        atlas=atlas(),
        game="test",
        realm=realm,
        turn=turn,
        key=key,
        late=late,
    )


def orders(body: str, *, world: World | None = None) -> Orders:
    """The sheet of a file with this body, in which nothing may be wrong."""
    sheet, findings = read(HEADER + body, world=world)
    assert not [finding.render() for finding in findings if finding.is_error]
    assert sheet is not None
    return sheet


def findings(body: str, *, world: World | None = None) -> list[Diagnostic]:
    """What is wrong with a file with this body."""
    return read(HEADER + body, world=world)[1]


def texts(sheet: Orders) -> list[str]:
    """Every order as it is written in the results."""
    return [order.written.text for order in sheet.all_orders()]
