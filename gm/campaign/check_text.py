"""The result of a check as text of any width: findings, orders, plan by phase, treasury, verdict."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Protocol

from gm.core.diagnostics import PRINTED, printable
from gm.text.pages import counted, gold

if TYPE_CHECKING:
    from gm.campaign.check import CheckResult
    from gm.core.diagnostics import Diagnostic
    from gm.game.answers import BookLine, PhasePlan, TriedOrder, Whereabouts


class Style(Protocol):
    """Marks a text with a terminal's colours, like ``click.style``."""

    def __call__(self, text: str, *, fg: str | None = None, bold: bool | None = None) -> str: ...


def unstyled(text: str, *, fg: str | None = None, bold: bool | None = None) -> str:
    """For plain text: no colours."""
    return text


Cell = list[str]
"""A cell of the plan: its lines."""

_COLOURS = {"failed": "red", "reduced": "yellow", "open": "cyan"}
_NARROWEST, _WIDEST = 40, 100
_FREE = "free"
_MARGIN = 12
"""Columns that a line's number and the signs around an excerpt take."""


def check_text(checked: CheckResult, columns: int, *, style: Style = unstyled, on_terminal: bool = False) -> str:
    """Everything that was found, for a terminal of so many columns; the verdict comes last, next to the prompt.

    Only ``on_terminal`` are the findings broken into lines too: a program that reads them wants one line for each.
    """
    width = max(_NARROWEST, min(columns, _WIDEST))
    preview = checked.preview
    parts = [
        list(_findings(checked.diagnostics, width if on_terminal else 0, style)),
        list(_orders(preview.orders, width, _FREE if preview.plan else "done", style)),
        list(_plan(preview.plan, preview.ordered, width, style)),
        list(_books(preview.books, preview.sums, width, style)),
        [f"{checked.file}: {_verdict(checked, style)}"],
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def _findings(findings: Sequence[Diagnostic], width: int, style: Style) -> Iterator[str]:
    for each in findings[:PRINTED]:
        if not width:
            yield each.render(colour=style is not unstyled)
            continue
        head, *excerpt = each.render(excerpt_limit=width - _MARGIN).split("\n")
        label = f"{each.severity}[{each.code}]"
        text = textwrap.fill(head, width, subsequent_indent="  ", break_on_hyphens=False)
        yield text.replace(label, style(label, fg="red" if each.is_error else "yellow", bold=True), 1)
        yield from excerpt
    if len(findings) > PRINTED:
        yield f"... and {len(findings) - PRINTED} more"


def _verdict(checked: CheckResult, style: Style) -> str:
    if checked.reading.sheet is None:
        return style("it cannot be taken as it is.", fg="red")
    if checked.errors:
        return style(f"{counted(checked.errors, 'order is', 'orders are')} refused; the others stand.", fg="red")
    if checked.warnings:
        return style(f"readable, with {counted(checked.warnings, 'warning')}.", fg="yellow")
    return style("nothing to complain about.", fg="green")


def _orders(orders: Sequence[TriedOrder], width: int, gratis: str, style: Style) -> Iterator[str]:
    """Each order with its line in the file, its fate and its cost at the right; ``gratis`` is said where it has none:
    in a game without a treasury nothing is bought."""
    if not orders:
        return
    yield style(textwrap.fill("Your orders, tried without those of the others", width), bold=True)
    numbers = max(4, *(len(str(each.line)) for each in orders))
    yield f"  {'line':>{numbers}}"
    for each in orders:
        fate = _fate(each, gratis)
        room = max(16, width - numbers - len(fate) - 6)
        text = textwrap.wrap(printable(each.order), room, subsequent_indent="  ") or [""]
        colour = _COLOURS.get("open" if each.open else each.fate)
        yield f"  {each.line:>{numbers}}  {text[0]:<{room}}  {style(fate, fg=colour)}"
        yield from (f"  {'':>{numbers}}  {more}" for more in text[1:])


def _fate(order: TriedOrder, gratis: str) -> str:
    costs = ", ".join(_costs(order))
    if order.open:
        return f"{costs or gratis}, if {order.hangs_on} agree"
    if order.fate == "skipped":
        return f"skipped ({order.clause})"
    if order.fate == "failed":
        return f"fails ({order.clause})"
    if order.fate == "reduced":
        price = costs or (gratis if gratis == _FREE else "")
        return f"{price}{', ' if price else ''}reduced ({order.clause})"
    return costs or gratis


def _costs(order: TriedOrder) -> Iterator[str]:
    if order.gold:
        yield f"{gold(order.gold)} gold" if order.gold > 0 else f"brings {gold(-order.gold)} gold"
    if order.moves:
        yield counted(order.moves, "move-point")


# -- the plan by phase -------------------------------------------------------------------------------------------------


def _plan(plan: Sequence[PhasePlan], ordered: Sequence[str], width: int, style: Style) -> Iterator[str]:
    """A row for each unit, a column for each phase up to the last in which one of them changed: place, move-points
    left, and the fleet that it is aboard of."""
    if not ordered:
        return
    seen = [[phase.units.get(key) for key in ordered] for phase in plan]
    last = max((number for number in range(1, len(seen)) if seen[number] != seen[number - 1]), default=0)
    phases = plan[: last + 1]
    labels = [_id(key) for key in ordered]
    label = max(map(len, labels))
    columns = [_column(phase, ordered, earlier) for phase, earlier in zip(phases, [None, *phases], strict=False)]
    yield style(textwrap.fill("Who is where in each phase, with how many move-points left", width), bold=True)
    for number, group in enumerate(_fitting(columns, width - label - 2)):
        if number:
            yield ""
        yield from _rows(group, labels, label)


def _id(key: str) -> str:
    return key.rpartition("/")[2]


def _column(phase: PhasePlan, ordered: Sequence[str], earlier: PhasePlan | None) -> list[Cell]:
    """The heading and each unit's cell."""
    heading = f"phase {phase.phase}" if phase.phase else "start"
    before = earlier.units if earlier is not None else {}
    return [[heading], *(_cell(phase.units.get(key), key in before) for key in ordered)]


def _cell(at: Whereabouts | None, was: bool) -> Cell:
    if at is None:
        return ["gone" if was else ""]
    aboard = [f"aboard {_id(at.aboard)}"] if at.aboard else []
    return [f"{at.place} {at.moves}", *aboard]


def _fitting(columns: Iterable[list[Cell]], width: int) -> Iterator[list[list[Cell]]]:
    """The columns in groups that fit into the width; a column that is too wide has a group of its own."""
    group: list[list[Cell]] = []
    used = 0
    for column in columns:
        needed = _column_width(column) + 2
        if group and used + needed > width:
            yield group
            group, used = [], 0
        group.append(column)
        used += needed
    yield group


def _column_width(column: list[Cell]) -> int:
    return max(len(line) for cell in column for line in cell)


def _rows(columns: list[list[Cell]], labels: Sequence[str], label: int) -> Iterator[str]:
    widths = [_column_width(column) for column in columns]
    for row, name in enumerate(["", *labels]):
        cells = [column[row] for column in columns]
        for line in range(max(map(len, cells))):
            texts = [cell[line] if line < len(cell) else "" for cell in cells]
            padded = "  ".join(f"{text:<{wide}}" for text, wide in zip(texts, widths, strict=True))
            yield f"  {'' if line else name:<{label}}  {padded}".rstrip()


# -- the treasury ------------------------------------------------------------------------------------------------------


def _books(books: Sequence[BookLine], sums: Sequence[tuple[str, Decimal]], width: int, style: Style) -> Iterator[str]:
    """What the orders cost line by line, with the balance after each; all with two decimals if one has cents."""
    if not books:
        return
    shown = [*(line.balance for line in books), *(line.amount for line in books if line.amount is not None)]
    decimals = 2 if any(amount != amount.to_integral_value() for amount in shown) else 0
    amounts = ["" if line.amount is None else _money(line.amount, decimals) for line in books]
    balances = [_money(line.balance, decimals) for line in books]
    wide, wider = max(4, *map(len, amounts)), max(7, *map(len, balances))
    room = min(max(len(line.says) for line in books), width - wide - wider - 6)
    yield style(textwrap.fill("The treasury, as far as gold can be foreseen", width), bold=True)
    yield f"  {'':<{room}}  {'gold':>{wide}}  {'balance':>{wider}}"
    for line, amount, balance in zip(books, amounts, balances, strict=True):
        *above, last = textwrap.wrap(line.says, room, subsequent_indent="  ")
        yield from (f"  {part}" for part in above)
        colour = "red" if line.balance < 0 else None
        row = f"  {last:<{room}}  {amount:>{wide}}  {balance:>{wider}}"
        yield style(row, fg=colour, bold=line.total or None) if colour or line.total else row
    if sums:
        spent = ", ".join(f"{what} {_money(amount, decimals)}" for what, amount in sums)
        yield from (f"  {line}" for line in textwrap.wrap(f"In all: {spent}.", width - 2))


def _money(amount: Decimal, decimals: int) -> str:
    return f"{'−' if amount < 0 else ''}{abs(amount):,.{decimals}f}"
