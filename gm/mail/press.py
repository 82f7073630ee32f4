"""Letters between players by mail: passed on at once under the realm's name, never with an address.

A player begins a letter with ``To: POL, NOV`` (or ``all``, or ``GM``) and optionally ``As: anonymous``, or
writes to ``game+pol@...``. The letter has to prove itself: as an answer to a letter of the game, from the
known address. An answer to another player's letter goes back to that one: the token in its subject names that
letter, and proves nothing else.

A letter is judged once and recorded (:func:`gm.store.press.keep_press`) before it goes into the outbox for
each reader: the next run makes up for one that is killed in between, and finds it judged.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from gm.campaign.open import Campaign
from gm.campaign.press import all_press, judged
from gm.core.diagnostics import fold, printable, says
from gm.core.orders.keys import TOKEN, same_token
from gm.core.orders.press import ALL, ANONYMOUS, EVERYBODY, MUTE, PUBLIC, UNMUTE
from gm.core.orders.reading import NameIndex
from gm.core.values import Record
from gm.mail import channels
from gm.mail.answers import answer_name
from gm.mail.body_text import looks_like_orders, written_text
from gm.mail.game_mail import GameMail, mark_of, realms_of, vouched_realm
from gm.mail.letter import Letter, without_keys
from gm.mail.outbox import Outgoing
from gm.mail.outcome import PATIENCE, Answer, Desk, Outcome
from gm.mail.press_letters import KIND, PressWriter, press_mark, press_sign
from gm.mail.source import Disposition
from gm.store.press import Press, keep_press

_HEAD = re.compile(
    r"(?i)\s*(to|an|as|mute|unmute|letters(?=[ \t]*:[ \t]*(?:open|closed)\W*$))[ \t]*:[ \t]*(.{0,400})$"
)
_HEAD_LINES = 6
_TOKEN = re.compile(rf"\bt\d{{1,6}}\s+([A-Z0-9]{{2,8}})\s+(p-\s?{TOKEN})\b")
_SEPARATORS = re.compile(r"[,;&]|\s(?:and|und)\s")
_FOR_GM = "gm"

_ANSWERING = re.compile(r"(?i)(?:(?:\[[^\]]{0,60}\]|(?:re|aw|antw|sv|rif|odp|fwd?|wg)\s?:)\s?)*(.*)")

# a line at the head of a letter: to, as, mute, unmute or letters, and what it says
HeadLine = tuple[str, str]
Muting = tuple[str, tuple[str, ...]]  # mute or unmute, and whom; open or closed


class PressLetter(Record):
    """The request to pass a letter on to players.

    ``writer``: the realm of its writer, if that is proven; ``to``: the codes of the receivers, and words that
    name none; ``answered``: the letter that it answers; ``back``: whether it goes to that letter's writer,
    who may be anonymous.
    """

    writer: str
    to: tuple[str, ...]
    for_gm: bool
    kind: str
    text: str
    muting: tuple[Muting, ...]
    answered: Press | None
    back: bool


def press_letter(mail: GameMail, letter: Letter) -> PressLetter | None:
    """Return a letter's request to be passed on; None when it is not for other players."""
    head, body = _divided(written_text(letter.text))
    writer, answered = _answered(mail, letter)
    places = _subaddresses(mail, letter)
    is_for_players = bool(head or places) and bool(mail.campaign.folder.settings.press.kinds)
    if answered is None and not is_for_players:
        return None
    named, muting = _wishes(mail.campaign, head, answered)
    readers = dict.fromkeys((*named, *places))
    to = tuple(reader for reader in readers if fold(reader) != _FOR_GM)
    for_gm = len(to) < len(readers)
    kind = next((fold(value) for word, value in head if word == "as"), "")
    says_something = bool(body.strip()) or not muting
    back = False
    if answered is not None and not readers and kind != PUBLIC and says_something:
        back = True
        to = (answered.author,)
    return PressLetter(writer, to, for_gm, kind, _whole_text(body, letter), muting, answered, back)


def _whole_text(body: str, letter: Letter) -> str:
    """Return the text of a letter and of files that are no orders."""
    files = (
        file.data.decode("utf-8", "replace") for file in letter.files if not looks_like_orders(file.data)
    )
    return "\n\n".join([body, *files]).strip("\n")


