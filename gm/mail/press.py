"""Letters between players by mail: passed on at once under the realm's name, never with an address.

A player begins a letter with ``To: POL, NOV`` (or ``all``, or ``GM``) and optionally ``As: anonymous``, or
writes to ``game+pol@...``. Its writer is proven if it answers a letter of the game, with that letter's token
in the subject, from the player's address. An answer to another player's letter goes back to its writer: the
token in the subject of that letter's copy tells which letter it is, and who was sent the copy.

Whether a letter is passed on is decided once and recorded (:func:`gm.store.press.keep_press`), before it goes
into the outbox for each reader. If the run is killed in between, the next run finds the decision and queues
what is still missing.
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
from gm.mail.press_letters import KIND, PressWriter, press_mark, press_token
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

# (word, value) of a line at the head of a letter; the word is to, as, mute, unmute or letters
HeadLine = tuple[str, str]
# (mute or unmute, the codes of realms), or (open or closed, nothing): whether all letters may be published
Muting = tuple[str, tuple[str, ...]]


class PressLetter(Record):
    """The request of a letter to be passed on to players, or to mute some."""

    writer: str  # the realm of its writer; empty if that is not proven
    to: tuple[str, ...]  # the codes of its readers, and words of the line ``To:`` that name none
    for_gm: bool  # whether it is for the GM, too
    kind: str  # anonymous, public or another word of the line ``As:``; empty: the game's usual kind
    text: str
    muting: tuple[Muting, ...]
    answered: Press | None  # the other player's letter that it answers
    back: bool  # whether it goes to the writer of ``answered``, who may be anonymous


def press_letter(mail: GameMail, letter: Letter) -> PressLetter | None:
    """Return a letter's request to be passed on, to mute players, or to open or close letters to the public.

    None if it has no such request.
    """
    head, body = _divided(written_text(letter.text))
    writer, answered = _writer_and_answered(mail, letter)
    realms_in_addresses = _subaddresses(mail, letter)
    is_for_players = bool(head or realms_in_addresses) and bool(mail.campaign.folder.settings.press.kinds)
    if answered is None and not is_for_players:
        return None
    realms_in_head, muting = _readers_and_muting(mail.campaign, head, answered)
    readers = dict.fromkeys((*realms_in_head, *realms_in_addresses))
    to = tuple(reader for reader in readers if fold(reader) != _FOR_GM)
    for_gm = len(to) < len(readers)
    kind = next((fold(value) for word, value in head if word == "as"), "")
    only_mutes = bool(muting) and not body.strip()
    # an answer that names no readers goes back to the writer of the letter that it answers
    back = False
    if answered is not None and not readers and kind != PUBLIC and not only_mutes:
        back = True
        to = (answered.author,)
    return PressLetter(writer, to, for_gm, kind, _whole_text(body, letter), muting, answered, back)


def _whole_text(body: str, letter: Letter) -> str:
    """Return the text below a letter's head, and the texts of its files that are no orders."""
    files = (
        file.data.decode("utf-8", "replace") for file in letter.files if not looks_like_orders(file.data)
    )
    return "\n\n".join([body, *files]).strip("\n")


def _readers_and_muting(
    campaign: Campaign, head: list[HeadLine], answered: Press | None
) -> tuple[list[str], tuple[Muting, ...]]:
    """Return (the readers that the head of a letter names, what it says about muting and publishing).

    Readers are codes, or words that name nobody. In an answer, a mute without a realm means the writer of the
    letter that is answered.
    """
    codes_by_name = {seat.name: seat.code for seat in campaign.seats}
    realms = {seat.code: seat.code for seat in campaign.seats}
    index = NameIndex("", realms, codes_by_name)
    readers: list[str] = []
    muting: list[Muting] = []
    for word, value in head:
        if word == "letters":
            # ``Letters: open`` or ``Letters: closed``, about publishing: it names no realms
            muting.append((fold(value).strip(" .!"), ()))
        elif word in (MUTE, UNMUTE):
            codes = tuple(_codes(index, value))
            names_realm = not realms.keys().isdisjoint(codes)
            muting.append((word, codes if names_realm or answered is None else (answered.author,)))
        elif word == "to":
            readers += _codes(index, value)
    return readers, tuple(muting)


