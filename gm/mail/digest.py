"""One letter a day instead of reminders, for players who want it: what is due, and what has come.

A player chooses it in one game (``digest: daily``), and it counts for every game of the mailbox that has the
same address for them: the games that a run serves, and those beside them, which other runs serve. Whichever
run comes first in the morning writes it, into the outbox of a game that it serves; every run looks into all
outboxes before it writes one.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from gm.core.diagnostics import SourceError
from gm.core.values import Record
from gm.mail.compose import RESULTS, Values, Writer
from gm.mail.game_mail import READ, GameMail, folded
from gm.mail.outbox import DAY, OutboxEntry, Outgoing
from gm.mail.press_letters import KIND as PRESS
from gm.mail.status import DIGEST, digest_preferences, last_read
from gm.mail.week import Situation, situation_of
from gm.store import StoreError
from gm.store.moments import clock, time_left, time_zone
from gm.text.languages import translator
from gm.text.words import turn_in_words

MORNING = 7  # the hour from which on it is written, by the player's clock
# while other games read the mailbox for so long and a game does not, nobody serves that one any more
SERVED_WITHIN = timedelta(days=2)
_THIS_RUN = timedelta(hours=1)  # so long ago a reading was not this run's


class DigestSeat(Record):
    """A realm of a player who wants a digest, and since when."""

    mail: GameMail
    realm: str
    since: datetime


def digest_readers(mails: Sequence[GameMail]) -> dict[str, list[DigestSeat]]:
    """Return the realms of each player who wants a digest of these games, by address.

    Their newest wish counts.
    """
    realms: dict[str, list[tuple[GameMail, str]]] = {}
    newest: dict[str, tuple[datetime, bool]] = {}
    for mail in mails:
        wishes = digest_preferences(mail)
        for player in mail.campaign.folder.players.players:
            address = folded(mail.address(player.realm))
            realms.setdefault(address, []).append((mail, player.realm))
            wish = wishes.get(player.realm)
            if wish is not None:
                newest[address] = max(wish, newest.get(address, wish))
    readers: dict[str, list[DigestSeat]] = {}
    for address, (since, is_wanted) in newest.items():
        if address and is_wanted:
            readers[address] = [DigestSeat(mail, realm, since) for mail, realm in realms[address]]
    return readers


def queue_digests(
    mails: Sequence[GameMail], beside: Sequence[GameMail], now: datetime, *, alone: bool = True
) -> list[DigestSeat]:
    """Write the digests that are due in these games, which share a mailbox; their locks are held.

    ``beside``: other games of the mailbox, to be read only; ``alone``: no other run writes digests of the
    mailbox now. Return the realms whose players get no single reminders. A game that cannot be read keeps its
    reminders.
    """
    seats: list[DigestSeat] = []

    @cache
    def situation(mail: GameMail) -> Situation:
        """Return the situation of a game, which is the same for all its players."""
        return situation_of(mail, now)

    served = {mail.game_folder for mail in mails}
    in_order = sorted((*mails, *beside), key=lambda mail: mail.game_folder.resolve())
    in_use = {mail.game_folder for mail in beside if _is_served(mail, in_order, now)}
    for own in digest_readers(in_order).values():
        with suppress(StoreError, SourceError, OSError):
            ours = [seat for seat in own if seat.mail.game_folder in served]
            if alone and ours:
                in_service = [seat for seat in own if seat.mail.game_folder in served | in_use]
                _queue_digest(own, in_service, ours[0], now, situation)
            seats += own
    return seats


def _queue_digest(
    own_seats: Sequence[DigestSeat],
    in_service: Sequence[DigestSeat],
    carrier: DigestSeat,
    now: datetime,
    situation: Callable[[GameMail], Situation],
) -> None:
    """Write a player's digest, if one is due and there is something to say.

    It has a row for each seat ``in_service``, and goes out with the ``carrier``.
    """
    day = _day_due(own_seats, now)
    if not day:
        return
    before = max((entry for seat in own_seats for entry in _digests(seat)), key=_queued, default=None)
    write = DigestWriter(carrier.mail, now)
    rows = []
    newest = {}
    for seat in in_service:
        messages = seat.mail.outbox.messages
        came = _came_since(seat, before)
        with suppress(Exception):  # whatever is wrong with a game, the others have their rows
            kinds = [entry.kind for entry in came]
            rows.append(write.row(seat, situation(seat.mail), kinds, carrier.realm))
            newest[_in_game(seat)] = messages[-1].id if messages else ""
    if any(row["missing"] or row["results"] or row["letters"] for row in rows):
        once = _name(carrier.realm, day)
        carrier.mail.queue(write.digest(carrier.realm, rows, once, newest), now)


def _queued(entry: OutboxEntry) -> datetime:
    return entry.queued


def _in_game(seat: DigestSeat) -> str:
    """Return the name by which a digest records the newest message of a seat's game."""
    return f"{seat.mail.game} {seat.realm}"


