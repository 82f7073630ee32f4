"""The JSON Schema of one realm's next orders: what it lets through, what it underlines, that it is never
too strict.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples.medieval import demo
from gm.games.medieval.analysis.forecast import BOUNDLESS
from gm.games.medieval.analysis.trial import try_orders
from gm.games.medieval.orders.schema_realm import RealmSchemas
from gm.games.medieval.orders.template import TemplateHead, orders_template
from gm.games.medieval.spec import SPEC
from gm.games.medieval.state import World
from gm.games.medieval.steps.outcomes import OrderOutcome
from tests.examples import examples
from tests.medieval.order_files import as_file
from tests.medieval.order_reading import CASES, HEADER, KEY, gallery_world, json_data, read
from tests.medieval.ordering import sheets
from tests.medieval.positions import CODES, worlds
from tests.medieval.testland import REALMS, atlas, make_world, rules, unit


@cache
def find_sound(text: str) -> None:
    """Find that a schema is one: the same text once."""
    jsonschema.Draft7Validator.check_schema(json.loads(text))


def schema(world: World, realm: str = "ENG", turn: int = 5) -> dict[str, Any]:
    """The realm's schema, found sound."""
    text = RealmSchemas(world, rules=rules(), atlas=atlas(), game="test", turn=turn).text(realm)
    find_sound(text)
    schema: dict[str, Any] = json.loads(text)
    return schema


def errors(schema: dict[str, Any], text: str | bytes) -> list[str]:
    validator = jsonschema.Draft7Validator(schema)
    return [
        f"{'/'.join(map(str, error.path))}: {error.message}"[:200]
        for error in validator.iter_errors(json_data(text))
    ]


def template(realm: str, world: World) -> str:
    return orders_template(world, realm, rules=rules(), atlas=atlas(), head=TemplateHead("test", 5, KEY))


@pytest.mark.parametrize("realm", sorted(REALMS))
def test_the_template_fits_and_names_its_schema_in_the_first_line(realm: str) -> None:
    text = template(realm, gallery_world())
    assert text.splitlines()[0] == f"# yaml-language-server: $schema={realm}.schema.json"
    assert errors(schema(gallery_world(), realm), text) == []
    assert read(text, realm=realm, key=KEY)[1] == []


@pytest.mark.parametrize("body", CASES["fits"])
def test_what_can_come_off_fits(body: str) -> None:
    assert errors(schema(gallery_world()), HEADER + body + "\n") == []


@pytest.mark.slow
def test_the_players_files_of_the_example_fit_but_for_what_their_turns_refused(tmp_path: Path) -> None:
    from gm.campaign.open import Campaign
    from gm.store.folder import GameFolder

    demo.run(tmp_path / "minsk")
    campaign = Campaign(GameFolder(tmp_path / "minsk"), SPEC)
    fitting = 0
    underlined = {}
    for turn in range(1, campaign.newest_turn + 1):
        before = campaign.folder.turn_path(turn - 1)
        state = campaign.state_after(turn - 1)
        for file in sorted((campaign.folder.turn_path(turn) / "orders").glob("*.yaml")):
            schema_of_realm = json.loads((before / "next" / f"{file.stem}.schema.json").read_bytes())
            assert errors(schema_of_realm, (before / "next" / file.name).read_bytes()) == []
            reading = SPEC.read_orders(
                campaign.table, state, file.read_bytes(), file.name, game="minsk", realm=file.stem, key=None
            )
            if reading.diagnostics:
                continue
            complaints = errors(schema_of_realm, file.read_bytes())
            if complaints:
                underlined[f"{file.stem} {turn}"] = complaints
            else:
                fitting += 1
    assert fitting >= 8
    # a recruit in a province without a city: the reader takes it, the turn refuses it
    assert underlined == {"LIT 2": ["units/Zodzina: 'recruit' is not valid under any of the given schemas"]}


