"""The state of a game's mail from its journals: problems, undelivered letters, wrong keys, requests.

Problems are recorded when they begin, when they change and when they end. The journal's entry of each letter
has the number of its wrong keys: so none is counted twice, even if a run is killed.
"""

import json
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Literal

from msgspec import convert

from gm.core.values import Record
from gm.mail.game_mail import MAIL, PUBLISHED, GameMail, realms_of
from gm.mail.letter import Letter
from gm.mail.outbox import LOST, OutboxEntry
from gm.mail.wishes import only_line
from gm.store.disk import make_folder, write_file
from gm.store.inbox import fingerprint

_PROBLEM = "problem"  # kind of remark: something does not work; with an empty text: it works again
UNSUBSCRIBED = "unsubscribed"  # kind of remark, and a player's preference: no reminders
SUBSCRIBED = "subscribed"  # the same: reminders
REQUEST = "request"  # in a letter's entry: the word of its request; kind of remark: it was dealt with
DIGEST = "digest"  # kind of letter; kind of remark: whether a player wants it
DAILY = "daily"
WAITING = "waiting"  # kind of remark: an address waits for a seat
# in a letter's entry: the realm that asks for a week of vacation; kind of remark: that was dealt with
VACATION = "vacation"

# wrong keys for a realm in a turn; from then on no key counts, only its player's address with a reply token
WRONG_KEYS_LIMIT = 20
# in a letter's entry: the number of wrong keys in it by fingerprint of the seat, which new keys change
WRONG_KEYS = "guesses"

# behind what mail programs put in front of a subject
_PREFERENCE = re.compile(
    r"(?i)\s*(\[[^\]]{1,30}\]\s*)?((re|aw|antw|sv|rif|odp)\s?:\s*)*(?P<word>unsubscribe|subscribe|vacation)\b"
)


class Problem(Record):
    """Something that failed the last time it was tried."""

    where: Literal["mailbox", "sending", "restored"]
    says: str  # a sentence for the GM
    since: datetime  # when it failed first


def note_problem(mail: GameMail, where: str, says: str, now: datetime) -> None:
    """Record a problem, if it is new or has changed; ``says``: a sentence, empty when all works again.

    ``where``: mailbox, sending or restored.
    """
    before = next((problem for problem in problems(mail) if problem.where == where), None)
    if says != (before.says if before else ""):
        since = before.since if before else now
        mail.log.remark(now, _PROBLEM, where=where, says=str(says), since=since.isoformat())


def problems(mail: GameMail) -> tuple[Problem, ...]:
    """Return the present problems of the game's mail."""
    last = {remark["where"]: remark for remark in mail.log.remarks(_PROBLEM)}
    return tuple(
        convert(last[where], Problem)
        for where in ("mailbox", "sending", "restored")
        if where in last and last[where]["says"]
    )


def last_read(mail: GameMail) -> datetime | None:
    """Return when the whole mailbox was last read, to within some minutes; None if it never was."""
    last = mail.log.last_reading()
    return datetime.fromisoformat(last["at"]) if last else None


def left_letters(mail: GameMail) -> list[str]:
    """Return, for each letter that the last reading left in the mailbox, the other game that it names."""
    return [str(game) for game in (mail.log.last_reading() or {}).get("left", [])]


def letters_without_orders(mail: GameMail) -> tuple[Counter[str], int]:
    """Return (number of letters without orders in this turn by realm, how many were not forwarded)."""
    turn = mail.campaign.next_turn
    entries = [entry for entry in mail.log.entries if "forwarded" in entry and entry["turn"] == turn]
    return Counter(entry["player"] for entry in entries), sum(not entry["forwarded"] for entry in entries)


def returned_letters(mail: GameMail) -> Counter[str]:
    """Return how many bounces without an id of ours came in this turn, by the address that they are about.

    Bounces about no letter that we know are counted under the address ``""``.
    """
    turn = mail.campaign.next_turn
    return Counter(
        entry["returned"] for entry in mail.log.entries if "returned" in entry and entry["turn"] == turn
    )


