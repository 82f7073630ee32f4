"""The usual notation of Diplomacy, as players and judges write it: the parts of a line by their patterns."""

import re

WAIVE = ("waive", "pass", "build nothing")
_ARROW = (
    r"\s*(?:-+>|=+>|[→⇒>]|[–—])\s*|\s+-+\s+|"
    r"\s+(?:to|mov(?:es?|ing)(?:\s+to)?|goes\s+to|m|attacks?|attacking)\s+"
)
MOVE = re.compile(_ARROW, re.IGNORECASE)  # between a unit and where it goes
DASH = re.compile(r"(?<=[\w)])-(?=\w)")  # the same without spaces; it may also be part of a name
VIA_CONVOY = re.compile(r"\s+(?:\(?via\s+convoy\)?|by\s+convoy|via)\s*\Z", re.IGNORECASE)
HELP = re.compile(  # between a unit and the one that it helps; the first group is that of a support
    r"\s+(?:(s|sup|supports?|supporting)|(c|convoys?|convoying))(?:[:-]\s*|\s+)(?=\S)", re.IGNORECASE
)
HOLD = re.compile(r"(?:\s+(?:to|-))?\s+(?:h|hold|holds|holding|stands?)\Z", re.IGNORECASE)
RETREAT = re.compile(r"\s+(?:r|retreats?(?:\s+to)?)(?:\s*-+>?\s*|\s+)(?=\S)", re.IGNORECASE)
BUILD = re.compile(r"\s+(?:b|builds?)\Z|\A(?:build|b)\b:?\s+|\A\+\s*", re.IGNORECASE)
DISBAND = re.compile(
    r"\s+(?:d|disbands?|removes?)\Z|\A(?:disband|remove|d)\b:?\s+|\A-\s*(?=[af]\b)", re.IGNORECASE
)
REMOVE = re.compile(r"\A(?:r|destroy)\s+(?=(?:a|army|f|fleet)\s)", re.IGNORECASE)  # only in adjustments
UNIT = re.compile(  # the kind of unit (or None) and the place
    r"(?:(a|army|f|fleet)\s+(?:(?:in|at|of)\s+)?)?(.+)\Z", re.IGNORECASE | re.DOTALL
)
COAST = re.compile(
    r"\s*(?:/\s*|\()\s*(nc|sc|ec|wc|(?:north|south|east|west)(?:ern)?\s*coast)\s*\)?\s*\Z", re.IGNORECASE
)
POWER = re.compile(  # whose unit it is: ``S GER A BER - SIL``; only before a unit: ENG is an area as well
    r"\A\(?(?:aus(?:tria|trian)?|(?:eng(?:land|lish)?|british)|fr(?:a|ance|ench)|"
    r"ger(?:many|man)?|ita(?:ly|lian)?"
    r"|rus(?:sia|sian)?|tur(?:key|kish)?)(?:'s)?\)?:?\s+(?=(?:a|army|f|fleet|build|remove|disband)\s)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\A\s*(?:[0-9]{1,3}\s*[.):]|[*•·])\s*")


def plain_line(text: str) -> str:
    """Return a line without its number, the power's name before the unit, and the full stop at its end."""
    words = " ".join(text.split())
    return POWER.sub("", _NUMBER.sub("", words).rstrip(" .;,"))
