"""The order files in a message, in whatever form mail programs put them there.

A file that cannot be read is left out, and the sender gets advice. The words of advice are the names of
sentences in ``templates/mail/advice.yaml``.
"""

import re

from gm.campaign.receive import Submission
from gm.campaign.unpacking import (
    FILE_LIMIT,
    PGP_MESSAGE,
    ZIP_STARTS,
    base_name,
    unpacked_text,
    unsigned,
    useless,
)
from gm.core.diagnostics import says
from gm.core.orders.header import parse
from gm.core.values import Record
from gm.mail.body_text import looks_like_orders, quotes_orders, written_orders
from gm.mail.decoding import unflowed, uuencoded
from gm.mail.parse import OWN_HEADER, ParsedMessage, Part
from gm.mail.winmail import unpacked
from gm.text.charsets import as_utf8, plain_spaces

# the most files of a letter that are read as orders: a player sends one, but whoever guesses keys sends many
CANDIDATES = 5
PAGE_LIMIT = 96 * 1024  # bytes of a web page from its body on; a larger one is not read
_READ = 4 * FILE_LIMIT  # bytes of a letter's texts and files that are looked at, all together
_TEXT_KEPT = 40_000  # characters of what a sender wrote

IN_TEXT = says("the text of your mail")  # the name of an order file that was in the mail's text
IN_PAGE = says("the web page in your mail")  # the same in the web page that is its only text

_TEXT_NAMES = (".yaml", ".yml", ".txt", ".text")
_BESIDE = re.compile(
    r"(application/(applefile|pgp-signature|(x-)?pkcs7-signature)|text/(calendar|(x-)?vcard|x-amp-html)|"
    r"message/(delivery-status|disposition-notification))\Z"
)
"""Kinds of parts that programs add to letters: resource forks, signatures, cards, servers' reports."""
_BESIDE_NAMES = ("smime.p7s", "signature.asc", "noname.eml")
_OWN_LINE = re.compile(rf"(?mi)^[> \t]{{0,20}}{OWN_HEADER}[ \t]*:")
_ALWAYS = ("page", "zip-many", "too-large", "too-many-parts", "too-many-files")
"""Words of advice that count even when orders were found: the sender may have meant another file."""
_UNREAD = (
    "winmail",
    "signed",
    "encrypted",
    "in-pieces",
    "elsewhere",
    "picture",
    "document",
    "archive",
    "other-file",
)
_TOO_MUCH = ("zip-many", "zip-nested", "zip-broken", "too-large", "too-many-parts", "too-many-files")
BRINGING = frozenset((*_UNREAD, *_TOO_MUCH))
"""Words of advice about something in a letter that may hold orders: such a letter is no mere request."""
_FIRST_BYTES = 16  # of a file, by which some kinds are recognised
_LOGO = 40 * 1024  # the most bytes of a picture that is taken for decoration


class FoundFiles(Record):
    """What a search through a message has found."""

    files: tuple[Submission, ...] = ()  # candidates for order files
    advice: tuple[str, ...] = ()  # words of advice, in the order in which they came up
    text: str = ""  # the beginning of the text that the sender wrote
    page: str = ""  # without a text: the beginning of the text that the letter's web page shows


def find_files(message: ParsedMessage) -> FoundFiles:
    """Return the files in a message that may hold orders, and what to advise its sender.

    They are attached files that look like orders, else orders in the text, else other attached text files. A
    letter of ours that is attached is not searched: its template contains no orders of the sender.
    """
    search = _FileSearch(message.header.line("Subject", 200))
    for part in message.parts:
        search.look_at(part)
    if message.cut:
        search.advise("too-many-parts")
    return search.result()


