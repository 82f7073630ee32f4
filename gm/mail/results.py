"""Letters to all players with a turn's results: each goes out once, even if a run was interrupted before.

Also the epilogue when the game is over, and the notice to the GM about a turn that waits.
"""

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
from gm.mail.channels import queue_results, queue_safely
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
    """Release the newest turn's results: queue them for every player with an address.

    The order templates, the epilogue, the GM's copies of letters and the notifications are queued with them.
    Return how many letters with results are new. The release is recorded last: if a run is interrupted
    before, the next one does all of it again, and letters that are in the outbox are not queued twice.
    ``corrected``: results that have changed since they went out are sent again, with a note about what has
    changed and ``why``.
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
    """Queue a player's order template, if there is one.

    Its subject says that it is corrected if the player may have got another one for the same turn.
    """
    letter = writer.orders(realm)
    if letter is None:
        return
    start = orders_start(writer.mail.campaign.next_turn, realm)
    if any(entry.may_have_arrived and entry.once.startswith(start) for entry in writer.mail.outbox.messages):
        letter = letter.evolve(subject=f"{writer.translator_for(realm)('[corrected]')} {letter.subject}")
    writer.mail.queue(letter, writer.now)


def publish_epilogue(writer: Writer) -> None:
    """Queue the page about the whole game for every player, once the game is over.

    It is queued again with the players' letters in it, once all agree to that.
    """
    mail = writer.mail
    campaign = mail.campaign
    if campaign.winners is None:
        return
    page = cache(lambda language: epilogue(campaign, language))
    with_letters = opened_letters(campaign) is not None
    for seat in campaign.seats:
        # whoever has the page with the letters needs none without them
        versions = {True, with_letters}
        purposes = {writer.epilogue_name(seat.code, letters=version) for version in versions}
        if mail.address(seat.code) and not any(map(mail.outbox.knows, purposes)):
            letter = writer.epilogue(seat.code, page(writer.language(seat.code)), letters=with_letters)
            mail.queue(letter, writer.now)


def _publish(
    writer: Writer, realm: str, played: TurnResult, lines: Sequence[str], *, corrected: bool, why: str
) -> bool:
    """Queue a player's results, unless the same were queued before; return whether they are new.

    An earlier letter with results that has not gone out yet is dropped: this one goes out in its place.
    ``lines``: the turn in a few sentences; ``corrected`` and ``why`` as in :func:`publish_results`.
    """
    mail = writer.mail
    campaign = mail.campaign
    turn = campaign.newest_turn
    earlier = _earlier_results(mail, realm)
    if earlier.current and not corrected:
        return False
    content = _content_of(campaign, campaign.folder.turn_path(turn) / "results", realm)
    last = earlier.last
    if earlier.current and last is not None and last.content == content:
        return False
    renewed = played.proof.renewed if played.proof else ()
    correction = None
    if renewed or earlier.need_correction(mail.state_fingerprint(turn)):
        old_content = last.content if last and last.content else _withdrawn_content(campaign, realm)
        # the reason for playing the turn again; for results that are only corrected, the one given now
        reason = renewed[-1].why if renewed and not earlier.current else why
        correction = _correction(reason, old_content, content, writer.translator_for(realm))
    once = earlier.purpose
    if earlier.current:
        once = f"{once} corrected {len(earlier.current)}"
    letter = writer.results(realm, played, lines, correction).evolve(once=once, content=content)
    is_new = mail.queue(letter, writer.now)
    if last is not None and last.state in OPEN and not last.may_have_arrived:
        mail.outbox.set_state(last.id, State.DROPPED, writer.now, "another goes out in its place")
    return is_new


class _EarlierResults(Record):
    """The letters with the newest turn's results that were queued for a player, and not recalled."""

    purpose: str  # that of a letter about the turn as it is now
    letters: tuple[OutboxEntry, ...]  # also about the turn before it was undone and played again
    current: tuple[OutboxEntry, ...]  # those about the turn as it is now, first and corrected ones

    @property
    def last(self) -> OutboxEntry | None:
        """The last letter that has not failed or expired; None if there is none."""
        lost = (State.FAILED, State.EXPIRED)
        return next((letter for letter in reversed(self.letters) if letter.state not in lost), None)

    def need_correction(self, fingerprint: str) -> bool:
        """Return whether the player may have read results that the next letter replaces.

        ``fingerprint``: that of the state after the turn, as it is now. A letter with the same state, but to
        another seat, needs no correction: only the key is new.
        """
        arrived = [letter for letter in self.letters if letter.may_have_arrived]
        has_other_state = any(results_state(letter.once) != fingerprint for letter in arrived)
        return bool(self.current and arrived) or has_other_state


def _earlier_results(mail: GameMail, realm: str) -> _EarlierResults:
    """Return the letters with the newest turn's results that were queued for a realm and not recalled."""
    turn = mail.campaign.newest_turn
    start = results_start(turn, realm)
    purpose = results_name(turn, realm, mail.state_fingerprint(turn), mail.seat_fingerprint(realm))
    about_turn = (letter for letter in mail.outbox.messages if letter.once.startswith(start))
    letters = tuple(letter for letter in about_turn if letter.state is not State.RECALLED)
    current = tuple(letter for letter in letters if letter.once.startswith(purpose))
    return _EarlierResults(purpose, letters, current)


