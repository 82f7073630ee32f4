"""The worked examples of movement, each under its id."""

from itertools import chain

import pytest

from gm.games.medieval.data.atlas import Border
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.events.movement import (
    ArmyUnloaded,
    FleetFled,
    FleetHomeless,
    FleetSailed,
    GarrisonShipsCaptured,
    GarrisonShipsScuttled,
    ProvinceConquered,
    UnitMarched,
)
from tests.medieval.movement import left, move, plans
from tests.medieval.testland import atlas, make_world, play, unit

FOOT = {"Men-at-Arms": 3}


@pytest.mark.clause("X4", "P3", "P6")
def test_x4_infantry_left_behind_takes_its_used_move_points_along():
    world = make_world(
        unit("ENG/A1", "London", {"Heavy Cavalry": 2, "Heavy Infantry": 2}),
        unit("ENG/A2", "Flanders", FOOT),
        owners={"Flanders": "ENG"},
    )
    give = "transfer: {to: A2, troops: {Heavy Infantry: 2}}"
    played = move(world, {"ENG": plans(A1=["march: Kent", "march: Flanders", give])})
    assert (left(played, "ENG/A1"), left(played, "ENG/A2")) == (1, 0)


@pytest.mark.clause("X5", "O5", "P5")
def test_x5_infantry_that_holds_and_cavalry_that_comes_up_strike_together_in_one_battle():
    world = make_world(
        unit("ENG/A1", "Flanders", {"Heavy Infantry": 9}),
        unit("ENG/A2", "Kent", {"Heavy Cavalry": 9}),
        unit("FRA/A1", "Reims", {"Militia": 2}),
        owners={"Flanders": "ENG"},
        war=[("ENG", "FRA")],
    )
    played = move(world, {"ENG": plans(A1=["hold", "march: Reims"], A2=["march: Flanders", "march: Reims"])})
    assert [(e.phase, e.unit, e.place) for e in played.only(UnitMarched)] == [
        (1, "ENG/A2", "Flanders"),
        (2, "ENG/A1", "Reims"),
        (2, "ENG/A2", "Reims"),
    ]
    assert [event.phase for event in played.only(BattleFought)] == [2]
    assert played.world.provinces["Reims"].owner == "ENG"


@pytest.mark.clause("X9", "M13")
def test_x9_nine_men_at_arms_get_flanders_before_eight_heavy_cavalry():
    world = make_world(
        unit("DEN/A1", "Schleswig", {"Heavy Cavalry": 8}),
        unit("NOR/A1", "Schleswig", {"Men-at-Arms": 9}),
        allied=[("DEN", "NOR")],
    )
    orders = {"DEN": plans(A1=["march: Flanders"]), "NOR": plans(A1=["march: Flanders"])}
    played = move(world, orders)
    assert [(e.realm, e.place) for e in played.only(ProvinceConquered)] == [("NOR", "Flanders")]


@pytest.mark.clause("X10", "M6", "M8")
@pytest.mark.parametrize("survives", [True, False])
def test_x10_the_sea_battle_comes_before_the_landing(survives):
    strong = {"Royal Galleon": 9}
    weak = {"Light Dromond": 1, "Trading Cog": 1}
    world = make_world(
        unit("ENG/F1", "London", strong if survives else weak),
        unit("ENG/A1", "London", {"Militia": 2}, aboard="ENG/F1"),
        unit("AQU/F2", "Bordeaux", weak if survives else strong),
        war=[("AQU", "ENG")],
    )
    orders = {"ENG": plans(F1=["sail: Channel", "unload: {A1: Kent}"]), "AQU": plans(F2=["sail: Channel"])}
    played = move(world, orders)
    story = [
        type(event) for event in played.events if isinstance(event, (FleetSailed, BattleFought, ArmyUnloaded))
    ]
    assert story == [FleetSailed, FleetSailed, BattleFought, *([ArmyUnloaded] if survives else [])]
    assert all(event.phase == 1 for event in played.only(ArmyUnloaded))
    if survives:
        assert played.unit("ENG/A1").place == "Kent"
    else:
        assert played.unit("ENG/A1").empty


