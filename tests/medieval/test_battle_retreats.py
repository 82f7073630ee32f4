"""Retreats: who, when, where to, and what it costs (B9-B9.2, B7.1, P7, W13, X8, X18, X23)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gm.games.medieval.combat.battle import Field
from gm.games.medieval.combat.retreats import invaders_retreat, units_retreat
from gm.games.medieval.combat.setup import land_battle
from gm.games.medieval.events.battle import CommanderTakenAboard, UnitDestroyed, UnitRetreated
from gm.games.medieval.handbook.figures import RuleFigures
from gm.games.medieval.state import INDEPENDENTS, Unit
from gm.games.medieval.steps.battles import sea_battles_fought
from tests.medieval.testland import Played, atlas, commander, make_turn, make_world, rules, unit
from tests.medieval.warfare import damage_caused, fought, outcome_of, report, reports, rounds_of, sure_rules

WAR = [("ENG", "FRA")]


def in_reims(*units: Unit, done: Any = None, orders: Any = None, by: Any = None, **more: Any) -> Played:
    """A battle in French Reims between an English army in retreat and the French; Flanders is English."""
    world = make_world(*units, **{"war": WAR, "owners": {"Flanders": "ENG"}, **more})
    return fought(world, done=done, orders=orders, by=by)


def coward(key: str = "ENG/A1", **more: Any) -> Unit:
    """Nobody in rank 1 and retreat level 1: retreats after round 1."""
    return unit(key, "Reims", {"Striker": (0, 9, 0, 0, 0)}, retreat_level=1, **more)


STRIKERS = unit("FRA/A1", "Reims", {"Striker": 4})


@pytest.mark.clause("X8", "B9", "B7.1", "B7")
def test_an_army_with_an_empty_front_retreats_after_round_one_and_takes_the_hits_beyond_the_peasant() -> None:
    played = in_reims(
        unit("ENG/A1", "Reims", {"Target": 1}), coward("ENG/A2"), unit("FRA/A1", "Reims", {"Striker": 30})
    )
    found = report(played)
    assert rounds_of(found, "ENG/A1")[0].taken == 1
    assert rounds_of(found, "ENG/A2")[0].taken == 9
    assert outcome_of(found, "ENG/A2") == "destroyed"
    fewer = in_reims(unit("ENG/A1", "Reims", {"Target": 1}), coward("ENG/A2"), STRIKERS)
    assert outcome_of(report(fewer), "ENG/A2") == "retreated"
    assert len(rounds_of(report(fewer), "ENG/A2")) == 1
    assert fewer.unit("ENG/A2").count("Striker") == 6
    assert report(fewer).rounds[0].retreats[0].casualties[0].count == 3


@pytest.mark.clause("X23", "B7.1", "B9")
def test_forty_hits_on_a_lone_peasant_strike_the_army_behind_him_that_retreats() -> None:
    played = in_reims(
        unit("ENG/A1", "Reims", {"Peasant Rabble": 1}, retreat_level=5),
        unit("ENG/A2", "Reims", {"Target": (0, 20, 20, 20, 0)}, retreat_level=1),
        unit("FRA/A1", "Reims", {"Striker": 40}),
    )
    found = report(played)
    assert damage_caused(rounds_of(found, "FRA/A1")[0]) == 40
    assert outcome_of(found, "ENG/A2") == "retreated"
    assert played.unit("ENG/A2").count("Target") in (20, 21)  # 39.1 damage: the last one may die of the wound
    assert outcome_of(found, "ENG/A1") == "destroyed"


@pytest.mark.clause("B9")
def test_a_unit_tries_to_retreat_once_its_ranks_up_to_the_level_are_marked() -> None:
    army = unit("ENG/A1", "Reims", {"Target": (2, 5, 30, 0, 0)}, retreat_level=2)
    found = report(in_reims(army, STRIKERS))
    assert [each.number for each in found.rounds if each.retreats] == [2]
    hardy = army.evolve(retreat_level=3)
    assert [each.number for each in report(in_reims(hardy, STRIKERS)).rounds if each.retreats] == []


@pytest.mark.clause("B9")
def test_a_unit_of_which_all_are_marked_does_not_get_away() -> None:
    army = unit("ENG/A1", "Reims", {"Target": 3}, retreat_level=1)
    found = report(in_reims(army, STRIKERS))
    assert outcome_of(found, "ENG/A1") == "destroyed"


PEASANT = unit("ENG/A1", "Reims", {"Target": (0, 1, 0, 0, 0)}, retreat_level=1)


@pytest.mark.clause("B9", "B4")
@pytest.mark.parametrize(
    ("ranks", "level", "rounds"),
    [
        ((0, 1, 0, 0, 0), 1, 1),  # chapter 6: one round, then he retreats
        ((1, 1, 0, 0, 0), 1, 1),
        ((1, 0, 0, 0, 0), 1, 2),  # nobody is behind the level: he strikes until he is removed
        ((1, 0, 0, 0, 0), 5, 2),  # the FAQ's lone peasant
        ((0, 0, 0, 0, 1), 5, 2),
    ],
)
def test_a_marked_soldier_behind_the_retreat_level_fights_no_second_round(
    ranks: tuple[int, ...], level: int, rounds: int
) -> None:
    """14.C24: who stands behind the level leaves with his unit, marked or not; who has nobody behind him stays."""
    played = in_reims(unit("ENG/A1", "Reims", {"Striker": ranks}, retreat_level=level), STRIKERS)
    found = report(played)
    assert len(found.rounds) == rounds
    assert [each.unit for each in found.rounds[0].retreats] == (["ENG/A1"] if rounds == 1 else [])
    assert (outcome_of(found, "ENG/A1"), played.unit("ENG/A1").empty) == ("destroyed", True)
    assert [each.unit for each in played.only(UnitDestroyed)] == ["ENG/A1"]
    assert not played.only(UnitRetreated)


@pytest.mark.clause("B9")
def test_the_other_reading_of_the_marked_is_a_switch_of_the_rules() -> None:
    """14.C24: a game master who reads it otherwise changes the data, and the handbook says what holds."""
    assert len(report(in_reims(PEASANT, STRIKERS, by=sure_rules(marked_retreat=False))).rounds) == 2
    for held, says in ((True, "Whoever stands behind the retreat level goes"), (False, "retreats no more")):
        ruled = rules().evolve(battle=rules().battle.evolve(marked_retreat=held))
        assert says in RuleFigures(ruled, atlas())("rule.marked_retreat")


@pytest.mark.clause("B9", "X18")
def test_nobody_follows_a_unit_that_did_not_get_away() -> None:
    """14.C24: the follower of the marked stays, as when the unit that he follows is destroyed."""
    loyal = unit("ENG/A2", "Reims", {"Target": (0, 0, 0, 0, 9)}, follow="A1")
    found = report(in_reims(PEASANT, loyal, STRIKERS))
    assert outcome_of(found, "ENG/A2") == "destroyed"


@pytest.mark.clause("B9", "B12")
def test_a_fleet_whose_marked_turn_to_flee_leaves_its_admiral_to_another_there() -> None:
    """14.C24: at sea the fleet is destroyed where it was."""
    played = fought(
        make_world(
            unit("ENG/F1", "Channel", {"Hulk": (0, 1, 0, 0, 0)}, retreat_level=1, commanders=[commander("Drake")]),
            unit("ENG/F2", "Channel", {"Ship": (0, 0, 0, 0, 6)}),
            unit("FRA/F1", "Channel", {"Ship": 2}),
            war=WAR,
        ),
        sea_battles_fought,
    )
    assert [each.commander for each in played.only(CommanderTakenAboard)] == ["Drake"]


@pytest.mark.clause("B9", "M10")
def test_garrisons_and_defenders_of_walls_never_retreat() -> None:
    world = make_world(
        unit("ENG/A1", "Minsk", {"Striker": 1}),
        unit("LIT/A1", "Minsk", {"Target": (0, 3, 0, 0, 0)}, retreat_level=1),
        unit("LIT/A2", "Minsk", {"Target": (0, 3, 0, 0, 0)}, retreat_level=1, defend_fortifications=False),
        unit("LIT/G1", "Minsk", {"Target": (0, 3, 0, 0, 0)}, retreat_level=1),
        war=[("ENG", "LIT")],
    )
    found = report(fought(world))
    assert [outcome_of(found, key) for key in ("LIT/A1", "LIT/A2", "LIT/G1")] == ["destroyed", "retreated", "destroyed"]
    ruin = world.with_provinces(world.provinces["Minsk"].evolve(fortification_damage=2))
    assert outcome_of(report(fought(ruin)), "LIT/A1") == "retreated"


@pytest.mark.clause("B9", "W7")
def test_independents_never_leave() -> None:
    world = make_world(
        unit("ENG/A1", "Flanders", {"Striker": 1}),
        unit(f"{INDEPENDENTS}/A1", "Flanders", {"Target": (0, 3, 0, 0, 0)}, retreat_level=1),
        owners={"Reims": INDEPENDENTS},
    )
    assert outcome_of(report(fought(world)), "IND/A1") == "destroyed"


@pytest.mark.clause("B9")
def test_a_follower_goes_when_its_leader_goes_whatever_its_own_level() -> None:
    played = in_reims(coward(), unit("ENG/A2", "Reims", {"Target": (9, 0, 0, 0, 0)}, follow="A1"), STRIKERS)
    assert played.unit("ENG/A2").place == played.unit("ENG/A1").place == "Flanders"
    steadfast = in_reims(
        unit("ENG/A1", "Reims", {"Target": 9}),
        coward("ENG/A2", follow="A1"),
        STRIKERS,
        by=sure_rules(round_limit=4),
    )
    assert rounds_of(report(steadfast), "ENG/A2")[-1].retreat_level == 1
    assert [len(rounds_of(report(steadfast), "ENG/A2"))] == [len(report(steadfast).rounds)]


@pytest.mark.clause("B9")
def test_followers_of_followers_go_together() -> None:
    played = in_reims(
        unit("ENG/A1", "Reims", {"Target": 9}, follow="A2"),
        unit("ENG/A2", "Reims", {"Target": 9}, follow="A3"),
        coward("ENG/A3"),
        STRIKERS,
    )
    assert {played.unit(f"ENG/A{n}").place for n in (1, 2, 3)} == {"Flanders"}
    assert len(report(played).rounds) == 1


@pytest.mark.clause("B9")
def test_following_a_unit_that_is_not_in_the_battle_means_nothing() -> None:
    played = in_reims(coward(follow="A7"), unit("ENG/A7", "Kent", {"Target": 1}), STRIKERS)
    assert played.unit("ENG/A1").place == "Flanders"


@pytest.mark.clause("X18", "B9")
def test_a_follower_of_a_destroyed_unit_dies_where_it_stands() -> None:
    played = in_reims(
        unit("ENG/A1", "Reims", {"Target": 1}), coward("ENG/A2", follow="A1"), unit("FRA/A1", "Reims", {"Twin": 20})
    )
    found = report(played)
    assert outcome_of(found, "ENG/A1") == outcome_of(found, "ENG/A2") == "destroyed"
    assert played.unit("ENG/A2").place == "Reims"


@pytest.mark.clause("B9.1")
def test_it_goes_back_where_it_came_from_else_to_a_drawn_neighbour() -> None:
    owners = {"Flanders": "ENG", "Paris": "ENG"}
    back = in_reims(coward(), STRIKERS, owners=owners, done={"ENG/A1": {"came_from": "Paris"}})
    assert back.unit("ENG/A1").place == "Paris"
    seen = set()
    for seed in range(20):
        world = make_world(coward(), STRIKERS, war=WAR, owners=owners)
        seen.add(fought(world, seed=str(seed)).unit("ENG/A1").place)
    assert seen == {"Flanders", "Paris"}


@pytest.mark.clause("B9.1", "W13")
def test_not_where_enemy_troops_are_but_ships_and_empty_units_do_not_count() -> None:
    def goes_to(*there: Unit) -> str:
        return in_reims(coward(), STRIKERS, *there).unit("ENG/A1").place

    assert goes_to() == "Flanders"
    assert goes_to(unit("FRA/A2", "Flanders", {"Target": 1})) == "Reims"
    assert goes_to(unit("FRA/A2", "Flanders", commanders=[commander()])) == "Reims"
    assert goes_to(unit("FRA/A2", "Flanders")) == "Flanders"
    fleet = unit("FRA/F1", "Flanders", {"Ship": 1})
    assert goes_to(fleet) == "Flanders"
    assert goes_to(fleet, unit("FRA/A2", "Flanders", {"Target": 1}, aboard="FRA/F1")) == "Reims"


@pytest.mark.clause("B9.1")
def test_not_where_it_has_no_permission_and_never_across_mountains_or_to_sea() -> None:
    nowhere = in_reims(coward(), STRIKERS, owners={"Flanders": "AQU"})
    assert outcome_of(report(nowhere), "ENG/A1") != "retreated"
    granted = in_reims(coward(), STRIKERS, owners={"Flanders": "AQU"}, realms={"AQU": {"passage": frozenset({"ENG"})}})
    assert granted.unit("ENG/A1").place == "Flanders"
    alone = make_world(
        unit("ENG/A1", "Bordeaux", {"Striker": (0, 9, 0, 0, 0)}, retreat_level=1, defend_fortifications=False),
        unit("AQU/G1", "Bordeaux", {"Striker": 2}),
        war=[("AQU", "ENG")],
        owners={"Savoy": "ENG"},
    )
    assert fought(alone).unit("ENG/A1").place == "Bordeaux"


@pytest.mark.clause("B9.1")
def test_landed_troops_go_to_a_province_or_stay_but_never_back_to_their_ships() -> None:
    marks = {"ENG/A1": {"landed": True, "landed_phase": 1, "came_from": "Paris"}}
    owners = {"Flanders": "ENG", "Paris": "ENG"}
    seen = set()
    for seed in range(20):
        world = make_world(coward(), STRIKERS, war=WAR, owners=owners)
        seen.add(fought(world, seed=str(seed), done=marks).unit("ENG/A1").place)
    assert seen == {"Flanders", "Paris"}
    stuck = in_reims(coward(), STRIKERS, owners={}, done=marks)
    assert stuck.unit("ENG/A1").place == "Reims"


@pytest.mark.clause("B9.1", "W12")
def test_things_count_as_they_stand_when_it_retreats() -> None:
    world = make_world(
        unit("ENG/A1", "Reims", {"Target": (0, 9, 0, 0, 0)}, retreat_level=1),
        unit("FRA/A1", "Reims", {"Target": (0, 9, 0, 0, 0)}, retreat_level=1),
        war=WAR,
        owners={"Reims": "AQU", "Paris": "AQU"},
        provinces={"Flanders": {"owner": "AQU"}},
        realms={"AQU": {"passage": frozenset({"ENG", "FRA"})}},
    )
    marks = {"ENG/A1": {"came_from": "Flanders"}, "FRA/A1": {"came_from": "Flanders"}}
    played = fought(world, done=marks)
    assert played.unit("ENG/A1").place == "Flanders"  # the first in the order of W12
    assert played.unit("FRA/A1").place == "Paris"
    assert report(played).result == "nobody"


@pytest.mark.clause("B9.2", "P7")
def test_a_retreated_unit_has_no_move_points_and_no_orders_left_and_takes_no_more_damage() -> None:
    orders = {"ENG": "units: {A1: {plan: [march: Kent, pillage, transfer: {to: A2, troops: {Heavy Infantry: 1}}]}}"}
    reserve = unit("ENG/A2", "Reims", {"Target": (0, 0, 9, 0, 0)})
    army = unit("ENG/A1", "Reims", {"Heavy Infantry": (0, 9, 0, 0, 0)}, retreat_level=1)
    world = make_world(army, reserve, STRIKERS, war=WAR, owners={"Flanders": "ENG"})
    played = fought(world, orders=orders)
    done = played.world.done("ENG/A1")
    assert done.retreated
    assert done.spent
    assert [fate for _, *fate in played.fates("ENG")] == [["failed", "retreated-from-battle"]] * 3
    assert [(each.unit, each.place, each.to) for each in played.only(UnitRetreated)] == [
        ("ENG/A1", "Reims", "Flanders")
    ]
    assert len(rounds_of(report(played), "ENG/A1")) == 1


@pytest.mark.clause("B9.1", "M12")
def test_an_army_aboard_a_docked_fleet_fights_and_does_not_retreat() -> None:
    world = make_world(
        unit("ENG/F1", "London", {"Hulk": 5}),
        unit("ENG/A1", "London", {"Target": (0, 3, 0, 0, 0)}, aboard="ENG/F1", retreat_level=1),
        unit("FRA/A1", "London", {"Striker": 1}),
        war=WAR,
        provinces={"London": {"fortification": 0}},
    )
    played = fought(world)
    assert outcome_of(report(played), "ENG/A1") == "destroyed"
    assert played.unit("ENG/F1").count("Hulk") == 5
    assert [each.unit for each in report(played).units] == ["ENG/A1", "FRA/A1"]


@pytest.mark.clause("B9", "W12")
@pytest.mark.parametrize("leave", [units_retreat, invaders_retreat])
def test_for_who_has_left_no_other_way_is_drawn(leave: Any) -> None:
    """The drawn places are on the report's list of dice, and whoever is drawn for next depends on them."""
    owners = dict.fromkeys(("Flanders", "Paris", "Bordeaux", "Kent"), "ENG")
    # the French want to leave as well, and cannot
    world = make_world(coward(), coward("FRA/A1"), war=WAR, owners=owners)
    field = Field(replace(make_turn(world), rules=sure_rules()))
    battle = land_battle(field, "Reims")
    assert battle is not None
    for contingent in battle.contingents:
        contingent.invader = contingent.realm == "ENG"
    assert [each.unit for each in leave(battle)] == ["ENG/A1"]
    assert (leave(battle), len(battle.dice("retreat").outcomes)) == ((), 1)


