"""Keys that were tried in letters: how many wrong ones came for a realm, and when no key counts any more.

Each letter that is dealt with says in the journal how many it held, so that a run that is killed counts none twice.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from gm.mail.compose import Writer
from gm.mail.post import Post

GUESSES = 20
"""So many wrong keys may come for a realm and turn; then only its player's address counts, together with his token."""

NOTED = "guesses"
"""The entry of a letter in the journal that says how many it held, by the mark of the seat: new keys begin anew."""


def closed_realms(post: Post) -> frozenset[str]:
    """The realms for which no key counts any more in this turn."""
    return frozenset(realm for realm, number in wrong_keys(post).items() if number >= GUESSES)


def wrong_keys(post: Post) -> dict[str, int]:
    """How many wrong keys came for each realm in this turn, for those for which any did."""
    found: Counter[str] = Counter()
    for entry in post.letters.entries:
        found.update(entry.get(NOTED, {}))
    seats = {realm: found[post.seat_mark(realm)] for realm in sorted(post.campaign.keys)} if found else {}
    return {realm: number for realm, number in seats.items() if number}


def guesses_in(post: Post, realms: list[str]) -> dict[str, int]:
    """What to note of a letter that held wrong keys for these realms, one each time it did."""
    return dict(Counter(post.seat_mark(realm) for realm in realms))


def tell_of_guesses(post: Post, realm: str, number: int, now: datetime) -> None:
    """Tell the GM, once a turn, that somebody tries keys."""
    values = {"guessed": post.campaign.spec.party_word, "code": realm, "number": number}
    notice = Writer(post, now).notice(f"guesses {post.seat_mark(realm)}", f"Wrong keys for {realm}", "guesses", values)
    post.queue(notice, now)
