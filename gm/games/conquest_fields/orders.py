"""The order of a half-move, as it is read from a file (CF-8, CF-9)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from pydantic import Field

from gm.core import pipeline
from gm.core.diagnostics import shown
from gm.core.values import Record
from gm.core.yaml.pydantic_models import YamlModel
from gm.core.yaml.source import Mapping, Node, Scalar
from gm.game.base.events import Written
from gm.game.base.reading import Body, written
from gm.games.conquest_fields.board import Board, members
from gm.games.conquest_fields.rules import Rules
from gm.games.conquest_fields.state import Match, Move, Position

NOTE_LIMIT = 400
SAMPLE = "a move is written c1-c2 or {from: c1, to: c2}"
LANGUAGES = ("en", "de")
_MOVE = re.compile(r"\s*([A-Za-z][0-9]{1,3})\s*-\s*([A-Za-z][0-9]{1,3})\s*\Z")


class MoveModel(YamlModel):
    """A half-move: whether it grows or jumps follows from the distance."""

    from_: str = Field(alias="from", description="Your own field, e.g. c1")
    to: str = Field(description="A free field at distance 1 or 2, e.g. c2")


class OrdersModel(YamlModel):
    """What may stand below the head (CF-8.1)."""

    move: MoveModel | str | None = Field(None, description="Your half-move: {from: c1, to: c2} or c1-c2.")
    resign: bool = Field(False, description="true: you give the game up.")
    language: str | None = Field(None, description="en or de: the language of your reports.")
    note: str | None = Field(None, description="A word to the other player.")


class Orders(Record):
    """What a player wants: a move, or to resign; neither is no valid order (CF-9.1)."""

    written: Written
    move: Move | None
    note: str = ""
    language: str = ""
    resigns: bool = False


class OrdersReader:
    """Reads one file. All of a half-move is known beforehand, so what cannot be done is refused here (CF-9.4)."""

    def __init__(self, body: Body, match: Match, board: Board) -> None:
        self._body = body
        self._board = board
        self._at: Position = match.position(board)

    def orders(self) -> Orders | None:
        """The order; none after a reason was reported."""
        move, resign = self._body.node("move"), self._body.node("resign")
        resigns = resign is not None and self._truth(resign)
        if resigns is None:
            return None
        note, language = self._text("note", NOTE_LIMIT), self._language()
        if resigns and resign is not None:
            if move is not None:
                self._body.error(resign, "unclear", "either 'move' or 'resign', not both", clause="CF-9.5")
                return None
            self._body.count_order(resign)
            at = Written(resign.line, resign.column, "resign: true")
            return Orders(at, None, note, language, resigns=True)
        if move is None:
            return Orders(Written(self._body.root.line, self._body.root.column, "no move"), None, note, language)
        self._body.count_order(move)
        found = self._move(move)
        return None if found is None else Orders(written(move), found, note, language)

    def _move(self, node: Node) -> Move | None:
        ends = self._ends(node)
        if ends is None:
            return None
        start, end = (self._field(at, text) for at, text in ends)
        if start is None or end is None:
            return None
        why = self._why_not(start, end)
        if why is None:
            return Move(start, end)
        at = ends[0][0] if why[0] == "not-own" else ends[1][0]
        self._body.error(
            at, why[0], why[1], suggestion=self._open(start) if why[0] != "not-own" else "", clause="CF-9.4"
        )
        return None

    def _ends(self, node: Node) -> tuple[tuple[Node, str], tuple[Node, str]] | None:
        """The two fields as they are written, each with its place."""
        if isinstance(node, Scalar):
            match = _MOVE.match(node.text)
            if match:
                return (node, match[1]), (node, match[2])
        if isinstance(node, Mapping):
            found = self._body.fitted(node, MoveModel, "CF-8.1")
            if found is None:
                return None
            return (node.entries["from"][1], found.from_), (node.entries["to"][1], found.to)
        self._body.error(node, "not-understood", "this is no move", suggestion=SAMPLE, clause="CF-8.2")
        return None

    def _field(self, node: Node, text: str) -> int | None:
        name = self._body.named(node, text, self._board.names, "field", clause="CF-9.4")
        return None if name is None else self._board.by_name[name]

    def _why_not(self, start: int, end: int) -> tuple[str, str] | None:
        name, goal = self._board.names[start], self._board.names[end]
        if not self._at.own >> start & 1:
            return "not-own", f"{name} is not yours"
        if self._board.holes >> end & 1:
            return "hole", f"{goal} is a hole"
        if start == end:
            return "same-field", f"{goal} is the field that it starts from"
        if not self._board.reach[start] >> end & 1:
            return "too-far", f"{goal} is three or more steps from {name}"
        if (self._at.own | self._at.enemy) >> end & 1:
            return "not-free", f"{goal} is not free"
        return None

    def _open(self, start: int) -> str:
        """The ends open to a start field."""
        free = self._board.reach[start] & ~(self._at.own | self._at.enemy)
        ends = ", ".join(self._board.names[each] for each in members(free))
        return f"open to {self._board.names[start]}: {ends}" if ends else f"{self._board.names[start]} cannot move"

    def _truth(self, node: Node) -> bool | None:
        text = node.text.strip().casefold() if isinstance(node, Scalar) else ""
        if text in ("true", "yes"):
            return True
        if text in ("false", "no"):
            return False
        self._body.error(node, "resign", "'resign' is true or false", clause="CF-8.1")
        return None

    def _language(self) -> str:
        node = self._body.node("language")
        if node is None:
            return ""
        text = node.text.strip().casefold() if isinstance(node, Scalar) else ""
        if text not in LANGUAGES:
            message = f"'language' is {' or '.join(LANGUAGES)}; it stays as it was"
            self._body.warn(node, "language", message, clause="CF-2.8")
            return ""
        return text

    def _text(self, word: str, limit: int) -> str:
        node = self._body.node(word)
        if node is None:
            return ""
        if not isinstance(node, Scalar):
            self._body.warn(node, "note", f"{shown(word)} is a text; it is passed over", clause="CF-8.1")
            return ""
        text = " ".join(node.text.split())
        if len(text) > limit:
            self._body.warn(node, "note", f"only {limit} characters of {shown(word)} are kept", clause="CF-8.1")
        return text[:limit]


def open_ends(board: Board, position: Position) -> Iterator[tuple[str, list[str], list[str]]]:
    """For every own field that can move: its name, the ends it can grow to, and those it can jump to (CF-12.5)."""
    free = ~(position.own | position.enemy) & ~board.holes
    for start in members(position.own):
        grow = [board.names[each] for each in members(board.near[start] & free)]
        jump = [board.names[each] for each in members(board.far[start] & free)]
        if grow or jump:
            yield board.names[start], grow, jump


Turn: TypeAlias = pipeline.Turn[Match, Rules, Board, Orders]
Outcome: TypeAlias = pipeline.Outcome[Match]
