"""A turn that is taken back, as far as its letters go: what may have been read, what is held back, who is told."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from gm.campaign.open import Campaign
from gm.campaign.recovery import REOPEN
from gm.mail.compose import Writer
from gm.mail.outbox import OPEN
from gm.mail.post import Post
from gm.mail.settings import MAIL_FILE
from gm.mail.week import PUBLISHED
from gm.store.decisions import Withdrawn

RESULTS, ORDERS, DOSSIER, REMINDER = "results", "orders", "dossier", "reminder"


def results_went_out(post: Post, turn: int) -> bool:
    """Whether anybody has the results of a turn as it is now by mail, or may have. A dossier holds them too."""
    told = (each for each in post.outbox.messages if each.turn == turn + 1)
    mark = post.state_mark(turn)
    return any(
        (each.kind == RESULTS and each.may_have_arrived and each.once.split()[3] == mark)
        or (each.kind == DOSSIER and (each.may_have_arrived or each.state in OPEN))
        for each in told
    )


def hold_back(post: Post, turn: int, now: datetime) -> None:
    """Let nothing more go out about a turn that is taken back. Done a second time, it changes nothing."""
    post.outbox.recall((RESULTS, ORDERS, REMINDER), turn + 1, now, f"turn {turn} was taken back")
    last = [each for each in post.letters.remarks(PUBLISHED) if each["turn"] == turn][-1:]
    if last and last[0].get("state", "?"):
        post.letters.remark(now, PUBLISHED, turn=turn, state="")


def tell_players(post: Post, turn: int, withdrawn: Withdrawn, now: datetime) -> None:
    """Write to every player that a turn whose results are known is taken back, once each time that it is."""
    writer = Writer(post, now)
    for seat in post.campaign.seats:
        if post.address(seat.code):
            post.queue(writer.undone(seat.code, turn, withdrawn), now)


def finish_undo(campaign: Campaign, entry: Mapping[str, Any]) -> int:
    """Move a turn out of the game and see to its letters; ``entry``: the journal's line. Done a second time, it changes
    nothing. Returns 0: the letters about it are not counted."""
    turn, now = int(entry["turn"]), datetime.fromisoformat(str(entry["at"]))
    if entry["did"] != REOPEN:
        campaign.folder.undo_turn(turn, str(entry["kept"]))
    if (campaign.folder.path / MAIL_FILE).is_file():
        post = Post(campaign.reopened())
        hold_back(post, turn, now)
        withdrawn = post.campaign.withdrawn
        if withdrawn is not None and (entry.get("published") or entry["did"] == REOPEN):
            tell_players(post, turn, withdrawn, now)
    return 0
