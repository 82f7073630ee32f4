"""Pillage (M14, P7, P8)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from gm.games.medieval.events.movement import ProvincePillaged
from gm.games.medieval.orders.model import Pillage
from gm.games.medieval.steps.conquest import provinces_pillaged
from gm.games.medieval.steps.economy import province_revenue
from gm.games.medieval.steps.turn import TreasuryChanged
from tests.medieval.marks import marked, retreated
from tests.medieval.movement import left, move, plans, sheet_of, written
from tests.medieval.testland import atlas, commander, make_world, rules, run_steps, unit

FOOT = {"Men-at-Arms": 1}


def pillage(*units, realm="ENG", who="A1", before=(), **more):
    return run_steps(make_world(*units, **more), [*before, provinces_pillaged], {realm: plans(**{who: ["pillage"]})})


@pytest.mark.clause("M14", "P7", "P8")
def test_an_army_takes_the_provinces_revenue_at_once_and_has_no_move_points_left():
    played = pillage(unit("ENG/A1", "Kent", FOOT))
    assert played.world.realms["ENG"].treasury == 110
    assert played.world.progress.provinces["Kent"].pillaged
    assert left(played, "ENG/A1") == 0
    (gold,) = played.only(TreasuryChanged)
    assert (gold.audience, gold.amount, gold.what, gold.place, gold.balance) == ("ENG", 10, "pillage", "Kent", 110)
    assert [(e.unit, e.owner) for e in played.only(ProvincePillaged)] == [("ENG/A1", "ENG")]


@pytest.mark.clause("M14", "X7", "T3", "L11")
def test_the_gold_is_the_revenue_at_the_present_damage_with_production_areas():
    lands = {"Paris": {"damage": 2}, "Kent": {"damage": 1, "production_areas": 2}}
    world = make_world(provinces=lands)
    assert province_revenue(world.provinces["Paris"], atlas(), rules()) == 26
    assert province_revenue(world.provinces["Kent"], atlas(), rules()) == Decimal("11.20")
    played = pillage(unit("ENG/A1", "Kent", FOOT), provinces=lands)
    assert played.world.realms["ENG"].treasury == Decimal("111.20")


@pytest.mark.clause("M14")
def test_a_garrison_pillages_too_and_owner_and_annexation_do_not_matter():
    assert pillage(unit("ENG/G1", "London", FOOT), who="London").fate("ENG", "pillage") == ("done", "")
    guest = pillage(unit("ENG/A1", "Reims", FOOT))
    assert (guest.fate("ENG", "pillage"), guest.world.realms["ENG"].treasury) == (("done", ""), 110)


@pytest.mark.clause("M14", "W13")
def test_not_under_the_eyes_of_enemy_troops():
    enemies = {"war": [("ENG", "FRA")]}
    played = pillage(unit("ENG/A1", "Reims", FOOT), unit("FRA/A1", "Reims", {"Peasant Rabble": 1}), **enemies)
    assert played.fate("ENG", "pillage") == ("failed", "enemy-troops-prevent-pillage")
    ships = pillage(unit("ENG/A1", "Bordeaux", FOOT), unit("AQU/F1", "Bordeaux", {"Carrack": 1}), war=[("AQU", "ENG")])
    assert ships.fate("ENG", "pillage") == ("done", "")
    neutral = pillage(unit("ENG/A1", "Reims", FOOT), unit("FRA/A1", "Reims", FOOT))
    assert neutral.fate("ENG", "pillage") == ("done", "")


@pytest.mark.clause("M14")
def test_a_lone_siege_machine_is_too_weak_and_a_commander_is_not():
    assert pillage(unit("ENG/A1", "Kent", {"Siege Machine": 1})).fate("ENG", "pillage")[1] == "too-weak-to-pillage"
    assert pillage(unit("ENG/A1", "Kent", commanders=[commander()])).fate("ENG", "pillage") == ("done", "")


@pytest.mark.clause("M14")
def test_once_a_province_and_turn_whoever_comes_second():
    world = make_world(unit("AQU/A1", "Kent", FOOT), unit("ENG/A1", "Kent", FOOT))
    orders = {"ENG": plans(A1=["pillage", "pillage"]), "AQU": plans(A1=["pillage"])}
    played = run_steps(world, [provinces_pillaged], orders)
    assert played.fates("AQU") == [("A1 pillage", "done", "")]
    assert {reason for _, _, reason in played.fates("ENG")} == {"already-pillaged"}
    assert pillage(unit("ENG/A1", "Kent", FOOT), before=[marked("Kent", pillaged=True)]).fates("ENG")[0][1] == "failed"


@pytest.mark.clause("M14")
def test_a_fleet_never_pillages_nor_an_army_aboard_nor_one_that_retreated():
    fleet = sheet_of("ENG", F1=[Pillage(written("F1 pillage"))])
    at_sea = make_world(unit("ENG/F1", "London", {"Carrack": 3}), unit("ENG/A1", "London", FOOT, aboard="ENG/F1"))
    assert move(at_sea, {"ENG": fleet}).fates("ENG") == [("F1 pillage", "failed", "fleets-never-pillage")]
    assert move(at_sea, {"ENG": plans(A1=["pillage"])}).fates("ENG")[0][1:] == ("failed", "aboard-fleet")
    fled = move(make_world(unit("ENG/A1", "Kent", FOOT)), {"ENG": plans(A1=["pillage"])}, before=[retreated("ENG/A1")])
    assert fled.fates("ENG")[0][1:] == ("failed", "unit-retreated")


@pytest.mark.clause("O5", "O6.1", "M14")
def test_an_army_marches_and_pillages_in_one_phase_and_needs_no_move_points_for_it():
    world = make_world(unit("ENG/A1", "Kent", {"Men-at-Arms": 3}))
    played = move(world, {"ENG": plans(A1=["march: Flanders", "pillage", "march: Kent"])})
    assert [(event.phase, event.owner) for event in played.only(ProvincePillaged)] == [(1, "ENG")]
    assert played.fate("ENG", "march: Kent") == ("failed", "needs-move-points")
