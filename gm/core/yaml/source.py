"""Read YAML text into nodes that know their place.

Scalars stay text: ``NO`` is a name, unless the reader asks for yes or no (O9). Refused: anchors, aliases,
tags, several documents, deep nesting, control characters, other text than UTF-8, big files.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cached_property
from typing import Any

import msgspec

from gm.core.diagnostics import Diagnostic, Severity, SourceError, says, shown, shown_unquoted
from gm.core.yaml.yaml_errors import explain, in_newcomers_terms, parser_events

LINE_END = re.compile("\r\n|\r|\n")

_NULLS = dict.fromkeys(("", "~", "null", "Null", "NULL"))
_TRUE = dict.fromkeys(("true", "True", "TRUE"), True)
_FALSE = dict.fromkeys(("false", "False", "FALSE"), False)
_WORDS = _NULLS | _TRUE | _FALSE  # the value of each word that is no text, by YAML 1.2
_INT = re.compile(r"[-+]?[0-9]{1,30}\Z")
_DECIMAL = re.compile(r"[-+]?(?:[0-9]{1,30}\.?[0-9]{0,30}|\.[0-9]{1,30})(?:[eE][-+]?[0-9]{1,2})?\Z")


class Source(msgspec.Struct, eq=False, dict=True):
    """One file's text, and its name in messages."""

    file: str
    text: str

    @cached_property
    def lines(self) -> list[str]:
        return LINE_END.split(self.text)

    def line(self, number: int) -> str:
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def diagnostic(
        self,
        code: str,
        message: str,
        line: int,
        column: int,
        width: int = 1,
        severity: Severity = "error",
        **more: str,
    ) -> Diagnostic:
        """Return a finding at a place of this file, line and column from 1; a beginner's slip is reworded.

        ``width``: how many characters are marked; ``more``: the finding's ``suggestion`` and ``clause``.
        """
        excerpt = self.line(line)
        width = max(1, width)
        finding = Diagnostic(severity, code, message, self.file, line, column, width, excerpt, **more)
        return in_newcomers_terms(finding)

    def error(self, code: str, message: str, line: int, column: int, width: int = 1) -> SourceError:
        """Return the error at a place of this file, line and column from 1, to be raised."""
        return SourceError(self.diagnostic(code, message, line, column, width))

    def error_at(self, offset: int, code: str, message: str) -> SourceError:
        """Return the error at an ``offset`` in characters from the start, to be raised."""
        lines = LINE_END.split(self.text[:offset])
        return self.error(code, message, len(lines), len(lines[-1]) + 1)


class Node(msgspec.Struct, eq=False):
    """A value in a file, from ``start`` to ``end`` (marks of the parser); ``line`` and ``column`` from 1."""

    source: Source
    start: Any
    end: Any

    @property
    def line(self) -> int:
        return int(self.start.line) + 1

    @property
    def column(self) -> int:
        return int(self.start.column) + 1

    @property
    def width(self) -> int:
        """The number of characters to mark: the node's length if it is on one line."""
        if self.end.line == self.start.line:
            return max(1, int(self.end.column - self.start.column))
        return max(1, len(self.source.line(self.line).rstrip()) - int(self.start.column))

    @property
    def what(self) -> str:
        """What the node is, in words for a message."""
        return says("a list" if isinstance(self, Sequence) else "a mapping (name: value)")

    def diagnostic(self, code: str, message: str, *, severity: Severity = "error", **more: str) -> Diagnostic:
        """Return a finding at this node; ``more``: its ``suggestion`` and ``clause``."""
        return self.source.diagnostic(code, message, self.line, self.column, self.width, severity, **more)


class Scalar(Node, eq=False):
    """A single value: its text as written, and whether it was quoted (or a block of text)."""

    text: str
    quoted: bool

    @property
    def is_null(self) -> bool:
        return not self.quoted and self.text in _NULLS

    @property
    def what(self) -> str:
        return says("nothing") if self.is_null else shown(self.text)


class Mapping(Node, eq=False):
    """Names with values: ``entries`` maps the text of each key to (key, value) as nodes, in file order."""

    entries: dict[str, tuple[Scalar, Node]] = msgspec.field(default_factory=dict)
    repeated: bool = False  # whether a name came again; the later entry was left out

    def __iter__(self) -> Iterator[tuple[Scalar, Node]]:
        return iter(self.entries.values())

    def __len__(self) -> int:
        return len(self.entries)

    def get(self, key: str) -> Node | None:
        """Return the value of a name in small letters, whatever its capitals in the file; None if missing."""
        if key in self.entries:
            return self.entries[key][1]
        return next((value for text, (_, value) in self.entries.items() if text.lower() == key), None)

    @property
    def width(self) -> int:
        if self.entries and self.end.line != self.start.line:
            first, _ = next(iter(self))
            if (first.line, first.column) == (self.line, self.column):  # else it begins with ``{`` or ``?``
                return first.width
        return super().width


