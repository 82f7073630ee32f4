"""Turns of all sorts, always the same ones: positions and order files from data, and their whole story as
text. ``python -m tests.medieval.turnground N`` draws N positions with orders anew and keeps those that show
something that no other does; the stories then have to be written again with ``pytest --update-golden`` and
reviewed. A few, which reach with the cases every line and branch that all of them reach, are kept to be read,
each as two files; of the others the story is a hash in ``hashes.txt`` and the position a line of
``positions.jsonl``.
"""

import json
import sys
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from gm.core.codec import from_plain
from gm.core.values import PUBLIC, DiceRolled
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.pipeline import play_turn
from gm.games.medieval.state import Province, Realm, Unit, UnitKind, World
from gm.games.medieval.steps.outcomes import OrderSettled
from tests.golden import HASHES
from tests.medieval.order_reading import read_sheet
from tests.medieval.testland import Played, atlas, rules
from tests.plain import as_data

TURNS = Path(__file__).with_name("data") / "turns"
POSITIONS = TURNS / "positions.jsonl"
NUMBERS = range(
    1, len(list(TURNS.glob("*.json"))) + len(POSITIONS.read_text(encoding="utf-8").splitlines()) + 1
)
HIDDEN = {"audience", "step"}
ENOUGH = 50
READABLE = 2
"""How many of newly drawn turns, the richest, are kept to be read."""


def kept_turn(number: int) -> tuple[World, dict[str, str]]:
    """The position and the order files of a turn, by realm."""
    path = TURNS / f"{number:02}.json"
    kept = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else _positions()[number]
    return from_plain(kept["world"], World), {
        realm: "\n".join(lines) for realm, lines in kept["orders"].items()
    }


@cache
def _positions() -> dict[int, Any]:
    """Return the positions and order files of the turns that nobody has to read, by number."""
    lines = map(json.loads, POSITIONS.read_text(encoding="utf-8").splitlines())
    return {line["number"]: line for line in lines}


def understood(world: World, realm: str, text: str) -> Orders | None:
    """What the program understands of an order file."""
    sheet, _ = read_sheet(
        text.encode(), f"{realm}.yaml", world=world, rules=rules(), atlas=atlas(), game="test", realm=realm
    )
    return sheet


def played(world: World, orders: dict[str, str]) -> Played:
    sheets = {realm: understood(world, realm, text) for realm, text in orders.items()}
    ordered = {realm: sheet for realm, sheet in sheets.items() if sheet is not None}
    outcome = play_turn(world, ordered, rules=rules(), atlas=atlas(), seed="stories")
    return Played(world, outcome.state, outcome.events)


def story(turn: Played) -> str:
    """Every event but the dice, which those who are told of them know by heart, and what has become of the
    position.
    """
    lines = [_told(event) for event in turn.events if not isinstance(event, DiceRolled)]
    before, after = map(as_data, (turn.before, turn.world))
    lines += _changes("", before, after)
    return "\n".join(lines) + "\n"


def _told(event: Any) -> str:
    if isinstance(event, BattleFought):
        return f"{event.phase} BattleFought: {event.place}: {event.report.result} {', '.join(event.winners)}"
    fields = {name: getattr(event, name) for name in event.__struct_fields__ if name not in HIDDEN}
    if isinstance(event, OrderSettled):
        return (
            f"{event.phase} {event.audience}: {event.text!r}: {event.fate.value} {event.reason} "
            f"{dict(event.figures)}"
        )
    text = ", ".join(f"{name} {value}" for name, value in fields.items() if name != "phase")
    secret = "" if event.audience == PUBLIC else f" (only {event.audience})"
    return f"{event.phase} {type(event).__name__}{secret}: {text}"


def _changes(name: str, before: Any, after: Any) -> Iterator[str]:
    """What is different, down to the fields of each realm, province and unit."""
    if isinstance(before, dict) and isinstance(after, dict) and name.count("/") < 4:
        for key in dict.fromkeys([*before, *after]):
            yield from _changes(f"{name}/{key}", before.get(key), after.get(key))
    elif before != after:
        yield f"{name}: {json.dumps(after, ensure_ascii=False)}"


