"""The order file in a message, whatever the mail programs between its player and us have done to it.

What cannot be used is never guessed at: the sender is told what to do instead. The words of advice are the names of
sentences in ``templates/mail/advice.yaml``."""

import re
import zipfile
import zlib
from io import BytesIO
from pathlib import PurePosixPath

from gm.campaign.receive import Offer, holds_key
from gm.core.diagnostics import says
from gm.core.values import Record
from gm.mail.body_text import PGP_MESSAGE, looks_like_orders, quotes_orders, unsigned, written_orders
from gm.mail.decoding import as_utf8, unflowed, uuencoded
from gm.mail.parse import OWN_HEADER, ParsedMessage, Part, one_line

FILE_LIMIT = 128 * 1024  # bytes of an order file that comes by mail; the longest that anybody wrote has a tenth of it
CANDIDATES = 5  # so many files of a letter are taken for orders: who holds a key needs one, who guesses sends thousands
PAGE_LIMIT = 96 * 1024  # bytes of a letter that is a web page alone, its head left out
_READ = 4 * FILE_LIMIT  # bytes of a letter's texts and files that are looked at, all together
_TEXT_KEPT = 40_000  # characters of what a sender wrote

IN_TEXT = says("the text of your mail")  # what an order file is called that stood in the mail itself
IN_PAGE = says("the web page in your mail")

