"""Bots on any position that the game can come to: what they order is legal, and a function of what they are shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.games.medieval.spec import SPEC
from gm.games.medieval.state import World
from tests.examples import examples
from tests.medieval.botland import NAMES, asked, illegal, sheet_of, table, view_of
from tests.medieval.positions import CODES, worlds

SEEDS = st.sampled_from(("one", "two", "three", "four"))


@pytest.mark.clause("N1", "N3", "O2")
@pytest.mark.parametrize("name", NAMES)
@given(world=worlds(), code=st.sampled_from(CODES), seed=SEEDS)
@examples(250, 6, derandomize=True)
def test_no_order_of_a_bot_is_refused_or_cut_short_unless_dice_or_others_decide(
    name: str, world: World, code: str, seed: str
) -> None:
    found = illegal(name, world, code, seed)
    assert found == [], asked(name, world, code, seed).data.decode()


@pytest.mark.clause("N3", "W8")
@pytest.mark.parametrize("name", NAMES)
@given(world=worlds(), code=st.sampled_from(CODES))
@examples(8, derandomize=True)
def test_a_bot_answers_the_same_whatever_it_may_not_know(name: str, world: World, code: str) -> None:
    others = (
        realm.evolve(treasury=realm.treasury + 77, missed_turns=3) for key, realm in world.realms.items() if key != code
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
    shown = view_of(world, code).state
    assert shown.realms[code].treasury == world.realms[code].treasury
    assert not any(realm.treasury or realm.missed_turns for key, realm in shown.realms.items() if key != code)
    assert (shown.units, shown.provinces, shown.wars) == (world.units, world.provinces, world.wars)