def _withdrawn_content(campaign: Campaign, realm: str) -> dict[str, str]:
    """Return the fingerprints of a player's results of the turn before it was undone, by part of the results.

    Empty if it was not undone, or if they cannot be read.
    """
    with suppress(OSError, ValueError):
        withdrawn = campaign.folder.inbox(campaign.newest_turn).withdrawn()
        if withdrawn:
            return _content_of(campaign, campaign.folder.undone / withdrawn.kept / "results", realm)
    return {}


def notify_waiting(mail: GameMail, waits: Sequence[Waits], now: datetime) -> None:
    """Queue a notice to the GM about the reasons why a turn waits, once for each deadline and set of reasons.

    If results wait to be mailed, there is one notice for them, which also lists what is unusual in them.
    """
    campaign = mail.campaign
    guards = {wait.guard for wait in waits}
    results_wait = Guard.GATE in guards
    turn = campaign.newest_turn if results_wait else campaign.next_turn
    if results_wait:
        occasion = mail.state_fingerprint(turn)
        warnings = campaign.spec.warnings(campaign.table, played_turn(campaign, turn))
    else:
        deadline = campaign.deadline(campaign.next_turn).isoformat()
        occasion = f"{deadline} {' '.join(sorted(wait.guard for wait in waits))}"
        warnings = ()
    values = {
        "waiting_turn": turn,
        "waits": [wait.says for wait in waits],
        "warnings": warnings,
        "gate": results_wait,
        "broken": Guard.BROKEN in guards,
    }
    mail.queue(Writer(mail, now).notice(f"waits {turn} {occasion}", "waits", **values), now)


def _content_of(campaign: Campaign, folder: TurnPath, realm: str) -> dict[str, str]:
    """Return a fingerprint of each part of a player's results in a folder, by the part's name.

    The parts are those of ``templates/mail/parts.yaml``: the report, and groups of entries in the data for
    programs.
    """
    data = campaign.spec.results_data((folder / f"{realm}.yaml").read_bytes(), f"{realm}.yaml")
    parts: dict[str, dict[str, Any]] = {}  # by name: its entries
    part_of_entry: dict[str, str] = {}
    for part, fields in mail_data("parts.yaml").items():
        part_of_entry |= dict.fromkeys(fields["entries"], part)
    for name, value in data.items():
        # what ``parts.yaml`` does not list is a part of the position
        parts.setdefault(part_of_entry.get(name, "position"), {})[name] = value
    # the player's rolls are among the private entries, but belong to the dice
    private = dict(parts.get("orders", {}).get("private") or {})
    parts.setdefault("dice", {})["rolls"] = private.pop("rolls", None)
    parts.setdefault("orders", {})["private"] = private
    fingerprints = {}
    for name, entries in parts.items():
        fingerprints[name] = fingerprint(json.dumps(entries, sort_keys=True, default=str).encode())
    return {**fingerprints, "report": fingerprint((folder / f"{realm}.html").read_bytes())}


def _correction(
    why: str, old_content: Mapping[str, str], content: Mapping[str, str], translate: Translate
) -> dict[str, str]:
    """Return the template's values for a correction: ``why``, as given, and parts in words.

    ``differs`` names the parts that have changed: the report only if nothing else has. ``same`` names those
    that have not, except the report and the part ``next``. ``old_content``, ``content``: fingerprints of the
    replaced and of the new results, by part (:func:`_content_of`); a part that only one of them has is not
    named.
    """
    parts = mail_data("parts.yaml").items()
    words = {
        name: translate(part["words"]) for name, part in parts if name in old_content and name in content
    }
    differing = [name for name in words if old_content[name] != content[name]]
    # the report differs whenever another part does: it is named only if it differs alone
    differing = [name for name in differing if name != "report"] or differing
    same = [name for name in words if old_content[name] == content[name] and name not in ("report", "next")]
    return {
        "why": why,
        "differs": listed([words[name] for name in differing], "", translate("and")),
        "same": listed([words[name] for name in same], "", translate("and")),
    }


def results_went_out(mail: GameMail, turn: int) -> bool:
    """Return whether any player may have the results of a turn, as it is now, by mail.

    A dossier counts, as it holds the newest results, even one that still waits to be sent. A letter about the
    turn as it was before it was played again does not count.
    """
    current = mail.state_fingerprint(turn)
    for letter in mail.outbox.messages:
        # a letter is about the turn for which orders are given when it is written
        if letter.turn != turn + 1:
            continue
        if letter.kind == RESULTS and letter.may_have_arrived and results_state(letter.once) == current:
            return True
        if letter.kind == DOSSIER and (letter.may_have_arrived or letter.state in OPEN):
            return True
    return False
