"""The letters that a game sends by itself, ready for the outbox; their texts are in ``templates/mail``.

Answers to letters are in :mod:`gm.mail.answers`.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote

from gm.campaign.moves import extended_deadline, extensions_left, why_no_extension
from gm.campaign.new_game import FULL
from gm.campaign.stored import steward_orders
from gm.core.diagnostics import said
from gm.core.values import GM, Record
from gm.game.values import TurnResult
from gm.mail import rendering
from gm.mail.game_mail import FOR_GM, GameMail, subject_mark
from gm.mail.outbox import Enclosure, Outgoing
from gm.mail.purposes import dossier_name, orders_name, reminder_name
from gm.mail.rendering import file_word, files_of, packed, template_files
from gm.mail.submitting import SubmitForm, with_submit_form
from gm.store.inbox import Withdrawn, fingerprint
from gm.store.moments import clock, time_left
from gm.text.languages import ENGLISH, Translate, languages_of, translator
from gm.text.words import turn_in_words

# kinds of letters
RESULTS = "results"
ORDERS = "orders"
DOSSIER = "dossier"
REMINDER = "reminder"
DEADLINE = "deadline"
EPILOGUE = "epilogue"

Values = Mapping[str, Any]  # the values that a template uses, by name


class Writer(Record):
    """Writes the letters of one run, at one moment."""

    mail: GameMail
    now: datetime

    def results(
        self, realm: str, played: TurnResult, lines: Sequence[str], correction: object = None
    ) -> Outgoing:
        """Return the letter with a player's results and attachments.

        ``lines`` are the turn in a few sentences; ``correction``: the differences from a letter that this one
        replaces (by name, as ``results.txt`` uses them).
        """
        campaign = self.mail.campaign
        turn = campaign.newest_turn
        seat = campaign.seat(realm)
        find = files_of(campaign.folder.turn_path(turn))
        limits = self.mail.settings.enclosed
        turn_name = campaign.spec.played_name(played.after)
        files = rendering.turn_files(
            realm, file_word(turn_name), find, limits, key=campaign.keys.get(realm, "")
        )
        gives_orders = bool(template_files(realm, "", find))
        if gives_orders:
            files = self.with_submit_form(realm, files)
        else:  # the letter with the orders would have brought the handbook
            files += self._handbook(realm)
        files_sent = packed(f"{realm}-{file_word(turn_name)}", files, limits)
        values = {
            "correction": correction,
            "played": turn_in_words(turn_name, self.translator_for(realm)),
            "lines": lines,
            "steward": steward_orders(campaign, turn, realm, self.translator_for(realm)),
            "report": files[0].name,  # the page is the first of a turn's files
            "packed": files_sent[0].name if files_sent != files else "",
            "enclosed": files,
            "orders": gives_orders,
            "waiting": seat is not None and seat.waiting and not seat.out,
            "over": campaign.winners is not None,
        }
        enclosures = (self._calendar(realm), *files_sent) if gives_orders else files_sent
        return self._letter(
            RESULTS, realm, f"results {turn} {realm}", values, marked=False, enclosures=enclosures
        )

    def orders(self, realm: str) -> Outgoing | None:
        """Return a player's letter with key and order template; None if they give no orders any more."""
        campaign = self.mail.campaign
        find = files_of(campaign.folder.turn_path(campaign.newest_turn))
        template = template_files(realm, file_word(self._coming), find)
        if not template:
            return None
        handbook_files = packed("handbook", self._handbook(realm), self.mail.settings.enclosed)
        schema = template[1].name if template[1:] else ""  # it comes behind the template
        handbook = handbook_files[0].name if handbook_files else ""
        key = campaign.keys[realm] if campaign.folder.settings.keys else ""
        values = {"template": template[0].name, "schema": schema, "handbook": handbook, "key": key}
        once = orders_name(self._turn, realm, fingerprint(template[0].data)[:16])  # one for each version
        return self._letter(ORDERS, realm, once, values, enclosures=(*template, *handbook_files))

    def with_submit_form(self, realm: str, files: Sequence[Enclosure]) -> tuple[Enclosure, ...]:
        """Return a turn's files for a player; the report gets a form that sends its orders by letter."""
        form = self.submit_form(realm)
        return tuple(
            file.evolve(data=with_submit_form(file.data, form)) if file.kind == "text/html" else file
            for file in files
        )

    def submit_form(self, realm: str) -> SubmitForm:
        """Return the data of the form in a player's report that sends its orders by letter."""
        name = f"{self.mail.game} t{self._turn} {realm}"
        return SubmitForm(
            game=self.mail.campaign.spec.key,
            language=self.language(realm),
            address=self.mail.settings.sender,
            name=name,
            coming=turn_in_words(self._coming, self.translator_for(realm)),
            mark=f"({self.mail.game}, {realm})",
        )

    def _handbook(self, realm: str) -> tuple[Enclosure, ...]:
        """Return the handbook as an enclosure of a player's first letter; none once a turn was played.

        It is in the player's language; in English it is the game folder's, if there is one.
        """
        campaign = self.mail.campaign
        if campaign.newest_turn:
            return ()
        data = files_of(self.mail.game_folder)(rendering.HANDBOOK)
        language = self.language(realm)
        if language in languages_of(campaign.spec.key)[1:]:  # all but English
            data = campaign.spec.handbook(campaign.table, campaign.snapshot, language).encode()
        return () if data is None else (Enclosure(rendering.HANDBOOK, "text/html", data),)

    def reminder(self, realm: str, hours: int, *, unreadable: bool) -> Outgoing:
        """Return the letter for a player whose orders are missing, ``hours`` before the deadline.

        ``unreadable``: there are orders, but they cannot be read.
        """
        campaign = self.mail.campaign
        deadline = campaign.deadline(self._turn)
        player = campaign.folder.players.of(realm)
        mark = subject_mark(player, self.mail.game, self._turn) if player else ""
        address = f"mailto:{self.mail.settings.sender}?subject={quote(f'unsubscribe {mark}', safe='')}"
        headers = {"List-Unsubscribe": f"<{address}>"}
        once = reminder_name(self._turn, realm, hours, deadline)
        until = extended_deadline(campaign)
        # as if the letter that asks for it arrived now
        may_extend = until is not None and not why_no_extension(campaign, realm, self.now, self.now)
        values = {
            "unreadable": unreadable,
            "vacations": campaign.vacations(realm),
            "extensions_left": extensions_left(campaign, realm) if may_extend else 0,
            "until": self._local(realm, until) if until else "",
        }
        return self._letter(REMINDER, realm, once, values, expires=deadline, headers=headers)

    def undone(self, realm: str, turn: int, withdrawn: Withdrawn) -> Outgoing:
        """Return the letter to a player about a turn that was undone, or then reopened for new orders."""
        last = withdrawn.last
        once = f"undone {turn} {realm} {withdrawn.kept}{' reopened' if last.reopened else ''}"
        values = {"withdrawn": turn, "last": last}
        # only a reopened turn takes orders, which an answer may bring
        return self._letter("undone", realm, once, values, marked=bool(last.reopened))

    def dossier(self, realm: str, files: Sequence[Enclosure], template: tuple[Enclosure, ...]) -> Outgoing:
        """Return the letter for a realm's new player.

        ``files``: handbook and reports, in an archive if they are large; ``template``: that of the orders.
        """
        files_sent = packed(f"{realm}-dossier", files, self.mail.settings.enclosed)
        archive = files_sent[0].name if files_sent != tuple(files) else ""
        enclosures = (*files_sent, *template)
        values = {"packed": archive, "enclosed": dict.fromkeys((*files, *enclosures))}
        return self._letter(DOSSIER, realm, dossier_name(self.mail, realm), values, enclosures=enclosures)

    def settings(self, realm: str, entry: Mapping[str, Any]) -> Outgoing:
        """Return the letter about new rules for letters or abandoned seats. ``entry``: the journal's line."""
        settings = self.mail.campaign.folder.settings
        changed = set(entry["changed"])
        values = {"changed": changed, "settings": settings, "address": self.mail.settings.sender}
        once = f"settings {entry['letters']} {' '.join(sorted(changed))} {realm}"
        return self._letter("announcement", realm, once, values, template="changed", marked=False)

    def no_vacation(self, realm: str, mark: str, why: str) -> Outgoing:
        """Return the letter that refuses a week of vacation. ``mark``: the request's; ``why``: in words."""
        return self._letter("advice", realm, f"vacation {mark} {realm}", {"why": why}, template="no-vacation")

    def epilogue_name(self, realm: str, *, letters: bool) -> str:
        """Return the purpose of a player's epilogue, with the players' ``letters`` in it or without."""
        turn = self.mail.campaign.newest_turn
        mark = f"{self.mail.state_fingerprint(turn)} {self.mail.seat_fingerprint(realm)}"
        return f"epilogue {turn} {realm} {mark}{' letters' if letters else ''}"

    def epilogue(self, realm: str, page: str, *, letters: bool) -> Outgoing:
        """Return the letter with the ``page`` of the whole game, for a player when it is over.

        ``letters``: the players' letters are in it.
        """
        mail = self.mail
        campaign = self.mail.campaign
        file = Enclosure(f"{mail.game}-epilogue.html", "text/html", page.encode())
        winners = [self.translator_for(realm)(self._name(code)) for code in campaign.winners or ()]
        values = {"winners": winners, "page": file.name, "letters": letters}
        enclosures = packed(f"{mail.game}-epilogue", (file,), mail.settings.enclosed)
        # by an answer the player may agree that the letters are published
        asks_for_consent = bool(campaign.folder.settings.press.kinds) and not letters
        once = self.epilogue_name(realm, letters=letters)
        return self._letter(EPILOGUE, realm, once, values, marked=asks_for_consent, enclosures=enclosures)

    def channel_lost(self, realm: str, mark: str, server: str) -> Outgoing:
        """Return the letter for a player whose channel did not take a notification, once for each ``mark``.

        ``server``: the channel's, without its path.
        """
        return self._letter("advice", realm, f"lost {mark}", {"where": server}, template="channel-lost")

    def announcement(self, realm: str, subject: str, text: str, mark: str) -> Outgoing:
        """Return the GM's announcement ``mark`` for a player, in the GM's own words."""
        values = {"subject": subject, "text": text}
        return self._letter("announcement", realm, f"announcement {mark} {realm}", values, marked=False)

    def notice(self, what: str, template: str, **values: Any) -> Outgoing:
        """Return a notice to the GM; ``what``: its purpose; ``values``: what its template uses."""
        to = self.mail.settings.gm
        values = {name: self._in_gms_language(value) for name, value in values.items()}
        return self._letter(FOR_GM, "", f"gm {what}", values, template=template, to=to, marked=False)

    def _letter(
        self,
        kind: str,
        realm: str,
        once: str,
        values: Values,
        *,
        template: str = "",
        marked: bool = True,
        token: str = "",
        **more: Any,
    ) -> Outgoing:
        """Return a letter to a realm's player, from the template of its ``kind`` or another one.

        ``once``: its purpose; ``marked``: its subject has the reply token, so that an answer proves its
        sender; ``token``: another token in its subject; ``more``: further fields of the message.
        """
        campaign = self.mail.campaign
        player = campaign.folder.players.of(realm)
        # the warning of an unknown address goes to the sender, and once more to the GM
        for_gm = kind == FOR_GM or not values.get("to_sender", True)
        language = self.language(GM if for_gm else realm)
        wording = () if language == ENGLISH else (campaign.spec.key, language)
        shared = self._shared_values(kind, realm, language)
        # whether the end of the letter warns of showing its token to others
        shared["alone"] = player is not None and marked and kind != ORDERS
        subject, text, html = rendering.rendered(template or kind, {**shared, **values}, *wording)
        mark = f"[{self.mail.game}]"
        if player is not None:
            mark = subject_mark(player, self.mail.game, self._turn, secret=marked)
        if token:
            mark = f"{mark.removesuffix(']')} {token}]"
        key = "" if marked else campaign.keys.get(realm, "")
        if key:
            # without a token the letter may be shown to others: no quoted line may have the key in it
            text = text.replace(key, "…")
            html = html.replace(key, "…")
        if wording:
            more["headers"] = {**more.get("headers", {}), rendering.LANGUAGE: language}
        to = self.mail.address(realm)
        fields = {"once": once, "kind": kind, "to": to, "realm": realm, "turn": self._turn}
        return Outgoing(subject=f"{subject} {mark}", text=text, html=html, **{**fields, **more})

    def _shared_values(self, kind: str, realm: str, language: str) -> dict[str, Any]:
        """Return the values that all templates may use, in a language.

        ``kind``: the letter's, which templates ask for; ``realm``: the code of the player's realm.
        """
        campaign = self.mail.campaign
        translate = translator(campaign.spec.key, language)
        deadline = campaign.deadline(self._turn)
        return {
            "game": self.mail.game,
            "title": campaign.spec.title,
            "hold": translate(FULL) if campaign.calendar.hold == FULL else campaign.calendar.hold,
            "early": campaign.calendar.early,
            "clock": campaign.calendar.clock,
            "keyed": campaign.folder.settings.keys,
            "turn": self._turn,
            "coming": turn_in_words(self._coming, translate),
            "words": campaign.spec.words,
            "realm": self._name(realm),
            "due": self._local(realm, deadline),
            "left": time_left(deadline - self.now, translate),
            "kind": kind,
            "gms": self.mail.gms_elsewhere,
            "press": campaign.folder.settings.press,
        }

    def _in_gms_language(self, value: Any) -> Any:
        """Return a value with its messages, alone or in lists, in the game master's language."""
        if isinstance(value, str):
            return said(value, self.translator_for(GM))
        return list(map(self._in_gms_language, value)) if isinstance(value, list | tuple) else value

    def language(self, realm: str) -> str:
        """Return the language of a realm's player, or of the game master (``GM``)."""
        return self.mail.campaign.decisions.languages.get(realm, ENGLISH)

    def translator_for(self, realm: str) -> Translate:
        """Return the translator into the language of a realm's player."""
        return translator(self.mail.campaign.spec.key, self.language(realm))

    def _calendar(self, realm: str, *, new: int = 0) -> Enclosure:
        """Return the coming turn's deadline for a player's calendar, cancelled while the game is on hold.

        ``new``: 1 in a letter about a change of the deadline, which is not in the outbox yet; else 0.
        """
        letters_about_changes = sum(
            entry.kind == DEADLINE and entry.realm == realm for entry in self.mail.outbox.messages
        )
        translate = self.translator_for(realm)
        return rendering.deadline_calendar(
            self.mail.campaign.calendar,
            self.mail.game,
            self._turn,
            turn_in_words(self._coming, translate),
            self.now,
            self.mail.settings.sender,
            letters_about_changes + new,  # by it a calendar knows which of two entries is the newer
            translate,
        )

    @property
    def _turn(self) -> int:
        """The turn that orders are for."""
        return self.mail.campaign.next_turn

    @property
    def _coming(self) -> str:
        """The name of the turn that orders are for, like ``turn 4``."""
        return self.mail.campaign.spec.coming_name(self.mail.campaign.state)

    def _name(self, realm: str) -> str:
        seat = self.mail.campaign.seat(realm)
        return seat.name if seat else realm

    def _local(self, realm: str, moment: datetime) -> str:
        """Return a moment in words, in the time zone of a realm's player, or else of the game."""
        player = self.mail.campaign.folder.players.of(realm)
        zone = (player.zone if player else "") or self.mail.campaign.calendar.zone
        return clock(moment, zone, self.translator_for(realm))
