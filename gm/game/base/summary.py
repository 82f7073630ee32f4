"""The turn for the game master: who sent what, what came of it, how the parties stand, and what wants a look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from gm.core.events import GM, PUBLIC, DiceRolled, PhaseLimitReached
from gm.game.base.events import Fate, LineSettled
from gm.game.base.page import page_html
from gm.game.base.scene import Scene, scene_of
from gm.game.base.views import Cell, Grid, Page, Section, Shown, Story, told
from gm.game.spec import GameData
from gm.game.turn_result import TurnResult
from gm.text.pages import figure

if TYPE_CHECKING:
    from gm.game.base.game import BaseGame

WORDS = ("Player", "Orders", "status")
"""The columns that hold no numbers."""
FEW_LINES = 3
"""A file with fewer may well fail as a whole."""


def warnings(played: TurnResult) -> tuple[str, ...]:
    """A sentence for each, parties by code."""
    given, failed = Counter[str](), Counter[str]()
    for event in played.events:
        if isinstance(event, LineSettled):
            given[event.audience] += event.fate is not Fate.SKIPPED
            failed[event.audience] += event.fate is Fate.FAILED
    found = [
        f"all {given[code]} orders of {played.after.parties[code].name} failed"
        for code in sorted(given)
        if given[code] >= FEW_LINES and failed[code] == given[code]
    ]
    if any(isinstance(event, PhaseLimitReached) for event in played.events):
        found.append("a repeated step was ended by the guard on its rounds, which should never happen")
    return tuple(found)


def rounded(value: float) -> str:
    """A figure with two decimals at most."""
    return figure(Decimal(str(round(value, 2))))


def file_status(spec: BaseGame[Any], table: GameData, played: TurnResult, code: str) -> str:
    """What became of a party's order file."""
    reading = played.readings.get(code)
    if reading is None or reading.sheet is None:
        if played.set_aside.get(code):
            return "set aside"
        return "not asked" if code in spec.waiting(table, played.before) else "none"
    return "late" if reading.sheet.late else "in time"


def _rows(spec: BaseGame[Any], table: GameData, played: TurnResult) -> tuple[list[str], list[list[str]]]:
    """(columns, rows) of the parties with their orders and figures."""
    fates: Counter[tuple[str, Fate]] = Counter()
    for event in played.events:
        if isinstance(event, LineSettled):
            fates[event.audience, event.fate] += 1
    shown = [fate for fate in Fate if fate is not Fate.SKIPPED or spec.skips]
    figures = spec.figures(table, played.after)
    names = list(next(iter(figures.values()), {}))
    rows = []
    for code, party in played.after.parties.items():
        reading = played.readings.get(code)
        rows.append(
            [
                party.name,
                file_status(spec, table, played, code),
                *(str(fates[code, fate]) for fate in shown),
                str(reading.errors if reading else 0),
                party.status,
                *(rounded(figures[code][name]) if code in figures else "" for name in names),
            ]
        )
    return ["Player", "Orders", *(fate.value for fate in shown), "refused", "status", *names], rows


def _flags(scene: Scene) -> Iterator[str]:
    """What is for the game master alone, and why files were set aside."""
    for event in scene.played.events:
        if event.audience == GM and not isinstance(event, DiceRolled):
            yield scene.says(event)
    for code, found in sorted(scene.played.set_aside.items()):
        if found:
            yield f"{scene.played.after.parties[code].name}: a file was set aside: {found[0].message}."
    yield from (f"{each[:1].upper()}{each[1:]}." for each in warnings(scene.played))


def _news(scene: Scene) -> list[str]:
    found = (scene.says(event) for event in scene.played.events if event.audience == PUBLIC)
    return [each for each in found if each]


def summary_text(spec: BaseGame[Any], table: GameData, played: TurnResult) -> str:
    """The summary for a terminal or a mail."""
    return "\n".join(summary_lines(spec, table, played)) + "\n"


def summary_lines(spec: BaseGame[Any], table: GameData, played: TurnResult) -> list[str]:
    """The same line by line."""
    scene = scene_of(spec, table, played, None)
    lines = [f"{table.board.title}, {spec.label(played.after)}"]
    if played.deadline and played.after.winners is None:
        lines.append(f"Next orders are due {played.deadline}.")
    columns, rows = _rows(spec, table, played)
    widths = [max(len(row[at]) for row in [columns, *rows]) for at in range(len(columns))]
    lines.append("")
    for row in [columns, *rows]:
        cells = (c.ljust(w) if head in WORDS else c.rjust(w) for head, c, w in zip(columns, row, widths, strict=True))
        lines.append("  ".join(cells).rstrip())
    for title, found in (("To look at", [each for each in _flags(scene) if each]), ("What happened", _news(scene))):
        if found:
            lines += ["", f"{title}:", *(f"  - {each}" for each in found)]
    return lines


def summary_html(spec: BaseGame[Any], table: GameData, played: TurnResult) -> str:
    """The page."""
    from gm.game.base.views import Picture
    from gm.game.spec import MapView

    scene = scene_of(spec, table, played, None)
    columns, rows = _rows(spec, table, played)
    cells: list[list[Shown]] = [
        [Cell(row[0], colour=party.colour), *row[1:]]
        for row, party in zip(rows, played.after.parties.values(), strict=True)
    ]
    drawing = spec.draw(table, played.after, MapView(events=played.events))
    flags = [each for each in _flags(scene) if each]
    numbers = [each for each in columns if each not in WORDS]
    sections = [
        Section("flags", "To look at", [Story("For you alone", told(flags), "Nothing wants your attention.")]),
        Section("parties", "The players", [Grid(columns, cells, numbers=numbers)]),
        Section("map", "The map", [Picture(drawing, f"The map after {spec.label(played.after)}")]),
        Section("turn", "What happened", [Story("For everybody", told(_news(scene)), "Nothing happened.")]),
    ]
    page = Page(
        title=f"{table.board.title}, {spec.label(played.after)}",
        over="For the game master",
        under=f"{spec.title}{f' · next orders due {played.deadline}' if played.deadline else ''}",
        sections=sections,
        styles=spec.page_styles,
        foot=("This page holds what is secret between the players: it is for the game master alone.",),
    )
    return page_html(spec.key, page)
