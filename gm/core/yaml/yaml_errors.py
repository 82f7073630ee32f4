"""The YAML parser behind the nodes, and its errors in words that players understand.

The parser is the C one, or the pure Python one where that is not installed; the errors are the same for both.
"""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from gm.core.diagnostics import Diagnostic, says

try:
    from _ruamel_yaml import CParser
except ImportError:  # pragma: no cover - depends on what is installed
    CParser = None


@cache
def _words() -> dict[str, list[list[Any]]]:
    """Return the tables of mistakes in ``complaints.json``, the rows of each by its name.

    A row of ``slips``, the mistakes of newcomers and word processors: (code, beginnings of the codes of
    errors that it explains, pattern of the line, whose last group is marked, message, suggestion). A row
    of ``complaints`` of the YAML parser: (what it was reading, what it says, possible characters at the
    place or None for any, our code, our message, whether the mark goes to where the thing begins). In
    both the first row that fits counts.
    """
    tables: dict[str, list[list[Any]]] = json.loads(Path(__file__).with_name("complaints.json").read_bytes())
    return tables


def _complaint(context: str, problem: str, char: str) -> tuple[str, str, bool]:
    """Return (code, message, whether the mark goes to the beginning of what was read) for a parser's error.

    ``context`` and ``problem``: the parser's words for what it was reading and what is wrong; ``char``: the
    character at the place, empty at the end of the file.
    """
    for reading, wrong, chars, code, message, at_opening in _words()["complaints"]:
        if chars is None:
            char_fits = True
        elif char and chars:
            char_fits = char in chars
        else:
            # at the end of the file, or in a row for that, ``in`` would not do: "" is in every text
            char_fits = char == chars
        if char_fits and reading in context and wrong in problem:
            return code, message, at_opening
    return "unreadable", says("this cannot be read as YAML"), False


_QUOTES = ("'", '"')  # the styles of quoted texts
_ENDS = ("SequenceEndEvent", "MappingEndEvent")


def parser_events(
    text: str, fail: Callable[[Exception, Any], Exception], *, pure: bool = False
) -> Iterator[tuple[str, Any]]:
    """Yield (name of its class, event) of each event of the parser.

    An error of the parser is raised as the exception that ``fail`` makes of it and of the event with
    which the last quoted text or bracket ended, or None. ``pure``: by the parser in Python, whatever is
    installed.
    """
    closed = None
    try:
        if pure or CParser is None:
            from ruamel.yaml import YAML

            _, parser = YAML(typ="safe", pure=True).get_constructor_parser(text)
        else:
            parser = CParser(text.encode())
        get = parser.get_event
        more = parser.check_event
        while more():
            event = get()
            kind = type(event).__name__
            if kind == "ScalarEvent":
                closes = event.style in _QUOTES
            else:
                # without a width it is the end of an indented block, not a bracket
                closes = kind in _ENDS and event.end_mark.column > event.start_mark.column
            if closes:
                closed = event
            yield kind, event
    # the pure parser also fails with IndexError and the like: all are the file's fault
    except Exception as error:
        raise fail(error, closed) from None


def _behind_closed(closed: Any, line: int, column: int, lines: list[str]) -> tuple[str, str, int, int] | None:
    """Return (code, message, line, column) if an error is text right after a closing quote or bracket.

    None if it is not. ``closed``: the event with which the last of them ended, or None; ``line`` and
    ``column``: the place of the error, from 0; those that are returned count from 1.
    """
    if closed is None or line >= len(lines):
        return None
    end = closed.end_mark
    text = lines[line]
    text_behind = text[column:]
    if end.line != line or text[end.column : column].strip() or text_behind[:1] in ("", "#", ":", "]", "}"):
        return None
    start = closed.start_mark
    mark = text[end.column - 1]
    if mark in "]}":
        message = says(
            "the value ends with this '{0}', and text follows it: put the whole text in quotes", mark
        )
        return "source/behind-bracket", message, line + 1, end.column
    if start.line != line:
        message = says("this quotation mark is closed only in line {0}: close it in its own line", line + 1)
        return "source/unclosed-quote", message, start.line + 1, start.column + 1
    if mark == "'" and column == end.column:
        message = says(
            "this apostrophe ends the quotation: write '' inside single quotes, or put the text in \"...\""
        )
        return "source/behind-quote", message, line + 1, end.column
    if mark == "'":
        message = says('the quotation ends here, and text follows it: put the whole text in "..."')
    else:
        message = says("the quotation ends here, and text follows it: put the whole text in '...'")
    return "source/behind-quote", message, line + 1, end.column


