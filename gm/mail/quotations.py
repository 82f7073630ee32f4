"""The sender's own part of a letter's text, apart from quotations and forwarded letters.

An older letter begins below lines that a mail program writes above it, its head. They are recognised by their
form, in any language:

* a header: three or more short lines ``word: value``, of which one has an address and one a date;
* an attribution ("On 4 May Anna wrote:"): up to three lines with a date, and an address or a name;
* a rule: a line of dashes with words between them, above a header.

The words of ``templates/mail/phrases.yaml`` are used besides, for heads with less in them.
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
_RULE = 100  # characters of a line of dashes with words between them
_FORWARDED_MOST = 5  # how often a letter may have been forwarded, each time with a line that says so
_BELOW_RULE = 3  # lines below a rule among which a header begins
_KEY = re.compile(r"[a-z_]{2,30}\Z")  # of a line in an order file
_TAIL = 40  # characters behind the address in an attribution without a colon
_TAIL_FORM = re.compile(r"[\s,]*[^\d\s.,;!?:<>()]+(?:\s+[^\d\s.,;!?:<>()]+){0,2}\s*\Z")  # up to three words

_DATED_NAME = re.compile(r"\D{1,12}\d[^A-Za-z]{5,30}[,;] ?[^\W\d_][^\d:]{2,60}[:：]\Z")
"""A word or two, a day and a time, then a name and a verb, in any language."""

Begins = Callable[[Sequence[str]], int | None]
"""Returns the index of the line with which an order file begins in these lines; None when there is none."""


class Head(Record):
    """The lines that a mail program wrote above an older letter."""

    start: int  # index of the first line
    end: int  # index of the line after the last one
    is_forwarding: bool = False  # they say that the older letter is forwarded


class Division(Record):
    """The lines of a text that its sender wrote, and those of a letter that was forwarded in it."""

    own: tuple[str, ...]
    forwarded: tuple[str, ...] = ()


def divided(lines: Sequence[str], begins: Begins, *, forwarding: bool, depth: int = 0) -> Division:
    """Return the sender's own lines, and the forwarded ones.

    Lines below quoted lines (``>``) are the sender's own again, unless there are orders above them.
    ``begins`` returns the index of the line where orders begin, None without any; ``forwarding``: the subject
    says that the letter is forwarded; ``depth``: in how many forwarded letters these lines are.
    """
    own: list[str] = []
    searched = 0  # in so many of the own lines no orders were found
    at = 0
    while at < len(lines):
        head = head_at(lines, at)
        if head is None:
            if not lines[at].startswith(">"):
                own.append(lines[at])
            at += 1
            continue
        # an attribution is recognised at its last line: those before it are among the own ones by now
        for _ in range(head.start, at):
            own.pop()
        begins_with_head = depth > 0 and not any(own)  # as a letter does that was forwarded twice
        if head.is_forwarding or forwarding or begins_with_head:
            return Division(tuple(own), _forwarded_lines(lines[head.end :], begins, depth))
        # where an older letter without ``>`` ends cannot be told: nothing below it is the sender's
        if not _is_marked(lines, head.end) or begins(own[searched:]) is not None:
            break
        searched = len(own)
        at = head.end
    return Division(tuple(own))


def _forwarded_lines(below: Sequence[str], begins: Begins, depth: int) -> tuple[str, ...]:
    """Return the lines of a forwarded letter that its own sender wrote.

    If there are no orders in them and the letter forwards another one in turn, return that one's lines.
    There are none if letters were forwarded more than ``_FORWARDED_MOST`` times.
    ``below``: all lines below the letter's head; ``depth``: in how many forwarded letters it is itself.
    """
    # the marks may begin above the header or below it
    lines = _unmarked(_without_header(_unmarked(below)))
    if depth >= _FORWARDED_MOST:
        return ()
    inner = divided(lines, begins, forwarding=False, depth=depth + 1)
    return inner.own if begins(inner.own) is not None or not inner.forwarded else inner.forwarded


def _unmarked(lines: Sequence[str]) -> Sequence[str]:
    """Return lines without the marks of quotations (``>``) in front, if all of them have one."""
    if any(line and not line.startswith(">") for line in lines):
        return lines
    return [line.removeprefix(">").removeprefix(" ") for line in lines]


def _without_header(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines of a forwarded letter without the header at their top."""
    start = next((number for number, line in enumerate(lines) if line), len(lines))
    end = header_end(lines, start) or _short_header_end(lines, start)
    return lines[end:] if end else lines


def _is_marked(lines: Sequence[str], start: int) -> bool:
    """Return whether the next line with text is marked as quoted."""
    return next((line.startswith(">") for line in lines[start:] if line), False)


def head_at(lines: Sequence[str], number: int) -> Head | None:
    """Return the head of an older letter that is recognised at the line ``number``; None if there is none.

    That is the last line of an attribution, and the first line of a header or rule.
    """
    line = lines[number]
    if not line or len(line) > LINE or line.startswith(">"):
        return None
    if phrase("forwarded").match(line):
        return Head(number, number + 1, is_forwarding=True)
    if phrase("original").match(line) or _is_rule_above_header(lines, number):
        return Head(number, _end_below(lines, number + 1))
    end = header_end(lines, number)
    if end:
        return Head(number, end)
    start = _attribution_start(lines, number)
    return None if start is None else Head(start, number + 1)


def _end_below(lines: Sequence[str], start: int) -> int:
    """Return the index of the line after a header that begins at ``start`` or just below; else ``start``."""
    below_rule = enumerate(lines[start : start + _BELOW_RULE], start)
    first = next((number for number, line in below_rule if line), start)
    return header_end(lines, first) or _short_header_end(lines, first) or start


