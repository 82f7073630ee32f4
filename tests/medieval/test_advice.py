"""What ``pbem play`` says of advised orders in Medieval (item 35): a reason of figures for each kind, in
words.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.campaign.check import CheckContext, check_file
from gm.campaign.order_files import OrderReader
from gm.game.answers import TriedOrder
from gm.game.values import GameData
from gm.games import game_spec
from gm.games.medieval.advice import advice, worded
from gm.games.medieval.advice.grounds import reasons
from gm.games.medieval.advice.plan_reasons import PLAN_REASONS
from gm.games.medieval.advice.realm_reasons import REALM_REASONS
from gm.games.medieval.advice.unit_reasons import UNIT_REASONS
from gm.games.medieval.orders import model
from gm.games.medieval.orders.grammar import all_words
from gm.text.languages import ENGLISH, translator
from tests.examples import examples
from tests.medieval.ordering import sheets
from tests.medieval.positions import CODES, worlds
from tests.medieval.testland import atlas, make_world, read_orders, rules, unit

SPEC: Any = game_spec("medieval")

HEADQUARTERS = """
  declare_war: [LIT]
  grant_passage: [NOV]
  offer_alliance: [NOV]
  send_gold: {NOV: 3}
  annex: [Mazovia]
  proclamation: God wills it.
  grant_permission: {Mazovia: [NOV]}
  give_province: {Mazovia: NOV}
  offer_peace: [LIT]
"""
UNITS = """
  Krakow:
    form: {A1: Red Cloaks}
    recruit: {Light Spearmen: 2}
    hire_commander: 1
    build: [production area, fortification]
    ranks: {Crossbowmen: {3: 1}}
    disband: {Light Spearmen: 1}
    plan:
      - transfer: {to: A1, troops: {Slavic Nobles: 3}, commanders: [Spycimir of Melsztyn]}
  A1:
    leader: Spycimir of Melsztyn
    retreat_level: 2
    plan:
      - hold
      - march: Mazovia
      - march: Volodymir
      - pillage
"""


def advised(language: str = ENGLISH) -> dict[str, str]:
    """What is said of orders that Poland could give at the start of Minsk, by the order in words."""
    folder = SPEC.maps()["minsk"]
    table = SPEC.shipped_table("minsk", folder)
    world = SPEC.start(table, folder, None)
    text = f"orders: 1\ngame: g\nrealm: POL\nturn: 1\nheadquarters:{HEADQUARTERS}units:{UNITS}"
    context = CheckContext(OrderReader(SPEC, table, world, "g"), {}, "POL", language=language)
    checked = check_file(context, Path("POL.yaml"), text.encode())
    assert [diagnostic for diagnostic in checked.diagnostics if diagnostic.is_error] == []
    orders = checked.orders
    advices = advice(
        SPEC, table, world, "POL", checked.reading.sheet, orders, translator("medieval", language)
    )
    said = {advice_line.words: advice_line.why for advice_line in advices}
    assert {*worded(world, checked.reading.sheet, translator("medieval", language)).values()} == said.keys()
    assert len(said) == len(orders) >= 20
    return said


def test_every_kind_of_order_has_a_reason_of_its_own() -> None:
    """Item 35: of headquarters, of units, and of plans."""
    kinds = {word.order for word in all_words()}
    assert kinds <= REALM_REASONS.keys() | UNIT_REASONS.keys() | PLAN_REASONS.keys()
    assert set(get_args(model.PlanEntry)) == PLAN_REASONS.keys()


def test_reasons_are_figures_of_the_position() -> None:
    """Item 35: what it costs and brings, who is near and how strong, who goes and who stays."""
    said = advised()
    assert said["Krakow: build a production area."] == (
        "It costs 8 gold and brings 2 a turn, which pays for it in 4 turns."
    )
    assert said["Proclaim: 'God wills it.'."] == "It brings 7 gold."
    transfer = said["Krakow: hand over 3 Slavic Nobles and Spycimir of Melsztyn to A1."]
    assert re.fullmatch(r"A1 has combat [1-9]\d* then, and Krakow keeps [1-9]\d*\.", transfer)
    assert said["A1: march to Mazovia."].startswith(
        "Volodymir is 1 march further, and is defended with combat "
    )
    assert re.search(r"Volodymir pays [\d.]+ a turn afterwards", said["A1: pillage."])
    assert "Krakow: draw up Crossbowmen: 1 in rank 3." in said


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_reason_is_the_general_one_and_all_are_one_sentence(language: str) -> None:
    """Item 35; issue 38, item 8: in words and not in YAML, in German too."""
    said = advised(language)
    general = translator("medieval", language)(reasons()["other"])
    for words, why in said.items():
        assert why != general, words
        assert why.endswith("."), why
        assert not re.search(r"[{}\[\]_]", words + why), why
        assert re.search(r"\d", why), why
    if language != ENGLISH:
        assert not set(said.values()) & set(advised().values())


def test_an_army_of_nobody_has_no_chance_in_a_battle_of_others() -> None:
    world = make_world(
        unit("ENG/A1", "London"),
        unit("FRA/G1", "Kent", {"Militia": 3}),
        unit("DEN/A1", "Kent", {"Militia": 3}),
        war=[("ENG", "FRA"), ("DEN", "FRA")],
        owners={"Kent": "FRA"},
    )
    sheet = read_orders(world, {"ENG": "units: {A1: {plan: [march: Kent]}}"})["ENG"]
    (march,) = [order.written for order in sheet.all_orders()]
    orders = [TriedOrder(line=march.line, column=march.column, order=march.text, fate="done")]
    (advice_line,) = advice(SPEC, GameData(rules(), atlas(), ()), world, "ENG", sheet, orders, str)
    assert "win" not in advice_line.why


@examples(120, 4, derandomize=True)
@given(st.data())
def test_any_orders_in_any_position_have_a_reason(data: st.DataObject) -> None:
    """Item 35: also orders that cannot be carried out, to units that there are not."""
    world = data.draw(worlds())
    realm = data.draw(st.sampled_from(CODES))
    sheet = data.draw(sheets(world, realm))
    tried = [
        TriedOrder(
            line=order.written.line, column=order.written.column, order=order.written.text, fate="done"
        )
        for order in sheet.all_orders()
    ]
    table = GameData(rules(), atlas(), ())
    advices = list(advice(SPEC, table, world, realm, sheet, tried, str))
    assert len(advices) == len(tried)
    assert all(advice_line.why.endswith(".") and "{" not in advice_line.why for advice_line in advices)
