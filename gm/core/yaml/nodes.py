"""What a YAML file says, node by node, each with its place in the file."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from decimal import Decimal
from functools import cached_property
from typing import Any

from gm.core.diagnostics import Diagnostic, Severity, shown

LINE_END = re.compile("\r\n|\r|\n")

_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_BOOLS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INT = re.compile(r"[-+]?[0-9]{1,30}\Z")
_DECIMAL = re.compile(r"[-+]?(?:[0-9]{1,30}\.?[0-9]{0,30}|\.[0-9]{1,30})(?:[eE][-+]?[0-9]{1,2})?\Z")


class Source:
    """One file's text and its name in messages."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text

    @cached_property
    def lines(self) -> list[str]:
        return LINE_END.split(self.text)

    def line(self, number: int) -> str:
        """The text of a line (1-based); empty beyond the end."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def diagnostic(
        self,
        code: str,
        message: str,
        line: int,
        column: int,
        width: int = 1,
        *,
        severity: Severity = "error",
        suggestion: str = "",
        clause: str = "",
    ) -> Diagnostic:
        """A finding at a place of this file (1-based)."""
        return Diagnostic(
            severity, code, message, self.file, line, column, max(1, width), self.line(line), suggestion, clause
        )


class Node(ABC):
    """Something written in a file: ``line`` and ``column`` (1-based) are where it begins."""

    __slots__ = ("_end", "_start", "source")

    def __init__(self, source: Source, start: Any, end: Any) -> None:
        self.source = source
        self._start = start
        self._end = end

    def end(self, mark: Any) -> None:
        """Set where it ends, which a list or mapping learns last."""
        self._end = mark

    @property
    def line(self) -> int:
        return int(self._start.line) + 1

    @property
    def column(self) -> int:
        return int(self._start.column) + 1

    @property
    def width(self) -> int:
        """How many characters to mark: its length where it stands on one line."""
        if self._end.line == self._start.line:
            return max(1, int(self._end.column - self._start.column))
        return max(1, len(self.source.line(self.line).rstrip()) - int(self._start.column))

    @property
    @abstractmethod
    def what(self) -> str:
        """What it is, in words."""

    def diagnostic(
        self, code: str, message: str, *, severity: Severity = "error", suggestion: str = "", clause: str = ""
    ) -> Diagnostic:
        """A finding about this node."""
        return self.source.diagnostic(
            code, message, self.line, self.column, self.width, severity=severity, suggestion=suggestion, clause=clause
        )


class Scalar(Node):
    """A single value: its text as written, and whether it was quoted (or a block of text)."""

    __slots__ = ("quoted", "text")

    def __init__(self, source: Source, start: Any, end: Any, text: str, quoted: bool) -> None:
        self.source = source
        self._start = start
        self._end = end
        self.text = text
        self.quoted = quoted

    @property
    def is_null(self) -> bool:
        """Whether nothing is written here, or ``null``."""
        return not self.quoted and self.text in _NULLS

    @property
    def what(self) -> str:
        return "nothing" if self.is_null else shown(self.text)

    def __repr__(self) -> str:
        return f"Scalar({self.text!r})"


class Mapping(Node):
    """Names with values: ``entries`` maps each key's text to the key's node and the value's, in file order."""

    __slots__ = ("entries",)

    def __init__(self, source: Source, start: Any, end: Any) -> None:
        self.source = source
        self._start = start
        self._end = end
        self.entries: dict[str, tuple[Scalar, Node]] = {}

    def __iter__(self) -> Iterator[tuple[Scalar, Node]]:
        return iter(self.entries.values())

    def __len__(self) -> int:
        return len(self.entries)

    def get(self, key: str) -> Node | None:
        """The value of a key; none if it is not here."""
        entry = self.entries.get(key)
        return entry[1] if entry else None

    @property
    def width(self) -> int:
        if self._end.line != self._start.line and self.entries:
            first = next(iter(self.entries.values()))[0]
            if first.line == self.line and first.column == self.column:
                return first.width
        return super().width

    @property
    def what(self) -> str:
        return "a mapping (name: value)"


class Sequence(Node):
    """A list."""

    __slots__ = ("items",)

    def __init__(self, source: Source, start: Any, end: Any) -> None:
        self.source = source
        self._start = start
        self._end = end
        self.items: list[Node] = []

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    @property
    def what(self) -> str:
        return "a list"


def plain_data(node: Node) -> Any:
    """The node as plain data by the core rules of YAML 1.2: dict, list, str, int, Decimal, bool, None; ``yes`` and
    ``no`` are text, and so are numbers of more than 30 digits."""
    if isinstance(node, Mapping):
        return {key: plain_data(value) for key, (_, value) in node.entries.items()}
    if isinstance(node, Sequence):
        return [plain_data(item) for item in node.items]
    assert isinstance(node, Scalar)  # noqa: S101 - there are only these three
    text = node.text
    if node.quoted:
        return text
    if text in _NULLS:
        return None
    if text in _BOOLS:
        return _BOOLS[text]
    if _INT.match(text):
        return int(text)
    if _DECIMAL.match(text):
        return Decimal(text)
    return text
