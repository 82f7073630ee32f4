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
LANGUAGES = ("en", "de")
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
    """The entries below the head (CF-8.1)."""

    move: Half | None = Field(None, description="Your half-move: {from: c1, to: c2} or c1-c2.")
    resign: Answer = Field(default=False, description="true: you give the game up.")
    language: Literal["en", "de"] | None = Field(None, description="en or de: the language of your reports.")
    note: Annotated[str, WithJsonSchema(SCALAR)] | None = Field(
        None, description="A word to the other player."
    )
    then: list[ThenModel] | None = Field(None, description="Your next half-move, for one case or another.")


class Orders(Record):
    """A player's order: a move, or to resign; without either the file is invalid (CF-9.1)."""

    written: Written
    move: Move | None
    note: str = ""
    language: str = ""
    resigns: bool = False


class OrdersReader:
    """Reads one file. The board is known in advance, so an illegal half-move is refused here (CF-9.4)."""

    def __init__(self, body: Body, match: Match, board: Board) -> None:
        self._body = body
        self._board = board
        self._at: Position = match.position(board)

    def orders(self) -> Orders | None:
        """Return the order; None after a reason was reported."""
        move = self._body.node("move")
        resign = self._body.node("resign")
        root = self._body.root
        resigns = resign is not None and _ANSWERS.get(_word(resign))
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
            return Orders(
                Written(resign.line, resign.column, "resign: true"), None, note, language, resigns=True
            )
        self._body.cases(ThenModel, self._foreseen, "CF-8.1")
        if move is None:
            return Orders(Written(root.line, root.column, "no move"), None, note, language)
        self._body.count_order(move)
        move_read = self._move(move)
        return None if move_read is None else Orders(written(move), move_read, note, language)

    def _foreseen(self, case: Mapping) -> None:
        """Report unknown fields in a case to come; whether its half-move is legal is decided then."""
        self._body.count_order(case)
        for foreseen in filter(None, map(case.get, ("if", "move"))):
            self._ends(foreseen)

    def _ends(self, node: Node) -> tuple[tuple[Node, str], ...] | None:
        """Return the ends of a move with their nodes, as names of fields.

        None after a reason was reported.
        """
        typed = _MOVE.match(node.text) if isinstance(node, Scalar) else None
        if typed:
            ends = ((node, typed[1]), (node, typed[2]))
        elif isinstance(node, Mapping):
            model = self._body.fitted(node, MoveModel, "CF-8.1")
            if model is None:
                return None
            ends = ((node.entries["from"][1], model.from_), (node.entries["to"][1], model.to))
        else:
            self._body.error(
                node, "not-understood", says("this is not a move"), suggestion=SAMPLE, clause="CF-8.2"
            )
            return None
        names = [self._body.named(at, text, self._board.names, "field", clause="CF-9.4") for at, text in ends]
        return (
            tuple((at, name) for (at, _), name in zip(ends, names, strict=True) if name)
            if all(names)
            else None
        )

    def _move(self, node: Node) -> Move | None:
        """Return the move that a node names; None, with a finding, if it is illegal (CF-9.4)."""
        ends = self._ends(node)
        if ends is None:
            return None
        start, end = (self._board.by_name[name] for _, name in ends)
        for holds, code, message in obstacles(self._board, self._at, start, end):
            if holds:
                own = code == "not-own"
                hint = "" if own else self._open(start)
                self._body.error(ends[0 if own else 1][0], code, message, suggestion=hint, clause="CF-9.4")
                return None
        return Move(start, end)

    def _open(self, start: int) -> str:
        name = self._board.names[start]
        free = self._board.reach[start] & ~(self._at.own | self._at.enemy)
        ends = ", ".join(self._board.names[member] for member in members(free))
        return says("open to {0}: {1}" if ends else "{0} cannot move", name, ends)

    def _language(self) -> str:
        """Return the language that the file asks for; empty for none, or, with a warning, an unknown one."""
        node = self._body.node("language")
        if node is None or _word(node) in LANGUAGES:
            return "" if node is None else _word(node)
        message = says("'language' is {0} or {1}; it stays as it was", LANGUAGES[0], LANGUAGES[1])
        self._body.warn(node, "language", message, clause="CF-2.8")
        return ""

    def _note(self) -> str:
        """Return the player's note, cut to its limit; empty without one (CF-8.1)."""
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
    """Return whether a written move, as text or as its ends, is this one."""
    match = _MOVE.match(written) if isinstance(written, str) else None
    ends: Iterable[object] = ()
    if match:
        ends = match.groups()
    elif isinstance(written, dict):
        ends = written.values()
    return [str(end).strip().casefold() for end in ends] == [start.casefold(), end.casefold()]


def _word(node: Node) -> str:
    return node.text.strip().casefold() if isinstance(node, Scalar) else ""


def obstacles(board: Board, position: Position, start: int, end: int) -> Iterator[tuple[int, str, str]]:
    """Yield the possible obstacles of a move: whether it is there, its code, and its message (CF-9.4)."""
    start_bit = 1 << start
    end_bit = 1 << end
    name = board.names[start]
    goal = board.names[end]
    yield not position.own & start_bit, "not-own", says("{0} is not yours", name)
    yield board.holes & end_bit, "hole", says("{0} is a hole", goal)
    yield start == end, "same-field", says("{0} is the field that it starts from", goal)
    too_far = says("{0} is three or more steps from {1}", goal, name)
    yield not board.reach[start] & end_bit, "too-far", too_far
    yield (position.own | position.enemy) & end_bit, "not-free", says("{0} is not free", goal)


def open_ends(board: Board, position: Position) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield, by name, the ends that each own field can grow to, and those that it can jump to (CF-12.5)."""
    free = ~(position.own | position.enemy) & ~board.holes
    for start in members(position.own):
        grow = [board.names[member] for member in members(board.near[start] & free)]
        jump = [board.names[member] for member in members(board.far[start] & free)]
        if grow or jump:
            yield board.names[start], grow, jump


Turn: TypeAlias = pipeline.Turn[Match, Rules, Board, Orders]
Outcome: TypeAlias = pipeline.Outcome[Match]
