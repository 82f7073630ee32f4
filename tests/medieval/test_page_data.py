"""The data that a realm's page carries for its scripts: complete, safe inside a page, and nobody else's
secrets.
"""

import json
import re
from html import unescape
from typing import Any

import pytest

from gm.games.medieval.analysis.choices import TurnChoices
from gm.games.medieval.analysis.forecast import forecast
from gm.games.medieval.orders import forms
from gm.games.medieval.orders.grammar import HEADQUARTERS, PLAN, UNIT
from gm.games.medieval.report.page_data import private_data, public_data
from gm.games.medieval.report.results import position_data
from gm.games.medieval.state import World
from gm.text.pages import script_json
from tests.medieval.europeland import europe, europe_world
from tests.medieval.reportland import CODES, HOSTILE, busy_files, busy_record, busy_world, data_block
from tests.medieval.testland import BORDERS, atlas, make_world, rules, unit


def choices_of(world: World) -> TurnChoices:
    return TurnChoices(world, rules(), atlas())


def data_of(world: World) -> dict[str, Any]:
    return public_data(world, choices_of(world), game="test", title="Testland")


def own_of(realm: str) -> dict[str, Any]:
    record = busy_record()
    data = private_data(record.after, realm, record.keys[realm], choices_of(record.after))
    own: dict[str, Any] = json.loads(script_json(data))
    return own


def test_the_turn_is_the_one_that_orders_are_for() -> None:
    data = data_of(busy_record().after)
    assert (data["format"], data["game"], data["map"]) == (2, "test", "testland")
    assert (data["turn"], data["season"], data["year"]) == (busy_record().turn + 1, "summer", 1320)


@pytest.mark.clause("W8")
def test_the_position_is_that_of_the_results() -> None:
    world = busy_record().after
    position = position_data(world)
    data = data_of(world)
    assert data["owners"] == [position["provinces"].get(name, {}).get("owner", "") for name in data["places"]]
    walls = {name: level for name, level in zip(data["places"], data["walls"], strict=True) if level}
    held = {name: land.effective_fortification for name, land in world.provinces.items()}
    assert walls == {name: level for name, level in held.items() if level > 0}
    assert {key: data["places"][place] for key, (place, _) in data["others"].items()} == {
        key: unit["place"]
        for key, unit in position["units"].items()
        if "/G" not in key and not key.startswith("IND/")
    }
    for realm in CODES:
        own = own_of(realm)
        assert {f"{realm}/{name}": unit for name, unit in own["units"].items()} == {
            key: json.loads(json.dumps(unit))
            for key, unit in position["units"].items()
            if key.startswith(f"{realm}/")
        }
        assert list(own["lands"]) == [
            name for name, province in position["provinces"].items() if province["owner"] == realm
        ]


@pytest.mark.clause("X1")
def test_who_stands_where_is_added_up() -> None:
    world = make_world(
        unit("ENG/A1", "Reims", {"Heavy Infantry": 3}),
        unit("ENG/A2", "Reims", {"Heavy Infantry": 2}),
        unit("ENG/F1", "North Sea", {"Trading Cog": 6}),
    )
    data = data_of(world)
    there = {data["places"][place]: groups for place, groups in data["there"].items()}
    infantry = rules().troops["Heavy Infantry"]
    expected = ["ENG", 5, 5 * infantry.total_combat, float(5 * infantry.hit_points), 0]
    assert next(group for group in there["Reims"] if group[0] == "ENG") == expected
    assert there["North Sea"] == [["ENG", 0, 0, 0.0, 6]]


def test_every_troop_has_the_figures_that_are_added_up() -> None:
    troops = data_of(make_world())["choices"]["troops"]
    for name, troop in rules().troops.items():
        figures = troops[name]
        assert (
            figures.get("ship", False),
            figures["moves"],
            figures.get("weight", 0),
            figures.get("room", 0),
        ) == (
            troop.ship,
            troop.move_points,
            troop.weight,
            troop.storage,
        )
        assert (figures["cost"], figures["upkeep"]) == (troop.cost * 100, troop.upkeep * 100)


def test_every_word_of_an_order_file_is_there() -> None:
    grammar = data_of(make_world())["grammar"]
    for name, table in (("headquarters", HEADQUARTERS), ("unit", UNIT), ("plan", PLAN)):
        assert [word["name"] for word in grammar[name]] == list(table)
        shapes = ["NOTHING" if word.form in forms.BARE else word.form.name for word in table.values()]
        assert [word["shape"] for word in grammar[name]] == shapes
        assert [word.get("kinds", "AFG") for word in grammar[name]] == [word.kinds for word in table.values()]


