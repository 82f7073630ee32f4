"""Damage, annexation and gifts of provinces (L1, L6, L7, L12, L14)."""

from __future__ import annotations

import pytest

from gm.games.medieval.steps.provinces import (
    province_annexation_declines,
    provinces_annexed,
)
from tests.medieval.marks import marked, taken
from tests.medieval.testland import make_world, run_steps

HQ = "headquarters:\n"


# -- L6 ----------------------------------------------------------------------------------------------------------------


def annex(world, names: str, *before):
    return run_steps(world, [*before, provinces_annexed], {"ENG": f"{HQ}  annex: [{names}]\n"}, phase=0)


def unannexed(**realm):
    return make_world(provinces={"Kent": {"annexed_to": None}}, realms={"ENG": realm})


@pytest.mark.clause("L6")
def test_the_province_must_be_owned_now_and_when_the_turn_began():
    assert annex(unannexed(), "Kent", marked("Kent", owner_at_start="FRA")).fate("ENG", "Kent")[1] == "annex-too-soon"
    assert annex(unannexed(), "Kent", taken("Kent", "FRA")).fate("ENG", "Kent")[1] == "annex-not-owner"
    assert annex(make_world(), "Kent").fate("ENG", "Kent") == ("failed", "annexed-already")
    # lost and won back within the turn is fine
    assert annex(unannexed(), "Kent", marked("Kent", changed_owner=True)).fate("ENG", "Kent") == ("done", "")


# -- L7 ----------------------------------------------------------------------------------------------------------------


def decline(world, *before):
    return run_steps(world, [*before, province_annexation_declines], phase=0)


@pytest.mark.clause("L7")
def test_recaptured_in_the_third_turn_the_annexation_is_whole_again():
    world = make_world(owners={"Kent": "FRA"}, provinces={"Kent": {"annexed_to": "ENG", "turns_away": 2}})
    played = decline(world, taken("Kent", "ENG"))
    land = played.world.provinces["Kent"]
    assert (land.annexed_to, land.turns_away) == ("ENG", 0)
