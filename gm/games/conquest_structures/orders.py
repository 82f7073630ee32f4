"""Orders of CONQUEST 0.0.2: the lines of a file, with names resolved (CS-6, CS-10.9, CS-13, CS-14)."""

import re
from itertools import starmap
from typing import Annotated

from pydantic import Field

from gm.core.diagnostics import fold, says, shown
from gm.core.values import Record
from gm.core.yaml.pydantic_models import YamlModel
from gm.core.yaml.source import Scalar
from gm.game.base.events import Written
from gm.game.base.reading import Body
from gm.game.base.schema_parts import TEXT_SHOWN, text_like
from gm.games.conquest_structures.rules import Board, Rules

SAMPLE = says(
    "a line is like 'Build 1 Tank@M1', 'Hold@R2', 'C2 > C3', '3 Infantry + 1 Tank @ C2 > C3' or 'Concede'"
)


# Every line and every entry of the supply priority fits one of these, for the JSON Schema
_LINE = re.compile(r"concee?de\Z|.*\b[A-Za-z]\d{1,3}\b", re.IGNORECASE)
_SELECTOR = re.compile(r"(?:u\d{1,7}|(?:[A-Za-z]+\s*@\s*)?[A-Za-z]\d{1,3}|[A-Za-z]+)\Z", re.IGNORECASE)


class OrdersModel(YamlModel):
    """The entries below the head (CS-13.1), for the JSON Schema."""

    orders: tuple[Annotated[str, text_like(_LINE)], ...] = Field(
        (), description="Lines, read top to bottom, e.g. 'C2 > C3' or 'Build 1 Tank@M1'."
    )
    supply_priority: tuple[Annotated[str, text_like(_SELECTOR)], ...] = Field(
        (), description="Who gets supply first where it falls short: u7, Tank@C3, R2 or Infantry."
    )


class Item(Record):
    """Some units of an order: ``count`` of a type, or the single unit with a ``number``."""

    count: int = 0  # 0: all of the type
    type: str = ""
    number: int = 0  # 0: no single unit is named


class Line(Record):
    """A line of orders with names resolved."""

    written: Written


class UnitsLine(Line):
    """A line for units in the structure ``place``; without items it is for all of them."""

    items: tuple[Item, ...]
    place: str


class Build(UnitsLine):
    """CS-6.2: units to be built at a place."""


class Hold(UnitsLine):
    """CS-6.3: units that stay."""


class Move(UnitsLine):
    """CS-6.4: units that go."""

    target: str


class Concede(Line):
    """CS-6.6: the player leaves the game."""


class Selector(Line):
    """CS-10.9: an entry of the supply priority: a unit, a type at a place, a place, or a type.

    What is not named is 0 or empty.
    """

    number: int = 0
    type: str = ""
    place: str = ""


class Orders(Record):
    """A player's orders for a turn."""

    lines: tuple[Line, ...] = ()
    priority: tuple[Selector, ...] = ()


# The parts of a line: ``C2``, ``u7``, ``3 Infantry``, ``all tanks``, ``Build 1 Tank@M1``
_PLACE = re.compile(r"[A-Za-z]\d{1,3}\Z")
_UNIT = re.compile(r"u(\d{1,7})\Z", re.IGNORECASE)
_COUNTED = re.compile(r"(-?\d{1,6})\s*([A-Za-z]+)\Z")
_TYPE_ALONE = re.compile(r"(all\s+)?([A-Za-z]+)\Z", re.IGNORECASE)
_BUILD_OR_HOLD = re.compile(r"(build|hold)\b(.*)@(.*)\Z", re.IGNORECASE | re.DOTALL)


