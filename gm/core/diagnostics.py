"""Findings about a file, each with its place; messages that can be translated; comparison of names."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

from gm.core.values import Record

Severity = Literal["error", "warning"]
Translate = Callable[[str], str]  # turns an English message into a language's

NUMBER_WORDS = (
    *("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
"""The words for numbers from 0 to 20, by number."""
PRINTED = 50  # how many diagnostics of one file are printed before the rest is only counted
_SHOWN_LIMIT = 40  # characters of a text that a message quotes
_BEFORE_MARK = 20  # characters of a long line that are shown before its mark

# letters that Unicode does not decompose into a base letter and an accent
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})

_NO_JOINERS = dict.fromkeys((0x200C, 0x200D))  # two names that differ by these look the same

# control characters, and those that reorder or hide text: none of them may reach a terminal or a report
_HIDDEN = "\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\ufff9-\uffff"
_JOINERS = "\u200c\u200d"
# joiners are text inside words and emoji, and at the end of words of other letters than ours
_INSIDE = rf"(?<=[^\s{_HIDDEN}{_JOINERS}])[{_JOINERS}](?=[^\s{_HIDDEN}{_JOINERS}])"
_AT_END = rf"(?<=[^\s\x00-\x7f{_HIDDEN}{_JOINERS}])[{_JOINERS}](?=\s|\Z)"
_UNPRINTABLE = re.compile(rf"[{_HIDDEN}]|(?!{_INSIDE}|{_AT_END})[{_JOINERS}]")


class Message(str):
    """A text that can be translated: ``pattern`` in English with ``values`` to fill in."""

    pattern: str
    values: tuple[object, ...]


def says(pattern: str, *values: object) -> Message:
    """Return a message with ``values``; a pattern without any is taken literally, braces and all."""
    message = Message(pattern.format(*values) if values else pattern)
    message.pattern = pattern
    message.values = values
    return message


def joined(texts: Iterable[object], between: str = "\n") -> Message:
    """Return several messages or errors as one, a line each or with another text ``between`` them."""
    parts = tuple(texts)
    return says(between.join(f"{{{number}}}" for number in range(len(parts))), *parts)


def said(text: Any, translate: Translate) -> Any:
    """Return a message, or an error's message, in a language; anything else as it is.

    A plain string is not translated: values are data, and never patterns.
    """
    if isinstance(text, SourceError):
        return render_all(text.diagnostics, translate=translate)
    if isinstance(text, Exception):
        text = message_of(text)
    if not isinstance(text, Message):
        return text
    pattern = text.pattern and translate(text.pattern)  # a catalogue answers an empty one with its header
    values = [said(value, translate) for value in text.values]
    return pattern.format(*values) if values else pattern


def message_of(error: BaseException) -> str:
    """Return an error's text, as a message if it was raised with one or holds findings."""
    if isinstance(error, SourceError):
        return joined([error])
    text = error.args[0] if len(error.args) == 1 else None
    return text if isinstance(text, Message) else str(error)


class Diagnostic(Record):
    """One finding about a file, at a place in it or about the whole."""

    severity: Severity
    code: str  # its kind, such as ``sheet/wrong-turn``
    message: str
    file: str = ""  # the file's name
    line: int = 0  # from 1; 0: the whole file
    column: int = 0  # of the first character of the marked text, from 1
    width: int = 1  # how many characters are marked
    excerpt: str = ""  # the whole line of the file
    suggestion: str = ""  # what to write instead, in words
    clause: str = ""  # the id of the rule behind it

    @property
    def is_error(self) -> bool:
        return self.severity == "error"

    def render(self, *, colour: bool = False, excerpt_limit: int = 100, translate: Translate = str) -> str:
        """Return the finding as one to four lines of text.

        ``excerpt_limit``: characters of the source line around the mark.
        """
        strong = ""
        plain = ""
        if colour:
            strong = "\x1b[31;1m" if self.is_error else "\x1b[33;1m"
            plain = "\x1b[0m"
        place = "".join(f"{part}:" for part in (said(self.file, translate), self.line, self.column) if part)
        head = f"{printable(place)} " if place else ""
        kind = translate(self.severity)
        lines = [f"{head}{strong}{kind}[{self.code}]{plain}: {printable(said(self.message, translate))}"]
        if self.line and self.excerpt.strip():
            number = str(self.line)
            excerpt, before, width = _window(self.excerpt, self.column - 1, self.width, excerpt_limit)
            lines.append(f"  {number} | {excerpt}".rstrip())
            lines.append(f"  {' ' * len(number)} | {' ' * before}{strong}{'^' * width}{plain}")
        rule = said(says("rule {0}", self.clause), translate) if self.clause else ""
        notes = [note for note in (printable(said(self.suggestion, translate)), rule) if note]
        if notes:
            lines.append(f"  = {'   '.join(notes)}")
        return "\n".join(lines)