def _wishes(
    campaign: Campaign, head: list[HeadLine], answered: Press | None
) -> tuple[list[str], tuple[Muting, ...]]:
    """Return the readers in the lines at the head of a letter, and the realms that it mutes.

    In an answer, a mute without a realm means the writer of the other letter.
    """
    codes_by_name = {seat.name: seat.code for seat in campaign.seats}
    realms = {seat.code: seat.code for seat in campaign.seats}
    index = NameIndex("", realms, codes_by_name)
    readers: list[str] = []
    muting: list[Muting] = []
    for word, value in head:
        if word == "letters":
            muting.append((fold(value).strip(" .!"), ()))
        elif word in (MUTE, UNMUTE):
            codes = tuple(_codes(index, value))
            names_realm = not realms.keys().isdisjoint(codes)
            muting.append((word, codes if names_realm or answered is None else (answered.author,)))
        elif word == "to":
            readers += _codes(index, value)
    return readers, tuple(muting)


def _divided(text: str) -> tuple[list[HeadLine], str]:
    """Return the lines at the head of a letter with readers and form, and the rest."""
    head: list[HeadLine] = []
    lines = text.split("\n")
    while lines and len(head) < _HEAD_LINES:
        match = _HEAD.match(lines[0])
        if match:
            word = match[1].lower().replace("an", "to")  # the German word for it counts, too
            head.append((word, match[2].strip()))
        elif lines[0].strip():
            break
        lines = lines[1:]
    return head, "\n".join(lines)


def _codes(index: NameIndex, value: str) -> list[str]:
    """Return the realms of a line; unknown words stay as written."""
    codes: list[str] = []
    for names in _SEPARATORS.split(value):
        part = names.strip(" .<>\"'")
        if part:
            for word in _realm_words(index, part):
                codes.append(ALL if fold(word) in EVERYBODY else index.find(word) or printable(word)[:40])
    return codes


def _realm_words(index: NameIndex, part: str) -> list[str]:
    """Return the words of a part if each is a realm, else the part unchanged."""
    if index.find(part) or fold(part) in (*EVERYBODY, _FOR_GM):
        return [part]
    words = part.split()
    return words if all(map(index.find, words)) else [part]


def _subaddresses(mail: GameMail, letter: Letter) -> list[str]:
    """Return the realms in addresses like ``game+pol@example.org``, or ``pol+game@example.org``."""
    own, _, domain = mail.settings.sender.lower().rpartition("@")
    codes = {seat.code.lower(): seat.code for seat in mail.campaign.seats}
    realms: list[str] = []
    for address in letter.to:
        local, _, host = address.lower().rpartition("@")
        first, _, second = local.partition("+")
        for box, tag in ((first, second), (second, first)):
            if host == domain and box == own and tag in codes:
                realms.append(codes[tag])
    return realms


def _answered(mail: GameMail, letter: Letter) -> tuple[str, Press | None]:
    """Return the realm of a letter, if that is proven, and the other player's letter that it answers."""
    campaign = mail.campaign
    realms = realms_of(campaign, letter.sender)
    marks = set(_answered_marks(mail, letter))
    signs = {match.groups() for match in _TOKEN.finditer(letter.whole_subject)}
    earlier = all_press(campaign) if marks or signs else ()
    for realm, sign in signs:
        player = campaign.folder.players.of(realm)
        if player is None or realm not in realms:
            continue
        for press in earlier:
            if realm in press.readers and same_token(sign, press_sign(player, mail.game, press)):
                return realm, press
    writer = vouched_realm(campaign, letter, earlier=True)
    # by its Message-ID where the subject has no such sign
    for press in earlier:
        if any((realm, press.mark) in marks for realm in ([writer] if writer else realms)):
            return writer, press
    return writer, None


def _answered_marks(mail: GameMail, letter: Letter) -> Iterator[tuple[str, str]]:
    """Yield the realm and the id of each letter between players whose Message-ID a letter refers to."""
    for reference in letter.references:
        number = mail.own_number(reference)
        entry = mail.outbox.entries[number] if number else None
        if entry is not None and entry.kind == KIND:
            yield entry.realm, press_mark(entry.once)


# -- what comes of it ----------------------------------------------------------------------------------------


