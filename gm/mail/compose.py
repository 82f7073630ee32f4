"""Every letter that a game writes, ready for the outbox. What it says stands in ``templates/mail``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from gm.kernel.campaign.receiving import Fate, Offer, Verdict, read_offer
from gm.kernel.diagnostics import render_all
from gm.kernel.game import Played
from gm.kernel.source import plain_data, read_yaml
from gm.kernel.store import Player, fingerprint, turn_name
from gm.kernel.store.deadlines import fixed, time_left
from gm.mail.calendar import deadline_calendar
from gm.mail.identity import subject_mark
from gm.mail.letter import Letter
from gm.mail.outbox import Enclosure, Outgoing
from gm.mail.post import Post, mark_of, reminder_name
from gm.mail.words import html_text, indented, plain_text, written
from gm.resources import resource

CHECK_WIDTH = 74
"""Characters in a line of the check that stands in a receipt."""


@dataclass(frozen=True)
class Writer:
    """Writes the letters of one run, at one moment."""

    post: Post
    now: datetime

    # -- answers -----------------------------------------------------------------------------------------------------

    def receipt(
        self,
        realm: str,
        letter: Letter,
        verdicts: Sequence[Verdict],
        data: Mapping[str, bytes],
        previous: bytes | None,
    ) -> Outgoing:
        """What became of a player's files. ``data`` are they by name, ``previous`` is what stood for him before."""
        taken = next((each for each in verdicts if each.fate is Fate.TAKEN), None)
        check, orders = self._checked(realm, taken.name, data[taken.name]) if taken else ("", [])
        earlier = self._checked(realm, "before", previous)[1] if taken and previous is not None else []
        return self._letter(
            "receipt",
            f"{_verdict_words(verdicts)}: turn {self._turn}",
            realm,
            once=f"receipt {mark_of(letter)} {realm}",
            answers=letter.message_id,
            values={
                "files": [self._file(each, data[each.name]) for each in verdicts],
                "version": self._version(realm),
                "late": any(each.late for each in verdicts),
                "received": f"{self._local(realm, self.now)}",
                "standing": self._stands(realm),
                "added": _more(orders, earlier) if earlier else [],
                "removed": _more(earlier, orders) if earlier else [],
                "check": indented(check),
            },
        )

    def advice(self, realm: str, letter: Letter, offers: Iterable[Offer] = ()) -> Outgoing:
        """What to do about a letter in which no orders were found, or none that could be read (``offers``)."""
        sentences = advice_sentences()
        found = [finding for each in offers for finding in self._read(each).diagnostics]
        return self._letter(
            "advice",
            f"No orders found in your letter: turn {self._turn}",
            realm,
            once=f"advice {mark_of(letter)} {realm}",
            answers=letter.message_id,
            values={
                "subject": letter.subject.partition("[")[0].strip(),
                "sentences": [" ".join(sentences[word].split()) for word in letter.advice],
                "findings": indented(render_all(found)) if found else "",
                "standing": self._stands(realm),
            },
        )

    def wrong_key(self, realm: str, letter: Letter) -> Outgoing:
        """For the player of a realm in whose name somebody wrote without its key."""
        return self._letter(
            "notice",
            f"Orders without your key: turn {self._turn}",
            realm,
            once=f"wrong key {mark_of(letter)} {realm}",
            template="wrong-key",
            values={
                "sender": letter.sender or "(no address)",
                "subject": letter.subject.partition("[")[0].strip() or "(none)",
                "sent": f"{letter.date:%Y-%m-%d %H:%M} UTC" if letter.date else "(no date)",
            },
        )

    def unknown_address(self, realm: str, letter: Letter, to: str) -> Outgoing:
        """For the sender of orders with the right key, and for the GM: the address is not the one on file."""
        return self._letter(
            "notice",
            f"Orders for {self._name(realm)} from another address: turn {self._turn}",
            realm,
            once=f"address {mark_of(letter)} {realm} {to}",
            to=to,
            template="unknown-address",
            values={
                "to_sender": to == letter.sender,
                "sender": letter.sender,
                "on_file": self.post.address(realm) or "(none)",
                "subject": letter.subject.partition("[")[0].strip(),
                "authentication": letter.authentication,
            },
            marked=False,
        )

    # -- what a turn brings ------------------------------------------------------------------------------------------

    def results(self, realm: str, played: Played, lines: Sequence[str]) -> Outgoing:
        """A player's results with everything that belongs to them. ``lines`` are the turn in a few sentences."""
        campaign = self.post.campaign
        turn = campaign.newest_turn
        folder = campaign.folder.turn_path(turn)
        report, data = folder / f"results/{realm}.html", folder / f"results/{realm}.yaml"
        template = folder / f"next/{realm}.yaml"
        due = campaign.folder.settings.deadline
        files = [
            Enclosure(f"{realm}-{turn_name(turn)}.html", "text/html", report.read_bytes()),
            Enclosure(f"{realm}-{turn_name(turn)}.results.yaml", "text/plain", data.read_bytes()),
        ]
        if template.is_file():
            next_name = f"{realm}-{turn_name(turn + 1)}.orders.yaml"
            files.append(Enclosure(next_name, "text/plain", template.read_bytes()))
            calendar = deadline_calendar(self.post.game, turn + 1, due.of_turn(turn + 1), self.now)
            files.append(Enclosure(f"deadline-{turn + 1:02}.ics", "text/calendar", calendar))
        name = self._name(realm)
        return self._letter(
            "results",
            f"{name}: {f'turn {turn} is played' if turn else 'the game begins'}",
            realm,
            once=f"results {turn} {realm} {fingerprint(data.read_bytes())}",
            values={
                "title": f"{campaign.spec.title}, {played.game}: turn {turn} is played."
                if turn
                else f"Welcome to {played.game}, a game of {campaign.spec.title}. You play {name}.",
                "lines": list(lines),
                "report": files[0].name,
                "template": files[2].name if template.is_file() else "",
            },
            enclosures=tuple(files),
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

    def dossier(self, realm: str, enclosures: tuple[Enclosure, ...], *, once: str) -> Outgoing:
        """For the new player of a realm. ``once`` tells him from the one before; nothing of it can be seen."""
        campaign = self.post.campaign
        return self._letter(
            "dossier",
            f"You play {self._name(realm)}",
            realm,
            once=f"dossier {realm} {fingerprint(once.encode())}",
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
            "gm",
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

    # -- receipts ----------------------------------------------------------------------------------------------------

    def _file(self, verdict: Verdict, data: bytes) -> dict[str, Any]:
        refused = verdict.fate in (Fate.SET_ASIDE, Fate.TOO_LATE)
        return {
            "name": verdict.name,
            "fate": verdict.fate.value,
            "fingerprint": fingerprint(data),
            "findings": indented(render_all(verdict.diagnostics)) if refused and verdict.diagnostics else "",
        }

    def _version(self, realm: str) -> int:
        """How many files of the realm were taken for the turn so far."""
        receipts = self.post.campaign.folder.inbox(self._turn).receipts()
        return sum(each.taken and each.realm == realm for each in receipts)

    def _stands(self, realm: str) -> bool:
        return bool(self.post.campaign.folder.inbox(self._turn).standing([realm]))

    def _read(self, offer: Offer) -> Any:
        return read_offer(self.post.campaign, offer, None, None)

    def _checked(self, realm: str, name: str, data: bytes | None) -> tuple[str, list[str]]:
        """What ``gm check`` says of a file, for people, and its orders in words."""
        from click import unstyle

        from gm.cli.check_text import check_text
        from gm.cli.checking import Desk, check_content

        campaign = self.post.campaign
        desk = Desk(campaign.spec, campaign.table, campaign.state, self.post.game, {}, realm)
        checked = check_content(desk, Path(name), data or b"")
        return unstyle(check_text(checked, CHECK_WIDTH)), [each.order for each in checked.preview.orders]


def _enclosed(name: str) -> str:
    """What one of our enclosures is for."""
    if name == "handbook.html":
        return "the rules, with a first turn to play along"
    if name.endswith(".orders.yaml"):
        return "the template for your orders"
    if name.endswith(".results.yaml"):
        return "the position for 'gm check', if you use it"
    return "what the realm saw of that turn"


def _verdict_words(verdicts: Sequence[Verdict]) -> str:
    """The subject of a receipt, which says the most important first."""
    fates = {each.fate for each in verdicts}
    if Fate.TAKEN in fates:
        refused = any(each.errors for each in verdicts if each.fate is Fate.TAKEN)
        return "Orders received, some refused" if refused else "Orders received"
    if Fate.UNCHANGED in fates:
        return "Orders received before"
    return "Your orders came too late" if Fate.TOO_LATE in fates else "Your orders could NOT be used"


def _more(these: Sequence[str], those: Sequence[str]) -> list[str]:
    """What stands in the first and not, or not so often, in the second."""
    left = Counter(those)
    found = []
    for each in these:
        if left[each]:
            left[each] -= 1
        else:
            found.append(each)
    return found


@cache
def advice_sentences() -> Mapping[str, str]:
    """What to tell the sender of a letter without orders, by the word for what was wrong with it."""
    path = resource("templates", "mail", "advice.yaml")
    return dict(plain_data(read_yaml(path.read_bytes(), path.name)))


def _quoted(text: str) -> str:
    from urllib.parse import quote

    return quote(text, safe="")
