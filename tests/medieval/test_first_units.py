"""Forming, naming, arranging and dismissing units (F5-F7, F9, F10)."""

from __future__ import annotations

import pytest

from gm.games.medieval.events.first import AmbassadorReceived, UnitFormed
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
from gm.games.medieval.steps.units import (
    new_armies_formed,
    new_fleets_formed,
    reassigned,
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