def undelivered(mail: GameMail) -> tuple[OutboxEntry, ...]:
    """Return the letters that did not reach their readers since the newest turn was played."""
    turn = mail.campaign.next_turn
    return tuple(entry for entry in mail.outbox.messages if entry.state in LOST and entry.turn >= turn)


def published_turns(mail: GameMail) -> frozenset[int]:
    """Return the turns whose results were released.

    A turn that was undone and played again needs a new release.
    """
    states: dict[int, str] = {
        remark["turn"]: remark.get("state", "") for remark in mail.log.remarks(PUBLISHED)
    }
    newest = mail.campaign.newest_turn
    return frozenset(
        turn for turn, state in states.items() if turn != newest or state == mail.state_fingerprint(newest)
    )


def closed_realms(mail: GameMail) -> frozenset[str]:
    """Return the realms for which keys are refused for the rest of this turn, after many wrong ones."""
    return frozenset(realm for realm, number in wrong_keys(mail).items() if number >= WRONG_KEYS_LIMIT)


def wrong_keys(mail: GameMail) -> dict[str, int]:
    """Return the number of wrong keys for each realm in this turn, without zeros."""
    # by fingerprint of the seat, which is another one in each turn: those of this turn are looked up below
    guesses: Counter[str] = Counter()
    for entry in mail.log.entries:
        guesses.update(entry.get(WRONG_KEYS, {}))
    if not guesses:
        return {}
    count_by_realm = {realm: guesses[mail.seat_fingerprint(realm)] for realm in sorted(mail.campaign.keys)}
    return {realm: count for realm, count in count_by_realm.items() if count}


def requested_preference(letter: Letter) -> str:
    """Return the preference in the subject or the only line of a letter without orders.

    It is ``UNSUBSCRIBED``, ``SUBSCRIBED`` or ``VACATION``; empty for any other letter.
    """
    if letter.files:
        return ""
    match = _PREFERENCE.match(letter.subject)
    word = match["word"] if match else only_line(letter)
    preferences = {"unsubscribe": UNSUBSCRIBED, "subscribe": SUBSCRIBED, "vacation": VACATION}
    return preferences.get(word.lower(), "")


def wished_vacations(mail: GameMail) -> list[tuple[str, str, datetime]]:
    """Return the requests for a week of vacation that were not dealt with, oldest first.

    Each is (the letter's mark, realm, when it came).
    """
    done_letters = {remark["of"] for remark in mail.log.remarks(VACATION)}
    open_requests = (
        entry for entry in mail.log.entries if VACATION in entry and entry["letter"] not in done_letters
    )
    return [
        (entry["letter"], entry[VACATION], datetime.fromisoformat(entry["arrived"]))
        for entry in open_requests
    ]


class Request(Record):
    """A letter with a request that changes the game."""

    letter: str  # its mark
    word: str  # resign, join, address ...
    what: str  # what is asked for: an address, a turn ...
    realm: str
    seat: str  # the fingerprint of the realm's player at that time (:func:`seat_print`)
    address: str = ""  # that of a stranger who wants to join
    arrived: str = ""  # when it came, as ISO 8601


def requests(mail: GameMail) -> list[Request]:
    """Return the letters that ask for a change and were not dealt with, oldest first."""
    done_letters = {remark["of"] for remark in mail.log.remarks(REQUEST)}
    open_requests = (
        entry for entry in mail.log.entries if REQUEST in entry and entry["letter"] not in done_letters
    )
    return [
        Request(
            word=entry[REQUEST],
            what=entry["asked"],
            letter=entry["letter"],
            realm=entry["realm"],
            seat=entry["seat"],
            address=entry.get("address", ""),
            arrived=entry.get("arrived", ""),
        )
        for entry in open_requests
    ]


