"""The data that a realm's page carries for its scripts: complete, safe inside a page, and nobody else's secrets."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

import pytest

from gm.games.medieval.atlas import Barrier
from gm.games.medieval.forecast import forecast
from gm.games.medieval.orders.grammar import HEADQUARTERS, PLAN, UNIT
from gm.games.medieval.report.page_data import own_block, private_data, public_data, script_json, world_block
from gm.games.medieval.report.position import public_world
from gm.games.medieval.rules_data import load_reasons
from gm.games.medieval.state import World
from gm.kernel.plain_data import plain
from tests.medieval.europeland import europe, europe_world
from tests.medieval.reportland import CODES, HOSTILE, busy_files, busy_record, busy_world
from tests.medieval.testland import BORDERS, atlas, make_world, rules, unit


def data_of(world: World) -> dict[str, Any]:
    return public_data(world, rules(), atlas(), game="test", title="Testland")


def own_of(realm: str) -> dict[str, Any]:
    record = busy_record()
    found: dict[str, Any] = json.loads(own_block(record, realm, forecast(record.after, realm, None, rules(), atlas())))
    return found


# -- what everybody may know -------------------------------------------------------------------------------------------


def test_the_turn_is_the_one_that_orders_are_for() -> None:
    data = json.loads(world_block(busy_record()))
    assert (data["format"], data["game"], data["map"]) == (1, "europe", "testland")
    assert (data["turn"], data["season"], data["year"]) == (busy_record().turn + 1, "summer", 1320)


@pytest.mark.clause("W8")
def test_the_position_is_that_of_the_results() -> None:
    world = busy_record().after
    position = data_of(world)["position"]
    back = public_world({"position": {**position, "turn": world.turn, "victory_turns": {}, "winners": []}})
    assert back.units == world.units
    assert back.provinces == world.provinces
    assert (back.wars, back.alliances) == (world.wars, world.alliances)
    assert {code: each.passage for code, each in back.realms.items()} == {
        code: each.passage for code, each in world.realms.items()
    }


def test_every_number_of_an_order_is_there() -> None:
    found = data_of(make_world())["rules"]
    for table in ("movement", "economy", "construction", "commanders", "units", "forecast"):
        expected = plain(getattr(rules(), table))
        assert {name: value for name, value in expected.items() if name != "flagged_words"} == found[table]
    assert found["statuses"] == plain(dict(rules().statuses))
    for name, troop in rules().troops.items():
        given = found["troops"][name]
        assert (given["kind"], given["move_points"], given["weight"], given["storage"]) == (
            troop.kind.value,
            troop.move_points,
            troop.weight,
            troop.storage,
        )
        assert (Decimal(given["cost"]), Decimal(given["upkeep"])) == (troop.cost, troop.upkeep)


def test_every_word_of_an_order_file_is_there() -> None:
    grammar = data_of(make_world())["grammar"]
    for name, table in (("headquarters", HEADQUARTERS), ("unit", UNIT), ("plan", PLAN)):
        assert [each["name"] for each in grammar[name]] == list(table)
        assert [each["shape"] for each in grammar[name]] == [word.shape.name for word in table.values()]
        assert [each["kinds"] for each in grammar[name]] == [word.kinds for word in table.values()]


def test_every_reason_is_there() -> None:
    found = data_of(make_world())["reasons"]
    assert found == {key: {"clause": each.clause, "says": each.says} for key, each in load_reasons().items()}


@pytest.mark.clause("W3")
def test_every_border_stands_at_both_its_places() -> None:
    places = data_of(make_world())["places"]
    assert list(places) == list(atlas().locations)
    for a, b, *barrier in BORDERS:
        expected = barrier[0].value if barrier else "open"
        assert places[a]["neighbours"][b] == places[b]["neighbours"][a] == expected
    assert places["Savoy"]["neighbours"]["Bordeaux"] == Barrier.MOUNTAINS.value
    assert sum(len(place["neighbours"]) for place in places.values()) == 2 * len(BORDERS)


def test_straits_are_told_from_land() -> None:
    places = public_data(europe_world(), rules(), europe(), game="test", title="Europe")["places"]
    straits = [each for each in europe().borders if each.strait and each.barrier is None]
    assert straits
    assert all(places[each.a]["neighbours"][each.b] == "strait" for each in straits)


def test_places_say_what_they_have() -> None:
    places = data_of(make_world())["places"]
    assert places["Baltic"]["sea"] is True
    assert "sea" not in places["London"]
    assert places["London"]["city"] == {
        "name": "London",
        "resource": 6,
        "recruits": list(atlas().locations["London"].city.recruits),  # type: ignore[union-attr]
    }
    assert (places["London"]["revenue"], places["London"]["capital_of"]) == ("20", "ENG")
    assert "city" not in places["Kent"]


# -- what only this realm may know -------------------------------------------------------------------------------------


@pytest.mark.clause("W8")
def test_the_public_part_has_no_secrets() -> None:
    record = busy_record()
    text = str(world_block(record))
    for code, realm in record.after.realms.items():
        assert record.keys[code] not in text
        assert str(realm.treasury) not in text
    assert "treasury" not in json.dumps(json.loads(text)["position"])


@pytest.mark.clause("W8")
@pytest.mark.parametrize("realm", CODES)
def test_a_realm_carries_its_own_secrets_and_nobody_elses(realm: str) -> None:
    record = busy_record()
    text = json.dumps(own_of(realm))
    for code, other in record.after.realms.items():
        assert (record.keys[code] in text) is (code == realm)
        assert (f'"{other.treasury}"' in text) is (code == realm)


def test_the_private_part_holds_key_treasury_and_forecast() -> None:
    world = busy_world()
    expected = forecast(world, "ENG", None, rules(), atlas())
    assert private_data(world, "ENG", "key", expected) == {
        "format": 1,
        "realm": "ENG",
        "key": "key",
        "treasury": str(world.realms["ENG"].treasury),
        "forecast": plain(expected),
    }


def test_nobody_but_a_realm_has_a_private_part() -> None:
    world = busy_world()
    with pytest.raises(KeyError):
        private_data(world, "IND", "", forecast(world, "ENG", None, rules(), atlas()))


# -- in the page -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [HOSTILE, "</script><!--", "&lt;", "line\u2028break\u2029", "<!--<script>"])
def test_names_of_players_cannot_leave_the_block(name: str) -> None:
    world = make_world(unit("ENG/A1", "Kent", {"Longbowmen": 1}, name=name))
    text = script_json(data_of(world))
    assert not re.search("[<>&\u2028\u2029]", text)
    assert json.loads(text)["position"]["units"]["ENG/A1"]["name"] == name


@pytest.mark.parametrize("realm", CODES)
def test_the_page_carries_both_blocks(realm: str) -> None:
    page = busy_files()[f"results/{realm}.html"]
    blocks = dict(re.findall(r'<script type="application/json" id="(gm-\w+)">(.*?)</script>', page, re.DOTALL))
    assert json.loads(blocks["gm-own"]) == own_of(realm)
    assert blocks["gm-world"] == str(world_block(busy_record()))
