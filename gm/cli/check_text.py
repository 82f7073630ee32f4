"""What ``gm check`` found, for a terminal of any width: findings, orders, plan by phase, treasury, verdict."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

import click

from gm.cli.shared import counted
from gm.core.diagnostics import PRINTED, printable
from gm.text.pages import gold

if TYPE_CHECKING:
    from gm.cli.checking import Checked
    from gm.core.diagnostics import Diagnostic
    from gm.game.preview import BookLine, PhasePlan, TriedOrder, Whereabouts

_COLOURS = {"failed": "red", "reduced": "yellow", "open": "cyan"}
_NARROWEST, _WIDEST = 40, 100
_FREE = "free"


def check_text(checked: Checked, columns: int, *, on_terminal: bool = False) -> str:
    """Everything that was found, for a terminal of so many columns; the verdict comes last, next to the prompt.

    Only ``on_terminal`` are the findings broken into lines too: a program that reads them wants one line for each.
    """
    width = max(_NARROWEST, min(columns, _WIDEST))
    preview = checked.preview
    parts = [
        list(_findings(checked.diagnostics, width if on_terminal else 0)),
        list(_orders(preview.orders, width, _FREE if preview.plan else "done")),
        list(_plan(preview.plan, preview.ordered, width)),
        list(_books(preview.books, preview.sums, width)),
        [f"{checked.file}: {_verdict(checked)}"],
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def _findings(findings: Sequence[Diagnostic], width: int) -> Iterator[str]:
    for each in findings[:PRINTED]:
        if not width:
            yield each.render(colour=True)
            continue
        head, *excerpt = each.render(excerpt_limit=width - _MARGIN).split("\n")
        label = f"{each.severity}[{each.code}]"
        text = textwrap.fill(head, width, subsequent_indent="  ", break_on_hyphens=False)
        yield text.replace(label, click.style(label, fg="red" if each.is_error else "yellow", bold=True), 1)
        yield from excerpt
    if len(findings) > PRINTED:
        yield f"... and {len(findings) - PRINTED} more"


_MARGIN = 12
"""Columns that a line's number and the signs around an excerpt take."""


def _verdict(checked: Checked) -> str:
    if checked.reading.sheet is None:
        return click.style("it cannot be taken as it is.", fg="red")
    if checked.errors:
        text = f"{counted(checked.errors, 'order is', 'orders are')} refused; the others stand."
        return click.style(text, fg="red")
    if checked.warnings:
        return click.style(f"readable, with {counted(checked.warnings, 'warning')}.", fg="yellow")
    return click.style("nothing to complain about.", fg="green")


def _title(text: str, width: int) -> str:
    return click.style(textwrap.fill(text, width), bold=True)


# -- orders ------------------------------------------------------------------------------------------------------------


def _orders(orders: Sequence[TriedOrder], width: int, gratis: str) -> Iterator[str]:
    """Each order with its line in the file, its fate and its cost at the right; ``gratis`` is said where it has none:
    in a game without a treasury nothing is bought."""
    if not orders:
        return
    yield _title("Your orders, tried without those of the others", width)
    numbers = max(4, *(len(str(each.line)) for each in orders))
    yield f"  {'line':>{numbers}}"
    for each in orders:
        fate = _fate(each, gratis)
        room = max(16, width - numbers - len(fate) - 6)
        text = textwrap.wrap(printable(each.order), room, subsequent_indent="  ") or [""]
        style = _COLOURS.get("open" if each.open else each.fate)
        yield f"  {each.line:>{numbers}}  {text[0]:<{room}}  {click.style(fate, fg=style)}"
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


def _plan(plan: Sequence[PhasePlan], ordered: Sequence[str], width: int) -> Iterator[str]:
    """A row for each unit, a column for each phase: place, move-points left, and the fleet that it is aboard of."""
    if not ordered:
        return
    phases = list(_told(plan, ordered))
    label = max(len(_id(key)) for key in ordered)
    columns = [_column(phase, ordered, earlier) for phase, earlier in zip(phases, [None, *phases], strict=False)]
    yield _title("Who is where in each phase, with how many move-points left", width)
    for number, group in enumerate(_fitting(columns, width - label - 2)):
        if number:
            yield ""
        yield from _rows(group, [_id(key) for key in ordered], label)


