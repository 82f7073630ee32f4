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
    """One order file, parsed: its head, its orders, and the findings.

    ``sheet`` none: it is rejected whole (O7), and it proves no realm. ``standing``: the last turn for which
    it is repeated while nothing newer comes, 0: none; ``ready``: the turn may be played early; ``press``:
    letters to other players; ``vote``: ``draw`` or ``concede CODE`` (:mod:`gm.game.votes`). ``data``: the
    file as it came; ``entries``: the values at its top, as unchecked text, by names in small letters;
    ``cases``: its orders for turns to come.
    """

    sheet: Any | None
    diagnostics: tuple[Diagnostic, ...] = ()
    realm: str = ""
    key: str = ""
    standing: int = 0
    ready: bool = True
    press: tuple[Note, ...] = ()
    vote: str = ""
    data: bytes = b""
    turn: int = 0
    entries: Table[str, str] = {}
    cases: tuple[Node, ...] = ()

    def says(self, realm: str, key: str | None) -> bool:
        """Return whether it is readable and names this realm and this key.

        An empty realm and a key of None match any.
        """
        if not realm and key is None:
            return True
        is_realm = realm in ("", self.realm)
        return self.sheet is not None and is_realm and (key is None or same_key(self.key, key))

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
        """Return the same file without orders, rejected for these reasons (O7)."""
        return self.evolve(sheet=None, diagnostics=findings)


HEADER_WORDS = ("orders", "game", "realm", "turn", "key", "standing", "ready", "press", "vote")
# where parties are players and there is one format only
PLAIN_WORDS = ("game", "turn", "player", "key", "ready", "press", "vote")
THEN = "then"  # the word for orders for turns to come
STANDING_SAYS = "the last turn for which the same orders are given again while you send nothing newer"
READY = {
    "type": ["boolean", "string", "null"],
    "description": "no: the turn is not played before its deadline",
}
VOTE = {
    "type": ["string", "boolean", "null"],
    "description": "draw, or concede CODE: the game ends with this turn when so many agree as its rules say",
}
# so many turns ahead orders may stand: who is away for longer needs somebody to play for him
STANDING_LIMIT = 12


class Expected(TypedDict, total=False):
    """The head that an order file must have; no realm, key None: any. ``late``: it came too late."""

    game: Required[str]
    realm: Required[str | None]
    key: Required[str | None]
    late: bool


class Addressed(Record):
    """The head that an order file must have to be accepted: the game, and if known the realm, turn and key.

    ``votes``: the rule by which votes pass; ``out``: the realms that are out of the game.
    """

    game: str
    realm: str | None = None
    turn: int | None = None
    key: str | None = None
    votes: str = "all"
    out: frozenset[str] = frozenset()


_ENTRY = re.compile(r"(?m)^\ufeff?[\"']?(\w{1,20})[\"']?[ \t]*:[ \t]*[\"']?([\w .-]{1,90})")
# so many bytes from its beginning, a file that is no YAML is searched for what it says about itself
_SEARCHED = 4096


def parse(data: bytes, file: str) -> tuple[Node | None, OrderFile]:
    """Return an order file parsed as YAML, with its head unchecked; ``file`` is its name in findings.

    The findings are those of its YAML; without a node it is no YAML at all (O7).
    """
    try:
        root, twice = read_tolerantly(data, file)
    except SourceError as error:
        head_entries = _ENTRY.findall(data[:_SEARCHED].decode("utf-8", "replace"))
        entries = {name.lower(): value.strip(" .") for name, value in reversed(head_entries)}
        return None, OrderFile(None, error.diagnostics, data=data, entries=entries)
    cases = tuple(later_cases(root))
    return root, OrderFile(None, tuple(twice), data=data, entries=_entries(root), cases=cases)


def later_cases(case: Node) -> list[Node]:
    """Return the cases of a file, or of a case, for the turn after it, item by item."""
    cases = case.get(THEN) if isinstance(case, Mapping) else None
    return list(cases) if isinstance(cases, Sequence) else []


