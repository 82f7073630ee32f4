"""Letters between players: what may be delivered to whom, by mail at once and from order files with the turn."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from gm.campaign.open import Campaign
from gm.campaign.plan import TurnPlan
from gm.core.diagnostics import nearest, says
from gm.core.orders.keys import TOKEN
from gm.core.orders.press import ALL, CLOSED, GM, MUTE, OPEN, PUBLIC, UNMUTE, Note
from gm.game.values import Seat
from gm.store import BrokenFolderError
from gm.store.folder import SETTINGS_FILE
from gm.store.inbox import fingerprint
from gm.store.journal import journal_of
from gm.store.press import PRESS_FILE, Press, PressRule, press_bytes, waiting_press

GM_READS = "gm_reads"  # in the journal's first line: that the game master gets copies
_DAY = timedelta(days=1)
_TOKEN = re.compile(rf"\b{TOKEN}\b")
_ADDRESS = re.compile(
    r"(?i)(?:mailto:)?[\w.!#$%&'*+/=?^`{|}~-]{1,64}\s?[@\uff20\ufe6b]\s?[\w-]{1,63}(?:\.[\w-]{1,63}){0,9}"
)


def press_rule(campaign: Campaign) -> PressRule:
    """Return what letters there are.

    Raises ``BrokenFolderError`` for a game master who reads along and did not say so.
    """
    rule = campaign.folder.settings.press
    if rule.gm_reads and not any(each.get(GM_READS) for each in journal_of(campaign.folder.path).entries[:1]):
        where = campaign.folder.path / SETTINGS_FILE
        why = "the game did not say so when it began ('pbem new --gm-reads')"
        raise BrokenFolderError(f"{where}: 'gm_reads' cannot be set: {why}. Write 'gm_reads: false'.")
    return rule


def delivered_until(campaign: Campaign, turn: int) -> tuple[Press, ...]:
    """Return all letters of the turns that were played, up to one."""
    return tuple(letter for letters in campaign.letters[:turn] for letter in letters)


def all_press(campaign: Campaign) -> tuple[Press, ...]:
    """Everything so far, that of the coming turn included."""
    found = delivered_until(campaign, campaign.newest_turn)
    for turn in (campaign.next_turn, campaign.next_turn + 1):  # the last is empty unless a turn was taken back
        found += waiting_press(campaign.folder.inbox(turn).folder)
    return found


def muted_by(campaign: Campaign, letters: Iterable[Press]) -> dict[str, set[str]]:
    """Return whose letters each realm's player does not want; what his predecessor wanted does not count."""
    seated = {each.realm: each.seated for each in campaign.folder.players.players}
    found: dict[str, set[str]] = {}
    for each in letters:
        own = each.turn >= seated.get(each.author, 1) and each.author not in each.past
        if own and each.kind in (MUTE, UNMUTE) and not each.why:
            others = found.setdefault(each.author, set())
            (others.update if each.kind == MUTE else others.difference_update)(each.to)
    return found


def cleaned(campaign: Campaign, text: str) -> str:
    """Return a text without addresses, which nobody is told who was not sent an ambassador (F7), keys and tokens."""
    for key in filter(None, campaign.keys.values()):
        # however it is broken and whatever stands between its words
        words = r"[\W_]*".join(re.escape(word) for word in re.split(r"[\W_]+", key) if word)
        text = re.sub(rf"(?i)\b{words}\b", "…", text) if words else text
    return _ADDRESS.sub("(…)", _TOKEN.sub("…", text))


def judged(campaign: Campaign, before: Sequence[Press], letter: Press) -> Press:
    """Return a letter with those who get it, or with why nobody does. ``before``: all that was settled so far."""
    rule = press_rule(campaign)
    seats = {seat.code: seat for seat in campaign.seats}
    letter = letter.evolve(text=cleaned(campaign, letter.text), subject=cleaned(campaign, letter.subject))
    if ALL in letter.to:
        others = (seat for seat in seats.values() if _reads(campaign, seat) and seat.code != letter.author)
        letter = letter.evolve(to=tuple(dict.fromkeys(each.code for each in others)))
    letter = letter.evolve(kind=letter.kind or next(iter(rule.kinds), ""))
    mine = (each for each in before if (each.author, each.is_letter) == (letter.author, letter.is_letter))
    # where nothing is due, turns follow each other as fast as one likes: a turn is a day there
    never = campaign.calendar.never
    lately = [each for each in mine if (each.turn == letter.turn if never else abs(letter.at - each.at) < _DAY)]
    why = _why_no_letter(rule, letter, len(lately)) or _why_no_reader(campaign, letter)
    if why or not letter.is_letter:
        return letter.evolve(why=tuple(map(str, why)))
    deaf = muted_by(campaign, before)
    readers = seats if letter.kind == PUBLIC else letter.to
    return letter.evolve(muted=tuple(each for each in readers if letter.author in deaf.get(each, ())))


def _reads(campaign: Campaign, seat: Seat) -> bool:
    """Return whether a letter to a seat is read, by a person or by a bot that talks.

    Bots talk where the GM chose one and those of the game can.
    """
    bot = campaign.spec.recall and seat.code in campaign.decisions.programs
    return not seat.out and bool(seat.played or bot)


