"""Results files of small games (:mod:`gm.text.layout`): a head, the position as its reader may know it, what is his
alone."""

from __future__ import annotations

from typing import Any

from gm.core.codec import to_plain
from gm.core.events import Event
from gm.game.base.events import LineSettled
from gm.game.base.hooks import Scene
from gm.game.results import FORMAT, by_step, finding_record
from gm.store.rolls import own_rolls
from gm.text.layout import block, entry, flow, items, section


def results_text(scene: Scene) -> str:
    """The results file of the scene's party."""
    spec, result, party = scene.spec, scene.result, scene.code
    board = block(scene.table.board.model_dump(mode="json"), 2) if spec.own_board(scene.table) else []
    told = by_step((event, f"    - {flow(_event(scene, event))}") for event in scene.events())
    lines = [
        "# The results of one turn. One item a line, each in JSON.",
        entry("results", FORMAT),
        entry("rules", spec.key),
        entry("game", result.game),
        entry("map", scene.table.board.name),
        entry("realm", party),
        entry("player", party),
        entry("turn", scene.turn),
        entry("key", result.keys.get(party, "")),
        entry("next_turn", spec.quoted(result.after)),
        entry("orders_received", party in result.sheets),
        entry("next_deadline", result.deadline),
        entry("next_seal", result.next_seal),
        entry("dice", result.proof.record() if result.proof else None),
        entry("tally", result.tally),
        *section("position", block(spec.record(scene.after), 2), 0, "{}"),
        *(section("board", board, 0, "{}") if spec.own_board(scene.table) else []),
        "private:",
        *section("orders", items((_outcome(scene, each) for each in scene.settled()), 4), 2, "[]"),
        *section("refused", items(map(finding_record, result.findings(party)), 4), 2, "[]"),
        *section("set_aside", items(map(finding_record, result.set_aside.get(party, ())), 4), 2, "[]"),
        *section("rolls", items(own_rolls(result.events, party), 4), 2, "[]"),
        *section("events", [line for heading, lines in told.items() for line in (heading, *lines)], 0, "{}"),
    ]
    return "\n".join(lines) + "\n"


def _outcome(scene: Scene, event: LineSettled) -> dict[str, Any]:
    """What became of a line, for programs."""
    found = {"line": event.line, "column": event.column, "order": event.text, "fate": event.fate.value}
    if event.reason:
        clause, says = scene.reason(event)
        found |= {"clause": clause, "reason": event.reason, "says": says, "figures": to_plain(event.figures)}
    return found


def _event(scene: Scene, event: Event) -> dict[str, Any]:
    found = {name: each for name, each in to_plain(event).items() if name not in Event.__struct_fields__}
    says = scene.says(event)
    return {**found, "says": says} if says else found
