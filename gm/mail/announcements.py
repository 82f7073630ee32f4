"""What the GM tells all players: another deadline, and whatever else he announces.

Both are queued after the change that they tell of is in the game, from its line in the journal. Done a second time,
they change nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from gm.campaign.open import Campaign
from gm.mail.compose import DEADLINE, Writer
from gm.mail.game_mail import GameMail
from gm.mail.outbox import Outgoing
from gm.mail.settings import MAIL_FILE
from gm.mail.status import published_turns

ANNOUNCEMENTS = "announcements"
"""The folder of the game's mail in which the texts are kept."""

_SUBJECTS = {"hold": "The game is on hold", "resume": "The game goes on", "holiday": "A holiday"}


class AnnouncementWriter(Writer):
    """Writes these letters."""

    def deadline(self, realm: str, entry: Mapping[str, Any]) -> Outgoing:
        """That the GM has changed a deadline, with the entry for the player's calendar."""
        due, what = self.mail.campaign.folder.settings.deadline, str(entry["what"])
        deadline = due.of_turn(self._turn)
        was = datetime.fromisoformat(entry["was"]) if entry.get("was") else None
        about = int(entry.get("about", self._turn))
        changed = what in ("hold", "resume") or was != deadline
        return self._letter(
            DEADLINE,
            f"{_SUBJECTS.get(what, 'Another deadline')}: {self._coming}",
            realm,
            once=f"deadline {entry['letters']} {what} {entry['state']} {realm}",
            values={
                "what": what,
                **{name: entry.get(name, "") for name in ("why", "first", "last")},
                "about": about,
                "about_due": self._local(realm, due.of_turn(about)),
                "was": self._local(realm, was) if was else "",
                "passed": not due.hold and self.now > deadline,
                "calendar": changed,
            },
            enclosures=(self._calendar(realm, new=1),) if changed else (),
            marked=False,
        )

    def announcement(self, realm: str, subject: str, text: str, mark: str) -> Outgoing:
        """What the GM has to say, in his own words."""
        values = {"text": text}
        return self._letter(
            "announcement", subject, realm, once=f"announcement {mark} {realm}", values=values, marked=False
        )


def queue_deadline(campaign: Campaign, entry: Mapping[str, Any]) -> int:
    """Tell the players of a change of the deadline, if the game has mail; ``entry``: the journal's line about it. Who
    has not been sent the newest turn yet reads of it there. Returns how many letters are new."""
    if "letters" not in entry or not (campaign.folder.path / MAIL_FILE).is_file():
        return 0
    mail = GameMail(campaign)
    if campaign.newest_turn not in published_turns(mail) or campaign.winners is not None:
        return 0
    writer = AnnouncementWriter(mail, datetime.fromisoformat(str(entry["letters"])))
    told = (seat.code for seat in campaign.seats if not seat.out and mail.address(seat.code))
    return sum(mail.queue(writer.deadline(realm, entry), writer.now) for realm in told)


def queue_announcement(campaign: Campaign, entry: Mapping[str, Any]) -> int:
    """Send the players what the GM announced; the same. Its text is in the game already."""
    mail, mark = GameMail(campaign), str(entry["announcement"])
    text = (mail.folder / ANNOUNCEMENTS / f"{mark}.txt").read_text(encoding="utf-8")
    writer = AnnouncementWriter(mail, datetime.fromisoformat(str(entry["letters"])))
    letters = (writer.announcement(realm, str(entry["subject"]), text, mark) for realm in entry["realms"])
    return sum(mail.queue(letter, writer.now) for letter in letters if letter.to)
