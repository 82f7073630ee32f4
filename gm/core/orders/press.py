"""Letters to other players in an order file (``press:``), delivered with the turn in games without mail.

Each is ``{to: [POL, NOV], text: ...}``, with ``as: anonymous`` or ``as: public`` where the game allows it;
``{mute: POL}`` and ``{unmute: POL}`` say whose letters are wanted no more, or again, ``{letters: open}`` that
all letters may be read when the game is over, if everybody agrees. What is delivered the campaign decides.
"""

from collections.abc import Iterator

from gm.core.diagnostics import fold, says
from gm.core.orders.reading import NameIndex, OrderFileReader
from gm.core.values import Record
from gm.core.yaml.source import Mapping, Node

SIGNED = "signed"
ANONYMOUS = "anonymous"
PUBLIC = "public"
KINDS = (SIGNED, ANONYMOUS, PUBLIC)
MUTE = "mute"
UNMUTE = "unmute"
OPEN = "open"  # whether a player agrees that letters are told when the game is over: now
CLOSED = "closed"  # not yet
WISHES = (MUTE, UNMUTE, OPEN, CLOSED)  # what is no letter
ALL = "all"  # to everybody who can be written to
EVERYBODY = (ALL, "everybody", "alle")
GM = "GM"  # to the game master
MOST = 50  # letters of a file; a game may allow less
LONGEST = 20_000  # characters of a letter

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
    """A letter as it is written, or a wish to mute a party.

    ``to``: codes, or ``all``; ``kind``: empty where none is named.
    """

    to: tuple[str, ...]
    kind: str = ""
    text: str = ""


def read_notes(
    reader: OrderFileReader, section: Node | None, realm: str, realms: NameIndex, party: str
) -> tuple[Note, ...]:
    """Return the letters of a file's ``press``, as far as they can be understood.

    Each fault is reported where it is.
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
    """Yield the notes of one entry: mutes, the wish about letters, or a letter."""
    entry = reader.mapping(node, says("a letter: 'to' and 'text', or 'mute'"))
    if entry is None:
        return
    words = {name: name for name in ("to", "as", "text", MUTE, UNMUTE, "letters")}

    def unknown(key: Node, word: str) -> None:
        reader.unknown_word(says("in a letter"), words, {}, key, word)  # type: ignore[arg-type]

    fields = {word: value for _, word, value in reader.words(entry, words, unknown)}
    for word in (MUTE, UNMUTE):
        codes = tuple(_readers(reader, fields[word], realm, realms, party)) if word in fields else ()
        if codes:
            reader.count_order(fields[word])
            yield Note(codes, word)
    if "letters" in fields:
        yield from _wish(reader, fields["letters"])
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
    """Yield a letter, or report what it lacks; ``fields``: its values by their words."""
    kinds = NameIndex("kind of letter", KINDS)
    kind = reader.name(fields["as"], kinds, "sheet/unknown-word") if "as" in fields else ""
    to = tuple(_readers(reader, fields["to"], realm, realms, party, letter=True)) if "to" in fields else ()
    if "text" not in fields or not ("to" in fields or kind == PUBLIC):
        reader.expected(entry, says("a letter with 'to' and 'text'"))
        return
    text = reader.text(fields["text"], says("a letter"), LONGEST, one_line=False)
    if kind is not None and text and (to or "to" not in fields):
        reader.count_order(entry)
        yield Note(to, kind, text)


def _wish(reader: OrderFileReader, node: Node) -> Iterator[Note]:
    """Yield whether a party wants past letters to be open; report a text that is neither yes nor no."""
    word = fold(getattr(node, "text", ""))
    if word in (OPEN, CLOSED):
        reader.count_order(node)
        yield Note((), word)
    else:
        reader.expected(node, says("open or closed"))


def _readers(
    reader: OrderFileReader, node: Node, realm: str, realms: NameIndex, party: str, *, letter: bool = False
) -> Iterator[str]:
    """Yield the codes that a node names, ``ALL`` or, for a letter, ``GM``; others are reported."""
    for reader_node in reader.listed(node, says(f"the name of a {party}")):
        if fold(getattr(reader_node, "text", "")) in EVERYBODY:
            yield ALL
        elif letter and fold(getattr(reader_node, "text", "")) == "gm":
            yield GM
        elif (code := reader.name(reader_node, realms, f"sheet/unknown-{party}")) == realm:
            reader.expected(reader_node, says("another player"))
        elif code is not None:
            yield code