class Sequence(Node, eq=False):
    """A list."""

    items: list[Node] = msgspec.field(default_factory=list)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)


def plain_data(node: Node) -> Any:
    """Return the node as dicts, lists, texts, ints, decimals, booleans and None, by YAML 1.2.

    So ``yes`` and ``no`` are text, and so are numbers of more than 30 digits.
    """
    if isinstance(node, Mapping):
        return {key: plain_data(value) for key, (_, value) in node.entries.items()}
    if isinstance(node, Sequence):
        return [plain_data(item) for item in node.items]
    assert isinstance(node, Scalar)  # noqa: S101 - there are only these three
    text = node.text
    if node.quoted:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INT.match(text):
        return int(text)
    return Decimal(text) if _DECIMAL.match(text) else text


def has_repeated(node: Node) -> bool:
    """Return whether a name came again in the node or in a node in it (:class:`Mapping`)."""
    if isinstance(node, Mapping):
        return node.repeated or any(has_repeated(value) for _, value in node)
    return isinstance(node, Sequence) and any(map(has_repeated, node))


def flow_text(node: Node) -> str:
    """Return a node's text on one line, however it was laid out."""
    if isinstance(node, Mapping):
        return "{" + ", ".join(f"{key.text}: {flow_text(value)}" for key, value in node) + "}"
    if isinstance(node, Sequence):
        return "[" + ", ".join(flow_text(item) for item in node) + "]"
    return node.text if isinstance(node, Scalar) else ""


SIZE_LIMIT = 1024 * 1024  # bytes that a player's file may have
DEPTH_LIMIT = 32  # how deep lists and mappings may be nested
TWICE_LIMIT = 1_000  # so many names may be repeated in a player's file before it is read no further
ONCE = says("write it once, in the first place")

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff\ud800-\udfff]")
_CONTROL_BYTES = bytes(byte for byte in range(32) if byte not in b"\t\n\r")
_QUOTED = says("the lines begin with '>', as in the answer to a mail; send the file itself")
_REFUSED = (
    (_CONTROL, "control-character", says("control character U+{0:04X} is not allowed in a text file")),
    (r"\A\s*<", "html", says("this is a web page or an HTML mail; send the file itself, as plain text")),
    (r"\A\s*>", "quoted-mail", _QUOTED),
    (r"\A(?:[ \t]*(?:#[^\r\n]*)?[\r\n])*%", "directive", says("directives (%...) are not read")),
)
"""(pattern, end of the code, message) of what no file may contain; the last character of it is marked."""
# line breaks to the parser and to no editor: the line numbers must be the editor's
_ODD_BREAKS = re.compile("[\x85\u2028\u2029\ufeff]")


def read_tolerantly(data: bytes, file: str) -> tuple[Node, list[Diagnostic]]:
    """Return (root node without repeated names, findings about these) of a player's file (O7)."""
    twice: list[Diagnostic] = []
    return read_yaml(data, file, twice=twice), twice


def read_yaml(
    data: bytes, file: str, *, size_limit: int = SIZE_LIMIT, twice: list[Diagnostic] | None = None
) -> Node:
    """Return the root node of a file. Raises ``SourceError`` for the first fault.

    ``twice``: a list for findings about repeated names, which are else faults; ``size_limit``: in bytes.
    """
    source = Source(file, _decode(data, file, size_limit))
    for pattern, code, message in _REFUSED:  # {0} in a message: the number of the character at fault
        match = re.search(pattern, source.text)
        if match:
            raise source.error_at(match.end() - 1, f"source/{code}", says(message, ord(match[0][-1])))
    node = _Builder(source, twice).document()
    if node is None:
        raise SourceError(Diagnostic("error", "source/empty", says("the file is empty"), file))
    return node


