"""Requests as players write them: in the subject of a letter, or as the only line of its text.

A text that only resembles a request is answered with the nearest request, and nothing is carried out.
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

# what mail programs put in front of a subject
_PREFIXES = re.compile(r"(?i)\s*(?:\[[^\]]{1,30}\]\s*)?(?:(?:re|aw|antw|sv|rif|odp)\s?:\s*)*")
# the beginning of the subject that is answered, behind the sender's own words
_OLD_SUBJECT = re.compile(r"(?i)\[|(?<!\S)(?:re|aw|antw|sv|rif|odp)\s?:")
_PARTS = re.compile(r"([^\s:,]+)\s*[:,]?\s*(.*)\Z")  # (first word, the rest) of a request
_LINKED = re.compile(r"(?<=\S)<https?://[^>\s]*>\Z")  # what programs write behind an address in plain text
_QUOTES = " \"'“”„‘’‚«»"
_POLITE_WORDS = re.compile(r"(?i)[\s,]+(?:please|bitte|thanks|thank you|danke)\Z")
_STEWARD = "(?:with )?(?:a |the )?steward"
_WORDS = {  # by the request's first word: the pattern of the rest, whose first group is what is asked for
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
_PREFERENCES = ("vacation", "unsubscribe", "subscribe")  # further requests, which status.py reads
_EXAMPLES = {  # by first word: what is shown to a player whose other words are not understood
    "away": "away until 8",
    "address": "address new@example.org",
    "language": "language de",
    "reminders": "reminders off",
    "digest": "digest daily",
    "notify": "notify ntfy.sh/TOPIC",
}
# a text may be meant for a request if it has fewer words than this behind the first one
_SHORT = 5
_LONG = 12  # the same if the first word is right
_LONGEST = 300  # characters of a line that may be a request
_SIGNATURE_LINES = 4  # the most lines of a text that is only a signature
_YES = re.compile(r"(?i)\W*(yes|ja)\b")


class Request(Record):
    """A request of a letter."""

    word: str  # its first word: report, away, join ...
    what: str = ""  # what is asked for: a turn, an address, on or off ...
    realm: str = ""  # its proven sender's; empty if that is not proven
    confirmed: str = ""  # the realm whose new address it confirms
    near: str = ""  # in a request for help: the request that the words in ``what`` resemble most
    in_text: bool = False  # it is all of the letter's text

    @property
    def words(self) -> str:
        """The request as it is written in a subject."""
        until = "until " if self.word == "away" and self.what[:1].isdigit() else ""
        return f"{self.word} {until}{self.what}".strip()

    @property
    def is_grave(self) -> bool:
        """Whether only a token of the coming turn proves the request, and its letter has to say yes."""
        return self.word in ("resign", "address")

    @property
    def is_secret(self) -> bool:
        """Whether nobody else may see the request's text: a channel's address is as good as a password."""
        return self.word == "notify" or self.near.startswith("notify")


def asked_of(letter: Letter, names: Mapping[str, str]) -> Request | None:
    """Return the request of a letter without orders, if its subject or its only line says just that.

    ``names``: the codes of the realms by their names, folded. A text that is probably a request, but not
    understood, becomes a request for help. None for any other letter.
    """
    if letter.files:
        return None
    subject = _own_subject(letter.whole_subject)
    text = own_words(letter)
    request = _request_of(subject, names)
    if request is not None:
        return request if _is_whole(request, letter, text) else None
    line = only_line(letter)
    # a request may go on from the subject to the text
    texts = (f"{subject} {line}", line) if line else ()
    for words in texts:
        request = _request_of(words, names)
        if request is not None:
            # "": the text is the request itself
            return request.evolve(in_text=True) if _is_whole(request, letter, "") else None
    # with a longer text a letter is no request, whatever its subject resembles
    return _unclear(line or subject, letter) if line or not text else None


def _is_whole(request: Request, letter: Letter, text: str) -> bool:
    """Return whether a letter has nothing besides its request that may be orders.

    If it may, the caller treats it as a letter without a request, and its sender gets advice. That is so if
    an attachment cannot be read (unless the request changes something), or if there is a ``text`` besides the
    request ``orders`` and the letter answers no other letter.
    """
    if request.word in READING and BRINGING.intersection(letter.advice):
        return False  # an attachment that cannot be read may be meant for orders
    # under the subject "orders" a text may be meant for orders, unless it is an answer to a letter
    return not (request.word == "orders" and text and not letter.references)


def _unclear(words: str, letter: Letter) -> Request | None:
    """Return a request for help for words that are nearly a request.

    None if they are not, or if something else in the letter may be orders that cannot be read.
    """
    near = nearest_request(words)
    if not near or BRINGING.intersection(letter.advice):
        return None
    return Request("help", words, near=near)


def nearest_request(text: str) -> str:
    """Return the request that a subject or a line probably means; empty if none is near.

    It is also empty for a text that is a request itself.
    """
    subject = _own_subject(text)
    parts = _PARTS.match(subject)
    if parts is None or _request_of(subject, {}) is not None:
        return ""
    first_word = fold(parts[1])
    other_words = parts[2].split()
    # with so many words it is a sentence
    if len(other_words) >= (_LONG if first_word in _EXAMPLES else _SHORT):
        return ""
    request_by_word = {fold(word): str(request) for word, request in mail_data("requests.yaml").items()}
    meant = request_by_word.get(first_word)
    if meant:
        return meant
    word = nearest(first_word, (*_WORDS, *_PREFERENCES)) or ""
    # these requests are a single word: with more words it is a question to the game master
    is_question = word in (*READING, "join") and bool(other_words)
    return "" if is_question else _suggestion(word, other_words)


def _suggestion(word: str, other_words: list[str]) -> str:
    """Return the request with this first word and the other words; an example if they make no request.

    In the example of ``away`` are the turn and the steward that the other words name.
    """
    request = _request_of(" ".join([word, *other_words]), {}) if word in _WORDS else None
    if request is not None:
        return request.words
    example = _EXAMPLES.get(word, word)
    if word != "away":
        return example
    numbers = (text.rstrip(",") for text in other_words if text.rstrip(",").isdecimal())
    turn = next(numbers, "8")  # 8: as in ``_EXAMPLES``
    has_steward = any(nearest(text, ("steward",)) for text in other_words)
    return f"away until {turn}{', steward' if has_steward else ''}"


def asks_besides(letter: Letter) -> bool:
    """Return whether a letter with orders has a request in its subject that would change something."""
    subject = _own_subject(letter.whole_subject)
    request = _request_of(subject, {})
    return fold(subject) in _PREFERENCES or (request is not None and request.word not in READING)


def own_words(letter: Letter) -> str:
    """Return what a letter's sender wrote, without quotations; empty if that is only a signature.

    If the letter has only a web page, it is what that shows.
    """
    text = written_text(letter.text or letter.page).strip()
    lines = [line for line in text.split("\n") if line]
    is_signature = len(lines) <= _SIGNATURE_LINES and phrase("signature").match(text) is not None
    return "" if is_signature else text


def only_line(letter: Letter) -> str:
    """Return the only line of a letter's text, without "please" and the like; empty for any other text."""
    text = own_words(letter)
    return "" if "\n" in text or len(text) > _LONGEST else _unadorned(text)


