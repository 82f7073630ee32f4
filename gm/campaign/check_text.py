"""The check of an order file as text, for a terminal or a letter."""

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import chain, zip_longest
from typing import Any

from gm.campaign.ahead import written_cases
from gm.core.diagnostics import PRINTED, printable, said, says
from gm.core.orders.press import CLOSED, MUTE, OPEN, UNMUTE
from gm.game.answers import BookLine, Preview, TriedOrder, Whereabouts
from gm.text.pages import aligned, gold
from gm.text.words import Said

Column = list[list[str]]  # a cell for each row: its lines
Style = Callable[..., str]  # marks a text with a terminal's colours, like ``click.style``

_COLOURS = {"failed": "red", "reduced": "yellow"}


def _unstyled(text: str, **_: Any) -> str:
    return text


def check_text(checked: Preview, columns: int, *, style: Style = _unstyled, on_terminal: bool = False) -> str:
    """Return all findings as text for a terminal of ``columns`` characters.

    Without ``on_terminal``, each finding is one line.
    """
    return _Text(checked, max(40, min(columns, 100)), style, on_terminal=on_terminal).whole()


class _Text:
    def __init__(self, checked: Preview, width: int, style: Style, *, on_terminal: bool) -> None:
        self._checked = checked
        self._translate = checked.translate
        self._width = width
        self._style = style
        self._on_terminal = on_terminal

    def _said(self, pattern: str, *values: object) -> str:
        return str(said(says(pattern, *values), self._translate))

    def _title(self, title: str) -> str:
        return str(self._style(textwrap.fill(title, self._width), bold=True))

    def whole(self) -> str:
        """Return the whole text: the verdict, then each section that has content."""
        checked = self._checked
        if checked.reading.sheet is None:
            colour = "red"
            verdict = self._said("it cannot be accepted as it is.")
        elif checked.errors:
            colour = "red"
            refused = Said(checked.errors)
            verdict = self._said("{0:order is|orders are} invalid; the others count.", refused)
        elif checked.warnings:
            colour = "yellow"
            verdict = self._said("readable, with {0:warning}.", Said(checked.warnings))
        else:
            colour = "green"
            verdict = self._said("no problems found.")
        sections = [
            self._findings,
            self._orders,
            self._ahead,
            self._plan,
            self._course,
            self._books,
            self._press,
            self._vote,
            self._lapses,
        ]
        parts = [
            *(list(section()) for section in sections),
            [f"{checked.file}: {self._style(verdict, fg=colour)}"],
        ]
        return "\n\n".join("\n".join(lines) for lines in parts if lines)

    def _findings(self) -> Iterator[str]:
        """Yield the lines of the first findings, and the number of the others."""
        findings = self._checked.diagnostics
        for finding in findings[:PRINTED]:
            if not self._on_terminal:
                yield finding.render(colour=self._style is not _unstyled, translate=self._translate)
                continue
            # a line's number and the signs around an excerpt take twelve columns
            head, *excerpt = finding.render(excerpt_limit=self._width - 12, translate=self._translate).split(
                "\n"
            )
            label = f"{self._translate(finding.severity)}[{finding.code}]"
            text = textwrap.fill(head, self._width, subsequent_indent="  ", break_on_hyphens=False)
            yield text.replace(
                label, self._style(label, fg="red" if finding.is_error else "yellow", bold=True), 1
            )
            yield from excerpt
        if len(findings) > PRINTED:
            yield self._said("... and {0} more", len(findings) - PRINTED)

    def _orders(self) -> Iterator[str]:
        """Yield each order with its line in the file, its fate and its cost."""
        orders = self._checked.orders
        line = self._said("line")
        if not orders:
            return
        assumed = ", ".join(self._checked.assumed)
        title = self._said("Your orders, tried without those of the others")
        if self._checked.alone:
            title = self._said("Your orders, tried")
        elif assumed:
            title = self._said("Your orders, tried with those that you assume for {0}", assumed)
        yield self._title(title)
        numbers = max(len(line), *(len(str(order.line)) for order in orders))
        yield f"  {line:>{numbers}}"
        for order in orders:
            fate = self._fate(order)
            room = max(16, self._width - numbers - len(fate) - 6)
            text = textwrap.wrap(printable(order.order), room, subsequent_indent="  ") or [""]
            colour = "cyan" if order.hangs_on else _COLOURS.get(order.fate)
            yield f"  {order.line:>{numbers}}  {text[0]:<{room}}  {self._style(fate, fg=colour)}"
            yield from (f"  {'':>{numbers}}  {more}" for more in text[1:])

    def _course(self) -> Iterator[str]:
        """Yield the other results of the trial."""
        course = self._checked.course
        if course:
            yield self._title(self._said("The outcome"))
        for step in course:
            text = f"{step.text} ({step.clause})" if step.clause else step.text
            indent = "  " * (step.depth + 1)
            yield from textwrap.wrap(
                printable(text), self._width, initial_indent=indent, subsequent_indent=indent + "  "
            )

    def _ahead(self) -> Iterator[str]:
        """Yield the orders for turns to come, each case below the one that it follows."""
        reading = self._checked.reading
        if reading.sheet is None or not self._checked.alone:
            return
        cases = [*written_cases(reading)]
        if not cases:
            return
        yield self._title(self._said("Your coming turns, as long as you send nothing newer"))
        numbers = max(len(str(case.line)) for case in cases)
        for case in cases:
            if case.when:
                text = self._said("if {0}: {1}", case.when, case.orders)
            else:
                text = self._said("else: {0}" if case.other else "in any case: {0}", case.orders)
            if case.void:
                text = self._said("not carried out: {0}", text)
            start = "  " * (case.depth + 1)
            lines = textwrap.wrap(printable(text), max(20, self._width - numbers - len(start) - 2))
            yield f"  {case.line:>{numbers}}{start}{lines[0]}"
            yield from (f"  {'':>{numbers}}{start}  {more}" for more in lines[1:])

    def _press(self) -> Iterator[str]:
        """Yield the letters in the file, each in a line."""
        notes = self._checked.reading.press
        if notes:
            yield self._title(self._said("Your letters to other players, delivered with the turn"))
        for note in notes:
            to = ", ".join(note.to) or self._said("everybody")
            kind = f" ({note.kind})" if note.kind else ""
            wishes = {
                MUTE: self._said("you want no letters from {0}", to),
                UNMUTE: self._said("you want letters from {0} again", to),
                OPEN: self._said("you agree that all may read the letters when the game is over"),
                CLOSED: self._said("nobody else may read the letters when the game is over"),
            }
            text = textwrap.shorten(printable(note.text), self._width // 2, placeholder=" ...")
            yield f"  {wishes.get(note.kind) or self._said('to {0}: {1}', f'{to}{kind}', text)}"

    def _vote(self) -> Iterator[str]:
        """Yield the lines about the file's vote, if it has one."""
        vote = self._checked.reading.vote
        if vote:
            text = self._said(
                "It votes '{0}', from this turn until you send orders without it. If that passes, the game "
                "is over "
                "with the turn; votes are secret until then.",
                vote,
            )
            yield from textwrap.wrap(text, self._width)

    def _lapses(self) -> Iterator[str]:
        """Yield what held until now and lapses with this file, such as standing orders or a vote."""
        for lapse in self._checked.lapses:
            yield from textwrap.wrap(said(lapse, self._translate), self._width, break_on_hyphens=False)

    def _fate(self, order: TriedOrder) -> str:
        """Return an order's outcome and cost in a few words."""
        price = self._said("{0} gold" if order.gold > 0 else "brings {0} gold", gold(abs(order.gold)))
        moves = self._said("{0:move-point}", Said(order.moves))
        costs = ", ".join([price] * bool(order.gold) + [moves] * bool(order.moves))
        in_phases = bool(self._checked.plan)
        gratis = self._said("free" if in_phases else "done")
        if order.hangs_on:
            return self._said("{0}, if {1} agree", costs or gratis, order.hangs_on)
        if order.fate in ("skipped", "failed"):
            return self._said("fails ({0})" if order.fate == "failed" else "skipped ({0})", order.clause)
        if order.fate == "reduced":
            price = costs or (gratis if in_phases else "")
            return f"{price}{', ' if price else ''}{self._said('reduced ({0})', order.clause)}"
        return costs or gratis

    def _plan(self) -> Iterator[str]:
        """Yield a row for each unit, with a column for each phase to the last that changed one.

        Rows come in groups that fit the width.
        """
        ordered = self._checked.ordered
        if not ordered:
            return
        labels = [key.rpartition("/")[2] for key in ordered]
        room = self._width - max(map(len, labels)) - 2
        yield self._title(self._said("Who is where in each phase, with how many move-points left"))
        for number, group in enumerate(_groups_within(room, self._plan_columns(ordered))):
            units = zip([[""], *([label] for label in labels)], *group, strict=True)
            rows: list[tuple[str, ...]] = []
            for cells in units:
                rows += zip_longest(*cells, fillvalue="")
            yield from [""] * bool(number)
            yield from (f"  {line}" for line in aligned(rows, left=len(rows[0])))

    def _plan_columns(self, ordered: Sequence[str]) -> Iterator[Column]:
        """Yield a column for each phase until nothing moves: its heading, then a cell for each unit."""
        plan = self._checked.plan
        units_by_phase = [[phase.units.get(key) for key in ordered] for phase in plan]
        last = max(
            (
                number
                for number in range(1, len(units_by_phase))
                if units_by_phase[number] != units_by_phase[number - 1]
            ),
            default=0,
        )
        for number, phase in enumerate(plan[: last + 1]):
            heading = self._said("phase {0}", phase.phase) if phase.phase else self._said("start")
            places = zip(units_by_phase[number], units_by_phase[max(0, number - 1)], strict=True)
            yield [[heading], *(self._plan_cell(place, before) for place, before in places)]

    def _plan_cell(self, place: Whereabouts | None, before: Whereabouts | None) -> list[str]:
        """Return the lines of a unit in a phase: where it is, and aboard what."""
        if place is None:
            return [self._said("gone") if before else ""]
        lines = [f"{place.place} {place.moves}"]
        if place.aboard:
            lines.append(self._said("aboard {0}", place.aboard.rpartition("/")[2]))
        return lines

    def _books(self) -> Iterator[str]:
        """Yield what the orders cost line by line, with the balance after each.

        All sums have two decimals if one has cents.
        """
        books = self._checked.books
        if not books:
            return
        decimals = _decimals(books)
        amounts = ["" if line.amount is None else _money(line.amount, decimals) for line in books]
        balances = [_money(line.balance, decimals) for line in books]
        headings = (self._said("gold"), self._said("balance"))
        wide = max(map(len, (headings[0], *amounts)))
        wider = max(map(len, (headings[1], *balances)))
        room = min(
            max(len(said(line.says, self._translate)) for line in books), self._width - wide - wider - 6
        )
        yield self._title(self._said("The treasury, as far as it can be forecast"))
        yield f"  {'':<{room}}  {headings[0]:>{wide}}  {headings[1]:>{wider}}"
        for line, amount, balance in zip(books, amounts, balances, strict=True):
            parts = textwrap.wrap(said(line.says, self._translate), room, subsequent_indent="  ")
            yield from (f"  {part}" for part in parts[:-1])
            colour = "red" if line.balance < 0 else None
            row = f"  {parts[-1]:<{room}}  {amount:>{wide}}  {balance:>{wider}}"
            yield self._style(row, fg=colour, bold=line.total or None) if colour or line.total else row
        yield from self._sums(decimals)

    def _sums(self, decimals: int) -> Iterator[str]:
        """Yield the totals of what the orders cost."""
        if not self._checked.sums:
            return
        spent = ", ".join(
            f"{self._said(what)} {_money(amount, decimals)}" for what, amount in self._checked.sums
        )
        lines = textwrap.wrap(self._said("In all: {0}.", spent), self._width - 2)
        yield from (f"  {line}" for line in lines)


def _groups_within(room: int, columns: Iterable[Column]) -> list[list[Column]]:
    """Return the columns of a table in groups, each at most ``room`` characters wide."""
    groups: list[list[Column]] = [[]]
    used = 0
    for column in columns:
        width = max(len(line) for line in chain.from_iterable(column)) + 2
        if groups[-1] and used + width > room:
            groups.append([])
            used = 0
        groups[-1].append(column)
        used += width
    return groups


def _decimals(books: Sequence[BookLine]) -> int:
    """Return how many decimals all sums of a treasury's books have: two if one has cents."""
    sums = [*(line.balance for line in books), *(line.amount for line in books if line.amount is not None)]
    return 2 if any(amount != amount.to_integral_value() for amount in sums) else 0


def _money(amount: Decimal, decimals: int) -> str:
    return f"{'−' if amount < 0 else ''}{abs(amount):,.{decimals}f}"
