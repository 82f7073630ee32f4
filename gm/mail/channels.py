"""A player's own channel besides mail, which gets notifications of results, of due orders, and of letters.

A player names it by letter (``notify: ntfy.sh/TOPIC``) and confirms it with a code that was sent there. Its
notifications are sent as those of hooks (:mod:`gm.mail.hooks`). Anybody may read what goes there: the game's
name, the turn, that results, orders or letters are there, the deadline, and nothing else. The address is as
good as a password: it is in the journal of letters, in the letter that asks who wrote a request without a
token, and nowhere else.

The outbox of all notifications, those of hooks as well, records each before it is sent.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from msgspec.json import encode

from gm.campaign.open import Campaign
from gm.core.orders.keys import TOKEN, make_token, same_token
from gm.core.values import Record
from gm.mail.game_mail import MAIL, GameMail
from gm.mail.outbox import DAY, Outbox, Outgoing
from gm.mail.rendering import filled
from gm.mail.settings import Channels
from gm.mail.status import seat_print
from gm.mail.telling import Notification, services
from gm.store import StoreError
from gm.store.hooks import HOOKS, REMINDER, TURN, Channel
from gm.text.languages import ENGLISH, translator
from gm.text.words import turn_in_words

# events of channels besides those of hooks
PRESS = "press"  # a letter of another player has come
CODE = "code"  # the code that confirms the channel
CODES_A_DAY = 3  # for one player
CODE_GOOD = timedelta(days=7)  # how long a code is valid
_CHANNEL = "channel"  # kind of remark: what a player wrote about a channel, with one of these states
_ASKED = "asked"
_ON = "on"
_OFF = "off"
# (name of a host, path); no port, and no IP address
_HOST = re.compile(r"((?:[a-z0-9-]{1,63}\.)+[a-z]{2,63})(/[!-\"$-~]{1,180})", re.IGNORECASE)
# a path at ntfy: a topic alone, as with a query ntfy would send mail to others
_TOPIC = re.compile(r"/[A-Za-z0-9_-]{1,64}")
_LOOPBACK = re.compile(r"http://127\.0\.0\.1:[0-9]{1,5}/[!-\"$-~]{0,180}")


class Place(Record):
    """A web address that a player names."""

    url: str = ""
    service: str = ""  # the name of the service there, which knows one format (``hooks.yaml``)
    why: str = ""  # a word for why it is not accepted; empty if it is

    @property
    def shown(self) -> str:
        """The address's server alone, for people: the path may hold a secret; empty without an address."""
        return f"{urlsplit(self.url).hostname}/…" if self.url else ""


class RequestedChannel(Record):
    """A channel that a player asked for, whether it is confirmed or not."""

    channel: Channel
    letter: str  # the mark of the player's letter
    at: datetime  # when it was read


def place_of(written: str, allowed: Channels) -> Place:
    """Return the web address in what a player writes, and the reason if it is not accepted.

    ``allowed``: the game's setting ``channels``: ``none``; ``known``, only services that pbem knows; ``any``
    server; or ``loopback``, only this machine, for tests.
    """
    if allowed == "none":
        return Place(why="closed")
    if re.fullmatch(TOKEN, written.lower()):  # a confirmation code: the caller has found that it is wrong
        return Place(why="code")
    if allowed == "loopback":
        return Place(written, "json") if _LOOPBACK.fullmatch(written) else Place(why="form")
    match = _HOST.fullmatch(re.sub("(?i)^https://", "", written.strip("<>")))
    if match is None:
        return Place(why="form")
    host = match[1].lower()
    service_name = next((name for name, entry in services().items() if host in entry.get("hosts", ())), "")
    # an unknown server has ntfy if its name says so, or else takes JSON
    service = service_name or ("ntfy" if host.startswith("ntfy.") else "json")
    if service == "ntfy" and not _TOPIC.fullmatch(match[2]):
        return Place(why="form")
    is_allowed = allowed == "any" or service_name
    return Place(f"https://{host}{match[2]}", service, why="" if is_allowed else "service")


# -- what is recorded of them --------------------------------------------------------------------------------


def channels_of(mail: GameMail) -> dict[str, Channel]:
    """Return the channels that were confirmed, by realm."""
    confirmed, _ = _channels_by_realm(mail)
    return {realm: requested.channel for realm, requested in confirmed.items()}


