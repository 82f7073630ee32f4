"""What a player gets who takes over a realm in the middle of a game (V3)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from gm.campaign.open import Campaign
from gm.campaign.stored_turn import turn_reports
from gm.mail.compose import Writer
from gm.mail.enclosing import HANDBOOK, file_word, packed, template_enclosures, turn_enclosures
from gm.mail.outbox import Enclosure, Outgoing
from gm.mail.post import Post
from gm.mail.reminder_preferences import SUBSCRIBED, note_wish
from gm.mail.settings import MAIL_FILE

LOOK_BACK = 3
"""The reports of so many turns go along, the newest included."""


def dossier(post: Post, realm: str, now: datetime) -> Outgoing:
    """The letter to a realm's new player: the rules, the position, the last turns and a template for his orders.

    Reports are made again for it, so that they name the new player's keys and none of the old one's.
    """
    campaign, limits = post.campaign, post.settings.enclosed
    newest = campaign.newest_turn
    files = [Enclosure(HANDBOOK, "text/html", campaign.spec.handbook(campaign.table, campaign.snapshot).encode())]
    template: tuple[Enclosure, ...] = ()
    for turn in range(newest, max(newest - LOOK_BACK, -1), -1):
        made = turn_reports(campaign, turn, everybody=True)
        played = file_word(campaign.spec.played_name(campaign.state_after(turn)))
        of_turn = turn_enclosures(realm, played, made.get, limits, key=campaign.keys.get(realm, ""), rolls=False)
        if turn == newest:
            template = template_enclosures(realm, file_word(campaign.spec.coming_name(campaign.state)), made.get)
            files += of_turn
        else:
            files.append(of_turn[0])
    return Writer(post, now).dossier(realm, files, (*packed(f"{realm}-dossier", files, limits), *template))


def queue_dossier(campaign: Campaign, entry: Mapping[str, Any]) -> int:
    """Write to the new player of a seat, and no more to the old one, if the game has a post; ``entry``: the journal's
    line about it. Done a second time, it changes nothing. Returns how many letters are new."""
    if not (campaign.folder.path / MAIL_FILE).is_file():
        return 0
    realm, now = str(entry["realm"]), datetime.fromisoformat(str(entry["letters"]))
    post = Post(campaign)
    letter = dossier(post, realm, now)
    if not post.outbox.knows(letter.once):
        post.outbox.withdraw(realm, now, "the realm has another player")
        note_wish(post, realm, SUBSCRIBED, now)  # what the old player wished is nobody's wish any more
    return int(post.queue(letter, now))
