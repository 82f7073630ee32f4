"""The end of the orders in a letter's text, above greetings, names, telephone numbers and postscripts.

No line that may be orders is left out: it is better to report an unreadable line than to lose an order.
"""

import re
from collections.abc import Sequence

from gm.mail.phrases import phrase

KEY_LINE = re.compile(r"[\w'\"-]{1,60}[ \t]*:(\s|$)")
_PROSE_LINE = re.compile(r"[A-Z][\w'-]{0,40}[ \t]*:[ \t]+(?![\[{\"'])\S+\s+\S+\s+\S")
"""A line of a signature that looks like one of an order file: ``Disclaimer: This mail ...``."""
_NAME = re.compile(
    r"\s{0,8}(?!- "
    r"[A-Z]{2})[-–—~*/]{1,3}\s?[^\W\d_a-z][^\W\d_]{0,30}[.!]?(?:\s[^\W\d_a-z][^\W\d_]{0,30}\.?){0,2}\Z"
)
"""A name behind a dash: ``-Anna``, ``- Anna Example``. It begins with no small letter."""
_BARE_NAME = re.compile(r"[^\W\d_a-z](?:[^\W\d_A-Z]{1,20}[.!]?|\.)\Z")
"""A name alone, or its first letter, as the last line of all."""
_BLOCK_OF_TEXT = re.compile(r"[|>][-+\d]{0,2}\Z")
"""The mark of a value in YAML that goes on in the lines below."""


def without_closing(lines: Sequence[str]) -> list[str]:
    """Return lines that begin with orders up to where the orders end.

    They end above a signature, which may be a greeting or a name right below them, and above paragraphs of
    prose at the end.
    """
    end = next((number for number in range(1, len(lines)) if _is_signature(lines, number)), len(lines))
    lines_left = list(lines[:end])
    cut = len(lines_left)
    while cut > 1:
        start = _paragraph_start(lines_left, cut)
        if start is None or not _is_closing(lines_left, start, cut):
            break
        cut = start
    return lines_left[:cut]


def _is_signature(lines: Sequence[str], number: int) -> bool:
    """Return whether a signature begins in line ``number``: dashes, a greeting, a name behind a dash.

    Also a name alone in the last line.
    """
    line = lines[number]
    if phrase("signature").match(line):
        return True
    if _BARE_NAME.match(line) and not any(lines[number + 1 :]):
        return True
    if not _NAME.match(line) or not _is_below_keys(lines, number):
        return False
    is_item = line.lstrip().startswith("- ")
    return not (is_item and _may_be_item(lines, number))


def _is_below_keys(lines: Sequence[str], number: int) -> bool:
    """Return whether no line ``key: value`` is below line ``number``."""
    return not any(KEY_LINE.match(line.lstrip()) for line in lines[number + 1 :])


def _may_be_item(lines: Sequence[str], number: int) -> bool:
    """Return whether a line can be a list's item: below another item, or below a key without a value."""
    above = next((line.lstrip() for line in reversed(lines[:number]) if line), "")
    return above.startswith("- ") or above.endswith(":")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _paragraph_start(lines: Sequence[str], end: int) -> int | None:
    """Return the index of the empty line above the last paragraph before line ``end``.

    None when that is the first paragraph.
    """
    last = end - 1
    while last > 0 and not lines[last]:
        last -= 1
    return next((number for number in range(last, 0, -1) if not lines[number]), None)


def _is_closing(lines: Sequence[str], start: int, end: int) -> bool:
    """Return whether the paragraph from line ``start`` up to ``end`` is only prose, and so no part of orders.

    One with nothing but comments (``#``) belongs to the orders.
    """
    paragraph = [line for line in lines[start:end] if line]
    lines_with_words = [line for line in paragraph if not _is_comment(line)]
    if not lines_with_words:  # empty lines are left out of the orders, comments are not
        return not paragraph
    return not any(_may_be_orders(lines, start, line) for line in lines_with_words)


def _is_comment(line: str) -> bool:
    """Return whether a line is a comment in YAML, as a signature like ``#1 fan`` is, too."""
    return line.lstrip().startswith("#")


def _may_be_orders(lines: Sequence[str], start: int, line: str) -> bool:
    """Return whether a line of the paragraph below line ``start`` may belong to orders."""
    text = line.lstrip()
    if text.startswith(("- ", "-\t")) or text == "-":
        return not _is_contact(text) and (_indent(line) > 0 or _may_be_item(lines, start))
    if text.startswith("-"):  # dashes, or a name right behind one
        return False
    if _indent(line) > 0:
        return KEY_LINE.match(text) is not None or text[0] in "[]{}\"'" or _is_in_value(lines, start)
    # ``Phone: ...`` of a business card, and a sentence behind a colon, only look like keys
    return KEY_LINE.match(line) is not None and not (phrase("card").match(line) or _PROSE_LINE.match(line))


def _is_contact(text: str) -> bool:
    """Return whether an item is a line of a business card, like ``- Phone: ...``."""
    return phrase("card").match(text.lstrip("- ")) is not None


def _is_in_value(lines: Sequence[str], start: int) -> bool:
    """Return whether a value goes on below line ``start``: a block of text, or a text whose quote is open.

    The last key or item above decides.
    """
    for line in reversed(lines[:start]):
        text = line.strip()
        if not text:
            continue
        if KEY_LINE.match(text) or text.startswith("- "):
            value = text.partition(": ")[2].strip() if KEY_LINE.match(text) else text[2:].strip()
            is_open = value[:1] in ("'", '"') and (len(value) == 1 or value[-1] != value[0])
            return _BLOCK_OF_TEXT.search(text) is not None or is_open
    return False