def _divided(text: str) -> tuple[list[HeadLine], str]:
    """Return (the lines at the head of a letter, the text below them).

    The head ends before the first line of another form that is not blank, or after ``_HEAD_LINES`` lines.
    """
    head: list[HeadLine] = []
    lines = text.split("\n")
    while lines and len(head) < _HEAD_LINES:
        match = _HEAD.match(lines[0])
        if match:
            word = match[1].lower()
            if word == "an":  # the German word for "to"
                word = "to"
            head.append((word, match[2].strip()))
        elif lines[0].strip():
            break
        lines = lines[1:]
    return head, "\n".join(lines)


def _codes(index: NameIndex, value: str) -> list[str]:
    """Return the codes of the realms that a line's value names; ``ALL`` for a word that means everybody.

    A word that names no realm stays as written, cut to 40 characters.
    """
    codes: list[str] = []
    for part in _SEPARATORS.split(value):
        name = part.strip(" .<>\"'")
        for word in _realm_names(index, name) if name else ():
            codes.append(ALL if fold(word) in EVERYBODY else index.find(word) or printable(word)[:40])
    return codes


def _realm_names(index: NameIndex, name: str) -> list[str]:
    """Return the single words if each of them names a realm (``POL NOV``), else the name as it is."""
    if index.find(name) or fold(name) in (*EVERYBODY, _FOR_GM):
        return [name]
    words = name.split()
    return words if all(map(index.find, words)) else [name]


def _subaddresses(mail: GameMail, letter: Letter) -> list[str]:
    """Return the codes of realms in addresses like ``game+pol@example.org``, or ``pol+game@example.org``."""
    own_box, _, own_domain = mail.settings.sender.lower().rpartition("@")
    codes = {seat.code.lower(): seat.code for seat in mail.campaign.seats}
    realms: list[str] = []
    for address in letter.to:
        local_part, _, domain = address.lower().rpartition("@")
        first, _, second = local_part.partition("+")
        for box, tag in ((first, second), (second, first)):
            if domain == own_domain and box == own_box and tag in codes:
                realms.append(codes[tag])
    return realms


def _writer_and_answered(mail: GameMail, letter: Letter) -> tuple[str, Press | None]:
    """Return (the realm of a letter's writer, the other player's letter that it answers).

    The realm is empty if it is not proven; the other is None if the letter answers none.
    """
    campaign = mail.campaign
    realms = realms_of(campaign, letter.sender)
    marks = set(_answered_marks(mail, letter))
    tokens = {match.groups() for match in _TOKEN.finditer(letter.whole_subject)}  # (realm, token)
    earlier = all_press(campaign) if marks or tokens else ()
    # a right token names the letter that is answered, and with the known address proves the writer
    for realm, token in tokens:
        player = campaign.folder.players.of(realm)
        if player is None or realm not in realms:
            continue
        for press in earlier:
            if realm in press.readers and same_token(token, press_token(player, mail.game, press)):
                return realm, press
    writer = vouched_realm(campaign, letter, earlier=True)
    # a Message-ID names the letter that is answered, and proves nobody: anybody may write one
    for press in earlier:
        if any((realm, press.mark) in marks for realm in ([writer] if writer else realms)):
            return writer, press
    return writer, None


def _answered_marks(mail: GameMail, letter: Letter) -> Iterator[tuple[str, str]]:
    """Yield (reader's realm, mark) of each letter between players to whose copy a letter refers."""
    for reference in letter.references:
        entry_id = mail.own_entry_id(reference)
        entry = mail.outbox.entries[entry_id] if entry_id else None
        if entry is not None and entry.kind == KIND:
            yield entry.realm, press_mark(entry.once)


# -- what comes of it ----------------------------------------------------------------------------------------


