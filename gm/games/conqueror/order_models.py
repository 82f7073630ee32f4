"""Orders of Conqueror!: what may stand in a file, and how it is meant (CQ-19)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

from gm.core.records import Record, record
from gm.core.values import FrozenMap, Value
from gm.game.base.events import Written
from gm.games.conqueror.rules import DIPLOMAT, RECRUIT
from gm.games.conqueror.state import Plan

ARMIES_LIMIT = 9_999
"""The most armies that a line may name."""
COUNT_LIMIT = 99
"""The most that a line may buy."""
ALL = "all"


def _armies(given: object) -> object:
    if given == ALL or (isinstance(given, int) and not isinstance(given, bool) and 1 <= given <= ARMIES_LIMIT):
        return given
    raise ValueError(f"expected a whole number from 1 to {ARMIES_LIMIT:,}, or all")


def _count(given: object) -> object:
    if isinstance(given, int) and not isinstance(given, bool) and 1 <= given <= COUNT_LIMIT:
        return given
    raise ValueError(f"expected a whole number from 1 to {COUNT_LIMIT}")


Armies = Annotated[
    Any,
    BeforeValidator(_armies),
    WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 1, "maximum": ARMIES_LIMIT}, {"const": ALL}]}),
]
Count = Annotated[
    int, BeforeValidator(_count), WithJsonSchema({"type": "integer", "minimum": 1, "maximum": COUNT_LIMIT})
]


class MoveModel(Value):
    """A line of ``moves``."""

    from_: str = Field(alias="from")
    to: str
    armies: Armies


class ItemModel(Value):
    """What a province works on, where diplomats are meant for another (CQ-9.11)."""

    item: str
    target: str


class BuyModel(Value):
    """A line of ``buy``."""

    province: str
    item: str
    count: Count = 1
    target: str | None = None


class ReportModel(Value):
    """What stands below ``report`` (CQ-22.6)."""

    show_internal_moves: bool


class OrdersModel(Value):
    """What may stand below the head."""

    moves: tuple[MoveModel, ...] = Field((), description="At most 5; the first is executed first.")
    production: FrozenMap[str, str | ItemModel] = Field(
        FrozenMap(), description="What provinces work on until told otherwise."
    )
    buy: tuple[BuyModel, ...] = Field((), description="What is finished with gold, before all moves.")
    report: ReportModel | None = Field(None, description="Whether your reports tell of others' friendly moves.")


@record
class Move(Record):
    """Armies to a province beside. ``wanted`` is what the line says, ``armies`` what the source has left for it;
    ``everything``: all that can still act. ``written`` none: the computer's."""

    source: str
    target: str
    armies: int
    wanted: int
    everything: bool = False
    written: Written | None = None


@record
class Work(Record):
    """What a province is to work on; ``target``: where its diplomats go, empty for the province itself; ``taken``: the
    province was not the player's as the turn began (CQ-9.12)."""

    province: str
    item: str
    target: str = ""
    taken: bool = False
    written: Written | None = None


@record
class Purchase(Record):
    """So many of an item, at once."""

    province: str
    item: str
    count: int
    target: str = ""
    written: Written | None = None


@record
class Orders(Record):
    """A player's orders for a turn. ``show_moves`` none: as before."""

    moves: tuple[Move, ...] = ()
    production: tuple[Work, ...] = ()
    buy: tuple[Purchase, ...] = ()
    show_moves: bool | None = None


def by_the_number(item: str) -> bool:
    """CQ-11.5: whether any number of it may be bought in a province and turn."""
    return item in (RECRUIT, DIPLOMAT)


def planned(plan: Plan) -> Orders:
    """The computer's orders in the form of a player's."""
    return Orders(
        moves=tuple(Move(each.source, each.target, each.armies, each.armies) for each in plan.moves),
        production=tuple(Work(province, item) for province, item in plan.production.items()),
        buy=tuple(Purchase(each.province, each.item, each.count) for each in plan.buy),
    )
