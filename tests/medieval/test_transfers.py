"""Transfers: where, to whom, what, and the move-points that go along (F8, M1, O6, P6)."""

from __future__ import annotations

import pytest

from gm.core.values import FrozenMap
from gm.games.medieval.events.ledger import CommandersChanged, TroopsChanged
from gm.games.medieval.events.movement import TroopsTransferred
from gm.games.medieval.orders.model import March, Transfer
from gm.games.medieval.steps.transfers import same_location_transfers, transfers_happen
from tests.medieval.marks import retreated, spent
from tests.medieval.movement import done, left, move, plans, sheet_of, written
from tests.medieval.testland import commander, make_world, run_steps, unit

FOOT = {"Men-at-Arms": 3}


def give(to, troops="Men-at-Arms: 2", commanders=""):
    more = f", commanders: [{commanders}]" if commanders else ""
    return f"transfer: {{to: {to}, troops: {{{troops}}}{more}}}"


@pytest.mark.clause("F8")
def test_transfers_in_one_place_happen_before_any_movement():
    world = make_world(unit("ENG/G1", "London", {"Men-at-Arms": 5}), unit("ENG/A1", "London"))
    played = run_steps(world, [same_location_transfers], {"ENG": plans(London=[give("A1")])}, phase=0)
    assert played.unit("ENG/A1").count("Men-at-Arms") == 2
    assert played.unit("ENG/G1").count("Men-at-Arms") == 3
    assert played.only(TroopsTransferred) == [
        TroopsTransferred(
            realm="ENG", giver="ENG/G1", receiver="ENG/A1", place="London", troops={"Men-at-Arms": 2}, commanders=()
        )
    ]
    assert not played.only(TroopsChanged)


@pytest.mark.clause("F8", "W12")
def test_givers_follow_in_order_each_moving_what_it_holds_at_that_moment():
    world = make_world(unit("ENG/A1", "Kent", {"Men-at-Arms": 1}), unit("ENG/A2", "Kent"), unit("ENG/A3", "Kent"))
    backward = {"ENG": plans(A2=[give("A3", "Men-at-Arms: 1")], A1=[give("A2", "Men-at-Arms: 1")])}
    played = run_steps(world, [same_location_transfers], backward, phase=0)
    assert played.unit("ENG/A3").count("Men-at-Arms") == 1


@pytest.mark.clause("F8", "O2")
def test_less_than_ordered_is_reduced_and_nothing_at_all_fails():
    world = make_world(unit("ENG/A1", "Kent", {"Men-at-Arms": 1}), unit("ENG/A2", "Kent"))
    played = move(world, {"ENG": plans(A1=[give("A2", "Men-at-Arms: 4"), give("A2", "Men-at-Arms: 1")])})
    assert [(fate, reason) for _, fate, reason in played.fates("ENG")] == [
        ("reduced", "has-fewer-troops"),
        ("failed", "has-fewer-troops"),
    ]
    assert played.unit("ENG/A2").count("Men-at-Arms") == 1


@pytest.mark.clause("M1")
def test_a_transfer_in_a_later_phase_meets_the_receiver_on_the_way():
    world = make_world(unit("ENG/A1", "London", FOOT), unit("ENG/A2", "Kent"))
    played = move(world, {"ENG": plans(A1=["march: Kent", give("A2")])})
    assert played.unit("ENG/A2").count("Men-at-Arms") == 2
    assert [event.phase for event in played.only(TroopsTransferred)] == [2]


@pytest.mark.clause("M1")
def test_a_fleet_in_the_next_sea_is_another_place_and_a_docked_one_is_not():
    cog = {"Trading Cog": 2}
    docked = make_world(unit("ENG/F1", "London", cog), unit("ENG/A1", "London", FOOT, aboard="ENG/F1"))
    played = move(docked, {"ENG": plans(A1=[give("London")])})
    assert played.world.garrison("London").count("Men-at-Arms") == 2
    at_sea = make_world(unit("ENG/F1", "North Sea", cog), unit("ENG/A1", "North Sea", FOOT, aboard="ENG/F1"))
    played = move(at_sea, {"ENG": plans(A1=[give("London")])})
    assert played.fate("ENG", "transfer") == ("failed", "receiver-elsewhere")


