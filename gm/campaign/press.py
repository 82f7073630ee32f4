"""Letters between players: who may write to whom.

Letters that come by mail are delivered at once, those in order files with the turn.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import chain

from gm.campaign.open import Campaign
from gm.core.diagnostics import nearest, says
from gm.core.orders.keys import TOKEN
from gm.core.orders.press import ALL, CLOSED, GM, MUTE, OPEN, PUBLIC, UNMUTE, Note
from gm.game.values import Seat
from gm.store import BrokenFolderError
from gm.store.folder import SETTINGS_FILE
from gm.store.inbox import fingerprint
from gm.store.journal import journal_of
from gm.store.press import PRESS_FILE, Press, PressRule, press_bytes, waiting_press
from gm.store.settings import Player
from gm.text.names import subject, the

GM_READS = "gm_reads"  # the key, in the journal's first line, of whether the game master gets copies
Holder = tuple[str, int]  # a person or bot with a seat: (realm, the first turn for which they had it)

_DAY = timedelta(days=1)
_TOKEN = re.compile(rf"\b{TOKEN}\b")
_ADDRESS = re.compile(
    r"(?i)(?:mailto:)?[\w.!#$%&'*+/=?^`{|}~-]{1,64}\s?[@\uff20\ufe6b]\s?[\w-]{1,63}(?:\.[\w-]{1,63}){0,9}"
)


def press_rule(campaign: Campaign) -> PressRule:
    """Return which letters the game allows.

    Raises ``BrokenFolderError`` if the game master is to get copies and did not announce it at the start.
    """
    rule = campaign.folder.settings.press
    # the first entry of the journal is that of the beginning
    if rule.gm_reads and not any(
        entry.get(GM_READS) for entry in journal_of(campaign.folder.path).entries[:1]
    ):
        where = campaign.folder.path / SETTINGS_FILE
        why = "the game did not say so when it began ('pbem new --gm-reads')"
        raise BrokenFolderError(f"{where}: 'gm_reads' cannot be set: {why}. Write 'gm_reads: false'.")
    return rule


def delivered_until(campaign: Campaign, turn: int) -> tuple[Press, ...]:
    """Return all letters that the turns up to ``turn`` delivered."""
    return tuple(chain.from_iterable(campaign.letters[:turn]))


def all_press(campaign: Campaign) -> tuple[Press, ...]:
    """Return all letters so far, those of the coming turn included."""
    letters = delivered_until(campaign, campaign.newest_turn)
    # the turn after the coming one has letters only if the coming one was played before and undone
    for turn in (campaign.next_turn, campaign.next_turn + 1):
        letters += waiting_press(campaign.folder.inbox(turn).folder)
    return letters


def muted_by(campaign: Campaign, letters: Iterable[Press]) -> dict[str, set[str]]:
    """Return the realms that each realm's present player has muted, by realm."""
    first_turns = {player.realm: player.seated for player in campaign.folder.players.players}
    muted: dict[str, set[str]] = {}
    for letter in letters:
        if letter.kind not in (MUTE, UNMUTE) or letter.why:
            continue  # with a reason it was not delivered, and so changes nothing
        if letter.turn < first_turns.get(letter.author, 1) or letter.author in letter.past:
            continue  # a former player wrote it
        others = muted.setdefault(letter.author, set())
        if letter.kind == MUTE:
            others.update(letter.to)
        else:
            others.difference_update(letter.to)
    return muted


def cleaned(campaign: Campaign, text: str) -> str:
    """Return a text without addresses (nobody sees one without an ambassador, F7), keys and tokens."""
    for key in filter(None, campaign.keys.values()):
        # its words with anything between them, such as a line end or a quotation mark
        words = r"[\W_]*".join(re.escape(word) for word in re.split(r"[\W_]+", key) if word)
        text = re.sub(rf"(?i)\b{words}\b", "…", text) if words else text
    return _ADDRESS.sub("(…)", _TOKEN.sub("…", text))


def judged(campaign: Campaign, before: Sequence[Press], letter: Press) -> Press:
    """Return a letter with its kind, addressees and muted readers, or with ``why`` it is not delivered.

    Its text and subject are :func:`cleaned`. ``before``: all letters delivered so far.
    """
    rule = press_rule(campaign)
    seats = {seat.code: seat for seat in campaign.seats}
    letter = letter.evolve(text=cleaned(campaign, letter.text), subject=cleaned(campaign, letter.subject))
    if ALL in letter.to:
        others = [seat for seat in seats.values() if _reads(campaign, seat) and seat.code != letter.author]
        letter = letter.evolve(to=tuple(seat.code for seat in others))
    # a letter that names no kind is of the first that the game allows
    letter = letter.evolve(kind=letter.kind or next(iter(rule.kinds), ""))
    lately = _written_lately(campaign, before, letter)
    why = _why_no_letter(rule, letter, lately) or _why_no_reader(campaign, letter)
    if why or not letter.is_letter:
        return letter.evolve(why=tuple(map(str, why)))
    muted = muted_by(campaign, before)
    readers = seats if letter.kind == PUBLIC else letter.to
    return letter.evolve(muted=tuple(code for code in readers if letter.author in muted.get(code, ())))


