"""Who is told that he is too weak to conquer, and who pillages while a transfer waits (M13, M14, O6)."""

from __future__ import annotations

from typing import Any

import pytest

from gm.games.medieval.events.movement import ConquestTooWeak
from gm.games.medieval.state import Unit
from gm.games.medieval.state.strength import total_combat
from gm.games.medieval.steps.conquest import province_ownership_changes, why_not_pillage
from tests.medieval.testland import make_turn, make_world, rules, unit, with_marks

WEAK = {"Siege Machine": 1}
FOOT = {"Men-at-Arms": 3}
WAR = [("ENG", "FRA"), ("DEN", "FRA")]


def news(phase: int, *units: Unit, **done: Any) -> list[str]:
    """Who is told of his weakness in Reims; ``done`` is what the last of the units did."""
    turn = make_turn(make_world(*units, war=WAR))
    state = with_marks(turn.state, {units[-1].key: done})
    from dataclasses import replace

    outcome = province_ownership_changes(replace(turn, state=state).at_step("conquest", phase))
    return [each.realm for each in outcome.events if isinstance(each, ConquestTooWeak)]


@pytest.mark.clause("M13", "W8")
def test_an_invader_is_told_once_that_he_is_too_weak_and_again_when_more_of_his_arrive() -> None:
    weak = unit("ENG/A1", "Reims", WEAK)
    assert news(1, weak) == ["ENG"]
    assert news(2, weak) == []
    assert news(2, weak, marched_phase=2) == ["ENG"]
    assert news(2, weak, landed_phase=2) == ["ENG"]
    assert news(2, weak, marched_phase=1, landed_phase=1) == []


@pytest.mark.clause("M13", "W8")
def test_the_arrival_of_another_realm_is_no_news_of_the_weak_one() -> None:
    both = (unit("ENG/A1", "Reims", {"Siege Machine": 1}), unit("DEN/A1", "Reims"))
    assert news(2, *both, marched_phase=2) == []
    assert news(2, *both, landed_phase=2) == []


@pytest.mark.clause("M14")
def test_the_combat_that_pillage_needs_is_enough_and_nobody_aboard_pillages() -> None:
    army = unit("ENG/A1", "Kent", FOOT)
    needs = total_combat(army, rules())
    for more, reason in ((0, None), (1, "too-weak-to-pillage")):
        by = rules().evolve(movement=rules().movement.evolve(pillage_combat=needs + more))
        refusal = why_not_pillage(make_world(army), by, army, already=False)
        assert (refusal.reason if refusal else None) == reason
    aboard = army.evolve(aboard="ENG/F1")
    refusal = why_not_pillage(make_world(army), rules(), aboard, already=False)
    assert refusal is not None
    assert refusal.reason == "aboard-fleet"
