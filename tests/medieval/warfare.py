"""Battles for tests: one step of battles in one phase, with troops whose dice are certain where a test
wants it.
"""

from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from itertools import chain
from typing import Any

from msgspec.structs import replace

from gm.core.codec import encode
from gm.core.pipeline import Step
from gm.games.medieval.combat.report import BattleReport, UnitRound
from gm.games.medieval.data.rules import Rules, TroopClass, TroopType
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.state import World
from gm.games.medieval.steps.conquest import land_battles_fought
from tests.medieval.testland import Played, make_turn, rules, with_marks


def troop(name: str, combat: int, hit_points: str | int = 1, **more: Any) -> TroopType:
    """A troop type for tests; plain foot unless told otherwise."""
    fields: dict[str, Any] = {
        "kind": TroopClass.FOOT,
        "regions": (),
        "attacks": 1,
        "move_points": 2,
        "cost": Decimal(5),
        "upkeep": Decimal(0),
        "weight": 1,
        "marine": 0,
    }
    return TroopType(**{**fields, "name": name, "combat": combat, "hit_points": Decimal(hit_points), **more})


TEST_TROOPS = (
    troop("Striker", 100),
    troop("Twin", 100, attacks=2),
    troop("Target", 0),
    troop("Cheap Target", 0, cost=Decimal(1)),
    troop("Tough Target", 0, 5, cost=Decimal(9)),
    troop("Odd Target", 0, "2.1"),
    troop("Rider", 100, 3, kind=TroopClass.MOUNTED),
    troop("Ram", 0, "0.5", kind=TroopClass.SIEGE, siege_power=100, capture_chance=100, marine=None),
    troop("Ship", 100, kind=TroopClass.WARSHIP, marine_space=2, storage=2, capture_chance=0, weight=0),
    troop("Hulk", 0, kind=TroopClass.TRANSPORT, storage=2, capture_chance=0, weight=0),
    troop("Great Hulk", 0, 9, kind=TroopClass.TRANSPORT, storage=2, capture_chance=0, weight=0),
    troop("Horse", 0, weight=2),
    troop("Prize", 0, kind=TroopClass.TRANSPORT, storage=2, capture_chance=100, weight=0),
)


@cache
def sure_rules(**battle: Any) -> Rules:
    """The shipped rules with test troops, and no limit below certainty: a Striker always hits, a Target
    never.
    """
    shipped = rules()
    return shipped.evolve(
        troops={**shipped.troops, **{troop.name: troop for troop in TEST_TROOPS}},
        battle=shipped.battle.evolve(**{"best_chance_percent": 100, **battle}),
    )


def fought(
    world: World,
    step: Step = land_battles_fought,
    *,
    phase: int = 1,
    seed: str = "test",
    done: Mapping[str, Mapping[str, Any]] | None = None,
    last_owners: Mapping[str, str] | None = None,
    orders: Mapping[str, Any] | None = None,
    by: Rules | None = None,
) -> Played:
    """Run one step of battles. ``done`` sets units' progress, ``last_owners`` who owned what a phase ago."""
    turn = make_turn(world, orders, seed)
    owners = {place: {"owner_last_phase": owner} for place, owner in (last_owners or {}).items()}
    state = with_marks(turn.state, done, owners)
    turn = replace(turn, state=state, rules=by or sure_rules())
    before = encode(state)
    outcome = step(turn.at_step(step.name, phase))
    assert encode(state) == before, "the step changed its input"
    return Played(state, outcome.state, outcome.events)


def reports(played: Played) -> list[BattleReport]:
    return [event.report for event in played.only(BattleFought)]


def report(played: Played) -> BattleReport:
    (battle,) = reports(played)
    return battle


def rounds_of(report: BattleReport, unit: str) -> list[UnitRound]:
    """The unit's part of each round that it was in."""
    unit_lines = chain.from_iterable(battle_round.units for battle_round in report.rounds)
    return [unit_line for unit_line in unit_lines if unit_line.unit == unit]


def damage_caused(unit_round: UnitRound) -> int:
    return sum(hit.damage for hit in unit_round.caused)


def outcome_of(report: BattleReport, unit: str) -> str:
    (outcome,) = [end.outcome for end in report.ends if end.unit == unit]
    return outcome
