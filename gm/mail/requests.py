"""What people ask for by the subject of a letter: the words, who may ask, and the codes that prove an address.

What only tells somebody something goes to the address on file, whoever asked. What changes something needs the token of
one of our letters, as orders do: who asks without is sent a letter to answer, whose subject asks again. A new address
proves itself by a code that was sent there, and so does a stranger who wants to join. Who resigns, moves or joins has
to say yes besides.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

from gm.core.diagnostics import fold
from gm.core.orders.keys import TOKEN, make_token, same_token
from gm.core.values import Record
from gm.mail import status
from gm.mail.answers import answer_name
from gm.mail.attachments import BRINGING
from gm.mail.body_text import written_text
from gm.mail.game_mail import GameMail, folded, mark_of, realms_of, vouched_realm
from gm.mail.letter import Letter
from gm.mail.outbox import Outgoing
from gm.mail.service import ANSWER, CONFIRM, STRANGER, Service
from gm.mail.source import Fate
from gm.mail.status import REQUEST
from gm.store.settings import Player, checked_address

_FRONT = re.compile(r"(?i)\s*(?:\[[^\]]{1,30}\]\s*)?(?:(?:re|aw|antw|sv|rif|odp)\s?:\s*)*")
_BEHIND = re.compile(r"(?i)\[|(?<!\S)(?:re|aw|antw|sv|rif|odp)\s?:")  # where the subject begins that was answered
_WORDS = {  # what may follow each word: the first group that is found is what was asked for
    "report": "()",
    "status": "()",
    "orders": "()",
    "help": "()",
    "away": r"until (?:turn )?(\d{1,6})|(off)",
    "resign": "()",
    "address": r"(\S{1,254})",
    "language": "([a-z]{2})",
    "reminders": "(on|off)",
    "join": "([a-z0-9]{2,8})?",
}
READING = ("report", "status", "orders", "help")  # they change nothing
_GRAVE = ("resign", "address")  # a token of an earlier turn is not enough, and whoever answers has to say yes
_YES = re.compile(r"(?i)\W*(yes|ja)\b")
_REPORTS_A_DAY = 3
_CODE_DAYS = 7  # for which the code that a stranger was sent is good
_UNPROVEN_AN_HOUR = 10  # letters to people who want to join, whose address nobody vouches for
_UNPROVEN_A_DAY = 50  # the same for a day
_UNPROVEN = "unproven "  # how the purpose of these begins
_OF_A_DOMAIN = 20  # letters to strangers there, a day


class Asked(Record):
    """A request: its word, and what follows it."""

    word: str
    what: str = ""

    @property
    def words(self) -> str:
        """As it is written in a subject."""
        until = "until " if self.word == "away" and self.what.isdigit() else ""
        return f"{self.word} {until}{self.what}".strip()


def asked_of(letter: Letter, names: Mapping[str, str]) -> Asked | None:
    """Return what a letter without orders asks for, if its subject says just that.

    ``names``: the codes of the realms by their names, folded. Who writes nothing but such a word and what
    nobody understands wants help.
    """
    subject = letter.whole_subject
    text = _BEHIND.split(subject[_FRONT.match(subject).end() :], maxsplit=1)[0]  # type: ignore[union-attr]
    word, _, more = " ".join(text.split()).rstrip(".!? ").partition(" ")
    if word.lower() == "join":
        more = names.get(fold(more), more)
    form = _WORDS.get(word.lower())
    if word.lower() in READING and BRINGING.intersection(letter.advice):
        return None  # what it brings cannot be read, and its sender wants to know of that
    found = re.fullmatch(form, more, re.IGNORECASE) if form is not None and not letter.files else None
    if form not in (None, "()") and found is None and not letter.files and not written_text(letter.text).strip():
        return Asked("help", f"{word} {more}")
    # who sends orders that nobody can find in his letter wants to know of that
    if found is None or (word.lower() == "orders" and written_text(letter.text) and not letter.references):
        return None
    what = next((each for each in found.groups() if each), "")
    if word.lower() == "address":
        try:
            return Asked("address", checked_address(what.strip("<>")))
        except ValueError:
            return None
    return Asked(word.lower(), what.upper() if word.lower() == "join" else what.lower())


def code_for(mail: GameMail, what: str, realm: str, address: str, day: date | None = None) -> str:
    """Return what was sent to an address alone, and proves that its owner has read it.

    That for a player's new address is good for as long as the old ones are on file; one to join is that of a
    ``day``.
    """
    secret = mail.campaign.folder.settings.seed
    known = ""
    if what == "address":
        player = mail.campaign.folder.players.of(realm)
        secret, known = (player.secret or player.key, " ".join(player.addresses)) if player else (secret, "")
    message = f"{what} code\n{mail.game}\n{realm}\n{known}\n{folded(address)}" + (f"\n{day}" if day else "")
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
    return any(same_token(each, code) for each in re.findall(rf"\[({TOKEN})\]", letter.whole_subject))


@dataclass
class RequestRound:
    """One letter that is dealt with, as far as it asks for something."""

    mail: GameMail
    write: Service
    letter: Letter
    now: datetime
    arrived: datetime
    withheld: int = field(default=0, init=False)

    def note(self, outcome: str, fate: Fate, says: str = "", **more: Any) -> tuple[str, Fate]:
        """Note what came of the letter. ``says``: the same for the GM's terminal, where that is longer."""
        held = {"withheld": self.withheld} if self.withheld else {}
        self.mail.log.note(self.letter, self.now, outcome, fate.value, **more, **held)
        return says or outcome, fate

    def answer(self, kind: str, to: str, once: str, make: Callable[[], Outgoing], most: int = 0) -> None:
        """Write and queue an answer, unless that address got as many of its kind today as it may.

        What stops machines that answer each other, and a flood in somebody's name, before a receipt has tried
        orders for it.
        """
        if not to or self.mail.outbox.knows(once):
            return
        if self.mail.answered(to, kind, self.now) < (most or self.mail.settings.care.answers_a_day):
            self.mail.queue(make(), self.now)
        else:
            self.withheld += 1

    def writers(self, vouched: str) -> list[str]:
        """Return whose letter it may be: it is answered to their addresses on file, whoever it was."""
        return sorted({*realms_of(self.mail.campaign, self.letter.sender), *([vouched] if vouched else [])})

    def serve(self, asked: Asked) -> tuple[str, Fate] | None:
        """Answer a request, or note it for whoever runs the week, if the letter is from somebody who may ask."""
        if asked.word == "join":
            return self._joining(asked)
        if asked.word == "address" and (realm := self._confirmed(asked.what)):
            return self._request(asked, realm)
        vouched = vouched_realm(self.mail.campaign, self.letter, earlier=asked.word not in _GRAVE)
        realms = [vouched] if vouched else self.writers("")
        if not realms:
            return None
        if asked.word in READING:
            for realm in realms:
                self._tell(asked, realm)
            return self.note(f"asks for {asked.word}", Fate.DONE)
        if not vouched or (asked.word in _GRAVE and not self._says_yes):
            for realm in realms:
                self._confirm(asked, realm)
            return self.note(f"is asked whether it was he who wrote '{asked.words}'", Fate.DONE)
        if asked.word == "reminders":
            return self.prefer(realms[0], status.SUBSCRIBED if asked.what == "on" else status.UNSUBSCRIBED)
        if asked.word == "address":
            return self._new_address(asked, vouched)
        return self._request(asked, vouched)

    def prefer(self, realm: str, wish: str) -> tuple[str, Fate]:
        """Note whether a player wants reminders."""
        status.note_preference(self.mail, realm, wish, self.now)
        wanted = wish == status.SUBSCRIBED
        make = partial(self.write.reminders, realm, self.letter, wanted=wanted)
        self.answer("advice", self.mail.address(realm), answer_name("reminders", self.letter, realm), make)
        outcome = "wants reminders again" if wanted else "wants no reminders"
        return self.note(outcome, Fate.DONE, f"{realm} {outcome}", realm=realm)

    @property
    def _says_yes(self) -> bool:
        """Whether somebody has read what he answers: not every machine that answers says that it is one."""
        return bool(_YES.match(written_text(self.letter.text)))

    @property
    def says_more(self) -> bool:
        """Whether there is a text that the request does not explain: somebody may be meant to read it."""
        return bool(written_text(self.letter.text).strip()) and not self._says_yes

    def _request(self, asked: Asked, realm: str, **more: str) -> tuple[str, Fate]:
        """It changes the game: whoever runs the week sees to it."""
        asks = {REQUEST: asked.word, "asked": asked.what, "realm": realm, "seat": status.seat_print(self.mail, realm)}
        return self.note(f"asks: {asked.word}", Fate.DONE, f"{realm} asks: {asked.words}", **asks, **more)

    def _tell(self, asked: Asked, realm: str) -> None:
        word = asked.word
        kind, most = (word, _REPORTS_A_DAY) if word == "report" else (ANSWER, 0)
        make = partial(self.write.told, word, realm, self.letter, asked.what)
        self.answer(kind, self.mail.address(realm), answer_name(word, self.letter, realm), make, most)

    def _confirm(self, asked: Asked, realm: str) -> None:
        make = partial(self.write.confirm, realm, self.letter, asked.words, grave=asked.word in _GRAVE)
        once = answer_name("confirm", self.letter, realm)
        most = self.mail.settings.care.notices_a_day
        self.answer(CONFIRM, self.mail.address(realm), once, make, most)

    # -- another address: asked for with the old one's token, confirmed with the code that was sent to the new one -----

    def _confirmed(self, address: str) -> str:
        """Return the realm whose player's new address this letter confirms."""

        def right(player: Player) -> bool:
            code = code_for(self.mail, "address", player.realm, address)
            return bool(player.addresses) and not player.bot and shows_code(self.letter, code)

        if folded(self.letter.sender) != folded(address) or not self._says_yes:
            return ""
        return next((each.realm for each in self.mail.campaign.folder.players.players if right(each)), "")

    def _new_address(self, asked: Asked, realm: str) -> tuple[str, Fate]:
        address = asked.what
        most = self.mail.settings.care.notices_a_day
        name = f"new address {realm} "
        once = f"{name}{mark_of(self.letter)}"
        if not self.mail.is_on_file(realm, address):
            if not self.mail.outbox.knows(once) and self.mail.outbox.asked_for(name, self.now) >= most:
                self.withheld += 1
            else:
                code = code_for(self.mail, "address", realm, address)
                make = partial(self.write.new_address, realm, address, code, once)
                self.answer(STRANGER, address, once, make, most)
        make = partial(self.write.address_asked, realm, self.letter, address, held=bool(self.withheld))
        self.answer(ANSWER, self.mail.address(realm), answer_name("address", self.letter, realm), make)
        return self.note("asks for another address", Fate.DONE, f"{realm} asks for another address")

    # -- strangers -----------------------------------------------------------------------------------------------------

    def _joining(self, asked: Asked) -> tuple[str, Fate] | None:
        """Somebody who wants to play. He is answered where he wrote from, so many letters a day."""
        mail = self.mail
        sender = self.letter.sender
        if not mail.campaign.folder.settings.open or not sender:
            return None
        if asked.what == "OFF":
            status.note_waiting(mail, sender, "", self.now)
            return self.note("wants to join no more", Fate.DONE)
        if realms := realms_of(mail.campaign, sender):
            for realm in realms:
                make = partial(self.write.seated_already, realm, self.letter)
                self.answer(ANSWER, mail.address(realm), answer_name("join", self.letter, realm), make)
            return self.note("wants to join, and plays already", Fate.DONE)
        known = mail.campaign.seat(asked.what)
        realm = asked.what if known is not None and not known.out else ""
        # in time when it came, or when it is read: clocks differ
        days = (at - timedelta(days=back) for at in (self.arrived, self.now) for back in range(_CODE_DAYS + 1))
        codes = {join_code(mail, realm, sender, day) for day in days}
        if realm and self._says_yes and any(shows_code(self.letter, each) for each in codes):
            return self._request(asked, realm, address=sender)
        once = f"{'' if is_vouched(self.letter) else _UNPROVEN}join {mark_of(self.letter)}"
        if mail.outbox.knows(once) or self._may_be_invited(once):
            code = join_code(mail, asked.what, sender, self.now)
            most = mail.settings.care.notices_a_day
            make = partial(self.write.invitation, sender, realm, code, once, self.letter.message_id)
            self.answer(STRANGER, sender, once, make, most)
            return self.note("wants to join", Fate.DONE)
        # he may be honest: the game master can find him
        day = f"{self.now.astimezone(UTC):%Y-%m-%d}"
        mail.queue(self.write.notice(f"strangers {day}", "strangers", aside=mail.settings.inward.aside), self.now)
        self.withheld += 1
        return self.note("wants to join, as too many do", Fate.ASIDE)

    def _may_be_invited(self, once: str) -> bool:
        """Return whether another stranger is answered now.

        Who forges a thousand addresses stops those for an hour whom no server vouches for, and nobody else;
        one with a server of his own stops himself.
        """
        outbox = self.mail.outbox
        now = self.now
        domain = self.letter.sender.rpartition("@")[2].lower()
        there = (each.to.lower().endswith(f"@{domain}") for each in outbox.messages_of(STRANGER, now))
        if sum(there) >= _OF_A_DOMAIN:
            return False
        if not once.startswith(_UNPROVEN):
            return True
        hour = timedelta(hours=1)
        within_hour = outbox.asked_for(_UNPROVEN, now, hour) < _UNPROVEN_AN_HOUR
        return within_hour and outbox.asked_for(_UNPROVEN, now) < _UNPROVEN_A_DAY
