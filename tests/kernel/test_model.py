"""Values: frozen deeply, changed only by a validating evolve; gold rounded half up."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from gm.core.values import FrozenMap, NameSet, Value, derived, percent_of, to_cents


class Purse(Value):
    gold: Decimal
    owners: NameSet = frozenset()
    coins: FrozenMap[str, int] = FrozenMap()


class Badge(Value):
    model_roots = frozenset(("name",))

    name: str
    worn: bool = False

    @derived
    def letters(self) -> list[str]:
        """The letters of the name."""
        return list(self.name)


def test_a_derived_property_is_worked_out_once_and_kept_while_its_roots_are() -> None:
    badge = Badge(name="ox")
    letters = badge.letters
    assert letters == ["o", "x"]
    assert badge.letters is letters
    assert badge.evolve(worn=True).letters is letters
    assert badge.evolve(name="ass", worn=True).letters == ["a", "s", "s"]
    assert badge.model_dump() == {"name": "ox", "worn": False}
    assert badge == Badge(name="ox")


class Crate(Value):
    weight: int

    @derived
    def double(self) -> int:
        return 2 * self.weight


def test_a_derived_property_without_roots_is_worked_out_anew_for_each_value() -> None:
    crate = Crate(weight=2)
    assert crate.double == 4
    assert crate.evolve(weight=3).double == 6
    with pytest.raises(ValidationError):
        Crate(weight="much")


def test_a_value_cannot_be_assigned_to() -> None:
    with pytest.raises(ValidationError):
        Purse(gold=Decimal(1)).gold = Decimal(2)  # type: ignore[misc]


def test_a_mapping_in_a_value_is_a_frozen_copy_of_what_was_given() -> None:
    given_coins = {"florin": 3}
    purse = Purse(gold=Decimal(1), coins=given_coins)
    given_coins["florin"] = 4
    assert purse.coins == {"florin": 3}
    with pytest.raises(TypeError):
        purse.coins["florin"] = 5  # type: ignore[index]


def test_evolve_changes_one_field_and_leaves_the_old_value_alone() -> None:
    before = Purse(gold=Decimal(1), coins={"florin": 3})
    after = before.evolve(gold=Decimal(2))
    assert (before.gold, after.gold) == (1, 2)
    assert after.coins == before.coins
    assert before.evolve() is before


@pytest.mark.parametrize("change", [{"gould": 1}, {"gold": "much"}, {"coins": {"florin": "x"}}])
def test_evolve_refuses_a_misspelt_field_and_a_value_that_does_not_fit(change: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Purse(gold=Decimal(1)).evolve(**change)


def test_equal_values_give_equal_text_however_their_sets_were_built() -> None:
    one, other = Purse(gold=Decimal(1), owners={"B", "A", "C"}), Purse(gold=Decimal(1), owners={"C", "A", "B"})
    assert one == other
    assert one.model_dump_json() == other.model_dump_json() == '{"gold":"1","owners":["A","B","C"],"coins":{}}'


def test_a_value_survives_being_written_as_json() -> None:
    purse = Purse(gold=Decimal("12.50"), owners={"A"}, coins={"b": 2, "a": 1})
    again = Purse.model_validate_json(purse.model_dump_json())
    assert again == purse
    assert list(again.coins) == ["b", "a"]


def test_equal_frozen_maps_are_equal_in_any_order_and_hash_alike() -> None:
    one, other = FrozenMap({"a": 1, "b": 2}), FrozenMap({"b": 2, "a": 1})
    assert one == other == {"a": 1, "b": 2}
    assert hash(one) == hash(other)
    assert one != FrozenMap({"a": 1})
    assert "a" in one
    assert repr(one) == "FrozenMap({'a': 1, 'b': 2})"


def test_with_item_gives_a_changed_copy() -> None:
    one = FrozenMap({"a": 1})
    assert one.with_item("b", 2) == {"a": 1, "b": 2}
    assert one == {"a": 1}


@pytest.mark.clause("W10")
@pytest.mark.parametrize(
    ("amount", "cents"),
    [
        (Decimal("1.005"), "1.01"),
        (Decimal("1.0049"), "1.00"),
        (Fraction(1, 3), "0.33"),
        (Fraction(2, 3), "0.67"),
        (Fraction(1, 200), "0.01"),
        (7, "7.00"),
    ],
)
def test_gold_is_rounded_half_up_to_a_hundredth(amount: Decimal | Fraction | int, cents: str) -> None:
    assert str(to_cents(amount)) == cents


@pytest.mark.clause("W10")
@given(st.integers(0, 10**9), st.integers(1, 10**4))
def test_fractions_and_decimals_round_alike(numerator: int, exponent: int) -> None:
    denominator = 10 ** (exponent % 6)
    assert to_cents(Fraction(numerator, denominator)) == to_cents(Decimal(numerator) / denominator)


@pytest.mark.clause("W10")
def test_a_percentage_is_rounded_once() -> None:
    assert percent_of(Decimal("10.07"), 7) == Decimal("0.70")
    assert percent_of(Decimal("0.50"), 7) == Decimal("0.04")
