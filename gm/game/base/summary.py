"""The turn for the game master: who sent what, what came of it, how the parties stand, and what wants a look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from gm.core.events import GM, PUBLIC, DiceRolled, PhaseLimitReached
from gm.game.base.events import Fate, LineSettled
from gm.game.base.hooks import Scene
from gm.game.values import MapView, TurnResult
from gm.text.pages import figure

WORDS = ("Player", "Orders", "status")
"""The columns that hold no numbers."""
FEW_LINES = 3
"""A file with fewer may well fail as a whole."""


def warnings(result: TurnResult) -> tuple[str, ...]:
    """A sentence for each party whose orders all failed, by code, and for a turn that had to be broken off."""
    given, failed = Counter[str](), Counter[str]()
    for event in result.events:
        if isinstance(event, LineSettled):
            given[event.audience] += event.fate is not Fate.SKIPPED
            failed[event.audience] += event.fate is Fate.FAILED
    found = [
        f"all {given[code]} orders of {result.after.parties[code].name} failed"
        for code in sorted(given)
        if given[code] >= FEW_LINES and failed[code] == given[code]
    ]
    if any(isinstance(event, PhaseLimitReached) for event in result.events):
        found.append("a repeated step was ended by the guard on its rounds, which should never happen")
    return tuple(found)


def rounded(value: float) -> str:
    """A figure with two decimals at most."""
    return figure(Decimal(str(round(value, 2))))


def _file_status(scene: Scene, code: str) -> str:
    """What became of a party's order file."""
    result = scene.result
    if code in result.sheets:
        return "late" if result.sheets[code].late else "in time"
    if result.set_aside.get(code):
        return "set aside"
    return "not asked" if code in scene.spec.waiting(scene.table, result.before) else "none"


def _rows(scene: Scene) -> tuple[list[str], list[list[str]]]:
    """(columns, rows) of the parties with their orders and figures."""
    spec, result = scene.spec, scene.result
    fates = Counter((event.audience, event.fate) for event in result.events if isinstance(event, LineSettled))
    shown = [fate for fate in Fate if fate is not Fate.SKIPPED or spec.skips]
    figures = spec.figures(scene.table, result.after)
    names = list(next(iter(figures.values()), {}))
    rows = [
        [
            party.name,
            _file_status(scene, code),
            *(str(fates[code, fate]) for fate in shown),
            str(len(result.refused(code))),
            party.status,
            *(rounded(figures[code][name]) if code in figures else "" for name in names),
        ]
        for code, party in result.after.parties.items()
    ]
    return ["Player", "Orders", *(fate.value for fate in shown), "refused", "status", *names], rows


def _flags(scene: Scene) -> Iterator[str]:
    """What is for the game master alone, and why files were set aside."""
    for event in scene.result.events:
        if event.audience == GM and not isinstance(event, DiceRolled) and (says := scene.says(event)):
            yield says
    for code, found in sorted(scene.result.set_aside.items()):
        if found:
            yield f"{scene.result.after.parties[code].name}: a file was set aside: {found[0].message}."
    yield from (f"{each[:1].upper()}{each[1:]}." for each in warnings(scene.result))


def _news(scene: Scene) -> list[str]:
    found = (scene.says(event) for event in scene.result.events if event.audience == PUBLIC)
    return [each for each in found if each]


def summary_lines(scene: Scene) -> list[str]:
    """The summary for a terminal or a mail, line by line."""
    after, deadline = scene.result.after, scene.result.deadline
    lines = [f"{scene.table.board.title}, {scene.spec.label(after)}"]
    if deadline and after.winners is None:
        lines.append(f"Next orders are due {deadline}.")
    columns, rows = _rows(scene)
    widths = [max(len(row[at]) for row in [columns, *rows]) for at in range(len(columns))]
    lines.append("")
    for row in [columns, *rows]:
        cells = (c.ljust(w) if head in WORDS else c.rjust(w) for head, c, w in zip(columns, row, widths, strict=True))
        lines.append("  ".join(cells).rstrip())
    for title, found in (("To look at", list(_flags(scene))), ("What happened", _news(scene))):
        if found:
            lines += ["", f"{title}:", *(f"  - {each}" for each in found)]
    return lines


def summary_values(scene: Scene) -> dict[str, Any]:
    """What the page of it asks for by name."""
    columns, rows = _rows(scene)
    drawing = scene.spec.draw(scene.table, scene.result.after, MapView(events=scene.result.events))
    flags, news = ([(each, "") for each in found] for found in (_flags(scene), _news(scene)))
    return {"columns": columns, "rows": rows, "words": WORDS, "drawing": drawing, "flags": flags, "news": news}
