"""The letters that a game writes of itself, ready for the outbox; what they say stands in ``templates/mail``.

Those that answer somebody's letter are in :mod:`gm.mail.answers`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from gm.kernel.played import Played
from gm.kernel.store import Player, fingerprint, turn_name
from gm.kernel.store.deadlines import fixed, time_left
from gm.mail.calendar import deadline_calendar
from gm.mail.enclosing import ROLLS_ENDING, enclosed_report, enclosed_rolls, files_in
from gm.mail.identity import subject_mark
from gm.mail.outbox import Enclosure, Outgoing
from gm.mail.post import FOR_GM, Post, reminder_name
from gm.mail.words import html_text, plain_text, written

SCHEMA_ENDING = ".schema.json"
"""How a file ends that tells editors what an order file may hold."""


@dataclass(frozen=True)
class Writer:
    """Writes the letters of one run, at one moment."""

    post: Post
    now: datetime

    # -- what a turn brings ------------------------------------------------------------------------------------------

    def results(self, realm: str, played: Played, lines: Sequence[str], *, corrected: bool = False) -> Outgoing:
        """A player's results with everything that belongs to them. ``lines`` are the turn in a few sentences.

        ``corrected``: reports that were written again go out again; else a turn goes out once to each player.
        """
        campaign = self.post.campaign
        turn = campaign.newest_turn
        folder = campaign.folder.turn_path(turn)
        shown, data = ((folder / f"results/{realm}.{each}").read_bytes() for each in ("html", "yaml"))
        find, limits = files_in(folder), self.post.settings.enclosed
        report, pages = enclosed_report(realm, turn, shown, find, limits)
        rolls = enclosed_rolls(turn, find, limits)
        template = folder / f"next/{realm}.yaml"
        due = campaign.folder.settings.deadline
        files = [
            report,
            Enclosure(f"{realm}-{turn_name(turn)}.results.yaml", "text/plain", data),
        ]
        if template.is_file():
            next_name = f"{realm}-{turn_name(turn + 1)}.orders.yaml"
            files.append(Enclosure(next_name, "text/plain", template.read_bytes()))
            schema = template.with_suffix(SCHEMA_ENDING)
            files += schema_enclosure(realm, schema.read_bytes() if schema.is_file() else None)
            calendar = deadline_calendar(self.post.game, turn + 1, due.of_turn(turn + 1), self.now)
            files.append(Enclosure(f"deadline-{turn + 1:02}.ics", "text/calendar", calendar))
        name = self._name(realm)
        return self._letter(
            "results",
            f"{name}: {f'turn {turn} is played' if turn else 'the game begins'}",
            realm,
            once=f"results {turn} {realm} {self.post.state_mark(turn)} {self.post.seat_mark(realm)}"
            + (f" {fingerprint(shown + data)}" if corrected else ""),
            values={
                "title": f"{campaign.spec.title}, {played.game}: turn {turn} is played."
                if turn
                else f"Welcome to {played.game}, a game of {campaign.spec.title}. You play {name}.",
                "lines": list(lines),
                "report": report.name,
                "pages": len(pages),
                "rolls": rolls[0].name if rolls else "",
                "template": files[2].name if template.is_file() else "",
            },
            enclosures=(*files, *pages, *rolls),
        )

    def reminder(self, realm: str, hours: int, *, unreadable: bool) -> Outgoing:
        """For a player whose orders are missing, ``hours`` before the deadline."""
        deadline = self.post.campaign.deadline(self._turn)
        player = self._player(realm)
        mark = subject_mark(player, self.post.game, self._turn) if player else ""
        unsubscribe = f"<mailto:{self.post.settings.sender}?subject={_quoted(f'unsubscribe {mark}')}>"
        return self._letter(
            "reminder",
            f"Your orders are missing: turn {self._turn}",
            realm,
            once=reminder_name(self._turn, realm, hours, deadline),
            values={"unreadable": unreadable},
            expires=deadline,
            headers={"List-Unsubscribe": unsubscribe},
        )

    def dossier(self, realm: str, enclosures: tuple[Enclosure, ...]) -> Outgoing:
        """For the new player of a realm."""
        campaign = self.post.campaign
        return self._letter(
            "dossier",
            f"You play {self._name(realm)}",
            realm,
            once=dossier_name(self.post, realm),
            values={
                "game": self.post.game,
                "title": campaign.spec.title,
                "enclosed": [(each.name, _enclosed(each.name)) for each in enclosures],
            },
            enclosures=enclosures,
        )

    def notice(self, what: str, subject: str, template: str, values: Mapping[str, Any]) -> Outgoing:
        """Something that the GM must know, once for each ``what``."""
        return self._letter(
            FOR_GM,
            subject,
            "",
            once=f"gm {what}",
            to=self.post.settings.gm,
            template=template,
            values=values,
            marked=False,
        )

    # -- what all letters share --------------------------------------------------------------------------------------

    def _letter(
        self,
        kind: str,
        subject: str,
        realm: str,
        *,
        once: str,
        values: Mapping[str, Any],
        template: str = "",
        to: str = "",
        marked: bool = True,
        **more: Any,
    ) -> Outgoing:
        player = self._player(realm)
        campaign = self.post.campaign
        deadline = campaign.deadline(self._turn)
        shared = {
            "turn": self._turn,
            "realm": self._name(realm) if realm else "",
            "due": self._local(realm, deadline),
            "left": time_left(deadline - self.now),
        }
        blocks = written(template or kind, {**shared, **values})
        mark = f" {subject_mark(player, self.post.game, self._turn)}" if marked and player else f" [{self.post.game}]"
        return Outgoing(
            once=once,
            kind=kind,
            to=to or self.post.address(realm),
            subject=subject + mark,
            text=plain_text(blocks),
            html=html_text(blocks, subject, self.post.game),
            realm=realm,
            turn=self._turn,
            **more,
        )

    @property
    def _turn(self) -> int:
        """The turn that orders are for."""
        return self.post.campaign.next_turn

    def _player(self, realm: str) -> Player | None:
        return self.post.campaign.folder.players.of(realm) if realm else None

    def _name(self, realm: str) -> str:
        seat = self.post.campaign.seat(realm)
        return seat.name if seat else realm

    def _local(self, realm: str, moment: datetime) -> str:
        """A moment as the player's own clock shows it, or the game's."""
        player = self._player(realm)
        zone = (player.zone if player else "") or self.post.campaign.folder.settings.deadline.zone
        return f"{fixed(moment, zone):%A %Y-%m-%d %H:%M} {zone}"


def schema_enclosure(realm: str, data: bytes | None) -> list[Enclosure]:
    """The schema that editors read, where a game has one: under the name by which the template calls it."""
    return [Enclosure(f"{realm}{SCHEMA_ENDING}", "application/json", data)] if data is not None else []


def dossier_name(post: Post, realm: str) -> str:
    """What a dossier is for: each new player of a realm gets one."""
    return f"dossier {realm} {post.campaign.next_turn} {post.seat_mark(realm)}"


def _enclosed(name: str) -> str:
    """What one of our enclosures is for."""
    if name == "handbook.html":
        return "the rules, with a first turn to play along"
    if name.endswith(".orders.yaml"):
        return "the template for your orders"
    if name.endswith(".results.yaml"):
        return "the position for 'gm check', if you use it"
    if name.endswith(SCHEMA_ENDING):
        return "what editors read to complete and underline while you write; keep it beside the template"
    if name.endswith(ROLLS_ENDING):
        return "all rolls of that turn, with which 'gm verify' checks the dice"
    return "a page that the report links to" if name.startswith("turn-") else "what the realm saw of that turn"


def _quoted(text: str) -> str:
    from urllib.parse import quote

    return quote(text, safe="")
