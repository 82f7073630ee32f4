"""The end of the orders in a letter's text: before greetings, names, lines of telephones and postscripts.

Nothing that may be orders is dropped: it is better to report an unreadable line than to lose it.
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
"""``-Anna``, ``- Anna Example``: a name behind a dash, in a script that has capital letters or none."""
_BARE_NAME = re.compile(r"[^\W\d_a-z](?:[^\W\d_A-Z]{1,20}[.!]?|\.)\Z")
"""A name alone, or its first letter, as the last line of all."""
_BLOCK_OF_TEXT = re.compile(r"[|>][-+\d]{0,2}\Z")


def ended(lines: Sequence[str]) -> list[str]:
    """Return the lines up to the signature, without closing words.

    Closing words are paragraphs of prose at the end, and a greeting or a name right below the orders.
    """
    end = next((number for number in range(1, len(lines)) if _ends_here(lines, number)), len(lines))
    lines_left = list(lines[:end])
    cut = len(lines_left)
    while cut > 1:
        start = _paragraph_start(lines_left, cut)
        if start is None or not _is_closing(lines_left, start, cut):
            break
        cut = start
    return lines_left[:cut]


def _ends_here(lines: Sequence[str], number: int) -> bool:
    """Return whether a signature begins in a line: a line of signs, a greeting, a name behind a dash."""
    line = lines[number]
    if phrase("signature").match(line):
        return True
    if _BARE_NAME.match(line) and not any(lines[number + 1 :]):
        return True
    if not _NAME.match(line) or not _is_near_end(lines, number):
        return False
    is_item = line.lstrip().startswith("- ")
    return not (is_item and _may_hold_list(lines, number))


def _is_near_end(lines: Sequence[str], number: int) -> bool:
    return not any(KEY_LINE.match(line.lstrip()) for line in lines[number + 1 :])


def _may_hold_list(lines: Sequence[str], number: int) -> bool:
    """Return whether a line can be a list's item: below another item, or below a word without a value."""
    above = next((line.lstrip() for line in reversed(lines[:number]) if line), "")
    return above.startswith("- ") or above.endswith(":")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _paragraph_start(lines: Sequence[str], end: int) -> int | None:
    """Return the empty line above the last paragraph before ``end``; None when it is the first one."""
    last = end - 1
    while last > 0 and not lines[last]:
        last -= 1
    return next((number for number in range(last, 0, -1) if not lines[number]), None)


def _is_closing(lines: Sequence[str], start: int, end: int) -> bool:
    """Return whether a paragraph is only prose; remarks (``#``) by themselves belong to the orders."""
    paragraph = [line for line in lines[start:end] if line]
    words = [line for line in paragraph if not _is_remark(line)]
    if not words:
        return not paragraph
    return not any(_may_be_orders(lines, start, line) for line in words)


def _is_remark(line: str) -> bool:
    """Return whether a line is a comment in YAML, like ``#1 fan``."""
    return line.lstrip().startswith("#")


def _may_be_orders(lines: Sequence[str], start: int, line: str) -> bool:
    """Return whether a line may belong to orders."""
    text = line.lstrip()
    if text.startswith(("- ", "-\t")) or text == "-":
        return not _is_dashed_prose(text) and (_indent(line) > 0 or _may_hold_list(lines, start))
    if text.startswith("-"):
        return False
    if _indent(line) > 0:
        return KEY_LINE.match(text) is not None or text[0] in "[]{}\"'" or _is_in_text(lines, start)
    return KEY_LINE.match(line) is not None and not (phrase("card").match(line) or _PROSE_LINE.match(line))


def _is_dashed_prose(text: str) -> bool:
    return phrase("card").match(text.lstrip("- ")) is not None


def _is_in_text(lines: Sequence[str], start: int) -> bool:
    """Return whether a line may belong to a value of several paragraphs: a block or a quoted text."""
    for line in reversed(lines[:start]):
        text = line.strip()
        if not text:
            continue
        if KEY_LINE.match(text) or text.startswith("- "):
            value = text.partition(": ")[2].strip() if KEY_LINE.match(text) else text[2:].strip()
            is_open = value[:1] in ("'", '"') and (len(value) == 1 or value[-1] != value[0])
            return _BLOCK_OF_TEXT.search(text) is not None or is_open
    return False
