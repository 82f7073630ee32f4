"""The head of every order sheet: format, game, party, turn and the key that proves the sender."""

from gm.core.diagnostics import fold, nearest, says, shown
from gm.core.orders.keys import key_slip, same_key
from gm.core.orders.press import Note, read_notes
from gm.core.orders.reading import NameIndex, OrderFileReader
from gm.core.values import Record
from gm.core.yaml.source import Mapping, Node, Scalar


class Header(Record):
    """Who orders what turn of what game.

    ``key`` is empty when none was written; ``standing``: the last turn for which the orders are repeated
    while nothing newer comes, 0: none; ``ready``: whether the turn may be played early; ``press``: letters to
    other players; ``vote``: ``draw``, ``concede CODE`` or nothing.
    """

    version: int
    game: str
    realm: str
    turn: int
    key: str
    realm_node: Scalar
    standing: int = 0
    ready: bool = True
    press: tuple[Note, ...] = ()
    vote: str = ""


HEADER_WORDS = ("orders", "game", "realm", "turn", "key", "standing", "ready", "press", "vote")
# where parties are players and there is one format only
PLAIN_WORDS = ("game", "turn", "player", "key", "ready", "press", "vote")
STANDING_SAYS = "the last turn for which the same orders are given again while you send nothing newer"
READY = {"type": ["boolean", "string", "null"], "description": "no: the turn is not played before its deadline"}
VOTE = {
    "type": ["string", "boolean", "null"],
    "description": "draw, or concede CODE: the game ends with this turn when so many agree as its rules say",
}
STANDING_LIMIT = 12  # so many turns ahead orders may stand: who is away for longer needs somebody to play for him


class Addressed(Record):
    """What a sheet must say to be taken: the game, and where known the realm, the turn and the realm's key.

    ``votes``: by which rule votes pass, ``out``: the realms that are out of the game.
    """

    game: str
    realm: str | None = None
    turn: int | None = None
    key: str | None = None
    votes: str = "all"
    out: frozenset[str] = frozenset()


def read_header(
    reader: OrderFileReader, root: Node, *, version: int = 0, realms: NameIndex, to: Addressed, party: str = "realm"
) -> Header | None:
    """Return the header of a sheet; None, with every reason reported, when it cannot be for this game, realm or turn.

    ``version``: the newest format understood, 0: sheets name none. ``party``: what the game calls a realm.
    """
    if not isinstance(root, Mapping):
        first = f"orders: {version}" if version else f"game: {to.game}"
        pattern = "an order file begins with '{0}' and has lines of the form 'name: value'; found {1}"
        reader.error(root, "sheet/no-order-file", says(pattern, first, root.what), clause="O7")
        return None
    written = _version(reader, root, version) if version else 0
    if written is None:
        return None
    game = _game(reader, root, to.game)
    realm = _party(reader, root, party, realms, to.realm)
    turn = _turn(reader, root, to.turn)
    key = _key(reader, root, to.key, party)
    realm_node = root.get(party)
    if game is None or realm is None or turn is None or key is None or not isinstance(realm_node, Scalar):
        return None
    press = read_notes(reader, root, realm, realms, party)
    more = (_standing(reader, root, turn), _ready(reader, root), press, _vote(reader, root, realm, realms, to))
    return Header(written, game, realm, turn, key, realm_node, *more)


def _value(reader: OrderFileReader, root: Mapping, word: str, what: str) -> Node | None:
    value = root.get(word)
    if value is None:
        near = nearest(word, (key.text for key, _ in root))
        where = says("did you mean '{0}' instead of {1}?", word, shown(near or ""))
        hint = where if near and near not in HEADER_WORDS else ""
        message = says("the line '{0}: ...' ({1}) is missing", word, what)
        reader.error(root, "sheet/header-missing", message, suggestion=hint, clause="O7")
    return value


