"""An order file as it is read, and its head: format, game, party, turn and the key that proves the sender."""

import re
from collections.abc import Iterable
from collections.abc import Mapping as Table
from typing import Any, Required, Self, TypedDict

from gm.core.diagnostics import Counted, Diagnostic, SourceError, fold, nearest, says, shown
from gm.core.orders.keys import key_slip, same_key
from gm.core.orders.press import Note, read_notes
from gm.core.orders.reading import NameIndex, OrderFileReader
from gm.core.values import Record
from gm.core.yaml.source import Mapping, Node, Scalar, Sequence, read_tolerantly


class OrderFile(Counted, Record):
    """One order file, parsed: its head, its orders, and the findings."""

    sheet: Any | None  # the orders; None: the file is rejected whole (O7), and it proves no realm
    diagnostics: tuple[Diagnostic, ...] = ()
    realm: str = ""
    key: str = ""
    standing: int = 0  # the last turn for which it is repeated while no newer file comes; 0: none
    ready: bool = True  # whether the turn may be played before its deadline
    press: tuple[Note, ...] = ()  # letters to other players
    vote: str = ""  # ``draw`` or ``concede CODE`` (:mod:`gm.game.votes`); empty: no vote
    data: bytes = b""  # the file as it came
    turn: int = 0
    entries: Table[str, str] = {}  # the single values at its top, as unchecked text, by name in small letters
    cases: tuple[Node, ...] = ()  # its orders for turns to come

    def says(self, realm: str, key: str | None) -> bool:
        """Return whether the file is readable and names this realm and this key.

        An empty realm matches any, and so does a key of None; with both, unreadable files match, too.
        """
        if not realm and key is None:
            return True
        is_of_realm = realm in ("", self.realm)
        return self.sheet is not None and is_of_realm and (key is None or same_key(self.key, key))

    def named(self, before: str, name: str) -> Self:
        """Return the same file whose findings name the file ``name`` instead of ``before``."""
        if not self.diagnostics:
            return self
        renamed = (
            diagnostic.evolve(file=name) if diagnostic.file == before else diagnostic
            for diagnostic in self.diagnostics
        )
        return self.evolve(diagnostics=tuple(renamed))

    def set_aside(self, *findings: Diagnostic) -> Self:
        """Return the same file without orders, rejected because of these findings (O7)."""
        return self.evolve(sheet=None, diagnostics=findings)


# the words of a file's head in games whose parties are realms
HEADER_WORDS = ("orders", "game", "realm", "turn", "key", "standing", "ready", "press", "vote")
# the same in games whose parties are players and whose files have no format version
PLAIN_WORDS = ("game", "turn", "player", "key", "ready", "press", "vote")
THEN = "then"  # the word that stands before orders for turns to come
STANDING_SAYS = "the last turn for which the same orders are given again while you send nothing newer"
READY = {
    "type": ["boolean", "string", "null"],
    "description": "no: the turn is not played before its deadline",
}
VOTE = {
    "type": ["string", "boolean", "null"],
    "description": "draw, or concede CODE: the game ends with this turn when so many agree as its rules say",
}
# for so many turns orders may be repeated: who is away for longer needs somebody else to play
STANDING_LIMIT = 12


class Expected(TypedDict, total=False):
    """The arguments of a game's ``read_orders`` about the head that an order file must have, and its time."""

    game: Required[str]  # the game's id
    realm: Required[str | None]  # a code; None: of any realm
    key: Required[str | None]  # None: any key
    late: bool  # whether the file came after the deadline


class Addressed(Record):
    """The head that an order file must have to be accepted, and what its vote may be."""

    game: str  # the game's id
    realm: str | None = None  # a code; None: of any realm
    turn: int | None = None  # None: any turn
    key: str | None = None  # None: any key
    votes: str = "all"  # the rule by which votes pass; ``none``: there is no voting
    out: frozenset[str] = frozenset()  # the realms that are out of the game


_ENTRY = re.compile(r"(?m)^\ufeff?[\"']?(\w{1,20})[\"']?[ \t]*:[ \t]*[\"']?([\w .-]{1,90})")  # ``turn: 5``
# so many of its first bytes are searched for such entries, if a file is no YAML
_SEARCHED = 4096


