"""Who wants to be reminded: a player says so in the subject of an answer, or the GM for him; his last word counts."""

from __future__ import annotations

import re
from datetime import datetime

from gm.mail.letter import Letter
from gm.mail.post import Post

UNSUBSCRIBED = "unsubscribed"
SUBSCRIBED = "subscribed"

# behind what mail programs put in front of a subject
_WISH = re.compile(r"\s*(\[[^\]]{1,30}\]\s*)?((re|aw|antw|sv|rif|odp)\s?:\s*)*(unsubscribe|subscribe)\b", re.IGNORECASE)


def wish_of(letter: Letter) -> str:
    """What a letter without orders asks for in its subject: ``UNSUBSCRIBED``, ``SUBSCRIBED`` or nothing."""
    match = None if letter.files else _WISH.match(letter.subject)
    if match is None:
        return ""
    return UNSUBSCRIBED if match[4].lower().startswith("un") else SUBSCRIBED


def unsubscribed(post: Post) -> frozenset[str]:
    """The realms whose players want no reminders. What somebody wished who played the realm before does not count."""
    players = {player.realm: player for player in post.campaign.folder.players.players}
    wishes: dict[str, str] = {}
    for each in post.letters.remarks(UNSUBSCRIBED, SUBSCRIBED):
        if each["realm"] in players and each.get("turn", 1) >= players[each["realm"]].seated:
            wishes[each["realm"]] = each["what"]
    return frozenset(realm for realm, wish in wishes.items() if wish == UNSUBSCRIBED)


def note_wish(post: Post, realm: str, wish: str, now: datetime) -> bool:
    """Note what a realm's player wants. Returns whether that is something else than before."""
    if (realm in unsubscribed(post)) == (wish == UNSUBSCRIBED):
        return False
    post.letters.remark(now, wish, realm=realm, turn=post.campaign.next_turn)
    return True