def requested_channels(mail: GameMail) -> dict[str, RequestedChannel]:
    """Return the channel that each player asked for last, confirmed or not, by realm."""
    _, asked_last = _channels_by_realm(mail)
    return asked_last


def _channels_by_realm(mail: GameMail) -> tuple[dict[str, RequestedChannel], dict[str, RequestedChannel]]:
    """Return (the confirmed channels, those that players asked for last), each by realm.

    Channels of former players do not count; there are none in a game that allows none.
    """
    confirmed: dict[str, RequestedChannel] = {}
    asked_last: dict[str, RequestedChannel] = {}
    remarks = mail.log.remarks(_CHANNEL) if mail.settings.channels != "none" else ()
    for remark in remarks:
        realm = remark["realm"]
        if remark["seat"] != seat_print(mail, realm):
            continue
        if remark["state"] == _ASKED:
            asked_last[realm] = _requested(mail, remark)
        elif remark["state"] == _OFF:
            asked_last.pop(realm, None)
            confirmed.pop(realm, None)
        elif realm in asked_last:  # the state is ``_ON``: what was asked for last is confirmed
            confirmed[realm] = asked_last[realm]
    return confirmed, asked_last


def _requested(mail: GameMail, remark: Mapping[str, Any]) -> RequestedChannel:
    """Return the channel that a player asked for, from the journal's remark about the request."""
    realm = remark["realm"]
    language = mail.campaign.decisions.languages.get(realm, ENGLISH)
    channel = Channel(
        name=f"channel-{realm}-{remark['by'][:8]}",
        realm=realm,
        url=remark["url"],
        service=remark["service"],
        language=language,
        loopback=mail.settings.channels == "loopback",
    )
    return RequestedChannel(channel, remark["by"], datetime.fromisoformat(remark["at"]))


def may_ask(mail: GameMail, realm: str, letter: str, now: datetime) -> bool:
    """Return whether a player may get one more code within a day, for the letter with the mark ``letter``.

    That letter itself does not count: an interrupted run may have recorded it.
    """
    since = now - DAY
    other_requests = [
        remark
        for remark in mail.log.remarks(_CHANNEL)
        if remark["realm"] == realm and remark["state"] == _ASKED and remark["by"] != letter
    ]
    return sum(datetime.fromisoformat(remark["at"]) >= since for remark in other_requests) < CODES_A_DAY


def ask(mail: GameMail, realm: str, place: Place, letter: str, now: datetime) -> None:
    """Record that a player asks for a channel, and queue a code for it; ``letter``: the letter's mark."""
    _note(mail, realm, _ASKED, letter, now, url=place.url, service=place.service)
    requested = requested_channels(mail).get(realm)
    # if an interrupted run has recorded this letter, a later one may have asked for another channel since
    if requested is not None and requested.letter == letter:
        code = _code(mail, requested)
        queue_safely(lambda: _queue(mail, requested.channel, CODE, letter, now, now + KEPT, code=code))


def confirm(mail: GameMail, realm: str, letter: str, now: datetime) -> None:
    """Record that a player has proven, by its code, the channel that they asked for last.

    ``letter``: the mark of the letter that had the code.
    """
    _note(mail, realm, _ON, letter, now)


def switch_off(mail: GameMail, realm: str, letter: str, now: datetime) -> None:
    """Record that a player wants to be notified by mail alone; ``letter``: the letter's mark."""
    _note(mail, realm, _OFF, letter, now)


def _note(mail: GameMail, realm: str, state: str, letter: str, now: datetime, **more: str) -> None:
    """Record what a letter says about a channel, once for each letter; ``state``: asked, on or off.

    ``letter``: its mark; ``more``: further fields of the remark.
    """
    if all(remark["by"] != letter for remark in mail.log.remarks(_CHANNEL)):
        seat = seat_print(mail, realm)
        mail.log.remark(now, _CHANNEL, realm=realm, seat=seat, state=state, by=letter, **more)


