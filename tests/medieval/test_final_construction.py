"""Building, repairing and razing (L8, L10)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from gm.games.medieval.events.final import FortificationRepaired, StructureRazed
from gm.games.medieval.orders.model import Structure
from gm.games.medieval.steps.construction import (
    construction_happens,
    razed_gold,
    repair_work,
    structures_razed,
    work_on,
)
from tests.medieval.marks import marked
from tests.medieval.testland import make_world, rules, run_steps, unit


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


@pytest.mark.clause("L8.1")
def test_paid_repair_costs_half_the_level_and_works_after_a_battle():
    world = at_kent(fortification=3, fortification_damage=1)
    played = construct(world, "repair: yes", marked("Kent", battle=True))
    assert played.world.provinces["Kent"].fortification_damage == 0
    assert played.world.realms["ENG"].treasury == 93  # half of 14
    assert played.world.progress.workers["ENG/A1"] == 3
    assert [event.paid for event in played.only(FortificationRepaired)] == [True]
    assert repair_work(1, rules()).gold == 5


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
