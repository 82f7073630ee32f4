"""Requests as players write them: in the subject of a letter, or as the only line of its text.

A text that only resembles a request is answered with the nearest one, and never carried out.
"""

import re
from collections.abc import Mapping

from gm.core.diagnostics import fold, nearest
from gm.core.values import Record
from gm.mail.attachments import BRINGING
from gm.mail.body_text import written_text
from gm.mail.letter import Letter
from gm.mail.phrases import mail_data, phrase
from gm.store.settings import checked_address

_FRONT = re.compile(r"(?i)\s*(?:\[[^\]]{1,30}\]\s*)?(?:(?:re|aw|antw|sv|rif|odp)\s?:\s*)*")
# where the subject begins that was answered
_BEHIND = re.compile(r"(?i)\[|(?<!\S)(?:re|aw|antw|sv|rif|odp)\s?:")
_PARTS = re.compile(r"([^\s:,]+)\s*[:,]?\s*(.*)\Z")  # its first word, and the rest
_LINKED = re.compile(r"(?<=\S)<https?://[^>\s]*>\Z")  # what programs write behind an address in plain text
_QUOTES = " \"'“”„‘’‚«»"
_COURTESY = re.compile(r"(?i)[\s,]+(?:please|bitte|thanks|thank you|danke)\Z")
_STEWARD = "(?:with )?(?:a |the )?steward"
_WORDS = {  # what may follow each word: the first group that is found is what was asked for
    "report": "()",
    "status": "()",
    "orders": "()",
    "help": "()",
    "away": rf"(?:until|till|til) (?:turn )?(\d{{1,6}}(?:,? {_STEWARD})?)|({_STEWARD})|(off|none)",
    "extend": "()",
    "resign": "()",
    "address": r"(\S{1,254})",
    "language": "([a-z]{2})",
    "reminders": "(on|off)",
    "digest": "(daily|off)",
    "notify": r"(off|none)|(\S{3,200})",
    "join": "([a-z0-9]{2,8})?",
}
READING = ("report", "status", "orders", "help")  # they change nothing
_PREFERENCES = ("vacation", "unsubscribe", "subscribe")  # what a letter is asked for elsewhere (status.py)
_EXAMPLES = {  # what is shown to somebody whose words after the first one are not understood
    "away": "away until 8",
    "address": "address new@example.org",
    "language": "language de",
    "reminders": "reminders off",
    "digest": "digest daily",
    "notify": "notify ntfy.sh/TOPIC",
}
_SHORT = 5  # so many words a request has at most
_LONG = 12  # so many are taken for one if the first of them is right
_LONGEST = 300  # characters of a line that may be one
_SIGNATURE_LINES = 4  # so many lines a signature has that stands alone
_YES = re.compile(r"(?i)\W*(yes|ja)\b")


class Request(Record):
    """A request of a letter.

    ``realm``: its proven sender; ``confirmed``: the realm whose new address it confirms; ``near``: the
    request that resembles ``what`` most, if that was not understood; ``in_text``: it is all of the letter's
    text.
    """

    word: str
    what: str = ""
    realm: str = ""
    confirmed: str = ""
    near: str = ""
    in_text: bool = False

    @property
    def words(self) -> str:
        """The request as written in a subject."""
        until = "until " if self.word == "away" and self.what[:1].isdigit() else ""
        return f"{self.word} {until}{self.what}".strip()

    @property
    def is_grave(self) -> bool:
        """Whether a token of an earlier turn is not enough, and the answer has to say yes."""
        return self.word in ("resign", "address")

    @property
    def is_secret(self) -> bool:
        """Whether its words are the player's alone: a channel's address is as good as a password."""
        return self.word == "notify" or self.near.startswith("notify")


def asked_of(letter: Letter, names: Mapping[str, str]) -> Request | None:
    """Return the request of a letter without orders, if its subject or its only line says just that.

    ``names``: the codes of the realms by their names, folded. A text that is probably a request, but not
    understood, becomes a request for help.
    """
    if letter.files:
        return None
    subject = _own_subject(letter.whole_subject)
    text = own_words(letter)
    asked = _request_of(subject, names)
    if asked is not None:
        return asked if _is_whole(asked, letter, text) else None
    line = only_line(letter)
    for words in (f"{subject} {line}", line) if line else ():
        asked = _request_of(words, names)
        if asked is not None:
            return asked.evolve(in_text=True) if _is_whole(asked, letter, "") else None
    return _unclear(line or subject, letter) if line or not text else None


