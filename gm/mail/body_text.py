"""The text of a mail: the orders that a player has written into it, and what of it is quoted, sent on or a signature.

Everything here goes through a text line by line, once. The words by which quotations, signatures and the like are known
stand in ``templates/mail/phrases.yaml``."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice, takewhile
from typing import Any

from gm.core.yaml.source import plain_data, read_yaml
from gm.resources import resource

_ORDERS = re.compile(r"([ \t]*)orders[ \t]*:[ \t]*['\"“”]?\d", re.IGNORECASE)
_HEAD_FIELDS = tuple(re.compile(rf"[ \t]*{word}[ \t]*:[ \t]*\S", re.IGNORECASE) for word in ("game", "turn", "player"))
"""The head of an order file whose game has one format only: these three, in any order, and the key if there is one."""
_HEAD_LINES = 5
_SEARCHED = 20_000
_LINE = 400  # characters of a line that is looked at as the beginning of a quotation
_BLOCKS = 20  # order files between fences that are taken out of a text
_SENT_ON = 5  # how often a letter may have been sent on, each time with a line that says so
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*[\w./+-]*[ \t]*$")
_KEY_LINE = re.compile(r"[\w'\"-]{1,60}[ \t]*:(\s|$)")
_PROSE_LINE = re.compile(r"[A-Z][\w'-]{0,40}[ \t]*:[ \t]+(?![\[{\"'])\S+\s+\S+\s+\S")
"""A line of a signature that looks like one of an order file: ``Disclaimer: This mail ...``."""
_CURLY = re.compile(r"(?m)([:\[{,-][ \t]+|[\[{,])[“”„]([^“”„\"\n]{0,500})[“”][ \t]*(?=[,\]}\n]|$)")
_CURLY_SINGLE = re.compile(r"(?m)([:\[{,-][ \t]+|[\[{,])[‘’‚]([^‘’‚'\n]{0,500})[‘’][ \t]*(?=[,\]}\n]|$)")

_PGP_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_PGP_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
PGP_MESSAGE = "-----BEGIN PGP MESSAGE-----"


@cache
def phrase(name: str) -> re.Pattern[str]:
    """What mail programs write, by its name in ``templates/mail/phrases.yaml``."""
    found = mail_data("phrases.yaml")[name]
    return re.compile(str(found["pattern"]).replace("{words}", "|".join(found.get("words", ()))), re.IGNORECASE)


@cache
def mail_data(name: str) -> dict[str, Any]:
    """The content of a YAML file in ``templates/mail``."""
    path = resource("templates", "mail", name)
    return dict(plain_data(read_yaml(path.read_bytes(), path.name)))


def looks_like_orders(data: bytes) -> bool:
    """Whether a file has the line that order files begin with, somewhere near its top."""
    text = data[:_SEARCHED].decode("utf-8", "replace")
    return _begins([line.lstrip("\ufeff") for line in text.splitlines()]) is not None


def unsigned(text: str) -> str:
    """A text without the frame that PGP puts around what it signs; the signature is not looked at."""
    lines = text.split("\n")
    if _PGP_SIGNED not in lines:
        return text
    start = lines.index(_PGP_SIGNED) + 1
    while start < len(lines) and lines[start].strip():  # "Hash: SHA256"
        start += 1
    end = lines.index(_PGP_SIGNATURE, start) if _PGP_SIGNATURE in lines[start:] else len(lines)
    return "\n".join(line.removeprefix("- ") for line in lines[start + 1 : end])


def written_orders(text: str, subject: str = "") -> list[str]:
    """The order files that stand in a mail's own text: between fences, or from a line ``orders: 1`` on, or from a head
    of ``game``, ``turn`` and ``player``. What the mail answers or quotes is left out; what it sends on is read when the
    sender has written none above it."""
    lines = [line.replace("\xa0", " ").rstrip() for line in text.split("\n")]
    own, sent_on = _divided(lines, forwarding=phrase("forwarding").match(subject) is not None)
    return _orders_in(own) or _orders_in(sent_on)


_SIGNATURE_LINES = 8  # so many lines a signature has at most, but for one below "--"


def written_text(text: str) -> str:
    """What the sender of a letter wrote himself: without what it answers or quotes, and without a signature."""
    lines = [line.replace("\xa0", " ").rstrip() for line in text.split("\n")]
    own, _ = _divided(lines, forwarding=False)
    if not any(own):  # he wrote below what he quotes
        end = max((number for number, line in enumerate(lines, 1) if line.startswith(">")), default=len(lines))
        own = lines[end:]
    for number, line in enumerate(own):
        short = any(own[:number]) and sum(map(bool, own[number + 1 :])) <= _SIGNATURE_LINES
        if line == "--" or (short and phrase("signature").match(line)):
            return "\n".join(own[:number]).strip("\n")
    return "\n".join(own).strip("\n")


def quotes_orders(text: str) -> bool:
    """Whether orders stand in quoted lines."""
    return _begins([line.lstrip("> ") for line in text[:_SEARCHED].split("\n") if line.startswith(">")]) is not None


def _divided(lines: Sequence[str], *, forwarding: bool, depth: int = 0) -> tuple[list[str], list[str]]:
    """What the sender wrote himself, and what he sends on."""
    for number, line in enumerate(lines):
        if phrase("forwarded").match(line):
            below = _without_header(lines[number + 1 :])
        elif phrase("original").match(line) or _is_attribution(lines, number) or _is_header(lines, number):
            below = lines[number + 1 :] if forwarding else []
        else:
            continue
        # a letter that was sent on may answer one in its turn
        first, more = _divided(below, forwarding=False, depth=depth + 1) if below and depth < _SENT_ON else ([], [])
        return [each for each in lines[: _above(lines, number)] if not each.startswith(">")], first or more
    return [each for each in lines if not each.startswith(">")], []


def _without_header(lines: Sequence[str]) -> Sequence[str]:
    """A letter that was sent on, without the lines at its top that say from whom it was."""
    start = next((number for number, line in enumerate(lines) if line), len(lines))
    end = next((number for number, line in enumerate(lines[start:], start) if not line), len(lines))
    top = lines[start:end]
    is_header = any(phrase("header from").match(line[:_LINE]) for line in top) and _begins(top) is None
    return lines[end:] if is_header else lines


def _is_attribution(lines: Sequence[str], number: int) -> bool:
    # "On Monday, 5 January 2026, the game master wrote:", in up to three lines, and what else names who wrote and when
    line = lines[number]
    if len(line) > _LINE:
        return False
    if phrase("stamped").match(line) or phrase("wrote between dashes").match(line):
        return True
    if not line.endswith(":") or not phrase("wrote").search(line):
        return False
    return any(char.isdigit() for each in lines[max(0, number - 2) : number + 1] for char in each)


def _above(lines: Sequence[str], number: int) -> int:
    """Where the attribution begins that ends in a line."""
    if not phrase("wrote").search(lines[number][:_LINE]) or phrase("wrote when").match(lines[number]):
        return number
    starts = (at for at in range(number - 1, max(-1, number - 3), -1) if phrase("wrote when").match(lines[at][:_LINE]))
    return next(starts, number)


def _is_header(lines: Sequence[str], number: int) -> bool:
    """The lines of a header that Outlook writes above what it answers: From, Sent, To, Subject."""
    line = lines[number]
    if len(line) > _LINE or not phrase("header from").match(line):
        return False
    return sum(bool(phrase("header more").match(each[:100])) for each in lines[number + 1 : number + 5]) >= 2


def _orders_in(lines: Sequence[str]) -> list[str]:
    fenced = list(islice((block for block in _fenced(lines) if _begins(block) is not None), _BLOCKS))
    if fenced:
        return [_tidy(block) for block in fenced]
    start = _begins(lines)
    return [] if start is None else [_tidy(_ended(lines[start:]))]


def _begins(lines: Sequence[str]) -> int | None:
    """The line with which an order file begins; none when there is none. It is ``orders: 1``, or the first of a few
    lines without a gap that name game, turn and player."""
    for number, line in enumerate(lines):
        if _ORDERS.match(line):
            return number
        if any(word.match(line) for word in _HEAD_FIELDS):
            head = list(takewhile(_KEY_LINE.match, (each.lstrip() for each in lines[number : number + _HEAD_LINES])))
            if all(any(word.match(each) for each in head) for word in _HEAD_FIELDS):
                return number
    return None


def _fenced(lines: Sequence[str]) -> Iterator[list[str]]:
    """What stands between lines of backticks or tildes."""
    block: list[str] | None = None
    mark = ""
    for line in lines:
        match = _FENCE.match(line)
        if match and block is None:
            block, mark = [], match[1]
        elif match and block is not None and match[1].startswith(mark) and line.strip() == match[1]:
            yield block
            block = None
        elif block is not None:
            block.append(line)


def _ended(lines: Sequence[str]) -> list[str]:
    """The lines up to the signature, and without the closing words: whole paragraphs at the end that are only prose. Of
    what looks like orders nothing is dropped: it is better to hear of a line that cannot be read than to lose it."""
    end = next((number for number, line in enumerate(lines) if number and phrase("signature").match(line)), len(lines))
    kept = list(lines[:end])
    cut = len(kept)
    for number in range(len(kept) - 1, 0, -1):
        line = kept[number]
        is_key = _KEY_LINE.match(line) and not (phrase("card").match(line) or _PROSE_LINE.match(line))
        if line and (line[0] in " \t#-" or is_key):
            break
        if not line:
            cut = number
    return kept[:cut]


def _tidy(lines: Sequence[str]) -> str:
    """The lines as a file: not further to the right than they need to be, and with quotes that are quotes."""
    text = textwrap.dedent("\n".join(lines)).strip("\n") + "\n"
    return _CURLY_SINGLE.sub(r"\1'\2'", _CURLY.sub(r'\1"\2"', text))
