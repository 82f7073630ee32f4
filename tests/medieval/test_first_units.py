"""Forming, naming, arranging and dismissing units (F5-F7, F9, F10)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from gm.games.medieval.events.first import AmbassadorReceived, UnitFormed
from gm.games.medieval.events.ledger import CommandersChanged, TroopsChanged
from gm.games.medieval.orders.model import (
    Follow,
    FormUnit,
    Orders,
    RenameCommander,
    SendAmbassador,
    SetLeader,
    SetMarines,
    SetRetreatLevel,
    Written,
)
from gm.games.medieval.state import UnitProgress
from gm.games.medieval.steps.administration import administrative_actions
from gm.games.medieval.steps.turn import TreasuryChanged
from gm.games.medieval.steps.units import (
    new_armies_formed,
    new_fleets_formed,
    reassigned,
    troops_disbanded,
    troops_reassigned_to_ranks,
)
from tests.medieval.testland import commander, make_world, rules, run_steps, unit

HERE = Written(1, 1, "order")
FORM = [new_armies_formed, new_fleets_formed]


def form(maker: str, *new_ids: str) -> dict[str, str]:
    return {"ENG": f"units:\n  {maker}:\n    form:\n" + "".join(f"      {each}: The Lions\n" for each in new_ids)}


# -- F5, F6 ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("F5", "W5", "W6")
def test_garrisons_and_armies_form_armies_where_they_are():
    world = make_world(unit("ENG/A1", "Reims", {"Archers": 1}))
    for maker, place in (("London", "London"), ("A1", "Reims")):
        played = run_steps(world, FORM, form(maker, "A12"), phase=0)
        army = played.unit("ENG/A12")
        assert (army.place, army.name, army.empty, army.retreat_level) == (place, "The Lions", True, 5)
        assert played.world.done(army) == UnitProgress()
        assert played.fate("ENG", "A12") == ("done", "")
        assert [event.unit for event in played.only(UnitFormed)] == ["ENG/A12"]


@pytest.mark.clause("F5")
def test_an_army_aboard_forms_an_army_aboard_the_same_fleet():
    fleet = unit("ENG/F1", "Channel", {"Trading Cog": 1})
    aboard = unit("ENG/A1", "Channel", {"Archers": 2}, aboard="ENG/F1")
    army = run_steps(make_world(fleet, aboard), FORM, form("A1", "A2"), phase=0).unit("ENG/A2")
    assert (army.place, army.aboard) == ("Channel", "ENG/F1")


@pytest.mark.clause("F6", "W5")
def test_fleets_form_fleets_and_so_do_garrisons_with_city_and_harbour():
    world = make_world(unit("ENG/F1", "North Sea", {"Trading Cog": 1}))
    assert run_steps(world, FORM, form("London", "F7"), phase=0).unit("ENG/F7").place == "London"
    assert run_steps(world, FORM, form("F1", "F7"), phase=0).unit("ENG/F7").place == "North Sea"
    inland = make_world(provinces={"London": {"harbour": False}})
    played = run_steps(inland, FORM, form("London", "F7"), phase=0)
    assert played.fate("ENG", "F7") == ("failed", "fleet-needs-city-harbour")


@pytest.mark.clause("F5", "F6")
def test_fleets_form_no_armies_and_armies_no_fleets():
    world = make_world(unit("ENG/F1", "North Sea", {"Trading Cog": 1}), unit("ENG/A1", "Kent", {"Archers": 1}))
    assert run_steps(world, FORM, form("F1", "A7"), phase=0).fate("ENG", "A7") == ("failed", "fleet-forms-army")
    assert run_steps(world, FORM, form("A1", "F7"), phase=0).fate("ENG", "F7") == ("failed", "army-forms-fleet")


@pytest.mark.clause("F5", "W5")
def test_the_number_must_be_free_also_of_a_unit_formed_just_now():
    world = make_world(unit("ENG/A1", "Kent", {"Archers": 1}))
    orders = form("London", "A1")
    assert run_steps(world, FORM, orders, phase=0).fate("ENG", "A1") == ("failed", "number-taken")
    orders = {
        "ENG": "units:\n  London:\n    form: {A5: }\n  A1:\n    form: {A6: Second}\n  A5:\n    form: {A7: Third}\n"
    }
    played = run_steps(world, FORM, orders, phase=0)
    assert [fate for _, fate, _ in played.fates("ENG")] == ["done"] * 3
    assert played.unit("ENG/A7").place == "London"


@pytest.mark.clause("F7")
def test_a_name_too_long_is_cut():
    sheet = Orders("ENG", 1, units=(FormUnit(HERE, "London", "A5", "x" * 60),))
    played = run_steps(make_world(), FORM, {"ENG": sheet}, phase=0)
    assert played.fate("ENG", "order") == ("reduced", "name-cut")
    assert played.unit("ENG/A5").name == "x" * rules().units.name_length


# -- F7 ----------------------------------------------------------------------------------------------------------------


def administer(world, orders: str):
    return run_steps(world, [administrative_actions], {"ENG": orders}, phase=0)


@pytest.mark.clause("F7", "W6")
def test_names_levels_marines_and_leaders_change_without_move_points():
    world = make_world(unit("ENG/A1", "Kent", {"Archers": 1}, commanders=[commander("Sir John")]))
    played = administer(world, "units:\n  A1: {name: The Lions, retreat_level: 3, marines: no, leader: Sir John}\n")
    army = played.unit("ENG/A1")
    assert (army.name, army.retreat_level, army.marines, army.leader) == ("The Lions", 3, False, "Sir John")
    assert played.world.done(army) == UnitProgress()
    assert {fate for _, fate, _ in played.fates("ENG")} == {"done"}


@pytest.mark.clause("F7")
def test_a_unit_without_chosen_leader_has_none():
    army = unit("ENG/A1", "Kent", commanders=[commander("Sir John")])
    assert army.lead_commander is None
    led = unit("ENG/A1", "Kent", commanders=[commander("Sir John")], leader="Sir John")
    played = administer(make_world(led), "units:\n  A1: {leader: none}\n")
    assert played.unit("ENG/A1").leader is None


@pytest.mark.clause("F7", "F8")
def test_a_leader_may_be_chosen_before_he_arrives():
    garrison = unit("ENG/G1", "London", commanders=[commander("Sir John")])
    world = make_world(garrison, unit("ENG/A1", "London", {"Archers": 1}))
    played = administer(world, "units:\n  A1: {leader: Sir John}\n")
    assert played.unit("ENG/A1").leader == "Sir John"
    assert played.unit("ENG/A1").lead_commander is None


@pytest.mark.clause("F7")
def test_units_follow_own_units_only_and_never_in_a_circle():
    units = [unit(f"ENG/A{number}", "Kent", {"Archers": 1}) for number in (1, 2, 3)]
    world = make_world(*units, unit("FRA/A9", "Kent", {"Archers": 1}))
    played = administer(world, "units:\n  A1: {follow: A2}\n  A2: {follow: A3}\n  A3: {follow: A1}\n")
    assert [played.unit(each.key).follow for each in units] == ["A2", "A3", None]
    assert played.fate("ENG", "A3 follow") == ("failed", "follow-in-circle")
    sheet = Orders("ENG", 1, units=(Follow(Written(1, 1, "A1 follow: A9"), "A1", "A9"),))
    foreign = run_steps(world, [administrative_actions], {"ENG": sheet}, phase=0)
    assert foreign.fate("ENG", "A9") == ("failed", "unit-not-yours")
    alone = administer(played.world, "units:\n  A1: {follow: none}\n")
    assert alone.unit("ENG/A1").follow is None


@pytest.mark.clause("F7")
def test_a_unit_does_not_follow_itself():
    world = make_world(unit("ENG/A1", "Kent", {"Archers": 1}))
    sheet = Orders("ENG", 1, units=(Follow(Written(1, 1, "A1 follow: A1"), "A1", "A1"),))
    played = run_steps(world, [administrative_actions], {"ENG": sheet}, phase=0)
    assert played.fate("ENG", "follow") == ("failed", "follow-in-circle")


@pytest.mark.clause("F7", "W5")
def test_what_makes_no_sense_for_a_unit_is_refused():
    world = make_world(unit("ENG/A1", "Kent", {"Archers": 1}))
    orders = (
        SetRetreatLevel(HERE, "London", 3),
        SetRetreatLevel(HERE, "A1", 6),
        Follow(HERE, "London", "A1"),
        SetMarines(HERE, "London", False),
        SetMarines(HERE, "A9", False),
    )
    played = run_steps(world, [administrative_actions], {"ENG": Orders("ENG", 1, units=orders)}, phase=0)
    assert [reason for *_, reason in played.fates("ENG")] == [
        "garrison-stays",
        "retreat-level-out-of-range",
        "garrison-stays",
        "marines-are-armies",
        "unit-not-yours",
    ]


@pytest.mark.clause("F7")
def test_a_commander_gets_a_new_name_that_nobody_else_has_and_leads_on():
    army = unit("ENG/A1", "Kent", commanders=[commander("Sir John"), commander("Hugh")], leader="Sir John")
    orders = (RenameCommander(HERE, "Sir John", "Lord John"), RenameCommander(HERE, "Hugh", "Lord John"))
    sheet = Orders("ENG", 1, headquarters=orders, units=(SetLeader(HERE, "A1", "Sir John"),))
    played = run_steps(make_world(army), [administrative_actions], {"ENG": sheet}, phase=0)
    renamed = played.unit("ENG/A1")
    assert [who.name for who in renamed.commanders] == ["Lord John", "Hugh"]
    assert renamed.leader == "Lord John"
    assert [reason for *_, reason in played.fates("ENG")] == ["", "commander-name-taken", ""]


@pytest.mark.clause("F7", "W8")
def test_an_ambassador_shows_the_contact_address_to_that_realm_alone():
    sheet = Orders("ENG", 1, headquarters=(SendAmbassador(HERE, "FRA"),), contact="king@example.org")
    played = run_steps(make_world(), [administrative_actions], {"ENG": sheet}, phase=0)
    (arrived,) = played.only(AmbassadorReceived)
    assert (arrived.realm, arrived.contact) == ("ENG", "king@example.org")
    assert arrived.visible_to("FRA")
    assert not arrived.visible_to("DEN")
    assert played.fate("ENG", "order") == ("done", "")


# -- F9 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("F9", "W6")
@pytest.mark.parametrize(
    ("have", "wanted", "after", "too_many"),
    [
        ((6, 0, 0, 0, 0), {4: 4}, (2, 0, 0, 4, 0), 0),
        ((6, 0, 0, 0, 0), {1: 1, 5: 5}, (1, 0, 0, 0, 5), 0),
        ((0, 0, 0, 6, 0), {1: 2}, (2, 0, 0, 4, 0), 0),
        ((2, 0, 3, 1, 0), {3: 1, 4: 2}, (1, 0, 3, 2, 0), 0),
        ((4, 0, 0, 0, 0), {1: 2, 3: 2, 5: 3}, (2, 0, 2, 0, 0), 3),
        ((4, 0, 0, 0, 0), {2: 9}, (0, 4, 0, 0, 0), 5),
    ],
)
def test_named_troops_change_rank_and_the_others_stay(have, wanted, after, too_many):
    assert reassigned(have, wanted) == (after, too_many)


@pytest.mark.clause("F9")
def test_too_many_named_are_cut_from_the_last_rank_and_reported():
    world = make_world(unit("ENG/A1", "Kent", {"Archers": 4}))
    orders = "units:\n  A1:\n    ranks: {Archers: {1: 3, 5: 3}, Longbowmen: {1: 1}}\n"
    played = run_steps(world, [troops_reassigned_to_ranks], {"ENG": orders}, phase=0)
    assert played.unit("ENG/A1").troops["Archers"] == (3, 0, 0, 0, 1)
    assert played.fate("ENG", "Archers") == ("reduced", "ranks-cut")
    assert played.fate("ENG", "Longbowmen") == ("failed", "ranks-no-troops")


# -- F10 ---------------------------------------------------------------------------------------------------------------


def disband(world, orders: str):
    return run_steps(world, [troops_disbanded], {"ENG": orders}, phase=0)


@pytest.mark.clause("F10")
def test_soldiers_are_disbanded_for_nothing():
    world = make_world(unit("ENG/A1", "Kent", {"Archers": (2, 0, 0, 0, 2)}))
    played = disband(world, "units:\n  A1: {disband: {Archers: 3}}\n")
    assert played.unit("ENG/A1").troops["Archers"] == (1, 0, 0, 0, 0)
    assert played.world.realms["ENG"].treasury == 100
    (change,) = played.only(TroopsChanged)
    assert (change.count, change.cause) == (-3, "disbanded")


@pytest.mark.clause("F10", "W10")
def test_siege_machines_and_ships_in_a_province_give_a_third_of_their_cost():
    garrison = unit("ENG/G1", "London", {"Trading Cog": 3, "Siege Machine": 2})
    played = disband(make_world(garrison), "units:\n  London: {disband: {Trading Cog: 3, Siege Machine: 2}}\n")
    # a cog costs 4: 1.33 each; a siege machine 6: 2 each
    assert [change.amount for change in played.only(TreasuryChanged)] == [Decimal("3.99"), Decimal("4.00")]
    assert played.world.realms["ENG"].treasury == Decimal("107.99")
    assert played.unit("ENG/G1").empty


@pytest.mark.clause("F10")
def test_ships_at_sea_give_nothing():
    world = make_world(unit("ENG/F1", "Channel", {"Trading Cog": 2}))
    played = disband(world, "units:\n  F1: {disband: {Trading Cog: 2}}\n")
    assert not played.only(TreasuryChanged)
    assert played.unit("ENG/F1").empty


@pytest.mark.clause("F10")
def test_more_than_there_are_is_reduced_and_none_fails():
    world = make_world(unit("ENG/A1", "Kent", {"Archers": 2}))
    played = disband(world, "units:\n  A1: {disband: {Archers: 5, Longbowmen: 1}}\n")
    assert played.fate("ENG", "Archers") == ("reduced", "troops-fewer")
    assert played.fate("ENG", "Longbowmen") == ("failed", "disband-no-troops")


@pytest.mark.clause("F10")
def test_commanders_are_dismissed_too():
    army = unit("ENG/A1", "Kent", commanders=[commander("Sir John"), commander("Hugh")], leader="Sir John")
    played = disband(make_world(army), "units:\n  A1: {disband_commanders: [Sir John]}\n")
    assert [who.name for who in played.unit("ENG/A1").commanders] == ["Hugh"]
    assert played.unit("ENG/A1").leader is None
    assert [(change.commander, change.count) for change in played.only(CommandersChanged)] == [("Sir John", -1)]
