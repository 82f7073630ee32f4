"""Forms of the lines that mail programs write above an older letter: addresses, dates, and ``word: value``.

Each pattern looks at a limited part of one line. None depends on the words of a language: programs write
these lines in more languages than anybody lists.
"""

import re
import unicodedata

from gm.core.values import Record

LINE = 400  # characters of a line that are looked at
_BEGINNING = 40  # characters of a line that may begin with a date
_LABEL = 30  # the most characters of the word in ``word: value``
_LABEL_WORDS = 4  # the most words there

_ADDRESS = re.compile(r"[\w.+'=-]@[\w\[]")
_BRACKETED = re.compile(
    r"<[^<>@\s]{1,64}@[^<>\s]{1,250}>|\[mailto:[^\[\]\s]{1,300}\]|\([^()@\s]{1,64}@[^()\s]{1,250}\)"
)
_NUMERIC = re.compile(r"(?<!\d)\d{1,4}\.?\s?[./年년-]\s?\d{1,2}\.?\s?[./月월-]\s?\d{1,4}")
_YEAR = re.compile(r"(?<!\d)(?:1[34]\d\d|19\d\d|20\d\d|25\d\d)(?!\d)")
_TIME = re.compile(r"(?<!\d)\d{1,2}\s?[:.hH時点點시]\s?\d{2}(?!\d)")
_NUMBER = re.compile(r"\d+")


class Labelled(Record):
    """A line ``word: value``, of an order file or of a mail's header."""

    label: str
    value: str


def labelled(line: str) -> Labelled | None:
    """Return word and value of a line ``word: value``; None for any other line.

    It may be in the form of an order file, or in one that mail programs use: ``De : GM``, ``*From:* GM``.
    """
    # a line that is indented by two or more belongs to the line above it
    if not line or line[:2].isspace():
        return None
    text = line[:LINE].strip().replace("：", ":", 1).lstrip("*_|")
    before, colon, value = text.partition(":")
    label = before.strip(" \t\u00a0\u200e\u200f*_")
    if not colon or not label or len(label) > _LABEL or len(label.split()) > _LABEL_WORDS:
        return None
    if not all(_may_be_in_label(char) for char in label):
        return None
    return Labelled(label, value.strip(" \t\u00a0\u200e\u200f*_"))


def _may_be_in_label(char: str) -> bool:
    """Return whether a character is a letter of any script, or a sign that labels have."""
    is_letter_or_mark = unicodedata.category(char)[0] in "LM"
    return is_letter_or_mark or char in " \u00a0.'’-/()"


def has_address(text: str) -> bool:
    """Return whether a text contains a mail address; only its beginning is searched."""
    return "@" in text and _ADDRESS.search(text[:LINE]) is not None


def address_end(text: str) -> int:
    """Return where the last address in brackets ends in a text; 0 when there is none."""
    return max((match.end() for match in _BRACKETED.finditer(text[:LINE])), default=0)


def has_date(text: str) -> bool:
    """Return whether a text contains a date: in numbers, or a year with one more number."""
    plain = _plain_digits(text[:LINE])
    if _NUMERIC.search(plain):
        return True
    return _YEAR.search(plain) is not None and len(_NUMBER.findall(plain)) > 1


def has_time(text: str) -> bool:
    """Return whether a text contains a time of day."""
    return _TIME.search(_plain_digits(text[:LINE])) is not None


def begins_with_date(text: str) -> bool:
    """Return whether a line begins with a day in numbers."""
    return _NUMERIC.match(_plain_digits(text[:_BEGINNING].lstrip())) is not None


def _plain_digits(text: str) -> str:
    """Return a text with the digits of every script turned into ASCII ones."""
    if text.isascii():
        return text
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text)