def _told(plan: Sequence[PhasePlan], ordered: Sequence[str]) -> Iterator[PhasePlan]:
    """The phases up to the last in which one of these units changed."""
    seen = [[phase.units.get(key) for key in ordered] for phase in plan]
    last = max((number for number in range(1, len(seen)) if seen[number] != seen[number - 1]), default=0)
    yield from plan[: last + 1]


def _id(key: str) -> str:
    return key.rpartition("/")[2]


def _column(phase: PhasePlan, ordered: Sequence[str], earlier: PhasePlan | None) -> list[list[str]]:
    """The heading and each unit's cell: lines of text."""
    heading = f"phase {phase.phase}" if phase.phase else "start"
    before = earlier.units if earlier is not None else {}
    return [[heading], *(_cell(phase.units.get(key), key in before) for key in ordered)]


def _cell(at: Whereabouts | None, was: bool) -> list[str]:
    if at is None:
        return ["gone" if was else ""]
    aboard = [f"aboard {_id(at.aboard)}"] if at.aboard else []
    return [f"{at.place} {at.moves}", *aboard]


def _fitting(columns: Iterable[list[list[str]]], width: int) -> Iterator[list[list[list[str]]]]:
    """The columns in groups that fit into the width; a column that is too wide has a group of its own."""
    group: list[list[list[str]]] = []
    used = 0
    for column in columns:
        needed = _wide(column) + 2
        if group and used + needed > width:
            yield group
            group, used = [], 0
        group.append(column)
        used += needed
    yield group


def _wide(column: list[list[str]]) -> int:
    return max(len(line) for cell in column for line in cell)


def _rows(columns: list[list[list[str]]], labels: Sequence[str], label: int) -> Iterator[str]:
    widths = [_wide(column) for column in columns]
    for row, name in enumerate(["", *labels]):
        cells = [column[row] for column in columns]
        for line in range(max(map(len, cells))):
            texts = [cell[line] if line < len(cell) else "" for cell in cells]
            padded = "  ".join(f"{text:<{wide}}" for text, wide in zip(texts, widths, strict=True))
            yield f"  {'' if line else name:<{label}}  {padded}".rstrip()


# -- the treasury ------------------------------------------------------------------------------------------------------


def _books(books: Sequence[BookLine], sums: Sequence[tuple[str, Decimal]], width: int) -> Iterator[str]:
    """What the orders cost line by line, with the balance after each."""
    if not books:
        return
    money = _money([*(line.balance for line in books), *(line.amount or Decimal(0) for line in books)])
    amounts = ["" if line.amount is None else money(line.amount) for line in books]
    balances = [money(line.balance) for line in books]
    wide, wider = max(4, *map(len, amounts)), max(7, *map(len, balances))
    room = min(max(len(line.says) for line in books), width - wide - wider - 6)
    yield _title("The treasury, as far as gold can be foreseen", width)
    yield f"  {'':<{room}}  {'gold':>{wide}}  {'balance':>{wider}}"
    for line, amount, balance in zip(books, amounts, balances, strict=True):
        *above, last = textwrap.wrap(line.says, room, subsequent_indent="  ")
        yield from (f"  {part}" for part in above)
        colour = "red" if line.balance < 0 else None
        row = f"  {last:<{room}}  {amount:>{wide}}  {balance:>{wider}}"
        yield click.style(row, fg=colour, bold=line.total or None) if colour or line.total else row
    if not sums:
        return
    spent = ", ".join(f"{what} {money(amount)}" for what, amount in sums)
    yield from (f"  {line}" for line in textwrap.wrap(f"In all: {spent}.", width - 2))


class _money:  # noqa: N801 - used as a function
    """Amounts of one table: all with two decimals, or none when none has cents."""

    def __init__(self, amounts: Iterable[Decimal]) -> None:
        self._cents = any(amount != amount.to_integral_value() for amount in amounts)

    def __call__(self, amount: Decimal) -> str:
        shown = f"{abs(amount):,.2f}" if self._cents else f"{abs(amount):,.0f}"
        return f"−{shown}" if amount < 0 else shown
