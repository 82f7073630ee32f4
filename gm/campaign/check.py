"""The check of one order file: read as the turn reads it, tried as the turn would carry it out, and told as text."""

import textwrap
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from itertools import zip_longest
from pathlib import Path
from typing import Any

from gm.core.diagnostics import PRINTED, Counted, Diagnostic, printable
from gm.core.orders.keys import key_slip
from gm.core.values import Record
from gm.core.yaml.source import SIZE_LIMIT
from gm.game.answers import PhasePlan, Preview, TriedOrder
from gm.game.spec import GameSpec
from gm.game.values import GameData, ReadOrders
from gm.text.pages import aligned, counted, gold

Style = Callable[..., str]  # marks a text with a terminal's colours, like ``click.style``

_COLOURS = {"failed": "red", "reduced": "yellow"}
_FREE = "free"


class CheckContext(Record):
    """What a file is checked against. ``keys`` are those that are known here; ``realm`` is set for a player."""

    spec: GameSpec[Any]
    table: GameData
    state: Any
    game: str
    keys: dict[str, str]
    realm: str | None = None


class CheckResult(Counted, Record):
    """A file with everything that was found out about it; ``diagnostics`` are in the order of the file."""

    file: Path
    reading: ReadOrders
    diagnostics: tuple[Diagnostic, ...]
    preview: Preview


def check_file(context: CheckContext, file: Path, data: bytes | None = None) -> CheckResult:
    """Read and try one order file, or ``data`` under its name. Raises only ``OSError`` when it is not there."""
    data = read_limited(file, SIZE_LIMIT) if data is None else data
    spec, table, state = context.spec, context.table, context.state

    def read(realm: str | None) -> ReadOrders:
        key = context.keys.get(realm or "")
        return spec.read_orders(table, state, data, str(file), game=context.game, realm=realm, key=key)

    reading, preview = read(context.realm), Preview()
    if context.realm is None and reading.sheet is not None:
        # whose file it is is known now, and with it the key that it must have
        reading = read(reading.realm)
    if reading.sheet is not None:
        preview = spec.preview(table, state, reading.realm, reading.sheet, data, str(file))
    # a doubt about an order that the trial saw fail would only say the same twice
    tried = {(found.line, found.column) for found in preview.findings}
    read_so = [found for found in reading.diagnostics if found.is_error or (found.line, found.column) not in tried]
    asked = reading.sheet is not None and context.realm and not context.keys
    if slip := key_slip(reading.key) if asked else "":
        message = f"the key of this file is not whole: {slip}"
        read_so.append(Diagnostic("warning", "sheet/wrong-key", message, str(file), clause="O7"))
    findings = sorted((*read_so, *preview.findings), key=lambda found: (found.line == 0, found.line, found.column))
    return CheckResult(file, reading, tuple(findings), preview)


def read_limited(path: Path, limit: int) -> bytes:
    """What is in the file, at most one byte more than is ever read of such a file."""
    with path.open("rb") as opened:
        return opened.read(limit + 1)


def _unstyled(text: str, **_: Any) -> str:
    return text


