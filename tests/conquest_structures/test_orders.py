"""Lines of orders: how they are read, which units they take, and what is refused (CS-6, CS-7, CS-13, CS-14)."""

from __future__ import annotations

import pytest

from gm.games.conquest_structures.orders import Build, Concede, Hold, Item, Move
from gm.games.conquest_structures.spec import SPEC
from tests.conquest_structures.field import Field, file_text


@pytest.mark.clause("CS-6.7", "CS-13.1")
@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("c1>r1", "C1 > R1"),
        ("  C1   >R1 ", "C1 > R1"),
        ("2 INFANTRY@C1>R1", "2 Infantry @ C1 > R1"),
        ("2 infantries + 1 tanks @ C1 > R1", "2 Infantry + 1 Tank @ C1 > R1"),
        ("HOLD @ c1", "Hold@C1"),
        ("hold 1 tank @C1", "Hold 1 Tank@C1"),
        ("U7+u9 @ C1 > R1", "u7 + u9 @ C1 > R1"),
        ("Conceede", "Concede"),
        ("concede", "CONCEDE"),
    ],
)
def test_case_blanks_and_plurals_do_not_matter(line: str, meant: str) -> None:
    field = Field()
    (one,), (other,) = field.orders("RED", line).lines, field.orders("RED", meant).lines
    assert type(one) is type(other)
    if isinstance(one, Move | Hold) and isinstance(other, Move | Hold):
        assert (one.items, one.place) == (other.items, other.place)
    else:
        assert isinstance(one, Concede)


@pytest.mark.clause("CS-6.7", "CS-6.4")
def test_units_may_be_named_by_id_and_by_number() -> None:
    (line,) = Field().orders("RED", "u7 + 2 Infantry @ C1 > R1").lines
    assert isinstance(line, Move)
    assert line.items == (Item(number=7), Item(count=2, type="infantry"))


@pytest.mark.clause("CS-1.4", "CS-14.2")
def test_a_file_for_another_turn_is_refused_with_the_right_number() -> None:
    reading = Field().read("RED", "Hold@C1", turn=7)
    assert reading.sheet is None
    assert "turn 1, not for turn 7" in reading.diagnostics[0].message


@pytest.mark.clause("CS-14.2")
def test_an_unknown_word_is_ignored_with_a_warning() -> None:
    text = file_text("RED", "Hold@C1") + "ordrs: []\n"
    field = Field()
    reading = SPEC.read_orders(field.table, field.state, text.encode(), "f", game="g", realm="RED", key=None)
    assert reading.sheet is not None
    assert [(each.severity, each.suggestion) for each in reading.diagnostics] == [("warning", "did you mean 'orders'?")]


@pytest.mark.clause("CS-16.14", "CS-6.1", "CS-6.2", "CS-6.3", "CS-6.4")
def test_the_four_lines_of_the_source_are_read_as_they_are_meant() -> None:
    field = Field(map_name="duel-11")
    lines = ("Build 1 Tank@M1", "Hold@R2", "C2 > C3", "3 Infantry + 1 Tank @ C2 > C3")
    build, hold, move, some = field.orders("RED", *lines).lines
    tank, infantry = Item(count=1, type="tank"), Item(count=3, type="infantry")
    assert isinstance(build, Build)
    assert (build.items, build.place) == ((tank,), "M1")
    assert isinstance(hold, Hold)
    assert (hold.items, hold.place) == ((), "R2")
    assert isinstance(move, Move)
    assert (move.items, move.place, move.target) == ((), "C2", "C3")
    assert isinstance(some, Move)
    assert (some.items, some.place, some.target) == ((infantry, tank), "C2", "C3")
