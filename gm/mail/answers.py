"""The letters that somebody's letter calls forth: receipts, advice, and word of what came without a right key."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from gm.campaign.check import CheckContext, CheckResult, check_content
from gm.campaign.check_text import check_text
from gm.campaign.receive import NOT_TAKEN, Fate, Offer, Proof, Verdict, claim_of, lateness, read_offer
from gm.core.diagnostics import printable, render_all
from gm.core.yaml.source import plain_data, read_yaml
from gm.mail.attachments import IN_TEXT
from gm.mail.compose import Writer
from gm.mail.differences import Difference, difference
from gm.mail.enclosures import file_word
from gm.mail.game_mail import folded
from gm.mail.letter import Letter, without_keys
from gm.mail.mail_log import mark_of
from gm.mail.outbox import Enclosure, Outgoing
from gm.mail.rendering import indented
from gm.mail.status import closed_realms
from gm.resources import resource
from gm.store.inbox import fingerprint
from gm.text.pages import counted

CHECK_WIDTH = 74
"""Characters in a line of the check that stands in a receipt."""

_FINDINGS = 5
"""Findings that are told about a file of which nobody knows whose it is: its words may be a stranger's."""

_LINK = re.compile(r"(?i)\b(?:[a-z][a-z0-9+.-]{1,20}://|www\.)\S*")


@dataclass(frozen=True, slots=True)
class Received:
    """A file of a letter and what became of it."""

    offer: Offer
    verdict: Verdict


