"""The standard library's message parser, within limits of parts, lines and levels.

The library makes an object of each part, and compares each line with the boundary of every part around it. So
it gets a message piece by piece, until there are too many parts, lines or levels: the rest is left out. A
message that was sent encoded within another counts towards the same limits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesFeedParser
from email.policy import Policy, compat32

from gm.core.values import Record

HEADER_LIMIT = 256 * 1024  # bytes of a message's header; what comes after them counts as text
PARTS_LIMIT = 100  # parts of a message that are looked at

_MESSAGES = 10 * PARTS_LIMIT  # objects that the library may make: a report has one for each recipient
# the work of a message: for each of its lines _LINE, to read it, and the number of boundaries that the line
# is compared with; an attachment of 10 MB has 140,000 lines
_WORK = 2_200_000
_LINE = 10
_CONTAINERS = 50  # parts that hold other parts
_STRUCTURED = 2000  # characters of a field with parameters, which the library reads in quadratic time
_PIECE = 8192  # bytes that the library gets at once

_MBOX_LINE = re.compile(rb"(?m)^>?From [^\n]*\n")
_CONTAINER = re.compile(rb"(?im)^content-type:\s*(?:multipart|message)/")
_LONG_FIELD = re.compile(rb"(?im)^(content-(?:type|disposition):[^\n]{%d})[^\n]*" % _STRUCTURED)
_LONG_FOLDED = re.compile(rb"(?im)^(content-(?:type|disposition):(?:[^\n]*\n[ \t]){20})(?:[^\n]*\n[ \t])*")


@dataclass(slots=True)
class Budget:
    """What is left of a letter's limits."""

    decoded: int  # bytes that encoded messages in it may still decode to
    messages: int = _MESSAGES  # objects that the library may still make
    work: int = _WORK  # see ``_WORK``

    def spend(self, piece: bytes, depth: int) -> bool:
        """Subtract the work of one more piece, nested in ``depth`` parts; return whether it may be read."""
        lines = piece.count(b"\n") + piece.count(b"\r")
        self.work -= lines * (_LINE + depth)
        return self.work >= 0 and self.messages >= 0


class Read(Record):
    """A message as Python's library has read it; ``cut``: its end was left out because of a limit."""

    message: Message
    cut: bool


def read_bounded(data: bytes, budget: Budget) -> Read:
    """Return a message, as far as the limits allow, and subtract its work from the ``budget``.

    Raises nothing, whatever the bytes are.
    """
    data = _with_plain_header(data.replace(b"\r\n", b"\n"))
    containers = _CONTAINER.finditer(data)
    # where the first container beyond the limit begins
    end = next((match.start() for number, match in enumerate(containers) if number == _CONTAINERS), len(data))
    limited = _LONG_FIELD.sub(rb"\1", _LONG_FOLDED.sub(rb"\1", data[:end]))
    messages: list[Message] = []

    def make(policy: Policy[Message]) -> Message:
        """Return a new message object for a part, and count it."""
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
    """Return a message with a plain header: no ``From`` lines of mailboxes, a space for each CR.

    The header ends at the limit; what is beyond counts as text.
    """
    head = data[:HEADER_LIMIT].partition(b"\n\n")[0]
    gap = b"\n\n" if len(head) == HEADER_LIMIT else b""  # a header that was cut has no empty line after it
    return _MBOX_LINE.sub(b"", head.replace(b"\r", b" ")) + gap + data[len(head) :]


def _depth(message: Message) -> int:
    """Return how many parts the end of a message is nested in: the library is reading there."""
    depth = 0
    while message.is_multipart():
        inner = message.get_payload()
        if not inner:
            break
        message = inner[-1]  # type: ignore[assignment, index]
        depth += 1
    return depth