def _written_lately(campaign: Campaign, before: Iterable[Press], letter: Press) -> int:
    """Return how many letters the writer of a letter has sent within a day of it.

    If it is no letter but a mute or the like, these are counted instead. In a game without deadlines a turn
    counts as a day.
    """
    like_it = (
        earlier
        for earlier in before
        if (earlier.author, earlier.is_letter) == (letter.author, letter.is_letter)
    )
    if campaign.calendar.never:
        return sum(earlier.turn == letter.turn for earlier in like_it)
    return sum(abs(letter.at - earlier.at) < _DAY for earlier in like_it)


def _reads(campaign: Campaign, seat: Seat) -> bool:
    """Return whether a letter to a seat is read, by a person or by a bot that answers letters.

    A bot does if the game's bots can recall letters, and the GM chose it for the seat.
    """
    has_reading_bot = campaign.spec.recall and seat.code in campaign.decisions.programs
    return not seat.out and bool(seat.played or has_reading_bot)


def _why_no_letter(rule: PressRule, letter: Press, lately: int) -> tuple[str, ...]:
    """Return why the game's rule forbids a letter, as a pattern and its values; empty if it does not.

    ``lately``: how many letters its writer has sent within a day.
    """
    is_for_gm = letter.is_letter and letter.to == (GM,)
    if not rule.kinds and not is_for_gm:
        return (says("there are no letters between players in this game"),)
    if lately >= rule.a_day:
        return (says("you have reached the limit of {0} letters a day"), str(rule.a_day))
    if not letter.is_letter:
        return ()
    if letter.kind not in rule.kinds and not is_for_gm:
        return (
            says("this game allows only letters of these kinds: {0}, not {1}"),
            ", ".join(rule.kinds),
            letter.kind,
        )
    if not letter.text.strip():
        return (says("there is no text in it"),)
    if len(letter.text) > rule.longest:
        return (
            says("it has {0} characters, and a letter has {1} at most"),
            str(len(letter.text)),
            str(rule.longest),
        )
    return ()


def _why_no_reader(campaign: Campaign, letter: Press) -> tuple[str, ...]:
    """Return why a letter is delivered to nobody, as a pattern and its values; empty if it is delivered.

    One reader who cannot get it is reason enough.
    """
    if letter.kind in (OPEN, CLOSED):  # it has no reader, and a player who is out may send it, too
        return ()
    seats = {seat.code: seat for seat in campaign.seats}
    if letter.back and not all(code in seats and _reads(campaign, seats[code]) for code in letter.to):
        return (says("the writer of the letter you answered is no longer in the game"),)
    own_seat = seats.get(letter.author)
    if own_seat is None or own_seat.out:
        return (says("a player who is out of the game cannot send letters"),)
    for code in letter.to:
        why = _why_not_to(campaign, letter, code, seats)
        if why:
            return why
    if not letter.to and letter.kind != PUBLIC:
        others = [code for code in seats if code != letter.author]
        return (says("it does not say to whom: begin with a line like 'To: {0}'"), ", ".join(others[:2]))
    return ()


def _why_not_to(campaign: Campaign, letter: Press, code: str, seats: Mapping[str, Seat]) -> tuple[str, ...]:
    """Return why an addressee cannot get a letter, as a pattern and its values; empty if they can.

    ``code``: the addressee as the letter names it; ``seats``: by code.
    """
    if letter.is_letter and code == GM:
        return ()
    seat = seats.get(code)
    if seat is None:
        near = nearest(code, (*seats, *(other.name for other in seats.values())))
        if near:
            return (says("nobody here is called {0}: did you mean {1}?"), code, near)
        return (says("nobody here is called {0}; there are {1}"), code, ", ".join(seats))
    if code == letter.author:
        return (says("it is to yourself"),)
    if not letter.is_letter:  # anybody can be muted, also those who cannot read
        return ()
    if seat.out:
        return (says("{0} is out of the game"), subject(seat.name))
    if not _reads(campaign, seat):
        return (says("nobody plays {0} who could read it"), the(seat.name))
    return ()


