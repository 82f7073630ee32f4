"""The notifications of a game by its hooks.

They contain public facts only; each is recorded before it is sent, and is sent once. They have an outbox of
their own; one that cannot be sent now is tried again in later runs, and given up at last.

No receiver can be asked whether it has a notification. So one that may have arrived is never sent again: when
the run was killed after handing it over, or no answer came.
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
from gm.mail.bulletins import KEPT, outbox_of
from gm.mail.channels import channels_of, pending_channels
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

LINES = 5  # so many sentences of a turn are told
PICTURE = 1000  # pixels, the width of the map
TRIES = 8
AT_ONCE = timedelta(seconds=30)  # after which a run begins no other

GIVEN_UP = (State.FAILED, State.EXPIRED)
# the outbox as it is now, to change it: the lock is held
Noting = Callable[[], AbstractContextManager[Outbox]]


# -- what is told --------------------------------------------------------------------------------------------


def queue_turn(campaign: Campaign, now: datetime) -> int:
    """Queue notifications of the newest turn; return the number of hooks with a new one."""
    turn = campaign.newest_turn
    if not turn:
        return 0
    before = any(
        entry.kind == TURN and entry.turn == turn and entry.may_have_arrived
        for entry in outbox_of(campaign).messages
    )

    def values(hook: Hook) -> dict[str, Any]:
        """Return the template values of a hook."""
        translate = translator(campaign.spec.key, hook.language or ENGLISH)
        played = played_turn(campaign, turn)
        names = {seat.code: translate(seat.name) for seat in campaign.seats}
        winners = campaign.winners
        return {
            "played": turn_in_words(campaign.spec.played_name(played.after), translate),
            "again": before,
            "lines": campaign.spec.herald(campaign.table, played, hook.language or ENGLISH).lines[:LINES],
            "over": winners is not None,
            "winners": [names[code] for code in winners or ()],
        }

    return _queue(campaign, TURN, turn, state_fingerprint(campaign.folder, turn), now, values)


def queue_reminder(campaign: Campaign, situation: Situation) -> int:
    """Queue reminders of a deadline that comes near while orders are missing, without naming realms."""
    now = situation.now
    deadline = situation.deadline
    waits = (
        situation.over
        or situation.kept
        or bool(situation.hold)
        or not set(situation.missing) - situation.absent
    )
    due = [hours for hours in situation.reminders if deadline - timedelta(hours=hours) <= now <= deadline]
    if waits or not due:
        return 0
    mark = f"{min(due)} {deadline.isoformat()}"
    return _queue(campaign, REMINDER, situation.turn, mark, now, lambda _: {"hours": min(due)}, deadline)


def queue_seat(campaign: Campaign, entry: Mapping[str, Any]) -> int:
    """Queue notifications of an open seat; ``entry``: the journal's line about it."""
    realm = str(entry["realm"])
    is_open = campaign.folder.settings.open
    seat = campaign.seat(realm)
    now = datetime.fromisoformat(str(entry["letters"]))
    writes = is_open and (campaign.folder.path / MAIL_FILE).is_file()
    values = {"code": realm, "address": GameMail(campaign).settings.sender if writes else ""}

    def named(hook: Hook) -> dict[str, Any]:
        return values | {
            "name": translator(campaign.spec.key, hook.language or ENGLISH)(seat.name if seat else realm)
        }

    return _queue(campaign, SEAT, campaign.next_turn, f"{realm} {entry['mark']}", now, named)


def sample(campaign: Campaign, hook: Hook) -> Notification:
    """Return a test notification for a hook."""
    return _bulletin(campaign, hook, "test", campaign.newest_turn, {}, partial(_picture, campaign))


