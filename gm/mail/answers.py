"""Answers to letters: receipts, advice, and warnings of files without a right key."""

import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from gm.campaign.check import CheckContext, check_file
from gm.campaign.check_text import check_text
from gm.campaign.lapses import HeldOrders, held_orders
from gm.campaign.plan import turn_plan
from gm.campaign.receive import (
    UNACCEPTED,
    Proof,
    ReceiptStatus,
    Submission,
    SubmissionResult,
    claim_of,
    lateness,
)
from gm.core.diagnostics import Diagnostic, printable, render_all, said
from gm.core.values import Record
from gm.game.answers import Preview
from gm.mail.attachments import IN_PAGE, IN_TEXT
from gm.mail.body_text import mail_data
from gm.mail.compose import Writer
from gm.mail.game_mail import folded, mark_of
from gm.mail.letter import Letter, without_keys
from gm.mail.outbox import Enclosure, Outgoing
from gm.mail.rendering import file_word
from gm.mail.status import closed_realms
from gm.store.inbox import fingerprint

_CHECK_WIDTH = 74  # characters in a line of the check that stands in a receipt
_TEXT_SHOWN = 5000  # characters of a letter that is passed on to the GM
# how many findings about a file are in advice: nobody knows whose file it is, and its words may be a
# stranger's
_FINDINGS = 5

Received = tuple[Submission, SubmissionResult]  # a file of a letter and what became of it


