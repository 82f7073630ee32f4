"""Events: who may read them, and their plain form in the log."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

import pytest

from gm.core.codec import to_plain
from gm.core.events import GM, Event
from gm.core.values import Value


class Weather(StrEnum):
    RAIN = "rain"


class Purse(Value):
    gold: Decimal


@dataclass(frozen=True, slots=True)
class Figure:
    count: int


class Happened(Event):
    gold: Decimal
    weather: Weather
    figures: tuple[Figure, ...] = ()
    purses: Mapping[str, Purse] = {}


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
        purses={"a": Purse(gold=Decimal(2))},
    )
    record = to_plain(event)
    assert json.dumps(record) == (
        '{"event": "Happened", "audience": "ENG", "phase": 2, "step": "rain_falls", "gold": "1.50", '
        '"weather": "rain", "figures": [{"count": 3}], "purses": {"a": {"gold": "2"}}}'
    )


def test_what_has_no_plain_form_is_refused() -> None:
    with pytest.raises(TypeError, match="object"):
        to_plain(object())