@pytest.mark.clause("W3")
def test_every_border_stands_at_the_first_of_its_places() -> None:
    data = data_of(make_world())
    assert data["places"] == list(atlas().locations)
    places = data["places"]
    near = {frozenset((places[a], places[b])) for a, others in enumerate(data["near"]) for b in others}
    assert near == {frozenset((a, b)) for a, b, *_ in BORDERS}
    assert all(a < b for a, others in enumerate(data["near"]) for b in others)
    assert {data["places"][index] for index in data["seas"]} == set(atlas().seas)


def test_a_page_of_europe_carries_little() -> None:
    """15.4: the tables share what units share."""
    choices = TurnChoices(europe_world(), rules(), europe())
    world = public_data(europe_world(), choices, game="test", title="Europe")
    own = private_data(europe_world(), "ENG", "key", choices)
    assert len(script_json(world)) < 50_000
    assert len(script_json(own)) < 50_000


@pytest.mark.clause("W8")
def test_the_public_part_has_no_secrets() -> None:
    record = busy_record()
    text = str(script_json(data_of(record.after)))
    for code, realm in record.after.realms.items():
        assert record.keys[code] not in text
        assert str(realm.treasury) not in text
    assert '"treasury"' not in text


@pytest.mark.clause("W8")
@pytest.mark.parametrize("realm", CODES)
def test_a_realm_carries_its_own_secrets_and_nobody_elses(realm: str) -> None:
    record = busy_record()
    text = json.dumps(own_of(realm))
    for code, other in record.after.realms.items():
        assert (record.keys[code] in text) is (code == realm)
        assert (f'"treasury": {int(other.treasury * 100)},' in text) is (code == realm)


def test_the_private_part_holds_key_treasury_and_revenue() -> None:
    world = busy_world()
    expected = forecast(world, "ENG", None, rules(), atlas())
    data = private_data(world, "ENG", "key", choices_of(world))
    assert (data["realm"], data["key"]) == ("ENG", "key")
    assert data["treasury"] == world.realms["ENG"].treasury * 100
    names = list(atlas().place_order)
    pays = {names[place]: now for place, (now, _) in data["revenue"].items()}
    assert sum(pays[name] for name in data["lands"] if name in pays) == expected.expected_revenue * 100
    assert pays.keys() == {name for name, land in world.provinces.items() if land.annexed_to == "ENG"}
    assert data["relations"] == {
        code: "at war" if world.at_war("ENG", code) else "allied"
        for code in world.realms
        if world.at_war("ENG", code) or world.allied("ENG", code)
    }


def test_nobody_but_a_realm_has_a_private_part() -> None:
    world = busy_world()
    with pytest.raises(KeyError):
        private_data(world, "IND", "", choices_of(world))


@pytest.mark.parametrize("name", [HOSTILE, "</script><!--", "&lt;", "line\u2028break\u2029", "<!--<script>"])
def test_names_of_players_cannot_leave_the_block(name: str) -> None:
    world = make_world(unit("ENG/A1", "Kent", {"Longbowmen": 1}, name=name))
    text = script_json(data_of(world))
    assert not re.search("[<>&\u2028\u2029]", text)
    assert json.loads(text)["others"]["ENG/A1"][1] == name


@pytest.mark.parametrize("realm", CODES)
def test_the_page_carries_both_blocks(realm: str) -> None:
    page = busy_files()[f"results/{realm}.html"]
    # the key stands where a letter can leave it out
    assert json.loads(data_block(page, "gm-own")) == own_of(realm) | {"key": ""}
    assert f'data-secret="{busy_record().keys[realm]}"' in page
    record = busy_record()
    public = public_data(record.after, choices_of(record.after), game=record.game, title=record.title)
    assert data_block(page, "gm-world") == script_json(public)
    assert names_on_the_map(page) == public["places"]


def names_on_the_map(page: str) -> list[str]:
    """Return what the map's script reads: the name of each place as it is drawn, its lines joined."""
    drawn = re.findall(
        r'<a class="at[^>]*>.*?(<g class="n">.*?</g>|<text class="n".*?</text>)', page, re.DOTALL
    )
    return [unescape(" ".join(re.findall(r"<text[^>]*>([^<]*)</text>", name))) for name in drawn]
