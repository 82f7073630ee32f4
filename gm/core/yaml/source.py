"""YAML text into nodes that know their place in the file, with everything refused that an order file never needs.

Nodes are made from parser events. Scalars stay text as written, so ``NO`` and ``On`` are names until somebody asks for
an answer (O9). Anchors, aliases, tags, several documents, duplicate keys, deep nesting, control characters, text that
is not UTF-8 and files over the size limit are refused.
"""

from __future__ import annotations

import re
from typing import Any

from gm.core.diagnostics import Diagnostic, SourceError, shown
from gm.core.yaml.nodes import LINE_END, Mapping, Node, Scalar, Sequence, Source, plain_data
from gm.core.yaml.yaml_errors import explain, parser_events

__all__ = [
    "DEPTH_LIMIT",
    "SIZE_LIMIT",
    "Mapping",
    "Node",
    "Scalar",
    "Sequence",
    "Source",
    "SourceError",
    "plain_data",
    "read_yaml",
]

SIZE_LIMIT = 1024 * 1024
"""Bytes that a player's file may have."""
DEPTH_LIMIT = 32
"""How deep lists and mappings may be nested."""

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff\ud800-\udfff]")
_CONTROL_BYTES = bytes(byte for byte in range(32) if byte not in b"\t\n\r")
_DIRECTIVE = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?[\r\n])*%")
# line breaks to the parser and to no editor: the line numbers must be the editor's
_ODD_BREAKS = str.maketrans({"\x85": " ", "\u2028": " ", "\u2029": " ", "\ufeff": " "})


def read_yaml(data: bytes, file: str, *, size_limit: int = SIZE_LIMIT) -> Node:
    """The one document of a YAML file; ``file`` is its name in messages. Raises ``SourceError`` with the first fault's
    place."""
    source = Source(file, _decode(data, file, size_limit))
    control = _CONTROL.search(source.text)
    if control:
        raise SourceError(_at(source, control.start(), "source/control-character", _control_message(control[0])))
    if source.text.lstrip().startswith("<"):
        message = "this is a web page or an HTML mail; send the file itself, as plain text"
        raise SourceError(_at(source, source.text.index("<"), "source/html", message))
    if source.text.lstrip().startswith(">"):
        message = "the lines begin with '>', as in the answer to a mail; send the file itself"
        raise SourceError(_at(source, source.text.index(">"), "source/quoted-mail", message))
    directive = _DIRECTIVE.match(source.text)
    if directive:
        raise SourceError(_at(source, directive.end() - 1, "source/directive", "directives (%...) are not read"))
    node = _Builder(source).build()
    if node is None:
        raise SourceError(Diagnostic("error", "source/empty", "the file is empty", file))
    return node


