"""Letters to players about a deadline that was changed."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from gm.campaign.extension import extensions_left
from gm.mail.compose import DEADLINE, Writer
from gm.mail.outbox import Outgoing


class DeadlineWriter(Writer):
    """Writes the letters about changed deadlines."""

    def deadline(self, realm: str, entry: Mapping[str, Any]) -> Outgoing:
        """Return the letter to a player about a changed deadline, with an entry for calendars.

        ``entry``: the journal's line about the change.
        """
        calendar = self.mail.campaign.calendar
        change = str(entry["what"])
        deadline = calendar.of_turn(self._turn)
        old_deadline = datetime.fromisoformat(entry["was"]) if entry.get("was") else None
        turn = int(entry.get("about", self._turn))  # whose deadline was changed
        is_for_calendars = change in ("hold", "resume", "begin") or old_deadline != deadline
        values = {
            "what": change,
            **{name: entry.get(name, "") for name in ("why", "first", "last", "pace", "clocks")},
            "vacations": calendar.vacations,
            "grace": calendar.grace,
            "extensions": calendar.extensions,
            "extensions_left": extensions_left(self.mail.campaign, realm),
            "own": realm == entry.get("realm"),
            "without_orders": [self._name(realm) for realm in entry.get("realms", ())],
            "names_missing": calendar.early or self.mail.campaign.folder.settings.site.missing,
            "own_missing": realm in entry.get("realms", ()),
            "who": self._name(str(entry.get("realm", ""))),
            "after": self._local(realm, calendar.of_turn(self._turn + 1)),
            "about": turn,
            "about_due": self._local(realm, calendar.of_turn(turn)),
            "was": self._local(realm, old_deadline) if old_deadline else "",
            "passed": not calendar.hold and self.now > deadline,
            "calendar": is_for_calendars,
        }
        once = f"deadline {entry['letters']} {change} {entry['state']} {realm}"
        enclosures = (self._calendar(realm, new=1),) if is_for_calendars else ()
        return self._letter(DEADLINE, realm, once, values, marked=False, enclosures=enclosures)
