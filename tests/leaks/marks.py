"""Words that occur nowhere else, one for each secret of a realm, order files full of them, and the search
for them.
"""

import base64
import binascii
import email
import email.policy
import gzip
import hashlib
import html
import io
import quopri
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from gm.core.orders.header import HEADER_WORDS
from gm.core.orders.press import ANONYMOUS, SIGNED
from gm.games.medieval.orders import forms
from gm.games.medieval.orders.grammar import HEADQUARTERS, PLAN, UNIT
from gm.games.medieval.orders.values import Form, Word


@dataclass(frozen=True, slots=True)
class Secret:
    """What a word stands for: something of a realm's, or of the GM's.

    ``turn``: the turn that it was planted for.
    """

    owner: str
    what: str
    turn: int
    readers: tuple[str, ...] = ()  # who may know it, too


class Marks:
    """Gives out words and remembers whose secrets they are. ``turn`` is the one that is being planted for."""

    def __init__(self) -> None:
        self.turn = 1
        self.secrets: dict[str, Secret] = {}
        self._public: dict[str, int] = {}

    def mark(self, owner: str, what: str, *readers: str) -> str:
        """A new word for something of a realm's.

        Of letters and digits alone, so that nothing needs to quote it.
        """
        word = f"qz{owner.lower()}{len(self.secrets):03}k"
        self.secrets[word] = Secret(owner, what, self.turn, readers)
        return word

    def watch(self, owner: str, what: str, word: str) -> None:
        """Have a word looked for that comes from elsewhere: a key, an amount of gold."""
        assert len(word) >= 7, f"{word!r} may stand somewhere by chance"
        self.secrets[word] = Secret(owner, what, self.turn)

    def publish(self, owner: str, what: str) -> None:
        """The owner's mark of this kind for this turn is told to everybody with the turn's results."""
        published = Secret(owner, what, self.turn)
        self._public |= {word: self.turn for word, secret in self.secrets.items() if secret == published}

    def of_others(self, realm: str, newest: int) -> dict[str, Secret]:
        """Everybody's secrets but the realm's own, as long as the newest turn is this one."""
        return {
            word: secret
            for word, secret in self.secrets.items()
            if realm not in (secret.owner, *secret.readers)
            and not self._public.get(word, newest + 1) <= newest
        }

    def of(self, owner: str) -> dict[str, Secret]:
        """One realm's secrets, or the GM's."""
        return {word: secret for word, secret in self.secrets.items() if secret.owner == owner}


_IN_FORM = {
    forms.PAYMENTS: "{MARK: 12.34}",
    forms.TROOPS: "{MARK: 3}",
    forms.RANKS: "{MARK: {1: 2}}",
    forms.TRANSFER: "{to: MARK, troops: {MARK: 2}, commanders: [MARK]}",
    forms.PERMISSIONS: "{MARK: [MARK]}",
    **dict.fromkeys((forms.GIFTS, forms.RENAMES, forms.FORMED, forms.LANDINGS), "{MARK: MARK}"),
    **dict.fromkeys((forms.REALMS, forms.PROVINCES, forms.STRUCTURES, forms.NAME), "[MARK]"),
    **dict.fromkeys((forms.COMMANDERS, forms.ARMIES), "[MARK]"),
    **dict.fromkeys(
        (forms.PROCLAMATION, forms.COUNT, forms.WISH, forms.RETREAT_LEVEL, forms.OWN_UNIT), "MARK"
    ),
    **dict.fromkeys(
        (forms.COMMANDER, forms.ANSWER, forms.PLAN, forms.NOTHING, forms.HOLDS, forms.REALM), "MARK"
    ),
    **dict.fromkeys((forms.PLACE, forms.PROVINCE), "MARK"),
}


def written(form: Form, mark: str) -> str:
    """Return a value of the form that a word wants, as flow YAML, with the mark in place of each name.

    A form that is missing here is one whose privacy is not yet tested.
    """
    return _IN_FORM[form].replace("MARK", mark)


def order_file(marks: Marks, realm: str, head: dict[str, str], units: dict[str, str], *others: str) -> str:
    """Return an order file with a mark in every word of the grammar.

    ``units``: the realm's own, by the letter of their kind; ``head``: the header. Most of it is refused. What
    is understood fails: it names foreign troops and sums that nobody has.
    """
    assert set(HEADER_WORDS) <= {*head, "standing", "ready", "press", "vote"}, (
        "a new word in the header: is it public?"
    )
    lines = [f"{name}: {value}" for name, value in head.items()]
    lines += [f"# {marks.mark(realm, 'a note at the top of the file')}", "headquarters:"]
    lines += list(_words(marks, realm, HEADQUARTERS, 2))
    lines.append("units:")
    for letter, unit in units.items():
        lines.append(f"  {unit}:   # {marks.mark(realm, f'a note beside {letter}')}")
        fitting = {
            name: word for name, word in UNIT.items() if letter in word.kinds and word.form is not forms.PLAN
        }
        lines += _words(marks, realm, fitting, 4)
        lines.append("    plan:")
        lines += [
            f"      - {name}: {written(word.form, marks.mark(realm, f'the order {name}'))}"
            for name, word in PLAN.items()
            if letter in word.kinds
        ]
        # understood, and certain to fail: the text of an order that was settled is private too
        lines.append(
            f"      - transfer: {{to: {realm}/A97, commanders: "
            f"[{marks.mark(realm, 'an order that failed')}]}}"
        )
    lines += [f"  {marks.mark(realm, 'a unit that is not there')}:", "    plan: [hold]"]
    lines += [f"{marks.mark(realm, 'an unknown section')}: 1", "press:"]
    for kind in (SIGNED, ANONYMOUS):
        text = marks.mark(realm, f"the order press, {kind}", others[0])
        address = marks.mark(realm, "an address in press")
        lines.append(f"  - {{to: {others[0]}, as: {kind}, text: {text} {address}@example.org}}")
    lines.append(f"  - {{mute: {others[-1]}}}  # {marks.mark(realm, 'a note beside press')}")
    return "\n".join(lines) + "\n"


