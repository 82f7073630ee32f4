"""Lines of orders: how they are read, which units they take, and what is refused (CS-6, CS-7, CS-13, CS-14)."""

from __future__ import annotations

import pytest

from gm.games.conquest_structures.spec import SPEC
from gm.games.conquest_structures.state import NEUTRAL
from tests.conquest_structures.field import Field, file_text


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


def test_a_seat_without_a_player_holds_and_a_new_player_starts_with_a_clean_sheet() -> None:
    field = Field().put("C1", "I").play()
    state, (event,) = SPEC.with_standings(field.state, {"RED": (None, "nobody")})
    assert (event.party, event.controller) == ("RED", "nobody")  # type: ignore[attr-defined]
    assert [seat.played for seat in SPEC.seats(field.table, state) if seat.code == "RED"] == [False]
    back, _ = SPEC.with_standings(state, {"RED": (None, "player")})
    assert back.parties["RED"].missed == 0


def test_neutral_places_have_a_name_and_no_seat() -> None:
    field = Field()
    assert NEUTRAL in set(field.state.owners.values())
    assert [seat.code for seat in SPEC.seats(field.table, field.state)] == ["BLUE", "RED"]
