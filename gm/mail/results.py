"""Letters to all players with a turn's results, once each, whatever the last run left in the outbox."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cache
from typing import Any

from gm.campaign.epilogue import epilogue
from gm.campaign.open import Campaign
from gm.campaign.play import played_turn
from gm.campaign.press import letters_for_gm, opened_letters
from gm.core.values import Record
from gm.game.values import TurnResult
from gm.mail.body_text import mail_data
from gm.mail.bulletins import queue_safely
from gm.mail.channels import queue_results
from gm.mail.compose import DOSSIER, RESULTS, Writer
from gm.mail.game_mail import PUBLISHED, GameMail
from gm.mail.outbox import OPEN, OutboxEntry, State
from gm.mail.press_letters import PressWriter
from gm.mail.purposes import dossier_name, orders_start, results_name, results_start, results_state
from gm.mail.status import published_turns
from gm.mail.week import Guard, Waits
from gm.store.inbox import fingerprint
from gm.store.places import TurnPath
from gm.text.languages import Translate
from gm.text.pages import listed


def publish_results(mail: GameMail, now: datetime, *, corrected: bool = False, why: str = "") -> int:
    """Release the newest turn's results and put them into the outbox, for every player with an address.

    Returns how many letters are new. The release is recorded last: a run that was interrupted does the whole
    again, and messages in the outbox are not queued twice. ``corrected``: also results that have changed
    since they went out, and ``why``. A player who has the turn's results already reads what has changed, and
    why.
    """
    campaign = mail.campaign
    turn = campaign.newest_turn
    played = played_turn(campaign, turn)
    digests = campaign.spec.digests(campaign.table, played)
    writer = Writer(mail, now)
    queued = 0
    for seat in campaign.seats:
        if not mail.address(seat.code) or mail.outbox.knows(dossier_name(mail, seat.code)):
            continue  # a dossier holds the results
        if (campaign.folder.turn_path(turn) / f"results/{seat.code}.html").is_file():
            queued += _publish(
                writer, seat.code, played, digests.get(seat.code, ()), corrected=corrected, why=why
            )
            _publish_orders(writer, seat.code)
    publish_epilogue(writer)
    for letter in letters_for_gm(campaign, played.press, turn):
        mail.queue(PressWriter(mail, now).gm_copy(letter), now)
    queue_results(mail, now)
    if campaign.folder.settings.hooks:
        from gm.mail.hooks import queue_turn

        queue_safely(lambda: queue_turn(campaign, now))
    if turn not in published_turns(mail):
        mail.log.remark(now, PUBLISHED, turn=turn, state=mail.state_fingerprint(turn))
    return queued


def _publish_orders(writer: Writer, realm: str) -> None:
    """Send a player the order template, marked as corrected if they have another one for the same turn."""
    letter = writer.orders(realm)
    if letter is None:
        return
    messages = writer.mail.outbox.messages
    start = orders_start(writer.mail.campaign.next_turn, realm)
    if any(entry.may_have_arrived and entry.once.startswith(start) for entry in messages):
        letter = letter.evolve(subject=f"{writer.translator_for(realm)('[corrected]')} {letter.subject}")
    writer.mail.queue(letter, writer.now)


def publish_epilogue(writer: Writer) -> None:
    """Send everybody the page of a game that is over; again with the letters, once all agree to that."""
    mail = writer.mail
    campaign = mail.campaign
    if campaign.winners is None:
        return
    page = cache(lambda language: epilogue(campaign, language))
    letters = opened_letters(campaign) is not None
    for seat in campaign.seats:
        names = {writer.epilogue_name(seat.code, letters=with_letters) for with_letters in {True, letters}}
        if mail.address(seat.code) and not any(map(mail.outbox.knows, names)):
            mail.queue(
                writer.epilogue(seat.code, page(writer.language(seat.code)), letters=letters), writer.now
            )


def _publish(
    writer: Writer, realm: str, played: TurnResult, lines: Sequence[str], *, corrected: bool, why: str
) -> bool:
    """Queue a player's results, unless they have them; return whether they are new."""
    mail = writer.mail
    campaign = mail.campaign
    turn = campaign.newest_turn
    earlier = _earlier(mail, realm)
    if earlier.alike and not corrected:
        return False
    content = _content_of(campaign, campaign.folder.turn_path(turn) / "results", realm)
    last = earlier.last
    if earlier.alike and last is not None and last.content == content:
        return False
    renewed = played.proof.renewed if played.proof else ()
    correction = None
    if renewed or earlier.shows_other(mail.state_fingerprint(turn)):
        old = last.content if last and last.content else _withdrawn_content(campaign, realm)
        reason = renewed[-1].why if renewed and not earlier.alike else why
        correction = _correction(reason, old, content, writer.translator_for(realm))
    once = earlier.name + (f" corrected {len(earlier.alike)}" if earlier.alike else "")
    letter = writer.results(realm, played, lines, correction).evolve(once=once, content=content)
    is_new = mail.queue(letter, writer.now)
    if last is not None and last.state in OPEN and not last.may_have_arrived:
        mail.outbox.set_state(last.id, State.DROPPED, writer.now, "another goes out in its place")
    return is_new


