"""Lines of orders: how they are read, which units they take, and what is refused (CS-6, CS-7, CS-13, CS-14)."""

from __future__ import annotations

import pytest

from gm.games.conquest_structures.orders import Concede, Hold, Item, Move
from gm.games.conquest_structures.spec import SPEC
from tests.conquest_structures.field import Field, file_text


def moved(field: Field, place: str) -> list[str]:
    """The ids of the units in a place."""
    return [unit.id for unit in field.state.at(place)]


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


@pytest.mark.clause("CS-6.8", "CS-6.5", "CS-8.2")
def test_each_unit_takes_the_first_line_that_names_it() -> None:
    field = Field({"M1": "RED"}).put("C1", "III")
    field.play(RED=["1 Infantry @ C1 > M1", "Hold 1 Infantry@C1", "C1 > R1"])
    assert (moved(field, "M1"), moved(field, "C1"), moved(field, "R1")) == (["u1"], ["u2"], ["u3"])


@pytest.mark.clause("CS-6.8")
def test_a_hold_without_numbers_takes_all_that_are_free() -> None:
    field = Field().put("C1", "II").play(RED=["Hold@C1", "C1 > R1"])
    assert field.fates("RED") == [("done", ""), ("failed", "already-ordered")]
    assert field.at("C1") == "RED II"


@pytest.mark.clause("CS-6.9")
def test_units_with_fewer_marks_go_first_and_immobile_ones_are_not_picked() -> None:
    field = Field({"R1": "RED"}).put("C1", "I", marks=1).put("C1", "I").put("C1", "I", marks=3)
    field.play(RED=["1 Infantry @ C1 > R1"])
    assert moved(field, "R1") == ["u2"]
    field = Field({"R1": "RED"}).put("C1", "I", marks=1).put("C1", "I").put("C1", "I", marks=3).play(RED=["C1 > R1"])
    assert moved(field, "R1") == ["u1", "u2"]


@pytest.mark.clause("CS-6.10")
def test_a_line_that_asks_for_too_many_moves_those_there_are() -> None:
    field = Field().put("C1", "II").play(RED=["5 Infantry @ C1 > R1"])
    assert field.fates("RED") == [("reduced", "fewer-units")]
    assert field.at("R1") == "RED II"


@pytest.mark.clause("CS-6.3", "CS-9.8")
def test_units_without_orders_hold() -> None:
    assert Field().put("C1", "T").play().at("C1") == "RED T"


@pytest.mark.clause("CS-7.1", "CS-7.2", "CS-7.4", "CS-7.6")
def test_building_takes_free_popcap_and_nothing_else() -> None:
    field = Field({"M1": "RED"}).play(RED=["Build 2 Infantry@M1"])
    assert field.at("M1") == "RED II"
    (counted,) = [each for each in field.told("PopCapCounted") if each.owner == "RED"]
    assert (counted.allowed, counted.used, counted.free) == (2, 0, 2)
    assert counted.audience == "RED"


@pytest.mark.clause("CS-7.3")
def test_too_many_units_are_not_disbanded_and_nothing_can_be_built() -> None:
    field = Field().put("C1", "TT").play(RED=["Build 1 Infantry@H1"])
    (counted,) = [each for each in field.told("PopCapCounted") if each.owner == "RED"]
    assert (counted.allowed, counted.used, counted.free) == (2, 4, 0)
    assert field.at("C1") == "RED TT"
    assert field.fates("RED") == [("failed", "no-popcap")]


@pytest.mark.clause("CS-7.6", "CS-4.4")
def test_a_base_that_falls_this_turn_cannot_build_yet() -> None:
    field = Field().put("C1", "I").play(RED=["C1 > M1", "Build 1 Infantry@M1"])
    assert field.owner("M1") == "RED"
    assert field.fates("RED") == [("done", ""), ("failed", "base-not-owned")]


@pytest.mark.clause("CS-7.7", "CS-7.8", "CS-8.1")
def test_new_units_do_not_move_and_defend_where_they_are() -> None:
    field = Field().put("C1", "I").play(RED=["Build 1 Infantry@H1", "H1 > C1"])
    assert field.fates("RED") == [("done", ""), ("failed", "built-this-turn")]
    field = Field({"C1": "BLUE", "C2": "RED", "R1": "RED"}).put("C1", "I")
    field.play(RED=["Build 1 Infantry@H1"], BLUE=["C1 > H1"])
    assert (field.at("H1"), field.at("C1")) == ("RED I", "BLUE I")
    assert field.told("FoughtAt")[0].stays == ("u2",)


@pytest.mark.clause("CS-14.1")
def test_without_a_file_nothing_is_built_and_everybody_holds() -> None:
    field = Field().put("C1", "I").play(BLUE=["Build 1 Infantry@H2"])
    assert field.at("C1") == "RED I"
    assert [(each.party, each.missed, each.audience) for each in field.told("OrdersMissing")] == [("RED", 1, "RED")]
    assert field.state.parties["RED"].missed == 1
    assert field.play(RED=["Hold@C1"]).state.parties["RED"].missed == 0


