"""What people ask for by the subject of a letter: the words, and the codes that prove an address."""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime

from gm.core.diagnostics import fold
from gm.core.orders.keys import TOKEN, make_token, same_token
from gm.core.values import Record
from gm.mail.attachments import BRINGING
from gm.mail.body_text import written_text
from gm.mail.game_mail import GameMail, folded
from gm.mail.letter import Letter
from gm.store.settings import checked_address

_FRONT = re.compile(r"(?i)\s*(?:\[[^\]]{1,30}\]\s*)?(?:(?:re|aw|antw|sv|rif|odp)\s?:\s*)*")
_BEHIND = re.compile(r"(?i)\[|(?<!\S)(?:re|aw|antw|sv|rif|odp)\s?:")  # where the subject begins that was answered
_WORDS = {  # what may follow each word: the first group that is found is what was asked for
    "report": "()",
    "status": "()",
    "orders": "()",
    "help": "()",
    "away": r"until (?:turn )?(\d{1,6}(?:,? (?:with )?(?:a |the )?steward)?)|(off)",
    "resign": "()",
    "address": r"(\S{1,254})",
    "language": "([a-z]{2})",
    "reminders": "(on|off)",
    "join": "([a-z0-9]{2,8})?",
}
READING = ("report", "status", "orders", "help")  # they change nothing
_GRAVE = ("resign", "address")  # a token of an earlier turn is not enough, and whoever answers has to say yes
_YES = re.compile(r"(?i)\W*(yes|ja)\b")


class Asked(Record):
    """A request: its word, and what follows it."""

    word: str
    what: str = ""

    @property
    def words(self) -> str:
        """As it is written in a subject."""
        until = "until " if self.word == "away" and self.what[:1].isdigit() else ""
        return f"{self.word} {until}{self.what}".strip()


def asked_of(letter: Letter, names: Mapping[str, str]) -> Asked | None:
    """Return what a letter without orders asks for, if its subject says just that.

    ``names``: the codes of the realms by their names, folded. Who writes nothing but such a word and what
    nobody understands wants help.
    """
    word, more = _subject_words(letter.whole_subject)
    key = word.lower()
    form = _WORDS.get(key)
    if form is None or letter.files:
        return None
    if key in READING and BRINGING.intersection(letter.advice):
        return None  # what it brings cannot be read, and its sender wants to know of that
    if key == "join":
        more = names.get(fold(more), more)
    match = re.fullmatch(form, more, re.IGNORECASE)
    text = written_text(letter.text)
    if match is None:
        is_unclear = form != "()" and not text.strip()
        return Asked("help", f"{word} {more}") if is_unclear else None
    if key == "orders" and text and not letter.references:
        return None  # who sends orders that nobody can find in his letter wants to know of that
    return _asked(key, next(filter(None, match.groups()), ""))


def _subject_words(subject: str) -> tuple[str, str]:
    """Return the first word of a subject and what follows it, without what mail programs put around them."""
    front = _FRONT.match(subject)
    own = subject[front.end() :] if front else subject
    text = _BEHIND.split(own, maxsplit=1)[0]
    word, _, more = " ".join(text.split()).rstrip(".!? ").partition(" ")
    return word, more


def _asked(word: str, what: str) -> Asked | None:
    if word != "address":
        return Asked(word, what.upper() if word == "join" else what.lower())
    try:
        return Asked(word, checked_address(what.strip("<>")))
    except ValueError:
        return None


def is_grave(asked: Asked) -> bool:
    """Return whether whoever asks for this has to say yes besides."""
    return asked.word in _GRAVE


def says_yes(letter: Letter) -> bool:
    """Return whether somebody has read what he answers: not every machine that answers says that it is one."""
    return bool(_YES.match(written_text(letter.text)))


def confirmed_address(mail: GameMail, letter: Letter, asked: Asked) -> str:
    """Return the realm whose player's new address this letter confirms; empty when it confirms none."""
    address = asked.what
    if asked.word != "address" or folded(letter.sender) != folded(address) or not says_yes(letter):
        return ""
    for player in mail.campaign.folder.players.players:
        code = code_for(mail, "address", player.realm, address)
        if player.addresses and not player.bot and shows_code(letter, code):
            return player.realm
    return ""


def code_for(mail: GameMail, what: str, realm: str, address: str, day: date | None = None) -> str:
    """Return what was sent to an address alone, and proves that its owner has read it.

    That for a player's new address is good for as long as the old ones are on file; one to join is that of a
    ``day``.
    """
    secret = mail.campaign.folder.settings.seed
    on_file = ""
    player = mail.campaign.folder.players.of(realm) if what == "address" else None
    if player is not None:
        secret = player.secret or player.key
        on_file = " ".join(player.addresses)
    message = f"{what} code\n{mail.game}\n{realm}\n{on_file}\n{folded(address)}" + (f"\n{day}" if day else "")
    return make_token(secret, message)


def join_code(mail: GameMail, realm: str, address: str, now: datetime) -> str:
    """Return what a stranger is sent who wants to join."""
    return code_for(mail, "join", realm, address, now.astimezone(UTC).date())


def is_vouched(letter: Letter) -> bool:
    """Return whether the game's own mail server found that a letter is from the domain that it says (DMARC or DKIM)."""
    domain = re.escape(letter.sender.rpartition("@")[2])
    form = rf"(?i)\b(?:dmarc|dkim)=pass\b[^;]*\bheader\.(?:from|d|i)=(?:[^\s;@]*@)?{domain}(?=[\s;]|$)"
    return bool(domain) and any(re.search(form, line) for line in letter.authentication)


def shows_code(letter: Letter, code: str) -> bool:
    """Return whether a letter's subject holds a code."""
    return any(same_token(token, code) for token in re.findall(rf"\[({TOKEN})\]", letter.whole_subject))
