"""Writes a bot's order file as a player would, with comments on why.

The nodes that a reader would find are made along with it, so that the file need not be parsed.
"""

import json
import re
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from typing import Any, TypeVar

from gm.core.orders.press import SIGNED
from gm.core.values import Record
from gm.core.yaml.source import Document, Mapping, Node, Scalar, Sequence, Source
from gm.game.values import View
from gm.games.medieval.orders.grammar import FORMAT, HEADQUARTERS, UNIT

NodeT = TypeVar("NodeT", Mapping, Sequence)

_PLAIN = re.compile(r"[A-Z]{3}|[A-Z]{3}/[AFG]\d{1,3}|[AFG]\d{1,5}")
"""Codes and ids of units: everything else is quoted, whatever a map calls its places."""


@dataclass(slots=True)
class UnitSheet:
    """The orders of one unit: its value by word, as in the grammar, and why.

    ``where``: its place, as a comment.
    """

    where: str
    orders: dict[str, tuple[Any, str]] = field(default_factory=dict)
    plan: list[tuple[str, Any, str]] = field(default_factory=list)

    def order(self, word: str, value: Any, why: str = "") -> None:
        """Order something besides the plan; a later order of the same word replaces it."""
        self.orders[word] = (value, why)

    def add(self, word: str, name: str, value: object, why: str = "") -> None:
        """Add to an order that is a mapping, like ``recruit: {Archers: 2}``."""
        values, reason = self.orders.get(word, ({}, ""))
        self.orders[word] = ({**values, name: value}, why or reason)

    def then(self, word: str, value: Any = None, why: str = "") -> None:
        self.plan.append((word, value, why))


class Sheet:
    """One realm's order file in the making.

    ``lists``: the headquarters' names by word, with why; ``gifts``: gold and provinces given, by word and
    name; ``letters``: their texts by realm; ``units``: the orders to each unit by its reference.
    """

    def __init__(self, view: View, bot: str) -> None:
        self._view = view
        self._bot = bot
        self.lists: dict[str, dict[str, str]] = {}
        self.gifts: dict[str, dict[str, str | Decimal]] = {}
        self.letters: dict[str, str] = {}
        self.units: dict[str, UnitSheet] = {}

    def headquarters(self, word: str, name: str, why: str = "") -> None:
        """Add a name to one of the headquarters' lists, like ``declare_war`` or ``annex``."""
        self.lists.setdefault(word, {})[name] = why

    def unit(self, reference: str, where: str = "") -> UnitSheet:
        """Return the orders of a unit, by its id, or by its province for a garrison."""
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
        """Return the file, with what ``read_yaml`` would find in it."""
        page = self._written()
        data = page.source.text.encode()
        # what YAML makes of strange characters only its reader knows
        return data if page.strange else Document(data, page.root)

    def _written(self) -> "_Page":
        """Return the file: its header, letters, and the orders of headquarters and units."""
        view = self._view
        page = _Page()
        page.remark(
            f"# Turn {view.turn}: the orders of {_comment(view.realm)}, written by the bot '{self._bot}'."
        )
        page.entry(page.root, 0, "orders", FORMAT)
        page.entry(page.root, 0, "game", view.game, quoted=True)
        page.entry(page.root, 0, "realm", view.realm, quoted=True)
        page.entry(page.root, 0, "turn", view.turn)
        page.entry(page.root, 0, "key", view.key, quoted=True)
        if self.letters:
            letters = [{"to": realm, "as": SIGNED, "text": text} for realm, text in self.letters.items()]
            page.entry(page.root, 0, "press", letters)
        if self.lists or self.gifts:
            page.remark("")
            self._write_headquarters(page)
        ordered = {
            reference: unit_sheet
            for reference, unit_sheet in self.units.items()
            if unit_sheet.orders or unit_sheet.plan
        }
        if ordered:
            page.remark("")
            units = page.section(page.root, 0, "units", Mapping)
            for reference, unit_sheet in ordered.items():
                self._unit(page, page.unit(units, 2, reference, unit_sheet.where), unit_sheet)
        page.source.text = "\n".join([*page.lines, ""])
        return page

    def _write_headquarters(self, page: "_Page") -> None:
        """Write the section of headquarters."""
        headquarters = page.section(page.root, 0, "headquarters", Mapping)
        for word in HEADQUARTERS:
            if word in self.lists:
                names = page.section(headquarters, 2, word, Sequence)
                for name, why in self.lists[word].items():
                    page.item(names, 4, name, why)
        for word in HEADQUARTERS:
            if word in self.gifts:
                page.entry(headquarters, 2, word, self.gifts[word])

    def _unit(self, page: "_Page", below: Mapping, unit: UnitSheet) -> None:
        """Write a unit's orders and its plan below its name."""
        for word in (name for name in UNIT if name in unit.orders):
            page.entry(below, 4, word, *unit.orders[word])
        if unit.plan:
            plan = page.section(below, 4, "plan", Sequence)
            for word, value, why in unit.plan:
                page.step(plan, 6, word, value, why)


class _Mark(Record):
    """A place in the file, as the parser of YAML marks it: from 0."""

    line: int
    column: int


