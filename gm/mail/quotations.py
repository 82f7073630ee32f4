"""The sender's own part of a letter's text, apart from quotations and forwarded letters.

An older letter is known by the lines that a mail program writes above it, and these by their form: three or
more short lines ``word: value`` of which one holds an address and one a date, or a line that names an address
and a date and ends as such lines do. The words of ``templates/mail/phrases.yaml`` are used besides, for lines
that hold less.
"""

import re
from collections.abc import Callable, Sequence

from gm.core.values import Record
from gm.mail.forms import (
    LINE,
    Labelled,
    address_end,
    begins_with_date,
    has_address,
    has_date,
    has_time,
    labelled,
)
from gm.mail.phrases import phrase

_HEADER_LINES = 24  # lines of a header in a text that are looked at
_HEADER_LEAST = 3  # lines ``word: value`` that make a header without any known word
_ABOVE = 2  # lines above its last one on which an attribution may begin
_TAIL_WORDS = 3  # what may stand behind the address in an attribution without a colon: words
_TAIL = 40  # characters
_RULE = 100  # characters of a line of dashes with words between them
_SENT_ON = 5  # how often a letter may have been sent on, each time with a line that says so
_SECOND = 3  # lines below a rule among which a header begins
_KEY = re.compile(r"[a-z_]{2,30}\Z")
_TAIL_FORM = re.compile(r"[\s,]*[^\d\s.,;!?:<>()]+(?:\s+[^\d\s.,;!?:<>()]+){0,2}\s*\Z")

_DATED_NAME = re.compile(r"\D{1,12}\d[^A-Za-z]{5,30}[,;] ?[^\W\d_][^\d:]{2,60}[:：]\Z")
"""A day and a time behind a word or two, and a name with a verb behind it, in whatever language."""

Begins = Callable[[Sequence[str]], int | None]
"""Returns the line with which an order file begins in some lines."""


class Head(Record):
    """The lines that a mail program wrote above an older letter, from ``start`` to ``end``.

    ``sent_on``: they say that it was forwarded.
    """

    start: int
    end: int
    sent_on: bool = False


class Division(Record):
    """The lines of a text that its sender wrote, and those that were forwarded."""

    own: tuple[str, ...]
    sent_on: tuple[str, ...] = ()


def divided(lines: Sequence[str], begins: Begins, *, forwarding: bool, depth: int = 0) -> Division:
    """Return the sender's own lines, and the forwarded ones.

    ``forwarding``: the subject says that the letter is forwarded.

    Lines below quoted lines (``>``) are the sender's own again, unless there are orders above them.
    """
    own: list[str] = []
    searched = 0
    at = 0
    while at < len(lines):
        head = head_at(lines, at)
        if head is None:
            if not lines[at].startswith(">"):
                own.append(lines[at])
            at += 1
            continue
        for _ in range(head.start, at):
            own.pop()
        is_sent_on_again = depth > 0 and not any(own)
        if head.sent_on or forwarding or is_sent_on_again:
            return Division(tuple(own), _sent_on(lines[head.end :], begins, depth))
        if not _is_marked(lines, head.end) or begins(own[searched:]) is not None:
            break
        searched = len(own)
        at = head.end
    return Division(tuple(own))


def _sent_on(below: Sequence[str], begins: Begins, depth: int) -> tuple[str, ...]:
    """Return the forwarded lines, which may contain another answer or forwarded letter."""
    lines = _unmarked(_without_header(_unmarked(below)))
    if depth >= _SENT_ON:
        return ()
    inner = divided(lines, begins, forwarding=False, depth=depth + 1)
    return inner.own if begins(inner.own) is not None or not inner.sent_on else inner.sent_on


def _unmarked(lines: Sequence[str]) -> Sequence[str]:
    """Return lines without quotation marks at their beginning, if all of them have one."""
    if any(line and not line.startswith(">") for line in lines):
        return lines
    return [line.removeprefix(">").removeprefix(" ") for line in lines]


def _without_header(lines: Sequence[str]) -> Sequence[str]:
    """Return a forwarded letter without the lines at its top about its sender."""
    start = next((number for number, line in enumerate(lines) if line), len(lines))
    end = header_end(lines, start) or _short_header_end(lines, start)
    return lines[end:] if end else lines


def _is_marked(lines: Sequence[str], start: int) -> bool:
    """Return whether the next line with text is marked as quoted."""
    return next((line.startswith(">") for line in lines[start:] if line), False)


def head_at(lines: Sequence[str], number: int) -> Head | None:
    """Return the head of an older letter if the line ``number`` is its last line, or its header's first."""
    line = lines[number]
    if not line or len(line) > LINE or line.startswith(">"):
        return None
    if phrase("forwarded").match(line):
        return Head(number, number + 1, sent_on=True)
    if phrase("original").match(line) or _is_rule_above_header(lines, number):
        return Head(number, _end_below(lines, number + 1))
    end = header_end(lines, number)
    if end:
        return Head(number, end)
    start = _attribution_start(lines, number)
    return None if start is None else Head(start, number + 1)


def _end_below(lines: Sequence[str], start: int) -> int:
    """Return the end of the header below a rule; without one, the rule's own end."""
    first = next((number for number, line in enumerate(lines[start : start + _SECOND], start) if line), start)
    return header_end(lines, first) or _short_header_end(lines, first) or start


def _is_rule_above_header(lines: Sequence[str], number: int) -> bool:
    """Return whether a line is words between dashes, in any language, above lines of a header."""
    text = lines[number].strip()
    if len(text) > _RULE or text[:2] not in ("--", "__", "==") or text[-2:] != text[:2]:
        return False
    if not any(char.isalpha() for char in text):
        return False
    below = [line for line in lines[number + 1 : number + 1 + _SECOND] if line]
    first = labelled(below[0]) if below else None
    return first is not None and not _KEY.match(first.label) and _says_who_or_when(first)


