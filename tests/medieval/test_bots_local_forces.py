"""Local forces: what a realm does without a player (N1-N3)."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import pytest

from gm.games.medieval.data.clauses_data import bot_profiles
from gm.games.medieval.orders.model import Annex, FormUnit, March, Order, Recruit, SetRanks, Transfer
from gm.games.medieval.spec import SPEC
from gm.games.medieval.state import World
from gm.games.medieval.steps.economy import total_upkeep
from tests.medieval.botland import asked, orders_of, sheet_of, table
from tests.medieval.testland import make_world, rules, unit

LOCAL = "local-forces"
STRONG = {"Heavy Infantry": 12, "Heavy Cavalry": 8}
WEAK = {"Men-at-Arms": 1}


def world_of(*units: Any, gold: object = 100, **more: Any) -> World:
    """England between London and Kent, its treasury as said."""
    return make_world(*units, realms={"ENG": {"treasury": Decimal(str(gold))}}, **more)


def of_kind(orders: Iterable[Order], kind: type[Order]) -> list[Any]:
    return [order for order in orders if isinstance(order, kind)]


def goals(orders: Iterable[Order]) -> list[str]:
    return [order.province for order in of_kind(orders, March)]


# -- N1 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("N1")
def test_they_build_troops_in_their_cities() -> None:
    found = of_kind(orders_of(LOCAL, world_of(), "ENG"), Recruit)
    assert {order.unit for order in found} == {"London"}
    assert sum(order.count for order in found) > 0


@pytest.mark.clause("N1")
def test_they_attack_a_province_annexed_to_them_that_an_enemy_owns() -> None:
    world = world_of(
        unit("ENG/G1", "London", {"Heavy Infantry": 15, "Longbowmen": 6}),
        war=[("ENG", "FRA")],
        owners={"Kent": "FRA"},
        provinces={"Kent": {"annexed_to": "ENG"}},
    )
    orders = orders_of(LOCAL, world, "ENG")
    assert goals(orders) == ["Kent"]
    assert of_kind(orders, FormUnit)
    assert of_kind(orders, Transfer)


@pytest.mark.clause("N1")
@pytest.mark.parametrize("annexed_to", [None, "FRA"])
def test_they_leave_alone_what_is_not_annexed_to_them_however_weak(annexed_to: str | None) -> None:
    world = world_of(
        unit("ENG/G1", "London", STRONG),
        unit("ENG/A1", "London", STRONG),
        war=[("ENG", "FRA")],
        owners={"Kent": "FRA"},
        provinces={"Kent": {"annexed_to": annexed_to}},
    )
    assert "Kent" not in goals(orders_of(LOCAL, world, "ENG"))


@pytest.mark.clause("N1")
def test_they_leave_independents_alone() -> None:
    world = world_of(unit("ENG/A1", "Kent", STRONG))
    assert "Flanders" not in goals(orders_of(LOCAL, world, "ENG"))


@pytest.mark.clause("N1")
def test_they_do_not_march_against_an_owner_they_are_not_at_war_with() -> None:
    world = world_of(
        unit("ENG/A1", "London", STRONG), owners={"Kent": "FRA"}, provinces={"Kent": {"annexed_to": "ENG"}}
    )
    assert goals(orders_of(LOCAL, world, "ENG")) == []


@pytest.mark.clause("N1")
def test_they_annex_what_they_own_as_far_as_the_gold_goes() -> None:
    world = world_of(provinces={"Kent": {"annexed_to": None}})
    assert [order.province for order in of_kind(orders_of(LOCAL, world, "ENG"), Annex)] == ["Kent"]
    assert of_kind(orders_of(LOCAL, world_of(gold=9, provinces={"Kent": {"annexed_to": None}}), "ENG"), Annex) == []


@pytest.mark.clause("N1")
@pytest.mark.parametrize("war", [(), (("ENG", "FRA"),), (("ENG", "FRA"), ("DEN", "ENG"))])
def test_they_never_change_relations(war: tuple[tuple[str, str], ...]) -> None:
    world = world_of(unit("ENG/A1", "London", STRONG), war=war, allied=[("ENG", "NOR")])
    headquarters = sheet_of(asked(LOCAL, world, "ENG")).headquarters
    assert [order for order in headquarters if not isinstance(order, Annex)] == []


@pytest.mark.clause("N1")
def test_a_realm_that_is_out_of_the_game_orders_nothing() -> None:
    world = make_world(
        owners={"London": "FRA", "Kent": "FRA"}, realms={"ENG": {"defeated": True, "treasury": Decimal(0)}}
    )
    assert orders_of(LOCAL, world, "ENG") == ()


# -- N2 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("N2")
@pytest.mark.parametrize("gold", [5, 12, 40, 250])
def test_they_keep_one_turns_upkeep_in_reserve(gold: int) -> None:
    world = world_of(
        unit("ENG/G1", "London", {"Heavy Infantry": 10}), gold=gold, provinces={"Kent": {"annexed_to": None}}
    )
    orders = orders_of(LOCAL, world, "ENG")
    spent = sum((rules().troops[each.troop].cost * each.count for each in of_kind(orders, Recruit)), Decimal(0))
    spent += sum((table().board.locations[each.province].revenue for each in of_kind(orders, Annex)), Decimal(0))
    upkeep = total_upkeep(world.of_realm("ENG"), rules())
    assert bot_profiles()[LOCAL].reserve_percent == 100
    assert spent == 0 or Decimal(gold) - upkeep - spent >= upkeep
    assert bool(spent) == (gold >= 12)


@pytest.mark.clause("N2")
def test_they_recruit_what_has_most_hit_points_for_the_gold() -> None:
    recruits = [name for name in table().board.city("London").recruits if not rules().troops[name].ship]
    best = max(rules().troops[name].hit_points / rules().troops[name].cost for name in recruits)
    found = of_kind(orders_of(LOCAL, world_of(), "ENG"), Recruit)
    assert [rules().troops[order.troop].hit_points / rules().troops[order.troop].cost for order in found] == [best]


@pytest.mark.clause("N2")
def test_they_recruit_at_the_front_before_the_hinterland() -> None:
    # London lies behind Kent, Paris on the border of independents: there is gold for Paris alone
    world = world_of(gold=12, owners={"Paris": "ENG"})
    found = of_kind(orders_of(LOCAL, world, "ENG"), Recruit)
    assert [order.unit for order in found] == ["Paris"]


@pytest.mark.clause("N2")
def test_a_threatened_garrison_sends_nobody_away() -> None:
    lost = {"owners": {"Kent": "FRA"}, "provinces": {"Kent": {"annexed_to": "ENG"}}, "war": [("ENG", "FRA")]}
    garrison = unit("ENG/G1", "London", {"Men-at-Arms": 6})
    quiet = world_of(garrison, **lost)
    threatened = world_of(garrison, unit("FRA/A1", "Flanders", {"Heavy Cavalry": 30}), **lost)
    assert of_kind(orders_of(LOCAL, quiet, "ENG"), Transfer)
    assert of_kind(orders_of(LOCAL, threatened, "ENG"), Transfer) == []


@pytest.mark.clause("N2")
def test_an_army_goes_to_the_garrison_that_is_threatened() -> None:
    world = world_of(
        unit("ENG/G1", "London", WEAK),
        unit("ENG/A1", "Kent", {"Heavy Infantry": 3}),
        unit("FRA/A1", "Flanders", {"Heavy Cavalry": 9}),
        war=[("ENG", "FRA")],
    )
    assert goals(orders_of(LOCAL, world, "ENG")) == ["London"]


@pytest.mark.clause("N2")
@pytest.mark.parametrize(("mine", "attacks"), [(4, False), (7, False), (12, True), (25, True)])
def test_they_retake_a_province_only_with_good_odds(mine: int, attacks: bool) -> None:
    world = world_of(
        unit("ENG/A1", "London", {"Men-at-Arms": mine}),
        unit("FRA/A1", "Kent", {"Men-at-Arms": 8}),
        war=[("ENG", "FRA")],
        owners={"Kent": "FRA"},
        provinces={"Kent": {"annexed_to": "ENG"}},
    )
    assert ("Kent" in goals(orders_of(LOCAL, world, "ENG"))) is attacks


@pytest.mark.clause("N2")
def test_good_odds_are_at_least_sixty_in_a_hundred() -> None:
    assert bot_profiles()[LOCAL].odds_percent == 60


@pytest.mark.clause("N2")
def test_men_who_take_blows_stand_in_front_of_archers() -> None:
    world = world_of(
        unit("ENG/G1", "London", {"Heavy Infantry": 9, "Longbowmen": 5}),
        war=[("ENG", "FRA")],
        owners={"Kent": "FRA"},
        provinces={"Kent": {"annexed_to": "ENG"}},
    )
    ranks = {order.troop: dict(order.counts) for order in of_kind(orders_of(LOCAL, world, "ENG"), SetRanks)}
    assert set(ranks.get("Longbowmen", {4: 1})) == {4}
    assert "Heavy Infantry" not in ranks


# -- N3 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("N3")
def test_their_orders_are_an_ordinary_order_file_for_the_turn() -> None:
    sheet = sheet_of(asked(LOCAL, world_of(), "ENG"))
    assert (sheet.realm, sheet.turn, sheet.key) == ("ENG", 1, "a-key-1")


@pytest.mark.clause("N3")
def test_the_same_position_gives_the_same_bytes_and_another_seed_changes_nothing() -> None:
    world = world_of(unit("ENG/A1", "Kent", STRONG), war=[("ENG", "FRA")])
    assert asked(LOCAL, world, "ENG", "one").data == asked(LOCAL, world, "ENG", "another").data


@pytest.mark.clause("N3", "V3")
def test_a_realm_of_local_forces_names_its_bot() -> None:
    world, _ = SPEC.with_standings(make_world(), {"ENG": (None, "local forces")})
    seats = {seat.code: seat for seat in SPEC.seats(table(), world)}
    assert (seats["ENG"].bot, seats["ENG"].played) == (LOCAL, False)
    assert (seats["FRA"].bot, seats["FRA"].played) == ("", True)
