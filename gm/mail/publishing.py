"""The results of a turn, to every player: once each, in whatever state the last run left the outbox."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from gm.kernel.campaign.reporting import played_turn
from gm.mail.compose import Writer, dossier_name
from gm.mail.outbox import Outgoing
from gm.mail.post import Post
from gm.mail.week import PUBLISHED, Guard, Waits, published_turns


def publish_results(post: Post, now: datetime, *, corrected: bool = False) -> int:
    """Give the newest turn's results free and put them into the outbox, for every player with an address.

    Returns how many letters are new. The remark comes last: a run that was cut short does the whole again, and what is
    in the outbox already stays there once. ``corrected``: also those that were written again since they went out.
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
            lines = digests.get(seat.code, ())
            queued += post.queue(writer.results(seat.code, played, lines, corrected=corrected), now)
    if turn not in published_turns(post):
        post.letters.remark(now, PUBLISHED, turn=turn, state=post.state_mark(turn))
    return queued


def waiting_notice(post: Post, waits: Sequence[Waits], now: datetime) -> Outgoing:
    """The letter that tells the GM what waits for him, with what looks unusual about a turn that waits to be mailed."""
    campaign = post.campaign
    gate = any(each.guard is Guard.GATE for each in waits)
    broken = any(each.guard is Guard.BROKEN for each in waits)
    turn = campaign.newest_turn if gate else campaign.next_turn
    oddities = campaign.spec.oddities(campaign.table, played_turn(campaign, turn)) if gate else ()
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
            "oddities": list(oddities),
            "gate": gate,
            "broken": broken,
        },
    )
