"""Armies go aboard (M2, M3, M8.1) and what has no room goes elsewhere or overboard (M7)."""

from __future__ import annotations

import pytest

from gm.games.medieval.events.ledger import TroopsChanged
from gm.games.medieval.events.movement import ArmyLoaded, ArmyReadyToBoard, CargoMoved, CargoOverboard, CargoPutAshore
from gm.games.medieval.orders.model import Board, Load
from gm.games.medieval.state.strength import storage, weight
from gm.games.medieval.steps.loading import armies_prepare_to_board, fleets_load_armies
from gm.games.medieval.steps.storage import fleet_storage_checked
from tests.medieval.marks import retreated
from tests.medieval.movement import done, left, move, plans, sheet_of, written
from tests.medieval.testland import commander, make_world, rules, run_steps, unit

FOOT = {"Men-at-Arms": 3}
COGS = {"Trading Cog": 2}


def load(world, *armies, before=()):
    return run_steps(world, [*before, fleets_load_armies], {"ENG": plans(F1=[f"load: [{', '.join(armies)}]"])})


# -- M2 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("M2", "P7", "O5")
def test_an_army_that_prepares_to_board_marches_no_more_this_turn():
    world = make_world(unit("ENG/A1", "Kent", FOOT))
    played = move(world, {"ENG": plans(A1=["board: AQU", "march: London"])})
    assert played.only(ArmyReadyToBoard)[0].host == "AQU"
    assert played.fate("ENG", "march") == ("failed", "boarding-army-stays")
    assert left(played, "ENG/A1") == 0


@pytest.mark.clause("M2", "M3")
def test_a_foreign_fleet_loads_only_an_army_that_named_its_realm():
    fleet, army = unit("ENG/F1", "Channel", COGS), unit("AQU/A1", "Kent", FOOT)
    order = plans(F1=["load: [AQU/A1]"])
    assert move(make_world(fleet, army), {"ENG": order}).fate("ENG", "load") == ("failed", "army-not-prepared")
    willing = move(make_world(fleet, army), {"ENG": order, "AQU": plans(A1=["board: ENG"])})
    assert willing.unit("AQU/A1").aboard == "ENG/F1"
    other = move(make_world(fleet, army), {"ENG": order, "AQU": plans(A1=["board: DEN"])})
    assert other.fate("ENG", "load") == ("failed", "army-not-prepared")


@pytest.mark.clause("M2")
def test_boarding_is_for_armies_and_for_the_fleets_of_other_realms_that_are_no_enemies():
    world = make_world(unit("ENG/A1", "Kent", FOOT), unit("ENG/F1", "Channel", COGS), war=[("DEN", "ENG")])
    orders = sheet_of(
        "ENG",
        F1=[Board(written("fleet", 1), "AQU")],
        A1=[Board(written("own", 2), "ENG"), Board(written("enemy", 3), "DEN")],
    )
    assert run_steps(world, [armies_prepare_to_board], {"ENG": orders}).fates("ENG") == [
        ("own", "failed", "board-foreign-realm"),
        ("enemy", "failed", "board-enemy-fleet"),
        ("fleet", "failed", "only-armies-board"),
    ]


# -- M3 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("M3", "P7", "W3")
def test_a_fleet_loads_over_an_open_coast_or_where_it_is_docked_without_harbour_or_move_points():
    army = unit("ENG/A1", "Kent", FOOT)
    played = load(make_world(unit("ENG/F1", "Channel", COGS), army), "A1")
    assert (played.unit("ENG/A1").aboard, played.unit("ENG/A1").place) == ("ENG/F1", "Channel")
    assert (left(played, "ENG/A1"), left(played, "ENG/F1")) == (0, 2)
    assert [(e.place, e.sea) for e in played.only(ArmyLoaded)] == [("Kent", "Channel")]
    docked = load(make_world(unit("ENG/F1", "London", COGS), unit("ENG/A1", "London", FOOT)), "A1")
    assert docked.unit("ENG/A1").aboard == "ENG/F1"
    assert load(make_world(unit("ENG/F1", "North Sea", COGS), army), "A1").fate("ENG", "load")[1] == "army-out-of-reach"
    assert load(make_world(unit("ENG/F1", "London", COGS), army), "A1").fate("ENG", "load")[1] == "army-out-of-reach"
    reefs = make_world(unit("ENG/F1", "North Sea", COGS), unit("ENG/A1", "Flanders", FOOT))
    assert load(reefs, "A1").fate("ENG", "load")[1] == "reefs"


@pytest.mark.clause("M3")
def test_an_army_may_march_first_and_be_loaded_after_and_its_later_entries_wait_for_the_landing():
    world = make_world(unit("ENG/F1", "Channel", COGS), unit("ENG/A1", "London", FOOT))
    played = move(
        world, {"ENG": plans(A1=["march: Kent", "march: London", "hold"], F1=["hold", "load: [A1]", "sail: North Sea"])}
    )
    assert played.unit("ENG/A1").place == "North Sea"
    assert played.fate("ENG", "march: London") == ("failed", "aboard-fleet")