def _words(marks: Marks, realm: str, words: dict[str, Word], indent: int) -> Iterator[str]:
    for name, word in words.items():
        yield f"{' ' * indent}{name}: {written(word.form, marks.mark(realm, f'the order {name}'))}"


def unreadable_file(marks: Marks, realm: str, head: dict[str, str]) -> str:
    """A file that is set aside whole, though its sender is proven."""
    lines = [f"{name}: {value}" for name, value in head.items()]
    return (
        "\n".join((*lines, f"headquarters: [{marks.mark(realm, 'a file that cannot be read')}", "units: {"))
        + "\n"
    )


_BASE64 = re.compile(rb"[A-Za-z0-9+/_-][A-Za-z0-9+/_\r\n-]{11,}")
_BLOB = 400  # so long is what may be packed once more
_HEX = re.compile(rb"(?:[0-9A-Fa-f]{2}){8,}")
_JSON = re.compile(rb"\\u([0-9A-Fa-f]{4})")
_ENCODED_WORD = re.compile(rb"=\?[\w-]+\?([BbQq])\?([^?\s]*)\?=")
_DEPTH = 5  # packed in packed in packed: so deep is looked
TOKEN = re.compile(rb"qz[a-z]{2,4}[0-9]{3}k")  # what marked words look like: see :mod:`tests.leaks.marks`


class Search:
    """Looks for words, whatever their case.

    What was looked through once, alone or in a letter, is remembered.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._forms = {word.lower().encode(): word for word in words}
        self._others = [form for form in self._forms if not TOKEN.fullmatch(form)]
        self._known: dict[bytes, frozenset[str]] = {}

    def found(self, data: bytes, depth: int = _DEPTH) -> frozenset[str]:
        """The words that are in the data in any form: packed, encoded, or as they are."""
        mark = hashlib.sha256(data).digest()
        if mark not in self._known:
            seen: set[str] = set()
            for view in _decoded(data):
                seen |= self._plainly_in(view)
            for inner in _inner(data) if depth else ():
                seen |= self.found(inner, depth - 1)
            self._known[mark] = frozenset(seen)
        return self._known[mark]

    def _plainly_in(self, view: bytes) -> set[str]:
        text = view.lower()
        forms = {form for form in TOKEN.findall(text) if form in self._forms}
        return {self._forms[form] for form in (*forms, *(word for word in self._others if word in text))}


def _inner(data: bytes) -> Iterator[bytes]:
    """Yield what is packed in bytes: members of archives, compressed data, parts of letters, base64."""
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                yield name.encode()
                yield archive.read(name)
        return
    if data.startswith(b"\x1f\x8b"):
        yield gzip.decompress(data)
        return
    if data[:1] == b"x":
        with suppress(zlib.error):
            yield zlib.decompress(data)
    if re.match(rb"(?i)[\w-]+:[^\n]*\n", data) and b"\nMIME-Version:" in data:
        yield from _letter(data)
        return
    for match in _BASE64.finditer(data):
        if len(match[0]) >= _BLOB:
            blob = _unbased(_run(match[0]))
            if blob.startswith((b"PK", b"\x1f\x8b", b"x")):
                yield blob


def _letter(data: bytes) -> Iterator[bytes]:
    """Header lines and parts of a letter."""
    message = email.message_from_bytes(data, policy=email.policy.default)
    for part in message.walk():
        yield "\n".join(f"{name}: {value}" for name, value in part.items()).encode("utf-8", "replace")
        if not part.is_multipart():
            content = part.get_payload(decode=True)
            if isinstance(content, bytes):
                yield content


def _decoded(data: bytes) -> Iterator[bytes]:
    """The data with its escapes taken out, each kind by itself, and what is in base64 or hexadecimal in
    it.
    """
    texts = {data: None}
    if b"&" in data:
        texts[html.unescape(data.decode("utf-8", "replace")).encode("utf-8", "replace")] = None
    if b"%" in data:
        texts[unquote_to_bytes(data)] = None
    if b"\\u" in data:
        texts[_JSON.sub(lambda match: chr(int(match[1], 16)).encode("utf-8", "replace"), data)] = None
    if b"=\n" in data or b"=\r\n" in data or re.search(rb"=[0-9A-F]{2}", data):
        texts[quopri.decodestring(data)] = None
    for match in _ENCODED_WORD.finditer(data):
        texts[_unbased(match[2]) if match[1] in b"Bb" else quopri.decodestring(match[2], header=True)] = None
    for text in texts:
        yield text
        # a run may begin within a word that is no base64: four ways to cut it
        runs = [_run(match[0]) for match in _BASE64.finditer(text)]
        for shift in range(4):
            yield b" ".join(_unbased(run[shift:]) for run in runs)
        yield b" ".join(binascii.unhexlify(match[0]) for match in _HEX.finditer(text))


def _run(data: bytes) -> bytes:
    return re.sub(rb"[\r\n]", b"", data).translate(bytes.maketrans(b"-_", b"+/"))


def _unbased(run: bytes) -> bytes:
    run = run[: len(run) - len(run) % 4] if len(run) % 4 == 1 else run + b"=" * (-len(run) % 4)
    try:
        return base64.b64decode(run)
    except binascii.Error:
        return b""