class Answers(Writer):
    """Writes the answers of one run, at one moment."""

    def receipt(
        self, realm: str, letter: Letter, received: Sequence[Received], previous: bytes | None, at: datetime
    ) -> Outgoing:
        """Return the receipt of a player's files.

        It proves what was sent: it has each file's SHA-256, and orders that were in the text of the mail as
        an attachment. ``previous``: the player's file that counted before; ``at``: when the new files came.
        """
        verdicts = [verdict for _, verdict in received]
        accepted = next(
            (submission for submission, verdict in received if verdict.fate is ReceiptStatus.ACCEPTED), None
        )
        in_text = accepted is not None and accepted.name in (IN_TEXT, IN_PAGE)
        values = {
            "letter": letter,
            "fates": {verdict.fate for verdict in verdicts},
            "files": [self._file(realm, submission, verdict, at) for submission, verdict in received],
            # the turn that the files were for, if it was played before they came; 0 if any came in time
            "missed": min(verdict.missed for verdict in verdicts),
            "late": any(verdict.late for verdict in verdicts),
            "received": self._local(realm, at),
            "code": realm,
            "standing": self._has_orders(realm),
            "elsewhere": "" if self.mail.is_on_file(realm, letter.sender) else letter.sender,
            "remarks": self._advice(realm, letter.advice),
            "enclosed": in_text,
            **self._early_values(realm),
            **self._accepted_values(realm, accepted, previous),
        }
        # not as text, which mail programs may wrap: these bytes have the SHA-256 in the receipt
        copy_name = f"{realm}-{file_word(self._coming)}.orders.yaml"
        enclosures: tuple[Enclosure, ...] = ()
        if accepted is not None and in_text:
            enclosures = (Enclosure(copy_name, "application/yaml", accepted.data),)
        return self._answer("receipt", letter, realm, values, enclosures=enclosures, marked=False)

    def _early_values(self, realm: str) -> dict[str, Any]:
        """Return ``plan``, None if turns are never early, and ``others``, the names of those it waits for."""
        campaign = self.mail.campaign
        plan = turn_plan(campaign) if campaign.calendar.early else None
        waiting_for = plan.held if plan else ()
        return {"plan": plan, "others": [self._name(code) for code in waiting_for if code != realm]}

    def _accepted_values(
        self, realm: str, accepted: Submission | None, previous: bytes | None
    ) -> dict[str, Any]:
        """Return the template values about the accepted file, if any: its check, and the changes.

        ``previous``: the file that counted before.
        """
        if accepted is None:
            return {"difference": None, "checked": None, "check": "", "holds_key": False}
        checked = self._check_of(realm, accepted.name, accepted.data, partial(self._held_before, previous))
        return {
            "difference": self._difference(realm, accepted.data, previous),
            "checked": checked,
            "check": check_text(checked, _CHECK_WIDTH),
            # without the token in the subject, by which it may count although it has no key
            "holds_key": claim_of(self.mail.campaign, accepted.evolve(vouched="")).proof is Proof.KEY,
        }

    def advice(
        self,
        realm: str,
        letter: Letter,
        submissions: Iterable[Submission],
        *,
        kind: str,
        forwarded: bool,
        games: Sequence[str] = (),
        near: str = "",
    ) -> Outgoing:
        """Return the advice about a letter from which no orders were accepted.

        ``submissions``: its files, whose errors are listed; ``kind``: the kind of the answer, of which an
        address gets only so many a day; ``forwarded``: the GM gets a copy of the letter, or has it;
        ``games``: ids of the games that it may be for; ``near``: the request that its subject resembles.
        """
        findings: list[Diagnostic] = []
        for submission in submissions:
            findings += self.mail.campaign.orders.read(submission.data, submission.name).diagnostics
        values = {
            "letter": letter,
            "sentences": self._advice(realm, letter.advice or ("unproven",), games),
            "near": near,
            "findings": render_all(findings, limit=_FINDINGS, translate=self.translator_for(realm))
            if findings
            else "",
            "standing": self._has_orders(realm),
            "address": self.mail.settings.sender,
            "forwarded": forwarded,
        }
        return self._answer("advice", letter, realm, values, kind=kind)

    def reminders(self, realm: str, letter: Letter, *, wanted: bool) -> Outgoing:
        """Return the letter that confirms that reminders stop, or begin again if they are ``wanted``."""
        return self._answer("reminders", letter, realm, {"wanted": wanted}, kind="advice")

    def _answer(
        self, what: str, letter: Letter, realm: str, values: Mapping[str, Any], *, kind: str = "", **more: Any
    ) -> Outgoing:
        """Return an answer to a realm's player from the template ``what``; its kind: ``kind`` or ``what``."""
        once = answer_name(what, letter, realm)
        return self._letter(
            kind or what, realm, once, values, template=what, answers=letter.message_id, **more
        )

    def passed_on(self, realm: str, letter: Letter) -> Outgoing:
        """Return a notice to the GM with a player's letter. The GM's answer to it goes to the player."""
        is_on_file = self.mail.is_on_file(realm, letter.sender)
        shown_text = without_keys((letter.text or letter.page).strip()[:_TEXT_SHOWN])
        lines = [printable(line.expandtabs(4)) for line in shown_text.split("\n")]
        text = "\n".join("\n".join(textwrap.wrap(line, 90)) for line in lines)
        values = {"letter": letter, "name": self._name(realm), "on_file": is_on_file, "text": text}
        purpose = f"{passed_on_name(realm)}{mark_of(letter)}"
        aside = self.mail.settings.inward.aside
        notice = self.notice(purpose, "passed-on", **values, aside=aside)
        reply_to = letter.sender if is_on_file else self.mail.address(realm)
        return notice.evolve(headers={**notice.headers, "Reply-To": reply_to})

    def wrong_key(self, realm: str, letter: Letter, *, last: bool, slip: str) -> Outgoing:
        """Return the warning to a player in whose name somebody wrote without their key.

        ``last``: it is the last one of this day; ``slip``: the typing error in the key, in words.
        """
        values = {
            "letter": letter,
            "standing": self._has_orders(realm),
            "last": last,
            "slip": said(slip, self.translator_for(realm)),
            "closed": realm in closed_realms(self.mail),
        }
        return self._letter(
            "notice", realm, answer_name("wrong key", letter, realm), values, template="wrong-key"
        )

    def unknown_address(self, realm: str, letter: Letter, to: str) -> Outgoing:
        """Return the letter about orders with the right key from an unknown address.

        ``to``: that address, or a GM's.
        """
        values = {"letter": letter, "code": realm, "on_file": self.mail.address(realm)}
        values["to_sender"] = folded(to) == folded(letter.sender)
        once = address_name(letter, realm, self._turn, to)
        return self._letter("notice", realm, once, values, template="unknown-address", to=to, marked=False)

    def _advice(self, realm: str, words: Iterable[str], games: Sequence[str] = ()) -> list[str]:
        """Return the sentences named ``words`` in ``advice.yaml``; ``games``: ids that they may mention."""
        spec = self.mail.campaign.spec
        sentences = mail_data("advice.yaml")
        translate = self.translator_for(realm)
        fields = {"party": spec.party_word, "empty_file": translate(spec.words.empty_file)}
        fields |= {"games": ", ".join(games), "first_game": next(iter(games), "")}
        return [translate(" ".join(sentences[word].split())).format(**fields) for word in words]

    def _file(
        self, realm: str, submission: Submission, verdict: SubmissionResult, at: datetime
    ) -> dict[str, Any]:
        """Return the template values about one file of a receipt; ``at``: when it came."""
        translate = self.translator_for(realm)
        missed = verdict.missed
        campaign = self.mail.campaign
        played = campaign.played_at(missed) if missed else None
        late = lateness(campaign, missed, at, translate) if missed else ""
        # an accepted file has its check below; in one that came too late nothing matters any more
        diagnostics = verdict.diagnostics if verdict.fate in UNACCEPTED and not missed else ()
        return {
            "name": said(verdict.name, translate),
            "fate": verdict.fate,
            "missed": late,
            "played": self._local(realm, played) if played else "",
            "fingerprint": fingerprint(submission.data),
            "size": len(submission.data),
            "version": self._version(realm, submission.data),
            "findings": render_all(diagnostics, translate=translate),
        }

    def _version(self, realm: str, data: bytes) -> int:
        """Return which of the realm's accepted files for the turn this is, from 1; 0 for none of them.

        Of several equal ones the last counts.
        """
        receipts = self.mail.campaign.folder.inbox(self._turn).receipts()
        accepted = [receipt.fingerprint for receipt in receipts if receipt.taken and receipt.realm == realm]
        own = fingerprint(data)
        return max((number for number, earlier in enumerate(accepted, start=1) if earlier == own), default=0)

    def _has_orders(self, realm: str) -> bool:
        """Return whether orders of the realm for the coming turn are in the inbox."""
        return bool(self.mail.campaign.folder.inbox(self._turn).current([realm]))

    def _difference(self, realm: str, data: bytes, previous: bytes | None) -> "Difference":
        """Return the difference of an order file from the ``previous`` one, if there is one."""
        if previous is None:
            return Difference("first")
        if previous == data:
            return Difference("same")
        old_orders = _orders_of(self._check_of(realm, "orders", previous))
        new_orders = _orders_of(self._check_of(realm, "orders", data))
        return difference(old_orders, new_orders, previous, data)

    def _held_before(self, previous: bytes | None, realm: str, data: bytes) -> HeldOrders:
        """Return the realm's orders that held before its newest file, ``data``, came.

        ``previous``: the file that counted before.
        """
        # the same file sent again ends nothing of its own
        return held_orders(self.mail.campaign, realm, None if previous == data else previous)

    def _check_of(
        self, realm: str, name: str, data: bytes, held: Callable[[str, bytes], HeldOrders] | None = None
    ) -> Preview:
        """Return the check of a file, as ``pbem check`` does it.

        The key is not checked: the file is proven to be the realm's. ``held``: returns the orders that held
        before, for a realm and its file.
        """
        # {}: no realm has a key that its file must hold
        context = CheckContext(self.mail.campaign.orders, {}, realm, language=self.language(realm), held=held)
        return check_file(context, Path(said(name, self.translator_for(realm))), data)