@pytest.mark.clause("O2", "O8")
@examples(150, 4, derandomize=True)
@given(st.data())
def test_what_it_underlines_is_refused_by_the_reader_or_by_the_turn(data: st.DataObject) -> None:
    world = data.draw(worlds())
    realm = data.draw(st.sampled_from([code for code in CODES if not world.realms[code].defeated]))
    sheet = data.draw(sheets(world, realm))
    text = as_file(sheet)
    underlined = errors(schema(world, realm, world.turn + 1), text)
    if not underlined:
        return
    understood, findings = read(text, world=world, realm=realm, turn=world.turn + 1, key=None)
    if findings or understood is None:
        return
    rich = world.with_realms(world.realms[realm].evolve(treasury=BOUNDLESS))
    trial = try_orders(rich, realm, understood, rules(), atlas(), "any")
    fates = [order.event.fate for order in trial.orders.values()]
    assert OrderOutcome.FAILED in fates, f"{underlined}\n{text}"


@pytest.mark.parametrize("body", CASES["underlined"])
def test_what_cannot_come_off_is_underlined(body: str) -> None:
    assert errors(schema(gallery_world()), HEADER + body + "\n")


def test_another_game_realm_or_turn_is_underlined() -> None:
    schema_of_realm = schema(gallery_world())
    for wrong in ("game: test", "realm: ENG", "turn: 5"):
        name = wrong.partition(":")[0]
        assert errors(schema_of_realm, HEADER.replace(wrong, f"{name}: {'7' if name == 'turn' else 'AQU'}"))


def test_the_key_is_not_in_it() -> None:
    # a schema may lie about where others see it; the template is the player's own
    assert KEY not in json.dumps(schema(gallery_world()))


def test_it_offers_each_kind_of_unit_its_own_words() -> None:
    schema_of_realm = schema(gallery_world())
    words = {
        name: set(schema_of_realm["definitions"][name]["properties"])
        for name in ("army", "fleet", "garrison 1")
    }
    assert {"marines", "defend_fortifications", "build"} <= words["army"]
    assert words["army"].isdisjoint({"recruit", "hire_commander"})
    assert words["fleet"].isdisjoint({"recruit", "marines", "build", "raze"})
    assert {"recruit", "build", "plan"} <= words["garrison 1"]
    assert words["garrison 1"].isdisjoint({"follow", "retreat_level", "hire_commander"})
    units = schema_of_realm["properties"]["units"]["properties"]
    assert units["A1"]["description"] == "A1, Kent: 5 Longbowmen, Sir John Chandos; 2 move-points"
    assert "AQU/A3" not in json.dumps(units)


def test_it_offers_what_this_city_recruits_and_ships_only_with_a_harbour() -> None:
    world = make_world(unit("ENG/G1", "London", {"Longbowmen": 1}), turn=4)
    recruits = schema(world)["definitions"]["recruits 1"]["anyOf"][0]["properties"]
    assert list(recruits) == [
        name for name in rules().troops if name in atlas().locations["London"].city.recruits
    ]
    assert recruits["Longbowmen"]["description"].startswith("5 gold, upkeep 0.3; attack 1x60")
    dry = make_world(unit("ENG/G1", "London"), provinces={"London": {"harbour": False}}, turn=4)
    assert "Trading Cog" not in schema(dry)["definitions"]["recruits 1"]["anyOf"][0]["properties"]


def test_royalty_is_offered_commanders_and_a_realm_that_is_out_is_nobodys_partner() -> None:
    royal = make_world(
        unit("ENG/G1", "London"), realms={"ENG": {"status": "royalty"}, "FRA": {"defeated": True}}, turn=4
    )
    schema_of_realm = schema(royal)
    assert "hire_commander" in schema_of_realm["definitions"]["garrison 1"]["properties"]
    assert "FRA" not in schema_of_realm["definitions"]["other realm"]["enum"]


def test_hostile_names_stay_text() -> None:
    name = '"}],"x":[{</script>\u2028'
    world = make_world(unit("ENG/A1", "Kent", {"Longbowmen": 1}, name=name), turn=4)
    assert "</script>" in schema(world)["properties"]["units"]["properties"]["A1"]["description"]


@pytest.mark.slow
def test_europes_schemas_are_small() -> None:
    table = SPEC.shipped_table("europe-1320")
    world = SPEC.start(table, SPEC.maps()["europe-1320"], None)
    schemas = RealmSchemas(world, rules=table.rules, atlas=table.board, game="europe", turn=1)
    assert max(len(schemas.text(realm).encode()) for realm in world.realms) < 150_000
