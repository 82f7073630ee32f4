"""The results of a turn, to every player: once each, in whatever state the last run left the outbox."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from gm.campaign.stored_turn import played_turn
from gm.game.turn_result import TurnResult
from gm.mail.compose import Writer, dossier_name
from gm.mail.corrections import content_of, correction_of, earlier_letters, withdrawn_content
from gm.mail.outbox import OPEN, Outgoing, State
from gm.mail.post import Post
from gm.mail.week import PUBLISHED, Guard, Waits, published_turns


def publish_results(post: Post, now: datetime, *, corrected: bool = False, why: str = "") -> int:
    """Give the newest turn's results free and put them into the outbox, for every player with an address.

    Returns how many letters are new. The remark comes last: a run that was cut short does the whole again, and what is
    in the outbox already stays there once. ``corrected``: also those that are different since they went out, and
    ``why``. Whoever has the turn's results already reads what is different, and why.
    """
    campaign = post.campaign
    turn = campaign.newest_turn
    played = played_turn(campaign, turn)
    digests = campaign.spec.digests(campaign.table, played)
    writer = Writer(post, now)
    queued = 0
    for seat in campaign.seats:
        if not post.address(seat.code) or post.outbox.knows(dossier_name(post, seat.code)):
            continue  # a dossier holds the results
        if (campaign.folder.turn_path(turn) / f"results/{seat.code}.html").is_file():
            queued += _publish(writer, seat.code, played, digests.get(seat.code, ()), corrected=corrected, why=why)
            if orders := writer.orders(seat.code):
                post.queue(_replacing(post, orders), now)
    if turn not in published_turns(post):
        post.letters.remark(now, PUBLISHED, turn=turn, state=post.state_mark(turn))
    return queued


def _replacing(post: Post, orders: Outgoing) -> Outgoing:
    """A letter with a template, which says so when its reader has another template for the same orders."""
    start = " ".join(orders.once.split()[:3])
    has = any(each.once.startswith(f"{start} ") and each.may_have_arrived for each in post.outbox.messages)
    return replace(orders, subject=f"[corrected] {orders.subject}") if has else orders


def _publish(
    writer: Writer, realm: str, played: TurnResult, lines: Sequence[str], *, corrected: bool, why: str
) -> bool:
    """The results for one realm's player; returns whether there is a new letter."""
    post, campaign, turn = writer.post, writer.post.campaign, writer.post.campaign.newest_turn
    earlier = earlier_letters(post, realm, turn)
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
    new = post.queue(replace(writer.results(realm, played, lines, correction), once=once, content=content), writer.now)
    if last is not None and last.state in OPEN and not last.may_have_arrived:
        post.outbox.mark(last.id, State.DROPPED, writer.now, "another goes out in its place")
    return new


def waiting_notice(post: Post, waits: Sequence[Waits], now: datetime) -> Outgoing:
    """The letter that tells the GM what waits for him, with what looks unusual about a turn that waits to be mailed."""
    campaign = post.campaign
    gate = any(each.guard is Guard.GATE for each in waits)
    broken = any(each.guard is Guard.BROKEN for each in waits)
    turn = campaign.newest_turn if gate else campaign.next_turn
    warnings = campaign.spec.warnings(campaign.table, played_turn(campaign, turn)) if gate else ()
    deadline = campaign.deadline(campaign.next_turn).isoformat()
    mark = post.state_mark(turn) if gate else f"{deadline} {' '.join(sorted(each.guard for each in waits))}"
    return Writer(post, now).notice(
        f"waits {turn} {mark}",
        f"Turn {turn} waits for you",
        "waits",
        {
            "game": post.game,
            "waiting_turn": turn,
            "waits": [each.says for each in waits],
            "oddities": list(warnings),
            "gate": gate,
            "broken": broken,
        },
    )
