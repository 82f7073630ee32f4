"""The YAML parser behind the nodes (the C one, or the pure Python one where it is not installed), and its complaints in
words that players understand, the same for both."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

try:
    from _ruamel_yaml import CParser
except ImportError:  # pragma: no cover - depends on what is installed
    CParser = None


_GLUED = re.compile(r"\s*(?:- )?\w+:(?=[^\s/])")

# what the parser was reading, what it complains of, the character there (none: any), then code, message, and whether
# the mark goes to where the thing began. The first row that fits counts.
_COMPLAINTS: tuple[tuple[str, str, str | None, str, str, bool], ...] = (
    (
        "quoted scalar",
        "escape",
        None,
        "source/bad-escape",
        "an unknown escape in these double quotes; write \\\\ for a backslash",
        True,
    ),
    ("quoted scalar", "", None, "source/unclosed-quote", "this quotation mark is never closed", True),
    ("flow sequence", "", None, "source/unclosed-bracket", "this '[' is not closed: expected ',' or ']'", True),
    ("flow mapping", "", None, "source/unclosed-bracket", "this '{{' is not closed: expected ',' or '}}'", True),
    (
        "",
        "mapping values are not allowed",
        None,
        "source/colon",
        "a second colon, or a line indented too far: quote a text that contains ': '",
        False,
    ),
    (
        "",
        "could not find expected ':'",
        None,
        "source/no-colon",
        "this line is neither 'name: value' nor '- item'",
        True,
    ),
    ("simple key", "", None, "source/no-colon", "this line is neither 'name: value' nor '- item'", True),
    ("directive", "", None, "source/directive", "directives (%...) are not read", False),
    (
        "plain scalar",
        "':'",
        None,
        "source/colon",
        "a colon too many, or no space behind it; quote a text that contains ': '",
        False,
    ),
    ("", "mapping keys are not allowed", None, "source/special-character", "a text with '?' needs quotes here", False),
    ("", "cannot start any token", "|>", "source/special-character", "'{char}' needs quotes here", False),
    (
        "",
        "",
        "@`%",
        "source/special-character",
        "'{char}' cannot begin a value: put the text in quotes",
        False,
    ),
    ("node", "", "", "source/unclosed-bracket", "the file ends before every '[' and '{{' is closed", False),
    ("node", "", "]}", "source/unclosed-bracket", "this '{char}' closes nothing that is open here", False),
    ("node", "", None, "source/indentation", "a value is expected here", False),
    ("block mapping", "", None, "source/indentation", "this does not line up with the entries above it", False),
    ("block", "", None, "source/indentation", "this does not line up with what is above it", False),
    ("", "block sequence entries", None, "source/indentation", "a list cannot begin here", False),
    ("anchor", "", None, "source/alias", "anchors (&name) and aliases (*name) are not read", False),
    ("alias", "", None, "source/alias", "anchors (&name) and aliases (*name) are not read", False),
    ("tag", "", None, "source/tag", "tags (!name) are not read", False),
    (
        "",
        "<document start>",
        None,
        "source/several-documents",
        "the document ends above; nothing may follow it",
        False,
    ),
)


def parser_events(
    text: str, fail: Callable[[Exception], Exception], *, pure: bool = False
) -> Iterator[tuple[str, Any]]:
    """(kind, event) of each event of the text, e.g. ``MappingStart``. A complaint is raised as ``fail(complaint)``."""
    kinds: dict[type, str] = {}
    try:
        parser = _pure_parser(text) if pure or CParser is None else CParser(text.encode())
        get, more = parser.get_event, parser.check_event
        while more():
            event = get()
            cls = type(event)
            kind = kinds.get(cls)
            if kind is None:
                kind = kinds[cls] = cls.__name__.removesuffix("Event")
            yield kind, event
    except Exception as error:  # the pure parser also fails with IndexError and the like: all are the file's fault
        raise fail(error) from None


def _pure_parser(text: str) -> Any:
    from ruamel.yaml import YAML

    yaml = YAML(typ="safe", pure=True)
    _, parser = yaml.get_constructor_parser(text)
    return parser


def explain(error: Exception, lines: list[str]) -> tuple[str, str, int, int]:
    """(code, message, line, column) of a parser's complaint, the place 1-based."""
    problem = str(getattr(error, "problem", None) or error)
    context = str(getattr(error, "context", None) or "")
    at = getattr(error, "problem_mark", None)
    opened = getattr(error, "context_mark", None) or at
    line, column = (at.line, at.column) if at is not None else (0, 0)
    text = lines[line] if line < len(lines) else ""
    indent = text[: len(text) - len(text.lstrip())]
    if "\t" in indent or text[column : column + 1] == "\t":
        tab = indent.find("\t") if "\t" in indent else column
        return "source/tab", "a tab stands here; YAML is indented with spaces", line + 1, tab + 1
    glued = _glued_colon(lines, line) if "mapping values are not allowed" in problem else None
    if glued is not None:
        return "source/colon", "a space is missing after this colon", *glued
    code, message, at_opening = _kind(problem, context, text[column : column + 1])
    if at_opening and opened is not None:
        line, column = opened.line, opened.column
    if line >= len(lines):
        # the parser ends each file with a line end: one without it ends in its last line
        line, column = len(lines) - 1, len(lines[-1])
    return code, message, line + 1, column + 1


def _glued_colon(lines: list[str], line: int) -> tuple[int, int] | None:
    """(line, column) of a ``name:value`` on the last line above that holds anything: it made the next colon one too
    many."""
    above = next((number for number in range(line - 1, -1, -1) if lines[number].strip()), None)
    found = _GLUED.match(lines[above]) if above is not None else None
    return (above + 1, found.end()) if above is not None and found else None


def _kind(problem: str, context: str, char: str) -> tuple[str, str, bool]:
    """(code, message, whether it is to be shown where the thing began) for a complaint."""
    for in_context, in_problem, chars, code, message, at_opening in _COMPLAINTS:
        if in_context in context and in_problem in problem and (chars is None or _one_of(char, chars)):
            return code, message.format(char=char), at_opening
    return "source/unreadable", "this cannot be read as YAML", False


def _one_of(char: str, chars: str) -> bool:
    """Whether the character is one of these; the end of the file (no character) is meant by no characters."""
    return char in chars if char and chars else char == chars