def pass_on(desk: Desk, wish: PressLetter) -> Outcome:
    """Pass a letter between players on, or tell its writer why not."""
    if not wish.writer:
        return _unproven(desk)
    write = PressWriter(desk.mail, desk.now)
    letters = judged_letters(desk, wish)
    why = [press.why for press in letters if press.why]
    is_refused = desk.mail.outbox.knows(answer_name("no press", desk.letter, wish.writer))
    if why or is_refused or not (letters or wish.for_gm):
        why = why or [(says("it does not say to whom: begin with a line like 'To: {0}'"), "GM")]
        make = partial(write.refused, wish.writer, desk.letter, wish.text, why)
        answer = _own_answer(desk, "no press", wish.writer, make)
        return Outcome(
            says("letter between players, refused"), Disposition.ASIDE, answers=(answer,), private=True
        )
    changes = _new_press(desk.mail.campaign, letters)
    answers: list[Answer] = []
    for press in letters:
        if press.is_letter:
            answers += map(Answer, write.copies(press))
            changes += tuple(
                partial(channels.queue_news, desk.mail, reader, channels.PRESS, press.mark, desk.now)
                for reader in press.readers
            )
    forwarded = desk.forwarding(wish.writer) if wish.for_gm else None
    answers += forwarded or ()
    make = partial(
        write.passed,
        wish.writer,
        desk.letter,
        letters,
        hides=wish.answered is not None and wish.answered.kind == ANONYMOUS,
        back=wish.back,
        for_gm=wish.for_gm,
        to_gm=forwarded is not None,
    )
    answers.append(_own_answer(desk, "passed on", wish.writer, make))
    return Outcome(
        says("letter between players"),
        Disposition.DONE,
        changes=changes,
        answers=tuple(answers),
        private=True,
    )


def _new_press(campaign: Campaign, letters: Iterable[Press]) -> tuple[Callable[[], object], ...]:
    """Return the changes that store these letters, without those stored already."""
    known_marks = {press.mark for press in all_press(campaign)}
    new_press = [press for press in letters if press.mark not in known_marks]
    return tuple(partial(keep_press, campaign.folder.inbox(press.turn).folder, press) for press in new_press)


def _own_answer(desk: Desk, what: str, realm: str, make: Callable[[], Outgoing]) -> Answer:
    """Return an answer to a letter that is the player's own."""
    most = desk.mail.settings.care.answers_a_day * PATIENCE
    return desk.answer("receipt", what, realm, make, most)


def _unproven(desk: Desk) -> Outcome:
    """Return the outcome without proof: nothing is passed on, and the likely sender gets advice."""
    write = PressWriter(desk.mail, desk.now)
    most = desk.mail.settings.care.notices_a_day
    answers = tuple(
        desk.answer("notice", "no proof", realm, partial(write.unproven, realm, desk.letter), most)
        for realm in realms_of(desk.mail.campaign, desk.letter.sender)
    )
    return Outcome(
        says("letter between players without proof"), Disposition.ASIDE, answers=answers, private=True
    )


def judged_letters(desk: Desk, wish: PressLetter) -> list[Press]:
    """Return the records of a letter, as judged by an earlier run if that was interrupted."""
    campaign = desk.mail.campaign
    earlier = all_press(campaign)
    judged_before = {press.mark: press for press in earlier}
    letters: list[Press] = []
    for press in _unjudged(desk, wish):
        letters.append(judged_before.get(press.mark) or judged(campaign, (*earlier, *letters), press))
    return letters


def _unjudged(desk: Desk, wish: PressLetter) -> list[Press]:
    """Return a letter's mutes and its text as records, not yet judged."""
    mark = mark_of(desk.letter)
    turn = desk.mail.campaign.next_turn
    plain = Press(mark=mark, author=wish.writer, to=(), kind="", turn=turn, at=desk.now)
    letters = [plain.evolve(mark=f"{mark}-{word}", to=codes, kind=word) for word, codes in wish.muting]
    if wish.to or wish.kind == PUBLIC:
        lines = without_keys(wish.text).split("\n")
        text = "\n".join(printable(line.expandtabs(4)) for line in lines).strip("\n")
        answers = wish.answered.mark if wish.answered else ""
        about = "" if answers else without_keys(_subject(desk.letter))
        press = plain.evolve(to=wish.to, kind=wish.kind, text=text, subject=about)
        letters.append(press.evolve(message=desk.letter.message_id, answers=answers, back=wish.back))
    return letters


def _subject(letter: Letter) -> str:
    """Return a subject without the prefixes of mail programs."""
    match = _ANSWERING.match(letter.shown_subject)
    return match[1] if match else ""