def _is_whole(request: Request, letter: Letter, text: str) -> bool:
    """Return whether a request is all of a letter: other content may be meant for orders."""
    if request.word in READING and BRINGING.intersection(letter.advice):
        return False  # what it brings cannot be read, and its sender wants to know of that
    # who sends orders that nobody can find in his letter wants to know of that
    return not (request.word == "orders" and text and not letter.references)


def _unclear(words: str, letter: Letter) -> Request | None:
    """Return the request for help of a sender whose words are nearly a request; None if they are not."""
    near = nearest_request(words)
    if not near or BRINGING.intersection(letter.advice):
        return None
    return Request("help", words, near=near)


def nearest_request(text: str) -> str:
    """Return the request that a subject or a line probably means; empty if none is near.

    It is also empty for a text that is a request itself.
    """
    own = _own_subject(text)
    parts = _PARTS.match(own)
    if parts is None or _request_of(own, {}) is not None:
        return ""
    first = fold(parts[1])
    more = parts[2].split()
    if len(more) >= (_LONG if first in _EXAMPLES else _SHORT):
        return ""
    meant = {fold(word): str(request) for word, request in mail_data("requests.yaml").items()}
    word = nearest(first, (*_WORDS, *_PREFERENCES)) or ""
    # who writes more than that asks the game master something
    is_question = word in (*READING, "join") and bool(more)
    return meant.get(first) or ("" if is_question else _corrected(word, more))


def _corrected(word: str, other_words: list[str]) -> str:
    """Return the request with this first word and as many of the other words as can be read."""
    asked = _request_of(" ".join([word, *other_words]), {}) if word in _WORDS else None
    if asked is not None:
        return asked.words
    example = _EXAMPLES.get(word, word)
    if word != "away":
        return example
    turn = next((number for number in other_words if number.rstrip(",").isdecimal()), "8").rstrip(",")
    has_steward = any(nearest(part, ("steward",)) for part in other_words)
    return f"away until {turn}{', steward' if has_steward else ''}"


def asks_besides(letter: Letter) -> bool:
    """Return whether a letter with orders asks for a change in its subject."""
    subject = _own_subject(letter.whole_subject)
    asked = _request_of(subject, {})
    return fold(subject) in _PREFERENCES or (asked is not None and asked.word not in READING)


def own_words(letter: Letter) -> str:
    """Return the words of a letter's sender, also from a web page alone; empty for a mere signature."""
    text = written_text(letter.text or letter.page).strip()
    lines = [line for line in text.split("\n") if line]
    is_signature = len(lines) <= _SIGNATURE_LINES and phrase("signature").match(text) is not None
    return "" if is_signature else text


def only_line(letter: Letter) -> str:
    """Return the only line of a letter's text, without courtesy; empty for any other text."""
    text = own_words(letter)
    return "" if "\n" in text or len(text) > _LONGEST else _bare(text)


def says_yes(letter: Letter) -> bool:
    """Return whether a person, not a machine, answers our letter with yes."""
    return bool(_YES.match(own_words(letter)))


def _own_subject(subject: str) -> str:
    """Return a subject without additions of mail programs, and without the subject that was answered."""
    front = _FRONT.match(subject)
    own = subject[front.end() :] if front else subject
    return _bare(_BEHIND.split(own, maxsplit=1)[0])


def _bare(text: str) -> str:
    """Return words without quotation marks around them, and without courtesy and full stop at their end."""
    words = _COURTESY.sub("", " ".join(text.split()).rstrip(".!? "))
    return _LINKED.sub("", words.rstrip(".!?, ").strip(_QUOTES)).rstrip(".!?, ")


def _request_of(text: str, names: Mapping[str, str]) -> Request | None:
    """Return the request that a text is, word by word. None if it is no request."""
    parts = _PARTS.match(text)
    key = parts[1].lower() if parts else ""
    form = _WORDS.get(key)
    if parts is None or form is None:
        return None
    more = names.get(fold(parts[2]), parts[2]) if key == "join" else parts[2]
    match = re.fullmatch(form, more, re.IGNORECASE)
    return _asked(key, next(filter(None, match.groups()), "")) if match else None


def _asked(word: str, what: str) -> Request | None:
    if word == "notify":
        return Request(word, what.lower() if what.lower() in ("off", "none") else what)
    if word != "address":
        return Request(word, what.upper() if word == "join" else what.lower())
    try:
        return Request(word, checked_address(what.strip("<>")))
    except ValueError:
        return None
