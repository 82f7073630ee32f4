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
# findings that are told about a file of which nobody knows whose it is: its words may be a stranger's
_FINDINGS = 5

Received = tuple[Submission, SubmissionResult]  # a file of a letter and what became of it


class Answers(Writer):
    """Writes the answers of one run, at one moment."""

    def receipt(
        self, realm: str, letter: Letter, received: Sequence[Received], previous: bytes | None, at: datetime
    ) -> Outgoing:
        """Return the receipt of a player's files.

        ``previous``: their file that counted before, ``at``: when these arrived. It proves what was sent: it
        holds each file's SHA-256, and has a file that was in the text of a mail attached.
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
            # the turn that was played before its only files came
            "missed": min(verdict.missed for verdict in verdicts),
            "late": any(verdict.late for verdict in verdicts),
            "received": self._local(realm, at),
            "code": realm,
            "standing": self._stands(realm),
            "elsewhere": "" if self.mail.is_on_file(realm, letter.sender) else letter.sender,
            "remarks": self._advice(realm, letter.advice),
            "enclosed": in_text,
            **self._early_values(realm),
            **self._accepted_values(realm, accepted, previous),
        }
        # not as text, which programs rewrap: these bytes have the SHA-256 that the receipt names
        copy = f"{realm}-{file_word(self._coming)}.orders.yaml"
        enclosures = (Enclosure(copy, "application/yaml", accepted.data),) if accepted and in_text else ()
        return self._answer("receipt", letter, realm, values, enclosures=enclosures, marked=False)

    def _early_values(self, realm: str) -> dict[str, Any]:
        """Return the template values about a turn that may be played early: its plan, and who holds it."""
        campaign = self.mail.campaign
        plan = turn_plan(campaign) if campaign.calendar.early else None
        waiting_for = plan.held if plan else ()
        return {"plan": plan, "others": [self._name(code) for code in waiting_for if code != realm]}

    def _accepted_values(
        self, realm: str, accepted: Submission | None, previous: bytes | None
    ) -> dict[str, Any]:
        """Return the template values about the accepted file, if any: its check, and the changes."""
        if accepted is None:
            return {"difference": None, "checked": None, "check": "", "holds_key": False}
        checked = self._checked(realm, accepted.name, accepted.data, partial(self._held, previous))
        return {
            "difference": self._difference(realm, accepted.data, previous),
            "checked": checked,
            "check": check_text(checked, _CHECK_WIDTH),
            # also in a file that counts without it
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
        """Return the advice about a letter without readable orders (``submissions``).

        With ``games`` it is about a letter that may be for any of these. ``near``: the request that its
        subject resembles.
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
            "standing": self._stands(realm),
            "address": self.mail.settings.sender,
            "forwarded": forwarded,
        }
        return self._answer("advice", letter, realm, values, kind=kind)

    def reminders(self, realm: str, letter: Letter, *, wanted: bool) -> Outgoing:
        """Return the letter that confirms whether reminders stop or begin again, and how to change that."""
        return self._answer("reminders", letter, realm, {"wanted": wanted}, kind="advice")

    def _answer(
        self, what: str, letter: Letter, realm: str, values: Mapping[str, Any], *, kind: str = "", **more: Any
    ) -> Outgoing:
        once = answer_name(what, letter, realm)
        return self._letter(
            kind or what, realm, once, values, template=what, answers=letter.message_id, **more
        )

    def passed_on(self, realm: str, letter: Letter) -> Outgoing:
        """Return a player's letter without orders, for the GM, who can answer it to its sender."""
        is_on_file = self.mail.is_on_file(realm, letter.sender)
        # as lines that can be shown, without keys and tokens
        lines = (
            printable(line.expandtabs(4))
            for line in without_keys((letter.text or letter.page).strip()[:_TEXT_SHOWN]).split("\n")
        )
        text = "\n".join("\n".join(textwrap.wrap(line, 90)) for line in lines)
        values = {"letter": letter, "name": self._name(realm), "on_file": is_on_file, "text": text}
        purpose = f"{passed_on_name(realm)}{mark_of(letter)}"
        aside = self.mail.settings.inward.aside
        notice = self.notice(purpose, "passed-on", **values, aside=aside)
        reply_to = letter.sender if is_on_file else self.mail.address(realm)
        return notice.evolve(headers={**notice.headers, "Reply-To": reply_to})

    def wrong_key(self, realm: str, letter: Letter, *, last: bool, slip: str = "") -> Outgoing:
        """Return the warning to a player in whose name somebody wrote without their key.

        ``last``: the last of a day; ``slip``: the typing error in the key.
        """
        closed = realm in closed_realms(self.mail)
        values = {
            "letter": letter,
            "standing": self._stands(realm),
            "last": last,
            "slip": slip,
            "closed": closed,
        }
        values["slip"] = said(slip, self.translator_for(realm))
        return self._letter(
            "notice", realm, answer_name("wrong key", letter, realm), values, template="wrong-key"
        )

    def unknown_address(self, realm: str, letter: Letter, to: str) -> Outgoing:
        """Return the letter about orders with the right key from an unknown address, to sender or GM."""
        values = {"letter": letter, "code": realm, "on_file": self.mail.address(realm)}
        values["to_sender"] = folded(to) == folded(letter.sender)
        once = address_name(letter, realm, self._turn, to)
        return self._letter("notice", realm, once, values, template="unknown-address", to=to, marked=False)

    def _advice(self, realm: str, words: Iterable[str], games: Sequence[str] = ()) -> list[str]:
        """Return sentences of advice in the player's language, by their words in ``advice.yaml``."""
        spec = self.mail.campaign.spec
        sentences = mail_data("advice.yaml")
        translate = self.translator_for(realm)
        fields = {"party": spec.party_word, "empty_file": translate(spec.words.empty_file)}
        fields |= {"games": ", ".join(games), "first_game": next(iter(games), "")}
        return [translate(" ".join(sentences[word].split())).format(**fields) for word in words]

    def _file(
        self, realm: str, submission: Submission, verdict: SubmissionResult, at: datetime
    ) -> dict[str, Any]:
        """Return the template values about one file of a receipt."""
        translate = self.translator_for(realm)
        missed = verdict.missed
        campaign = self.mail.campaign
        played = campaign.played_at(missed) if missed else None
        late = lateness(campaign, missed, at, translate) if missed else ""
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
        """Return the number of a file among the realm's accepted files for the turn."""
        receipts = self.mail.campaign.folder.inbox(self._turn).receipts()
        own_fingerprints = [
            receipt.fingerprint for receipt in receipts if receipt.taken and receipt.realm == realm
        ]
        return max(
            (
                number
                for number, earlier in enumerate(own_fingerprints, start=1)
                if earlier == fingerprint(data)
            ),
            default=0,
        )

    def _stands(self, realm: str) -> bool:
        return bool(self.mail.campaign.folder.inbox(self._turn).current([realm]))

    def _difference(self, realm: str, data: bytes, previous: bytes | None) -> "Difference":
        """Return an order file's difference from the one before: ``first`` without one, ``same`` if equal."""
        if previous is None or previous == data:
            return Difference("first" if previous is None else "same")
        checks = [self._checked(realm, "orders", content) for content in (previous, data)]
        before, now = (_orders_of(check) for check in checks)
        return difference(before, now, previous, data)

    def _held(self, previous: bytes | None, realm: str, data: bytes) -> HeldOrders:
        """Return the realm's orders that held before its newest file came."""
        return held_orders(self.mail.campaign, realm, None if previous == data else previous)

    def _checked(
        self, realm: str, name: str, data: bytes, held: Callable[[str, bytes], HeldOrders] | None = None
    ) -> Preview:
        """Return the check of a file, as of ``pbem check``.

        The key is not checked: the file is proven to be the realm's.
        """
        context = CheckContext(self.mail.campaign.orders, {}, realm, language=self.language(realm), held=held)
        return check_file(context, Path(said(name, self.translator_for(realm))), data)


