"""Battles at sea: fleets, marines, retreats, wrecks (M6, B9.3, B10-B13, X10, X19)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from gm.games.medieval.combat.report import CaptureRoll, Rescue, TroopCount
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.events.battle import ArmyLostAtSea, BattleFought, FleetFormedByCapture
from gm.games.medieval.events.ledger import CommandersChanged, TroopsChanged
from gm.games.medieval.state import Unit
from gm.games.medieval.steps.battles import sea_battles_fought
from tests.medieval.testland import SEAS, Played, commander, make_world, play, rules, unit
from tests.medieval.warfare import fought, outcome_of, report, reports, rounds_of, sure_rules

WAR = [("ENG", "FRA")]
SEA = "Channel"


def at_sea(
    *units: Unit, by: Rules | None = None, done: Any = None, orders: Any = None, seed: str = "test", **more: Any
) -> Played:
    world = make_world(*units, **{"war": WAR, **more})
    return fought(world, sea_battles_fought, by=by, done=done, orders=orders, seed=seed)


def marines_of(report: Any, round_number: int, key: str) -> int:
    """How many of an army strike in a round."""
    for found in report.rounds[round_number - 1].units:
        if found.unit == key:
            return sum(each.count for each in found.caused)
    return 0


@pytest.mark.clause("M6", "B1")
def test_enemy_fleets_in_one_sea_fight_and_fleets_in_harbour_do_not() -> None:
    played = at_sea(
        unit("ENG/F1", SEA, {"Ship": 5}),
        unit("FRA/F1", SEA, {"Ship": 1}),
        unit("AQU/F1", SEA, {"Ship": 1}),
        unit("ENG/F2", "London", {"Ship": 5}),
        unit("FRA/F2", "London", {"Ship": 1}),
    )
    found = report(played)
    assert (found.kind, found.place, found.realms, found.winners) == ("sea", SEA, ("ENG", "FRA"), ("ENG",))
    assert not at_sea(unit("ENG/F1", SEA, {"Ship": 5}), unit("FRA/F1", SEA)).events
    assert not at_sea(unit("ENG/F1", SEA, {"Ship": 5}), unit("FRA/F1", "North Sea", {"Ship": 1})).events


@pytest.mark.clause("M6", "W12")
def test_the_seas_where_enemies_meet_are_fought_over_in_map_order() -> None:
    numbered = list(enumerate(reversed(SEAS), 1))
    played = at_sea(
        *(unit(f"ENG/F{number}", sea, {"Ship": 9}) for number, sea in numbered),
        *(unit(f"FRA/F{number}", sea, {"Ship": 1}) for number, sea in numbered),
    )
    assert [each.place for each in reports(played)] == list(SEAS)


@pytest.mark.clause("P7", "M6")
def test_a_sea_battle_uses_all_move_points_and_ends_sailing_but_not_unloading() -> None:
    orders = {"ENG": "units: {F1: {plan: [sail: North Sea, unload: {A1: Kent}]}}"}
    played = at_sea(
        unit("ENG/F1", SEA, {"Ship": 5}),
        unit("ENG/A1", SEA, {"Heavy Infantry": 1}, aboard="ENG/F1"),
        unit("FRA/F1", SEA, {"Hulk": 1}),
        orders=orders,
    )
    assert played.fate("ENG", "sail: North Sea") == ("failed", "fought-a-battle")
    assert len(played.fates("ENG")) == 1
    assert played.world.done("ENG/F1").spent


@pytest.mark.clause("X10", "M6", "M8")
def test_the_battle_comes_first_then_the_survivor_unloads() -> None:
    world = make_world(
        unit("ENG/F1", "North Sea", {"Royal Galleon": 12}),
        unit("ENG/A1", "North Sea", {"Heavy Infantry": 20}, aboard="ENG/F1"),
        unit("FRA/F2", "Alborg Bight", {"Trading Cog": 1}),
        war=WAR,
        owners={"Flanders": "FRA"},
    )
    orders = {
        "ENG": "units: {F1: {plan: [sail: Channel, unload: {A1: Flanders}]}}",
        "FRA": "units: {F2: {plan: [sail: Channel]}}",
    }
    played = play(world, orders)
    assert [each.place for each in played.only(BattleFought)] == [SEA]
    assert played.unit("ENG/A1").place == "Flanders"
    assert played.unit("ENG/A1").aboard is None
    assert played.world.provinces["Flanders"].owner == "ENG"


@pytest.mark.clause("M6")
def test_fleets_that_swap_seas_pass_each_other() -> None:
    world = make_world(
        unit("ENG/F1", "North Sea", {"Royal Galleon": 3}), unit("FRA/F1", SEA, {"Royal Galleon": 3}), war=WAR
    )
    orders = {"ENG": "units: {F1: {plan: [sail: Channel]}}", "FRA": "units: {F1: {plan: [sail: North Sea]}}"}
    assert not play(world, orders).only(BattleFought)


# -- marines (B13) -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("B13", "B5.3")
def test_marines_fight_up_to_the_marine_space_front_ranks_first_with_their_modifier() -> None:
    played = at_sea(
        unit("ENG/F1", SEA, {"War Dhow": 3}),
        unit("ENG/A1", SEA, {"Heavy Infantry": (0, 2, 0, 0, 0), "Longbowmen": (1, 0, 0, 1, 0)}, aboard="ENG/F1"),
        unit("ENG/A2", SEA, {"Elite Marines": 1}, aboard="ENG/F1", marines=False),
        unit("FRA/F1", SEA, {"Hulk": 1}),
    )
    marines, fleet, enemy = report(played).units
    assert (marines.unit, marines.role, marines.aboard) == ("ENG/A1", "marines", "ENG/F1")
    assert marines.troops == (TroopCount(troop="Longbowmen", count=1), TroopCount(troop="Heavy Infantry", count=2))
    assert marines.total_combat == Decimal("101.6")  # 60 at 90%, twice 34 at 70%
    assert (fleet.role, enemy.role) == ("fleet", "fleet")


@pytest.mark.clause("B13")
def test_siege_machines_stay_below_decks() -> None:
    played = at_sea(
        unit("ENG/F1", SEA, {"Ship": 3}),
        unit("ENG/A1", SEA, {"Siege Machine": 2, "Striker": (0, 1, 0, 0, 0)}, aboard="ENG/F1"),
        unit("FRA/F1", SEA, {"Hulk": 1}),
    )
    assert report(played).units[0].troops == (TroopCount(troop="Striker", count=1),)
    assert played.unit("ENG/A1").count("Siege Machine") == 2


@pytest.mark.clause("B13")
@pytest.mark.parametrize(("replaced", "later"), [(True, [2, 2, 2]), (False, [2, 2, 0])])
def test_fallen_marines_are_replaced_at_even_rounds_by_the_switch(replaced: bool, later: list[int]) -> None:
    played = at_sea(
        unit("ENG/F1", SEA, {"Ship": (0, 1, 0, 0, 0), "Hulk": (0, 9, 0, 0, 0)}),
        unit("ENG/A1", SEA, {"Target": 6}, aboard="ENG/F1"),
        unit("FRA/F1", SEA, {"Ship": 1, "Hulk": 9}),
        by=sure_rules(round_limit=3, marines_replaced=replaced),
    )
    found = report(played)
    assert [marines_of(found, number, "ENG/A1") for number in (1, 2, 3)] == later


@pytest.mark.clause("B13", "B7")
def test_ships_and_marines_share_damage_by_rank() -> None:
    played = at_sea(
        unit("ENG/F1", SEA, {"Ship": (0, 4, 0, 0, 0)}),
        unit("ENG/A1", SEA, {"Target": 3}, aboard="ENG/F1"),
        unit("FRA/F1", SEA, {"Ship": 5, "Hulk": 9}),
        by=sure_rules(round_limit=1),
    )
    first = {each.unit: each.taken for each in report(played).rounds[0].units}
    assert (first["ENG/A1"], first["ENG/F1"]) == (3, 2)


@pytest.mark.clause("B13")
def test_an_ally_aboard_fights_by_his_own_choice_and_a_bystander_aboard_does_not() -> None:
    fleet, enemy = unit("ENG/F1", SEA, {"Ship": 3}), unit("FRA/F1", SEA, {"Hulk": 1})

    def fighting(guest: Unit, **more: Any) -> list[str]:
        return [each.unit for each in report(at_sea(fleet, guest, enemy, **more)).units]

    guest = unit("AQU/A1", SEA, {"Striker": 1}, aboard="ENG/F1")
    assert fighting(guest, war=[*WAR, ("AQU", "FRA")], allied=[("AQU", "ENG")])[0] == "AQU/A1"
    assert fighting(guest, allied=[("AQU", "ENG")]) == ["ENG/F1", "FRA/F1"]
    unwilling = guest.evolve(marines=False)
    assert fighting(unwilling, war=[*WAR, ("AQU", "FRA")]) == ["ENG/F1", "FRA/F1"]


@pytest.mark.clause("B10", "B13")
def test_only_ships_decide_whether_a_sea_battle_goes_on() -> None:
    played = at_sea(
        unit("ENG/F1", SEA, {"Ship": 1}),
        unit("ENG/A1", SEA, {"Striker": (0, 0, 0, 0, 2)}, aboard="ENG/F1"),
        unit("FRA/F1", SEA, {"Ship": (0, 0, 9, 0, 0)}),
    )
    found = report(played)
    assert len(found.rounds) == 2
    assert outcome_of(found, "ENG/A1") == "destroyed"
    assert played.unit("ENG/A1").empty


# -- retreats (B9, B9.3) -----------------------------------------------------------------------------------------------


def coward(key: str, place: str = SEA, **more: Any) -> Unit:
    return unit(key, place, {"Ship": (0, 9, 0, 0, 0)}, retreat_level=1, **more)


@pytest.mark.clause("B9.3", "B9")
def test_fleets_decide_by_the_ranks_of_their_own_ships_and_armies_go_along() -> None:
    played = at_sea(
        coward("ENG/F1", commanders=[commander()]),
        unit("ENG/A1", SEA, {"Target": 2}, aboard="ENG/F1"),
        unit("ENG/A2", SEA, {"Target": 2}, aboard="ENG/F1", marines=False),
        unit("FRA/F1", SEA, {"Ship": 1, "Hulk": 30}),
        done={"ENG/F1": {"came_from": "North Sea"}},
    )
    assert {played.unit(key).place for key in ("ENG/F1", "ENG/A1", "ENG/A2")} == {"North Sea"}
    assert played.unit("ENG/A1").aboard == "ENG/F1"
    assert all(played.world.done(key).retreated for key in ("ENG/F1", "ENG/A1", "ENG/A2"))


@pytest.mark.clause("B9.1")
def test_a_fleet_flees_to_a_sea_without_enemies_first_and_to_harbours_only_of_its_own_or_permitted() -> None:
    enemy = unit("FRA/F1", SEA, {"Ship": 1, "Hulk": 30})
    elsewhere = unit("FRA/F2", "North Sea", {"Hulk": 1})

    def flees_to(*more_units: Unit, came_from: str | None = None, **more: Any) -> set[str]:
        marks = {"ENG/F1": {"came_from": came_from}}
        return {
            at_sea(coward("ENG/F1"), enemy, *more_units, done=marks, seed=str(seed), **more).unit("ENG/F1").place
            for seed in range(25)
        }

    assert flees_to() == {"London", "North Sea", "Alborg Bight"}
    assert flees_to(came_from="North Sea") == {"North Sea"}
    assert flees_to(came_from="London") == {"London"}
    assert "North Sea" not in flees_to(elsewhere, came_from="North Sea")
    allied = {"AQU": {"passage": frozenset({"ENG"})}}
    assert flees_to(realms=allied) == {"London", "North Sea", "Alborg Bight", "Bordeaux"}


@pytest.mark.clause("X19", "M6", "B9.1")
def test_a_fleet_retreats_into_another_battle_and_fights_again() -> None:
    played = at_sea(
        coward("ENG/F1", "Baltic"),
        unit("FRA/F1", "Baltic", {"Ship": 1, "Hulk": 30}),
        unit("FRA/F2", "Hanobukten", {"Ship": 1}),
    )
    assert [each.place for each in reports(played)] == ["Baltic", "Hanobukten"]
    assert [outcome_of(each, "ENG/F1") for each in reports(played)] == ["retreated", "retreated"]
    assert played.unit("ENG/F1").place == "Alborg Bight"
    cornered = at_sea(
        coward("ENG/F1", "Baltic"),
        unit("FRA/F1", "Baltic", {"Ship": 1, "Hulk": 20}),
        unit("FRA/F2", "Hanobukten", {"Ship": 1}),
        unit("FRA/F3", "Alborg Bight", {"Ship": 1}),
    )
    assert [outcome_of(each, "ENG/F1") for each in reports(cornered)] == ["retreated", "survived"]


@pytest.mark.clause("B9", "B9.1")
def test_following_fleets_flee_to_the_same_sea() -> None:
    for seed in range(10):
        played = at_sea(
            coward("ENG/F1"),
            unit("ENG/F2", SEA, {"Hulk": 9}, follow="F1"),
            unit("FRA/F1", SEA, {"Ship": 1, "Hulk": 30}),
            seed=str(seed),
            done={"ENG/F2": {"came_from": "North Sea"}},
        )
        assert played.unit("ENG/F2").place == played.unit("ENG/F1").place


@pytest.mark.clause("M6", "B10")
def test_a_drawn_sea_battle_is_not_fought_twice_in_a_phase() -> None:
    played = at_sea(unit("ENG/F1", SEA, {"Hulk": 1}), unit("FRA/F1", SEA, {"Hulk": 1}), by=sure_rules(round_limit=4))
    assert report(played).result == "drawn"
    assert {played.unit(key).place for key in ("ENG/F1", "FRA/F1")} == {SEA}


# -- wrecks and prizes (B11, B12) --------------------------------------------------------------------------------------


@pytest.mark.clause("B12")
def test_commanders_of_a_lost_fleet_go_to_another_own_fleet_there_else_are_lost() -> None:
    lost = unit("FRA/F1", SEA, {"Hulk": 2}, commanders=[commander("Jean")])
    by = sure_rules(round_limit=3)
    alone = at_sea(unit("ENG/F1", SEA, {"Ship": 1}), lost)
    assert [(each.commander, each.cause) for each in alone.only(CommandersChanged)] == [("Jean", "lost")]
    assert alone.unit("FRA/F1").empty
    other = unit("FRA/F2", SEA, {"Hulk": (0, 0, 0, 9, 0)})
    saved = at_sea(unit("ENG/F1", SEA, {"Ship": 1}), lost, other, by=by)
    assert [each.name for each in saved.unit("FRA/F2").commanders] == ["Jean"]
    assert not saved.only(CommandersChanged)
    assert report(saved).rescues == (Rescue(fleet="FRA/F1", army=None, commander="Jean", to="FRA/F2"),)


@pytest.mark.clause("B12")
def test_armies_of_a_lost_fleet_go_to_another_as_far_as_it_has_room() -> None:
    played = at_sea(
        unit("ENG/F1", SEA, {"Ship": 1}),
        unit("FRA/F1", SEA, {"Hulk": 2}),
        unit("FRA/A1", SEA, {"Heavy Cavalry": 1, "Heavy Infantry": 1, "Longbowmen": 1}, aboard="FRA/F1", marines=False),
        unit("FRA/F2", SEA, {"Hulk": (0, 0, 0, 2, 0)}),
        unit("FRA/A2", SEA, {"Heavy Infantry": 2}, aboard="FRA/F2", marines=False),
        by=sure_rules(round_limit=2),
    )
    assert played.unit("FRA/A1").aboard == "FRA/F2"
    assert dict(played.unit("FRA/A1").troops) == {"Heavy Infantry": (1, 0, 0, 0, 0), "Longbowmen": (1, 0, 0, 0, 0)}
    lost = [(each.troop, each.count, each.cause) for each in played.only(TroopsChanged) if each.unit == "FRA/A1"]
    assert lost == [("Heavy Cavalry", -1, "lost")]


@pytest.mark.clause("B12")
def test_an_army_without_any_ship_left_is_lost_with_its_commanders() -> None:
    played = at_sea(
        unit("ENG/F1", SEA, {"Ship": 2}),
        unit("FRA/F1", SEA, {"Hulk": 2}),
        unit("FRA/A1", SEA, {"Heavy Infantry": 3}, aboard="FRA/F1", marines=False, commanders=[commander("Jean")]),
        orders={"FRA": "units: {A1: {plan: [march: Paris]}}"},
    )
    assert played.unit("FRA/A1").empty
    assert [each.unit for each in played.only(ArmyLostAtSea)] == ["FRA/A1"]
    assert played.fate("FRA", "march: Paris") == ("failed", "lost-at-sea")
    assert ("FRA/A1", "Heavy Infantry", -3, "lost") in [
        (each.unit, each.troop, each.count, each.cause) for each in played.only(TroopsChanged)
    ]


@pytest.mark.clause("B12", "B11")
def test_a_fleet_that_sinks_of_its_wounds_while_retreating_leaves_its_people_where_it_went() -> None:
    for seed in range(60):
        played = at_sea(
            unit("ENG/F1", SEA, {"Royal Galleon": (0, 1, 0, 0, 0)}, retreat_level=1, commanders=[commander("John")]),
            unit("ENG/F2", "North Sea", {"Ship": 1}),
            unit("FRA/F1", SEA, {"Ship": 3, "Hulk": 20}),
            done={"ENG/F1": {"came_from": "North Sea"}},
            seed=str(seed),
        )
        if played.unit("ENG/F1").empty:
            break
    assert report(played).wounded[0].dies
    assert [each.name for each in played.unit("ENG/F2").commanders] == ["John"]


@pytest.mark.clause("B11")
def test_captured_ships_join_the_captors_fleet_there() -> None:
    played = at_sea(
        unit("ENG/F1", SEA, {"Ship": 4}), unit("ENG/F2", SEA, {"Ship": 5}), unit("FRA/F1", SEA, {"Prize": 3})
    )
    assert played.unit("ENG/F2").troops["Prize"] == (3, 0, 0, 0, 0)
    assert report(played).captures == (
        CaptureRoll(unit="FRA/F1", troop="Prize", chance=100, rolls=3, count=3, captor="ENG", into="ENG/F2"),
    )
    assert not played.only(FleetFormedByCapture)
    assert sum(each.count for each in played.only(TroopsChanged) if each.troop == "Prize") == 0


@pytest.mark.clause("B5", "B12")
def test_ships_fight_under_their_fleets_leader_and_marines_under_their_own() -> None:
    played = at_sea(
        unit("ENG/F1", SEA, {"Royal Galleon": 2}, commanders=[commander("Drake", naval=50)], leader="Drake"),
        unit(
            "ENG/A1",
            SEA,
            {"Elite Marines": 4},
            aboard="ENG/F1",
            commanders=[commander("John", infantry=90)],
            leader="John",
        ),
        unit("FRA/F1", SEA, {"Hulk": 1}),
        by=rules().evolve(troops={**rules().troops, "Hulk": sure_rules().troops["Hulk"]}),
    )
    marines, fleet, _ = report(played).units
    guard = rules().commanders.attacks * rules().commanders.combat
    assert fleet.total_combat == 172 * 5 // 4 + guard
    assert marines.total_combat == 174
    assert {each.tactic for each in report(played).skills} == {"naval", "infantry"}


@pytest.mark.clause("B13")
def test_marines_of_a_destroyed_fleet_fight_no_more() -> None:
    played = at_sea(
        unit("ENG/F1", SEA, {"Ship": 1}),
        unit("ENG/A1", SEA, {"Striker": (0, 0, 0, 2, 0)}, aboard="ENG/F1"),
        unit("ENG/F2", SEA, {"Hulk": (0, 0, 0, 0, 9)}),
        unit("FRA/F1", SEA, {"Ship": 1, "Hulk": 90}),
        by=sure_rules(round_limit=4),
    )
    found = report(played)
    assert len(rounds_of(found, "ENG/A1")) == 2
    assert played.unit("ENG/A1").aboard == "ENG/F2"
