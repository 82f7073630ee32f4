"""Which orders to headquarters are open, and where the forecast's numbers come from: asked of the turn's
own checks.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest

from gm.games.medieval.analysis.choices import TurnChoices
from gm.games.medieval.analysis.forecast import forecast
from gm.games.medieval.orders.grammar import HEADQUARTERS
from gm.games.medieval.report.formatter import MedievalFormatter
from gm.games.medieval.report.gold_rows import (
    annexable,
    books,
    clause_of_step,
    revenue_rows,
    upkeep_rows,
    works,
)
from gm.games.medieval.report.views import ProvinceRow, RealmRow, UnitRow, standing_rows
from gm.games.medieval.state import World
from gm.games.medieval.steps.economy import total_upkeep
from gm.games.medieval.steps.outcomes import OrderOutcome, OrderSettled, TreasuryChanged
from gm.store.moments import due_moment
from gm.text.pages import gold
from tests.medieval.reportland import CODES, Page, busy_files, busy_record
from tests.medieval.testland import atlas, commander, make_world, play, rules, unit


def row(world: World, realm: str, other: str) -> dict[str, Any]:
    choices = TurnChoices(world, rules(), atlas())
    realms = [RealmRow(world.realms[other], world, rules(), atlas())]
    (standing,) = standing_rows(world, choices.world, realm, choices.of_realm(realm), realms, {})
    return standing


def legal(world: World, realm: str, other: str) -> set[str]:
    return {word for word, why, _ in row(world, realm, other)["choices"] if not why}


@pytest.mark.clause("F1", "L15", "L16", "L17")
def test_relations_decide_which_orders_are_open() -> None:
    world = make_world(war=[("ENG", "FRA")], allied=[("DEN", "ENG")])
    about = {"declare_war", "offer_peace", "offer_alliance", "cancel_alliance"}
    assert legal(world, "ENG", "NOR") & about == {"declare_war", "offer_alliance"}
    assert legal(world, "ENG", "FRA") & about == {"offer_peace"}
    assert legal(world, "ENG", "DEN") & about == {"cancel_alliance"}


@pytest.mark.clause("F2", "F3", "F4")
def test_rights_are_granted_or_revoked_never_both() -> None:
    world = make_world(
        war=[("ENG", "FRA")],
        realms={"ENG": {"passage": {"NOR"}, "refuses": {"DEN"}}},
        provinces={"Kent": {"permissions": {"DEN"}}},
    )
    assert {"revoke_passage", "refuse_gifts"} <= legal(world, "ENG", "NOR")
    assert {"grant_passage", "accept_gifts", "revoke_permission"} <= legal(world, "ENG", "DEN")
    assert not {"grant_passage", "revoke_passage", "grant_permission"} & legal(world, "ENG", "FRA")
    rights_row = row(world, "ENG", "DEN")
    rights = [rights_row[name] for name in ("grants", "granted", "refuses", "refused", "admits")]
    assert rights == [False, False, True, False, ["Kent"]]
    assert row(world, "DEN", "ENG")["admitted"] == ["Kent"]
    assert row(world, "NOR", "ENG")["granted"]


@pytest.mark.clause("L2", "L12")
def test_gifts_need_a_taker_and_gold_a_way() -> None:
    world = make_world(realms={"FRA": {"refuses": {"ENG"}}})
    assert not {"send_gold", "give_province"} & legal(world, "ENG", "FRA")
    assert "give_province" in legal(world, "ENG", "TEU")
    reasons = {word: why for word, why, _ in row(world, "ENG", "FRA")["choices"]}
    assert reasons["give_province"] == reasons["send_gold"]
    assert "gifts" in reasons["send_gold"]


@pytest.mark.clause("L19")
def test_there_is_nothing_to_order_about_a_realm_that_is_out_or_by_one() -> None:
    world = make_world(realms={"FRA": {"defeated": True}})
    assert row(world, "ENG", "FRA")["choices"] == ()
    assert row(world, "FRA", "ENG")["choices"] == ()


ORDER = {"grant_permission": "{Kent: [XXX]}", "send_gold": "{XXX: 1}", "give_province": "{Kent: XXX}"}


@pytest.mark.clause("O2", "O3")
@pytest.mark.parametrize("other", ["AQU", "DEN", "FRA", "NOR", "TEU"])
def test_the_turn_carries_out_what_is_open_and_refuses_the_rest_with_the_same_reason(other: str) -> None:
    world = make_world(
        unit("ENG/G1", "London", {"Men-at-Arms": 3}),
        war=[("ENG", "FRA")],
        allied=[("DEN", "ENG")],
        realms={"ENG": {"passage": {"NOR"}, "treasury": Decimal(50)}, "TEU": {"refuses": {"ENG"}}},
    )
    choices = row(world, "ENG", other)["choices"]
    assert {word for word, _, _ in choices} <= HEADQUARTERS.keys()
    for word, why, clause in choices:
        value = ORDER.get(word, "[XXX]").replace("XXX", other)
        played = play(world, {"ENG": f"headquarters: {{{word}: {value}}}\n"})
        (settled,) = [event for event in played.events if isinstance(event, OrderSettled)]
        # an offer that nobody returns is open all the same: nobody can know it before
        returned = settled.reason == "offer-not-returned"
        assert (settled.fate is OrderOutcome.DONE or returned) == (not why), word
        if why:
            assert MedievalFormatter(world).reason(settled.reason, settled.figures) == (clause, why)


def sources(world: World, realm: str) -> Mapping[str, Decimal]:
    units = [UnitRow(unit, world, rules()) for unit in world.of_realm(realm)]
    lands = [ProvinceRow(province, world, rules(), atlas()) for province in world.owned_by(realm)]
    return {
        "upkeep": sum((row["both"] for row in upkeep_rows(units, world, realm, rules())), Decimal(0)),
        "revenue": sum((row["paid"] for row in revenue_rows(lands, atlas(), rules())), Decimal(0)),
    }


@pytest.mark.clause("H1", "L3", "L11")
def test_the_details_add_up_to_the_forecast() -> None:
    record = busy_record()
    for code in CODES:
        expected = forecast(record.after, code, None, rules(), atlas())
        figures = sources(record.after, code)
        assert figures["upkeep"] == expected.upkeep == total_upkeep(record.after.of_realm(code), rules())
        assert figures["revenue"] == expected.expected_revenue


@pytest.mark.clause("L3")
def test_upkeep_is_listed_in_the_order_of_payment() -> None:
    world = make_world(
        unit("ENG/F1", "Channel", {"Trading Cog": 1}),
        unit("ENG/A2", "Kent", {"Men-at-Arms": 1}, commanders=[commander()]),
        unit("ENG/A1", "Kent", {"Men-at-Arms": 1}),
        unit("ENG/G1", "London", {"Longbowmen": 1}),
    )
    units = [UnitRow(unit, world, rules()) for unit in world.of_realm("ENG")]
    rows = upkeep_rows(units, world, "ENG", rules())
    assert [row["unit"].id for row in rows] == ["G1", "A1", "A2", "F1"]
    assert [row["commanders"] for row in rows] == [0, 0, rules().commanders.upkeep, 0]


@pytest.mark.clause("L6", "V2")
def test_what_may_be_annexed_is_what_the_turn_would_annex() -> None:
    world = make_world(
        owners={"Flanders": "ENG", "Savoy": "ENG"},
        provinces={"Flanders": {"annexed_to": None, "damage": 1}, "Savoy": {"annexed_to": "FRA"}},
        realms={"ENG": {"treasury": Decimal(100)}},
    )
    rows = annexable(TurnChoices(world, rules(), atlas()).world, "ENG", rules(), atlas())
    assert [tuple(row.values()) for row in rows] == [
        ("Flanders", Decimal(12), Decimal("9.60")),
        ("Savoy", Decimal(8), Decimal(8)),
    ]
    played = play(world, {"ENG": "headquarters: {annex: [Flanders, Savoy]}\n"})
    assert all(played.world.provinces[row["name"]].annexed_to == "ENG" for row in rows)
    assert annexable(TurnChoices(played.world, rules(), atlas()).world, "ENG", rules(), atlas()) == []


@pytest.mark.clause("H1")
def test_the_forecast_names_all_six_figures_of_headquarters() -> None:
    record = busy_record()
    for code in CODES:
        expected = forecast(record.after, code, None, rules(), atlas())
        surplus = "Expected shortfall" if expected.surplus < 0 else "Expected surplus"
        text = Page(busy_files()[f"results/{code}.html"]).text
        for words in (
            f"In the treasury now {gold(expected.treasury)} Upkeep L3 {gold(-expected.upkeep)} Headquarters "
            "expenses",
            "annexing, gold sent 0 Garrison expenses",
            "troops, commanders, construction 0 ",
            f"{surplus} H1 to spend {gold(expected.surplus)} Lost by decay",
            f"Expected revenue L11 to spend in the turn after {gold(expected.expected_revenue)} ",
        ):
            assert words in text


def test_each_line_of_the_books_names_the_clause_of_its_step() -> None:
    record = busy_record()
    payments = (event for event in record.events if isinstance(event, TreasuryChanged))
    lines = {
        line["what"]: line["clause"] for line in books(event for event in payments if event.audience == "ENG")
    }
    assert lines["upkeep"] == "L3"
    assert lines["revenue"] == "L11"
    assert lines["troops"] == "L4"
    assert all(lines.values())
    assert clause_of_step("no step of the turn") == ""


@pytest.mark.clause("L8", "L11")
def test_what_may_be_built_next_is_what_the_turn_would_build_and_pays_what_it_says() -> None:
    guards = [unit("ENG/G1", "London", {"Longbowmen": 10})]
    world = make_world(
        *guards, provinces={"London": {"damage": 1}}, realms={"ENG": {"treasury": Decimal(100)}}
    )
    lands = [ProvinceRow(province, world, rules(), atlas()) for province in world.owned_by("ENG")]
    units = [UnitRow(unit, world, rules()) for unit in world.of_realm("ENG")]
    choices = works(TurnChoices(world, rules(), atlas()).of_realm("ENG"), units, lands, rules())
    (area,) = choices["production area"]
    assert (area["land"].name, area["unit"], area["price"]) == ("London", "G1", 8)
    assert area["yields"] == Decimal("1.60")  # at damage 1
    files = {name: f"units: {{London: {{build: [{name}]}}}}\n" for name in choices}
    for name, text in files.items():
        (paid,) = (
            event
            for event in play(world, {"ENG": text}).events
            if getattr(event, "what", "") == "construction"
        )
        assert paid.amount == -choices[name][0]["price"]


def test_the_deadline_is_told_to_programs_with_its_offset() -> None:
    assert due_moment("Sunday 2026-12-27 20:00 Europe/Berlin") == "2026-12-27T20:00+01:00"
    assert due_moment("") == ""
