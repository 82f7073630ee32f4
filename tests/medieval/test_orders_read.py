"""Order files as they should be: every word of the grammar becomes the order it stands for (O1-O6)."""

from decimal import Decimal
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from gm.games.medieval.data.atlas import Atlas, Location
from gm.games.medieval.orders import model
from gm.games.medieval.orders.grammar import all_words
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.state import Province, Realm, World
from tests.cost import cost
from tests.medieval.order_reading import (
    CASES,
    HEADER,
    findings,
    gallery_world,
    orders,
    read,
    read_sheet,
    texts,
)
from tests.medieval.testland import atlas, commander, make_world, play, rules, unit

CONTRACT = Path(__file__).parent / "data" / "orders-format-1.yaml"
MORE_PLACES = ("Gascony", "Cornwall", "Gloucester", "Devon", "Calais", "Brittany", "Normandy")


def contract_map() -> Atlas:
    """The test map with the places and realms that the public example names."""
    places = {name: Location(name=name) for name in MORE_PLACES}
    sea = {"English Channel": Location(name="English Channel", sea=True)}
    return atlas().evolve(locations={**atlas().locations, **places, **sea})


def contract_world() -> World:
    """A world in which everything that the public example names exists."""
    world = make_world(
        unit("ENG/A2", "Kent"),
        unit("ENG/A13", "Kent"),
        unit("ENG/G1", "London", commanders=[commander("Sir John Chandos")]),
        turn=4,
    )
    more = {code: Realm(code=code, name=code, ruler="", treasury=Decimal(0)) for code in ("CAS", "SAX")}
    lands = {name: Province(name=name, owner="ENG") for name in MORE_PLACES}
    return world.evolve(realms={**world.realms, **more}, provinces={**world.provinces, **lands})


def contract_sheet() -> Orders:
    sheet, findings = read_sheet(
        CONTRACT.read_bytes(),
        "ENG.yaml",
        world=contract_world(),
        rules=rules(),
        atlas=contract_map(),
        game="europe",
        realm="ENG",
        turn=5,
        key="brave-otter-71",
    )
    assert [finding.render() for finding in findings] == []
    assert sheet is not None
    return sheet


@pytest.mark.clause("O3", "O4", "O5")
def test_every_line_of_the_public_example_is_an_order() -> None:
    assert texts(contract_sheet()) == CASES["public example"]


def test_an_order_knows_where_it_was_written() -> None:
    lines = CONTRACT.read_text(encoding="utf-8").splitlines()
    for order in contract_sheet().all_orders():
        place = lines[order.written.line - 1][order.written.column - 1 :]
        assert place[0].isalnum() or place[0] == ">"
    march = contract_sheet().plans["A12"][1]
    assert (march.written.line, march.written.column) == (51, 9)


@pytest.mark.clause("O3", "O4", "O8", "O9", "F7")
@pytest.mark.parametrize("case", CASES["readings"], ids=itemgetter("title"))
def test_what_orders_a_body_holds(case: dict[str, Any]) -> None:
    assert texts(orders(case["body"])) == case["texts"]


def test_several_lines_and_ids_are_kept_as_they_are_meant() -> None:
    (said,) = orders("headquarters:\n  proclamation: |\n    Hear ye!\n    The king is dead.\n").headquarters
    assert isinstance(said, model.Proclamation)
    assert said.text == "Hear ye!\nThe king is dead."
    (formed,) = orders("units: {A2: {form: {f04: ~}}}").units
    assert formed == model.FormUnit(formed.written, "A2", "F4", None)