class Answers(Writer):
    """Writes the answers of one run, at one moment."""

    def receipt(
        self, realm: str, letter: Letter, received: Sequence[Received], previous: bytes | None, at: datetime
    ) -> Outgoing:
        """What became of a player's files. ``previous`` is what stood for him before, ``at`` when they arrived. It
        proves what was sent: it holds each file's SHA-256, and a file that had to be taken out of the text of a mail
        comes with it."""
        taken = next((each for each in received if each.verdict.fate is Fate.TAKEN), None)
        checked = self._checked(realm, taken.offer.name, taken.offer.data) if taken else None
        files = [self._file(realm, each, at) for each in received]
        # the turn that was played before its only files came
        missed = min(each.verdict.missed for each in received)
        in_text = taken is not None and taken.offer.name == IN_TEXT
        copy = f"{realm}-{file_word(self._coming)}.orders.yaml"
        return self._letter(
            "receipt",
            f"{_headline(received, checked)}: {f'turn {missed}' if missed else self._coming}",
            realm,
            once=answer_name("receipt", letter, realm),
            answers=letter.message_id,
            values={
                "files": files,
                "missed": all(each.verdict.missed for each in received),
                "late": any(each.verdict.late for each in received),
                "received": self._local(realm, at),
                "standing": self._stands(realm),
                "elsewhere": "" if self.mail.is_on_file(realm, letter.sender) else letter.sender,
                "authentication": letter.authentication,
                "difference": self._difference(realm, taken, previous) if taken else None,
                "check": indented(check_text(checked, CHECK_WIDTH)) if checked else "",
                "errors": counted(checked.errors, "error") if checked and checked.errors else "",
                "warnings": counted(checked.warnings, "warning") if checked and checked.warnings else "",
                "remarks": self._advice(letter.advice),
                "enclosed": in_text,
                # also in a file that counts without it
                "holds_key": taken is not None
                and claim_of(self.mail.campaign, taken.offer.evolve(vouched="")).proof is Proof.KEY,
            },
            # not as text, which programs rewrap: these bytes have the SHA-256 that the receipt names
            enclosures=(Enclosure(copy, "application/yaml", taken.offer.data),) if taken and in_text else (),
            marked=False,
        )

    def advice(
        self,
        realm: str,
        letter: Letter,
        offers: Iterable[Offer] = (),
        *,
        kind: str = "advice",
        forwarded: bool = False,
    ) -> Outgoing:
        """What to do about a letter in which no orders were found, or none that could be read (``offers``)."""
        found = [finding for each in offers for finding in read_offer(self.mail.campaign, each, None, None).diagnostics]
        words = letter.advice or ("unproven",)
        return self._letter(
            kind,
            f"No orders taken from your letter: {self._coming}",
            realm,
            template="advice",
            once=answer_name("advice", letter, realm),
            answers=letter.message_id,
            values={
                "subject": shown_subject(letter),
                "sent": _date_text(letter.date),
                "sentences": self._advice(words),
                "findings": indented(render_all(found, limit=_FINDINGS)) if found else "",
                "standing": self._stands(realm),
                "address": self.mail.settings.sender,
                "forwarded": forwarded,
            },
        )

    def passed_on(self, realm: str, letter: Letter) -> Outgoing:
        """A player's letter without orders, for the GM: he can answer it to its sender."""
        on_file = self.mail.address(realm)
        name = self._name(realm)
        notice = self.notice(
            f"{passed_on_name(realm)}{mark_of(letter)}",
            f"From {name}: {shown_subject(letter) or '(no subject)'}",
            "passed-on",
            {
                "name": name,
                "sender": letter.sender,
                "sent": _date_text(letter.date),
                "on_file": self.mail.is_on_file(realm, letter.sender),
                "authentication": letter.authentication,
                "text": indented(_shown_text(letter.text)),
                "aside": self.mail.settings.inward.aside,
            },
        )
        return replace(
            notice, headers={"Reply-To": letter.sender if self.mail.is_on_file(realm, letter.sender) else on_file}
        )

    def reminders(self, realm: str, letter: Letter, *, wanted: bool) -> Outgoing:
        """That a player will be reminded, or not any more, and how he changes that."""
        return self._letter(
            "advice",
            "You will be reminded" if wanted else "No more reminders",
            realm,
            once=answer_name("reminders", letter, realm),
            template="reminders",
            answers=letter.message_id,
            values={"wanted": wanted},
        )

    def wrong_key(self, realm: str, letter: Letter, *, last: bool, slip: str = "") -> Outgoing:
        """For the player of a realm in whose name somebody wrote without its key. ``last``: of those for a day;
        ``slip``: how the key was mistyped, if it was."""
        return self._letter(
            "notice",
            f"Orders without your key: {self._coming}",
            realm,
            once=answer_name("wrong key", letter, realm),
            template="wrong-key",
            values={
                "sender": letter.sender or "(no address)",
                "subject": shown_subject(letter) or "(none)",
                "sent": _date_text(letter.date) or "(no date)",
                "authentication": letter.authentication,
                "standing": self._stands(realm),
                "last": last,
                "slip": slip,
                "closed": realm in closed_realms(self.mail),
            },
        )

    def unknown_address(self, realm: str, letter: Letter, to: str) -> Outgoing:
        """For the sender of orders with the right key, and for the GM: the address is not the one on file."""
        return self._letter(
            "notice",
            f"Orders for {self._name(realm)} from another address: {self._coming}",
            realm,
            once=address_name(letter, realm, self._turn, to),
            to=to,
            template="unknown-address",
            values={
                "to_sender": folded(to) == folded(letter.sender),
                "code": realm,
                "sender": letter.sender or "(no address)",
                "on_file": self.mail.address(realm),
                "subject": shown_subject(letter) or "(none)",
                "authentication": letter.authentication,
            },
            marked=False,
        )

    def _advice(self, words: Iterable[str]) -> list[str]:
        """What to tell the sender of a letter, for each word about it."""
        spec, sentences = self.mail.campaign.spec, advice_sentences()
        found = (sentences[word].replace("{party}", spec.party_word) for word in words)
        return [" ".join(each.replace("{empty_file}", spec.words.empty_file).split()) for each in found]

    # -- receipts ----------------------------------------------------------------------------------------------------

    def _file(self, realm: str, received: Received, at: datetime) -> dict[str, Any]:
        verdict, data = received.verdict, received.offer.data
        refused = verdict.fate in NOT_TAKEN and verdict.diagnostics and not verdict.missed
        played = self.mail.campaign.played_at(verdict.missed) if verdict.missed else None
        return {
            "name": verdict.name,
            "fate": verdict.fate.value,
            "missed": lateness(self.mail.campaign, verdict.missed, at) if verdict.missed else "",
            "played": self._local(realm, played) if played else "",
            "fingerprint": fingerprint(data),
            "size": counted(len(data), "byte"),
            "version": self._version(realm, data),
            "findings": indented(render_all(verdict.diagnostics)) if refused else "",
        }

    def _version(self, realm: str, data: bytes) -> int:
        """Which of the realm's files for the turn this one is, counting those that were taken."""
        receipts = self.mail.campaign.folder.inbox(self._turn).receipts()
        mine = [each.fingerprint for each in receipts if each.taken and each.realm == realm]
        mark = fingerprint(data)
        return max((number for number, each in enumerate(mine, start=1) if each == mark), default=0)

    def _stands(self, realm: str) -> bool:
        return bool(self.mail.campaign.folder.inbox(self._turn).current([realm]))

    def _difference(self, realm: str, received: Received, previous: bytes | None) -> Difference:
        if previous is None:
            return Difference("first")
        if previous == received.offer.data:
            return Difference("same")
        checks = [self._checked(realm, "orders", each) for each in (received.offer.data, previous)]
        now, before = ([each.order for each in check.preview.orders] for check in checks)
        return difference(before, now, previous, received.offer.data)

    def _checked(self, realm: str, name: str, data: bytes) -> CheckResult:
        """A file as ``gm check`` finds it. The key needs no look: that these are the realm's orders is proven."""
        campaign = self.mail.campaign
        context = CheckContext(campaign.spec, campaign.table, campaign.state, self.mail.game, {}, realm)
        return check_content(context, Path(name), data)


