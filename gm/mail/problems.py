"""What keeps the post from working, as 'gm status' tells it: noted when it begins, when it changes and when it ends."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from gm.mail.fetching import READ
from gm.mail.outbox import LOST, Posted
from gm.mail.post import Post

PROBLEM = "problem"
"""The remark that something does not work; without words, that it works again."""


class Where(StrEnum):
    """What can be out of order."""

    MAILBOX = "mailbox"
    SENDING = "sending"
    RESTORED = "restored"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that did not work the last time it was tried. ``since``: when it began not to work."""

    where: Where
    says: str
    since: datetime


def note_problem(post: Post, where: Where, says: str, now: datetime) -> None:
    """Note how something is: what is wrong with it, or nothing when it works."""
    before = next((each for each in problems(post) if each.where is where), None)
    if says != (before.says if before else ""):
        since = before.since if before else now
        post.letters.remark(now, PROBLEM, where=where.value, says=says, since=since.isoformat())


def problems(post: Post) -> tuple[Problem, ...]:
    """What is out of order now."""
    last = {each["where"]: each for each in post.letters.remarks(PROBLEM)}
    found = (last[where] for where in Where if where in last)
    return tuple(
        Problem(Where(each["where"]), each["says"], datetime.fromisoformat(each["since"]))
        for each in found
        if each["says"]
    )


def last_read(post: Post) -> datetime | None:
    """When the whole mailbox was last read, give or take some minutes; none when it never was."""
    return max((datetime.fromisoformat(each["at"]) for each in post.letters.remarks(READ)), default=None)


def left_letters(post: Post) -> list[str]:
    """The games elsewhere that letters were left for when the mailbox was last read, a name a letter."""
    last = max(post.letters.remarks(READ), key=lambda each: datetime.fromisoformat(each["at"]), default={})
    return [str(each) for each in last.get("left", [])]


def letters_without_orders(post: Post) -> tuple[Counter[str], int]:
    """How many letters without orders each player wrote since the newest turn was played, and how many of them were not
    passed on to the GM."""
    turn = post.campaign.next_turn
    found = [each for each in post.letters.entries if "forwarded" in each and each["turn"] == turn]
    return Counter(each["player"] for each in found), sum(not each["forwarded"] for each in found)


def lost_letters(post: Post) -> tuple[Posted, ...]:
    """What did not reach its reader since the newest turn was played."""
    turn = post.campaign.next_turn
    return tuple(each for each in post.outbox.messages if each.state in LOST and each.turn >= turn)