EVERYBODY = ("all", "all units", "everybody", "everything")
# How lines are written in other forums: ``C2 -> C3``, ``C2 - C3``, ``move C2 >``, ``all in C2``, ``C2 holds``
_WAY = re.compile(
    r"\b([A-Za-z]\d{1,3})\s*(?:[-–—=~]+>|[→⇒»]|>>|\bto\b)\s*(?=[A-Za-z]\d{1,3}\b)", re.IGNORECASE
)
_DASH = re.compile(r"\b([A-Za-z]\d{1,3})\s*[-–—]\s*(?=[A-Za-z]\d{1,3}\b)")
_VERB = re.compile(r"(?:move|attack|send)\b:?\s*(?=.*>)", re.IGNORECASE)
_PLACED = re.compile(r"(\w)\s+(?:(?:at|in|from)\s+)?(?=[A-Za-z]\d{1,3}\s*(?:>|\Z))", re.IGNORECASE)
_STAYS = re.compile(r"([A-Za-z]\d{1,3})\s*:?\s*(?:holds?|stays?|h)\Z|stay\b(?=.*@)", re.IGNORECASE)


def as_written_here(text: str) -> str:
    """Return a line, which may be written as in other forums, in this game's grammar.

    ``Move all C1 -> C3`` becomes ``all@C1 > C3``, ``C2 holds`` becomes ``hold@C2``; a very long line stays.
    """
    if len(text) > TEXT_SHOWN:
        return text.strip()
    text = _WAY.sub(r"\1 > ", text.strip())
    if ">" not in text:
        text = _DASH.sub(r"\1 > ", text)
    text = _VERB.sub("", text)
    if "@" not in text:
        text = _PLACED.sub(r"\1@", text, count=1)
    return _STAYS.sub(lambda match: f"hold@{match[1]}" if match[1] else "hold", text)


