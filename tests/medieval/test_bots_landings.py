"""Fleets of bots: who lands together and in which phase, and where ships and men gather for that."""

import pytest

from gm.core.pipeline import Outcome
from gm.games.medieval.events.movement import ArmyUnloaded, UnitMarched
from gm.games.medieval.orders.model import Load, Recruit, Sail
from gm.games.medieval.spec import SPEC
from gm.games.medieval.state import Unit, World
from tests.medieval.botland import asked, illegal, orders_of, sheet_of, table
from tests.medieval.testland import make_world, unit

TURN = 1  # Nobody begins a war so early
WALLS = {"Bordeaux": {"fortification": 3}}
WEAK = {"Men-at-Arms": 6}
STRONG = {"Men-at-Arms": 40}
SEEDS = ("one", "two", "three", "four", "five")

NEAR = (
    unit("ENG/F1", "Channel", {"Trading Cog": 4}),
    unit("ENG/A1", "Channel", {"Heavy Infantry": 7}, aboard="ENG/F1"),
)
FAR = (  # two seas away: it comes a phase later
    unit("ENG/F2", "Hanobukten", {"Trading Cog": 4}),
    unit("ENG/A2", "Hanobukten", {"Heavy Infantry": 7}, aboard="ENG/F2"),
)
IN_PORT = (unit("ENG/G1", "London", {"Trading Cog": 8}), unit("ENG/A3", "London", {"Heavy Infantry": 16}))


def at_bordeaux(*ours: Unit, garrison: dict[str, int]) -> World:
    """England at war with Aquitaine, whose only town has walls."""
    defenders = unit("AQU/G1", "Bordeaux", garrison)
    return make_world(*ours, defenders, war=[("AQU", "ENG")], provinces=WALLS, turn=TURN)


def played(world: World, seed: str = "seed") -> Outcome[World]:
    """What comes of the orders of England's bot, of which none is refused."""
    assert illegal("conqueror", world, "ENG") == []
    return SPEC.play(table(), world, {"ENG": sheet_of(asked("conqueror", world, "ENG"))}, seed)


def ashore(outcome: Outcome[World]) -> list[tuple[str, int | None]]:
    """The fleets that landed armies in Bordeaux, each with the phase."""
    landings = (
        event for event in outcome.events if isinstance(event, ArmyUnloaded) and event.place == "Bordeaux"
    )
    return sorted((landing.fleet, landing.phase) for landing in landings)


@pytest.mark.clause("N2", "M4", "M8", "P5")
def test_two_fleets_that_are_too_weak_alone_take_a_walled_town_together() -> None:
    for alone in (NEAR, FAR):
        assert ashore(played(at_bordeaux(*alone, garrison=WEAK))) == []
    both = at_bordeaux(*NEAR, *FAR, garrison=WEAK)
    # the near one waits
    assert ashore(played(both)) == [("ENG/F1", 2), ("ENG/F2", 2)]
    owners = [played(both, seed).state.provinces["Bordeaux"].owner for seed in SEEDS]
    assert owners.count("ENG") >= len(SEEDS) - 1


@pytest.mark.clause("N2")
def test_nobody_lands_where_all_together_are_too_weak() -> None:
    assert ashore(played(at_bordeaux(*NEAR, *FAR, *IN_PORT, garrison=STRONG))) == []


@pytest.mark.clause("N2", "F6", "M3")
def test_ships_of_a_garrison_join_a_fleet_and_each_takes_soldiers_of_its_own() -> None:
    fleet = unit("ENG/F2", "London", {"Trading Cog": 4})
    army = unit("ENG/A3", "London", {"Heavy Infantry": 16})
    for ships in (4, 0):
        port = unit("ENG/G1", "London", {"Trading Cog": ships} if ships else {})
        landed = ashore(played(at_bordeaux(fleet, port, army, garrison={"Men-at-Arms": 8})))
        assert landed == ([("ENG/F1", 1), ("ENG/F2", 1)] if ships else [])


@pytest.mark.clause("N2", "M9")
def test_an_army_next_door_marches_in_with_those_who_land() -> None:
    marching = unit("ENG/A3", "Paris", {"Heavy Infantry": 7})
    world = at_bordeaux(*FAR, marching, garrison=WEAK)
    world = world.with_provinces(
        world.provinces["Paris"].evolve(owner="ENG", annexed_to="ENG", fortification=0)
    )
    outcome = played(world)
    marches = [
        event for event in outcome.events if isinstance(event, UnitMarched) and event.place == "Bordeaux"
    ]
    assert ashore(outcome) == [("ENG/F2", 2)]
    assert [(march.unit, march.phase) for march in marches] == [("ENG/A3", 2)]


def test_ships_are_built_where_the_landing_starts_as_many_as_carry_it() -> None:
    """Riga is the larger port for all else: from there no ship reaches Bordeaux."""
    army = unit("ENG/A3", "Kent", {"Heavy Infantry": 60})
    world = at_bordeaux(army, garrison={"Men-at-Arms": 5})
    world = world.with_provinces(world.provinces["Riga"].evolve(owner="ENG", annexed_to="ENG"))
    built = [order for order in orders_of("conqueror", world, "ENG") if isinstance(order, Recruit)]
    assert {order.unit for order in built if order.troop == "Trading Cog"} == {"London"}


def test_an_idle_fleet_sails_to_where_ships_are_lacking() -> None:
    idle = unit("ENG/F3", "Riga", {"Trading Cog": 3})
    army = unit("ENG/A3", "Kent", {"Heavy Infantry": 60})
    world = at_bordeaux(idle, army, garrison={"Men-at-Arms": 12})
    world = world.with_provinces(world.provinces["Riga"].evolve(owner="ENG", annexed_to="ENG"))
    orders = orders_of("conqueror", world, "ENG")
    assert [order.place for order in orders if isinstance(order, Sail)] == ["Baltic", "Hanobukten"]
    assert not any(isinstance(order, Load) for order in orders)
