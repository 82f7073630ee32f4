"""What a GM corrects between turns: owners, units, marks; and who gives orders."""

from __future__ import annotations

import pytest

from gm.games.conquest_structures.spec import SPEC
from gm.games.conquest_structures.state import NEUTRAL
from tests.conquest_structures.field import Field


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("owner", "r1", "blue"), "R1 belongs to Blue"),
        (("owner", "C1", "neutral"), "C1 belongs to nobody"),
        (("add", "Tank", "H1"), "there is a new tank, u2, in H1"),
        (("remove", "u1"), "infantry u1 is gone from C1"),
        (("marks", "U1", "2"), "infantry u1 in C1 has 2 marks"),
    ],
)
def test_a_correction_changes_one_thing_and_is_told_to_all(words: tuple[str, ...], says: str) -> None:
    field = Field()
    if words[:2] != ("owner", "C1"):
        field.put("C1", "I")
    after, (event,) = SPEC.amend(field.table, field.state, words, "a test of it")
    assert after != field.state
    assert (event.what, event.why, event.audience) == (says, "a test of it", "public")  # type: ignore[attr-defined]
    assert list(SPEC.broken(field.table, after)) == []


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("owner", "C1", "BLUE"), "that would leave a position that cannot be"),
        (("owner", "Q1", "BLUE"), "no structure is called 'Q1'"),
        (("owner", "R1", "PURPLE"), "no player is called 'PURPLE'"),
        (("owner", "R1"), "write it like this: owner PLACE PLAYER"),
        (("add", "horse", "H1"), "no unit type is called 'horse'"),
        (("marks", "u1", "7"), "it goes from 0 to 3"),
        (("marks", "u1", "0"), "that changes nothing"),
        (("remove", "u9"), "no unit is called 'u9'"),
        (("onwer", "R1", "BLUE"), "did you mean 'owner'"),
        ((), "nothing called"),
    ],
)
def test_a_correction_that_makes_no_sense_says_why(words: tuple[str, ...], says: str) -> None:
    field = Field().put("C1", "I")
    with pytest.raises(ValueError, match=says):
        SPEC.amend(field.table, field.state, words, "why")


def test_a_seat_without_a_player_holds_and_a_new_player_starts_with_a_clean_sheet() -> None:
    field = Field().put("C1", "I").play()
    state, (event,) = SPEC.with_standings(field.state, {"RED": (None, "nobody")})
    assert (event.party, event.controller) == ("RED", "nobody")  # type: ignore[attr-defined]
    assert [seat.played for seat in SPEC.seats(field.table, state) if seat.code == "RED"] == [False]
    back, _ = SPEC.with_standings(state, {"RED": (None, "player")})
    assert back.parties["RED"].missed == 0
    with pytest.raises(ValueError, match="player or nobody"):
        SPEC.with_standings(field.state, {"RED": (None, "king")})
    with pytest.raises(ValueError, match="no realm X"):
        SPEC.with_standings(field.state, {"X": (None, "nobody")})
    with pytest.raises(ValueError, match="follows from the game"):
        SPEC.with_standings(field.state, {"RED": ("winner", None)})


def test_neutral_places_have_a_name_and_no_seat() -> None:
    field = Field()
    assert NEUTRAL in set(field.state.owners.values())
    assert [seat.code for seat in SPEC.seats(field.table, field.state)] == ["BLUE", "RED"]
