"""Building, repairing and razing (L8, L10)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from gm.games.medieval.events.final import FortificationRepaired, StructureBuilt, StructureRazed
from gm.games.medieval.orders.model import Build, Orders, Raze, Structure, Written
from gm.games.medieval.steps.construction import (
    construction_happens,
    razed_gold,
    repair_work,
    structures_razed,
    work_on,
)
from tests.medieval.marks import marked, retreated
from tests.medieval.testland import atlas, commander, make_world, rules, run_steps, unit

WORKERS = {"Men-at-Arms": 6}


def orders(unit_id: str, line: str) -> dict[str, str]:
    return {"ENG": f"units:\n  {unit_id}:\n    {line}\n"}


def construct(world, line: str, *before, who: str = "A1"):
    return run_steps(world, [*before, construction_happens], orders(who, line), phase=0)


def at_kent(soldiers=6, **kent):
    return make_world(unit("ENG/A1", "Kent", {"Men-at-Arms": soldiers}), provinces={"Kent": kent})


# -- T2, T4 ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("T4", "L8")
def test_costs_and_workers_of_structures():
    three = work_on(Structure.FORTIFICATION, 3, rules())
    assert (three.gold, three.workers) == (14, 3)
    assert [work_on(Structure.FORTIFICATION, level, rules()).gold for level in (1, 2, 12)] == [10, 12, 32]
    harbour, area = (work_on(each, 0, rules()) for each in (Structure.HARBOUR, Structure.PRODUCTION_AREA))
    assert ((harbour.gold, harbour.workers), (area.gold, area.workers)) == ((20, 4), (8, 2))


@pytest.mark.clause("T2")
def test_the_table_of_fortifications():
    table = rules().fortifications
    assert [row.barracks for row in table] == [3 * level for level in range(1, 13)]
    assert (table[2].name, table[2].foot_combat, table[2].foot_hit_points) == ("Stone Tower", 49, Decimal("1.0"))
    assert (table[11].mounted_combat, table[11].mounted_hit_points) == (37, Decimal("1.8"))
    assert rules().fortification(0) is None


# -- L8 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("L8", "P8")
def test_an_army_raises_the_fortification_by_one_level():
    played = construct(at_kent(fortification=1), "build: [fortification]")
    assert played.world.provinces["Kent"].fortification == 2
    assert played.world.realms["ENG"].treasury == 100 - 12
    assert played.fate("ENG", "build") == ("done", "")
    assert played.world.done("ENG/A1").spent
    assert [(event.structure, event.level) for event in played.only(StructureBuilt)] == [("fortification", 2)]


@pytest.mark.clause("L8.2", "W5")
def test_the_first_level_makes_a_garrison():
    world = at_kent()
    assert world.garrison("Kent") is None
    garrison = construct(world, "build: [fortification]").world.garrison("Kent")
    assert garrison is not None
    assert (garrison.realm, garrison.empty) == ("ENG", True)


@pytest.mark.clause("L8", "L8.1")
def test_one_paid_fortification_work_per_province_and_turn():
    world = make_world(
        unit("ENG/A1", "Kent", WORKERS),
        unit("ENG/A2", "Kent", WORKERS),
        provinces={"Kent": {"fortification": 3, "fortification_damage": 3}},
    )
    sheet = {"ENG": "units:\n  A1:\n    build: [fortification]\n  A2:\n    build: [fortification]\n    repair: yes\n"}
    played = run_steps(world, [construction_happens], sheet, phase=0)
    assert [reason for *_, reason in played.fates("ENG")] == ["", "fortified-already", "fortified-already"]


@pytest.mark.clause("L8")
def test_workers_are_soldiers_and_each_works_once_a_turn():
    too_few = construct(at_kent(soldiers=1), "build: [production area]")
    assert too_few.fate("ENG", "build") == ("failed", "workers-too-few")
    played = construct(at_kent(soldiers=3), "build: [fortification, production area, production area]")
    assert [reason for *_, reason in played.fates("ENG")] == ["", "", "workers-too-few"]
    assert played.world.progress.workers["ENG/A1"] == 3
    ships = make_world(unit("ENG/G1", "London", {"Trading Cog": 9}, commanders=[commander()]))
    idle = construct(ships, "build: [fortification]", who="London")
    assert idle.fate("ENG", "build") == ("failed", "workers-too-few")


@pytest.mark.clause("L8")
def test_a_harbour_needs_city_and_open_coast():
    world = make_world(
        unit("ENG/G1", "London", WORKERS),
        unit("ENG/A1", "Kent", WORKERS),
        unit("FRA/G1", "Paris", WORKERS),
        provinces={"London": {"harbour": False}},
    )
    built = construct(world, "build: [harbour]", who="London")
    assert built.world.provinces["London"].harbour
    assert built.world.realms["ENG"].treasury == 80
    assert construct(world, "build: [harbour]").fate("ENG", "build")[1] == "harbour-needs-city-coast"
    inland = run_steps(world, [construction_happens], {"FRA": orders("Paris", "build: [harbour]")["ENG"]}, phase=0)
    assert inland.fate("FRA", "build")[1] == "harbour-needs-city-coast"
    assert construct(built.world, "build: [harbour]", who="London").fate("ENG", "build")[1] == "harbour-already"


@pytest.mark.clause("L8", "W4", "T4")
def test_production_areas_up_to_the_provinces_limit():
    limit = atlas().locations["Kent"].production_limit
    played = construct(at_kent(production_areas=limit - 1), "build: [production area, production area]")
    assert [reason for *_, reason in played.fates("ENG")] == ["", "production-limit"]
    assert played.world.provinces["Kent"].production_areas == limit
    assert played.world.realms["ENG"].treasury == 92


@pytest.mark.clause("L8", "W4")
def test_no_fortification_beyond_level_twelve():
    world = at_kent(soldiers=20, fortification=12)
    assert construct(world, "build: [fortification]").fate("ENG", "build") == ("failed", "fortification-limit")


@pytest.mark.clause("L8")
def test_builders_need_an_own_province_that_was_not_conquered_this_turn():
    abroad = make_world(unit("ENG/A1", "Reims", WORKERS), realms={"FRA": {"passage": ["ENG"]}})
    assert construct(abroad, "build: [fortification]").fate("ENG", "build") == ("failed", "build-not-owner")
    won = construct(at_kent(), "build: [fortification]", marked("Kent", conquered=True))
    assert won.fate("ENG", "build") == ("failed", "build-after-conquest")
    fought = construct(at_kent(), "build: [fortification]", marked("Kent", battle=True))
    assert fought.fate("ENG", "build") == ("done", "")


@pytest.mark.clause("L8", "B9.2")
def test_fleets_armies_aboard_and_retreated_units_do_not_build():
    fleet = unit("ENG/F1", "London", {"Trading Cog": 3})
    world = make_world(fleet, unit("ENG/A1", "London", WORKERS, aboard="ENG/F1"))
    assert construct(world, "build: [fortification]").fate("ENG", "build") == ("failed", "aboard-no-work")
    sheet = Orders("ENG", 1, units=(Build(Written(1, 1, "build"), "F1", Structure.FORTIFICATION),))
    played = run_steps(world, [construction_happens], {"ENG": sheet}, phase=0)
    assert played.fate("ENG", "build") == ("failed", "fleets-do-not-work")
    beaten = construct(at_kent(), "build: [fortification]", retreated("ENG/A1"))
    assert beaten.fate("ENG", "build") == ("failed", "retreated-no-work")


@pytest.mark.clause("L8", "L3.1")
def test_what_is_too_dear_is_not_built_and_a_cheaper_order_is_still_tried():
    world = make_world(unit("ENG/A1", "Kent", WORKERS), realms={"ENG": {"treasury": 9}})
    played = construct(world, "build: [fortification, production area]")
    assert [reason for *_, reason in played.fates("ENG")] == ["gold-too-little", ""]
    assert played.world.realms["ENG"].treasury == 1


@pytest.mark.clause("X14", "L8")
def test_in_peace_a_damaged_fortification_is_repaired_free_and_then_raised():
    played = construct(at_kent(fortification=2, fortification_damage=1), "build: [fortification]")
    land = played.world.provinces["Kent"]
    assert (land.fortification, land.fortification_damage) == (3, 0)
    assert played.world.realms["ENG"].treasury == 86


@pytest.mark.clause("X17", "L8")
def test_a_fortification_can_rise_two_effective_levels_a_turn():
    world = at_kent(fortification=2, fortification_damage=2)
    effective = []
    for _ in range(2):
        world = construct(world, "build: [fortification]").world
        effective.append(world.provinces["Kent"].effective_fortification)
    assert effective == [2, 4]


@pytest.mark.clause("L8")
@pytest.mark.parametrize("mark", ["battle", "pillaged"])
def test_no_free_repair_after_a_battle_or_pillage(mark):
    world = at_kent(fortification=2, fortification_damage=1)
    played = run_steps(world, [marked("Kent", **{mark: True}), construction_happens], phase=0)
    assert played.world.provinces["Kent"].fortification_damage == 1
    assert not played.events


@pytest.mark.clause("L8.1")
def test_paid_repair_costs_half_the_level_and_works_after_a_battle():
    world = at_kent(fortification=3, fortification_damage=1)
    played = construct(world, "repair: yes", marked("Kent", battle=True))
    assert played.world.provinces["Kent"].fortification_damage == 0
    assert played.world.realms["ENG"].treasury == 93  # half of 14
    assert played.world.progress.workers["ENG/A1"] == 3
    assert [event.paid for event in played.only(FortificationRepaired)] == [True]
    assert repair_work(1, rules()).gold == 5


@pytest.mark.clause("L8.1")
def test_paid_repair_comes_on_top_of_the_free_one_and_needs_damage():
    both = construct(at_kent(fortification=3, fortification_damage=2), "repair: yes")
    assert both.world.provinces["Kent"].fortification_damage == 0
    whole = construct(at_kent(fortification=3, fortification_damage=1), "repair: yes")
    assert whole.fate("ENG", "repair") == ("failed", "nothing-to-repair")


# -- L10 ---------------------------------------------------------------------------------------------------------------


def raze(world, line: str, who: str = "A1"):
    return run_steps(world, [structures_razed], orders(who, f"raze: [{line}]"), phase=0)


@pytest.mark.clause("L10", "W10", "P8")
def test_razing_brings_a_third_of_the_cost_rounded_down_and_goes_in_order():
    world = make_world(
        unit("ENG/G1", "London", {"Men-at-Arms": 9}), provinces={"London": {"production_areas": 1, "fortification": 3}}
    )
    played = raze(world, "fortification, fortification, harbour, production area", who="London")
    # 14, 12, 20 and 8 gold were spent: 4.66 + 4 + 6.66, and nobody is left to work on the last
    assert [reason for *_, reason in played.fates("ENG")] == ["", "", "", "workers-too-few"]
    assert played.world.realms["ENG"].treasury == Decimal("115.32")
    land = played.world.provinces["London"]
    assert (land.fortification, land.harbour, land.production_areas) == (1, False, 1)
    assert razed_gold(Structure.PRODUCTION_AREA, 0, rules()) == Decimal("2.66")
    assert [event.level for event in played.only(StructureRazed)] == [2, 1, 0]
    assert played.world.done("ENG/G1").spent


@pytest.mark.clause("L10")
def test_own_enemy_and_independent_provinces_may_be_razed_no_others():
    for place, war, reason in (
        ("Kent", False, ""),
        ("Reims", True, ""),
        ("Flanders", False, ""),
        ("Reims", False, "raze-not-allowed"),
    ):
        world = make_world(
            unit("ENG/A1", place, WORKERS),
            war=[("ENG", "FRA")] if war else [],
            realms={"FRA": {"passage": [] if war else ["ENG"]}},
            provinces={place: {"production_areas": 1}},
        )
        assert raze(world, "production area").fates("ENG")[0][2] == reason


@pytest.mark.clause("L10", "W13")
def test_enemy_troops_prevent_razing():
    world = make_world(
        unit("ENG/A1", "Kent", WORKERS),
        unit("FRA/A1", "Kent", {"Archers": 1}),
        war=[("ENG", "FRA")],
        provinces={"Kent": {"production_areas": 1}},
    )
    assert raze(world, "production area").fate("ENG", "raze") == ("failed", "enemy-troops-here")


@pytest.mark.clause("L10")
def test_what_is_not_there_is_not_razed_and_razing_needs_workers():
    assert raze(at_kent(), "harbour").fate("ENG", "raze") == ("failed", "nothing-to-raze")
    few = raze(at_kent(soldiers=1, fortification=3), "fortification")
    assert few.fate("ENG", "raze") == ("failed", "workers-too-few")
    sheet = Orders("ENG", 1, units=(Raze(Written(1, 1, "raze"), "A9", Structure.HARBOUR),))
    played = run_steps(at_kent(), [structures_razed], {"ENG": sheet}, phase=0)
    assert played.fate("ENG", "raze") == ("failed", "unit-not-yours")


@pytest.mark.clause("L8.2", "L10")
def test_when_the_last_level_goes_the_garrison_becomes_an_army():
    garrison = unit("ENG/G2", "Kent", {"Archers": 3}, commanders=[commander()])
    world = make_world(garrison, provinces={"Kent": {"fortification": 1, "fortification_damage": 1}})
    played = raze(world, "fortification", who="Kent")
    land = played.world.provinces["Kent"]
    assert (land.fortification, land.fortification_damage) == (0, 0)
    assert played.world.garrison("Kent") is None
    assert (played.unit("ENG/A1").place, played.unit("ENG/A1").count("Archers")) == ("Kent", 3)
    assert [who.name for who in played.unit("ENG/A1").commanders] == ["Sir John"]


@pytest.mark.clause("L8.2", "L10")
def test_when_the_harbour_goes_the_garrisons_ships_become_a_fleet():
    garrison = unit("ENG/G1", "London", {**WORKERS, "Trading Cog": 2})
    played = raze(make_world(garrison), "harbour", who="London")
    assert played.unit("ENG/F1").count("Trading Cog") == 2
    assert played.unit("ENG/G1").troops.keys() == WORKERS.keys()


@pytest.mark.clause("L10", "L8.2")
def test_razing_a_conquered_fort_removes_its_empty_garrison():
    world = make_world(
        unit("ENG/A1", "Reims", WORKERS), war=[("ENG", "FRA")], provinces={"Reims": {"fortification": 1}}
    )
    assert world.garrison("Reims") is not None
    played = raze(world, "fortification")
    assert played.fate("ENG", "raze") == ("done", "")
    assert played.world.garrison("Reims") is None