def _why_no_letter(rule: PressRule, letter: Press, lately: int) -> tuple[str, ...]:
    gm_alone = letter.is_letter and letter.to == (GM,)
    if not rule.kinds and not gm_alone:
        return (says("there are no letters between players in this game"),)
    if lately >= rule.a_day:
        return (says("you have reached the limit of {0} letters a day"), str(rule.a_day))
    if not letter.is_letter:
        return ()
    if letter.kind not in rule.kinds and not gm_alone:
        return (says("this game allows only letters of these kinds: {0}, not {1}"), ", ".join(rule.kinds), letter.kind)
    if not letter.text.strip():
        return (says("there is no text in it"),)
    if len(letter.text) > rule.longest:
        return (says("it has {0} characters, and a letter has {1} at most"), str(len(letter.text)), str(rule.longest))
    return ()


def _why_no_reader(campaign: Campaign, letter: Press) -> tuple[str, ...]:
    if letter.kind in (OPEN, CLOSED):  # also of who is out
        return ()
    seats = {seat.code: seat for seat in campaign.seats}
    if letter.back and not all((seat := seats.get(code)) and _reads(campaign, seat) for code in letter.to):
        return (says("the writer of the letter you answered is no longer in the game"),)
    own = seats.get(letter.author)
    if own is None or own.out:
        return (says("a player who is out of the game cannot send letters"),)
    for code in letter.to:
        if letter.is_letter and code == GM:
            continue
        seat = seats.get(code)
        if seat is None:
            if near := nearest(code, (*seats, *(each.name for each in seats.values()))):
                return (says("nobody here is called {0}: did you mean {1}?"), code, near)
            return (says("nobody here is called {0}; there are {1}"), code, ", ".join(seats))
        if code == letter.author:
            return (says("it is to yourself"),)
        if letter.is_letter and seat.out:
            return (says("{0} is out of the game"), seat.name)
        if letter.is_letter and not _reads(campaign, seat):
            return (says("nobody plays {0} who could read it"), seat.name)
    if not letter.to and letter.kind != PUBLIC:
        others = [code for code in seats if code != letter.author]
        return (says("it does not say to whom: begin with a line like 'To: {0}'"), ", ".join(others[:2]))
    return ()


def press_of(campaign: Campaign, plan: TurnPlan, at: datetime | None = None) -> tuple[Press, ...]:
    """Return the letters that a turn delivers.

    They are those that came by mail since the turn before, and those in the order files for it.
    """
    turn = campaign.next_turn
    press_rule(campaign)  # no turn is played by settings that nobody was told of
    found = waiting_press(campaign.folder.inbox(turn).folder)
    before = delivered_until(campaign, campaign.newest_turn)
    at = at or plan.at or campaign.deadline(turn)
    for realm, reading in sorted(plan.readings.items()):
        for number, note in enumerate(reading.press if realm not in plan.decisions.repeated else ()):
            mark = fingerprint(f"{turn} {realm} {number}\n{note.text}".encode())[:32]
            found += (judged(campaign, before + found, _written(realm, note, mark, turn, at)),)
    # anonymous ones stand in no order that tells whose they are
    return tuple(sorted(found, key=lambda each: (each.at, each.mark)))


def opened_letters(campaign: Campaign) -> tuple[tuple[Press, ...], int] | None:
    """Return the letters of a finished game, and how many stay closed, if all who play agree to open them.

    A letter stays closed if somebody wrote or got it who held a seat before and did not agree. Returns none while not
    all agree.
    """
    found = all_press(campaign)
    players = campaign.folder.players.players
    starts = {each.realm: (*(held.first for held in each.tenure), each.seated) for each in players}
    now = {(each.realm, each.seated): False for each in players if not each.bot and not each.open}
    agreed = now | {(each.realm, held.first): False for each in players for held in each.tenure if not held.bot}

    def holder(realm: str, letter: Press) -> tuple[str, int]:
        turn = letter.turn - (realm in letter.past)
        return realm, max((first for first in starts.get(realm, ()) if first <= turn), default=0)

    for each in found:
        if each.kind in (OPEN, CLOSED) and (who := holder(each.author, each)) in agreed:
            agreed[who] = each.kind == OPEN
    letters = [each for each in found if each.is_letter and not each.why]
    if not letters or not now or not all(agreed[who] for who in now):
        return None
    concerned = ((each, {each.author, *(() if each.kind == PUBLIC else each.to)}) for each in letters)
    told = [each for each, realms in concerned if all(agreed.get(holder(code, each), True) for code in realms)]
    return tuple(told), len(letters) - len(told)


def told_gm(campaign: Campaign, letters: Iterable[Press], turn: int) -> tuple[Press, ...]:
    """Those of a turn that are for the game master, or of which he gets copies."""
    reads = press_rule(campaign).gm_reads
    of_turn = (each for each in letters if each.turn == turn and each.is_letter and not each.why)
    return tuple(each for each in of_turn if reads or GM in each.to)


def _written(realm: str, note: Note, mark: str, turn: int, at: datetime) -> Press:
    to = tuple(dict.fromkeys(note.to))
    return Press(mark=mark, author=realm, to=to, kind=note.kind, turn=turn, at=at, text=note.text)


def press_files(letters: Iterable[Press], turn: int) -> dict[str, bytes]:
    """Return the file of a turn that has any."""
    of_turn = [each for each in letters if each.turn == turn]
    return {PRESS_FILE: press_bytes(of_turn)} if of_turn else {}