def seat_print(mail: GameMail, realm: str) -> str:
    """Return the fingerprint of a realm's player, which no other player can compute; empty without a player.

    Unlike :meth:`GameMail.seat_fingerprint` it is the same in all turns.
    """
    player = mail.campaign.folder.players.of(realm)
    return fingerprint(f"seat\n{player.secret}\n{player.key}".encode())[:16] if player else ""


def note_waiting(mail: GameMail, address: str, realm: str, now: datetime) -> None:
    """Record that an address waits for a realm; without a realm: that it no longer waits."""
    if waiting(mail).get(address, "") != realm:
        mail.log.remark(now, WAITING, address=address, realm=realm)


def waiting(mail: GameMail) -> dict[str, str]:
    """Return the waiting list: the realm that each address waits for, in the order of their first requests.

    Addresses of players are left out.
    """
    last_realm = {remark["address"]: remark["realm"] for remark in mail.log.remarks(WAITING)}
    return {
        address: realm
        for address, realm in last_realm.items()
        if realm and not realms_of(mail.campaign, address)
    }


def unsubscribed(mail: GameMail) -> frozenset[str]:
    """Return the realms whose players want no reminders.

    What former players wanted does not count.
    """
    players = {player.realm: player for player in mail.campaign.folder.players.players}
    # a remark without a turn counts only for a player who has played from the first turn on
    last_preference = {
        remark["realm"]: remark["what"]
        for remark in mail.log.remarks(UNSUBSCRIBED, SUBSCRIBED)
        if remark["realm"] in players and remark.get("turn", 1) >= players[remark["realm"]].seated
    }
    return frozenset(realm for realm, preference in last_preference.items() if preference == UNSUBSCRIBED)


def note_preference(mail: GameMail, realm: str, preference: str, now: datetime) -> bool:
    """Record that a player wants reminders (``SUBSCRIBED``) or none; return whether that is a change."""
    wanted_none = realm in unsubscribed(mail)
    wants_none = preference == UNSUBSCRIBED
    if wanted_none == wants_none:
        return False
    mail.log.remark(now, preference, realm=realm, turn=mail.campaign.next_turn)
    return True


def note_digest(mail: GameMail, realm: str, how_often: str, letter: str, now: datetime) -> None:
    """Record, once for each letter, that a player wants digests ``daily`` or ``off``.

    ``letter``: the mark of the letter that says so.
    """
    if all(remark["by"] != letter for remark in mail.log.remarks(DIGEST)):
        mail.log.remark(now, DIGEST, realm=realm, seat=seat_print(mail, realm), wish=how_often, by=letter)


def digest_preferences(mail: GameMail) -> dict[str, tuple[datetime, bool]]:
    """Return (when they said so last, whether they want digests) of each player who said so, by realm.

    What former players wanted does not count.
    """
    preferences: dict[str, tuple[datetime, bool]] = {}
    for remark in mail.log.remarks(DIGEST):
        if remark["seat"] == seat_print(mail, remark["realm"]):
            preferences[remark["realm"]] = (datetime.fromisoformat(remark["at"]), remark["wish"] == DAILY)
    return preferences


FILE = "complaints.json"  # in the folder of the game's mail: the complaints of the last run


def new_complaints(game: Path, says: Sequence[str]) -> list[str]:
    """Return the complaints of a run that the run before did not make; store all for the next run.

    ``game``: its folder alone, as the game may be one that cannot be opened; ``says``: the complaints. If
    nothing can be stored, those that are not stored count as new in each run.
    """
    path = game / MAIL / FILE
    earlier = []
    with suppress(OSError, ValueError):
        content = json.loads(path.read_bytes())
        earlier = [str(complaint) for complaint in content] if isinstance(content, list) else []
    if sorted(set(says)) != sorted(earlier):
        with suppress(OSError):
            make_folder(path.parent)
            write_file(path, json.dumps(sorted(set(says)), ensure_ascii=False, indent=1).encode())
    return [complaint for complaint in dict.fromkeys(says) if complaint not in earlier]
