"""Values and events: immutable, checked when they are read, the same after the way into JSON and back."""

import json
from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from functools import cached_property

import pytest

from gm.core.codec import encode, from_plain, json_line, to_plain
from gm.core.values import (
    GM,
    Event,
    Natural,
    Value,
    cached_per_context,
    check_fields,
    check_whole,
)
from tests.core.cases import cases


class Purse(Value):
    owner: str
    gold: Decimal = Decimal(0)
    coins: Mapping[str, Natural] = {}
    marks: frozenset[str] = frozenset()

    @check_fields("owner")
    @staticmethod
    def _owner(text: str) -> str:
        return text.upper()

    @check_whole
    def _solvent(self) -> None:
        if self.gold < 0:
            raise ValueError("nobody has less than nothing")

    @cached_property
    def count(self) -> int:
        return sum(self.coins.values())


def test_a_value_comes_back_from_its_plain_data_and_has_what_derives_from_it_anew() -> None:
    purse = from_plain({"owner": "anna", "gold": "1.50", "coins": {"b": 1, "a": 2}}, Purse)
    assert (purse.owner, purse.gold, purse.count) == ("ANNA", Decimal("1.50"), 3)
    assert list(to_plain(purse)["coins"]) == ["b", "a"]
    assert from_plain(to_plain(purse), Purse) == purse
    assert purse.evolve(coins={"a": 5}).count == 5
    assert json_line(purse) == '{"owner": "ANNA", "gold": "1.50", "coins": {"b": 1, "a": 2}, "marks": []}'


def test_equal_values_give_equal_bytes() -> None:
    one = Purse(owner="A", coins={"b": 1, "a": 2}, marks=frozenset("xyz"))
    other = Purse(owner="A", coins={"a": 2, "b": 1}, marks=frozenset("zyx"))
    assert encode(one) == encode(other)


@cases("unfit values")
def test_what_does_not_fit_is_refused(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        from_plain({"owner": "A", **wrong}, Purse)


def test_a_value_cannot_be_changed() -> None:
    purse = Purse(owner="A")
    with pytest.raises(AttributeError):
        purse.owner = "B"  # type: ignore[misc]
    with pytest.raises(TypeError):
        purse.evolve(silver=1)


class Weather(StrEnum):
    RAIN = "rain"


class Happened(Event):
    gold: Decimal
    weather: Weather
    purses: tuple[Purse, ...] = ()


@pytest.mark.clause("W8")
def test_an_event_is_seen_by_its_audience_only() -> None:
    seen = [
        audience for audience in ("public", "ENG", "FRA", GM) if Event(audience=audience).visible_to("ENG")
    ]
    assert seen == ["public", "ENG"]


def test_a_record_names_the_kind_first_and_holds_plain_data() -> None:
    purses = (Purse(owner="A", coins={"b": 1}),)
    event = Happened(
        audience="ENG", phase=2, step="rain", gold=Decimal("1.50"), weather=Weather.RAIN, purses=purses
    )
    assert json.dumps(to_plain(event)) == (
        '{"event": "Happened", "audience": "ENG", "phase": 2, "step": "rain", "gold": "1.50", "weather": '
        '"rain", '
        '"purses": [{"owner": "A", "gold": "0", "coins": {"b": 1}, "marks": []}]}'
    )
    with pytest.raises(TypeError, match="object"):
        to_plain(object())


class Chest(Value):
    coins: int


def test_what_is_kept_is_worked_out_once_for_a_value_and_anew_for_another_or_by_other_rules() -> None:
    asked: list[tuple[int, str]] = []

    @cached_per_context
    def told(chest: Chest, rules: list[str]) -> int:
        asked.append((chest.coins, rules[0]))
        return chest.coins * len(rules[0])

    chest = Chest(coins=3)
    old = ["ab"]
    new = ["abc"]
    assert [told(chest, old), told(chest, old), told(chest, new), told(chest.evolve(coins=4), new)] == [
        6,
        6,
        9,
        12,
    ]
    assert asked == [(3, "ab"), (3, "abc"), (4, "abc")]
    assert encode(chest) == encode(Chest(coins=3))
