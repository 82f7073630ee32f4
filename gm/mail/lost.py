"""Letters that did not reach their readers: the GM hears of each once, by a letter of his own."""

from __future__ import annotations

from datetime import datetime

from gm.mail.compose import Writer
from gm.mail.post import FOR_GM, Post
from gm.mail.problems import lost_letters

_PURPOSE = "lost"
_AT_ONCE = 40


def tell_of_lost(post: Post, now: datetime) -> bool:
    """Write to the GM about what failed or came back since he was told last; whether there is anything.

    What was for himself is left out: a letter about it would be lost in the same way. 'gm status' shows it.
    """
    beginning = f"gm {_PURPOSE} "
    told = {number for each in post.outbox.messages if each.once.startswith(beginning) for number in each.once.split()}
    new = [each for each in lost_letters(post) if each.kind != FOR_GM and each.id not in told][:_AT_ONCE]
    if not new:
        return False
    values = {
        "lost": [(each.to, each.subject, each.state.value, each.words) for each in new],
        "realms": sorted({each.realm for each in new if each.realm}),
    }
    purpose = f"{_PURPOSE} {' '.join(each.id for each in new)}"
    post.queue(Writer(post, now).notice(purpose, "Letters that did not arrive", "lost", values), now)
    return True
