"""The results of a turn, to every player: once each, in whatever state the last run left the outbox."""

from __future__ import annotations

from datetime import datetime

from gm.kernel.campaign.reporting import played_turn
from gm.mail.compose import Writer
from gm.mail.post import Post


def queue_results(post: Post, now: datetime) -> int:
    """Put the newest turn's results for every player with an address into the outbox; returns how many are new."""
    campaign = post.campaign
    played = played_turn(campaign, campaign.newest_turn)
    digests = campaign.spec.digests(campaign.table, played)
    writer = Writer(post, now)
    queued = 0
    for seat in campaign.seats:
        if seat.played and post.address(seat.code):
            queued += post.queue(writer.results(seat.code, played, digests.get(seat.code, ())), now)
    return queued