def confirmed_by(mail: GameMail, realm: str, code: str, now: datetime) -> Channel | None:
    """Return the channel that a player asked for last, if ``code`` confirms it in time; else None."""
    requested = requested_channels(mail).get(realm)
    # a code with other characters than ASCII could not be compared
    if requested is None or now - requested.at > CODE_GOOD or not code.isascii():
        return None
    return requested.channel if same_token(code.lower(), _code(mail, requested)) else None


def _code(mail: GameMail, requested: RequestedChannel) -> str:
    """Return the code that confirms a channel: whoever sends it back has read what was sent there."""
    player = mail.campaign.folder.players.of(requested.channel.realm)
    # without a player there is only the game's own secret to make it from
    secret = (player.secret or player.key) if player else mail.campaign.folder.settings.seed
    return make_token(secret, f"channel code\n{mail.game}\n{requested.letter}\n{requested.channel.url}")


# -- notifications -------------------------------------------------------------------------------------------


def queue_results(mail: GameMail, now: datetime) -> None:
    """Queue a notification for each player's channel that the results of the newest turn are out."""
    mark = mail.state_fingerprint(mail.campaign.newest_turn)
    for realm in channels_of(mail):
        queue_news(mail, realm, TURN, mark, now)


def queue_reminder(mail: GameMail, realm: str, hours: int, now: datetime) -> None:
    """Queue a notification for the channel of a player whose orders are missing, if there is one.

    ``hours``: before the deadline.
    """
    deadline = mail.campaign.deadline(mail.campaign.next_turn)
    queue_news(mail, realm, REMINDER, f"{hours} {deadline.isoformat()}", now, expires=deadline, hours=hours)


def queue_news(
    mail: GameMail,
    realm: str,
    event: str,
    mark: str,
    now: datetime,
    *,
    expires: datetime | None = None,
    **values: Any,
) -> None:
    """Queue a notification of an event for the channel of a realm's player, if there is one.

    It is queued once for each ``mark``. ``expires``: after this moment it is not sent any more, by default
    ``KEPT`` from now; ``values``: further values of the template. A damaged journal of notifications is no
    error here.
    """
    channel = channels_of(mail).get(realm)
    if channel is not None:
        queue_safely(lambda: _queue(mail, channel, event, mark, now, expires or now + KEPT, **values))


def _queue(
    mail: GameMail, channel: Channel, event: str, mark: str, now: datetime, expires: datetime, **values: Any
) -> None:
    """Store a channel's notification in the outbox, once for each ``mark``.

    ``values``: further values of the template. Raises ``StoreError`` if the outbox is damaged.
    """
    campaign = mail.campaign
    turn = campaign.newest_turn if event == TURN else campaign.next_turn
    # English texts need no catalogue of the game
    wording = (campaign.spec.key, channel.language) if channel.language != ENGLISH else ()
    translate = translator(campaign.spec.key, channel.language)
    shared = {
        "event": event,
        "game": mail.game,
        "title": campaign.spec.title,
        "played": turn_in_words(campaign.spec.played_name(campaign.state), translate),
        "coming": turn_in_words(campaign.spec.coming_name(campaign.state), translate),
        "due": "" if campaign.calendar.hold else campaign.due_words(campaign.next_turn, translate),
        "over": campaign.winners is not None,
    }
    title, _, text = filled("channel.txt", {**shared, **values}, *wording).partition("\n")
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    notification = Notification(event, mail.game, turn, title, "\n".join(lines))
    once = f"{channel.name} {event} {turn} {mark}"
    message = Outgoing(
        once=once,
        kind=event,
        to=channel.name,
        subject=title,
        realm=channel.realm,
        turn=turn,
        text="",
        expires=expires,
    )
    outbox_of(campaign).queue(message, encode(notification), now)


KEPT = timedelta(days=3)  # a notification that could not be sent for so long expires


def outbox_of(campaign: Campaign) -> Outbox:
    """Return the outbox of a game's notifications, sent or not; to change it the game's lock must be held."""
    settings = campaign.folder.settings
    return Outbox(campaign.folder.path / MAIL / HOOKS, settings.id, settings.seed, ".json")


def queue_safely(queue: Callable[[], object]) -> None:
    """Call ``queue``, which queues notifications, but ignore a ``StoreError``.

    A damaged journal of notifications must not delay a turn; it is reported when they are sent.
    """
    with suppress(StoreError):
        queue()