@pytest.mark.clause("M1", "W5")
@pytest.mark.parametrize(
    ("giver", "receiver", "troop", "reason"),
    [
        ("F1", "A1", "Trading Cog", "ships-not-in-armies"),
        ("A1", "F1", "Men-at-Arms", "soldiers-not-in-fleets"),
        ("F1", "Kent", "Trading Cog", "garrison-has-no-harbour"),
    ],
)
def test_soldiers_live_in_armies_and_ships_in_fleets(giver, receiver, troop, reason):
    world = make_world(
        unit("ENG/A1", "Kent", FOOT),
        unit("ENG/F1", "Kent", {"Trading Cog": 2}),
        provinces={"Kent": {"fortification": 1, "harbour": True}},
    )
    order = Transfer(written("x"), receiver, FrozenMap({troop: 1}), ())
    played = run_steps(world, [transfers_happen], {"ENG": sheet_of("ENG", **{giver: [order]})})
    assert played.fates("ENG") == [("x", "failed", reason)]
    assert played.world.units == world.units


@pytest.mark.clause("W5", "M1")
def test_ships_go_into_a_garrison_with_city_and_harbour_and_out_again():
    world = make_world(
        unit("ENG/G1", "London", {"Trading Cog": 1}),
        unit("ENG/F1", "London", {"Trading Cog": 2}),
        unit("ENG/F2", "London"),
    )
    orders = plans(F1=[give("London", "Trading Cog: 2")], London=[give("F2", "Trading Cog: 3")])
    assert move(world, {"ENG": orders}).unit("ENG/F2").count("Trading Cog") == 3


@pytest.mark.clause("W6", "M1")
def test_troops_keep_their_rank_and_commanders_move_between_any_units():
    knight = commander("Sir John")
    world = make_world(
        unit("ENG/A1", "London", {"Men-at-Arms": (1, 0, 2, 0, 0)}, commanders=[knight], leader="Sir John"),
        unit("ENG/F1", "London", {"Trading Cog": 1}),
        unit("ENG/A2", "London"),
    )
    played = move(
        world,
        {"ENG": plans(A1=[give("A2", "Men-at-Arms: 2"), "transfer: {to: F1, commanders: [Sir John]}"])},
    )
    assert played.unit("ENG/A2").troops["Men-at-Arms"] == (0, 0, 2, 0, 0)
    assert played.unit("ENG/F1").commanders == (knight,)
    assert (played.unit("ENG/A1").commanders, played.unit("ENG/A1").leader) == ((), None)


@pytest.mark.clause("M1", "F2")
def test_another_realm_must_accept_gifts_and_not_be_at_war():
    units = (
        unit("ENG/A1", "Kent", FOOT, commanders=[commander()]),
        unit("AQU/A1", "Kent"),
    )
    order = {"ENG": plans(A1=[give("AQU/A1", "Men-at-Arms: 2", "Sir John")])}
    given = move(make_world(*units), order)
    assert given.unit("AQU/A1").count("Men-at-Arms") == 2
    assert [(e.realm, e.count, e.cause) for e in given.only(TroopsChanged)] == [
        ("ENG", -2, "given"),
        ("AQU", 2, "received"),
    ]
    assert [(e.realm, e.count) for e in given.only(CommandersChanged)] == [("ENG", -1), ("AQU", 1)]
    assert given.only(TroopsTransferred)[0].other == "AQU"
    refused = move(make_world(*units, realms={"AQU": {"refuses": {"ENG"}}}), order)
    assert refused.fate("ENG", "transfer") == ("failed", "receiver-refuses-gifts")
    enemies = run_steps(make_world(*units, war=[("AQU", "ENG")]), [transfers_happen], order)
    assert enemies.fate("ENG", "transfer") == ("failed", "receiver-at-war")


