"""The quick look at values against pydantic's thorough one: what passes the first, the second makes the same of."""

from __future__ import annotations

import pickle
import subprocess
import sys
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any

import pytest
from pydantic import Field, TypeAdapter, ValidationError

from gm.core.shapes import NoShapeError, UnfitError, shape_of
from gm.core.values import FrozenMap, Value, check_fields, check_whole


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Coin(Value):
    metal: str
    worth: Decimal = Decimal(1)


class Purse(Value):
    owner: str
    coins: FrozenMap[str, Coin] = FrozenMap()
    colours: tuple[Colour, ...] = ()


class Pouch(Purse):
    strings: int = 2


SHAPES: tuple[Any, ...] = (
    str,
    int,
    bool,
    float,
    Decimal,
    date,
    datetime,
    Colour,
    Coin,
    Pouch,
    str | None,
    tuple[int, ...],
    tuple[int, str],
    tuple[float, float],
    tuple[tuple[str, str | None], ...],
    frozenset[str],
    frozenset[tuple[str, str]],
    FrozenMap[str, int],
    FrozenMap[str, Decimal],
    FrozenMap[str, tuple[int, int]],
    FrozenMap[int, date],
    FrozenMap[str, Coin],
)
GIVEN: tuple[Any, ...] = (
    None,
    "",
    "red",
    "12",
    "12.50",
    "-0.5",
    " 7 ",
    "1e3",
    "NaN",
    "٣",
    "2026-04-12",
    "2026-04-12 20:00",
    "2026-04-12T20:00:00Z",
    "2026-04-12T20:00:00+02:00",
    "2026-13-40",
    0,
    7,
    -3,
    10**30,
    True,
    1.5,
    float("inf"),
    Decimal("2.50"),
    Decimal("Infinity"),
    Colour.BLUE,
    date(2026, 4, 12),
    datetime(2026, 4, 12, 20),  # noqa: DTZ001
    [],
    [1, 2],
    (1, "a"),
    ["b", "a"],
    [["a", "b"], ["c", None]],
    [["a", "b"]],
    [1.0, 2],
    {"a"},
    frozenset({"x", "y"}),
    {},
    {"a": 1, "b": 2},
    {"a": "2.50"},
    {"a": [1, 2]},
    {1: "2026-04-12"},
    {"metal": "gold"},
    {"metal": "gold", "worth": "2"},
    {"metal": "gold", "weight": 1},
    {"a": {"metal": "tin"}},
    {"owner": "x", "coins": {"a": {"metal": "tin"}}, "colours": ["red"], "strings": 1},
    Coin(metal="tin"),
    FrozenMap({"a": 1}),
)


@pytest.mark.parametrize("annotation", SHAPES, ids=str)
def test_what_passes_the_quick_look_pydantic_makes_the_same_of(annotation: Any) -> None:
    shape, adapter, passed = shape_of(annotation), TypeAdapter(annotation), 0
    for given in GIVEN:
        try:
            quick = shape.fit(given)
        except (UnfitError, ValueError):
            continue
        passed += 1
        thorough = adapter.validate_python(given)
        assert quick == thorough, given
        assert type(quick) is type(thorough), given
        assert repr(quick) == repr(thorough) or isinstance(quick, (frozenset, datetime)), given
    assert passed


def test_a_type_that_only_pydantic_knows_has_no_shape() -> None:
    for annotation in (int | str, Annotated[int, Field(ge=0)], dict[str, int], list[int]):
        with pytest.raises(NoShapeError):
            shape_of(annotation)


def test_a_value_that_needs_more_than_a_quick_look_comes_out_as_pydantic_makes_it() -> None:
    assert Coin(metal="tin", worth=" 2.50 ").worth == Decimal("2.50")
    assert Purse(owner="x", colours={"blue"}).colours == (Colour.BLUE,)
    with pytest.raises(ValidationError, match=r"worth\n.*valid decimal"):
        Coin(metal="tin", worth="much")
    with pytest.raises(ValidationError, match=r"metal\n.*required"):
        Coin()
    with pytest.raises(ValidationError, match=r"weight\n.*not permitted"):
        Coin(metal="tin", weight=3)
    with pytest.raises(ValidationError, match=r"coins\.a\.worth\n"):
        Purse(owner="x", coins={"a": {"metal": "tin", "worth": "much"}})


