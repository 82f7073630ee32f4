"""Item 6: the schemas underline nothing that the reader understands, however it is spelled (O8)."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from typing import Any

import jsonschema
import pytest

from gm.core.diagnostics import fold
from gm.games.medieval.orders.grammar import MEANT_IN_HEADQUARTERS, MEANT_OF_UNIT, UNIT, meant_in_plan
from gm.games.medieval.orders.schema import orders_schema
from gm.games.medieval.orders.schema_realm import RealmSchemas
from gm.games.medieval.orders.values import Word
from gm.games.medieval.state import Status, World
from gm.games.medieval.state.world import pair
from tests.medieval.order_reading import HEADER, gallery_world, json_data, read, yaml_cases
from tests.medieval.testland import atlas, rules

UNDERSTOOD = [case for case in yaml_cases("order-phrases") if "means" in case]
WORLDS = {
    "cancel alliance": lambda world: world.evolve(alliances=world.alliances | {pair("ENG", "AQU")}),
    "offer peace to": lambda world: world.evolve(wars=world.wars | {pair("ENG", "AQU")}),
    "peace with": lambda world: world.evolve(wars=world.wars | {pair("ENG", "AQU")}),
    "revoke passage rights to": lambda world: world.with_realms(
        world.realms["ENG"].evolve(passage=frozenset({"AQU"}))
    ),
}
"""What a realm can order only if it is so.

Elsewhere its own schema underlines what the turn is certain to refuse."""


@cache
def of_all_realms() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(orders_schema(rules(), atlas(), "test"))


def of_england(world: World) -> jsonschema.Draft7Validator:
    schemas = RealmSchemas(world, rules=rules(), atlas=atlas(), game="test", turn=5)
    return jsonschema.Draft7Validator(json.loads(schemas.text("ENG")))


@cache
def of_england_in_the_gallery() -> jsonschema.Draft7Validator:
    realm = gallery_world().realms["ENG"]
    return of_england(gallery_world().with_realms(realm.evolve(status=Status.ROYALTY)))


def underlined(body: str, world: World | None = None) -> list[str]:
    """What either schema says of a file with this body."""
    data = json_data(HEADER + body)
    own = of_england(world) if world else of_england_in_the_gallery()
    errors = chain.from_iterable(schema.iter_errors(data) for schema in (of_all_realms(), own))
    return [error.message for error in errors]


def understood(body: str) -> bool:
    sheet, findings = read(HEADER + body)
    return sheet is not None and not any(finding.is_error for finding in findings)


@pytest.mark.clause("O8")
@pytest.mark.parametrize("case", UNDERSTOOD, ids=lambda case: case["write"])
def test_no_phrase_that_is_understood_is_underlined(case: dict[str, Any]) -> None:
    change = WORLDS.get(case["write"].partition(":")[0])
    world = change(gallery_world()) if change else None
    assert underlined(f"{case.get('in', 'units')}: {{{case['write']}}}\n", world) == []


HEADQUARTERS_VALUES = {
    "grant_permission": "{kent: aqu}",
    "revoke_permission": "{}",
    "rename_commander": "{SIR JAMES: Sir James the Old}",
    "send_gold": "{Aqu: 5}",
    "annex": "[]",
    "give_province": "{KENT: aqu}",
    "cede_province": "Kent",
    "proclamation": "Hear!",
    "declare_war": "aqu",
    "send_ambassador": "[Aqu]",
}
UNIT_VALUES = {
    "A1": {
        "name": "The Few",
        "form": "{army 9: The Few}",
        "retreat_level": "3",
        "follow": "army 2",
        "leader": "Sir John Chandos",
        "marines": "Yes",
        "defend_fortifications": "NO",
        "ranks": "{longbowman: {1: 2}}",
        "disband": "1 longbowman",
        "disband_commanders": "[Sir John Chandos]",
        "build": "Harbours",
        "repair": "yes",
        "raze": "Production Areas",
        "plan": "[Hold]",
    },
    "London": {"recruit": "[3 archers, 2 x militia]", "hire_commander": "1"},
}
PLAN_VALUES = {
    "A": {
        "transfer": "1 longbowman to army 2",
        "board": "Aqu",
        "march": "to london",
        "hold": "2",
        "pillage": "Yes",
    },
    "F": {"load": "army 1 & A2", "sail": "the north sea", "unload": "{army 1: KENT}"},
}


def spelled(word: str) -> tuple[str, ...]:
    """The same word as people may write it."""
    text = word.replace("_", " ")
    return tuple(dict.fromkeys((word, text.title(), text.upper(), word.replace("_", "-"))))


def spellings(meant: Mapping[str, Word], values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each word of a table, and the others that mean it, in several spellings with a value."""
    for also, word in meant.items():
        if word.name in values:
            yield from ((text, values[word.name]) for text in spelled(also))