def _came_since(seat: DigestSeat, before: OutboxEntry | None) -> list[OutboxEntry]:
    """Return the messages to a realm since a digest, which recorded the newest one; else since their wish."""
    since = before.queued if before else seat.since
    newest = before.content.get(_in_game(seat), "") if before else ""
    messages = seat.mail.outbox.messages
    last = next((place for place, entry in enumerate(messages) if entry.id == newest), len(messages))
    # what was recalled and queued again keeps its place
    came = [entry for place, entry in enumerate(messages) if place > last or entry.queued > since]
    return [entry for entry in came if entry.realm == seat.realm]


def _is_served(mail: GameMail, mails: Sequence[GameMail], now: datetime) -> bool:
    """Return whether another run serves a game: its mailbox's games were served not long ago without it.

    After a time in which none of them was served, all of them count as served.
    """
    read = last_read(mail)
    if read is None:
        return False
    readings = (remark for other in mails for remark in other.log.remarks(READ))
    moments = (datetime.fromisoformat(remark["at"]) for remark in readings)
    return not any(read + SERVED_WITHIN < moment < now - _THIS_RUN for moment in moments)


def _day_due(own_seats: Sequence[DigestSeat], now: datetime) -> str:
    """Return the day for which a player's digest is due.

    Empty before their morning, and when a game has written it.
    """
    first = own_seats[0]
    player = first.mail.campaign.folder.players.of(first.realm)
    local = now.astimezone(time_zone((player.zone if player else "") or first.mail.campaign.calendar.zone))
    day = f"{local:%Y-%m-%d}"
    is_written = any(seat.mail.outbox.knows(_name(seat.realm, day)) for seat in own_seats)
    return "" if is_written or local.hour < MORNING else day


def _name(realm: str, day: str) -> str:
    return f"{DIGEST} {realm} {day}"


def _digests(seat: DigestSeat) -> list[OutboxEntry]:
    return [
        entry for entry in seat.mail.outbox.messages if entry.kind == DIGEST and entry.realm == seat.realm
    ]


class DigestWriter(Writer):
    """Writes the digests that go out with the letters of a game."""

    def digest(self, realm: str, rows: Sequence[Values], once: str, newest: Mapping[str, str]) -> Outgoing:
        """Return the letter with a row for each of a player's realms.

        ``newest``: the id of the newest message of each game, which the next digest begins behind.
        """
        return self._letter(DIGEST, realm, once, {"rows": rows}, expires=self.now + DAY, content=newest)

    def row(
        self, seat: DigestSeat, situation: Situation, kinds: Sequence[str], reader: str
    ) -> dict[str, Any]:
        """Return a game's due orders and the ``kinds`` of letters that have come, in words for one realm."""
        campaign = seat.mail.campaign
        translate = translator(campaign.spec.key, self.language(reader))
        player = self.mail.campaign.folder.players.of(reader)
        zone = (player.zone if player else "") or self.mail.campaign.calendar.zone
        own_seat = campaign.seat(seat.realm)
        waits = situation.over or situation.kept or seat.realm in situation.absent
        played = turn_in_words(campaign.spec.played_name(campaign.state), translate)
        return {
            "title": campaign.spec.title,
            "game": seat.mail.game,
            "name": translate(own_seat.name) if own_seat else seat.realm,
            "over": situation.over,
            "hold": bool(situation.hold),
            "coming": turn_in_words(campaign.spec.coming_name(campaign.state), translate),
            "due": clock(situation.deadline, zone, translate),
            "left": time_left(situation.deadline - self.now, translate),
            "missing": seat.realm in situation.missing and not waits and not situation.hold,
            "results": played if RESULTS in kinds else "",
            "letters": kinds.count(PRESS),
        }