class Interval(Value):
    first: int
    last: int
    words: str = "from to"

    @check_fields("words")
    @staticmethod
    def _spoken(words: str) -> str:
        if "to" not in words:
            raise ValueError("an interval is said with a 'to'")
        return words.lower()

    @check_whole
    def _forward(self) -> None:
        if self.last < self.first:
            raise ValueError("it runs backwards")


def test_checks_of_fields_and_of_the_whole_hold_for_new_and_changed_values() -> None:
    one = Interval(first=1, last=2, words="From TO to")
    assert one.words == "from to to"
    assert Interval(first="1", last=2).first == 1, "what pydantic has to look at is checked too"
    for wrong in ({"last": 0}, {"words": "until"}):
        with pytest.raises(ValidationError, match=r"backwards|said with"):
            one.evolve(**wrong)
        with pytest.raises(ValidationError, match=r"backwards|said with"):
            Interval(**{"first": 1, "last": 2, **wrong})


class Guarded(Value):
    count: int = Field(default=1, ge=0, description="how many")
    name: Annotated[str, Field(max_length=3)] = "abc"


def test_a_class_may_use_what_pydantic_offers() -> None:
    assert (Guarded().count, Guarded().name) == (1, "abc")
    assert Guarded(count="4").evolve(name="x").model_dump() == {"count": 4, "name": "x"}
    with pytest.raises(ValidationError, match="greater than or equal to 0"):
        Guarded(count=-1)
    with pytest.raises(ValidationError, match="at most 3"):
        Guarded().evolve(name="much too long")
    assert Guarded.model_json_schema()["properties"]["count"]["description"] == "how many"
    assert Guarded.model_fields["count"].description == "how many"


def test_a_field_may_be_called_like_what_a_value_can_do_elsewhere() -> None:
    class Odd(Value):
        fields: int
        defaults: str = "x"

    odd = Odd(fields=3)
    assert odd.evolve(defaults="y").model_dump() == {"fields": 3, "defaults": "y"}


def test_a_derived_class_has_the_fields_of_both_and_stands_for_the_other() -> None:
    pouch = Pouch(owner="x", coins={"a": Coin(metal="tin")}, strings=1)
    assert Pouch.model_names == ("owner", "coins", "colours", "strings")
    assert pouch != Purse(owner="x", coins={"a": Coin(metal="tin")})

    class Wardrobe(Value):
        purse: Purse

    assert Wardrobe(purse=pouch).purse is pouch
    assert Wardrobe(purse={"owner": "y"}).purse == Purse(owner="y")


def test_values_and_maps_go_through_pickle() -> None:
    purse = Purse(owner="x", coins={"a": Coin(metal="tin")})
    again = pickle.loads(pickle.dumps(purse))  # noqa: S301
    assert again == purse
    assert hash(again) == hash(purse)
    assert type(again.coins) is FrozenMap
    assert again.evolve(owner="y").coins == purse.coins


@pytest.mark.parametrize(
    "change",
    [
        lambda held: held.__setitem__("a", 2),
        lambda held: held.__delitem__("a"),
        lambda held: held.update(a=2),
        lambda held: held.pop("a"),
        lambda held: held.popitem(),
        lambda held: held.clear(),
        lambda held: held.setdefault("b", 2),
        lambda held: held.__ior__({"b": 2}),
    ],
)
def test_nothing_that_changes_a_dict_changes_a_frozen_map(change: Any) -> None:
    held = FrozenMap({"a": 1})
    with pytest.raises(TypeError, match="cannot be changed"):
        change(held)
    assert held == {"a": 1}


def test_plain_classes_of_values_never_import_pydantic() -> None:
    code = """
import sys
from decimal import Decimal
from gm.core.values import FrozenMap, Value
class Coin(Value):
    metal: str
    worth: Decimal = Decimal(1)
class Purse(Value):
    coins: FrozenMap[str, Coin] = FrozenMap()
purse = Purse.model_validate({"coins": {"a": {"metal": "tin", "worth": "2.50"}}})
assert purse.evolve(coins={}) == Purse()
assert "pydantic" not in sys.modules
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stderr == ""
