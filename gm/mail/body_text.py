"""The text of a mail: the orders in it, and what its sender wrote without quotations and signature.

Everything here goes through a text line by line, once. The words that mark quotations, signatures and the
like are in ``templates/mail/phrases.yaml``.
"""

import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile

from gm.mail.phrases import mail_data as mail_data
from gm.mail.phrases import phrase as phrase
from gm.mail.quotations import divided

_ORDERS = re.compile(r"([ \t]*)orders[ \t]*:[ \t]*['\"“”]?\d", re.IGNORECASE)
_HEAD_FIELDS = tuple(
    re.compile(rf"[ \t]*{word}[ \t]*:[ \t]*\S", re.IGNORECASE) for word in ("game", "turn", "player")
)
"""The head of an order file whose game has one format: these three in any order, and other lines."""
_HEAD_LINES = 5
_SEARCHED = 20_000  # bytes of a file, or characters of a text
_MARK = re.compile(r"\A(?: {1,3}>|\|(?= |\Z))")  # a rare form of the mark ``>`` of quoted lines
_BLOCKS = 20  # order files between fences that are read from a text
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*[\w./+-]*[ \t]*$")
_CURLY = re.compile(r"(?m)([:\[{,-][ \t]+|[\[{,])[“”„]([^“”„\"\n]{0,500})[“”][ \t]*(?=[,\]}\n]|$)")
_CURLY_SINGLE = re.compile(r"(?m)([:\[{,-][ \t]+|[\[{,])[‘’‚]([^‘’‚'\n]{0,500})[‘’][ \t]*(?=[,\]}\n]|$)")


def looks_like_orders(data: bytes) -> bool:
    """Return whether a file has the line that order files begin with, somewhere near its top."""
    text = data[:_SEARCHED].decode("utf-8", "replace")
    return _orders_start([line.lstrip("\ufeff") for line in text.splitlines()]) is not None


def written_orders(text: str, subject: str = "") -> list[str]:
    """Return the order files in a mail's text.

    They are between fences, from a line ``orders: 1`` on, or from a head of ``game``, ``turn`` and ``player``
    on. What the mail answers or quotes is left out; what it forwards is read if the sender has written no
    orders above. ``subject``: the mail's, which may say that it is forwarded.
    """
    forwarding = phrase("forwarding").match(subject) is not None
    division = divided(_lines(text), _orders_start, forwarding=forwarding)
    return _orders_in(division.own) or _orders_in(division.forwarded)


def has_words_above_orders(text: str) -> bool:
    """Return whether a text has words above its first orders, as an answer has above what it quotes."""
    lines = _lines(text)
    start = _orders_start(lines) or 0
    return any(line and not _FENCE.match(line) for line in lines[:start])


def _lines(text: str) -> list[str]:
    """Return the lines of a text with ordinary spaces, and quotations marked by ``>`` at the margin."""
    lines = (line.replace("\xa0", " ").rstrip() for line in text.split("\n"))
    return [_MARK.sub(">", line, count=1) for line in lines]


_SIGNATURE_LINES = 8  # the most lines of a signature that is not below "--"


def written_text(text: str) -> str:
    """Return the text that the sender wrote: without quotations and signature."""
    lines = _lines(text)
    own_lines: Sequence[str] = divided(lines, _orders_start, forwarding=False).own
    if not any(own_lines):  # the sender may have written below an older letter, which ends at the last ``>``
        quoted_ends = (number for number, line in enumerate(lines, 1) if line.startswith(">"))
        own_lines = lines[max(quoted_ends, default=len(lines)) :]
    for number, line in enumerate(own_lines):
        lines_below = sum(map(bool, own_lines[number + 1 :]))
        may_be_signature = any(own_lines[:number]) and lines_below <= _SIGNATURE_LINES
        if line == "--" or (may_be_signature and phrase("signature").match(line)):
            return "\n".join(own_lines[:number]).strip("\n")
    return "\n".join(own_lines).strip("\n")


def quotes_orders(text: str) -> bool:
    """Return whether there are orders in quoted lines."""
    quoted_lines = [line.lstrip("> ") for line in text[:_SEARCHED].split("\n") if line.startswith(">")]
    return _orders_start(quoted_lines) is not None


def _orders_in(lines: Sequence[str]) -> list[str]:
    """Return the order files in the lines of a letter.

    They are its fenced blocks with orders or, if it has none, all lines from the first head of an order file
    on, without the letter's closing.
    """
    order_blocks = (block for block in _fenced(lines) if _orders_start(block) is not None)
    blocks = list(islice(order_blocks, _BLOCKS))
    if blocks:
        return [_tidy(block) for block in blocks]
    start = _orders_start(lines)
    return [] if start is None else [_tidy(without_closing(lines[start:]))]


def _orders_start(lines: Sequence[str]) -> int | None:
    """Return the index of the line with which an order file begins; None when there is none.

    It is ``orders: 1``, or the first of a few lines without a gap that name game, turn and player.
    """
    for number, line in enumerate(lines):
        if _ORDERS.match(line):
            return number
        if any(field.match(line) for field in _HEAD_FIELDS):
            next_lines = (line.lstrip() for line in lines[number : number + _HEAD_LINES])
            head = list(takewhile(KEY_LINE.match, next_lines))
            if all(any(map(field.match, head)) for field in _HEAD_FIELDS):
                return number
    return None


def _fenced(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield the lines of each block between lines of backticks or tildes, unless it has no end."""
    block: list[str] | None = None  # None outside of a block
    opening = ""  # with which the block began: three or more backticks or tildes
    for line in lines:
        match = _FENCE.match(line)
        if match and block is None:
            block = []
            opening = match[1]
        # the end is at least as long as the opening, of the same character, and has no text behind it
        elif match and block is not None and match[1].startswith(opening) and line.strip() == match[1]:
            yield block
            block = None
        elif block is not None:
            block.append(line)


def _tidy(lines: Sequence[str]) -> str:
    """Return the lines as a file: without common indentation, and with plain quotation marks."""
    text = textwrap.dedent("\n".join(lines)).strip("\n") + "\n"
    return _CURLY_SINGLE.sub(r"\1'\2'", _CURLY.sub(r'\1"\2"', text))


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
