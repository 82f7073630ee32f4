"""The file a player starts from, and the schema for his editor."""

import json
import re
from functools import cache
from typing import Any

import jsonschema
import pytest

from gm.core.yaml.source import plain_data, read_yaml
from gm.games.medieval.orders import model
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.orders.schema import orders_schema
from gm.games.medieval.orders.template import TemplateHead, describe, orders_template, yaml_text
from gm.games.medieval.state import World
from tests.medieval.order_reading import CASES, HEADER, KEY, gallery_world, json_data, read
from tests.medieval.test_orders_read import CONTRACT, contract_map
from tests.medieval.testland import REALMS, atlas, make_world, rules, unit


def template(realm: str = "ENG", world: World | None = None) -> str:
    return orders_template(
        world or gallery_world(), realm, rules=rules(), atlas=atlas(), head=TemplateHead("test", 5, KEY)
    )


def uncommented(text: str) -> str:
    """With one '#' taken off each line that begins with exactly one, but for the editors' line at the top."""
    return re.sub(r"(?m)^#(?!#| yaml-language-server:)", "", text)


def sheet_of(text: str, realm: str = "ENG", world: World | None = None) -> tuple[Orders | None, list[str]]:
    sheet, findings = read(text, "next.yaml", world=world, realm=realm)
    return sheet, [finding.render() for finding in findings]


@pytest.mark.clause("O1")
@pytest.mark.parametrize("realm", sorted(REALMS))
def test_the_template_is_valid_as_it_stands_and_orders_nothing(realm: str) -> None:
    sheet, findings = sheet_of(template(realm), realm)
    assert findings == []
    assert sheet is not None
    assert list(sheet.all_orders()) == []


@pytest.mark.parametrize("realm", sorted(REALMS))
def test_the_examples_of_the_template_are_valid_orders(realm: str) -> None:
    sheet, findings = sheet_of(uncommented(template(realm)), realm)
    assert findings == []
    assert sheet is not None
    assert len(list(sheet.all_orders())) > 30


def test_the_template_shows_every_kind_of_order() -> None:
    sheet, _ = sheet_of(uncommented(template()))
    assert sheet is not None
    kinds_shown = {type(order) for order in sheet.all_orders()}
    kinds = {
        kind for kind in vars(model).values() if isinstance(kind, type) and issubclass(kind, model.Order)
    }
    assert kinds_shown == kinds - {model.Order, model.RealmOrder, model.UnitOrder}


def test_the_examples_are_made_of_what_the_realm_has() -> None:
    world = make_world(
        unit("ENG/G1", "Kent", {"Longbowmen": 2}),
        unit("ENG/G2", "London", {"Trading Cog": 1, "Heavy Infantry": 3}),
        owners={"Kent": "ENG", "London": "ENG"},
    )
    sheet, _ = sheet_of(uncommented(template(world=world)), world=world)
    assert sheet is not None
    transfer, recruit = (
        next(order for order in sheet.all_orders() if isinstance(order, kind))
        for kind in (model.Transfer, model.Recruit)
    )
    assert isinstance(transfer, model.Transfer)
    assert isinstance(recruit, model.Recruit)
    assert dict(transfer.troops) == {"Heavy Infantry": 1}
    city = atlas().city("London")
    assert city is not None
    assert recruit.troop in city.recruits


def test_the_template_lists_the_units() -> None:
    text = template()
    assert "## A1, Kent: 5 Longbowmen, Sir John Chandos; 2 move-points" in text
    assert "## F1, Channel: 2 Trading Cogs; 2 move-points" in text
    assert "## G1, London: empty" in text
    assert "AQU/A3" not in text


def test_a_unit_is_described_with_ranks_leader_and_fleet() -> None:
    army = unit("ENG/A7", "Channel", {"Longbowmen": (1, 0, 2, 0, 0)}, name="The Few", aboard="ENG/F1")
    assert describe(army, rules()) == (
        "A7 The Few, aboard F1, Channel: 3 Longbowmen (1 in rank 1, 2 in rank 3); 2 move-points"
    )


def test_a_realm_without_anything_has_a_template_too() -> None:
    world = make_world(owners={"Minsk": "TEU", "Zodzina": "TEU"}, turn=4)
    sheet, findings = sheet_of(uncommented(template("LIT", world)), "LIT", world)
    assert findings == []
    assert sheet is not None
    assert sheet.units == ()


@pytest.mark.parametrize(("name", "written"), CASES["quoted"])
def test_a_name_is_quoted_where_yaml_needs_it(name: str, written: str) -> None:
    assert yaml_text(name) == written
    assert plain_data(read_yaml(f"[{{{yaml_text(name)}: {yaml_text(name)}}}]".encode(), "x")) == [
        {name: name}
    ]


@cache
def find_sound(text: str) -> None:
    """Find that a schema is one: the same text once."""
    jsonschema.Draft202012Validator.check_schema(json.loads(text))


def errors(data: Any, **more: Any) -> list[str]:
    schema = orders_schema(rules(), contract_map(), **more)
    schema["$defs"]["realm"]["enum"] += ["SAX", "CAS"]
    find_sound(json.dumps(schema))
    return [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(data)]


def test_the_public_example_fits_the_schema() -> None:
    assert errors(json_data(CONTRACT.read_bytes()), game="europe") == []


def test_the_template_fits_the_schema() -> None:
    assert errors(json_data(template())) == []
    assert errors(json_data(uncommented(template()))) == []


@pytest.mark.parametrize("body", CASES["refused"])
def test_the_schema_refuses_what_the_reader_refuses(body: str) -> None:
    assert errors(json_data(HEADER + body))
    _, findings = sheet_of(HEADER + body)
    assert findings


def test_the_schema_knows_its_game() -> None:
    assert errors(json_data(template()), game="other")