class _FileSearch:
    """A search through the parts of one message."""

    def __init__(self, subject: str) -> None:
        """Begin the search in a letter with this subject."""
        self._subject = subject
        self._attached = list[Submission]()  # attached files that look like orders
        self._written = list[Submission]()  # orders in the text
        self._others = list[Submission]()  # other attached files whose names are those of texts
        self._page: Part | None = None  # the first part that is a web page
        self._has_plain_orders = False  # there are orders in a plain text, the sender's own or quoted
        self._advice: dict[str, None] = {}  # words of advice in their order, each once
        self._bytes_left = _READ
        self._text = ""  # the beginning of the sender's text
        self._shown = ""  # the beginning of the text that the web page shows

    def advise(self, word: str) -> None:
        """Add a word of advice, unless it is there already."""
        self._advice[word] = None

    def look_at(self, part: Part) -> None:
        """Look for orders in a part of a letter, or record the advice why there can be none.

        Parts that only accompany a letter are passed over. The first page in HTML is kept for the end.
        """
        header = part.header
        file_name = header.parameter("Content-Disposition", "filename") or header.parameter(
            "Content-Type", "name"
        )
        name = base_name(file_name)
        if any(outer.has(OWN_HEADER) for outer in part.inside):  # a letter of ours is attached
            self.advise("own-letter")
            return
        if _is_addition(part, name):
            return
        useless_word = _useless_word(part, name)
        if useless_word:
            has_candidates = useless_word == "winmail" and self._open_winmail(part)
            if not has_candidates:
                self.advise(useless_word)
        elif part.kind == "text/html" and not name:
            self._page = self._page or part
        elif part.size > min(self._bytes_left, 2 * FILE_LIMIT):  # as UTF-16 a text has twice its size
            self.advise("too-large")
        else:
            self._bytes_left -= part.size
            self._open_text(part, name)

    def _open_text(self, part: Part, name: str) -> None:
        """Read a part as the sender's text, or as an attached file."""
        if part.kind == "text/plain" and not name and not part.content(8).startswith(ZIP_STARTS):
            self._read_text(part)
        else:
            charset = part.header.parameter("Content-Type", "charset")
            self._attach(name or "a file without a name", part.content(), charset)

    def _attach(self, name: str, data: bytes, charset: str) -> None:
        """Add an attachment as a candidate if it looks like orders or is named like a text; else advise.

        ``charset``: the one that the letter names for it, empty if none. An empty file of another name is
        passed over.
        """
        content = unpacked_text(name, data, charset)  # a submission, or a word of advice
        if isinstance(content, str):
            self.advise(content)
        elif len(content.data) > FILE_LIMIT:
            self.advise("too-large")
        elif b"\0" not in content.data and looks_like_orders(content.data):
            self._attached.append(content)
        elif content.name.lower().endswith(_TEXT_NAMES):
            self._others.append(content)
        elif content.data.strip():
            self.advise("other-file")

    def _open_winmail(self, part: Part) -> bool:
        """Read Outlook's package; return whether there are candidates for orders in it."""
        self._bytes_left -= part.size
        winmail = unpacked(part.content()) if self._bytes_left >= 0 else None
        if winmail is None:
            return False
        count_before = len(self._attached) + len(self._written) + len(self._others)
        for name, data in winmail.files:
            self._attach(base_name(name) or "a file without a name", data, "")
        self._take_text(winmail.text.replace("\r\n", "\n").replace("\r", "\n"))
        return len(self._attached) + len(self._written) + len(self._others) > count_before

    def _read_text(self, part: Part) -> None:
        """Decode a part that is the sender's text, add the uuencoded files in it, and search it for orders.

        An encrypted text only adds advice.
        """

        def parameter(name: str) -> str:
            return part.header.parameter("Content-Type", name).lower()

        text = as_utf8(part.content(), parameter("charset")).decode("utf-8", "replace")
        text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
        if PGP_MESSAGE in text:
            self.advise("encrypted")
            return
        for name, data in uuencoded(text.encode()):
            self._attach(base_name(name), data, "")
        if parameter("format") == "flowed":
            text = unflowed(text, delete_space=parameter("delsp") == "yes")
        self._take_text(text)

    def _take_text(self, text: str) -> None:
        """Look for orders in a decoded text of the sender, and note advice about it.

        The beginning of the first such text is kept.
        """
        text = plain_spaces(unsigned(text))
        own_line = _OWN_LINE.search(text)
        if own_line:
            # below it is a letter of ours that the text quotes, with its template
            text = text[: own_line.start()]
            self.advise("own-letter")
        blocks = [block.encode() for block in written_orders(text, self._subject)]
        self._written += [Submission(IN_TEXT, block) for block in blocks if len(block) <= FILE_LIMIT]
        if any(len(block) > FILE_LIMIT for block in blocks):
            self.advise("too-large")
        self._has_plain_orders = (
            self._has_plain_orders or looks_like_orders(text.encode()) or quotes_orders(text)
        )
        self._text = self._text or text.strip("\n")[:_TEXT_KEPT]
        if not blocks and quotes_orders(text):
            self.advise("quoted")

    def _orders_in_page(self) -> list[Submission]:
        """Return the orders with a key in a letter's web page, and keep the beginning of the page's text.

        If there are any, it counts as the sender's text, and the advice ``page`` is added. There are none
        without a page, in one that is too large, and if a plain text of the letter has orders or quotes some.
        """
        part = self._page
        if part is None or self._has_plain_orders or part.size > _READ:
            return []
        from gm.mail.html_text import text_of_page

        page = as_utf8(part.content(), part.header.parameter("Content-Type", "charset"))
        body = page[max(0, page.lower().find(b"<body")) :]  # styles above it may be long
        text = text_of_page(body) if len(body) <= PAGE_LIMIT else ""
        own_line = _OWN_LINE.search(text)
        if own_line:  # below it a letter of ours is quoted
            text = text[: own_line.start()]
        self._shown = text.strip("\n")[:_TEXT_KEPT]
        candidates = [Submission(IN_PAGE, block.encode()) for block in written_orders(text, self._subject)]
        submissions = [
            submission
            for submission in candidates
            if len(submission.data) <= FILE_LIMIT and _holds_key(submission)
        ]
        if submissions:
            self._text = self._shown
            self.advise("page")
        return submissions

    def result(self) -> FoundFiles:
        """Return what was found: attached orders, else orders in the text or the page, else attached texts.

        At most ``CANDIDATES`` files, each content once. With files, only advice in ``_ALWAYS`` counts.
        """
        if not self._attached and not self._written:
            self._written = self._orders_in_page()
        candidates = self._attached or self._written or self._others
        file_by_content = {submission.data: submission for submission in candidates}
        files = tuple(file_by_content.values())
        if len(files) > CANDIDATES:
            self.advise("too-many-files")
            files = files[:CANDIDATES]
        if files:
            # the orders are here: pictures and the like beside them do not matter
            return FoundFiles(files, tuple(word for word in self._advice if word in _ALWAYS), self._text)
        if self._page is not None and not self._text and not self._advice:
            self.advise("html-only")
        page = "" if self._text else self._shown
        return FoundFiles((), tuple(self._advice) or ("no-file",), self._text, page)


def _holds_key(submission: Submission) -> bool:
    """Return whether a file has a key in its head, right or wrong."""
    _, file = parse(submission.data, submission.name)
    return bool(file.entries.get("key", ""))


def _is_addition(part: Part, name: str) -> bool:
    """Return whether a program has added a part to a letter: a signature, a logo, a card.

    ``name``: that of its file.
    """
    if _BESIDE.match(part.kind) or name.lower() in _BESIDE_NAMES:
        return True
    return name.startswith("._") or _is_logo(part)


def _is_logo(part: Part) -> bool:
    """Return whether a part is a small picture that is shown in the text, as signatures have them."""
    is_shown = part.header.has("Content-ID") and part.header.word("Content-Disposition") != "attachment"
    return is_shown and part.kind.startswith("image/") and part.size <= _LOGO


def _useless_word(part: Part, name: str) -> str:
    """Return the word of advice for a part that cannot hold orders; empty for one that can."""
    word = useless(part.kind, name, part.content(_FIRST_BYTES))
    # signed and encrypted parts have the same type: a parameter tells which of them this is
    is_only_signed = part.header.parameter("Content-Type", "smime-type").lower() == "signed-data"
    return "encrypted" if word == "signed" and not is_only_signed else word
