"""Armies march: borders, permission, move-points, holds (M9, P1-P5, P9, W3)."""

from __future__ import annotations

import pytest

from gm.games.medieval.events.movement import UnitMarched
from gm.games.medieval.state import INDEPENDENTS
from gm.games.medieval.state.strength import pace
from gm.games.medieval.steps.movement import armies_march, defend_fortifications_changed, why_not_march
from gm.games.medieval.steps.turn import Refusal
from gm.games.medieval.steps.workspace import Workspace
from tests.medieval.marks import marked, retreated
from tests.medieval.movement import done, left, move, plans
from tests.medieval.testland import commander, make_turn, make_world, play, rules, run_steps, unit

FOOT = {"Men-at-Arms": 3}
HORSE = {"Heavy Cavalry": 3}


def marched(world, province, key="ENG/A1", before=()):
    """One march in phase 1, alone: where the army is then, and why it failed if it did."""
    realm, unit_id = key.split("/")
    played = run_steps(world, [*before, armies_march], {realm: plans(**{unit_id: [f"march: {province}"]})})
    return played, played.fate(realm, "march")[1]


@pytest.mark.clause("M9", "P1", "P4")
def test_a_march_into_own_land_costs_one():
    played, reason = marched(make_world(unit("ENG/A1", "London", FOOT)), "Kent")
    assert (played.unit("ENG/A1").place, reason) == ("Kent", "")
    assert done(played, "ENG/A1").used == 1
    assert (done(played, "ENG/A1").came_from, done(played, "ENG/A1").marched_phase) == ("London", 1)
    assert played.only(UnitMarched) == [UnitMarched(realm="ENG", unit="ENG/A1", origin="London", place="Kent")]


@pytest.mark.clause("P1", "P4")
@pytest.mark.parametrize(
    "world",
    [
        make_world(unit("ENG/A1", "Kent", FOOT), provinces={"Flanders": {"permissions": {"ENG"}}}),
        make_world(
            unit("ENG/A1", "Kent", FOOT),
            owners={"Flanders": "FRA"},
            realms={"FRA": {"passage": {"ENG"}}},
        ),
        make_world(
            unit("ENG/A1", "Kent", FOOT), provinces={"Flanders": {"owner": "FRA", "permissions": {"ENG", "DEN"}}}
        ),
    ],
    ids=["special permission of the scenario", "passage rights", "special permission of the owner"],
)
def test_permission_lets_an_army_in_for_one(world):
    played, reason = marched(world, "Flanders")
    assert (reason, done(played, "ENG/A1").used) == ("", 1)


@pytest.mark.clause("P1", "F3", "F4")
def test_a_grant_of_this_very_turn_counts_at_cost_one():
    world = make_world(unit("ENG/A1", "Kent", FOOT), owners={"Flanders": "FRA"})
    grant = {"FRA": "headquarters:\n  grant_permission: {Flanders: [ENG]}\n", "ENG": plans(A1=["march: Flanders"])}
    assert left(move(world, grant), "ENG/A1") == 1


@pytest.mark.clause("P2", "P4")
def test_a_march_into_enemy_or_independent_land_costs_two():
    at_war = make_world(unit("ENG/A1", "Flanders", FOOT), owners={"Flanders": "ENG"}, war=[("ENG", "FRA")])
    for world, province in ((at_war, "Reims"), (make_world(unit("ENG/A1", "Kent", FOOT)), "Flanders")):
        played, reason = marched(world, province)
        assert (reason, done(played, "ENG/A1").used, left(played, "ENG/A1")) == ("", 2, 0)


@pytest.mark.clause("P1", "P2")
@pytest.mark.parametrize("allied", [(), (("ENG", "FRA"),)], ids=["neutral", "allied without passage"])
def test_land_that_is_neither_enemy_nor_permitted_cannot_be_entered(allied):
    world = make_world(unit("ENG/A1", "Flanders", FOOT), owners={"Flanders": "ENG"}, allied=allied)
    played, reason = marched(world, "Reims")
    assert (reason, played.unit("ENG/A1").place) == ("no-permission-to-enter", "Flanders")


@pytest.mark.clause("P4")
def test_a_province_that_changed_owner_this_turn_costs_two_whoever_owns_it():
    world = make_world(unit("ENG/A1", "London", FOOT))
    played, reason = marched(world, "Kent", before=[marked("Kent", changed_owner=True)])
    assert (reason, done(played, "ENG/A1").used) == ("", 2)