class _Page:
    """The lines of a file so far, and the nodes that its reader finds in them.

    ``strange``: there are characters in it that YAML may take for others. Values are in YAML's flow style;
    ``indent`` is in characters.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.strange = False
        self.source = Source("", "")
        self.root = Mapping(self.source, _Mark(1, 0), _Mark(2, 0))

    def remark(self, line: str) -> None:
        """Write a comment line."""
        self.lines.append(line)

    def entry(
        self, into: Mapping, indent: int, word: str, value: Any, why: str = "", *, quoted: bool = False
    ) -> None:
        """Write ``word: value``."""
        column = indent + len(word) + 2
        text, node = self._scalar(value, column, quoted=True) if quoted else self._flow(value, column)
        into.entries[word] = (self._word(word, indent), node)
        self.lines.append(f"{' ' * indent}{word}: {text}{_remark(why)}")

    def section(self, into: Mapping, indent: int, word: str, kind: type[NodeT]) -> NodeT:
        """Write ``word:`` and return the node of what follows below it."""
        return self._section(into, indent, word, self._word(word, indent), kind, "")

    def unit(self, into: Mapping, indent: int, reference: str, where: str) -> Mapping:
        """Write the heading of a unit and return the node of what follows below it."""
        return self._section(into, indent, *self._scalar(reference, indent), Mapping, where)

    def _section(
        self, into: Mapping, indent: int, text: str, key: Scalar, kind: type[NodeT], why: str
    ) -> NodeT:
        """Begin a mapping or a list below a key: as a line of text, and as a node; return the node."""
        line = len(self.lines) + 1
        node = kind(self.source, _Mark(line, indent + 2), _Mark(line + 1, 0))
        into.entries[key.text] = (key, node)
        self.lines.append(f"{' ' * indent}{text}:{_remark(why)}")
        return node

    def item(self, into: Sequence, indent: int, value: str, why: str) -> None:
        """Write ``- value``."""
        text, node = self._scalar(value, indent + 2)
        into.items.append(node)
        self.lines.append(f"{' ' * indent}- {text}{_remark(why)}")

    def step(self, into: Sequence, indent: int, word: str, value: Any, why: str) -> None:
        """Write ``- word: value``, or ``- word`` without a value."""
        if value is None:
            into.items.append(self._word(word, indent + 2))
            self.lines.append(f"{' ' * indent}- {word}{_remark(why)}")
            return
        line = len(self.lines)
        node = Mapping(self.source, _Mark(line, indent + 2), _Mark(line + 1, 0))
        into.items.append(node)
        text, value_node = self._flow(value, indent + len(word) + 4)
        node.entries[word] = (self._word(word, indent + 2), value_node)
        self.lines.append(f"{' ' * indent}- {word}: {text}{_remark(why)}")

    def _word(self, word: str, column: int) -> Scalar:
        line = len(self.lines)
        return Scalar(self.source, _Mark(line, column), _Mark(line, column + len(word)), word, quoted=False)

    def _scalar(self, value: object, column: int, *, quoted: bool = False) -> tuple[str, Scalar]:
        """Return a value as text and as the node that a reader finds."""
        text = str(value)
        line = len(self.lines)
        quoted_text, in_quotes, strange = (
            (text, False, False) if isinstance(value, (int, Decimal)) else _form(text)
        )
        if quoted and not in_quotes:
            quoted_text = _quoted(text)
        quoted = quoted or in_quotes
        self.strange = self.strange or strange
        end = _Mark(line, column + len(quoted_text))
        return quoted_text, Scalar(self.source, _Mark(line, column), end, text, quoted)

    def _flow(self, value: Any, column: int) -> tuple[str, Node]:
        """Return a value in flow style as text and as its node."""
        if isinstance(value, dict):
            return self._flow_mapping(value, column)
        if not isinstance(value, list):
            return self._scalar(value, column)
        node = Sequence(self.source, _Mark(len(self.lines), column), None)
        parts: list[str] = []
        for part in value:
            column += 1 if not parts else len(parts[-1]) + 2
            text, item = self._flow(part, column)
            parts.append(text)
            node.items.append(item)
        return self._closed(node, f"[{', '.join(parts)}]")

    def _flow_mapping(self, value: dict[Any, Any], column: int) -> tuple[str, Node]:
        """Return a mapping in flow style as text and as its node."""
        node = Mapping(self.source, _Mark(len(self.lines), column), None)
        parts: list[str] = []
        for name, item in value.items():
            column += 1 if not parts else len(parts[-1]) + 2
            text, key = self._scalar(name, column)
            inner, item_node = self._flow(item, column + len(text) + 2)
            parts.append(f"{text}: {inner}")
            node.entries[key.text] = (key, item_node)
        return self._closed(node, f"{{{', '.join(parts)}}}")

    def _closed(self, node: NodeT, text: str) -> tuple[str, NodeT]:
        node.end = _Mark(node.start.line, node.start.column + len(text))
        return text, node


@lru_cache(8192)
def _form(text: str) -> tuple[str, bool, bool]:
    """Return the written form of a text, whether it is quoted, and whether it has unusual characters.

    YAML may take these for others.
    """
    quoted = _PLAIN.fullmatch(text) is None
    return _quoted(text) if quoted else text, quoted, not text.isprintable()


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _remark(text: str) -> str:
    return f"  # {_comment(text)}" if text else ""


def _comment(text: str) -> str:
    """Return a text as one line, whatever it contains."""
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(text.split())
