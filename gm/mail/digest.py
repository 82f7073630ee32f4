"""Digests: one letter a day instead of reminders, for players who want it, with due orders and new letters.

A player chooses it in one game (``digest: daily``), and it counts for every game of the mailbox that has the
same address for them: the games that a run serves, and those beside them, which other runs serve. The first
run of the morning writes it, into the outbox of a game that it serves. Each run looks into the outboxes of
all games before it writes one, so that a player gets one a day.
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

MORNING = 7  # the hour by the player's clock from which on a digest is written
# a game that did not read the mailbox for so long, while other games did, is not served any more
SERVED_WITHIN = timedelta(days=2)
_THIS_RUN = timedelta(hours=1)  # a reading that is older was not made by this run


class DigestSeat(Record):
    """A realm of a player who wants a digest."""

    mail: GameMail  # of the realm's game
    realm: str
    since: datetime  # when the player asked for digests


def digest_readers(mails: Sequence[GameMail]) -> dict[str, list[DigestSeat]]:
    """Return the realms of each player who wants a digest of these games, by the player's address.

    If players said different things in several games, the newest counts.
    """
    realms: dict[str, list[tuple[GameMail, str]]] = {}  # by address
    newest: dict[str, tuple[datetime, bool]] = {}  # by address: when it was said, whether a digest is wanted
    for mail in mails:
        preferences = digest_preferences(mail)
        for player in mail.campaign.folder.players.players:
            address = folded(mail.address(player.realm))
            realms.setdefault(address, []).append((mail, player.realm))
            preference = preferences.get(player.realm)
            if preference is not None:
                newest[address] = max(preference, newest.get(address, preference))
    readers: dict[str, list[DigestSeat]] = {}
    for address, (since, wants_digest) in newest.items():
        if address and wants_digest:
            readers[address] = [DigestSeat(mail, realm, since) for mail, realm in realms[address]]
    return readers


def queue_digests(
    mails: Sequence[GameMail], beside: Sequence[GameMail], now: datetime, *, alone: bool
) -> list[DigestSeat]:
    """Queue the digests that are due in these games, which share a mailbox; the caller holds their locks.

    Return the realms whose players get digests, and so no single reminders. ``beside``: other games of the
    mailbox, which are only read; ``alone``: whether no other run writes digests of the mailbox now; if one
    does, this one writes none. After an error over a player's games, that player keeps the reminders.
    """
    seats: list[DigestSeat] = []

    @cache
    def situation(mail: GameMail) -> Situation:
        """Return the situation of a game, which is the same for all its players."""
        return situation_of(mail, now)

    served_here = {mail.game_folder for mail in mails}
    # the same order in every run, whichever games it serves
    in_order = sorted((*mails, *beside), key=lambda mail: mail.game_folder.resolve())
    served_elsewhere = {mail.game_folder for mail in beside if _is_served(mail, in_order, now)}
    for own_seats in digest_readers(in_order).values():
        with suppress(StoreError, SourceError, OSError):
            seats_here = [seat for seat in own_seats if seat.mail.game_folder in served_here]
            if alone and seats_here:
                served = served_here | served_elsewhere
                served_seats = [seat for seat in own_seats if seat.mail.game_folder in served]
                _queue_digest(own_seats, served_seats, seats_here[0], now, situation)
            seats += own_seats
    return seats


def _queue_digest(
    own_seats: Sequence[DigestSeat],
    served_seats: Sequence[DigestSeat],
    carrier: DigestSeat,
    now: datetime,
    situation: Callable[[GameMail], Situation],
) -> None:
    """Queue a player's digest, if one is due and there is something to say.

    ``own_seats``: all of the player's; ``served_seats``: those that have a row in the digest; ``carrier``:
    the one to whose game's outbox it goes; ``situation``: returns the situation of a game.
    """
    day = _day_due(own_seats, now)
    if not day:
        return
    digests = [entry for seat in own_seats for entry in _digests(seat)]
    last_digest = max(digests, key=lambda entry: entry.queued, default=None)
    write = DigestWriter(carrier.mail, now)
    rows = []
    newest = {}  # the id of the newest message, by game and realm
    for seat in served_seats:
        messages = seat.mail.outbox.messages
        new_messages = _messages_since(seat, last_digest)
        with suppress(Exception):  # whatever is wrong with a game, the others have their rows
            kinds = [entry.kind for entry in new_messages]
            rows.append(write.row(seat, situation(seat.mail), kinds, carrier.realm))
            newest[_game_and_realm(seat)] = messages[-1].id if messages else ""
    if any(row["missing"] or row["results"] or row["letters"] for row in rows):
        once = _digest_name(carrier.realm, day)
        carrier.mail.queue(write.digest(carrier.realm, rows, once, newest), now)


def _game_and_realm(seat: DigestSeat) -> str:
    """Return the key under which a digest records the newest message in a seat's game."""
    return f"{seat.mail.game} {seat.realm}"