def _entries(root: Node) -> dict[str, str]:
    """Return the single values of a file's head, by word in lower case."""
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
    """Return a parsed file with the contents of its header; None if it cannot be for this game and turn.

    Every reason is reported. ``version``: the newest format understood, 0: files name none. ``party``: what
    the game calls a realm.
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
    """Return the value of a word of the head; if it is missing, report that and return None."""
    value = root.get(word)
    if value is None:
        near = nearest(word, (key.text for key, _ in root))
        where = says("did you mean '{0}' instead of {1}?", word, shown(near or ""))
        hint = where if near and near not in HEADER_WORDS else ""
        message = says("the line '{0}: ...' ({1}) is missing", word, what)
        reader.error(root, "sheet/header-missing", message, suggestion=hint, clause="O7")
    return value


def _version(reader: OrderFileReader, root: Mapping, newest: int) -> int | None:
    """Return the file's format version; None, with a finding, if this program cannot read it."""
    value = _value(reader, root, "orders", says("the format version, {0}", newest))
    version = reader.whole(value, says("the format version"), 0, clause="O7") if value is not None else None
    if value is None or version is None or 1 <= version <= newest:
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
    """Return the game's id if the file names it; None, with a finding, if not."""
    expected = says("the game's id")
    value = _value(reader, root, "game", expected)
    text = reader.scalar(value, expected, "O7") if value is not None else None
    if value is None or text is None or fold(text) == fold(wanted):
        return text and wanted
    reader.error(
        value, "sheet/wrong-game", says("this game is {0}, not {1}", shown(wanted), shown(text)), clause="O7"
    )
    return None


def _party(
    reader: OrderFileReader, root: Mapping, party: str, realms: NameIndex, expected: str | None
) -> str | None:
    """Return the realm that the file names.

    None, with a finding, if it is unknown or not the expected one.
    """
    value = _value(reader, root, party, says(f"your {party}'s code"))
    realm = reader.name(value, realms, f"sheet/unknown-{party}", "O7") if value is not None else None
    if value is None or realm is None or expected in (None, realm):
        return realm
    message = says("these are orders for {0}; orders for {1} were expected", realm, expected)
    reader.error(value, f"sheet/wrong-{party}", message, clause="O7")
    return None


def _turn(reader: OrderFileReader, root: Mapping, expected: int | None) -> int | None:
    """Return the turn that the file names; None, with a finding, if it is not the expected one."""
    value = _value(reader, root, "turn", says("the number of the turn"))
    if value is None:
        return None
    turn = reader.whole(value, says("the turn"), 0 if expected == 0 else 1, clause="O7")
    if turn is None or expected in (None, turn):
        return turn
    message = says("orders are accepted for turn {0}, not for turn {1}", expected, turn)
    reader.error(value, "sheet/wrong-turn", message, clause="O7")
    return None


def _standing(reader: OrderFileReader, value: Node | None, turn: int) -> int:
    """Return the last turn for which the orders are repeated; 0 if they are not."""
    if value is None or (isinstance(value, Scalar) and value.is_null):
        return 0
    expected = says("the last turn for which these orders are repeated")
    return reader.whole(value, expected, turn, turn + STANDING_LIMIT, clause="O1") or 0


def _ready(reader: OrderFileReader, value: Node | None) -> bool:
    """Return whether the turn may be played early."""
    return (
        value is None
        or (isinstance(value, Scalar) and value.is_null)
        or bool(reader.answer(value, "'ready'", "O1"))
    )


def _is_nothing(node: Node, word: str) -> bool:
    """Return whether a vote is none: an empty value, or a ``word`` that says so."""
    if isinstance(node, Scalar) and node.is_null:
        return True
    return word in ("no", "none", "false")


def _vote(reader: OrderFileReader, node: Node | None, realm: str, realms: NameIndex, to: Addressed) -> str:
    """Return what a party votes for, empty for nothing; report what cannot be voted for (V1)."""
    text = node.text.strip() if isinstance(node, Scalar) else "?"
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
    """Return the file's key; None, with a finding, if it is wrong."""
    if expected is None:
        value = root.get("key")
        return value.text.strip() if isinstance(value, Scalar) else ""
    value = _value(reader, root, "key", says(f"the {party}'s key for the turn"))
    text = reader.scalar(value, says(f"the {party}'s key"), "O7") if value is not None else None
    if value is None or text is None or same_key(text, expected):
        return text and text.strip()
    slip = key_slip(text)
    other_key = says(f"this is not the {party}'s key for this turn, which is in the template for the orders")
    message = says("the key has a typing error") if slip else other_key
    reader.error(value, "sheet/wrong-key", message, suggestion=slip, clause="O7")
    return None