class _Earlier(Record):
    """The letters about a turn that a player was sent before.

    ``name``: the purpose of a letter about the turn as it is now; ``alike``: the letters about it; recalled
    ones never went out.
    """

    name: str
    letters: tuple[OutboxEntry, ...]
    alike: tuple[OutboxEntry, ...]

    @property
    def last(self) -> OutboxEntry | None:
        """The last letter that was to reach the player; None if there is none."""
        lost = (State.FAILED, State.EXPIRED)
        return next((letter for letter in reversed(self.letters) if letter.state not in lost), None)

    def shows_other(self, fingerprint: str) -> bool:
        """Return whether the player has read the turn as it is now, or with another ``fingerprint``.

        A new key alone is no new turn.
        """
        read = [letter for letter in self.letters if letter.may_have_arrived]
        return bool(self.alike and read) or any(results_state(letter.once) != fingerprint for letter in read)


def _earlier(mail: GameMail, realm: str) -> _Earlier:
    """Return the letters with the newest turn's results that were queued for a realm and not recalled."""
    turn = mail.campaign.newest_turn
    start = results_start(turn, realm)
    name = results_name(turn, realm, mail.state_fingerprint(turn), mail.seat_fingerprint(realm))
    about_turn = (letter for letter in mail.outbox.messages if letter.once.startswith(start))
    letters = tuple(letter for letter in about_turn if letter.state is not State.RECALLED)
    return _Earlier(name, letters, tuple(letter for letter in letters if letter.once.startswith(name)))


def _withdrawn_content(campaign: Campaign, realm: str) -> dict[str, str]:
    """Return the fingerprints of a player's results of the turn that was taken back; empty without any."""
    with suppress(OSError, ValueError):
        withdrawn = campaign.folder.inbox(campaign.newest_turn).withdrawn()
        if withdrawn:
            return _content_of(campaign, campaign.folder.undone / withdrawn.kept / "results", realm)
    return {}


def notify_waiting(mail: GameMail, waits: Sequence[Waits], now: datetime) -> None:
    """Notify the GM of the decisions that wait for them, and of unusual results in a turn to be mailed."""
    campaign = mail.campaign
    guards = {wait.guard for wait in waits}
    gate = Guard.GATE in guards
    turn = campaign.newest_turn if gate else campaign.next_turn
    deadline = campaign.deadline(campaign.next_turn).isoformat()
    mark = (
        mail.state_fingerprint(turn)
        if gate
        else f"{deadline} {' '.join(sorted(wait.guard for wait in waits))}"
    )
    values = {
        "waiting_turn": turn,
        "waits": [wait.says for wait in waits],
        "warnings": campaign.spec.warnings(campaign.table, played_turn(campaign, turn)) if gate else (),
        "gate": gate,
        "broken": Guard.BROKEN in guards,
    }
    mail.queue(Writer(mail, now).notice(f"waits {turn} {mark}", "waits", **values), now)


def _content_of(campaign: Campaign, folder: TurnPath, realm: str) -> dict[str, str]:
    """Return a fingerprint of each part of a player's results here: data for programs, and report."""
    data = campaign.spec.results_data((folder / f"{realm}.yaml").read_bytes(), f"{realm}.yaml")
    parts: dict[str, dict[str, Any]] = {}
    part_of: dict[str, str] = {}
    for part, about in mail_data("parts.yaml").items():
        part_of |= dict.fromkeys(about["entries"], part)
    for name, value in data.items():
        parts.setdefault(part_of.get(name, "position"), {})[name] = value
    own_part = dict(parts.get("orders", {}).get("private") or {})
    parts.setdefault("dice", {})["rolls"] = own_part.pop("rolls", None)
    parts.setdefault("orders", {})["private"] = own_part
    packed = {name: json.dumps(part, sort_keys=True, default=str).encode() for name, part in parts.items()}
    fingerprints = {name: fingerprint(data) for name, data in packed.items()}
    return {**fingerprints, "report": fingerprint((folder / f"{realm}.html").read_bytes())}


def _correction(
    why: str, before: Mapping[str, str], now: Mapping[str, str], translate: Translate
) -> dict[str, str]:
    """Return the text about the changes in a replaced letter: why, and which parts are new or the same."""
    parts = mail_data("parts.yaml").items()
    words = {name: translate(part["words"]) for name, part in parts if name in before and name in now}
    differs = [name for name in words if before[name] != now[name]]
    # how the report shows it is news only when nothing else is
    differs = [name for name in differs if name != "report"] or differs
    unchanged = [name for name in words if before[name] == now[name] and name not in ("report", "next")]
    listing = {"why": why}
    for name, parts_named in (("differs", differs), ("same", unchanged)):
        listing[name] = listed([words[part] for part in parts_named], "", translate("and"))
    return listing


def results_went_out(mail: GameMail, turn: int) -> bool:
    """Return whether a player has the results of a turn as it is now by mail, or may have.

    A dossier counts, as it holds the newest results; also one that still waits to be sent. A letter about the
    turn as it was before it was played again does not.
    """
    current = mail.state_fingerprint(turn)
    for letter in mail.outbox.messages:
        if letter.turn != turn + 1:
            continue
        if letter.kind == RESULTS and letter.may_have_arrived and results_state(letter.once) == current:
            return True
        if letter.kind == DOSSIER and (letter.may_have_arrived or letter.state in OPEN):
            return True
    return False
