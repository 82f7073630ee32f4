"""The turn's orders as they were executed, one after another, with losses and draws (CQ-22.5)."""

from __future__ import annotations

from gm.game.base.hooks import Scene
from gm.game.base.views import Cell, Folded, Grid, Part, Shown
from gm.games.conqueror.events import Cancelled, Fought, Moved, Rebelled
from gm.games.conqueror.state import NEUTRAL, World

NOTHING = "–"


def execution(scene: Scene) -> list[Part]:
    """The log, and the duels of each battle; empty when nothing was executed."""
    rows: list[list[Shown]] = []
    duels: list[list[Shown]] = []
    for event in scene.events():
        if isinstance(event, Moved):
            rows.append(_row(scene, event, event.armies, Cell("moved", tone="soft"), NOTHING, NOTHING))
        elif isinstance(event, Cancelled):
            why = scene.tell.reason(event.why, {"source": event.source, "target": event.target})[1]
            rows.append(_row(scene, event, event.armies, Cell(f"cancelled: {why}", tone="warn"), NOTHING, NOTHING))
        elif isinstance(event, Fought):
            result = Cell("taken", tone="good") if event.taken else Cell("beaten off", tone="bad")
            armies = f"{event.armies} against {event.defenders}"
            rows.append(_row(scene, event, armies, result, _losses(event.field), _losses(event.siege)))
            duels.append(_duels(scene, f"{event.number}.", event.target, event.draws))
        elif isinstance(event, Rebelled):
            duels.append(_duels(scene, "Rebels in", event.province, event.draws))
    found: list[Part] = []
    if rows:
        columns = ("Order", "Whose", "Armies", "Result", "Lost in the field", "Lost in the siege")
        found.append(Grid(columns, rows, "In the order in which stacks were drawn"))
    if any(row[1] for row in duels):
        heads = ("Where", "What was drawn")
        caption = "The defender wins a duel on 11 or less of 21 in the field, on more behind walls."
        found.append(Folded("Every duel", [Grid(heads, [row for row in duels if row[1]], caption)]))
    return found


def _row(
    scene: Scene, event: Moved | Cancelled | Fought, armies: Shown, result: Cell, field: str, siege: str
) -> list[Shown]:
    state: World = scene.after
    owner = Cell(state.parties[event.owner].name, colour=state.parties[event.owner].colour)
    where = f"{event.number}. {scene.tell.called(event.source)} → {scene.tell.called(event.target)}"
    if isinstance(event, Fought) and event.defender != NEUTRAL:
        where += f" ({state.parties[event.defender].name})"
    return [where, owner, armies, result, field, siege]


def _losses(pair: tuple[int, int]) -> str:
    return f"{pair[0]} : {pair[1]}" if any(pair) else NOTHING


def _duels(scene: Scene, which: str, where: str, draws: tuple[str, ...]) -> list[Shown]:
    return [f"{which} {scene.tell.called(where)}", ", ".join(draws)]
