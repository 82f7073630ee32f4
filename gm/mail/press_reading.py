"""What a letter says that is for other players: whose it is, and to whom and how it goes."""

import re
from collections.abc import Iterator

from gm.campaign.open import Campaign
from gm.campaign.press import all_press
from gm.core.diagnostics import fold, printable
from gm.core.orders.keys import TOKEN, make_token, same_token
from gm.core.orders.press import ALL, EVERYBODY, MUTE, PUBLIC, UNMUTE
from gm.core.orders.reading import NameIndex
from gm.core.values import Record
from gm.mail.body_text import looks_like_orders, written_text
from gm.mail.game_mail import GameMail, realms_of, vouched_realm
from gm.mail.letter import Letter
from gm.store.press import Press
from gm.store.settings import Player

KIND = "press"  # of the letters that are passed on
_HEAD = re.compile(r"(?i)\s*(to|an|as|mute|unmute|letters(?=[ \t]*:[ \t]*(?:open|closed)\W*$))[ \t]*:[ \t]*(.{0,400})$")
_HEAD_LINES = 6
_TOKEN = re.compile(rf"\bt\d{{1,6}}\s+([A-Z0-9]{{2,8}})\s+(p-\s?{TOKEN})\b")
_SEPARATORS = re.compile(r"[,;&]|\s(?:and|und)\s")
_FOR_GM = "gm"

HeadLine = tuple[str, str]  # a line at the head of a letter: to, as, mute, unmute or letters, and what it says
Muting = tuple[str, tuple[str, ...]]  # mute or unmute, and whom; open or closed


class PressLetter(Record):
    """What a letter between players asks for.

    ``writer``: whose it is, if that is proven; ``to``: codes, and words that are none; ``answered``: the letter
    that it answers, and ``back``: that it goes to whoever wrote that one, whom it does not name.
    """

    writer: str
    to: tuple[str, ...]
    for_gm: bool
    kind: str
    text: str
    muting: tuple[Muting, ...]
    answered: Press | None
    back: bool


def press_sign(player: Player, game: str, letter: Press) -> str:
    """Return what proves that a letter answers this one, as this realm's player got it."""
    about = f"press token\n{game}\n{player.realm}\n{letter.mark}"
    return f"p-{make_token(player.secret or player.key, about)}"


def press_letter(mail: GameMail, letter: Letter) -> PressLetter | None:
    """Return what a letter asks to be passed on; none when it is not for other players."""
    head, body = _divided(written_text(letter.text))
    writer, answered = _answered(mail, letter)
    places = _subaddresses(mail, letter)
    if not (head or answered or places):
        return None
    if answered is None and not mail.campaign.folder.settings.press.kinds:
        return None
    named, muting = _wishes(mail.campaign, head, answered)
    readers = dict.fromkeys((*named, *places))
    to = tuple(reader for reader in readers if fold(reader) != _FOR_GM)
    for_gm = len(to) < len(readers)
    kind = next((fold(value) for word, value in head if word == "as"), "")
    says_something = bool(body.strip()) or not muting
    back = answered is not None and not readers and kind != PUBLIC and says_something
    if back and answered is not None:
        to = (answered.author,)
    return PressLetter(writer, to, for_gm, kind, _whole_text(body, letter), muting, answered, back)


def _whole_text(body: str, letter: Letter) -> str:
    """Return what is written in a letter and in files that are no orders."""
    files = (file.data.decode("utf-8", "replace") for file in letter.files if not looks_like_orders(file.data))
    return "\n\n".join([body, *files]).strip("\n")


def _wishes(campaign: Campaign, head: list[HeadLine], answered: Press | None) -> tuple[list[str], tuple[Muting, ...]]:
    """Return whom the lines at the head of a letter name as its readers, and whom they mute.

    Who mutes in an answer and names no realm means whoever wrote to him.
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
    """Return the lines at the head of a letter that say to whom and how it goes, and the rest."""
    head: list[HeadLine] = []
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
    codes: list[str] = []
    for written in _SEPARATORS.split(value):
        part = written.strip(" .<>\"'")
        for word in _realm_words(index, part) if part else ():
            codes.append(ALL if fold(word) in EVERYBODY else index.find(word) or printable(word)[:40])
    return codes


def _realm_words(index: NameIndex, part: str) -> list[str]:
    """Return the words of a part that are realms one by one, or the part as it is."""
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
    """Return whose letter it is, if that is proven, and the letter of another player that it answers."""
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
    """Yield the realm and the mark of each letter between players whose Message-ID a letter refers to."""
    for reference in letter.references:
        number = mail.own_number(reference)
        entry = mail.outbox.entries[number] if number else None
        if entry is not None and entry.kind == KIND:
            yield entry.realm, entry.once.split()[1]
