"""Issue 39, item 7: a steward acts for a player who is away and binds nobody."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.games.medieval.orders.model import Annex, Repair, SetDefendFortifications
from tests.examples import examples
from tests.medieval.botland import illegal, orders_of
from tests.medieval.positions import CODES, worlds
from tests.medieval.testland import make_world, unit


@pytest.mark.clause("L6", "L8.1", "M10")
def test_it_annexes_repairs_and_mans_the_walls() -> None:
    world = make_world(
        unit("ENG/G1", "London", {"Men-at-Arms": 30}),
        unit("ENG/A1", "London", {"Men-at-Arms": 5}, defend_fortifications=False),
        unit("FRA/A1", "Flanders", {"Heavy Infantry": 20}),
        owners={"Kent": "ENG"},
        war=[("ENG", "FRA")],
        realms={"ENG": {"treasury": Decimal(500)}},
    )
    land = world.provinces["London"].evolve(fortification=3, fortification_damage=2)
    kent = world.provinces["Kent"].evolve(annexed_to="FRA")
    kinds = {type(order) for order in orders_of("steward", world.with_provinces(land, kent), "ENG")}
    assert kinds == {Annex, Repair, SetDefendFortifications}


@examples(120, 4)
@given(st.data())
def test_in_any_position_it_orders_nothing_else_and_nothing_in_vain(data: st.DataObject) -> None:
    world = data.draw(worlds())
    realm = data.draw(st.sampled_from(CODES))
    if world.realms[realm].defeated:
        return
    kinds = {type(order) for order in orders_of("steward", world, realm)}
    assert kinds <= {Annex, Repair, SetDefendFortifications}
    assert illegal("steward", world, realm) == []