def _decode(data: bytes, file: str, size_limit: int) -> str:
    """Return a file's text. Raises ``SourceError`` for one that is too large, binary or not UTF-8."""
    head = data[:1024]  # enough to tell a binary file from a text with a slip or two
    controls = len(head) - len(head.translate(None, _CONTROL_BYTES))
    too_large = says("the file has {0:,} bytes; at most {1:,} are read", len(data), size_limit)
    is_binary = controls > max(2, len(head) // 50) or head.startswith(b"%PDF-")
    utf16 = says("the file is UTF-16 text; save it as UTF-8")
    for wrong, code, message in (
        (len(data) > size_limit, "source/too-large", too_large),
        (head.startswith((b"\xff\xfe", b"\xfe\xff")), "source/not-utf8", utf16),
        (is_binary, "source/binary", says("this is not a text file")),
    ):
        if wrong:
            raise SourceError(Diagnostic("error", code, message, file))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        good = data[: error.start].decode("utf-8", "replace").removeprefix("\ufeff")
        source = Source(file, good + data[error.start :].decode("utf-8", "replace"))
        message = says("byte 0x{0:02x} is not UTF-8; save the file as UTF-8", data[error.start])
        raise source.error_at(len(good), "source/not-utf8", message) from None
    return text if text.isascii() else _ODD_BREAKS.sub(" ", text)


class _Builder:
    """Makes nodes of the parser's events. ``twice``: as in :func:`read_yaml`."""

    def __init__(self, source: Source, twice: list[Diagnostic] | None) -> None:
        self._source = source
        self._twice = twice
        self._events = parser_events(
            source.text, lambda error, closed: source.error(*explain(error, source.lines, closed))
        )

    def document(self) -> Node | None:
        """Return the root node of the only document; None for an empty one. Raises ``SourceError``."""
        root = None
        documents = 0
        for kind, event in self._events:
            if kind == "DocumentStartEvent":
                documents += 1
                if documents > 1:
                    message = says("a second document begins here; a file holds one")
                    raise self._refused(event, "source/several-documents", message)
            elif kind not in ("StreamStartEvent", "StreamEndEvent", "DocumentEndEvent"):
                root = self._node(kind, event, 1)
        return None if isinstance(root, Scalar) and root.is_null else root

    def _node(self, kind: str, event: Any, depth: int) -> Node:
        """Return the node that an event (class ``kind``) begins, with all in it; ``depth``: 1 at the root."""
        self._check_plain(kind, event)
        if kind == "ScalarEvent":
            style = event.style
            quoted = style not in (None, "")
            scalar = Scalar(self._source, event.start_mark, event.end_mark, event.value, quoted)
            if style == '"' and _CONTROL.search(event.value):
                message = says("an escape makes a control character")
                raise SourceError(scalar.diagnostic("source/control-character", message))
            return scalar
        if depth > DEPTH_LIMIT:
            raise self._refused(event, "source/too-deep", says("nested more than {0} deep", DEPTH_LIMIT))
        if kind == "SequenceStartEvent":
            sequence = Sequence(self._source, event.start_mark, event.end_mark)
            for inner_kind, inner in self._events:
                if inner_kind == "SequenceEndEvent":
                    sequence.end = inner.end_mark
                    break
                sequence.items.append(self._node(inner_kind, inner, depth + 1))
            return sequence
        mapping = Mapping(self._source, event.start_mark, event.end_mark)
        for inner_kind, inner in self._events:
            if inner_kind == "MappingEndEvent":
                mapping.end = inner.end_mark
                break
            key = self._key(inner_kind, inner)
            first = mapping.entries.get(key.text)
            if first is not None:
                self._note_twice(key, first[0])  # which raises an error if nothing may come twice
                mapping.repeated = True
            value = self._node(*next(self._events), depth + 1)
            if first is None:
                mapping.entries[key.text] = (key, value)
        return mapping

    def _note_twice(self, key: Scalar, first: Scalar) -> None:
        """Record a repeated name. Raises ``SourceError`` where none is allowed, or after too many."""
        message = says("{0} appears twice (first in line {1})", shown(key.text), first.line)
        if self._twice is None or len(self._twice) >= TWICE_LIMIT:
            raise SourceError(key.diagnostic("source/duplicate-key", message))
        self._twice.append(key.diagnostic("sheet/twice", message, suggestion=ONCE))

    def _key(self, kind: str, event: Any) -> Scalar:
        """Return the key of a mapping's entry. Raises ``SourceError`` if it is no single value, or empty."""
        if kind in ("SequenceStartEvent", "MappingStartEvent"):
            self._check_plain(kind, event)
            found_kind = says("a list" if kind == "SequenceStartEvent" else "a mapping (name: value)")
            message = says("a name is expected before the colon, not {0}", found_kind)
            raise self._refused(event, "source/bad-key", message)
        key = self._node(kind, event, 0)  # a single value, which has no depth
        assert isinstance(key, Scalar)  # noqa: S101 - the others are refused
        if not key.text:
            raise SourceError(key.diagnostic("source/bad-key", says("a name is expected before the colon")))
        return key

    def _check_plain(self, kind: str, event: Any) -> None:
        """Raise ``SourceError`` for an alias, an anchor or a tag; ``kind``: the class of the ``event``."""
        if kind == "AliasEvent":
            raise self._refused(event, "source/alias", says("aliases (*name) are not read"))
        if event.anchor is not None:
            raise self._refused(event, "source/alias", says("anchors (&name) are not read"))
        if event.tag is not None:
            message = says("tags ({0}) are not read", shown_unquoted(str(event.tag)))
            raise self._refused(event, "source/tag", message)

    def _refused(self, event: Any, code: str, message: str) -> SourceError:
        start = event.start_mark
        end = event.end_mark
        width = end.column - start.column if end.line == start.line else 1
        return self._source.error(code, message, start.line + 1, start.column + 1, width)
