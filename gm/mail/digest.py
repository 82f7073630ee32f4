"""One letter a day instead of reminders, for players who want it: what is due, and what has come.

A player chooses it in one game (``digest: daily``), and it counts for every game of the mailbox that has the
same address for them. The letter lies in the outbox of the first of these games.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cache
from typing import Any

from gm.core.diagnostics import SourceError
from gm.core.values import Record
from gm.mail.compose import RESULTS, Values, Writer
from gm.mail.game_mail import GameMail, folded
from gm.mail.outbox import DAY, Outgoing
from gm.mail.press_letters import KIND as PRESS
from gm.mail.status import DIGEST, digest_wishes
from gm.mail.week import Situation, situation_of
from gm.store import StoreError
from gm.store.deadlines import clock, time_left, time_zone
from gm.text.languages import translator
from gm.text.words import turn_in_words

MORNING = 7  # the hour from which on it is written, by the player's clock


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
        wishes = digest_wishes(mail)
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


def queue_digests(mails: Sequence[GameMail], now: datetime) -> list[DigestSeat]:
    """Write the digests that are due in these games, which share a mailbox; their locks are held.

    Return the realms whose players get no single reminders. A game that cannot be read keeps its reminders.
    """
    seats: list[DigestSeat] = []

    @cache
    def situation(mail: GameMail) -> Situation:
        """Return the situation of a game, which is the same for all its players."""
        return situation_of(mail, now)

    for own in digest_readers(mails).values():
        with suppress(StoreError, SourceError, OSError):
            _queue_digest(own, now, situation)
            seats += own
    return seats


def _queue_digest(
    own: Sequence[DigestSeat], now: datetime, situation: Callable[[GameMail], Situation]
) -> None:
    """Write a player's digest, if it is morning, none was written today, and there is something to say."""
    first = own[0]
    player = first.mail.campaign.folder.players.of(first.realm)
    local = now.astimezone(time_zone((player.zone if player else "") or first.mail.campaign.calendar.zone))
    day = f"{local:%Y-%m-%d}"
    if local.hour < MORNING or any(seat.mail.outbox.knows(_name(seat.realm, day)) for seat in own):
        return
    write = DigestWriter(first.mail, now)
    since = max((entry.queued for seat in own for entry in _digests(seat)), default=first.since)
    rows = [write.row(seat, situation(seat.mail), since, first.realm) for seat in own]
    if any(row["missing"] or row["results"] or row["letters"] for row in rows):
        first.mail.queue(write.digest(first.realm, rows, _name(first.realm, day)), now)


def _name(realm: str, day: str) -> str:
    return f"{DIGEST} {realm} {day}"


def _digests(seat: DigestSeat) -> list[Any]:
    return [
        entry for entry in seat.mail.outbox.messages if entry.kind == DIGEST and entry.realm == seat.realm
    ]


class DigestWriter(Writer):
    """Writes the digests of players whose first game this is."""

    def digest(self, realm: str, rows: Sequence[Values], once: str) -> Outgoing:
        """Return the letter with a row for each of a player's realms."""
        return self._letter(DIGEST, realm, once, {"rows": rows}, expires=self.now + DAY)

    def row(self, seat: DigestSeat, situation: Situation, since: datetime, reader: str) -> dict[str, Any]:
        """Return what is due in a game, and what has come since some moment, in words for one realm."""
        campaign = seat.mail.campaign
        translate = translator(campaign.spec.key, self.language(reader))
        player = self.mail.campaign.folder.players.of(reader)
        zone = (player.zone if player else "") or self.mail.campaign.calendar.zone
        own = campaign.seat(seat.realm)
        came = [
            entry for entry in seat.mail.outbox.messages if entry.realm == seat.realm and entry.queued > since
        ]
        kinds = [entry.kind for entry in came]
        waits = situation.over or situation.kept or seat.realm in situation.absent
        played = turn_in_words(campaign.spec.played_name(campaign.state), translate)
        return {
            "title": campaign.spec.title,
            "game": seat.mail.game,
            "name": translate(own.name) if own else seat.realm,
            "over": situation.over,
            "hold": bool(situation.hold),
            "coming": turn_in_words(campaign.spec.coming_name(campaign.state), translate),
            "due": clock(situation.deadline, zone, translate),
            "left": time_left(situation.deadline - self.now, translate),
            "missing": seat.realm in situation.missing and not waits and not situation.hold,
            "results": played if RESULTS in kinds else "",
            "letters": kinds.count(PRESS),
        }
