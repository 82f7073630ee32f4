"""Production areas and exact numbers of workers: what is left when something is built or razed (L8, L10)."""

from __future__ import annotations

import pytest

from gm.games.medieval.events.final import StructureBuilt, StructureRazed
from gm.games.medieval.steps.construction import construction_happens, structures_razed
from tests.medieval.testland import Played, make_world, run_steps, unit


def at_kent(line: str, soldiers: int, **kent: int) -> Played:
    world = make_world(unit("ENG/A1", "Kent", {"Men-at-Arms": soldiers}), provinces={"Kent": kent})
    orders = {"ENG": f"units: {{A1: {{{line}}}}}"}
    return run_steps(world, [construction_happens, structures_razed], orders, phase=0)


@pytest.mark.clause("L8")
def test_as_many_soldiers_as_the_work_takes_are_enough_and_one_less_is_not() -> None:
    built = at_kent("build: [production area]", 2, production_areas=1)
    assert built.world.provinces["Kent"].production_areas == 2
    assert [(each.structure, each.level) for each in built.only(StructureBuilt)] == [("production area", 2)]
    few = at_kent("build: [production area]", 1, production_areas=1)
    assert few.fate("ENG", "build") == ("failed", "workers-too-few")


@pytest.mark.clause("L10")
def test_a_razed_production_area_is_one_less() -> None:
    played = at_kent("raze: [production area]", 9, production_areas=3)
    assert played.world.provinces["Kent"].production_areas == 2
    assert [(each.structure, each.level) for each in played.only(StructureRazed)] == [("production area", 2)]


@pytest.mark.clause("L10")
@pytest.mark.parametrize("structure", ["production area", "fortification", "harbour"])
def test_what_does_not_stand_is_not_razed(structure: str) -> None:
    played = at_kent(f"raze: [{structure}]", 9)
    assert played.fate("ENG", "raze") == ("failed", "nothing-to-raze")
    assert not played.only(StructureRazed)


@pytest.mark.clause("L8")
def test_a_fortification_and_a_production_area_may_be_built_in_one_province_in_a_turn() -> None:
    played = at_kent("build: [production area, fortification]", 9)
    kent = played.world.provinces["Kent"]
    assert (kent.production_areas, kent.fortification) == (1, 1)


@pytest.mark.clause("L8")
def test_a_harbour_has_one_level() -> None:
    world = make_world(unit("ENG/G1", "London", {"Men-at-Arms": 9}), provinces={"London": {"harbour": False}})
    played = run_steps(world, [construction_happens], {"ENG": "units: {London: {build: [harbour]}}"}, phase=0)
    assert [(each.structure, each.level) for each in played.only(StructureBuilt)] == [("harbour", 1)]


@pytest.mark.clause("L10", "L8.2")
def test_the_ships_of_a_garrison_stay_when_only_walls_are_razed() -> None:
    world = make_world(unit("ENG/G1", "London", {"Men-at-Arms": 9, "Trading Cog": 2}))
    played = run_steps(world, [structures_razed], {"ENG": "units: {London: {raze: [fortification]}}"}, phase=0)
    assert played.world.provinces["London"].fortification == 1
    assert played.unit("ENG/G1").count("Trading Cog") == 2
