"""The standard library's message parser, within limits of parts, lines and levels.

The library makes an object of each part, and compares each line with the boundary of every part around it. So
it is given a message piece by piece, and no more once there are too many parts, lines or levels: the letter
is what was read until then. A message that was sent encoded within another counts towards the same limits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesFeedParser
from email.policy import Policy, compat32

from gm.core.values import Record

HEADER_LIMIT = 256 * 1024  # bytes of a message's header; what comes after them counts as text
PARTS_LIMIT = 100  # parts of a message that are looked at; one with more is no letter

_MESSAGES = 10 * PARTS_LIMIT  # parts of any kind that are read: a report has one for each recipient
# comparisons of lines; an attachment of 10 MB has 140,000 lines, each of which costs as much as ten
# boundaries
_WORK = 2_200_000
_LINE = 10
_CONTAINERS = 50
_STRUCTURED = 2000  # characters of a field with parameters, which the library reads in quadratic time
_PIECE = 8192

_MBOX_LINE = re.compile(rb"(?m)^>?From [^\n]*\n")
_CONTAINER = re.compile(rb"(?im)^content-type:\s*(?:multipart|message)/")
_LONG_FIELD = re.compile(rb"(?im)^(content-(?:type|disposition):[^\n]{%d})[^\n]*" % _STRUCTURED)
_LONG_FOLDED = re.compile(rb"(?im)^(content-(?:type|disposition):(?:[^\n]*\n[ \t]){20})(?:[^\n]*\n[ \t])*")


@dataclass(slots=True)
class Budget:
    """The rest of a letter's limits. ``decoded``: bytes of messages that were sent encoded in it."""

    decoded: int
    messages: int = _MESSAGES
    work: int = _WORK

    def spend(self, piece: bytes, depth: int) -> bool:
        """Return whether one more piece may be read, nested in ``depth`` parts."""
        lines = piece.count(b"\n") + piece.count(b"\r")
        self.work -= lines * (_LINE + depth)
        return self.work >= 0 and self.messages >= 0


class Read(Record):
    """The library's message; ``cut``: its end was left off because of a limit."""

    message: Message
    cut: bool


def read_bounded(data: bytes, budget: Budget) -> Read:
    """Return a message, as far as the limits allow. Raises nothing, whatever the bytes are."""
    data = _with_plain_header(data.replace(b"\r\n", b"\n"))
    containers = _CONTAINER.finditer(data)
    end = next((match.start() for number, match in enumerate(containers) if number == _CONTAINERS), len(data))
    limited = _LONG_FIELD.sub(rb"\1", _LONG_FOLDED.sub(rb"\1", data[:end]))
    messages: list[Message] = []

    def make(policy: Policy[Message]) -> Message:
        budget.messages -= 1
        messages.append(Message(policy))
        return messages[-1]

    # the parser makes its first message when it is fed for the first time
    parser = BytesFeedParser(policy=compat32.clone(message_factory=make))
    cut = end < len(data)
    for start in range(0, len(limited), _PIECE):
        piece = limited[start : start + _PIECE]
        if not budget.spend(piece, _depth(messages[0]) if messages else 0):
            cut = True
            break
        parser.feed(piece)
    return Read(parser.close(), cut)


def _with_plain_header(data: bytes) -> bytes:
    """Return a message without lines that mailboxes add above it, its header cut to the limit."""
    head = data[:HEADER_LIMIT].partition(b"\n\n")[0]
    gap = b"\n\n" if len(head) == HEADER_LIMIT else b""  # a header that was cut has no empty line after it
    return _MBOX_LINE.sub(b"", head.replace(b"\r", b" ")) + gap + data[len(head) :]


def _depth(message: Message) -> int:
    """Return in how many parts the end of a message lies."""
    depth = 0
    while message.is_multipart():
        inner = message.get_payload()
        if not inner:
            break
        message = inner[-1]  # type: ignore[assignment, index]
        depth += 1
    return depth