def _version(reader: OrderFileReader, root: Mapping, newest: int) -> int | None:
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
    what = says("the game's id")
    value = _value(reader, root, "game", what)
    text = reader.scalar(value, what, "O7") if value is not None else None
    if value is None or text is None or fold(text) == fold(wanted):
        return text and wanted
    reader.error(value, "sheet/wrong-game", says("this game is {0}, not {1}", shown(wanted), shown(text)), clause="O7")
    return None


def _party(reader: OrderFileReader, root: Mapping, party: str, realms: NameIndex, wanted: str | None) -> str | None:
    value = _value(reader, root, party, says(f"your {party}'s code"))
    realm = reader.name(value, realms, f"sheet/unknown-{party}", "O7") if value is not None else None
    if value is None or realm is None or wanted in (None, realm):
        return realm
    message = says("these are orders for {0}; orders for {1} were expected", realm, wanted)
    reader.error(value, f"sheet/wrong-{party}", message, clause="O7")
    return None


def _turn(reader: OrderFileReader, root: Mapping, wanted: int | None) -> int | None:
    value = _value(reader, root, "turn", says("the number of the turn"))
    turn = reader.whole(value, says("the turn"), 0 if wanted == 0 else 1, clause="O7") if value is not None else None
    if value is None or turn is None or wanted in (None, turn):
        return turn
    message = says("orders are accepted for turn {0}, not for turn {1}", wanted, turn)
    reader.error(value, "sheet/wrong-turn", message, clause="O7")
    return None


def _standing(reader: OrderFileReader, root: Mapping, turn: int) -> int:
    value = root.get("standing")
    if value is None or (isinstance(value, Scalar) and value.is_null):
        return 0
    what = says("the last turn for which these orders are repeated")
    return reader.whole(value, what, turn, turn + STANDING_LIMIT, clause="O1") or 0


def _ready(reader: OrderFileReader, root: Mapping) -> bool:
    value = root.get("ready")
    return value is None or (isinstance(value, Scalar) and value.is_null) or bool(reader.answer(value, "'ready'", "O1"))


def _vote(reader: OrderFileReader, root: Mapping, realm: str, realms: NameIndex, to: Addressed) -> str:
    node = root.get("vote")
    first, _, name = (node.text if isinstance(node, Scalar) else "?").strip().partition(" ")
    word = fold(first)
    hint = ""
    if node is None or (isinstance(node, Scalar) and node.is_null) or word in ("no", "none", "false"):
        return ""
    winner = realms.find(name.strip()) if word == "concede" and name.strip() else None
    if to.votes == "none":
        message = says("voting is off in this game")
    elif word == "draw" and not name.strip():
        return "draw"
    elif winner and winner != realm and winner not in to.out:
        return f"concede {winner}"
    elif winner:
        message = says("the game can be conceded only to others who are in it, not to {0}", winner)
    elif word == "concede" and name.strip():
        message = says("there is no {0} to concede the game to", shown(name.strip()))
        hint = realms.suggestion(name)
    else:
        message = says("'vote' is 'draw', or 'concede' and the winner's letters, such as 'concede {0}'", "ABC")
    reader.error(node, "sheet/vote", message, suggestion=hint, clause="V1")
    return ""


def _key(reader: OrderFileReader, root: Mapping, wanted: str | None, party: str) -> str | None:
    if wanted is None:
        value = root.get("key")
        return value.text.strip() if isinstance(value, Scalar) else ""
    value = _value(reader, root, "key", says(f"the {party}'s key for the turn"))
    text = reader.scalar(value, says(f"the {party}'s key"), "O7") if value is not None else None
    if value is None or text is None or same_key(text, wanted):
        return text and text.strip()
    slip = key_slip(text)
    other = says(f"this is not the {party}'s key for this turn, which is in the template for the orders")
    message = says("the key has a typing error") if slip else other
    reader.error(value, "sheet/wrong-key", message, suggestion=slip, clause="O7")
    return None
