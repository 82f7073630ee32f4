"""The letters that a game writes of itself, ready for the outbox; what they say stands in ``templates/mail``.

Those that answer somebody's letter are in :mod:`gm.mail.answers`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote

from gm.game.values import TurnResult
from gm.mail.differences import Correction
from gm.mail.enclosures import (
    HANDBOOK,
    deadline_calendar,
    file_word,
    files_of,
    packed,
    purpose,
    template_enclosures,
    turn_enclosures,
)
from gm.mail.game_mail import FOR_GM, GameMail, open_mark, subject_mark
from gm.mail.outbox import Enclosure, Outgoing
from gm.mail.rendering import html_text, plain_text, rendered
from gm.store.deadlines import fixed, time_left
from gm.store.inbox import Withdrawn, fingerprint
from gm.store.settings import Player
from gm.text.pages import listed

RESULTS, ORDERS, DOSSIER, REMINDER, DEADLINE = "results", "orders", "dossier", "reminder", "deadline"
"""Kinds of letters."""

ALONE = (
    "This letter is for you alone: with the sign in its subject, somebody who writes under your address could give "
    "orders in your name."
)
"""Stands in each letter to a player that has his token; those without it he may show to others."""


@dataclass(frozen=True)
class Writer:
    """Writes the letters of one run, at one moment."""

    mail: GameMail
    now: datetime

    # -- what a turn brings ------------------------------------------------------------------------------------------

    def results(
        self, realm: str, played: TurnResult, lines: Sequence[str], correction: Correction | None = None
    ) -> Outgoing:
        """A player's results with everything that belongs to them. ``lines`` are the turn in a few sentences;
        ``correction`` says what is different from a letter that this one replaces."""
        campaign = self.mail.campaign
        turn = campaign.newest_turn
        find, limits = files_of(campaign.folder.turn_path(turn)), self.mail.settings.enclosed
        said = campaign.spec.played_name(played.after)
        files = turn_enclosures(realm, file_word(said), find, limits, key=campaign.keys.get(realm, ""))
        orders = bool(template_enclosures(realm, "", find))
        if not orders:
            files = (*files, *self._handbook())
        sent = packed(f"{realm}-{file_word(said)}", files, limits)
        calendar = (self._calendar(realm),) if orders else ()
        name, seat = self._name(realm), campaign.seat(realm)
        return self._letter(
            RESULTS,
            f"{'[corrected] ' if correction else ''}{name}: {f'{said} is played' if turn else 'the game begins'}",
            realm,
            once=f"results {turn} {realm}",
            values={
                "correction": correction,
                "title": f"{campaign.spec.title}, {played.game}: {said} is played."
                if turn
                else f"Welcome to {played.game}, a game of {campaign.spec.title}. You play {name}.",
                "lines": list(lines),
                "report": files[0].name,
                "packed": sent[0].name if sent != files else "",
                "enclosed": [(each.name, purpose(each.name, campaign.spec.words)) for each in files],
                "orders": orders,
                "waiting": seat is not None and seat.waiting and not seat.out,
                "over": campaign.winners is not None,
            },
            enclosures=(*calendar, *sent),
            marked=False,
        )

    def orders(self, realm: str) -> Outgoing | None:
        """The letter that goes with a player's results and is for him alone: his key and the template for his orders.
        None when he gives no more."""
        campaign = self.mail.campaign
        find = files_of(campaign.folder.turn_path(campaign.newest_turn))
        template = template_enclosures(realm, file_word(self._coming), find)
        if not template:
            return None
        rules = packed("handbook", self._handbook(), self.mail.settings.enclosed)
        return self._letter(
            ORDERS,
            f"Your {'key' if campaign.folder.settings.keys else 'template'} for {self._coming}, for you alone",
            realm,
            once=f"orders {self._turn} {realm} {fingerprint(template[0].data)[:16]}",
            values={
                "template": template[0].name,
                "schema": template[1].name if template[1:] else "",
                "handbook": rules[0].name if rules else "",
                "about_handbook": purpose(HANDBOOK, campaign.spec.words),
                "key": campaign.keys[realm] if campaign.folder.settings.keys else "",
            },
            enclosures=(*template, *rules),
        )

    def _handbook(self) -> tuple[Enclosure, ...]:
        """The rules, at the start of a game: they go with the key, since with the report the letter would be too large,
        or with the position of a party that has nothing to order yet."""
        path = self.mail.campaign.folder.path / HANDBOOK
        if self.mail.campaign.newest_turn or not path.is_file():
            return ()
        return (Enclosure(HANDBOOK, "text/html", path.read_bytes()),)

    def reminder(self, realm: str, hours: int, *, unreadable: bool) -> Outgoing:
        """For a player whose orders are missing, ``hours`` before the deadline."""
        deadline = self.mail.campaign.deadline(self._turn)
        player = self._player(realm)
        mark = subject_mark(player, self.mail.game, self._turn) if player else ""
        unsubscribe = f"<mailto:{self.mail.settings.sender}?subject={quote(f'unsubscribe {mark}', safe='')}>"
        return self._letter(
            REMINDER,
            f"Your orders are missing: {self._coming}",
            realm,
            once=reminder_name(self._turn, realm, hours, deadline),
            values={"unreadable": unreadable},
            expires=deadline,
            headers={"List-Unsubscribe": unsubscribe},
        )

    def undone(self, realm: str, turn: int, withdrawn: Withdrawn) -> Outgoing:
        """For every player, when a turn whose results are known is taken back, or opened to new orders after that."""
        last = withdrawn.last
        return self._letter(
            "undone",
            f"Turn {turn} is taken back" + (": send your orders again" if last.reopened else ""),
            realm,
            once=f"undone {turn} {realm} {withdrawn.kept}{' reopened' if last.reopened else ''}",
            values={
                "game": self.mail.game,
                "withdrawn": turn,
                "why": last.why,
                "reopened": last.reopened,
                "sealed": last.sealed,
            },
            marked=bool(last.reopened),  # else it asks for no orders
        )

    def dossier(self, realm: str, files: Sequence[Enclosure], enclosures: tuple[Enclosure, ...]) -> Outgoing:
        """For the new player of a realm. ``files``: what he gets, which may be packed in ``enclosures``."""
        campaign = self.mail.campaign
        named = dict.fromkeys((*files, *enclosures))
        return self._letter(
            DOSSIER,
            f"You play {self._name(realm)}",
            realm,
            once=dossier_name(self.mail, realm),
            values={
                "game": self.mail.game,
                "title": campaign.spec.title,
                "packed": next((each.name for each in enclosures if each not in files), ""),
                "enclosed": [(each.name, purpose(each.name, campaign.spec.words)) for each in named],
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
            to=self.mail.settings.gm,
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
        campaign = self.mail.campaign
        deadline = campaign.deadline(self._turn)
        shared = {
            "hold": campaign.folder.settings.deadline.hold,
            "keyed": campaign.folder.settings.keys,
            "turn": self._turn,
            "coming": self._coming,
            "words": campaign.spec.words,
            "realm": self._name(realm) if realm else "",
            "due": self._local(realm, deadline),
            "left": time_left(deadline - self.now),
        }
        blocks = rendered(template or kind, {**shared, **values})
        mark = f"[{self.mail.game}]"
        if player is not None:
            mark = (subject_mark if marked else open_mark)(player, self.mail.game, self._turn)
            blocks += [("text", ALONE)] if marked and kind != "orders" else []
        if kind != FOR_GM:
            blocks.append(("text", self._reach()))
        texts = [plain_text(blocks), html_text(blocks, subject, self.mail.game)]
        if not marked and (key := campaign.keys.get(realm, "")):
            # it may be shown to others, also where it quotes the line of an order file that the key stands in
            texts = [text.replace(key, "…") for text in texts]
        return Outgoing(
            once=once,
            kind=kind,
            to=to or self.mail.address(realm),
            subject=f"{subject} {mark}",
            text=texts[0],
            html=texts[1],
            realm=realm,
            turn=self._turn,
            **more,
        )

    def _reach(self) -> str:
        """How the GM can be reached: he may read no other mailbox than the game's."""
        if not self.mail.gms_elsewhere:
            return "The game master reads what holds no orders: just answer this letter."
        return f"For anything that is no orders, write to the game master: {listed(self.mail.gms_elsewhere)}."

    def _calendar(self, realm: str, *, new: int = 0) -> Enclosure:
        """The deadline of the coming turn for a player's calendar; while the game is on hold there is none. ``new``: 1
        for the entry that takes the place of those that he was sent before."""
        due, turn = self.mail.campaign.folder.settings.deadline, self._turn
        before = sum(each.kind == DEADLINE and each.realm == realm for each in self.mail.outbox.messages)
        return deadline_calendar(
            self.mail.game,
            turn,
            self._coming,
            due.of_turn(turn),
            self.now,
            organizer=self.mail.settings.sender,
            changes=before + new,
            cancelled=bool(due.hold),
        )

    @property
    def _turn(self) -> int:
        """The turn that orders are for."""
        return self.mail.campaign.next_turn

    @property
    def _coming(self) -> str:
        """What people call it."""
        return self.mail.campaign.spec.coming_name(self.mail.campaign.state)

    def _player(self, realm: str) -> Player | None:
        return self.mail.campaign.folder.players.of(realm) if realm else None

    def _name(self, realm: str) -> str:
        seat = self.mail.campaign.seat(realm)
        return seat.name if seat else realm

    def _local(self, realm: str, moment: datetime) -> str:
        """A moment as the player's own clock shows it, or the game's."""
        player = self._player(realm)
        zone = (player.zone if player else "") or self.mail.campaign.folder.settings.deadline.zone
        return f"{fixed(moment, zone):%A %Y-%m-%d %H:%M} {zone}"


def reminder_name(turn: int, realm: str, hours: int, deadline: datetime) -> str:
    """What a reminder is for: a deadline that was moved has reminders of its own."""
    return f"reminder {turn} {realm} {hours} {deadline.isoformat()}"


def dossier_name(mail: GameMail, realm: str) -> str:
    """What a dossier is for: each new player of a realm gets one."""
    return f"dossier {realm} {mail.campaign.next_turn} {mail.seat_mark(realm)}"
