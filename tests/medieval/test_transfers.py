"""Transfers: where, to whom, what, and the move-points that go along (F8, M1, O6, P6)."""

from __future__ import annotations

import pytest

from gm.core.values import FrozenMap
from gm.games.medieval.orders.model import March, Transfer
from gm.games.medieval.steps.transfers import transfers_happen
from tests.medieval.movement import sheet_of, written
from tests.medieval.testland import commander, make_world, run_steps, unit

FOOT = {"Men-at-Arms": 3}


@pytest.mark.clause("M1", "W5")
@pytest.mark.parametrize(
    ("giver", "receiver", "troop", "reason"),
    [
        ("F1", "A1", "Trading Cog", "ships-not-in-armies"),
        ("A1", "F1", "Men-at-Arms", "soldiers-not-in-fleets"),
        ("F1", "Kent", "Trading Cog", "garrison-has-no-harbour"),
    ],
)
def test_soldiers_live_in_armies_and_ships_in_fleets(giver, receiver, troop, reason):
    world = make_world(
        unit("ENG/A1", "Kent", FOOT),
        unit("ENG/F1", "Kent", {"Trading Cog": 2}),
        provinces={"Kent": {"fortification": 1, "harbour": True}},
    )
    order = Transfer(written("x"), receiver, FrozenMap({troop: 1}), ())
    played = run_steps(world, [transfers_happen], {"ENG": sheet_of("ENG", **{giver: [order]})})
    assert played.fates("ENG") == [("x", "failed", reason)]
    assert played.world.units == world.units


def told(world, receiver, troops=(), commanders=()):
    """How one transfer of ENG/A1 ends, also one that the reader of files would not let pass."""
    order = Transfer(written("x"), receiver, FrozenMap(dict(troops)), tuple(commanders))
    # behind a march no transfer waits
    plan = [order, March(written("y", 2), "Flanders")]
    played = run_steps(world, [transfers_happen], {"ENG": sheet_of("ENG", A1=plan)})
    return played, played.fates("ENG")[0][1:]


@pytest.mark.clause("M1", "O2")
def test_nothing_goes_to_oneself_to_a_strangers_garrison_or_out_of_an_empty_order():
    world = make_world(unit("ENG/A1", "Paris", {"Archers": 2}), unit("ENG/A2", "Paris"))
    for receiver, troops, reason in (
        ("A1", {"Archers": 1}, "receiver-is-giver"),
        ("Paris", {"Archers": 1}, "no-such-receiver"),
        ("A2", {}, "nothing-to-transfer"),
    ):
        played, fate = told(world, receiver, troops)
        assert fate == ("failed", reason)
        assert played.world.units == played.before.units


@pytest.mark.clause("M1")
def test_a_commander_goes_once_and_only_from_the_unit_where_he_is():
    both = [commander("Hugo"), commander("John")]
    world = make_world(unit("ENG/A1", "Kent", commanders=both), unit("ENG/A2", "Kent", commanders=[commander("Odo")]))
    played, fate = told(world, "A2", commanders=["Hugo", "Hugo"])
    assert fate == ("done", "")
    assert [who.name for who in played.unit("ENG/A1").commanders] == ["John"]
    assert [who.name for who in played.unit("ENG/A2").commanders] == ["Odo", "Hugo"]
    assert told(world, "A2", commanders=["Odo"])[1] == ("failed", "commander-elsewhere")
