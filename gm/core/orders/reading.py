"""The common part of all order file readers: located values, names with suggestions, findings, limits.

Faults are collected: one bad order does not affect the others; a fault that makes the whole file useless is
raised as ``SourceError``.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Mapping as Table
from decimal import Decimal
from functools import cached_property
from typing import TypeVar

from gm.core.diagnostics import (
    NUMBER_WORDS,
    PRINTED,
    Diagnostic,
    SourceError,
    did_you_mean,
    fold,
    invisible,
    nearest,
    says,
    shown,
    shown_unquoted,
)
from gm.core.yaml.source import ONCE, Mapping, Node, Scalar, Sequence

ORDER_LIMIT = 2_000  # how many orders one sheet may hold
FINDING_LIMIT = 1_000  # how many findings one sheet may have before it is rejected unread
# a message lists all possible names if they have no more characters than this together
CHOICE_LENGTH = 120
COUNT_LIMIT = 99_999  # the largest count that a single order may name
GOLD_LIMIT = Decimal(9_999_999)  # the largest sum that a single order may name

_WHOLE = re.compile(r"-?[0-9]+\Z")
_GOLD = re.compile(r"-?[0-9]+(\.[0-9]+)?\Z")
_ANSWERS = {"yes": True, "true": True, "no": False, "false": False}

WordT = TypeVar("WordT")
Elsewhere = Table[str, tuple[str, str]]  # (where a word belongs, in words; clause), by the word
Unknown = Callable[[Scalar, str], None]  # reports a key (node, word) that its section does not know


def word_of(text: str) -> str:
    """Return a word of the grammar in its standard form, ``declare_war`` for ``Declare War``."""
    return fold(text).replace("-", "_").replace(" ", "_")


class NameIndex:
    """Names of one kind, found whatever the case and accents (O8).

    ``what``: the noun for one of them; ``also``: the name for each other spelling that is accepted;
    ``hints``: the name for each spelling that is not accepted and only gives a suggestion.
    """

    def __init__(
        self,
        what: str,
        names: Iterable[str],
        also: Table[str, str] | None = None,
        hints: Table[str, str] | None = None,
    ) -> None:
        self.what = what
        self._names = dict.fromkeys(names)
        self._also = also or {}
        self._unfolded_hints = hints or {}

    @cached_property
    def _hints(self) -> dict[str, str]:
        """By folded spelling that is not accepted: the name to suggest for it."""
        return {fold(spelling): name for spelling, name in self._unfolded_hints.items()}

    @cached_property
    def _folded(self) -> dict[str, str]:
        """The name for each folded spelling that is accepted."""
        pairs = [(fold(name), name) for name in self._names]
        pairs += [(fold(spelling), name) for spelling, name in self._also.items()]
        return dict(reversed(pairs))  # so that the first of two names with the same folded form is found

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    @property
    def spellings(self) -> tuple[str, ...]:
        """The names, and the other accepted spellings."""
        return (*self._names, *self._also)

    def find(self, text: str) -> str | None:
        """Return the name that ``text`` spells; None if there is none."""
        return text if text in self._names else self._folded.get(fold(text))

    def nearest(self, text: str) -> str | None:
        """Return the accepted spelling that is most like ``text``; None if none is near."""
        return nearest(text, self.spellings)

    def suggestion(self, text: str) -> str:
        """Return in words what to write instead of ``text``; empty if nothing helps.

        It is a list for several names, else what a hint says, the nearest name, or all names if they are few.
        """
        names = [self.find(part) for part in text.split(",")]
        if len(names) > 1 and all(names):
            return says("several make a list: {0}", f"[{', '.join(map(str, names))}]")
        meant = self._hints.get(fold(text))
        if meant is not None:
            return says("that is {0} here", repr(meant))
        near = self.nearest(text)
        choice = ", ".join(self._names)
        there_are = says("there are: {0}", choice)
        return did_you_mean(near) or (there_are if 0 < len(choice) <= CHOICE_LENGTH else "")


class OrderFileReader:
    """Reads values out of nodes, and collects findings about them. For a wrong one, most methods return None.

    ``what``: what is expected, in words for the message; ``clause``: the rule behind a finding.
    """

    def __init__(self, order_limit: int = ORDER_LIMIT) -> None:
        self.diagnostics: list[Diagnostic] = []
        self.orders = 0  # how many were counted
        self._order_limit = order_limit

    def by_place(self) -> list[Diagnostic]:
        """Return the findings in the order of the file, each once."""
        return sorted(dict.fromkeys(self.diagnostics), key=lambda finding: (finding.line, finding.column))

    def error(self, node: Node, code: str, message: str, **more: str) -> None:
        """Report an error at a node; ``more``: ``suggestion``, ``clause``. Too many raise ``SourceError``."""
        self._report(node.diagnostic(code, message, severity="error", **more))

    def warn(self, node: Node, code: str, message: str, **more: str) -> None:
        """Report a warning at a node whose value is used nevertheless."""
        self._report(node.diagnostic(code, message, severity="warning", **more))

    def expected(self, node: Node, what: str, **more: str) -> None:
        """Report that a node is not the expected one (``what``, in words); ``more``: as for an error."""
        self.error(node, "sheet/wrong-type", says("expected {0}, found {1}", what, node.what), **more)

    def add(self, findings: Iterable[Diagnostic]) -> None:
        """Add findings from before the reading."""
        for finding in findings:
            self._report(finding)

    def _report(self, diagnostic: Diagnostic) -> None:
        """Add a finding. Raises ``SourceError`` when there are too many."""
        self.diagnostics.append(diagnostic)
        if len(self.diagnostics) >= FINDING_LIMIT:
            message = says("{0:,} errors in this file; reading stopped", FINDING_LIMIT)
            raise SourceError(Diagnostic("error", "sheet/too-many-errors", message, diagnostic.file))

    def count_order(self, node: Node) -> None:
        """Count one more order. Raises ``SourceError`` when a sheet holds too many."""
        self.orders += 1
        if self.orders > self._order_limit:
            message = says("more than {0:,} orders in one file", self._order_limit)
            raise SourceError(node.diagnostic("sheet/too-many-orders", message, clause="O7"))

    def mapping(self, node: Node, what: str, clause: str = "", instead: str = "") -> Mapping | None:
        """Return a node that is a mapping; else None, with a finding unless the value is empty.

        ``instead`` says what to write.
        """
        if isinstance(node, Mapping):
            return node
        if not (isinstance(node, Scalar) and node.is_null):
            self.expected(node, what, suggestion=instead, clause=clause)
        return None

    def listed(self, node: Node, what: str, clause: str = "") -> list[Node]:
        """Return a list's items, or a value alone; none for an empty node or (with a finding) a mapping."""
        if isinstance(node, Sequence):
            return node.items
        if isinstance(node, Scalar):
            return [] if node.is_null else [node]
        self.expected(node, what, clause=clause)
        return []

    def scalar(self, node: Node, what: str, clause: str = "") -> str | None:
        """Return the text of a single value, unstripped; None, with a finding, for an empty or other node."""
        if isinstance(node, Scalar) and not node.is_null and node.text.strip():
            return node.text
        self.expected(node, what, clause=clause)
        return None

    def text(
        self, node: Node, what: str, limit: int, clause: str = "", *, one_line: bool = True
    ) -> str | None:
        """Return free text of at most ``limit`` characters, all visible, without spaces around it.

        None, with a finding, for other text. ``one_line``: line breaks become spaces.
        """
        text = self.scalar(node, what, clause)
        if text is None:
            return None
        if isinstance(node, Scalar) and not node.quoted:
            self._warn_of_missing_quotes(node, what, clause)
        self._warn_of_escape(node, what, clause)
        if one_line:
            text = " ".join(text.split())
        else:
            text = "\n".join(line.strip() for line in text.strip().splitlines())
        if len(text) > limit:
            message = says("{0} may have {1:,} characters at most; this has {2:,}", what, limit, len(text))
            self.error(node, "sheet/too-long", message, clause=clause)
            return None
        if invisible(text.replace("\n", "")):
            message = says("{0} holds an invisible character", what)
            self.error(node, "sheet/invisible-character", message, clause=clause)
            return None
        return text

    def _warn_of_missing_quotes(self, node: Scalar, what: str, clause: str) -> None:
        """Warn of unquoted text that a comment follows, or that typographic quotation marks surround."""
        behind = node.source.line(node.end.line + 1)[node.end.column :]
        if re.match(r"\s+#\S", behind):
            message = says("YAML takes {0} for a comment, not for part of {1}", shown(behind.strip()), what)
            hint = says('put the text in straight quotes (") if it is meant')
            self.warn(node, "source/remark", message, suggestion=hint, clause=clause)
        elif re.fullmatch("[“”„‟‘’‚«»].*[“”‘’«»]", node.text.strip()):
            message = says("these quotation marks become part of {0}", what)
            hint = says("write \" or ', or leave both marks out")
            self.warn(node, "source/typographic-quote", message, suggestion=hint, clause=clause)

    def _warn_of_escape(self, node: Node, what: str, clause: str) -> None:
        """Warn of a backslash in double quotes that swallows the next letter, as in a Windows path."""
        line_rest = node.source.line(node.line)[node.column - 1 :]
        match = re.match(r'"(?:[^"\\]|\\["\\nuUx/])*(\\[^"\\nuUx/])', line_rest)
        if match:
            message = says("{0} is an escape in double quotes, not part of {1}", match[1], what)
            hint = says("write \\\\ for a backslash, or put the text in '...'")
            self.warn(node, "source/escape", message, suggestion=hint, clause=clause)

    def whole(
        self, node: Node, what: str, low: int = 1, high: int = COUNT_LIMIT, clause: str = ""
    ) -> int | None:
        """Return a whole number from ``low`` to ``high``, written in plain digits (O9).

        None, with a finding, for anything else.
        """
        text = node.text if isinstance(node, Scalar) else ""
        if not _WHOLE.match(text):
            word = text.casefold()
            hint = says("write {0}", NUMBER_WORDS.index(word)) if word in NUMBER_WORDS else ""
            self.expected(node, says("{0} (a whole number)", what), suggestion=hint, clause=clause or "O9")
            return None
        value = int(text) if len(text) <= 12 else low - 1  # a longer number is out of range anyway
        if low <= value <= high:
            return value
        message = says("{0} must be {1:,} to {2:,}, not {3}", what, low, high, shown_unquoted(text))
        self.error(node, "sheet/out-of-range", message, clause=clause)
        return None

    def gold(self, node: Node, what: str, clause: str = "") -> Decimal | None:
        """Return a sum of gold above 0, in plain decimal with at most two decimals (O9, W10).

        None, with a finding that calls it ``what``, for anything else.
        """
        text = node.text if isinstance(node, Scalar) else ""
        if not _GOLD.match(text):
            self.expected(node, says("{0} (a plain decimal number)", what), clause=clause or "O9")
            return None
        if len(text.partition(".")[2]) > 2:
            message = says("gold has at most two decimals; {0} has more", shown_unquoted(text))
            self.error(node, "sheet/too-many-decimals", message, clause="W10")
            return None
        value = Decimal(text) if len(text) <= 20 else GOLD_LIMIT + 1  # a longer number is above the limit
        if not 0 < value <= GOLD_LIMIT:
            pattern = "{0} must be above 0 and at most {1:,}, not {2}"
            message = says(pattern, what, GOLD_LIMIT, shown_unquoted(text))
            self.error(node, "sheet/out-of-range", message, clause=clause)
            return None
        return value

    def answer(self, node: Node, what: str, clause: str = "", instead: str = "") -> bool | None:
        """Return the answer yes or no, also written true or false (O9); ``instead`` says what to write.

        None, with a finding, for anything else.
        """
        answer = _ANSWERS.get(node.text.strip().casefold()) if isinstance(node, Scalar) else None
        if answer is None:
            self.expected(node, says("yes or no for {0}", what), suggestion=instead, clause=clause or "O9")
        return answer

    def name(
        self, node: Node, names: NameIndex, code: str, clause: str = "", instead: str = ""
    ) -> str | None:
        """Return the one of ``names`` that a node names (O8); None, with a finding, for any other node.

        An unknown name is an error of kind ``code``, with what to write: the nearest name, or else
        ``instead``.
        """
        match = names.find(node.text) if isinstance(node, Scalar) else None
        if match is not None:
            return match
        text = self.scalar(node, says(f"the name of a {names.what}"), clause)
        if text is not None:
            # after many findings nobody reads a suggestion and none is sought
            hint = names.suggestion(text) if len(self.diagnostics) < PRINTED else ""
            message = says(f"no {names.what} is called {{0}}", shown(text))
            self.error(node, code, message, suggestion=hint or instead, clause=clause or "O8")
        return None

    def words(
        self, mapping: Mapping, known: Table[str, WordT], unknown: Unknown
    ) -> Iterator[tuple[Scalar, WordT, Node]]:
        """Yield (key, meaning, value) of each entry whose key is a known word, the first of each meaning.

        ``known``: the meaning of each word. A second entry of one meaning, also by another word, is reported
        as a repetition. ``unknown`` is called with the key of any other entry, and with the key's word.
        """
        key_of_meaning: dict[object, Scalar] = {}  # the first key of each meaning
        for key, value in mapping:
            word = key.text if key.text in known else word_of(key.text)  # few keys need the folding
            if word not in known:
                unknown(key, word)
            elif known[word] in key_of_meaning:
                self.twice(key, key_of_meaning[known[word]])
            else:
                key_of_meaning[known[word]] = key
                yield key, known[word], value

    def twice(self, key: Node, first: Node) -> None:
        """Report that a key has the meaning of an earlier key, the ``first``."""
        name = key.text if isinstance(key, Scalar) else ""
        message = says("{0} appears twice (first in line {1})", shown(name), first.line)
        self.error(key, "sheet/twice", message, suggestion=ONCE)

    def unknown_word(
        self, section: str, known: Iterable[str], elsewhere: Elsewhere, key: Scalar, word: str
    ) -> None:
        """Report a key that its section does not know, with its right place or a near word.

        ``section``: where the key stands, in words (``in a letter``); ``known``: the section's words;
        ``word``: the key in its standard form.
        """
        name = shown(key.text)
        if word in elsewhere:
            where, clause = elsewhere[word]
            message = says("{0} does not belong {1}", name, section)
            self.error(key, "sheet/wrong-section", message, suggestion=where, clause=clause)
            return
        hint = ""
        words = list(known)
        choice = ", ".join(words)
        if len(self.diagnostics) < PRINTED:
            hint = did_you_mean(nearest(word, words) or nearest(word, elsewhere))
            hint = hint or (says("there are: {0}", choice) if 0 < len(choice) <= CHOICE_LENGTH else "")
        self.error(key, "sheet/unknown-word", says("{0} is not allowed {1}", name, section), suggestion=hint)
