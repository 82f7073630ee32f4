"""What administrative actions refuse, and that one refusal stops no other (F7)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gm.games.medieval.events.first import AmbassadorReceived, CommanderRenamed, UnitRenamed
from gm.games.medieval.orders.model import (
    Follow,
    Order,
    Orders,
    Rename,
    RenameCommander,
    SendAmbassador,
    SetLeader,
    SetMarines,
    UnitOrder,
    Written,
)
from gm.games.medieval.state import Unit
from gm.games.medieval.steps.administration import administrative_actions
from tests.medieval.testland import Played, commander, make_world, rules, run_steps, unit

HERE = Written(1, 1, "order")
LIMIT = rules().units.name_length


def administer(*units: Unit, headquarters: tuple[Order, ...] = (), orders: tuple[UnitOrder, ...] = ()) -> Played:
    sheet = Orders("ENG", 1, headquarters=headquarters, units=orders, contact="king@example.org")
    return run_steps(make_world(*units), [administrative_actions], {"ENG": sheet}, phase=0)


def reasons(played: Played) -> list[str]:
    return [reason for *_, reason in played.fates("ENG")]


@pytest.mark.clause("F7")
def test_a_unit_may_follow_one_of_two_that_follow_each_other() -> None:
    played = administer(
        unit("ENG/A1", "Kent", follow="A2"),
        unit("ENG/A2", "Kent", follow="A1"),
        unit("ENG/A3", "Kent"),
        orders=(Follow(HERE, "A3", "A1"),),
    )
    assert reasons(played) == [""]
    assert played.unit("ENG/A3").follow == "A1"


@pytest.mark.clause("F7")
def test_a_commander_is_renamed_only_if_he_serves_and_the_new_name_fits() -> None:
    john = unit("ENG/A1", "Kent", commanders=[commander("John")], leader="John")
    orders = (
        RenameCommander(HERE, "Nobody", "Somebody"),
        RenameCommander(HERE, "John", ""),
        RenameCommander(HERE, "John", "x" * (LIMIT + 1)),
        RenameCommander(HERE, "John", "x" * LIMIT),
    )
    played = administer(john, headquarters=orders)
    assert reasons(played) == ["commander-unknown", "name-too-long", "name-too-long", ""]
    assert [each.name for each in played.only(CommanderRenamed)] == ["x" * LIMIT]
    assert played.unit("ENG/A1").leader == "x" * LIMIT


@pytest.mark.clause("F7")
def test_a_new_name_changes_the_leader_of_no_unit_that_another_leads() -> None:
    played = administer(
        unit("ENG/A1", "Kent", commanders=[commander("John")]),
        unit("ENG/A2", "Kent", commanders=[commander("Hugh")], leader="Hugh"),
        unit("ENG/A3", "Kent", leader="John"),
        headquarters=(RenameCommander(HERE, "John", "Jack"),),
    )
    assert [played.unit(f"ENG/A{number}").leader for number in (1, 2, 3)] == [None, "Hugh", "Jack"]
    assert played.unit("ENG/A1").commanders[0].name == "Jack"


@pytest.mark.clause("F7")
def test_an_ambassador_to_oneself_arrives_nowhere() -> None:
    played = administer(headquarters=(SendAmbassador(HERE, "ENG"), SendAmbassador(HERE, "FRA")))
    assert [each.other for each in played.only(AmbassadorReceived)] == ["FRA"]
    assert [fate for _, fate, _ in played.fates("ENG")] == ["failed", "done"]


@pytest.mark.clause("F7")
def test_an_order_to_a_foreign_unit_stops_none_of_those_after_it() -> None:
    played = administer(unit("ENG/A1", "Kent"), orders=(SetMarines(HERE, "A77", False), SetMarines(HERE, "A1", False)))
    assert reasons(played) == ["unit-not-yours", ""]
    assert not played.unit("ENG/A1").marines


@pytest.mark.clause("F7")
def test_a_leader_must_serve_the_realm() -> None:
    played = administer(
        unit("ENG/A1", "Kent", commanders=[commander("John")], leader="John"),
        unit("FRA/A1", "Kent", commanders=[commander("Jean")]),
        orders=(SetLeader(HERE, "A1", "Jean"),),
    )
    assert reasons(played) == ["commander-unknown"]
    assert played.unit("ENG/A1").leader == "John"


@pytest.mark.clause("F7")
def test_a_name_that_is_too_long_is_cut_and_no_name_takes_it_away() -> None:
    named = unit("ENG/A1", "Kent", name="The Lions")
    for given, kept, reason in (("y" * (LIMIT + 2), "y" * LIMIT, "name-cut"), ("", None, ""), (None, None, "")):
        played = administer(named, orders=(Rename(HERE, "A1", given),))
        assert (played.unit("ENG/A1").name, reasons(played)) == (kept, [reason])
        assert [(each.unit, each.name) for each in played.only(UnitRenamed)] == [("ENG/A1", kept or "")]
    assert not administer(named, orders=(replace(SetMarines(HERE, "A1", False)),)).only(UnitRenamed)
