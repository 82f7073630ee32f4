"""The notifications that a game's hooks and its players' channels get of its news.

They contain public facts only. Each is recorded in an outbox before it is sent, and is sent once. One that
cannot be sent now is tried again in later runs, up to a limit.

No receiver can be asked whether it has a notification. So one that may have arrived is never sent again: when
the run was killed while it went out, or no answer came.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import datetime, timedelta
from functools import cache, partial
from pathlib import Path
from typing import Any

from msgspec.json import decode, encode

from gm.campaign.open import Campaign
from gm.campaign.play import played_turn
from gm.core.diagnostics import says
from gm.core.values import Record
from gm.game.values import MapView
from gm.mail.channels import KEPT, channels_of, outbox_of, requested_channels
from gm.mail.compose import Writer
from gm.mail.game_mail import MAIL, GameMail, state_fingerprint
from gm.mail.outbox import Outbox, OutboxEntry, Outgoing, State
from gm.mail.rendering import filled
from gm.mail.sending import Clock, RefusedError
from gm.mail.telling import Notification, tell
from gm.mail.week import Situation
from gm.store.disk import locked, make_folder
from gm.store.folder import MAIL_FILE
from gm.store.hooks import HOOKS, REMINDER, SEAT, TURN, Hook
from gm.store.trust import require_confirmed, unconfirmed
from gm.text.languages import ENGLISH, translator
from gm.text.pictures import png_of
from gm.text.words import turn_in_words

LINES = 5  # at most so many sentences about a turn
PICTURE = 1000  # pixels, the width of the map
TRIES = 8
AT_ONCE = timedelta(seconds=30)  # after so long a run begins to send no further notification

GIVEN_UP = (State.FAILED, State.EXPIRED)
# yields the outbox as it is now, to record states in it; the game's lock is held meanwhile
Noting = Callable[[], AbstractContextManager[Outbox]]


# -- queuing -------------------------------------------------------------------------------------------------


def queue_turn(campaign: Campaign, now: datetime) -> int:
    """Queue a notification of the newest turn for each hook; return how many are new."""
    turn = campaign.newest_turn
    if not turn:
        return 0
    # before the turn was undone and played again
    was_notified = any(
        entry.kind == TURN and entry.turn == turn and entry.may_have_arrived
        for entry in outbox_of(campaign).messages
    )

    def values_for(hook: Hook) -> dict[str, Any]:
        """Return the template values in a hook's language."""
        translate = translator(campaign.spec.key, hook.language or ENGLISH)
        played = played_turn(campaign, turn)
        names = {seat.code: translate(seat.name) for seat in campaign.seats}
        winners = campaign.winners
        return {
            "played": turn_in_words(campaign.spec.played_name(played.after), translate),
            "again": was_notified,
            "lines": campaign.spec.herald(campaign.table, played, hook.language or ENGLISH).lines[:LINES],
            "over": winners is not None,
            "winners": [names[code] for code in winners or ()],
        }

    return _queue(campaign, TURN, turn, state_fingerprint(campaign.folder, turn), now, values_for)


def queue_reminder(campaign: Campaign, situation: Situation) -> int:
    """Queue a reminder of a near deadline for each hook while orders are missing; return how many are new.

    It names no realms. There is none if only players who are away are late, or no orders are awaited now.
    """
    now = situation.now
    deadline = situation.deadline
    nobody_is_late = not set(situation.missing) - situation.absent
    due = [hours for hours in situation.reminders if deadline - timedelta(hours=hours) <= now <= deadline]
    if not due or nobody_is_late or situation.over or situation.kept or situation.hold:
        return 0
    hours_before = min(due)
    mark = f"{hours_before} {deadline.isoformat()}"
    values: dict[str, Any] = {"hours": hours_before}
    return _queue(campaign, REMINDER, situation.turn, mark, now, lambda _hook: values, deadline)


def queue_seat(campaign: Campaign, entry: Mapping[str, Any]) -> int:
    """Queue a notification of an open seat for each hook; return how many are new.

    ``entry``: the journal's line about the seat.
    """
    realm = str(entry["realm"])
    seat = campaign.seat(realm)
    now = datetime.fromisoformat(str(entry["letters"]))  # the moment of the command that opened the seat
    # whether strangers can ask for the seat by letter
    has_address = campaign.folder.settings.open and (campaign.folder.path / MAIL_FILE).is_file()
    values = {"code": realm, "address": GameMail(campaign).settings.sender if has_address else ""}

    def values_for(hook: Hook) -> dict[str, Any]:
        """Return the template values in a hook's language."""
        translate = translator(campaign.spec.key, hook.language or ENGLISH)
        return values | {"name": translate(seat.name if seat else realm)}

    return _queue(campaign, SEAT, campaign.next_turn, f"{realm} {entry['mark']}", now, values_for)