def _says_who_or_when(field: Labelled) -> bool:
    return has_address(field.value) or has_date(field.value)


def header_end(lines: Sequence[str], start: int) -> int:
    """Return the line after a header that begins in a line; 0 when none begins there."""
    first = labelled(lines[start]) if start < len(lines) else None
    if first is None or _KEY.match(first.label):
        return 0
    if _is_known_header(lines, start):
        return _short_header_end(lines, start)
    second = labelled(lines[start + 1]) if start + 1 < len(lines) else None
    if not any(map(_says_who_or_when, filter(None, (first, second)))):
        return 0
    end, fields = _header_from(lines, start)
    return end if _is_header(fields) else 0


def _is_header(fields: Sequence[Labelled]) -> bool:
    """Return whether labelled lines are a header, by their forms: a sender and a date."""
    addressed = [field for field in fields if has_address(field.value)]
    dated = [field for field in fields if has_date(field.value)]
    if len(fields) == _HEADER_LEAST - 1:
        is_short = any(address_end(field.value) for field in fields) and any(
            has_time(field.value) for field in dated
        )
        return is_short and all(map(_says_who_or_when, fields))
    if len(fields) < _HEADER_LEAST or not dated:
        return False
    is_timed = any(has_time(field.value) for field in dated)
    return is_timed or any(field not in dated for field in addressed)


def _header_from(lines: Sequence[str], start: int) -> tuple[int, list[Labelled]]:
    """Return the line after a possible header, and its fields. One line may be empty between each two."""
    fields: list[Labelled] = []
    gaps = 0
    at = start
    while at < min(len(lines), start + _HEADER_LINES):
        line = lines[at]
        field = labelled(line)
        if field is not None and not _KEY.match(field.label):
            fields.append(field)
        elif not line:
            below = labelled(lines[at + 1]) if at + 1 < len(lines) else None
            if gaps + 1 != len(fields) or below is None or _KEY.match(below.label):
                break
            gaps += 1
        elif not (line[0].isspace() or has_address(line)):  # else a long field goes on
            break
        at += 1
    return at, fields


def _is_known_header(lines: Sequence[str], start: int) -> bool:
    """Return whether lines have the labels of a header from the lists of words: From, Sent, To, Subject."""
    if not phrase("header from").match(lines[start][:LINE]):
        return False
    more = (phrase("header more").match(line[:100]) for line in lines[start + 1 : start + 5])
    return sum(map(bool, more)) >= _HEADER_LEAST - 1


def _short_header_end(lines: Sequence[str], start: int) -> int:
    """Return the line after the fields that begin in a line, however few.

    0 when none is a sender or a date.
    """
    end, fields = _header_from(lines, start)
    from_sender = any(phrase("header from").match(line[:LINE]) for line in lines[start:end])
    return end if from_sender or any(map(_says_who_or_when, fields)) else 0


def _attribution_start(lines: Sequence[str], number: int) -> int | None:
    """Return the first line of an attribution ("On ... Anna wrote:") that ends in line ``number``.

    It has up to three lines; None if there is none.
    """
    last = lines[number]
    if not last.endswith((":", "：", "-", ">", ")")) and "@" not in last and not last[-1].isdigit():
        return None
    text = ""
    for start in range(number, max(-1, number - _ABOVE - 1), -1):
        line = lines[start]
        if not line or len(line) > LINE or line.startswith(">"):
            break
        if start < number and _is_order_line(line):
            break
        text = f"{line.strip()} {text}".strip()
        if len(text) <= LINE and is_attribution(text):
            return _with_day(lines, start, text)
    return None


def _with_day(lines: Sequence[str], start: int, text: str) -> int:
    """Return the first line of an attribution, whose date may be on the line above."""
    if has_date(text):
        return start
    for above in range(start - 1, max(-1, start - _ABOVE - 1), -1):
        line = lines[above]
        if not line or _is_order_line(line):
            break
        if has_date(line) and (phrase("wrote when").match(line[:LINE]) or begins_with_date(line)):
            return above
    return start


def _is_order_line(line: str) -> bool:
    """Return whether a line looks like one of an order file."""
    if line[0].isspace() or line.startswith(("- ", "#")):
        return True
    field = labelled(line)
    return field is not None and _KEY.match(field.label) is not None


def is_attribution(text: str) -> bool:
    """Return whether a line names sender and date of an older letter, by its form or by a known verb."""
    field = labelled(text)
    if field is not None and _KEY.match(field.label):
        return False
    if phrase("stamped").match(text) or phrase("wrote between dashes").match(text):
        return True
    end = address_end(text)
    if text.startswith("--") and text.endswith("--"):
        return has_date(text) and end > 0
    is_closed = text.endswith((":", "："))
    if has_date(text) and _has_attribution_form(text, end, is_closed=is_closed):
        return True
    if not is_closed or not phrase("wrote").search(text):
        return False
    return end > 0 or any(character.isdigit() for character in text)


def _has_attribution_form(text: str, end: int, *, is_closed: bool) -> bool:
    """Return whether a line with a date has a form that names a writer, too.

    ``end``: where its address ends, 0: it has none; ``is_closed``: it ends with a colon.
    """
    if not is_closed:
        return end > 0 and _TAIL_FORM.match(text[end : end + _TAIL]) is not None
    if end or has_address(text) or begins_with_date(text):
        return True
    return has_time(text) and _DATED_NAME.match(text) is not None