def parse(data: bytes, file: str) -> tuple[Node | None, OrderFile]:
    """Return (root node, file whose head and orders are unchecked) of an order file.

    The findings are those about its YAML; the node is None if it is no YAML at all (O7). ``file``: its name
    in findings.
    """
    try:
        root, repeated = read_tolerantly(data, file)
    except SourceError as error:
        head_entries = _ENTRY.findall(data[:_SEARCHED].decode("utf-8", "replace"))
        # the first of several entries of a name counts
        entries = {name.lower(): value.strip(" .") for name, value in reversed(head_entries)}
        return None, OrderFile(None, error.diagnostics, data=data, entries=entries)
    cases = tuple(later_cases(root))
    return root, OrderFile(None, tuple(repeated), data=data, entries=_entries(root), cases=cases)


def later_cases(case: Node) -> list[Node]:
    """Return the cases under ``then`` in a file, or in a case, with the orders for the turn after it."""
    cases = case.get(THEN) if isinstance(case, Mapping) else None
    return list(cases) if isinstance(cases, Sequence) else []


def _entries(root: Node) -> dict[str, str]:
    """Return the single values at the top of a file as text, by name in small letters."""
    pairs: Iterable[tuple[Scalar, Node]] = root if isinstance(root, Mapping) else ()
    entries: dict[str, str] = {}
    for key, value in pairs:
        if isinstance(value, Scalar) and not value.is_null:
            entries[key.text.lower()] = value.text.strip()
    return entries


def read_header(
    reader: OrderFileReader,
    root: Node,
    file: OrderFile,
    *,
    version: int = 0,
    realms: NameIndex,
    to: Addressed,
    party: str = "realm",
) -> OrderFile | None:
    """Return a parsed file with the contents of its head; None if a part of it is missing or not as expected.

    Every fault is reported. ``version``: the newest format that is understood; 0: files have no version.
    ``realms``: the codes and names of all parties; ``to``: what the head has to say; ``party``: the game's
    word for a party.
    """
    if not isinstance(root, Mapping):
        first_line = f"orders: {version}" if version else f"game: {to.game}"
        pattern = "an order file begins with '{0}' and has lines of the form 'name: value'; found {1}"
        reader.error(root, "sheet/no-order-file", says(pattern, first_line, root.what), clause="O7")
        return None
    format_version = _version(reader, root, version) if version else 0
    if format_version is None:
        return None
    game = _game(reader, root, to.game)
    realm = _party(reader, root, party, realms, to.realm)
    turn = _turn(reader, root, to.turn)
    key = _key(reader, root, to.key, party)
    if game is None or realm is None or turn is None or key is None:
        return None
    press = read_notes(reader, root.get("press"), realm, realms, party)
    standing = _standing(reader, root.get("standing"), turn)
    ready = _ready(reader, root.get("ready"))
    vote = _vote(reader, root.get("vote"), realm, realms, to)
    return file.evolve(
        realm=realm,
        turn=turn,
        key=key,
        standing=standing,
        ready=ready,
        press=press,
        vote=vote,
    )


def _value(reader: OrderFileReader, root: Mapping, word: str, what: str) -> Node | None:
    """Return the value of a word of the head; None, with a finding, if it is missing.

    ``what``: what its value is, for the message.
    """
    value = root.get(word)
    if value is None:
        near = nearest(word, (key.text for key, _ in root))
        question = says("did you mean '{0}' instead of {1}?", word, shown(near or ""))
        # a word that the head may have is not a misspelled one
        hint = question if near and near not in HEADER_WORDS else ""
        message = says("the line '{0}: ...' ({1}) is missing", word, what)
        reader.error(root, "sheet/header-missing", message, suggestion=hint, clause="O7")
    return value


def _version(reader: OrderFileReader, root: Mapping, newest: int) -> int | None:
    """Return the file's format version; None, with a finding, if this program cannot read it."""
    value = _value(reader, root, "orders", says("the format version, {0}", newest))
    if value is None:
        return None
    version = reader.whole(value, says("the format version"), 0, clause="O7")
    if version is None or 1 <= version <= newest:
        return version
    pattern = "this file has format {0}; this program reads formats up to {1}: use a newer program"
    code = "sheet/newer-format"
    message = says(pattern, version, newest)
    if version == 0:
        code = "sheet/unknown-format"
        message = says("there is no format 0; write 'orders: {0}'", newest)
    reader.error(value, code, message, clause="O7")
    return None


def _game(reader: OrderFileReader, root: Mapping, wanted: str) -> str | None:
    """Return the game's id ``wanted`` if the file names it; None, with a finding, if not."""
    expected = says("the game's id")
    value = _value(reader, root, "game", expected)
    if value is None:
        return None
    text = reader.scalar(value, expected, "O7")
    if text is None:
        return None
    if fold(text) == fold(wanted):
        return wanted
    reader.error(
        value, "sheet/wrong-game", says("this game is {0}, not {1}", shown(wanted), shown(text)), clause="O7"
    )
    return None


