"""The order of a half-move, as it is read from a file (CF-8, CF-9)."""

import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, WithJsonSchema

from gm.core import pipeline
from gm.core.diagnostics import says
from gm.core.values import Record
from gm.core.yaml.pydantic_models import YamlModel
from gm.core.yaml.source import Mapping, Node, Scalar
from gm.game.base.events import Written
from gm.game.base.reading import Body, written
from gm.game.base.schema_parts import SCALAR, Answer, text_like
from gm.games.conquest_fields.rules import Board, Rules, members
from gm.games.conquest_fields.state import Match, Move, Position

NOTE_LIMIT = 400
SAMPLE = says("a move is written c1-c2 or {from: c1, to: c2}")
LANGUAGES = ("en", "de")  # Those of reports
_ANSWERS = {"true": True, "yes": True, "false": False, "no": False}
_MOVE = re.compile(  # also as other forums write it: Move c1 -> c2, c1 to c2
    r"\s*(?:move\b:?\s*)?([A-Za-z][0-9]{1,3})\s*(?:[-–—=]*>|[-–—x→⇒@]|\bto\b|\s)\s*([A-Za-z][0-9]{1,3})\s*\Z",
    re.IGNORECASE,
)


class MoveModel(YamlModel):
    """A half-move: whether it grows or jumps follows from the distance."""

    from_: str = Field(alias="from", description="Your own field, e.g. c1")
    to: str = Field(description="A free field at distance 1 or 2, e.g. c2")


Half = MoveModel | Annotated[str, text_like(_MOVE)]


class ThenModel(YamlModel):
    """The next half-move, for a case."""

    if_: Half | None = Field(None, alias="if", description="The other player's move; none: whatever it is.")
    move: Half = Field(description="Your half-move then.")
    then: list["ThenModel"] | None = Field(None, description="The half-move after that.")


class OrdersModel(YamlModel):
    """The entries of an order file below its head (CF-8.1)."""

    move: Half | None = Field(None, description="Your half-move: {from: c1, to: c2} or c1-c2.")
    resign: Answer = Field(default=False, description="true: you give the game up.")
    language: Literal["en", "de"] | None = Field(None, description="en or de: the language of your reports.")
    note: Annotated[str, WithJsonSchema(SCALAR)] | None = Field(
        None, description="A word to the other player."
    )
    then: list[ThenModel] | None = Field(None, description="Your next half-move, for one case or another.")


class Orders(Record):
    """A player's order: a move, or to resign; a file with neither counts as missing (CF-9.1)."""

    written: Written
    move: Move | None
    note: str = ""  # A word to the other player
    language: str = ""  # The language that is asked for; empty: no change
    resigns: bool = False