def _queue(
    campaign: Campaign,
    event: str,
    turn: int,
    mark: str,
    now: datetime,
    values: Callable[[Hook], Mapping[str, Any]],
    expires: datetime | None = None,
) -> int:
    """Queue an event's notifications, one for each hook and ``mark``. Returns how many are new."""
    hooks = [
        hook for hook in campaign.folder.settings.hooks if event in hook.events and is_on(campaign, hook)
    ]
    new_count = 0
    picture = cache(partial(_picture, campaign))
    outbox = outbox_of(campaign)
    for hook in hooks:
        once = f"{hook.name} {event} {turn} {mark}"
        if not outbox.knows(once):
            notification = _bulletin(campaign, hook, event, turn, values(hook), picture)
            about = Outgoing(
                once=once, kind=event, to=hook.name, subject=notification.title, turn=turn, text=""
            )
            new_count += outbox.queue(about.evolve(expires=expires or now + KEPT), encode(notification), now)
    return new_count


def receivers_of(campaign: Campaign) -> dict[str, Hook]:
    """Return the hooks of a game and its players' channels, by name."""
    hooks = {hook.name: hook for hook in campaign.folder.settings.hooks}
    if not (campaign.folder.path / MAIL_FILE).is_file():
        return hooks
    mail = GameMail(campaign)
    pending_of_name = {pending.channel.name: pending.channel for pending in pending_channels(mail).values()}
    return pending_of_name | {channel.name: channel for channel in channels_of(mail).values()} | hooks


def is_on(campaign: Campaign, hook: Hook) -> bool:
    """Return whether a hook may be used: not one of an imported archive, until the GM confirms it."""
    return not unconfirmed(campaign.folder.path, [hook.command])


def _bulletin(
    campaign: Campaign,
    hook: Hook,
    event: str,
    turn: int,
    values: Mapping[str, Any],
    picture: Callable[[], bytes],
) -> Notification:
    """Return the notification of an event for a hook."""
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
    wording = (spec.key, language) if language != ENGLISH else ()
    title, _, text = filled(f"hook-{event}.txt", {**shared, **values}, *wording).partition("\n")
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    return Notification(event, game, turn, title, "\n".join(lines), picture() if hook.map else b"")


def _picture(campaign: Campaign) -> bytes:
    """Return the map as a picture; empty without the library for pictures."""
    with suppress(ImportError):
        return png_of(public_map(campaign), PICTURE)
    return b""


def public_map(campaign: Campaign) -> str:
    """Return the public map after the newest turn as a drawing."""
    public = campaign.spec.seen(campaign.table, campaign.snapshot, "")
    return campaign.spec.draw(campaign.table, public, MapView(troops=False))


# -- telling it ----------------------------------------------------------------------------------------------


class DeliveryReport(Record):
    """The notifications that one run of sending has delivered, has given up, or will try again."""

    delivered: tuple[OutboxEntry, ...] = ()
    given_up: tuple[OutboxEntry, ...] = ()
    waiting: tuple[OutboxEntry, ...] = ()


@contextmanager
def telling(folder: Path) -> Iterator[None]:
    """Let only one run send notifications at a time. Raises ``FolderBusyError`` when another does."""
    make_folder(folder / MAIL / HOOKS)
    with locked(folder / MAIL / HOOKS):
        yield


def tell_due(campaign: Campaign, clock: Clock, noting: Noting) -> DeliveryReport:
    """Send the notifications that are due, within :func:`telling`.

    The game's lock is not held while a receiver works, only inside ``noting``, to record states. A hook that
    fails gets nothing more in this round.
    """
    until = clock() + AT_ONCE
    hooks = receivers_of(campaign)
    touched = list[str]()
    refusing = set[str]()

    def mark(number: str, state: State, words: str) -> None:
        with noting() as outbox:
            outbox.set_state(number, state, clock(), words)

    # the GM's own hooks first: no player's slow channel keeps them waiting
    for entry in sorted(outbox_of(campaign).open(), key=lambda waiting: bool(waiting.realm)):
        now = clock()
        hook = hooks.get(entry.to)
        if hook is None or not is_on(campaign, hook):
            mark(
                entry.id,
                State.DROPPED,
                says("this hook no longer exists") if hook is None else says("it is off"),
            )
        elif entry.state is State.SENDING and entry.doubt:
            mark(entry.id, State.SENT, says("the run was cut short as it went out: it may not have arrived"))
            touched.append(entry.id)
        elif entry.expires is not None and now > entry.expires:
            mark(entry.id, State.EXPIRED, entry.words or says("the notification came too late"))
            touched.append(entry.id)
        elif entry.is_due(now) and hook.name not in refusing and now < until:
            touched.append(entry.id)
            if not _tell(campaign, hook, entry, clock, noting):
                refusing.add(hook.name)
    with noting() as outbox:
        outbox.tidy(clock())
    return _report(outbox, touched)


