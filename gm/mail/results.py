"""The results of a turn, to every player: once each, in whatever state the last run left the outbox; and what follows
when a turn is taken back, or a realm has a new player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from gm.campaign.open import Campaign
from gm.campaign.recovery import REOPEN
from gm.campaign.stored_turn import played_turn, turn_reports
from gm.game.values import TurnResult
from gm.mail.compose import DOSSIER, ORDERS, REMINDER, RESULTS, Writer, dossier_name
from gm.mail.differences import content_of, correction_of, withdrawn_content
from gm.mail.enclosures import HANDBOOK, file_word, packed, template_enclosures, turn_enclosures
from gm.mail.game_mail import GameMail
from gm.mail.mail_log import PUBLISHED
from gm.mail.outbox import OPEN, Enclosure, OutboxEntry, Outgoing, State
from gm.mail.settings import MAIL_FILE
from gm.mail.status import SUBSCRIBED, note_preference, published_turns
from gm.mail.week import Guard, Waits
from gm.store.inbox import Withdrawn

LOOK_BACK = 3
"""The reports of so many turns go along with a dossier, the newest included."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """The results letters of a turn that a realm's player was written before. ``mark`` tells the state after the turn,
    ``name`` also the player."""

    letters: tuple[OutboxEntry, ...]
    mark: str
    name: str

    @property
    def alike(self) -> tuple[OutboxEntry, ...]:
        """Those about the turn as it is now."""
        return tuple(each for each in self.letters if each.once.startswith(self.name))

    @property
    def last(self) -> OutboxEntry | None:
        """The one that was to reach him last."""
        return next((each for each in reversed(self.letters) if each.state not in (State.FAILED, State.EXPIRED)), None)

    @property
    def replaces(self) -> bool:
        """Whether a letter now would replace one that he has, or may have: his key alone is no new turn."""
        read = [each for each in self.letters if each.may_have_arrived]
        return bool(self.alike and read) or any(each.once.split()[3] != self.mark for each in read)


def earlier_letters(mail: GameMail, realm: str, turn: int) -> Earlier:
    """What was written before; what was recalled never went out."""
    mark, start = mail.state_mark(turn), f"results {turn} {realm} "
    found = (each for each in mail.outbox.messages if each.once.startswith(start) and each.state is not State.RECALLED)
    return Earlier(tuple(found), mark, f"{start}{mark} {mail.seat_mark(realm)}")


def publish_results(mail: GameMail, now: datetime, *, corrected: bool = False, why: str = "") -> int:
    """Give the newest turn's results free and put them into the outbox, for every player with an address. Returns how
    many letters are new. The remark comes last: a run that was cut short does the whole again, and what is in the
    outbox already stays there once. ``corrected``: also those that are different since they went out, and ``why``.
    Whoever has the turn's results already reads what is different, and why."""
    campaign, turn = mail.campaign, mail.campaign.newest_turn
    played = played_turn(campaign, turn)
    digests = campaign.spec.digests(campaign.table, played)
    writer = Writer(mail, now)
    queued = 0
    for seat in campaign.seats:
        if not mail.address(seat.code) or mail.outbox.knows(dossier_name(mail, seat.code)):
            continue  # a dossier holds the results
        if (campaign.folder.turn_path(turn) / f"results/{seat.code}.html").is_file():
            queued += _publish(writer, seat.code, played, digests.get(seat.code, ()), corrected=corrected, why=why)
            if orders := writer.orders(seat.code):
                mail.queue(_replacing(mail, orders), now)
    if turn not in published_turns(mail):
        mail.log.remark(now, PUBLISHED, turn=turn, state=mail.state_mark(turn))
    return queued


def _replacing(mail: GameMail, orders: Outgoing) -> Outgoing:
    """A letter with a template, which says so when its reader has another template for the same orders."""
    start = " ".join(orders.once.split()[:3])
    has = any(each.once.startswith(f"{start} ") and each.may_have_arrived for each in mail.outbox.messages)
    return replace(orders, subject=f"[corrected] {orders.subject}") if has else orders


def _publish(
    writer: Writer, realm: str, played: TurnResult, lines: Sequence[str], *, corrected: bool, why: str
) -> bool:
    """The results for one realm's player; returns whether there is a new letter."""
    mail, campaign, turn = writer.mail, writer.mail.campaign, writer.mail.campaign.newest_turn
    earlier = earlier_letters(mail, realm, turn)
    if earlier.alike and not corrected:
        return False
    results = campaign.folder.turn_path(turn) / "results"
    data, shown = (results / f"{realm}.yaml").read_bytes(), (results / f"{realm}.html").read_bytes()
    content = content_of(campaign.spec.results_data(data, f"{realm}.yaml"), shown)
    last = earlier.last
    if earlier.alike and last is not None and last.content == content:
        return False
    renewed = played.proof.renewed if played.proof else ()
    correction = None
    if earlier.replaces or renewed:
        before = (last.content if last else {}) or withdrawn_content(campaign, realm, turn)
        correction = correction_of(renewed[-1].why if renewed and not earlier.alike else why, before, content)
    once = earlier.name + (f" corrected {len(earlier.alike)}" if earlier.alike else "")
    new = mail.queue(replace(writer.results(realm, played, lines, correction), once=once, content=content), writer.now)
    if last is not None and last.state in OPEN and not last.may_have_arrived:
        mail.outbox.mark(last.id, State.DROPPED, writer.now, "another goes out in its place")
    return new


