"""Positions and turns of CONQUEST 0.0.2 for tests, written short: ``put("RED", C1="T", H1="II")``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from gm.core.values import Event
from gm.game.values import GameData, NewGameRequest, OrderFile
from gm.games.conquest_structures.orders import Orders
from gm.games.conquest_structures.spec import SPEC
from gm.games.conquest_structures.state import NEUTRAL as NEUTRAL
from gm.games.conquest_structures.state import Conquest, Unit

TYPES = {"I": "infantry", "T": "tank"}


@cache
def table(name: str = "test-6") -> GameData:
    """Rules and map."""
    return SPEC.shipped_table(name)


@cache
def start(name: str = "test-6", **options: str) -> Conquest:
    """The start of a game on a map with these options."""
    founded = SPEC.founded(NewGameRequest(map=SPEC.maps()[name], options=options, seed="test"))
    return SPEC.start(founded.table, SPEC.maps()[name], None)


def founded(map_name: str, people: int = 0, seed: str = "test", **options: str) -> list[str]:
    """The homes of the seats of a new game, in seat order."""
    chosen = SPEC.maps()[map_name]
    made = SPEC.founded(NewGameRequest(map=chosen, options=options, seed=seed, people=people))
    state = SPEC.start(made.table, chosen, None)
    return [player.home for player in state.parties.values()]


class Field:
    """A position that is put together piece by piece on ``test-6``, and played a turn at a time.

    ``owners``: what belongs to whom besides H1 and C1 (red), H2 and C2 (blue).
    """

    def __init__(
        self, owners: Mapping[str, str] | None = None, *, players: int = 2, map_name: str = "test-6"
    ) -> None:
        self.table = table(map_name)
        base = start(map_name)
        if players > len(base.parties):
            codes = ("RED", "BLUE", "GREEN", "YELLOW")[:players]
            template = base.parties["RED"]
            more = {code: template.evolve(code=code, name=code.title()) for code in codes}
            base = base.evolve(parties=type(base.parties)(more))
        held = {"H1": "RED", "C1": "RED", "H2": "BLUE", "C2": "BLUE"} if map_name == "test-6" else {}
        self.state = base.with_owners({**held, **(owners or {})})
        self.events: tuple[Event, ...] = ()

    def put(self, place: str, what: str, **more: Any) -> Field:
        """Units in a place, for its owner: ``put("C1", "TII")``."""
        owner = more.pop("owner", self.state.owners[place])
        for letter in what:
            number = self.state.next_unit
            unit = Unit(number=number, owner=owner, type=TYPES[letter], place=place, **more)
            self.state = self.state.with_units([unit]).evolve(next_unit=number + 1)
        return self

    def read(
        self, code: str, *lines: str, priority: tuple[str, ...] = (), turn: int | None = None
    ) -> OrderFile:
        """A file with these lines, as the turn reads it."""
        text = file_text(code, *lines, priority=priority, turn=self.state.turn + 1 if turn is None else turn)
        return SPEC.read_orders(
            self.table, self.state, text.encode(), "orders.yaml", game="g", realm=code, key=None
        )

    def orders(self, code: str, *lines: str, priority: tuple[str, ...] = ()) -> Orders:
        """The orders of such a file; nothing may be wrong with it."""
        reading = self.read(code, *lines, priority=priority)
        assert reading.sheet is not None, [diagnostic.render() for diagnostic in reading.diagnostics]
        assert reading.errors == 0, [diagnostic.render() for diagnostic in reading.diagnostics]
        orders: Orders = reading.sheet.orders
        return orders

    def play(self, **lines: Any) -> Field:
        """A turn with these lines: ``play(RED=["C1 > R1"], priority={"RED": ["Tank"]})``."""
        wishes: Mapping[str, list[str]] = lines.pop("priority", {})
        sheets = {}
        for code in sorted({*lines, *wishes}):
            reading = self.read(code, *lines.get(code, ()), priority=tuple(wishes.get(code, ())))
            assert reading.sheet is not None, [diagnostic.render() for diagnostic in reading.diagnostics]
            sheets[code] = reading.sheet
        outcome = SPEC.play(self.table, self.state, sheets, "seed")
        self.state = outcome.state
        self.events = outcome.events
        assert list(SPEC.broken(self.table, self.state)) == []
        return self

    # -- looking ---------------------------------------------------------------------------------------------

    def at(self, place: str) -> str:
        """Who stands in a place: ``RED T`` or nothing."""
        units = self.state.at(place)
        letters = "".join(sorted(unit.type[0].upper() for unit in units))
        return f"{units[0].owner} {letters}" if units else ""

    def told(self, kind: str) -> list[Any]:
        """The events of a kind in the last turn."""
        return [event for event in self.events if event.kind == kind]

    def fates(self, code: str) -> list[tuple[str, str]]:
        """(fate, reason) of a player's lines, in the order of his file."""
        settled = sorted((e for e in self.told("LineSettled") if e.audience == code), key=lambda e: e.line)
        return [(event.fate.value, event.reason) for event in settled]


def file_text(code: str, *lines: str, priority: tuple[str, ...] = (), turn: int = 1) -> str:
    """An order file."""
    head = ["game: g", f"turn: {turn}", f"player: {code.lower()}"]
    lines_written = ["orders:", *(f"  - {line}" for line in lines)] if lines else []
    wishes = ["supply_priority:", *(f"  - {line}" for line in priority)] if priority else []
    return "\n".join([*head, *lines_written, *wishes]) + "\n"
