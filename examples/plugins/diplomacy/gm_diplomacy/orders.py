"""Order files of Diplomacy: lines in the usual notation, ``A PAR - BUR``, or with a word for each part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from pydantic import Field

from gm.core.diagnostics import says, shown
from gm.core.orders.reading import NameIndex
from gm.core.values import Record
from gm.core.yaml.pydantic_models import YamlModel
from gm.core.yaml.source import Node
from gm.game.base.events import Written
from gm.game.base.reading import Body, Line
from gm_diplomacy.board import Board, area_of
from gm_diplomacy.state import Diplomacy, Unit

Kind = Literal["hold", "move", "support", "convoy", "retreat", "disband", "build", "waive"]
SAMPLE = "write a line like 'A PAR - BUR', 'A MAR S A PAR - BUR', 'F ENG C A LON - BRE' or 'A PAR H'"
IN_PHASE: Mapping[str, tuple[Kind, ...]] = {
    "moves": ("hold", "move", "support", "convoy"),
    "retreats": ("retreat", "disband"),
    "adjustments": ("build", "disband", "waive"),
}


class OrderLine(Line):
    """A line: as text, or a unit with what it does. ``build`` and ``disband`` name a unit of their own."""

    order: str = ""
    unit: str = ""
    to: str = ""
    via: str = ""
    supports: str = ""
    convoys: str = ""
    retreats: str = ""
    build: str = ""
    disband: str = ""

    @classmethod
    def spoken(cls, text: str) -> dict[str, str] | None:
        return {"order": text}

    @property
    def text(self) -> str:
        """The line in the usual notation."""
        for word, line in (("build", "build {0}"), ("disband", "disband {0}")):
            if named := getattr(self, word):
                return line.format(named)
        for word, sign in (("to", "-"), ("retreats", "R"), ("supports", "S"), ("convoys", "C")):
            if given := getattr(self, word):
                return f"{self.unit} {sign} {given}{' via convoy' if self.via else ''}"
        return self.order or f"{self.unit} H"


class OrdersModel(YamlModel):
    """What may stand below the head of a file."""

    orders: tuple[str | OrderLine, ...] = Field(
        (),
        description="Lines like 'A PAR - BUR', 'A MAR S A PAR - BUR', 'F ENG C A LON - BRE', 'BUILD A PAR'.",
    )


class Order(Record):
    """An order of a movement or retreat phase.

    ``area``: that of the unit; ``target``: where it, or the unit that it helps, goes; ``other``: the area of
    the unit that it helps.
    """

    written: Written
    kind: Kind
    area: str = ""
    unit: str = ""
    target: str = ""
    other: str = ""
    via: bool = False


class Orders(Record):
    """A power's orders for a phase; those of units by area, others as they came."""

    units: Mapping[str, Order] = {}
    builds: tuple[Order, ...] = ()


_DASH = (
    r"\s*(?:-+>|=+>|[→⇒>]|[–—])\s*|\s+-+\s+|"
    r"\s+(?:to|mov(?:es?|ing)(?:\s+to)?|goes\s+to|m|attacks?|attacking)\s+"
)
_VIA = re.compile(r"\s+(?:\(?via\s+convoy\)?|by\s+convoy|via)\s*\Z", re.IGNORECASE)
_HELPS = re.compile(
    r"\s+(?:(s|sup|supports?|supporting)|(c|convoys?|convoying))(?:[:-]\s*|\s+)(?=\S)", re.IGNORECASE
)
_HOLDS = re.compile(r"(?:\s+(?:to|-))?\s+(?:h|hold|holds|holding|stands?)\Z", re.IGNORECASE)
_MOVES = re.compile(_DASH, re.IGNORECASE)
_BARE = re.compile(r"(?<=[\w)])-(?=\w)")
_RETREATS = re.compile(r"\s+(?:r|retreats?(?:\s+to)?)(?:\s*-+>?\s*|\s+)(?=\S)", re.IGNORECASE)
_GOES = re.compile(
    r"\s+(?:d|disbands?|removes?)\Z|\A(?:disband|remove|d)\b:?\s+|\A-\s*(?=[af]\b)", re.IGNORECASE
)
_BUILDS = re.compile(r"\s+(?:b|builds?)\Z|\A(?:build|b)\b:?\s+|\A\+\s*", re.IGNORECASE)
_UNIT = re.compile(r"(?:(a|army|f|fleet)\s+(?:(?:in|at|of)\s+)?)?(.+)\Z", re.IGNORECASE | re.DOTALL)
_NUMBERED = re.compile(r"\A\s*(?:[0-9]{1,3}\s*[.):]|[*•·])\s*")
_POWER = re.compile(
    r"\A\(?(?:aus(?:tria|trian)?|(?:eng(?:land|lish)?|british)|fr(?:a|ance|ench)|"
    r"ger(?:many|man)?|ita(?:ly|lian)?"
    r"|rus(?:sia|sian)?|tur(?:key|kish)?)(?:'s)?\)?:?\s+(?=(?:a|army|f|fleet|build|remove|disband)\s)",
    re.IGNORECASE,
)
"""Whose unit it is, before the unit: judges write ``S GER A BER - SIL``.

Only before a unit: ENG is an area as well."""
_REMOVES = re.compile(r"\A(?:r|destroy)\s+(?=(?:a|army|f|fleet)\s)", re.IGNORECASE)
_MOST_STEPS = 8  # places in a way over seas, ``A LON - ENG - BRE``
_COAST = re.compile(
    r"\s*(?:/\s*|\()\s*(nc|sc|ec|wc|(?:north|south|east|west)(?:ern)?\s*coast)\s*\)?\s*\Z", re.IGNORECASE
)


