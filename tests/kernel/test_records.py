"""Records: immutable, compared by value, and written like any dataclass."""

from __future__ import annotations

import inspect
from dataclasses import FrozenInstanceError, field, fields, is_dataclass, replace

import pytest

from gm.core.records import Record, keyword_record, record


@record
class Named(Record):
    """A name."""

    name: str


@record
class Counted(Named):
    count: int = 1
    parts: list[int] = field(default_factory=list)


class Same(Named):
    __slots__ = ()


@keyword_record
class Told(Record):
    audience: str = "all"
    text: str


def test_it_is_a_dataclass_with_an_init_of_its_own_fields() -> None:
    assert is_dataclass(Counted)
    assert [each.name for each in fields(Counted)] == ["name", "count", "parts"]
    parameters = inspect.signature(Counted).parameters
    assert list(parameters) == ["name", "count", "parts"]
    assert parameters["count"].default == 1
    assert Counted("a", 2) == Counted(name="a", count=2, parts=[])
    assert replace(Counted("a"), count=5).count == 5
    assert Named.__doc__ == "A name."


def test_each_gets_its_own_default_list() -> None:
    one, other = Counted("a"), Counted("a")
    one.parts.append(1)
    assert other.parts == []


def test_it_cannot_change() -> None:
    one = Counted("a")
    with pytest.raises(FrozenInstanceError, match="count"):
        one.count = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError, match="name"):
        del one.name
    with pytest.raises(FrozenInstanceError):
        one.other = 2  # type: ignore[attr-defined]
    assert not hasattr(one, "__dict__")


def test_equal_fields_of_another_class_are_not_equal() -> None:
    assert Named("a") == Named("a")
    assert Named("a") != Same("a")
    assert hash(Named("a")) == hash(Named("a"))
    assert len({Named("a"), Same("a"), Named("b")}) == 3
    assert repr(Same("a")) == "Same(name='a')"


def test_a_subclass_made_before_or_after_its_parent_has_its_own_fields() -> None:
    @record
    class First(Record):
        a: int

    @record
    class Second(First):
        b: int

    assert Second(1, 2).b == 2
    assert First(1).a == 1

    @record
    class Third(First):
        c: int

    assert Third(1, 3).c == 3


def test_a_keyword_record_wants_names() -> None:
    assert Told(text="x") == Told(audience="all", text="x")
    with pytest.raises(TypeError):
        Told("x")  # type: ignore[call-arg]


@pytest.mark.parametrize("given", [(), ("a", 1, [], 4)])
def test_wrong_arguments_are_a_type_error_that_names_the_class(given: tuple[object, ...]) -> None:
    with pytest.raises(TypeError, match="Counted"):
        Counted(*given)  # type: ignore[arg-type]