@pytest.mark.clause("X11", "M3", "M4", "M8", "M8.1")
def test_x11_four_armies_over_two_seas_into_four_provinces_and_knights_as_well_in_one_turn():
    near = [Border(a=place, b="Alborg Bight") for place in ("Scania", "Flanders")]
    board = atlas().evolve(borders=(*atlas().borders, *near))
    sizes = {"TEU/A1": 1, "TEU/A2": 1, "TEU/A3": 1, "TEU/A4": 5}
    world = make_world(
        unit("TEU/F1", "Baltic", {"Trading Cog": 4}),
        *(unit(key, "Riga", {"Heavy Infantry": count}) for key, count in sizes.items()),
        unit("TEU/A5", "Zeeland", {"Crusader Knights": 4}),
        owners={"Schleswig": "TEU", "Zeeland": "TEU", "Scania": "TEU", "Flanders": "TEU"},
    )
    plan = [
        "load: [A1, A2, A3, A4]",
        "sail: Hanobukten",
        "sail: Alborg Bight",
        "unload: {A1: Schleswig, A2: Zeeland, A3: Scania, A4: Flanders}",
        "load: [A5]",
        "unload: {A5: Schleswig}",
    ]
    played = move(world, {"TEU": plans(F1=plan)}, board=board)
    assert [fate for _, fate, _ in played.fates("TEU")] == ["done"] * 6
    assert {e.army: e.place for e in played.only(ArmyUnloaded)} == {
        "TEU/A1": "Schleswig",
        "TEU/A2": "Zeeland",
        "TEU/A3": "Scania",
        "TEU/A4": "Flanders",
        "TEU/A5": "Schleswig",
    }
    assert [event.phase for event in played.only(ArmyUnloaded)] == [2, 2, 2, 2, 3]


@pytest.mark.clause("X13", "M13.1", "M5")
def test_x13_a_conquered_harbour_town_loses_its_ships_and_a_docked_fleet_flees_in_the_next_phase():
    world = make_world(
        unit("AQU/G1", "Bordeaux", {"Carrack": 3, "Trading Cog": 3}),
        unit("AQU/F1", "Bordeaux", {"Carrack": 1}),
        unit("FRA/A1", "Paris", {"Heavy Cavalry": 3}),
        war=[("AQU", "FRA")],
    )
    played = move(world, {"FRA": plans(A1=["march: Bordeaux"])})
    assert played.world.provinces["Bordeaux"].owner == "FRA"
    fates = [*played.only(GarrisonShipsCaptured), *played.only(GarrisonShipsScuttled)]
    assert sum(chain.from_iterable(event.troops.values() for event in fates)) == 6
    assert next((e.phase, e.fleet) for e in played.only(FleetHomeless)) == (1, "AQU/F1")
    assert [(e.phase, e.place) for e in played.only(FleetFled) if e.realm == "AQU"] == [(2, "Channel")]


@pytest.mark.clause("X16", "M13", "F1")
@pytest.mark.parametrize("defended", [True, False])
def test_x16_a_guest_who_declares_war_and_holds_conquers_in_phase_one(defended):
    world = make_world(
        unit("ENG/A1", "Reims", {"Heavy Infantry": 9}),
        *([unit("FRA/A1", "Reims", {"Militia": 1})] if defended else []),
        realms={"FRA": {"passage": {"ENG"}}},
    )
    orders = "headquarters:\n  declare_war: [FRA]\n" + plans(A1=["hold"])
    played = play(world, {"ENG": orders})
    assert [(e.phase, e.realm, e.place) for e in played.only(ProvinceConquered)] == [(1, "ENG", "Reims")]
    assert [event.phase for event in played.only(BattleFought)] == ([1] if defended else [])


@pytest.mark.clause("X20", "M5")
def test_x20_a_fleet_made_homeless_in_one_phase_flees_in_the_next_and_does_not_sail():
    world = make_world(
        unit("AQU/F1", "Bordeaux", {"Carrack": 1}),
        unit("FRA/A1", "Paris", {"Heavy Cavalry": 3}),
        war=[("AQU", "FRA")],
    )
    orders = {
        "FRA": plans(A1=["march: Bordeaux"]),
        "AQU": plans(F1=["hold", "sail: Channel", "sail: North Sea"]),
    }
    played = move(world, orders)
    assert not played.only(FleetSailed)
    assert [(e.phase, e.place) for e in played.only(FleetFled)] == [(2, "Channel")]
    assert [reason for _, _, reason in played.fates("AQU")] == ["", "fleet-homeless", "fleet-homeless"]


@pytest.mark.clause("X22", "P4", "P5")
def test_x22_hold_and_march_reaches_a_province_taken_in_phase_one_and_march_and_back_does_not():
    def played(*plan):
        world = make_world(
            unit("ENG/A1", "London" if plan[0] == "hold" else "Kent", {"Heavy Infantry": 9}),
            unit("FRA/A1", "Flanders", {"Men-at-Arms": 3}),
            owners={"Flanders": "FRA"},
            war=[("ENG", "FRA")],
        )
        return move(world, {"ENG": plans(A1=plan), "FRA": plans(A1=["march: Kent"])})

    waiting = played("hold", "march: Kent")
    assert waiting.fates("ENG") == [("A1 hold", "done", ""), ("A1 march: Kent", "done", "")]
    assert [(e.phase, e.realm) for e in waiting.only(ProvinceConquered)] == [(1, "FRA"), (2, "ENG")]
    and_back = played("march: London", "march: Kent")
    assert and_back.unit("ENG/A1").place == "London"
    (refused,) = [event for event in and_back.events if getattr(event, "reason", "") == "needs-move-points"]
    assert refused.figures == {"needs": 2, "has": 1}
