"""Events are written as lines of JSON by a writer of their own: to the letter what ``json`` makes of their records."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field
from decimal import Decimal
from enum import StrEnum
from typing import Any

import pytest

from gm.core.event_lines import event_line, json_line, result_line
from gm.core.events import GM, PUBLIC, DiceRolled, Event, PhaseLimitReached, event_record
from gm.core.json_text import line_encoder
from gm.core.plain_data import plain
from gm.core.records import Record, keyword_record, record
from gm.core.values import FrozenMap, Value
from gm.store.canonical import compact


class Metal(StrEnum):
    IRON = "iron"


@record
class Pair(Record):
    first: Metal
    second: tuple[int, ...] = ()


class Held(Value):
    name: str
    many: FrozenMap[str, int] = FrozenMap()


@keyword_record
class Everything(Event):
    text: str = 'a "quoted" line\nwith \u00fc, \u2028 and 100 %s'
    truth: bool = True
    metal: Metal = Metal.IRON
    gold: Decimal = Decimal("1.50")
    nothing: str | None = None
    pairs: tuple[Pair, ...] = (Pair(Metal.IRON, (1, 2)), Pair(Metal.IRON))
    held: Held = Held(name="x", many=FrozenMap({"b": 1, "a": 2}))
    names: frozenset[str] = frozenset(("z", "y"))
    figures: Mapping[Any, Any] = field(
        default_factory=lambda: {"a": Decimal(3), "b": (None, False), "c": {Metal.IRON: 1}}
    )


EVENTS = (
    Everything(),
    Everything(audience="ENG", phase=3, step="armies_march", truth=False, text=""),
    Everything(audience=PUBLIC, phase=3, step="armies_march"),
    DiceRolled(audience=GM, phase=1, step="a", label="turn 1", outcomes=(0, 1, 1), asked=(("3/20", 3),)),
    PhaseLimitReached(audience=GM, limit=7),
    Event(audience="FRA", phase=2, step="b"),
)


@pytest.mark.parametrize("event", EVENTS)
def test_an_event_is_written_as_its_record_would_be(event: Event) -> None:
    assert event_line(event) == json.dumps(event_record(event), ensure_ascii=False)
    assert json_line(event) == json.dumps(plain(event), ensure_ascii=False)


@pytest.mark.parametrize("event", EVENTS)
def test_what_readers_are_told_is_the_same_without_what_all_events_have(event: Event) -> None:
    told = {name: each for name, each in event_record(event).items() if name not in Event.__dataclass_fields__}
    assert result_line(event, event_line(event)) == json.dumps(told, ensure_ascii=False)


@pytest.mark.parametrize(
    "value", ["\u00fc \u2028", 1, True, None, 1.5, [], {}, {"a": [1, {"b": None}]}, (1, 2), Metal.IRON]
)
def test_a_line_encoder_writes_what_json_does(value: Any) -> None:
    assert compact(value) == line_encoder(allow_nan=True)(value) == json.dumps(value, ensure_ascii=False)


def test_a_line_encoder_refuses_what_json_does() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        line_encoder(allow_nan=False)(float("nan"))
    assert line_encoder(allow_nan=True)(float("nan")) == "NaN"
    with pytest.raises(TypeError):
        compact({"a": object()})
