"""The letters to people with requests: information, a question for confirmation, the outcome.

There are also letters to strangers who want to join, and about open seats.
"""

from typing import Any

from gm.campaign.absence import MOST_TURNS_AWAY, last_turn_away
from gm.campaign.check_text import check_text
from gm.campaign.moves import extensions_left
from gm.campaign.new_game import policy_of
from gm.campaign.plan import TurnPlan, turn_plan
from gm.campaign.play import played_turn
from gm.mail.answers import Answers, answer_name
from gm.mail.channels import channels_of
from gm.mail.compose import Values
from gm.mail.letter import Letter
from gm.mail.outbox import Enclosure, Outgoing
from gm.mail.rendering import file_word
from gm.mail.status import published_turns, unsubscribed
from gm.store.inbox import fingerprint
from gm.store.settings import STANDSTILL
from gm.text.languages import languages_of

# kinds of letters
ANSWER = "answer"  # to a request
CONFIRM = "confirm"  # asks whether a player wrote a request
STRANGER = "stranger"  # to an address that is no player's, or not yet
_WIDTH = 74  # characters in a line of the check


class Service(Answers):
    """Writes all answers to letters of one run, at one moment.

    In its methods ``realm`` is the code of the realm that the new letter is about, ``letter`` the one that is
    answered, and ``once`` the purpose of the new letter: no second one is sent for it.
    """

    def told(self, word: str, realm: str, letter: Letter, unclear: str = "", *, near: str = "") -> Outgoing:
        """Return the letter with the information that a request asks for.

        ``word``: ``report``, ``status``, ``orders`` or ``help``; ``unclear``: a request that was not
        understood, so that the answer is help; ``near``: the request that it resembles most.
        """
        campaign = self.mail.campaign
        if word == "report":
            return self._report(realm, letter)
        plan = turn_plan(campaign)
        player = campaign.folder.players.of(realm)
        away = last_turn_away(campaign, player) if player else 0
        # how much higher a turn's number is than the one that players call it by
        shift = self._turn - campaign.spec.quoted(campaign.state)
        values = {
            "address": self.mail.settings.sender,
            "unclear": unclear,
            "near": near,
            "languages": languages_of(campaign.spec.key),
            "steward": bool(campaign.spec.deputy),
            "vacations": campaign.vacations(realm),
            "extensions_left": extensions_left(campaign, realm),
            "channels": self.mail.settings.channels,
            "channel": channels_of(self.mail).get(realm),
            "away": away - shift if away >= self._turn else 0,
            "deputy": player.deputy if player else "",
            "until_orders": player is not None and player.absent_since is not None,
            "over": campaign.winners is not None,
            "reminded": realm not in unsubscribed(self.mail),
            # nothing is expected of the realm
            "waits": realm not in {seat.code for seat in plan.missing} | plan.files.keys(),
            "plan": plan if campaign.calendar.early else None,
            "late": [self._name(code) for code in plan.held],
            "open": campaign.folder.settings.open,
            "free": [seat.name for seat in campaign.open_seats],
            **self._order_values(realm, plan),
        }
        name = f"{realm}-{file_word(self._coming)}.orders.yaml"
        data = plan.files.get(realm)
        enclosures = (Enclosure(name, "application/yaml", data),) if word == "orders" and data else ()
        return self._answer_of_kind(
            f"asked-{word}", realm, letter, values, ANSWER, word, enclosures=enclosures
        )

    def _order_values(self, realm: str, plan: TurnPlan) -> dict[str, Any]:
        """Return the values for a template about a player's stored orders for the coming turn.

        ``repeated``: the earlier turn whose orders count again, 0 for none; ``version``: which of the
        player's accepted files it is; ``check``: the file's findings and trial, as text.
        """
        inbox = self.mail.campaign.folder.inbox(self._turn)
        receipt = inbox.receipts_of(inbox.current([realm])).get(realm)
        data = plan.files.get(realm)
        version = 0
        check = ""
        if data:
            version = self._version(realm, data)
            check = check_text(self._check_of(realm, f"{realm}.yaml", data), _WIDTH)
        return {
            "there": data is not None,
            "unreadable": realm in plan.set_aside,
            "repeated": plan.decisions.repeated.get(realm, 0),
            "received": self._local(realm, receipt.received) if receipt else "",
            "version": version,
            "fingerprint": fingerprint(data or b""),
            "check": check,
        }

    def _report(self, realm: str, letter: Letter) -> Outgoing:
        """Return the letter with the results of the newest turn once more.

        If these are not released, or the realm has no page, it is a letter that says so.
        """
        campaign = self.mail.campaign
        turn = self.mail.campaign.newest_turn
        once = answer_name("report", letter, realm)
        has_page = (campaign.folder.turn_path(turn) / f"results/{realm}.html").is_file()
        if turn not in published_turns(self.mail) or not has_page:
            return self.outcome(realm, once, "report", "", "unpublished").evolve(answers=letter.message_id)
        played = played_turn(campaign, turn)
        lines = campaign.spec.digests(campaign.table, played).get(realm, ())
        return self.results(realm, played, lines).evolve(kind="report", once=once, answers=letter.message_id)

    def confirm(self, realm: str, letter: Letter, words: str, *, grave: bool) -> Outgoing:
        """Return the letter that asks a player whether they wrote a request.

        An answer to it is the same request with a token. ``words``: those of the request; ``grave``: whether
        the answer has to say yes, too.
        """
        return self._answer_of_kind(
            "confirm", realm, letter, {"wish": words, "grave": grave}, CONFIRM, "confirm"
        )

    def seated_already(self, realm: str, letter: Letter) -> Outgoing:
        """Return the letter for a player who wants to join, and has a seat."""
        return self.outcome(realm, answer_name("join", letter, realm), "join", "", "plays")

    def address_asked(self, realm: str, letter: Letter, address: str, *, held: bool) -> Outgoing:
        """Return the letter that tells a player whether a code was sent to their new address.

        If it was, it has to come back from there. It was not if the address is the player's already, or if
        too many such letters were asked for lately (``held``).
        """
        why = "known" if self.mail.is_on_file(realm, address) else "sent"
        if held:
            why = "held"
        return self.outcome(realm, answer_name("address", letter, realm), "address", address, why)

    def new_address(self, realm: str, address: str, code: str, once: str) -> Outgoing:
        """Return the letter to a player's future address, with the code that confirms it."""
        values = {"code": code, "wish": f"address {address}"}
        return self._plain(STRANGER, realm, once, values, template="new-address", to=address)

    def outcome(
        self, realm: str, once: str, word: str, what: str, why: str = "", *, marked: bool = False
    ) -> Outgoing:
        """Return the letter about the outcome of a request.

        ``word``, ``what``: the request, like ``address`` and the new address; ``why``: a word for why it is
        not granted, or not yet, empty if it is; ``marked``: whether the letter's subject has a token, so that
        an answer counts.
        """
        campaign = self.mail.campaign
        # who is away from the coming turn on may be so up to this one
        last_turn = campaign.spec.quoted(campaign.state) + MOST_TURNS_AWAY - 1
        settings = campaign.folder.settings
        values = {"word": word, "what": what, "why": why, "settings": settings, "last": last_turn}
        return self._letter(ANSWER, realm, once, values, template="outcome", marked=marked)

    def left(self, realm: str, once: str, why: str) -> Outgoing:
        """Return the letter for a player whose seat is given up.

        ``why``: ``resign`` if they asked, ``missed`` if they sent no orders for too long; any other word
        means that the GM decided it.
        """
        return self._plain(
            ANSWER, realm, once, self._opening(realm, why), template="left", to=self.mail.address(realm)
        )

    # -- open seats ------------------------------------------------------------------------------------------

    def opening(self, reader: str, realm: str, once: str, why: str) -> Outgoing:
        """Return the letter that tells another player that a seat is open.

        ``reader``: the code of that player's realm; ``realm``: that of the seat; ``why``: one of the words of
        :meth:`left`.
        """
        return self._letter(
            "announcement", reader, once, self._opening(realm, why), template="opening", marked=False
        )

    def opening_notice(self, realm: str, once: str, why: str) -> Outgoing:
        """Return the letter for the GM about a seat that is given up.

        ``why``: ``resign`` or ``missed``, or any other word if the GM decided it (:meth:`left`).
        """
        return self.notice(once, "opening", **self._opening(realm, why))

    def _opening(self, realm: str, why: str) -> dict[str, Any]:
        """Return the template values about a seat that is given up; ``why``: a word for the reason."""
        settings = self.mail.campaign.folder.settings
        policy = policy_of(self.mail.campaign)
        return {
            "code": realm,
            "name": self._name(realm),
            "why": why,
            "policy": policy if policy != STANDSTILL else "",
            "missed": settings.missed,
            "open": settings.open,
            "address": self.mail.settings.sender,
        }

    def invitation(
        self, to: str, realm: str, code: str, once: str, answers: str = "", *, offer: bool = False
    ) -> Outgoing:
        """Return the letter to a stranger with the open seats, and how to answer to play the named realm.

        If its seat is not open, an answer puts the stranger on the waiting list. ``realm``: empty for any;
        ``code``: proves the address in the answer; ``once``: the letter's purpose; ``answers``: the
        Message-ID of the stranger's letter; ``offer``: they are on the list, and a seat is open now.
        """
        campaign = self.mail.campaign
        open_seats = campaign.open_seats
        values = {
            "code": code,
            "asked": realm,
            "asked_name": self._name(realm) if realm else "",
            "offer": offer,
            "is_free": realm in {seat.code for seat in open_seats},
            "free": [(seat.code, seat.name) for seat in open_seats],
            "address": self.mail.settings.sender,
            "begun": campaign.newest_turn > 0,
        }
        return self._plain(STRANGER, "", once, values, template="join", to=to, answers=answers)

    def queued(self, to: str, realm: str, once: str) -> Outgoing:
        """Return the letter to a stranger who came too late for a seat and is on the waiting list."""
        return self._plain(
            STRANGER, "", once, {"code": realm, "name": self._name(realm)}, template="waiting", to=to
        )

    def _plain(self, kind: str, realm: str, once: str, values: Values, **more: Any) -> Outgoing:
        """Return a letter that belongs to no seat: it stays when the letters to a seat are withdrawn.

        Its subject ends with the game, and with the code among the values if that proves an address.
        ``realm``: the one whose language it is in, empty for none; ``more``: further arguments of
        :meth:`_letter`.
        """
        letter = self._letter(kind, realm, once, values, marked=False, **more)
        # in place of the mark, which names realm and turn as well
        subject = f"{letter.subject.partition(' [')[0]} [{self.mail.game}]"
        code = values.get("code", "")
        if "-" in code:  # it proves an address; a realm's code has no hyphen
            subject = f"{subject} [{code}]"
        return letter.evolve(realm="", subject=subject)

    def _answer_of_kind(
        self, template: str, realm: str, letter: Letter, values: Values, kind: str, what: str, **more: Any
    ) -> Outgoing:
        """Return an answer to a letter.

        ``template``: the name of its template; ``what``: its name among the answers to this letter; ``more``:
        further arguments of :meth:`_letter`.
        """
        once = answer_name(what, letter, realm)
        return self._letter(kind, realm, once, values, template=template, answers=letter.message_id, **more)
