"""Orders of Conquestination: what may stand in a file, and conditional lines as they are meant (CN-9, CN-10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

from gm.core.records import Record, record
from gm.core.values import Value
from gm.game.base.events import Written
from gm.games.conquestination.battle import Retreat

UNITS_LIMIT = 9_999
"""The most units that a line may name."""


@record
class Strength(Record):
    """CN-9.2: a number of units, all that may go (``max``), or all but ``leave``."""

    number: int | None = None
    leave: int | None = None

    def of(self, units: int, stay_behind: int) -> int:
        """How many of so many units; below 1: none can go."""
        most = units - stay_behind
        if self.number is not None:
            return min(self.number, most)
        return units - self.leave if self.leave is not None else most


def _is_count(given: object) -> bool:
    return isinstance(given, int) and not isinstance(given, bool) and 1 <= given <= UNITS_LIMIT


def _count(given: object) -> object:
    if _is_count(given):
        return given
    raise ValueError(f"expected {_NUMBER_WORDS}")


def _count_or_rest(given: object) -> object:
    if given == "rest" or _is_count(given):
        return given
    raise ValueError(f"expected {_NUMBER_WORDS}, or rest")


def _amount(given: object) -> Strength:
    if given == "max":
        return Strength()
    if _is_count(given):
        return Strength(number=given)  # type: ignore[arg-type]
    if isinstance(given, dict) and set(given) == {"leave"} and _is_count(given["leave"]):
        return Strength(leave=given["leave"])
    raise ValueError(f"expected {_NUMBER_WORDS}, max, or {{leave: ...}} with such a number")


def _until(given: object) -> Retreat:
    if given == "won":
        return Retreat()
    limits = isinstance(given, dict) and set(given) <= {"keep", "rolls"} and all(map(_is_count, given.values()))
    if isinstance(given, dict) and given and limits:
        return Retreat(given.get("keep"), given.get("rolls"))
    raise ValueError(f"expected won, or {{keep: ..., rolls: ...}} or one of these, with {_NUMBER_WORDS}")


def _several(given: object) -> object:
    return [given] if isinstance(given, str) else given


_NUMBER_WORDS = f"a whole number from 1 to {UNITS_LIMIT:,}"
_NUMBER = {"type": "integer", "minimum": 1, "maximum": UNITS_LIMIT}
Count = Annotated[int, BeforeValidator(_count), WithJsonSchema(_NUMBER)]
CountOrRest = Annotated[
    int | str, BeforeValidator(_count_or_rest), WithJsonSchema({"anyOf": [_NUMBER, {"const": "rest"}]})
]
Countries = Annotated[tuple[str, ...], BeforeValidator(_several)]


Amount = Annotated[
    Any,
    BeforeValidator(_amount),
    WithJsonSchema({"anyOf": [_NUMBER, {"const": "max"}, {"type": "object", "properties": {"leave": _NUMBER}}]}),
]
Ending = Annotated[
    Any,
    BeforeValidator(_until),
    WithJsonSchema(
        {"anyOf": [{"const": "won"}, {"type": "object", "properties": {"keep": _NUMBER, "rolls": _NUMBER}}]}
    ),
]


class If(Value):
    """CN-9.6: all that is named must be true."""

    won: str | None = None
    lost: str | None = None
    owner: str | None = None
    min_units: Count | None = None
    max_defenders: Count | None = None
    hold: Countries = ()


class HoldOnly(Value):
    """CN-9.9: the only condition of a reinforcement."""

    hold: Countries


class DeployModel(Value):
    """An entry of ``deploy`` (CN-10.1)."""

    country: str
    units: CountOrRest


class ReinforceModel(DeployModel):
    """An entry of ``reinforce``."""

    if_: HoldOnly | None = Field(None, alias="if")


class AttackModel(Value):
    """A line of ``attacks``."""

    id: str | None = None
    from_: str = Field(alias="from")
    to: str
    with_: Amount = Field(Strength(), alias="with")
    until: Ending = Retreat()
    if_: If | None = Field(None, alias="if")


class RedeployModel(Value):
    """A choice of ``redeploy``."""

    from_: str = Field(alias="from")
    to: str
    units: Amount = Strength()
    if_: If | None = Field(None, alias="if")


class OrdersModel(Value):
    """What may stand below the head."""

    deploy: tuple[DeployModel, ...] = Field((), description="In run 0: where your units go, in this order.")
    reinforce: tuple[ReinforceModel, ...] = Field((), description="Where your new units go, top to bottom.")
    attacks: tuple[AttackModel, ...] = Field(
        (), description="Your attacks, top to bottom, each if its conditions hold."
    )
    redeploy: tuple[RedeployModel, ...] = Field((), description="Choices; the first that can be done is done.")


@record
class Condition(Record):
    """CN-9.6. Empty: always true."""

    won: str = ""
    lost: str = ""
    owner: str = ""
    min_units: int | None = None
    max_defenders: int | None = None
    hold: tuple[str, ...] = ()


ALWAYS = Condition()


@record
class Placing(Record):
    """Units for a country; ``units`` none: all that are left. ``hold``: only while these countries are his."""

    written: Written
    country: str
    units: int | None
    hold: tuple[str, ...] = ()


@record
class Attack(Record):
    """An attack line."""

    written: Written
    id: str
    source: str
    target: str
    strength: Strength
    until: Retreat
    condition: Condition


@record
class Redeploy(Record):
    """A choice of redeployment."""

    written: Written
    source: str
    target: str
    strength: Strength
    condition: Condition


@record
class Orders(Record):
    """A player's orders for a run."""

    deploy: tuple[Placing, ...] = ()
    reinforce: tuple[Placing, ...] = ()
    attacks: tuple[Attack, ...] = ()
    redeploy: tuple[Redeploy, ...] = ()

    @property
    def written(self) -> Iterator[Written]:
        """Where each of its lines stands."""
        for lines in (self.deploy, self.reinforce, self.attacks, self.redeploy):
            yield from (each.written for each in lines)
