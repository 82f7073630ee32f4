"""Read order files of Diplomacy: lines in the usual notation, ``A PAR - BUR``, or with keys for the parts."""

from typing import NamedTuple

from gm.core.diagnostics import says, shown
from gm.core.orders.reading import NameIndex
from gm.core.yaml.source import Node
from gm.game.base.events import Written
from gm.game.base.reading import Body
from gm_diplomacy import notation
from gm_diplomacy.board import Board, area_of
from gm_diplomacy.orders import KINDS_IN, Kind, Order, OrderLine, Orders
from gm_diplomacy.state import Diplomacy

SAMPLE = "write a line like 'A PAR - BUR', 'A MAR S A PAR - BUR', 'F ENG C A LON - BRE' or 'A PAR H'"
_MOST_STEPS = 8  # the most places in a way over seas, ``A LON - ENG - BRE``; also bounds a place's words


class _Source(NamedTuple):
    """Where an order is written: its node, for findings about it, and its line, for the order."""

    node: Node
    written: Written


class LineReader:
    """Reads one power's file. A line that is not understood is reported; the other lines count."""

    def __init__(self, body: Body, board: Board, state: Diplomacy) -> None:
        self._body = body
        self._board = board
        self._state = state
        codes: dict[str, str] = {}
        for code, area in board.areas.items():
            codes |= dict.fromkeys((area.name, *area.also), code)
        self._places = NameIndex("area", board.areas, codes)

    def orders(self) -> Orders:
        """Return all orders of the file that can be given in this phase."""
        units: dict[str, Order] = {}
        builds: list[Order] = []
        for node, written, line in self._body.items("orders", OrderLine, "DP-10.2"):
            order = self._order(_Source(node, written), notation.plain_line(line.text))
            if order is None or not self._can_be_given(node, order):
                continue
            if order.kind in ("build", "waive"):
                builds.append(order)
            elif order.area in units:
                first = units[order.area].written.line
                message = says("{0} has an order already, in line {1}: that one counts", order.area, first)
                self._body.error(node, "twice", message, clause="DP-10.3")
            else:
                units[order.area] = order
        return Orders(units, tuple(builds))

    # -- whether an order can be given -------------------------------------------------------

    def _can_be_given(self, node: Node, order: Order) -> bool:
        """Return whether this power can give such an order in this phase; if not, that is reported."""
        phase = self._state.phase
        if order.kind not in KINDS_IN[phase]:
            self._body.error(
                node,
                "wrong-phase",
                says("{0} is no order for {1}", order.kind, phase),
                suggestion=says("there is {0}", ", ".join(KINDS_IN[phase])),
                clause="DP-10.4",
            )
            return False
        return order.kind in ("build", "waive") or self._has_unit(node, order)

    def _has_unit(self, node: Node, order: Order) -> bool:
        """Return whether the unit of an order is one that the power can order now; if not, report it."""
        units = {unit.area: unit for unit in self._state.ordered_units(self._body.realm)}
        if order.area in units and order.unit in ("", units[order.area].kind):
            return True
        names = ", ".join(unit.name for unit in units.values())
        self._body.error(
            node,
            "not-yours",
            says("you have no {0} to order", f"{order.unit} {order.area}".strip()),
            suggestion=says("there is {0}", names or says("nothing")),
            clause="DP-10.3",
        )
        return False

    # -- the parts of a line -----------------------------------------------------------------

    def _order(self, source: _Source, text: str) -> Order | None:
        """Return the order that a line means; None if it is not understood, which is reported."""
        if text.casefold() in notation.WAIVE:
            return Order(source.written, "waive")
        if notation.BUILD.search(text):
            return self._of_unit(source, "build", notation.BUILD.sub("", text, count=1))
        if notation.DISBAND.search(text):
            return self._of_unit(source, "disband", notation.DISBAND.sub("", text, count=1))
        if self._state.phase == "adjustments" and notation.REMOVE.search(text):
            return self._of_unit(source, "disband", notation.REMOVE.sub("", text))
        return self._action(source, text)

    def _action(self, source: _Source, text: str) -> Order | None:
        """Return what a line orders a unit on the board to do; None if it is not understood."""
        via = notation.VIA_CONVOY.search(text) is not None
        line = notation.VIA_CONVOY.sub("", text)
        help_sign = notation.HELP.search(line)
        if help_sign:
            kind: Kind = "support" if help_sign[1] else "convoy"
            return self._help(source, kind, line[: help_sign.start()], line[help_sign.end() :])
        retreat_sign = notation.RETREAT.search(line)
        if retreat_sign:
            return self._way(source, line[: retreat_sign.start()], line[retreat_sign.end() :])
        if notation.HOLD.search(line):
            return self._of_unit(source, "hold", notation.HOLD.sub("", line))
        parts = self._split(line)
        if parts:
            return self._move(source, *parts, via=via)
        lone_kind = self._kind_of_lone_unit(line)
        if lone_kind:
            return self._of_unit(source, lone_kind, line)
        self._report_misunderstood(source.node, line)
        return None

    def _move(self, source: _Source, unit: str, to: str, *, via: bool) -> Order | None:
        """Return a move; ``unit`` and ``to`` are the parts of its line, which may name seas on the way."""
        names_seas, end = self._without_seas(to)
        earlier = self._split(unit)
        if earlier:
            return self._way(source, earlier[0], end, via=True)
        return self._way(source, unit, end, via=via or names_seas)

    def _without_seas(self, to: str) -> tuple[bool, str]:
        """Return whether a way leads over places that are named, and where it ends."""
        end = to
        for step in range(_MOST_STEPS):
            parts = self._split(end)
            if parts is None or not self._is_place(notation.plain_line(parts[0])):
                return step > 0, end
            end = parts[1]
        return True, end

    def _kind_of_lone_unit(self, text: str) -> Kind | None:
        """Return what a line means that names a unit and no more.

        The unit holds; in winter it is built or disbanded. None if the line names no unit, and in retreats.
        """
        match = notation.UNIT.match(text)
        if match is None or match[1] is None or not self._is_place(match[2]):
            return None
        if self._state.phase == "moves":
            return "hold"
        if self._state.phase == "retreats":
            return None
        return "build" if self._state.change.get(self._body.realm, 0) > 0 else "disband"

    def _way(self, source: _Source, unit: str, to: str, *, via: bool = False) -> Order | None:
        """Return the move of a unit or, in retreats, its retreat; None if either place is unknown."""
        order = self._of_unit(source, "move", unit)
        target = self._place(source.node, to)
        if order is None or target is None:
            return None
        kind: Kind = "retreat" if self._state.phase == "retreats" else "move"
        return order.evolve(kind=kind, target=self._landing(order.area, target), via=via)

    def _help(self, source: _Source, kind: Kind, unit: str, rest: str) -> Order | None:
        """Return a support or a convoy; ``rest``: the helped unit, and where it goes if it does."""
        order = self._of_unit(source, kind, unit)
        helped_line = notation.POWER.sub("", notation.HOLD.sub("", rest))
        helped_unit, to = self._split(helped_line) or (helped_line, "")
        end = self._without_seas(to)[1]
        helped = self._of_unit(source, kind, helped_unit)
        target = self._place(source.node, end) if end else ""
        if kind == "convoy" and not end:
            self._report_misunderstood(source.node, helped_line)
            return None
        if order is None or helped is None or target is None:
            return None
        landing = self._landing(helped.area, target) if target else ""
        return order.evolve(other=helped.area, target=landing)

    # -- units and places --------------------------------------------------------------------

    def _landing(self, area: str, target: str) -> str:
        """Return the place that a unit can mean with ``target``.

        An army goes to the area, whatever coast is named; a fleet on the only coast that it can reach, if
        none is named.
        """
        driven = self._state.dislodged.get(area)
        unit = driven.unit if driven else self._state.units.get(area)
        if unit is None or unit.kind == "A":
            return area_of(target)
        reached = [place for place in self._board.reached(unit) if area_of(place) == target]
        return reached[0] if len(reached) == 1 else target

    def _of_unit(self, source: _Source, kind: Kind, text: str) -> Order | None:
        """Return an order of this kind to the unit that a text names; None if its place is unknown."""
        match = notation.UNIT.match(text.strip())
        place = self._place(source.node, match[2]) if match else None
        if not match or not place:
            return None
        unit = match[1][:1].upper() if match[1] else ""
        target = place if kind == "build" else ""
        return Order(source.written, kind, area_of(place), unit, target)

    def _split(self, text: str) -> tuple[str, str] | None:
        """Return (unit, where it goes) of a line at the sign between them; None if it is no move."""
        sign = notation.MOVE.search(text)
        if sign is None:
            # a dash without spaces is a sign only before a place: it may be within a name
            dashes = notation.DASH.finditer(text)
            sign = next((dash for dash in dashes if self._is_place(text[dash.end() :])), None)
        if sign is None:
            return self._side_by_side(text)
        return text[: sign.start()], text[sign.end() :]

    def _side_by_side(self, text: str) -> tuple[str, str] | None:
        """Return (unit, where it goes) of ``A MOS LVN``, a line without a sign between them; else None."""
        match = notation.UNIT.match(text)
        if match is None:
            return None
        words = match[2].split()
        for count in range(1, min(len(words), _MOST_STEPS)):
            place = " ".join(words[:count])
            to = " ".join(words[count:])
            if self._is_place(place) and self._is_place(to):
                return f"{match[1] or ''} {place}".strip(), to
        return None

    def _is_place(self, text: str) -> bool:
        return self._places.find(notation.COAST.sub("", text).strip()) is not None

    def _place(self, node: Node, text: str) -> str | None:
        """Return the place that a text names, as its code; None if it is unknown, which is reported."""
        name = notation.COAST.sub("", text).strip()
        code = self._places.find(name)
        if code is None:
            self._body.error(
                node,
                "unknown-area",
                says("no area is called {0}", shown(name)),
                suggestion=self._places.suggestion(name),
                clause="DP-2.1",
            )
            return None
        coast = notation.COAST.search(text)
        if coast is None:
            return code
        place = f"{code}/{coast[1][0].upper()}C"
        # a coast that the area does not have is passed over
        return place if place in self._board.fleet_ways else code

    def _report_misunderstood(self, node: Node, text: str) -> None:
        message = says("{0} is not understood", shown(text))
        self._body.error(node, "not-understood", message, suggestion=SAMPLE, clause="DP-10.2")
