"""The order file in a message, whatever the mail programs between its player and us have done to it.

What cannot be used is never guessed at: the sender is told what to do instead. The words of advice are the names of
sentences in ``templates/mail/advice.yaml``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gm.campaign.receive import Offer
from gm.mail.archives import FILE_LIMIT, base_name, is_other_archive, is_zip, unzipped
from gm.mail.kinds import OWN_HEADER
from gm.mail.mime import Message, Part, uuencoded
from gm.mail.texts import PGP_MESSAGE, as_utf8, looks_like_orders, quotes_orders, unflowed, unsigned, written_orders

CANDIDATES = 5
"""So many files of a letter are taken for orders. Who holds a key needs one; who guesses would send thousands."""
_READ = 4 * FILE_LIMIT
"""Bytes of a letter's texts and files that are looked at, all together."""

IN_TEXT = "the text of your mail"
"""What an order file is called that stood in the mail itself."""

_TEXT_NAMES = (".yaml", ".yml", ".txt", ".text")
_PICTURES = ("image/", "video/", "audio/")
_WINMAIL = ("application/ms-tnef", "application/vnd.ms-tnef")
_TNEF = b"\x78\x9f\x3e\x22"
_OUTLOOK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_CMS = ("application/pkcs7-mime", "application/x-pkcs7-mime")
_PGP_NAMES = (".pgp", ".gpg")
_DOCUMENTS = re.compile(r"\.(docx?|odt|rtf|pdf|xlsx?|ods|pages|numbers|html?|mht|msg|wps)\Z", re.IGNORECASE)
# what comes with letters and is nobody's orders: resource forks, signatures, business cards, reports of servers
_BESIDE = (
    "application/applefile",
    "application/pgp-signature",
    "application/pkcs7-signature",
    "application/x-pkcs7-signature",
    "text/calendar",
    "text/vcard",
    "text/x-vcard",
    "text/x-amp-html",
    "message/delivery-status",
    "message/disposition-notification",
)
_BESIDE_NAMES = ("smime.p7s", "signature.asc", "noname.eml")
_OWN_LINE = re.compile(rf"(?mi)^[> \t]{{0,20}}{OWN_HEADER}[ \t]*:")
_TEXT_SHOWN = 5000
_TELLING = ("zip-many", "too-large", "too-many-parts", "too-many-files")
"""Words of advice that count even when orders were found: another file of theirs may have been meant."""


@dataclass(frozen=True, slots=True)
class Find:
    """What a message holds: candidates for order files, and words of advice, both in the order of its parts."""

    files: tuple[Offer, ...] = ()
    advice: tuple[str, ...] = ()
    text: str = ""
    """The beginning of what its sender wrote."""


def find_files(message: Message) -> Find:
    """Every file in a message that may be orders: those that are attached, or else what stands in the text itself.

    A letter of ours that somebody sends back as an attachment is not looked into: its template is nobody's orders.
    """
    found = _Finding(message.header.line("Subject", 200))
    for part in message.parts:
        found.look_at(part)
    if message.cut:
        found.advise("too-many-parts")
    return found.result()


