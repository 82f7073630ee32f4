"""Results files of small games: a head, the position as its reader may know it, what is his alone, and what happened.

The layout is that of :mod:`gm.text.layout`: YAML that any reader reads, one item a line.
"""

from __future__ import annotations

from typing import Any

from gm.core.diagnostics import Diagnostic, SourceError
from gm.core.events import Event, event_record
from gm.core.plain_data import plain
from gm.game.base.events import LineSettled
from gm.game.base.scene import Scene
from gm.game.results import by_step, finding_record, read_data
from gm.store.rolls import own_rolls
from gm.text.layout import block, entry, flow, items, section

FORMAT = 1
"""The version of the format. A reader refuses a higher one."""
_HEAD = ("game", "realm", "turn", "key", "map")


def results_text(scene: Scene) -> str:
    """The results file of the scene's party."""
    spec, played, party = scene.spec, scene.played, scene.party or ""
    reading = played.readings.get(party)
    lines = [
        "# The results of one turn. One item a line, each in JSON.",
        entry("results", FORMAT),
        entry("rules", spec.key),
        entry("game", played.game),
        entry("map", scene.table.board.name),
        entry("realm", party),
        entry("player", party),
        entry("turn", scene.turn),
        entry("key", played.keys.get(party, "")),
        entry("next_turn", spec.quoted(played.after)),
        entry("orders_received", reading is not None and reading.sheet is not None),
        entry("next_deadline", played.deadline),
        entry("next_seal", played.next_seal),
        entry("dice", played.proof.model_dump(mode="json") if played.proof else None),
        entry("tally", played.tally),
        *section("position", block(spec.record(scene.after), 2), 0, "{}"),
        *_own_board(scene),
        "private:",
        *section("orders", items((outcome(scene, each) for each in scene.settled()), 4), 2, "[]"),
        *section("refused", items(map(finding_record, refused(scene)), 4), 2, "[]"),
        *section("set_aside", items(map(finding_record, played.set_aside.get(party, ())), 4), 2, "[]"),
        *section("rolls", items(own_rolls(played.events, party), 4), 2, "[]"),
        *section("events", _events(scene), 0, "{}"),
    ]
    return "\n".join(lines) + "\n"


def refused(scene: Scene) -> tuple[Diagnostic, ...]:
    """What the reader of the party's order file could not take as it was, and what it remarked."""
    reading = scene.played.readings.get(scene.party or "")
    return reading.diagnostics if reading is not None else ()


def outcome(scene: Scene, event: LineSettled) -> dict[str, Any]:
    """What became of a line, for programs."""
    found = {"line": event.line, "column": event.column, "order": event.text, "fate": event.fate.value}
    if event.reason:
        clause, says = scene.tell.reason(event.reason, event.figures)
        found |= {"clause": clause, "reason": event.reason, "says": says, "figures": plain(event.figures)}
    return found


def _own_board(scene: Scene) -> list[str]:
    """The map, where it has no files that a player could have."""
    spec, board = scene.spec, scene.table.board
    if not spec.own_board(scene.table):
        return []
    return section("board", block(board.model_dump(mode="json"), 2), 0, "{}")


def _events(scene: Scene) -> list[str]:
    """What happened, step by step."""
    told = by_step((event, f"    - {flow(_event(scene, event))}") for event in scene.events())
    return [line for heading, lines in told.items() for line in (heading, *lines)]


def _event(scene: Scene, event: Event) -> dict[str, Any]:
    found = {name: each for name, each in event_record(event).items() if name not in Event.__dataclass_fields__}
    says = scene.says(event)
    return {**found, "says": says} if says else found


def read_results(data: bytes, file: str, game: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any] | None]:
    """(head, position, board if the map has no files) of a results file of a game.

    Raises ``ValueError`` for what is none, and for one of a newer format.
    """
    try:
        found = read_data(data, file)
    except SourceError as error:
        raise ValueError(str(error)) from None
    if found.get("rules") != game or not isinstance(found.get("position"), dict):
        raise ValueError(f"{file} is no results file of this game")
    if found.get("results") != FORMAT:
        raise ValueError(f"{file} has results format {found.get('results')}; this program reads format {FORMAT}")
    board = found.get("board")
    return {name: found.get(name) for name in _HEAD}, found["position"], board if isinstance(board, dict) else None