def _messages_since(seat: DigestSeat, last_digest: OutboxEntry | None) -> list[OutboxEntry]:
    """Return the messages to a realm since the player's last digest, or since they asked for digests."""
    since = last_digest.queued if last_digest else seat.since
    newest_id = last_digest.content.get(_game_and_realm(seat), "") if last_digest else ""
    messages = seat.mail.outbox.messages
    # without a message of that id only the time decides
    last_place = next((place for place, entry in enumerate(messages) if entry.id == newest_id), len(messages))
    # by place, as two may be queued in one moment; by time, as one that is queued anew keeps its place
    new_messages = [
        entry for place, entry in enumerate(messages) if place > last_place or entry.queued > since
    ]
    return [entry for entry in new_messages if entry.realm == seat.realm]


def _is_served(mail: GameMail, mails: Sequence[GameMail], now: datetime) -> bool:
    """Return whether runs still serve a game: it has read the mailbox not much earlier than other games.

    ``mails``: all games of the mailbox. Readings of the last hour do not count: if no game was read for days
    before, all of them are still served.
    """
    own_reading = last_read(mail)
    if own_reading is None:
        return False
    readings = (remark for other in mails for remark in other.log.remarks(READ))
    moments = (datetime.fromisoformat(remark["at"]) for remark in readings)
    return not any(own_reading + SERVED_WITHIN < moment < now - _THIS_RUN for moment in moments)


def _day_due(own_seats: Sequence[DigestSeat], now: datetime) -> str:
    """Return the day (``2026-01-31``) for which a player's digest is due now.

    Empty before the player's morning, and when it is in the outbox of one of the games.
    """
    first = own_seats[0]  # the time zone that the player has in this game counts for all
    player = first.mail.campaign.folder.players.of(first.realm)
    local = now.astimezone(time_zone((player.zone if player else "") or first.mail.campaign.calendar.zone))
    day = f"{local:%Y-%m-%d}"
    is_written = any(seat.mail.outbox.knows(_digest_name(seat.realm, day)) for seat in own_seats)
    return "" if is_written or local.hour < MORNING else day


def _digest_name(realm: str, day: str) -> str:
    """Return the purpose of a digest."""
    return f"{DIGEST} {realm} {day}"


def _digests(seat: DigestSeat) -> list[OutboxEntry]:
    """Return the digests in the outbox of a seat's game."""
    return [
        entry for entry in seat.mail.outbox.messages if entry.kind == DIGEST and entry.realm == seat.realm
    ]


class DigestWriter(Writer):
    """Writes the digests that go out with the letters of a game."""

    def digest(self, realm: str, rows: Sequence[Values], once: str, newest: Mapping[str, str]) -> Outgoing:
        """Return the letter with a row for each of a player's realms; ``once``: its purpose.

        ``newest``: the id of the newest message by game and realm, after which the next digest begins.
        """
        return self._letter(DIGEST, realm, once, {"rows": rows}, expires=self.now + DAY, content=newest)

    def row(
        self, seat: DigestSeat, situation: Situation, kinds: Sequence[str], reader: str
    ) -> dict[str, Any]:
        """Return the template values about one seat: whether orders are due, and which letters are new.

        ``kinds``: the kinds of the new letters; ``reader``: the realm in this writer's game whose player gets
        the digest, in the language and time zone set there.
        """
        campaign = seat.mail.campaign
        translate = translator(campaign.spec.key, self.language(reader))
        player = self.mail.campaign.folder.players.of(reader)
        zone = (player.zone if player else "") or self.mail.campaign.calendar.zone
        own_seat = campaign.seat(seat.realm)
        needs_no_orders = situation.over or situation.kept or seat.realm in situation.absent
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
            "missing": seat.realm in situation.missing and not needs_no_orders and not situation.hold,
            "results": played if RESULTS in kinds else "",
            "letters": kinds.count(PRESS),
        }