class LineReader:
    """Reads the lines of one file; those that it cannot understand are reported (CS-14.3)."""

    def __init__(self, body: Body, rules: Rules, board: Board) -> None:
        """Prepare for one file: unit types are found in the singular and in the plural."""
        self._body = body
        self._board = board
        self._types = tuple(rules.units)
        self._plurals = {f"{name}s": name for name in rules.units}  # the type by its plural
        self._plurals |= {f"{name[:-1]}ies": name for name in rules.units if name.endswith("y")}

    def orders(self) -> Orders:
        """Return the player's orders: the lines, and the entries of the supply list."""
        lines = filter(None, starmap(self._line, self._body.lines("orders")))
        priority = filter(None, starmap(self._selector, self._body.lines("supply_priority")))
        return Orders(tuple(lines), tuple(priority))

    def _line(self, node: Scalar, written: Written) -> Line | None:
        """Return one line; None, with a finding, if it is not understood."""
        text = as_written_here(node.text)
        # CS-6.7: both spellings
        if text.casefold() in ("concede", "conceede"):
            message = says("this takes you out of the game; it cannot be undone after the turn")
            self._body.warn(node, "concede", message, clause="CS-14.8")
            return Concede(written)
        build_or_hold = _BUILD_OR_HOLD.match(text)
        if build_or_hold:
            word, items_text, place_text = build_or_hold.groups()
            return self._build_or_hold(node, written, word.casefold(), items_text, place_text)
        if ">" not in text:
            self._refuse(node, node.text.strip())
            return None
        source, _, goal = text.partition(">")
        units_text, at, place_text = source.rpartition("@")
        items = self._items(node, units_text) if at else ()
        start = self._place(node, place_text)
        target = self._place(node, goal)
        if items is None or not start or not target:
            return None
        return Move(written, items, start, target)

    def _build_or_hold(
        self, node: Scalar, written: Written, word: str, items_text: str, place_text: str
    ) -> Build | Hold | None:
        """Return a line that builds or holds; None, with a finding, if it is not understood."""
        builds = word == "build"
        # an order to hold that names no units is for all of the place
        items = self._items(node, items_text, builds=builds) if builds or items_text.strip() else ()
        place = self._place(node, place_text)
        if items is None or not place:
            return None
        return Build(written, items, place) if builds else Hold(written, items, place)

    def _items(self, node: Scalar, text: str, *, builds: bool = False) -> tuple[Item, ...] | None:
        """Return the units that a text names: ``u7 + 2 tanks``; empty for all units of the place.

        None, with a finding, if it is not understood. ``builds``: they are to be built, so they have no
        numbers yet, and the text counts them by type.
        """
        items: list[Item] = []
        if not builds and text.strip().casefold() in EVERYBODY:
            return ()
        for part in (piece.strip() for piece in text.split("+")):
            unit = _UNIT.match(part)
            counted = _COUNTED.match(part)
            type_alone = _TYPE_ALONE.match(part)
            is_type = type_alone and fold(type_alone[2]) in (*self._types, *self._plurals)
            if unit and not builds:
                items.append(Item(number=int(unit[1])))
            elif type_alone and is_type and not (builds and type_alone[1]):  # nobody can build all units
                # a type alone means all its units; in an order to build, one
                count = 1 if builds else 0
                items.append(Item(count=count, type=self._type(node, type_alone[2]) or ""))
            elif counted:
                kind = self._type(node, counted[2])
                if kind is None:
                    return None
                if int(counted[1]) < 1:
                    self._body.error(
                        node, "count", says("{0}: a count begins at 1", shown(part)), clause="CS-14.4"
                    )
                    return None
                items.append(Item(count=int(counted[1]), type=kind))
            else:
                self._refuse(node, part)
                return None
        return tuple(items)

    def _type(self, node: Scalar, text: str) -> str | None:
        return self._body.named(node, text, self._types, "unit type", "CS-5.3", self._plurals)

    def _place(self, node: Scalar, text: str) -> str | None:
        """Return the id of the structure that a text names; None, with a finding, if it names none."""
        text = text.strip()
        if not _PLACE.match(text):
            self._refuse(node, text)
            return None
        return self._body.named(node, text, self._board.structures, "structure", clause="CS-4.7")

    def _selector(self, node: Scalar, written: Written) -> Selector | None:
        """Return the units that an entry of the supply list selects (CS-10.9).

        None, with a finding, if it is not understood.
        """
        text = node.text.strip()
        unit = _UNIT.match(text)
        if unit:
            return Selector(written, number=int(unit[1]))
        kind, at, place_text = text.partition("@")
        if not at and _PLACE.match(text):
            place = self._place(node, text)
            return None if place is None else Selector(written, type="", place=place)
        kind_name = self._type(node, kind.strip())
        place = self._place(node, place_text) if at else ""
        return None if kind_name is None or place is None else Selector(written, type=kind_name, place=place)

    def _refuse(self, node: Scalar, part: str) -> None:
        """Report a line that is not understood, with the part at fault and a likely line."""
        whole = node.text.strip()
        if as_written_here(whole) != whole:
            part = whole  # the part is not what the player wrote
        if part.strip():
            message = says("{0} is not understood", shown(part))
        else:
            message = says("something is missing in this line")
        self._body.error(
            node, "not-understood", message, suggestion=self._likely(node.text), clause="CS-14.3"
        )

    def _likely(self, text: str) -> str:
        """Return a hint: the line that was probably meant, or examples."""
        # such a line names all units, but no place
        if text.strip().casefold() in EVERYBODY:
            return says(
                "'C2 > C3' moves all units of C2, 'Hold@C2' keeps them; units that no line names hold"
            )
        name_of_word = {fold(name): name for name in (*self._types, *self._board.structures)}
        name_of_word |= self._plurals
        words = map(fold, re.findall(r"[A-Za-z]+\d*", text))
        names = [name_of_word[word] for word in words if word in name_of_word]
        places = [name for name in names if name in self._board.structures]
        if ">" in text or "@" in text or not places:
            return SAMPLE
        if re.search(r"\bbuild", text, re.IGNORECASE):
            kind = next((name for name in names if name in self._types), self._types[0])
            return says("write {0}", f"'Build 1 {kind.capitalize()}@{places[0]}'")
        return says("write {0}", f"'{places[0]} > {places[1]}'") if len(places) > 1 else SAMPLE
