"""Cases of the small games' rules as data (``cases/GAME-*.yaml``): a position, order files, and all that
comes of them.

A case names its sentence and clauses, the ``start`` as the game's test helpers build it, and what stands
below the head of each party's file; ``then`` are the files of later turns. Its ``outcome`` has, turn by turn,
what was found in files, every event but the dice, and every change of the position.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gm.core.codec import json_line as logged
from gm.core.diagnostics import Diagnostic
from gm.core.values import PUBLIC, DiceRolled, Event
from gm.core.yaml.models import load_data
from gm.game.base.events import LineSettled
from gm.game.base.small_game import SmallGame
from gm.game.values import GameData
from gm.games import game_spec
from tests.conqueror.turns import position as conqueror_position
from tests.conquest_fields.matches import begun, small_table
from tests.conquest_fields.matches import table as fields_table
from tests.conquest_structures.field import Field
from tests.conquestination.campaigns import position as conquestination_position
from tests.medieval.cases import HIDDEN, Case, changes, figures, shown

CASES = Path(__file__).with_name("cases")


def all_cases() -> Iterator[Case]:
    """Every case of every file."""
    for file in sorted(CASES.glob("*.yaml")):
        yield from (Case(file, fields["case"], fields) for fields in load_data(file)[0])


def started(file: Path, start: Mapping[str, Any]) -> tuple[SmallGame[Any], GameData, Any]:
    """The game of a file of cases, and the position that a case begins with."""
    name = file.stem.partition(".")[0]
    position = dict(start)
    spec: Any = game_spec(name)
    if name == "conquest-structures":
        field = Field(position.get("owners"), players=position.get("players", 2))
        for words in position.get("units", ()):
            place, what, *more = words.split()
            details = dict(pair.split("=") for pair in more)
            field.put(
                place,
                what,
                **{key: int(detail) if detail.isdigit() else detail for key, detail in details.items()},
            )
        settings = field.state.settings.evolve(**position.get("settings", {}))
        return spec, field.table, field.state.evolve(settings=settings)
    if name == "conquestination":
        where = position.pop("where")
        board = position.get("name", "test-5")
        return spec, spec.shipped_table(board), conquestination_position(where, **position)
    if name == "conquest-fields":
        table = (
            small_table(*position["rows"])
            if "rows" in position
            else fields_table(position.get("board", "squares4-6x6"))
        )
        return spec, table, begun(table, **position.get("settings", {}))
    if position.pop("quiet", False):
        # little happens by itself: nobody but players builds, and no culture wins its neighbours
        position["given"] = {"neutrals_build": False, "influence_cap": 0, **position.get("given", {})}
    return spec, spec.shipped_table("duchies"), conqueror_position(**position)


def outcome_of(case: Case) -> list[str]:
    """What comes of a case, a line for each finding, event and change.

    No step may change what it is given.
    """
    spec, table, state = started(case.file, case.fields.get("start", {}))
    lines: list[str] = []
    for number, files in enumerate((case.fields.get("orders", {}), *case.fields.get("then", ()))):
        lines += [f"then turn {number + 1}"] if number else []
        sheets = {}
        for party, text in files.items():
            head = f"game: g\nturn: {spec.quoted(state)}\nplayer: {party.lower()}\n"
            data = (head + text).encode()
            reading = spec.read_orders(table, state, data, party, game="g", realm=party, key=None)
            lines += [f"{party}:{finding(diagnostic)}" for diagnostic in reading.diagnostics]
            sheets |= {party: reading.sheet} if reading.sheet is not None else {}
        before = json.dumps(spec.record(state))
        outcome = spec.play(table, state, sheets, str(case.fields.get("seed", "seed")))
        assert json.dumps(spec.record(state)) == before, "a step changed its input"
        assert list(spec.broken(table, outcome.state)) == []
        lines += [event_line(event) for event in outcome.events if not isinstance(event, DiceRolled)]
        state = outcome.state
        last = json.loads(json.dumps(spec.record(state)))
        lines += [f"{' '.join(path)}: {shown(value)}" for path, value in changes(json.loads(before), last)]
    return lines


def finding(diagnostic: Diagnostic) -> str:
    """Where something was found in a file, and what."""
    text = (
        f"{diagnostic.line}:{diagnostic.column} {diagnostic.severity} {diagnostic.clause}: "
        f"{diagnostic.message}"
    )
    return f"{text}; {diagnostic.suggestion}" if diagnostic.suggestion else text


def event_line(event: Event) -> str:
    """An event with its figures, and who alone is told of it."""
    if isinstance(event, LineSettled):
        why = f" {event.reason} {figures(event.figures)}" if event.reason else ""
        return f"{event.audience} {event.text!r}: {event.fate.value}{why}".rstrip()
    secret = "" if event.audience == PUBLIC else f" (only {event.audience})"
    fields = {
        name: detail for name, detail in json.loads(logged(event)).items() if name not in HIDDEN | {"event"}
    }
    return f"{event.kind}{secret} {shown(fields)}".rstrip()