class LineReader:
    """Reads one file; what it cannot understand it reports, and the other lines stand."""

    def __init__(self, body: Body, board: Board, state: Diplomacy) -> None:
        self._body, self._board, self._state = body, board, state
        also = {each: code for code, area in board.areas.items() for each in (area.name, *area.also)}
        self._places = NameIndex("area", board.areas, also)

    def orders(self) -> Orders:
        """Everything below the head."""
        units: dict[str, Order] = {}
        others: list[Order] = []
        for node, written, line in self._body.items("orders", OrderLine, "DP-10.2"):
            order = self._order(node, written, _plain(line.text))
            if order is None or not self._fits(node, order):
                continue
            if order.kind in ("build", "waive"):
                others.append(order)
            elif order.area in units:
                first = units[order.area].written.line
                message = says("{0} has an order already, in line {1}: that one counts", order.area, first)
                self._body.error(node, "twice", message, clause="DP-10.3")
            else:
                units[order.area] = order
        return Orders(units, tuple(others))

    def _fits(self, node: Node, order: Order) -> bool:
        """Whether such an order can be given in this phase by this power; if not, that is reported."""
        phase = self._state.phase
        if order.kind not in IN_PHASE[phase]:
            known = ", ".join(IN_PHASE[phase])
            message = says("{0} is no order for {1}", order.kind, phase)
            self._body.error(
                node, "wrong-phase", message, suggestion=says("there is {0}", known), clause="DP-10.4"
            )
            return False
        if order.kind in ("build", "waive"):
            return True
        mine = self._mine()
        if order.area in mine and order.unit in ("", mine[order.area].kind):
            return True
        unit = f"{order.unit} {order.area}".strip()
        have = ", ".join(each.name for each in mine.values()) or says("nothing")
        message = says("you have no {0} to order", unit)
        self._body.error(node, "not-yours", message, suggestion=says("there is {0}", have), clause="DP-10.3")
        return False

    def _mine(self) -> Mapping[str, Unit]:
        state = self._state
        units = (
            [each.unit for each in state.dislodged.values()]
            if state.phase == "retreats"
            else state.units.values()
        )
        return {each.area: each for each in units if each.power == self._body.realm}

    def _order(self, node: Node, written: Written, text: str) -> Order | None:
        if text.casefold() in ("waive", "pass", "build nothing"):
            return Order(written, "waive")
        for pattern, kind in ((_BUILDS, "build"), (_GOES, "disband")):
            if pattern.search(text):
                return self._of_unit(node, written, kind, pattern.sub("", text, count=1))  # type: ignore[arg-type]
        if self._state.phase == "adjustments" and _REMOVES.search(text):
            return self._of_unit(node, written, "disband", _REMOVES.sub("", text))
        via = bool(_VIA.search(text))
        text = _VIA.sub("", text)
        if found := _HELPS.search(text):
            return self._helping(
                node, written, "support" if found[1] else "convoy", text[: found.start()], text[found.end() :]
            )
        if found := _RETREATS.search(text):
            return self._going(node, written, text[: found.start()], text[found.end() :], via=False)
        if _HOLDS.search(text):
            return self._of_unit(node, written, "hold", _HOLDS.sub("", text))
        if parts := self._split(text):
            unit, (over, to) = parts[0], self._over_seas(parts[1])
            if earlier := self._split(unit):
                unit, over = earlier[0], True
            return self._going(node, written, unit, to, via=via or over)
        if kind := self._alone(text):
            return self._of_unit(node, written, kind, text)
        self._refuse(node, text)
        return None

    def _over_seas(self, to: str) -> tuple[bool, str]:
        """Return whether a way leads over seas that are named, and where it ends."""
        for step in range(_MOST_STEPS):
            parts = self._split(to)
            if parts is None or not self._known(_plain(parts[0])):
                return step > 0, to
            to = parts[1]
        return True, to

    def _alone(self, text: str) -> Kind | None:
        """Return what a line means that names a unit and no more: it holds, or in winter is built or goes."""
        found = _UNIT.match(text)
        if found is None or found[1] is None or not self._known(found[2]):
            return None
        if self._state.phase == "moves":
            return "hold"
        if self._state.phase == "retreats":
            return None
        return "build" if self._state.change.get(self._body.realm, 0) > 0 else "disband"

    def _going(self, node: Node, written: Written, unit: str, to: str, *, via: bool) -> Order | None:
        order, target = self._of_unit(node, written, "move", unit), self._place(node, to)
        kind: Kind = "retreat" if self._state.phase == "retreats" else "move"
        if order is None or target is None:
            return None
        return order.evolve(kind=kind, target=self._landing(order.area, target), via=via)

    def _helping(self, node: Node, written: Written, kind: Kind, unit: str, rest: str) -> Order | None:
        order = self._of_unit(node, written, kind, unit)
        rest = _POWER.sub("", _HOLDS.sub("", rest))
        first, to = self._split(rest) or (rest, "")
        to = self._over_seas(to)[1]
        helped = self._of_unit(node, written, kind, first)
        target = self._place(node, to) if to else ""
        if kind == "convoy" and not to:
            self._refuse(node, rest)
            return None
        if order is None or helped is None or target is None:
            return None
        target = self._landing(helped.area, target) if target else ""
        return order.evolve(other=helped.area, target=target)

    def _landing(self, area: str, target: str) -> str:
        """The place that is meant with an area of several coasts: an army goes to the area, a fleet to the
        only coast that it can reach.
        """
        units = {**self._state.units, **{each: found.unit for each, found in self._state.dislodged.items()}}
        unit = units.get(area)
        if unit is None or unit.kind == "A":
            return area_of(target)
        near = [each for each in self._board.reached(unit) if area_of(each) == target]
        return near[0] if len(near) == 1 else target

    def _of_unit(self, node: Node, written: Written, kind: Kind, text: str) -> Order | None:
        found = _UNIT.match(text.strip())
        place = self._place(node, found[2]) if found else None
        if not found or not place:
            return None
        unit = found[1][:1].upper() if found[1] else ""
        return Order(written, kind, area_of(place), unit, target=place if kind == "build" else "")

    def _split(self, text: str) -> tuple[str, str] | None:
        if (found := _MOVES.search(text)) is None:
            found = next((each for each in _BARE.finditer(text) if self._known(text[each.end() :])), None)
        return (text[: found.start()], text[found.end() :]) if found else self._side_by_side(text)

    def _side_by_side(self, text: str) -> tuple[str, str] | None:
        """Return the unit and the place of a line without a sign between them: ``A MOS LVN``."""
        found = _UNIT.match(text)
        words = found[2].split() if found else []
        for at in range(1, min(len(words), _MOST_STEPS)):
            place, to = " ".join(words[:at]), " ".join(words[at:])
            if self._known(place) and self._known(to):
                return f"{found[1] or ''} {place}".strip() if found else place, to
        return None

    def _known(self, text: str) -> bool:
        return self._places.find(_COAST.sub("", text).strip()) is not None

    def _place(self, node: Node, text: str) -> str | None:
        coast, name = _COAST.search(text), _COAST.sub("", text).strip()
        code = self._places.find(name)
        if code is None:
            message = says("no area is called {0}", shown(name))
            self._body.error(
                node, "unknown-area", message, suggestion=self._places.suggestion(name), clause="DP-2.1"
            )
            return None
        if coast is None:
            return code
        place = f"{code}/{coast[1][0].upper()}C"
        # a coast that an area does not have says nothing
        return place if place in self._board.fleet_ways else code

    def _refuse(self, node: Node, text: str) -> None:
        self._body.error(
            node,
            "not-understood",
            says("{0} is not understood", shown(text)),
            suggestion=SAMPLE,
            clause="DP-10.2",
        )


def _plain(text: str) -> str:
    """Return a line without its number, the power's name before the unit and the full stop at its end."""
    text = _NUMBERED.sub("", " ".join(text.split())).rstrip(" .;,")
    return _POWER.sub("", text)


def merged(orders: Mapping[str, Orders]) -> Mapping[str, Order]:
    """The orders of all powers' units, by area."""
    return {area: order for each in orders.values() for area, order in each.units.items()}


def lines_of(orders: Orders) -> Iterator[Order]:
    """All orders of a power."""
    yield from orders.units.values()
    yield from orders.builds
