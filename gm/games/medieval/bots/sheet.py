"""Writes a bot's order file as a player would, with comments on why."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from gm.core.orders.press import SIGNED
from gm.game.values import View
from gm.games.medieval.orders.grammar import FORMAT, HEADQUARTERS, UNIT

_PLAIN = re.compile(r"[A-Z]{3}|[A-Z]{3}/[AFG]\d{1,3}|[AFG]\d{1,5}")
"""Codes and ids of units: everything else is quoted, whatever a map calls its places."""


@dataclass(slots=True)
class UnitSheet:
    """The orders of one unit. Words and values are those of the grammar of order files."""

    where: str  # its place or its id, for a comment
    orders: dict[str, tuple[Any, str]] = field(default_factory=dict)  # (value, reason) by word
    plan: list[tuple[str, Any, str]] = field(default_factory=list)  # (word, value, reason)

    def order(self, word: str, value: Any, why: str = "") -> None:
        """Order something besides the plan; a later order of the same word replaces it.

        ``value``: in the form of order files; ``why``: the reason, which becomes a comment.
        """
        self.orders[word] = (value, why)

    def add(self, word: str, name: str, value: object, why: str = "") -> None:
        """Add a name to an order that is a mapping, like ``recruit: {Archers: 2}``.

        An empty reason ``why`` leaves the one that the order has.
        """
        values, earlier_reason = self.orders.get(word, ({}, ""))
        self.orders[word] = ({**values, name: value}, why or earlier_reason)

    def then(self, word: str, value: Any = None, why: str = "") -> None:
        """Add an entry to the plan; ``value``: None for a word alone, like ``hold``."""
        self.plan.append((word, value, why))

    def lines(self) -> Iterator[str]:
        """Yield the lines below the unit's name: its orders in the order of the grammar, then its plan."""
        for word in UNIT:
            if word in self.orders:
                value, why = self.orders[word]
                yield f"    {word}: {_flow(value)}{_remark(why)}"
        if self.plan:
            yield "    plan:"
        for word, value, why in self.plan:
            step = word if value is None else f"{word}: {_flow(value)}"
            yield f"      - {step}{_remark(why)}"


class Sheet:
    """One realm's order file in the making. ``bot``: the name of the bot, for a comment."""

    def __init__(self, view: View, bot: str) -> None:
        self._view = view
        self._bot = bot
        # the headquarters' orders that are lists: by word, the reason for each name in the list
        self.lists: dict[str, dict[str, str]] = {}
        # gold by the receiver's code, and the receivers' codes by province; each by word
        self.gifts: dict[str, dict[str, str | Decimal]] = {}
        self.letters: dict[str, str] = {}  # texts by the reader's code
        self.units: dict[str, UnitSheet] = {}  # by reference

    def headquarters(self, word: str, name: str, why: str = "") -> None:
        """Add a name to a list of the headquarters; ``word``: the list's order, like ``declare_war``.

        ``why``: the reason, which becomes a comment.
        """
        self.lists.setdefault(word, {})[name] = why

    def unit(self, reference: str, where: str = "") -> UnitSheet:
        """Return the orders of a unit, to be added to. They are new ones if it has none yet.

        ``reference``: its id, or a garrison's province; ``where``: its place or its id, for a comment.
        """
        return self.units.setdefault(reference, UnitSheet(where))

    def copy(self) -> "Sheet":
        """Return a copy, to be changed."""
        copied = Sheet(self._view, self._bot)
        copied.lists = {word: dict(names) for word, names in self.lists.items()}
        copied.gifts = {word: dict(names) for word, names in self.gifts.items()}
        copied.letters = dict(self.letters)
        for reference, unit_sheet in self.units.items():
            copied.units[reference] = UnitSheet(
                unit_sheet.where, dict(unit_sheet.orders), list(unit_sheet.plan)
            )
        return copied

    def data(self) -> bytes:
        """Return the file: its header, letters, and the orders of headquarters and units."""
        view = self._view
        lines = [
            f"# Turn {view.turn}: the orders of {_comment(view.realm)}, written by the bot '{self._bot}'.",
            f"orders: {FORMAT}",
            f"game: {_quoted(view.game)}",
            f"realm: {_quoted(view.realm)}",
            f"turn: {view.turn}",
            f"key: {_quoted(view.key)}",
        ]
        if self.letters:
            letters = [{"to": realm, "as": SIGNED, "text": text} for realm, text in self.letters.items()]
            lines.append(f"press: {_flow(letters)}")
        if self.lists or self.gifts:
            lines += ["", "headquarters:", *self._headquarters_lines()]
        units_with_orders = [entry for entry in self.units.items() if entry[1].orders or entry[1].plan]
        if units_with_orders:
            lines += ["", "units:"]
        for reference, unit_sheet in units_with_orders:
            lines.append(f"  {_flow(reference)}:{_remark(unit_sheet.where)}")
            lines += unit_sheet.lines()
        return "\n".join([*lines, ""]).encode()

    def _headquarters_lines(self) -> Iterator[str]:
        """Yield the lines of the headquarters' orders: lists of names, then gifts to realms.

        Both are in the order of the grammar.
        """
        for word in HEADQUARTERS:
            if word in self.lists:
                yield f"  {word}:"
                for name, why in self.lists[word].items():
                    yield f"    - {_flow(name)}{_remark(why)}"
        for word in HEADQUARTERS:
            if word in self.gifts:
                yield f"  {word}: {_flow(self.gifts[word])}"


def _flow(value: Any) -> str:
    """Return a value in YAML's flow style; what is no number, code or id of a unit is quoted."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_flow(name)}: {_flow(item)}' for name, item in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    if isinstance(value, (int, Decimal)):
        return str(value)
    text = str(value)
    return text if _PLAIN.fullmatch(text) else _quoted(text)


def _quoted(text: str) -> str:
    """Return a text in double quotation marks, as YAML reads it."""
    return json.dumps(text, ensure_ascii=False)


def _remark(text: str) -> str:
    """Return a text as a comment behind an order; empty for an empty text."""
    return f"  # {_comment(text)}" if text else ""


def _comment(text: str) -> str:
    """Return a text as one line of printable characters: others would end a comment or break the file."""
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(text.split())
