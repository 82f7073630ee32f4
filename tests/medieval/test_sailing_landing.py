"""Armies go ashore: landings, amphibious rolls, and how often a fleet may (M8, M8.1, P7)."""

from __future__ import annotations

from collections import Counter

import pytest

from gm.games.medieval.events.movement import LandingSucceeded
from gm.games.medieval.report.turn_result import MedievalFormatter
from gm.games.medieval.steps.loading import armies_unloaded
from gm.games.medieval.steps.turn import OrderSettled
from tests.medieval.movement import plans
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