@pytest.mark.clause("M3")
def test_an_armys_own_weight_may_be_one_and_a_half_of_the_storage_whatever_is_aboard():
    cog = {"Trading Cog": 1}
    fits = make_world(unit("ENG/F1", "London", cog), unit("ENG/A1", "London", {"Men-at-Arms": 3}))
    assert load(fits, "A1").fate("ENG", "load") == ("done", "")
    too_much = make_world(unit("ENG/F1", "London", cog), unit("ENG/A1", "London", {"Men-at-Arms": 4}))
    assert load(too_much, "A1").fate("ENG", "load") == ("failed", "army-too-heavy")
    laden = make_world(
        unit("ENG/F1", "London", cog),
        unit("ENG/A1", "London", {"Men-at-Arms": 2}),
        unit("ENG/A2", "London", {"Men-at-Arms": 2}, aboard="ENG/F1"),
    )
    assert load(laden, "A1").fate("ENG", "load") == ("done", "")


@pytest.mark.clause("M3", "O2", "O6")
def test_a_load_that_cannot_happen_is_dropped_and_one_of_several_armies_is_reduced():
    world = make_world(unit("ENG/F1", "Channel", COGS), unit("ENG/A1", "Kent", FOOT), unit("ENG/A2", "Kent"))
    played = move(world, {"ENG": plans(F1=["load: [A2]", "load: [A1, A2]", "sail: North Sea"])})
    assert [(fate, reason) for _, fate, reason in played.fates("ENG")] == [
        ("failed", "army-empty"),
        ("reduced", "army-empty"),
        ("done", ""),
    ]
    assert played.unit("ENG/A1").place == "North Sea"


@pytest.mark.clause("M3", "W6.1")
@pytest.mark.parametrize(
    ("fleet", "army", "reason"),
    [
        ({"place": "Kent", "troops": {}}, {"troops": FOOT}, "fleet-without-ships"),
        ({"place": "Channel", "troops": COGS}, {"troops": {}}, "army-empty"),
        (
            {"place": "Channel", "troops": COGS},
            {"troops": FOOT, "aboard": "ENG/F2", "place": "Channel"},
            "army-already-aboard",
        ),
    ],
)
def test_what_cannot_be_loaded(fleet, army, reason):
    world = make_world(
        unit("ENG/F1", fleet["place"], fleet["troops"], commanders=[commander()]),
        unit("ENG/F2", "Channel", COGS),
        unit("ENG/A1", army.get("place", "Kent"), army["troops"], aboard=army.get("aboard")),
    )
    assert load(world, "A1").fate("ENG", "load") == ("failed", reason)


@pytest.mark.clause("M3", "P7")
def test_an_army_that_retreated_is_not_loaded():
    world = make_world(unit("ENG/F1", "Channel", COGS), unit("ENG/A1", "Kent", FOOT))
    assert load(world, "A1", before=[retreated("ENG/A1")]).fate("ENG", "load") == ("failed", "army-retreated")


@pytest.mark.clause("M3")
def test_only_fleets_load_and_nobody_loads_an_enemy_or_a_unit_that_is_not_there():
    world = make_world(
        unit("ENG/F1", "Channel", COGS),
        unit("ENG/A1", "Kent", FOOT),
        unit("DEN/A1", "Kent", FOOT),
        war=[("DEN", "ENG")],
    )
    orders = sheet_of(
        "ENG",
        A1=[Load(written("army", 1), ("A1",))],
        F1=[Load(written("enemy", 2), ("DEN/A1",)), Load(written("none", 3), ("A44",))],
    )
    assert run_steps(world, [fleets_load_armies], {"ENG": orders}).fates("ENG") == [
        ("army", "failed", "only-fleets-load"),
        ("enemy", "failed", "army-of-enemy"),
        ("none", "failed", "no-such-army"),
    ]


# -- M7 ----------------------------------------------------------------------------------------------------------------


def checked(*units, **more):
    return run_steps(make_world(*units, **more), [fleet_storage_checked])


def overboard(played):
    return [(e.unit, e.troop, e.count) for e in played.only(TroopsChanged) if e.cause == "overboard"]


@pytest.mark.clause("M7")
def test_foreign_troops_go_overboard_first_then_own_heaviest_first_then_cheapest():
    aboard = {"aboard": "ENG/F1"}
    cargo = (
        unit("AQU/A1", "Channel", {"Archers": 1, "Heavy Cavalry": 1}, **aboard),
        unit("ENG/A1", "Channel", {"Heavy Cavalry": 1, "Siege Machine": 1, "Longbowmen": 1}, **aboard),
    )

    def lost(cogs):
        return overboard(checked(unit("ENG/F1", "Channel", {"Trading Cog": cogs}), *cargo))

    # 2 + 1 foreign, 2 + 2 + 1 own: 8
    assert lost(4) == []
    assert lost(3) == [("AQU/A1", "Heavy Cavalry", -1)]
    assert lost(2) == [("AQU/A1", "Heavy Cavalry", -1), ("AQU/A1", "Archers", -1), ("ENG/A1", "Siege Machine", -1)]
    assert lost(1)[2:] == [("ENG/A1", "Siege Machine", -1), ("ENG/A1", "Heavy Cavalry", -1)]