@pytest.mark.clause("W6", "M1")
def test_a_commander_stays_when_the_other_realm_has_one_of_his_name():
    world = make_world(
        unit("ENG/A1", "Kent", FOOT, commanders=[commander("Hugo")]),
        unit("AQU/A1", "Kent"),
        unit("AQU/A2", "Bordeaux", commanders=[commander("Hugo")]),
    )
    played = move(world, {"ENG": plans(A1=[give("AQU/A1", "Men-at-Arms: 1", "Hugo")])})
    assert played.fate("ENG", "transfer") == ("reduced", "receiver-has-commander")
    assert [c.name for c in played.unit("ENG/A1").commanders] == ["Hugo"]


def told(world, receiver, troops=(), commanders=()):
    """How one transfer of ENG/A1 ends, also one that the reader of files would not let pass."""
    order = Transfer(written("x"), receiver, FrozenMap(dict(troops)), tuple(commanders))
    # behind a march no transfer waits
    plan = [order, March(written("y", 2), "Flanders")]
    played = run_steps(world, [transfers_happen], {"ENG": sheet_of("ENG", A1=plan)})
    return played, played.fates("ENG")[0][1:]


@pytest.mark.clause("M1", "O2")
def test_nothing_goes_to_oneself_to_a_strangers_garrison_or_out_of_an_empty_order():
    world = make_world(unit("ENG/A1", "Paris", {"Archers": 2}), unit("ENG/A2", "Paris"))
    for receiver, troops, reason in (
        ("A1", {"Archers": 1}, "receiver-is-giver"),
        ("Paris", {"Archers": 1}, "no-such-receiver"),
        ("A2", {}, "nothing-to-transfer"),
    ):
        played, fate = told(world, receiver, troops)
        assert fate == ("failed", reason)
        assert played.world.units == played.before.units


@pytest.mark.clause("M1")
def test_a_commander_goes_once_and_only_from_the_unit_where_he_is():
    both = [commander("Hugo"), commander("John")]
    world = make_world(unit("ENG/A1", "Kent", commanders=both), unit("ENG/A2", "Kent", commanders=[commander("Odo")]))
    played, fate = told(world, "A2", commanders=["Hugo", "Hugo"])
    assert fate == ("done", "")
    assert [who.name for who in played.unit("ENG/A1").commanders] == ["John"]
    assert [who.name for who in played.unit("ENG/A2").commanders] == ["Odo", "Hugo"]
    assert told(world, "A2", commanders=["Odo"])[1] == ("failed", "commander-elsewhere")


@pytest.mark.clause("F8", "O6")
def test_before_movement_no_transfer_is_given_up_for_an_absent_receiver():
    world = make_world(unit("ENG/A1", "London", FOOT), unit("ENG/A2", "Kent", FOOT))
    orders = {"ENG": plans(A1=[give("A2"), "march: Kent"])}
    assert not run_steps(world, [same_location_transfers], orders, phase=0).events
    assert run_steps(world, [transfers_happen], orders).fate("ENG", "transfer") == ("failed", "receiver-elsewhere")


@pytest.mark.clause("P7", "M1")
def test_a_unit_that_retreated_gives_nothing_and_may_receive():
    world = make_world(unit("ENG/A1", "Kent", FOOT), unit("ENG/A2", "Kent", FOOT))
    orders = {"ENG": plans(A1=[give("A2")], A2=[give("A1", "Men-at-Arms: 1")])}
    played = run_steps(world, [retreated("ENG/A1"), transfers_happen], orders)
    assert played.unit("ENG/A1").count("Men-at-Arms") == 4
    assert played.unit("ENG/A2").count("Men-at-Arms") == 2


@pytest.mark.clause("P6")
def test_the_receiver_has_used_at_least_as_many_move_points_as_the_giver():
    world = make_world(unit("ENG/A1", "London", {"Heavy Cavalry": 4}), unit("ENG/A2", "Kent", {"Heavy Cavalry": 1}))
    played = move(world, {"ENG": plans(A1=["march: Kent", give("A2", "Heavy Cavalry: 1")])})
    assert (left(played, "ENG/A2"), left(played, "ENG/A1")) == (2, 2)


