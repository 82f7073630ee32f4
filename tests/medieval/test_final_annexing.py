"""How many provinces a realm may annex in one turn, and who defends fortifications by choice (L6, V2, M10, P4)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gm.games.medieval.events.final import ProvinceAnnexed
from gm.games.medieval.orders.model import Annex, Orders, Written
from gm.games.medieval.steps.movement import march_cost, why_not_march
from gm.games.medieval.steps.provinces import provinces_annexed
from gm.games.medieval.steps.turn import OrderSettled
from gm.games.medieval.steps.workspace import Workspace
from tests.medieval.testland import Played, atlas, make_turn, make_world, rules, unit

HERE = Written(1, 1, "order")


def annexing(limit: int, lands: dict[str, tuple[str, str | None]], **names: list[str]) -> Played:
    """``lands``: (owner, annexed to) of some provinces; all others are annexed to nobody."""
    everywhere = {name: {"annexed_to": None} for name in make_world().provinces}
    owned = {name: {"owner": owner, "annexed_to": to} for name, (owner, to) in lands.items()}
    world = make_world(provinces={**everywhere, **owned}, realms={code: {"treasury": 999} for code in names})
    sheets = {
        realm: Orders(realm, 1, headquarters=tuple(Annex(HERE, each) for each in wanted))
        for realm, wanted in names.items()
    }
    turn = make_turn(world, sheets)
    rows = {status: row.evolve(annexed_provinces=limit) for status, row in rules().statuses.items()}
    turn = replace(turn, rules=rules().evolve(statuses=rows))
    outcome = provinces_annexed(turn.at_step("annexing", 0))
    return Played(turn.state, outcome.state, outcome.events)


def reasons(played: Played, realm: str) -> list[str]:
    return [each.reason for each in played.only(OrderSettled) if each.audience == realm]


@pytest.mark.clause("L6", "V2")
def test_what_is_annexed_this_turn_counts_for_the_limit_of_the_next_order() -> None:
    played = annexing(2, {}, ENG=["London", "Kent", "London"])
    assert reasons(played, "ENG") == ["", "", "annexation-limit"]
    third = annexing(2, {"Savoy": ("ENG", None)}, ENG=["London", "Kent", "Savoy"])
    assert reasons(third, "ENG") == ["", "", "annexation-limit"]
    assert [each.formerly for each in third.only(ProvinceAnnexed)] == ["", ""]


@pytest.mark.clause("L6", "V2")
def test_who_loses_an_annexation_may_annex_another_province_in_its_place() -> None:
    played = annexing(1, {"Kent": ("ENG", "FRA")}, ENG=["Kent"], FRA=["Reims", "Paris"])
    assert reasons(played, "ENG") == [""]
    assert reasons(played, "FRA") == ["", "annexation-limit"]
    assert [each.formerly for each in played.only(ProvinceAnnexed)] == ["FRA", ""]


@pytest.mark.clause("L6")
def test_a_province_is_annexed_once() -> None:
    played = annexing(9, {}, ENG=["Kent", "Kent"])
    assert reasons(played, "ENG") == ["", "annexed-already"]
    assert played.world.realms["ENG"].treasury == 999 - atlas().locations["Kent"].revenue


@pytest.mark.clause("P4")
def test_what_a_march_costs_can_be_asked_before_a_turn_begins() -> None:
    assert march_cost(make_world(), rules(), "ENG", "Kent") == rules().movement.march_permitted


@pytest.mark.clause("M9")
def test_nobody_marches_off_a_fleet() -> None:
    army = unit("ENG/A1", "London", {"Men-at-Arms": 1}, aboard="ENG/F1")
    turn = make_turn(make_world(army, unit("ENG/F1", "London", {"Carrack": 1})))
    refusal = why_not_march(Workspace(turn), army, "Kent")
    assert refusal is not None
    assert refusal.reason == "aboard-fleet"