@pytest.mark.clause("O8")
@pytest.mark.slow
def test_no_other_word_is_underlined_however_it_is_spelled() -> None:
    """Each word of the reader's own tables."""
    bodies = [
        f"headquarters: {{{text}: {value}}}"
        for text, value in spellings(MEANT_IN_HEADQUARTERS, HEADQUARTERS_VALUES)
    ]
    for unit, values in UNIT_VALUES.items():
        bodies += [
            f"units: {{{unit}: {{{text}: {value}}}}}" for text, value in spellings(MEANT_OF_UNIT, values)
        ]
    for kind, values in PLAN_VALUES.items():
        written = spellings(meant_in_plan(kind), values)
        bodies += [f"units: {{{kind}1: {{plan: [{{{text}: {value}}}]}}}}" for text, value in written]
    assert len(bodies) > 300
    for body in bodies:
        assert understood(body), body
        assert underlined(body) == [], body


def test_the_words_tried_are_all_there_are() -> None:
    assert set(chain.from_iterable(UNIT_VALUES.values())) == set(UNIT)
    assert set(chain.from_iterable(PLAN_VALUES.values())) == {
        word.name for word in meant_in_plan("A").values()
    }


def test_no_name_is_underlined_however_it_is_spelled() -> None:
    """Names fold case, accents and gaps; places may have a preposition."""
    for name in atlas().provinces:
        for text in (name, name.lower(), name.upper(), f"to {name}", f"into the {name}", f"{name[:-1]}ë"):
            body = f"units: {{A1: {{plan: [march: {text}]}}}}"
            if fold(text) == fold(name) or " " in text:
                assert underlined(body) == [], body
    for troop in rules().troops:
        for text in (troop.lower(), troop.upper()):
            assert underlined(f"units: {{A1: {{disband: {{{text}: 1}}}}}}") == []
            assert underlined(f"units: {{A1: {{disband: 12 x {text}}}}}") == []


def test_a_head_in_capital_letters_is_not_underlined() -> None:
    head = "Orders: 1\nGAME: test\nRealm: eng\nTurn: 5\nKey: brave-otter-71\nUnits: {A1: {plan: [hold]}}\n"
    assert [error.message for error in of_england_in_the_gallery().iter_errors(json_data(head))] == []


@pytest.mark.parametrize(
    "body",
    [
        "units: {A1: {retreat level: 9}}",
        "units: {A1: {RETREAT_LEVEL: 9}}",
        "units: {A1: {retreet level: 3}}",
        "units: {Army 1x: {plan: [hold]}}",
        "units: {London: {recruit: 3 Archrs}}",
        "units: {London: {recruit: Archers}}",
        "units: {London: {recruit: {Archrs: 3}}}",
        "units: {A1: {plan: [attack Kent]}}",
        "units: {A1: {plan: [march to Kent]}}",
        "units: {A1: {plan: [{march to: the moon}]}}",
        "units: {A1: {plan: [{march to: North Sea}]}}",
        "units: {A1: {plan: [hold in phase nine]}}",
        "units: {A1: {plan: [{transfer: 3 Longbowmen}]}}",
        "units: {F1: {plan: [{load: all armies}]}}",
        "headquarters: {declare war on: XYZ}",
        "headquarters: {attack: AQU}",
        "headquarters: {send gold: 5 to AQU}",
    ],
)
def test_what_is_not_understood_is_underlined_in_other_words_too(body: str) -> None:
    assert not understood(body)
    data = json_data(HEADER + body)
    assert list(of_all_realms().iter_errors(data))
    assert list(of_england_in_the_gallery().iter_errors(data))