def answer_name(what: str, letter: Letter, realm: str) -> str:
    """Return the purpose of an answer in the outbox: a letter gets one of its kind for each realm."""
    return f"{what} {mark_of(letter)} {realm}"


def passed_on_name(realm: str) -> str:
    """Return the beginning of the purposes of letters of a realm's player that are passed on."""
    return f"letter {realm} "


def address_name(letter: Letter, realm: str, turn: int, to: str) -> str:
    """Return the purpose of a warning that somebody wrote from another address.

    A purpose is used once, so each such address causes one warning in a turn.
    """
    return f"address {turn} {realm} {folded(letter.sender)} {to}"


_CHANGES = 40  # lines of difference that a receipt shows
_KEY = re.compile(r"\s*[\"']?key[\"']?\s*:", re.IGNORECASE)


class Difference(Record):
    """A difference: in words, or line by line where words do not show it."""

    what: str
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    more: int = 0


def difference(before: Sequence[str], now: Sequence[str], old: bytes, new: bytes) -> Difference:
    """Return the difference of two files, given as orders in words and as bytes, without the key."""
    for what, first, second in (("orders", before, now), ("lines", _lines(old), _lines(new))):
        removed = _more(first, second)
        added = _more(second, first)
        if removed or added:
            hidden_count = max(0, len(removed) - _CHANGES) + max(0, len(added) - _CHANGES)
            return Difference(what, tuple(removed[:_CHANGES]), tuple(added[:_CHANGES]), hidden_count)
    return Difference("order")


def _lines(data: bytes) -> list[str]:
    """Return the printable lines of a file, without empty ones and the key."""
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    lines = (
        printable(line.strip().expandtabs(2))[:200] for line in text.splitlines() if not _KEY.match(line)
    )
    return [line for line in lines if line]


def _orders_of(check: Preview) -> list[str]:
    """Return the orders that a check found in a file."""
    return [item.order for item in check.orders]


def _more(these: Sequence[str], those: Sequence[str]) -> list[str]:
    """Return the items of the first list that the second lacks, or has fewer times."""
    counts_left = Counter(those)
    lines_left = []
    for line in these:
        if counts_left[line]:
            counts_left[line] -= 1
        else:
            lines_left.append(line)
    return lines_left