@pytest.mark.clause("B9", "M6.1")
def test_a_follower_goes_as_soon_as_it_can_though_its_leader_left_long_before() -> None:
    world = make_world(
        unit("ENG/F1", "Channel", {"Ship": (0, 1, 0, 0, 0)}, retreat_level=1),
        unit("ENG/F2", "Channel", {"Ship": 1}, follow="F1"),
        unit("FRA/A1", "Channel", {"Target": 1}, aboard="ENG/F2"),
        unit("FRA/F1", "Channel", {"Hulk": (0, 0, 0, 0, 50)}),
        war=WAR,
    )
    found = report(fought(world, sea_battles_fought))
    assert [(each.number, *(gone.unit for gone in each.retreats)) for each in found.rounds] == [
        (1, "ENG/F1"),
        (2, "ENG/F2"),
    ]


@pytest.mark.clause("B10", "M6")
def test_those_who_parted_undecided_fight_again_where_they_meet_again() -> None:
    hulks = {"Hulk": 1}
    world = make_world(unit("ENG/F1", "North Sea", hulks), unit("FRA/F1", "North Sea", hulks), war=WAR)
    came = {"came_from": "Channel", "marched_phase": 1}
    played = fought(world, sea_battles_fought, done={"ENG/F1": came, "FRA/F1": came}, by=sure_rules(round_limit=2))
    assert [(each.place, each.result) for each in reports(played)] == [("North Sea", "drawn"), ("Channel", "drawn")]
