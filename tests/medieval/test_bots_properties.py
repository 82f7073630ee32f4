"""Bots on any position that the game can come to: what they order is legal, and a function of what they
are shown.
"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.core.yaml.source import plain_data, read_yaml
from gm.games.medieval.bots.playing import drafted
from gm.games.medieval.bots.relations import dares
from gm.games.medieval.bots.sheet import Sheet
from gm.games.medieval.data.clauses_data import bot_profiles
from gm.games.medieval.orders.grammar import HEADQUARTERS, PLAN, UNIT
from gm.games.medieval.spec import SPEC
from gm.games.medieval.state import World
from tests.examples import examples
from tests.medieval.botland import NAMES, asked, illegal, sheet_of, table, view_of
from tests.medieval.positions import CODES, worlds
from tests.medieval.testland import make_world

SEEDS = st.sampled_from(("one", "two", "three", "four"))


@pytest.mark.clause("N1", "N3", "O2")
@pytest.mark.parametrize("name", NAMES)
@given(world=worlds(), code=st.sampled_from(CODES), seed=SEEDS)
@examples(100, 3, derandomize=True)
def test_no_order_of_a_bot_is_refused_or_cut_short_unless_dice_or_others_decide(
    name: str, world: World, code: str, seed: str
) -> None:
    refused = illegal(name, world, code, seed)
    assert refused == [], asked(name, world, code, seed).data.decode()


@pytest.mark.clause("N3", "W8")
@pytest.mark.parametrize("name", NAMES)
@given(world=worlds(), code=st.sampled_from(CODES))
@examples(8, derandomize=True)
def test_a_bot_answers_the_same_whatever_it_may_not_know(name: str, world: World, code: str) -> None:
    others = (
        realm.evolve(treasury=realm.treasury + 77, missed_turns=3)
        for key, realm in world.realms.items()
        if key != code
    )
    assert asked(name, world.with_realms(*others), code).data == asked(name, world, code).data


@given(world=worlds())
@examples(20, derandomize=True)
def test_what_bots_order_together_can_be_played_and_leaves_a_sound_world(world: World) -> None:
    living = [code for code in CODES if not world.realms[code].defeated]
    sheets = {code: sheet_of(asked(NAMES[at % len(NAMES)], world, code)) for at, code in enumerate(living)}
    after = SPEC.play(table(), world, sheets, "seed").state
    assert SPEC.broken(table(), after) == []


@pytest.mark.clause("W8")
@given(world=worlds(), code=st.sampled_from(CODES))
@examples(20, derandomize=True)
def test_a_bot_is_shown_no_treasury_but_its_own(world: World, code: str) -> None:
    visible = view_of(world, code).state
    assert visible.realms[code].treasury == world.realms[code].treasury
    assert not any(
        realm.treasury or realm.missed_turns for key, realm in visible.realms.items() if key != code
    )
    assert (visible.units, visible.provinces, visible.wars) == (world.units, world.provinces, world.wars)


@pytest.mark.parametrize("name", ["builder", "conqueror", "raider"])
@given(world=worlds(), code=st.sampled_from(CODES), seeds=st.tuples(SEEDS, SEEDS))
@examples(60, 3, derandomize=True)
def test_two_seeds_with_which_a_war_is_dared_alike_give_the_same_orders(
    name: str, world: World, code: str, seeds: tuple[str, str]
) -> None:
    """The strategist's futures rely on it: what the others order first comes of few draws."""
    drafts = {dares(seed): drafted(view_of(world, code, seed), bot_profiles()[name]).data() for seed in seeds}
    for seed in seeds:
        assert drafted(view_of(world, code, seed), bot_profiles()[name]).data() == drafts[dares(seed)]


NAMES_OF_ANY_KIND = st.text(min_size=1, max_size=12).filter(
    lambda name: name.isprintable() and not name.isdigit()
)
VALUES = st.recursive(
    NAMES_OF_ANY_KIND | st.integers(0, 200),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(NAMES_OF_ANY_KIND | st.integers(1, 5), inner, max_size=3)
    ),
    max_leaves=6,
)


def read_back(value: Any) -> Any:
    """What YAML makes of a value: names are text."""
    if isinstance(value, dict):
        return {str(name): read_back(item) for name, item in value.items()}
    return [read_back(item) for item in value] if isinstance(value, list) else value


@given(
    name=NAMES_OF_ANY_KIND | st.sampled_from(("ENG", "AQU/F12", 'say "\\"')),
    ordered=st.dictionaries(st.sampled_from(sorted(set(UNIT) - {"plan"})), VALUES, max_size=3),
    plan=st.lists(
        st.tuples(st.sampled_from(sorted(PLAN)), st.none() | VALUES, st.text(max_size=9)), max_size=3
    ),
)
@examples(300, 10, derandomize=True)
def test_yaml_finds_in_a_sheet_what_was_put_into_it(name: str, ordered: Any, plan: Any) -> None:
    sheet = Sheet(view_of(make_world(), "ENG"), "tester")
    word = next(iter(HEADQUARTERS))
    sheet.headquarters(word, name, name)
    for order, value in ordered.items():
        sheet.unit("A2", name).order(order, value, name)
    for step, value, why in plan:
        sheet.unit("A1").then(step, value, why)
    units: dict[str, Any] = {"A2": read_back(ordered)} if ordered else {}
    if plan:
        steps = [step if value is None else {step: read_back(value)} for step, value, _ in plan]
        units["A1"] = {"plan": steps}
    found = plain_data(read_yaml(sheet.data(), "x"))
    assert found["headquarters"] == {word: [name]}
    assert found.get("units", {}) == units
