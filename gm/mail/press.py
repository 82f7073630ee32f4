"""Letters between players by mail: passed on at once under the realm's name, never with an address.

A player begins his letter with ``To: POL, NOV`` (or ``all``, or ``GM``) and, if he likes, ``As: anonymous``, or writes
to ``game+pol@...``. It has to prove itself: as an answer to a letter of the game, from the address on file. What he
answers from another player goes back to that one: the sign in its subject names that letter, and proves nothing else.

A letter is judged once and written down (:func:`gm.store.press.keep_press`) before it goes into the outbox for each who
gets it: a run that is killed in between is made up for by the next, which finds it judged.
"""

import re
import textwrap
from collections.abc import Callable
from typing import Any

from gm.campaign.press import all_press, judged, press_rule
from gm.core.diagnostics import fold, printable, said, says
from gm.core.orders.keys import TOKEN, make_token, same_token
from gm.core.orders.press import ALL, ANONYMOUS, EVERYBODY, GM, MUTE, PUBLIC, UNMUTE
from gm.core.orders.reading import NameIndex
from gm.core.values import Record
from gm.mail.answers import Answers, answer_name
from gm.mail.body_text import looks_like_orders, written_text
from gm.mail.game_mail import GameMail, mark_of, realms_of, vouched_realm
from gm.mail.letter import Letter, without_keys
from gm.mail.outbox import Outgoing
from gm.mail.source import Fate
from gm.store.press import Press, keep_press
from gm.store.settings import Player

KIND = "press"  # of the letters that are passed on
_HEAD = re.compile(r"(?i)\s*(to|an|as|mute|unmute|letters(?=[ \t]*:[ \t]*(?:open|closed)\W*$))[ \t]*:[ \t]*(.{0,400})$")
_HEAD_LINES = 6
_TOKEN = re.compile(rf"\bt\d{{1,6}}\s+([A-Z0-9]{{2,8}})\s+(p-\s?{TOKEN})\b")
_ANSWERING = re.compile(r"(?i)(?:(?:\[[^\]]{0,60}\]|(?:re|aw|antw|sv|rif|odp|fwd?|wg)\s?:)\s?)*(.*)")
_WIDTH = 74
_HARMLESS = {"no-file", "quoted", "own-letter", "template"}  # advice that tells of nothing that was left out


class Wanted(Record):
    """What a letter asks for.

    ``writer``: whose it is, if that is proven; ``to``: codes, and words that are none; ``muting``: (mute or
    unmute, whom; open or closed); ``answered``: the letter that it answers, and ``back``: that it goes to
    whoever wrote that one, whom it does not name.
    """

    writer: str
    to: tuple[str, ...]
    for_gm: bool
    kind: str
    text: str
    muting: tuple[tuple[str, tuple[str, ...]], ...]
    answered: Press | None
    back: bool


def press_sign(player: Player, game: str, letter: Press) -> str:
    """Return what proves that a letter answers this one, as this realm's player got it."""
    about = f"press token\n{game}\n{player.realm}\n{letter.mark}"
    return f"p-{make_token(player.secret or player.key, about)}"


def wanted_press(mail: GameMail, letter: Letter) -> Wanted | None:
    """Return what a letter asks to be passed on; none when it is not for other players."""
    text = written_text(letter.text)
    head, body = _divided(text)
    writer, answered = _answered(mail, letter)
    places = _subaddresses(mail, letter)
    if not (head or answered or places) or not (answered or mail.campaign.folder.settings.press.kinds):
        return None
    names = {seat.code: seat.code for seat in mail.campaign.seats}
    index = NameIndex("", names, {seat.name: seat.code for seat in mail.campaign.seats})
    to = list[str]()
    muting = list[tuple[str, tuple[str, ...]]]()
    for word, value in head:
        if word == "letters":
            muting.append((fold(value).strip(" .!"), ()))
            continue
        codes = tuple(_codes(index, value))
        if word in (MUTE, UNMUTE):
            muting.append((word, codes if answered is None or set(codes) & names.keys() else (answered.author,)))
        elif word != "as":
            to += codes
    kind = next((fold(value) for word, value in head if word == "as"), "")
    to += places
    for_gm = any(fold(each) == "gm" for each in to)
    to = [each for each in dict.fromkeys(to) if fold(each) != "gm"]
    back = not to and not for_gm and answered is not None and kind != PUBLIC and (not muting or bool(body.strip()))
    if back and answered is not None:
        to = [answered.author]
    files = (each.data.decode("utf-8", "replace") for each in letter.files if not looks_like_orders(each.data))
    text = "\n\n".join([body, *files]).strip("\n")
    return Wanted(writer, tuple(to), for_gm, kind, text, tuple(muting), answered, back)


def _subject(letter: Letter) -> str:
    """Without what mail programs put in front of it."""
    found = _ANSWERING.match(letter.shown_subject)
    return found[1] if found else ""