def check_text(checked: CheckResult, columns: int, *, style: Style = _unstyled, on_terminal: bool = False) -> str:
    """All that was found, for a terminal of so many columns; without ``on_terminal``, each finding is one line."""
    width, preview = max(40, min(columns, 100)), checked.preview
    if checked.reading.sheet is None:
        colour, verdict = "red", "it cannot be taken as it is."
    elif checked.errors:
        colour, verdict = "red", f"{counted(checked.errors, 'order is', 'orders are')} refused; the others stand."
    elif checked.warnings:
        colour, verdict = "yellow", f"readable, with {counted(checked.warnings, 'warning')}."
    else:
        colour, verdict = "green", "nothing to complain about."
    parts = [
        list(_findings(checked.diagnostics, width if on_terminal else 0, style)),
        list(_orders(preview.orders, width, _FREE if preview.plan else "done", style)),
        list(_plan(preview.plan, preview.ordered, width, style)),
        list(_books(preview, width, style)),
        [f"{checked.file}: {style(verdict, fg=colour)}"],
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def _findings(findings: Sequence[Diagnostic], width: int, style: Style) -> Iterator[str]:
    for each in findings[:PRINTED]:
        if not width:
            yield each.render(colour=style is not _unstyled)
            continue
        # a line's number and the signs around an excerpt take twelve columns
        head, *excerpt = each.render(excerpt_limit=width - 12).split("\n")
        label = f"{each.severity}[{each.code}]"
        text = textwrap.fill(head, width, subsequent_indent="  ", break_on_hyphens=False)
        yield text.replace(label, style(label, fg="red" if each.is_error else "yellow", bold=True), 1)
        yield from excerpt
    if len(findings) > PRINTED:
        yield f"... and {len(findings) - PRINTED} more"


def _orders(orders: Sequence[TriedOrder], width: int, gratis: str, style: Style) -> Iterator[str]:
    """Each order with its line in the file, its fate, and its cost or ``gratis``."""
    if not orders:
        return
    yield style(textwrap.fill("Your orders, tried without those of the others", width), bold=True)
    numbers = max(4, *(len(str(each.line)) for each in orders))
    yield f"  {'line':>{numbers}}"
    for each in orders:
        fate = _fate(each, gratis)
        room = max(16, width - numbers - len(fate) - 6)
        text = textwrap.wrap(printable(each.order), room, subsequent_indent="  ") or [""]
        colour = "cyan" if each.open else _COLOURS.get(each.fate)
        yield f"  {each.line:>{numbers}}  {text[0]:<{room}}  {style(fate, fg=colour)}"
        yield from (f"  {'':>{numbers}}  {more}" for more in text[1:])


def _fate(order: TriedOrder, gratis: str) -> str:
    price = f"{gold(order.gold)} gold" if order.gold > 0 else f"brings {gold(-order.gold)} gold"
    costs = ", ".join([price] * bool(order.gold) + [counted(order.moves, "move-point")] * bool(order.moves))
    if order.open:
        return f"{costs or gratis}, if {order.hangs_on} agree"
    if order.fate in ("skipped", "failed"):
        return f"{'fails' if order.fate == 'failed' else 'skipped'} ({order.clause})"
    if order.fate == "reduced":
        price = costs or (gratis if gratis == _FREE else "")
        return f"{price}{', ' if price else ''}reduced ({order.clause})"
    return costs or gratis


def _plan(plan: Sequence[PhasePlan], ordered: Sequence[str], width: int, style: Style) -> Iterator[str]:
    """A row for each unit, a column for each phase up to the last that changed one; in groups that fit the width."""
    if not ordered:
        return
    labels = [key.rpartition("/")[2] for key in ordered]
    room = width - max(map(len, labels)) - 2
    seen = [[phase.units.get(key) for key in ordered] for phase in plan]
    last = max((number for number in range(1, len(seen)) if seen[number] != seen[number - 1]), default=0)
    groups, used = [list[list[list[str]]]()], 0
    for number, phase in enumerate(plan[: last + 1]):
        column = [[f"phase {phase.phase}" if phase.phase else "start"]]
        for at, before in zip(seen[number], seen[max(0, number - 1)], strict=True):
            aboard = [f"aboard {at.aboard.rpartition('/')[2]}"] if at and at.aboard else []
            column.append([f"{at.place} {at.moves}", *aboard] if at else ["gone" if before else ""])
        needed = max(len(line) for cell in column for line in cell) + 2
        if groups[-1] and used + needed > room:
            groups.append([])
            used = 0
        groups[-1].append(column)
        used += needed
    yield style(textwrap.fill("Who is where in each phase, with how many move-points left", width), bold=True)
    for number, group in enumerate(groups):
        units = zip([[""], *([each] for each in labels)], *group, strict=True)
        rows = [line for cells in units for line in zip_longest(*cells, fillvalue="")]
        yield from [""] * bool(number)
        yield from (f"  {line}" for line in aligned(rows, left=len(rows[0])))


def _books(preview: Preview, width: int, style: Style) -> Iterator[str]:
    """What the orders cost line by line, with the balance after each; all with two decimals if one has cents."""
    books = preview.books
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
    if preview.sums:
        spent = ", ".join(f"{what} {_money(amount, decimals)}" for what, amount in preview.sums)
        yield from (f"  {line}" for line in textwrap.wrap(f"In all: {spent}.", width - 2))


def _money(amount: Decimal, decimals: int) -> str:
    return f"{'−' if amount < 0 else ''}{abs(amount):,.{decimals}f}"
