"""Armies go ashore: landings, amphibious rolls, and how often a fleet may (M8, M8.1, P7)."""

from __future__ import annotations

from collections import Counter

import pytest

from gm.core.values import FrozenMap
from gm.games.medieval.events.movement import LandingSucceeded
from gm.games.medieval.orders.model import Unload
from gm.games.medieval.report.sentences import MedievalFormatter
from gm.games.medieval.steps.loading import armies_unloaded
from gm.games.medieval.steps.turn import OrderSettled
from tests.medieval.movement import plans, sheet_of, written
from tests.medieval.testland import make_world, run_steps, unit

COGS = {"Trading Cog": 4}


def fleet(place="Channel", *armies, realm="ENG", key="F1"):
    """A fleet of cogs with armies aboard."""
    ship = unit(f"{realm}/{key}", place, COGS)
    return (ship, *(each.evolve(place=place, aboard=ship.key) for each in armies))


def army(key="ENG/A1", troops=None, **more):
    return unit(key, "Channel", troops or {"Men-at-Arms": 1}, **more)


def land(world, landings, realm="ENG", seed="test"):
    return run_steps(world, [armies_unloaded], {realm: plans(F1=[f"unload: {{{landings}}}"])}, seed=seed)


@pytest.mark.clause("M8", "O2")
def test_of_an_army_named_twice_the_second_name_fails_for_its_own_reason():
    world = make_world(*fleet("Channel", army()))
    order = Unload(written("twice"), FrozenMap({"A1": "Kent", "ENG/A1": "North Sea"}))
    played = run_steps(world, [armies_unloaded], {"ENG": sheet_of("ENG", F1=[order])})
    assert played.fates("ENG") == [("twice", "reduced", "unload-into-sea")]


@pytest.mark.clause("O2", "M8", "P2")
def test_whose_permission_was_asked_is_named_when_an_ally_s_army_is_refused():
    """14.C21: not the fleet's realm asked, but the army's."""
    guest = unit("NOR/A1", "Channel", {"Heavy Infantry": 4}, aboard="ENG/F1")
    world = make_world(unit("ENG/F1", "Channel", {"Royal Galleon": 5}), guest, war=[("AQU", "ENG")])
    played = land(world, "NOR/A1: Bordeaux")
    (refused,) = played.only(OrderSettled)
    assert refused.reason == "guest-not-permitted"
    said = MedievalFormatter(world).reason(refused.reason, refused.figures)[1]
    assert said == "Bordeaux belongs to Aqu, who is at peace with Nor and has not let its armies in"


@pytest.mark.clause("M8", "W12")
def test_one_landing_in_four_of_chance_25_succeeds():
    outcomes = Counter()
    for seed in range(200):
        played = land(make_world(*fleet("Channel", army())), "A1: Flanders", seed=str(seed))
        outcomes[bool(played.only(LandingSucceeded))] += 1
    assert 30 <= outcomes[True] <= 72


@pytest.mark.clause("M8")
def test_only_fleets_unload_and_only_what_is_aboard_and_each_army_once():
    world = make_world(*fleet("Channel", army()), unit("ENG/A2", "Kent", {"Militia": 1}))
    orders = sheet_of(
        "ENG",
        A2=[Unload(written("army", 1), FrozenMap({"A1": "Kent"}))],
        F1=[
            Unload(written("ashore", 2), FrozenMap({"A2": "Kent"})),
            Unload(written("sea", 3), FrozenMap({"A1": "North Sea"})),
            Unload(written("good", 4), FrozenMap({"A1": "Kent"})),
            Unload(written("again", 5), FrozenMap({"A1": "London"})),
        ],
    )
    assert sorted(run_steps(world, [armies_unloaded], {"ENG": orders}).fates("ENG")) == [
        ("again", "failed", "army-unloaded-twice"),
        ("army", "failed", "only-fleets-unload"),
        ("ashore", "failed", "army-not-aboard"),
        ("good", "done", ""),
        ("sea", "failed", "unload-into-sea"),
    ]