def _divided(text: str) -> tuple[list[tuple[str, str]], str]:
    """(the lines at the head of a letter that say to whom and how it goes, the rest)."""
    head = list[tuple[str, str]]()
    lines = text.split("\n")
    while lines and len(head) < _HEAD_LINES:
        match = _HEAD.match(lines[0])
        if match:
            head.append((match[1].lower().replace("an", "to"), match[2].strip()))
        elif lines[0].strip():
            break
        lines = lines[1:]
    return head, "\n".join(lines)


def _codes(index: NameIndex, value: str) -> list[str]:
    """Return the realms of a line; what is none stays as it is written."""
    found: list[str] = []
    for part in filter(None, (each.strip(" .<>\"'") for each in re.split(r"[,;&]|\s(?:and|und)\s", value))):
        words = [part] if index.find(part) or fold(part) in (*EVERYBODY, "gm") else part.split()
        for word in words if all(map(index.find, words)) else [part]:
            found.append(ALL if fold(word) in EVERYBODY else index.find(word) or printable(word)[:40])
    return found


def _subaddresses(mail: GameMail, letter: Letter) -> list[str]:
    """Return the realms in addresses like ``game+pol@example.org``, or ``pol+game@example.org``."""
    own, _, domain = mail.settings.sender.lower().rpartition("@")
    codes = {seat.code.lower(): seat.code for seat in mail.campaign.seats}
    found = list[str]()
    for address in letter.to:
        local, _, where = address.lower().rpartition("@")
        first, _, second = local.partition("+")
        for one, other in ((first, second), (second, first)):
            if where == domain and one == own and other in codes:
                found.append(codes[other])
    return found


def _answered(mail: GameMail, letter: Letter) -> tuple[str, Press | None]:
    """(whose letter it is, if that is proven; the letter of another player that it answers)."""
    campaign = mail.campaign
    realms = realms_of(mail.campaign, letter.sender)
    entries = (mail.outbox.entries[number] for each in letter.references if (number := mail.own_number(each)))
    marks = {(entry.realm, entry.once.split()[1]) for entry in entries if entry.kind == KIND}
    signs = {match.groups() for match in _TOKEN.finditer(letter.whole_subject)}
    there = all_press(campaign) if marks or signs else ()
    for realm, sign in signs:
        player = campaign.folder.players.of(realm)
        for each in there if player is not None and realm in realms else ():
            if realm in each.readers and player and same_token(sign, press_sign(player, mail.game, each)):
                return realm, each
    writer = vouched_realm(campaign, letter, earlier=True)
    mine = [writer] if writer else realms
    # by its Message-ID where the subject has no such sign
    return writer, next((each for each in there if any((realm, each.mark) in marks for realm in mine)), None)


class PressRound(Record):
    """One letter between players. ``answer`` queues an answer if not too many went out; ``pass_on``: to the GM."""

    mail: GameMail
    write: "PressWriter"
    letter: Letter
    answer: Callable[..., None]
    pass_on: Callable[[str], bool]

    def deal_with(self, wanted: Wanted) -> tuple[str, Fate, dict[str, Any]]:
        """(what came of it in a few words, where it belongs, what the journal keeps of it)."""
        writer = wanted.writer
        if not writer:
            return self._unproven()
        known, letters = self.judged(wanted)
        refusal = answer_name("no press", self.letter, writer)
        why = [each.why for each in letters if each.why]
        if why or not (letters or wanted.for_gm) or self.mail.outbox.knows(refusal):
            why = why or [(says("it does not say to whom: begin with a line like 'To: {0}'"), "GM")]
            self._say(writer, refusal, self.write.refused(writer, self.letter, wanted, why))
            return "letter between players, refused", Fate.ASIDE, {}
        for each in letters:
            if each.mark not in known:
                keep_press(self.mail.campaign.folder.inbox(each.turn).folder, each)
            if each.is_letter:
                self.write.pass_on(each)
        passed = wanted.for_gm and self.pass_on(writer)
        name = answer_name("passed on", self.letter, writer)
        self._say(writer, name, self.write.passed(writer, self.letter, letters, wanted, to_gm=passed))
        return "letter between players", Fate.DONE, {}

    def _say(self, realm: str, once: str, letter: Outgoing) -> None:
        most = self.mail.settings.care.answers_a_day * 10  # it is the player's own
        self.answer("receipt", self.mail.address(realm), once, lambda: letter, most)

    def judged(self, wanted: Wanted) -> tuple[set[str], list[Press]]:
        """(the marks of what is written down already, what is to be), as it was judged before if a run was killed."""
        campaign = self.mail.campaign
        mark = mark_of(self.letter)
        before = all_press(campaign)
        known = {each.mark: each for each in before}
        one = Press(mark=mark, author=wanted.writer, to=(), kind="", turn=campaign.next_turn, at=self.write.now)
        asked = [one.evolve(mark=f"{mark}-{word}", to=codes, kind=word) for word, codes in wanted.muting]
        if wanted.to or wanted.kind == PUBLIC:
            text = "\n".join(printable(line.expandtabs(4)) for line in without_keys(wanted.text).split("\n"))
            answers = wanted.answered.mark if wanted.answered else ""
            about = "" if answers else without_keys(_subject(self.letter))
            told = one.evolve(to=wanted.to, kind=wanted.kind, text=text.strip("\n"), subject=about)
            asked.append(told.evolve(message=self.letter.message_id, answers=answers, back=wanted.back))
        made: list[Press] = []
        for each in asked:
            made.append(known.get(each.mark) or judged(campaign, (*before, *made), each))
        return set(known), made

    def _unproven(self) -> tuple[str, Fate, dict[str, Any]]:
        """Nothing is passed on in somebody's name; who may have written it is told how to prove it."""
        for realm in realms_of(self.mail.campaign, self.letter.sender):
            once = answer_name("no proof", self.letter, realm)
            letter = self.write.unproven(realm, self.letter)
            most = self.mail.settings.care.notices_a_day
            self.answer("notice", self.mail.address(realm), once, lambda letter=letter: letter, most)
        return "letter between players without proof", Fate.ASIDE, {}


