"""CQ-18, CQ-20.1: how the computer plays seats without a person."""

from __future__ import annotations

import pytest

from gm.game.base.position import NOBODY
from gm.games.conqueror.bots import plan_of
from tests.conqueror.powers import board, rules
from tests.conqueror.turns import of_kind, opened, plan, played, quiet


@pytest.mark.clause("CQ-18.5")
def test_the_computer_sends_what_stands_inside_to_the_border_five_orders_at_most() -> None:
    own = {"owner": "ARDEN", "fresh": 1}
    world = quiet(BRAY=own, CLUN=own, DEAN={"fresh": 9}, ESK={"fresh": 9})
    assert [(each.source, each.target, each.armies) for each in plan(world).moves] == [("ARDEN", "BRAY", 4)]
    europe = opened("europe859")
    everything = {
        code: each.owned_by("WESS").evolve(fresh=4) for code, each in europe.provinces.items() if code != "KIEV"
    }
    large = europe.with_provinces(*everything.values())
    found = plan_of(large, "WESS", board("europe859"), rules(), lambda many: 0)
    assert len(found.moves) == rules().limits.moves


@pytest.mark.clause("CQ-2.3", "CQ-18.4", "CQ-20.1")
def test_the_computer_plays_a_seat_without_a_person() -> None:
    world = quiet().with_party("ARDEN", controller=NOBODY)
    outcome = played(world, {"lorn": ""})
    assert [(each.owner, each.target) for each in of_kind(outcome, "Fought")] == [("ARDEN", "BRAY")]
    assert outcome.state.plans == {}


@pytest.mark.clause("CQ-20.1")
def test_a_silent_player_stands_still_for_three_turns_and_then_the_computer_plays_until_a_file_comes() -> None:
    world = quiet(ARDEN={"item": "fort"})
    for missed in (1, 2, 3):
        outcome = played(world, {"lorn": ""})
        assert of_kind(outcome, "Fought") == []
        assert outcome.state.provinces["ARDEN"].item == "fort"
        assert outcome.state.parties["ARDEN"].missed == missed
        world = outcome.state
    fourth = played(world, {"lorn": ""})
    assert [each.party for each in of_kind(fourth, "ComputerPlays")] == ["ARDEN"]
    assert [each.owner for each in of_kind(fourth, "Fought")] == ["ARDEN"]
    back = played(world, {"arden": "", "lorn": ""})
    assert of_kind(back, "Fought") == []
    assert back.state.parties["ARDEN"].missed == 0