def pass_on(desk: Desk, request: PressLetter) -> Outcome:
    """Return the outcome of a letter to other players: it is passed on, or its writer learns why not.

    Without a proven writer, the players with the sender's address are warned.
    """
    if not request.writer:
        return _unproven(desk)
    write = PressWriter(desk.mail, desk.now)
    letters = judged_letters(desk, request)
    why = [press.why for press in letters if press.why]
    # by an earlier run, which was interrupted: a letter that was refused is not passed on now
    was_refused = desk.mail.outbox.knows(answer_name("no press", desk.letter, request.writer))
    if why or was_refused or not (letters or request.for_gm):
        why = why or [(says("it does not say to whom: begin with a line like 'To: {0}'"), "GM")]
        make = partial(write.refused, request.writer, desk.letter, request.text, why)
        answer = _own_answer(desk, "no press", request.writer, make)
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
    forwarded = desk.forwarding(request.writer) if request.for_gm else None
    answers += forwarded or ()
    make = partial(
        write.passed,
        request.writer,
        desk.letter,
        letters,
        hides=request.answered is not None and request.answered.kind == ANONYMOUS,
        back=request.back,
        for_gm=request.for_gm,
        to_gm=forwarded is not None,
    )
    answers.append(_own_answer(desk, "passed on", request.writer, make))
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
    """Return an answer to a letter that is proven to be the player's, who may get many of them in a day.

    ``what``: its name among the answers to this letter; ``make``: composes it.
    """
    most = desk.mail.settings.care.answers_a_day * PATIENCE
    return desk.answer("receipt", what, realm, make, most)


def _unproven(desk: Desk) -> Outcome:
    """Return the outcome without proof: nothing is passed on, and players with this address are warned."""
    write = PressWriter(desk.mail, desk.now)
    most = desk.mail.settings.care.notices_a_day
    answers = tuple(
        desk.answer("notice", "no proof", realm, partial(write.unproven, realm, desk.letter), most)
        for realm in realms_of(desk.mail.campaign, desk.letter.sender)
    )
    return Outcome(
        says("letter between players without proof"), Disposition.ASIDE, answers=answers, private=True
    )


def judged_letters(desk: Desk, request: PressLetter) -> list[Press]:
    """Return the records of a letter, each with its readers or the reasons why it has none.

    What an earlier run has recorded stays: it was interrupted before the letter was dealt with.
    """
    campaign = desk.mail.campaign
    earlier = all_press(campaign)
    recorded = {press.mark: press for press in earlier}
    letters: list[Press] = []
    for press in _unjudged(desk, request):
        # for limits and mutes, the records of this letter that come before it count, too
        letters.append(recorded.get(press.mark) or judged(campaign, (*earlier, *letters), press))
    return letters


def _unjudged(desk: Desk, request: PressLetter) -> list[Press]:
    """Return what a letter says about muting and publishing, and its text, as records not yet judged.

    Its text is left out if it names no reader.
    """
    mark = mark_of(desk.letter)
    turn = desk.mail.campaign.next_turn
    empty = Press(mark=mark, author=request.writer, to=(), kind="", turn=turn, at=desk.now)
    letters = [empty.evolve(mark=f"{mark}-{word}", to=codes, kind=word) for word, codes in request.muting]
    if request.to or request.kind == PUBLIC:
        lines = without_keys(request.text).split("\n")
        text = "\n".join(printable(line.expandtabs(4)) for line in lines).strip("\n")
        answers = request.answered.mark if request.answered else ""
        # the subject of an answer is that of the letter that it answers
        subject = "" if answers else without_keys(_subject(desk.letter))
        press = empty.evolve(to=request.to, kind=request.kind, text=text, subject=subject)
        letters.append(press.evolve(message=desk.letter.message_id, answers=answers, back=request.back))
    return letters


def _subject(letter: Letter) -> str:
    """Return a letter's subject without prefixes of mail programs like ``Re:``."""
    match = _ANSWERING.match(letter.shown_subject)
    return match[1] if match else ""