def _party(
    reader: OrderFileReader, root: Mapping, party: str, realms: NameIndex, expected: str | None
) -> str | None:
    """Return the code of the realm that the file names.

    None, with a finding, if it is unknown or not the expected one. ``party``: the game's word for a realm.
    """
    value = _value(reader, root, party, says(f"your {party}'s code"))
    if value is None:
        return None
    realm = reader.name(value, realms, f"sheet/unknown-{party}", "O7")
    if realm is None or expected in (None, realm):
        return realm
    message = says("these are orders for {0}; orders for {1} were expected", realm, expected)
    reader.error(value, f"sheet/wrong-{party}", message, clause="O7")
    return None


def _turn(reader: OrderFileReader, root: Mapping, expected: int | None) -> int | None:
    """Return the turn that the file names; None, with a finding, if it is not the expected one."""
    value = _value(reader, root, "turn", says("the number of the turn"))
    if value is None:
        return None
    lowest = 0 if expected == 0 else 1  # only a game whose count begins at 0 has a turn 0
    turn = reader.whole(value, says("the turn"), lowest, clause="O7")
    if turn is None or expected in (None, turn):
        return turn
    message = says("orders are accepted for turn {0}, not for turn {1}", expected, turn)
    reader.error(value, "sheet/wrong-turn", message, clause="O7")
    return None


def _standing(reader: OrderFileReader, value: Node | None, turn: int) -> int:
    """Return the last turn for which the orders are repeated; 0 if they are not. Report a wrong value."""
    if value is None or (isinstance(value, Scalar) and value.is_null):
        return 0
    expected = says("the last turn for which these orders are repeated")
    return reader.whole(value, expected, turn, turn + STANDING_LIMIT, clause="O1") or 0


def _ready(reader: OrderFileReader, value: Node | None) -> bool:
    """Return whether the turn may be played before its deadline: True for yes, and where nothing is said.

    False for no, and for any other value, which is reported.
    """
    if value is None or (isinstance(value, Scalar) and value.is_null):
        return True
    return bool(reader.answer(value, "'ready'", "O1"))


def _is_nothing(node: Node, word: str) -> bool:
    """Return whether a node, whose first word is ``word``, says that there is no vote."""
    if isinstance(node, Scalar) and node.is_null:
        return True
    return word in ("no", "none", "false")


def _vote(reader: OrderFileReader, node: Node | None, realm: str, realms: NameIndex, to: Addressed) -> str:
    """Return a party's vote, ``draw`` or ``concede CODE``; empty if there is none.

    One that is not allowed is reported and counts as none (V1).
    """
    text = node.text.strip() if isinstance(node, Scalar) else "?"  # which is no vote: a list or a mapping
    first, _, name = text.partition(" ")
    word = fold(first)
    if node is None or _is_nothing(node, word):
        return ""
    name = name.strip()
    hint = ""
    winner = realms.find(name) if word == "concede" and name else None
    if to.votes == "none":
        message = says("voting is off in this game")
    elif word == "draw" and not name:
        return "draw"
    elif winner and winner != realm and winner not in to.out:
        return f"concede {winner}"
    elif winner:
        message = says("the game can be conceded only to others who are in it, not to {0}", winner)
    elif word == "concede" and name:
        message = says("there is no {0} to concede the game to", shown(name))
        hint = realms.suggestion(name)
    else:
        message = says(
            "'vote' is 'draw', or 'concede' and the winner's letters, such as 'concede {0}'", "ABC"
        )
    reader.error(node, "sheet/vote", message, suggestion=hint, clause="V1")
    return ""


def _key(reader: OrderFileReader, root: Mapping, expected: str | None, party: str) -> str | None:
    """Return the file's key; None, with a finding, if it is not the ``expected`` one.

    If any is accepted (``expected`` is None), a missing key is empty. ``party``: the game's word for a realm.
    """
    if expected is None:
        value = root.get("key")
        return value.text.strip() if isinstance(value, Scalar) else ""
    value = _value(reader, root, "key", says(f"the {party}'s key for the turn"))
    if value is None:
        return None
    text = reader.scalar(value, says(f"the {party}'s key"), "O7")
    if text is None:
        return None
    if same_key(text, expected):
        return text.strip()
    slip = key_slip(text)
    other_key = says(f"this is not the {party}'s key for this turn, which is in the template for the orders")
    message = says("the key has a typing error") if slip else other_key
    reader.error(value, "sheet/wrong-key", message, suggestion=slip, clause="O7")
    return None