def _is_rule_above_header(lines: Sequence[str], number: int) -> bool:
    """Return whether a line is words between dashes, in any language, above lines of a header."""
    text = lines[number].strip()
    if len(text) > _RULE or text[:2] not in ("--", "__", "==") or text[-2:] != text[:2]:
        return False
    if not any(char.isalpha() for char in text):
        return False
    below = [line for line in lines[number + 1 : number + 1 + _BELOW_RULE] if line]
    first = labelled(below[0]) if below else None
    # a word like those of order files does not begin a header
    return first is not None and not _KEY.match(first.label) and _says_who_or_when(first)


def _says_who_or_when(field: Labelled) -> bool:
    """Return whether a line ``word: value`` has an address or a date."""
    return has_address(field.value) or has_date(field.value)


def header_end(lines: Sequence[str], start: int) -> int:
    """Return the index of the line after a header that begins at ``start``; 0 when none begins there."""
    first = labelled(lines[start]) if start < len(lines) else None
    # a line of an order file begins none
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
    """Return whether lines ``word: value`` are a header of mail, by their forms.

    Three or more lines are one if a line has a date, and either such a line has a time, too, or another line
    has an address. Two are if one is the sender's, with an address in brackets, and the other a date with a
    time.
    """
    addressed = [field for field in fields if has_address(field.value)]
    dated = [field for field in fields if has_date(field.value)]
    is_timed = any(has_time(field.value) for field in dated)
    if len(fields) == _HEADER_LEAST - 1:
        has_sender = any(address_end(field.value) for field in fields)
        return has_sender and is_timed and all(map(_says_who_or_when, fields))
    if len(fields) < _HEADER_LEAST or not dated:
        return False
    return is_timed or any(field not in dated for field in addressed)


def _header_from(lines: Sequence[str], start: int) -> tuple[int, list[Labelled]]:
    """Return (index of the line after a possible header, its lines ``word: value``).

    There may be an empty line between each two of them.
    """
    fields: list[Labelled] = []
    gaps = 0  # empty lines between fields
    at = start
    while at < min(len(lines), start + _HEADER_LINES):
        line = lines[at]
        field = labelled(line)
        if field is not None and not _KEY.match(field.label):
            fields.append(field)
        elif not line:
            below = labelled(lines[at + 1]) if at + 1 < len(lines) else None
            # so far an empty line is between each two fields: this one may be another such gap
            is_spaced = gaps + 1 == len(fields)
            if not is_spaced or below is None or _KEY.match(below.label):
                break
            gaps += 1
        elif not (line[0].isspace() or has_address(line)):  # else a long field goes on
            break
        at += 1
    return at, fields


def _is_known_header(lines: Sequence[str], start: int) -> bool:
    """Return whether a header begins at ``start``, by known words for From, Sent, To and Subject."""
    if not phrase("header from").match(lines[start][:LINE]):
        return False
    matches = (phrase("header more").match(line[:100]) for line in lines[start + 1 : start + 5])
    return sum(map(bool, matches)) >= _HEADER_LEAST - 1


def _short_header_end(lines: Sequence[str], start: int) -> int:
    """Return the index of the line after the lines ``word: value`` that begin at ``start``, however few.

    0 when none of them names a sender or a date.
    """
    end, fields = _header_from(lines, start)
    has_sender = any(phrase("header from").match(line[:LINE]) for line in lines[start:end])
    return end if has_sender or any(map(_says_who_or_when, fields)) else 0


def _attribution_start(lines: Sequence[str], number: int) -> int | None:
    """Return the index of the first line of an attribution ("On ... Anna wrote:") that ends at ``number``.

    It has up to three lines; None if there is none.
    """
    last = lines[number]
    # the end of an attribution: a colon or dash, a bracket behind an address, an address, or a date or time
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
            return _start_with_date(lines, start, text)
    return None


def _start_with_date(lines: Sequence[str], start: int, text: str) -> int:
    """Return the index of the first line of an attribution.

    That is ``start``, where its ``text`` begins, or if it has no date the line with its date above.
    """
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
    """Return whether a line, which is not empty, looks like one of an order file."""
    if line[0].isspace() or line.startswith(("- ", "#")):
        return True
    field = labelled(line)
    return field is not None and _KEY.match(field.label) is not None


def is_attribution(text: str) -> bool:
    """Return whether a text is an attribution, by its form or by a known verb like "wrote"."""
    field = labelled(text)
    if field is not None and _KEY.match(field.label):  # a line of an order file
        return False
    if phrase("stamped").match(text) or phrase("wrote between dashes").match(text):
        return True
    end = address_end(text)
    if text.startswith("--") and text.endswith("--"):
        return has_date(text) and end > 0
    ends_with_colon = text.endswith((":", "："))
    if has_date(text) and _has_attribution_form(text, end, ends_with_colon=ends_with_colon):
        return True
    if not ends_with_colon or not phrase("wrote").search(text):
        return False
    # after such a verb an address is enough, or any number: it may be of a date in an unknown form
    return end > 0 or any(character.isdigit() for character in text)


def _has_attribution_form(text: str, end: int, *, ends_with_colon: bool) -> bool:
    """Return whether a line with a date names a writer, too, in one of the forms of attributions.

    ``end``: where its address in brackets ends; 0 if it has none; ``ends_with_colon``: it ends with a colon.
    """
    if not ends_with_colon:
        return end > 0 and _TAIL_FORM.match(text[end : end + _TAIL]) is not None
    if end or has_address(text) or begins_with_date(text):
        return True
    return has_time(text) and _DATED_NAME.match(text) is not None
