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

Column = list[list[str]]  # of a table: for each row its cell, which is a list of lines
Style = Callable[..., str]  # marks a text with a terminal's colours, like ``click.style``

_COLOURS = {"failed": "red", "reduced": "yellow"}  # by the fate of an order


def _unstyled(text: str, **_: Any) -> str:
    """Return a text without colours: the style for a file or a letter."""
    return text


def check_text(checked: Preview, columns: int, *, style: Style = _unstyled, on_terminal: bool = False) -> str:
    """Return the check of a file as text, ``columns`` characters wide (within 40 to 100).

    Without ``on_terminal``, each finding is one line.
    """
    return _Text(checked, max(40, min(columns, 100)), style, on_terminal=on_terminal).whole()


class _Text:
    """The text of a check, in sections that each yield their lines, or nothing."""

    def __init__(self, checked: Preview, width: int, style: Style, *, on_terminal: bool) -> None:
        self._checked = checked
        self._translate = checked.translate
        self._width = width
        self._style = style
        self._on_terminal = on_terminal

    def _said(self, pattern: str, *values: object) -> str:
        """Return a message in the reader's language."""
        return str(said(says(pattern, *values), self._translate))

    def _title(self, title: str) -> str:
        """Return the title of a section, in lines that fit the width."""
        return str(self._style(textwrap.fill(title, self._width), bold=True))

    def whole(self) -> str:
        """Return the whole text: each section that has content, then the verdict."""
        checked = self._checked
        if checked.reading.sheet is None:
            colour = "red"
            verdict = self._said("it cannot be accepted as it is.")
        elif checked.errors:
            colour = "red"
            verdict = self._said("{0:order is|orders are} invalid; the others count.", Said(checked.errors))
        elif checked.warnings:
            colour = "yellow"
            verdict = self._said("readable, with {0:warning}.", Said(checked.warnings))
        else:
            colour = "green"
            verdict = self._said("no problems found.")
        sections = [
            self._findings,
            self._orders,
            self._coming_turns,
            self._plan,
            self._course,
            self._treasury,
            self._press,
            self._vote,
            self._lapses,
        ]
        texts = []
        for section in sections:
            text = "\n".join(section())
            if text:
                texts.append(text)
        texts.append(f"{checked.file}: {self._style(verdict, fg=colour)}")
        return "\n\n".join(texts)

    def _findings(self) -> Iterator[str]:
        """Yield the lines of the first findings, and the number of the others."""
        findings = self._checked.diagnostics
        for finding in findings[:PRINTED]:
            if not self._on_terminal:
                yield finding.render(colour=self._style is not _unstyled, translate=self._translate)
                continue
            # the number of a line and the signs around an excerpt take twelve columns
            excerpt_limit = self._width - 12
            lines = finding.render(excerpt_limit=excerpt_limit, translate=self._translate).split("\n")
            head, *excerpt = lines
            label = f"{self._translate(finding.severity)}[{finding.code}]"
            text = textwrap.fill(head, self._width, subsequent_indent="  ", break_on_hyphens=False)
            # coloured only now: the codes of a colour would count when lines are filled
            yield text.replace(
                label, self._style(label, fg="red" if finding.is_error else "yellow", bold=True), 1
            )
            yield from excerpt
        if len(findings) > PRINTED:
            yield self._said("... and {0} more", len(findings) - PRINTED)

    def _orders(self) -> Iterator[str]:
        """Yield each order with its line in the file, its fate and its cost."""
        orders = self._checked.orders
        heading = self._said("line")
        if not orders:
            return
        assumed = ", ".join(self._checked.assumed)
        title = self._said("Your orders, tried without those of the others")
        if self._checked.alone:
            title = self._said("Your orders, tried")
        elif assumed:
            title = self._said("Your orders, tried with those that you assume for {0}", assumed)
        yield self._title(title)
        number_width = max(len(heading), *(len(str(order.line)) for order in orders))
        yield f"  {heading:>{number_width}}"
        for order in orders:
            fate = self._fate(order)
            # there are two spaces before each of the three columns
            order_width = max(16, self._width - number_width - len(fate) - 6)
            lines = textwrap.wrap(printable(order.order), order_width, subsequent_indent="  ") or [""]
            colour = "cyan" if order.hangs_on else _COLOURS.get(order.fate)
            yield f"  {order.line:>{number_width}}  {lines[0]:<{order_width}}  {self._style(fate, fg=colour)}"
            yield from (f"  {'':>{number_width}}  {line}" for line in lines[1:])

    def _course(self) -> Iterator[str]:
        """Yield the other results of the trial, indented by their depth."""
        course = self._checked.course
        if course:
            yield self._title(self._said("The outcome"))
        for step in course:
            text = f"{step.text} ({step.clause})" if step.clause else step.text
            indent = "  " * (step.depth + 1)
            yield from textwrap.wrap(
                printable(text), self._width, initial_indent=indent, subsequent_indent=indent + "  "
            )

    def _coming_turns(self) -> Iterator[str]:
        """Yield the orders for turns to come, each case below the one in which it is nested."""
        reading = self._checked.reading
        if reading.sheet is None or not self._checked.alone:
            return
        cases = [*written_cases(reading)]
        if not cases:
            return
        yield self._title(self._said("Your coming turns, as long as you send nothing newer"))
        number_width = max(len(str(case.line)) for case in cases)
        for case in cases:
            if case.when:
                text = self._said("if {0}: {1}", case.when, case.orders)
            else:
                text = self._said("else: {0}" if case.other else "in any case: {0}", case.orders)
            if case.void:
                text = self._said("not carried out: {0}", text)
            indent = "  " * (case.depth + 1)
            lines = textwrap.wrap(printable(text), max(20, self._width - number_width - len(indent) - 2))
            yield f"  {case.line:>{number_width}}{indent}{lines[0]}"
            yield from (f"  {'':>{number_width}}{indent}  {line}" for line in lines[1:])

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
                "It votes '{0}', from this turn until you send orders without it. If that passes, the "
                "game is over with the turn; votes are secret until then.",
                vote,
            )
            yield from textwrap.wrap(text, self._width)

    def _lapses(self) -> Iterator[str]:
        """Yield the sentences about what holds now and lapses with this file, e.g. a vote."""
        for lapse in self._checked.lapses:
            yield from textwrap.wrap(said(lapse, self._translate), self._width, break_on_hyphens=False)

    def _fate(self, order: TriedOrder) -> str:
        """Return an order's outcome and cost in a few words."""
        costs = self._costs(order.gold, order.moves)
        in_phases = bool(self._checked.plan)
        # in a game with phases an order without costs is free, in others it is done
        costs_or_free = costs or self._said("free" if in_phases else "done")
        if order.hangs_on:
            return self._said("{0}, if {1} agree", costs_or_free, order.hangs_on)
        if order.fate == "failed":
            return self._said("fails ({0})", order.clause)
        if order.fate == "skipped":
            return self._said("skipped ({0})", order.clause)
        if order.fate == "reduced":
            reduced = self._said("reduced ({0})", order.clause)
            return f"{costs_or_free}, {reduced}" if costs or in_phases else reduced
        return costs_or_free

    def _costs(self, price: Decimal, moves: int) -> str:
        """Return the costs of an order: gold (below 0 it brings some) and move-points; empty for neither."""
        costs = []
        if price:
            costs.append(self._said("{0} gold" if price > 0 else "brings {0} gold", gold(abs(price))))
        if moves:
            costs.append(self._said("{0:move-point}", Said(moves)))
        return ", ".join(costs)

    def _plan(self) -> Iterator[str]:
        """Yield a table of where units are: a row for each unit, a column for each phase.

        The columns are split into groups that fit the width, one below the other.
        """
        unit_keys = self._checked.ordered
        if not unit_keys:
            return
        labels = [key.rpartition("/")[2] for key in unit_keys]
        label_column: Column = [[""], *([label] for label in labels)]
        # each line begins with two spaces
        width_of_phases = self._width - max(map(len, labels)) - 2
        yield self._title(self._said("Who is where in each phase, with how many move-points left"))
        for number, group in enumerate(_groups_within(width_of_phases, self._plan_columns(unit_keys))):
            lines: list[tuple[str, ...]] = []
            for cells in zip(label_column, *group, strict=True):
                lines += zip_longest(*cells, fillvalue="")
            if number:
                yield ""
            yield from (f"  {line}" for line in aligned(lines, left=len(lines[0])))

    def _plan_columns(self, unit_keys: Sequence[str]) -> Iterator[Column]:
        """Yield a column, heading first, for the start and each phase to the last that moves a unit."""
        plan = self._checked.plan
        units_by_phase = [[phase.units.get(key) for key in unit_keys] for phase in plan]
        last_change = 0
        for number in range(1, len(units_by_phase)):
            if units_by_phase[number] != units_by_phase[number - 1]:
                last_change = number
        for number, phase in enumerate(plan[: last_change + 1]):
            heading = self._said("phase {0}", phase.phase) if phase.phase else self._said("start")
            places = zip(units_by_phase[number], units_by_phase[max(0, number - 1)], strict=True)
            yield [[heading], *(self._plan_cell(place, before) for place, before in places)]

    def _plan_cell(self, place: Whereabouts | None, before: Whereabouts | None) -> list[str]:
        """Return the lines of a unit in a phase: its place and move-points, and the ship that carries it.

        ``place`` is None if there is no such unit in the phase; ``before``: its place in the phase before.
        """
        if place is None:
            return [self._said("gone") if before else ""]
        lines = [f"{place.place} {place.moves}"]
        if place.aboard:
            lines.append(self._said("aboard {0}", place.aboard.rpartition("/")[2]))
        return lines

    def _treasury(self) -> Iterator[str]:
        """Yield the table of the treasury: what it gains or pays line by line, and the balance after each.

        All sums have two decimals if one has cents.
        """
        entries = self._checked.books
        if not entries:
            return
        decimals = _decimals_of(entries)
        texts = [said(entry.says, self._translate) for entry in entries]
        # the columns of numbers, with their headings
        amounts = [self._said("gold")]
        amounts += ["" if entry.amount is None else _money(entry.amount, decimals) for entry in entries]
        balances = [self._said("balance"), *(_money(entry.balance, decimals) for entry in entries)]
        amount_width = max(map(len, amounts))
        balance_width = max(map(len, balances))
        # there are two spaces before each of the three columns
        text_width = min(max(map(len, texts)), self._width - amount_width - balance_width - 6)
        yield self._title(self._said("The treasury, as far as it can be forecast"))
        yield f"  {'':<{text_width}}  {amounts[0]:>{amount_width}}  {balances[0]:>{balance_width}}"
        for entry, text, amount, balance in zip(entries, texts, amounts[1:], balances[1:], strict=True):
            *lines, last_line = textwrap.wrap(text, text_width, subsequent_indent="  ")
            yield from (f"  {line}" for line in lines)
            yield self._styled_entry(
                entry, f"  {last_line:<{text_width}}  {amount:>{amount_width}}  {balance:>{balance_width}}"
            )
        yield from self._sums(decimals)

    def _styled_entry(self, entry: BookLine, row: str) -> str:
        """Return a row of the treasury's table, red for a negative balance and bold for a total."""
        colour = "red" if entry.balance < 0 else None
        if colour or entry.total:
            return self._style(row, fg=colour, bold=entry.total or None)
        return row

    def _sums(self, decimals: int) -> Iterator[str]:
        """Yield the lines with the totals by kind of expense."""
        if not self._checked.sums:
            return
        spent = ", ".join(
            f"{self._said(what)} {_money(amount, decimals)}" for what, amount in self._checked.sums
        )
        lines = textwrap.wrap(self._said("In all: {0}.", spent), self._width - 2)
        yield from (f"  {line}" for line in lines)


def _groups_within(room: int, columns: Iterable[Column]) -> list[list[Column]]:
    """Return the columns of a table in groups, each at most ``room`` characters wide.

    A column that is wider by itself makes a group of its own.
    """
    groups: list[list[Column]] = [[]]
    group_width = 0
    for column in columns:
        width = max(len(line) for line in chain.from_iterable(column)) + 2  # with the spaces before it
        if groups[-1] and group_width + width > room:
            groups.append([])
            group_width = 0
        groups[-1].append(column)
        group_width += width
    return groups


def _decimals_of(entries: Sequence[BookLine]) -> int:
    """Return with how many decimals the sums of a treasury are shown: two if one of them has cents."""
    amounts = [entry.amount for entry in entries if entry.amount is not None]
    sums = [*(entry.balance for entry in entries), *amounts]
    return 2 if any(amount != amount.to_integral_value() for amount in sums) else 0


def _money(amount: Decimal, decimals: int) -> str:
    """Return an amount of gold with so many decimals, a comma between thousands, and a real minus sign."""
    return f"{'−' if amount < 0 else ''}{abs(amount):,.{decimals}f}"
