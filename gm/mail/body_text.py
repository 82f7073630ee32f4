"""The text of a mail: the orders in it, and what its sender wrote without quotations and signature.

Everything here goes through a text line by line, once. The words that mark quotations, signatures and the
like are in ``templates/mail/phrases.yaml``.
"""

import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile

from gm.mail.closings import KEY_LINE, without_closing
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
