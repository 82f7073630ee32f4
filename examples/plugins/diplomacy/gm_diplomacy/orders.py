"""The orders of Diplomacy, and the lines of an order file that they are written in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from gm.core.values import Record
from gm.core.yaml.pydantic_models import YamlModel
from gm.game.base.events import Written
from gm.game.base.reading import Line

Kind = Literal["hold", "move", "support", "convoy", "retreat", "disband", "build", "waive"]
KINDS_IN: Mapping[str, tuple[Kind, ...]] = {  # the kinds of orders that a phase knows
    "moves": ("hold", "move", "support", "convoy"),
    "retreats": ("retreat", "disband"),
    "adjustments": ("build", "disband", "waive"),
}
_NOTATION = {  # a line in the usual notation by the key that says what the unit does
    "to": "{unit} - {value}{via}",
    "retreats": "{unit} R {value}{via}",
    "supports": "{unit} S {value}{via}",
    "convoys": "{unit} C {value}{via}",
}


class OrderLine(Line):
    """A line: a text (``order``), or ``unit`` with what it does; ``build`` and ``disband`` name a unit."""

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
        if self.build:
            return f"build {self.build}"
        if self.disband:
            return f"disband {self.disband}"
        via = " via convoy" if self.via else ""
        for key, notation in _NOTATION.items():
            value = getattr(self, key)
            if value:
                return notation.format(unit=self.unit, value=value, via=via)
        return self.order or f"{self.unit} H"


class OrdersModel(YamlModel):
    """What may stand below the head of a file."""

    orders: tuple[str | OrderLine, ...] = Field(
        (),
        description="Lines like 'A PAR - BUR', 'A MAR S A PAR - BUR', 'F ENG C A LON - BRE', 'BUILD A PAR'.",
    )


class Order(Record):
    """An order of a phase.

    ``area``: that of the unit that is ordered, or built; ``unit``: the kind of unit that the line names,
    ``A`` or ``F``; empty if it names none. ``target``: the place where the unit, or the one that it helps,
    goes, or where a new one is built; ``other``: the area of the unit that it helps. ``via``: whether the
    line asks for a convoy.
    """

    written: Written
    kind: Kind
    area: str = ""
    unit: str = ""
    target: str = ""
    other: str = ""
    via: bool = False


class Orders(Record):
    """A power's orders for a phase: those to units by area, and the builds (and waived ones) as written."""

    units: Mapping[str, Order] = {}
    builds: tuple[Order, ...] = ()


def merged(orders: Mapping[str, Orders]) -> Mapping[str, Order]:
    """Return the orders to all powers' units, by area."""
    by_area: dict[str, Order] = {}
    for of_power in orders.values():
        by_area |= of_power.units
    return by_area