class SourceError(Exception):
    """A file that cannot be used at all; ``diagnostics`` say why."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(render_all(diagnostics))
        self.diagnostics = diagnostics


def render_all(
    findings: Sequence[Diagnostic], *, colour: bool = False, limit: int = PRINTED, translate: Translate = str
) -> str:
    """Return the first ``limit`` findings as text, one below the other, and the number of the others."""
    texts = [finding.render(colour=colour, translate=translate) for finding in findings[:limit]]
    if len(findings) > limit:
        texts.append(said(says("... and {0} more", len(findings) - limit), translate))
    return "\n".join(texts)


class Counted:
    """An object with diagnostics, which counts the errors and warnings among them."""

    __slots__ = ()
    diagnostics: tuple[Diagnostic, ...]

    @property
    def errors(self) -> int:
        return sum(diagnostic.is_error for diagnostic in self.diagnostics)

    @property
    def warnings(self) -> int:
        return len(self.diagnostics) - self.errors


def printable(text: str) -> str:
    """Return ``text`` with a replacement sign for every character that is no visible text."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def invisible(text: str) -> bool:
    """Return whether a text has a control character or an invisible one in it."""
    return _UNPRINTABLE.search(text) is not None


def shown(text: str) -> str:
    """Return ``text`` in quotes for a message: printable, on one line, and shortened when long."""
    return f"'{shown_unquoted(text)}'"


def shown_unquoted(text: str) -> str:
    """Return ``text`` for a message, without quotes: printable, on one line, and shortened when long."""
    flat = printable(" ".join(text.split()))
    return flat if len(flat) <= _SHOWN_LIMIT else f"{flat[: _SHOWN_LIMIT - 1]}…"


def fold(name: str) -> str:
    """Return the form that a name's spellings share: no case, accents or joiners, single spaces (O8)."""
    folded = name.casefold()
    if not folded.isascii():
        folded = folded.translate(_NO_JOINERS)
        parts = unicodedata.normalize("NFKD", folded.translate(_LETTERS))
        folded = "".join(char for char in parts if not unicodedata.combining(char))
    return " ".join(folded.split())


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Return the one of ``names`` that ``name`` probably means, whatever its case and accents.

    It is the one that differs by the fewest letters, if these are one, or a third of ``name``, at most; else
    the first that begins with ``name``. None if there is neither.
    """
    folded_name = fold(name)[:60]  # a longer text is no mistyped name, and takes long to compare
    if not folded_name:
        return None
    best = None
    longer_name = None
    limit = max(1, len(folded_name) // 3) + 1
    for candidate in names:
        folded = fold(candidate)
        if abs(len(folded) - len(folded_name)) < limit:
            distance = _distance(folded_name, folded, limit)
            if distance < limit:
                best = candidate
                limit = distance
        if longer_name is None and len(folded_name) >= 3 and folded.startswith(folded_name):
            longer_name = candidate
    return best or longer_name


def did_you_mean(name: str | None) -> str:
    """Return the suggestion to write this name, the nearest to a wrong one; empty for None."""
    return says("did you mean '{0}'?", name) if name else ""


def _distance(a: str, b: str, limit: int) -> int:
    """Return how many letters to add, drop, change or swap to turn ``a`` into ``b``; at most ``limit``."""
    before: list[int] = []
    row = list(range(len(b) + 1))  # the distances of the letters of ``a`` so far from each beginning of ``b``
    for i, left in enumerate(a, 1):
        older, before, row = before, row, [i]
        for j, right in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (left != right))
            if i > 1 and j > 1 and left == b[j - 2] and a[i - 2] == right:  # two neighbours are swapped
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) >= limit:  # the next letters cannot bring the distance below it
            return limit
    return min(row[-1], limit)


def _window(line: str, start: int, width: int, limit: int) -> tuple[str, int, int]:
    """Return (part of a line around its marked text, columns before the mark, columns of the mark).

    The part has at most ``limit`` characters, and an ellipsis where the line is cut. ``start`` and ``width``:
    the index of the marked text in the line, and its length in characters.
    """
    line = printable(line.replace("\t", " "))
    mark_start = max(0, min(start, len(line)))
    window_start = max(0, min(mark_start - _BEFORE_MARK, len(line) - limit))
    window = line[window_start : window_start + limit]
    # at least one character, even behind the end of the line; no more than the window shows
    mark_end = max(mark_start + 1, min(mark_start + width, len(line), mark_start + limit))
    mark_end = min(mark_end, max(window_start + len(window), mark_start + 1))
    head = "…" if window_start else ""
    tail = "…" if window_start + limit < len(line) else ""
    columns_before = len(head) + _columns(line[window_start:mark_start])
    return head + window + tail, columns_before, max(1, _columns(line[mark_start:mark_end]))


def _columns(text: str) -> int:
    """Return how many columns of a terminal a text takes: wide characters two, accents of their own none."""
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(1 for char in text if unicodedata.combining(char))