def sample(campaign: Campaign, hook: Hook) -> Notification:
    """Return a test notification for a hook."""
    return _notification(campaign, hook, "test", campaign.newest_turn, {}, partial(_picture, campaign))


def _queue(
    campaign: Campaign,
    event: str,
    turn: int,
    mark: str,
    now: datetime,
    values_for: Callable[[Hook], Mapping[str, Any]],
    expires: datetime | None = None,
) -> int:
    """Queue a notification of an event for each hook that wants it; return how many are new.

    ``mark`` tells this occasion from others of the turn: a hook gets one notification of each.
    ``values_for``: the template values in a hook's language; ``expires``: when it is no news any more.
    """
    hooks = [
        hook for hook in campaign.folder.settings.hooks if event in hook.events and is_on(campaign, hook)
    ]
    new_count = 0
    picture = cache(partial(_picture, campaign))  # drawn once for all hooks, if one of them wants it
    outbox = outbox_of(campaign)
    for hook in hooks:
        once = f"{hook.name} {event} {turn} {mark}"
        if not outbox.knows(once):
            notification = _notification(campaign, hook, event, turn, values_for(hook), picture)
            title = notification.title
            message = Outgoing(once=once, kind=event, to=hook.name, subject=title, turn=turn, text="")
            message = message.evolve(expires=expires or now + KEPT)
            new_count += outbox.queue(message, encode(notification), now)
    return new_count


def receivers_of(campaign: Campaign) -> dict[str, Hook]:
    """Return the hooks of a game and its players' channels, confirmed or not, by name."""
    hooks = {hook.name: hook for hook in campaign.folder.settings.hooks}
    if not (campaign.folder.path / MAIL_FILE).is_file():
        return hooks
    mail = GameMail(campaign)
    asked_for = [requested.channel for requested in requested_channels(mail).values()]
    return {channel.name: channel for channel in (*asked_for, *channels_of(mail).values())} | hooks


def is_on(campaign: Campaign, hook: Hook) -> bool:
    """Return whether a hook may be used: one that came with an archive may not until the GM confirms it."""
    return not unconfirmed(campaign.folder.path, [hook.command])


def _notification(
    campaign: Campaign,
    hook: Hook,
    event: str,
    turn: int,
    values: Mapping[str, Any],
    picture: Callable[[], bytes],
) -> Notification:
    """Return a hook's notification, from ``hook-EVENT.txt`` and its ``values``; ``picture`` makes the PNG."""
    spec = campaign.spec
    language = hook.language or ENGLISH
    translate = translator(spec.key, language)
    game = campaign.folder.settings.id
    shared: dict[str, Any] = {
        "game": game,
        "title": spec.title,
        "coming": turn_in_words(spec.coming_name(campaign.state), translate),
        "due": "" if campaign.calendar.hold else campaign.due_words(campaign.next_turn, translate),
    }
    wording = (spec.key, language) if language != ENGLISH else ()  # English texts need no catalogue
    title, _, text = filled(f"hook-{event}.txt", {**shared, **values}, *wording).partition("\n")
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    return Notification(event, game, turn, title, "\n".join(lines), picture() if hook.map else b"")


def _picture(campaign: Campaign) -> bytes:
    """Return the public map as PNG; empty without the library for pictures."""
    with suppress(ImportError):
        return png_of(public_map(campaign), PICTURE)
    return b""


def public_map(campaign: Campaign) -> str:
    """Return the public map after the newest turn as SVG."""
    public = campaign.spec.seen(campaign.table, campaign.snapshot, "")
    return campaign.spec.draw(campaign.table, public, MapView(troops=False))


# -- sending -------------------------------------------------------------------------------------------------


class DeliveryReport(Record):
    """The notifications that one round of sending has delivered, has given up, or has left for later."""

    delivered: tuple[OutboxEntry, ...] = ()
    given_up: tuple[OutboxEntry, ...] = ()
    waiting: tuple[OutboxEntry, ...] = ()


@contextmanager
def telling(folder: Path) -> Iterator[None]:
    """Keep other runs from sending the game's notifications during the block; ``folder``: the game's.

    Raises ``FolderBusyError`` when another run sends them now.
    """
    make_folder(folder / MAIL / HOOKS)
    with locked(folder / MAIL / HOOKS):
        yield