@pytest.mark.clause("CS-1.4", "CS-14.2")
def test_a_file_for_another_turn_is_refused_with_the_right_number() -> None:
    reading = Field().read("RED", "Hold@C1", turn=7)
    assert reading.sheet is None
    assert "turn 1, not for turn 7" in reading.diagnostics[0].message


@pytest.mark.clause("CS-14.3", "CS-14.2")
@pytest.mark.parametrize(
    ("line", "code", "part"),
    [
        ("March to C1", "order/not-understood", "March to C1"),
        ("C1 >", "order/not-understood", "missing"),
        ("three tanks @ C1 > R1", "order/not-understood", "three tanks"),
        ("Build 1 Horse@H1", "order/unknown-unit-type", "Horse"),
        ("Build 0 Tank@H1", "order/count", "begins at 1"),
        ("Build u7@H1", "order/not-understood", "u7"),
        ("Build 1 Tank@Q9", "order/unknown-structure", "Q9"),
        ("C1 > R9", "order/unknown-structure", "R9"),
    ],
)
def test_a_line_that_is_not_understood_is_refused_and_the_others_stand(line: str, code: str, part: str) -> None:
    reading = Field().read("RED", f'"{line}"', "Hold@C1")
    assert reading.sheet is not None
    assert [each.code for each in reading.diagnostics] == [code]
    assert part in reading.diagnostics[0].message
    assert reading.diagnostics[0].line == 5
    assert len(reading.sheet.orders.lines) == 1


@pytest.mark.clause("CS-14.2")
def test_an_unknown_word_is_ignored_with_a_warning() -> None:
    text = file_text("RED", "Hold@C1") + "ordrs: []\n"
    field = Field()
    reading = SPEC.read_orders(field.table, field.state, text.encode(), "f", game="g", realm="RED", key=None)
    assert reading.sheet is not None
    assert [(each.severity, each.suggestion) for each in reading.diagnostics] == [("warning", "did you mean 'orders'?")]


@pytest.mark.clause("CS-14.4")
@pytest.mark.parametrize(
    ("line", "reason", "figures"),
    [
        ("Build 1 Tank@C1", "no-base", {"place": "C1"}),
        ("Build 1 Tank@H2", "base-not-owned", {"place": "H2"}),
        ("Build 2 Tank@H1", "popcap-for-some", {"free": 2, "needs": 4, "built": 1, "wanted": 2}),
        ("Build 1 Tank@M1", "base-not-owned", {"place": "M1"}),
    ],
)
def test_a_build_that_is_not_allowed_says_why(line: str, reason: str, figures: dict[str, object]) -> None:
    field = Field().play(RED=[line])
    (settled,) = field.told("LineSettled")
    assert (settled.reason, dict(settled.figures)) == (reason, figures)


@pytest.mark.clause("CS-14.5")
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("H1 > C1", "no-units-there"),
        ("C2 > R1", "no-units-there"),
        ("C1 > H2", "not-adjacent"),
        ("1 Tank @ C1 > R1", "no-such-units"),
    ],
)
def test_a_move_that_is_not_allowed_says_why(line: str, reason: str) -> None:
    field = Field().put("C1", "I").put("C2", "I").play(RED=[line])
    assert field.fates("RED") == [("failed", reason)]
    if reason == "not-adjacent":
        assert field.told("LineSettled")[0].figures["neighbours"] == ("H1", "M1", "R1")


@pytest.mark.clause("CS-14.6")
def test_a_unit_must_be_the_players_own_and_there_and_a_refused_line_leaves_it_free() -> None:
    field = Field().put("C1", "I").put("C2", "I").put("H1", "I")
    field.play(RED=["u2 @ C1 > R1", "u3 @ C1 > R1", "u1 @ C1 > R1"])
    assert field.fates("RED") == [("failed", "unit-not-there"), ("failed", "unit-not-there"), ("done", "")]
    assert field.at("R1") == "RED I"


@pytest.mark.clause("CS-14.7", "CS-10.9")
def test_a_priority_that_means_nobody_is_ignored_with_a_note() -> None:
    field = Field().put("C1", "I").play(priority={"RED": ["u9", "Tank", "u1", "Infantry@C1", "C1", "Tank@C1"]})
    fates = [fate for fate, _ in field.fates("RED")]
    assert fates == ["failed", "failed", "done", "done", "done", "failed"]


@pytest.mark.clause("CS-14.8", "CS-6.6")
def test_conceding_is_warned_of_when_the_file_comes_in() -> None:
    reading = Field().read("RED", "Concede")
    assert reading.sheet is not None
    assert [(each.severity, each.clause) for each in reading.diagnostics] == [("warning", "CS-14.8")]
    assert "cannot be undone" in reading.diagnostics[0].message
