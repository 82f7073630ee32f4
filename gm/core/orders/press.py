"""Letters to other players in an order file (``press:``), delivered with the turn in games without mail.

A letter is ``{to: [POL, NOV], text: ...}``, with ``as: anonymous`` or ``as: public`` where the game allows
it. Three requests have the same form: ``{mute: POL}`` and ``{unmute: POL}`` say whose letters the player does
not want any more, or wants again; ``{letters: open}`` agrees that everybody may read all letters when the
game is over. The campaign decides which letters are delivered.
"""

from collections.abc import Iterator

from gm.core.diagnostics import fold, says
from gm.core.orders.reading import NameIndex, OrderFileReader
from gm.core.values import Record
from gm.core.yaml.source import Mapping, Node, Scalar

SIGNED = "signed"
ANONYMOUS = "anonymous"
PUBLIC = "public"
KINDS = (SIGNED, ANONYMOUS, PUBLIC)
MUTE = "mute"
UNMUTE = "unmute"
OPEN = "open"  # the player agrees that everybody may read all letters when the game is over
CLOSED = "closed"  # the player does not agree to that any more
WISHES = (MUTE, UNMUTE, OPEN, CLOSED)  # the kinds of notes that are no letters
ALL = "all"  # the receiver of a letter to all parties that can be written to
EVERYBODY = (ALL, "everybody", "alle")  # the words for it, folded
GM = "GM"  # the receiver of a letter to the game master
MOST = 50  # notes of a file at most; a game may allow less
LONGEST = 20_000  # characters of a letter at most

_ONE = {"type": "string"}
_SOME = {"anyOf": [_ONE, {"type": "array", "items": _ONE}]}
_LETTER = {
    "type": "object",
    "properties": {
        "to": {**_SOME, "description": "whom it is for, all, or GM"},
        "as": {
            "enum": list(KINDS),
            "description": "where the game allows it; public: for everybody's report",
        },
        "text": {"type": "string", "maxLength": LONGEST},
        MUTE: {**_SOME, "description": "whose letters you do not want"},
        UNMUTE: {**_SOME, "description": "whose letters you want again"},
        "letters": {
            "enum": [OPEN, CLOSED],
            "description": "open: all may be read when the game is over, if all agree",
        },
    },
    "additionalProperties": False,
}
PRESS = {
    "anyOf": [_LETTER, {"type": "array", "items": _LETTER, "maxItems": MOST}, {"type": "null"}],
    "description": "letters to other players, delivered with the turn",
}


class Note(Record):
    """A letter as its player has written it, or one of the requests in ``WISHES``."""

    to: tuple[str, ...]  # the codes of its receivers, or ``ALL`` or ``GM``; of the parties to be muted
    kind: str = ""  # one of ``KINDS`` or ``WISHES``; empty for a letter that names no kind
    text: str = ""


def read_notes(
    reader: OrderFileReader, section: Node | None, realm: str, realms: NameIndex, party: str
) -> tuple[Note, ...]:
    """Return the letters and requests of a file's ``press``, as far as they can be understood.

    Each fault is reported where it is. ``realm``: the writer's code; ``party``: the game's word for a realm.
    """
    if section is None:
        return ()
    entries = (
        [section]
        if isinstance(section, Mapping)
        else reader.listed(section, says("letters to other players"))
    )
    if len(entries) > MOST:
        reader.expected(entries[MOST], says("at most {0} letters in a file", MOST))
    return tuple(note for entry in entries[:MOST] for note in _notes(reader, entry, realm, realms, party))


def _notes(reader: OrderFileReader, node: Node, realm: str, realms: NameIndex, party: str) -> Iterator[Note]:
    """Yield the notes of one entry: a letter and requests.

    ``realm``: the writer's code; ``party``: the game's word for a realm.
    """
    entry = reader.mapping(node, says("a letter: 'to' and 'text', or 'mute'"))
    if entry is None:
        return
    words = {name: name for name in ("to", "as", "text", MUTE, UNMUTE, "letters")}

    def unknown(key: Node, word: str) -> None:
        reader.unknown_word(says("in a letter"), words, {}, key, word)  # type: ignore[arg-type]

    fields = {word: value for _, word, value in reader.words(entry, words, unknown)}
    for word in (MUTE, UNMUTE):
        codes = tuple(_receivers(reader, fields[word], realm, realms, party)) if word in fields else ()
        if codes:
            reader.count_order(fields[word])
            yield Note(codes, word)
    if "letters" in fields:
        yield from _openness(reader, fields["letters"])
    if {"to", "text", "as"} & fields.keys():
        yield from _letter(reader, entry, fields, realm, realms, party)


def _letter(
    reader: OrderFileReader,
    entry: Node,
    fields: dict[str, Node],
    realm: str,
    realms: NameIndex,
    party: str,
) -> Iterator[Note]:
    """Yield the letter of an entry; nothing, with a finding, if a part of it is missing or wrong.

    ``fields``: the entry's values by their words; ``realm``: the writer's code.
    """
    kinds = NameIndex("kind of letter", KINDS)
    kind = reader.name(fields["as"], kinds, "sheet/unknown-word") if "as" in fields else ""
    to = tuple(_receivers(reader, fields["to"], realm, realms, party, letter=True)) if "to" in fields else ()
    if "text" not in fields or not ("to" in fields or kind == PUBLIC):
        reader.expected(entry, says("a letter with 'to' and 'text'"))
        return
    text = reader.text(fields["text"], says("a letter"), LONGEST, one_line=False)
    # what is wrong with one of these was reported when it was read
    if kind is not None and text and (to or "to" not in fields):
        reader.count_order(entry)
        yield Note(to, kind, text)


def _openness(reader: OrderFileReader, node: Node) -> Iterator[Note]:
    """Yield the request that letters be open, or closed, after the game; report any other text."""
    word = fold(getattr(node, "text", ""))
    if word in (OPEN, CLOSED):
        reader.count_order(node)
        yield Note((), word)
    else:
        reader.expected(node, says("open or closed"))


def _receivers(
    reader: OrderFileReader, node: Node, realm: str, realms: NameIndex, party: str, *, letter: bool = False
) -> Iterator[str]:
    """Yield the codes of other parties that a node names, ``ALL`` or, for a ``letter``, ``GM``.

    Other names, the writer's own (``realm``), and that none is named are reported.
    """
    what = says(f"the name of a {party}")
    receivers = reader.listed(node, what)
    if not receivers and not isinstance(node, Mapping):  # a mapping is reported by ``listed``
        reader.error(node, "sheet/wrong-type", says("expected {0}, found {1}", what, says("nothing")))
    for receiver in receivers:
        word = fold(receiver.text) if isinstance(receiver, Scalar) else ""
        if word in EVERYBODY:
            yield ALL
            continue
        if letter and word == "gm":
            yield GM
            continue
        code = reader.name(receiver, realms, f"sheet/unknown-{party}")
        if code == realm:
            reader.expected(receiver, says("another player"))
        elif code is not None:
            yield code