@pytest.mark.clause("O5")
def test_a_plan_is_an_ordered_list() -> None:
    """A plan's entries keep their order, and each way to write an entry is read."""
    sheet = orders(
        """\
units:
  A1:
    plan:
      - transfer: {to: London, commanders: Sir John Chandos}
      - hold
      - hold:
      - march: Flanders
      - {pillage: yes}
  F1:
    plan: [load: A1, sail: Channel, unload: {A1: Kent, AQU/A3: London}]
  A13:
    plan: hold
"""
    )
    assert [type(entry).__name__ for entry in sheet.plans["A1"]] == [
        "Transfer",
        "Hold",
        "Hold",
        "March",
        "Pillage",
    ]
    assert [type(entry).__name__ for entry in sheet.plans["F1"]] == ["Load", "Sail", "Unload"]
    unload = sheet.plans["F1"][2]
    assert isinstance(unload, model.Unload)
    assert unload.landings == {"A1": "Kent", "AQU/A3": "London"}
    transfer = sheet.plans["A1"][0]
    assert transfer == model.Transfer(transfer.written, "London", {}, ("Sir John Chandos",))


@pytest.mark.clause("F5", "O4")
def test_a_unit_may_be_named_before_the_line_that_forms_it() -> None:
    sheet = orders(
        "units:\n  A20:\n    plan: [hold]\n  A1:\n    form: {A20: New}\n"
        "    plan: [transfer: {to: A20, troops: {Longbowmen: 1}}]\n"
    )
    assert list(sheet.plans) == ["A20", "A1"]


@pytest.mark.clause("O1")
def test_a_file_without_orders_is_a_file() -> None:
    sheet, findings = read(HEADER)
    assert sheet is not None
    assert findings == []
    assert list(sheet.all_orders()) == []
    empty, _ = read(HEADER + "headquarters:\nunits:\n  A1:\n  A2:\n    plan: []\n")
    assert empty is not None
    assert list(empty.all_orders()) == []


@pytest.mark.clause("O1")
def test_a_late_file_says_so() -> None:
    sheet, _ = read(HEADER, late=True)
    assert sheet is not None
    assert sheet.late


@pytest.mark.clause("O2")
def test_a_file_may_order_what_cannot_succeed() -> None:
    marches = f"units:\n  A1:\n    plan: [{', '.join(['march: London', 'march: Kent'] * 3)}]\n"
    assert len(orders(marches).plans["A1"]) == 6
    fates = play(gallery_world(), {"ENG": marches}).fates("ENG")
    assert [fate for _, fate, _ in fates] == ["done", "done", "failed", "failed", "failed", "failed"]
    assert fates[2][2] == "needs-move-points"


@pytest.mark.clause("O5")
def test_a_plan_of_hold_and_march_marches_in_the_second_phase() -> None:
    played = play(gallery_world(), {"ENG": "units:\n  A1:\n    plan: [hold, march: London]\n"})
    assert played.fates("ENG") == [("A1 hold", "done", ""), ("A1 march: London", "done", "")]
    assert played.unit("ENG/A1").place == "London"


@pytest.mark.clause("O6")
def test_a_march_that_fails_drops_the_marches_after_it() -> None:
    played = play(gallery_world(), {"ENG": "units:\n  A1:\n    plan: [march: Riga, march: London, hold]\n"})
    assert [fate for _, fate, _ in played.fates("ENG")] == ["failed", "failed", "failed"]
    assert played.unit("ENG/A1").place == "Kent"


@pytest.mark.clause("O6.1")
def test_recruiting_is_no_entry_of_a_plan() -> None:
    (diagnostic, *_) = findings("units:\n  London:\n    plan:\n      - recruit: {Longbowmen: 1}\n")[1:]
    assert diagnostic.code == "sheet/wrong-section"
    assert "'units:'" in diagnostic.suggestion


def test_every_kind_of_order_has_exactly_one_word() -> None:
    kinds = {
        kind
        for kind in vars(model).values()
        if isinstance(kind, type)
        and issubclass(kind, model.Order)
        and kind not in (model.Order, model.RealmOrder, model.UnitOrder)
    }
    words = [word.order for word in all_words()]
    assert set(words) == kinds
    assert len(words) == len(kinds)


def test_reading_is_fast() -> None:
    data = CONTRACT.read_bytes()
    world = contract_world()
    board = contract_map()
    limit = 0.002

    def read() -> None:
        read_sheet(data, "ENG.yaml", world=world, rules=rules(), atlas=board, game="europe")

    assert cost(read, limit, attempts=30) < limit
