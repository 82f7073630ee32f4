"""Pillage (M14, P7, P8)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from gm.games.medieval.orders.model import Pillage
from gm.games.medieval.steps.conquest import provinces_pillaged
from gm.games.medieval.steps.economy import province_revenue
from tests.medieval.marks import retreated
from tests.medieval.movement import move, plans, sheet_of, written
from tests.medieval.testland import atlas, make_world, rules, run_steps, unit

FOOT = {"Men-at-Arms": 1}


def pillage(*units, realm="ENG", who="A1", before=(), **more):
    return run_steps(make_world(*units, **more), [*before, provinces_pillaged], {realm: plans(**{who: ["pillage"]})})


@pytest.mark.clause("M14", "X7", "T3", "L11")
def test_the_gold_is_the_revenue_at_the_present_damage_with_production_areas():
    lands = {"Paris": {"damage": 2}, "Kent": {"damage": 1, "production_areas": 2}}
    world = make_world(provinces=lands)
    assert province_revenue(world.provinces["Paris"], atlas(), rules()) == 26
    assert province_revenue(world.provinces["Kent"], atlas(), rules()) == Decimal("11.20")
    played = pillage(unit("ENG/A1", "Kent", FOOT), provinces=lands)
    assert played.world.realms["ENG"].treasury == Decimal("111.20")


@pytest.mark.clause("M14")
def test_a_fleet_never_pillages_nor_an_army_aboard_nor_one_that_retreated():
    fleet = sheet_of("ENG", F1=[Pillage(written("F1 pillage"))])
    at_sea = make_world(unit("ENG/F1", "London", {"Carrack": 3}), unit("ENG/A1", "London", FOOT, aboard="ENG/F1"))
    assert move(at_sea, {"ENG": fleet}).fates("ENG") == [("F1 pillage", "failed", "fleets-never-pillage")]
    assert move(at_sea, {"ENG": plans(A1=["pillage"])}).fates("ENG")[0][1:] == ("failed", "aboard-fleet")
    fled = move(make_world(unit("ENG/A1", "Kent", FOOT)), {"ENG": plans(A1=["pillage"])}, before=[retreated("ENG/A1")])
    assert fled.fates("ENG")[0][1:] == ("failed", "unit-retreated")