def _decode(data: bytes, file: str, size_limit: int) -> str:
    """The text of the file without a byte order mark; ``SourceError`` for what is no UTF-8 text."""

    def whole_file(code: str, message: str) -> SourceError:
        return SourceError(Diagnostic("error", code, message, file))

    if len(data) > size_limit:
        size = f"the file has {len(data):,} bytes; at most {size_limit:,} are read"
        raise whole_file("source/too-large", size)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise whole_file("source/not-utf8", "the file is UTF-16 text; save it as UTF-8")
    head = data[:1024]
    controls = len(head) - len(head.translate(None, _CONTROL_BYTES))
    if controls > max(2, len(head) // 50) or head.startswith(b"%PDF-"):
        raise whole_file("source/binary", "this is no text file")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        good = data[: error.start].decode("utf-8", "replace").removeprefix("\ufeff")
        source = Source(file, good + data[error.start :].decode("utf-8", "replace"))
        message = f"byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8"
        raise SourceError(_at(source, len(good), "source/not-utf8", message)) from None
    return text.translate(_ODD_BREAKS) if not text.isascii() else text


def _control_message(char: str) -> str:
    return f"control character U+{ord(char):04X} has no place in a text file"


def _at(source: Source, offset: int, code: str, message: str) -> Diagnostic:
    """A finding at a character of the text."""
    lines = LINE_END.split(source.text[:offset])
    return source.diagnostic(code, message, len(lines), len(lines[-1]) + 1)


class _Builder:
    """Turns the parser's events into nodes, watching depth, keys and everything that is refused."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.root: Node | None = None
        self.documents = 0
        self._open: list[Mapping | Sequence] = []
        self._key: Scalar | None = None
        self._keys: list[Scalar | None] = []  # the pending key of each open node

    def build(self) -> Node | None:
        """The document's node; none for a file without any."""
        source, opened = self.source, self._open
        for kind, event in parser_events(source.text, self._fail):
            if kind == "Scalar":
                self._plain(event)
                style = event.style
                self._put(
                    scalar := Scalar(source, event.start_mark, event.end_mark, event.value, style not in (None, ""))
                )
                if style == '"' and _CONTROL.search(event.value):
                    message = "an escape makes a control character"
                    raise SourceError(scalar.diagnostic("source/control-character", message))
            elif kind == "MappingStart":
                self._enter(event, Mapping(source, event.start_mark, event.end_mark))
            elif kind == "SequenceStart":
                self._enter(event, Sequence(source, event.start_mark, event.end_mark))
            elif kind in ("MappingEnd", "SequenceEnd"):
                opened.pop().end(event.end_mark)
                self._key = self._keys.pop()
            elif kind == "DocumentStart":
                self._document(event)
            elif kind == "Alias":
                raise SourceError(self._mark(event, "source/alias", "aliases (*name) are not read"))
        return None if isinstance(self.root, Scalar) and self.root.is_null else self.root

    def _put(self, node: Node) -> None:
        """Put a node where it belongs: into the list or mapping that is open, as its item, key or value."""
        if not self._open:
            self.root = node
            return
        above = self._open[-1]
        if not isinstance(above, Mapping):
            above.items.append(node)
        elif self._key is None:
            self._key = self._checked_key(node, above)
        else:
            above.entries[self._key.text] = (self._key, node)
            self._key = None

    def _enter(self, event: Any, node: Mapping | Sequence) -> None:
        self._plain(event)
        self._put(node)
        self._open.append(node)
        self._keys.append(self._key)
        self._key = None
        if len(self._open) > DEPTH_LIMIT:
            raise SourceError(self._mark(event, "source/too-deep", f"nested more than {DEPTH_LIMIT} deep"))

    def _plain(self, event: Any) -> None:
        """Refuse anchors and tags."""
        if event.anchor is not None:
            raise SourceError(self._mark(event, "source/alias", "anchors (&name) are not read"))
        if event.tag is not None:
            raise SourceError(self._mark(event, "source/tag", f"tags ({shown(str(event.tag))[1:-1]}) are not read"))

    def _document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            message = "a second document begins here; a file holds one"
            raise SourceError(self._mark(event, "source/several-documents", message))

    def _checked_key(self, node: Node, mapping: Mapping) -> Scalar:
        """The node as a key of the mapping; ``SourceError`` when it is no name or there twice."""
        if not isinstance(node, Scalar):
            message = f"a name is expected before the colon, not {node.what}"
            raise SourceError(node.diagnostic("source/bad-key", message))
        if not node.text:
            raise SourceError(node.diagnostic("source/bad-key", "a name is expected before the colon"))
        first = mapping.entries.get(node.text)
        if first is not None:
            message = f"{shown(node.text)} stands here for the second time (first in line {first[0].line})"
            raise SourceError(node.diagnostic("source/duplicate-key", message))
        return node

    def _mark(self, event: Any, code: str, message: str) -> Diagnostic:
        start, end = event.start_mark, event.end_mark
        width = end.column - start.column if end.line == start.line else 1
        return self.source.diagnostic(code, message, start.line + 1, start.column + 1, width)

    def _fail(self, error: Exception) -> SourceError:
        code, message, line, column = explain(error, self.source.lines)
        return SourceError(self.source.diagnostic(code, message, line, column))