@pytest.mark.clause("P4", "O2", "O6")
def test_a_march_beyond_the_move_points_fails_with_the_figures():
    world = make_world(unit("ENG/A1", "London", FOOT))
    played = move(world, {"ENG": plans(A1=["march: Kent", "march: Flanders", "hold", "march: Kent", "pillage"])})
    assert played.unit("ENG/A1").place == "Kent"
    assert [fate for fate in played.fates("ENG") if fate[1] == "failed"] == [
        ("A1 march: Flanders", "failed", "needs-move-points"),
        ("A1 hold", "failed", "earlier-move-failed"),
        ("A1 march: Kent", "failed", "earlier-move-failed"),
    ]
    (refused,) = [e for e in played.events if getattr(e, "reason", "") == "needs-move-points"]
    assert refused.figures == {"needs": 2, "has": 1}
    assert played.fate("ENG", "pillage") == ("done", "")


@pytest.mark.clause("P3")
def test_move_points_are_the_least_of_the_troops_and_two_for_commanders_alone():
    led = [commander()]
    assert pace(unit("ENG/A1", "Kent", {**FOOT, **HORSE}), rules()) == 2
    assert pace(unit("ENG/A1", "Kent", HORSE, commanders=led), rules()) == 3
    assert pace(unit("ENG/A1", "Kent", commanders=led), rules()) == rules().movement.commanders_move_points == 2
    assert pace(unit("ENG/A1", "Kent"), rules()) == 0


@pytest.mark.clause("W3", "M9")
def test_mountains_block_a_march_and_there_is_none_into_a_sea_or_past_the_border():
    world = make_world(unit("AQU/A1", "Bordeaux", HORSE))
    assert marched(world, "Savoy", "AQU/A1")[1] == "mountains"
    assert marched(world, "Minsk", "AQU/A1")[1] == "no-border"
    refusal = why_not_march(Workspace(make_turn(world)), world.units["AQU/A1"], "Channel")
    assert refusal == Refusal("no-border", {"place": "Bordeaux", "other": "Channel"})


@pytest.mark.clause("W3")
def test_a_strait_in_the_map_is_marched_like_any_border():
    assert marched(make_world(unit("ENG/A1", "Kent", FOOT)), "Flanders")[1] == ""


@pytest.mark.clause("W6.1", "M9")
def test_an_empty_army_cannot_march_and_a_commander_alone_can():
    world = make_world(unit("ENG/A1", "London"), unit("ENG/A2", "London", commanders=[commander()]))
    assert marched(world, "Kent")[1] == "unit-empty"
    assert marched(world, "Kent", "ENG/A2")[1] == ""


@pytest.mark.clause("M9", "P7")
def test_an_army_that_retreated_this_turn_does_not_march():
    world = make_world(unit("ENG/A1", "London", FOOT))
    played = move(world, {"ENG": plans(A1=["march: Kent"])}, before=[retreated("ENG/A1")])
    assert played.unit("ENG/A1").place == "London"
    assert played.fate("ENG", "march") == ("failed", "unit-retreated")


@pytest.mark.clause("W5", "M9")
def test_a_garrison_never_moves():
    world = make_world(unit("ENG/G1", "London", FOOT))
    played = move(world, {"ENG": plans(London=["march: Kent"])})
    assert played.fate("ENG", "march") == ("failed", "garrison-never-moves")
    assert played.unit("ENG/G1").place == "London"


@pytest.mark.clause("P5", "O6.1")
def test_the_first_hold_is_free_and_each_further_one_costs_one():
    world = make_world(unit("ENG/A1", "London", FOOT))
    played = move(world, {"ENG": plans(A1=["hold", "hold", "march: Kent"])})
    assert played.unit("ENG/A1").place == "Kent"
    assert (done(played, "ENG/A1").holds, done(played, "ENG/A1").used) == (2, 2)
    played = move(world, {"ENG": plans(A1=["hold", "hold", "hold", "hold"])})
    assert [fate for _, fate, _ in played.fates("ENG")] == ["done", "done", "done", "failed"]
    assert played.fates("ENG")[-1][2] == "hold-needs-move-points"