def says_yes(letter: Letter) -> bool:
    """Return whether the text of a letter begins with yes."""
    return bool(_YES.match(own_words(letter)))


def _own_subject(subject: str) -> str:
    """Return a subject without additions of mail programs, and without the subject that was answered."""
    prefixes = _PREFIXES.match(subject)
    own = subject[prefixes.end() :] if prefixes else subject
    return _unadorned(_OLD_SUBJECT.split(own, maxsplit=1)[0])


def _unadorned(text: str) -> str:
    """Return words without quotation marks around them.

    "Please" and the like, punctuation, and a link in ``<...>`` are taken from their end as well.
    """
    words = _POLITE_WORDS.sub("", " ".join(text.split()).rstrip(".!? "))
    return _LINKED.sub("", words.rstrip(".!?, ").strip(_QUOTES)).rstrip(".!?, ")


def _request_of(text: str, names: Mapping[str, str]) -> Request | None:
    """Return the request that a text says exactly; None if it says anything else.

    ``names``: the codes of the realms by their names, folded.
    """
    parts = _PARTS.match(text)
    word = parts[1].lower() if parts else ""
    form = _WORDS.get(word)
    if parts is None or form is None:
        return None
    rest = names.get(fold(parts[2]), parts[2]) if word == "join" else parts[2]
    match = re.fullmatch(form, rest, re.IGNORECASE)
    if match is None:
        return None
    what = next(filter(None, match.groups()), "")  # the group of the alternative that has matched
    return _request(word, what)


def _request(word: str, what: str) -> Request | None:
    """Return the request of a word such as ``notify`` for ``what``, in its usual spelling.

    None for the word ``address`` if ``what`` is no valid address.
    """
    if word == "notify":
        return Request(word, what.lower() if what.lower() in ("off", "none") else what)
    if word != "address":
        return Request(word, what.upper() if word == "join" else what.lower())
    try:
        return Request(word, checked_address(what.strip("<>")))
    except ValueError:
        return None