_TEXT_NAMES = (".yaml", ".yml", ".txt", ".text")
_DOCUMENTS = re.compile(r"\.(docx?|odt|rtf|pdf|xlsx?|ods|pages|numbers|html?|mht|msg|wps)\Z", re.IGNORECASE)
_DOCUMENT_STARTS = (b"%PDF", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")  # those of office programs and of Outlook, too
_ARCHIVES = re.compile(r"\.(7z|rar|gz|tgz|bz2|xz|zst|tar|cab|lzh|arj|ace)\Z", re.IGNORECASE)
_ARCHIVE_STARTS = (b"\x1f\x8b", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd")
_NONE = re.compile(r"(?!)")
_USELESS = (
    ("winmail", re.compile(r"application/(vnd\.)?ms-tnef\Z"), re.compile(r"\Awinmail\.dat\Z"), (b"\x78\x9f\x3e\x22",)),
    ("signed", re.compile(r"application/(x-)?pkcs7-mime\Z"), re.compile(r"\.p7m\Z"), ()),
    ("encrypted", re.compile(r"application/pgp-encrypted\Z"), re.compile(r"\.(pgp|gpg)\Z"), ()),
    ("in-pieces", re.compile(r"message/partial\Z"), _NONE, ()),
    ("elsewhere", re.compile(r"message/external-body\Z"), _NONE, ()),
    ("picture", re.compile(r"(image|video|audio)/"), _NONE, ()),
    ("document", _NONE, _DOCUMENTS, (*_DOCUMENT_STARTS, b"{\\rtf")),
    ("archive", _NONE, _ARCHIVES, _ARCHIVE_STARTS),
)
"""Parts from which nobody can read orders: the word of advice, and the kinds, names and beginnings that tell them."""
_BESIDE = re.compile(
    r"(application/(applefile|pgp-signature|(x-)?pkcs7-signature)|text/(calendar|(x-)?vcard|x-amp-html)|"
    r"message/(delivery-status|disposition-notification))\Z"
)
"""What comes with letters and is nobody's orders: resource forks, signatures, business cards, reports of servers."""
_BESIDE_NAMES = ("smime.p7s", "signature.asc", "noname.eml")
_OWN_LINE = re.compile(rf"(?mi)^[> \t]{{0,20}}{OWN_HEADER}[ \t]*:")
_ALWAYS = ("page", "zip-many", "too-large", "too-many-parts", "too-many-files")
"""Words of advice that count even when orders were found: another file of theirs may have been meant."""


class FoundFiles(Record):
    """Candidates for order files and words of advice, as the parts come, and the beginning of what a sender wrote."""

    files: tuple[Offer, ...] = ()
    advice: tuple[str, ...] = ()
    text: str = ""


def find_files(message: ParsedMessage) -> FoundFiles:
    """Every file in a message that may be orders: those that are attached, or else what stands in the text itself. A
    letter of ours that somebody sends back as an attachment is not looked into: its template is nobody's orders."""
    search = _FileSearch(message.header.line("Subject", 200))
    for part in message.parts:
        search.look_at(part)
    if message.cut:
        search.advise("too-many-parts")
    return search.result()


class _FileSearch:
    """What was found so far in the parts of one message."""

    def __init__(self, subject: str) -> None:
        self._subject = subject
        self._attached, self._written, self._others = list[Offer](), list[Offer](), list[Offer]()
        self._page: Part | None = None
        self._has_plain_orders = False
        self._advice: dict[str, None] = {}
        self._left, self._html, self._text = _READ, False, ""

    def advise(self, word: str) -> None:
        self._advice[word] = None

    def look_at(self, part: Part) -> None:
        header = part.header
        named = header.parameter("Content-Disposition", "filename") or header.parameter("Content-Type", "name")
        name = base_name(named)
        if any(each.has(OWN_HEADER) for each in part.inside):
            self.advise("own-letter")
        elif _BESIDE.match(part.kind) or name.lower() in _BESIDE_NAMES or name.startswith("._"):
            return
        elif useless := _useless(part, name):
            self.advise(useless)
        elif part.kind == "text/html" and not name:
            self._html = True
            self._page = self._page or part
        elif part.size > min(self._left, 2 * FILE_LIMIT):  # as UTF-16 a text has twice its size
            self.advise("too-large")
        else:
            self._left -= part.size
            if part.content(8).startswith(_ZIP):
                self._unzip(part.content())
            elif part.kind == "text/plain" and not name:
                self._read_text(part)
            else:
                charset = header.parameter("Content-Type", "charset")
                self._attach(name or "a file without a name", part.content(), charset)

    def _unzip(self, data: bytes) -> None:
        unpacked = unzipped(data)
        if isinstance(unpacked, str):
            self.advise(unpacked)
        elif _DOCUMENTS.search(unpacked.name) or unpacked.data.startswith(_DOCUMENT_STARTS):
            self.advise("document")
        elif unpacked.data.startswith((*_ZIP, *_ARCHIVE_STARTS)) or _ARCHIVES.search(unpacked.name):
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
        text = unsigned(text)
        if own := _OWN_LINE.search(text):
            # a letter of ours that came back in the text of another, its template in clear
            text = text[: own.start()]
            self.advise("own-letter")
        orders = [each.encode() for each in written_orders(text, self._subject)]
        self._written += [Offer(IN_TEXT, each) for each in orders if len(each) <= FILE_LIMIT]
        if any(len(each) > FILE_LIMIT for each in orders):
            self.advise("too-large")
        self._has_plain_orders = self._has_plain_orders or looks_like_orders(text.encode()) or quotes_orders(text)
        self._text = self._text or text.strip("\n")[:_TEXT_KEPT]
        if not orders and quotes_orders(text):
            self.advise("quoted")

    def _read_page(self) -> list[Offer]:
        """Return the orders of a letter that is a web page alone, if they hold a key: none where its plain text has
        any, or quotes some."""
        part = self._page
        if part is None or self._has_plain_orders or part.size > _READ:
            return []
        from gm.mail.html_text import text_of_page

        page = as_utf8(part.content(), part.header.parameter("Content-Type", "charset"))
        body = page[max(0, page.lower().find(b"<body")) :]  # styles above it may be long
        text = text_of_page(body) if len(body) <= PAGE_LIMIT else ""
        if own := _OWN_LINE.search(text):
            text = text[: own.start()]
        found = [Offer(IN_PAGE, each.encode()) for each in written_orders(text, self._subject)]
        offers = [each for each in found if len(each.data) <= FILE_LIMIT and holds_key(each)]
        if offers:
            self._text = text.strip("\n")[:_TEXT_KEPT]
            self.advise("page")
        return offers

    def result(self) -> FoundFiles:
        if not self._attached and not self._written:
            self._written = self._read_page()
        files = tuple({each.data: each for each in (self._attached or self._written or self._others)}.values())
        if len(files) > CANDIDATES:
            self.advise("too-many-files")
            files = files[:CANDIDATES]
        if files:
            # pictures in signatures and the like are nobody's business when the orders are there
            return FoundFiles(files, tuple(each for each in self._advice if each in _ALWAYS), self._text)
        if self._html and not self._text and not self._advice:
            self.advise("html-only")
        return FoundFiles((), tuple(self._advice) or ("no-file",), self._text)


def _useless(part: Part, name: str) -> str:
    small, beginning = name.lower(), part.content(16)
    for advice, kinds, names, starts in _USELESS:
        if kinds.match(part.kind) or names.search(small) or beginning.startswith(starts):
            if advice == "signed" and part.header.parameter("Content-Type", "smime-type").lower() != "signed-data":
                return "encrypted"
            return advice
    return ""


# -- archives: whatever a zip archive says of itself, no more is unpacked than an order file may have ------------------

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_ENTRIES = 100
_OVERHEAD = 64 * 1024  # bytes that an archive may have beyond what is in it
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others unpack by blocks, and a small one may hold a very large
_CLUTTER = ("__macosx", "thumbs.db", "desktop.ini")


def unzipped(data: bytes) -> Offer | str:
    """The one file in a zip archive, or a word of advice. Raises nothing, whatever the bytes are."""
    try:
        return _only_file(data) if len(data) <= FILE_LIMIT + _OVERHEAD else "too-large"
    except (zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError, OSError):
        return "zip-broken"
    except (RuntimeError, ValueError, LookupError, OverflowError):  # the archive says nonsense of itself
        return "zip-broken"


def _only_file(data: bytes) -> Offer | str:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        if len(archive.filelist) > _ENTRIES:
            return "zip-many"
        entries = []
        for each in archive.infolist():
            # what some systems put beside the file: ``__MACOSX/._orders.yaml``, ``.DS_Store``
            parts = PurePosixPath(each.filename.replace("\\", "/")).parts
            if not each.is_dir() and not any(part.startswith(".") or part.lower() in _CLUTTER for part in parts):
                entries.append(each)
        if len(entries) != 1:
            return "zip-many" if entries else "zip-broken"
        (entry,) = entries
        if entry.flag_bits & 1:
            return "encrypted"
        if entry.compress_type not in _METHODS:
            return "archive"
        with archive.open(entry) as file:
            content = file.read(FILE_LIMIT + 1)
    if len(content) > FILE_LIMIT:
        return "too-large"
    return Offer(base_name(entry.filename) or "a file in a zip archive", content)


def base_name(name: str) -> str:
    """The last part of a name, to be shown: it may have been made as a path to anywhere."""
    return re.split(r"[/\\]", one_line(name))[-1][-80:]