class PressWriter(Answers):
    """Writes the letters that go along with one between players."""

    def pass_on(self, letter: Press) -> None:
        """Put a letter into the outbox for each who gets it at once, and for a game master who reads along."""
        before = {each.mark: each for each in all_press(self.mail.campaign)} if letter.answers else {}
        for realm in letter.readers:
            if self.mail.address(realm):
                self.mail.queue(self._press(letter, realm, before.get(letter.answers)), self.now)
        if press_rule(self.mail.campaign).gm_reads:
            self.tell_gm(letter)

    def tell_gm(self, letter: Press) -> None:
        """A letter for the game master, or a copy."""
        about = self._about(letter, "")
        unnamed = letter.kind == ANONYMOUS and letter.to == (GM,)
        values = {**about, "name": "Somebody" if unnamed else self._name(letter.author)}
        self.mail.queue(self.notice(f"press {letter.mark}", "press-copy", **values), self.now)

    def _press(self, letter: Press, realm: str, answered: Press | None) -> Outgoing:
        player = self.mail.campaign.folder.players.of(realm)
        once = press_name(letter, realm)
        message = ""
        if answered is not None and answered.author == realm:
            message = answered.message
        elif answered is not None and realm in answered.readers:
            message = self.mail.message_id(self.mail.outbox.id_of(press_name(answered, realm)))
        sign = press_sign(player, self.mail.game, letter) if player else ""
        more: dict[str, Any] = {"sign": sign, "answers": message, "marked": False}
        return self._letter(KIND, realm, once, self._about(letter, realm), **more)

    def _about(self, letter: Press, realm: str) -> dict[str, Any]:
        """Return what is told of a letter; to its readers not whose it is, if it is anonymous."""
        hidden = letter.kind == ANONYMOUS and realm
        return {
            "author": "" if hidden else self._name(letter.author),
            "readers": [self._name(each) for each in ([realm] if hidden else letter.to)],
            "kind_of_letter": letter.kind,
            "about": letter.subject,
            "text": wrapped(letter.text),
            "others": [each.code for each in self.mail.campaign.seats if each.code != realm][:2],
            "gm_reads": press_rule(self.mail.campaign).gm_reads,
        }

    def passed(self, realm: str, letter: Letter, letters: list[Press], wanted: Wanted, *, to_gm: bool) -> Outgoing:
        """For its writer, that a letter was passed on, and how it reads now."""
        sent = next((each for each in letters if each.is_letter), None)
        anonymous = wanted.answered is not None and wanted.answered.kind == ANONYMOUS
        muting = [each for each in letters if not each.is_letter]
        values = {
            "readers": [self._name(each) for each in sent.to] if sent else [],
            "hidden": anonymous and wanted.back,
            "sent": sent,
            "text": wrapped(sent.text) if sent else "",
            "muted": [(each.kind, [] if anonymous else [self._name(code) for code in each.to]) for each in muting],
            "for_gm": wanted.for_gm,
            "to_gm": to_gm,
            "left_out": bool(set(letter.advice) - _HARMLESS),
        }
        once = answer_name("passed on", letter, realm)
        return self._letter("receipt", realm, once, values, template="press-passed", answers=letter.message_id)

    def refused(self, realm: str, letter: Letter, wanted: Wanted, why: list[tuple[str, ...]]) -> Outgoing:
        """For its writer, why a letter was not passed on, with what he wrote."""
        say = self.say(realm)
        values = {
            "why": [said(says(*each), say) for each in why],
            "html": "html-only" in letter.advice,
            "text": wrapped("\n".join(map(printable, without_keys(wanted.text).split("\n")))),
        }
        once = answer_name("no press", letter, realm)
        return self._letter("receipt", realm, once, values, template="press-refused", answers=letter.message_id)

    def unproven(self, realm: str, letter: Letter) -> Outgoing:
        """For the player in whose name somebody wrote to others, without proof that it was he."""
        once = answer_name("no proof", letter, realm)
        return self._letter("notice", realm, once, {"letter": letter}, template="press-unproven")


def press_name(letter: Press, realm: str) -> str:
    """Return what a letter in the outbox is for."""
    return f"press {letter.mark} {realm}"


def wrapped(text: str) -> str:
    """Return the lines of a text that are short enough to be shown as they are."""
    return "\n".join(each for line in text.split("\n") for each in (textwrap.wrap(line, _WIDTH) or [""]))
