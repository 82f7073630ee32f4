"""The order file in a message, in whatever form mail programs put it there.

An unusable file is never guessed at: the sender gets advice. The words of advice are the names of sentences
in ``templates/mail/advice.yaml``.
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

# so many files of a letter are taken for orders: who holds a key needs one, who guesses sends thousands
CANDIDATES = 5
PAGE_LIMIT = 96 * 1024  # bytes of a letter that is a web page alone, its head left out
_READ = 4 * FILE_LIMIT  # bytes of a letter's texts and files that are looked at, all together
_TEXT_KEPT = 40_000  # characters of what a sender wrote

IN_TEXT = says("the text of your mail")  # what an order file is called that stood in the mail itself
IN_PAGE = says("the web page in your mail")

_TEXT_NAMES = (".yaml", ".yml", ".txt", ".text")
_BESIDE = re.compile(
    r"(application/(applefile|pgp-signature|(x-)?pkcs7-signature)|text/(calendar|(x-)?vcard|x-amp-html)|"
    r"message/(delivery-status|disposition-notification))\Z"
)
"""What comes with letters and holds nobody's orders: resource forks, signatures, cards, servers' reports."""
_BESIDE_NAMES = ("smime.p7s", "signature.asc", "noname.eml")
_OWN_LINE = re.compile(rf"(?mi)^[> \t]{{0,20}}{OWN_HEADER}[ \t]*:")
_ALWAYS = ("page", "zip-many", "too-large", "too-many-parts", "too-many-files")
"""Words of advice that count even when orders were found: another file of theirs may have been meant."""
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
"""Words of advice about something that a letter brings: whoever sends that does not only ask for
something."""
_LOGO = 40 * 1024  # bytes of a picture that belongs to the look of a letter


class FoundFiles(Record):
    """Candidates for order files, words of advice, in order, and the beginning of the sender's text.

    ``page``: the beginning of the shown text of a letter that is a web page alone.
    """

    files: tuple[Submission, ...] = ()
    advice: tuple[str, ...] = ()
    text: str = ""
    page: str = ""


def find_files(message: ParsedMessage) -> FoundFiles:
    """Return every file in a message that may hold orders: attached ones, else those in the text itself.

    A letter of ours that is attached is not searched: its template contains no orders of the sender.
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
        self._attached = list[Submission]()
        self._written = list[Submission]()
        self._others = list[Submission]()
        self._page: Part | None = None
        self._has_plain_orders = False
        self._advice: dict[str, None] = {}
        self._left = _READ
        self._html = False
        self._text = ""
        self._shown = ""

    def advise(self, word: str) -> None:
        self._advice[word] = None

    def look_at(self, part: Part) -> None:
        """Look for orders in a part of a letter, or record why there can be none."""
        header = part.header
        file_name = header.parameter("Content-Disposition", "filename") or header.parameter(
            "Content-Type", "name"
        )
        name = base_name(file_name)
        if any(outer.has(OWN_HEADER) for outer in part.inside):
            self.advise("own-letter")
        elif _stands_beside(part, name):
            return
        elif useless := _useless(part, name):
            if useless != "winmail" or not self._open_winmail(part):
                self.advise(useless)
        elif part.kind == "text/html" and not name:
            self._html = True
            self._page = self._page or part
        elif part.size > min(self._left, 2 * FILE_LIMIT):  # as UTF-16 a text has twice its size
            self.advise("too-large")
        else:
            self._left -= part.size
            self._open_text(part, name)

    def _open_text(self, part: Part, name: str) -> None:
        """Read a part as the sender's text, or as an attached file."""
        if part.kind == "text/plain" and not name and not part.content(8).startswith(ZIP_STARTS):
            self._read_text(part)
        else:
            charset = part.header.parameter("Content-Type", "charset")
            self._attach(name or "a file without a name", part.content(), charset)

    def _attach(self, name: str, data: bytes, charset: str) -> None:
        """Add an attachment as a candidate, if it looks like orders or is named like a text."""
        content = unpacked_text(name, data, charset)
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
        """Read Outlook's package; return whether anything in it can be read."""
        self._left -= part.size
        winmail = unpacked(part.content()) if self._left >= 0 else None
        if winmail is None:
            return False
        before = len(self._attached) + len(self._written) + len(self._others)
        for name, data in winmail.files:
            self._attach(base_name(name) or "a file without a name", data, "")
        self._take_text(winmail.text.replace("\r\n", "\n").replace("\r", "\n"))
        return len(self._attached) + len(self._written) + len(self._others) > before

    def _read_text(self, part: Part) -> None:
        """Decode a text part, with files packed in it."""

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
        """Add the sender's text, in whatever form."""
        text = plain_spaces(unsigned(text))
        own_line = _OWN_LINE.search(text)
        if own_line:
            # a letter of ours that came back in the text of another, its template in clear
            text = text[: own_line.start()]
            self.advise("own-letter")
        orders = [block.encode() for block in written_orders(text, self._subject)]
        self._written += [Submission(IN_TEXT, block) for block in orders if len(block) <= FILE_LIMIT]
        if any(len(block) > FILE_LIMIT for block in orders):
            self.advise("too-large")
        self._has_plain_orders = (
            self._has_plain_orders or looks_like_orders(text.encode()) or quotes_orders(text)
        )
        self._text = self._text or text.strip("\n")[:_TEXT_KEPT]
        if not orders and quotes_orders(text):
            self.advise("quoted")

    def _read_page(self) -> list[Submission]:
        """Return the orders of a letter that is a web page alone, if they hold a key.

        It is empty if its plain text has any, or quotes some.
        """
        part = self._page
        if part is None or self._has_plain_orders or part.size > _READ:
            return []
        from gm.mail.html_text import text_of_page

        page = as_utf8(part.content(), part.header.parameter("Content-Type", "charset"))
        body = page[max(0, page.lower().find(b"<body")) :]  # styles above it may be long
        text = text_of_page(body) if len(body) <= PAGE_LIMIT else ""
        own = _OWN_LINE.search(text)
        if own:
            text = text[: own.start()]
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
        """Return what was found: attached files first, then those in the text."""
        if not self._attached and not self._written:
            self._written = self._read_page()
        files = tuple(
            {
                submission.data: submission
                for submission in (self._attached or self._written or self._others)
            }.values()
        )
        if len(files) > CANDIDATES:
            self.advise("too-many-files")
            files = files[:CANDIDATES]
        if files:
            # pictures in signatures and the like are nobody's business when the orders are there
            return FoundFiles(files, tuple(word for word in self._advice if word in _ALWAYS), self._text)
        if self._html and not self._text and not self._advice:
            self.advise("html-only")
        page = "" if self._text else self._shown
        return FoundFiles((), tuple(self._advice) or ("no-file",), self._text, page)


def _holds_key(submission: Submission) -> bool:
    """Return whether a file has a key in its head, right or wrong."""
    _, file = parse(submission.data, submission.name)
    return bool(file.entries.get("key", ""))


def _stands_beside(part: Part, name: str) -> bool:
    """Return whether a part only accompanies a letter: a signature, a logo, an addition of a system."""
    if _BESIDE.match(part.kind) or name.lower() in _BESIDE_NAMES:
        return True
    return name.startswith("._") or _is_logo(part)


def _is_logo(part: Part) -> bool:
    """Return whether a part is a small picture that a letter shows in its text, as signatures do."""
    is_shown = part.header.has("Content-ID") and part.header.word("Content-Disposition") != "attachment"
    return is_shown and part.kind.startswith("image/") and part.size <= _LOGO


def _useless(part: Part, name: str) -> str:
    """Return the word of advice for a part that cannot hold orders."""
    advice = useless(part.kind, name, part.content(16))
    clear = part.header.parameter("Content-Type", "smime-type").lower() == "signed-data"
    return "encrypted" if advice == "signed" and not clear else advice
