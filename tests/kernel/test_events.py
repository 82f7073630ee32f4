"""Events: who may read them, and their plain form in the log."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

import pytest

from gm.core.events import GM, Event, event_record
from gm.core.plain_data import plain
from gm.core.records import keyword_record
from gm.core.values import FrozenMap, Value


class Weather(StrEnum):
    RAIN = "rain"


class Purse(Value):
    gold: Decimal


@dataclass(frozen=True, slots=True)
class Figure:
    count: int


@keyword_record
class Happened(Event):
    gold: Decimal
    weather: Weather
    figures: tuple[Figure, ...] = ()
    purses: FrozenMap[str, Purse] = field(default_factory=FrozenMap)


@pytest.mark.clause("W8")
@pytest.mark.parametrize(("audience", "seen"), [("public", True), ("ENG", True), ("FRA", False), (GM, False)])
def test_an_event_is_seen_by_its_audience_only(audience: str, seen: bool) -> None:
    assert Event(audience=audience).visible_to("ENG") is seen


def test_a_record_names_the_kind_first_and_holds_plain_data() -> None:
    event = Happened(
        audience="ENG",
        phase=2,
        step="rain_falls",
        gold=Decimal("1.50"),
        weather=Weather.RAIN,
        figures=(Figure(3),),
        purses=FrozenMap({"a": Purse(gold=Decimal(2))}),
    )
    record = event_record(event)
    assert json.dumps(record) == (
        '{"event": "Happened", "audience": "ENG", "phase": 2, "step": "rain_falls", "gold": "1.50", '
        '"weather": "rain", "figures": [{"count": 3}], "purses": {"a": {"gold": "2"}}}'
    )


def test_sets_are_written_in_order() -> None:
    assert plain(frozenset({"b", "a"})) == ["a", "b"]


def test_what_has_no_plain_form_is_refused() -> None:
    with pytest.raises(TypeError, match="object"):
        plain(object())