def explain(error: Exception, lines: list[str], closed: Any = None) -> tuple[str, str, int, int]:
    """Return (code, message, line, column) for a parser's error, line and column from 1.

    ``closed``: the event with which the last quoted text or bracket before it ended, or None.
    """
    problem = str(getattr(error, "problem", None) or error)
    context = str(getattr(error, "context", None) or "")
    mark = getattr(error, "problem_mark", None)
    opened = getattr(error, "context_mark", None) or mark
    line = 0 if mark is None else mark.line
    column = 0 if mark is None else mark.column
    text = lines[line] if line < len(lines) else ""
    indent = text[: len(text) - len(text.lstrip())]
    if "\t" in indent or text[column : column + 1] == "\t":
        tab = indent.find("\t") if "\t" in indent else column
        return "source/tab", says("there is a tab here; indent YAML with spaces"), line + 1, tab + 1
    glued = _glued_colon(lines, line) if "mapping values are not allowed" in problem else None
    if glued is not None:
        return "source/colon", says("a space is missing after this colon"), *glued
    behind = _behind_closed(closed, line, column, lines)
    if behind is not None:
        return behind
    char = text[column : column + 1]
    if char == ":" and opened is not None and opened.line == line:
        # whatever the parser was reading: it is a second colon in a line
        context = ""
        problem = "mapping values are not allowed"
    code, message, at_opening = _complaint(context, problem, char)
    if at_opening and opened is not None:
        line = opened.line
        column = opened.column
    if line >= len(lines):
        # the parser counts a line end at the end of each file, also where the file has none
        line = len(lines) - 1
        column = len(lines[-1])
    return f"source/{code}", says(message, char), line + 1, column + 1


def _glued_colon(lines: list[str], line: int) -> tuple[int, int] | None:
    """Return (line, column), from 1, behind the colon of a ``name:value`` on the last line that is not empty.

    Without a space this is no entry but text, which the next line's colon then seems to continue. None if
    there is none. ``line``: that of the error, from 0; the search begins above it.
    """
    above = next((number for number in range(line - 1, -1, -1) if lines[number].strip()), None)
    match = re.match(r"\s*(?:- )?\w+:(?=[^\s/])", lines[above]) if above is not None else None
    return (above + 1, match.end()) if above is not None and match else None


_LINE = 2000  # characters of a line that are searched for a slip: a line may be a stranger's whole letter


def in_newcomers_terms(finding: Diagnostic) -> Diagnostic:
    """Return an error reworded as the beginner's slip behind it, with a suggestion.

    A finding whose line shows none of the slips in :func:`_words` is returned as it is. So is each warning:
    there the same characters may be right.
    """
    line = finding.excerpt[:_LINE]
    if not finding.is_error or not finding.line:
        return finding
    for code, explained, pattern, message, suggestion in _words()["slips"]:
        match = re.match(pattern, line) if finding.code.startswith(explained) else None
        if match:
            # the last group of each pattern is the text to be marked
            words = [group.strip() for group in match.groups()]
            return finding.evolve(
                code=f"source/{code}",
                message=says(message, *words),
                suggestion=suggestion and says(suggestion, *words),
                column=match.start(len(words)) + 1,
                width=len(match[len(words)].rstrip()),
                clause="",
            )
    return finding