@pytest.mark.clause("P6", "P7")
def test_a_receiver_whose_move_points_are_gone_gets_none_back():
    world = make_world(unit("ENG/A1", "Kent", FOOT), unit("ENG/A2", "Kent", FOOT))
    played = run_steps(world, [spent("ENG/A2"), transfers_happen], {"ENG": plans(A1=[give("A2")])})
    assert (done(played, "ENG/A1").spent, done(played, "ENG/A2").spent) == (False, True)


@pytest.mark.clause("P6")
def test_a_transfer_that_moves_nobody_takes_no_move_points_along():
    world = make_world(unit("ENG/A1", "London", FOOT), unit("ENG/A2", "Kent", FOOT))
    played = move(world, {"ENG": plans(A1=["march: Kent", give("A2", "Longbowmen: 1")])})
    assert left(played, "ENG/A2") == 2


@pytest.mark.clause("P6", "P7")
def test_all_used_travels_with_a_commander_too():
    world = make_world(
        unit("ENG/A1", "Kent", FOOT, commanders=[commander()]), unit("ENG/A2", "Kent", FOOT), unit("AQU/F1", "Channel")
    )
    played = move(world, {"ENG": plans(A1=["board: AQU", "transfer: {to: A2, commanders: [Sir John]}"])})
    assert done(played, "ENG/A2").spent
    assert left(played, "ENG/A2") == 0


@pytest.mark.clause("O6")
def test_a_transfer_waits_while_only_transfers_and_pillage_follow():
    world = make_world(
        unit("ENG/A1", "Kent", FOOT),
        unit("ENG/A2", "London", {"Heavy Cavalry": 1}),
        unit("ENG/A3", "Kent"),
    )
    orders = plans(A1=[give("A2", "Men-at-Arms: 1"), give("A3", "Men-at-Arms: 1")], A2=["hold", "march: Kent"])
    played = move(world, {"ENG": orders})
    assert played.unit("ENG/A2").count("Men-at-Arms") == 1
    assert [(e.phase, e.receiver) for e in played.only(TroopsTransferred)] == [(0, "ENG/A3"), (3, "ENG/A2")]


@pytest.mark.clause("O6")
def test_pillage_passes_a_transfer_that_has_to_wait():
    world = make_world(
        unit("ENG/A1", "Kent", {"Men-at-Arms": 3}),
        unit("ENG/A2", "London", {"Heavy Cavalry": 1}),
    )
    played = move(world, {"ENG": plans(A1=[give("A2"), "pillage"], A2=["hold", "march: Kent"])})
    assert played.world.progress.provinces["Kent"].pillaged
    assert played.unit("ENG/A2").count("Men-at-Arms") == 2
    assert [fate for _, fate, _ in played.fates("ENG")] == ["done"] * 4


@pytest.mark.clause("O6")
def test_a_transfer_with_a_march_behind_it_is_dropped_and_the_plan_goes_on():
    world = make_world(unit("ENG/A1", "London", FOOT), unit("ENG/A2", "Kent", FOOT))
    played = move(world, {"ENG": plans(A1=[give("A2"), "march: Kent"])})
    assert played.fate("ENG", "transfer") == ("failed", "receiver-elsewhere")
    assert played.unit("ENG/A1").place == "Kent"


@pytest.mark.clause("O6", "M0")
def test_a_waiting_transfer_alone_does_not_prolong_the_phases_and_fails_with_what_stood_in_its_way():
    world = make_world(unit("ENG/A1", "London", FOOT), unit("ENG/A2", "Kent", FOOT))
    played = move(world, {"ENG": plans(A1=[give("A2")])})
    assert played.fate("ENG", "transfer") == ("failed", "receiver-elsewhere")
    assert max(event.phase for event in played.events) <= 2


@pytest.mark.clause("F5", "F8", "O4")
def test_troops_go_into_an_army_formed_this_turn_which_marches_at_once():
    world = make_world(unit("ENG/G1", "London", {"Men-at-Arms": 5}))
    orders = "units:\n  London:\n    form: {A12: The Lions}\n    plan:\n      - " + give("A12") + "\n"
    orders += "  A12:\n    plan:\n      - march: Kent\n"
    played = move(world, {"ENG": orders})
    assert (played.unit("ENG/A12").place, played.unit("ENG/A12").count("Men-at-Arms")) == ("Kent", 2)