def tell_due(campaign: Campaign, clock: Clock, noting: Noting) -> DeliveryReport:
    """Send the due notifications; return what became of them, of expired ones and of those cut short before.

    The caller is within :func:`telling`; ``noting`` lends the outbox under the game's lock. What is for hooks
    that are off or gone is dropped. A hook that fails gets nothing more now; after ``AT_ONCE`` no hook does.
    """
    last_start = clock() + AT_ONCE
    hooks = receivers_of(campaign)
    handled = list[str]()  # ids of notifications
    failed_hooks = set[str]()  # names

    def record(entry_id: str, state: State, words: str) -> None:
        with noting() as outbox:
            outbox.set_state(entry_id, state, clock(), words)

    # the GM's own hooks first: no player's slow channel keeps them waiting
    for entry in sorted(outbox_of(campaign).open(), key=lambda waiting: bool(waiting.realm)):
        now = clock()
        hook = hooks.get(entry.to)
        if hook is None or not is_on(campaign, hook):
            why = says("this hook no longer exists") if hook is None else says("it is off")
            record(entry.id, State.DROPPED, why)
        elif entry.state is State.SENDING and entry.doubt:
            words = says("the run was cut short as it went out: it may not have arrived")
            record(entry.id, State.SENT, words)
            handled.append(entry.id)
        elif entry.expires is not None and now > entry.expires:
            record(entry.id, State.EXPIRED, entry.words or says("the notification came too late"))
            handled.append(entry.id)
        elif entry.is_due(now) and hook.name not in failed_hooks and now < last_start:
            handled.append(entry.id)
            may_get_more = _tell(campaign, hook, entry, clock, noting)
            if not may_get_more:
                failed_hooks.add(hook.name)
    with noting() as outbox:
        outbox.tidy(clock())
    return _report(outbox, handled)


def _report(outbox: Outbox, handled: Iterable[str]) -> DeliveryReport:
    """Return what became of notifications; ``handled``: the ids of those that were dealt with."""
    entries = [outbox.entries[entry_id] for entry_id in handled]
    delivered = tuple(entry for entry in entries if entry.state is State.SENT)
    given_up = tuple(entry for entry in entries if entry.state in GIVEN_UP)
    return DeliveryReport(delivered, given_up, outbox.open())


def _tell(campaign: Campaign, hook: Hook, entry: OutboxEntry, clock: Clock, noting: Noting) -> bool:
    """Send one queued notification and record its state; return whether its hook may get more in this round.

    It may not after a failure.
    """
    with noting() as outbox:
        if entry.id not in {waiting.id for waiting in outbox.open()}:
            return True  # it was recalled since this round began: its turn was undone
        outbox.set_state(entry.id, State.SENDING, clock())
        notification = decode(outbox.path(entry.id).read_bytes(), type=Notification)

    def handing_over() -> None:
        """Record that the notification may arrive from now on: if the run is killed, it is not sent again."""
        with noting() as outbox:
            outbox.set_state(entry.id, State.SENDING, clock(), doubt=True)

    state = State.SENT
    words = ""
    try:
        tell_now(campaign, hook, notification, handing_over)
    except RefusedError as error:
        was_last_try = error.forever or entry.tries + 1 >= TRIES
        state = State.FAILED if was_last_try else State.LATER
        words = error.words
    with noting() as outbox:
        outbox.set_state(entry.id, state, clock(), words)
    return state is State.SENT


def tell_now(
    campaign: Campaign,
    hook: Hook,
    notification: Notification,
    handing_over: Callable[[], None] = lambda: None,
) -> None:
    """Send one notification.

    ``handing_over`` is called just before it may arrive. Raises ``RefusedError`` if it was not accepted or no
    answer came, and ``UnconfirmedError`` for a hook that the GM has to confirm.
    """
    require_confirmed(campaign.folder.path, hook.command)
    tell(hook, notification, campaign.folder.path, handing_over)


def tell_lost(mail: GameMail, report: DeliveryReport, now: datetime) -> None:
    """Queue letters about notifications that were given up: to the GM about hooks, to players about channels.

    Each reader gets one letter for a hook or channel in a turn, for a removed one none. A player is not told
    why: the reason could reveal what the GM's machine can reach.
    """
    where = {name: hook.where for name, hook in receivers_of(mail.campaign).items()}
    write = Writer(mail, now)
    for entry in (entry for entry in report.given_up if entry.to in where):
        if not entry.realm:
            values = {"hook": entry.to, "where": where[entry.to], "told": entry.subject, "words": entry.words}
            mail.queue(write.notice(f"hook {entry.to} {entry.turn}", "hook-lost", **values), now)
        elif entry.tries:  # one that expired untried is no fault of the channel
            mail.queue(write.channel_lost(entry.realm, f"{entry.to} {entry.turn}", where[entry.to]), now)


def try_again(campaign: Campaign, now: datetime) -> int:
    """Queue again what was given up and is still stored; return how many. The caller holds the lock."""
    outbox = outbox_of(campaign)
    lost = [entry for entry in outbox.messages if entry.state in GIVEN_UP and outbox.path(entry.id).is_file()]
    for entry in lost:
        # the same purpose can be queued again only after it was recalled
        outbox.set_state(entry.id, State.RECALLED, now)
        same_fields = {
            name: getattr(entry, name) for name in ("once", "kind", "to", "subject", "realm", "turn")
        }
        outbox.queue(
            Outgoing(text="", expires=now + KEPT, **same_fields), outbox.path(entry.id).read_bytes(), now
        )
    return len(lost)