class _Finding:
    """What was found so far in the parts of one message."""

    def __init__(self, subject: str) -> None:
        self._subject = subject
        self._attached: list[Offer] = []
        self._others: list[Offer] = []
        self._written: list[Offer] = []
        self._advice: dict[str, None] = {}
        self._left = _READ
        self._html = False
        self._text = ""

    def advise(self, word: str) -> None:
        self._advice[word] = None

    def look_at(self, part: Part) -> None:
        name = base_name(part.header.file_name())
        if any(header.has(OWN_HEADER) for header in part.inside):
            self.advise("own-letter")
        elif part.kind in _BESIDE or name.lower() in _BESIDE_NAMES or name.startswith("._"):
            return
        elif useless := _useless(part, name):
            self.advise(useless)
        elif part.kind == "text/html" and not name:
            self._html = True
        elif not self._allowed(part):
            self.advise("too-large")
        elif is_zip(part.beginning(8)):
            self._unzip(part.content())
        elif part.kind == "text/plain" and not name:
            self._read_text(part)
        else:
            charset = part.header.parameter("Content-Type", "charset")
            self._attach(name or "a file without a name", part.content(), charset)

    def _allowed(self, part: Part) -> bool:
        """Whether a part is small enough to be looked at: by itself, and with those before it."""
        if part.size > min(self._left, 2 * FILE_LIMIT):  # as UTF-16 a text has twice its size
            return False
        self._left -= part.size
        return True

    def _unzip(self, data: bytes) -> None:
        unpacked = unzipped(data)
        if unpacked.advice:
            self.advise(unpacked.advice)
        elif _DOCUMENTS.search(unpacked.name) or unpacked.data.startswith((b"%PDF", _OUTLOOK)):
            self.advise("document")
        elif is_zip(unpacked.data) or is_other_archive(unpacked.name, unpacked.data):
            self.advise("zip-nested")
        else:
            self._attach(unpacked.name, unpacked.data, "")

    def _attach(self, name: str, data: bytes, charset: str) -> None:
        """Keep an attachment as a candidate: what looks like orders, or at least is called like a text."""
        text = as_utf8(data, charset)
        if text.startswith(b"-----BEGIN PGP SIGNED"):
            text = unsigned(text.decode("utf-8", "replace")).encode()
        if len(text) > FILE_LIMIT:
            self.advise("too-large")
        elif PGP_MESSAGE.encode() in text[:2000]:
            self.advise("encrypted")
        elif b"\0" not in text and looks_like_orders(text):
            self._attached.append(Offer(name, text))
        elif name.lower().endswith(_TEXT_NAMES):
            self._others.append(Offer(name, text))

    def _read_text(self, part: Part) -> None:
        text = as_utf8(part.content(), part.header.parameter("Content-Type", "charset")).decode("utf-8", "replace")
        text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
        if PGP_MESSAGE in text:
            self.advise("encrypted")
            return
        for name, data in uuencoded(text.encode()):
            self._attach(base_name(name), data, "")
        if part.header.parameter("Content-Type", "format").lower() == "flowed":
            text = unflowed(text, delete_space=part.header.parameter("Content-Type", "delsp").lower() == "yes")
        text = unsigned(text)
        if own := _OWN_LINE.search(text):
            # a letter of ours that came back in the text of another, its template in clear
            text = text[: own.start()]
            self.advise("own-letter")
        orders = written_orders(text, self._subject)
        for each in (order.encode() for order in orders):
            if len(each) > FILE_LIMIT:
                self.advise("too-large")
            else:
                self._written.append(Offer(IN_TEXT, each))
        self._text = self._text or text.strip()[:_TEXT_SHOWN]
        if not orders and quotes_orders(text):
            self.advise("quoted")

    def result(self) -> Find:
        files = tuple({each.data: each for each in (self._attached or self._written or self._others)}.values())
        if len(files) > CANDIDATES:
            self.advise("too-many-files")
            files = files[:CANDIDATES]
        if files:
            # pictures in signatures and the like are nobody's business when the orders are there
            return Find(files, tuple(each for each in self._advice if each in _TELLING))
        if self._html and not self._text and not self._advice:
            self.advise("html-only")
        return Find((), tuple(self._advice) or ("no-file",), self._text)


def _useless(part: Part, name: str) -> str:
    """The word of advice for a part from which nobody can read orders; empty for any other."""
    small = name.lower()
    beginning = part.beginning(16)
    if part.kind in _WINMAIL or small == "winmail.dat" or beginning.startswith(_TNEF):
        return "winmail"
    if part.kind in _CMS or small.endswith(".p7m"):
        signed = part.header.parameter("Content-Type", "smime-type").lower() == "signed-data"
        return "signed" if signed else "encrypted"
    if part.kind == "application/pgp-encrypted" or small.endswith(_PGP_NAMES):
        return "encrypted"
    if part.kind == "message/partial":
        return "in-pieces"
    if part.kind == "message/external-body":
        return "elsewhere"
    if part.kind.startswith(_PICTURES):
        return "picture"
    if _DOCUMENTS.search(small) or beginning.startswith((b"%PDF", _OUTLOOK, b"{\\rtf")):
        return "document"
    return "archive" if is_other_archive(small, beginning) else ""