def waiting_notice(mail: GameMail, waits: Sequence[Waits], now: datetime) -> Outgoing:
    """What waits for the GM, with what looks unusual about a turn that waits to be mailed."""
    campaign = mail.campaign
    guards = {each.guard for each in waits}
    gate = Guard.GATE in guards
    turn = campaign.newest_turn if gate else campaign.next_turn
    warnings = campaign.spec.warnings(campaign.table, played_turn(campaign, turn)) if gate else ()
    deadline = campaign.deadline(campaign.next_turn).isoformat()
    mark = mail.state_mark(turn) if gate else f"{deadline} {' '.join(sorted(each.guard for each in waits))}"
    return Writer(mail, now).notice(
        f"waits {turn} {mark}",
        f"Turn {turn} waits for you",
        "waits",
        {
            "game": mail.game,
            "waiting_turn": turn,
            "waits": [each.says for each in waits],
            "oddities": list(warnings),
            "gate": gate,
            "broken": Guard.BROKEN in guards,
        },
    )


def dossier(mail: GameMail, realm: str, now: datetime) -> Outgoing:
    """The letter to a realm's new player (V3): the rules, the position, the last turns and a template for his orders.
    Reports are made again for it, so that they name the new player's keys and none of the old one's."""
    campaign, limits = mail.campaign, mail.settings.enclosed
    newest = campaign.newest_turn
    files = [Enclosure(HANDBOOK, "text/html", campaign.spec.handbook(campaign.table, campaign.snapshot).encode())]
    template: tuple[Enclosure, ...] = ()
    for turn in range(newest, max(newest - LOOK_BACK, -1), -1):
        made = turn_reports(campaign, turn, everybody=True)
        played = file_word(campaign.spec.played_name(campaign.state_after(turn)))
        of_turn = turn_enclosures(realm, played, made.get, limits, key=campaign.keys.get(realm, ""), rolls=False)
        files += of_turn if turn == newest else of_turn[:1]
        if turn == newest:
            template = template_enclosures(realm, file_word(campaign.spec.coming_name(campaign.state)), made.get)
    return Writer(mail, now).dossier(realm, files, (*packed(f"{realm}-dossier", files, limits), *template))


def queue_dossier(campaign: Campaign, entry: Mapping[str, Any]) -> int:
    """Write to the new player of a seat, and no more to the old one, if the game has mail; ``entry``: the journal's
    line about it. Done a second time, it changes nothing. Returns how many letters are new."""
    if not (campaign.folder.path / MAIL_FILE).is_file():
        return 0
    realm, now = str(entry["realm"]), datetime.fromisoformat(str(entry["letters"]))
    mail = GameMail(campaign)
    letter = dossier(mail, realm, now)
    if not mail.outbox.knows(letter.once):
        mail.outbox.withdraw(realm, now, "the realm has another player")
        note_preference(mail, realm, SUBSCRIBED, now)  # what the old player wished is nobody's wish any more
    return int(mail.queue(letter, now))


# -- a turn that is taken back -----------------------------------------------------------------------------------------


def results_went_out(mail: GameMail, turn: int) -> bool:
    """Whether anybody has the results of a turn as it is now by mail, or may have. A dossier holds them too."""
    mark = mail.state_mark(turn)
    return any(
        (each.kind == RESULTS and each.may_have_arrived and each.once.split()[3] == mark)
        or (each.kind == DOSSIER and (each.may_have_arrived or each.state in OPEN))
        for each in mail.outbox.messages
        if each.turn == turn + 1
    )


def hold_back(mail: GameMail, turn: int, now: datetime) -> None:
    """Let nothing more go out about a turn that is taken back. Done a second time, it changes nothing."""
    mail.outbox.recall((RESULTS, ORDERS, REMINDER), turn + 1, now, f"turn {turn} was taken back")
    last = [each for each in mail.log.remarks(PUBLISHED) if each["turn"] == turn][-1:]
    if last and last[0].get("state", "?"):
        mail.log.remark(now, PUBLISHED, turn=turn, state="")


def queue_withdrawal(mail: GameMail, turn: int, withdrawn: Withdrawn, now: datetime) -> None:
    """Write to every player that a turn whose results are known is taken back, once each time that it is."""
    writer = Writer(mail, now)
    for seat in mail.campaign.seats:
        if mail.address(seat.code):
            mail.queue(writer.undone(seat.code, turn, withdrawn), now)


def finish_undo(campaign: Campaign, entry: Mapping[str, Any]) -> int:
    """Move a turn out of the game and see to its letters; ``entry``: the journal's line. Done a second time, it changes
    nothing. Returns 0: the letters about it are not counted."""
    turn, now = int(entry["turn"]), datetime.fromisoformat(str(entry["at"]))
    if entry["did"] != REOPEN:
        campaign.folder.undo_turn(turn, str(entry["kept"]))
    if (campaign.folder.path / MAIL_FILE).is_file():
        mail = GameMail(campaign.reopened())
        hold_back(mail, turn, now)
        withdrawn = mail.campaign.withdrawn
        if withdrawn is not None and (entry.get("published") or entry["did"] == REOPEN):
            queue_withdrawal(mail, turn, withdrawn, now)
    return 0