@pytest.mark.clause("O5")
def test_an_army_marches_one_province_a_phase():
    world = make_world(unit("ENG/A1", "London", HORSE))
    played = move(world, {"ENG": plans(A1=["march: Kent", "march: Flanders"])})
    assert [(e.phase, e.place) for e in played.only(UnitMarched)] == [(1, "Kent"), (2, "Flanders")]


@pytest.mark.clause("O5")
def test_after_a_hold_the_march_is_in_phase_two():
    world = make_world(unit("ENG/A1", "London", HORSE))
    played = move(world, {"ENG": plans(A1=["hold", "march: Kent"])})
    assert [(e.phase, e.place) for e in played.only(UnitMarched)] == [(2, "Kent")]


@pytest.mark.clause("M9")
def test_all_marches_are_at_once_so_armies_change_places():
    world = make_world(unit("ENG/A1", "London", FOOT), unit("ENG/A2", "Kent", FOOT))
    played = move(world, {"ENG": plans(A1=["march: Kent"], A2=["march: London"])})
    assert (played.unit("ENG/A1").place, played.unit("ENG/A2").place) == ("Kent", "London")


@pytest.mark.clause("P9")
def test_an_army_without_permission_where_it_stands_is_safe_and_may_march_out():
    world = make_world(unit("ENG/A1", "Reims", FOOT), unit("FRA/A1", "Reims", FOOT), owners={"Flanders": "ENG"})
    stays = move(world)
    assert stays.unit("ENG/A1") == world.units["ENG/A1"]
    assert stays.world.provinces["Reims"].owner == "FRA"
    leaves = move(world, {"ENG": plans(A1=["march: Flanders"])})
    assert leaves.unit("ENG/A1").place == "Flanders"
    deeper = move(world, {"ENG": plans(A1=["march: Paris"])})
    assert deeper.fate("ENG", "march") == ("failed", "no-permission-to-enter")


@pytest.mark.clause("W7")
def test_independents_never_leave_and_have_no_orders():
    world = make_world(unit("IND/A1", "Flanders", FOOT), unit("IND/A2", "Savoy", FOOT))
    played = move(world)
    assert {u.place for u in played.world.of_realm(INDEPENDENTS)} == {"Flanders", "Savoy"}


@pytest.mark.clause("M10")
def test_the_choice_about_the_walls_takes_effect_in_phase_one_and_is_settled_once():
    world = make_world(unit("ENG/A1", "London", FOOT), unit("ENG/F1", "London", {"Trading Cog": 1}))
    orders = {"ENG": "units:\n  A1:\n    defend_fortifications: no\n"}
    played = move(world, orders)
    assert played.unit("ENG/A1").defend_fortifications is False
    assert [fate for _, fate, _ in played.fates("ENG")] == ["done"]
    later = run_steps(world, [defend_fortifications_changed], orders, phase=2)
    assert later.unit("ENG/A1").defend_fortifications is True
    assert later.fates("ENG") == []


@pytest.mark.clause("M10", "W5")
def test_garrisons_have_no_choice_about_the_walls():
    from gm.games.medieval.orders.model import Orders, SetDefendFortifications, Written

    order = SetDefendFortifications(Written(1, 1, "G1 defend_fortifications: no"), "G1", False)
    sheet = Orders(realm="ENG", turn=1, units=(order,))
    played = run_steps(make_world(), [defend_fortifications_changed], {"ENG": sheet})
    assert played.fates("ENG") == [("G1 defend_fortifications: no", "failed", "only-armies-choose-walls")]


@pytest.mark.clause("M11", "O2")
def test_a_march_that_is_driven_back_at_the_border_has_failed_and_the_victors_is_done() -> None:
    strong = unit("ENG/A1", "Kent", {"Heavy Infantry": 60})
    weak = unit("FRA/A1", "Flanders", {"Men-at-Arms": (0, 0, 30, 0, 0)}, retreat_level=1)
    world = make_world(strong, weak, war=[("ENG", "FRA")], owners={"Flanders": "FRA"})
    played = play(
        world,
        {
            "ENG": "units:\n  A1:\n    plan: [march: Flanders]\n",
            "FRA": "units:\n  A1:\n    plan: [march: Kent, pillage]\n",
        },
    )
    assert played.fates("ENG") == [("A1 march: Flanders", "done", "")]
    assert played.fate("FRA", "march") == ("failed", "driven-back-at-border")
    assert played.fate("FRA", "pillage") == ("failed", "retreated-from-battle")