def _short(world: World) -> dict[str, Any]:
    """The position as data, without what is as in every new realm, province and unit."""
    data: dict[str, Any] = as_data(world)
    needed: dict[str, tuple[type[Any], dict[str, Any]]] = {
        "realms": (Realm, {"code": "AAA", "name": "", "ruler": "", "treasury": Decimal(0)}),
        "provinces": (Province, {"name": "", "owner": ""}),
        "units": (Unit, {"realm": "", "kind": UnitKind.ARMY, "number": 0, "place": ""}),
    }
    for kind, (made, fields) in needed.items():
        usual = as_data(made(**fields))
        data[kind] = {
            key: {name: value for name, value in entry.items() if name in fields or value != usual[name]}
            for key, entry in data[kind].items()
        }
    return data


def _written(data: Any, depth: int = 0) -> str:
    """The data as JSON, with a line for each realm, province, unit and order."""
    if depth > 2 or not data or isinstance(data, str | int):
        return json.dumps(data, ensure_ascii=False)
    parts = (
        [f"{json.dumps(key)}: {_written(child, depth + 1)}" for key, child in data.items()]
        if hasattr(data, "items")
        else [json.dumps(child, ensure_ascii=False) for child in data]
    )
    opening, closing = "{}" if hasattr(data, "items") else "[]"
    return f"{opening}\n" + ",\n".join(parts) + f"\n{closing}"


@cache
def _sources() -> list[str]:
    import gm.games.medieval.steps as steps

    return [f"{Path(folder) / '*'}" for folder in steps.__path__]


def draw_turns(count: int) -> None:
    """Draw so many positions with orders, and keep those that show something new, the richest first."""
    from coverage import Coverage
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import strategies as st

    from tests.medieval.order_files import as_file
    from tests.medieval.ordering import all_orders
    from tests.medieval.positions import worlds

    turns: list[tuple[set[Any], World, dict[str, str]]] = []

    @settings(
        max_examples=count, derandomize=True, database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(st.data())
    def look(data: Any) -> None:
        world = data.draw(worlds())
        orders = {realm: as_file(sheet) for realm, sheet in data.draw(all_orders(world)).items()}
        coverage = Coverage(data_file=None, config_file=False, branch=True, include=_sources())
        coverage.set_option("run:disable_warnings", ["no-data-collected"])
        coverage.start()
        turn = played(world, orders)
        coverage.stop()
        lines = coverage.get_data()
        shows = {(Path(path).name, *arc) for path in lines.measured_files() for arc in lines.arcs(path) or ()}
        shows |= {
            (type(event).__name__, getattr(event, "reason", ""), event.phase > 1) for event in turn.events
        }
        turns.append((shows, world, orders))

    look()
    seen: set[Any] = set()
    TURNS.mkdir(parents=True, exist_ok=True)
    for old in TURNS.glob("*"):
        old.unlink()
    for number in range(1, ENOUGH + 1):
        shows, world, orders = max(turns, key=lambda turn: len(turn[0] - seen))
        if not shows - seen:
            # every one shows nothing new: another round, for the same seen from another side
            seen = set()
            shows, world, orders = max(turns, key=lambda turn: len(turn[0] - seen))
        seen |= shows
        turns = [turn for turn in turns if turn[1] is not world]
        kept = {
            "world": _short(world),
            "orders": {realm: text.splitlines() for realm, text in orders.items()},
        }
        if number <= READABLE:
            (TURNS / f"{number:02}.json").write_text(_written(kept) + "\n", encoding="utf-8")
            continue
        with POSITIONS.open("a", encoding="utf-8") as positions:
            positions.write(json.dumps({"number": number, **kept}, ensure_ascii=False) + "\n")
        with (TURNS / HASHES).open("a", encoding="utf-8") as hashes:
            hashes.write(f"{'0' * 64}  {number:02}.txt\n")


if __name__ == "__main__":
    draw_turns(int(sys.argv[1]))