def answer_name(what: str, letter: Letter, realm: str) -> str:
    """Return the purpose of an answer: a letter gets one answer called ``what`` for each realm."""
    return f"{what} {mark_of(letter)} {realm}"


def passed_on_name(realm: str) -> str:
    """Return the beginning of the purposes of a player's letters that are passed on to the GM."""
    return f"letter {realm} "


def address_name(letter: Letter, realm: str, turn: int, to: str) -> str:
    """Return the purpose of a warning to an address that a realm's orders came from an unknown address.

    It is the same for all letters from there in a turn, so that there is one warning.
    """
    return f"address {turn} {realm} {folded(letter.sender)} {to}"


_CHANGES = 40  # lines of difference that a receipt shows
_KEY = re.compile(r"\s*[\"']?key[\"']?\s*:", re.IGNORECASE)


class Difference(Record):
    """The difference of an order file from the one before."""

    # first: there is none before; same: equal bytes; orders, lines: other orders, or only other lines; order:
    # the same lines in another order, or another key
    what: str
    removed: tuple[str, ...] = ()  # orders in words, or lines
    added: tuple[str, ...] = ()
    more: int = 0  # how many of both are left out


def difference(
    old_orders: Sequence[str], new_orders: Sequence[str], old_data: bytes, new_data: bytes
) -> Difference:
    """Return the difference of two files, each given as its orders in words and as its bytes.

    If the orders are the same, it is that of the lines, without the key; if these are the same, too,
    it is ``order``.
    """
    both_forms = (
        ("orders", old_orders, new_orders),
        ("lines", _lines(old_data), _lines(new_data)),
    )
    for what, old_items, new_items in both_forms:
        removed = _surplus(old_items, new_items)
        added = _surplus(new_items, old_items)
        if removed or added:
            hidden_count = max(0, len(removed) - _CHANGES) + max(0, len(added) - _CHANGES)
            return Difference(what, tuple(removed[:_CHANGES]), tuple(added[:_CHANGES]), hidden_count)
    return Difference("order")


def _lines(data: bytes) -> list[str]:
    """Return the lines of a file, printable and of 200 characters at most, without empty ones and the key."""
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    lines = (
        printable(line.strip().expandtabs(2))[:200] for line in text.splitlines() if not _KEY.match(line)
    )
    return [line for line in lines if line]


def _orders_of(check: Preview) -> list[str]:
    """Return the orders that a check found in a file, in words."""
    return [item.order for item in check.orders]


def _surplus(items: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return the items that the others lack, or have fewer times."""
    unmatched = Counter(others)
    surplus = []
    for item in items:
        if unmatched[item]:
            unmatched[item] -= 1
        else:
            surplus.append(item)
    return surplus