def _report(outbox: Outbox, touched: Iterable[str]) -> DeliveryReport:
    """Return the result of a round; ``touched``: the notifications that it dealt with."""
    entries = [outbox.entries[number] for number in touched]
    delivered = tuple(entry for entry in entries if entry.state is State.SENT)
    given_up = tuple(entry for entry in entries if entry.state in GIVEN_UP)
    return DeliveryReport(delivered, given_up, outbox.open())


def _tell(campaign: Campaign, hook: Hook, entry: OutboxEntry, clock: Clock, noting: Noting) -> bool:
    """Send one queued notification and record its state.

    Return whether it needs no further try in this round.
    """
    with noting() as outbox:
        if entry.id not in {waiting.id for waiting in outbox.open()}:
            return True  # its turn was taken back just now
        outbox.set_state(entry.id, State.SENDING, clock())
        notification = decode(outbox.path(entry.id).read_bytes(), type=Notification)

    def handing_over() -> None:
        with noting() as outbox:
            outbox.set_state(entry.id, State.SENDING, clock(), doubt=True)

    state = State.SENT
    words = ""
    try:
        tell_now(campaign, hook, notification, handing_over)
    except RefusedError as error:
        last = error.forever or entry.tries + 1 >= TRIES
        state = State.FAILED if last else State.LATER
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

    ``handing_over``: called at the moment from which on it may have arrived. Raises ``RefusedError``, and
    ``UnconfirmedError`` for a hook that is off.
    """
    require_confirmed(campaign.folder.path, hook.command)
    tell(hook, notification, campaign.folder.path, handing_over)


def tell_lost(mail: GameMail, report: DeliveryReport, now: datetime) -> None:
    """Write to the GM about failed hooks, and to players about their channels: one letter each in a turn.

    A player is not told why: the reason could reveal what the GM's machine can reach.
    """
    where = {name: hook.where for name, hook in receivers_of(mail.campaign).items()}
    write = Writer(mail, now)
    for entry in report.given_up:
        if entry.realm and entry.to in where and entry.tries:
            mail.queue(write.channel_lost(entry.realm, f"{entry.to} {entry.turn}", where[entry.to]), now)
        if entry.realm:
            continue
        values = {"hook": entry.to, "where": where[entry.to], "told": entry.subject, "words": entry.words}
        mail.queue(write.notice(f"hook {entry.to} {entry.turn}", "hook-lost", **values), now)


def try_again(campaign: Campaign, now: datetime) -> int:
    """Queue given-up notifications once more; the lock is held. Returns how many there are."""
    outbox = outbox_of(campaign)
    lost = [entry for entry in outbox.messages if entry.state in GIVEN_UP and outbox.path(entry.id).is_file()]
    for entry in lost:
        outbox.set_state(entry.id, State.RECALLED, now)
        same_fields = {
            name: getattr(entry, name) for name in ("once", "kind", "to", "subject", "realm", "turn")
        }
        outbox.queue(
            Outgoing(text="", expires=now + KEPT, **same_fields), outbox.path(entry.id).read_bytes(), now
        )
    return len(lost)