def answer_name(what: str, letter: Letter, realm: str) -> str:
    """What an answer is for: each letter gets one of its kind for each realm in it."""
    return f"{what} {mark_of(letter)} {realm}"


def passed_on_name(realm: str) -> str:
    """How the purposes begin of what is passed on of a realm's player."""
    return f"letter {realm} "


def _shown_text(text: str) -> str:
    """What somebody wrote, as lines that can be shown, without keys and tokens."""
    lines = (printable(line.expandtabs(4)) for line in without_keys(text).split("\n"))
    return "\n".join(each for line in lines for each in (textwrap.wrap(line, 90) or [""]))


def address_name(letter: Letter, realm: str, turn: int, to: str) -> str:
    """What word of another address is for: one a turn for each such address, however often somebody writes from it."""
    return f"address {turn} {realm} {folded(letter.sender)} {to}"


def _headline(received: Sequence[Received], checked: CheckResult | None) -> str:
    """The subject of a receipt, which says the most important first."""
    fates = {each.verdict.fate for each in received}
    if checked is not None:
        if checked.errors:
            return f"Orders received, {counted(checked.errors, 'ERROR')} in them"
        if checked.warnings:
            return f"Orders received, with {counted(checked.warnings, 'warning')}"
        return "Orders received"
    if Fate.UNCHANGED in fates:
        return "Orders received before"
    if Fate.KEPT_OUT in fates:
        return "No new orders are taken"
    return "Your orders came too late" if Fate.TOO_LATE in fates else "Your orders could NOT be used"


def shown_subject(letter: Letter) -> str:
    """A letter's subject as it can stand in a letter of ours: short, and without a link that a stranger put there."""
    return _LINK.sub("(a link)", letter.subject)[:100]


def _date_text(date: datetime | None) -> str:
    """What a letter says when it was written."""
    return f"{date:%Y-%m-%d %H:%M} UTC" if date else ""


@cache
def advice_sentences() -> Mapping[str, str]:
    """The sentences of ``templates/mail/advice.yaml`` by their words."""
    path = resource("templates", "mail", "advice.yaml")
    return dict(plain_data(read_yaml(path.read_bytes(), path.name)))