@pytest.mark.clause("M7")
def test_the_surplus_first_moves_to_other_own_fleets_in_the_same_sea():
    played = checked(
        unit("ENG/F1", "Channel", {"Trading Cog": 1}),
        unit("ENG/F2", "Channel", {"Trading Cog": 1}),
        unit("ENG/F3", "North Sea", {"Trading Cog": 5}),
        unit("AQU/F1", "Channel", {"Trading Cog": 5}),
        unit("ENG/A1", "Channel", {"Men-at-Arms": 5}, aboard="ENG/F1"),
    )
    assert played.unit("ENG/A2").aboard == "ENG/F2"
    assert played.unit("ENG/A2").count("Men-at-Arms") == played.unit("ENG/A1").count("Men-at-Arms") == 2
    assert overboard(played) == [("ENG/A1", "Men-at-Arms", -1)]
    assert (len(played.only(CargoMoved)), len(played.only(CargoOverboard))) == (1, 1)


@pytest.mark.clause("M7")
def test_an_army_that_moves_whole_stays_the_same_army_with_its_commanders():
    played = checked(
        unit("ENG/F1", "Channel", {"War Dhow": 1}),
        unit("ENG/F2", "Channel", {"Trading Cog": 1}),
        unit("AQU/A1", "Channel", {"Archers": 1}, commanders=[commander()], aboard="ENG/F1"),
        unit("ENG/A1", "Channel", {"Archers": 1}, aboard="ENG/F1"),
    )
    assert played.unit("AQU/A1").aboard == "ENG/F2"
    assert played.only(CargoMoved)[0].commanders == ("Sir John",)
    assert not played.only(TroopsChanged)


@pytest.mark.clause("M7", "P7")
def test_in_port_the_surplus_goes_ashore_as_a_new_army_where_its_realm_has_permission():
    cargo = unit("ENG/A1", "London", {"Men-at-Arms": 3}, aboard="ENG/F1")
    played = checked(unit("ENG/F1", "London", {"Trading Cog": 1}), cargo)
    ashore = played.unit("ENG/A2")
    assert (ashore.place, ashore.aboard, ashore.count("Men-at-Arms")) == ("London", None, 1)
    assert left(played, "ENG/A2") == 0
    assert done(played, "ENG/A2").landed
    assert len(played.only(CargoPutAshore)) == 1
    guest = unit("AQU/A1", "London", {"Archers": 3}, aboard="ENG/F1")
    assert overboard(checked(unit("ENG/F1", "London", {"Trading Cog": 1}), guest)) == [("AQU/A1", "Archers", -1)]


@pytest.mark.clause("M7", "M1")
def test_ships_may_leave_a_laden_fleet_and_the_cargo_is_settled():
    world = make_world(
        unit("ENG/F1", "Channel", {"Trading Cog": 2}),
        unit("ENG/F2", "Channel", {"Trading Cog": 1}),
        unit("ENG/A1", "Channel", {"Men-at-Arms": 4}, aboard="ENG/F1"),
    )
    played = move(world, {"ENG": plans(F1=["transfer: {to: F2, troops: {Trading Cog: 1}}"])})
    assert played.unit("ENG/A2").aboard == "ENG/F2"
    assert not played.only(CargoOverboard)
    for fleet in ("ENG/F1", "ENG/F2"):
        aboard = played.world.cargo(fleet)
        assert sum(weight(army, rules()) for army in aboard) <= storage(played.unit(fleet), rules())


@pytest.mark.clause("M7")
def test_commanders_never_go_overboard_and_leave_a_fleet_without_ships():
    knight = commander()
    army = {"commanders": [knight], "aboard": "ENG/F1"}
    rescued = checked(
        unit("ENG/F1", "Channel"), unit("ENG/F2", "Channel", {"War Dhow": 1}), unit("ENG/A1", "Channel", **army)
    )
    assert rescued.unit("ENG/A1").aboard == "ENG/F2"
    landed = checked(unit("ENG/F1", "London"), unit("ENG/A1", "London", **army))
    assert landed.unit("ENG/A1").aboard is None
    drowned = checked(unit("ENG/F1", "Channel"), unit("ENG/A1", "Channel", {"Archers": 1}, **army))
    assert (drowned.unit("ENG/A1").commanders, drowned.unit("ENG/A1").troop_count) == ((knight,), 0)