class OrdersReader:
    """Reads one file. The board is known in advance, so an illegal half-move is refused here (CF-9.4)."""

    def __init__(self, body: Body, match: Match, board: Board) -> None:
        self._body = body
        self._board = board
        self._at: Position = match.position(board)

    def orders(self) -> Orders | None:
        """Return the order; None, with a finding, if it is refused."""
        move = self._body.node("move")
        resign = self._body.node("resign")
        root = self._body.root
        resigns = False if resign is None else _ANSWERS.get(_word(resign))
        if resign is not None and resigns is None:
            self._body.error(resign, "resign", says("'resign' is true or false"), clause="CF-8.1")
            return None
        note = self._note()
        language = self._language()
        if resign is not None and resigns:
            if move is not None:
                self._body.error(
                    resign, "unclear", says("either 'move' or 'resign', not both"), clause="CF-9.5"
                )
                return None
            self._body.count_order(resign)
            line = Written(resign.line, resign.column, "resign: true")
            return Orders(line, None, note, language, resigns=True)
        self._body.cases(ThenModel, self._check_case, "CF-8.1")
        if move is None:
            return Orders(Written(root.line, root.column, "no move"), None, note, language)
        self._body.count_order(move)
        move_read = self._move(move)
        return None if move_read is None else Orders(written(move), move_read, note, language)

    def _check_case(self, case: Mapping) -> None:
        """Count a case to come as an order, and report moves in it that cannot be read or name no field.

        Whether its half-move is legal is decided when the case has come.
        """
        self._body.count_order(case)
        for name in ("if", "move"):
            node = case.get(name)
            if node:
                self._ends(node)

    def _ends(self, node: Node) -> tuple[tuple[Node, str], ...] | None:
        """Return (node, name of the field) for both ends of a move; None, with a finding, if it is none."""
        typed = _MOVE.match(node.text) if isinstance(node, Scalar) else None
        if typed:
            ends = ((node, typed[1]), (node, typed[2]))
        elif isinstance(node, Mapping):
            model = self._body.fitted(node, MoveModel, "CF-8.1")
            if model is None:
                return None
            # an entry is (its key, its value)
            ends = ((node.entries["from"][1], model.from_), (node.entries["to"][1], model.to))
        else:
            self._body.error(
                node, "not-understood", says("this is not a move"), suggestion=SAMPLE, clause="CF-8.2"
            )
            return None
        named_ends: list[tuple[Node, str]] = []
        for end_node, text in ends:  # the second is looked up even if the first is unknown: both are reported
            name = self._body.named(end_node, text, self._board.names, "field", clause="CF-9.4")
            if name:
                named_ends.append((end_node, name))
        return tuple(named_ends) if len(named_ends) == len(ends) else None

    def _move(self, node: Node) -> Move | None:
        """Return the move that a node names; None, with a finding, if it is illegal (CF-9.4)."""
        ends = self._ends(node)
        if ends is None:
            return None
        (start_node, start_name), (end_node, end_name) = ends
        start = self._board.by_name[start_name]
        end = self._board.by_name[end_name]
        for is_there, code, message in obstacles(self._board, self._at, start, end):
            if is_there:
                wrong_start = code == "not-own"
                node_at_fault = start_node if wrong_start else end_node
                hint = "" if wrong_start else self._open_to(start)
                self._body.error(node_at_fault, code, message, suggestion=hint, clause="CF-9.4")
                return None
        return Move(start, end)

    def _open_to(self, start: int) -> str:
        """Return a hint that names the ends of all legal moves from a field."""
        name = self._board.names[start]
        free = self._board.reach[start] & ~(self._at.own | self._at.enemy)
        ends = ", ".join(self._board.names[member] for member in members(free))
        return says("open to {0}: {1}" if ends else "{0} cannot move", name, ends)

    def _language(self) -> str:
        """Return the language that the file asks for; empty for none, or, with a warning, an unknown one."""
        node = self._body.node("language")
        if node is None:
            return ""
        language = _word(node)
        if language in LANGUAGES:
            return language
        message = says("'language' is {0} or {1}; it stays as it was", LANGUAGES[0], LANGUAGES[1])
        self._body.warn(node, "language", message, clause="CF-2.8")
        return ""

    def _note(self) -> str:
        """Return the player's note, cut to its limit; empty without one, or for a list or mapping (CF-8.1).

        Both what is cut and what is no text get a warning.
        """
        node = self._body.node("note")
        if node is None:
            return ""
        text = " ".join(node.text.split()) if isinstance(node, Scalar) else ""
        if not isinstance(node, Scalar):
            self._body.warn(node, "note", says("'note' is a text; it is passed over"), clause="CF-8.1")
        elif len(text) > NOTE_LIMIT:
            self._body.warn(
                node, "note", says("only {0} characters of 'note' are kept", NOTE_LIMIT), clause="CF-8.1"
            )
        return text[:NOTE_LIMIT]


def same_move(written: object, start: str, end: str) -> bool:
    """Return whether a move is the one from ``start`` to ``end``, both names of fields.

    ``written``: the move in a file: text like ``c1-c2``, or a mapping of ``from`` and ``to``.
    """
    match = _MOVE.match(written) if isinstance(written, str) else None
    ends: Iterable[object] = ()
    if match:
        ends = match.groups()
    elif isinstance(written, dict):
        ends = (written.get("from"), written.get("to"))
    return [str(end).strip().casefold() for end in ends] == [start.casefold(), end.casefold()]


def _word(node: Node) -> str:
    """Return the text of a node in lower case; empty if it is no text."""
    return node.text.strip().casefold() if isinstance(node, Scalar) else ""


def obstacles(board: Board, position: Position, start: int, end: int) -> Iterator[tuple[int, str, str]]:
    """Yield (whether it is there, code, message) for each possible obstacle of a move (CF-9.4).

    What says that it is there is a truth value: a set of fields that is not empty, or a bool.
    """
    start_bit = 1 << start
    end_bit = 1 << end
    start_name = board.names[start]
    end_name = board.names[end]
    yield not position.own & start_bit, "not-own", says("{0} is not yours", start_name)
    yield board.holes & end_bit, "hole", says("{0} is a hole", end_name)
    yield start == end, "same-field", says("{0} is the field that it starts from", end_name)
    too_far = says("{0} is three or more steps from {1}", end_name, start_name)
    yield not board.reach[start] & end_bit, "too-far", too_far
    yield (position.own | position.enemy) & end_bit, "not-free", says("{0} is not free", end_name)


def open_ends(board: Board, position: Position) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield (start, ends it can grow to, ends it can jump to), all by name, for own fields (CF-12.5).

    Fields that cannot move are left out.
    """
    free = ~(position.own | position.enemy) & ~board.holes
    for start in members(position.own):
        grow = [board.names[member] for member in members(board.near[start] & free)]
        jump = [board.names[member] for member in members(board.far[start] & free)]
        if grow or jump:
            yield board.names[start], grow, jump


Turn: TypeAlias = pipeline.Turn[Match, Rules, Board, Orders]
Outcome: TypeAlias = pipeline.Outcome[Match]
