"""14.D31: what a line of moves came to is told when it is known, and why."""

from __future__ import annotations

import pytest

from gm.game.turn_result import TurnResult
from gm.games.conquest_structures.spec import SPEC
from tests.conquest_structures.field import Field


@pytest.mark.clause("CS-15.4")
def test_a_move_bumped_back_has_failed() -> None:
    """14.D31: CS-16.2, two infantry meet in R1 and both go back."""
    field = Field().put("C1", "I").put("C2", "I").play(RED=["C1 > R1"], BLUE=["C2 > R1"])
    assert field.fates("RED") == field.fates("BLUE") == [("failed", "bumped-back")]
    assert field.at("C1") == "RED I"


@pytest.mark.clause("CS-15.4")
def test_a_move_whose_units_are_destroyed_has_failed() -> None:
    """14.D31: nothing is left of whoever set out and has no place to go back to."""
    field = Field({"H1": "BLUE"}).put("C1", "I").put("R1", "T", owner="BLUE").put("M1", "T", owner="BLUE")
    field.state = field.state.with_owners({"R1": "BLUE", "M1": "BLUE"})
    field.play(RED=["C1 > R1"], BLUE=["M1 > C1"])
    assert field.fates("RED") == [("failed", "destroyed")]
    assert field.fates("BLUE") == [("done", "")]


@pytest.mark.clause("CS-15.4")
def test_a_move_that_arrives_is_done_and_one_with_too_few_units_reduced() -> None:
    field = Field().put("C1", "II").play(RED=["3 Infantry @ C1 > R1"])
    assert field.fates("RED") == [("reduced", "fewer-units")]
    assert field.at("R1") == "RED II"


@pytest.mark.clause("CS-6.9")
def test_units_called_by_name_are_taken_before_a_count_takes_any() -> None:
    """14.D31: ``2 Infantry + u1`` moves three, however the line is written."""
    for line in ("2 Infantry + u1 @ C1 > R1", "u1 + 2 Infantry @ C1 > R1"):
        field = Field().put("C1", "III").play(RED=[line])
        assert field.fates("RED") == [("done", "")], line
        assert field.at("R1") == "RED III"


def test_why_shows_the_conflict_that_a_line_came_to() -> None:
    """14.D31: ``gm why RED:5`` names the conflict in R1."""
    field = Field().put("C1", "I").put("C2", "I")
    readings = {"RED": field.read("RED", "C1 > R1"), "BLUE": field.read("BLUE", "C2 > R1")}
    before = field.state
    field.play(RED=["C1 > R1"], BLUE=["C2 > R1"])
    played = TurnResult(game="g", before=before, after=field.state, events=field.events, readings=readings)
    told = "\n".join(each.text for each in SPEC.explain(field.table, played, before, ["RED:5"]))
    assert "failed: they did not come to stay in R1" in told
    assert "Conflict in R1 (round 1)" in told
