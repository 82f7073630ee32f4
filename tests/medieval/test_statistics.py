"""Chances outside battles come true as often as they should: fixed seeds, exact binomial bounds."""

from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import chain

import pytest

from gm.games.medieval.events import CommandersChanged
from gm.games.medieval.events.movement import HarbourDestroyed, LandingFailed, LandingSucceeded
from gm.games.medieval.state import Status
from gm.games.medieval.steps.economy import upkeep_paid
from gm.games.medieval.steps.loading import armies_unloaded
from gm.games.medieval.steps.recruiting import commanders_hired
from tests.likely import is_likely
from tests.medieval.testland import make_world, play, run_steps, unit

SEEDS = [f"statistics {number}" for number in range(300)]


@pytest.mark.clause("M8", "X1")
@pytest.mark.parametrize(
    ("troops", "chance"), [({"Peasant Rabble": 2}, Fraction(26, 100)), ({"Militia": 3}, None)]
)
def test_a_landing_succeeds_as_often_as_its_combat_says(
    troops: dict[str, int], chance: Fraction | None
) -> None:
    chance = chance or Fraction(63, 100)
    world = make_world(
        unit("ENG/F1", "Channel", {"Trading Cog": 4}),
        unit("ENG/A1", "Channel", troops, aboard="ENG/F1"),
        war=[("ENG", "FRA")],
        owners={"Bordeaux": "FRA"},
    )
    orders = {"ENG": "units:\n  F1:\n    plan:\n      - unload: {A1: Bordeaux}\n"}
    events = list(
        chain.from_iterable(run_steps(world, [armies_unloaded], orders, seed=seed).events for seed in SEEDS)
    )
    landed = sum(isinstance(event, LandingSucceeded) for event in events)
    assert landed + sum(isinstance(event, LandingFailed) for event in events) == len(SEEDS)
    assert is_likely(landed, len(SEEDS), chance)


@pytest.mark.clause("L3")
def test_each_unpaid_troop_is_lost_with_one_half() -> None:
    world = make_world(
        unit("ENG/G1", "London", {"Longbowmen": 10, "Peasant Rabble": 10}),
        realms={"ENG": {"treasury": Decimal(0)}},
    )
    left: Counter[str] = Counter()
    for seed in SEEDS[:100]:
        after = run_steps(world, [upkeep_paid], phase=0, seed=seed).unit("ENG/G1")
        left.update({name: after.count(name) for name in ("Longbowmen", "Peasant Rabble")})
    assert is_likely(left["Longbowmen"], 1000, Fraction(1, 2))
    assert is_likely(left["Peasant Rabble"], 1000, Fraction(1, 2))


@pytest.mark.clause("L5", "T5")
def test_a_hired_commanders_tactics_are_the_lower_of_two_draws_from_one_to_sixty() -> None:
    world = make_world(realms={"ENG": {"status": Status.ROYALTY, "treasury": Decimal(200)}})
    orders = {"ENG": "units:\n  London:\n    hire_commander: 5\n"}
    ratings: list[int] = []
    for seed in SEEDS[:60]:
        played = run_steps(world, [commanders_hired], orders, phase=0, seed=seed)
        commanders = played.unit("ENG/G1").commanders
        assert (
            len(commanders)
            == len({commander.name for commander in commanders})
            == len(played.only(CommandersChanged))
            == 5
        )
        ratings += list(chain.from_iterable((c.infantry, c.cavalry, c.siege, c.naval) for c in commanders))
    assert min(ratings) >= 1
    assert max(ratings) <= 60
    for low in (6, 20, 30, 45):
        # at most low unless both draws are above it
        assert is_likely(
            sum(rating <= low for rating in ratings), len(ratings), 1 - Fraction(60 - low, 60) ** 2
        )


@pytest.mark.clause("M13.1")
@pytest.mark.slow
def test_a_harbour_is_lost_in_a_tenth_of_all_conquests() -> None:
    world = make_world(
        unit("FRA/A1", "Kent", {"Heavy Cavalry": 4}), owners={"Kent": "FRA"}, war=[("ENG", "FRA")]
    )
    orders = {"FRA": "units:\n  A1:\n    plan:\n      - march: London\n"}
    conquests = [play(world, orders, seed=seed) for seed in SEEDS]
    assert all(played.world.provinces["London"].owner == "FRA" for played in conquests)
    assert is_likely(
        sum(bool(played.only(HarbourDestroyed)) for played in conquests), len(SEEDS), Fraction(1, 10)
    )