def press_of(campaign: Campaign, notes: Mapping[str, Sequence[Note]], at: datetime) -> tuple[Press, ...]:
    """Return the letters that the next turn delivers, which is played at ``at``, in the order of their times.

    They are those that came by mail since the turn before, and the ``notes`` in the order files, by realm.
    """
    turn = campaign.next_turn
    press_rule(campaign)  # raises an error if the game master gets copies that were not announced
    letters = waiting_press(campaign.folder.inbox(turn).folder)
    before = delivered_until(campaign, campaign.newest_turn)
    for realm, written in sorted(notes.items()):
        for number, note in enumerate(written):
            mark = fingerprint(f"{turn} {realm} {number}\n{note.text}".encode())[:32]
            letters += (judged(campaign, before + letters, _letter_of(realm, note, mark, turn, at)),)
    # letters of the same time are in the order of their marks, which does not tell who wrote an anonymous one
    return tuple(sorted(letters, key=lambda letter: (letter.at, letter.mark)))


def opened_letters(campaign: Campaign) -> tuple[tuple[Press, ...], int] | None:
    """Return (the opened letters of a finished game, how many stay closed), if all present players agree.

    A letter stays closed if a former player who wrote or got it did not agree. None: not all present players
    agree, or the game has no letters or no people.
    """
    press = all_press(campaign)
    letters = [letter for letter in press if letter.is_letter and not letter.why]
    players = campaign.folder.players.players
    starts = {player.realm: _first_turns(player) for player in players}
    agreed = _agreements(players, starts, press)
    present = [(player.realm, player.seated) for player in players if not player.bot and not player.open]
    if not letters or not present or not all(agreed[holder] for holder in present):
        return None
    opened = tuple(letter for letter in letters if _may_be_opened(letter, starts, agreed))
    return opened, len(letters) - len(opened)


def _first_turns(player: Player) -> tuple[int, ...]:
    """Return the first turn of each player who held a realm, the present player's last."""
    return (*(tenure.first for tenure in player.tenure), player.seated)


def _holder(realm: str, letter: Press, starts: Mapping[str, Sequence[int]]) -> Holder:
    """Return who held a realm when a letter was written; ``starts``: the first turns of holders, by realm."""
    turn = letter.turn
    if realm in letter.past:  # the holder before the present one wrote or got it
        turn -= 1
    return realm, max((first for first in starts.get(realm, ()) if first <= turn), default=0)


def _agreements(
    players: Iterable[Player], starts: Mapping[str, Sequence[int]], press: Iterable[Press]
) -> dict[Holder, bool]:
    """Return, for each person who has or had a seat, whether they agree to open the letters.

    The last word of each counts; who said nothing does not agree. ``starts``: the first turns of holders, by
    realm.
    """
    agreed: dict[Holder, bool] = {}
    for player in players:
        if not player.bot and not player.open:
            agreed[player.realm, player.seated] = False
        agreed |= {(player.realm, tenure.first): False for tenure in player.tenure if not tenure.bot}
    for letter in press:
        holder = _holder(letter.author, letter, starts)
        if letter.kind in (OPEN, CLOSED) and holder in agreed:
            agreed[holder] = letter.kind == OPEN
    return agreed


def _may_be_opened(letter: Press, starts: Mapping[str, Sequence[int]], agreed: Mapping[Holder, bool]) -> bool:
    """Return whether the writer and all addressees of a letter agree to open it; bots always do.

    ``starts``: the first turns of holders, by realm; ``agreed``: whether each person agrees.
    """
    readers = () if letter.kind == PUBLIC else letter.to
    return all(agreed.get(_holder(realm, letter, starts), True) for realm in (letter.author, *readers))


def letters_for_gm(campaign: Campaign, letters: Iterable[Press], turn: int) -> tuple[Press, ...]:
    """Return the delivered letters of a turn that the game master gets, as their addressee or as a copy."""
    gets_copies = press_rule(campaign).gm_reads
    of_turn = (letter for letter in letters if letter.turn == turn and letter.is_letter and not letter.why)
    return tuple(letter for letter in of_turn if gets_copies or GM in letter.to)


def _letter_of(realm: str, note: Note, mark: str, turn: int, at: datetime) -> Press:
    """Return the letter made of a note in a realm's order file; it is not :func:`judged` yet.

    ``mark``: the letter's; ``turn``: the one that delivers it, at the moment ``at``.
    """
    to = tuple(dict.fromkeys(note.to))
    return Press(mark=mark, author=realm, to=to, kind=note.kind, turn=turn, at=at, text=note.text)


def press_files(letters: Iterable[Press], turn: int) -> dict[str, bytes]:
    """Return the file with the letters of a turn, by name; nothing for a turn without letters."""
    of_turn = [letter for letter in letters if letter.turn == turn]
    return {PRESS_FILE: press_bytes(of_turn)} if of_turn else {}
