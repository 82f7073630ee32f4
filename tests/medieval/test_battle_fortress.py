"""Sieges and walls (B2, B3, B5.1, B8, X6)."""

from decimal import Decimal

import pytest
from msgspec.structs import replace

from gm.games.medieval.combat.battle import Field
from gm.games.medieval.combat.report import SkillGain
from gm.games.medieval.combat.rounds import wall_losses
from gm.games.medieval.combat.setup import land_battle
from gm.games.medieval.state import Unit
from tests.medieval.testland import Played, commander, make_turn, make_world, rules, unit
from tests.medieval.warfare import fought, report, rounds_of, sure_rules, troop

WAR = [("ENG", "LIT")]


def besieged(*units: Unit, level: int = 2, damage: int = 0, **more: object) -> Played:
    world = make_world(
        *units, war=WAR, provinces={"Minsk": {"fortification": level, "fortification_damage": damage}}
    )
    return fought(world, **more)  # type: ignore[arg-type]


@pytest.mark.clause("B2")
def test_a_leader_whose_machines_did_damage_learns_siegecraft_once_a_turn() -> None:
    john = commander("John", siege=42)
    played = besieged(
        unit("ENG/A1", "Minsk", {"Ram": 2, "Striker": 9}, commanders=[john], leader="John"),
        unit("LIT/G1", "Minsk", {"Target": 1}),
    )
    gains = [gain for gain in report(played).skills if gain.tactic == "siege"]
    assert gains == [SkillGain(realm="ENG", unit="ENG/A1", commander="John", tactic="siege", value=43)]
    assert played.unit("ENG/A1").commanders[0].siege == 43
    again = fought(played.before.evolve(progress=played.world.progress), done={"ENG/A1": {}})
    assert again.unit("ENG/A1").commanders[0].siege == 43


@pytest.mark.clause("B3", "X6")
def test_damage_lowers_the_level_and_a_ruin_gives_nothing() -> None:
    def defenders(level: int, damage: int) -> Played:
        return besieged(
            unit("ENG/A1", "Minsk", {"Striker": 1}),
            unit("LIT/G1", "Minsk", {"Heavy Infantry": 4}),
            level=level,
            damage=damage,
            by=rules().evolve(troops={**rules().troops, "Striker": troop("Striker", 50)}),
        )

    as_two = defenders(2, 0)
    damaged = defenders(6, 4)
    ruin = defenders(6, 6)
    assert report(damaged).units == report(as_two).units
    assert report(damaged).fortification == 2
    assert report(damaged).tactics_divisor == rules().battle.tactics_divisor_fortified
    assert report(ruin).fortification == 0
    assert report(ruin).units[1].modifiers == ()
    assert report(ruin).tactics_divisor == rules().battle.tactics_divisor


@pytest.mark.clause("B5.1")
def test_only_as_many_as_the_barracks_hold_get_the_bonus_each_round() -> None:
    by = sure_rules(round_limit=1)
    walls = by.fortifications[0].evolve(foot_combat=100)
    by = by.evolve(
        troops={**by.troops, "Half": troop("Half", 50)}, fortifications=(walls, *by.fortifications[1:])
    )
    world = make_world(
        unit("ENG/A1", "Minsk", {"Target": 900}),
        unit("LIT/G1", "Minsk", {"Half": 200}),
        war=WAR,
        provinces={"Minsk": {"fortification": 1}},
    )
    battle = report(fought(world, by=by))
    assert battle.units[1].total_combat == 50 * 200 + 50 * walls.barracks
    inside_only = make_world(
        unit("ENG/A1", "Minsk", {"Target": 900}),
        unit("LIT/G1", "Minsk", {"Half": 3}),
        war=WAR,
        provinces={"Minsk": {"fortification": 1}},
    )
    assert rounds_of(report(fought(inside_only, by=by)), "LIT/G1")[0].caused[0].damage == 3


@pytest.mark.clause("B8")
def test_the_first_casualties_of_the_battle_have_the_walls_hit_points_on_top() -> None:
    by = sure_rules(round_limit=2)
    walls = by.fortifications[0].evolve(foot_hit_points=Decimal(2), barracks=3)
    by = by.evolve(fortifications=(walls, *by.fortifications[1:]))
    world = make_world(
        unit("ENG/A1", "Minsk", {"Striker": 6}),
        unit("LIT/G1", "Minsk", {"Target": 20}),
        war=WAR,
        provinces={"Minsk": {"fortification": 1}},
    )
    fallen = rounds_of(report(fought(world, by=by)), "LIT/G1")[1]
    # twelve damage: three fall at 3 each, the other three at 1 each
    assert [casualty.count for casualty in fallen.casualties] == [6]
    assert fallen.remaining == 0


@pytest.mark.clause("B7", "B8", "B12")
def test_behind_the_walls_nobody_is_drawn_to_fall_before_he_is_struck() -> None:
    troops = {"Target": (0, 0, 0, 0, 3)}
    garrison = unit("LIT/G1", "Minsk", troops, commanders=[commander("Algirdas"), commander("Vytautas")])
    world = make_world(unit("ENG/A1", "Minsk", {"Striker": 1}), garrison, war=WAR)
    battle = land_battle(Field(replace(make_turn(world), rules=sure_rules())), "Minsk")
    assert battle is not None
    inside = battle.by_key["LIT/G1"]
    assert inside.barracks is not None
    wall_losses(battle, [inside])
    assert battle.dice("rank 5").outcomes == []
    inside.damage = Decimal("0.1")
    wall_losses(battle, [inside])
    assert len(battle.dice("rank 5").outcomes) == 1
